"""The table plane: from card outlines in the photograph to positions on the table.

All cards lie in one plane and are of one known size. The area of a card's picture shrinks with the cube of its
distance, so the cube root of its area is linear in its place in the picture, which gives the vanishing line
(Collins and Beveridge 1993 use the same fact); the equal sides and right angles give the rest (Liebowitz and
Zisserman, CVPR 1998). A robust least-squares fit of all corners, one term of lens distortion included, ends it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels, Pyramid, areas

Bools = NDArray[np.bool_]

TRIED = 9
"""How many of the most trusted quads are tried three by three."""
ENOUGH_TRUST, BEYOND_DOUBT = 2.3, 0.85
"""Sum of trust in quads that make a plane, three of them or more; and the trust from which on two do, or one."""
AGREES = 0.04
"""How far a card may be off the plane's outline to lie in it, in card sides."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Plane:
    """A map between photograph and table; lengths on the table are in card units (the short side is 1).

    to_table: homography (3, 3) from undistorted, normalised image points to the table. middle: (2,) px and scale: px,
    for the normalisation. distortion: k1 of the division model (Fitzgibbon, CVPR 2001), 0 for a perfect lens.
    residual: root mean square distance of card corners from where the plane wants them, card units.
    """

    to_table: Doubles
    middle: Doubles
    scale: float
    distortion: float
    aspect: float
    residual: float

    def table(self, points: Doubles) -> Doubles:
        """Image points (..., 2) px -> table points (..., 2)."""
        flat = _undistort((points - self.middle) / self.scale, self.distortion)
        mapped = flat @ self.to_table[:, :2].T + self.to_table[:, 2]
        return np.asarray(mapped[..., :2] / mapped[..., 2:])

    def image(self, points: Doubles) -> Doubles:
        """Table points (..., 2) -> image points (..., 2) px."""
        back = np.linalg.inv(self.to_table)
        mapped = points @ back[:, :2].T + back[:, 2]
        flat = mapped[..., :2] / mapped[..., 2:]
        return np.asarray(_distort(flat, self.distortion) * self.scale + self.middle)

    def outlines(self, poses: Doubles) -> Doubles:
        """Poses (N, 3) of x, y, turn (radians clockwise) -> corners (N, 4, 2) px."""
        return self.image(card_corners(poses, self.aspect))

    def poses(self, corners: Doubles) -> Doubles:
        """Corners (N, 4, 2) px -> poses (N, 3) on the table: x, y in card units, turn in radians clockwise."""
        return poses_of(self.table(corners))

    def side_at(self, points: Doubles) -> Doubles:
        """(N,) length in pixels of a card's short side at image points (N, 2): the square root of the local scale."""
        step = 1e-3 * self.scale
        here = self.table(points)
        right = (self.table(points + np.array([step, 0.0])) - here) / step
        down = (self.table(points + np.array([0.0, step])) - here) / step
        det = right[..., 0] * down[..., 1] - right[..., 1] * down[..., 0]
        return np.asarray(1.0 / np.sqrt(np.maximum(np.abs(det), 1e-12)))


def view_from_above(
    plane: Plane, pyramid: Pyramid, card_side: float, smallest: float = 16.0, most_pixels: float = 3e6
) -> tuple[Pixels, Doubles]:
    """The table as seen from straight above.

    card_side: pixels of a card's short side in the new view (less if the view would exceed `most_pixels`). Parts of
    the table where a card would have fewer than `smallest` pixels in the photograph are left out.
    Returns (view (H, W, 3) uint8 BGR, affine (2, 3) from pixels of the view to the table).
    """
    width, height = pyramid.size
    grid = np.stack(np.meshgrid(np.linspace(0, width - 1, 33), np.linspace(0, height - 1, 33)), axis=-1).reshape(-1, 2)
    seen = grid[plane.side_at(grid) > smallest]
    ahead = plane.table(seen)
    ahead = ahead[np.isfinite(ahead).all(axis=1)]
    low, high = ahead.min(axis=0), ahead.max(axis=0)
    extent = np.maximum(high - low, 1.0)
    card_side = min(card_side, float(np.sqrt(most_pixels / (extent[0] * extent[1]))))
    size = np.maximum(np.ceil(extent * card_side).astype(int), 16)
    knots = [np.linspace(0, n - 1, max(2, int(n // 32) + 2)) for n in size]
    spots = np.stack(np.meshgrid(*knots), axis=-1) / card_side + low
    scale = float(np.median(plane.side_at(seen))) / card_side
    level = int(np.clip(np.floor(np.log2(max(scale, 1.0)) + 0.3), 0, len(pyramid.levels) - 1))
    targets = ((plane.image(spots) + 0.5) * 0.5**level - 0.5).astype(np.float32)
    maps = between_knots(targets, (int(size[0]), int(size[1])))
    view = cv2.remap(
        pyramid.levels[level], maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
    )
    return np.asarray(view, dtype=np.uint8), np.array([[1 / card_side, 0, low[0]], [0, 1 / card_side, low[1]]])


def between_knots(targets: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """(H, W, 2) targets for each pixel of a view of `size` (width, height), from those (K, L, 2) of a grid over it."""
    rows, columns = targets.shape[:2]
    maps = cv2.warpAffine(
        targets,
        np.array([[(columns - 1) / (size[0] - 1), 0, 0], [0, (rows - 1) / (size[1] - 1), 0]]),
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(maps, dtype=np.float32)


def covered(poses: Doubles, aspect: float, shape: tuple[int, ...], scale: float, origin: Doubles) -> Bools:
    """(H, W) which pixels of a view from above lie under cards at poses (N, 3). scale: pixels a card unit; origin: (2,)
    table point of the first pixel."""
    painted = np.zeros(shape[:2], np.uint8)
    for outline in card_corners(poses, aspect):
        cv2.fillConvexPoly(painted, np.round((outline - origin) * scale).astype(np.int32), 1)
    return painted > 0


def around(poses: Doubles, offsets: Doubles) -> Doubles:
    """(N, K, 2) table points at `offsets` (K, 2), in the frame of each pose (N, 3)."""
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    turn = np.stack([np.stack([cos, -sin], 1), np.stack([sin, cos], 1)], 1)
    return np.asarray(np.einsum("nij,kj->nki", turn, offsets) + poses[:, None, :2])


def card_corners(poses: Doubles, aspect: float) -> Doubles:
    """(N, 4, 2) corners on the table of cards at poses (N, 3), clockwise from the face's own top left."""
    half = np.array([[-0.5, -0.5 * aspect], [0.5, -0.5 * aspect], [0.5, 0.5 * aspect], [-0.5, 0.5 * aspect]])
    return around(poses, half)


def poses_of(corners: Doubles) -> Doubles:
    """The rigid poses (N, 3) nearest to quads (N, 4, 2) on the table."""
    centre = corners.mean(axis=1)
    across = corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]
    down = corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]
    angle = np.arctan2(across[:, 1] - down[:, 0], across[:, 0] + down[:, 1])
    return np.concatenate([centre, angle[:, None]], axis=1)


def fit_plane(corners: Doubles, aspect: float, size: tuple[int, int], lens: bool = True) -> tuple[Plane, Bools] | None:
    """Fit the plane to quads (N, 4, 2) px of cards; size: (width, height) of the photograph.

    Returns the plane and which quads agree with it (N,); None when no plane makes at least half of them cards.
    """
    if len(corners) == 0:
        return None
    middle = np.array([size[0] / 2, size[1] / 2])
    scale = max(size) / 2.0
    flat = (corners - middle) / scale
    start = _initial(flat, aspect)
    if start is None:
        return None
    parameters = np.append(start.ravel()[:8] / start[2, 2], 0.0)
    free = 9 if lens and len(corners) >= 6 else 8
    weights = _trust(_errors(parameters, flat, aspect), 0.05)
    for round_ in range(3):
        parameters = _levenberg(parameters, flat, aspect, weights, free)
        weights = _trust(_errors(parameters, flat, aspect), 0.02 if round_ else 0.04)
    error = _errors(parameters, flat, aspect)
    agree = error < max(0.05, 3 * float(np.median(error)))
    if not agree.any() or float(np.median(error)) > 0.15:
        return None
    homography = np.append(parameters[:8], 1.0).reshape(3, 3)
    residual = float(np.sqrt((error[agree] ** 2).mean()))
    return Plane(homography, middle, scale, float(parameters[8]), aspect, residual), agree


def agreed_plane(corners: Doubles, trust: Doubles, aspect: float, size: tuple[int, int]) -> tuple[Plane, Bools] | None:
    """Fit the plane to quads (N, 4, 2) of which many may be no cards; trust: (N,) how likely each is one (0..1).

    As `fit_plane`; where that finds no plane, or one on which they lie badly, the plane of three quads on which the
    most others lie as cards (RANSAC, Fischler and Bolles 1981, but over all triples of the most trusted, so that the
    same picture gives the same answer), or at last of two, or one, trusted as much as can be.
    """
    fitted = fit_plane(corners, aspect, size)
    if len(corners) < 2 or (fitted is not None and fitted[0].residual <= AGREES):
        return fitted
    order = np.argsort(-trust, kind="stable")[:TRIED]
    best: tuple[float, Bools] | None = None
    for count, each, together in ((3, 0.0, ENOUGH_TRUST), (2, BEYOND_DOUBT, 0.0), (1, BEYOND_DOUBT, 0.0)):
        for some in combinations(order[trust[order] >= each], count):
            on = _lying_on(corners, list(some), aspect, size)
            votes = float(trust[on].sum())
            if votes >= max(together, 0.01) and (best is None or votes > best[0]):
                best = votes, on
        if best is not None:
            break
    if best is None:
        return fitted
    again = fit_plane(corners[best[1]], aspect, size)
    if again is None:
        return fitted
    agree = best[1].copy()
    agree[best[1]] = again[1]
    return again[0], agree


def _lying_on(corners: Doubles, some: list[int], aspect: float, size: tuple[int, int]) -> Bools:
    """(N,) which of the quads (N, 4, 2) lie as cards on the plane of `some` of them; none where these make no plane."""
    fitted = fit_plane(corners[some], aspect, size, lens=False)
    if fitted is None or fitted[0].residual > AGREES:
        return np.zeros(len(corners), dtype=bool)
    plane = fitted[0]
    off = np.abs(plane.outlines(plane.poses(corners)) - corners).max(axis=(1, 2))
    return np.asarray(off < AGREES * 2 * np.sqrt(np.abs(areas(corners)) / aspect))


def _trust(error: Doubles, floor: float) -> Doubles:
    """(N,) weights: 1 for cards that fit about as well as the middle one, falling fast for those that do not."""
    limit = max(floor, 2.5 * float(np.median(error)))
    return np.asarray(1 / (1 + (error / limit) ** 4))


def _undistort(points: Doubles, k1: float | Doubles) -> Doubles:
    radius = (points**2).sum(axis=-1, keepdims=True)
    return np.asarray(points / (1 + k1 * radius))


def _distort(points: Doubles, k1: float) -> Doubles:
    """Inverse of `_undistort`: the smaller root of a quadratic."""
    if abs(k1) < 1e-9:
        return points
    radius = np.sqrt((points**2).sum(axis=-1, keepdims=True))
    inside = np.maximum(1 - 4 * k1 * radius**2, 0)
    grow = 2.0 / (1 + np.sqrt(inside))
    return np.asarray(points * grow)


def _initial(flat: Doubles, aspect: float) -> Doubles | None:
    """Homography from areas (vanishing line) and from sides and right angles (metric part)."""
    centre = flat.mean(axis=1)
    area = areas(flat)
    if (area <= 0).any():
        return None
    depth = np.cbrt(area)
    slope = _robust_line(centre, depth) if len(flat) >= 3 else _vanishing_of_quads(flat)
    denominators = 1 + flat @ slope
    if (denominators <= 0.05).any():
        slope = slope * 0
        denominators = np.ones(flat.shape[:2])
    affine = flat / denominators[..., None]
    across = (affine[:, 1] - affine[:, 0] + affine[:, 2] - affine[:, 3]) / 2
    down = (affine[:, 3] - affine[:, 0] + affine[:, 2] - affine[:, 1]) / 2
    rows, wanted = [], []
    for a, b, value in ((across, across, 1.0), (down, down, aspect**2), (across, down, 0.0)):
        rows.append(np.stack([a[:, 0] * b[:, 0], a[:, 0] * b[:, 1] + a[:, 1] * b[:, 0], a[:, 1] * b[:, 1]], 1))
        wanted.append(np.full(len(a), value))
    system, target = np.concatenate(rows), np.concatenate(wanted)
    weights: Doubles = np.ones(len(system))
    solution: Doubles = np.zeros(3)
    for _ in range(5):
        solution = np.asarray(np.linalg.lstsq(system * weights[:, None], target * weights, rcond=None)[0])
        off = np.abs(system @ solution - target)
        weights = 1 / np.maximum(off, 0.05)
    metric = np.array([[solution[0], solution[1]], [solution[1], solution[2]]])
    if np.linalg.eigvalsh(metric)[0] <= 0:
        size = 1 / np.sqrt(np.median(areas(affine)) / aspect)
        root = np.eye(2) * size
    else:
        root = np.linalg.cholesky(metric).T
    out = np.eye(3)
    out[:2, :2] = root
    out[2, :2] = slope
    return out


def _robust_line(centre: Doubles, depth: Doubles) -> Doubles:
    """(2,) slope of depth over the picture, relative to its value at the picture's middle."""
    rows = np.concatenate([np.ones((len(centre), 1)), centre], axis=1)
    weights = np.ones(len(centre))
    ridge = np.diag([0.0, 1.0, 1.0]) * 1e-3 * len(centre) * float(np.median(depth)) ** 0
    solution = np.array([float(np.median(depth)), 0.0, 0.0])
    for _ in range(8):
        weighted = rows * weights[:, None]
        solution = np.linalg.solve(weighted.T @ rows + ridge, weighted.T @ depth)
        off = np.abs(rows @ solution - depth)
        weights = 1 / np.maximum(off, 0.02 * np.median(depth)) * 0.02 * np.median(depth)
    return np.asarray(solution[1:] / max(float(solution[0]), 1e-6))


def _vanishing_of_quads(flat: Doubles) -> Doubles:
    """(2,) slope from the sides of one or two quads: where opposite sides meet lies on the vanishing line."""
    lines = []
    for quad in flat:
        points = np.concatenate([quad, np.ones((4, 1))], axis=1)
        for a, b, c, d in ((0, 1, 3, 2), (1, 2, 0, 3)):
            meet = np.cross(np.cross(points[a], points[b]), np.cross(points[c], points[d]))
            lines.append(meet / np.linalg.norm(meet))
    _, _, vectors = np.linalg.svd(np.array(lines))
    line = vectors[-1]
    return np.asarray(line[:2] / line[2]) if abs(line[2]) > 0.2 else np.zeros(2)


def _residuals(parameters: Doubles, flat: Doubles, aspect: float) -> Doubles:
    """(N, 4, 2) how far each corner on the table is from the nearest true card, card units."""
    return np.asarray(_residuals_of_each(parameters[None], flat, aspect)[0])


def _residuals_of_each(parameters: Doubles, flat: Doubles, aspect: float) -> Doubles:
    """(B, N, 4, 2) the same for each of B sets of parameters (B, 9)."""
    count = len(parameters)
    homography = np.concatenate([parameters[:, :8], np.ones((count, 1))], axis=1).reshape(count, 3, 3)
    points = _undistort(flat[None], parameters[:, 8, None, None, None]).reshape(count, -1, 2)
    mapped = points @ homography[:, :, :2].transpose(0, 2, 1) + homography[:, None, :, 2]
    table = mapped[..., :2] / np.where(np.abs(mapped[..., 2:]) < 1e-6, 1e-6, mapped[..., 2:])
    table = table.reshape(-1, 4, 2)
    return np.asarray((table - card_corners(poses_of(table), aspect)).reshape(count, *flat.shape))


def _errors(parameters: Doubles, flat: Doubles, aspect: float) -> Doubles:
    """(N,) root mean square corner error of each card."""
    return np.asarray(np.sqrt((_residuals(parameters, flat, aspect) ** 2).sum(axis=2).mean(axis=1)))


def _levenberg(start: Doubles, flat: Doubles, aspect: float, weights: Doubles, free: int) -> Doubles:
    """Levenberg-Marquardt with numeric derivatives; the last parameter (lens) only if `free` counts it."""
    root = np.sqrt(weights)[:, None, None]
    parameters = start.copy()
    damping = 1e-3
    current = (_residuals(parameters, flat, aspect) * root).ravel()
    for _ in range(12):
        steps = 1e-5 * np.maximum(np.abs(parameters), 0.1)
        moved = _residuals_of_each(parameters + np.diag(steps)[:free], flat, aspect) * root
        jacobian = ((moved.reshape(free, -1) - current) / steps[:free, None]).T
        normal, gradient = jacobian.T @ jacobian, jacobian.T @ current
        prior = np.zeros(free)
        if free == 9:  # lenses of phones stay near zero; few cards must not bend the table
            prior[8] = (0.01 / 0.05) ** 2
            normal[8, 8] += prior[8]
            gradient[8] += prior[8] * parameters[8]
        for _ in range(6):
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -gradient)
            tried = parameters.copy()
            tried[:free] += step
            fresh = (_residuals(tried, flat, aspect) * root).ravel()
            if fresh @ fresh < current @ current:
                gain = 1 - (fresh @ fresh) / max(float(current @ current), 1e-20)
                parameters, current = tried, fresh
                damping = max(damping / 5, 1e-9)
                if gain < 1e-4:
                    return parameters
                break
            damping *= 5
        else:
            return parameters
    return parameters
