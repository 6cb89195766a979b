"""A lesson's item as pages show it: the table without its verdict, the question, and the answer when it is time."""

from __future__ import annotations

from typing import Any

import numpy as np
from flask import url_for

from referee.decks import Game
from referee.explain import About, explain, explain_problem, quote
from referee.layouts import PlacedCard
from referee.messages import Messages
from referee.moves import MoveRuling
from web.errors import ApiError
from web.lessons.items import NONE, NUMBERS, YES, Answered, ItemPhoto, Question
from web.messages import WebMessages
from web.options import FIELDS, choices, options_of
from web.tables.judging import JudgedTable
from web.tables.reading import Corners, as_corners
from web.tables.step import Move, move_told
from web.tables.steps import steps_of
from web.tables.view import corners_on_table, to_view


def shown(known: Answered, messages: Messages, with_answer: bool) -> dict[str, Any]:
    """What a page draws of an item; the answer, its reasons and its steps only if `with_answer`."""
    say = WebMessages(messages.language)
    item = known.item
    told: dict[str, Any] = {
        "game": item.game.value,
        "deck": item.deck or item.game.value,
        "rule": None if item.rule is None else item.rule.value,
        "kind": item.question.value,
        "question": say.text(f"question.{item.question.value}"),
        "note": item.note,
        "agreed": _agreed(known, messages, say),
        "table": _table(known),
        "story": _story(known, say),
        "slots": [{"value": s.name, "corners": place_in_view(known, s.card)} for s in known.slots],
        "new": list(known.new),
        "next": None if known.tried is None else {"face": known.tried, "hint": _hint(known, say)},
        "choices": _choices(known, say),
    }
    if with_answer:
        told["answers"] = list(known.answers)
        told["answer"] = answer_text(known, say)
        told["reasons"] = reasons(known, messages)
        laid = known.judged if known.hands is None else None
        told["steps"] = [] if laid is None else steps_of(laid, messages, _move(known, messages))
    return told


def _agreed(known: Answered, messages: Messages, say: WebMessages) -> list[str]:
    """The house rules that are not the usual ones: without them nobody could know the answer."""
    chosen = options_of(known.item.game, known.item.options).model_dump()[FIELDS[known.item.game]]
    told = []
    for choice in choices(known.item.game, messages):
        now = {True: "yes", False: "no"}.get(chosen[choice["name"]], chosen[choice["name"]])
        told += [value["text"] for value in choice["values"] if value["value"] == now != choice["default"]]
    return [f"{say.text('panel.house')}: {text}" for text in told]


def _table(known: Answered) -> dict[str, Any] | None:
    if known.judged is None:
        return None
    names = known.judged.numbering.cards
    cards = [
        {
            "id": card.id,
            "face": card.face,
            "corners": place_in_view(known, card),
            "x": card.x,
            "y": card.y,
            "turn": card.turn,
            "label": names[card.id],
            "standing": "aside",
        }
        for card in known.judged.layout.cards
    ]
    return {
        "id": "",
        "game": known.item.game.value,
        "deck": known.item.deck or known.item.game.value,
        "photo": _photo(known.item.photo),
        "size": None if known.item.photo is None else [known.item.photo.width, known.item.photo.height],
        "card_mm": list(known.deck.card_mm),
        "edge": edge_in_view(known),
        "around": [corner for s in known.slots for corner in place_in_view(known, s.card)],
        "cards": cards,
        "places": [],
        "answer": {"verdict": None},
    }


def _photo(photo: ItemPhoto | None) -> dict[str, Any] | None:
    if photo is None:
        return None
    url = url_for("lessons.photograph", photo=photo.id)
    return {"id": photo.id, "url": url, "width": photo.width, "height": photo.height}


def place_in_view(known: Answered, card: PlacedCard) -> Corners:
    """The corners of a card in the item's photograph, px; in millimetres if it has none."""
    judged = known.judged
    if judged is not None and card.id in judged.outlines:
        return judged.outlines[card.id]
    corners = np.array(corners_on_table(card, known.deck))
    return as_corners(corners if judged is None else to_view(judged, corners))


def edge_in_view(known: Answered) -> list[list[float]] | None:
    """The edge of the table, where it is known."""
    judged = known.judged
    if judged is None or judged.layout.table is None:
        return None
    return [[float(x), float(y)] for x, y in to_view(judged, np.array(judged.layout.table, dtype=float))]


def _story(known: Answered, say: WebMessages) -> list[str]:
    lines = []
    for number, event in enumerate(known.item.events, 1):
        kind = event.get("kind", "")
        what = say.text(f"kind.{kind}")
        if kind == "turn":
            played = [name for name in ("box", "cat", "asleep") if event.get(name)]
            what = ", ".join(say.text(f"match.{name}") for name in played) or what
        elif kind == "round":
            what = f"{what} {number}"
        who = event.get("player")
        lines.append(f"{number}. {what}" if who is None else f"{number}. {_player(who, say)}: {what}")
    return lines


def _player(name: str, say: WebMessages) -> str:
    return say.text(f"colour.{name}") if say.has(f"colour.{name}") else name


def _hint(known: Answered, say: WebMessages) -> str:
    """What must be known to answer where a cat may lie."""
    asked_for_cat = known.item.game is Game.IF_IT_FITS and known.item.before is None
    return say.text("lesson.just-played") if asked_for_cat else ""


def _choices(known: Answered, say: WebMessages) -> list[dict[str, str]] | None:
    """What may be answered; None: a number."""
    question = known.item.question
    if question in NUMBERS:
        return None
    if question is Question.WHERE_NEXT:
        return [{"value": slot.name, "label": slot.name} for slot in known.slots]
    if question is Question.FIRST_WRONG and known.judged is not None:
        names = known.judged.numbering.cards
        cards = sorted(known.judged.layout.by_id, key=lambda card: int(names[card]))
        listed = [{"value": card, "label": names[card]} for card in cards]
        return [*listed, {"value": NONE, "label": say.text("question.none")}]
    return [{"value": value, "label": say.text(f"question.{value}")} for value in ("yes", "no")]


def answer_text(known: Answered, say: WebMessages) -> str:
    """The right answer in words."""
    answers = known.answers
    if answers == (NONE,):
        return say.text("question.none")
    if known.item.question is Question.FIRST_WRONG and known.judged is not None:
        return ", ".join(known.judged.numbering.cards.get(card, card) for card in answers)
    if known.item.question in NUMBERS or known.item.question is Question.WHERE_NEXT:
        return ", ".join(answers)
    return say.text("question.yes" if answers == (YES,) else "question.no")


def _move(known: Answered, messages: Messages) -> Move | None:
    """The move that the item shows, for its steps."""
    if known.move is None or known.judged is None:
        return None
    return Move(known.move.cards, known.move.legal, True, _told(known, known.move, known.judged, messages))


def _told(known: Answered, move: MoveRuling, judged: JudgedTable, messages: Messages) -> tuple[str, ...]:
    """A move in sentences."""
    return move_told(move, True, judged.layout, known.deck, messages, judged.numbering.cards)


def reasons(known: Answered, messages: Messages) -> list[str]:
    """Why, in sentences, and the rule in short words."""
    told = []
    if known.judged is None:
        told += [explain_problem(problem, messages).text for problem in known.problems]
    elif known.hands is not None:
        dealt = ", ".join(str(count) for count in known.hands) or "0"
        told.append(WebMessages(messages.language).text("lesson.hands", players=len(known.hands), hands=dealt))
    else:
        names, layout = known.judged.numbering.cards, known.judged.layout
        if known.move is not None:
            told += _told(known, known.move, known.judged, messages)
        said = explain(known.judged.ruling, layout, known.deck, messages, names)
        told += [s.text for s in said if s.about is About.FAULT]
        told += [
            s.text for s in said if s.about is About.RESULT or (s.about is About.NOTE and s.rule_id is known.item.rule)
        ]
    if known.item.rule is not None:
        told.append(quote(known.item.rule, messages).text)
    return told


def check_choice(known: Answered, choice: str) -> None:
    """Raises ApiError (422) for what is no answer to this question."""
    if known.item.question in NUMBERS:
        fits = choice.isdecimal() and len(choice) <= 4
    else:
        allowed = _choices(known, WebMessages("en")) or []
        fits = choice in {entry["value"] for entry in allowed}
    if not fits:
        raise ApiError(422, "no-such-answer")
