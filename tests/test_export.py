"""What is told of a checked photograph, in words and in JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

from referee import texts
from referee.explain import About
from referee.export import answer_of, numbering_of, retakes_of, sentences_of
from referee.messages import LANGUAGES, Messages
from referee.numbering import number
from referee.retake import Retake, advise
from referee.rulebook import DoubtReason, RetakeReason
from referee.verdicts import Doubt, Outcome
from tests.checked_photos import photographed
from tests.rules_tables import BOXES, MOUSE, draw, with_cats

PLACE = ((40.0, 30.0), (100.0, 30.0), (100.0, 90.0), (40.0, 90.0))
UNSURE = Doubt(DoubtReason.FACE_UNSURE, "b", ("u2", "u3"))
ODD = Doubt(DoubtReason.PERHAPS_NO_CARD, None, ("u1",), PLACE)


def test_cards_are_numbered_along_their_routes_and_the_rest_are_letters() -> None:
    table = draw("s=S a=r1 b=u2 w=r1\n. . . .\n. . . .\nt=S c=r1 . z=u1", MOUSE)
    names = numbering_of(photographed(table, MOUSE)).cards
    assert names == {"s": "1", "a": "1.1", "b": "1.2", "t": "2", "c": "2.1", "w": "A", "z": "B"}


def test_cards_of_the_heap_have_no_name_unless_they_are_doubtful() -> None:
    table = draw("s=S a=r1 . . . x=r1 y=u1/30+-0.8,0", MOUSE)
    assert set(numbering_of(photographed(table, MOUSE)).cards) == {"s", "a"}
    doubt = Doubt(DoubtReason.FACE_UNSURE, "x", ("r1", "r2"))
    assert numbering_of(photographed(table, MOUSE, [doubt])).cards["x"] == "A"


def test_more_letters_than_the_alphabet_has() -> None:
    row = " ".join(f"c{n}=r1+{n},0" for n in range(30))
    checked = photographed(draw(row, MOUSE, pitch=2.0), MOUSE)
    names = list(numbering_of(checked).cards.values())
    assert names[:2] + names[25:28] == ["A", "B", "Z", "AA", "AB"]


def test_cards_of_other_games_are_counted() -> None:
    table = with_cats(draw("a=tbl2 b=trb1", BOXES, pitch=1.0), BOXES, "k=red:a|b")
    assert numbering_of(photographed(table, BOXES)).cards == {"a": "1", "b": "2", "k": "3"}


def test_places_are_numbered_in_the_order_of_the_doubts() -> None:
    further = tuple((x + 200, y) for x, y in PLACE)
    checked = photographed(draw("s=S a=r1 b=u2", MOUSE), MOUSE, [UNSURE, ODD])
    numbering = number(checked.ruling, checked.layout, [further, PLACE])
    assert numbering.places == {PLACE: "?1", further: "?2"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_photo_is_never_certain(language: str) -> None:
    checked = photographed(draw("", MOUSE), MOUSE, troubles=[(RetakeReason.NO_CARDS, None)])
    answer = answer_of(checked, Messages(language))
    assert answer["outcome"] == "undetermined"
    (doubt,) = answer["doubtful"]
    assert (doubt["reason"], len(doubt["corners"])) == ("nothing-found", 4)
    assert [r["reason"] for r in answer["retake"]] == ["no-cards"]
    assert answer["retake"][0]["text"] in answer["texts"]
    assert answer["cards"] == []


@pytest.mark.parametrize("table", ["a=r1 b=u2", "x=r1 y=u1/30+-0.8,0"])
def test_a_photo_without_a_start_is_never_certain(table: str) -> None:
    checked = photographed(draw(table, MOUSE), MOUSE)
    assert checked.ruling.outcome is Outcome.UNDETERMINED
    assert [doubt.reason for doubt in checked.ruling.doubtful] == [DoubtReason.NO_START]
    told = [s.text for s in sentences_of(checked, Messages("uk"))]
    assert len([text for text in told if "«Старт»" in text]) == 1


def test_a_start_alone_is_a_table_to_judge() -> None:
    assert photographed(draw("s=S", MOUSE), MOUSE).ruling.outcome is Outcome.VALID


def test_the_words_name_cards_as_the_picture_does() -> None:
    checked = photographed(draw("s=S a=r1 b=u2 w=r1", MOUSE), MOUSE, [ODD], [(RetakeReason.GLARE, np.array(PLACE))])
    told = {s.about: s.text for s in sentences_of(checked, Messages("en"))}
    assert told[About.SEEN] == "Cards found: 4. To look at: 1."
    assert told[About.RESULT] == "Start 1: 2 cards are right, 3 points."
    assert told[About.FAULT].startswith("Card A (arrow right, 1 point) lies on the wrong side.")
    assert told[About.DOUBT].startswith("Look at this: the place marked ?1.")
    assert told[About.RETAKE].startswith("A lamp or the window shines here: ?1. Move the phone")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_a_reason_names_all_cards(language: str) -> None:
    numbering = numbering_of(photographed(draw("s=S a=r1 b=u2", MOUSE), MOUSE, [ODD]))
    for reason in RetakeReason:
        (whole,) = advise([Retake(reason)], numbering, Messages(language))
        assert whole.text.endswith(".")
        retakes = [Retake(reason, "a", PLACE), Retake(reason, "b", PLACE), Retake(reason, None, PLACE)]
        (sentence,) = advise(retakes, numbering, Messages(language))
        if reason in texts.RETAKES_AT:
            assert "1.1, 1.2, ?1" in sentence.text
            assert sentence.cards == ("a", "b")
            assert sentence.text != whole.text


def test_only_troubles_that_matter_are_told() -> None:
    troubles = [(RetakeReason.GLARE, "a"), (RetakeReason.BLURRED, "b"), (RetakeReason.CUT_OFF, "s")]
    table = draw("s=S a=r1 b=u2", MOUSE)
    assert [r.card for r in retakes_of(photographed(table, MOUSE, [UNSURE], troubles))] == ["b", "s"]
    assert [r.reason.value for r in retakes_of(photographed(table, MOUSE, [], troubles))] == ["cut-off"]


def test_many_doubts_of_one_kind_are_told_once() -> None:
    doubts = [Doubt(DoubtReason.FACE_UNSURE, card, ("u1", "u2")) for card in ("a", "b", "c")]
    checked = photographed(draw("s=S a=r1 b=r2 c=r2", MOUSE), MOUSE, doubts)
    (told,) = [s for s in sentences_of(checked, Messages("en")) if s.about is About.DOUBT]
    assert told.text.startswith("Look at these cards: 1.1, 1.2, 1.3.")
    assert told.cards == ("a", "b", "c")


def test_the_answer_is_in_pixels_of_the_file() -> None:
    table = draw("c1=S c2=r1 c3=u2", MOUSE)
    doubts = [Doubt(DoubtReason.FACE_UNSURE, "c3", ("u2", "u3"), PLACE), ODD]
    troubles = [(RetakeReason.BLURRED, np.array(PLACE))]
    whole = answer_of(photographed(table, MOUSE, doubts, troubles), Messages("en"))
    half = answer_of(photographed(table, MOUSE, doubts, troubles, scale=0.5), Messages("en"))
    for one, two in zip(whole["cards"], half["cards"], strict=True):
        assert np.allclose(2 * np.array(one["corners"]), two["corners"])
    for part in ("doubtful", "retake"):
        for one, two in zip(whole[part], half[part], strict=True):
            assert np.allclose(2 * np.array(one["corners"]), two["corners"])
    assert [card["label"] for card in whole["cards"]] == ["1", "1.1", "1.2"]
    assert [doubt["label"] for doubt in whole["doubtful"]] == ["1.2", "?1"]
    assert {"photo", "game", "deck", "outcome", "verdict", "cards", "doubtful"} <= set(whole)
    json.dumps(whole, allow_nan=False)
