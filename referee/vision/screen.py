"""A quick look at many places at once, in colour at a few pixels a card: which of them may show a card of the deck?

Windows are compared with all faces at all turns by normalised correlation, compressed to the few directions (principal
components) in which the faces of a deck vary, and only where there is as much contrast as the print of a card has in
this photograph. What passes is compared in full afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pyramid
from referee.vision.facebank import DECKS_KEPT, FaceBank, Floats

SCREEN = 8
"""Pixels of a card's short side."""
COMPONENTS = 24
"""Principal components kept of the faces. Measured: they hold 0.9 of every face of seven looks."""
PROMISING = 0.3
"""Correlation from which on a place is looked at in full (range 0..1)."""
FAINT = 0.2
"""Contrast, relative to the print of the sure cards, below which nothing is taken for a card. Measured on 100
photographs of seven looks: the faintest cards that were found had 0.5, the faintest doubtful ones 0.3."""
_BLUR = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Screen:
    """The faces of a deck, compressed. components: (K, h*w*3), without mean in each channel; loads: (T*F, K), turn
    after turn; contrasts: (F,) lengths of the faces without their mean; size: (width, height) px."""

    components: Floats
    loads: Floats
    contrasts: Floats
    size: tuple[int, int]

    @classmethod
    def of(cls, bank: FaceBank) -> Screen:
        images = bank.drawn(range(len(bank.face_ids)), SCREEN, _BLUR)
        flat = images - images.mean(axis=(1, 2), keepdims=True)
        contrasts = np.sqrt((flat**2).sum(axis=(1, 2, 3)))
        flat /= np.maximum(contrasts, 1.0)[:, None, None, None]
        rows = np.concatenate([np.rot90(flat, -k, axes=(1, 2)).reshape(len(flat), -1) for k in bank.turns])
        _, directions = np.linalg.eigh(rows.T.astype(np.float64) @ rows)
        components = np.ascontiguousarray(directions[:, ::-1][:, :COMPONENTS].T, dtype=np.float32)
        height, width = images.shape[1:3]
        return cls(components, np.ascontiguousarray(rows @ components.T), contrasts, (width, height))

    def gains(self, pyramid: Pyramid, corners: Doubles, faces: NDArray[np.intp]) -> Floats:
        """(N,) how strong the print at corners (N, 4, 2) px is in the photograph, relative to the faces (N,)."""
        return np.asarray(contrasts(pyramid.cut(corners, self.size)) / self.contrasts[faces], dtype=np.float32)

    def look(self, windows: Floats, gain: float) -> tuple[NDArray[np.intp], Floats]:
        """Which of the windows (N, h, w, 3) are promising, and for these (M, T*F) about how much each face correlates.

        gain: how strong the print of cards is in this photograph.
        """
        flat = windows.reshape(len(windows), -1)
        length = contrasts(windows)
        enough = np.flatnonzero(length > FAINT * gain * float(self.contrasts.min()))
        codes = (flat[enough] @ self.components.T) / np.maximum(length[enough], 1.0)[:, None]
        bright = np.einsum("nk,nk->n", codes, codes) > PROMISING**2
        promising, codes = enough[bright], codes[bright]
        scores = codes @ self.loads.T
        return promising, np.asarray(scores, dtype=np.float32)


@lru_cache(maxsize=DECKS_KEPT)
def screen_of(bank: FaceBank) -> Screen:
    """The screen of a deck, kept for the next photo."""
    return Screen.of(bank)


def contrasts(patches: Floats) -> Floats:
    """(N,) lengths of pictures (N, h, w, 3) as vectors without their mean in each channel."""
    flat = patches.reshape(len(patches), -1)
    channels = np.tile(np.eye(3, dtype=np.float32), (patches.shape[1] * patches.shape[2], 1))
    spread = np.einsum("nk,nk->n", flat, flat) - ((flat @ channels) ** 2).sum(axis=1) / (flat.shape[1] / 3)
    return np.asarray(np.sqrt(np.maximum(spread, 0)), dtype=np.float32)
