"""Decks laid out in rows on the virtual table, as somebody who enrols them photographs them.

`python -m tests.calibration.rows --deck DIR --out DIR` writes `deck-N.jpg` with `deck-N.json`, and `faces.json`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from referee.decks import Deck, load_deck
from referee.layouts import Layout, PlacedCard
from samples.table.levels import LEVELS, Level
from samples.table.render import Photo, render
from samples.table.scene import Scene, random_scene
from samples.table.surfaces import Split, Surface, surfaces

COLUMNS, ROWS = 6, 3
GAP = 0.16
"""Between cards, in sides of a card."""


def layouts_of(deck: Deck, seed: int, each_once: bool = False) -> list[Layout]:
    """The whole deck (or one card of each face) shuffled, eighteen a photograph, not quite straight."""
    rng = np.random.default_rng([seed, 5])
    cards = [face.id for face in deck.faces for _ in range(1 if each_once else face.count)]
    cards = [cards[k] for k in rng.permutation(len(cards))]
    width, height = deck.card_mm
    found: list[Layout] = []
    for start in range(0, len(cards), COLUMNS * ROWS):
        placed = []
        for number, face in enumerate(cards[start : start + COLUMNS * ROWS]):
            row, column = divmod(number, COLUMNS)
            x, y = rng.normal(0, 0.03, 2) * width
            placed.append(
                PlacedCard(
                    id=f"e{start + number}",
                    face=face,
                    x=x + column * width * (1 + GAP),
                    y=y + row * height * (1 + GAP),
                    turn=float(rng.normal(0, 3)),
                )
            )
        found.append(Layout(name=f"deck-{len(found)}", game=deck.game, cards=tuple(placed)))
    return found


def scene_of(level: Level, seed: int, tops: Split | Sequence[Surface]) -> Scene:
    """A scene on one of these table tops, or ours of one half, without clutter, seen from the side on which the cards
    are upright."""
    scene = random_scene(level, seed, surfaces(tops) if isinstance(tops, str) else tops)
    rng = np.random.default_rng([seed, 6])
    return replace(
        scene,
        level="hard",  # so that the camera is not turned to fill the picture
        size=(max(scene.size), min(scene.size)),
        azimuth=float(rng.normal(0, 5)),
        roll=float(rng.uniform(-4, 4)),
        tilt=min(scene.tilt, 25),
        fill=max(0.8, min(scene.fill, 0.93)),
        card_px=(150, 400),
        heap="none",
        clutter=(),
        covers=(),
    )


def photographs(
    deck: Deck, level: Level, seed: int, tops: Split | Sequence[Surface], each_once: bool = False
) -> Iterator[Photo]:
    """The photographs of a whole deck; one table, phone and light for all, as in one sitting."""
    scene = scene_of(level, seed, tops)
    for number, layout in enumerate(layouts_of(deck, seed, each_once)):
        yield render(layout, deck, scene, seed * 100 + number)


def write_set(deck: Deck, out: Path, level: Level, seed: int, split: Split, each_once: bool = False) -> None:
    """Write the photographs, their truth, and what is true of each face."""
    out.mkdir(parents=True, exist_ok=True)
    for number, photo in enumerate(photographs(deck, level, seed, split, each_once)):
        (out / f"deck-{number}.jpg").write_bytes(photo.jpeg)
        cards = [{key: card[key] for key in ("id", "face", "corners")} for card in photo.truth["cards"]]
        (out / f"deck-{number}.json").write_text(json.dumps({"cards": cards}), encoding="utf-8")
    faces = {face["id"]: {k: v for k, v in face.items() if k != "image"} for face in deck.to_dict()["faces"]}
    (out / "faces.json").write_text(json.dumps(faces), encoding="utf-8")


def main() -> None:
    """Write one set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deck", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--level", choices=LEVELS, default="easy")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--split", choices=("tune", "held-back", "all"), default="tune")
    parser.add_argument("--each-once", action="store_true", help="one card of each face instead of the whole deck")
    args = parser.parse_args()
    write_set(load_deck(args.deck), args.out, args.level, args.seed, args.split, args.each_once)


if __name__ == "__main__":
    main()
