"""A face as the deck file describes it, before it is drawn."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Face:
    """One face: ``fields`` are the game's own entries of the deck file (arrows, strands, walls ...)."""

    id: str
    kind: str
    count: int
    fields: dict[str, Any]

    def entry(self) -> dict[str, Any]:
        """The face as it stands in ``deck.json``."""
        return {
            "id": self.id,
            "kind": self.kind,
            "count": self.count,
            "image": f"faces/{self.id}.png",
            **self.fields,
        }
