"""What was read from a photograph, in a form that can be stored and judged again without the pixels."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field

from referee.certainty import Alternative
from referee.certainty import CardReading as PlacedReading
from referee.decks import Deck
from referee.layouts import PlacedCard
from referee.options import Options
from referee.pipeline import CheckedPhoto, SeenCard, check
from referee.rulebook import DoubtReason, RetakeReason
from referee.validation import Name, Value
from referee.vision.align import Doubles
from referee.vision.decode import decode
from referee.vision.fixed_table import TableTop
from referee.vision.plane import Plane
from referee.vision.read import Stopwatch
from web.calibration.known import Known
from web.photos import NAME

Corner = tuple[float, float]
Corners = Annotated[tuple[Corner, ...], Field(min_length=4, max_length=4)]
"""Pixels of the kept photograph, clockwise from the face's own top left."""


class ReadAlternative(Value):
    """What a card may be: a face or no card (None), and its turn if not that of the likeliest."""

    face: Name | None
    confidence: float
    turn: float | None = None

    def to_alternative(self) -> Alternative:
        """As the rules half takes it."""
        return Alternative(self.face, self.confidence, self.turn)


class ReadCard(Value):
    """A card, or a place where perhaps one lies (`is_card` false): where, and all that it may plausibly be."""

    id: Name
    face: Name
    corners: Corners
    x: float
    y: float
    turn: float
    alternatives: tuple[ReadAlternative, ...] = ()
    confidence: float = 0.0
    runner_up: Name | None = None
    margin: float = 1.0
    is_card: bool = True

    def placed(self) -> PlacedReading:
        """As the rules half takes it."""
        card = PlacedCard(id=self.id, face=self.face, x=self.x, y=self.y, turn=self.turn)
        return PlacedReading(card, tuple(a.to_alternative() for a in self.alternatives), self.corners)


class ReadPlane(Value):
    """`referee.vision.plane.Plane` as plain numbers."""

    to_table: tuple[tuple[float, float, float], ...]
    middle: Corner
    scale: float
    distortion: float
    aspect: float
    residual: float

    @classmethod
    def of(cls, plane: Plane) -> ReadPlane:
        """Write down a plane."""
        rows = tuple((float(a), float(b), float(c)) for a, b, c in plane.to_table)
        middle = (float(plane.middle[0]), float(plane.middle[1]))
        return cls(
            to_table=rows,
            middle=middle,
            scale=float(plane.scale),
            distortion=float(plane.distortion),
            aspect=float(plane.aspect),
            residual=float(plane.residual),
        )

    def plane(self) -> Plane:
        """The plane again."""
        return Plane(
            np.array(self.to_table), np.array(self.middle), self.scale, self.distortion, self.aspect, self.residual
        )


class ReadTop(Value):
    """`referee.vision.fixed_table.TableTop` as plain numbers."""

    turn: float
    shift: Corner
    edges: tuple[Corner, ...]

    @classmethod
    def of(cls, top: TableTop) -> ReadTop:
        """Write down a table."""
        x, y = (float(v) for v in top.shift)
        return cls(turn=top.turn, shift=(x, y), edges=as_corners(top.edges))

    def top(self) -> TableTop:
        """The table again."""
        return TableTop(self.turn, np.array(self.shift), np.array(self.edges).reshape(-1, 2))


class ReadTrouble(Value):
    """Something wrong with the picture, at a place or as a whole (None)."""

    kind: RetakeReason
    corners: Corners | None = None


class Reading(Value):
    """A photograph as it was read. Never changed: what people correct is kept beside it.

    Coordinates of `x`, `y` are millimetres, those of `corners` pixels. disputed: other frames of the same table read
    differently, so this one is not enough to rule on. top: the measured table under a fixed camera.
    """

    width: int
    height: int
    cards: tuple[ReadCard, ...]
    plane: ReadPlane | None = None
    top: ReadTop | None = None
    troubles: tuple[ReadTrouble, ...] = ()
    disputed: bool = False
    seconds: dict[str, float] = Field(default_factory=dict)


def read_photo(
    data: bytes, deck: Deck, options: Options, watch: Stopwatch | None = None, known: Known | None = None
) -> CheckedPhoto:
    """Read a kept photograph. Raises PhotoError or DeckError as `check_bytes`. Takes seconds."""
    watch = watch or Stopwatch()
    photo = decode(data, NAME)
    if known is not None:
        photo = known.told_to(photo)
    watch.lap("decode")
    return check(photo, deck, options, watch)


def reading_of(checked: CheckedPhoto) -> Reading:
    """Write down what was read. Raises ValueError for a photograph without its reading."""
    if checked.reading is None:
        raise ValueError("a checked photograph needs its reading to be kept")
    view = checked.view
    width, height = view.size
    told = {card.id: card for card in checked.cards}
    return Reading(
        width=width,
        height=height,
        cards=tuple(
            _written(seen, told.get(seen.card.id)) for seen in checked.reading.cards if seen.corners is not None
        ),
        plane=None if view.plane is None else ReadPlane.of(view.plane),
        top=None if view.top is None else ReadTop.of(view.top),
        troubles=tuple(
            ReadTrouble(kind=t.kind, corners=None if t.corners is None else as_corners(t.corners))
            for t in view.troubles
        ),
        disputed=any(doubt.reason is DoubtReason.READINGS_DIFFER for doubt in checked.ruling.doubtful),
        seconds={stage: round(seconds, 3) for stage, seconds in checked.seconds.items()},
    )


def _written(seen: PlacedReading, told: SeenCard | None) -> ReadCard:
    card = seen.card
    return ReadCard(
        id=card.id,
        face=card.face,
        corners=tuple((float(x), float(y)) for x, y in seen.corners or ()),
        x=card.x,
        y=card.y,
        turn=card.turn,
        alternatives=tuple(
            ReadAlternative(face=a.face, confidence=float(a.confidence), turn=a.turn) for a in seen.alternatives
        ),
        confidence=0.0 if told is None else float(told.confidence),
        runner_up=None if told is None else told.runner_up,
        margin=0.0 if told is None else float(told.margin),
        is_card=told is not None,
    )


def as_corners(corners: Doubles) -> Corners:
    """(4, 2) px as plain numbers."""
    return tuple((float(x), float(y)) for x, y in corners)
