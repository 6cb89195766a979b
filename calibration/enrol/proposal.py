"""One face as it is proposed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SURE = 0.6
"""Confidence below which somebody is asked to look at a face."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """name: an id that tells what it is, not yet its own; kind; features: further fields of the deck's face;
    confidence: 0..1, of the least sure feature; unsure: the names of those that somebody should look at."""

    name: str
    kind: str
    features: dict[str, Any]
    confidence: float
    unsure: tuple[str, ...] = ()

    @property
    def needs_review(self) -> bool:
        return bool(self.unsure) or self.confidence < SURE
