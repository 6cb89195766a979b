"""What is told of a checked photograph: the sentences for people, and the one JSON form.

The command line and the service give the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from referee import texts
from referee.explain import About, Sentence, explain
from referee.explain_move import explain_move
from referee.layouts import id_order
from referee.messages import Messages
from referee.numbering import OF_THE_WHOLE, Corners, Numbering, number
from referee.pipeline import CheckedPhoto
from referee.retake import Retake, advise
from referee.rulebook import RetakeReason
from referee.sequence import Look
from referee.vision.align import Doubles
from referee.vision.decode import Photo
from referee.vision.profile import in_file


def retakes_of(checked: CheckedPhoto) -> tuple[Retake, ...]:
    """What to do better in the next photograph.

    Only what matters: the picture as a whole, cut-off cards (more may lie beyond the edge), and the doubtful cards.
    """
    doubtful = {doubt.card for doubt in checked.ruling.doubtful if doubt.card is not None}
    places = {doubt.corners for doubt in checked.ruling.doubtful if doubt.card is None}
    kept = []
    for trouble in checked.view.troubles:
        if trouble.corners is None:
            kept.append(Retake(trouble.kind))
            continue
        card = next((c.id for c in checked.cards if np.array_equal(c.corners, trouble.corners)), None)
        corners = corners_of(trouble.corners)
        if trouble.kind is RetakeReason.CUT_OFF or card in doubtful or corners in places:
            kept.append(Retake(trouble.kind, card, corners))
    return tuple(dict.fromkeys(kept))


def corners_of(corners: Doubles) -> Corners:
    """(4, 2) px as plain numbers, as the rules half keeps them."""
    return tuple((float(x), float(y)) for x, y in corners)


def numbering_of(checked: CheckedPhoto) -> Numbering:
    """The names of cards and places, for the sentences and for the picture alike."""
    further = [r.corners for r in retakes_of(checked) if r.card is None and r.corners is not None]
    return number(checked.ruling, checked.layout, further)


def sentences_of(checked: CheckedPhoto, messages: Messages) -> tuple[Sentence, ...]:
    """All that there is to say of a photograph, cards being named by their numbers in the picture."""
    return tuple(_sentences(checked, messages))


def _sentences(checked: CheckedPhoto, messages: Messages) -> Iterator[Sentence]:
    numbering = numbering_of(checked)
    outcome, *rest = explain(checked.ruling, checked.layout, checked.deck, messages, numbering.cards, numbering.places)
    if any(doubt.reason in OF_THE_WHOLE for doubt in checked.ruling.doubtful):
        # Nobody is told to take cards back because the Start was not seen.
        rest = [sentence for sentence in rest if sentence.about not in (About.FAULT, About.RULE)]
    before = (About.RESULT, About.FAULT)
    yield outcome
    yield _seen(checked, messages)
    yield from (sentence for sentence in rest if sentence.about in before)
    doubts = [sentence for sentence in rest if sentence.about is About.DOUBT]
    yield from doubts
    yield from advise(retakes_of(checked), numbering, messages)
    yield from (sentence for sentence in rest if sentence.about not in (*before, About.DOUBT))


def sentences_of_look(look: Look, messages: Messages) -> tuple[Sentence, ...]:
    """All that there is to say of a photograph in a sequence: the move after what was seen, then the table."""
    sentences = list(sentences_of(look.checked, messages))
    if look.move is None:
        return tuple(sentences)
    names = numbering_of(look.checked).cards
    move: list[Sentence] = []
    if look.move.since is not None:
        move.append(Sentence(About.MOVE, messages.text(texts.MOVE_SINCE, photo=look.move.since)))
    if look.move.ruling is not None:
        checked = look.checked
        move += explain_move(look.move.ruling, look.move.certain, checked.layout, checked.deck, messages, names)
    if look.remembered:
        listed = ", ".join(names.get(card, card) for card in look.remembered)
        text = messages.text(texts.REMEMBERED_CARDS, cards=listed)
        move.append(Sentence(About.MOVE, text, look.remembered))
    rules = [sentence for sentence in move if sentence.about is About.RULE]
    move = [sentence for sentence in move if sentence.about is not About.RULE]
    after = next((i for i, s in enumerate(sentences) if s.about is About.SEEN), 0) + 1
    return (*sentences[:after], *move, *sentences[after:], *rules)


def answer_of_look(look: Look, messages: Messages) -> dict[str, Any]:
    """The contract's answer for a photograph in a sequence; from the second on it has a `move`."""
    answer = answer_of(look.checked, messages)
    answer["texts"] = [sentence.text for sentence in sentences_of_look(look, messages)]
    for card in answer["cards"]:
        if card["id"] in look.remembered:
            card["remembered"] = True
    if look.move is not None:
        move = look.move.to_dict()
        move["texts"] = [s.text for s in sentences_of_look(look, messages) if s.about is About.MOVE]
        answer["move"] = move
    return answer


def _seen(checked: CheckedPhoto, messages: Messages) -> Sentence:
    """How many cards were found, and how many of them and of other places are to be looked at."""
    numbering = numbering_of(checked)
    unsure = {doubt.card for doubt in checked.ruling.doubtful if doubt.card is not None}
    unsure_places = {d.corners for d in checked.ruling.doubtful if d.card is None} & set(numbering.places)
    number_unsure = len(unsure) + len(unsure_places)
    text = texts.SEEN_UNSURE if number_unsure else texts.SEEN
    return Sentence(About.SEEN, messages.text(text, len(checked.cards), unsure=number_unsure))


def answer_of(checked: CheckedPhoto, messages: Messages) -> dict[str, Any]:
    """The contract's answer for a photograph, with further fields; corners are pixels of the file, upright."""
    sentences = sentences_of(checked, messages)
    numbering = numbering_of(checked)
    answer = {"photo": checked.photo.name, **checked.ruling.to_dict([sentence.text for sentence in sentences])}
    answer.pop("name", None)
    photo = checked.photo
    for doubt, entry in zip(checked.ruling.doubtful, answer["doubtful"], strict=True):
        if doubt.corners is not None:
            entry["corners"] = _in_file(doubt.corners, photo)
        label = numbering.places.get(doubt.corners or ()) if doubt.card is None else numbering.cards.get(doubt.card)
        if label is not None:
            entry["label"] = label
    cards = []
    for card in checked.cards:
        entry = {**card.to_dict(), "corners": _in_file(corners_of(card.corners), photo)}
        if card.id in numbering.cards:
            entry["label"] = numbering.cards[card.id]
        cards.append(entry)
    answer["cards"] = sorted(cards, key=lambda entry: id_order(entry["id"]))
    answer["layout"] = checked.layout.to_dict()["cards"]
    answer["retake"] = [_retake(retake, numbering, messages, photo) for retake in retakes_of(checked)]
    answer["seconds"] = {stage: round(seconds, 3) for stage, seconds in checked.seconds.items()}
    return answer


def _retake(retake: Retake, numbering: Numbering, messages: Messages, photo: Photo) -> dict[str, Any]:
    (sentence,) = advise([retake], numbering, messages)
    return {
        "reason": retake.reason.value,
        "card": retake.card,
        "corners": None if retake.corners is None else _in_file(retake.corners, photo),
        "text": sentence.text,
    }


def _in_file(corners: Sequence[tuple[float, float]], photo: Photo) -> list[list[float]]:
    """Pixels of the picture that was read -> pixels of the file."""
    return [[round(float(x), 1), round(float(y), 1)] for x, y in in_file(photo, np.array(corners, np.float64))]
