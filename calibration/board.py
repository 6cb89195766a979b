"""The printed board of squares and markers (ChArUco), and the four corner markers of a mat.

ChArUco after S. Garrido-Jurado et al., Pattern Recognition 2014: a marker tells which corner is which, so that a board
that is half in the picture counts as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.markers import MAT_IDS, dictionary
from referee.vision.orientation import UNKNOWN

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

COLUMNS, ROWS = 7, 10
"""Squares across and down."""
SQUARE_MM, MARKER_MM = 25.0, 18.0
"""Sides of a square and of the marker in it, as printed at 100 %."""
FEWEST = 8
"""Corners that a view must show."""
MAT_MARKER_MM = 40.0


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """image: (N, 2) px; board: (N, 3) mm, z 0; size: (width, height) of the picture; orientation: how the sensor lay,
    as EXIF has it (0: not known)."""

    image: Floats
    board: Floats
    size: tuple[int, int]
    orientation: int = UNKNOWN


def board() -> cv2.aruco.CharucoBoard:
    """The board, lengths in millimetres."""
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, dictionary())


def board_picture(pixels_per_mm: float) -> Pixels:
    """The board as printed, (h, w) uint8, without a margin."""
    size = (round(COLUMNS * SQUARE_MM * pixels_per_mm), round(ROWS * SQUARE_MM * pixels_per_mm))
    return np.asarray(board().generateImage(size, marginSize=0, borderBits=1), np.uint8)


def mat_marker(corner: int, pixels: int) -> Pixels:
    """The marker of a mat's corner (0-3, clockwise from the top left), (pixels, pixels) uint8."""
    return np.asarray(cv2.aruco.generateImageMarker(dictionary(), MAT_IDS[corner], pixels), np.uint8)


def find_board(image: Pixels, orientation: int = UNKNOWN) -> BoardView | None:
    """The corners of the board in a picture (H, W, 3) BGR, or None where too few are seen; orientation: as in EXIF."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board()).detectBoard(grey)
    if ids is None or len(ids) < FEWEST:
        return None
    known = np.asarray(board().getChessboardCorners(), np.float32)[np.asarray(ids).ravel()]
    size = (image.shape[1], image.shape[0])
    return BoardView(np.asarray(corners, np.float32).reshape(-1, 2), known, size, orientation)
