"""The same table photographed after each move."""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.games import judge
from referee.verdicts import Outcome
from samples.table.command import main
from samples.table.random_layouts import random_layout
from samples.table.scene import random_scene
from samples.table.sequence import NUDGE_DEGREES, NUDGE_MM, another_camera, card_by_card, nudged


@pytest.mark.parametrize("game", list(Game))
def test_cards_are_laid_one_a_move(game: Game) -> None:
    deck = builtin_deck(game)
    layout, _ = random_layout(game, deck, 3, None)
    looks = card_by_card(layout, deck)
    assert [len(look.cards) for look in looks] == list(range(1, len(layout.cards) + 1))
    for before, after in itertools.pairwise(looks):
        assert before.by_id.items() <= after.by_id.items()
    if game is not Game.IF_IT_FITS:  # a cat that waits for its turn lies nowhere
        assert all(judge(look, deck).outcome is Outcome.VALID for look in looks)


def test_cards_are_pushed_a_little_and_no_more() -> None:
    layout, _ = random_layout(Game.COLOURED_PATHS, builtin_deck(Game.COLOURED_PATHS), 3, None)
    first = layout.cards[0].id
    pushed = nudged(layout, 1, but=[first])
    assert pushed.by_id[first] == layout.by_id[first]
    for card in layout.cards[1:]:
        far = math.dist((card.x, card.y), (pushed.by_id[card.id].x, pushed.by_id[card.id].y))
        assert 0 < far <= NUDGE_MM
        assert abs(card.turn - pushed.by_id[card.id].turn) <= NUDGE_DEGREES


def test_the_camera_moves_and_the_table_does_not() -> None:
    table = random_scene("everyday", 4)
    other = another_camera(table, "everyday", 4, 1)
    assert (other.surface, other.lights, other.printing, other.heap) == (
        table.surface,
        table.lights,
        table.printing,
        table.heap,
    )
    assert abs(np.angle(np.exp(1j * np.deg2rad(other.azimuth - table.azimuth)))) > np.deg2rad(39)
    assert another_camera(table, "everyday", 4, 0) == table


def test_the_command_renders_a_sequence(tmp_path: Path) -> None:
    arguments = ["render", "--game", "coloured-paths", "--level", "easy", "--seed", "3", "--fault", "none"]
    assert main([*arguments, "--sequence", "--count", "2", "--out", str(tmp_path)]) == 0
    truths = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(tmp_path.glob("*.json"))]
    assert len(list(tmp_path.glob("*.jpg"))) == 2
    first, second = ({card["id"] for card in truth["cards"]} for truth in truths)
    assert len(second - first) == 1
    assert first < second
