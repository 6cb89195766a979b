"""An hour under the camera, as the service lives it: is its memory flat?

python -m tests.benchmarks.live_hour [--minutes N] [--game GAME]

Frames of 1280x720, 10 for each second of the film, go through all that `python -m web --camera` does with them: seen,
read where that is needed, told, stored. Each minute a hand comes and goes and a card is laid or taken away; the light
wavers. The film runs as fast as it can be worked through. Printed are the resident memory every five minutes of the
film, and how fast it went.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import cv2

from referee.decks import Game, builtin_deck
from tests.benchmarks.live import TABLES, Laid
from tests.web.film import Filmed, Scene
from web.live.capture import Camera, Capture
from web.storage.database import Database
from web.storage.models import LiveTable

RATE = 10
"""Frames a second of the film."""
HAND = ((900.0, 900.0), (640.0, 420.0))


def resident() -> float:
    """Megabytes of this process that are in memory now (Linux)."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096 / 1e6


def minute(filmed: Filmed, tables: tuple[tuple[Laid, ...], ...], number: int) -> Iterator[bytes]:
    """The JPEGs of one minute: a hand, then a table that lies still in light that wavers a little."""
    cards = tables[number % len(tables)]
    light = 1.0 - 0.1 * (number % 3)
    hand = Scene(0.8, cards, HAND, light=(light, light))
    still = Scene(0.1, cards, light=(light, light))
    moving = [cv2.imencode(".jpg", frame)[1].tobytes() for frame in filmed.frames([hand])][::3]
    lying = [cv2.imencode(".jpg", frame)[1].tobytes() for frame in filmed.frames([still])]
    yield from moving
    for n in range(60 * RATE - len(moving)):
        yield lying[n % len(lying)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--game", choices=[game.value for game in Game], default=Game.CAT_AND_MOUSE.value)
    arguments = parser.parse_args()
    game = Game(arguments.game)
    deck = builtin_deck(game)
    filmed = Filmed(deck)
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'live.sqlite3'}")
        database.upgrade()
        watching = Capture(Camera(0), database, game.value, deck, 30, "en")
        frames = 0
        for number in range(arguments.minutes):
            for n, frame in enumerate(minute(filmed, TABLES[game], number)):
                watching.look(frame, 60.0 * number + n / RATE)
                frames += 1
            if number % 5 == 4 or number == arguments.minutes - 1:
                gc.collect()
                with database.reading() as session:
                    record = session.get(LiveTable, watching.live_id)
                    told = 0 if record is None or not record.log else record.log[-1]["number"]
                spent = time.perf_counter() - begun
                print(f"minute {number + 1}: {resident():.0f} MB, {told} told, {frames / spent:.0f} frames a second")
        database.close()


if __name__ == "__main__":
    main()
