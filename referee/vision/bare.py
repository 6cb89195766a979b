"""Where there is nothing but table no card is looked for: most guesses beside boxes of plain cardboard lie there.

A plain face explains bare wood well, and following such a guess to its end costs as much as finding a card. What looks
like the table almost everywhere is therefore put off until all else is found. While many cards are not known their
print passes for the table's, so that only a search whose known cards all look unlike the table drops a guess for good.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.vision.align import Doubles, Pyramid
from referee.vision.facebank import FaceBank
from referee.vision.places import Places
from referee.vision.plane import Bools, Plane, around
from referee.vision.seen_table import BARE, STANDS_OUT, SeenTable, own_strange_share, strange_shares
from referee.vision.verify import Detections

MOSTLY = 20
"""Percentile of the known cards' shares of strange spots that bareness is measured by: a false card among them, which
looks like the table, must not lower it."""
SHIFTS = np.linspace(-0.4, 0.4, 5)
"""How far from the middle of a cell, in card sides, a card is looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class BareTable:
    """The table beside known cards. usual: share of strange spots that they have, mostly; told: whether all of them
    stand out from the table, so that the rest would."""

    plane: Plane
    seen: SeenTable
    usual: float
    told: bool

    @classmethod
    def of(cls, pyramid: Pyramid, bank: FaceBank, plane: Plane, cards: Detections) -> BareTable:
        """Beside known `cards`."""
        seen = SeenTable.of(pyramid, plane, cards)
        on_top = bank.lies_on_others[cards.face]
        own = own_strange_share(plane, cards.select(~on_top), cards.select(on_top), seen)
        own = own[~np.isnan(own)]
        usual = float(np.percentile(own, MOSTLY)) if len(own) else 0.0
        return cls(plane, seen, usual, len(own) > 0 and bool((own >= STANDS_OUT).all()))

    def at(self, poses: Doubles) -> Bools:
        """(N,) at which poses (N, 3) there seems to be nothing but table."""
        return np.asarray(strange_shares(self.plane, poses, self.seen) < BARE * self.usual)

    def in_cells(self, cells: Doubles) -> Bools:
        """(N,) in which cells (N, 3) there is nothing but table, wherever in the cell a card may lie; none, as long as
        that is not `told`."""
        if not self.told or not len(cells):
            return np.zeros(len(cells), dtype=bool)
        shifts = np.stack(np.meshgrid(SHIFTS, SHIFTS), axis=-1).reshape(-1, 2)
        spots = around(cells, shifts)
        turn = np.broadcast_to(cells[:, None, 2:], (*spots.shape[:2], 1))
        poses = np.concatenate([spots, turn], axis=2).reshape(-1, 3)
        return np.asarray(self.at(poses).reshape(len(cells), -1).all(axis=1))


def bare_table(
    pyramid: Pyramid, bank: FaceBank, plane: Plane, cards: Detections, where: Places | None
) -> BareTable | None:
    """The table beside known `cards`; None where it is not worth looking at: in decks without cards to be laid on
    others, whose faces are screened by their print, and if only certain places are searched, where something lies."""
    return BareTable.of(pyramid, bank, plane, cards) if bank.has_upper and where is None else None
