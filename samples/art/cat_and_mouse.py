"""The cards of Cat and Mouse: a large blue arrow or two, a lit bulb with the points, a ginger cat on the hunt."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from samples.art import cats
from samples.art.arrows import DIRECTIONS, Arrow, draw, is_bent, knee
from samples.art.faces import Face
from samples.art.svg import (
    card,
    circle,
    clip,
    ellipse,
    gradient,
    group,
    line,
    pattern,
    place,
    rectangle,
    shape,
    star,
    tag,
    text,
    wobble,
)

CARD = 64.0
CORNER = 5.0
MIDDLE = CARD / 2

# How many of each card the deck holds, by points: 4 x (5 + 4 + 3) + 6 x (1 + 1) + 2 = 62 movement cards.
SINGLE_COUNTS = {1: 5, 2: 4, 3: 3}
PAIRS = (
    ("up", "right"),
    ("right", "down"),
    ("down", "left"),
    ("up", "left"),
    ("up", "down"),
    ("right", "left"),
)
STRAIGHT_PAIR_COUNTS = {1: 2, 2: 1}
BENT_PAIR_COUNTS = {1: 1, 2: 1}


@dataclass(frozen=True)
class Bulb:
    """The light bulb with the points: where its glass is, how large, and its colours."""

    x: float = 53
    y: float = 11.6
    radius: float = 9
    glass: str = "#ffd83d"
    rim: str = "#47281a"
    digit: str = "#3a1d0c"
    metal: str = "#aab2bd"
    glow: str = "#ffe98a"
    digit_scale: float = 1.62
    tilt: float = 0


@dataclass(frozen=True)
class Spot:
    """Where a cat stands: the drawing's name, its place in mm, its scale, whether it faces left."""

    pose: str
    x: float
    y: float
    scale: float
    mirror: bool = False


HUNT: Mapping[tuple[str, ...], Spot] = {
    ("up",): Spot("sitting", 13.2, 43.5, 0.92),
    ("down",): Spot("sitting", 13.2, 22.5, 0.92),
    ("left",): Spot("running", 43.6, 52, 0.82, mirror=True),
    ("right",): Spot("running", 20.6, 52, 0.82),
    ("up", "left"): Spot("crouching", 47.6, 51.6, 0.84, mirror=True),
    ("up", "right"): Spot("crouching", 16.2, 51.6, 0.84),
    ("down", "left"): Spot("running", 24.4, 10.8, 0.72, mirror=True),
    ("right", "down"): Spot("crouching", 14.6, 15, 0.74),
    ("right", "left"): Spot("crouching", 32, 53, 0.7),
    ("up", "down"): Spot("sitting", 11.5, 32, 0.72),
}


@dataclass(frozen=True)
class Look:
    """One way to draw the game.

    ``grounds`` and ``motifs`` are the card's and its pattern's colours by points; ``spots`` place the cat by arrows,
    ``None`` puts it on the one ``spot``; ``pips`` is the colour of the paw prints, ``None`` leaves them out; ``start``
    and ``finish`` are (ground, rays, paper); ``wobble`` (mm) and ``grain`` (0..1) roughen the drawing;
    ``plain_ends`` draws Start and Finish as a coloured frame with a word instead of a scene.
    """

    name: str
    arrow: Arrow = field(default_factory=Arrow)
    bulb: Bulb = field(default_factory=Bulb)
    grounds: tuple[str, str, str] = ("#fff3d6", "#d6f0c0", "#fccfc6")
    motifs: tuple[str, str, str] = ("#f7e3b4", "#bbe19f", "#f5b2a6")
    frame: str = "#f0b04a"
    frame_width: float = 1.5
    frame_inset: float = 1.6
    pips: str | None = "#f4f8ff"
    coat: cats.Coat = cats.GINGER
    spots: Mapping[tuple[str, ...], Spot] | None = field(default_factory=lambda: HUNT)
    spot: Spot = field(default_factory=lambda: Spot("head", 14, 50, 1))
    start: tuple[str, str, str] = ("#2f7fd6", "#4f9ae8", "#ffffff")
    finish: tuple[str, str, str] = ("#d8382f", "#e9564b", "#ffffff")
    word: str = "#ffffff"
    wobble: float = 0.3
    grain: float = 0
    grain_scale: str = "0.09"
    cat_behind: bool = False
    plain_ends: bool = False


HOME = Look("home")


def faces() -> list[Face]:
    """The 26 faces of the deck: 70 cards, Start and Finish among them."""
    singles = [((direction,), SINGLE_COUNTS) for direction in DIRECTIONS]
    pairs = [
        (
            pair,
            STRAIGHT_PAIR_COUNTS if DIRECTIONS.index(pair[1]) - DIRECTIONS.index(pair[0]) == 2 else BENT_PAIR_COUNTS,
        )
        for pair in PAIRS
    ]
    deck = [
        Face(f"{'+'.join(arrows)}-{points}", "move", count, {"arrows": list(arrows), "points": points})
        for arrows, counts in [*singles, *pairs]
        for points, count in counts.items()
    ]
    ends = {"arrows": [], "points": 0}
    return [*deck, Face("start", "start", 4, ends), Face("finish", "finish", 4, ends)]


def bulb(look: Bulb, points: int) -> str:
    """A lit bulb with the points written on its glass."""
    r = look.radius
    rays = "".join(
        place(line(f"M0 {-r - 1.5}V{-r - 2.7}", look.rim, 0.85, opacity=0.8), turn=angle)
        for angle in (-82, -41, 0, 41, 82)
    )
    neck = f"M{-r * 0.46} {r * 0.8}L{-r * 0.42} {r * 1.2}H{r * 0.42}L{r * 0.46} {r * 0.8}Z"
    side, foot, bottom = r * 0.42, r * 1.36, r * 1.52
    cap = f"M{-side} {r * 1.1}H{side}V{foot}Q{side} {bottom} 0 {bottom}Q{-side} {bottom} {-side} {foot}Z"
    threads = f"M{-r * 0.42} {r * 1.3}L{r * 0.42} {r * 1.22}"
    return place(
        group(
            rays,
            shape(neck, look.glass, stroke=look.rim, stroke_width=1.6),
            shape(cap, look.metal, stroke=look.rim, stroke_width=0.8),
            line(threads, look.rim, 0.6),
            circle(0, 0, r, look.glass, stroke=look.rim, stroke_width=1),
            shape(f"M{-r * 0.4} {r * 0.8}H{r * 0.4}V{r * 1.1}H{-r * 0.4}Z", look.glass),
            shape(
                f"M{-r * 0.78} {r * 0.1}Q{-r * 0.8} {-r * 0.7} {-r * 0.1} {-r * 0.8}",
                stroke="#fff",
                stroke_width=1.1,
                opacity=0.9,
            ),
            text(
                0,
                look.radius * look.digit_scale * 0.355,
                str(points),
                look.radius * look.digit_scale,
                look.digit,
            ),
        ),
        look.x,
        look.y,
        1,
        look.tilt,
    )


def _pips(arrows: tuple[str, ...], points: int, look: Look) -> str:
    """Paw prints along the arrow, one a point: the value told a second time."""
    if not look.pips or not look.arrow.shaft:
        return ""
    turns = [DIRECTIONS.index(arrow) * 90 for arrow in arrows]
    paw = cats.paw_print(look.pips)
    arrow = look.arrow
    scale = arrow.shaft / 13.5 * (arrow.bend_scale if is_bent(arrows) else 1)
    if len(turns) == 1:
        tail = min(arrow.tail, arrow.reach) - 4
        span = arrow.reach - arrow.head_length * 0.45 + tail
        steps = [tail - span * (index + 0.5) / points for index in range(points)]
        return "".join(place(place(paw, 0, step, scale), turn=turns[0]) for step in steps)
    x, y = knee(arrows, arrow)
    if points == 1:
        turn = sum(turns) / 2 if turns != [0, 270] else -45
        return place(paw, x, y, scale, turn)
    prints = []
    for arm in turns:
        offset = (x, 0.0) if arm % 180 == 0 else (0.0, y)
        prints.append(place(place(paw, 0, arrow.head_length * 0.8 - arrow.reach, scale), *offset, turn=arm))
    return "".join(prints)


def _cat(spot: Spot, look: Look, gaze: tuple[float, float], points: int) -> str:
    mood = ("calm", "sly", "wide")[points - 1]
    if spot.pose == "running":
        drawing = cats.running(look.coat, mood)
        shadow = ellipse(
            spot.x - 1, spot.y + 10.4 * spot.scale, 14 * spot.scale, 1.6 * spot.scale, "#6b4a2a", opacity=0.18
        )
    elif spot.pose == "crouching":
        drawing = cats.crouching(look.coat, mood)
        shadow = ellipse(spot.x, spot.y + 9.6 * spot.scale, 14 * spot.scale, 1.6 * spot.scale, "#6b4a2a", opacity=0.18)
    elif spot.pose == "sitting":
        drawing = cats.sitting(look.coat, mood, gaze)
        shadow = ellipse(
            spot.x + 1, spot.y + 17.2 * spot.scale, 11 * spot.scale, 1.6 * spot.scale, "#6b4a2a", opacity=0.18
        )
    else:
        drawing, shadow = cats.head(look.coat, mood, gaze), ""
    return shadow + place(drawing, spot.x, spot.y, spot.scale, 0, spot.mirror)


def _definitions(look: Look) -> str:
    dot, stripe, stars = look.motifs
    grain = tag("feTurbulence", type="fractalNoise", baseFrequency=look.grain_scale, numOctaves=4, seed=5)
    matrix = "0 0 0 0 0.2  0 0 0 0 0.12  0 0 0 0 0.06  0 0 0 -3.2 2.1"
    return "".join(
        [
            wobble("hand", look.wobble, 3),
            pattern("motif1", 9, 9, circle(2.2, 2.2, 0.9, dot) + circle(6.7, 6.7, 0.9, dot)),
            pattern("motif2", 7, 7, rectangle(0, 0, 2.6, 7, stripe), turn=45),
            pattern(
                "motif3",
                11,
                11,
                shape(star(3, 3.2, 2, 0.9), stars) + shape(star(8.5, 8.8, 2, 0.9, turn=20), stars),
            ),
            pattern("check", 6, 6, rectangle(0, 0, 3, 3, "#fff") + rectangle(3, 3, 3, 3, "#fff")),
            gradient("glow", [(0.45, look.bulb.glow, 0.95), (1, look.bulb.glow, 0)], radial=True),
            gradient("edge", [(0.72, "#7a4a1a", 0), (1, "#7a4a1a", 0.16)], radial=True),
            tag(
                "filter",
                grain + tag("feColorMatrix", type="matrix", values=matrix),
                id="grain",
                x=0,
                y=0,
                width=1,
                height=1,
            ),
        ]
    )


def _finished(look: Look, *parts: str) -> str:
    layers = list(parts)
    if look.grain:
        layers.append(rectangle(0, 0, CARD, CARD, "#000", filter="url(#grain)", opacity=look.grain))
    return card(CARD, CARD, CORNER, "".join(layers), _definitions(look))


def _frame(look: Look, colour: str) -> str:
    if not look.frame_width:
        return ""
    inset = look.frame_inset + look.frame_width / 2
    side = CARD - 2 * inset
    return rectangle(
        inset,
        inset,
        side,
        side,
        "none",
        r=max(0, CORNER - inset * 0.6),
        stroke=colour,
        stroke_width=look.frame_width,
    )


def _rays(colour: str, y: float) -> str:
    beams = "".join(place(shape("M-3.4-60L3.4-60L0 0Z", colour), MIDDLE, y, 1, angle) for angle in range(0, 360, 24))
    return group(beams, opacity=0.55)


def _move(arrows: tuple[str, ...], points: int, look: Look) -> str:
    gaze_x = sum({"left": -0.9, "right": 0.9}.get(arrow, 0) for arrow in arrows)
    gaze_y = sum({"up": -0.9, "down": 0.9}.get(arrow, 0) for arrow in arrows)
    spot = look.spots[arrows] if look.spots else look.spot
    layers = [
        place(draw(arrows, look.arrow) + _pips(arrows, points, look), MIDDLE, MIDDLE),
        _cat(spot, look, (gaze_x, gaze_y), points),
    ]
    return _finished(
        look,
        rectangle(0, 0, CARD, CARD, look.grounds[points - 1]),
        rectangle(0, 0, CARD, CARD, f"url(#motif{points})"),
        rectangle(0, 0, CARD, CARD, "url(#edge)"),
        _frame(look, look.frame),
        circle(look.bulb.x, look.bulb.y, look.bulb.radius * 1.7, "url(#glow)"),
        group(*(layers[::-1] if look.cat_behind else layers), filter="url(#hand)"),
        bulb(look.bulb, points),
    )


def _banner(word: str, y: float, fill: str, ink: str) -> str:
    ribbon = shape(
        f"M4 {y + 2}L10 {y - 1}V{y + 11}L4 {y + 13.6}L6.6 {y + 7.6}Z"
        f"M60 {y + 2}L54 {y - 1}V{y + 11}L60 {y + 13.6}L57.4 {y + 7.6}Z",
        ink,
    )
    body = shape(
        f"M7.5 {y - 1.6}Q32 {y - 5} 56.5 {y - 1.6}V{y + 11.4}Q32 {y + 8} 7.5 {y + 11.4}Z",
        fill,
        stroke=ink,
        stroke_width=0.9,
    )
    return ribbon + body + text(MIDDLE, y + 7.2, word, 11, ink)


def _plain_end(word: str, look: Look, colours: tuple[str, str, str], drawing: str) -> str:
    ground, light, paper = colours
    return _finished(
        look,
        rectangle(0, 0, CARD, CARD, ground),
        rectangle(6, 6, CARD - 12, CARD - 12, paper, r=3),
        group(
            circle(MIDDLE, 24, 14, light),
            drawing,
            text(MIDDLE, 52, word, 12.4, ground),
            line("M14 54.6H50", light, 1.2),
            filter="url(#hand)",
        ),
    )


def _start(look: Look) -> str:
    ground, light, paper = look.start
    if look.plain_ends:
        return _plain_end("СТАРТ", look, look.start, place(cats.head(look.coat, "happy"), MIDDLE, 25, 1.25))
    return _finished(
        look,
        rectangle(0, 0, CARD, CARD, ground),
        _rays(light, 26),
        _frame(look, paper),
        group(
            circle(MIDDLE, 27, 21, light, opacity=0.9),
            place(cats.sitting(look.coat, "wide", (0.2, -0.2)), MIDDLE, 27.5, 1.18),
            place(cats.paw_print(paper), 10.5, 13, 1.05, -20),
            place(cats.paw_print(paper), 53.5, 13, 1.05, 20),
            place(cats.paw_print(paper), 8.6, 32, 0.8, -30),
            place(cats.paw_print(paper), 55.4, 32, 0.8, 30),
            _banner("СТАРТ", 47.4, paper, ground),
            filter="url(#hand)",
        ),
    )


def _finish(look: Look) -> str:
    ground, light, paper = look.finish
    if look.plain_ends:
        return _plain_end("ФІНІШ", look, look.finish, place(cats.mouse(), MIDDLE, 24, 1.25))
    cheese = "M9 43.5L40 27.5Q53 30 56 43.5Z"
    return _finished(
        look,
        rectangle(0, 0, CARD, CARD, ground),
        _rays(light, 24),
        rectangle(0, 0, CARD, 6, "#2b1a14"),
        rectangle(0, 0, CARD, 6, "url(#check)"),
        _frame(look, paper),
        group(
            shape(cheese, "#ffd24a", stroke="#47281a", stroke_width=1),
            shape("M9 43.5H56V50H9Z", "#f3b52c", stroke="#47281a", stroke_width=1),
            circle(44, 38, 2.8, "#e09a1c"),
            circle(51, 40.4, 1.5, "#e09a1c"),
            circle(19, 42, 1.6, "#e09a1c"),
            place(cats.mouse(mood="wide"), 30, 23.6, 1.3),
            _banner("ФІНІШ", 48, paper, ground),
            filter="url(#hand)",
        ),
    )


def draw_face(face: Face, look: Look = HOME) -> str:
    """SVG of one face, 64 x 64 mm."""
    if face.kind == "start":
        return _start(look)
    if face.kind == "finish":
        return _finish(look)
    return _move(tuple(face.fields["arrows"]), face.fields["points"], look)


def draw_back(look: Look = HOME) -> str:
    """SVG of the card back, the same after a half turn of the card."""
    ground, deep, gold = "#1d3f78", "#16305c", "#f2b33d"
    paws = "".join(place(cats.paw_print("#2f5aa0"), x, y, 0.8, turn) for x, y, turn in ((4, 4, 20), (12, 12, -20)))
    half = clip("half", rectangle(0, 0, CARD, MIDDLE, "#000"))
    peeping = group(place(cats.head(look.coat, "sly", (0, 0.6)), MIDDLE, 26, 1.3), clip_path="url(#half)")
    tracks = "".join(place(cats.paw_print(deep), x, MIDDLE, 0.62, 90) for x in (16, 24, 32, 40, 48))
    return card(
        CARD,
        CARD,
        CORNER,
        rectangle(0, 0, CARD, CARD, ground)
        + rectangle(0, 0, CARD, CARD, "url(#paws)")
        + rectangle(3, 3, 58, 58, "none", r=4, stroke=gold, stroke_width=1.3)
        + group(
            circle(MIDDLE, MIDDLE, 23, gold),
            circle(MIDDLE, MIDDLE, 21.4, deep),
            peeping,
            place(place(peeping, -MIDDLE, -MIDDLE), MIDDLE, MIDDLE, 1, 180),
            rectangle(9.6, 28.4, 44.8, 7.2, gold, r=3.6, stroke=deep, stroke_width=0.8),
            tracks,
            filter="url(#hand)",
        ),
        wobble("hand", 0.3, 3) + half + pattern("paws", 16, 16, paws),
    )
