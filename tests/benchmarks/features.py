"""How often each feature is read right on cards of virtual tables, a level at a time, their corners being known.

python -m tests.benchmarks.features [--game GAME] [--deck DIR] [--tables 6] [--split held-back]

A feature is *sure* if all that the card may be otherwise has together less than a tenth of the belief; else the reader
is silent about it.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from referee.decks import ARROWS, WALLS, ArrowFace, BoxFace, CatFace, Deck, Game, PathFace, builtin_deck, load_deck
from referee.features.reading import Likeness, read_cards
from referee.features.rectified import rectified
from samples.table.levels import LEVELS, Level
from samples.table.random_layouts import random_layout
from samples.table.render import render
from samples.table.scene import random_scene
from samples.table.surfaces import surfaces

SEED = 7000
VISIBLE = 0.98
SURE = 0.9
SHORT_SIDE = 256


def features_of(deck: Deck, face_id: str, turn: int) -> dict[str, Any]:
    """What a card shows that lies turned by quarters, by the names of the features."""
    face = deck.face(face_id)
    if isinstance(face, ArrowFace):
        arrows = frozenset(ARROWS[(ARROWS.index(arrow) + turn) % 4] for arrow in face.arrows)
        return {"arrows": arrows, "points": face.points} if face.kind == "move" else {"start, finish": face.kind}
    if isinstance(face, PathFace):
        colours = tuple(face.colour_at[(end - 2 * turn) % 8] for end in range(8))
        joins = frozenset(frozenset((end + 2 * turn) % 8 for end in ends) for ends, _ in face.strands)
        return {"colours of ends": colours, "joins": joins}
    if isinstance(face, BoxFace):
        walls = frozenset(WALLS[(WALLS.index(wall) + turn) % 4] for wall in face.walls)
        return {"walls": walls, "toys": face.toys}
    if isinstance(face, CatFace):
        return {"cat's colour": face.player, "awake": not face.asleep}
    return {"Princess": True}


def believed(deck: Deck, likely: Sequence[Likeness], feature: str) -> tuple[Any, float]:
    """What a card most likely shows, and how much that is believed (0..1)."""
    belief: defaultdict[Any, float] = defaultdict(float)
    for each in likely:
        belief[features_of(deck, each.face, each.turn).get(feature)] += each.belief
    best = max(belief, key=lambda value: belief[value])
    return best, belief[best]


def count(deck: Deck, level: Level, tables: int, split: str) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """How often each feature was there, was read right, and was read surely but wrong; and `sure:...` how often
    surely."""
    seen: Counter[str] = Counter()
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for table in range(tables):
        layout, _ = random_layout(deck.game.value, deck, SEED + table, None)
        photo = render(layout, deck, random_scene(level, SEED + table, surfaces(split)), table)  # type: ignore[arg-type]
        cards = [card for card in photo.truth["cards"] if card.get("visible", 1.0) >= VISIBLE]
        size = (SHORT_SIDE, round(SHORT_SIDE * deck.card_mm[1] / deck.card_mm[0]))
        read = read_cards([rectified(photo.image, np.array(card["corners"], float), size) for card in cards], deck)
        for card, likely in zip(cards, read, strict=True):
            for feature, true in features_of(deck, card["face"], 0).items():
                said, belief = believed(deck, likely, feature)
                seen[feature] += 1
                right[feature] += said == true
                seen[f"sure:{feature}"] += belief >= SURE
                wrong[feature] += said != true and belief >= SURE
    return seen, right, wrong


def main() -> None:
    """Print a row for each feature: at each level right of all, those read surely, and of them wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=[game.value for game in Game])
    parser.add_argument("--deck", type=Path)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--split", choices=("tune", "held-back", "all"), default="held-back")
    args = parser.parse_args()
    for game in [Game(args.game)] if args.game else list(Game):
        deck = load_deck(args.deck) if args.deck else builtin_deck(game)
        rows: defaultdict[str, list[str]] = defaultdict(list)
        for level in LEVELS:
            seen, right, wrong = count(deck, level, args.tables, args.split)
            for name in [name for name in seen if not name.startswith("sure:")]:
                rows[name].append(f"{right[name]} of {seen[name]}; {seen[f'sure:{name}']}, {wrong[name]}")
        for name, cells in rows.items():
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
