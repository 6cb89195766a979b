"""Rulings: what the referee says of a table. Frozen values; `Ruling.to_dict` is the one exchanged form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from referee.decks import Game
from referee.rulebook import (
    AssumptionKind,
    DoubtReason,
    NoteKind,
    RuleId,
    ScoreReason,
    Violation,
)

Points = int
Ids = tuple[str, ...]
Point = tuple[float, float]


class Outcome(StrEnum):
    """Whether the cards lie right; *undetermined* when that hangs on something that was not read surely."""

    VALID = "valid"
    INVALID = "invalid"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken rule and the cards it concerns; the first card is the one that lies wrong."""

    rule: Violation
    cards: Ids

    @property
    def rule_id(self) -> RuleId:
        """The rule that is broken."""
        return self.rule.rule_id

    def to_dict(self) -> dict[str, Any]:
        """The exchanged form."""
        return {"rule": self.rule.value, "rule_id": self.rule_id.value, "cards": list(self.cards)}


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth saying that breaks no rule; `number` and `name` fill its text (a count, a face...)."""

    kind: NoteKind
    cards: Ids = ()
    number: int | None = None
    name: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The exchanged form."""
        return _without_none(
            {
                "note": self.kind.value,
                "rule_id": self.kind.rule_id.value,
                "cards": list(self.cards),
                "number": self.number,
                "name": self.name,
            }
        )


@dataclass(frozen=True, slots=True)
class Assumption:
    """What was assumed because the table does not show it, and the cards it concerns."""

    kind: AssumptionKind
    cards: Ids = ()

    def to_dict(self) -> dict[str, Any]:
        """The exchanged form."""
        rule_id = self.kind.rule_id.value
        return {"assumption": self.kind.value, "rule_id": rule_id, "cards": list(self.cards)}


@dataclass(frozen=True, slots=True)
class Doubt:
    """A card to look at before the verdict can be certain.

    `card` is its id, or None for a card without one, which `corners` then locates (photo pixels, clockwise).
    `alternatives` are the face ids it may be, likeliest first.
    """

    reason: DoubtReason
    card: str | None = None
    alternatives: Ids = ()
    corners: tuple[Point, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The exchanged form."""
        return _without_none(
            {
                "card": self.card,
                "corners": None if self.corners is None else [list(p) for p in self.corners],
                "reason": self.reason.value,
                "alternatives": list(self.alternatives) or None,
            }
        )


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Points given to a player (or to the route of a Start card) for a reason; the lines add up to the
    score.
    """

    who: str
    points: Points
    reason: ScoreReason
    cards: Ids

    def to_dict(self) -> dict[str, Any]:
        """The exchanged form."""
        return {
            "who": self.who,
            "points": self.points,
            "reason": self.reason.value,
            "rule_id": self.reason.rule_id.value,
            "cards": list(self.cards),
        }


@dataclass(frozen=True, slots=True)
class Route:
    """Cat and Mouse: the valid cards that follow a Start card, in order, without the Start."""

    start: str
    valid: Ids
    points: Points
    finished: bool

    def to_dict(self) -> dict[str, Any]:
        """The exchanged form."""
        return {
            "start": self.start,
            "valid": list(self.valid),
            "points": self.points,
            "finished": self.finished,
        }


@dataclass(frozen=True, slots=True)
class RoutesVerdict:
    """Cat and Mouse: a route for each Start, the cards that go back to the heap, and why."""

    routes: tuple[Route, ...]
    returned: Ids
    faults: tuple[Fault, ...]

    def to_dict(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "routes": [route.to_dict() for route in self.routes],
            "returned": list(self.returned),
            "faults": [fault.to_dict() for fault in self.faults],
        }


class ExtraTurn(StrEnum):
    """Multicoloured Paths: why a move earns an extra turn."""

    SEVEN_CHANGES = "seven-changes"
    THREE_JOINTS = "three-joints"


@dataclass(frozen=True, slots=True)
class Move:
    """Multicoloured Paths: one laid card, judged against the table before it."""

    card: str
    legal: bool
    ring: bool = False
    extra_turn: tuple[ExtraTurn, ...] = ()
    faults: tuple[Fault, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "card": self.card,
            "legal": self.legal,
            "ring": self.ring,
            "extra_turn": [reason.value for reason in self.extra_turn],
            "faults": [fault.to_dict() for fault in self.faults],
        }


@dataclass(frozen=True, slots=True)
class PathsVerdict:
    """Multicoloured Paths: the layout as it lies, and the moves if their order is known.

    `longest_path` are the cards of a path with `longest_changes` changes of colour, in order; a card
    that the path crosses twice is there twice.
    """

    mismatches: tuple[tuple[str, str], ...]
    shifted: tuple[tuple[str, str], ...]
    rings: int
    longest_changes: int
    groups: tuple[Ids, ...]
    moves: tuple[Move, ...] | None
    faults: tuple[Fault, ...]
    longest_path: Ids = ()

    def to_dict(self) -> dict[str, Any]:
        """The contract's form; `moves` only when the order of play was given."""
        verdict: dict[str, Any] = {
            "mismatches": [list(pair) for pair in self.mismatches],
            "shifted": [list(pair) for pair in self.shifted],
            "rings": self.rings,
            "longest_changes": self.longest_changes,
            "longest_path": list(self.longest_path),
            "groups": [list(group) for group in self.groups],
        }
        if self.moves is not None:
            verdict["moves"] = [move.to_dict() for move in self.moves]
        verdict["faults"] = [fault.to_dict() for fault in self.faults]
        return verdict


@dataclass(frozen=True, slots=True)
class Box:
    """If It Fits: box cards that are one box. `cats`: (player, awake cats that count); `points` each
    winner gets.
    """

    cards: Ids
    closed: bool
    toys: int
    cats: tuple[tuple[str, int], ...]
    winners: Ids
    points: Points

    def to_dict(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "cards": list(self.cards),
            "closed": self.closed,
            "toys": self.toys,
            "cats": dict(self.cats),
            "winners": list(self.winners),
            "points": self.points,
        }


@dataclass(frozen=True, slots=True)
class BoxesVerdict:
    """If It Fits: every box, the points of the players, and what lies wrong."""

    boxes: tuple[Box, ...]
    scores: tuple[tuple[str, Points], ...]
    faults: tuple[Fault, ...]

    def to_dict(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "boxes": [box.to_dict() for box in self.boxes],
            "scores": dict(self.scores),
            "faults": [fault.to_dict() for fault in self.faults],
        }


Verdict = RoutesVerdict | PathsVerdict | BoxesVerdict


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer for one table: a verdict, whether it is certain, and all that is needed to understand it.

    `outcome` is *undetermined* exactly when `doubtful` is not empty; `verdict` is then the likeliest one, or
    None. `scores` add up to the points in the verdict.
    """

    game: Game
    deck: str
    outcome: Outcome
    verdict: Verdict | None
    name: str = ""
    doubtful: tuple[Doubt, ...] = ()
    notes: tuple[Note, ...] = ()
    scores: tuple[ScoreLine, ...] = field(default=())
    assumptions: tuple[Assumption, ...] = ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What lies wrong, illegal moves included."""
        if self.verdict is None:
            return ()
        faults = self.verdict.faults
        if isinstance(self.verdict, PathsVerdict) and self.verdict.moves is not None:
            faults += tuple(fault for move in self.verdict.moves for fault in move.faults)
        return tuple(dict.fromkeys(faults))

    @property
    def first_wrong(self) -> Ids:
        """The cards with which something went wrong first, without those that only follow an error or lie about."""
        later = (Violation.AFTER_ERROR, Violation.NO_ROUTE)
        return tuple(dict.fromkeys(fault.cards[0] for fault in self.faults if fault.rule not in later))

    @property
    def rules(self) -> tuple[RuleId, ...]:
        """The rules this ruling rests on, in the rule book's order."""
        used = {fault.rule_id for fault in self.faults}
        used |= {note.kind.rule_id for note in self.notes}
        used |= {assumption.kind.rule_id for assumption in self.assumptions}
        used |= {line.reason.rule_id for line in self.scores}
        return tuple(rule for rule in RuleId if rule in used)

    def to_dict(self, texts: Sequence[str] = ()) -> dict[str, Any]:
        """The contract's answer for a layout, with further fields; `texts` are sentences for people."""
        answer: dict[str, Any] = {
            "name": self.name,
            "game": self.game.value,
            "deck": self.deck,
            "outcome": self.outcome.value,
            "verdict": None if self.verdict is None else self.verdict.to_dict(),
            "doubtful": [doubt.to_dict() for doubt in self.doubtful],
            "notes": [note.to_dict() for note in self.notes],
            "scores": [line.to_dict() for line in self.scores],
            "assumptions": [assumption.to_dict() for assumption in self.assumptions],
            "rules": [rule.value for rule in self.rules],
        }
        if texts:
            answer["texts"] = list(texts)
        return answer


def _without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
