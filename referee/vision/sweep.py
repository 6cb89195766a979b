"""A look at every place of the table: all faces at all turns over the whole view from above, coarsely.

Features miss blurred, pale and lonely cards; this does not depend on corners or contrast. The table is seen from
above at `SWEEP` pixels a card; windows are compared with the faces as pictures of one channel by normalised
correlation, compressed to the few directions (principal components) in which the faces of a deck vary. The channel is
the mixture of blue, green and red in which the cards of this photograph stand out most from its table (Fisher's linear
discriminant, 1936): brown cards are lost in the grey of black and white terrazzo, but not in its colour.
"""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.align import Doubles, Pixels, Pyramid
from referee.vision.facebank import FaceBank, Floats
from referee.vision.places import Places
from referee.vision.plane import Plane, covered, view_from_above
from referee.vision.screen import FAINT
from referee.vision.verify import Detections

SWEEP = 12
"""Pixels of a card's short side in the sweep."""
ANGLES = 8
"""Turns tried within a quarter (square cards) or a half turn (others get twice as many)."""
COMPONENTS = 20
"""Principal components kept of the faces."""
GREY = np.array([0.114, 0.587, 0.299], dtype=np.float32)
"""The usual weights of blue, green and red."""
QUIET = 25.0
"""Variance of colour (grey levels squared) that every table is taken to have."""
WORTH_A_LOOK = 0.50
"""Correlation in that channel from which on a place is looked at in detail (range 0..1)."""
LEAST_CONTRAST = 4.0
"""Standard deviation in grey levels below which nothing is taken for a card."""
APART = 0.55
"""How far from the middle of a known card that of another may be, in card sides."""
SHIFT = 4
"""Binary places behind the point in coordinates of a picture."""
MOST = 200
"""Places looked at in detail at most."""


def sweep(pyramid: Pyramid, bank: FaceBank, plane: Plane, cards: Detections, where: Places | None = None) -> Doubles:
    """Poses (N, 3) that resemble a face, best first, away from the known `cards`, in certain places if given."""
    known = plane.poses(cards.corners)
    if where is not None and where.box is None:
        return np.empty((0, 3))
    view, to_table = view_from_above(plane, pyramid, float(SWEEP), most_pixels=6e5)
    if to_table[0, 0] > 1.3 / SWEEP:
        return np.empty((0, 3))
    mixture = _mixture(view, to_table, plane, known)
    if where is not None and where.box is not None:
        view, to_table = _around(where.box, view, to_table, bank.aspect)
    if not view.size:  # all places to be searched lie beyond the picture
        return np.empty((0, 3))
    grey = view.astype(np.float32) @ mixture
    open_ = _open(view.shape, to_table, known, where)
    images = bank.at(SWEEP, 0.9).images
    patches, drawn = pyramid.cut(cards.corners, bank.at(SWEEP, 0.9).size), images[cards.face]
    gain = patches.std(axis=(0, 1, 2)) / np.maximum(drawn.std(axis=(0, 1, 2)), 1.0)
    components, loads, steps = _compressed(bank, np.asarray(mixture * gain, dtype=np.float32))
    contrast = (images @ (mixture * gain)).std(axis=(1, 2))
    print_ = np.median((patches @ mixture).std(axis=(1, 2)) / np.maximum(contrast[cards.face], 1.0))
    least = max(LEAST_CONTRAST, FAINT * float(print_ * contrast.min()))
    width, height = SWEEP, round(SWEEP * bank.aspect)
    reach = np.pi / 2 if bank.is_square else np.pi
    found = [np.empty((0, 4))]
    middle = np.array([view.shape[1] / 2 - 0.5, view.shape[0] / 2 - 0.5])
    half_diagonal = int(np.hypot(*view.shape[:2]) / 2) + 2
    for k in range(ANGLES if bank.is_square else 2 * ANGLES):
        angle = k * reach / (ANGLES if bank.is_square else 2 * ANGLES)
        cos, sin = np.cos(angle), np.sin(angle)
        # Pixels of the turned view -> pixels of the view; the turned view is just large enough.
        corners = np.array(
            [[-middle[0], -middle[1]], [middle[0], -middle[1]], [middle[0], middle[1]], [-middle[0], middle[1]]]
        )
        spread = np.abs(corners @ np.array([[cos, -sin], [sin, cos]])).max(axis=0) + 1
        size = np.minimum(np.ceil(2 * spread).astype(int), 2 * half_diagonal)
        centre = (size - 1) / 2
        forward = np.array([[cos, -sin], [sin, cos]])
        shift = middle - forward @ centre
        turned: Floats = cv2.warpAffine(  # type: ignore[assignment]
            grey,
            np.column_stack([forward, shift]),
            (int(size[0]), int(size[1])),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_CONSTANT,
        )
        if turned.shape[0] <= height or turned.shape[1] <= width:
            continue
        windows = np.lib.stride_tricks.sliding_window_view(turned, (height, width))[::2, ::2]
        rows, columns = windows.shape[:2]
        sums = cv2.boxFilter(turned, cv2.CV_32F, (width, height), normalize=True, anchor=(0, 0))
        squares = cv2.sqrBoxFilter(turned, cv2.CV_32F, (width, height), normalize=True, anchor=(0, 0))
        deviation = np.sqrt(np.maximum(squares - sums**2, 0))[: 2 * rows : 2, : 2 * columns : 2].ravel()
        # Where the middle of each window is, in pixels of the view: is that to be searched?
        half = np.array([(width - 1) / 2, (height - 1) / 2])
        asked = cv2.warpAffine(
            open_,
            np.column_stack([forward, shift + forward @ half]),
            (int(size[0]), int(size[1])),
            flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_CONSTANT,
        )[: 2 * rows : 2, : 2 * columns : 2].ravel()
        look = np.flatnonzero((deviation > least) & (asked > 0))
        if not len(look):
            continue
        patches = windows[np.divmod(look, columns)].reshape(-1, height * width)
        # Patches are compared without their mean; the components have none.
        norms = np.maximum(deviation[look] * np.sqrt(width * height), 1e-3)
        codes = (patches @ components.T) / norms[:, None]
        promising = np.flatnonzero(np.einsum("ij,ij->i", codes, codes) > WORTH_A_LOOK**2)
        scores = codes[promising] @ loads.T
        top = scores.max(axis=1, initial=0.0)
        good = np.flatnonzero(top > WORTH_A_LOOK)
        row, column = np.divmod(look[promising[good]], columns)
        spots = (2.0 * np.column_stack([column, row]) + half) @ forward.T + shift
        turn = angle + np.array(steps)[scores[good].argmax(axis=1) // len(bank.face_ids)] * np.pi / 2
        found.append(np.column_stack([top[good], spots @ to_table[:, :2].T + to_table[:, 2], turn]))
    return _distinct(np.concatenate(found))


def _distinct(found: Doubles) -> Doubles:
    """(N, 3) the best of poses (M, 4; the score first) that are not close to a better one, at most `MOST`."""
    order = np.lexsort(-found.T[::-1])
    x, y = found[order, 1], found[order, 2]
    kept: list[int] = []
    while len(kept) < MOST and len(order):
        kept.append(int(order[0]))
        free = (x - x[0]) ** 2 + (y - y[0]) ** 2 > 0.3**2
        order, x, y = order[free], x[free], y[free]
    return np.asarray(found[kept, 1:])


def _around(box: tuple[Doubles, Doubles], view: Pixels, to_table: Doubles, aspect: float) -> tuple[Pixels, Doubles]:
    """The part of a view that shows cards whose middle lies in a box of the table, and its way to the table (2, 3)."""
    scale, origin = 1 / to_table[0, 0], to_table[:, 2]
    low, high = ((corner - origin) * scale for corner in box)
    reach = 0.5 * np.hypot(1, aspect) * scale + 2
    first = np.clip(np.floor(low - reach), 0, None).astype(int)
    last = np.maximum(np.ceil(high + reach), first + 1).astype(int)
    shifted = to_table.copy()
    shifted[:, 2] += first / scale
    return view[first[1] : last[1], first[0] : last[0]], shifted


def _mixture(view: Pixels, to_table: Doubles, plane: Plane, known: Doubles) -> Floats:
    """(3,) weights of blue, green and red, of length 1, in which cards at poses (M, 3) are least like the table."""
    taken = covered(known, plane.aspect, view.shape, float(1 / to_table[0, 0]), to_table[:, 2])
    valid = view.max(axis=2) > 0
    inside, outside = view[taken & valid], view[~taken & valid]
    if len(inside) < 100 or len(outside) < 100:
        return GREY
    spread = np.cov(inside.T.astype(np.float64))
    noise = np.cov(outside.T.astype(np.float64)) + QUIET * np.eye(3)
    values, directions = np.linalg.eig(np.linalg.solve(noise, spread))
    best = np.real(directions[:, int(np.argmax(np.real(values)))])
    return np.asarray(best / np.linalg.norm(best), dtype=np.float32)


def _compressed(bank: FaceBank, mixture: Floats) -> tuple[Floats, Floats, tuple[int, ...]]:
    """(components (K, h*w), loads (turns*F, K), turns in quarters) of the faces in one channel at all turns."""
    templates = bank.at(SWEEP, 0.9)
    steps = (0, 1, 2, 3) if bank.is_square else (0, 2)
    mixed = templates.images @ mixture
    stack = np.concatenate([np.rot90(mixed, -k, axes=(1, 2)) for k in steps]).reshape(len(steps) * len(mixed), -1)
    stack = stack - stack.mean(axis=1, keepdims=True)
    stack /= np.maximum(np.linalg.norm(stack, axis=1, keepdims=True), 1e-3)
    _, directions = np.linalg.eigh(stack.T @ stack)
    components = np.ascontiguousarray(directions[:, ::-1][:, :COMPONENTS].T, dtype=np.float32)
    return components, np.ascontiguousarray(stack @ components.T, dtype=np.float32), steps


def _open(shape: tuple[int, ...], to_table: Doubles, known: Doubles, where: Places | None) -> Pixels:
    """(H, W) 1 where the middle of a card to be found may lie: away from all known poses (M, 3), in certain places."""
    scale, origin = 1 / to_table[0, 0], to_table[:, 2]
    out = np.ones(shape[:2], np.uint8)
    if where is not None:
        column, row = np.meshgrid(np.arange(shape[1]), np.arange(shape[0]))
        out[:] = where.at(np.stack([column, row], axis=-1) / scale + origin)
    for x, y in (known[:, :2] - origin) * scale * 2**SHIFT:
        cv2.circle(out, (round(x), round(y)), round(APART * scale * 2**SHIFT), (0,), -1, shift=SHIFT)
    return out
