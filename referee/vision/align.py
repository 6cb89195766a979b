"""Moving a card's outline until the picture inside it fits the face: inverse-compositional Gauss-Newton.

After Baker and Matthews, "Lucas-Kanade 20 Years On" (IJCV 2004), with a gain and an offset fitted per colour
channel at each step, so that shadow, warm light and exposure do not matter. Many cards at once: the pictures are
cut out one by one (a warp is OpenCV's), everything else is a few matrix products over the whole batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import overload

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.decode import HalfPhoto, Photo
from referee.vision.facebank import FaceBank, Floats, Templates

Doubles = NDArray[np.float64]
Pixels = NDArray[np.uint8]

SMALLEST = 160
"""Long side in pixels of the smallest level of a photograph, or up to twice that."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Pyramid:
    """A photograph at full, half, quarter... size. levels: (H, W, 3) uint8 BGR, each half the one before."""

    levels: Sequence[Pixels]

    @classmethod
    def of(cls, image: Pixels) -> Pyramid:
        return cls(_halved(image))

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the full image in pixels."""
        if isinstance(self.levels, _LateLevels):
            return self.levels.size
        return self.levels[0].shape[1], self.levels[0].shape[0]

    @classmethod
    def of_photo(cls, photo: Photo) -> Pyramid:
        """Of a decoded photograph; its full size is decoded when first needed."""
        if not isinstance(photo, HalfPhoto) or photo.half is None:
            return cls.of(photo.pixels)
        return cls(_LateLevels(photo, _halved(photo.half)))

    def smaller(self, most: int) -> Pyramid:
        """From the first level on that has no more than `most` pixels a side; all levels if none has."""
        return Pyramid(self.levels[self.level_within(most) :])

    def level_within(self, most: int) -> int:
        """The first level that has no more than `most` pixels a side; 0 if none has."""
        return next((k for k in range(len(self.levels)) if max(self.size) >> k <= most), 0)

    def grey(self, scale: float) -> NDArray[np.uint8]:
        """(H, W) the photograph in grey, `scale` (0..1) times as large."""
        width, height = self.size
        level = int(np.clip(np.floor(np.log2(1 / scale)), 0, len(self.levels) - 1))
        size = (round(width * scale), round(height * scale))
        grey = cv2.cvtColor(self.levels[level], cv2.COLOR_BGR2GRAY)
        if grey.shape[::-1] == size:
            return np.asarray(grey, dtype=np.uint8)
        return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def cut(self, corners: Doubles, size: tuple[int, int], margin: float = 0.0) -> Floats:
        """Rectify quads.

        corners: (N, 4, 2) image pixels; size: (width, height) of a patch in pixels; margin: how much of the
        surroundings to include on every side, as a fraction of the card's side. Returns (N, h, w, 3) float32.
        """
        return self.cut_bytes(corners, size, margin).astype(np.float32)

    def cut_bytes(self, corners: Doubles, size: tuple[int, int], margin: float = 0.0) -> Pixels:
        """As `cut`, (N, h, w, 3) uint8."""
        width, height = size
        out = np.empty((len(corners), height, width, 3), np.uint8)
        if not len(corners):
            return out
        level_of = self._levels(corners, size, margin)
        # Pixel centres: a half-size image is shifted by half a pixel less.
        shrink = np.zeros((len(corners), 3, 3))
        shrink[:, 0, 0] = shrink[:, 1, 1] = 0.5**level_of
        shrink[:, :2, 2] = ((0.5**level_of - 1) / 2)[:, None]
        shrink[:, 2, 2] = 1
        maps = shrink @ square_to_quads(corners, size, margin)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        for patch, homography, level in zip(out, maps, level_of.tolist(), strict=True):
            cv2.warpPerspective(self.levels[level], homography, size, patch, flags, cv2.BORDER_REPLICATE)
        return out

    def _levels(self, corners: Doubles, size: tuple[int, int], margin: float) -> NDArray[np.intp]:
        """The level at which a card has about as many pixels as the patch, rather more than fewer."""
        side = np.sqrt(np.maximum(areas(corners), 1.0))
        wanted = np.sqrt(size[0] * size[1]) / (1 + 2 * margin)
        level = np.floor(np.log2(np.maximum(side / wanted, 1.0)) + 0.3)
        return np.asarray(np.clip(level, 0, len(self.levels) - 1), dtype=np.intp)


class _LateLevels(Sequence[Pixels]):
    """Levels of a photograph, of which the first is decoded when it is first asked for."""

    def __init__(self, photo: Photo, smaller: tuple[Pixels, ...]) -> None:
        self._photo, self._smaller = photo, smaller
        self.size = 2 * smaller[0].shape[1], 2 * smaller[0].shape[0]

    @overload
    def __getitem__(self, index: int) -> Pixels: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Pixels, ...]: ...
    def __getitem__(self, index: int | slice) -> Pixels | tuple[Pixels, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        k = range(len(self))[index]
        return self._smaller[k - 1] if k else self._photo.pixels

    def __len__(self) -> int:
        return 1 + len(self._smaller)


def _halved(image: Pixels) -> tuple[Pixels, ...]:
    """A picture and its halves, down to about `SMALLEST` pixels."""
    levels = [image]
    while max(levels[-1].shape[:2]) > 2 * SMALLEST:
        half = (levels[-1].shape[1] // 2, levels[-1].shape[0] // 2)
        levels.append(np.asarray(cv2.resize(levels[-1], half, interpolation=cv2.INTER_AREA), dtype=np.uint8))
    return tuple(levels)


def areas(corners: Doubles) -> Doubles:
    """Signed areas (N,) of quads (N, 4, 2); positive when the corners run clockwise as seen (y down)."""
    following = np.roll(corners, -1, axis=1)
    cross = corners[..., 0] * following[..., 1] - corners[..., 1] * following[..., 0]
    return np.asarray(cross.sum(axis=1) / 2)


def shared_area(one: Doubles, two: Doubles) -> float:
    """Area that two convex outlines (K, 2) and (L, 2), each either way round, have in common: the first is clipped at
    each side of the second (Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974).

    `cv2.intersectConvexConvex` takes some outlines that touch in a corner for nested ones (OpenCV 5.0).
    """
    left = one.astype(np.float64)
    turn = np.sign(areas(two[None])[0])
    for start, end in zip(two, np.roll(two, -1, axis=0), strict=True):
        if not len(left):
            return 0.0
        side = end - start
        depth = turn * (side[0] * (left[:, 1] - start[1]) - side[1] * (left[:, 0] - start[0]))
        after, beyond = np.roll(left, -1, axis=0), np.roll(depth, -1)
        crossing = (depth >= 0) != (beyond >= 0)
        share = np.where(crossing, depth / np.where(crossing, depth - beyond, 1.0), 0.0)
        met = left + share[:, None] * (after - left)
        # Each corner that stays, and each point where an edge leaves or comes in, in order.
        left = np.stack([left, met], axis=1)[np.stack([depth >= 0, crossing], axis=1)]
    return abs(float(areas(left[None])[0])) if len(left) else 0.0


def square_to_quads(corners: Doubles, size: tuple[int, int], margin: float = 0.0) -> Doubles:
    """Homographies (N, 3, 3) from patch pixels (centres at whole numbers) to image pixels."""
    units = quads_from_unit_square(corners)
    width, height = size
    grow = 1 + 2 * margin
    to_unit = np.array(
        [
            [grow / width, 0, 0.5 * grow / width - margin],
            [0, grow / height, 0.5 * grow / height - margin],
            [0, 0, 1],
        ]
    )
    return np.asarray(units @ to_unit)


def quads_from_unit_square(corners: Doubles) -> Doubles:
    """Homographies (N, 3, 3) that take (0,0), (1,0), (1,1), (0,1) to the corners (N, 4, 2); closed form (Heckbert)."""
    p0, p1, p2, p3 = (corners[:, i] for i in range(4))
    d1, d2, s = p1 - p2, p3 - p2, p0 - p1 + p2 - p3
    det = d1[:, 0] * d2[:, 1] - d2[:, 0] * d1[:, 1]
    det = np.where(np.abs(det) < 1e-9, 1e-9, det)
    g = (s[:, 0] * d2[:, 1] - d2[:, 0] * s[:, 1]) / det
    h = (d1[:, 0] * s[:, 1] - s[:, 0] * d1[:, 1]) / det
    out = np.empty((len(corners), 3, 3))
    out[:, 0, 0], out[:, 1, 0] = (p1 - p0 + g[:, None] * p1).T
    out[:, 0, 1], out[:, 1, 1] = (p3 - p0 + h[:, None] * p3).T
    out[:, 0, 2], out[:, 1, 2] = p0.T
    out[:, 2, 0], out[:, 2, 1], out[:, 2, 2] = g, h, 1.0
    return out


def apply(homography: Doubles, points: Doubles) -> Doubles:
    """Points (..., 2) through a homography (3, 3)."""
    ones = np.ones((*points.shape[:-1], 1))
    mapped = np.concatenate([points, ones], axis=-1) @ homography.T
    return np.asarray(mapped[..., :2] / mapped[..., 2:])


@dataclass(slots=True)
class Aligner:
    """Aligns quads to faces of one deck; keeps the linear solver of each face, size, blur and freedom."""

    bank: FaceBank
    _solvers: dict[tuple[int, float, str], _Solvers] = field(default_factory=dict)

    def refine(
        self,
        pyramid: Pyramid,
        corners: Doubles,
        faces: NDArray[np.intp],
        short_side: int,
        blur: float = 0.0,
        freedom: str = "affine",
        steps: int = 6,
        shows: Floats | None = None,
    ) -> Doubles:
        """Refine quads.

        corners: (N, 4, 2) image pixels. faces: (N,) index of the face each is thought to show. short_side, blur:
        which templates. freedom: "placed" (shift and turn: the quad is already seen along the right plane),
        "rigid" (size too), "affine" or "homography". shows: (N, h, w) 0 where something hides the card.
        Returns the corners after at most so many `steps`; a quad that hardly moves any more is left alone, and one
        of which the little that shows led far away stays where it was.
        """
        if len(corners) > TOGETHER:
            parts = [slice(start, start + TOGETHER) for start in range(0, len(corners), TOGETHER)]
            hidden = (None if shows is None else shows[part] for part in parts)
            return np.concatenate(
                [
                    self.refine(pyramid, corners[part], faces[part], short_side, blur, freedom, steps, some)
                    for part, some in zip(parts, hidden, strict=True)
                ]
            )
        solvers = self._solver(short_side, blur, freedom)
        templates = solvers.templates
        width, height = templates.size
        quads = np.array(corners, dtype=np.float64)
        if not len(quads):
            return quads
        if shows is None:
            fit = _Fit.of(np.stack([solvers.rows(int(f)) for f in faces]))
        else:
            drawn = np.stack([solvers.drawn(int(f)) for f in faces])
            drawn *= (shows * templates.mask).reshape(len(quads), 1, 1, -1)
            fit = _Fit.of(_rows(drawn))
        rim = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], dtype=np.float64)
        rim[:, :2] -= 0.5
        live = np.arange(len(quads))
        for _ in range(steps):
            patch = pyramid.cut_bytes(quads[live], (width, height)).transpose(0, 3, 1, 2)
            step = np.clip(fit.step(patch.reshape(len(live), 3, -1).astype(np.float32)), -2.5, 2.5)
            moved = square_to_quads(quads[live], (width, height)) @ np.linalg.inv(_warps(step, freedom, width, height))
            mapped = np.einsum("nij,kj->nki", moved, rim)
            fresh = mapped[..., :2] / mapped[..., 2:]
            old = areas(quads[live])
            sane = np.isfinite(fresh).all((1, 2)) & (areas(fresh) > 0.3 * old) & (areas(fresh) < 3 * old)
            quads[live[sane]] = fresh[sane]
            going = sane & (np.abs(step).max(axis=1) > ARRIVED)
            if not going.any():
                break
            if not going.all():
                live, fit = live[going], fit.select(going)
        if shows is not None:
            gone = np.hypot(*(quads - corners).mean(axis=1).T) > GONE * np.sqrt(areas(corners))
            quads[gone] = corners[gone]
        return quads

    def _solver(self, short_side: int, blur: float, freedom: str) -> _Solvers:
        key = (short_side, round(blur, 2), freedom)
        if key not in self._solvers:
            self._solvers[key] = _Solvers(self.bank.at(short_side, blur), freedom)
        return self._solvers[key]


TOGETHER = 48
"""How many quads are aligned together: what they need of the deck's faces stays small."""
STIFF = 3000.0
"""Least stiffness of a movement (grey levels squared): a face with hardly any detail stays where it is."""
GONE = 0.25
"""How far a half-hidden card may move, in its sides, to be still the one that was guessed."""
ARRIVED = 0.02
"""Movement in pixels of the template below which a quad is left alone."""


def _rows(drawn: Floats) -> Floats:
    """(N, 3, P + 2, h*w) for each channel: from the residual picture to the step, then the face without its mean and
    where it shows; each is made of the `drawn` ones (N, 3, P + 2, h*w), masked, by least squares.

    The gain and the offset of each channel are free: they are eliminated from the normal equations (Schur complement).
    """
    moves = drawn.shape[2] - 2
    products = np.matmul(drawn, drawn.swapaxes(2, 3)).astype(np.float64)
    own, mixed, light = products[:, :, :moves, :moves], products[:, :, :moves, moves:], products[:, :, moves:, moves:]
    trace = np.trace(own, axis1=2, axis2=3).sum(axis=1)
    ridge = 1e-6 * (trace + np.trace(light, axis1=2, axis2=3).sum(axis=1)) / (moves + 6) + 1e-9
    # A little stiffness: directions in which the face has no detail must not run away.
    stiff = ridge + np.maximum(0.002 * trace / moves, STIFF)
    free = np.matmul(mixed, np.linalg.inv(light + ridge[:, None, None, None] * np.eye(2)))
    left = own.sum(axis=1) - np.matmul(free, mixed.swapaxes(2, 3)).sum(axis=1)
    inverse = np.linalg.inv(left + stiff[:, None, None] * np.eye(moves))
    made = np.zeros((*drawn.shape[:2], moves + 2, moves + 2))
    made[:, :, :moves, :moves] = inverse[:, None]
    made[:, :, :moves, moves:] = -np.matmul(inverse[:, None], free)
    made[:, :, moves, moves] = made[:, :, moves + 1, moves + 1] = 1
    made[:, :, moves, moves + 1] = -light[:, :, 0, 1] / np.maximum(light[:, :, 1, 1], 1.0)
    return np.asarray(np.matmul(made.astype(np.float32), drawn))


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A batch of cards being aligned: all that a step needs of a picture is its product with a few rows.

    rows: (N, 3, P + 2, h*w) as of `_rows`. The rest are products of the rows with each other: energy (N, 3) of the
    face, pull (N, P) of the face on the step, level (N, 3, P) of the mask on it, and area (N, 3) of the mask.
    """

    rows: Floats
    energy: Floats
    pull: Floats
    level: Floats
    area: Floats

    @classmethod
    def of(cls, rows: Floats) -> _Fit:
        with_face = np.matmul(rows, rows[:, :, -2, :, None])[..., 0]
        with_mask = np.matmul(rows, rows[:, :, -1, :, None])[..., 0]
        energy, area = np.maximum(with_face[:, :, -2], 1e-3), np.maximum(with_mask[:, :, -1], 1.0)
        return cls(rows, energy, with_face[:, :, :-2].sum(axis=1), with_mask[:, :, :-2], area)

    def select(self, keep: NDArray[np.bool_]) -> _Fit:
        return _Fit(self.rows[keep], self.energy[keep], self.pull[keep], self.level[keep], self.area[keep])

    def step(self, pictures: Floats) -> Floats:
        """(N, P) how far each card is to be moved, by its picture now (N, 3, h*w)."""
        products = np.matmul(self.rows, pictures[..., None])[..., 0]
        gain = products[:, :, -2] / self.energy
        gain = np.maximum(gain, 0.15 * np.maximum(gain.max(axis=1, keepdims=True), 0.2))
        mean = products[:, :, -1] / self.area
        moves = (products[:, :, :-2] - mean[:, :, None] * self.level) / gain[:, :, None]
        return np.asarray(moves.sum(axis=1) - self.pull, dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Solvers:
    """What the alignment to a deck's faces needs at one size, blur and freedom, each made when first used."""

    templates: Templates
    freedom: str
    _drawn: dict[int, Floats] = field(default_factory=dict)
    _rows: dict[int, Floats] = field(default_factory=dict)

    def drawn(self, face: int) -> Floats:
        """(3, P + 2, h*w) for each channel what moves when the face does, by each of the P parameters, then the face
        and ones: for a face of which part is hidden."""
        if face not in self._drawn:
            self._drawn[face] = _drawn(self.templates.images[face], self.templates.mask, self.freedom)
        return self._drawn[face]

    def rows(self, face: int) -> Floats:
        """(3, P + 2, h*w) what a picture is multiplied with, see `_rows`: for a face of which all shows."""
        if face not in self._rows:
            drawn = _drawn(self.templates.images[face], self.templates.mask, self.freedom)
            self._rows[face] = _rows(drawn[None])[0]
        return self._rows[face]


def _drawn(template: Floats, mask: Floats, freedom: str) -> Floats:
    """(3, P + 2, h*w) for each channel the derivatives of a face by the warp's parameters, then the face and ones.

    The parameters are in pixels of movement at the card's rim, so that they can be clipped alike.
    """
    height, width = mask.shape
    dx = cv2.Scharr(template, cv2.CV_32F, 1, 0, scale=1 / 32)
    dy = cv2.Scharr(template, cv2.CV_32F, 0, 1, scale=1 / 32)
    x = ((np.arange(width) - (width - 1) / 2) / (width / 2))[None, :, None].astype(np.float32)
    y = ((np.arange(height) - (height - 1) / 2) / (height / 2))[:, None, None].astype(np.float32)
    k = height / width
    if freedom == "placed":
        moved = [dx, dy, dy * x - dx * y * k]
    elif freedom == "rigid":
        moved = [dx, dy, dy * x - dx * y * k, dx * x + dy * y * k]
    else:
        moved = [dx, dy, dx * x, dx * y, dy * x, dy * y]
        if freedom == "homography":
            flow = dx * x + dy * y * (height / width)
            moved += [flow * x, flow * y]
    layers = np.stack([*moved, template, np.ones_like(template)]) * mask[:, :, None]
    return np.ascontiguousarray(layers.transpose(3, 0, 1, 2).reshape(3, len(layers), -1), dtype=np.float32)


def _warps(step: NDArray[np.float64] | Floats, freedom: str, width: int, height: int) -> Doubles:
    """(N, 3, 3) warps of template pixels for parameter steps (N, P), about the patch's middle."""
    count = len(step)
    unit = np.zeros((count, 3, 3))
    unit[:, 0, 0] = unit[:, 1, 1] = unit[:, 2, 2] = 1
    half_w, half_h = width / 2, height / 2
    unit[:, 0, 2], unit[:, 1, 2] = step[:, 0], step[:, 1]
    if freedom in ("placed", "rigid"):
        unit[:, 1, 0] += step[:, 2] / half_w
        unit[:, 0, 1] -= step[:, 2] / half_w
        if freedom == "rigid":
            unit[:, 0, 0] += step[:, 3] / half_w
            unit[:, 1, 1] += step[:, 3] / half_w
    else:
        unit[:, 0, 0] += step[:, 2] / half_w
        unit[:, 0, 1] += step[:, 3] / half_h
        unit[:, 1, 0] += step[:, 4] / half_w
        unit[:, 1, 1] += step[:, 5] / half_h
        if freedom == "homography":
            unit[:, 2, 0] -= step[:, 6] / half_w / half_w
            unit[:, 2, 1] -= step[:, 7] / half_w / half_h
    centre = np.array([[1, 0, (width - 1) / 2], [0, 1, (height - 1) / 2], [0, 0, 1]])
    return np.asarray(centre @ unit @ np.linalg.inv(centre))
