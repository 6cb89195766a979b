"""How often each feature is read right on cards of virtual tables, a level at a time, their corners being known.

python -m tests.benchmarks.features [--game GAME] [--deck DIR] [--tables 6] [--split held-back]
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from calibration.enrol.crops import square_up
from referee.decks import Game, builtin_deck, load_deck
from referee.features.reading import read_cards
from samples.table.levels import LEVELS
from samples.table.random_layouts import random_layout
from samples.table.render import render
from samples.table.scene import random_scene
from samples.table.surfaces import surfaces

FEATURES = ("kind", "arrows", "points", "strands", "walls", "toys", "player", "asleep")
VISIBLE = 0.98


def main() -> None:
    """Print a line for each game and level."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=[game.value for game in Game])
    parser.add_argument("--deck", type=Path)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--split", choices=("tune", "held-back", "all"), default="held-back")
    args = parser.parse_args()
    for game in [Game(args.game)] if args.game else list(Game):
        deck = load_deck(args.deck) if args.deck else builtin_deck(game)
        for level in LEVELS:
            right: Counter[str] = Counter()
            seen: Counter[str] = Counter()
            for table in range(args.tables):
                layout, _ = random_layout(game.value, deck, 7000 + table, None)
                scene = random_scene(level, 7000 + table, surfaces(args.split))
                photo = render(layout, deck, scene, table)
                cards = [c for c in photo.truth["cards"] if c.get("visible", 1.0) >= VISIBLE]
                corners = [np.array(card["corners"], float) for card in cards]
                pictures = [square_up(photo.image, quad, deck.card_mm) for quad in corners]
                rim = round(0.05 * 256)
                read = read_cards([np.ascontiguousarray(p[rim:-rim, rim:-rim]) for p in pictures], deck)
                for card, likely in zip(cards, read, strict=True):
                    true, best = deck.face(card["face"]), deck.face(likely[0].face)
                    for feature in FEATURES:
                        if hasattr(true, feature):
                            seen[feature] += 1
                            right[feature] += getattr(true, feature) == getattr(best, feature, None)
            print(game.value, level, ", ".join(f"{f} {right[f]}/{seen[f]}" for f in FEATURES if seen[f]), flush=True)


if __name__ == "__main__":
    main()
