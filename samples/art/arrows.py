"""Large arrows in the middle of a square card: one or two directions, several shapes."""

from dataclasses import dataclass, replace

from samples.art.svg import Point, group, line, place, polygon, rounded_polygon, shape

DIRECTIONS = ("up", "right", "down", "left")


@dataclass(frozen=True)
class Arrow:
    """How arrows look: lengths are millimetres from the middle of the card.

    ``reach`` is where the tip ends; ``tail`` how far a single arrow goes back behind the middle; ``barb`` how far the
    corners of the head lie behind its root; ``taper`` the width of the tail as a part of the shaft; a ``shaft`` of 0
    leaves bare triangles; a bent arrow is slimmer by ``bend_scale`` and its knee moves away from the tips by
    ``bend_shift`` across and down, so that the two heads stay apart; ``edge`` is the colour of the outline, ``rim``
    its width, ``gloss`` a light line on the head.
    """

    fill: str = "#1f5fd0"
    edge: str = "#123a86"
    rim: float = 1.1
    gloss: str | None = "#5b93f2"
    reach: float = 28
    head_length: float = 16
    head_width: float = 26
    shaft: float = 13
    tail: float = 27
    barb: float = 0
    taper: float = 1
    round: float = 1.6
    dash: str | None = None
    bend_scale: float = 0.84
    bend_shift: float = 2.6


def _arm(look: Arrow) -> list[Point]:
    """The head of an arrow that points up, from the shaft's left side to its right side."""
    root = -look.reach + look.head_length
    half, side = look.shaft / 2, look.head_width / 2
    return [
        (-half, root),
        (-side, root + look.barb),
        (0, -look.reach),
        (side, root + look.barb),
        (half, root),
    ]


def _slim(look: Arrow) -> Arrow:
    """The arms of a bent arrow, measured from its knee."""
    scale = look.bend_scale
    return replace(
        look,
        head_length=look.head_length * scale,
        head_width=look.head_width * scale,
        shaft=look.shaft * scale,
        barb=look.barb * scale,
        reach=look.reach + look.bend_shift,
    )


def is_bent(directions: tuple[str, ...]) -> bool:
    """Whether two arrows point to neighbouring sides."""
    return len(directions) == 2 and (DIRECTIONS.index(directions[0]) - DIRECTIONS.index(directions[1])) % 2 == 1


def knee(directions: tuple[str, ...], look: Arrow) -> Point:
    """Where the shafts of two arrows cross, in mm from the middle of the card."""
    if not is_bent(directions) or not look.shaft:
        return (0.0, 0.0)
    away = look.bend_shift
    x = -away if "right" in directions else away
    return (x, away if "up" in directions else -away)


def _turned(points: list[Point], quarters: int) -> list[Point]:
    for _ in range(quarters % 4):
        points = [(-y, x) for x, y in points]
    return points


def outline(directions: tuple[str, ...], look: Arrow) -> str:
    """Path data of the arrow or arrows around the origin: one closed outline, two for bare triangles."""
    quarters = sorted(DIRECTIONS.index(direction) for direction in directions)
    half = look.shaft / 2
    if not look.shaft:
        corners = [(-look.head_width / 2, -look.reach + look.head_length), (0, -look.reach)]
        triangle = [*corners, (look.head_width / 2, -look.reach + look.head_length)]
        return "".join(rounded_polygon(_turned(triangle, turn), look.round) for turn in quarters)
    if len(quarters) == 1:
        foot = half * look.taper
        points = _turned([*_arm(look), (foot, look.tail), (-foot, look.tail)], quarters[0])
    elif quarters[1] - quarters[0] == 2:
        points = _turned([*_arm(look), *_turned(_arm(look), 2)], quarters[0])
    else:
        first = quarters[0] if quarters != [0, 3] else 3
        slim = _slim(look)
        half, shift = slim.shaft / 2, look.bend_shift
        knee = [(-half, half), *_arm(slim), (half, -half), *_turned(_arm(slim), 1)]
        points = _turned([(x - shift, y + shift) for x, y in knee], first)
    return rounded_polygon(points, look.round) if look.round else polygon(points)


def draw(directions: tuple[str, ...], look: Arrow) -> str:
    """The arrows of one card around the origin."""
    data = outline(directions, look)
    parts = [shape(data, look.fill, stroke=look.edge, stroke_width=look.rim * 2, stroke_dasharray=look.dash)]
    if look.dash is None and look.fill != "none":
        parts.append(shape(data, look.fill))
    if look.gloss:
        scale = look.bend_scale if is_bent(directions) and look.shaft else 1
        root, side = look.reach - look.head_length * scale, look.head_width * scale * 0.36
        across = knee(directions, look)
        for direction in directions:
            quarter = DIRECTIONS.index(direction)
            sideways = across[0] if quarter % 2 == 0 else across[1]
            offset = (sideways, 0.0) if quarter % 2 == 0 else (0.0, sideways)
            mark = line(f"M-1.2 {2.6 - look.reach}L{-side} {-root - 2}", look.gloss, 1.3, opacity=0.9)
            parts.append(place(mark, *offset, turn=quarter * 90))
    return group(*parts)
