"""What cannot be a deck of the game, and what looks as if something else was photographed than one deck's faces."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.crops import Crop
from calibration.enrol.light import ONE_GROUND, ground_of
from calibration.enrol.proposal import SURE, Proposal
from calibration.errors import EnrolmentError
from referee.decks import Game

Pixels = NDArray[np.uint8]
Doubles = NDArray[np.float64]

FEWEST = 5
"""Faces from which on it is asked whether they are of the game."""
READABLE = 0.25
"""Share of the faces that must be read surely, or they belong to another game."""
ONE_COLOUR = 0.45
"""Share of all path ends that may have one colour."""
LIKELY = 0.4
"""Least confidence in what a face shows, to compare two looks of it: a second look is never read surely."""
TWICE = 3
"""Faces that are there in two looks, from which on two decks lie mixed."""
LATTICE = 9.0
"""How far the strongest fine pattern that all cards share stands out, in spreads, for a photographed screen."""
SENTENCES = {
    "two-decks": "Cards of two decks seem to lie here, some faces are there in two looks; photograph one deck.",
    "screen": "This looks like a photo of a screen; photograph the cards themselves.",
}
"""What is told though a deck is made."""


def refuse_nonsense(game: Game, proposals: Sequence[Proposal], copies: Sequence[int]) -> None:
    """Raises EnrolmentError for a single card, cards that lie face down, and cards of another game."""
    if sum(copies) == 1:
        raise EnrolmentError("one-card", "Only one card was found; lay out many cards, a finger apart.")
    if len(proposals) == 1 and sum(copies) >= 3:
        raise EnrolmentError(
            "face-down",
            "All cards look the same: they lie face down, or only one face was laid out; turn them over.",
        )
    if len(proposals) >= FEWEST and not _of_the_game(game, proposals):
        raise EnrolmentError(
            "other-game", f"These do not look like cards of {game.value}; name the game that they belong to."
        )


def _of_the_game(game: Game, proposals: Sequence[Proposal]) -> bool:
    if game is Game.COLOURED_PATHS:
        ends = Counter(colour for p in proposals for _, pair in p.features["strands"] for colour in pair)
        return ends.most_common(1)[0][1] < ONE_COLOUR * sum(ends.values())
    return float(np.mean([p.confidence >= SURE for p in proposals])) >= READABLE


def doubts_about(
    game: Game, crops: Sequence[Crop], pictures: Sequence[Pixels], proposals: Sequence[Proposal]
) -> tuple[str, ...]:
    """Keys of `SENTENCES`. pictures: of each face (h, w, 3) BGR."""
    found = []
    if _two_looks(game, pictures, proposals) >= TWICE:
        found.append("two-decks")
    if lattice_of([crop.card for crop in crops]) > LATTICE:
        found.append("screen")
    return tuple(found)


def _two_looks(game: Game, pictures: Sequence[Pixels], proposals: Sequence[Proposal]) -> int:
    """How many faces show the same on two grounds."""
    if game is Game.COLOURED_PATHS:
        grounds = [ground_of(picture) for picture in pictures]
        first = np.median(np.array(grounds), axis=0) if grounds else np.zeros(3)
        return sum(bool(np.abs(ground - first).max() > 2 * ONE_GROUND) for ground in grounds)
    looks: dict[str, list[Doubles]] = defaultdict(list)
    for picture, proposal in zip(pictures, proposals, strict=True):
        if proposal.confidence >= LIKELY:
            looks[proposal.name].append(ground_of(picture))
    return sum(
        bool((np.ptp(np.array(grounds), axis=0) > 2 * ONE_GROUND).any())
        for grounds in looks.values()
        if len(grounds) > 1
    )


def lattice_of(cards: Sequence[Pixels]) -> float:
    """How far a fine periodic pattern that all cards (h, w, 3) share stands out, as a screen's pixels make one.

    The mean spectrum of all cards: what is drawn on them differs from card to card, the screen's lattice does not.
    """
    spectra = []
    for card in cards:
        grey = cv2.cvtColor(card, cv2.COLOR_BGR2GRAY).astype(np.float32)[:256, :256]
        if grey.shape != (256, 256):
            continue
        fine = (grey - cv2.GaussianBlur(grey, (0, 0), 2.0)) * np.outer(np.hanning(256), np.hanning(256))
        spectra.append(np.log1p(np.abs(np.fft.fft2(fine))))
    if len(spectra) < 2:
        return 0.0
    mean = np.fft.fftshift(np.median(np.array(spectra), axis=0)).astype(np.float32)
    rest = mean - cv2.medianBlur(mean, 5)
    rows, columns = np.mgrid[-128:128, -128:128]
    ring = (np.hypot(rows, columns) > 40) & (np.minimum(np.abs(rows), np.abs(columns)) > 2)
    spread = float(np.median(np.abs(rest[ring]))) * 1.48 + 1e-6
    return float(rest[ring].max()) / spread
