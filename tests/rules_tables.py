"""Small decks without pictures, and tables drawn as text, for the tests of the rules.

A drawing has a line a row and a token a place, `.` for none. A token is `id=face`, then `/turn` in degrees and
`+dx,dy` as a shift in card sides, both optional: `b=r1/90+0.2,0`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from referee.decks import Deck, Game, parse_deck
from referee.layouts import Layout, PlacedCard

SIDE = 60.0
"""Of square cards, millimetres."""
BOX = (60.0, 90.0)
"""Of box cards, millimetres."""
PITCH = 1.05
"""Cards on a table do not quite touch."""

_ARROWS = {"u": "up", "r": "right", "d": "down", "l": "left"}
_WALLS = {"t": "top", "r": "right", "b": "bottom", "l": "left"}


def mouse_deck(count: int = 40) -> Deck:
    """Faces by arrows and points: `r2`, `ul1`; `S` and `F`, Finish worth 5 is `F5`."""
    ways = ["u", "r", "d", "l", "ur", "rd", "dl", "ul", "lr", "ud"]
    faces: list[dict[str, object]] = [
        {"id": f"{way}{n}", "kind": "move", "arrows": [_ARROWS[w] for w in way], "points": n, "count": count}
        for way in ways
        for n in (1, 2, 3)
    ]
    faces += [
        {"id": "S", "kind": "start", "count": 4},
        {"id": "F", "kind": "finish", "count": 4},
        {"id": "F5", "kind": "finish", "points": 5, "count": 4},
    ]
    return _deck(Game.CAT_AND_MOUSE, (SIDE, SIDE), faces)


def path_deck() -> Deck:
    """`red`, `blue`: straight strands of one colour. `half`: red on the left, blue on the right; `flah` the reverse.

    `arcs`: red arcs round each corner. `cross`: red across, blue up and down. `three`: red, but for one blue strand
    up and down.
    """
    straight = [[0, 5], [1, 4], [7, 2], [6, 3]]
    arcs = [[1, 2], [3, 4], [5, 6], [7, 0]]

    def face(name: str, ends: list[list[int]], colours: list[list[str]]) -> dict[str, object]:
        strands = [[e, c] for e, c in zip(ends, colours, strict=True)]
        return {"id": name, "kind": "path", "count": 40, "strands": strands}

    red, blue, mixed = ["red", "red"], ["blue", "blue"], ["red", "blue"]
    faces = [
        face("red", straight, [red] * 4),
        face("blue", straight, [blue] * 4),
        face("half", straight, [red, red, mixed, mixed]),
        face("flah", straight, [red, red, mixed[::-1], mixed[::-1]]),
        face("arcs", arcs, [red] * 4),
        face("cross", straight, [blue, blue, red, red]),
        face("three", straight, [red, blue, red, red]),
    ]
    return _deck(Game.COLOURED_PATHS, (SIDE, SIDE), faces)


def box_deck() -> Deck:
    """Boxes by walls and toys: `o0` is open all round, `trbl2` has four walls and two toys; `S`: an open Start box.

    `T`: three toys, four walls. `red`, `blue`: awake cats, `red-z`, `blue-z` asleep; `P`: the Princess.
    """
    walls = ["o", *(w for w in _subsets("trbl") if w)]
    faces: list[dict[str, object]] = [
        {"id": f"{w}{n}", "kind": "box", "walls": [_WALLS[x] for x in w if x != "o"], "toys": n, "count": 40}
        for w in walls
        for n in (0, 1, 2)
    ]
    faces += [
        {"id": "S", "kind": "start", "walls": [], "toys": 0, "count": 5},
        {"id": "T", "kind": "toy", "walls": list(_WALLS.values()), "toys": 3, "count": 3},
        {"id": "P", "kind": "princess", "count": 5},
    ]
    for player in ("red", "blue", "green"):
        faces += [
            {"id": player, "kind": "cat", "player": player, "asleep": False, "count": 5},
            {"id": f"{player}-z", "kind": "cat", "player": player, "asleep": True, "count": 5},
        ]
    return _deck(Game.IF_IT_FITS, BOX, faces)


def _subsets(letters: str) -> list[str]:
    return ["".join(x for i, x in enumerate(letters) if n >> i & 1) for n in range(2 ** len(letters))]


def _deck(game: Game, card_mm: tuple[float, float], faces: list[dict[str, object]]) -> Deck:
    data = {"game": game.value, "name": "test deck", "card_mm": list(card_mm), "corner_mm": 4, "faces": faces}
    return parse_deck(data)


MOUSE = mouse_deck()
PATHS = path_deck()
BOXES = box_deck()

_TOKEN = re.compile(r"(?P<id>\w+)=(?P<face>[\w-]+)(?:/(?P<turn>-?[\d.]+))?(?:\+(?P<dx>-?[\d.]+),(?P<dy>-?[\d.]+))?")


def draw(drawing: str, deck: Deck, pitch: float = PITCH, order: Iterable[str] | None = None) -> Layout:
    """The layout that a drawing shows."""
    width, height = deck.card_mm
    cards = []
    for row, line in enumerate(line for line in drawing.splitlines() if line.strip()):
        for column, token in enumerate(line.split()):
            if token == ".":
                continue
            match = _TOKEN.fullmatch(token)
            assert match is not None, f"no token: {token}"
            x = (column * pitch + float(match["dx"] or 0)) * width
            y = (row * pitch + float(match["dy"] or 0)) * height
            cards.append(PlacedCard(id=match["id"], face=match["face"], x=x, y=y, turn=float(match["turn"] or 0)))
    return Layout(game=deck.game, cards=tuple(cards), order=None if order is None else tuple(order))


def with_cats(layout: Layout, deck: Deck, cats: str) -> Layout:
    """The layout with cats laid across: tokens `id=face:a|b`, in the middle of cards a and b, shifted by `+dx,dy`."""
    width, height = deck.card_mm
    cards = list(layout.cards)
    for token in cats.split():
        match = re.fullmatch(r"(\w+)=([\w-]+):(\w+)\|(\w+)(?:/(-?[\d.]+))?(?:\+(-?[\d.]+),(-?[\d.]+))?", token)
        assert match is not None, f"no token: {token}"
        name, face, a, b, turn, dx, dy = match.groups()
        one, two = layout.by_id[a], layout.by_id[b]
        x = (one.x + two.x) / 2 + float(dx or 0) * width
        y = (one.y + two.y) / 2 + float(dy or 0) * height
        cards.append(PlacedCard(id=name, face=face, x=x, y=y, turn=float(turn or 90)))
    return layout.model_copy(update={"cards": tuple(cards)})


def turned(layout: Layout, degrees: float, dx: float = 0.0, dy: float = 0.0) -> Layout:
    """The whole table turned about the origin and shifted."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    cards = tuple(
        card.model_copy(
            update={
                "x": card.x * cos - card.y * sin + dx,
                "y": card.x * sin + card.y * cos + dy,
                "turn": card.turn + degrees,
            }
        )
        for card in layout.cards
    )
    return layout.model_copy(update={"cards": cards})


def without(layout: Layout, *ids: str) -> Layout:
    """The table with some cards taken away."""
    cards = tuple(card for card in layout.cards if card.id not in ids)
    order = None if layout.order is None else tuple(i for i in layout.order if i not in ids)
    return Layout(name=layout.name, game=layout.game, cards=cards, order=order)
