"""The live view on a film of 1280x720: frames looked at a second, seconds from still to told, memory over many frames.

python -m tests.benchmarks.live [--game GAME] [--frames N]
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time

import cv2

from referee.decks import Game, builtin_deck
from referee.options import Options
from tests.web.film import Filmed, Scene
from web.live.session import LiveState, see
from web.tables.reading import read_photo

TABLES = {
    Game.CAT_AND_MOUSE: ("start", "right-1", "right-2", "right-3", "finish"),
    Game.COLOURED_PATHS: ("path-01", "path-02", "path-03"),
    Game.IF_IT_FITS: ("start-1", "cat-blue", "start-2", "box-tr-1"),
}
RATE = 10.0
"""Frames a second of the film's own time."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=[game.value for game in Game], default=Game.CAT_AND_MOUSE.value)
    parser.add_argument("--frames", type=int, default=1000)
    arguments = parser.parse_args()
    game = Game(arguments.game)
    deck = builtin_deck(game)
    filmed = Filmed(deck)
    faces = TABLES[game]
    laid = [
        tuple((face, float(n), 0.0, 0.0) for n, face in enumerate(faces[:count])) for count in range(2, len(faces) + 1)
    ]
    shots = [
        [cv2.imencode(".jpg", frame)[1].tobytes() for frame in filmed.frames([Scene(0.1, cards)])] for cards in laid
    ]
    read_photo(shots[0][0], deck, Options())
    state, at, read, told, reading = LiveState(), 0.0, None, [], []
    for shot in shots:
        begun = time.perf_counter()
        for n in range(200):
            before = time.perf_counter()
            seen = see(shot[n % len(shot)], at, state, deck, Options(), read)
            spent = time.perf_counter() - before
            if seen.read is not read and read is not None:  # the first one of all knows nothing of the table
                reading.append(spent)
            read = seen.read
            state, at = seen.state, at + max(spent, 1 / RATE)
            if seen.announced is not None:
                told.append(time.perf_counter() - begun)
                break
    still, shot = [], shots[-1]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for n in range(arguments.frames):
        before = time.perf_counter()
        state = see(shot[n % len(shot)], at, state, deck, Options()).state
        still.append(time.perf_counter() - before)
        at += 1 / RATE
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
    print(f"nothing changed: {1 / statistics.median(still):.0f} frames a second")
    print(
        f"something changed: {1 / statistics.median(reading):.1f} readings a second, "
        f"{1 / max(reading):.1f} right after a card was laid"
    )
    print(f"from still to told: {statistics.median(told):.1f} s of work, {len(told)} of {len(shots)} tables told")
    print(f"memory: {grown:.1f} MB more after {arguments.frames} frames")


if __name__ == "__main__":
    main()
