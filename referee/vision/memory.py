"""What is kept of a photograph for the next one of its table, and how its readings are carried over to that."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pyramid, apply, areas
from referee.vision.detect import Found
from referee.vision.facebank import Floats
from referee.vision.movement import Marks, rescaled
from referee.vision.places import Places
from referee.vision.plane import Plane
from referee.vision.quality import Suspect
from referee.vision.recognise import READ, CardReading
from referee.vision.verify import Detections

KEPT_SIDE = 1400
"""Long side in pixels of what is kept of a picture at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Lain:
    """Cards as they lay: poses (N, 3) on the table, face (N,), score (N,) and visible (N,) as in `Detections`."""

    poses: Doubles
    face: NDArray[np.intp]
    score: Floats
    visible: Floats

    @classmethod
    def of(cls, cards: Detections, plane: Plane) -> Lain:
        return cls(plane.poses(cards.corners), cards.face, cards.score, cards.visible)

    def at(self, outlines: Doubles) -> Detections:
        """The same at other outlines (N, 4, 2) px."""
        return Detections(outlines, self.face, self.score, self.visible)


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What is kept of a photograph for the next one of its table.

    picture: the photograph, small; plane: in its pixels; size: (width, height) of the photograph. cards: the sure
    ones; rejected: what was not good enough; opened: the places that were searched because they had changed.
    readings, piled, suspects: what was read of the cards and doubted, in pixels of the photograph.
    """

    picture: Pyramid
    plane: Plane
    size: tuple[int, int]
    cards: Lain
    rejected: Lain
    readings: tuple[CardReading, ...]
    piled: tuple[bool, ...]
    suspects: tuple[Suspect, ...]
    opened: Places | None = None
    _marks: list[Marks] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        pyramid: Pyramid,
        found: Found,
        readings: tuple[CardReading, ...],
        piled: tuple[bool, ...],
        suspects: tuple[Suspect, ...],
        opened: Places | None = None,
    ) -> Memory | None:
        """Of a photograph in which cards were found; None without."""
        if found.plane is None or not len(found.cards):
            return None
        level = pyramid.level_within(KEPT_SIDE)
        small = pyramid.smaller(KEPT_SIDE)
        cards, rejected = Lain.of(found.cards, found.plane), Lain.of(found.rejected, found.plane)
        plane = rescaled(found.plane, 0.5**level)
        return cls(small, plane, pyramid.size, cards, rejected, readings, piled, suspects, opened)

    @property
    def marks(self) -> Marks:
        """What the picture is known again by, in its own pixels; found when first asked for."""
        if not self._marks:
            self._marks.append(Marks.of(self.picture))
        return self._marks[0]

    @property
    def blurs(self) -> Doubles:
        """(N,) how blurred the cards were, in pixels at `READ`."""
        corners = np.array([reading.corners for reading in self.readings]).reshape(-1, 4, 2)
        sides = np.sqrt(np.abs(areas(corners)) / self.plane.aspect)
        return np.array([reading.blur for reading in self.readings]) * READ / np.maximum(sides, 1.0)

    def factor(self, pyramid: Pyramid) -> float | None:
        """How many pixels of another photograph one of `picture` is; None if that is not of the same shape."""
        if abs(pyramid.size[0] * self.size[1] - pyramid.size[1] * self.size[0]) >= 2 * max(pyramid.size):
            return None
        return pyramid.size[0] / self.picture.size[0]

    def reading_at(self, number: int, corners: Doubles) -> CardReading:
        """The reading of a known card whose outline in another photograph is `corners` (4, 2) px."""
        reading = self.readings[number]
        outline = self._in_photograph(self.plane.outlines(self.cards.poses[number][None])[0])
        warp = cv2.getPerspectiveTransform(outline.astype(np.float32), corners.astype(np.float32))
        before, now = np.abs(areas(np.stack([outline, corners])))
        here = apply(np.asarray(warp, dtype=np.float64), reading.corners)
        return replace(reading, corners=here, blur=reading.blur * float(np.sqrt(now / max(before, 1.0))))

    def suspect_poses(self) -> Doubles:
        """(S, 3) where the suspects lay on the table."""
        outlines = np.array([suspect.corners for suspect in self.suspects]).reshape(-1, 4, 2)
        return rescaled(self.plane, self._scale).poses(outlines)

    @property
    def _scale(self) -> float:
        return self.size[0] / self.picture.size[0]

    def _in_photograph(self, points: Doubles) -> Doubles:
        """Points of `picture` in pixels of the photograph."""
        return np.asarray((points + 0.5) * self._scale - 0.5)
