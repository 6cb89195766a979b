"""Sequences: the difference between two looks at a table is the move."""

from __future__ import annotations

import pytest

from referee.decks import Deck
from referee.games import judge
from referee.layouts import Layout
from referee.moves import MoveRuling, Standing, judge_move, judge_next, judge_sequence
from referee.rulebook import Violation
from referee.verdicts import ExtraTurn, Outcome, RoutesVerdict
from tests.rules_tables import BOXES, MOUSE, PATHS, draw, with_cats


def mouse(drawing: str) -> Layout:
    return draw(drawing, MOUSE)


def boxes(drawing: str, cats: str = "") -> Layout:
    return with_cats(draw(drawing, BOXES, pitch=1.0), BOXES, cats)


def paths(drawing: str) -> Layout:
    return draw(drawing, PATHS)


def rules(move: MoveRuling) -> list[Violation]:
    return sorted({fault.rule for fault in move.faults})


def sequence(deck: Deck, *looks: Layout) -> list[MoveRuling]:
    answers = list(judge_sequence(looks, deck))
    assert answers[0][1] is None
    return [move for _, move in answers if move is not None]


# --- Cat and Mouse


@pytest.mark.parametrize(
    ("before", "after", "cards", "faults"),
    [
        ("s=S", "s=S a=r1", ("a",), []),
        ("s=S a=r1", "s=S a=r1 b=r1 c=F", ("b", "c"), []),
        ("s=S a=u1", "s=S a=u1 b=r1", ("b",), [Violation.WRONG_SIDE]),
        ("s=S a=r1 f=F", "s=S a=r1 f=F . . t=S b=r1", ("b", "t"), [Violation.AFTER_FINISH]),
    ],
)
def test_routes_grow_at_their_ends(before: str, after: str, cards: tuple[str, ...], faults: list[Violation]) -> None:
    move = judge_move(mouse(before), mouse(after), MOUSE)
    assert (move.cards, rules(move), move.legal) == (cards, faults, not faults)


def test_a_card_that_was_moved_is_judged_where_it_lies_now() -> None:
    move = judge_move(mouse("s=S a=r1"), mouse("s=S . a=r1"), MOUSE)
    assert (move.cards, move.moved, rules(move)) == ((), ("a",), [Violation.NOT_BESIDE])


def test_what_was_laid_first_stays_the_route() -> None:
    # By itself the second table would be read along the longer way down.
    first, then = mouse("s=S a=rd1 b=r1"), mouse("s=S a=rd1 b=r1\n. c=d1 .\n. d=d1 .")
    (move,) = sequence(MOUSE, first, then)
    assert isinstance(move.ruling.verdict, RoutesVerdict)
    assert move.ruling.verdict.routes[0].valid == ("a", "b")
    assert {(fault.rule, fault.cards) for fault in move.faults} == {
        (Violation.SECOND_ARROW, ("c", "a")),
        (Violation.AFTER_ERROR, ("d", "c")),
    }
    by_itself = judge(then, MOUSE).verdict
    assert isinstance(by_itself, RoutesVerdict)
    assert by_itself.routes[0].valid == ("a", "c", "d")


# --- Multicoloured Paths

CHAIN = ["a=half", "b=flah", "c=half", "d=flah", "e=half", "f=flah", "g=half", "h=flah"]


def test_paths_are_judged_move_by_move() -> None:
    moves = sequence(PATHS, *[paths(" ".join(CHAIN[:n])) for n in range(1, 9)])
    assert [move.cards for move in moves] == [(c,) for c in "bcdefgh"]
    assert [move.extra_turn for move in moves] == [()] * 5 + [(ExtraTurn.SEVEN_CHANGES,), ()]


def test_what_is_found_at_first_counts_as_rewarded() -> None:
    (move,) = sequence(PATHS, paths(" ".join(CHAIN[:7])), paths(" ".join(CHAIN)))
    assert (move.legal, move.extra_turn) == (True, ())


def test_a_card_laid_wrong_is_taken_as_removed_and_may_be_corrected() -> None:
    looks = ["a=red .", "a=red b=blue", "a=red b=blue\n. c=red", "a=red .\nc=red .", "a=red b=red\nc=red ."]
    moves = sequence(PATHS, *map(paths, looks))
    assert [(move.cards, move.legal) for move in moves] == [
        (("b",), False),
        (("c",), False),  # it meets only the card that does not count
        (("c",), True),  # moved to where it fits; b is gone
        (("b",), True),
    ]
    assert moves[2].removed == ("b",)


def test_a_ring_is_closed() -> None:
    looks = [paths("a=arcs b=arcs\nc=arcs ."), paths("a=arcs b=arcs\nc=arcs d=arcs")]
    (move,) = sequence(PATHS, *looks)
    assert move.ring
    assert move.to_dict()["ring"] is True


def test_a_card_drawn_into_a_hand_is_no_move_but_a_lone_one_is() -> None:
    hand = "a=red b=red . . h=red . i=blue"
    move = judge_move(paths(hand), paths("a=red b=red h=red . . . i=blue . j=blue"), PATHS)
    assert (move.cards, move.legal) == (("h",), True)
    alone = judge_move(paths("a=red b=red"), paths("a=red b=red . c=red"), PATHS)
    assert (alone.cards, rules(alone)) == (("c",), [Violation.APART])


def test_two_moves_in_one_look_are_taken_in_the_better_order() -> None:
    move = judge_move(paths("c=red . ."), paths("c=red b=red a=red"), PATHS)
    assert (move.cards, move.legal) == (("b", "a"), True)


# --- If It Fits

IF_MOVES = [
    # fault, before, its cats, after, its cats, what is nearly the same: after, its cats
    (Violation.CAT_NOT_ON_NEW_BOX, "a=o0 b=o0 .", "", "a=o0 b=o0 c=o0", "k=red:a|b", "a=o0 b=o0 c=o0", "k=red:b|c"),
    (
        Violation.CAT_IN_FOREIGN_BOX,
        "a=o0 b=o0 . .",
        "l=blue:a|b",
        "a=o0 b=o0 c=o0 .",
        "l=blue:a|b k=red:b|c+0.3,0",
        "a=o0 b=o0 c=o0 .",
        "l=blue:a|b k=blue:b|c+0.3,0",
    ),
    (Violation.PRINCESS_NOT_ON_CAT, "a=o0 b=o0 .", "", "a=o0 b=o0 c=o0", "k=P:b|c", "a=o0 b=o0 c=o0", ""),
    (Violation.BOX_NOT_JOINED, "a=o0 b=o0", "", "a=o0 b=o0 . c=o0", "", "a=o0 b=o0 c=o0", ""),
    (Violation.TOO_MANY_CARDS, "a=o0 b=o0", "", "a=o0 b=o0 c=o0 d=o0", "", "a=o0 b=o0 c=o0", ""),
    (Violation.TOO_MANY_CARDS, "a=o0 b=o0", "", "a=o0 b=o0 c=o0 k=red-z", "", "a=o0 b=o0 k=red-z", ""),
    (Violation.CARDS_MOVED, "a=o0 b=o0 c=o0", "", "a=o0 b=o0\nc=o0", "", "a=o0 b=o0 c=o0 d=o0", ""),
    (Violation.CARDS_MOVED, "a=o0 b=o0", "", "a=o0 b=o0/180 c=o0", "", "a=o0 b=o0/10 c=o0", ""),
    (Violation.CARDS_MOVED, "a=o0 b=o0", "k=red:a|b", "a=o0 b=o0 c=o0", "", "a=o0 b=o0 c=o0", "k=red:a|b"),
]


@pytest.mark.parametrize(("fault", "before", "cats", "after", "new_cats", "near_miss", "near_cats"), IF_MOVES)
def test_rules_on_moves_of_boxes_and_cats(
    fault: Violation, before: str, cats: str, after: str, new_cats: str, near_miss: str, near_cats: str
) -> None:
    wrong = judge_move(boxes(before, cats), boxes(after, new_cats), BOXES)
    assert fault in rules(wrong)
    assert not wrong.legal
    near = judge_move(boxes(before, cats), boxes(near_miss, near_cats), BOXES)
    assert fault not in rules(near)


@pytest.mark.parametrize(
    ("fault", "wrong", "right"),
    [
        (Violation.BOX_LONG_TO_SHORT, "c=o0/90+0.25,0", "c=o0"),
        (Violation.BOX_NOT_FLUSH, "c=o0+0,0.5", "c=o0+0,0.2"),
        (Violation.BOX_OVERLAP, "c=o0+-0.6,0", "c=o0+-0.1,0"),
        (Violation.ASLEEP_NOT_FLUSH, "c=red-z+0,0.5", "c=red-z+0,0.2"),
    ],
)
def test_what_lies_wrong_and_so_is_joined_to_nothing_was_laid_all_the_same(
    fault: Violation, wrong: str, right: str
) -> None:
    before = boxes("a=o0 b=o0")
    first, then = sequence(BOXES, before, boxes(f"a=o0 b=o0 {wrong}"), boxes(f"a=o0 b=o0 {right}"))
    assert (first.cards, rules(first), first.legal) == (("c",), [fault], False)
    assert {found.cards[0] for found in first.faults} == {"c"}, "the card just laid is the wrong one"
    assert rules(judge_move(before, boxes(f"a=o0 b=o0 {right}"), BOXES)) == []
    assert then.legal, "laid anew"


def test_a_box_moved_away_from_the_others_was_moved_and_not_taken_away() -> None:
    move = judge_move(boxes("a=o0 b=o0 c=o0"), boxes("a=o0 b=o0 . . c=o0"), BOXES)
    assert (move.moved, move.removed, rules(move)) == (("c",), (), [Violation.CARDS_MOVED])


def test_a_card_that_joins_boxes_bars_the_cat() -> None:
    before, cats = "a=o0 b=r0 . d=o0 e=o0", "l=blue:d|e"
    joined = boxes("a=o0 b=r0 c=o0 d=o0 e=o0", "l=blue:d|e k=red:c|d+-0.3,0")
    assert Violation.CAT_IN_FOREIGN_BOX in rules(judge_move(boxes(before, cats), joined, BOXES))
    apart = boxes("a=o0 b=r0 c=o0 d=l0 e=o0", "l=blue:d|e")
    assert judge_move(boxes("a=o0 b=r0 . d=l0 e=o0", cats), apart, BOXES).legal


def test_the_princess_takes_the_place_of_a_cat() -> None:
    move = judge_move(boxes("a=o0 b=o0", "k=red:a|b"), boxes("a=o0 b=o0 c=o0", "p=P:a|b"), BOXES)
    assert (move.legal, move.cards, move.removed) == (True, ("c", "p"), ("k",))


def test_start_boxes_are_laid_before_the_game() -> None:
    move = judge_move(boxes("a=S"), boxes("a=S\nb=S\nc=S"), BOXES)
    assert (move.legal, move.cards) == (True, ("b", "c"))


def test_cats_brought_from_the_supply_are_played() -> None:
    before = boxes("a=o0 b=o0 . . . k=red")
    after = boxes("a=o0 b=o0 c=o0", "k=red:b|c")
    move = judge_move(before, after, BOXES)
    assert (move.legal, move.cards) == (True, ("c", "k"))
    assert move.ruling.outcome is Outcome.VALID


# --- Corrections, and several turns between two looks


def test_a_box_laid_wrong_may_be_corrected_or_taken_back() -> None:
    before, wrong = boxes("a=S b=o0 ."), boxes("a=S b=o0 c=o0/90")
    for after, cards in (("a=S b=o0 c=o0", ("c",)), ("a=S b=o0 .", ()), ("a=S b=o0 d=o0", ("d",))):
        first, second = sequence(BOXES, before, wrong, boxes(after))
        assert not first.legal
        assert (second.legal, second.cards) == (True, cards)


def test_what_was_moved_against_the_rules_is_put_back_without_a_fault() -> None:
    looks = ["a=S b=o0 c=o0", "a=S b=o0\nc=o0", "a=S b=o0 c=o0", "a=S b=o0\nc=o0"]
    moves = sequence(BOXES, *map(boxes, looks))
    assert [(move.legal, move.restored) for move in moves] == [(False, ()), (True, ("c",)), (False, ())]


def test_as_many_turns_as_may_have_been_played_are_allowed() -> None:
    before, after = boxes("a=S b=o0"), boxes("a=S b=o0 c=o0 d=o0")
    standing = Standing(before, judge(before, BOXES))
    assert rules(judge_next(standing, after, BOXES)) == [Violation.TOO_MANY_CARDS]
    assert judge_next(standing, after, BOXES, turns=2).legal


def test_cards_on_the_heap_were_not_laid() -> None:
    before, after = mouse("s=S a=r1"), mouse("s=S a=r1 b=r1 . . x=r1 y=u1/30+-0.8,0")
    move = judge_move(before, after, MOUSE)
    assert (move.cards, move.legal) == (("b",), True)


def test_a_hand_that_was_only_pushed_aside_is_no_move() -> None:
    move = judge_move(paths("a=red b=red . . h=blue"), paths("a=red b=red . . h=blue+0.5,0.5"), PATHS)
    assert (move.cards, move.legal) == ((), True)
