"""A verdict shown step by step: what lights up, which way the arrow flies, where a card should have lain, and why."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from referee.decks import ARROWS, ArrowFace
from referee.explain import About, Sentence
from referee.layouts import PlacedCard
from referee.messages import Messages
from referee.rulebook import Violation
from referee.verdicts import BoxesVerdict, Fault, PathsVerdict, Route, RoutesVerdict
from web.tables.box_steps import box_steps, box_steps_of_move
from web.tables.judging import JudgedTable
from web.tables.neighbours import beside, is_taken
from web.tables.path_steps import path_steps, path_steps_of_move
from web.tables.reading import as_corners
from web.tables.step import Move, Scene, Step
from web.tables.view import corners_on_table, to_view

SHOULD_FOLLOW_ARROW = frozenset({Violation.WRONG_SIDE, Violation.NOT_BESIDE})
SHOULD_BE_FLUSH = frozenset(
    {Violation.SHOVED, Violation.BOX_NOT_FLUSH, Violation.BOX_LONG_TO_SHORT, Violation.ASLEEP_NOT_FLUSH}
)
BETWEEN_EQUALS = SHOULD_BE_FLUSH | {Violation.MISMATCH, Violation.BOX_OVERLAP, Violation.CAT_OVERLAP}
"""What is wrong between two cards of which the rule blames neither: it is the one that was laid last."""


def steps_of(judged: JudgedTable, messages: Messages, move: Move | None = None) -> list[dict[str, Any]]:
    """All steps in the order in which a teacher would show them; the outcome comes last.

    move: what was just done on the table; then its steps, not those of the whole table.
    """
    scene = Scene(judged, messages)
    sentences = judged.sentences(messages)
    made = _of_table(scene, sentences) if move is None or not move.cards else _of_move(scene, sentences, move)
    fresh = move.cards if move is not None and move.certain else ()
    return [step.to_dict(messages) for step in (*made, *_end(scene, sentences, fresh))]


def _of_table(scene: Scene, sentences: Iterable[Sentence]) -> Iterator[Step]:
    verdict = scene.judged.ruling.verdict
    if isinstance(verdict, RoutesVerdict):
        for number, route in enumerate(verdict.routes):
            yield from _route(scene, route, number)
    elif isinstance(verdict, PathsVerdict):
        yield from path_steps(scene, verdict, sentences)
    elif isinstance(verdict, BoxesVerdict):
        yield from box_steps(scene, verdict, sentences)


def _of_move(scene: Scene, sentences: Iterable[Sentence], move: Move) -> Iterator[Step]:
    """What is new, what it makes, what the referee says of it."""
    verdict = scene.judged.ruling.verdict
    first, *rest = move.sentences or ("",)
    yield Step(first, lit=move.cards)
    if isinstance(verdict, PathsVerdict):
        yield from path_steps_of_move(scene, move.cards)
    elif isinstance(verdict, BoxesVerdict):
        yield from box_steps_of_move(scene, verdict, sentences, move.cards)
    wrong = move.certain and not move.legal
    for text in rest:
        yield Step(text, lit=() if wrong else move.cards, wrong=move.cards if wrong else ())


def _end(scene: Scene, sentences: Iterable[Sentence], fresh: tuple[str, ...]) -> Iterator[Step]:
    """What lies wrong, what is doubtful, the outcome. fresh: the cards that were just laid."""
    for fault in scene.judged.ruling.faults:
        if fault.rule is not Violation.AFTER_ERROR:
            yield _fault(scene, fault, fresh)
    said = list(sentences)
    for sentence in said:
        if sentence.about is About.DOUBT:
            names = scene.judged.numbering.places
            places = tuple((place, names[place]) for place in sentence.places if place in names)
            yield Step(sentence.text, lit=sentence.cards, places=places)
    if said:
        yield Step(said[0].text)


def _route(scene: Scene, route: Route, number: int) -> Iterator[Step]:
    """Cat and Mouse: the cards light up in order, the arrow flies to the next one, the points add up."""
    done: list[str] = []
    yield Step(scene.say.text("step.start", card=scene.named(route.start)), lit=(route.start,), colour=number)
    total, last = 0, route.start
    for card in route.valid:
        done.append(last)
        face = scene.judged.deck.face(scene.judged.layout.by_id[card].face)
        total += face.points if isinstance(face, ArrowFace) else 0
        key = "step.first-card" if last == route.start else "step.next-card"
        yield Step(
            scene.say.text(key, card=scene.named(card)),
            lit=(card,),
            done=tuple(done),
            arrow=(last, card),
            count=scene.say.text("match.points", total),
            colour=number,
        )
        last = card
    if route.valid:
        points = scene.say.text("match.points", total)
        text = scene.say.text("step.finished" if route.finished else "step.route-end", points=points)
        yield Step(text, done=(route.start, *route.valid), count=points, colour=number)


# -- what lies wrong


def _fault(scene: Scene, fault: Fault, fresh: tuple[str, ...]) -> Step:
    sentence = scene.explainer.fault(fault)
    cards, wrong = fault.cards, fault.cards[:1]
    laid = tuple(card for card in cards if card in fresh)
    if fault.rule in BETWEEN_EQUALS and 0 < len(laid) < len(cards):
        cards, wrong = (*laid, *(card for card in cards if card not in fresh)), laid
    elif fault.rule in (Violation.MISMATCH, Violation.TWO_FINISHES):
        wrong = cards
    return Step(
        sentence.text,
        lit=cards[1:],
        wrong=wrong,
        ghosts=tuple(_ghosts(scene.judged, fault.rule, cards)),
        rule=fault.rule_id,
    )


def _ghosts(judged: JudgedTable, rule: Violation, cards: tuple[str, ...]) -> Iterator[Any]:
    """Where the first of the cards should have lain, beside the second."""
    placed = judged.layout.by_id
    if len(cards) < 2 or not all(card in placed for card in cards[:2]):
        return
    card, other = placed[cards[0]], placed[cards[1]]
    face = judged.deck.face(other.face)
    others = [known for known in judged.layout.cards if known.id != card.id]
    if rule in SHOULD_FOLLOW_ARROW and isinstance(face, ArrowFace):
        for arrow in face.arrows:
            place = beside(other, ARROWS.index(arrow), judged.deck)
            if not is_taken(place, others, judged.deck):
                yield _outline(judged, place)
    elif rule in SHOULD_BE_FLUSH:
        places = [beside(other, side, judged.deck) for side in range(4)]
        free = [place for place in places if not is_taken(place, others, judged.deck)]
        nearest = min(free, key=lambda p: math.hypot(p.x - card.x, p.y - card.y), default=None)
        if nearest is not None:
            yield _outline(judged, nearest)


def _outline(judged: JudgedTable, card: PlacedCard) -> Any:
    return as_corners(to_view(judged, np.array(corners_on_table(card, judged.deck))))
