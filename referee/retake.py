"""Advice on taking the photograph again, in words: what is wrong, with which cards, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee import texts
from referee.explain import About, Sentence
from referee.messages import Messages
from referee.numbering import Corners, Numbering
from referee.rulebook import RetakeReason


@dataclass(frozen=True, slots=True)
class Retake:
    """Something wrong with a photograph: with a card, with a place (its corners), or with all of it (neither)."""

    reason: RetakeReason
    card: str | None = None
    corners: Corners | None = None


def advise(retakes: Iterable[Retake], numbering: Numbering, messages: Messages) -> Iterator[Sentence]:
    """A sentence for each reason, the cards and places concerned named in it."""
    by_reason: dict[tuple[RetakeReason, bool], list[Retake]] = {}
    for retake in retakes:
        by_reason.setdefault((retake.reason, retake.corners is None), []).append(retake)
    for (reason, whole), alike in by_reason.items():
        if whole or reason not in texts.RETAKES_AT:
            yield Sentence(About.RETAKE, messages.text(texts.RETAKES[reason]))
            continue
        named = ", ".join(dict.fromkeys(_name(retake, numbering) for retake in alike))
        cards = tuple(dict.fromkeys(retake.card for retake in alike if retake.card is not None))
        yield Sentence(About.RETAKE, messages.text(texts.RETAKES_AT[reason], cards=named), cards)


def _name(retake: Retake, numbering: Numbering) -> str:
    if retake.card is not None:
        return numbering.cards.get(retake.card, retake.card)
    return numbering.places.get(retake.corners or (), "?")
