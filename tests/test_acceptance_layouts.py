"""The published acceptance layouts, judged exactly as their verdicts say. Skipped where that material is absent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.decks import load_deck
from referee.games import judge
from referee.layouts import Layout, read_layouts
from referee.moves import judge_sequence

SET = Path(__file__).resolve().parents[2] / "shared" / "acceptance"

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.skipif(not SET.is_dir(), reason="the acceptance material is not here"),
]


def cases(game: str) -> tuple[Path, list[Layout], dict[str, dict[str, Any]]]:
    layouts = [layout for layout in read_layouts(SET / "layouts" / f"{game}.jsonl") if isinstance(layout, Layout)]
    lines = (SET / "verdicts" / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = {verdict["name"]: verdict for verdict in map(json.loads, lines)}
    assert len(layouts) == len(verdicts) > 0
    return sorted((SET / "decks").glob(f"{game}-*"))[0], layouts, verdicts


def comparable(value: object) -> object:
    """Lists of cards, boxes, pairs, groups without their order; sequences that have one (routes, moves) with it."""
    if isinstance(value, dict):
        ordered = {"valid", "moves"}
        return {k: list(map(comparable, v)) if k in ordered else comparable(v) for k, v in value.items()}
    if isinstance(value, list):
        return sorted(map(comparable, value), key=repr)
    return value


@pytest.mark.parametrize("game", ["cat-and-mouse", "coloured-paths", "if-it-fits"])
def test_every_layout_is_judged_exactly(game: str) -> None:
    folder, layouts, verdicts = cases(game)
    deck = load_deck(folder)
    for layout in layouts:
        ruling = judge(layout, deck)
        got, want = ruling.to_dict()["verdict"], verdicts[layout.name]["verdict"]
        for move in got.get("moves", []):
            del move["faults"]
        for fault in got["faults"]:
            del fault["rule_id"]
        got = {key: got[key] for key in want}
        if "scores" in want:  # those without points may be left out
            got["scores"] = {k: v for k, v in got["scores"].items() if v}
            want["scores"] = {k: v for k, v in want["scores"].items() if v}
        assert (layout.name, ruling.outcome.value) == (layout.name, verdicts[layout.name]["outcome"])
        assert (layout.name, comparable(got)) == (layout.name, comparable(want))


def test_looks_after_each_move_are_judged_as_the_order_of_play_is() -> None:
    folder, layouts, verdicts = cases("coloured-paths")
    deck = load_deck(folder)
    for layout in layouts[:40]:
        assert layout.order is not None
        looks = [
            Layout(game=layout.game, cards=tuple(layout.by_id[i] for i in layout.order[:n]))
            for n in range(1, len(layout.order) + 1)
        ]
        moves = [move for _, move in judge_sequence(looks, deck) if move is not None]
        for got, want in zip(moves, verdicts[layout.name]["verdict"]["moves"][1:], strict=True):
            assert (got.cards, got.legal, got.ring) == ((want["card"],), want["legal"], want["ring"])
            assert {reason.value for reason in got.extra_turn or ()} == set(want["extra_turn"])
