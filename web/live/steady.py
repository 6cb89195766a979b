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
    """still_since: from when on nothing moves; readings: of the frames since then; announced: the last verdict told."""

    still_since: float | None = None
    readings: tuple[str, ...] = ()
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
    def _commonest(self) -> tuple[str, int]:
        return Counter(self.readings).most_common(1)[0]

    @property
    def _most_agree(self) -> bool:
        if len(self.readings) < LEAST_READINGS:
            return False
        number = self._commonest[1]
        return number >= LEAST_READINGS and number / len(self.readings) >= AGREE

    @property
    def wants_reading(self) -> bool:
        """Whether the next still frame should be read. What was read and has not changed is not read again."""
        return self.agreed is None

    def after(self, frame: Frame) -> tuple[Steadiness, Moment, str | None]:
        """The state after a frame, what goes on in it, and the reading to be announced now, if any."""
        if frame.hand or frame.moving:
            restless = self.model_copy(update={"still_since": None, "readings": ()})
            return restless, Moment.HAND if frame.hand else Moment.MOVING, None
        since = frame.time if self.still_since is None else self.still_since
        readings = self.readings if frame.reading is None else (*self.readings, frame.reading)
        now = self.model_copy(update={"still_since": since, "readings": readings})
        moment = now.moment(frame.time)
        if moment is not Moment.STEADY or now.agreed == self.announced:
            return now, moment, None
        return now.model_copy(update={"announced": now.agreed}), moment, now.agreed
