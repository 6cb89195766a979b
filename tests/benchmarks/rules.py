"""What judging costs: python -m tests.benchmarks.rules

Ordinary tables of 10, 100 and 1000 cards of each game (the time for each card should stay about the same), then the
worst tables there are for Cat and Mouse: blocks of cards with two arrows each.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from referee.decks import Deck
from referee.games import judge
from referee.layouts import Layout, PlacedCard
from referee.verdicts import Ruling
from tests.rules_tables import BOX, BOXES, MOUSE, PATHS, SIDE

SIZES = (10, 100, 1000)


def seconds(call: Callable[[], Ruling], least: float = 0.3) -> tuple[float, Ruling]:
    """The best processor time of several calls."""
    best, total = float("inf"), 0.0
    while total < least:
        begin = time.process_time()
        ruling = call()
        spent = time.process_time() - begin
        best, total = min(best, spent), total + spent
    return best, ruling


def mouse_table(count: int, rng: random.Random) -> Layout:
    """Routes of 15 cards that wander to the right, each with its Start, on a wide floor."""
    cards: list[PlacedCard] = []
    for i in range(count):
        route, step = divmod(i, 16)
        x = (route % 8) * 40.0 + step // 2 * 1.05
        y = (route // 8) * 4.0 + (step // 2 % 2 + step % 2) * 1.05 * (1 if step % 2 else 0)
        face = "S" if step == 0 else rng.choice(["ur1", "rd2", "lr3"])
        cards.append(PlacedCard(id=f"c{i}", face=face, x=x * SIDE, y=y * SIDE))
    return Layout(game=MOUSE.game, cards=tuple(cards))


def grid(count: int, deck: Deck, faces: list[str], size: tuple[float, float], rng: random.Random) -> Layout:
    """A nearly square block of cards."""
    columns = round(count**0.5)
    cards = [
        PlacedCard(
            id=f"c{i}",
            face=rng.choice(faces),
            x=(i % columns) * size[0] + rng.uniform(-2, 2),
            y=(i // columns) * size[1] + rng.uniform(-2, 2),
            turn=rng.uniform(-2, 2),
        )
        for i in range(count)
    ]
    return Layout(game=deck.game, cards=tuple(cards))


def path_table(count: int, rng: random.Random) -> Layout:
    """A block of path cards, with the order of laying."""
    layout = grid(count, PATHS, ["red", "half", "arcs", "cross"], (SIDE, SIDE), rng)
    return layout.model_copy(update={"order": tuple(card.id for card in layout.cards)})


def box_table(count: int, rng: random.Random) -> Layout:
    """A block of boxes, a tenth as many cats across them."""
    boxes = grid(count * 9 // 10, BOXES, ["o0", "t1", "r0", "bl2", "tb1"], BOX, rng)
    cats = [
        PlacedCard(id=f"k{i}", face=rng.choice(["red", "blue"]), x=card.x + BOX[0] / 2, y=card.y, turn=90.0)
        for i, card in enumerate(boxes.cards[::9])
    ]
    return boxes.model_copy(update={"cards": (*boxes.cards, *cats)})


def block(size: int, starts: int, rng: random.Random) -> list[PlacedCard]:
    """A full square of forks with Start cards at its corners; the pattern is the hardest of many tried."""
    pitch = 1.02 * SIDE
    cards = [
        PlacedCard(id=f"c{y}-{x}", face=f"{'lr' if (x + y) % 2 else 'ud'}{rng.randint(1, 3)}", x=x * pitch, y=y * pitch)
        for y in range(size)
        for x in range(size)
    ]
    corners = [(-1, 0), (size, 0), (size, size - 1), (-1, size - 1)]
    cards += [PlacedCard(id=f"s{i}", face="S", x=x * pitch, y=y * pitch) for i, (x, y) in enumerate(corners[:starts])]
    return cards


def random_block(size: int, starts: int, rng: random.Random) -> list[PlacedCard]:
    """As `block`, with random forks."""
    faces = ["ur1", "rd2", "dl1", "ul3", "lr2", "ud1"]
    return [
        card if card.face == "S" else card.model_copy(update={"face": rng.choice(faces)})
        for card in block(size, starts, rng)
    ]


def main() -> None:
    """Print the tables."""
    rng = random.Random(7)
    print("ordinary tables           cards   ms a table   us a card")
    for name, make, deck in (
        ("Cat and Mouse", mouse_table, MOUSE),
        ("Multicoloured Paths", path_table, PATHS),
        ("If It Fits", box_table, BOXES),
    ):
        for count in SIZES:
            layout = make(count, rng)
            spent, _ = seconds(lambda layout=layout, deck=deck: judge(layout, deck))  # type: ignore[misc]
            print(f"{name:24s} {count:6d} {1e3 * spent:12.2f} {1e6 * spent / count:11.1f}")
    print("\nblocks of forks                         cards on routes   seconds   outcome")
    for name, cards in (
        ("8 x 8, rows and columns, 1 Start", block(8, 1, rng)),
        ("8 x 8, rows and columns, 4 Starts", block(8, 4, rng)),
        ("12 x 12, rows and columns, 4 Starts", block(12, 4, rng)),
        ("8 x 8, random, 4 Starts", random_block(8, 4, rng)),
        ("four blocks 8 x 8, a Start each", _four_blocks(rng)),
    ):
        layout = Layout(game=MOUSE.game, cards=tuple(cards))
        spent, ruling = seconds(lambda layout=layout: judge(layout, MOUSE), least=0.0001)  # type: ignore[misc]
        on_routes = len(ruling.scores)
        print(f"{name:40s} {on_routes:14d} {spent:9.2f}   {ruling.outcome.value}")


def _four_blocks(rng: random.Random) -> list[PlacedCard]:
    cards: list[PlacedCard] = []
    for i in range(4):
        far = i * 20 * SIDE
        cards += [c.model_copy(update={"id": f"b{i}{c.id}", "x": c.x + far}) for c in block(8, 1, rng)]
    return cards


if __name__ == "__main__":
    main()
