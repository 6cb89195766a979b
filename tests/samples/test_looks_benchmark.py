"""The benchmark of many looks: what counts as the same verdict, and which looks there are."""

import numpy as np

from calibration.evaluate import matched
from referee.decks import Game
from samples.art.decks import STYLED
from tests.benchmarks.looks import LOOKS, plain


def test_every_look_is_in_one_half() -> None:
    for game in Game:
        halves = [set(LOOKS[half][game]) for half in ("tune", "held-back")]
        assert not halves[0] & halves[1]
        assert halves[0] | halves[1] == set(STYLED[game.value])
        assert len(STYLED[game.value]) >= 4


def test_order_counts_only_along_a_route() -> None:
    def verdict(valid: list[str], returned: list[str]) -> dict[str, object]:
        return {"routes": [{"start": "s", "valid": valid, "points": 3}], "returned": returned}

    one = plain(verdict(["a", "b"], ["c", "d"]), {})
    assert one == plain(verdict(["x", "b"], ["d", "c"]), {"x": "a"})
    assert one != plain(verdict(["b", "a"], ["c", "d"]), {})
    assert one != plain(verdict(["a", "b"], ["c"]), {})


def test_each_card_is_matched_once_with_what_lies_there() -> None:
    square = np.array([[0.0, 0.0], [10, 0], [10, 10], [0, 10]])
    assert matched([square + 1, square, square + 30], [square, square + 29, square + 90]) == {1: 0, 2: 1}
