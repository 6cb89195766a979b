"""Writing SVG: every number is a millimetre of the card, y points down, angles are degrees clockwise."""

from collections.abc import Iterable, Sequence
from math import cos, pi, sin
from xml.sax.saxutils import escape, quoteattr

FONT = "Nunito"
BLACK = 900

Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate to a thousandth of a millimetre, without trailing zeros, so that the markup is stable."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def tag(name: str, content: str = "", /, **attributes: str | float | None) -> str:
    """One element; an underscore in an attribute's name stands for a hyphen, ``None`` leaves the attribute out."""
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else number(value)
            parts.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(text)}")
    opening = " ".join(parts)
    return f"<{opening}>{content}</{name}>" if content else f"<{opening}/>"


def group(*parts: str, **attributes: str | float | None) -> str:
    """Elements drawn in order, the first at the bottom."""
    return tag("g", "".join(parts) or " ", **attributes)


def place(content: str, x: float = 0, y: float = 0, scale: float = 1, turn: float = 0, mirror: bool = False) -> str:
    """Moves a drawing made around the origin to (x, y), turned and scaled; ``mirror`` swaps left and right."""
    across = -scale if mirror else scale
    transform = f"translate({number(x)} {number(y)}) rotate({number(turn)}) scale({number(across)} {number(scale)})"
    return group(content, transform=transform)


def shape(d: str, fill: str = "none", **attributes: str | float | None) -> str:
    """A path; joints and ends are round because the whole style is."""
    return tag("path", d=d, fill=fill, stroke_linecap="round", stroke_linejoin="round", **attributes)


def line(d: str, stroke: str, width: float, cap: str = "round", **attributes: str | float | None) -> str:
    """A stroke without fill."""
    return tag(
        "path",
        d=d,
        fill="none",
        stroke=stroke,
        stroke_width=width,
        stroke_linecap=cap,
        stroke_linejoin="round",
        **attributes,
    )


def circle(x: float, y: float, r: float, fill: str, **attributes: str | float | None) -> str:
    """A circle around (x, y)."""
    return tag("circle", cx=x, cy=y, r=r, fill=fill, **attributes)


def ellipse(x: float, y: float, rx: float, ry: float, fill: str, turn: float = 0, **attributes: str | float) -> str:
    """An ellipse around (x, y), turned around its own centre."""
    transform = f"rotate({number(turn)} {number(x)} {number(y)})" if turn else None
    return tag("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=fill, transform=transform, **attributes)


def rectangle(
    x: float, y: float, width: float, height: float, fill: str, r: float = 0, **attributes: str | float
) -> str:
    """A rectangle from its top left corner, with corners rounded by ``r``."""
    return tag("rect", x=x, y=y, width=width, height=height, rx=r, fill=fill, **attributes)


def text(x: float, y: float, content: str, size: float, fill: str, **attributes: str | float) -> str:
    """A word centred on x, with its baseline at y; ``size`` is the font size in millimetres."""
    return tag(
        "text",
        escape(content),
        x=x,
        y=y,
        font_family=FONT,
        font_weight=BLACK,
        font_size=size,
        text_anchor="middle",
        fill=fill,
        **attributes,
    )


def outlined_text(x: float, y: float, content: str, size: float, fill: str, ink: str, width: float) -> str:
    """A word with an outline behind it."""
    behind = text(x, y, content, size, ink, stroke=ink, stroke_width=width, stroke_linejoin="round")
    return behind + text(x, y, content, size, fill)


def polygon(points: Iterable[Point]) -> str:
    """Path data of a closed polygon."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def rounded_polygon(points: Sequence[Point], radius: float) -> str:
    """Path data of a closed polygon whose corners are rounded, by less where a side is short."""
    data: list[str] = []
    for index, (x, y) in enumerate(points):
        ends = []
        for px, py in (points[index - 1], points[(index + 1) % len(points)]):
            length = ((px - x) ** 2 + (py - y) ** 2) ** 0.5
            part = min(radius, length * 0.45) / length
            ends.append((x + (px - x) * part, y + (py - y) * part))
        (ax, ay), (bx, by) = ends
        data.append(
            f"{'L' if data else 'M'}{number(ax)} {number(ay)}Q{number(x)} {number(y)} {number(bx)} {number(by)}"
        )
    return "".join(data) + "Z"


def star(x: float, y: float, outer: float, inner: float, points: int = 5, turn: float = 0) -> str:
    """Path data of a star with its first point up."""
    corners = []
    for index in range(points * 2):
        radius = inner if index % 2 else outer
        angle = index * pi / points + turn * pi / 180
        corners.append((x + radius * sin(angle), y - radius * cos(angle)))
    return polygon(corners)


def wobble(identifier: str, amount: float, seed: int, frequency: float = 0.09) -> str:
    """A filter that makes edges waver by about ``amount`` mm, as if a hand had drawn them; for the definitions."""
    noise = tag("feTurbulence", type="fractalNoise", baseFrequency=frequency, numOctaves=2, seed=seed, result="noise")
    shift = tag(
        "feDisplacementMap",
        in_="SourceGraphic",
        in2="noise",
        scale=amount * 4,
        xChannelSelector="R",
        yChannelSelector="G",
    )
    return tag("filter", noise + shift, id=identifier, x="-10%", y="-10%", width="120%", height="120%")


def clip(identifier: str, content: str) -> str:
    """A clipping region; for the definitions."""
    return tag("clipPath", content, id=identifier)


def pattern(identifier: str, width: float, height: float, content: str, turn: float = 0) -> str:
    """A tile repeated over the surface filled with ``url(#identifier)``; for the definitions."""
    transform = f"rotate({number(turn)})" if turn else None
    return tag(
        "pattern",
        content,
        id=identifier,
        width=width,
        height=height,
        patternUnits="userSpaceOnUse",
        patternTransform=transform,
    )


def gradient(identifier: str, stops: Sequence[tuple[float, str, float]], radial: bool = False, turn: float = 90) -> str:
    """A colour gradient of (offset, colour, opacity) stops, along ``turn`` degrees or from the middle outwards."""
    content = "".join(
        tag("stop", offset=offset, stop_color=colour, stop_opacity=opacity) for offset, colour, opacity in stops
    )
    if radial:
        return tag("radialGradient", content, id=identifier)
    return tag(
        "linearGradient",
        content,
        id=identifier,
        x1=0,
        y1=0,
        x2=1,
        y2=0,
        gradientTransform=f"rotate({number(turn)} .5 .5)",
    )


def card(width: float, height: float, corner: float, content: str, definitions: str = "") -> str:
    """A whole card of ``width`` x ``height`` mm: the content cut to the rounded outline."""
    outline = rectangle(0, 0, width, height, "#000", r=corner)
    size = f"0 0 {number(width)} {number(height)}"
    return tag(
        "svg",
        tag("defs", clip("card", outline) + definitions) + group(content, clip_path="url(#card)"),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=size,
        # Without a unit: one in mm would be rounded to pixels of 1/96 inch and stretch the card by a thousandth.
        width=width,
        height=height,
    )


def uncut(drawing: str) -> str:
    """The same card with square corners, for printing: scissors round them, and a slip leaves no white."""
    return drawing.replace(' clip-path="url(#card)"', "", 1)
