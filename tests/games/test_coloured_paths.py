"""Multicoloured Paths: joins, paths, rings and moves, each with a near miss."""

from __future__ import annotations

import pytest

from referee.games import judge
from referee.rulebook import AssumptionKind, NoteKind, Violation
from referee.verdicts import ExtraTurn, Outcome, PathsVerdict, Ruling
from tests.rules_tables import PATHS, draw


def ruled(drawing: str, order: str | None = None) -> Ruling:
    return judge(draw(drawing, PATHS, order=None if order is None else order.split()), PATHS)


def verdict(drawing: str, order: str | None = None) -> PathsVerdict:
    found = ruled(drawing, order).verdict
    assert isinstance(found, PathsVerdict)
    return found


def faults(ruling: Ruling) -> set[tuple[str, tuple[str, ...]]]:
    return {(fault.rule.value, fault.cards) for fault in ruling.faults}


VIOLATIONS = [
    # fault, its cards, a table with it, order, a table that nearly has it
    ("mismatch", "a b", "a=red b=blue", None, "a=red b=red"),
    ("mismatch", "a b", "a=half b=half", None, "a=half b=half/180"),
    ("mismatch", "a b", "a=cross b=cross/90", None, "a=cross b=cross/180"),
    ("mismatch", "a b", "a=red\nb=half/270", None, "a=red\nb=half/90"),
    ("mismatch", "a b", "a=red/90\nb=half/-90", None, "a=red/180\nb=half/450"),
    ("shoved", "a b", "a=red b=red+0,0.25", None, "a=red b=red+0,0.15"),
    ("shoved", "a b", "a=red b=red+0,0.8", None, "a=red b=red+0,0.9"),
    ("shoved", "a b", "a=red b=red+0.2,0.5", None, "a=red b=red+0.3,0.5"),
    ("shoved", "b a", "a=red b=red+0,0.4", "a b", "a=red b=red"),
    ("mismatch", "b a", "a=red b=blue", "a b", "b=red a=red"),
    ("apart", "b", "a=red b=red+0.3,0", "a b", "a=red b=red+0.2,0"),
    ("apart", "c", "a=red b=red . c=red", "a b c", "a=red b=red c=red"),
]


@pytest.mark.parametrize(("fault", "cards", "drawing", "order", "near_miss"), VIOLATIONS)
def test_each_violation_and_its_near_miss(
    fault: str, cards: str, drawing: str, order: str | None, near_miss: str
) -> None:
    wrong = ruled(drawing, order)
    assert (fault, tuple(cards.split())) in faults(wrong)
    assert wrong.outcome is Outcome.INVALID
    assert fault not in {rule for rule, _ in faults(ruled(near_miss, order))}


def test_the_table_of_violations_is_complete() -> None:
    of_this_game = {violation.value for violation in Violation if violation.rule_id.startswith("CP-")}
    assert of_this_game == {row[0] for row in VIOLATIONS}


@pytest.mark.parametrize(
    ("drawing", "changes", "rings"),
    [
        ("a=red", 0, 0),
        ("a=half", 1, 0),
        ("a=half b=flah", 2, 0),
        ("a=half b=flah c=half", 3, 0),
        ("a=half b=red", 1, 0),  # colours differ where they meet: the path ends there
        ("a=half b=flah+0,0.3", 1, 0),  # shoved cards are not joined
        ("a=arcs b=arcs\nc=arcs d=arcs", 0, 1),
        ("a=arcs b=arcs\nc=arcs .", 0, 0),
        ("a=arcs b=arcs c=arcs\nd=arcs e=arcs f=arcs", 0, 2),
        ("a=half/45", 1, 0),
    ],
)
def test_paths_and_rings(drawing: str, changes: int, rings: int) -> None:
    found = verdict(drawing)
    assert (found.longest_changes, found.rings) == (changes, rings)


def test_the_longest_path_is_told_card_by_card() -> None:
    assert verdict("a=half b=flah c=half").longest_path in {("a", "b", "c"), ("c", "b", "a")}


def test_only_the_layout_is_judged() -> None:
    ruling = ruled("a=red b=red c=red . d=red e=blue . f=half g=flah")
    found = ruling.verdict
    assert isinstance(found, PathsVerdict)
    assert ruling.outcome is Outcome.VALID
    assert found.groups == (("a", "b", "c"), ("d", "e"), ("f", "g"))
    assert found.longest_changes == 0
    assert [note.cards for note in ruling.notes] == [("d", "e", "f", "g")]


def test_a_shoved_pair_is_a_fault_in_any_group() -> None:
    ruling = ruled("a=red b=red c=red . d=red e=red+0,0.4")
    assert faults(ruling) == {("shoved", ("d", "e"))}


@pytest.mark.parametrize(
    ("drawing", "order", "kind", "layout"),
    [
        ("a=half b=flah . c=red d=red", "c d a b", AssumptionKind.LAYOUT_BY_FIRST_CARD, ("c", "d")),
        ("a=half b=flah . c=red d=red . e=red f=red", None, AssumptionKind.LAYOUT_BY_MIDDLE, ("c", "d")),
        ("a=half b=flah . c=red d=red . e=red", "e a b c d", AssumptionKind.LAYOUT_BY_MIDDLE, ("c", "d")),
    ],
)
def test_of_equal_groups_one_is_the_layout(
    drawing: str, order: str | None, kind: AssumptionKind, layout: tuple[str, ...]
) -> None:
    assumptions = ruled(drawing, order).assumptions
    assert [(a.kind, tuple(sorted(a.cards))) for a in assumptions] == [(kind, layout)]


def moves(drawing: str, order: str) -> list[tuple[str, bool, bool, tuple[ExtraTurn, ...]]]:
    found = verdict(drawing, order).moves
    assert found is not None
    return [(m.card, m.legal, m.ring, m.extra_turn) for m in found]


def test_the_first_card_is_free_and_an_illegal_one_is_taken_back() -> None:
    assert moves("a=red b=blue\n. c=red", "a b c") == [
        ("a", True, False, ()),
        ("b", False, False, ()),
        ("c", False, False, ()),  # it touches only the card that was taken back
    ]


def test_closing_a_ring() -> None:
    assert [ring for _, _, ring, _ in moves("a=arcs b=arcs\nc=arcs d=arcs", "a b c d")] == [False] * 3 + [True]


def test_three_joins_of_one_colour() -> None:
    earned = [extra for *_, extra in moves("a=red b=red\nc=red d=red", "a b c d")]
    assert earned == [(), (), (), (ExtraTurn.THREE_JOINTS,)]
    just_three = [extra for *_, extra in moves("a=three b=three\nc=three d=three", "a b c d")]
    assert just_three == earned
    two_colours = [extra for *_, extra in moves("a=cross b=cross\nc=cross d=cross", "a b c d")]
    assert two_colours == [(), (), (), ()]


CHAIN = "a=half b=flah c=half d=flah e=half f=flah g=half h=flah i=half"


def test_seven_changes_once_for_each_path() -> None:
    for order in ("a b c d e f g h i", "i h g f e d c b a"):
        earned = [extra for *_, extra in moves(CHAIN, order)]
        assert earned == [()] * 6 + [(ExtraTurn.SEVEN_CHANGES,), (), ()]


def test_seven_changes_by_joining_two_paths() -> None:
    apart = [extra for *_, extra in moves(CHAIN, "a b c d e f g h i")]
    assert sum(map(bool, apart)) == 1
    # Laid from both ends along a bridge, the middle card makes one path of nine out of two of four.
    rows = CHAIN + "\n" + " ".join(f"z{i}=red" for i in range(9))
    order = "z0 z1 z2 z3 z4 z5 z6 z7 z8 a b c d i h g f e"
    judged = moves(rows, order)
    assert all(legal for _, legal, _, _ in judged)
    by_card = {card: extra for card, _, _, extra in judged}
    assert ExtraTurn.SEVEN_CHANGES in by_card["e"]
    assert not any(ExtraTurn.SEVEN_CHANGES in by_card[card] for card in "abcdfghi")


def test_a_rewarded_path_that_is_joined_to_another_earns_nothing() -> None:
    red_row = " ".join(f"z{i}=red" for i in range(10))
    rows = "a=half b=flah c=half d=flah e=half f=flah g=half h=flah i=half j=flah\n" + red_row
    order = " ".join(f"z{i}" for i in range(10)) + " a b c d e f g j i h"
    by_card = {card: extra for card, _, _, extra in moves(rows, order)}
    assert ExtraTurn.SEVEN_CHANGES in by_card["g"]
    assert ExtraTurn.SEVEN_CHANGES not in by_card["h"]


def test_notes() -> None:
    assert NoteKind.STRAYS in {note.kind for note in ruled("a=red b=red . c=red").notes}
    assert NoteKind.STRAYS not in {note.kind for note in ruled("a=red b=red c=red").notes}
