"""What was wrong with an event of a match, and who leads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.rulebook import MatchProblem, RuleId


@dataclass(frozen=True, slots=True)
class Problem:
    """An event (by its place in the list, from 0) that could not happen, and the rule that forbids it."""

    event: int
    problem: MatchProblem
    rule_id: RuleId
    player: str = ""


def leaders(totals: Mapping[str, int]) -> tuple[str, ...]:
    """Everybody with the most points: a tie is shared (CM-END, IF-END)."""
    most = max(totals.values(), default=0)
    return tuple(player for player, points in totals.items() if points == most)


def after_in_turn(players: Sequence[str], player: str) -> str:
    """Whose turn follows."""
    return players[(players.index(player) + 1) % len(players)]


def unique(players: tuple[str, ...]) -> tuple[str, ...]:
    """Validate that no two players share a name."""
    if len(set(players)) != len(players):
        raise ValueError("players must have different names")
    return players
