"""The box cards of If It Fits, seen from above: thick walls, flaps folded out where a side is open, toys at the ends.

A cat card lies across the middle of a long side and hides 44 mm of the box's 63 mm width over 63 mm of its 88 mm
height, so whatever tells boxes apart stands at the four corners: the ends of the walls, the flaps, the toys.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from samples.art.cats import paw_print
from samples.art.faces import Face
from samples.art.svg import (
    card,
    circle,
    ellipse,
    group,
    line,
    pattern,
    place,
    rectangle,
    shape,
    star,
    text,
    wobble,
)
from samples.art.toys import toy

WIDTH, HEIGHT = 63.0, 88.0
CORNER = 4.0
SIDES = ("top", "right", "bottom", "left")

# (walls, how many cards with no, one and two toys): 72 cards; turned by a half these are all ways to wall a box.
BOXES: tuple[tuple[tuple[str, ...], tuple[int, int, int]], ...] = (
    ((), (2, 2, 1)),
    (("top",), (3, 3, 2)),
    (("right",), (3, 3, 2)),
    (("top", "right"), (4, 4, 2)),
    (("top", "left"), (4, 4, 2)),
    (("top", "bottom"), (3, 3, 2)),
    (("right", "left"), (3, 3, 1)),
    (("top", "right", "left"), (3, 3, 2)),
    (("top", "right", "bottom"), (3, 3, 2)),
)
STARTS: tuple[tuple[str, ...], ...] = ((), ("left",), ("right",), ("right", "left"), ("top",))
SPECIAL_TOYS: tuple[tuple[str, ...], ...] = ((), ("left",), ("top", "right"))
# Corners as parts of the width and height; two toys lie at opposite ends, so that one cat never covers both.
CORNERS = {"top left": (0, 0), "top right": (1, 0), "bottom right": (1, 1), "bottom left": (0, 1)}


@dataclass(frozen=True)
class Look:
    """One way to draw the boxes; lengths in mm."""

    name: str
    floor: str = "#e2b679"
    flute: str = "#d7a766"
    flap: str = "#efd09c"
    wall: str = "#7b461d"
    wall_light: str = "#a9692f"
    wall_top: str = "#c98b4b"
    ink: str = "#46280f"
    print: str = "#a8743a"
    wall_width: float = 6
    flap_width: float = 5
    plain_toys: bool = False
    decor: bool = True
    wobble: float = 0.25


HOME = Look("home")


def box_faces() -> list[Face]:
    """The box, start and special toy faces: 72 + 5 + 3 cards."""
    faces = []
    for walls, counts in BOXES:
        letters = "".join(wall[0] for wall in walls) or "open"
        for toys, count in enumerate(counts):
            faces.append(Face(f"box-{letters}-{toys}", "box", count, {"walls": list(walls), "toys": toys}))
    for index, walls in enumerate(STARTS, 1):
        faces.append(Face(f"start-{index}", "start", 1, {"walls": list(walls), "toys": 0}))
    for index, walls in enumerate(SPECIAL_TOYS, 1):
        faces.append(Face(f"toy-{index}", "toy", 1, {"walls": list(walls), "toys": 3}))
    return faces


def _along(side: str) -> tuple[str, float]:
    """How to lay a drawing made for the top side along another: (transform, length of the side)."""
    return {
        "top": ("", WIDTH),
        "right": (f"translate({WIDTH} 0) rotate(90)", HEIGHT),
        "bottom": (f"translate({WIDTH} {HEIGHT}) rotate(180)", WIDTH),
        "left": (f"translate(0 {HEIGHT}) rotate(-90)", HEIGHT),
    }[side]


def _wall(side: str, walls: Sequence[str], look: Look) -> str:
    """A wall: its bright top edge, its inner face in shade, and its shadow on the floor, from corner to corner."""
    transform, length = _along(side)
    width, top = look.wall_width, look.wall_width * 0.36
    index = SIDES.index(side)
    # Where two walls meet their joint runs at 45 degrees, as in a real box.
    left = width if SIDES[index - 1] in walls else 0.0
    right = width if SIDES[(index + 1) % 4] in walls else 0.0
    face = f"M0 0H{length}L{length - right} {width}H{left}Z"
    edge = f"M0 0H{length}L{length - right * 0.36} {top}H{left * 0.36}Z"
    parts = [
        shape(face, look.wall),
        line(f"M{left + 1.5} {width * 0.62}H{length - right - 1.5}", look.wall_light, 0.5, opacity=0.7),
        line(f"M{left + 2} {width * 0.8}H{length - right - 5}", look.wall_light, 0.35, opacity=0.5),
        shape(edge, look.wall_top),
        line(f"M{left * 0.36} {top}H{length - right * 0.36}", look.ink, 0.45),
        line(f"M{left} {width}H{length - right}", look.ink, 0.8),
    ]
    return group(*parts, transform=transform or None)


def _shadow(side: str, look: Look) -> str:
    transform, length = _along(side)
    depth = look.wall_width + (4.2 if side in ("top", "left") else 2.6)
    return group(
        rectangle(0, look.wall_width, length, depth - look.wall_width, look.ink, opacity=0.2),
        rectangle(0, look.wall_width, length, (depth - look.wall_width) * 0.45, look.ink, opacity=0.16),
        transform=transform or None,
    )


def _flap(side: str, look: Look) -> str:
    """An open side: the flap folded out flat, with its crease, its slanted cuts and small arrows that lead outwards."""
    transform, length = _along(side)
    depth = look.flap_width
    outline = f"M2.2 0L{depth + 2} {depth}H{length - depth - 2}L{length - 2.2} 0Z"
    crease = f"M{depth + 2} {depth}H{length - depth - 2}"
    arrows = "".join(
        line(f"M{x - 1.7} {depth * 0.68}L{x} {depth * 0.26}L{x + 1.7} {depth * 0.68}", look.print, 0.8)
        for x in (length * 0.2, length * 0.5, length * 0.8)
    )
    return group(
        shape(outline, look.flap, stroke=look.print, stroke_width=0.5),
        line(crease, look.print, 0.7, stroke_dasharray="2.2 1.6"),
        arrows,
        transform=transform or None,
    )


def _stamp(kind: int, ink: str) -> str:
    """A packaging mark around the origin, about 12 mm wide, in one ink."""
    frame = rectangle(-6, -6, 12, 12, "none", r=1.2, stroke=ink, stroke_width=0.8)
    if kind == 0:  # this way up
        up = "M-2.6 3.4V-2M-4.4-.4L-2.6-3L-.8-.4M2.6 3.4V-2M.8-.4L2.6-3L4.4-.4M-4.6 4.6H4.6"
        return frame + line(up, ink, 0.9)
    if kind == 1:  # fragile
        return frame + line("M-2.8-4.2H2.8Q2.6 .4 0 .4Q-2.6 .4-2.8-4.2ZM0 .4V4M-2 4.2H2M.2-4L-.5-2.6L.4-1.8", ink, 0.85)
    if kind == 2:  # keep dry
        return frame + line(
            "M-4.6 0Q-4.2-4.4 0-4.4Q4.2-4.4 4.6 0Q3 -1.2 1.6 0Q0-1.2-1.6 0Q-3-1.2-4.6 0ZM0-.4V3.2Q0 4.4 1.2 4.2",
            ink,
            0.85,
        )
    if kind == 3:  # contents: cat
        return frame + place(paw_print(ink), 0, 0.2, 0.95)
    return frame + line("M-4 3.4H4M-4 3.4V-1.2L0-4L4-1.2V3.4M-4-1.2H4M0-4V-1.2", ink, 0.85)


def _decor(face: Face, look: Look) -> str:
    """Tape, a stamp and a stain in the middle of the floor, which cats may cover."""
    random = Random(face.id)
    parts = []
    if random.random() < 0.5:
        x = random.choice((24.0, 31.5, 39.0))
        parts.append(rectangle(x - 3.4, 0, 6.8, HEIGHT, "#f3dfae", opacity=0.5))
        parts.append(line(f"M{x - 3.4} 0V{HEIGHT}M{x + 3.4} 0V{HEIGHT}", "#c9a05e", 0.3))
    else:
        y = random.choice((35.0, 44.0, 53.0))
        parts.append(rectangle(0, y - 3.4, WIDTH, 6.8, "#f3dfae", opacity=0.5))
        parts.append(line(f"M0 {y - 3.4}H{WIDTH}M0 {y + 3.4}H{WIDTH}", "#c9a05e", 0.3))
    x, y = random.choice(((21.0, 34.0), (42.0, 34.0), (21.0, 54.0), (42.0, 54.0)))
    parts.append(place(_stamp(random.randrange(5), look.print), x, y, 1.05, random.uniform(-9, 9)))
    for _ in range(2):
        x, y = random.uniform(14, 49), random.uniform(24, 64)
        parts.append(line(f"M{x:.1f} {y:.1f}l2.4 1.2l-1 1.4l2.2 .6", look.print, 0.4, opacity=0.8))
    return "".join(parts)


def _toy_places(face: Face) -> list[tuple[str, float, float, float]]:
    """(toy, x, y, turn) of each toy: the first two at opposite corners, so that they stand apart."""
    random = Random(f"toys {face.id}")
    names = random.sample(["yarn", "mouse", "fish", "ball", "feather", "bell"], k=max(1, face.fields["toys"]))
    first = random.choice(("top left", "top right"))
    other = {"top left": "bottom right", "top right": "bottom left"}[first]
    third = {"top left": "bottom left", "top right": "bottom right"}[first]
    places = []
    for name, corner in zip(names, (first, other, third), strict=False):
        right, low = CORNERS[corner]
        x, y = (WIDTH - 17 if right else 17.0), (HEIGHT - 13 if low else 13.0)
        places.append((name, x, y, random.uniform(-8, 8)))
    return places[: face.fields["toys"]]


def draw_box(face: Face, look: Look = HOME) -> str:
    """SVG of a box, start or special toy card, 63 x 88 mm, upright."""
    walls = face.fields["walls"]
    open_sides = [side for side in SIDES if side not in walls]
    floor = [rectangle(0, 0, WIDTH, HEIGHT, look.floor), rectangle(0, 0, WIDTH, HEIGHT, "url(#flute)")]
    if face.kind == "box" and look.decor:
        floor.append(_decor(face, look))
    if face.kind == "start":
        floor.append(_start_mark(int(face.id[-1]), look))
    if face.kind == "toy":
        floor.append(_treasure_rug())
    floor += [_flap(side, look) for side in open_sides]
    floor += [_shadow(side, look) for side in walls]
    toys = [
        toy(name, x, y, 1.12, turn) if not look.plain_toys else _plain_toy(name, x, y)
        for name, x, y, turn in _toy_places(face)
    ]
    content = group(*floor, *(_wall(side, walls, look) for side in walls), *toys, filter="url(#hand)")
    # The wobble pulls at the border, so the ground is drawn once more beneath it.
    ground = rectangle(0, 0, WIDTH, HEIGHT, look.floor)
    return card(WIDTH, HEIGHT, CORNER, ground + content, _definitions(look))


def _plain_toy(name: str, x: float, y: float) -> str:
    colour = {"yarn": "#d6336c", "mouse": "#495057", "fish": "#0b7285", "ball": "#c92a2a"}.get(name, "#5f3dc4")
    return circle(x, y, 5.4, "#ffffff", stroke=colour, stroke_width=1.6) + place(paw_print(colour), x, y, 0.8)


def _start_mark(index: int, look: Look) -> str:
    ribbon = ("#2f7fd6", "#2f9e6e", "#d8582f", "#8a55c4", "#d19a12")[index - 1]
    middle = WIDTH / 2
    return group(
        circle(middle, 43, 20, "#f6dcae", stroke=ribbon, stroke_width=1.6),
        circle(middle, 43, 17.6, "none", stroke=ribbon, stroke_width=0.6, stroke_dasharray="1.6 1.6"),
        place(_stamp(index - 1, look.ink), middle, 36.6, 1.25),
        shape(
            f"M9.5 49.4H{WIDTH - 9.5}L{WIDTH - 13} 54.9L{WIDTH - 9.5} 60.4H9.5L13 54.9Z",
            ribbon,
            stroke=look.ink,
            stroke_width=0.7,
        ),
        text(middle, 58.2, "СТАРТ", 9.4, "#ffffff"),
    )


def _treasure_rug() -> str:
    fringe = "".join(line(f"M{x} 25.4V28M{x} 60V62.6", "#fff3d6", 0.8) for x in range(14, 51, 3))
    stars = "".join(
        shape(star(x, y, 3, 1.35, turn=10), "#ffd54a", stroke="#b8860b", stroke_width=0.4)
        for x, y in ((20, 35), (43, 35), (20, 53), (43, 53))
    )
    return group(
        fringe,
        rectangle(12.5, 28, 38, 32, "#3f4fae", r=1.5, stroke="#27337a", stroke_width=0.8),
        rectangle(15, 30.5, 33, 27, "none", r=1, stroke="#ffd54a", stroke_width=0.8),
        stars,
        shape(star(WIDTH / 2, 44, 8.6, 3.9), "#ffd54a", stroke="#b8860b", stroke_width=0.7),
        place(paw_print("#3f4fae"), WIDTH / 2, 44.2, 0.8),
    )


def _definitions(look: Look) -> str:
    flute = line("M0 1.5H4", look.flute, 0.5) + line("M0 3.6H4", look.flute, 0.25)
    return wobble("hand", look.wobble, 7) + pattern("flute", 4, 4.2, flute)


def draw_box_back(look: Look = HOME) -> str:
    """SVG of the back of box, start and special toy cards: a closed box, the same after a half turn."""
    middle = WIDTH / 2
    half = group(
        rectangle(0, 0, WIDTH, HEIGHT / 2, "#c99455"),
        rectangle(0, 0, WIDTH, HEIGHT / 2, "url(#flute)"),
        place(_stamp(0, "#7b461d"), 15, 19, 1.1),
        place(_stamp(3, "#7b461d"), WIDTH - 15, 19, 1.1),
        line(f"M4 6.5H{WIDTH - 4}", "#7b461d", 0.5, stroke_dasharray="2.4 1.6"),
    )
    return card(
        WIDTH,
        HEIGHT,
        CORNER,
        rectangle(0, 0, WIDTH, HEIGHT, "#c99455")
        + group(
            half,
            place(place(half, -WIDTH, -HEIGHT), 0, 0, 1, 180),
            rectangle(0, HEIGHT / 2 - 6, WIDTH, 12, "#efd9a4", opacity=0.85),
            line(f"M0 {HEIGHT / 2 - 6}H{WIDTH}M0 {HEIGHT / 2 + 6}H{WIDTH}", "#a8743a", 0.5),
            line(f"M0 {HEIGHT / 2}H{WIDTH}", "#7b461d", 0.8),
            circle(middle, HEIGHT / 2, 11.5, "#7b461d"),
            circle(middle, HEIGHT / 2, 10.2, "#f6dcae"),
            ellipse(
                middle, HEIGHT / 2, 8.6, 8.6, "none", stroke="#7b461d", stroke_width=0.5, stroke_dasharray="1.5 1.5"
            ),
            place(paw_print("#7b461d"), middle, HEIGHT / 2, 1.3, 90),
            rectangle(2, 2, WIDTH - 4, HEIGHT - 4, "none", r=2.5, stroke="#7b461d", stroke_width=1.2),
            filter="url(#hand)",
        ),
        _definitions(look),
    )
