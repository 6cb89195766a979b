"""What is printed on a find: a card carries a picture; blank sheets, floor tiles and pages of text do not.

Measured on the card as seen from above, a few millimetres a pixel, against its own ground colour.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels, areas, quads_from_unit_square
from referee.vision.facebank import Floats

SIDE = 160
"""Pixels of a card's short side as it is looked at."""
MARGIN = 0.1
"""What is looked at around the card, as a fraction of its sides."""
FAINT, BOLD = 9.0, 26.0
"""Differences (Lab units on a white card in good light) from which on a mark is seen, and is bold."""
GRAIN = 1.5
"""Gaussian width in pixels at `SIDE` of what is noise rather than a mark."""
THINNED = 3
"""Of so many rows and columns of a card one is used to fit its ground's colour."""
THICK = 5
"""Pixels, at `SIDE`, that a bold mark is wide at least; a line of text is thinner."""


ROUND = 0.009
"""Share of the short side by which a card's corners are cut at least; those of paper are not."""
LEAST_MARKS = 0.02
"""Share of a card that is not of its ground's colour, at least."""
SPECK, FULL, PICTURE = 0.0015, 0.02, 0.3
"""Shares of bold marks: on a card with round corners; among many with sharp ones; on one or two with sharp ones."""
COVERED = 0.2
"""Share of bold marks on cards that form one full rectangle."""
PLAIN = 12.0
"""How far (Lab) the band along the sides of a sheet of paper is from one colour, at most."""
EVEN = 4.0
"""The same for a square of a form."""
PANES, ALIKE, FEW = 9, 0.025, 0.1
"""So many places that form one full rectangle, or have few marks and no bold ones, with shares of marks and bold marks
that differ so little, are the panes of a window or the fields of a board."""
BURNT = 250
"""Lightness (Lab, 0..255) of a ground from which on light has blotted out what is printed on it."""
MANY = 4
"""So many finds of one size are not taken for sheets of paper."""


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """Of N finds, each (N,). marks, bold: shares of the inside; rim: how far the band along the sides is from one
    colour (Lab); round: how far the corners are cut, as a fraction of the short side, NaN where it cannot be seen;
    ground: (N, 3) the commonest colour in Lab.
    """

    marks: Doubles
    bold: Doubles
    rim: Doubles
    round: Doubles
    ground: Doubles

    def shown(self) -> Printed:
        """Those whose print light has not blotted out, if there are some."""
        clear = self.ground[:, 0] < BURNT
        if clear.sum() < 2:
            return self
        return Printed(self.marks[clear], self.bold[clear], self.rim[clear], self.round[clear], self.ground[clear])


def printed(image: Pixels, corners: Doubles, aspect: float) -> Printed:
    """Look at finds (N, 4, 2) px, their first side a short one, in a picture (H, W, 3) uint8 BGR."""
    rows = [_looked_at(patch) for patch in _patches(image, corners, aspect)]
    table = np.array(rows, dtype=np.float64).reshape(-1, 7)
    marks, bold, rim, rounded = table[:, :4].T
    return Printed(marks, bold, rim, rounded, table[:, 4:])


def look_like_cards(seen: Printed, block: bool = False) -> NDArray[np.bool_]:
    """(N,) which finds of one size are cards rather than sheets of paper, tiles, boxes, or the squares of a form.

    Cards have a picture, and rounded corners or a picture that runs to their edges. Of many finds of one size, which
    by itself speaks for cards, the middle one decides for all; of a few each must show it, and more clearly. block:
    whether they touch and form one full rectangle, as the parts of a sheet do; then there must be pictures.
    """
    if len(seen.marks) >= MANY:
        count, seen = len(seen.marks), seen.shown()
        marks, bold, rim = (float(np.median(each)) for each in (seen.marks, seen.bold, seen.rim))
        corners = seen.round[np.isfinite(seen.round)]
        cut = float(np.median(corners)) if len(corners) else 0.0
        form = rim < EVEN and bold < 3 * FULL and cut < ROUND
        some = float(np.percentile(seen.marks, 30))  # every other field of a chessboard is plain
        all_are = (
            min(marks, some) > (0.5 if cut > ROUND else 1.0) * LEAST_MARKS
            and not form
            and (cut > ROUND or bold > FULL)
            and (bold > COVERED or not block)
        )
        if (
            (block or (bold < SPECK and marks < FEW))
            and len(seen.marks) >= PANES
            and seen.marks.std() < ALIKE
            and seen.bold.std() < ALIKE
        ):
            all_are = False
        return np.full(count, all_are)
    rounded = np.nan_to_num(seen.round) > ROUND
    picture = np.where(rounded, seen.bold > SPECK, (seen.bold > PICTURE) & (seen.rim > PLAIN))
    return np.asarray(picture & (seen.marks > np.where(rounded, 0.5, 1.0) * LEAST_MARKS))


def _patches(image: Pixels, corners: Doubles, aspect: float) -> list[Floats]:
    edge = round(MARGIN * SIDE)
    size = (SIDE + 2 * edge, round(SIDE * aspect) + 2 * edge)
    across, down = 1 / SIDE, 1 / round(SIDE * aspect)
    to_unit = np.array([[across, 0, (0.5 - edge) * across], [0, down, (0.5 - edge) * down], [0, 0, 1]])
    out = []
    for quad, matrix in zip(corners, quads_from_unit_square(corners) @ to_unit, strict=True):
        source = image
        shrink = float(np.sqrt(abs(areas(quad[None])[0]) / aspect)) / SIDE
        if shrink > 1.3:  # or fine print would turn to noise
            left, top = np.maximum(np.floor(quad.min(axis=0) - 0.2 * np.ptp(quad, axis=0)), 0).astype(int)
            right, bottom = np.ceil(quad.max(axis=0) + 0.2 * np.ptp(quad, axis=0)).astype(int)
            matrix = np.array([[1.0, 0, -left], [0, 1, -top], [0, 0, 1]]) @ matrix
            source = np.asarray(cv2.GaussianBlur(image[top:bottom, left:right], (0, 0), 0.4 * shrink), dtype=np.uint8)
        patch = cv2.warpPerspective(
            source, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        out.append(np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2LAB), dtype=np.float32))
    return out


def _looked_at(patch: Floats) -> tuple[float, ...]:
    """The numbers of `Printed`, of a card as seen from above."""
    edge = round(MARGIN * SIDE)
    cut = edge + round(0.05 * SIDE)
    inside = patch[cut:-cut, cut:-cut]
    contrast = max(float(np.percentile(inside[..., 0], 95)), 40.0) / 230  # the light on the card
    off = _from_ground(inside) / contrast
    # In the dark the noise of single pixels would be marks.
    marks = float((_from_ground(np.asarray(cv2.GaussianBlur(inside, (0, 0), GRAIN))) / contrast > FAINT).mean())
    bold = cv2.morphologyEx((off > BOLD).astype(np.uint8), cv2.MORPH_OPEN, np.ones((THICK, THICK), np.uint8))
    band = slice(edge + 3, edge + 8)
    sides = [patch[band, edge + 12 : -edge - 12], patch[:, band][edge + 12 : -edge - 12].transpose(1, 0, 2)]
    turned = patch[::-1, ::-1]
    sides += [turned[band, edge + 12 : -edge - 12], turned[:, band][edge + 12 : -edge - 12].transpose(1, 0, 2)]
    strip = np.concatenate([side.reshape(-1, 3) for side in sides])
    rim = float(np.percentile(np.abs(strip - np.median(strip, axis=0)).max(axis=1), 80)) / contrast
    ground = _commonest(inside[::THINNED, ::THINNED].reshape(-1, 3))
    return marks, float(bold.mean()), rim, _roundness(patch, edge), *(float(value) for value in ground)


def _from_ground(inside: Floats) -> Floats:
    """(H, W) difference from the commonest colour, which may change evenly over the card as light does."""
    height, width = inside.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    every = np.stack([np.ones_like(x), x, y], axis=-1)
    some = slice(None, None, THINNED), slice(None, None, THINNED)  # enough to fit three numbers a channel
    terms, flat = every[some].reshape(-1, 3), inside[some].reshape(-1, 3)
    weight = np.exp(-0.5 * (np.abs(flat - _commonest(flat)).max(axis=1) / 25) ** 2)
    for _ in range(4):
        w = weight[:, None] * terms
        fit = np.linalg.solve(w.T @ terms + np.diag([1e-6, 1e-1, 1e-1]), w.T @ flat)
        weight = np.exp(-0.5 * (_distance(flat - terms @ fit) / 10) ** 2) + 1e-6
    return np.asarray(_distance(inside - every @ fit.astype(np.float32)), dtype=np.float32)


def _distance(colours: Floats) -> Floats:
    """(...) length of differences in Lab (..., 3), lightness counting less, as light is uneven."""
    return np.asarray(np.sqrt(0.7 * colours[..., 0] ** 2 + colours[..., 1] ** 2 + colours[..., 2] ** 2))


def _commonest(flat: Floats) -> Floats:
    cells = np.round(flat / 12).astype(np.intp) @ np.array([1, 32, 1024])
    return np.asarray(flat[cells == np.bincount(cells).argmax()].mean(axis=0))


def _roundness(patch: Floats, edge: int) -> float:
    """How far the table reaches into the corners along the diagonal, against how far into the sides."""
    reach = np.arange(-edge + 1, 16)
    found = []
    for k in range(4):
        turned = np.rot90(patch, k)
        middle = slice(edge + 20, turned.shape[1] - edge - 20)
        half = (turned.shape[1]) // 4
        outside = np.median(turned[edge - 7 : edge - 3, edge : edge + half].reshape(-1, 3), axis=0)
        inner = np.median(turned[edge + 4 : edge + 8, edge + 6 : edge + half].reshape(-1, 3), axis=0)
        axis = inner - outside
        size = float(axis @ axis)
        if size < 20**2:
            continue
        level = np.asarray((turned[edge + reach, edge + reach] - outside) @ axis / size, dtype=np.float64)
        along = (np.median(turned[:, middle], axis=1)[edge + reach] - outside) @ axis / size
        side = _crossing(np.asarray(along, dtype=np.float64), 0)
        found.append((_crossing(level, max(side - 2, 0)) - side) / SIDE)
    return float(np.median(found)) if len(found) >= 2 else float("nan")


def _crossing(level: Doubles, start: int) -> int:
    """The first place from `start` on where the level is above a half and stays there for a while."""
    above = level > 0.5
    stays = above[:-2] & above[1:-1] & above[2:]
    places = np.flatnonzero(stays[start:])
    return start + int(places[0]) if len(places) else len(level)
