"""Things that lie about: pens, cups, phones, paper, coins, foreign cards, and hands over the cards."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt

from samples.table.canvas import Canvas, Place, Sheet
from samples.table.hands import hand_sheet
from samples.table.patterns import hsv, linear, noise
from samples.table.prints import back_design

Floats = npt.NDArray[np.float32]
Rng = np.random.Generator


@dataclass(frozen=True)
class Thing:
    """A thing as a stack of sheets, lowest first, each at a height (mm)."""

    layers: tuple[tuple[Sheet, float], ...]

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the largest layer."""
        return max((sheet.size_mm for sheet, _ in self.layers), key=lambda s: s[0] * s[1])

    def discs(self, x: float, y: float, turn: float) -> list[tuple[float, float, float]]:
        """Circles (x, y, radius) mm that cover its foot."""
        w, h = self.size_mm
        long, short = max(w, h), min(w, h)
        count = max(1, round(long / max(short, 12)))
        steps = (np.arange(count) + 0.5) / count * long - long / 2
        angle = math.radians(turn) + (0 if w >= h else math.pi / 2)
        radius = math.hypot(long / count, short) / 2
        tall = max(height + sheet.thickness_mm for sheet, height in self.layers)
        return [(x + s * math.cos(angle), y + s * math.sin(angle), radius + 0.5 * tall) for s in steps]

    def draw(self, canvas: Canvas, x: float, y: float, turn: float) -> None:
        """Lay it on the table."""
        if len(self.layers) == 1:
            sheet, height = self.layers[0]
            canvas.lay(sheet, Place(x, y, turn, height))
        else:
            canvas.lay_solid(self.layers, Place(x, y, turn))


def _rod(length: float, width: float, body: Floats, rng: Rng) -> tuple[Floats, Floats]:
    """Colour and outline of a round rod along x, lit across; 6 texels a mm."""
    rows, columns = max(8, round(width * 6)), round(length * 6)
    across = np.linspace(-1, 1, rows, dtype=np.float32)[:, None]
    shade = 0.45 + 0.6 * np.sqrt(np.clip(1 - (across + 0.25) ** 2, 0, 1))
    gleam = np.exp(-(((across + 0.35) / 0.12) ** 2)) * rng.uniform(0, 0.5)
    colour = np.broadcast_to(body, (rows, columns, 3)) * shade[..., None] + gleam[..., None]
    return np.asarray(colour, np.float32), np.ones((rows, columns), np.float32)


def pen(rng: Rng) -> Thing:
    """Ballpoint or felt-tip with a cap and a tip."""
    length, width = rng.uniform(130, 150), rng.uniform(8, 13)
    body = hsv(rng.uniform(), rng.uniform(0.1, 0.9), rng.uniform(0.15, 0.9))
    colour, alpha = _rod(length, width, body, rng)
    rows, columns = alpha.shape
    tip = int(columns * 0.09)
    for k in range(tip):
        keep = 0.18 + 0.6 * k / tip
        edge = int(rows * (1 - keep) / 2)
        alpha[:edge, k] = alpha[rows - edge :, k] = 0
    colour[:, : tip // 2] *= 0.4
    cap = int(columns * rng.uniform(0.6, 0.8))
    colour[:, cap:] *= hsv(rng.uniform(), 0.5, 0.9) * 1.2
    colour[:, cap : cap + 5] *= 0.4
    clip = slice(rows // 3, rows // 3 + max(2, rows // 6))
    colour[clip, cap + 10 : -20] = colour[clip, cap + 10 : -20] * 0.3 + 0.4
    return Thing(((Sheet(colour, (length, width), alpha=alpha, thickness_mm=width * 0.7, gloss=0.15), 0.0),))


def pencil(rng: Rng) -> Thing:
    """Six-sided, sharpened."""
    length, width = rng.uniform(90, 178), 7.5
    colour, alpha = _rod(length, width, hsv(rng.uniform(), rng.uniform(0.5, 0.95), rng.uniform(0.3, 0.95)), rng)
    rows, columns = alpha.shape
    colour[: rows // 3] *= 0.75
    colour[2 * rows // 3 :] *= 0.6
    tip = 20 * 6
    lead = colour[rows // 2, columns // 2].copy() if rng.uniform() < 0.5 else linear([0.15, 0.15, 0.15])
    for k in range(tip):
        edge = int(rows * (1 - 0.12 - 0.88 * k / tip) / 2)
        alpha[:edge, k] = alpha[rows - edge :, k] = 0
        wave = tip * (0.85 + 0.1 * np.sin(np.linspace(0, 3 * np.pi, rows)))
        bare = k < wave
        colour[bare, k] = linear([0.55, 0.75, 0.88]) * np.linspace(1.0, 0.55, rows)[bare, None]
    colour[:, : tip // 4] = lead
    return Thing(((Sheet(colour, (length, width), alpha=alpha, thickness_mm=6.0, gloss=0.1), 0.0),))


def crayon(rng: Rng) -> Thing:
    """Short and thick, with a paper sleeve."""
    length, width = rng.uniform(50, 90), rng.uniform(9, 12)
    colour, alpha = _rod(length, width, hsv(rng.uniform(), 0.85, rng.uniform(0.5, 0.95)), rng)
    rows, columns = alpha.shape
    for k in range(columns // 8):
        edge = int(rows * 0.3 * (1 - 8 * k / columns))
        alpha[:edge, k] = alpha[rows - edge :, k] = 0
    colour[:, columns // 6 : columns // 6 + 8] *= 0.3
    colour[:, -columns // 6 :] *= 1.15
    return Thing(((Sheet(colour, (length, width), alpha=alpha, thickness_mm=width * 0.8), 0.0),))


def _disc(diameter: float, per_mm: float) -> tuple[Floats, Floats, Floats]:
    """Outline, radius 0..1 and angle (n, n) of a round thing."""
    n = max(16, round(diameter * per_mm))
    y, x = (np.mgrid[0:n, 0:n].astype(np.float32) + 0.5) / n * 2 - 1
    radius = np.hypot(x, y)
    return np.clip((1 - radius) * n / 2, 0, 1), radius, np.arctan2(y, x)


def cup(rng: Rng) -> Thing:
    """Mug with a handle and a drink in it, seen as rings at rising heights."""
    diameter, tall = rng.uniform(72, 98), rng.uniform(60, 100)
    glaze = hsv(rng.uniform(), rng.uniform(0, 0.8), rng.uniform(0.3, 0.95))
    outline, radius, angle = _disc(diameter, 3)
    side = glaze * np.clip(0.55 + 0.4 * np.cos(angle - 2.2), 0.15, 1)[..., None]
    layers = []
    steps = 26
    handle = np.zeros((24, 90), np.float32)
    cv2.rectangle(handle, (0, 7), (89, 16), 1.0, -1)
    grip = np.broadcast_to(glaze * 0.6, (24, 90, 3)).astype(np.float32)
    for k in range(steps):
        height = tall * k / steps
        if 0.2 < k / steps < 0.8:
            wide = diameter + 52 * (1 if 0.3 < k / steps < 0.7 else 0.85)
            bar = np.zeros((24, 90), np.float32)
            bar[7:17, 45:] = 1.0
            if 0.3 < k / steps < 0.7:
                bar[7:17, 45:82] = 0.0
            layers.append((Sheet(grip, (wide, 26), alpha=bar, thickness_mm=tall / steps, side=0.2), height))
        layers.append(
            (
                Sheet(
                    side.astype(np.float32),
                    (diameter,) * 2,
                    alpha=outline,
                    thickness_mm=tall / steps * 0.5,
                    side=float(glaze.mean()),
                ),
                height,
            )
        )
    drink = hsv(rng.choice([0.06, 0.1, 0.0, 0.55]), rng.uniform(0.1, 0.8), rng.uniform(0.08, 0.8))
    top = np.where((radius < 0.9)[..., None], drink * (0.5 + 0.5 * radius[..., None] ** 4), glaze * 0.95)
    depth_shade = np.clip(1 - 0.5 * ((radius > 0.74) & (radius < 0.9) & (np.cos(angle - 2.2) > 0)), 0, 1)
    layers.append(
        (
            Sheet(
                (top * depth_shade[..., None]).astype(np.float32),
                (diameter,) * 2,
                alpha=outline,
                thickness_mm=0.5,
                gloss=0.3,
                shine=0.8,
            ),
            tall,
        )
    )
    return Thing(tuple(layers))


def plate(rng: Rng) -> Thing:
    """Saucer or plate with a rim, perhaps biscuits on it."""
    diameter = rng.uniform(120, 210)
    outline, radius, angle = _disc(diameter, 2.5)
    glaze = hsv(rng.uniform(), rng.uniform(0, 0.3), rng.uniform(0.7, 0.95))
    tone = 1 - 0.25 * np.exp(-(((radius - 0.68) / 0.03) ** 2)) + 0.12 * np.cos(angle - 2) * (radius > 0.7)
    colour = glaze * tone[..., None]
    ring = hsv(rng.uniform(), 0.7, 0.6)
    colour = np.where(((radius > 0.9) & (radius < 0.95))[..., None], ring, colour)
    n = outline.shape[0]
    for _ in range(int(rng.integers(0, 4))):
        spot = (n / 2 + rng.uniform(-0.18, 0.18, 2) * n).astype(int)
        size = int(n * rng.uniform(0.1, 0.16))
        cv2.circle(colour, (spot + 4).tolist(), size, (glaze * 0.45).tolist(), -1, cv2.LINE_AA)
        cv2.circle(colour, spot.tolist(), size, hsv(0.09, 0.6, 0.65).tolist(), -1, cv2.LINE_AA)
    layer = Sheet(colour.astype(np.float32), (diameter,) * 2, alpha=outline, thickness_mm=9, gloss=0.25, shine=0.7)
    return Thing(((layer, 3.0),))


def phone(rng: Rng) -> Thing:
    """Phone with a dark screen, sometimes lit, or lying on its face in a coloured case."""
    size = (rng.uniform(68, 78), rng.uniform(140, 165))
    colour = np.empty((330, 160, 3), np.float32)
    face_up = rng.uniform() < 0.6
    colour[:] = hsv(rng.uniform(), rng.uniform(0, 0.7), rng.uniform(0.05, 0.7))
    glow = 0.0
    if face_up:
        colour[6:-6, 5:-5] = 0.012
        if rng.uniform() < 0.4:
            glow = 1.2
            colour[8:-8, 7:-7] = hsv(rng.uniform(), 0.4, 0.6)
            for row in range(4):
                for column in range(4):
                    spot = colour[50 + 55 * row : 80 + 55 * row, 16 + 36 * column : 42 + 36 * column]
                    spot[:] = hsv(rng.uniform(), 0.6, 0.9)
    else:
        for k in range(2):
            cv2.circle(colour, (34, 40 + 36 * k), 14, (0.02,) * 3, -1, cv2.LINE_AA)
            cv2.circle(colour, (34, 40 + 36 * k), 6, (0.1, 0.06, 0.05), -1, cv2.LINE_AA)
    sheet = Sheet(colour, size, 10, thickness_mm=8, gloss=0.5 if face_up else 0.15, shine=0.9, side=0.12, glow=glow)
    return Thing(((sheet, 0.0),))


def glasses(rng: Rng) -> Thing:
    """Spectacles: rims, bridge and one folded temple; the lenses darken a little."""
    colour = np.zeros((320, 840, 3), np.float32)
    colour[:] = hsv(rng.uniform(), rng.uniform(0, 0.6), rng.uniform(0.02, 0.4))
    rim = np.zeros((320, 840), np.float32)
    lens = np.zeros_like(rim)
    for x in (230, 610):
        cv2.ellipse(lens, (x, 140), (150, 112), 0, 0, 360, 0.1, -1, cv2.LINE_AA)
        cv2.ellipse(rim, (x, 140), (150, 112), 0, 0, 360, 1.0, 14, cv2.LINE_AA)
    cv2.ellipse(rim, (420, 130), (44, 26), 0, 180, 360, 1.0, 12, cv2.LINE_AA)
    cv2.line(rim, (82, 110), (60, 290), 1.0, 14, cv2.LINE_AA)
    cv2.line(rim, (60, 290), (700, 300), 1.0, 13, cv2.LINE_AA)
    cv2.line(rim, (758, 110), (780, 285), 1.0, 14, cv2.LINE_AA)
    colour[(lens > 0) & (rim < 0.5)] = (0.12, 0.11, 0.1)
    return Thing(((Sheet(colour, (140, 53), alpha=np.maximum(rim, lens), thickness_mm=4, gloss=0.3, shine=0.9), 12.0),))


def paper(rng: Rng) -> Thing:
    """Sheet with lines, writing or a child's drawing; also squared and torn-off notes."""
    w, h = ((210.0, 297.0), (148.0, 210.0), (90.0, 140.0))[int(rng.integers(3))]
    rows, columns = round(h * 3), round(w * 3)
    colour = np.empty((rows, columns, 3), np.float32)
    colour[:] = linear([0.93, 0.94, 0.95]) * rng.uniform(0.8, 1)
    ruled = hsv(0.6, 0.3, 0.75)
    if rng.uniform() < 0.6:
        colour[:: int(rng.choice([15, 24]))] = ruled
        if rng.uniform() < 0.5:
            colour[:, ::15] = ruled
    ink = hsv(rng.uniform(), rng.uniform(0.2, 0.9), rng.uniform(0.05, 0.5)).tolist()
    if rng.uniform() < 0.6:
        for row in range(40, rows - 30, 28):
            x = np.arange(24, int(columns * rng.uniform(0.4, 0.92)), 3)
            y = row + 7 * np.sin(x / rng.uniform(2.5, 5)) * rng.uniform(0.3, 1, len(x))
            y = np.where(np.sin(x / 23.0 + row) > -0.8, y, row)
            cv2.polylines(colour, [np.column_stack([x, y]).astype(np.int32)], False, ink, 1, cv2.LINE_AA)
    else:
        for _ in range(6):
            tone = hsv(rng.uniform(), 0.8, 0.7).tolist()
            t = np.linspace(0, 2 * np.pi * rng.uniform(0.6, 1.2), 40)
            a, b = rng.uniform(0.05, 0.25, 2) * columns
            spot = rng.uniform(0.2, 0.8, 2) * (columns, rows)
            curve = np.column_stack([spot[0] + a * np.cos(t), spot[1] + b * np.sin(t * rng.integers(1, 3))])
            cv2.polylines(colour, [curve.astype(np.int32)], False, tone, 5, cv2.LINE_AA)
    return Thing(((Sheet(colour, (w, h), 0.3, thickness_mm=0.15, side=0.8), 0.0),))


def note(rng: Rng) -> Thing:
    """Sticky note."""
    colour = np.empty((160, 160, 3), np.float32)
    colour[:] = hsv(rng.choice([0.15, 0.92, 0.33, 0.55]), rng.uniform(0.3, 0.6), 0.95)
    cv2.putText(
        colour8 := np.zeros((160, 160), np.uint8),
        "".join(rng.choice(list("ABCEHKMX123"), 4)),
        (12, 90),
        0,
        1.2,
        255,
        3,
        16,
    )
    colour[colour8 > 100] = 0.05
    side = rng.uniform(50, 76)
    return Thing(((Sheet(colour, (side, side), 0.2, thickness_mm=0.2, side=0.8), 0.0),))


def coin(rng: Rng) -> Thing:
    """Brass, copper or nickel."""
    diameter = rng.uniform(16, 30)
    outline, radius, angle = _disc(diameter, 8)
    metal = hsv(rng.choice([0.12, 0.06, 0.1]), rng.choice([0.5, 0.6, 0.08]), rng.uniform(0.4, 0.7))
    relief = 0.75 + 0.3 * np.cos(angle - 2.3) * np.exp(-(((radius - 0.9) / 0.05) ** 2))
    relief += 0.15 * noise(rng, outline.shape, (outline.shape[0] / 6,) * 2, 2) * (radius < 0.7)
    colour = (metal * relief[..., None]).astype(np.float32)
    return Thing(((Sheet(colour, (diameter,) * 2, alpha=outline, thickness_mm=1.8, gloss=0.6, shine=0.6), 0.0),))


def foreign_card(rng: Rng) -> Thing:
    """A card of another game: pips, a big letter, an arrow, or a back; other sizes than ours."""
    w, h = ((57.0, 88.0), (63.0, 88.0), (44.0, 68.0), (70.0, 120.0), (59.0, 59.0), (70.0, 70.0))[int(rng.integers(6))]
    rows, columns = round(h * 4), round(w * 4)
    kind = int(rng.integers(4))
    if kind == 0:
        colour = back_design(rng, (rows, columns))
    else:
        colour = np.empty((rows, columns, 3), np.float32)
        colour[:] = linear([0.93, 0.94, 0.95]) if rng.uniform() < 0.6 else hsv(rng.uniform(), 0.35, 0.9)
        ink = hsv(rng.choice([0.0, 0.6, 0.33, 0.08, 0.0]), 0.85, rng.uniform(0.1, 0.8)).tolist()
        if kind == 1:
            for y in np.linspace(0.22, 0.78, int(rng.integers(2, 5))):
                for x in (0.3, 0.7):
                    spot = (int(x * columns), int(y * rows))
                    cv2.circle(colour, spot, columns // 11, ink, -1, cv2.LINE_AA)
        else:
            mask = np.zeros((rows, columns), np.uint8)
            text = str(rng.choice(list("AKQJ23579SX")))
            cv2.putText(mask, text, (columns // 12, int(columns * 0.3)), 2, columns / 130, 255, 3, 16)
            colour[mask > 100] = ink
            if kind == 2:
                middle, size = np.array([columns / 2, rows / 2]), columns * 0.3
                arrow = np.array([[-1, -0.3], [0.2, -0.3], [0.2, -0.8], [1.1, 0], [0.2, 0.8], [0.2, 0.3], [-1, 0.3]])
                turn = rng.choice([0, 1, 2, 3]) * np.pi / 2
                spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
                cv2.fillPoly(colour, [(arrow @ spin * size + middle).astype(np.int32)], ink, cv2.LINE_AA)
            else:
                cv2.ellipse(
                    colour,
                    (columns // 2, rows // 2),
                    (columns // 4, rows // 4),
                    0,
                    0,
                    360,
                    hsv(rng.uniform(), 0.6, 0.7).tolist(),
                    -1,
                    cv2.LINE_AA,
                )
    gloss = rng.uniform(0, 0.5)
    return Thing(((Sheet(colour, (w, h), rng.uniform(1, 5), thickness_mm=0.35, gloss=gloss), 0.0),))


def book(rng: Rng) -> Thing:
    """Closed book or the lid of the game's box."""
    w, h, tall = rng.uniform(120, 200), rng.uniform(170, 260), rng.uniform(8, 40)
    colour = np.empty((400, 300, 3), np.float32)
    colour[:] = hsv(rng.uniform(), rng.uniform(0.2, 0.9), rng.uniform(0.15, 0.9))
    for _ in range(5):
        a, b = rng.integers(20, 280, 2), rng.integers(20, 380, 2)
        tone = hsv(rng.uniform(), rng.uniform(0.2, 0.9), rng.uniform(0.2, 0.95)).tolist()
        cv2.rectangle(colour, (int(min(a)), int(min(b))), (int(max(a)), int(max(b))), tone, -1)
    edge = np.full((8, 8, 3), 0.55, np.float32)
    steps = 10
    layers = [
        (Sheet(edge * (0.7 + 0.3 * (k % 2)), (w, h), 1.0, thickness_mm=tall / steps, side=0.6), tall * k / steps)
        for k in range(steps)
    ]
    layers.append((Sheet(colour, (w, h), 1.0, thickness_mm=0.5, gloss=0.2, shine=0.6), tall))
    return Thing(tuple(layers))


def brick(rng: Rng) -> Thing:
    """Toy building brick with studs."""
    tone = hsv(rng.choice([0.0, 0.6, 0.15, 0.33, 0.08]), 0.9, rng.uniform(0.4, 0.9))
    nx, ny = int(rng.integers(1, 4)) * 2, 2
    w, h = 8.0 * nx, 8.0 * ny
    top = np.broadcast_to(tone, (ny * 40, nx * 40, 3)).astype(np.float32).copy()
    for i in range(ny):
        for j in range(nx):
            spot = (40 * j + 20, 40 * i + 20)
            cv2.circle(top, (spot[0] + 3, spot[1] + 3), 13, (tone * 0.45).tolist(), -1, cv2.LINE_AA)
            cv2.circle(top, spot, 12, np.minimum(tone * 1.15 + 0.01, 0.9).tolist(), -1, cv2.LINE_AA)
    side = (tone * 0.6 * np.ones((4, 4, 1))).astype(np.float32)
    layers = [(Sheet(side, (w, h), 0.2, thickness_mm=1.2, side=0.1), 1.2 * k) for k in range(8)]
    layers.append((Sheet(top, (w, h), 0.2, thickness_mm=0.4, gloss=0.3, shine=0.7, side=0.2), 9.6))
    return Thing(tuple(layers))


def die(rng: Rng) -> Thing:
    """Die with one to six pips."""
    tone = hsv(rng.uniform(), rng.uniform(0, 0.8), rng.uniform(0.5, 0.95))
    top = np.broadcast_to(tone, (96, 96, 3)).astype(np.float32).copy()
    places = [(0, 0), (-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)]
    points = int(rng.integers(1, 7))
    chosen = places[1 : points + 1] if points % 2 == 0 else places[:points]
    ink = (0.02,) * 3 if tone.mean() > 0.25 else (0.9,) * 3
    for a, b in chosen:
        cv2.circle(top, (48 + 25 * a, 48 + 25 * b), 9, ink, -1, cv2.LINE_AA)
    side = rng.uniform(12, 18)
    layers = [
        (Sheet(top[:4, :4] * 0.6, (side, side), 1.5, thickness_mm=side / 8, side=0.2), side * k / 8) for k in range(8)
    ]
    layers.append((Sheet(top, (side, side), 1.5, thickness_mm=0.3, gloss=0.2), side))
    return Thing(tuple(layers))


THINGS: Mapping[str, Callable[[Rng], Thing]] = MappingProxyType(
    {
        "pen": pen,
        "pencil": pencil,
        "crayon": crayon,
        "cup": cup,
        "plate": plate,
        "phone": phone,
        "glasses": glasses,
        "paper": paper,
        "note": note,
        "coin": coin,
        "foreign-card": foreign_card,
        "book": book,
        "brick": brick,
        "die": die,
    }
)
"""Each thing by its name in a `Scene`."""


def covering(name: str, canvas: Canvas, spot: tuple[float, float], rng: Rng) -> None:
    """Lay a thing of `COVERS` so that it lies over the table point `spot` (mm)."""
    if name in {"hand", "finger"}:
        _reach_in(name == "finger", canvas, spot, rng)
        return
    thing = THINGS[name](rng)
    turn = float(rng.uniform(0, 360))
    along = float(rng.uniform(-0.4, 0.4)) * thing.size_mm[0]
    angle = math.radians(turn)
    thing.draw(canvas, spot[0] + along * math.cos(angle), spot[1] + along * math.sin(angle), turn)


def _reach_in(pointing: bool, canvas: Canvas, spot: tuple[float, float], rng: Rng) -> None:
    """A hand from the nearer side of the picture with its fingertip at `spot`."""
    width, height = canvas.camera.size
    pixel = canvas.camera.project(np.array([spot]))[0]
    sides = [(-1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, 1.0), (0.0, -1.0)]
    side = sides[int(rng.integers(len(sides)))]
    row, column = (int(np.clip(v, 2, n - 3)) for v, n in ((pixel[1], height), (pixel[0], width)))
    ahead = 2
    there = (
        float(canvas.table_x[int(row + ahead * side[1]), int(column + ahead * side[0])]),
        float(canvas.table_y[int(row + ahead * side[1]), int(column + ahead * side[0])]),
    )
    here = (float(canvas.table_x[row, column]), float(canvas.table_y[row, column]))
    away = math.degrees(math.atan2(there[1] - here[1], there[0] - here[0])) + rng.uniform(-25, 25)
    sheet, tip = hand_sheet(pointing, canvas.light.toward_key(*spot), away, rng)
    # The sheet's y axis runs from the fingertip to the elbow.
    turn = away - 90
    angle = math.radians(turn)
    c, s = math.cos(angle), math.sin(angle)
    x = spot[0] - (tip[0] * c - tip[1] * s)
    y = spot[1] - (tip[0] * s + tip[1] * c)
    canvas.lay(sheet, Place(x, y, turn, height_mm=4.0))
