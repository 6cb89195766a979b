"""Cat toys as stickers, about 16 mm long and 11 mm high, with a pale rim that lifts them off the card."""

from collections.abc import Callable, Mapping

from samples.art.svg import circle, group, line, place, shape, star

INK = "#3d2417"
RIM = "#fffaf0"


def _sticker(outline: str, *details: str, fill: str) -> str:
    under = shape(outline, RIM, stroke=RIM, stroke_width=3.2)
    edge = shape(outline, fill, stroke=INK, stroke_width=1.3)
    shadow = place(shape(outline, INK, stroke=INK, stroke_width=3.2, opacity=0.2), 0.5, 1)
    return group(shadow, under, edge, *details)


def yarn() -> str:
    """A ball of wool with a loose end."""
    loose = "M3.5 4.6Q8.6 6.6 8.2 2.6Q8-.2 9.6 .6"
    ball = "M0-5.8A5.8 5.8 0 1 1 0 5.8A5.8 5.8 0 1 1 0-5.8Z"
    threads = (
        "M-5-2.6Q-.6-6 4-3.8M-5.6 0Q-.4-4 5.3-1.6M-5.3 2.4Q-.6-1.6 5.6 .8"
        "M-2.4-5.2Q2.4-.4 1.2 5.4M-4.4-3.6Q-.4 .6-1.4 5.4"
    )
    return group(line(loose, RIM, 4.4), line(loose, INK, 2.4), line(loose, "#e84c8a", 1.2)) + _sticker(
        ball, line(threads, "#a81f5a", 0.75), line("M-3.6-3.2Q-2-4.8-.2-4.9", "#ffc1da", 1), fill="#e84c8a"
    )


def mouse() -> str:
    """A clockwork mouse."""
    tail = "M-6.4 2.4C-9.6 3.6-8.6-2-10.6-2.6"
    body = "M8.4 2.6C6-3.6 .6-5.8-3.4-4C-7.4-2.2-7.6 4.4-5.6 4.4H6.4Q9 4.4 8.4 2.6Z"
    key = "M-2.2-4.6V-6.4M-2.2-6.6m-1.5 0a1.5 1.2 0 1 0 3 0a1.5 1.2 0 1 0-3 0"
    details = [
        circle(2.6, -3, 2.3, "#f0a7b0", stroke=INK, stroke_width=0.65),
        circle(5.2, 0.8, 0.75, "#201410"),
        circle(8.2, 2.9, 0.8, "#e5606a", stroke=INK, stroke_width=0.35),
        line("M-4.6 2.8Q-3.2 4 -1.2 3.2M-3.4-1.8Q-1-3.2 0-2.4", "#5f7f9a", 0.7),
        circle(-3.4, 4.4, 1.5, "#f4b53a", stroke=INK, stroke_width=0.6),
        circle(3.6, 4.4, 1.5, "#f4b53a", stroke=INK, stroke_width=0.6),
    ]
    tails = line(tail, RIM, 4) + line(tail, INK, 2) + line(tail, "#f0a7b0", 0.9)
    keys = line(key, RIM, 3.4) + line(key, INK, 1)
    return group(tails, keys) + _sticker(body, *details, fill="#9fc4de")


def fish() -> str:
    """A stuffed fish."""
    body = (
        "M8.6 0C6.4-4.2 1.4-5.6-2.6-3.4C-4-2.6-5-1.4-5.6-.6L-9.2-4.2Q-8.4 0-9.2 4.2L-5.6 .6"
        "C-5 1.4-4 2.6-2.6 3.4C1.4 5.6 6.4 4.2 8.6 0Z"
    )
    details = [
        shape("M3.6-4.2Q1.8 0 3.6 4.2Q6.8 3.2 8.6 0Q6.8-3.2 3.6-4.2Z", "#ffd25e"),
        circle(5.6, -1, 1.05, "#fff", stroke=INK, stroke_width=0.4),
        circle(5.9, -0.9, 0.55, "#201410"),
        line("M7.2 1.2Q6.4 1.7 5.8 1.4", INK, 0.5),
        line("M1.6-2.6q-1.2 1.2 0 2.4q-1.2 1.2 0 2.4M-1.4-2q-1 1 0 2q-1 1 0 2", "#0f8a86", 0.75),
        line("M3.6-4.2Q1.8 0 3.6 4.2", INK, 0.55),
        line("M-8-2.2L-6.4-.8M-8 2.2L-6.4 .8", "#0f8a86", 0.65),
    ]
    return _sticker(body, *details, fill="#2fc0b8")


def ball() -> str:
    """A striped ball with a star."""
    outline = "M0-5.8A5.8 5.8 0 1 1 0 5.8A5.8 5.8 0 1 1 0-5.8Z"
    details = [
        shape("M-5.4-2Q0-5 5.4-2L5.7 1.2Q0-2-5.7 1.2Z", "#ffffff"),
        shape("M-4.9 3.2Q0 .6 4.9 3.2Q3.2 5.8 0 5.8Q-3.2 5.8-4.9 3.2Z", "#2b62c9"),
        shape(star(0, -0.9, 2.9, 1.3), "#ffcf2e", stroke=INK, stroke_width=0.5),
        line("M-3.8-3.4Q-2.6-4.8-1-5", "#ffffff", 0.9, opacity=0.9),
        shape(outline, "none", stroke=INK, stroke_width=0.65),
    ]
    return _sticker(outline, *details, fill="#e2402f")


def feather() -> str:
    """A feather on a stick with a bell."""
    stick = "M-9 3.8L-1.6 .6"
    vane = "M-2 1.4C-2-3.8 3.2-6 9.4-5.2C8.6-3.4 8.8-2.8 7.8-1.6C7.6-.6 7 0 5.8 .4C5 1.6 3.4 2.2 1.6 2.4Q-1 2.8-2 1.4Z"
    details = [
        line("M-2.4 1.6Q2.6-1.4 8-4.4", "#5b2a86", 0.8),
        line("M.6-.2L1-3.4M3-1.6L4-4.6M1.4-.5L4.4 .9M4-2.2L6.8-1.4", "#5b2a86", 0.55),
        circle(-2.2, 1.5, 1.7, "#ffcf2e", stroke=INK, stroke_width=0.6),
        line("M-2.9 1.9H-1.5", INK, 0.5),
    ]
    sticks = line(stick, RIM, 4.2) + line(stick, INK, 2.2) + line(stick, "#c98d4e", 1)
    return sticks + _sticker(vane, *details, fill="#a866d6")


def bell() -> str:
    """A bell with a ribbon."""
    outline = "M0-3.6C3.6-3.6 5-.8 5.2 2.4Q5.4 4 6.4 4.8H-6.4Q-5.4 4-5.2 2.4C-5-.8-3.6-3.6 0-3.6Z"
    bow = "M0-3.8L-5-6.2Q-6-4 -5-1.8ZM0-3.8L5-6.2Q6-4 5-1.8Z"
    details = [
        line("M-3.4 .8Q-3-1.8-.8-2.4", "#fff3b0", 1.1),
        line("M-5.2 2.6H5.2", "#b87b10", 0.7),
        circle(0, 5.4, 1.4, "#b87b10", stroke=INK, stroke_width=0.6),
        shape(bow, "#e2402f", stroke=INK, stroke_width=0.7),
        circle(0, -3.8, 1.1, "#b52a1c", stroke=INK, stroke_width=0.5),
    ]
    rim = shape(bow, RIM, stroke=RIM, stroke_width=3.2)
    return rim + _sticker(outline, *details, fill="#f7c331")


TOYS: Mapping[str, Callable[[], str]] = {
    "yarn": yarn,
    "mouse": mouse,
    "fish": fish,
    "ball": ball,
    "feather": feather,
    "bell": bell,
}


def toy(name: str, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """One toy with its middle at (x, y)."""
    return place(TOYS[name](), x, y, scale, turn)
