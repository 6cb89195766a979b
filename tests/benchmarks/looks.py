"""How well tables of many looks of cards are read: each look on surfaces of its half, verdict by verdict.

    python -m tests.benchmarks.looks [--half tune|held-back] [--game G] [--look NAME] [--level L] [--count 2] [--seed 0]
                                     [--surfaces DIR] [--keep DIR] [--json OUT]

Every look of `samples.art` is drawn, tables with and without faults are laid by seed and photographed by the virtual
camera, and `referee.pipeline` reads them. A verdict is right when it says of every card what the truth says; wrong but
certain is the one thing that must not happen. Looks and surfaces belong to one of two halves: the tune half may be
looked at and worked on (`--keep` writes the pictures whose verdict is not right, with truth and answer), the kept-back
half is only counted. `--surfaces` names a folder filled by `python -m samples.table surfaces --fetch DIR`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # as `python -m referee` does
    os.environ.setdefault(_name, "1")

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from calibration.evaluate import matched  # noqa: E402
from referee.decks import Deck, Game, load_deck  # noqa: E402
from referee.pipeline import CheckedPhoto, check_bytes  # noqa: E402
from samples.art.command import styled_deck  # noqa: E402
from samples.art.decks import write_deck  # noqa: E402
from samples.table.levels import LEVELS  # noqa: E402
from samples.table.random_layouts import random_layout  # noqa: E402
from samples.table.render import render  # noqa: E402
from samples.table.scene import random_scene  # noqa: E402
from samples.table.surfaces import Split, Surface, surfaces  # noqa: E402

LOOKS: Mapping[Split, Mapping[Game, tuple[str, ...]]] = MappingProxyType(
    {
        "tune": {
            Game.CAT_AND_MOUSE: ("comic", "craft", "frost", "night", "poster", "royal"),
            Game.COLOURED_PATHS: ("bands", "chalk", "ribbon"),
            Game.IF_IT_FITS: ("blueprint", "crate"),
        },
        "held-back": {
            Game.CAT_AND_MOUSE: ("meadow", "slate", "sticker"),
            Game.COLOURED_PATHS: ("felt", "tram"),
            Game.IF_IT_FITS: ("gift", "parcel"),
        },
    }
)
"""The looks of each half."""
ORDERED = ("valid",)
"""Lists of a verdict whose order means something."""
LEFT_OUT = ("moves", "longest_path")
"""What verdicts may differ in: of longest paths with equally many changes any may be named."""


def main(argv: list[str] | None = None) -> int:
    """Print a line for each look and level, and the sums of each game."""
    args = _parser().parse_args(argv)
    cv2.setNumThreads(1)
    tops = [s for s in surfaces(args.half, args.surfaces) if s.photo is not None or not args.surfaces]
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as scratch:
        for game in Game:
            if args.game and game.value != args.game:
                continue
            for look in LOOKS[args.half][game]:
                if args.look and look != args.look:
                    continue
                folder = (args.decks or Path(scratch)) / f"{game.value}-{look}"
                if not (folder / "deck.json").exists():
                    write_deck(styled_deck(game.value, look), folder)
                rows += _photographed(load_deck(folder), look, tops, args)
    print(f"{'':32s} verdict right  wrong but certain  undetermined  cards found  false  faces right")
    for key in sorted({(row["game"], row["look"], "") for row in rows} | {(r["game"], "~", r["level"]) for r in rows}):
        game_, look, level = key
        chosen = [r for r in rows if r["game"] == game_ and (level or r["look"] == look) and level in ("", r["level"])]
        print(_line(f"{game_} {level or look}", chosen), flush=True)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.looks", description=__doc__)
    parser.add_argument("--half", choices=list(LOOKS), default="tune")
    parser.add_argument("--game", choices=[game.value for game in Game])
    parser.add_argument("--look")
    parser.add_argument("--level", choices=LEVELS)
    parser.add_argument("--count", type=int, default=2, help="tables of each look and level")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--surfaces", type=Path, action="append", default=[], help="folder of photographed table tops")
    parser.add_argument("--decks", type=Path, help="folder that keeps the drawn decks")
    parser.add_argument("--keep", type=Path, help="folder for pictures whose verdict is not right")
    parser.add_argument("--json", type=Path)
    return parser


def _photographed(deck: Deck, look: str, tops: list[Surface], args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A row for each table of this look."""
    levels = [args.level] if args.level else list(LEVELS)
    for level in levels:
        for number in range(args.count):
            seed = args.seed + number + 100 * list(LEVELS).index(level) + sum(look.encode())
            layout, fault = random_layout(deck.game, deck, seed, "any")
            scene = random_scene(level, seed, tops)
            photo = render(layout, deck, scene, seed, fault)
            name = f"{deck.game.value}-{look}-{level}-{number}"
            checked = check_bytes(photo.jpeg, name, deck)
            row = {"game": deck.game.value, "look": look, "level": level, "photo": name, "surface": scene.surface.name}
            row |= compared(checked, photo.truth)
            print(json.dumps(row), file=sys.stderr, flush=True)
            if args.keep and row["kind"] != "right":
                args.keep.mkdir(parents=True, exist_ok=True)
                (args.keep / f"{name}.jpg").write_bytes(photo.jpeg)
                answer = {"row": row, "truth": photo.truth, "answer": _answer(checked)}
                (args.keep / f"{name}.json").write_text(json.dumps(answer), encoding="utf-8")
            yield row


def _answer(checked: CheckedPhoto) -> dict[str, Any]:
    verdict = checked.ruling.verdict
    return {
        "outcome": checked.ruling.outcome.value,
        "verdict": None if verdict is None else verdict.to_dict(),
        "cards": [{"id": c.id, "face": c.face, "corners": np.round(c.corners, 1).tolist()} for c in checked.cards],
        "doubtful": [str(doubt) for doubt in checked.ruling.doubtful],
    }


def compared(checked: CheckedPhoto, truth: Mapping[str, Any]) -> dict[str, Any]:
    """What was found of the truth, and whether the verdict is right, wrong or undetermined."""
    pairs = matched([c.corners for c in checked.cards], [np.array(c["corners"]) for c in truth["cards"]])
    names = {checked.cards[a].id: truth["cards"][b]["id"] for a, b in pairs.items()}
    verdict = checked.ruling.verdict
    outcome = checked.ruling.outcome.value
    if outcome == "undetermined" or verdict is None:
        kind = "undetermined"
    elif outcome == truth["outcome"] and plain(verdict.to_dict(), names) == plain(truth["verdict"], {}):
        kind = "right"
    else:
        kind = "wrong"
    return {
        "kind": kind,
        "doubts": dict(Counter(doubt.reason.name for doubt in checked.ruling.doubtful)),
        "cards": len(truth["cards"]),
        "found": len(pairs),
        "false": len(checked.cards) - len(pairs),
        "faces": sum(checked.cards[a].face == truth["cards"][b]["face"] for a, b in pairs.items()),
    }


def plain(value: Any, names: Mapping[str, str], key: str = "") -> Any:
    """A verdict with the truth's names for cards, in which order only counts where it means something."""
    if isinstance(value, Mapping):
        return {k: plain(v, names, k) for k, v in value.items() if k not in LEFT_OUT}
    if isinstance(value, list | tuple):
        items = [plain(each, names, key) for each in value]
        return items if key in ORDERED else sorted(items, key=lambda each: json.dumps(each, sort_keys=True))
    return names.get(value, value) if isinstance(value, str) else value


def _line(name: str, rows: list[dict[str, Any]]) -> str:
    kinds = Counter(row["kind"] for row in rows)
    cards = sum(row["cards"] for row in rows)
    found, false, faces = (sum(row[k] for row in rows) for k in ("found", "false", "faces"))
    return (
        f"{name:32s} {kinds['right']:3d}/{len(rows):<3d} {kinds['wrong']:12d} {kinds['undetermined']:16d}"
        f"   {found:8d}/{cards:<4d} {false:4d} {faces:8d}/{found}"
    )


if __name__ == "__main__":
    sys.exit(main())
