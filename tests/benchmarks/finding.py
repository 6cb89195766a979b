"""How many cards `find` finds in photographs of many kinds, how many false ones, how far off their corners are.

python -m tests.benchmarks.find_art ART
python -c "from pathlib import Path; from samples.table.surfaces import fetch; fetch(Path('SURFACES'))"
python -m tests.benchmarks.finding ART --surfaces SURFACES [--split held-back] [--each 14] [--first 0] [--keep DIR]

The photographs are made on the fly from one seed each and kept in DIR, so that a second run only measures. With
`--details FILE` what was found in each photograph is written down, a JSON object a line.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import shared_area
from referee.vision.decode import read_photo_file
from referee.vision.find import find_cards
from tests.benchmarks.find_scenes import KINDS, PHOTOS, photographs, shot

Doubles = NDArray[np.float64]
SEEDS = {"tune": 1000, "held-back": 9000}
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)
"""Confidences between which finds are counted together."""


@dataclass
class Tally:
    """What was found in the photographs of a kind. errors: largest of a card's four corners, shares of its side."""

    photos: int = 0
    cards: int = 0
    found: int = 0
    false: int = 0
    spoilt: int = 0
    seconds: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    sure: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, seen: dict[str, Any]) -> None:
        self.photos += 1
        self.cards += len(seen["cards"])
        self.found += len(seen["errors"])
        self.false += seen["false"]
        self.spoilt += seen["false"] > 0
        self.seconds.append(seen["seconds"])
        self.errors += seen["errors"]
        self.sure += [(c, right) for c, right in seen["sure"] if right is not None]

    def row(self, name: str) -> str:
        recall = f"{100 * self.found / self.cards:.1f}" if self.cards else "-"
        told = self.found + self.false
        precision = f"{100 * self.found / told:.1f}" if told and self.cards else "-"
        corners = f"{100 * float(np.median(self.errors)):.1f}" if self.errors else "-"
        false = f"{self.false} in {self.spoilt}"
        seconds = f"{float(np.median(self.seconds)):.2f}" if self.seconds else "-"
        return f"| {name} | {self.photos} | {self.cards} | {recall} | {precision} | {false} | {corners} | {seconds} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("art", type=Path)
    parser.add_argument("--surfaces", type=Path)
    parser.add_argument("--split", choices=list(SEEDS), default="tune")
    parser.add_argument("--each", type=int, default=14, help="photographs of each kind")
    parser.add_argument("--first", type=int, default=0, help="the first of them: others than those measured before")
    parser.add_argument("--kind", action="append", help="only kinds whose name contains this")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--details", type=Path)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    wanted = [name for name in [*KINDS, PHOTOS] if not arguments.kind or any(k in name for k in arguments.kind)]
    folders = (
        [] if arguments.surfaces is None else sorted(path for path in arguments.surfaces.iterdir() if path.is_dir())
    )
    with tempfile.TemporaryDirectory() as scratch:
        keep: Path = arguments.keep or Path(scratch)
        jobs = [
            (
                name,
                arguments.split,
                SEEDS[arguments.split] + 100 * list(KINDS).index(name) + i,
                arguments.art,
                folders,
                keep,
            )
            for name in wanted
            if name != PHOTOS
            for i in range(arguments.first, arguments.first + arguments.each)
        ]
        if PHOTOS in wanted:
            jobs += [
                (PHOTOS, arguments.split, i, arguments.art, [], keep)
                for i in range(3 * arguments.first, 3 * (arguments.first + arguments.each))
            ]
        tallies = {name: Tally() for name in wanted}
        details: Path = arguments.details or Path(os.devnull)
        with multiprocessing.Pool(arguments.processes) as pool, details.open("w", encoding="utf-8") as written:
            for seen in pool.imap_unordered(_measured, jobs):
                if seen is not None:
                    tallies[seen["kind"]].add(seen)
                    print(json.dumps(seen), file=written, flush=True)
    print(
        "| kind | photos | cards | recall % | precision % | false cards, in photos | corners % of a side | s a photo |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name in wanted:
        print(tallies[name].row(name))
    _print_totals(tallies)


def _print_totals(tallies: dict[str, Tally]) -> None:
    every = list(tallies.values())
    total = Tally(
        *(sum(getattr(t, name) for t in every) for name in ("photos", "cards", "found", "false", "spoilt")),
        *([v for t in every for v in getattr(t, name)] for name in ("seconds", "errors", "sure")),
    )
    print(total.row("all"))
    sure = np.array([c for c, _ in total.sure])
    right = np.array([r for _, r in total.sure], dtype=bool)
    for low, high in itertools.pairwise(BINS):
        within = (sure >= low) & (sure < high)
        if within.any():
            mean, share = float(sure[within].mean()), 100 * float(right[within].mean())
            print(
                f"confidence {low:.2f} to {min(high, 1):.2f}: {within.sum()} finds, mean {mean:.2f}, true {share:.0f} %"
            )


def _measured(job: tuple[str, str, int, Path, list[Path], Path]) -> dict[str, Any] | None:
    """Look for the cards of one photograph, which is made first if it is not kept; None if there is none."""
    name, split, seed, art, folders, keep = job
    cv2.setNumThreads(1)
    path = keep / f"{split}-{name.replace(' ', '-').replace(':', '')}-{seed}.jpg"
    if name == PHOTOS:
        every = photographs(split, art)
        if seed >= len(every):
            return None
        path, size = every[seed]
        truth: dict[str, Any] = {"size_mm": size, "cards": [], "ignored": [], "note": path.stem}
    else:
        if not path.with_suffix(".json").exists():
            keep.mkdir(parents=True, exist_ok=True)
            taken = shot(KINDS[name], split, seed, art, folders)
            cv2.imwrite(str(path), taken.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
            fresh = {
                "size_mm": taken.size_mm,
                "cards": [quad.tolist() for quad in taken.cards],
                "ignored": [quad.tolist() for quad in taken.ignored],
                "note": taken.note,
            }
            path.with_suffix(".json").write_text(json.dumps(fresh), encoding="utf-8")
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    photo = read_photo_file(path)
    begin = time.process_time()
    aspect = max(truth["size_mm"]) / min(truth["size_mm"])
    finds = find_cards(photo.pixels, aspect)
    seconds = time.process_time() - begin
    corners = np.array([card.corners / photo.scale for card in finds]).reshape(-1, 4, 2)
    owner, errors = _matched(corners, truth["cards"])
    spared = [
        o is None and any(_iou(quad, np.array(g)) > 0.2 for g in truth["ignored"])
        for o, quad in zip(owner, corners, strict=True)
    ]
    right = [None if spare else o is not None for o, spare in zip(owner, spared, strict=True)]
    return {
        "kind": name,
        "photo": str(path),
        "note": truth["note"],
        "aspect": aspect,
        "cards": truth["cards"],
        "finds": corners.round(1).tolist(),
        "sure": [(card.confidence, r) for card, r in zip(finds, right, strict=True)],
        "errors": errors,
        "false": sum(r is False for r in right),
        "seconds": seconds,
    }


def _matched(found: Doubles, truth: list[Any]) -> tuple[list[int | None], list[float]]:
    """For each find the card it is (IoU > 0.5, one to one, the best first); how far off a found card's corners are."""
    pairs = sorted(
        ((_iou(quad, np.array(card)), i, k) for i, quad in enumerate(found) for k, card in enumerate(truth)),
        reverse=True,
    )
    owner: list[int | None] = [None] * len(found)
    errors = []
    taken: set[int] = set()
    for value, i, k in pairs:
        if value > 0.5 and owner[i] is None and k not in taken:
            owner[i] = k
            taken.add(k)
            card = np.array(truth[k])
            side = float(np.sqrt(cv2.contourArea(card.astype(np.float32))))
            turns = [np.roll(card, t, axis=0) for t in range(4)]
            errors.append(min(float(np.hypot(*(found[i] - turn).T).max()) for turn in turns) / side)
    return owner, errors


def _iou(one: Doubles, two: Doubles) -> float:
    a, b = one.astype(np.float32), two.astype(np.float32)
    if (a.min(axis=0) > b.max(axis=0)).any() or (b.min(axis=0) > a.max(axis=0)).any():
        return 0.0
    common = shared_area(one, two)
    return float(common / max(cv2.contourArea(a) + cv2.contourArea(b) - common, 1e-9))


if __name__ == "__main__":
    main()
