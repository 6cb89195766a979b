"""The cat and the mouse, in several poses and moods, each drawn around the origin.

A head is about 20 mm wide at scale 1. Every pose faces right or the viewer; ``svg.place`` turns and mirrors it.
"""

from dataclasses import dataclass

from samples.art.svg import circle, ellipse, group, line, place, shape

HEAD = (
    "M-8.7-1.8L-9.3-10.4Q-9.1-12-7.6-11.3L-3-8.2Q0-8.9 3-8.2L7.6-11.3Q9.1-12 9.3-10.4L8.7-1.8"
    "Q9.6-.2 9.7 1.6L11 2.6L9.4 3.6L10.4 5L8.6 5.4Q5.6 9.2 0 9.2Q-5.6 9.2-8.6 5.4L-10.4 5L-9.4 3.6L-11 2.6L-9.7 1.6"
    "Q-9.6-.2-8.7-1.8Z"
)


@dataclass(frozen=True)
class Coat:
    """The colours of one cat."""

    fur: str = "#f2922f"
    stripe: str = "#c8601a"
    shade: str = "#d9741f"
    belly: str = "#fff0d9"
    ear: str = "#f7a8a0"
    nose: str = "#e5606a"
    eye: str = "#7cc04a"
    ink: str = "#47281a"
    whisker: str = "#47281a"


GINGER = Coat()
NIGHT = Coat(
    fur="#3b3644",
    stripe="#272330",
    shade="#2c2833",
    belly="#5a5366",
    ear="#c9818f",
    nose="#e58a97",
    eye="#f5c933",
    ink="#17141c",
    whisker="#efe9f5",
)


def _eyes(coat: Coat, mood: str, look: tuple[float, float]) -> str:
    if mood in ("asleep", "happy"):
        bend = 2.6 if mood == "asleep" else -2.8
        lid = 0.6 if mood == "asleep" else 1.2
        return "".join(line(f"M{x - 2.3:.1f} {lid}q2.3 {bend} 4.6 0", coat.ink, 0.95) for x in (-4.3, 4.3))
    parts = []
    for x in (-4.2, 4.2):
        height = 3.1 if mood == "wide" else 2.75
        parts.append(ellipse(x, -0.2, 2.55, height, "#fffdf5", stroke=coat.ink, stroke_width=0.75))
        px, py = x + look[0] * 0.75, -0.2 + look[1] * 0.85
        parts.append(ellipse(px, py, 1.95, height - 0.75, coat.eye))
        parts.append(ellipse(px + look[0] * 0.2, py + look[1] * 0.2, 1.3, height - 1.05, "#20140f"))
        parts.append(circle(px + 0.55, py - 0.95, 0.68, "#fff"))
        parts.append(circle(px - 0.55, py + 0.75, 0.32, "#fff"))
    if mood == "sly":
        for side in (-1, 1):
            parts.append(shape(f"M{side * 7.2}-3.4L{side * 1.4}-1.6L{side * 1.4}-4L{side * 7.2}-4.4Z", coat.fur))
            parts.append(line(f"M{side * 7}-2.6L{side * 1.7}-1.5", coat.ink, 0.95))
    return "".join(parts)


def head(coat: Coat = GINGER, mood: str = "calm", look: tuple[float, float] = (0, 0), outline: float = 0.9) -> str:
    """A head from the front; mood is calm, wide, sly, happy or asleep, ``look`` turns the eyes, each part in -1..1."""
    parts = [shape(HEAD, coat.fur, stroke=coat.ink, stroke_width=outline * 2)]
    parts.append(shape(HEAD, coat.fur))
    parts.append(shape("M-9.2 3Q-6 8.4 0 8.4Q6 8.4 9.2 3Q7.6 9.2 0 9.2Q-7.6 9.2-9.2 3Z", coat.shade, opacity=0.75))
    for side in (-1, 1):
        parts.append(shape(f"M{side * 8}-9.6L{side * 7.6}-5.2Q{side * 6.4}-6.9 {side * 4.5}-7.2Z", coat.ear))
        parts.append(shape(f"M{side * 9.6} 1.2L{side * 6.6} 1.9L{side * 9.9} 2.6Z", coat.stripe))
        parts.append(shape(f"M{side * 9.3} 3.9L{side * 6.9} 3.7L{side * 8.6} 5.2Z", coat.stripe))
        parts.append(
            shape(
                f"M{side * 2.9}-8.4Q{side * 2.5}-5.9 {side * 2.3}-4.6Q{side * 1.7}-6.4 {side * 1.5}-8.6Z",
                coat.stripe,
            )
        )
        parts.append(ellipse(side * 6.5, 3.6, 1.7, 1.05, "#f0616b", opacity=0.28))
    parts.append(shape("M-.8-8.7L.8-8.7Q.6-5.4 0-4.2Q-.6-5.4-.8-8.7Z", coat.stripe))
    parts.append(ellipse(-1.9, 4.6, 2.7, 2.25, coat.belly))
    parts.append(ellipse(1.9, 4.6, 2.7, 2.25, coat.belly))
    parts.append(ellipse(0, 6.4, 1.7, 1.5, coat.belly))
    parts.append(_eyes(coat, mood, look))
    for side in (-1, 1):
        parts.append(line(f"M{side * 4.4} 4.4Q{side * 8} 3.7 {side * 12} 4.3", coat.whisker, 0.42))
        parts.append(line(f"M{side * 4.3} 5.3Q{side * 8} 5.4 {side * 11.4} 6.8", coat.whisker, 0.42))
    if mood in ("happy", "wide"):
        parts.append(
            shape(
                "M-1.7 5.1Q0 5.9 1.7 5.1Q1.6 7.8 0 7.9Q-1.6 7.8-1.7 5.1Z",
                "#8e2f35",
                stroke=coat.ink,
                stroke_width=0.5,
            )
        )
        parts.append(ellipse(0, 7.1, 0.95, 0.6, "#f48a8f"))
    parts.append(line("M-2.5 4.9Q-1.4 6.2 0 4.8Q1.4 6.2 2.5 4.9", coat.ink, 0.65))
    parts.append(
        shape(
            "M-1.35 2.7Q0 2.2 1.35 2.7Q1 4.3 0 4.6Q-1 4.3-1.35 2.7Z",
            coat.nose,
            stroke=coat.ink,
            stroke_width=0.4,
        )
    )
    return "".join(parts)


def _limbs(limbs: list[tuple[str, float]], coat: Coat, outline: float) -> tuple[str, str]:
    """Thick round strokes: (their silhouettes in ink, the strokes in fur), to be drawn under and over the body."""
    under = "".join(line(d, coat.ink, width + outline * 2) for d, width in limbs)
    return under, "".join(line(d, coat.fur, width) for d, width in limbs)


def running(
    coat: Coat = GINGER, mood: str = "wide", look: tuple[float, float] = (0.7, 0.2), outline: float = 0.8
) -> str:
    """A cat at full speed to the right, about 38 mm long and 21 mm high."""
    body = "M-12.5-2.4C-12-8.4 2-9 8-5.4C12-2.6 11 3.6 6 4.6C-1 5.6-12.6 5.2-12.5-2.4Z"
    legs = [
        ("M6.5 2.5Q11 4.5 15.4 4.2", 3.8),
        ("M3.5 3.5Q7.5 7.4 11.8 8", 3.8),
        ("M-9.5 1Q-11 6-16.2 6.6", 3.9),
        ("M-7.5 3Q-8.2 8-12.4 9.6", 3.9),
    ]
    tail = [("M-11.5-4.2C-17-6.4-14.6-11.4-19.4-11.8", 3.3)]
    under, over = _limbs(legs + tail, coat, outline)
    paws = line("M14.9 4.2L15.4 4.2M11.3 7.95L11.8 8M-15.8 6.6L-16.2 6.6M-12 9.5L-12.4 9.6", coat.belly, 3.6)
    marks = [
        shape("M-7.5-7.2Q-6.9-3.6-8.2-1.6Q-9.6-4.2-9.2-6.4Z", coat.stripe),
        shape("M-3.2-7.9Q-2.2-4-3.6-1.2Q-5.4-4.2-5-7.8Z", coat.stripe),
        shape("M1.2-7.7Q2-4.6.8-2Q-1-4.4-.8-7.8Z", coat.stripe),
        line("M-15.6-9l-1.1 1.2M-14.3-6.9l-1.2 1.2", coat.stripe, 1),
        shape("M-11 1.6Q-4 4.4 5 2.8Q6 3.4 6.4 4.4C0 5.4-9 5.2-11 1.6Z", coat.belly),
    ]
    return "".join(
        [
            under,
            shape(body, coat.fur, stroke=coat.ink, stroke_width=outline * 2),
            over,
            shape(body, coat.fur),
            paws,
            *marks,
            place(head(coat, mood, look, outline / 0.78), 10.6, -5.2, 0.78, 6),
        ]
    )


def crouching(
    coat: Coat = GINGER, mood: str = "sly", look: tuple[float, float] = (0.8, 0.3), outline: float = 0.8
) -> str:
    """A cat about to pounce to the right, tail up, about 32 mm long and 26 mm high."""
    body = "M-13 3C-15-6-8-9.4-2-7.6C4-6 9-3 9.4 3C9.6 7.6 7 8.6 2 8.6L-7 8.6C-11 8.6-12.4 6.6-13 3Z"
    legs = [("M5 7.4L10.6 7.6", 3.6), ("M-9 7.2L-5 7.6", 3.8)]
    tail = [("M-11.4-3C-16.4-6-11-10.4-14.4-15.4", 3.2)]
    under, over = _limbs(legs + tail, coat, outline)
    marks = [
        shape("M-8.6-7.6Q-7.4-4.2-8.6-1.4Q-10.4-3.8-10.6-6.2Z", coat.stripe),
        shape("M-4-8Q-2.8-4.2-4.2-1.2Q-6-4.2-6-8.2Z", coat.stripe),
        shape("M.6-6.8Q1.2-4 0-1.6Q-1.6-4.2-1.2-7.4Z", coat.stripe),
        line("M-13.4-11.3l-1.3 .6M-12.5-8.2l-1.4 .5", coat.stripe, 1),
        line("M-8.6 7.9Q-11-.6-5.4-.4Q-1.6 0-2.4 5.6", coat.ink, 0.6, opacity=0.55),
    ]
    paws = line("M10.2 7.6L10.6 7.6M-5.4 7.6L-5 7.6", coat.belly, 3.4)
    return "".join(
        [
            under,
            shape(body, coat.fur, stroke=coat.ink, stroke_width=outline * 2),
            over,
            shape(body, coat.fur),
            *marks,
            paws,
            place(head(coat, mood, look, outline / 0.8), 7.6, 0.4, 0.8, 4),
        ]
    )


def sitting(
    coat: Coat = GINGER,
    mood: str = "calm",
    look: tuple[float, float] = (0, 0),
    outline: float = 0.8,
    collar: str = "",
) -> str:
    """A cat sitting up, about 22 mm wide and 33 mm high; ``collar`` is drawn around the neck."""
    body = "M-4.6-2C-8.8 3-10.4 13-7.6 16.4Q0 18 7.6 16.4C10.4 13 8.8 3 4.6-2Z"
    tail = [("M7 13.6C12.6 14.6 13.6 8.4 11.6 5.4", 3.2)]
    under, over = _limbs(tail, coat, outline)
    marks = [
        shape("M-4.6 1.5Q0 9 4.6 1.5Q3.8 11 0 11.4Q-3.8 11-4.6 1.5Z", coat.belly),
        shape(
            "M-8.6 8.4L-5.4 9L-8.8 10.2ZM8.6 8.4L5.4 9L8.8 10.2ZM-7.6 5L-5 5.9L-8 6.6ZM7.6 5L5 5.9L8 6.6Z",
            coat.stripe,
        ),
        line("M-2.9 9V15.6M2.9 9V15.6M0 11.6V15.8", coat.ink, 0.6),
        ellipse(-2.9, 15.8, 2.7, 1.7, coat.belly, stroke=coat.ink, stroke_width=0.6),
        ellipse(2.9, 15.8, 2.7, 1.7, coat.belly, stroke=coat.ink, stroke_width=0.6),
        line("M-3.4 15.2v1.2M-2 15.2v1.2M2.2 15.2v1.2M3.6 15.2v1.2", coat.ink, 0.4),
        line("M12.5 7.5l-1.5 .7M12.6 9.9l-1.5 0", coat.stripe, 0.9),
    ]
    return "".join(
        [
            under,
            shape(body, coat.fur, stroke=coat.ink, stroke_width=outline * 2),
            over,
            shape(body, coat.fur),
            *marks,
            collar,
            place(head(coat, mood, look, outline / 0.92), 0, -7, 0.92),
        ]
    )


def curled(coat: Coat = GINGER, outline: float = 0.8, collar: str = "") -> str:
    """A cat asleep in a ball, seen from above, about 32 mm wide and 26 mm high; ``collar`` is drawn beside the head."""
    body = "M-15 1C-15-8-8-12.4 1-12.2C10-12 15.6-6.6 15.6 1C15.6 9 9 13 0 13C-9 13-15 9-15 1Z"
    tail = "M13.4 4.6C12 11.4 2 13.6-6.4 10.6"
    marks = [
        shape("M-2.4-12.2Q-.6-8-2-4.4Q-4.4-8-4.8-11.8Z", coat.stripe),
        shape("M3-12.2Q4.2-8 2.6-4.6Q.8-8 .6-12.3Z", coat.stripe),
        shape("M8.4-10.4Q8.4-7 6.4-4.2Q5.8-8 5.9-11.4Z", coat.stripe),
        shape("M12.6-7.4Q11.4-4.4 9-2.8Q9.4-6 10.6-9Z", coat.stripe),
        line("M9.6 10.4C4 13 -2 12.6 -6 11.2", coat.shade, 1, opacity=0.5),
    ]
    return "".join(
        [
            shape(body, coat.fur, stroke=coat.ink, stroke_width=outline * 2),
            shape(body, coat.fur),
            *marks,
            line(tail, coat.ink, 4.6 + outline * 2),
            line(tail, coat.fur, 4.6),
            line("M-5.8 10.8L-6.4 10.6", coat.belly, 4.4),
            line("M10.9 7.9l1.5 1.9M7.3 9.7l1 2.2M3.2 10.5l.4 2.3", coat.stripe, 1.1),
            collar,
            place(head(coat, "asleep", (0, 0), outline / 0.9), -4.6, 2.4, 0.9, -8),
        ]
    )


def mouse(fur: str = "#9aa0ad", ink: str = "#3a3038", belly: str = "#d9dce4", mood: str = "calm") -> str:
    """A mouse from the front, about 22 mm wide and 22 mm high."""
    parts = [line("M5 8C12 11 13 4 10.6 2", ink, 2.2), line("M5 8C12 11 13 4 10.6 2", "#eba0a6", 0.9)]
    for side in (-1, 1):
        parts.append(circle(side * 6.6, -6.4, 4.6, fur, stroke=ink, stroke_width=0.9))
        parts.append(circle(side * 6.6, -6, 2.9, "#f3b3b8"))
    outline = "M0-6.6C5-6.6 7.6-2 7.4 3C7.2 8.4 4 10.6 0 10.6C-4 10.6-7.2 8.4-7.4 3C-7.6-2-5-6.6 0-6.6Z"
    parts.append(shape(outline, fur, stroke=ink, stroke_width=0.9))
    parts.append(ellipse(0, 6, 4.2, 3.9, belly))
    for side in (-1, 1):
        parts.append(ellipse(side * 2.9, -1.6, 1.5, 1.9, "#20140f"))
        parts.append(circle(side * 2.9 + 0.5, -2.3, 0.6, "#fff"))
        parts.append(ellipse(side * 4.9, 1.6, 1.2, 0.8, "#f0616b", opacity=0.45))
        parts.append(line(f"M{side * 2.2} 2.2L{side * 8.4} 1.2M{side * 2.2} 2.8L{side * 8.2} 3.8", ink, 0.35))
        parts.append(ellipse(side * 3.4, 10.2, 2, 1.1, "#f3b3b8", stroke=ink, stroke_width=0.5))
    parts.append(ellipse(0, 1.4, 1.1, 0.85, "#e5606a", stroke=ink, stroke_width=0.4))
    if mood == "wide":
        parts.append(ellipse(0, 4, 1.1, 1.4, "#8e2f35", stroke=ink, stroke_width=0.4))
    else:
        parts.append(line("M-1.6 3.2Q0 4.6 1.6 3.2", ink, 0.5))
    return "".join(parts)


def paw_print(fill: str) -> str:
    """A paw print with the toes up, about 8 mm wide and high."""
    pad = "M0 .2C2 .2 3.4 1.9 3 3.2C2.7 4.3 1.2 3.7 0 3.7C-1.2 3.7-2.7 4.3-3 3.2C-3.4 1.9-2 .2 0 .2Z"
    toes = [(-3.1, -0.9, -24), (-1.15, -2.7, -8), (1.15, -2.7, 8), (3.1, -0.9, 24)]
    return group(shape(pad, fill), *(ellipse(x, y, 0.95, 1.35, fill, turn) for x, y, turn in toes))
