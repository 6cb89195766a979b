"""The live view on a film of 1280x720: frames looked at a second, seconds from still to told, also of a card that comes
so slowly that nothing seems to move, memory over many frames.

python -m tests.benchmarks.live [--game GAME] [--frames N]
"""

from __future__ import annotations

import argparse
import itertools
import resource
import statistics
import time
from collections.abc import Callable

import cv2
import numpy as np

from referee.decks import Deck, Game, builtin_deck
from referee.options import Options
from tests.web.film import Filmed, Scene
from web.live.session import LiveState, see
from web.tables.reading import read_photo

Laid = tuple[str, float, float, float]
"""A face, its column and row in card sides, its turn in degrees."""


def in_a_row(*faces: str) -> tuple[tuple[Laid, ...], ...]:
    """Tables with two cards, three, four..."""
    laid = tuple((face, float(n), 0.0, 0.0) for n, face in enumerate(faces))
    return tuple(laid[:count] for count in range(2, len(laid) + 1))


BOXES = (
    ("start-1", 0.0, 0.0, 1.0),
    ("box-t-1", 1.0, 0.0, -1.0),
    ("box-tr-1", 2.0, 0.0, 0.0),
    ("box-tl-1", 0.0, 1.0, 1.0),
)
CAT = ("cat-blue", 0.5, 1.0, 91.0)
MORE = (("box-open-1", 1.0, 1.0, 180.0), ("box-rl-1", 2.0, 1.0, 1.0), ("box-trb-1", 3.0, 0.0, 0.0))
TABLES = {
    Game.CAT_AND_MOUSE: in_a_row("start", "right-1", "right-2", "right-3", "finish"),
    Game.COLOURED_PATHS: in_a_row("path-01", "path-02", "path-03"),
    Game.IF_IT_FITS: (BOXES, (*BOXES, MORE[0], CAT), (*BOXES, *MORE[:2], CAT), (*BOXES, *MORE, CAT)),
}
RATE = 10.0
"""Frames a second of the film's own time."""
FADING = 30
"""Frames in which a card appears out of the table."""


def coming_unseen(
    filmed: Filmed, before: tuple[Laid, ...], after: tuple[Laid, ...], deck: Deck, clock: Callable[[], float]
) -> float | None:
    """Seconds from when a card lies there that has appeared within three seconds without a movement until it is told,
    the film going on while a frame is read; None if it is not."""
    old, new = (next(filmed.frames([Scene(0.1, cards)])) for cards in (before, after))
    shots = [cv2.addWeighted(old, 1 - n / FADING, new, n / FADING, 0) for n in range(FADING + 1)]
    state, at, read, begun = LiveState(), 0.0, None, 3.0
    while at < begun + (FADING + 200) / RATE:
        number = int(np.clip((at - begun) * RATE, 0, FADING))
        started = clock()
        seen = see(cv2.imencode(".jpg", shots[number])[1].tobytes(), at, state, deck, Options(), read)
        state, read = seen.state, seen.read
        at += max(clock() - started, 1 / RATE)
        if seen.announced is not None and len(seen.announced.checked.cards) >= len(after):
            return max(0.0, at - begun - FADING / RATE)
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=[game.value for game in Game], default=Game.CAT_AND_MOUSE.value)
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--processor", action="store_true", help="processor time, which other programs disturb less")
    arguments = parser.parse_args()
    clock = time.process_time if arguments.processor else time.perf_counter
    cv2.setNumThreads(1 if arguments.processor else -1)
    game = Game(arguments.game)
    deck = builtin_deck(game)
    filmed = Filmed(deck)
    shots = [
        [cv2.imencode(".jpg", frame)[1].tobytes() for frame in filmed.frames([Scene(0.1, cards)])]
        for cards in TABLES[game]
    ]
    read_photo(shots[0][0], deck, Options())
    state, at, read, told = LiveState(), 0.0, None, []
    first: list[float] = []  # readings after a card was laid
    again: list[float] = []  # further ones of the same table
    for shot in shots:
        begun, fresh = clock(), True
        for n in range(200):
            before = clock()
            seen = see(shot[n % len(shot)], at, state, deck, Options(), read)
            spent = clock() - before
            if seen.read is not read and read is not None:  # the first one of all knows nothing of the table
                (first if fresh else again).append(spent)
                fresh = False
            read = seen.read
            state, at = seen.state, at + max(spent, 1 / RATE)
            if seen.announced is not None:
                told.append(clock() - begun)
                break
    still, shot = [], shots[-1]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for n in range(arguments.frames):
        before = clock()
        seen = see(shot[n % len(shot)], at, state, deck, Options(), read)
        state, read = seen.state, seen.read
        still.append(clock() - before)
        at += 1 / RATE
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
    unseen = [coming_unseen(filmed, before, after, deck, clock) for before, after in itertools.pairwise(TABLES[game])]
    known = [seconds for seconds in unseen if seconds is not None]
    print(f"nothing changed: {1 / statistics.median(still):.0f} frames a second")
    print(
        f"something changed: {1 / statistics.median(first + again):.1f} readings a second, of one that was laid "
        f"{1 / statistics.median(first):.1f}, then {1 / statistics.median(again):.1f}"
    )
    print(f"from still to told: {statistics.median(told):.1f} s of work, {len(told)} of {len(shots)} tables told")
    lately = f"{statistics.median(known):.1f} s at most after it lies there" if known else "never"
    print(f"a card that comes without a movement: told {lately}, {len(known)} of {len(unseen)}")
    print(f"memory: {grown:.1f} MB more after {arguments.frames} frames")


if __name__ == "__main__":
    main()
