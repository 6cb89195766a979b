"""Which places of the table are still to be searched: a map of the table from above."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.vision.align import Doubles
from referee.vision.plane import Bools, around

_ACROSS = np.linspace(-0.5, 0.5, 6)


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Part of a table. mask: (H, W) which places; origin: (2,) table point of the first; scale: places a card unit."""

    mask: Bools
    origin: Doubles
    scale: float

    def at(self, points: Doubles) -> Bools:
        """(...,) which table points (..., 2) are among them."""
        spots = np.round((points - self.origin) * self.scale).astype(np.intp)
        height, width = self.mask.shape
        inside = ((spots >= 0) & (spots < [width, height])).all(axis=-1)
        column, row = np.clip(spots[..., 0], 0, width - 1), np.clip(spots[..., 1], 0, height - 1)
        return np.asarray(self.mask[row, column] & inside)

    def touched_by(self, poses: Doubles, aspect: float, size: float = 1.0) -> Bools:
        """(N,) which cards at poses (N, 3) would lie on one of them in part; size: of these cards, 1 as usual."""
        column, row = np.meshgrid(_ACROSS * size, _ACROSS * aspect * size)
        spots = around(poses, np.stack([column.ravel(), row.ravel()], axis=1))
        return np.asarray(self.at(spots).any(axis=1))

    @property
    def box(self) -> tuple[Doubles, Doubles] | None:
        """Table points (2,) of the upper left and the lower right corner of all of them; None without any."""
        rows, columns = np.flatnonzero(self.mask.any(axis=1)), np.flatnonzero(self.mask.any(axis=0))
        if not len(rows):
            return None
        low, high = np.array([columns[0], rows[0]]), np.array([columns[-1], rows[-1]])
        return low / self.scale + self.origin, high / self.scale + self.origin
