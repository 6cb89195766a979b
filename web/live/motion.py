"""What moves between two frames, and whether something reaches in from the edge: a hand.

Frames are compared as small grey pictures whose overall brightness has been taken out, so that a lamp that goes on or a
camera that adapts is no movement.
"""

from __future__ import annotations

import base64

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.decode import Pixels

Grey = NDArray[np.uint8]

WIDTH = 160
"""Of the small picture, pixels."""
BLUR = 1.2
CHANGED = 16.0
"""Grey levels from which on a pixel has changed."""
MOVING_SHARE = 0.005
"""Share of the picture that must change from frame to frame to be a movement."""
HAND_SHARE = 0.02
"""Share of the picture from which on something that reaches in from the edge is a hand."""
ALL_NEW_SHARE = 0.6
"""Share from which on the camera was moved rather than a hand came."""


def thumbnail(pixels: Pixels) -> Grey:
    """(H, 160) a frame (H, W, 3) small, grey and smooth."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    height = max(1, round(WIDTH * grey.shape[0] / grey.shape[1]))
    small = cv2.resize(grey, (WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), BLUR), dtype=np.uint8)


def changed(now: Grey, before: Grey) -> NDArray[np.bool_]:
    """(H, W) where two small pictures differ, apart from their overall brightness and contrast."""
    if now.shape != before.shape:
        return np.ones(now.shape, dtype=bool)
    a, b = now.astype(np.float32), before.astype(np.float32)
    gain = float(np.clip(np.median(a + 1) / np.median(b + 1), 0.4, 2.5))
    difference = a - gain * b
    return np.asarray(np.abs(difference - np.median(difference)) > CHANGED)


def is_moving(now: Grey, before: Grey) -> bool:
    """Whether something moved between two frames."""
    return float(changed(now, before).mean()) > MOVING_SHARE


def is_hand(now: Grey, still: Grey) -> bool:
    """Whether something reaches in from the edge that was not there when the table last lay still."""
    different = changed(now, still)
    if float(different.mean()) > ALL_NEW_SHARE:
        return False
    closed = cv2.morphologyEx(different.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    border = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    largest = max((int(stats[label, cv2.CC_STAT_AREA]) for label in border if label), default=0)
    return largest / different.size > HAND_SHARE


def packed(picture: Grey) -> str:
    """A small picture as text."""
    return base64.b64encode(cv2.imencode(".png", picture)[1].tobytes()).decode()


def unpacked(text: str) -> Grey:
    """The small picture again."""
    decoded = cv2.imdecode(np.frombuffer(base64.b64decode(text), np.uint8), cv2.IMREAD_GRAYSCALE)
    return np.asarray(decoded, dtype=np.uint8)
