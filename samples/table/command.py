"""The command line of the virtual table: photographs with truth files, and the surfaces they lie on."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from referee.decks import Deck, Game, builtin_deck, load_deck
from referee.errors import LayoutError, RefereeError
from referee.layouts import Layout, read_layouts
from samples.table.levels import LEVELS
from samples.table.random_layouts import random_layout
from samples.table.render import render
from samples.table.scene import random_scene
from samples.table.sequence import card_by_card, nudged, photographs
from samples.table.shipped import PHOTOS, write_all
from samples.table.surfaces import fetch, surfaces


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m samples render`."""
    parser.add_argument("--game", choices=[g.value for g in Game], required=True)
    parser.add_argument("--deck", type=Path, help="deck folder (default: our own deck of the game)")
    parser.add_argument("--level", choices=LEVELS, default="everyday")
    parser.add_argument("--seed", type=int, default=0, help="of the first photo; the next ones count up")
    parser.add_argument("--count", type=int, help="how many photos (default: 1, or one of each layout)")
    parser.add_argument("--out", type=Path, required=True, help="folder for NAME.jpg and NAME.json")
    parser.add_argument("--layout", type=Path, help="layouts (.json, .jsonl) instead of random ones")
    parser.add_argument("--fault", default="any", help="a fault by name, `none`, or `any`")
    parser.add_argument("--split", choices=("tune", "held-back", "all"), default="all", help="half of the surfaces")
    parser.add_argument(
        "--sequence",
        action="store_true",
        help="one table after each move, the camera elsewhere each time: the layouts of --layout in order, or the last "
        "--count moves of a random table",
    )
    parser.add_argument("--surfaces", type=Path, action="append", default=[], help="folder with more surfaces")


def run(args: argparse.Namespace) -> int:
    """Render as `add_arguments` describes; 0 when all was written, 2 when an input could not be used."""
    try:
        deck = load_deck(args.deck) if args.deck else builtin_deck(args.game)
        tables = list(_tables(args, deck))
        args.out.mkdir(parents=True, exist_ok=True)
        if args.sequence:
            return _sequence(args, deck, [layout for layout, _ in tables])
        for seed, (layout, fault) in enumerate(tables, args.seed):
            scene_seed = 3 * seed + list(Game).index(deck.game)
            scene = random_scene(args.level, scene_seed, surfaces(args.split, args.surfaces))
            photo = render(layout, deck, scene, seed, fault)
            name = f"{deck.folder.name if deck.folder else args.game}-{args.level}-{seed:04d}"
            (args.out / f"{name}.jpg").write_bytes(photo.jpeg)
            (args.out / f"{name}.json").write_text(json.dumps(photo.truth), encoding="utf-8")
            print(args.out / f"{name}.jpg", flush=True)
    except (RefereeError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _sequence(args: argparse.Namespace, deck: Deck, looks: list[Layout]) -> int:
    """NAME-1.jpg, NAME-2.jpg and so on, each with its truth."""
    if args.layout is None:
        grown = card_by_card(looks[0], deck)
        looks = [nudged(look, args.seed + k) for k, look in enumerate(grown[-(args.count or len(grown)) :])]
    name = f"{deck.folder.name if deck.folder else args.game}-{args.level}-{args.seed:04d}"
    for number, photo in enumerate(
        photographs(looks, deck, args.level, args.seed, surfaces(args.split, args.surfaces)), 1
    ):
        path = args.out / f"{name}-{number}.jpg"
        path.write_bytes(photo.jpeg)
        path.with_suffix(".json").write_text(json.dumps(photo.truth), encoding="utf-8")
        print(path, flush=True)
    return 0


def _tables(args: argparse.Namespace, deck: Deck) -> list[tuple[Layout, str | None]]:
    """The tables to photograph, each with the name of its fault if it is a random one."""
    if args.layout is None:
        fault = None if args.fault == "none" else args.fault
        count = 1 if args.sequence else args.count or 1
        return [random_layout(args.game, deck, args.seed + k, fault) for k in range(count)]
    found: list[tuple[Layout, str | None]] = []
    for layout in read_layouts(args.layout):
        if isinstance(layout, LayoutError):
            raise layout
        found.append((layout, None))
    if not found:
        raise ValueError(f"{args.layout}: there is no layout in it; put one a line, or one as a whole.")
    return [found[k % len(found)] for k in range(len(found) if args.sequence else args.count or len(found))]


def main(argv: list[str] | None = None) -> int:
    """`python -m samples.table render ... | photos | surfaces --fetch DIR`."""
    parser = argparse.ArgumentParser(prog="python -m samples.table", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    add_arguments(commands.add_parser("render", help="photographs with truth files"))
    listing = commands.add_parser("surfaces", help="list the table tops; --fetch gets more")
    listing.add_argument("--fetch", type=Path, help="folder to download more surfaces into")
    listing.add_argument("--split", choices=("tune", "held-back", "all"), default="all")
    shipped = commands.add_parser("photos", help="render the sample photographs of the repository again")
    shipped.add_argument("--out", type=Path, default=PHOTOS)
    shipped.add_argument("--only", default="", help="only those whose names contain this")
    args = parser.parse_args(argv)
    if args.command == "render":
        return run(args)
    if args.command == "photos":
        for path in write_all(args.out, args.only):
            print(path)
        return 0
    folders = []
    if args.fetch:
        fetch(args.fetch)
        folders.append(args.fetch)
    for surface in surfaces(args.split, folders):
        print(surface.name, surface.photo or "(drawn)")
    return 0
