"""Where does a table look different from the last time? Both pictures seen from above, laid on each other.

Light that rises or falls over the whole table, and a shift or a blur of about a pixel, are no change.
"""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.align import Doubles, Pyramid, apply
from referee.vision.facebank import Floats
from referee.vision.places import Places
from referee.vision.plane import Bools, Plane, between_knots, covered, view_from_above
from referee.vision.seen_table import to_neighbour

GRID = 12
"""Pixels of a card's short side in the views that are compared."""
MOST_PIXELS = 2.5e5
"""Pixels of such a view at most."""
WIDE = 2.0
"""Width of the Gaussian, in card sides, of what counts as light rather than things."""
CHANGED = (0.07, 0.07, 0.09)
"""Difference from which on a place has changed: two log ratios of colour and log lightness."""
MUCH = 0.7
"""Share of a neighbourhood of nearly half a card's side that must have changed for it to count on a card (0..1)."""
LEAST_TABLE, MOST_TABLE = 60, 250
"""Places of bare table that must be known to tell what looks like it, and how many are compared with."""
BESIDE = 25
"""Side in pixels of the neighbourhood of a place from which some of them are taken."""
FLOORS = (0.03, 0.03, 0.1, 0.015, 0.015, 0.03)
"""Least spread that counts of colours and lightness, and of their grain."""
AS_USUAL = 2.0
"""Distance to the table's places, relative to their own, up to which a place looks like them."""
SPECK = 0.05
"""Area of a changed place, in squares of a card's side, below which nothing of a card shows there."""
SLIVER = 0.2
"""A strip of table narrower than this, in card sides, that was beyond the picture's edge shows no card by itself."""
GROWN = 0.25
"""How far around a changed place a card may reach that is to be searched for, in card sides."""
BEYOND = 2.0
"""Gaussian width in pixels with which the picture goes on beyond its edge."""
_LOGS = np.log(np.arange(256, dtype=np.float32) + 8)


def changed_places(
    before: tuple[Pyramid, Plane], now: tuple[Pyramid, Plane], to_before: Doubles, cards: Doubles
) -> Places:
    """Places of the table in the picture of `now` that look different in that of `before`, or were not in it.

    Each picture comes with its plane; to_before: homography (3, 3) from the table of `now` to that of `before`. On the
    sure `cards` at these poses (N, 3) only a change counts as another card on them would make, not one of their print.
    """
    view, to_table = view_from_above(now[1], now[0], float(GRID), most_pixels=MOST_PIXELS)
    scale, origin = float(1 / to_table[0, 0]), to_table[:, 2]
    earlier, known = _seen_before(before, to_before, view.shape[:2], scale, origin)
    here = cv2.erode((view.max(axis=2) > 0).astype(np.uint8), np.ones((5, 5)), borderValue=0) > 0
    fresh, unlit = _measures(view), _measures(earlier)
    both = (here & known).astype(np.float32)
    share = np.maximum(_smooth(both, WIDE * scale), 1e-3)[..., None]
    light = _smooth((fresh - unlit) * both[..., None], WIDE * scale) / share
    old = np.asarray(unlit + light, dtype=np.float32)
    off = np.maximum(_beyond(fresh, old), _beyond(old, fresh))
    different = (off > np.array(CHANGED, np.float32)).any(axis=2) & known
    changed = cv2.boxFilter(different.astype(np.float32), cv2.CV_32F, (3, 3)) > 0.5
    much = cv2.boxFilter(different.astype(np.float32), cv2.CV_32F, (5, 5)) > MUCH
    changed &= much | ~covered(cards, now[1].aspect, changed.shape, scale, origin)
    strip = max(2, round(SLIVER * scale))
    # The patches around a place at the picture's very edge are mixed with what lies beyond it.
    within = cv2.erode(here.astype(np.uint8), np.ones((3, 3)), borderValue=0) > 0
    beyond = within & (cv2.dilate(known.astype(np.uint8), np.ones((3, 3))) == 0)
    unseen = cv2.morphologyEx(beyond.astype(np.uint8), cv2.MORPH_OPEN, np.ones((strip, strip), np.uint8)) > 0
    if unseen.any():
        bare = here & known & ~changed & ~grown(covered(cards, now[1].aspect, here.shape, scale, origin), scale)
        unseen &= ~_like(fresh, bare, unseen)
    return Places(_of_some_size((changed | unseen) & here, scale), origin, scale)


def _like(measures: Floats, bare: Bools, asked: Bools) -> Bools:
    """(H, W) which of the places `asked` (H, W) look like the bare table, by their colours, lightness and grain.

    A place has a like if its distance to the table's nearest patches is as usual (as in `surroundings`).
    """
    out = np.zeros_like(asked)
    mean = cv2.boxFilter(measures, cv2.CV_32F, (3, 3))
    wide = cv2.boxFilter(measures, cv2.CV_32F, (5, 5))
    spread = np.sqrt(np.maximum(cv2.boxFilter(measures**2, cv2.CV_32F, (5, 5)) - wide**2, 0))
    every = np.concatenate([mean, spread], axis=-1)
    inner = cv2.erode(bare.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    beside = inner & (cv2.dilate(asked.astype(np.uint8), np.ones((BESIDE, BESIDE), np.uint8)) > 0)
    table = every[inner]
    if len(table) < LEAST_TABLE:
        return out
    # Some from everywhere, and some from beside the places: light and lens change the table towards the rim.
    some = (part[:: max(1, -(-len(part) // MOST_TABLE))] for part in (table, every[beside]))
    table = np.concatenate(list(some)).astype(np.float64)
    scale = np.maximum(table.std(axis=0), FLOORS)
    table /= scale
    nearest = max(3, len(table) // 50)
    usual = np.median(to_neighbour(table[::3], table, nearest + 1))
    rows, columns = asked.shape[0] // 2, asked.shape[1] // 2
    blocks = (
        asked[: 2 * rows, : 2 * columns].reshape(rows, 2, columns, 2).transpose(0, 2, 1, 3).reshape(rows, columns, 4)
    )
    row, column = np.nonzero(blocks.any(axis=2))  # one place speaks for all of four
    first = blocks[row, column].argmax(axis=1)
    places = every[2 * row + first // 2, 2 * column + first % 2] / scale
    alike = np.zeros((rows, columns), dtype=bool)
    alike[row, column] = to_neighbour(places, table, nearest) < AS_USUAL * max(float(usual), 0.35)
    out[: 2 * rows, : 2 * columns] = np.repeat(np.repeat(alike, 2, axis=0), 2, axis=1)
    return out & asked


def _of_some_size(mask: Bools, scale: float) -> Bools:
    """A mask (H, W) without places that are too small for anything of a card to show."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    large = stats[:, cv2.CC_STAT_AREA] >= SPECK * scale**2
    large[0] = False
    return np.asarray(large[labels])


def _beyond(one: Floats, other: Floats) -> Floats:
    """(H, W, 3) by how much one view is off all that the other shows within a pixel."""
    around = np.ones((3, 3), np.uint8)
    return np.asarray(np.maximum(one - cv2.dilate(other, around), cv2.erode(other, around) - one), dtype=np.float32)


def _seen_before(
    before: tuple[Pyramid, Plane], to_before: Doubles, shape: tuple[int, ...], scale: float, origin: Doubles
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint8]], Bools]:
    """The earlier picture as a view (H, W, 3) of the same table points, and (H, W) where it shows them."""
    pyramid, plane = before
    height, width = shape[:2]
    knots = np.linspace(0, width - 1, max(2, width // 8)), np.linspace(0, height - 1, max(2, height // 8))
    spots = apply(to_before, np.stack(np.meshgrid(*knots), axis=-1) / scale + origin)
    pixels = plane.image(spots)
    side = float(np.median(plane.side_at(pixels.reshape(-1, 2))))
    level = int(np.clip(np.floor(np.log2(max(side / scale, 1.0)) + 0.3), 0, len(pyramid.levels) - 1))
    targets = ((pixels + 0.5) * 0.5**level - 0.5).astype(np.float32)
    maps = between_knots(targets, (width, height))
    picture = pyramid.levels[level]
    view = cv2.remap(picture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rows, columns = picture.shape[:2]
    inside = (maps >= 0).all(axis=-1) & (maps[..., 0] <= columns - 1) & (maps[..., 1] <= rows - 1)
    return np.asarray(view, dtype=np.uint8), np.asarray(inside)


def _measures(view: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Floats:
    """(H, W, 3) log ratios of green and of blue to red, and log lightness, of a view (H, W, 3), a little smoothed."""
    logs = _LOGS[view]
    outside = cv2.dilate((view.max(axis=2) == 0).astype(np.uint8), np.ones((3, 3))) > 0
    if outside.any():  # goes on as just within the picture's edge, so that nothing begins there
        inside = (~outside).astype(np.float32)
        share = np.maximum(cv2.GaussianBlur(inside, (0, 0), BEYOND), 1e-3)[..., None]
        logs = np.where(outside[..., None], cv2.GaussianBlur(logs * inside[..., None], (0, 0), BEYOND) / share, logs)
    logs = cv2.GaussianBlur(logs, (0, 0), 0.8)
    light = logs @ np.array([0.114, 0.587, 0.299], np.float32)
    return np.stack([logs[..., 1] - logs[..., 2], logs[..., 0] - logs[..., 2], light], axis=-1)


def _smooth(layers: Floats, sigma: float) -> Floats:
    """A wide Gaussian, taken of a quarter of the pixels in each direction."""
    height, width = layers.shape[:2]
    small = cv2.resize(layers, (-(-width // 4), -(-height // 4)), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), sigma / 4)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def grown(mask: Bools, scale: float) -> Bools:
    """A mask (H, W) of places with `GROWN` of a card around."""
    reach = 2 * max(1, round(GROWN * scale)) + 1
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0)
