"""A step of a verdict that is shown step by step, and what all steps of a table are made from.

Places are in the view's own coordinates: pixels of the photograph, or millimetres of a table laid by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from referee.decks import Deck
from referee.explain import About, Explainer, quote
from referee.explain_move import explain_move
from referee.layouts import Layout
from referee.messages import Messages
from referee.moves import MoveRuling
from referee.rulebook import RuleId
from referee.vision.align import Doubles
from web.messages import WebMessages
from web.tables.judging import JudgedTable
from web.tables.reading import Corners
from web.tables.view import corners_on_table

Line = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign at a place. colour: of a path there, by its name; without one the text stands by itself."""

    at: tuple[float, float]
    text: str
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One step. lit: cards that are looked at now; done: those that were before; arrow: from which card to which.
    ghosts: outlines of where a card should have lain. trace: lines along paths. walls, gaps: lines along the sides of
    boxes, closed and open. marks: signs on the table. places: doubtful ones by their outlines and names. colour: of
    the lit cards, a number."""

    text: str
    lit: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    arrow: tuple[str, str] | None = None
    ghosts: tuple[Any, ...] = ()
    trace: tuple[Line, ...] = ()
    walls: tuple[Line, ...] = ()
    gaps: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()
    places: tuple[tuple[Corners, str], ...] = ()
    rule: RuleId | None = None
    count: str | None = None
    colour: int | None = None

    def to_dict(self, messages: Messages) -> dict[str, Any]:
        """As the page takes it."""
        rule = None
        if self.rule is not None:
            rule = {"id": self.rule.value, "text": quote(self.rule, messages).text.partition(": ")[2]}
        return {
            "text": self.text,
            "lit": list(self.lit),
            "done": list(self.done),
            "wrong": list(self.wrong),
            "arrow": None if self.arrow is None else list(self.arrow),
            "ghosts": [list(corners) for corners in self.ghosts],
            "trace": [list(line) for line in self.trace],
            "walls": [list(line) for line in self.walls],
            "gaps": [list(line) for line in self.gaps],
            "marks": [{"at": mark.at, "text": mark.text, "colour": mark.colour} for mark in self.marks],
            "places": [{"corners": list(corners), "label": name} for corners, name in self.places],
            "rule": rule,
            "count": self.count,
            "colour": self.colour,
        }


@dataclass(frozen=True, slots=True)
class Move:
    """A move as steps show it. cards: what is new, by the ids of the layout; sentences: what the referee says of it."""

    cards: tuple[str, ...]
    legal: bool
    certain: bool
    sentences: tuple[str, ...]


def move_told(
    move: MoveRuling, certain: bool, layout: Layout, deck: Deck, messages: Messages, names: Mapping[str, str]
) -> tuple[str, ...]:
    """A move in sentences, without the rules in full; the arguments are those of `referee.explain_move`."""
    told = explain_move(move, certain, layout, deck, messages, names)
    return tuple(sentence.text for sentence in told if sentence.about is not About.RULE)


@dataclass(slots=True)
class Scene:
    """The table, and words in the reader's language."""

    judged: JudgedTable
    messages: Messages
    say: WebMessages = field(init=False)
    explainer: Explainer = field(init=False)

    def __post_init__(self) -> None:
        judged = self.judged
        self.say = WebMessages(self.messages.language)
        names, places = judged.numbering.cards, judged.numbering.places
        self.explainer = Explainer(judged.layout, judged.deck, self.messages, names, places)

    def named(self, card: str) -> str:
        """What a card is called, at the beginning of a sentence."""
        return capital(self.explainer.card(card))

    def on_card(self, card: str, points: Doubles) -> Line:
        """(N, 2) places on a face, (0, 0) to (1, 1) -> the view's own coordinates."""
        placed = self.judged.layout.by_id[card]
        seen = self.judged.seen.get(card)
        corners = np.array(corners_on_table(placed, self.judged.deck)) if seen is None else seen
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        matrix = cv2.getPerspectiveTransform(unit, np.asarray(corners, np.float32))
        moved = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), matrix).reshape(-1, 2)
        return tuple((float(x), float(y)) for x, y in moved)

    def side(self, card: str, number: int, inset: float = 0.03) -> Line:
        """A side of a card (0 top, clockwise) as a line just inside its border."""
        near, far = inset, 1 - inset
        corners = [(near, near), (far, near), (far, far), (near, far)]
        return self.on_card(card, np.array([corners[number], corners[(number + 1) % 4]]))


def capital(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]
