"""What is proposed for each face of a new deck: its kind and features, how sure they are, and whether to look at it.

Read from the pictures alone; faces of one deck are read together where that helps (all values stand in one place,
all cards share a few colours).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.box_proposals import propose_boxes
from calibration.enrol.path_proposals import propose_paths
from calibration.enrol.proposal import Proposal
from calibration.enrol.route_proposals import propose_routes
from referee.decks import Game

Pixels = NDArray[np.uint8]


def propose(game: Game, pictures: Sequence[Pixels], counts: Sequence[int]) -> list[Proposal]:
    """A proposal for each face. pictures: (h, w, 3) BGR, upright; counts: how many copies of each were seen."""
    if game is Game.CAT_AND_MOUSE:
        return propose_routes(pictures, counts)
    if game is Game.COLOURED_PATHS:
        return propose_paths(pictures)
    return propose_boxes(pictures)
