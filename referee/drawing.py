"""Strokes for drawing into photographs: outlines, dashes, crosses, arrows, labels, warning signs.

All functions draw into `canvas`, (H, W, 3) uint8 BGR, in place; callers hand in a copy of theirs. Points are (x, y)
pixels, quads (4, 2); `width` is a line's width in pixels. Strokes have a halo so that they stand out on any table.
Colours are those of Okabe and Ito (2008), which colour-blind people tell apart; every meaning has a shape as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Doubles = NDArray[np.float64]
Colour = tuple[int, int, int]

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
ORANGE: Colour = (0, 159, 230)
SKY: Colour = (233, 180, 86)
GREEN: Colour = (115, 158, 0)
YELLOW: Colour = (66, 228, 240)
BLUE: Colour = (178, 114, 0)
VERMILLION: Colour = (0, 94, 213)
PURPLE: Colour = (167, 121, 204)

_BITS = 4
"""Binary digits behind the point in the coordinates handed to OpenCV."""
_FONT = cv2.FontFace("sans")
"""OpenCV's own font; it has Latin and Cyrillic letters."""
_BOLD = 650


def _fixed(points: Doubles) -> NDArray[np.int32]:
    return np.asarray(np.rint(np.asarray(points, dtype=np.float64) * 2**_BITS), dtype=np.int32)


def polyline(canvas: Pixels, points: Doubles, colour: Colour, width: float, closed: bool = False) -> None:
    """Lines through points (N, 2)."""
    cv2.polylines(canvas, [_fixed(points)], closed, colour, max(1, round(width)), cv2.LINE_AA, _BITS)


def polygon(canvas: Pixels, points: Doubles, colour: Colour) -> None:
    """A filled polygon (N, 2)."""
    cv2.fillPoly(canvas, [_fixed(points)], colour, cv2.LINE_AA, _BITS)


def outline(canvas: Pixels, quad: Doubles, colour: Colour, width: float) -> None:
    """A closed outline with a white halo."""
    polyline(canvas, quad, WHITE, 1.9 * width, closed=True)
    polyline(canvas, quad, colour, width, closed=True)


def dashed(canvas: Pixels, quad: Doubles, colour: Colour, width: float, dash: float) -> None:
    """A closed dashed outline on black; dash: length of a dash in pixels."""
    polyline(canvas, quad, BLACK, 1.9 * width, closed=True)
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        length = float(np.hypot(*(end - start)))
        pieces = max(3, 2 * round(length / dash / 2) + 1)
        stops = start + (end - start) * np.linspace(0, 1, pieces + 1)[:, None]
        for i in range(0, pieces, 2):
            polyline(canvas, stops[i : i + 2], colour, width)


def cross(canvas: Pixels, quad: Doubles, colour: Colour, width: float) -> None:
    """Both diagonals of a card, from 12 to 88 percent."""
    middle = quad.mean(axis=0)
    inner = middle + 0.76 * (quad - middle)
    for layer, thick in ((WHITE, 1.9 * width), (colour, width)):
        polyline(canvas, inner[[0, 2]], layer, thick)
        polyline(canvas, inner[[1, 3]], layer, thick)


def hatch(canvas: Pixels, quad: Doubles, colour: Colour, width: float, lines: int = 7) -> None:
    """Thin parallel strokes across a card."""
    top, right, bottom, left = quad
    for share in np.linspace(0, 2, lines + 2)[1:-1]:
        if share <= 1:
            ends = np.stack([top + share * (right - top), top + share * (left - top)])
        else:
            ends = np.stack([right + (share - 1) * (bottom - right), left + (share - 1) * (bottom - left)])
        polyline(canvas, ends, colour, width)


def arrow(canvas: Pixels, start: Doubles, end: Doubles, colour: Colour, width: float) -> None:
    """A thick arrow with a white rim, its tip at `end`."""
    along = end - start
    length = max(float(np.hypot(*along)), 1e-6)
    unit = along / length
    across = np.array([-unit[1], unit[0]])
    head = min(3.2 * width, 0.7 * length)
    neck = end - unit * head
    shape = np.stack(
        [
            start + across * width / 2,
            neck + across * width / 2,
            neck + across * 1.5 * width,
            end,
            neck - across * 1.5 * width,
            neck - across * width / 2,
            start - across * width / 2,
        ]
    )
    polyline(canvas, shape, WHITE, 0.7 * width, closed=True)
    polygon(canvas, shape, colour)


def text_size(text: str, size: float) -> tuple[int, int]:
    """(width, height) in pixels that a line of text takes; size: its height in pixels."""
    _, _, width, _ = cv2.getTextSize((10_000, 10_000), text, (0, 0), _FONT, round(size), _BOLD)
    return int(width), round(size)


def label(
    canvas: Pixels,
    text: str,
    middle: Doubles,
    size: float,
    ink: Colour = BLACK,
    ground: Colour = WHITE,
    rim: Colour = BLACK,
) -> None:
    """A line of text on a rounded plate; size: height of the letters in pixels. Moved to lie wholly in the picture."""
    width, height = text_size(text, size)
    half = np.array([width / 2 + 0.35 * size, 0.68 * height])
    limit = np.array([canvas.shape[1], canvas.shape[0]], dtype=np.float64)
    line = max(1.0, 0.09 * size)
    reach = half + line + 1
    x, y = np.clip(middle, np.minimum(reach, limit / 2), np.maximum(limit - reach, limit / 2))
    for grow, colour in ((line, rim), (0.0, ground)):
        _plate(canvas, np.array([x, y]), half + grow, colour)
    origin = (round(x - width / 2), round(y + 0.36 * height))
    cv2.putText(canvas, text, origin, ink, _FONT, round(size), _BOLD)


def write(canvas: Pixels, text: str, start: Doubles, size: float, ink: Colour = BLACK) -> None:
    """A line of plain text; start: the left end of its base line."""
    cv2.putText(canvas, text, (round(float(start[0])), round(float(start[1]))), ink, _FONT, round(size), 400)


def _plate(canvas: Pixels, middle: Doubles, half: Doubles, colour: Colour, radius: float | None = None) -> None:
    radius = 0.45 * half[1] if radius is None else radius
    corners = []
    for quarter, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        angles = np.deg2rad(np.linspace(0, 90, 7) + 90 * quarter)
        hub = middle + (half - radius) * np.array([sx, sy])
        corners.append(hub + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    polygon(canvas, np.concatenate(corners), colour)


def plate(
    canvas: Pixels, lines: Sequence[str], middle: Doubles, size: float, ink: Colour, ground: Colour, rim: Colour
) -> None:
    """Several lines of text on one plate with a rim; moved to lie wholly in the picture."""
    pitch = 1.25 * size
    width = max(text_size(line, size)[0] for line in lines)
    half = np.array([width / 2 + 0.45 * size, pitch * len(lines) / 2 + 0.25 * size])
    limit = np.array([canvas.shape[1], canvas.shape[0]], dtype=np.float64)
    border = max(2.0, 0.2 * size)
    reach = half + 2 * border
    spot = np.clip(middle, np.minimum(reach, limit / 2), np.maximum(limit - reach, limit / 2))
    for grow, colour in ((1.5 * border, BLACK), (border, rim), (0.0, ground)):
        _plate(canvas, spot, half + grow, colour, 0.5 * size)
    for number, line in enumerate(lines):
        y = spot[1] + pitch * (number - (len(lines) - 1) / 2) + 0.36 * size
        left = spot[0] - text_size(line, size)[0] / 2
        cv2.putText(canvas, line, (round(float(left)), round(float(y))), ink, _FONT, round(size), _BOLD)


def tint(canvas: Pixels, quads: Sequence[Doubles], colour: Colour, share: float) -> None:
    """Cover quads with a translucent colour, together, so that nothing is covered twice; share: 0..1."""
    if not quads:
        return
    mask = np.zeros(canvas.shape[:2], np.uint8)
    for quad in quads:
        cv2.fillPoly(mask, [_fixed(quad)], 255, cv2.LINE_8, _BITS)
    where = mask > 0
    canvas[where] = np.clip((1 - share) * canvas[where] + share * np.array(colour), 0, 255).astype(np.uint8)


def frame(canvas: Pixels, quads: Sequence[Doubles], colour: Colour, width: float) -> None:
    """A line with a white halo round quads that belong together, just inside them; small gaps are bridged."""
    mask = np.zeros(canvas.shape[:2], np.uint8)
    for quad in quads:
        cv2.fillPoly(mask, [_fixed(quad)], 255, cv2.LINE_8, _BITS)
    bridge = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(2 * width) + 1,) * 2)
    inside = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(width) + 1,) * 2)
    area = cv2.erode(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, bridge), inside)
    outlines, _ = cv2.findContours(area, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for layer, thick in ((WHITE, 1.9 * width), (colour, width)):
        cv2.drawContours(canvas, outlines, -1, layer, max(1, round(thick)), cv2.LINE_AA)


def put_back(canvas: Pixels, picture: Pixels, quad: Doubles) -> None:
    """Show in a quad what `picture`, of the same size, has there."""
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(mask, [_fixed(quad)], 255, cv2.LINE_8, _BITS)
    canvas[mask > 0] = picture[mask > 0]


def dot(canvas: Pixels, middle: Doubles, radius: float, colour: Colour) -> None:
    """A dot with a black rim."""
    spot = (round(float(middle[0]) * 2**_BITS), round(float(middle[1]) * 2**_BITS))
    cv2.circle(canvas, spot, round(1.6 * radius * 2**_BITS), BLACK, -1, cv2.LINE_AA, _BITS)
    cv2.circle(canvas, spot, round(radius * 2**_BITS), colour, -1, cv2.LINE_AA, _BITS)


def dotted(canvas: Pixels, ends: Doubles, colour: Colour, width: float, dots: int = 6) -> None:
    """A row of dots from end to end (2, 2)."""
    for share in np.linspace(0.5 / dots, 1 - 0.5 / dots, dots):
        dot(canvas, ends[0] + share * (ends[1] - ends[0]), 0.6 * width, colour)


def warning_sign(canvas: Pixels, middle: Doubles, size: float) -> None:
    """The road sign: a yellow triangle, black rim, exclamation mark; size: its height in pixels."""
    shape = np.array([[0.0, -0.58], [0.62, 0.48], [-0.62, 0.48]]) * size + middle
    polygon(canvas, shape, YELLOW)
    polyline(canvas, shape, BLACK, max(2.0, 0.1 * size), closed=True)
    stroke = np.array([[0.0, -0.22], [0.0, 0.12]]) * size + middle
    polyline(canvas, stroke, BLACK, max(2.0, 0.12 * size))
    dot = np.array([[0.0, 0.28], [0.0, 0.29]]) * size + middle
    polyline(canvas, dot, BLACK, max(2.0, 0.13 * size))


def back_arrow(canvas: Pixels, middle: Doubles, size: float, colour: Colour) -> None:
    """A bent arrow: take this card back."""
    angles = np.deg2rad(np.linspace(60, -200, 20))
    bow = middle + 0.36 * size * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    width = max(2.0, 0.13 * size)
    direction = np.array([np.sin(angles[-1]), -np.cos(angles[-1])])
    across = np.array([-direction[1], direction[0]])
    tip = bow[-1]
    head = np.stack([tip + 0.3 * size * direction, tip + 0.22 * size * across, tip - 0.22 * size * across])
    polyline(canvas, bow, WHITE, 2.4 * width)
    polyline(canvas, head, WHITE, 1.4 * width, closed=True)
    polyline(canvas, bow, colour, width)
    polygon(canvas, head, colour)
