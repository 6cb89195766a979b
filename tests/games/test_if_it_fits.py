"""If It Fits: boxes, cats and points, each rule with a near miss."""

from __future__ import annotations

import pytest

from referee.games import judge
from referee.layouts import Layout
from referee.options import IfItFitsOptions, Options
from referee.rulebook import NoteKind, Violation
from referee.verdicts import Box, BoxesVerdict, Outcome, Ruling
from tests.rules_tables import BOX, BOXES, draw, with_cats

FLUSH = 1.0


def table(drawing: str, cats: str = "") -> Layout:
    return with_cats(draw(drawing, BOXES, pitch=FLUSH), BOXES, cats)


def ruled(drawing: str, cats: str = "", options: IfItFitsOptions | None = None) -> Ruling:
    return judge(table(drawing, cats), BOXES, Options(if_it_fits=options or IfItFitsOptions()))


def verdict(ruling: Ruling) -> BoxesVerdict:
    assert isinstance(ruling.verdict, BoxesVerdict)
    return ruling.verdict


def boxes(ruling: Ruling) -> dict[str, Box]:
    return {" ".join(box.cards): box for box in verdict(ruling).boxes}


def faults(ruling: Ruling) -> set[tuple[str, tuple[str, ...]]]:
    return {(fault.rule.value, fault.cards) for fault in ruling.faults}


VIOLATIONS = [
    # fault, its cards, a table, its cats, a table that nearly has it, its cats
    ("box-long-to-short", "a b", "a=o0 b=o0/90+0.25,0", "", "a=o0 b=o0/90+0.9,0", ""),
    ("box-not-flush", "a b", "a=o0 b=o0+0,0.4", "", "a=o0 b=o0+0,0.25", ""),
    ("box-not-flush", "a b", "a=o0\nb=o0+0.5,0", "", "a=o0\nb=o0+0.25,0", ""),
    ("box-not-flush", "a b", "a=o0 b=o0/45+0.2,0", "", "a=o0 b=o0/20", ""),
    ("box-overlap", "a b", "a=o0 b=o0+-0.5,0", "", "a=o0 b=o0+-0.1,0", ""),
    ("start-by-long-side", "a c", "a=S b=o0 c=S", "", "a=S b=o0\n. c=S", ""),
    ("start-by-long-side", "a b", "a=S b=S", "", "a=S . b=S c=o0", ""),
    ("cat-across-wall", "k a b", "a=r0 b=o0", "k=red:a|b", "a=l0 b=o0", "k=red:a|b"),
    ("cat-across-wall", "k a b", "a=o0 b=r0/180", "k=red:a|b", "a=o0 b=r0", "k=red:a|b"),
    ("cat-across-wall", "k a b", "a=r0 b=o0", "k=P:a|b", "a=o0 b=o0", "k=P:a|b"),
    ("cat-not-on-two-boxes", "k", "a=o0 b=o0", "k=red:a|b/1", "a=o0 b=o0", "k=red:a|b/90"),
    ("cat-not-on-two-boxes", "k", "a=o0 b=o0", "k=red:a|b+0.4,0", "a=o0 b=o0", "k=red:a|b+0.3,0"),
    ("cat-not-on-two-boxes", "k", "a=o0\nb=o0", "k=red:a|b", "a=o0 b=o0", "k=red:a|b"),
    ("cat-not-on-two-boxes", "k", "a=o0 b=o0", "k=red:a|b+1.2,0", "a=o0 b=o0", "k=red:a|b+1.8,0"),
    ("cat-overlap", "k l", "a=o0 b=o0", "k=red:a|b l=blue:a|b+0.1,0", "a=o0 b=o0 c=o0 d=o0", "k=red:a|b l=blue:c|d"),
    ("cat-overlap", "k l", "a=o0 b=o0 c=o0", "k=red:a|b l=red:b|c", "a=o0 b=o0\nc=o0 d=o0", "k=red:a|b l=red:c|d"),
    ("cat-overlap", "k l", "a=o0 b=o0", "k=red:a|b l=P:a|b", "a=o0 b=o0", "k=red:a|b"),
    ("cat-overlap", "k b", "a=o0 b=o0 k=red-z+-0.5,0", "", "a=o0 b=o0 k=red-z", ""),
    ("asleep-not-flush", "k", "a=o0 b=o0 k=red-z+0.05,0.4", "", "a=o0 b=o0 k=red-z+0.05,0.2", ""),
]


@pytest.mark.parametrize(("fault", "cards", "drawing", "cats", "near_miss", "near_cats"), VIOLATIONS)
def test_each_violation_and_its_near_miss(
    fault: str, cards: str, drawing: str, cats: str, near_miss: str, near_cats: str
) -> None:
    wrong = ruled(drawing, cats)
    assert (fault, tuple(cards.split())) in faults(wrong)
    assert wrong.outcome is Outcome.INVALID
    assert fault not in {rule for rule, _ in faults(ruled(near_miss, near_cats))}


def test_a_card_over_the_edge_of_the_table() -> None:
    layout = table("a=o0 b=o0")
    width, height = BOX
    edge = ((-width, -height), (1.55 * width, -height), (1.55 * width, height), (-width, height))
    on = layout.model_copy(update={"table": edge})
    assert judge(on, BOXES).outcome is Outcome.VALID
    off = layout.model_copy(update={"table": tuple((min(x, 1.4 * width), y) for x, y in edge)})
    assert faults(judge(off, BOXES)) == {("box-off-table", ("b",))}


def test_the_table_of_violations_is_complete() -> None:
    on_moves = {"cat-not-on-new-box", "cat-in-foreign-box", "princess-not-on-cat", "box-not-joined"}
    on_moves |= {"too-many-cards", "cards-moved", "box-off-table"}
    of_this_game = {violation.value for violation in Violation if violation.rule_id.startswith("IF-")}
    assert of_this_game - on_moves == {row[0] for row in VIOLATIONS}


def test_open_sides_make_one_box_and_walls_end_it() -> None:
    found = boxes(ruled("a=o1 b=l2 c=o0\nd=t1 e=o0/180 f=trbl2"))
    assert set(found) == {"a", "b c d e", "f"}
    assert found["b c d e"].toys == 3


@pytest.mark.parametrize(
    ("drawing", "box", "closed"),
    [
        ("a=trbl1", "a", True),
        ("a=trb1", "a", False),
        ("a=tbl1 b=trb1", "a b", True),
        ("a=tbl1 b=trb1/180", "a", True),  # b's wall closes a
        ("a=tbl1 b=tb1", "a b", False),
        ("a=tbl1 b=l1", "a", True),
        ("a=trb1/180 b=tbl1/180", "a b", True),
        ("a=trl1\nb=rbl1", "a b", True),
        ("a=tbl1 b=trb1+0.35,0", "a", False),  # not joined: the side stays open
        ("b=T a=trb1", "a", True),
        ("a=trb1 b=T", "a", False),
        ("a=tbl1 b=T", "a", True),
    ],
)
def test_closed(drawing: str, box: str, closed: bool) -> None:
    assert boxes(ruled(drawing))[box].closed is closed


def test_a_sleeping_cat_leaves_a_side_open_unless_agreed() -> None:
    drawing = "k=red-z a=trb2"
    assert not boxes(ruled(drawing))["a"].closed
    assert boxes(ruled(drawing, options=IfItFitsOptions(asleep_closes=True)))["a"].closed
    shoved = "k=red-z+0,0.5 a=trb2"
    assert not boxes(ruled(shoved, options=IfItFitsOptions(asleep_closes=True)))["a"].closed


CLOSED = "a=tbl2 b=tb1 c=tb0 d=tb2 e=trb0"


@pytest.mark.parametrize(
    ("cats", "options", "winners", "points"),
    [
        ("", {}, (), 0),
        ("k=red:a|b", {}, ("red",), 5),
        ("k=red:a|b l=blue:c|d", {}, ("blue", "red"), 5),
        ("k=red:a|b l=blue:c|d", {"ties": "none"}, (), 0),
        ("k=red:a|b l=blue:c|d", {"ties": "split"}, ("blue", "red"), 2),
        ("k=red:a|b", {"ties": "split"}, ("red",), 5),
        ("k=P:a|b l=blue:c|d", {}, ("blue",), 5),
        ("k=P:a|b", {}, (), 0),
    ],
)
def test_who_scores_a_box(cats: str, options: dict[str, str], winners: tuple[str, ...], points: int) -> None:
    ruling = ruled(CLOSED, cats, IfItFitsOptions.model_validate(options))
    box = boxes(ruling)["a b c d e"]
    assert (box.winners, box.points) == (winners, points)
    assert dict(verdict(ruling).scores) == dict.fromkeys({p for p, _ in box.cats}, 0) | dict.fromkeys(winners, points)


def test_open_boxes_score_only_if_agreed() -> None:
    drawing, cats = "a=tbl2 b=tb1", "k=red:a|b"
    assert boxes(ruled(drawing, cats))["a b"].points == 0
    assert boxes(ruled(drawing, cats, IfItFitsOptions(open_boxes=True)))["a b"].points == 3


def test_a_cat_at_fault_counts_in_no_box() -> None:
    ruling = ruled(CLOSED, "k=red:a|b l=red:a|b+0.1,0.1 m=blue:c|d")
    assert boxes(ruling)["a b c d e"].cats == (("blue", 1),)


def test_cats_in_the_supply_may_lie_in_a_pile() -> None:
    ruling = ruled("a=o0 b=o0 . . k=red l=red+-0.9,0 m=red-z+-1.8,0")
    assert ruling.outcome is Outcome.VALID
    assert [note.cards for note in ruling.notes if note.kind is NoteKind.SUPPLY] == [("k", "l", "m")]


@pytest.mark.parametrize(
    ("drawing", "kind"),
    [
        ("a=o0 b=o0 . c=o0", NoteKind.BOX_APART),
        ("a=o0 . . k=red", NoteKind.SUPPLY),
        ("a=T b=T c=T d=T", NoteKind.TOO_MANY_BOX_CARDS),
        ("a=o0 . . k=red . l=red . m=red . n=red-z . o=red-z . p=red-z", NoteKind.TOO_MANY_CATS),
    ],
)
def test_notes_are_no_faults(drawing: str, kind: NoteKind) -> None:
    ruling = ruled(drawing)
    assert kind in {note.kind for note in ruling.notes}
    assert ruling.outcome is Outcome.VALID
    assert kind not in {note.kind for note in ruled("a=o0 b=o0 c=o0").notes}
