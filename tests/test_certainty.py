"""Doubts that matter make a ruling undetermined and name the cards; doubts that do not matter do not."""

from __future__ import annotations

import pytest

from referee.certainty import Alternative, CardReading, TableReading, Tolerance, meaning_of, rule_on
from referee.decks import Deck
from referee.errors import LayoutError
from referee.games import judge
from referee.layouts import Layout
from referee.rulebook import DoubtReason
from referee.verdicts import Outcome, Ruling
from tests.rules_tables import BOXES, MOUSE, PATHS, draw, mouse_deck, with_cats

EXACT = Tolerance(0.0, 0.0)
Faces = dict[str, list[tuple[str | None, float]]]


def reading(layout: Layout, doubts: Faces | None = None) -> TableReading:
    """A layout read with some doubts: card -> faces (None: no card) with confidence."""
    doubts = doubts or {}
    cards = tuple(
        CardReading(card, tuple(Alternative(face, sure) for face, sure in doubts.get(card.id, ())))
        for card in layout.cards
    )
    return TableReading(layout.game, cards, layout.name, layout.order)


def ruled(layout: Layout, deck: Deck, doubts: Faces | None = None, tolerance: Tolerance = EXACT) -> Ruling:
    return rule_on(reading(layout, doubts), deck, tolerance=tolerance)


def doubted(ruling: Ruling) -> dict[str | None, DoubtReason]:
    return {doubt.card: doubt.reason for doubt in ruling.doubtful}


ROUTE = draw("s=S a=r1 b=r2 c=d1 . . . z=r1", MOUSE)


@pytest.mark.parametrize(
    ("doubts", "named"),
    [
        ({}, []),
        ({"b": [("r2", 0.9)]}, []),
        ({"b": [("r2", 0.6), ("r3", 0.4)]}, ["b"]),  # the points hang on it
        ({"b": [("r2", 0.6), ("u2", 0.4)]}, ["b"]),  # so does the way
        ({"c": [("d1", 0.6), ("l1", 0.4)]}, []),  # the last card's arrow decides nothing
        ({"z": [("r1", 0.5), ("u3", 0.5)]}, []),  # it goes back whatever it is
        ({"z": [("r1", 0.5), (None, 0.5)]}, ["z"]),
        ({"c": [("d1", 0.6), ("l1", 0.4)], "b": [("r2", 0.6), ("r3", 0.4)]}, ["b"]),
        ({"a": [("r1", 0.6), ("u1", 0.4)], "b": [("r2", 0.6), ("r3", 0.4)]}, ["a", "b"]),
    ],
)
def test_only_doubts_that_matter_count(doubts: Faces, named: list[str]) -> None:
    ruling = ruled(ROUTE, MOUSE, doubts)
    assert sorted(doubt.card or "" for doubt in ruling.doubtful) == named
    assert (ruling.outcome is Outcome.UNDETERMINED) == bool(named)
    assert ruling.verdict == judge(ROUTE, MOUSE).verdict  # the likeliest reading is the drawn one


def test_a_turn_may_be_in_doubt() -> None:
    cards = tuple(
        CardReading(card, (Alternative(card.face, 0.6), Alternative(card.face, 0.4, turn=90.0)))
        if card.id == "a"
        else CardReading(card)
        for card in ROUTE.cards
    )
    assert doubted(rule_on(TableReading(MOUSE.game, cards), MOUSE, tolerance=EXACT)) == {"a": DoubtReason.FACE_UNSURE}


def test_the_likeliest_reading_gives_the_verdict_and_the_reason_is_told() -> None:
    ruling = ruled(ROUTE, MOUSE, {"b": [("r2", 0.3), ("r3", 0.7)], "z": [(None, 0.8), ("r1", 0.2)]})
    assert doubted(ruling) == {"b": DoubtReason.FACE_UNSURE, "z": DoubtReason.PERHAPS_NO_CARD}
    doubt = next(d for d in ruling.doubtful if d.card == "b")
    assert doubt.alternatives == ("r3", "r2")
    likeliest = draw("s=S a=r1 b=r3 c=d1", MOUSE)
    assert meaning_of(judge(likeliest, MOUSE)) == (Outcome.VALID, *meaning_tail(ruling))


def meaning_tail(ruling: Ruling) -> tuple[object, ...]:
    meaning = meaning_of(ruling)
    assert isinstance(meaning, tuple)
    return meaning[1:]


def test_something_that_is_likely_no_card_is_pointed_at_by_its_corners() -> None:
    corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    cards = [CardReading(card) for card in ROUTE.cards if card.id != "z"]
    extra = CardReading(ROUTE.by_id["z"], (Alternative(None, 0.7), Alternative("r1", 0.3)), corners)
    ruling = rule_on(TableReading(MOUSE.game, (*cards, extra)), MOUSE, tolerance=EXACT)
    assert [(d.card, d.corners) for d in ruling.doubtful] == [(None, corners)]
    assert ruling.outcome is Outcome.UNDETERMINED


def test_the_deck_may_exclude_a_reading_but_legality_never() -> None:
    scarce = mouse_deck(count=1)
    layout = draw("s=S a=r1 b=r2 c=d1", scarce)
    assert ruled(layout, scarce, {"b": [("r2", 0.6), ("r1", 0.4)]}).outcome is Outcome.VALID  # a is r1, surely
    assert ruled(layout, scarce, {"b": [("r2", 0.6), ("u2", 0.4)]}).outcome is Outcome.UNDETERMINED


def test_a_face_that_nobody_reviewed_carries_no_verdict() -> None:
    faces = tuple(face.model_copy(update={"needs_review": face.id == "r2"}) for face in MOUSE.faces)
    enrolled = MOUSE.model_copy(update={"faces": faces})
    with_it = draw("s=S a=r1 b=r2 c=d1", enrolled)
    assert doubted(ruled(with_it, enrolled, {})) == {"b": DoubtReason.FACE_UNREVIEWED}
    assert ruled(draw("s=S a=r1 b=r3 c=d1", enrolled), enrolled, {}).outcome is Outcome.VALID


def test_more_of_a_face_than_the_deck_has_is_never_corrected_silently() -> None:
    scarce = mouse_deck(count=1)
    layout = draw("s=S a=r1 b=r1 c=d1", scarce)
    doubtful: list[Faces] = [{}, {"b": [("r1", 0.6), ("r2", 0.4)]}]
    for doubts in doubtful:
        ruling = ruled(layout, scarce, doubts)
        assert doubted(ruling) == dict.fromkeys("ab", DoubtReason.TOO_MANY_OF_FACE)


def test_too_many_doubts_at_once_are_not_told_apart() -> None:
    faces: list[tuple[str | None, float]] = [("r1", 0.4), ("r2", 0.3), ("r3", 0.2), ("u1", 0.1)]
    layout = draw("s=S " + " ".join(f"c{i}=r1" for i in range(8)), MOUSE)
    ruling = ruled(layout, MOUSE, {f"c{i}": faces for i in range(8)})
    assert ruling.outcome is Outcome.UNDETERMINED
    assert set(doubted(ruling)) <= set(layout.by_id)
    assert ruling.verdict == judge(layout, MOUSE).verdict


@pytest.mark.parametrize(
    ("layout", "deck", "close"),
    [
        (draw("s=S a=r1 b=r1+0,0.4", MOUSE), MOUSE, False),
        (draw("s=S a=r1 b=r1+0,0.6", MOUSE), MOUSE, True),
        (draw("s=S a=r1 b=r1+0.54,0", MOUSE), MOUSE, True),
        (draw("a=red b=red+0,0.1", PATHS), PATHS, False),
        (draw("a=red b=red+0,0.19", PATHS), PATHS, True),
        (draw("a=red b=red+0,0.21", PATHS), PATHS, True),
        (draw("a=red b=red+0.24,0", PATHS), PATHS, True),
        (draw("a=o0 b=o0+0,0.2", BOXES, pitch=1.0), BOXES, False),
        (draw("a=o0 b=o0+0,0.29", BOXES, pitch=1.0), BOXES, True),
        (with_cats(draw("a=o0 b=o0", BOXES, pitch=1.0), BOXES, "k=red:a|b+0.2,0"), BOXES, False),
        (with_cats(draw("a=o0 b=o0", BOXES, pitch=1.0), BOXES, "k=red:a|b+0.32,0"), BOXES, True),
    ],
)
def test_a_verdict_that_hangs_on_a_hair_is_not_certain(layout: Layout, deck: Deck, close: bool) -> None:
    ruling = ruled(layout, deck, tolerance=Tolerance(0.03, 2.0))
    assert (ruling.outcome is Outcome.UNDETERMINED) == close
    assert {doubt.reason for doubt in ruling.doubtful} == ({DoubtReason.CLOSE_CALL} if close else set())
    assert ruled(layout, deck).outcome is judge(layout, deck).outcome


def test_a_face_the_deck_lacks_is_refused() -> None:
    with pytest.raises(LayoutError, match="zz"):
        ruled(ROUTE, MOUSE, {"a": [("r1", 0.5), ("zz", 0.5)]})


def test_the_order_of_cards_and_alternatives_changes_nothing() -> None:
    doubts: Faces = {"b": [("r2", 0.5), ("r3", 0.5)], "a": [("r1", 0.6), ("u1", 0.4)]}
    one = reading(ROUTE, doubts)
    cards = tuple(CardReading(c.card, c.alternatives[::-1], c.corners) for c in reversed(one.cards))
    other = TableReading(one.game, cards, one.name, one.order)
    assert rule_on(one, MOUSE) == rule_on(other, MOUSE)
