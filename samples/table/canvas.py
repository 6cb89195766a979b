"""Laying flat things on the table: antialiased warp, thickness, shadow, gloss, and who hides whom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from samples.table.camera import Camera
from samples.table.light import LightField

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Sheet:
    """A flat thing. `colour` (h, w, 3) linear BGR reflectance; `alpha` (h, w) 0..1, or None for a rounded
    rectangle with `corner_mm`. `side` is the reflectance of its cut edge.
    """

    colour: Floats
    size_mm: tuple[float, float]
    corner_mm: float = 0.0
    alpha: Floats | None = None
    thickness_mm: float = 0.3
    gloss: float = 0.0
    shine: float = 0.5
    side: float = 0.55
    glow: float = 0.0


@dataclass(frozen=True)
class Place:
    """Where a sheet lies: centre mm, clockwise degrees, the height of its underside, its tilt and its arch.

    `slope` (dx, dy) leans the surface (for gloss and light only); `bend_mm` lifts the middle (positive) or the
    two ends (negative) along `bend_axis` (0: ends are left and right, 1: top and bottom).
    """

    x: float
    y: float
    turn: float = 0.0
    height_mm: float = 0.0
    slope: tuple[float, float] = (0.0, 0.0)
    bend_mm: float = 0.0
    bend_axis: int = 0

    def to_table(self, local: npt.ArrayLike) -> Doubles:
        """Points (n, 2) mm in the sheet's own axes to table mm."""
        angle = math.radians(self.turn)
        turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        return np.asarray(np.asarray(local, np.float64) @ turn + (self.x, self.y))


@dataclass
class _Drawn:
    name: str
    box: Box
    alpha: npt.NDArray[np.uint8]


def corners_mm(size_mm: tuple[float, float]) -> Doubles:
    """The four corners (4, 2) of a sheet in its own axes, clockwise from the top left."""
    w, h = size_mm[0] / 2, size_mm[1] / 2
    return np.array([[-w, -h], [w, -h], [w, h], [-w, h]])


def arch(u: Doubles | Floats, bend_mm: float) -> Doubles | Floats:
    """Height of a bent sheet above its underside; `u` -1..1 across it."""
    return bend_mm * (1 - u * u) if bend_mm >= 0 else -bend_mm * (u * u)


def outline_px(camera: Camera, sheet: Sheet, place: Place) -> Doubles:
    """Pixels (4, 2) of the corners of the sheet's upper face, clockwise from its own top left."""
    local = corners_mm(sheet.size_mm)
    u = local[:, place.bend_axis] / (sheet.size_mm[place.bend_axis] / 2)
    height = place.height_mm + sheet.thickness_mm + arch(u, place.bend_mm)
    return camera.project(place.to_table(local), height)


@dataclass
class Canvas:
    """The picture as it grows: `radiance` (H, W, 3) in linear light, and what each pixel sees of the table."""

    camera: Camera
    table_x: Floats
    table_y: Floats
    light: LightField
    radiance: Floats
    drawn: list[_Drawn] = field(default_factory=list)

    def lay(self, sheet: Sheet, place: Place, name: str = "", quick: bool = False) -> None:
        """Put a sheet on top of what is there; `name` lets `hidden` ask about it later.

        `quick`: one sample a pixel and no shadow of its own, for the inner layers of a solid thing.
        """
        box = self._box(sheet, place, 0.5 if quick else 3.0 + 3 * (sheet.thickness_mm + abs(place.bend_mm)))
        if box is None:
            return
        left, top, right, bottom = box
        area = (slice(top, bottom), slice(left, right))
        if not quick:
            self._darken(sheet, place)
        zoom = 1 if quick else 3 if (right - left) * (bottom - top) < 60_000 else 2
        grid_x, grid_y = self._grid(box, zoom)
        per_px = self._pixel_mm(grid_x, grid_y)
        lift = place.height_mm + sheet.thickness_mm
        u, v = self._local(grid_x, grid_y, place, lift, sheet)
        cover, inside = _cover(sheet, u, v, per_px)
        premultiplied = _sample(sheet.colour, sheet.size_mm, u, v, per_px)
        premultiplied *= (self._relief(sheet, place, u, v, inside) * cover)[..., None]
        alpha = cover
        if sheet.thickness_mm > 0.15 and not quick:
            low_u, low_v = self._local(grid_x, grid_y, place, place.height_mm, None)
            alpha = np.maximum(_cover(sheet, low_u, low_v, per_px)[0], cover)
            premultiplied += (np.float32(sheet.side * 0.7) * (alpha - cover))[..., None]
        size = (right - left, bottom - top)
        alpha, paint = _shrink(alpha, size), _shrink(premultiplied, size)
        lit = paint * (self.light.irradiance[area] + np.float32(sheet.glow))
        if sheet.gloss > 0.01:
            mirrored = self.light.mirror(self.table_x[area], self.table_y[area], place.slope, sheet.shine)
            strength = sheet.gloss * (0.25 + 1.25 * self.light.lamp_share[area]).clip(0, 1.2)
            lit += mirrored * (strength * alpha)[..., None]
        room = self.radiance[area]
        room *= (1 - alpha)[..., None]
        room += lit
        self.drawn.append(_Drawn(name, box, np.round(alpha * 255).astype(np.uint8)))

    def lay_solid(self, layers: Sequence[tuple[Sheet, float]], place: Place) -> None:
        """Build a solid thing from sheets at heights (mm), lowest first; it throws one shadow as a whole."""
        largest = max((sheet for sheet, _ in layers), key=lambda s: s.size_mm[0] * s.size_mm[1])
        top = max(height + sheet.thickness_mm for sheet, height in layers)
        for part in (1.0, 0.66, 0.33):
            tall = replace(largest, thickness_mm=top * part)
            self._darken(tall, place, strength=0.55)
        for index, (sheet, height) in enumerate(layers):
            at = replace(place, height_mm=place.height_mm + height)
            self.lay(sheet, at, quick=True) if index < len(layers) - 1 else self._finish(sheet, at)

    def _finish(self, sheet: Sheet, place: Place) -> None:
        shadowless = replace(sheet, thickness_mm=min(sheet.thickness_mm, 0.1))
        self.lay(shadowless, place)

    def hidden(self, name: str) -> float:
        """The part 0..1 of the sheet called `name`, as far as it is in the picture, that later things cover."""
        index = next((k for k, d in enumerate(self.drawn) if d.name == name), None)
        if index is None:
            return 1.0
        mine = self.drawn[index]
        left, top, right, bottom = mine.box
        seen = mine.alpha.astype(np.float32) / 255
        total = float(seen.sum())
        for other in self.drawn[index + 1 :]:
            l2, t2, r2, b2 = other.box
            a, b, c, d = max(left, l2), max(top, t2), min(right, r2), min(bottom, b2)
            if a < c and b < d:
                over = other.alpha[b - t2 : d - t2, a - l2 : c - l2].astype(np.float32) / 255
                # Neighbours' antialiased rims are not a cover.
                seen[b - top : d - top, a - left : c - left] *= np.where(over > 0.6, 1 - over, 1)
        return float(np.clip(1 - seen.sum() / max(total, 1e-6), 0, 1))

    def _box(self, sheet: Sheet, place: Place, reach_mm: float) -> Box | None:
        w, h = sheet.size_mm[0] / 2 + reach_mm, sheet.size_mm[1] / 2 + reach_mm
        ring = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
        table = place.to_table(ring)
        top_mm = place.height_mm + sheet.thickness_mm + abs(place.bend_mm)
        pixels = np.vstack([self.camera.project(table), self.camera.project(table, top_mm)])
        low = np.floor(pixels.min(axis=0)).astype(int) - 2
        high = np.ceil(pixels.max(axis=0)).astype(int) + 3
        width, height = self.camera.size
        left, top = max(0, int(low[0])), max(0, int(low[1]))
        right, bottom = min(width, int(high[0])), min(height, int(high[1]))
        return (left, top, right, bottom) if left < right and top < bottom else None

    def _grid(self, box: Box, zoom: int) -> tuple[Floats, Floats]:
        """Table points of a crop with `zoom` samples along a pixel's side."""
        left, top, right, bottom = box
        if zoom == 1:
            return self.table_x[top:bottom, left:right], self.table_y[top:bottom, left:right]
        width, height = self.camera.size
        pad = (max(0, left - 1), max(0, top - 1), min(width, right + 1), min(height, bottom + 1))
        out = []
        for plane in (self.table_x, self.table_y):
            part = plane[pad[1] : pad[3], pad[0] : pad[2]]
            fine = cv2.resize(part, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_LINEAR)
            rows = slice((top - pad[1]) * zoom, (top - pad[1] + bottom - top) * zoom)
            columns = slice((left - pad[0]) * zoom, (left - pad[0] + right - left) * zoom)
            out.append(np.ascontiguousarray(fine[rows, columns], np.float32))
        return out[0], out[1]

    @staticmethod
    def _pixel_mm(x: Floats, y: Floats) -> float:
        """Millimetres a sample, in the direction in which samples are densest."""
        row, column = x.shape[0] // 2, x.shape[1] // 2
        steps = []
        for dr, dc in ((1, 0), (0, 1)):
            r, c = min(row + dr, x.shape[0] - 1), min(column + dc, x.shape[1] - 1)
            steps.append(math.hypot(float(x[r, c] - x[row, column]), float(y[r, c] - y[row, column])))
        return max(min(s for s in steps if s > 0) if any(steps) else 0.1, 1e-3)

    def _local(self, x: Floats, y: Floats, place: Place, height: float, bent: Sheet | None) -> tuple[Floats, Floats]:
        """Sheet axes (mm) of what the samples see at a height above the table."""
        angle = math.radians(place.turn)
        c, s = math.cos(angle), math.sin(angle)
        lens = self.camera.position
        above = self.camera.height_mm
        if bent is None or not place.bend_mm:
            # A point at height h on the ray through table point T is T + (lens - T) h / H: affine in T.
            near = 1 - height / above
            dx, dy = float(lens[0]) * (1 - near) - place.x, float(lens[1]) * (1 - near) - place.y
            u = cv2.addWeighted(x, near * c, y, near * s, dx * c + dy * s)
            v = cv2.addWeighted(x, -near * s, y, near * c, -dx * s + dy * c)
            return np.asarray(u, np.float32), np.asarray(v, np.float32)

        def at(h: float | Floats) -> tuple[Floats, Floats]:
            dx = x + (np.float32(lens[0]) - x) * (h / above) - np.float32(place.x)
            dy = y + (np.float32(lens[1]) - y) * (h / above) - np.float32(place.y)
            return (
                np.asarray(dx * np.float32(c) + dy * np.float32(s), np.float32),
                np.asarray(dy * np.float32(c) - dx * np.float32(s), np.float32),
            )

        u, v = at(height)
        for _ in range(2):
            along = (u, v)[place.bend_axis] / np.float32(bent.size_mm[place.bend_axis] / 2)
            u, v = at(np.asarray(height + arch(np.clip(along, -1.2, 1.2), place.bend_mm), np.float32))
        return u, v

    def _relief(self, sheet: Sheet, place: Place, u: Floats, v: Floats, inside: Floats) -> Floats:
        """Lightness factor: the arch turned to or from the lamp, and the rounded rim of the cut."""
        lx, ly, up = self.light.toward_key(place.x, place.y)
        angle = math.radians(place.turn)
        across = (lx * math.cos(angle) + ly * math.sin(angle), -lx * math.sin(angle) + ly * math.cos(angle))
        key = float(self.light.key.power.mean() / max(self.light.mean_colour.mean(), 1e-3))
        shade = np.ones_like(u)
        lean = -(place.slope[0] * lx + place.slope[1] * ly) / max(up, 0.25)
        shade += np.float32(key * lean)
        if place.bend_mm:
            half = sheet.size_mm[place.bend_axis] / 2
            slope = -2 * place.bend_mm / half * ((u, v)[place.bend_axis] / half)
            shade -= np.float32(key * across[place.bend_axis] / max(up, 0.3)) * slope
        if sheet.alpha is None and sheet.thickness_mm > 0.1:
            w, h = sheet.size_mm[0] / 2, sheet.size_mm[1] / 2
            rim = np.clip(1 - inside / np.float32(0.25 + 0.5 * sheet.thickness_mm), 0, 1)
            horizontal = (w - np.abs(u)) < (h - np.abs(v))
            facing = np.where(horizontal, np.sign(u) * across[0], np.sign(v) * across[1])
            shade *= 1 + rim * (0.35 * key * facing - 0.1)
        return np.clip(shade, 0.3, 1.6)

    def _darken(self, sheet: Sheet, place: Place, strength: float = 1.0) -> None:
        """Take light from what lies below: the lamp's shadow and the dark foot of the edge."""
        top = place.height_mm + sheet.thickness_mm + 0.6 * abs(place.bend_mm)
        shift = np.array(self.light.shadow_shift(place.x, place.y, top))
        stretch = float(np.hypot(*shift))
        if stretch > 2.5 * top:  # a lamp near the horizon
            shift *= 2.5 * top / stretch
        lamp = self.light.key
        key = float(lamp.power.mean() / max(self.light.mean_colour.mean(), 1e-3))
        soft = float(np.clip(top * lamp.size_mm / max(lamp.at[2], 100.0), 0.25, 0.25 * min(sheet.size_mm) + 1))
        near = min(1.0 + 0.5 * top, 6.0)
        box = self._box(
            replace(sheet, thickness_mm=0.0),
            replace(place, height_mm=0.0, bend_mm=0.0),
            2.0 + near * 2 + soft * 2 + float(np.abs(shift).max()),
        )
        if box is None:
            return
        x, y = self._grid(box, 1)
        per_px = self._pixel_mm(x, y)
        soft = max(soft, 0.7 * per_px)
        shifted = replace(place, x=place.x + float(shift[0]), y=place.y + float(shift[1]), bend_mm=0.0)
        u, v = self._local(x, y, shifted, 0.0, None)
        low_u, low_v = self._local(x, y, place, 0.0, None)
        if sheet.alpha is None:
            cast = np.clip(0.5 + _inside(sheet, u, v) / np.float32(2 * soft), 0, 1)
            foot = np.exp(np.clip(_inside(sheet, low_u, low_v), -8 * near, 0) / np.float32(0.35 * near))
        else:
            room = _padded(sheet.size_mm)
            blurred = _soften(sheet.alpha, sheet.size_mm, soft)
            cast = _sample(blurred[..., None], room, u, v, per_px, border=0.0)[..., 0]
            wide = _soften(sheet.alpha, sheet.size_mm, near)
            foot = _sample(wide[..., None], room, low_u, low_v, per_px, border=0.0)[..., 0]
        share = self.light.lamp_share[box[1] : box[3], box[0] : box[2]]
        dark = np.clip(share * 0.95 * cast + (1 - key) * 0.7 * foot, 0, 0.95) * np.float32(strength)
        self.radiance[box[1] : box[3], box[0] : box[2]] *= (1 - dark)[..., None]


def _inside(sheet: Sheet, u: Floats, v: Floats) -> Floats:
    """Distance in mm from the outline of a rounded rectangle, positive inside."""
    r = np.float32(sheet.corner_mm)
    qx = np.abs(u) - np.float32(sheet.size_mm[0] / 2) + r
    qy = np.abs(v) - np.float32(sheet.size_mm[1] / 2) + r
    outside = np.sqrt(np.maximum(qx, 0) ** 2 + np.maximum(qy, 0) ** 2)
    return np.asarray(r - outside - np.minimum(np.maximum(qx, qy), 0), np.float32)


def _cover(sheet: Sheet, u: Floats, v: Floats, per_px: float) -> tuple[Floats, Floats]:
    """How much of each sample the sheet covers, and the distance inside its outline (mm)."""
    inside = _inside(sheet, u, v)
    if sheet.alpha is None:
        return np.clip(0.5 + inside / np.float32(per_px), 0, 1), inside
    alpha = _sample(sheet.alpha[..., None], sheet.size_mm, u, v, per_px, border=0.0)[..., 0]
    return np.clip(alpha, 0, 1), inside


def _sample(
    texture: Floats, size_mm: tuple[float, float], u: Floats, v: Floats, per_px: float, border: float | None = None
) -> Floats:
    """Texture (h, w, n) at sheet points, from a copy reduced to about one texel a sample."""
    rows, columns = texture.shape[:2]
    shrink = per_px * columns / size_mm[0]
    if shrink > 1.2:
        smaller = (max(1, round(columns / shrink)), max(1, round(rows / shrink)))
        reduced = np.asarray(cv2.resize(texture, smaller, interpolation=cv2.INTER_AREA), np.float32)
        texture = reduced.reshape(smaller[1], smaller[0], -1)
        columns, rows = smaller
    map_x = (u / np.float32(size_mm[0]) + np.float32(0.5)) * np.float32(columns) - np.float32(0.5)
    map_y = (v / np.float32(size_mm[1]) + np.float32(0.5)) * np.float32(rows) - np.float32(0.5)
    mode = cv2.BORDER_REPLICATE if border is None else cv2.BORDER_CONSTANT
    out = cv2.remap(texture, map_x, map_y, cv2.INTER_LINEAR, borderMode=mode, borderValue=border or 0.0)
    return np.asarray(out.reshape(*u.shape, texture.shape[2]), np.float32)


def _padded(size_mm: tuple[float, float]) -> tuple[float, float]:
    return (size_mm[0] * 1.5, size_mm[1] * 1.5)


def _soften(alpha: Floats, size_mm: tuple[float, float], soft_mm: float) -> Floats:
    """The outline blurred by `soft_mm`, on a canvas half as large again so that the blur has room."""
    rows, columns = alpha.shape
    scale = min(1.0, 2.0 / max(soft_mm * columns / size_mm[0], 1e-6) + 0.15)
    fitted = (4 * max(1, round(columns * scale / 4)), 4 * max(1, round(rows * scale / 4)))
    small = cv2.resize(alpha, fitted, interpolation=cv2.INTER_AREA)
    h, w = small.shape
    padded = cv2.copyMakeBorder(small, h // 4, h // 4, w // 4, w // 4, cv2.BORDER_CONSTANT, value=0)
    sigma = max(0.3, soft_mm * w / size_mm[0] / 2)
    return np.asarray(cv2.GaussianBlur(padded, (0, 0), sigma), np.float32)


def _shrink(fine: Floats, size: tuple[int, int]) -> Floats:
    """Average the samples of each pixel; `size` (width, height) px."""
    return np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32)
