"""Rulings in words: what people read."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.decks import Deck
from referee.explain import About, explain, explain_problem
from referee.explain_move import explain_move
from referee.games import judge
from referee.layouts import Layout
from referee.match.problems import Problem
from referee.messages import LANGUAGES, Messages
from referee.moves import judge_move
from referee.rulebook import DoubtReason, MatchProblem, RuleId
from referee.verdicts import Doubt, Outcome
from tests.games.test_properties import ANY_TABLE
from tests.rules_tables import BOXES, MOUSE, PATHS, draw, with_cats


def said(layout: Layout, deck: Deck, language: str = "en") -> list[str]:
    return [sentence.text for sentence in explain(judge(layout, deck), layout, deck, Messages(language))]


def test_a_route_with_a_wrong_card() -> None:
    table = draw("s=S a=r1 b=u2 f=F", MOUSE)
    assert said(table, MOUSE) == [
        "Something lies wrong.",
        "Start s: 2 cards are right, 3 points.",
        "Finish f lies on the wrong side. Put the card back into the heap. "
        "Look where the arrow points: card b (arrow up, 2 points).",
        "CM-ARROW: Each next card lies on the side that the arrow of the card before points to.",
    ]
    assert said(table, MOUSE, "uk")[:3] == [
        "Щось лежить неправильно.",
        "«Старт» s: правильно лежать 2 картки, 3 бали.",
        "«Фініш» f лежить не з того боку. Поклади картку назад у купу. "
        "Подивися, куди показує стрілка: картка b (стрілка вгору, 2 бали).",
    ]
    assert said(table, MOUSE, "ru")[2].startswith("«Фініш» f лежит не с той стороны.")


def test_an_arrow_is_named_as_it_lies() -> None:
    table = draw("s=S a=u1/90 b=ur1/180 c=r1/90", MOUSE)
    assert any("card b (arrows down and left, 1 point)" in text for text in said(table, MOUSE))


def test_cards_with_the_same_plain_fate_are_told_together() -> None:
    told = said(draw("s=S a=u1 b=r1 c=r1 d=r1 . . . . y=u1 . . . z=u1", MOUSE), MOUSE)
    assert told[3:5] == [
        "These cards lie after a wrong card, so they go back into the heap too: c, d.",
        "These cards belong to no route. Put them back into the heap: y, z.",
    ]
    assert judge(draw("s=S a=u1 b=r1 c=r1 d=r1", MOUSE), MOUSE).first_wrong == ("b",)


def test_moves_and_what_they_earn() -> None:
    table = draw("a=red b=red\nc=red d=red", PATHS, order="abcd")
    assert said(table, PATHS)[-1] == "Move 4, card d: right. An extra turn: three or more joins of one colour."


@pytest.mark.parametrize(("before", "after"), [("a=red", "a=red b=blue"), ("b=red", "b=red a=blue")])
def test_a_fault_that_the_table_shows_is_not_told_again_of_the_move(before: str, after: str) -> None:
    """Whichever of the two cards the table names first."""
    tables = [draw(drawing, PATHS) for drawing in (before, after)]
    move = judge_move(*tables, PATHS)
    assert move.ruling.faults
    assert {frozenset(fault.cards) for fault in move.faults} >= {frozenset("ab")}
    told = list(explain_move(move, True, tables[1], PATHS, Messages("en"), {}))
    mismatches = [s for s in told if s.about is About.FAULT and s.rule_id is RuleId.CP_JOIN]
    assert mismatches == []


def test_boxes_cats_and_points() -> None:
    table = with_cats(draw("a=tbl2 b=trb1", BOXES, pitch=1.0), BOXES, "k=red:a|b")
    assert said(table, BOXES) == [
        "Everything lies right.",
        "Closed box (a, b): 3 toys. Cats: red 1. Red: 3 points.",
        "Points: red 3.",
    ]


def test_of_a_box_that_lies_wrong_it_is_not_told_as_well_that_it_lies_apart() -> None:
    wrong = said(draw("a=S b=o0 c=o0/90+0.25,0 . . d=o0", BOXES, pitch=1.0), BOXES)
    assert sum("a long side lies at a short side" in text for text in wrong) == 1
    assert [text for text in wrong if "apart" in text] == ["1 box card lies apart from the others (d)."]
    move = judge_move(draw("a=S b=o0", BOXES, 1.0), draw("a=S b=o0 c=o0/90+0.25,0", BOXES, 1.0), BOXES)
    assert [fault.rule for fault in move.faults] == [fault.rule for fault in move.ruling.faults]


def test_cards_may_be_called_by_other_names() -> None:
    table = draw("s=S a=r1 b=u2 f=F", MOUSE)
    sentences = explain(judge(table, MOUSE), table, MOUSE, Messages("en"), names={"f": "9"})
    assert sentences[2].text.startswith("Finish 9 ")
    assert (sentences[2].about, sentences[2].cards, sentences[2].rule_id) == (
        About.FAULT,
        ("f", "b"),
        RuleId.CM_ARROW,
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_doubts_say_what_the_card_may_be(language: str) -> None:
    table = draw("s=S a=r1", MOUSE)
    doubts = (
        Doubt(DoubtReason.FACE_UNSURE, "a", ("r1", "r2")),
        Doubt(DoubtReason.PERHAPS_NO_CARD, None, ("r1",), ((0.0, 0.0),) * 4),
    )
    ruling = dataclasses.replace(judge(table, MOUSE), outcome=Outcome.UNDETERMINED, doubtful=doubts)
    sentences = [s for s in explain(ruling, table, MOUSE, Messages(language)) if s.about is About.DOUBT]
    assert [s.cards for s in sentences] == [("a",), ()]
    assert "2" in sentences[0].text


@pytest.mark.parametrize("language", LANGUAGES)
def test_problems_of_a_match_are_told(language: str) -> None:
    problem = Problem(3, MatchProblem.NOT_YOUR_TURN, RuleId.IF_TURN, "Оля")
    assert "Оля" in explain_problem(problem, Messages(language)).text


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ANY_TABLE, st.sampled_from(LANGUAGES))
def test_every_table_can_be_explained(case: tuple[Deck, Layout], language: str) -> None:
    deck, layout = case
    ruling = judge(layout, deck)
    sentences = explain(ruling, layout, deck, Messages(language))
    told = {card for sentence in sentences if sentence.about is About.FAULT for card in sentence.cards}
    assert told >= {fault.cards[0] for fault in ruling.faults}
    for sentence in sentences:
        assert sentence.text
        assert not re.search(r"[{}]|\bNone\b", sentence.text)
        assert set(sentence.cards) <= set(layout.by_id)
