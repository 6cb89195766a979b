"""A face as the deck file describes it, before it is drawn."""

from dataclasses import dataclass
from typing import Any

# The names of the backs, where a face id could stand.
BACK = "back"
PRINCESS_BACK = "princess-back"


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
