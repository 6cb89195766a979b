"""When is a verdict announced? When nothing has moved for half a second, no hand is there, and the readings agree.

Pure values: a frame goes in, the next state and what is to be announced come out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from referee.validation import Value

STILL_SECONDS = 0.5
"""The table must lie still for so long."""
LEAST_READINGS = 2
"""So many frames must have been read since it lies still..."""
AGREE = 2 / 3
"""...and this part of them must say the same."""
MOST_READINGS = 6
"""If the readings never agree, the commonest of so many is announced all the same, but as one that is in doubt."""
AGAIN_SECONDS = 1.5
"""A table that lies still is read again after so long: a card of the table's colour may come without a movement. Where
nothing has changed that takes a few hundredths of a second."""
DISPUTED = "?"
"""Kept as announced for what was in doubt because the readings did not agree."""


class Moment(StrEnum):
    """What goes on in a frame; LOST: there is none, the camera is away."""

    HAND = "hand"
    MOVING = "moving"
    SETTLING = "settling"
    STEADY = "steady"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Frame:
    """time: seconds; reading: what was read, as a key under which equal readings agree, or None if it was not read."""

    time: float
    moving: bool = False
    hand: bool = False
    reading: str | None = None


class Steadiness(Value):
    """still_since: from when on nothing moves; readings: of the frames since then; read_at: when the last one was;
    announced: the last verdict told."""

    still_since: float | None = None
    readings: tuple[str, ...] = ()
    read_at: float = 0.0
    announced: str | None = None

    def moment(self, time: float) -> Moment:
        """What goes on, as far as it is known."""
        if self.still_since is None:
            return Moment.MOVING
        settled = time - self.still_since >= STILL_SECONDS and self.agreed is not None
        return Moment.STEADY if settled else Moment.SETTLING

    @property
    def agreed(self) -> str | None:
        """What most of the readings say (their median, for things without an order); None if they do not agree yet."""
        if self._most_agree or len(self.readings) >= MOST_READINGS:
            return self._commonest[0]
        return None

    @property
    def is_disputed(self) -> bool:
        """Whether enough frames were read and yet most of them do not say the same: no verdict may rest on them."""
        return len(self.readings) >= MOST_READINGS and not self._most_agree

    @property
    def is_contradicted(self) -> bool:
        """Whether the last two readings differ: the next is to be one that believes nothing of an earlier frame."""
        return len(self.readings) > 1 and self.readings[-1] != self.readings[-2]

    @property
    def _commonest(self) -> tuple[str, int]:
        return Counter(self.readings).most_common(1)[0]

    @property
    def _most_agree(self) -> bool:
        if len(self.readings) < LEAST_READINGS:
            return False
        number = self._commonest[1]
        return number >= LEAST_READINGS and number / len(self.readings) >= AGREE

    def wants_reading(self, time: float) -> bool:
        """Whether a still frame should be read. What was read and has not changed is read again only now and then."""
        agreed = self.agreed
        return agreed is None or self.readings[-1] != agreed or time - self.read_at >= AGAIN_SECONDS

    def _with(self, reading: str, time: float) -> Steadiness:
        """After one more reading of the still table; of those that all say the same, few are enough."""
        known = len(self.readings) >= LEAST_READINGS and {*self.readings} == {reading}
        readings = self.readings if known else (*self.readings, reading)[-MOST_READINGS:]
        return self.model_copy(update={"readings": readings, "read_at": time})

    def after(self, frame: Frame) -> tuple[Steadiness, Moment, str | None]:
        """The state after a frame, what goes on in it, and the reading to be announced now, if any."""
        if frame.hand or frame.moving:
            announced = None if self.announced == DISPUTED else self.announced
            restless = self.model_copy(update={"still_since": None, "readings": (), "announced": announced})
            return restless, Moment.HAND if frame.hand else Moment.MOVING, None
        now = self if frame.reading is None else self._with(frame.reading, frame.time)
        if now.still_since is None:
            now = now.model_copy(update={"still_since": frame.time})
        moment = now.moment(frame.time)
        told = DISPUTED if now.is_disputed else now.agreed
        if moment is not Moment.STEADY or told == self.announced:
            return now, moment, None
        return now.model_copy(update={"announced": told}), moment, now.agreed
