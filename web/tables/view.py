"""A judged table as its page draws it: one JSON object, with the contract's answer inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from referee.decks import Deck
from referee.explain import About, quote
from referee.layouts import PlacedCard, id_order
from referee.messages import Messages
from referee.numbering import OF_THE_WHOLE
from referee.rulebook import RuleId, Violation
from referee.verdicts import PathsVerdict, RoutesVerdict, Ruling
from referee.vision.align import Doubles
from referee.vision.plane import card_corners
from web.tables.judging import JudgedTable
from web.tables.reading import Corners, Reading, as_corners
from web.tables.state import State

ALL_AT_FAULT = frozenset(
    {
        Violation.TWO_FINISHES,
        Violation.MISMATCH,
        Violation.SHOVED,
        Violation.BOX_LONG_TO_SHORT,
        Violation.BOX_NOT_FLUSH,
        Violation.BOX_OVERLAP,
        Violation.START_BY_LONG_SIDE,
    }
)
"""Faults in which no card is more to blame than the others."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a card stands: `right`, `wrong` (the fault began with it), `back` (it goes back), `unsure`, or `aside`
    (not judged); and the number of its route, from 0."""

    name: str
    route: int | None = None


def table_view(reading: Reading | None, state: State, judged: JudgedTable, messages: Messages) -> dict[str, Any]:
    """What the page draws. Corners are pixels of the photograph, or millimetres on a table laid by hand."""
    deck, ruling = judged.deck, judged.ruling
    standings = standings_of(judged)
    placed = judged.layout.by_id
    read = {card.id: card for card in reading.cards} if reading else {}
    points = {card: line.points for line in ruling.scores for card in line.cards if len(line.cards) == 1}
    cards = []
    for card in state.cards:
        at = placed.get(card.id)
        was = read.get(card.id)
        standing = standings.get(card.id, Standing("unsure" if at is None else "aside"))
        corners = card.corners if reading else corners_on_table(at, deck) if at else None
        cards.append(
            {
                "id": card.id,
                "face": card.face,
                "corners": corners,
                "x": at.x if at else card.x,
                "y": at.y if at else card.y,
                "turn": at.turn if at else card.turn,
                "label": judged.numbering.cards.get(card.id),
                "by_hand": reading is not None and card.id in judged.by_hand,
                "sure": card.sure,
                "likely": _likely(was.face, was.runner_up, [a.face for a in was.alternatives]) if was else [],
                "standing": standing.name,
                "route": standing.route,
                "points": points.get(card.id),
            }
        )
    doubtful = {d.corners for d in ruling.doubtful if d.card is None}
    places = [
        {
            "id": place.id,
            "label": judged.numbering.places.get(place.corners),
            "corners": place.corners,
            "likely": [place.face],
            "doubtful": place.corners in doubtful,
        }
        for place in judged.places
    ]
    unsure = {d.card for d in ruling.doubtful if d.card is not None}
    sentences = judged.sentences(messages)
    return {
        "cards": sorted(cards, key=lambda entry: id_order(str(entry["id"]))),
        "places": [place for place in places if place["label"] is not None or place["doubtful"]],
        "state": state.model_dump(mode="json", exclude_none=True),
        "to_table": None if reading is None else homography(judged),
        "count": {
            "found": len(state.cards),
            "unsure": len(unsure) + len(doubtful & set(judged.numbering.places)),
            "said": state.counted,
            "agrees": state.counted is None or state.counted == len(state.cards),
        },
        "outcome": ruling.outcome.value,
        "may_count": may_count(ruling, state),
        "sentences": [
            {
                "about": sentence.about.value,
                "text": sentence.text,
                "cards": list(sentence.cards),
                "rule": sentence.rule_id.value if sentence.rule_id else None,
            }
            for sentence in sentences
            if sentence.about is not About.RULE
        ],
        "rules": _rules({s.rule_id for s in sentences} | set(ruling.rules), messages),
        "answer": judged.answer(messages),
    }


def may_count(ruling: Ruling, state: State) -> bool:
    """Whether the table may enter a total: it is certain, or the players decided; and their count agrees."""
    counted = state.counted is None or state.counted == len(state.cards)
    return counted and (not ruling.doubtful or state.decided)


def _rules(used: set[RuleId | None], messages: Messages) -> dict[str, str]:
    return {rule.value: quote(rule, messages).text.partition(": ")[2] for rule in RuleId if rule in used}


def _likely(face: str, runner_up: str | None, others: list[str | None]) -> list[str]:
    """What a card may be, the likeliest first."""
    return list(dict.fromkeys(f for f in (face, *others, runner_up) if f is not None))


def standings_of(judged: JudgedTable) -> Mapping[str, Standing]:
    """How each card of the layout stands."""
    ruling, verdict = judged.ruling, judged.ruling.verdict
    whole = any(doubt.reason in OF_THE_WHOLE for doubt in ruling.doubtful)
    unsure = {doubt.card for doubt in ruling.doubtful}
    wrong = set(ruling.first_wrong)
    wrong |= {card for fault in ruling.faults if fault.rule in ALL_AT_FAULT for card in fault.cards}
    routes: dict[str, int] = {}
    back: set[str] = set()
    aside: set[str] = set()
    if isinstance(verdict, RoutesVerdict):
        back = set(verdict.returned)
        for number, route in enumerate(verdict.routes):
            routes.update(dict.fromkeys((route.start, *route.valid), number))
        aside = set(judged.layout.by_id) - set(judged.numbering.cards)
    elif isinstance(verdict, PathsVerdict) and verdict.groups:
        largest = set(sorted(verdict.groups, key=len)[-1])
        aside = set(judged.layout.by_id) - largest
        wrong |= {move.card for move in verdict.moves or () if not move.legal}
    found: dict[str, Standing] = {}
    for card in judged.layout.by_id:
        if whole or card in unsure:
            name = "unsure"
        elif card in wrong:
            name = "wrong"
        elif card in back:
            name = "back"
        else:
            name = "aside" if card in aside else "right"
        found[card] = Standing(name, routes.get(card))
    return found


def corners_on_table(card: PlacedCard, deck: Deck) -> Corners:
    """The corners of a card in millimetres."""
    width, height = deck.card_mm
    pose = np.array([[card.x / width, card.y / width, np.deg2rad(card.turn)]])
    return as_corners(card_corners(pose, height / width)[0] * width)


def homography(judged: JudgedTable) -> list[list[float]] | None:
    """(3, 3) from pixels of the photograph to millimetres of the layout, fitted to the cards: lens distortion is
    left out, so it serves to propose places, not to judge them."""
    placed = judged.layout.by_id
    here = {card: corners for card, corners in judged.seen.items() if card in placed}
    if not here:
        return None
    pixels = np.concatenate(list(here.values()))
    table: Doubles = np.concatenate([np.array(corners_on_table(placed[card], judged.deck)) for card in here])
    found, _ = cv2.findHomography(pixels, table, 0)
    return None if found is None else [[float(v) for v in row] for row in found]


def to_view(judged: JudgedTable, points: Doubles) -> Doubles:
    """(N, 2) millimetres of the layout -> pixels of the picture; the same if there is none."""
    to_table = homography(judged)
    if to_table is None:
        return points
    back = np.linalg.inv(np.array(to_table))
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), back).reshape(-1, 2))
