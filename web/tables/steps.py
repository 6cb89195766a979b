"""A verdict shown step by step: what lights up, which way the arrow flies, where a card should have lain, and why.

Places are in the view's own coordinates: pixels of the photograph, or millimetres of a table laid by hand.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from referee.annotate_paths import strand_curve
from referee.decks import ARROWS, ArrowFace
from referee.explain import About, Explainer, Sentence, quote
from referee.games.coloured_paths import CHANGES_FOR_A_TURN
from referee.games.path_table import Path, PathTable, find_meetings
from referee.layouts import PlacedCard
from referee.limits import Limits
from referee.messages import Messages
from referee.rulebook import RuleId, Violation
from referee.verdicts import BoxesVerdict, Fault, PathsVerdict, Route, RoutesVerdict
from referee.vision.align import Doubles
from web.messages import WebMessages
from web.tables.judging import JudgedTable
from web.tables.reading import as_corners
from web.tables.view import corners_on_table, to_view

GAP = 1.04
"""How far apart neighbours lie, in card sides: cards on a table do not quite touch."""
TAKEN = 0.6
"""A place is taken by a card whose centre is so near, in card sides."""
SHOULD_FOLLOW_ARROW = frozenset({Violation.WRONG_SIDE, Violation.NOT_BESIDE})
SHOULD_BE_FLUSH = frozenset(
    {Violation.SHOVED, Violation.BOX_NOT_FLUSH, Violation.BOX_LONG_TO_SHORT, Violation.ASLEEP_NOT_FLUSH}
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step. lit: cards that are looked at now; done: those that were before; arrow: from which card to which.
    ghosts: outlines of where a card should have lain. trace: lines along paths. colour: of the lit cards, a number."""

    text: str
    lit: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    arrow: tuple[str, str] | None = None
    ghosts: tuple[Any, ...] = ()
    trace: tuple[Any, ...] = ()
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
            "rule": rule,
            "count": self.count,
            "colour": self.colour,
        }


def steps_of(judged: JudgedTable, messages: Messages) -> list[dict[str, Any]]:
    """All steps of a verdict, in the order in which a teacher would show them; the outcome comes last."""
    return [step.to_dict(messages) for step in _Stage(judged, messages).steps()]


@dataclass(slots=True)
class _Stage:
    judged: JudgedTable
    messages: Messages
    _say: WebMessages = field(init=False)
    _explainer: Explainer = field(init=False)

    def __post_init__(self) -> None:
        judged = self.judged
        self._say = WebMessages(self.messages.language)
        names, places = judged.numbering.cards, judged.numbering.places
        self._explainer = Explainer(judged.layout, judged.deck, self.messages, names, places)

    def steps(self) -> Iterator[Step]:
        """Game by game, then the faults, what is doubtful, the outcome."""
        verdict = self.judged.ruling.verdict
        sentences = self.judged.sentences(self.messages)
        if isinstance(verdict, RoutesVerdict):
            for number, route in enumerate(verdict.routes):
                yield from self._route(route, number)
        elif isinstance(verdict, PathsVerdict):
            yield from self._paths(verdict, sentences)
        elif isinstance(verdict, BoxesVerdict):
            yield from self._boxes(verdict, sentences)
        for fault in self.judged.ruling.faults:
            if fault.rule is not Violation.AFTER_ERROR:
                yield self._fault(fault)
        for sentence in sentences:
            if sentence.about is About.DOUBT:
                yield Step(sentence.text, lit=sentence.cards)
        if sentences:
            yield Step(sentences[0].text)

    # -- Cat and Mouse

    def _route(self, route: Route, number: int) -> Iterator[Step]:
        done: list[str] = []
        start = _capital(self._explainer.card(route.start))
        yield Step(self._say.text("step.start", card=start), lit=(route.start,), colour=number)
        total, last = 0, route.start
        for card in route.valid:
            done.append(last)
            face = self.judged.deck.face(self.judged.layout.by_id[card].face)
            total += face.points if isinstance(face, ArrowFace) else 0
            points = self._say.text("match.points", total)
            key = "step.first-card" if last == route.start else "step.next-card"
            yield Step(
                self._say.text(key, card=_capital(self._explainer.card(card))),
                lit=(card,),
                done=tuple(done),
                arrow=(last, card),
                count=points,
                colour=number,
            )
            last = card
        if route.valid:
            key = "step.finished" if route.finished else "step.route-end"
            text = self._say.text(key, points=self._say.text("match.points", total))
            yield Step(
                text, done=(route.start, *route.valid), count=self._say.text("match.points", total), colour=number
            )

    # -- Multicoloured Paths

    def _paths(self, verdict: PathsVerdict, sentences: Iterable[Sentence]) -> Iterator[Step]:
        cards = self.judged.layout.cards
        deck = self.judged.deck
        table = PathTable(cards, deck)
        meetings = find_meetings(cards, deck, Limits().coloured_paths)
        table.join(meetings)
        joins = Counter(table.colour(a) for meeting in meetings for a, _ in table.matches(meeting))
        if joins:
            listed = ", ".join(f"{self._explainer.player(colour)} {n}" for colour, n in joins.most_common())
            yield Step(self._say.text("step.joins", colours=listed), lit=tuple(card.id for card in cards))
        paths = list(table.paths(range(len(cards))))
        longest = max(paths, key=lambda path: table.changes(path.strands), default=None)
        if longest is not None and table.changes(longest.strands):
            yield from self._traced(longest, table)
        for path in paths:
            if path.ring:
                ids = tuple(dict.fromkeys(cards[card].id for card, _, _ in path.strands))
                yield Step(self._say.text("step.ring"), lit=ids, trace=self._lines(path.strands), rule=RuleId.CP_RING)
        for sentence in sentences:
            if sentence.about is About.RESULT and len(sentence.cards) == 1 and verdict.moves:
                yield Step(sentence.text, lit=sentence.cards)

    def _traced(self, path: Path, table: PathTable) -> Iterator[Step]:
        """The path with most changes of colour, a card a step, the changes counted."""
        cards = self.judged.layout.cards
        changes, so_far = 0, []
        for strand in path.strands:
            card, enter, leave = strand
            so_far.append(strand)
            one, other = table.colour((card, enter)), table.colour((card, leave))
            if one != other:
                changes += 1
            elif strand not in (path.strands[0], path.strands[-1]):
                continue
            name = _capital(self._explainer.card(cards[card].id))
            colours = [self._explainer.player(colour) for colour in (one, other)]
            if one == other:
                text = self._say.text("step.path-goes", card=name, colour=colours[0])
            else:
                text = self._say.text("step.path-changes", changes, card=name, one=colours[0], other=colours[1])
            done = tuple(dict.fromkeys(cards[c].id for c, _, _ in so_far[:-1]))
            rule = RuleId.CP_SEVEN if changes >= CHANGES_FOR_A_TURN else None
            yield Step(text, lit=(cards[card].id,), done=done, trace=self._lines(so_far), count=str(changes), rule=rule)

    def _lines(self, strands: Iterable[tuple[int, int, int]]) -> tuple[Any, ...]:
        """Each strand as a line over its card."""
        cards = self.judged.layout.cards
        return tuple(
            [(float(x), float(y)) for x, y in self._on_card(cards[card].id, strand_curve(enter, leave))]
            for card, enter, leave in strands
        )

    # -- If It Fits

    def _boxes(self, verdict: BoxesVerdict, sentences: Iterable[Sentence]) -> Iterator[Step]:
        told = {s.cards: s for s in sentences if s.about is About.RESULT and s.cards}
        done: list[str] = []
        for number, box in enumerate(verdict.boxes):
            sentence = told.get(box.cards)
            if sentence is None:
                continue
            cats = tuple(card for card in self.judged.layout.by_id if self._lies_on(card, box.cards))
            count = self._say.text("step.toys", box.toys)
            yield Step(
                sentence.text,
                lit=(*box.cards, *cats),
                done=tuple(done),
                rule=sentence.rule_id,
                count=count,
                colour=number,
            )
            done += box.cards
        for sentence in sentences:
            if sentence.about is About.RESULT and not sentence.cards:
                yield Step(sentence.text, done=tuple(done), rule=sentence.rule_id)

    def _lies_on(self, card: str, boxes: Iterable[str]) -> bool:
        """Whether a cat lies across two of these boxes."""
        placed = self.judged.layout.by_id
        if self.judged.deck.face(placed[card].face).kind not in ("cat", "princess"):
            return False
        width = self.judged.deck.card_mm[0]
        here = placed[card]
        near = [b for b in boxes if math.hypot(placed[b].x - here.x, placed[b].y - here.y) < 0.75 * width]
        return len(near) > 1

    # -- what lies wrong

    def _fault(self, fault: Fault) -> Step:
        sentence = self._explainer.fault(fault)
        return Step(
            sentence.text,
            lit=fault.cards[1:],
            wrong=fault.cards if fault.rule in (Violation.MISMATCH, Violation.TWO_FINISHES) else fault.cards[:1],
            ghosts=tuple(self._ghosts(fault)),
            rule=fault.rule_id,
        )

    def _ghosts(self, fault: Fault) -> Iterator[Any]:
        """Where the card should have lain."""
        placed = self.judged.layout.by_id
        if len(fault.cards) < 2 or not all(card in placed for card in fault.cards[:2]):
            return
        card, other = placed[fault.cards[0]], placed[fault.cards[1]]
        face = self.judged.deck.face(other.face)
        if fault.rule in SHOULD_FOLLOW_ARROW and isinstance(face, ArrowFace):
            for arrow in face.arrows:
                place = self._beside(other, ARROWS.index(arrow))
                if not self._is_taken(place, card.id):
                    yield self._outline(place)
        elif fault.rule in SHOULD_BE_FLUSH:
            places = [self._beside(other, side) for side in range(4)]
            free = [place for place in places if not self._is_taken(place, card.id)]
            nearest = min(free, key=lambda p: math.hypot(p.x - card.x, p.y - card.y), default=None)
            if nearest is not None:
                yield self._outline(nearest)

    def _beside(self, card: PlacedCard, side: int) -> PlacedCard:
        """A card's place beside another: side 0 is the top of its face, then clockwise."""
        width, height = self.judged.deck.card_mm
        across, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[side]
        angle = math.radians(card.turn)
        right, below = GAP * width * across, GAP * height * down
        x = card.x + right * math.cos(angle) - below * math.sin(angle)
        y = card.y + right * math.sin(angle) + below * math.cos(angle)
        return card.model_copy(update={"x": x, "y": y})

    def _is_taken(self, place: PlacedCard, but: str) -> bool:
        reach = TAKEN * min(self.judged.deck.card_mm)
        return any(
            card.id != but and math.hypot(card.x - place.x, card.y - place.y) < reach
            for card in self.judged.layout.cards
        )

    # -- places in the view

    def _outline(self, card: PlacedCard) -> Any:
        corners = np.array(corners_on_table(card, self.judged.deck))
        return as_corners(to_view(self.judged, corners))

    def _on_card(self, card: str, points: Doubles) -> Doubles:
        """(N, 2) places on a face, (0, 0) to (1, 1) -> the view's own coordinates."""
        placed = self.judged.layout.by_id[card]
        seen = self.judged.seen.get(card)
        corners = np.array(corners_on_table(placed, self.judged.deck)) if seen is None else seen
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        matrix = cv2.getPerspectiveTransform(unit, np.asarray(corners, np.float32))
        return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), matrix).reshape(-1, 2))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
