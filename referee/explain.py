"""A ruling in sentences for people: what is right and worth what, what lies wrong and why, what is unsure."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from referee import texts
from referee.decks import ARROWS, ArrowFace, BoxFace, CatFace, Deck, PrincessFace
from referee.layouts import Layout, PlacedCard
from referee.match.problems import Problem
from referee.messages import Messages
from referee.rulebook import DoubtReason, NoteKind, RuleId, Violation
from referee.verdicts import (
    BoxesVerdict,
    Doubt,
    Fault,
    Ids,
    Move,
    Note,
    PathsVerdict,
    Point,
    RoutesVerdict,
    Ruling,
)

Corners = tuple[Point, ...]

MANY = 3
"""From how many cards on the same doubt is told once for all."""


class About(StrEnum):
    """What a sentence is about."""

    OUTCOME = "outcome"
    SEEN = "seen"
    MOVE = "move"
    RESULT = "result"
    FAULT = "fault"
    RETAKE = "retake"
    DOUBT = "doubt"
    ASSUMPTION = "assumption"
    NOTE = "note"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, what it is about, the cards and the places (corners) it names, and the rule it rests on, if any."""

    about: About
    text: str
    cards: Ids = ()
    rule_id: RuleId | None = None
    places: tuple[Corners, ...] = ()


def explain(
    ruling: Ruling,
    layout: Layout,
    deck: Deck,
    messages: Messages,
    names: Mapping[str, str] | None = None,
    places: Mapping[Corners, str] | None = None,
) -> tuple[Sentence, ...]:
    """All that there is to say of a ruling, the most important first.

    `names`: what cards are called, for instance by the numbers drawn into a photo; without one, by their ids.
    `places`: what places without a card of certain kind are called, by their corners.
    """
    return tuple(Explainer(layout, deck, messages, names or {}, places or {}).sentences(ruling))


class Explainer:
    """Speaks of the cards of one table in one language."""

    def __init__(
        self,
        layout: Layout,
        deck: Deck,
        messages: Messages,
        names: Mapping[str, str],
        places: Mapping[Corners, str],
    ) -> None:
        self._cards = layout.by_id
        self._deck = deck
        self._messages = messages
        self._names = names
        self._places = places

    def sentences(self, ruling: Ruling) -> Iterator[Sentence]:
        """The outcome, the results, then faults, doubts, assumptions and notes, and the broken rules in full."""
        yield Sentence(About.OUTCOME, self._messages.text(texts.OUTCOMES[ruling.outcome]))
        if isinstance(ruling.verdict, RoutesVerdict):
            yield from self._routes(ruling.verdict)
        elif isinstance(ruling.verdict, PathsVerdict):
            yield from self._paths(ruling.verdict)
        elif isinstance(ruling.verdict, BoxesVerdict):
            yield from self._boxes(ruling.verdict)
        yield from self._faults(ruling.faults)
        yield from self._doubts(ruling.doubtful)
        for assumption in ruling.assumptions:
            text = self._messages.text(texts.ASSUMPTIONS[assumption.kind], cards=self._listed(assumption.cards))
            yield Sentence(About.ASSUMPTION, text, assumption.cards, assumption.kind.rule_id)
        for note in _worth_telling(ruling):
            listed = self._listed(note.cards)
            text = self._messages.text(texts.NOTES[note.kind], note.number, cards=listed)
            yield Sentence(About.NOTE, text, note.cards, note.kind.rule_id)
        broken = {fault.rule_id for fault in ruling.faults}
        yield from (quote(rule, self._messages) for rule in RuleId if rule in broken)

    def _faults(self, faults: Sequence[Fault]) -> Iterator[Sentence]:
        """A sentence for each fault, but one for all cards that share the same plain fate."""
        shared: dict[Violation, list[str]] = {}
        for fault in faults:
            if fault.rule in texts.FAULTS_OF_MANY:
                shared.setdefault(fault.rule, []).append(fault.cards[0])
        for fault in faults:
            cards = tuple(shared.get(fault.rule, ()))
            if len(cards) < 2:
                yield self.fault(fault)
            elif fault.cards[0] == cards[0]:
                text = self._messages.text(texts.FAULTS_OF_MANY[fault.rule], cards=self._listed(cards))
                yield Sentence(About.FAULT, text, cards, fault.rule_id)

    def fault(self, fault: Fault) -> Sentence:
        """What lies wrong and what to do."""
        words = [self.card(card_id) for card_id in fault.cards]
        text = self._messages.text(
            texts.FAULTS[fault.rule],
            card=words[0] if words else "",
            other=words[1] if len(words) > 1 else "",
            cards=self._listed(fault.cards),
        )
        return Sentence(About.FAULT, _capital(text), fault.cards, fault.rule_id)

    def _doubts(self, doubts: Sequence[Doubt]) -> Iterator[Sentence]:
        """A sentence for each doubt, but one for many cards of which the same is to be said."""
        shared: dict[DoubtReason, list[Doubt]] = {}
        for doubt in doubts:
            shared.setdefault(doubt.reason, []).append(doubt)
        for reason, alike in shared.items():
            if len(alike) < MANY or reason not in texts.DOUBTS_OF_MANY:
                yield from (self._doubt(doubt) for doubt in alike)
                continue
            named = [self._place(d) if d.card is None else self._name(d.card) for d in alike]
            text = self._messages.text(texts.DOUBTS_OF_MANY[reason], cards=", ".join(dict.fromkeys(named)))
            yield self._about(alike, text)

    def _doubt(self, doubt: Doubt) -> Sentence:
        words = self._place(doubt) if doubt.card is None else self.card(doubt.card)
        if doubt.reason is DoubtReason.FACE_UNSURE and doubt.card is not None and doubt.alternatives:
            words = " / ".join(dict.fromkeys(self._alternatives(doubt)))
        text = self._messages.text(texts.DOUBTS[doubt.reason], card=words)
        return self._about([doubt], text)

    @staticmethod
    def _about(doubts: Sequence[Doubt], text: str) -> Sentence:
        cards = tuple(doubt.card for doubt in doubts if doubt.card is not None)
        places = tuple(doubt.corners for doubt in doubts if doubt.card is None and doubt.corners)
        return Sentence(About.DOUBT, text, cards, places=places)

    def _place(self, doubt: Doubt) -> str:
        name = self._places.get(doubt.corners or ())
        return self._messages.text(texts.SOMETHING) if name is None else self._messages.text(texts.PLACE, name=name)

    def _alternatives(self, doubt: Doubt) -> Iterator[str]:
        card = self._cards.get(doubt.card or "")
        for face_id in doubt.alternatives:
            turn = card.turn if card else 0.0
            yield self._words(PlacedCard(id=doubt.card or "?", face=face_id, x=0.0, y=0.0, turn=turn))

    def card(self, card_id: str) -> str:
        """A card in words, in the nominative, e.g. "card 7 (arrow up, 2 points)"."""
        card = self._cards.get(card_id)
        return self._name(card_id) if card is None or card.face not in self._deck else self._words(card)

    def _words(self, card: PlacedCard) -> str:
        say, name = self._messages.text, self._name(card.id)
        face = self._deck.face(card.face)
        if isinstance(face, ArrowFace):
            if face.kind != "move":
                return say(texts.START_CARD if face.kind == "start" else texts.FINISH_CARD, name=name)
            quarters = round(card.turn / 90)
            ways = [say(texts.WAYS[(ARROWS.index(arrow) + quarters) % 4]) for arrow in face.arrows]
            points = say(texts.POINTS, face.points)
            if len(ways) == 1:
                return say(texts.MOVE_CARD, name=name, way=ways[0], points=points)
            return say(texts.FORK_CARD, name=name, way=ways[0], other_way=ways[1], points=points)
        if isinstance(face, BoxFace):
            kind = {"box": texts.BOX_CARD, "start": texts.START_BOX, "toy": texts.TOY_CARD}[face.kind]
            return say(kind, name=name)
        if isinstance(face, CatFace):
            kind = texts.SLEEPING_CAT if face.asleep else texts.AWAKE_CAT
            return say(kind, name=name, colour=self.player(face.player))
        if isinstance(face, PrincessFace):
            return say(texts.PRINCESS_CARD, name=name)
        return say(texts.PATH_CARD, name=name)

    def player(self, player: str) -> str:
        """A player of If It Fits by the colour of the cats; other names stay as they are."""
        colour = texts.COLOURS.get(player.lower())
        return player if colour is None else self._messages.text(colour)

    def _name(self, card_id: str) -> str:
        return self._names.get(card_id, card_id)

    def _listed(self, cards: Iterable[str]) -> str:
        return ", ".join(self._name(card_id) for card_id in cards)

    def _result(self, text: str, cards: Ids = (), rule_id: RuleId | None = None) -> Sentence:
        return Sentence(About.RESULT, _capital(text), cards, rule_id)

    def _routes(self, verdict: RoutesVerdict) -> Iterator[Sentence]:
        for route in verdict.routes:
            start = self.card(route.start)
            if not route.valid:
                yield self._result(self._messages.text(texts.ROUTE_EMPTY, start=start), (route.start,), RuleId.CM_START)
                continue
            points = self._messages.text(texts.POINTS, route.points)
            text = self._messages.text(texts.ROUTE, len(route.valid), start=start, points=points)
            if route.finished:
                text += " " + self._messages.text(texts.ROUTE_FINISHED)
            yield self._result(text, (route.start, *route.valid), RuleId.CM_SCORE)

    def _paths(self, verdict: PathsVerdict) -> Iterator[Sentence]:
        say = self._messages.text
        if verdict.groups:
            size = max(len(group) for group in verdict.groups)
            yield self._result(say(texts.GROUP, size))
        changes = say(texts.CHANGES, verdict.longest_changes)
        yield self._result(changes, tuple(dict.fromkeys(verdict.longest_path)), RuleId.CP_SEVEN)
        if verdict.rings:
            yield self._result(say(texts.RINGS, verdict.rings), rule_id=RuleId.CP_RING)
        for number, move in enumerate(verdict.moves or (), 1):
            yield self._result(self.move(number, move), (move.card,))

    def move(self, number: int, move: Move) -> str:
        """A move of Multicoloured Paths: allowed or not, and what it earns."""
        say = self._messages.text
        text = say(texts.MOVE_LEGAL if move.legal else texts.MOVE_ILLEGAL, number, card=self.card(move.card))
        parts = [text]
        if move.ring:
            parts.append(say(texts.MOVE_RING))
        parts += [say(texts.EXTRA_TURNS[reason]) for reason in move.extra_turn]
        return " ".join(parts)

    def _boxes(self, verdict: BoxesVerdict) -> Iterator[Sentence]:
        say = self._messages.text
        for box in verdict.boxes:
            toys = say(texts.TOYS, box.toys)
            parts = [
                say(
                    texts.BOX_CLOSED if box.closed else texts.BOX_OPEN,
                    cards=self._listed(box.cards),
                    toys=toys,
                )
            ]
            if box.cats:
                cats = ", ".join(f"{self.player(player)} {number}" for player, number in box.cats)
                parts.append(say(texts.BOX_CATS, cats=cats))
            if box.winners:
                points = say(texts.POINTS, box.points)
                players = ", ".join(self.player(player) for player in box.winners)
                one = len(box.winners) == 1
                text = say(texts.BOX_POINTS_ONE, player=_capital(players), points=points) if one else ""
                parts.append(text or say(texts.BOX_POINTS, points=points, players=players))
            yield self._result(" ".join(parts), box.cards, RuleId.IF_SCORE if box.winners else RuleId.IF_BOX)
        if verdict.scores:
            scores = ", ".join(f"{self.player(player)} {number}" for player, number in verdict.scores)
            yield self._result(say(texts.TOTAL, scores=scores), rule_id=RuleId.IF_SCORE)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def quote(rule_id: RuleId, messages: Messages) -> Sentence:
    """A rule in short words, with its id."""
    return Sentence(About.RULE, f"{rule_id.value}: {messages.text(texts.RULES[rule_id])}", rule_id=rule_id)


def explain_problem(problem: Problem, messages: Messages) -> Sentence:
    """Why an event of a match could not happen."""
    text = messages.text(texts.PROBLEMS[problem.problem], player=problem.player)
    return Sentence(About.FAULT, text, rule_id=problem.rule_id)


def _worth_telling(ruling: Ruling) -> Iterator[Note]:
    """The notes, but not that a box lies apart of which is told already what is wrong with it."""
    wrong = {card for fault in ruling.faults for card in fault.cards}
    for note in ruling.notes:
        if note.kind is NoteKind.BOX_APART:
            apart = tuple(card for card in note.cards if card not in wrong)
            if not apart:
                continue
            note = dataclasses.replace(note, cards=apart, number=len(apart))
        yield note
