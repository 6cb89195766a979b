"""Outlines of four straight sides in a photograph, from many simple cues; most of them are no cards.

Every channel is cut at several levels, compared with its surroundings in two window sizes, and its edges are closed;
what the contours enclose and four sides describe well is a candidate. Each side of a candidate is then fitted anew to
the edges of the picture, so that rounded corners and a coarse threshold do not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels, areas
from referee.vision.facebank import Floats

LEVELS = 9
"""How many thresholds cut each channel."""
SMALLEST = 1 / 55
"""Shortest side of a candidate, as a fraction of the picture's long side."""
LARGEST = 0.62
"""Largest share of the picture that a candidate may cover."""
FILLED = 0.86
"""Share of its quad that a contour must fill; a card with round corners fills 0.97."""
SAME = 0.05
"""Quads whose corners all differ by less than this fraction of a side are one."""
TABLE_ENDS = (1.2, 2.6)
"""Between these rarities (see `unlike_the_rim`) lies the limit from which on a colour is not the table's."""
_SAMPLES = 25
_REACH = 8
_AT_ONCE = 64
"""Samples along a side, and steps to either side of it, of the refit."""


@dataclass(frozen=True, slots=True, eq=False)
class Quads:
    """Candidates. corners: (N, 4, 2) px, clockwise; votes: (N,) how many cues showed it."""

    corners: Doubles
    votes: NDArray[np.intp]

    def select(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> Quads:
        return Quads(self.corners[keep], self.votes[keep])

    def __len__(self) -> int:
        return len(self.corners)


def find_quads(image: Pixels, aspect: float, strength: Floats, regions: Iterable[Pixels]) -> Quads:
    """Candidates in a picture (H, W, 3) uint8 BGR for cards whose long side is `aspect` times the short one.

    strength: of the same picture, from `edge_strength`; regions: black and white pictures of what is no table.
    """
    shortest, largest = _sizes(image.shape[:2])
    found = [q for mask in [*cues(image), *regions] for q in _outlines(mask, shortest, largest, aspect)]
    half = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    for mask in levels(half):  # what one level shows as a region it shows in a small picture as well
        found += [q * 2 + 0.5 for q in _outlines(mask, shortest / 2, largest / 4, aspect)]
    return _refined(found, aspect, strength)


def quads_of_regions(regions: Iterable[Pixels], aspect: float, strength: Floats) -> Quads:
    """Candidates among regions only, black and white pictures (H, W) uint8 of what is no table: little, but quick."""
    shortest, largest = _sizes(strength.shape[:2])
    return _refined([q for mask in regions for q in _outlines(mask, shortest, largest, aspect)], aspect, strength)


def _sizes(shape: tuple[int, ...]) -> tuple[float, float]:
    """Shortest side (px) and largest area (px squared) of a candidate in a picture of this height and width."""
    return max(12.0, SMALLEST * max(shape)), LARGEST * shape[0] * shape[1]


def _refined(found: list[NDArray[np.float32]], aspect: float, strength: Floats) -> Quads:
    """These outlines (4, 2) px with their sides laid through the picture's edges, each but once."""
    if not found:
        return Quads(np.empty((0, 4, 2)), np.empty(0, dtype=np.intp))
    corners = clockwise(np.array(found, dtype=np.float64))
    corners = corners[_plausible(corners, aspect)]
    merged = merge(Quads(corners, np.ones(len(corners), dtype=np.intp)))
    refined = refit(strength, merged.corners)
    refined = refit(strength, refined, 0.03)
    good = _plausible(refined, aspect)
    return merge(Quads(refined[good], merged.votes[good]), 0.03)


def levels(image: Pixels) -> Iterator[Pixels]:
    """Black and white pictures (H, W) uint8: every channel cut at several levels."""
    _, channels = _channels(image)
    for channel in channels:
        cuts = np.linspace(255 / (LEVELS + 1), 255 - 255 / (LEVELS + 1), LEVELS)
        otsu, _ = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        for cut in [*cuts, otsu]:
            yield np.asarray(cv2.threshold(channel, float(cut), 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)


def _channels(image: Pixels) -> tuple[list[Pixels], list[Pixels]]:
    """L, a and b, and the same and the saturation spread over all levels."""
    smooth = cv2.GaussianBlur(image, (0, 0), max(image.shape[:2]) / 1100)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)
    plain = [np.asarray(lab[..., i], dtype=np.uint8) for i in range(3)]
    channels = [stretched(channel) for channel in plain]
    channels.append(stretched(np.asarray(smooth.max(axis=2) - smooth.min(axis=2), dtype=np.uint8)))
    return plain, channels


def cues(image: Pixels) -> Iterator[Pixels]:
    """Black and white pictures (H, W) uint8: what differs from its surroundings, and what edges enclose."""
    plain, channels = _channels(image)
    long_side = max(image.shape[:2])
    for channel in channels[:3]:
        for share in (1 / 40, 1 / 10):
            window = int(long_side * share) | 1
            mean = cv2.blur(channel, (window, window)).astype(np.int16)
            for offset in (-6, 6):
                mask = (channel.astype(np.int16) > mean + offset).astype(np.uint8) * np.uint8(255)
                yield mask
                yield np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), dtype=np.uint8)
    for low in (18, 40, 80):
        edges = np.zeros(image.shape[:2], np.uint8)
        for channel in plain:
            np.maximum(edges, cv2.Canny(channel, low, 2 * low, L2gradient=True), out=edges)
        for size in (3, 5):
            yield 255 - np.asarray(cv2.dilate(edges, np.ones((size, size), np.uint8)), dtype=np.uint8)


def closed_regions(rarity: Floats) -> Iterator[tuple[Pixels, Pixels]]:
    """Black and white pictures (H, W) uint8 of what is unlike the table, with gaps of several widths closed, each with
    the picture before they were.
    """
    long_side = max(rarity.shape)
    limit = table_limit(rarity)
    for least in (0.7 * limit, limit, min(1.5 * limit, 6.0)):
        mask = (rarity > least).astype(np.uint8) * np.uint8(255)
        for share in (0, 1 / 250, 1 / 110):
            size = max(3, round(long_side * share) | 1)
            kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
            closed = mask if share == 0 else cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
            opened = np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), dtype=np.uint8)
            yield opened, np.asarray(mask, dtype=np.uint8)


def halves(image: Pixels) -> Iterator[tuple[Pixels, Pixels]]:
    """The two halves of every channel (Otsu), each with gaps and specks removed and as it is, (H, W) uint8.

    They show cards on the table where cards lie up to the rim of the picture too.
    """
    size = max(3, round(max(image.shape[:2]) / 140) | 1)
    kernel = np.ones((size, size), np.uint8)
    for channel in _channels(image)[1]:
        _, high = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        for half in (high, 255 - high):
            closed = cv2.morphologyEx(half, cv2.MORPH_CLOSE, kernel)
            opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel)
            yield np.asarray(opened, dtype=np.uint8), np.asarray(half, dtype=np.uint8)


def table_limit(rarity: Floats) -> float:
    """The rarity that parts table and things best (Otsu), within `TABLE_ENDS`."""
    levels = np.clip(rarity * 25, 0, 255).astype(np.uint8)
    otsu, _ = cv2.threshold(levels, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return float(np.clip(otsu / 25, *TABLE_ENDS))


def stretched(channel: NDArray[np.uint8]) -> Pixels:
    """The channel with its 1st to 99th percentile spread over 0..255."""
    low, high = np.percentile(channel[::4, ::4], (1, 99))
    gain = 255.0 / max(float(high - low), 24.0)
    return np.asarray(cv2.convertScaleAbs(np.maximum(channel, low), alpha=gain, beta=-low * gain), dtype=np.uint8)


def _outlines(mask: Pixels, shortest: float, largest: float, aspect: float) -> Iterator[NDArray[np.float32]]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    least_area = shortest * shortest
    for contour in contours:
        if len(contour) < 4:
            continue
        _, _, width, height = cv2.boundingRect(contour)
        if min(width, height) < shortest or not least_area <= width * height <= 2 * largest:
            continue
        area = cv2.contourArea(contour)
        if not least_area <= area <= largest:
            continue
        hull = cv2.convexHull(contour)
        hull_area = cv2.contourArea(hull)
        if len(hull) < 4:
            continue
        if area < FILLED * hull_area:
            if area > 1.5 * least_area:
                yield from _ends(np.asarray(contour, dtype=np.int32), shortest, aspect)
            continue
        quad = cv2.approxPolyN(hull, 4, ensure_convex=True).reshape(-1, 2)
        if len(quad) == 4 and area > FILLED * cv2.contourArea(quad):
            yield quad.astype(np.float32)


def _ends(contour: NDArray[np.int32], shortest: float, aspect: float) -> Iterator[NDArray[np.float32]]:
    """Cards that stick out of a region of touching cards: three sides are on its outline, the shape sets the fourth."""
    for tolerance in (0.2, 0.45, 0.9):
        polygon = cv2.approxPolyDP(contour, tolerance * shortest, True).reshape(-1, 2).astype(np.float64)
        if 5 <= len(polygon) <= 60:
            yield from _ends_of(polygon, shortest, aspect)


def _ends_of(polygon: Doubles, shortest: float, aspect: float) -> Iterator[NDArray[np.float32]]:
    count = len(polygon)
    if cv2.contourArea(polygon.astype(np.float32), True) < 0:
        polygon = polygon[::-1]
    sides = np.roll(polygon, -1, axis=0) - polygon
    length = np.hypot(*sides.T)
    unit = sides / np.maximum(length, 1e-9)[:, None]
    following = np.roll(unit, -1, axis=0)
    sine = unit[:, 0] * following[:, 1] - unit[:, 1] * following[:, 0]  # at the end of each side
    depths = (1.0,) if aspect < 1.02 else (aspect, 1 / aspect)
    before, after = np.roll(np.arange(count), 1), np.roll(np.arange(count), -1)
    fits = (length >= shortest) & (sine[before] >= 0.7) & (sine >= 0.7)
    for i in np.flatnonzero(fits):
        one, two = length[before[i]], length[after[i]]
        for depth in depths:
            deep = depth * length[i]
            if deep < shortest or max(one, two) < 0.75 * deep or min(one, two) < 0.3 * deep:
                continue
            start, end = polygon[i], polygon[after[i]]
            quad = np.array([start, end, end + unit[after[i]] * deep, start - unit[before[i]] * deep])
            yield quad.astype(np.float32)


def clockwise(corners: Doubles) -> Doubles:
    """The quads (N, 4, 2) with their corners clockwise as seen (y down)."""
    turned = areas(corners) < 0
    corners = corners.copy()
    corners[turned] = corners[turned][:, ::-1]
    return corners


def _plausible(corners: Doubles, aspect: float) -> NDArray[np.bool_]:
    """Whether a quad (N, 4, 2) can be the picture of a card: convex, not too skew, about the right shape."""
    sides = np.roll(corners, -1, axis=1) - corners
    length = np.hypot(sides[..., 0], sides[..., 1])
    following = np.roll(sides, -1, axis=1)
    cross = sides[..., 0] * following[..., 1] - sides[..., 1] * following[..., 0]
    sine = cross / np.maximum(length * np.roll(length, -1, axis=1), 1e-9)
    one, two = length[:, 0] + length[:, 2], length[:, 1] + length[:, 3]
    ratio = np.maximum(one, two) / np.maximum(np.minimum(one, two), 1e-9)
    opposite = np.minimum(length[:, :2], length[:, 2:]) / np.maximum(np.maximum(length[:, :2], length[:, 2:]), 1e-9)
    return np.asarray(
        (sine > 0.5).all(axis=1) & (opposite > 0.6).all(axis=1) & (ratio < 1.9 * aspect) & (ratio > aspect / 1.9)
    )


def merge(quads: Quads, same: float = SAME) -> Quads:
    """Quads that are nearly one become one, the middle one of them, with all their votes."""
    if not len(quads):
        return quads
    quads = _collapsed(quads, 0.4 * same)
    corners, votes = quads.corners, quads.votes
    centre = corners.mean(axis=1).astype(np.float32)
    side = np.sqrt(areas(corners)).astype(np.float32)
    start = _from_top_left(corners)
    reach = np.float32(same) * side[:, None]
    near = np.abs(centre[:, None, 0] - centre[None, :, 0]) < reach
    near &= np.abs(centre[:, None, 1] - centre[None, :, 1]) < reach
    near &= np.abs(side[:, None] - side[None]) < np.float32(same) * side[None]
    free = np.ones(len(corners), dtype=bool)
    kept, gathered = [], []
    for i in np.argsort(-(near @ votes.astype(np.float32)), kind="stable"):
        if not free[i]:
            continue
        group = np.flatnonzero(near[i] & free)
        if len(group) == 1:
            free[i] = False
            kept.append(start[i])
            gathered.append(int(votes[i]))
            continue
        turned = start[group][:, _TURNS]  # (G, 4 turns, 4, 2)
        off = np.abs(turned - start[i]).max(axis=(2, 3))
        best = off.argmin(axis=1)
        rows = np.arange(len(group))
        alike = off[rows, best] < 1.5 * same * side[i]
        free[group[alike]] = False
        free[i] = False
        kept.append(_middle_one(turned[rows, best][alike]))
        gathered.append(int(votes[group[alike]].sum()))
    return Quads(np.array(kept), np.array(gathered, dtype=np.intp))


def _middle_one(quads: Doubles) -> Doubles:
    """The median (4, 2) of quads (N, 4, 2), quicker than NumPy's of so few."""
    ordered = np.sort(quads, axis=0)
    return np.asarray((ordered[len(quads) // 2] + ordered[(len(quads) - 1) // 2]) / 2)


def _collapsed(quads: Quads, same: float) -> Quads:
    """Quads whose corners fall into the same cells of a grid `same` of a side wide become one of them."""
    start = _from_top_left(quads.corners)
    side = np.sqrt(areas(start))
    cell = np.exp(np.round(np.log(np.maximum(side, 1.0)) * 4) / 4) * same  # a pixel size that neighbours share
    keys = np.concatenate([np.round(start.reshape(-1, 8) / cell[:, None]), cell[:, None]], axis=1)
    _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    votes = np.bincount(which.ravel(), weights=quads.votes, minlength=len(first)).astype(np.intp)
    order = np.argsort(first, kind="stable")
    return Quads(start[first[order]], votes[order])


def _from_top_left(corners: Doubles) -> Doubles:
    """The quads (N, 4, 2) with the corner nearest to the top left first, so that they compare."""
    first = corners.sum(axis=2).argmin(axis=1)
    return np.asarray(np.take_along_axis(corners, _TURNS[first][..., None], axis=1))


_TURNS = (np.arange(4)[:, None] + np.arange(4)[None]) % 4


def edge_strength(image: Pixels) -> Floats:
    """(H, W, 3) float32: xx, xy and yy of the structure tensor summed over L, a and b, at a scale of about a pixel.

    The square root of n' T n is how steep the colour is along the direction n, in Lab units a pixel.
    """
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32)
    soft = cv2.GaussianBlur(lab, (0, 0), max(0.8, max(image.shape[:2]) / 1300))
    dx = cv2.Scharr(soft, cv2.CV_32F, 1, 0, scale=1 / 32)
    dy = cv2.Scharr(soft, cv2.CV_32F, 0, 1, scale=1 / 32)
    pairs = ((dx, dx), (dx, dy), (dy, dy))
    return np.asarray(cv2.merge([cv2.transform(cv2.multiply(a, b), np.ones((1, 3))) for a, b in pairs]))


def profiles(
    strength: Floats, corners: Doubles, reach: float, samples: int = _SAMPLES, steps: int = _REACH, middle: float = 0.76
) -> tuple[Floats, Doubles, Doubles]:
    """Edge strength across the sides of quads (N, 4, 2).

    reach: how far to either side, as a fraction of the quad's side. middle: the middle share of the side is used.
    Returns (strength (N, 4, samples, 2 * steps + 1), where on the side the samples lie (N, 4, samples, 2) px,
    step across it, outwards (N, 4, 2) px).
    """
    along = np.roll(corners, -1, axis=1) - corners
    length = np.maximum(np.hypot(along[..., 0], along[..., 1]), 1e-6)
    normal = np.stack([along[..., 1], -along[..., 0]], axis=-1) / length[..., None]
    unit = np.sqrt(np.maximum(areas(corners), 1.0)) * reach / steps
    place = (1 - middle) / 2 + middle * (np.arange(samples) + 0.5) / samples
    spots = corners[:, :, None] + along[:, :, None] * place[None, None, :, None]
    step = normal * unit[:, None, None]
    offsets = np.arange(-steps, steps + 1, dtype=np.float32)
    start, across = spots.astype(np.float32), step.astype(np.float32)
    x, y = (start[..., k, None] + across[:, :, None, None, k] * offsets for k in (0, 1))
    n = normal.astype(np.float32)[:, :, None, None, :]
    a, b, c = n[..., 0] ** 2, 2 * n[..., 0] * n[..., 1], n[..., 1] ** 2
    square = np.empty_like(x)
    for low in range(0, len(corners), _AT_ONCE):  # remap takes at most 32767 rows, and little at a time stays cached
        some = slice(low, low + _AT_ONCE)
        shape = x[some].shape
        flat = (x[some].reshape(shape[0], -1), y[some].reshape(shape[0], -1))
        taken = cv2.remap(strength, *flat, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT).reshape(*shape, 3)
        square[some] = taken[..., 0] * a[some] + taken[..., 1] * b[some] + taken[..., 2] * c[some]
    return np.sqrt(np.maximum(square, 0, out=square), out=square), spots, step


def refit(strength: Floats, corners: Doubles, reach: float = 0.06) -> Doubles:
    """The quads (N, 4, 2) with each side laid through the edges near it, corners where the sides meet."""
    if not len(corners):
        return corners
    values, spots, step = profiles(strength, corners, reach)
    steps = values.shape[-1] // 2
    offsets = np.arange(-steps, steps + 1)
    weight = values * np.exp(-0.5 * (offsets / (0.7 * steps)) ** 2)
    peak = weight.argmax(axis=-1)
    size = np.take_along_axis(values, peak[..., None], axis=-1)[..., 0]
    inner = np.clip(peak, 1, 2 * steps - 1)
    left, here, right = (np.take_along_axis(values, (inner + d)[..., None], axis=-1)[..., 0] for d in (-1, 0, 1))
    bend = left - 2 * here + right
    shift = np.where(bend < -1e-6, 0.5 * (left - right) / np.where(bend < -1e-6, bend, -1), 0.0)
    offset = inner - steps + np.clip(shift, -0.5, 0.5)
    place = np.linspace(-1, 1, values.shape[2])
    trust = size / (size + np.median(size, axis=-1, keepdims=True) + 1e-3)
    lines = np.zeros((*offset.shape[:2], 2))
    robust = np.ones_like(trust)
    for _ in range(6):
        w = trust * robust
        s0, s1, s2 = w.sum(-1), (w * place).sum(-1), (w * place**2).sum(-1)
        t0, t1 = (w * offset).sum(-1), (w * offset * place).sum(-1)
        det = s0 * s2 - s1**2 + 1e-9
        lines[..., 0], lines[..., 1] = (s2 * t0 - s1 * t1) / det, (s0 * t1 - s1 * t0) / det
        off = np.abs(offset - lines[..., 0, None] - lines[..., 1, None] * place)
        robust = 1 / (1 + (off / 0.8) ** 2)
    ends = lines[..., 0, None] + lines[..., 1, None] * np.array([-1.0, 1.0])
    points = spots[:, :, [0, -1]] + ends[..., None] * step[:, :, None]
    return _meeting(points, corners, reach)


def _meeting(points: Doubles, before: Doubles, reach: float) -> Doubles:
    """Corners (N, 4, 2) where sides through two points each (N, 4, 2, 2) meet; `before` where that is far off."""
    ones = np.ones((*points.shape[:-1], 1))
    homogeneous = np.concatenate([points, ones], axis=-1)
    line = np.cross(homogeneous[:, :, 0], homogeneous[:, :, 1])
    meet = np.cross(np.roll(line, 1, axis=1), line)
    corners = meet[..., :2] / np.where(np.abs(meet[..., 2:]) < 1e-9, 1e-9, meet[..., 2:])
    side = np.sqrt(np.maximum(areas(before), 1.0))
    far = np.abs(corners - before).max(axis=(1, 2)) > 3 * reach * side
    corners[far] = before[far]
    return np.asarray(corners)


def unlike_the_rim(image: Pixels) -> Floats:
    """(H, W) float32: how rare each pixel's colour is along the rim of the picture, where mostly the table is.

    0 is as common as the rim's usual colours; large values are colours that hardly occur there.
    """
    small = cv2.GaussianBlur(image, (0, 0), max(image.shape[:2]) / 500)
    lab: Pixels = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), dtype=np.uint8)
    height, width = image.shape[:2]
    rim = np.zeros((height, width), np.uint8)
    band = max(2, round(0.07 * min(height, width)))
    rim[:band], rim[-band:], rim[:, :band], rim[:, -band:] = 1, 1, 1, 1
    bins = (32, 64, 64)
    counts = cv2.calcHist([lab], [0, 1, 2], rim, list(bins), [0, 256, 0, 256, 0, 256]).reshape(bins)
    for axis in range(3):  # neighbours in colour count too
        counts = _spread(np.asarray(counts, dtype=np.float64), axis)
    rare = -np.log((counts / max(float(counts.max()), 1e-9)).astype(np.float32) + np.float32(1e-4)).ravel()
    at = (lab[..., 0] >> 3).astype(np.int32) << 12
    at |= (lab[..., 1] >> 2).astype(np.int32) << 6
    at |= lab[..., 2] >> 2
    return np.asarray(rare[at], dtype=np.float32)


def _spread(counts: Doubles, axis: int) -> Doubles:
    """The histogram (32, 64, 64) blurred along an axis."""
    weights = _SPREAD[axis]
    reach = len(weights) // 2
    padded = np.pad(counts, [(reach, reach) if a == axis else (0, 0) for a in range(3)])
    length = counts.shape[axis]
    shifted = (np.take(padded, np.arange(k, k + length), axis=axis) for k in range(len(weights)))
    return np.asarray(sum(w * part for w, part in zip(weights, shifted, strict=True)))


_SPREAD = tuple(np.exp(-0.5 * (np.arange(-4, 5) / s) ** 2) for s in (2.0, 1.3, 1.3))
