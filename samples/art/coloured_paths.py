"""The cards of Multicoloured Paths: four garden paths a card that cross and change colour half way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from math import hypot
from random import Random

from samples.art.faces import Face
from samples.art.path_deck import CARDS, Strand, parse
from samples.art.svg import (
    Point,
    card,
    circle,
    ellipse,
    group,
    line,
    number,
    pattern,
    place,
    rectangle,
    shape,
    wobble,
)

CARD = 60.0
CORNER = 4.0
Curve = tuple[Point, Point, Point, Point]

# Ends 0-7 clockwise from the left end of the top side, at one and two thirds, with the direction into the card.
_NEAR, _FAR = CARD / 3, CARD * 2 / 3
ENDS: tuple[tuple[Point, Point], ...] = (
    ((_NEAR, 0.0), (0, 1)),
    ((_FAR, 0.0), (0, 1)),
    ((CARD, _NEAR), (-1, 0)),
    ((CARD, _FAR), (-1, 0)),
    ((_FAR, CARD), (0, -1)),
    ((_NEAR, CARD), (0, -1)),
    ((0.0, _FAR), (1, 0)),
    ((0.0, _NEAR), (1, 0)),
)


@dataclass(frozen=True)
class Paint:
    """One colour of path: its surface, and the texture that tells it apart without colour."""

    fill: str
    texture: str
    mark: str


# Lightness falls from yellow (L* 85) over green (68) and red (50) to blue (29): they stay apart in grey, too.
GARDEN: Mapping[str, Paint] = {
    "yellow": Paint("#ffd023", "dots", "#b9820a"),
    "green": Paint("#3fbd8a", "bars", "#1f8f63"),
    "red": Paint("#e0432f", "plain", "#f57f6b"),
    "blue": Paint("#1d3f96", "dashes", "#ffffff"),
}


@dataclass(frozen=True)
class Look:
    """One way to draw the game; lengths in mm. ``rename`` gives the deck's colours other names and paints."""

    name: str
    paints: Mapping[str, Paint] = field(default_factory=lambda: GARDEN)
    rename: Mapping[str, str] = field(default_factory=dict)
    ground: str = "#fbf0d8"
    motif: str = "#efdcb2"
    width: float = 7.5
    casing: str | None = "#4a2f1c"
    casing_width: float = 0.85
    shadow: float = 0.16
    joint: str | None = "#fff8e6"
    ornaments: bool = True
    angular: bool = False
    wobble: float = 0.22


HOME = Look("home")


def faces(look: Look = HOME) -> list[Face]:
    """The 36 faces, one card each."""
    return [
        Face(f"path-{index:02}", "path", 1, {"strands": [[list(ends), list(colours)] for ends, colours in strands]})
        for index, strands in enumerate((_renamed(parse(row), look) for row in CARDS), 1)
    ]


def _renamed(strands: list[Strand], look: Look) -> list[Strand]:
    return [(ends, (look.rename.get(a, a), look.rename.get(b, b))) for ends, (a, b) in strands]


# How far a path runs straight into the card, in mm, by how many sides its ends are apart: the hand's freedom.
PULLS: Mapping[int, tuple[float, ...]] = {0: (20, 25, 30), 1: (11, 17, 24, 31), 2: (10, 18, 26, 34)}


def _curve(ends: tuple[int, int], pulls: tuple[float, float]) -> Curve:
    (start, inward), (stop, back) = ENDS[ends[0]], ENDS[ends[1]]
    first = (start[0] + inward[0] * pulls[0], start[1] + inward[1] * pulls[0])
    last = (stop[0] + back[0] * pulls[1], stop[1] + back[1] * pulls[1])
    return start, first, last, stop


def _gap(point: Point, points: list[Point]) -> float:
    return min(hypot(point[0] - x, point[1] - y) for x, y in points)


def _course(strands: Sequence[Strand], look: Look) -> list[Curve]:
    """Curves for the four paths of a card, bent so that no change of colour hides in a crossing.

    Of all ways to bend the four, the one whose changes lie furthest from the other paths; overlap along the way and
    sharp bends count a little against it.
    """
    ways: list[list[tuple[Curve, list[Point], float]]] = []
    for ends, _ in strands:
        pulls = PULLS[_sides_apart(ends)]
        same_side = _sides_apart(ends) == 0
        options = []
        for pair in product(pulls, pulls):
            if not same_side or pair[0] == pair[1]:
                curve = _curve(ends, pair)
                options.append((curve, points_along(curve), abs(pair[0] - pair[1]) * 0.02))
        ways.append(options)
    cost: dict[tuple[int, int, int, int], float] = {}
    for one, other in permutations(range(len(strands)), 2):
        for index, (_, points, _) in enumerate(ways[one]):
            for against, (_, line_points, _) in enumerate(ways[other]):
                room = _gap(points[len(points) // 2], line_points)
                near = sum(_gap(point, line_points[::3]) < look.width for point in points[::3])
                cost[one, index, other, against] = max(0.0, look.width * 1.3 - room) ** 2 + near * 0.5
    best = min(
        product(*(range(len(options)) for options in ways)),
        key=lambda choice: (
            sum(cost[one, choice[one], other, choice[other]] for one, other in permutations(range(len(ways)), 2))
            + sum(ways[index][picked][2] for index, picked in enumerate(choice)),
            choice,
        ),
    )
    return [ways[index][picked][0] for index, picked in enumerate(best)]


def _lowest_first(curves: list[Curve], look: Look) -> tuple[int, ...]:
    """The order in which the paths are laid: the one that covers least of the changes of colour beneath."""
    points = [points_along(curve) for curve in curves]
    hidden = {
        (below, above): max(0.0, look.width * 1.2 - _gap(points[below][len(points[below]) // 2], points[above])) ** 2
        for below, above in permutations(range(len(curves)), 2)
    }
    return min(
        permutations(range(len(curves))),
        key=lambda order: (sum(hidden[pair] for pair in combinations(order, 2)), order),
    )


def lay(strands: Sequence[Strand], look: Look) -> list[tuple[Strand, Curve]]:
    """The paths of one card in the order in which they are drawn, the lowest first."""
    # With the longest path first and the tightest turn last, the crossings read as a plait unless a change hides.
    longest_first = sorted(strands, key=lambda strand: (-_sides_apart(strand[0]), strand[0]))
    curves = _course(longest_first, look)
    return [(longest_first[index], curves[index]) for index in _lowest_first(curves, look)]


def _sides_apart(ends: tuple[int, int]) -> int:
    apart = abs(ends[0] // 2 - ends[1] // 2)
    return min(apart, 4 - apart)


def _halves(curve: Curve, angular: bool) -> tuple[Curve, Curve]:
    """The curve cut in the middle (De Casteljau), or its control polygon if the paths are angular."""

    def middle(a: Point, b: Point) -> Point:
        return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)

    a, b, c, d = curve
    if angular:
        centre = middle(b, c)
        return (a, b, centre, centre), (centre, centre, c, d)
    ab, bc, cd = middle(a, b), middle(b, c), middle(c, d)
    abc, bcd = middle(ab, bc), middle(bc, cd)
    centre = middle(abc, bcd)
    return (a, ab, abc, centre), (centre, bcd, cd, d)


def _data(curve: Curve, angular: bool) -> str:
    points = [f"{number(x)} {number(y)}" for x, y in curve]
    if angular:
        return f"M{points[0]}L{points[1]}L{points[2]}L{points[3]}"
    return f"M{points[0]}C{points[1]} {points[2]} {points[3]}"


def _beyond(end: int, data: str) -> str:
    """A path that starts at a card's end, begun a little outside the card so that no stroke stops at its edge."""
    (x, y), (inward_x, inward_y) = ENDS[end]
    start = f"{number(x)} {number(y)}"
    return f"M{number(x - inward_x * 3)} {number(y - inward_y * 3)}L{start}{data.removeprefix('M' + start)}"


def _paint(data: str, paint: Paint, look: Look) -> str:
    surface = line(data, paint.fill, look.width, cap="butt")
    marks = {
        "dots": ("0.01 4.2", look.width * 0.27, "round"),
        "bars": ("1 2.6", look.width, "butt"),
        "dashes": ("3.4 3.2", look.width * 0.2, "round"),
    }
    if paint.texture not in marks:
        return surface
    dashes, width, cap = marks[paint.texture]
    return surface + line(data, paint.mark, width, cap=cap, stroke_dasharray=dashes)


def _strand(strand: Strand, curve: Curve, look: Look) -> str:
    ends, colours = strand
    whole = _beyond(ends[0], _data(curve, look.angular))
    (x, y), (inward_x, inward_y) = ENDS[ends[1]]
    whole += f"L{number(x - inward_x * 3)} {number(y - inward_y * 3)}"
    first, second = _halves(curve, look.angular)
    parts = []
    if look.shadow:
        parts.append(line(whole, "#2b1a0e", look.width + 4, opacity=look.shadow))
    if look.casing:
        parts.append(line(whole, look.casing, look.width + look.casing_width * 2))
    parts.append(_paint(_beyond(ends[0], _data(first, look.angular)), look.paints[colours[0]], look))
    parts.append(_paint(_beyond(ends[1], _data(second[::-1], look.angular)), look.paints[colours[1]], look))
    if look.joint and colours[0] != colours[1]:
        centre, after = second[0], second[1]
        dx, dy = after[0] - centre[0], after[1] - centre[1]
        reach = look.width / 2 / (hypot(dx, dy) or 1)
        x, y = centre[0] + dy * reach, centre[1] - dx * reach
        bar = f"M{number(x)} {number(y)}L{number(2 * centre[0] - x)} {number(2 * centre[1] - y)}"
        parts.append(line(bar, look.casing or "#4a2f1c", 2.3, cap="butt"))
        parts.append(line(bar, look.joint, 1, cap="butt"))
    return group(*parts)


def points_along(curve: Curve) -> list[Point]:
    """25 points from end to end; the middle one is where the colour changes."""
    a, b, c, d = curve
    points = []
    for step in range(25):
        t = step / 24
        u = 1 - t
        weights = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
        points.append(
            (
                sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)),
                sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)),
            )
        )
    return points


def _free_spots(curves: list[Curve], look: Look) -> list[tuple[float, Point]]:
    """The middles of the largest gaps between the paths: (room in mm, place), largest first."""
    taken = [point for curve in curves for point in points_along(curve)]
    found: list[tuple[float, Point]] = []
    steps = [5 + index * 2.5 for index in range(21)]
    for x in steps:
        for y in steps:
            room = min(hypot(x - px, y - py) for px, py in taken) - look.width / 2 - look.casing_width
            room = min(room, x - 1, y - 1, CARD - 1 - x, CARD - 1 - y)
            if room > 2.4:
                found.append((room, (x, y)))
    found.sort(key=lambda item: (-item[0], item[1]))
    spots: list[tuple[float, Point]] = []
    for room, (x, y) in found:
        if all(hypot(x - ox, y - oy) > room + other for other, (ox, oy) in spots):
            spots.append((room, (x, y)))
    return spots[:6]


def _ornament(kind: int, ink: str = "#6b4a2c") -> str:
    """A small thing from the garden around the origin, about 6 mm across, in colours that no path has."""
    if kind == 0:
        petals = "".join(
            place(ellipse(0, -1.75, 1.05, 1.5, "#ffffff", stroke=ink, stroke_width=0.3), turn=a)
            for a in range(0, 360, 60)
        )
        return petals + circle(0, 0, 1.15, "#f0a63c", stroke=ink, stroke_width=0.3)
    if kind == 1:
        leaf = shape("M-2.8 1.6Q-1.6-2.4 2.8-2Q2.4 2.2-2.8 1.6Z", "#a9b77a", stroke=ink, stroke_width=0.35)
        return leaf + line("M-2.8 1.6Q0 .4 1.8-1.2", ink, 0.3)
    if kind == 2:
        body = circle(0.9, -0.4, 2, "#c9a27c", stroke=ink, stroke_width=0.35)
        swirl = line("M.9-.4q.8 0 .6.8q-.6.9-1.5.1q-.7-1.2.7-1.9q1.8-.3 2 1.4", ink, 0.35)
        foot = shape(
            "M-3 1.9Q-3.4-.4-2.4-.9Q-1.6-.4-1.4 1.1L2.9 1.3Q2.4 2.1 1.4 2.1H-2.6Q-3 2.1-3 1.9Z",
            "#ecd9bd",
            stroke=ink,
            stroke_width=0.35,
        )
        horns = line("M-2.6-.8L-3.1-2M-2.1-.7L-1.8-2", ink, 0.3)
        return foot + body + swirl + horns
    if kind == 3:
        stones = [(-1.4, 0.6, 1.5, 1.1), (1.3, 0.9, 1.2, 0.9), (0.2, -0.9, 1.2, 0.9)]
        return "".join(ellipse(x, y, rx, ry, "#cfc4b4", stroke=ink, stroke_width=0.35) for x, y, rx, ry in stones)
    cap = shape("M-2.4 .2Q-2.2-2.6 0-2.6Q2.2-2.6 2.4 .2Q0 .9-2.4 .2Z", "#c98d76", stroke=ink, stroke_width=0.35)
    stem = shape("M-.8 .4Q-1 2.4-.9 2.6H.9Q1 2.4 .8 .4Z", "#f3e6cf", stroke=ink, stroke_width=0.35)
    return stem + cap + circle(-0.8, -1.1, 0.42, "#f3e6cf") + circle(0.8, -0.7, 0.36, "#f3e6cf")


def draw_face(face: Face, look: Look = HOME) -> str:
    """SVG of one face, 60 x 60 mm."""
    strands: list[Strand] = [((ends[0], ends[1]), (colours[0], colours[1])) for ends, colours in face.fields["strands"]]
    laid = lay(strands, look)
    ornaments = ""
    if look.ornaments:
        random = Random(face.id)
        for room, (x, y) in _free_spots([curve for _, curve in laid], look):
            drawing = _ornament(random.randrange(5))
            ornaments += place(drawing, x, y, min(1.25, room / 3.2), random.uniform(-25, 25))
    tufts = line("M2 4q.6-1.6.2-2.6M2 4q.9-.8 1.6-1.6M8 9.5q.6-1.6.2-2.6M8 9.5q-.9-.8-1.6-1.6", look.motif, 0.5)
    return card(
        CARD,
        CARD,
        CORNER,
        rectangle(0, 0, CARD, CARD, look.ground)
        + rectangle(0, 0, CARD, CARD, "url(#tufts)")
        + group(
            ornaments,
            *(_strand(strand, curve, look) for strand, curve in laid),
            filter="url(#hand)",
        ),
        wobble("hand", look.wobble, 5) + pattern("tufts", 11, 11, tufts),
    )


def draw_back() -> str:
    """SVG of the card back: the four colours in two rings around flowers, the same after a half turn."""
    middle = CARD / 2
    plum, light = "#4a3566", "#5e4780"

    def ring(radius: float, names: tuple[str, str]) -> str:
        arc = f"M{number(middle)} {number(middle - radius)}A{radius} {radius} 0 0 1 {number(middle + radius)} {middle}"
        quarters = (place(_paint(arc, GARDEN[names[turn % 2]], HOME), -middle, -middle) for turn in range(4))
        turned = "".join(place(quarter, middle, middle, 1, turn * 90) for turn, quarter in enumerate(quarters))
        return circle(middle, middle, radius, "none", stroke="#271a3a", stroke_width=HOME.width + 1.8) + turned

    flowers = "".join(place(_ornament(0), x, y, 1.3) for x in (8.2, CARD - 8.2) for y in (8.2, CARD - 8.2))
    tile = circle(2.5, 2.5, 0.7, light) + circle(7.5, 7.5, 0.7, light)
    return card(
        CARD,
        CARD,
        CORNER,
        rectangle(0, 0, CARD, CARD, plum)
        + rectangle(0, 0, CARD, CARD, "url(#dots)")
        + rectangle(2.6, 2.6, CARD - 5.2, CARD - 5.2, "none", r=3, stroke="#f3d9a0", stroke_width=0.9)
        + group(
            ring(19.4, ("yellow", "blue")),
            ring(9.2, ("red", "green")),
            place(_ornament(0), middle, middle, 1.35, 0),
            flowers,
            filter="url(#hand)",
        ),
        wobble("hand", HOME.wobble, 5) + pattern("dots", 10, 10, tile),
    )
