"""Decks of other looks than ours are enrolled from one photograph: found, grouped, read; what is wrong is flagged."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.enrol.crops import CARD_MM
from calibration.enrol.enrolment import Enrolment, found_cards, sorted_out
from referee.decks import Deck, Game, load_deck
from referee.layouts import Layout, PlacedCard
from referee.vision.decode import decode
from samples.art.command import styled_deck
from samples.art.decks import write_deck
from samples.table.render import Photo, render
from tests.calibration.rows import GAP, scene_of

PER_ROW = 5
ROUTE = ("up-1", "left-2", "start", "right-3", "up-1", "down-2", "finish", "up+down-1", "up+left-2", "down-2")
BOXES = (
    "box-t-1",
    "box-rl-0",
    "start-2",
    "box-trl-2",
    "box-open-1",
    "toy-1",
    "cat-red",
    "cat-blue-asleep",
    "box-tb-2",
    "princess",
)
LOOKS = [
    (Game.CAT_AND_MOUSE, "poster", ROUTE),
    (Game.CAT_AND_MOUSE, "frost", ROUTE),
    (Game.COLOURED_PATHS, "chalk", ()),
    (Game.IF_IT_FITS, "crate", BOXES),
    (Game.IF_IT_FITS, "blueprint", BOXES),
]
SURELY, MOSTLY = 0.95, 0.9
BARS = {"kind": MOSTLY, "arrows": SURELY, "walls": SURELY, "strands": SURELY, "points": MOSTLY, "toys": MOSTLY}
"""Share of the cards of which a feature must be proposed right, over all looks together."""


def photographed(deck: Deck, faces: tuple[str, ...]) -> Photo:
    """The cards in two rows."""
    width, height = (side * (1 + GAP) for side in deck.card_mm)
    cards = [
        PlacedCard(id=f"e{k}", face=face, x=width * (k % PER_ROW), y=height * (k // PER_ROW), turn=(k * 7) % 5 - 2.0)
        for k, face in enumerate(faces)
    ]
    return render(Layout(name="deck", game=deck.game, cards=tuple(cards)), deck, scene_of("easy", 3, "tune"), 3)


@lru_cache(maxsize=len(LOOKS))
def enrolled(game: Game, style: str, faces: tuple[str, ...], folder: Path) -> tuple[Deck, Enrolment, dict[int, str]]:
    """The true deck, what is proposed, and the true face of each card that was found."""
    drawn = styled_deck(game.value, style)
    faces = faces or tuple(face.id for face in drawn.faces[:10])
    few = replace(drawn, faces=tuple(face for face in drawn.faces if face.id in faces), backs={})
    write_deck(few, folder / style)
    deck = load_deck(folder / style)
    photo = photographed(deck, faces)
    crops = found_cards([decode(photo.jpeg, style)], CARD_MM[game])
    true = {}
    for number, crop in enumerate(crops):
        for card in photo.truth["cards"]:
            side = np.linalg.norm(crop.corners[1] - crop.corners[0])
            if np.abs(crop.corners - np.array(card["corners"])).max() < 0.05 * side:
                true[number] = card["face"]
    return deck, sorted_out(crops, game, CARD_MM[game], whole=False), true


def shown(face: Any, feature: str) -> object:
    """What a face shows; of strands which ends they join, and which ends have one colour, whatever it is called."""
    value = face.get(feature)
    if feature == "strands":
        colour_at = {end: colour for ends, colours in value for end, colour in zip(ends, colours, strict=True)}
        alike = [colour_at[a] == colour_at[b] for a in range(8) for b in range(a)]
        return sorted(sorted(ends) for ends, _ in value), alike
    return sorted(value) if feature in ("arrows", "walls") else value


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("styles")


@pytest.mark.parametrize(("game", "style", "faces"), LOOKS)
def test_cards_are_found_and_grouped(game: Game, style: str, faces: tuple[str, ...], folder: Path) -> None:
    _, found, true = enrolled(game, style, faces, folder)
    assert sorted(true) == list(range(10))
    for face in found.faces:
        assert len({true[k] for k in face.copies}) == 1
    assert len(found.faces) == len(set(true.values()))


def test_most_features_are_proposed_right(folder: Path) -> None:
    right: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    unflagged = []
    for game, style, faces in LOOKS:
        deck, found, true = enrolled(game, style, faces, folder)
        entries = {entry["id"]: entry for entry in deck.to_dict()["faces"]}
        for face in found.faces:
            want = entries[true[face.copies[0]]]
            have = {"kind": face.proposal.kind, **face.proposal.features}
            for feature in BARS:
                if feature in want and not (feature == "points" and want["kind"] != "move"):
                    is_right = feature in have and shown(have, feature) == shown(want, feature)
                    seen[feature] += 1
                    right[feature] += is_right
                    if not is_right and not face.proposal.needs_review:
                        unflagged.append((style, want["id"], feature, have.get(feature)))
    assert {feature for feature, bar in BARS.items() if right[feature] < bar * seen[feature]} == set()
    assert len(unflagged) <= 1, unflagged  # a sleeping cat of white lines on blue is taken for a Princess
