"""How long a photograph takes and how much memory, against decoding it, on this machine.

    python -m tests.benchmarks.photos [--photos DIR] [--runs 5] [--many 100]
        [--only cat,paths,boxes,cards,again,start,memory]

Photographs of 12 and 3 megapixels of our own decks are rendered once into DIR (default: a temporary folder) and then
checked. Printed are: each stage in milliseconds; the whole as a multiple of `cv2.imdecode` of the same bytes, median
against median in one run, and the same in processor time, which other programs disturb less; cards against time; a
second photograph of the same table, with the first and as if it were the first; the time from the start of a process
to its first answer, without and with templates kept on disk; the peak of memory above the imports, and whether it
grows over many photographs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # as `python -m referee` does
    os.environ.setdefault(_name, "1")

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from referee.decks import Deck, Game, builtin_deck  # noqa: E402
from referee.layouts import Layout, PlacedCard  # noqa: E402
from referee.pipeline import check_bytes  # noqa: E402
from samples.table.random_layouts import random_layout  # noqa: E402
from samples.table.render import render  # noqa: E402
from samples.table.scene import random_scene  # noqa: E402
from samples.table.surfaces import surfaces  # noqa: E402

FULL, SMALL = (4032, 3024), (2016, 1512)
SURFACE = "light-wood"


@dataclass(frozen=True)
class Shot:
    """One photograph of the benchmark. cards: how many lie on the table, at least nearly."""

    name: str
    game: Game
    cards: int
    size: tuple[int, int]
    bar: float | None = None
    """The multiple of decoding that is allowed."""


SHOTS = (
    Shot("cat-12mp", Game.CAT_AND_MOUSE, 20, FULL, 5),
    Shot("cat-3mp", Game.CAT_AND_MOUSE, 20, SMALL, 12),
    Shot("paths-12mp", Game.COLOURED_PATHS, 20, FULL, 5),
    Shot("paths-3mp", Game.COLOURED_PATHS, 20, SMALL, 12),
    Shot("boxes-12mp", Game.IF_IT_FITS, 25, FULL, 10),
    Shot("boxes-3mp", Game.IF_IT_FITS, 25, SMALL, 25),
    *(Shot(f"cards-{count}", Game.COLOURED_PATHS, count, FULL) for count in (10, 20, 40, 70)),
)


def grid(deck: Deck, count: int) -> Layout:
    """So many cards side by side in rows, in the deck's order."""
    width, height = deck.card_mm
    columns = max(1, round((count * 4 / 3 * height / width) ** 0.5))
    cards = [
        PlacedCard(
            id=f"c{i + 1}",
            face=deck.faces[i % len(deck.faces)].id,
            x=(i % columns) * 1.02 * width,
            y=(i // columns) * 1.02 * height,
            turn=0.0,
        )
        for i in range(count)
    ]
    return Layout(name="grid", game=deck.game, cards=tuple(cards))


def layout_of(shot: Shot, deck: Deck) -> Layout:
    """The random layout with the number of cards nearest to what is wanted; a grid where it is all about the number."""
    if shot.name.startswith("cards"):
        return grid(deck, shot.cards)
    layouts = [random_layout(shot.game, deck, seed, None)[0] for seed in range(40)]
    return min(layouts, key=lambda layout: abs(len(layout.cards) - shot.cards))


def picture(shot: Shot, folder: Path, moved: bool = False) -> Path:
    """The JPEG of a shot, rendered if it is not there yet; moved: from a little elsewhere."""
    path = folder / f"{shot.name}{'-again' * moved}.jpg"
    if not path.exists():
        deck = builtin_deck(shot.game)
        scene = random_scene("easy", 3, [s for s in surfaces() if s.name == SURFACE])
        scene = replace(scene, size=shot.size, heap="none", clutter=(), covers=(), card_px=(60.0, 900.0), fill=0.9)
        if moved:
            scene = replace(scene, azimuth=scene.azimuth + 4, tilt=scene.tilt + 2, fill=0.87)
        layout = layout_of(shot, deck)
        path.write_bytes(render(layout, deck, scene, 3).jpeg)
        path.with_suffix(".json").write_text(json.dumps({"cards": len(layout.cards)}), encoding="utf-8")
    return path


def seconds_of(job: Callable[[], object], runs: int) -> float:
    """Median time of a job."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return median(times)


def measure(shot: Shot, folder: Path, runs: int) -> dict[str, Any]:
    """Stages, total and decoding in seconds, all in one run, one after the other each time."""
    data = picture(shot, folder).read_bytes()
    deck = builtin_deck(shot.game)
    encoded = np.frombuffer(data, np.uint8)
    checked = check_bytes(data, shot.name, deck)
    decoding, totals, stages, worked, decoded = [], [], [], [], []
    for _ in range(runs):
        begun = time.process_time()
        decoding.append(seconds_of(lambda: cv2.imdecode(encoded, cv2.IMREAD_COLOR), 3))
        decoded.append((time.process_time() - begun) / 3)
        start, begun = time.perf_counter(), time.process_time()
        stages.append(check_bytes(data, shot.name, deck).seconds)
        totals.append(time.perf_counter() - start)
        worked.append(time.process_time() - begun)
    truth = json.loads((folder / f"{shot.name}.json").read_text(encoding="utf-8"))["cards"]
    return {
        "found": len(checked.cards),
        "cards": truth,
        "decode": median(decoding),
        "total": median(totals),
        "worked": median(worked) / median(decoded),
        "stages": {name: median(s.get(name, 0.0) for s in stages) for name in stages[0]},
    }


def report(shots: list[Shot], folder: Path, runs: int) -> None:
    """A line a photograph: its stages, the whole and the ratio."""
    for shot in shots:
        result = measure(shot, folder, runs)
        stages = "  ".join(f"{name} {1000 * value:.0f}" for name, value in result["stages"].items())
        ratio = result["total"] / result["decode"]
        bar = "" if shot.bar is None else f" (bar {shot.bar:.0f})"
        print(
            f"{shot.name:12s} {result['found']}/{result['cards']} cards  imdecode {1000 * result['decode']:.0f} ms  "
            f"total {1000 * result['total']:.0f} ms = {ratio:.1f} x{bar}, "
            f"processor {result['worked']:.1f} x  "
            f"{1000 * result['total'] / max(result['cards'], 1):.0f} ms a card  | {stages}",
            flush=True,
        )


def report_again(shot: Shot, folder: Path, runs: int) -> None:
    """A line a photograph: the second one of a table, from the same place (other noise) and from elsewhere."""
    deck = builtin_deck(shot.game)
    before = check_bytes(picture(shot, folder).read_bytes(), shot.name, deck)
    same = cv2.imread(str(picture(shot, folder)))
    grain = np.random.default_rng(0).normal(0, 2, same.shape)
    lit = np.clip(0.97 * same + grain, 0, 255).astype(np.uint8)
    pictures = {
        "from the same place": cv2.imencode(".jpg", lit, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes(),
        "from elsewhere": picture(shot, folder, moved=True).read_bytes(),
    }
    for where, data in pictures.items():
        first: list[float] = []
        second: list[float] = []
        for _ in range(runs):
            first.append(seconds_of(partial(check_bytes, data, shot.name, deck), 1))
            second.append(seconds_of(partial(check_bytes, data, shot.name, deck, before=before), 1))
        print(
            f"{shot.name:12s} {where}: {1000 * median(first):.0f} ms as a first photograph, "
            f"{1000 * median(second):.0f} ms as a second one, {median(first) / median(second):.1f} x faster",
            flush=True,
        )


_START = """
import sys, time
from referee.decks import builtin_deck, Game
from referee.pipeline import check_file
check_file(sys.argv[1], builtin_deck(Game(sys.argv[2])))
"""


def report_start(shot: Shot, folder: Path) -> None:
    """Seconds from the start of a process to its first answer: nothing kept, written, kept."""
    path = picture(shot, folder)
    with tempfile.TemporaryDirectory() as cache:
        for what, where in (("nothing kept", "off"), ("keeping", cache), ("kept", cache), ("kept", cache)):
            start = time.perf_counter()
            environment = {**os.environ, "REFEREE_CACHE": where}
            subprocess.run([sys.executable, "-c", _START, path, shot.game.value], check=True, env=environment)
            print(f"{shot.name:12s} first answer after {time.perf_counter() - start:.2f} s ({what})", flush=True)


_MEMORY = """
import sys
from pathlib import Path
from referee.decks import builtin_deck, Game
from referee.pipeline import check_file
def peak():  # not ru_maxrss: a child starts with that of its parent
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024
before = peak()
deck = builtin_deck(Game(sys.argv[2]))
seen = []
for _ in range(int(sys.argv[3])):
    check_file(sys.argv[1], deck)
    seen.append(peak() - before)
print(f"peak above the imports: {seen[0]:.0f} MB after one photo, {seen[len(seen) // 4]:.0f} after "
      f"{len(seen) // 4 + 1}, {seen[-1]:.0f} after {len(seen)}")
"""


def report_memory(shot: Shot, folder: Path, many: int) -> None:
    """Peak memory of a process of its own, above what it had after the imports."""
    path = picture(shot, folder)
    print(f"{shot.name:12s} ", end="", flush=True)
    subprocess.run([sys.executable, "-c", _MEMORY, path, shot.game.value, str(many)], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, help="folder that keeps the rendered photographs")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--many", type=int, default=100, help="photographs in a row for the memory")
    parser.add_argument("--only", default="cat,paths,boxes,cards,again,start,memory")
    arguments = parser.parse_args()
    wanted = arguments.only.split(",")
    print(
        f"{os.cpu_count()} cores, OpenCV {cv2.__version__} with {cv2.getNumThreads()} threads, NumPy {np.__version__}"
    )
    with tempfile.TemporaryDirectory() as made:
        folder = arguments.photos or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        report([shot for shot in SHOTS if shot.name.split("-")[0] in wanted], folder, arguments.runs)
        for shot in (s for s in SHOTS if s.bar is not None and "again" in wanted):
            report_again(shot, folder, arguments.runs)
        for shot in (s for s in SHOTS if s.size == FULL and s.bar is not None):
            if "start" in wanted:
                report_start(shot, folder)
            if "memory" in wanted:
                report_memory(shot, folder, arguments.many)


if __name__ == "__main__":
    main()
