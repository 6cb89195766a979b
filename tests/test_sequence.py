"""Photographs of one table after each move, as if read from pictures: the camera turns, readings are noisy."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from referee.certainty import Alternative, CardReading, TableReading, rule_on
from referee.decks import Deck
from referee.export import answer_of_look, sentences_of_look
from referee.layouts import Layout
from referee.messages import LANGUAGES, Messages
from referee.pipeline import CheckedPhoto, SeenCard
from referee.rulebook import DoubtReason, Violation
from referee.sequence import Look, TableSequence
from referee.verdicts import ExtraTurn, Outcome, RoutesVerdict
from referee.vision.track import Lost
from tests.checked_photos import corners_in_picture, photographed
from tests.rules_tables import BOXES, MOUSE, PATHS, draw, turned, with_cats, without

Faces = Mapping[str, Sequence[tuple[str | None, float]]]


class Table:
    """Photographs one look after another, each from another side, and keeps the names of the drawings apart."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._sequence = TableSequence(deck)
        self._number = 0
        self.drawn: dict[str, str] = {}

    def look(self, layout: Layout, doubts: Faces | None = None, degrees: float | None = None) -> Look:
        """`doubts`: what cards may be, by the drawing's ids; `degrees`: from where the photograph is taken."""
        self._number += 1
        rng = np.random.default_rng(self._number)
        degrees = float(rng.uniform(40, 320)) if degrees is None else degrees
        checked, names = photo_of(layout, self._deck, degrees, rng, doubts or {}, f"photo-{self._number}.jpg")
        look = self._sequence.look(checked)
        for seen in look.checked.cards:
            corners = tuple(map(tuple, seen.corners.tolist()))
            if corners in names:
                name = names[corners]
                assert self.drawn.setdefault(seen.id, name) == name, "a card did not keep its id"
        return look

    def skip(self) -> None:
        self._sequence.skip()

    def named(self, cards: Sequence[str]) -> set[str]:
        """The ids of the drawings for the ids of the answers."""
        return {self.drawn[card] for card in cards}


def photo_of(
    layout: Layout, deck: Deck, degrees: float, rng: np.random.Generator, doubts: Faces, name: str
) -> tuple[CheckedPhoto, dict[tuple[tuple[float, ...], ...], str]]:
    """A reading of a table: its own ids, its own origin and direction, places up to two millimetres off."""
    seen_from = turned(layout, degrees, float(rng.uniform(-500, 500)), float(rng.uniform(-500, 500)))
    order = rng.permutation(len(seen_from.cards))
    cards = []
    for number, index in enumerate(order, 1):
        card = seen_from.cards[index]
        off = {"x": card.x + rng.normal(0, 0.8), "y": card.y + rng.normal(0, 0.8), "turn": card.turn + rng.normal(0, 1)}
        cards.append(card.model_copy(update={"id": f"c{number}", **off}))
    mine = {f"c{number}": layout.cards[index].id for number, index in enumerate(order, 1)}
    seen = Layout(name=name, game=layout.game, cards=tuple(cards))
    corners = corners_in_picture(seen, deck)
    readings = tuple(
        CardReading(
            card,
            tuple(Alternative(face, confidence) for face, confidence in doubts.get(mine[card.id], ())),
            tuple((float(x), float(y)) for x, y in corners[card.id]),
        )
        for card in seen.cards
    )
    reading = TableReading(layout.game, readings, name)
    checked = photographed(seen, deck)
    shown = [SeenCard(card.id, card.face, corners[card.id], 0.9, None, 1.0) for card in cards]
    checked = dataclasses.replace(
        checked,
        photo=dataclasses.replace(checked.photo, name=name),
        cards=tuple(card for card in shown if (doubts.get(mine[card.id]) or [("", 1.0)])[0][0] is not None),
        reading=reading,
        ruling=rule_on(reading, deck),
    )
    return checked, {tuple(map(tuple, corners[card].tolist())): name for card, name in mine.items()}


def mouse(drawing: str) -> Layout:
    return draw(drawing, MOUSE)


def paths(drawing: str) -> Layout:
    return draw(drawing, PATHS)


def boxes(drawing: str, cats: str = "") -> Layout:
    return with_cats(draw(drawing, BOXES, pitch=1.0), BOXES, cats)


def told(table: Table, look: Look) -> tuple[set[str], bool, list[Violation]]:
    """New cards, legal, faults; and the move must be certain."""
    assert look.move is not None
    assert look.move.ruling is not None
    assert look.move.certain, look.checked.ruling.doubtful
    move = look.move.ruling
    return table.named(move.cards), move.legal, sorted({fault.rule for fault in move.faults})


# --- The three games


def test_cat_and_mouse_from_all_sides() -> None:
    table = Table(MOUSE)
    first = table.look(mouse("s=S a=r1"))
    assert first.move is None
    assert told(table, table.look(mouse("s=S a=r1 b=d2"))) == ({"b"}, True, [])
    wrong = table.look(mouse("s=S a=r1 b=d2 w=u1"))
    assert told(table, wrong) == ({"w"}, False, [Violation.WRONG_SIDE])
    assert wrong.checked.ruling.outcome is Outcome.INVALID
    corrected = table.look(mouse("s=S a=r1 b=d2\n. . w=u1"))
    assert told(table, corrected) == ({"w"}, True, [])
    assert corrected.checked.ruling.outcome is Outcome.VALID
    verdict = corrected.checked.ruling.verdict
    assert isinstance(verdict, RoutesVerdict)
    assert [table.drawn[card] for card in verdict.routes[0].valid] == ["a", "b", "w"]


def test_what_was_laid_first_stays_the_route() -> None:
    table = Table(MOUSE)
    table.look(mouse("s=S a=rd1 b=r1"))
    then = table.look(mouse("s=S a=rd1 b=r1\n. c=d1 .\n. d=d1 ."))
    assert told(table, then) == ({"c", "d"}, False, [Violation.AFTER_ERROR, Violation.SECOND_ARROW])
    verdict = then.checked.ruling.verdict
    assert isinstance(verdict, RoutesVerdict)
    assert [table.drawn[card] for card in verdict.routes[0].valid] == ["a", "b"]


def test_paths_with_seven_changes_and_a_ring() -> None:
    chain = ["a=half", "b=flah", "c=half", "d=flah", "e=half", "f=flah", "g=half", "h=flah"]
    table = Table(PATHS)
    table.look(paths(" ".join(chain[:5])))
    extra = []
    for count in (6, 7, 8):
        look = table.look(paths(" ".join(chain[:count])))
        assert told(table, look) == ({chain[count - 1][0]}, True, [])
        assert look.move is not None
        extra.append(look.move.to_dict()["extra_turn"])
    assert extra == [[], [ExtraTurn.SEVEN_CHANGES.value], []]

    table = Table(PATHS)
    table.look(paths("a=arcs b=arcs\nc=arcs ."))
    look = table.look(paths("a=arcs b=arcs\nc=arcs d=arcs"))
    assert told(table, look) == ({"d"}, True, [])
    assert look.move is not None
    assert look.move.to_dict()["ring"] is True


def test_a_card_laid_wrong_and_taken_back() -> None:
    table = Table(PATHS)
    table.look(paths("a=red e=half"))
    assert told(table, table.look(paths("a=red e=half b=red"))) == ({"b"}, False, [Violation.MISMATCH])
    instead = table.look(paths("a=red e=half c=flah"))
    assert told(table, instead) == ({"c"}, True, [])
    assert instead.move is not None
    assert instead.move.ruling is not None
    assert table.named(instead.move.ruling.removed) == {"b"}


def test_a_card_of_the_layout_that_was_shoved_or_turned_is_told() -> None:
    table = Table(PATHS)
    table.look(paths("a=red b=half c=flah"))
    shoved = table.look(paths("a=red b=half c=flah+0.1,0.4"))
    assert told(table, shoved) == (set(), False, [Violation.SHOVED])
    assert shoved.move is not None
    assert shoved.move.ruling is not None
    assert table.named(shoved.move.ruling.moved) == {"c"}


def test_boxes_and_cats() -> None:
    table = Table(BOXES)
    table.look(boxes("a=S b=o0"))
    cat = table.look(boxes("a=S b=o0 c=o1", "k=red:b|c+-0.2,0"))
    assert told(table, cat) == ({"c", "k"}, True, [])
    foreign = boxes("a=S b=o0 c=o1 d=o2", "k=red:b|c+-0.2,0 l=blue:c|d+0.2,0")
    assert told(table, table.look(foreign)) == ({"d", "l"}, False, [Violation.CAT_IN_FOREIGN_BOX])
    # The cat goes back, the box card stays.
    back = table.look(boxes("a=S b=o0 c=o1 d=o2", "k=red:b|c+-0.2,0"))
    assert told(table, back) == (set(), True, [])


def test_a_box_moved_against_the_rules_is_put_back() -> None:
    table = Table(BOXES)
    table.look(boxes("a=S b=o0 c=o1 d=t1"))
    moved = table.look(boxes("a=S b=o0 c=o1\nd=t1"))
    assert told(table, moved) == (set(), False, [Violation.CARDS_MOVED])
    assert moved.checked.ruling.outcome is Outcome.INVALID  # the table alone would be valid
    restored = table.look(boxes("a=S b=o0 c=o1 d=t1"))
    assert told(table, restored) == (set(), True, [])
    assert restored.move is not None
    assert restored.move.ruling is not None
    assert table.named(restored.move.ruling.restored) == {"d"}


def test_a_card_that_was_taken_and_comes_back_keeps_its_id() -> None:
    table = Table(BOXES)
    table.look(boxes("a=S b=o0 c=o1 d=t1"))
    taken = table.look(boxes("a=S b=o0 c=o1"))
    assert told(table, taken) == (set(), False, [Violation.CARDS_MOVED])
    back = table.look(boxes("a=S b=o0 c=o1 d=t1"))
    assert told(table, back) == (set(), True, [])


# --- What earlier photographs know


def test_boxes_under_cats_stay_known() -> None:
    table = Table(BOXES)
    table.look(boxes("a=S b=trb2 c=l1"))
    with_cat = boxes("a=S b=trb2 c=l1 d=o0", "k=red:a|b l=red:c|d")
    covered = table.look(without(with_cat, "a", "b"))
    assert len(covered.remembered) == 2
    assert table.named(covered.remembered) == {"a", "b"}
    assert covered.checked.ruling.verdict is not None
    listed = {card for box in covered.checked.ruling.verdict.to_dict()["boxes"] for card in box["cards"]}
    assert listed >= set(covered.remembered)
    answer = answer_of_look(covered, Messages())
    assert {card["id"] for card in answer["cards"] if card.get("remembered")} == set(covered.remembered)


@pytest.mark.parametrize(("unlike", "outcome"), [(0.1, "gone"), (0.4, "unsure"), (1.0, "known")])
def test_what_shows_beside_a_cat_tells_whether_a_box_still_lies_under_it(
    monkeypatch: pytest.MonkeyPatch, unlike: float, outcome: str
) -> None:
    """A box that lay half under a cat and is not seen any more, where the place beside the cat is table, somewhat like
    it, or not at all."""
    laid = boxes("a=S b=trb2 c=l1 d=o0", "k=red:c|d")
    table = Table(BOXES)
    table.look(laid)
    monkeypatch.setattr("referee.followed.Sight.unlike_table", lambda *_: unlike)
    look = table.look(without(laid, "d"))
    assert look.move is not None
    assert look.move.ruling is not None
    if outcome == "gone":
        assert look.move.certain
        assert not look.move.ruling.legal
        assert table.named(look.move.ruling.removed) == {"d"}
    elif outcome == "unsure":
        assert look.checked.ruling.outcome is Outcome.UNDETERMINED
        assert {table.drawn.get(doubt.card or "") for doubt in look.checked.ruling.doubtful} == {"d"}
    else:
        assert look.move.ruling.legal
        assert table.named(look.remembered) == {"d"}


def test_an_unsure_reading_is_settled_by_an_earlier_sure_one_but_not_against_the_picture() -> None:
    before, after = mouse("s=S a=r1 b=r2"), mouse("s=S a=r1 b=r2 c=r1")
    for confidences, outcome in (((0.55, 0.45), Outcome.VALID), ((0.9, 0.1), Outcome.UNDETERMINED)):
        table = Table(MOUSE)
        table.look(before)
        # Worth 3 or 2: the verdict hangs on it.
        doubts = {"b": [("r3", confidences[0]), ("r2", confidences[1])]}
        assert table.look(after, doubts).checked.ruling.outcome is outcome


def test_a_card_under_a_hand_is_a_doubt() -> None:
    table = Table(MOUSE)
    table.look(mouse("s=S a=r1 b=r2"))
    hidden = table.look(mouse("s=S a=r1 b=r2"), {"b": [(None, 0.6), ("r1", 0.4)]})
    (doubt,) = hidden.checked.ruling.doubtful
    assert doubt.reason is DoubtReason.PERHAPS_NO_CARD
    assert doubt.card is not None
    assert (table.drawn[doubt.card], doubt.alternatives) == ("b", ("r2",))


def test_a_table_in_doubt_is_compared_with_what_it_must_have_been() -> None:
    table = Table(PATHS)
    table.look(paths("a=red e=arcs"))
    unsure = table.look(paths("a=red e=arcs c=red"), {"c": [("red", 0.6), ("blue", 0.4)]})
    assert unsure.move is not None
    assert (unsure.move.certain, unsure.checked.ruling.outcome) == (False, Outcome.UNDETERMINED)
    clear = table.look(paths("a=red e=arcs c=red d=red"))
    assert told(table, clear) == ({"d"}, True, [])
    assert clear.move is not None
    assert (clear.move.since, clear.move.turns) == ("photo-2.jpg", 1)


def test_a_card_that_was_perhaps_none_was_one_if_it_is_seen_again() -> None:
    table = Table(PATHS)
    table.look(paths("a=red e=arcs"))
    perhaps = table.look(paths("a=red e=arcs c=red"), {"c": [("red", 0.99), (None, 0.01)]})
    assert perhaps.checked.ruling.outcome is Outcome.UNDETERMINED
    again = table.look(paths("a=red e=arcs c=red"))
    assert told(table, again) == (set(), True, [])
    assert again.move is not None
    assert again.move.since == "photo-2.jpg"


def test_the_comparison_goes_on_from_the_last_certain_photograph() -> None:
    table = Table(PATHS)
    table.look(paths("a=red e=arcs"))
    # Perhaps c lies there already, perhaps not.
    table.look(paths("a=red e=arcs c=red"), {"c": [(None, 0.6), ("red", 0.4)]})
    clear = table.look(paths("a=red e=arcs c=red d=red"))
    assert told(table, clear) == ({"c", "d"}, True, [])
    assert clear.move is not None
    assert (clear.move.since, clear.move.turns) == ("photo-1.jpg", 2)
    assert told(table, table.look(paths("a=red e=arcs c=red d=red f=red"))) == ({"f"}, True, [])


def test_several_turns_may_have_been_played_in_an_unusable_photograph() -> None:
    after = boxes("a=S b=o0 c=o1 d=o1")
    table = Table(BOXES)
    table.look(boxes("a=S b=o0"))
    assert told(table, table.look(after)) == ({"c", "d"}, False, [Violation.TOO_MANY_CARDS])
    table = Table(BOXES)
    table.look(boxes("a=S b=o0"))
    table.skip()
    assert told(table, table.look(after)) == ({"c", "d"}, True, [])


def test_a_first_photograph_in_doubt_makes_the_move_unsure_only_if_it_matters() -> None:
    for faces, certain in (([("r2", 0.6), ("r3", 0.4)], True), ([("r2", 0.6), ("d2", 0.4)], False)):
        table = Table(MOUSE)
        # Which card b was matters for the move only if the route then stood elsewhere.
        table.look(mouse("s=S a=r1 b=r2"), {"b": faces})
        look = table.look(mouse("s=S a=r1 b=r2 c=r1"), {"b": faces} if not certain else None)
        assert look.move is not None
        assert look.move.certain is certain


def test_cards_that_cannot_be_followed_leave_the_move_open() -> None:
    table = Table(MOUSE)
    table.look(mouse("s=S a=r1"))
    other = table.look(mouse("f=F"))
    assert other.move is not None
    assert (other.move.ruling, other.move.lost) == (None, Lost.NO_CARD_IN_BOTH)
    answer = answer_of_look(other, Messages("uk"))
    assert answer["move"]["legal"] is None
    assert answer["outcome"] == "undetermined"
    assert "lost-track" in {doubt["reason"] for doubt in answer["doubtful"]}
    assert any("Не можу простежити" in text for text in answer["texts"])
    # The next photograph fits the first one again.
    assert told(table, table.look(mouse("s=S a=r1 b=r1"))) == ({"b"}, True, [])


def test_a_card_nudged_to_the_limit_of_moved_is_told_only_where_it_matters() -> None:
    table = Table(BOXES)
    table.look(boxes("a=S b=o0 c=o1 d=o0"))
    nudged = table.look(boxes("a=S b=o0 c=o1 d=o0+0.2,0"))
    assert nudged.move is not None
    assert not nudged.move.certain
    assert {doubt.reason for doubt in nudged.checked.ruling.doubtful} == {DoubtReason.CLOSE_CALL}
    pushed = table.look(boxes("a=S b=o0 c=o1 d=o0+0.02,0"))
    assert told(table, pushed) == (set(), True, [])


def test_after_a_first_photograph_that_was_no_use_there_is_nothing_to_compare() -> None:
    for first in (None, mouse("")):
        table = Table(MOUSE)
        if first is None:
            table.skip()
        else:
            table.look(first)
        second = table.look(mouse("s=S a=r1"))
        assert second.move is not None
        assert second.move.to_dict() | {"turns": 0} == {
            "cards": [],
            "legal": None,
            "faults": [],
            "certain": False,
            "since": None,
            "turns": 0,
            "reason": "nothing-before",
        }
        assert second.checked.ruling.outcome is Outcome.UNDETERMINED
        assert told(table, table.look(mouse("s=S a=r1 b=r1"))) == ({"b"}, True, [])


# --- What is told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_move_is_told_in_words_and_in_json(language: str) -> None:
    table, messages = Table(BOXES), Messages(language)
    table.look(boxes("a=S b=o0 c=o1"))
    look = table.look(boxes("a=S b=o0 c=o1 d=o0", "k=red:a|b"))
    answer = answer_of_look(look, messages)
    json.dumps(answer)
    assert answer["move"]["legal"] is False
    assert {fault["rule"] for fault in answer["move"]["faults"]} == {"cat-not-on-new-box"}
    assert answer["move"]["since"] == "photo-1.jpg"
    texts = [sentence.text for sentence in sentences_of_look(look, messages)]
    assert any("photo-1.jpg" in text for text in texts)
    assert sum(text.startswith("IF-CAT:") for text in texts) == 1
    assert texts == answer["texts"]
