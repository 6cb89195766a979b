"""The one JSON form of an answer for a photograph; the command line and the service give the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.pipeline import CheckedPhoto


def answer_of(checked: CheckedPhoto, texts: Sequence[str] = ()) -> dict[str, Any]:
    """The contract's answer for a photograph, with further fields."""
    answer = {"photo": checked.photo.name, **checked.ruling.to_dict(texts)}
    answer.pop("name", None)
    scale = checked.photo.scale
    cards = []
    for card in checked.cards:
        entry = card.to_dict()
        entry["corners"] = [[round(x / scale, 1), round(y / scale, 1)] for x, y in entry["corners"]]
        cards.append(entry)
    for doubt in answer["doubtful"]:
        if "corners" in doubt:
            doubt["corners"] = [[round(x / scale, 1), round(y / scale, 1)] for x, y in doubt["corners"]]
    answer["cards"] = sorted(cards, key=lambda entry: int(entry["id"][1:]))
    answer["layout"] = checked.layout.to_dict()["cards"]
    answer["retake"] = [
        {
            "reason": trouble.kind.value,
            "corners": None
            if trouble.corners is None
            else [[round(float(x) / scale, 1), round(float(y) / scale, 1)] for x, y in trouble.corners],
        }
        for trouble in checked.view.troubles
    ]
    answer["seconds"] = {stage: round(seconds, 3) for stage, seconds in checked.seconds.items()}
    return answer
