"""Cat and Mouse: for each rule a table that breaks it and one that nearly does."""

from __future__ import annotations

import pytest

from referee.games import judge
from referee.games.chains import MAX_STEPS, best_chains
from referee.layouts import Layout, PlacedCard
from referee.limits import CatAndMouseLimits, Limits
from referee.options import CatAndMouseOptions, Options
from referee.rulebook import AssumptionKind, DoubtReason, NoteKind, Violation
from referee.verdicts import Outcome, RoutesVerdict, Ruling
from tests.rules_tables import MOUSE, SIDE, draw

UPRIGHT = Options(cat_and_mouse=CatAndMouseOptions(upright=True))
BACK = Options(cat_and_mouse=CatAndMouseOptions(first_finish="back"))
DEFAULT = Options()


def ruled(drawing: str, options: Options = DEFAULT) -> Ruling:
    return judge(draw(drawing, MOUSE), MOUSE, options)


def routes(ruling: Ruling) -> dict[str, str]:
    assert isinstance(ruling.verdict, RoutesVerdict)
    return {route.start: " ".join(route.valid) for route in ruling.verdict.routes}


def faults(ruling: Ruling) -> set[tuple[str, tuple[str, ...]]]:
    return {(fault.rule.value, fault.cards) for fault in ruling.faults}


VIOLATIONS = [
    # fault, its cards, a table with it, options, a table that nearly has it
    ("wrong-side", "b a", "s=S a=u1 b=r1", DEFAULT, "s=S a=r1 b=r1"),
    ("turned", "a s", "s=S a=r1/90", UPRIGHT, "s=S a=r1/40"),
    ("turned", "b a", "s=S a=r1 b=r1/180", UPRIGHT, "s=S/180 a=l1/180 b=l1/180"),
    ("second-first-card", "b s", "b=l1 s=S a=r1 c=r1", DEFAULT, "t=S b=r1 s=S a=r1 c=r1"),
    ("second-arrow", "c a", "s=S a=rd1 b=r1\n. c=u1", DEFAULT, "s=S a=rd1 b=r1\n. c=u1+0,0.75"),
    ("not-beside", "b a", "s=S a=r1 b=r1+0,0.8", DEFAULT, "s=S a=r1 b=r1+0,0.55"),
    ("not-beside", "b a", "s=S a=r1 b=r1+0.6,0", DEFAULT, "s=S a=r1 b=r1+0.5,0"),
    ("not-beside", "b a", "s=S a=r1 b=r1+-0.37,0", DEFAULT, "s=S a=r1 b=r1+-0.33,0"),
    (
        "after-trap",
        "f e",
        "s=S a=r1 b=d1\ne=u1 d=l1 c=l1\nf=r1 . .",
        DEFAULT,
        "s=S a=r1 b=d1\ne=d1 d=l1 c=l1\nf=r1 . .",
    ),
    ("after-finish", "b f", "s=S a=r1 f=F b=r1", DEFAULT, "s=S a=r1 f=F . b=r1"),
    ("finish-first", "f s", "s=S f=F", BACK, "s=S a=r1 f=F"),
    ("two-finishes", "f g", "s=S a=r1 f=F . . t=S b=r1 g=F", DEFAULT, "s=S a=r1 f=F . . t=S b=r1 c=r1"),
    ("after-error", "c b", "s=S a=u1 b=r1 c=r1", DEFAULT, "s=S a=r1 b=r1 c=r1"),
    ("no-route", "z", "s=S a=r1 . . . . z=r1", DEFAULT, "s=S a=r1 z=r1"),
]


@pytest.mark.parametrize(("fault", "cards", "drawing", "options", "near_miss"), VIOLATIONS)
def test_each_violation_and_its_near_miss(
    fault: str, cards: str, drawing: str, options: Options, near_miss: str
) -> None:
    wrong = ruled(drawing, options)
    assert (fault, tuple(cards.split())) in faults(wrong)
    assert wrong.outcome is Outcome.INVALID
    assert fault not in {rule for rule, _ in faults(ruled(near_miss, options))}


def test_the_table_of_violations_is_complete() -> None:
    of_this_game = {violation.value for violation in Violation if violation.rule_id.startswith("CM-")}
    assert of_this_game == {row[0] for row in VIOLATIONS}


@pytest.mark.parametrize(
    ("drawing", "valid", "points"),
    [
        ("s=S", "", 0),
        ("s=S a=r1 b=r2 c=F5", "a b c", 8),
        (". a=u1\n. s=S", "a", 1),
        ("a=l3 s=S", "a", 3),
        ("s=S\na=d2", "a", 2),
        ("s=S a=u1/90 b=r2", "a b", 3),  # an arrow counts as it lies
        ("s=S/90 a=r1 b=r2", "a b", 3),
        ("s=S a=r1/45 b=r1/44", "a", 1),  # turned by an eighth: its arrow points at a corner
        ("s=S a=r1 f=F b=r1 c=r1", "a f", 1),
        ("s=S f=F a=r1", "f", 0),
        ("s=S a=rd1 b=r1 c=r1\n. d=d3 . .", "a b c", 3),  # more cards go before more points
        ("s=S a=rd1 b=r1\n. d=d3 .", "a d", 4),  # then more points
        ("s=S a=lr1 b=l1", "a b", 2),  # the Start itself lies at the other arrow
        ("s=S a=l1 b=r1", "a", 1),  # trapped at once
    ],
)
def test_routes(drawing: str, valid: str, points: int) -> None:
    ruling = ruled(drawing)
    assert routes(ruling) == {"s": valid}
    assert isinstance(ruling.verdict, RoutesVerdict)
    assert ruling.verdict.routes[0].points == points


def test_a_card_belongs_to_one_route_and_most_cards_count() -> None:
    # Both routes could go on with x; the left one has nothing else, the right one can take y instead.
    ruling = ruled("s=S a=r1 x=u1 b=dl1 t=S\n. . . y=d1 .")
    assert routes(ruling) == {"s": "a x", "t": "b y"}
    assert ruling.outcome is Outcome.VALID


def test_the_nearest_card_counts_even_if_it_belongs_elsewhere() -> None:
    # b is in reach of a's arrow, but c lies nearer and is taken by the other route.
    drawing = ". . t=S .\ns=S a=r1 {} b=r1+-0.71,0.74\n. . . ."
    assert routes(ruled(drawing.format(".")))["s"] == "a b"
    ruling = ruled(drawing.format("c=u1"))
    assert isinstance(ruling.verdict, RoutesVerdict)
    assert ruling.verdict.returned == ("b",)


def test_a_start_is_never_a_follower() -> None:
    assert routes(ruled("s=S a=r1 t=S b=r1")) == {"s": "a", "t": "b"}


def test_the_finish_ends_the_round_even_if_it_lies_wrong() -> None:
    ruling = ruled("s=S a=u1 f=F")
    assert ("wrong-side", ("f", "a")) in faults(ruling)
    assert NoteKind.ROUND_OPEN not in {note.kind for note in ruling.notes}
    assert isinstance(ruling.verdict, RoutesVerdict)
    assert not ruling.verdict.routes[0].finished


def test_two_finishes_are_traced_and_scored_and_not_returned() -> None:
    ruling = ruled("s=S a=r1 f=F . . t=S b=r1 g=F")
    assert routes(ruling) == {"s": "a f", "t": "b g"}
    assert isinstance(ruling.verdict, RoutesVerdict)
    assert ruling.verdict.returned == ()
    assert ruling.outcome is Outcome.INVALID


def test_a_pile_is_the_heap_and_no_fault() -> None:
    ruling = ruled("s=S a=r1 . . . h=r1 i=u1+-0.7,0.1 j=F+-1.5,0")
    assert ruling.outcome is Outcome.VALID
    assert [note.cards for note in ruling.notes if note.kind is NoteKind.HEAP] == [("h", "i", "j")]


def test_a_card_on_a_start_is_no_heap() -> None:
    ruling = ruled("s=S a=r1+-0.8,0")
    assert faults(ruling) == {("not-beside", ("a", "s"))}


def test_a_neighbour_that_overlaps_a_little_is_no_pile() -> None:
    assert routes(ruled("s=S a=r1+-0.34,0 b=r1+-0.68,0")) == {"s": "a b"}


@pytest.mark.parametrize(
    ("drawing", "kind"),
    [
        ("s=S a=r1", NoteKind.ROUND_OPEN),
        ("s=S a=r1/90", NoteKind.CARD_TURNED),
        ("s=S f=F", NoteKind.FINISH_AFTER_START),
        ("s=S a=l1", NoteKind.TRAPPED),
        ("a=r1", NoteKind.NO_START),
        ("s=S a=r1 b=r1 c=F . d=F5 . e=F5 . g=F5 . h=F5 . i=F5", NoteKind.TOO_MANY_OF_FACE),
        ("s=S . . . h=r1 i=u1+-0.9,0", NoteKind.HEAP),
    ],
)
def test_notes(drawing: str, kind: NoteKind) -> None:
    assert kind in {note.kind for note in ruled(drawing).notes}
    assert kind not in {note.kind for note in ruled("s=S a=r1 b=r1 c=F").notes}


@pytest.mark.parametrize(
    ("drawing", "kind", "cards"),
    [
        ("s=S a=rd1 b=r1 c=r1\n. d=d3 . .", AssumptionKind.MORE_CARDS, ("a", "b", "d")),
        ("s=S a=rd1 b=r1\n. d=d3 .", AssumptionKind.MORE_POINTS, ("a", "d", "b")),
        ("s=S a=rd1 b=r1\n. d=d1 .", AssumptionKind.FIRST_ARROW, ("a", "b", "d")),
    ],
)
def test_what_was_assumed_is_said(drawing: str, kind: AssumptionKind, cards: tuple[str, ...]) -> None:
    assert [(a.kind, a.cards) for a in ruled(drawing).assumptions] == [(kind, cards)]


def test_nothing_is_assumed_where_there_is_one_way_only() -> None:
    assert ruled("s=S a=rd1 b=r1 c=F").assumptions == ()


def test_the_limits_are_a_parameter() -> None:
    table = draw("s=S a=r1 b=r1+0,0.55", MOUSE)
    tight = Limits(cat_and_mouse=CatAndMouseLimits(angle=20.0))
    assert judge(table, MOUSE).outcome is Outcome.VALID
    assert judge(table, MOUSE, limits=tight).outcome is Outcome.INVALID


def block(size: int, faces: list[str], starts: int = 1) -> Layout:
    """A full square of cards with Start cards at its corners."""
    pitch = SIDE * 1.02
    cards = [
        PlacedCard(id=f"c{y}-{x}", face=faces[(y * size + x) % len(faces)], x=x * pitch, y=y * pitch)
        for y in range(size)
        for x in range(size)
    ]
    corners = [(-1, 0), (size, 0), (size, size - 1), (-1, size - 1)]
    cards += [PlacedCard(id=f"s{i}", face="S", x=x * pitch, y=y * pitch) for i, (x, y) in enumerate(corners[:starts])]
    return Layout(game=MOUSE.game, cards=tuple(cards))


@pytest.mark.parametrize("starts", [1, 4])
@pytest.mark.parametrize(
    "faces",
    [["rd1", "ur2"], ["rd1", "dl2", "ul1"], ["lr1", "ud2", "rd1"], ["ur1", "rd2", "dl1", "ul3", "lr1"]],
)
def test_a_block_of_forks_is_answered(faces: list[str], starts: int) -> None:
    ruling = judge(block(8, faces, starts), MOUSE)
    assert isinstance(ruling.verdict, RoutesVerdict)
    on_routes = [card for route in ruling.verdict.routes for card in route.valid]
    assert len(on_routes) == len(set(on_routes)) > 0
    assert len(on_routes) + len(ruling.verdict.returned) == 64
    tangled = any(doubt.reason is DoubtReason.TOO_TANGLED for doubt in ruling.doubtful)
    assert (ruling.outcome is Outcome.UNDETERMINED) == tangled


def test_a_tangle_beyond_all_bounds_is_undetermined() -> None:
    # All cards of a 14 x 14 block point both ways along rows and columns in turn.
    ruling = judge(block(14, ["lr1", "ud1"] * 7 + ["ud1", "lr1"] * 7, 4), MOUSE)
    assert ruling.outcome is Outcome.UNDETERMINED
    assert {doubt.reason for doubt in ruling.doubtful} == {DoubtReason.TOO_TANGLED}
    assert ruling.verdict is not None


def test_the_search_keeps_its_bounds() -> None:
    size = 14
    number = {(x, y): y * size + x for x in range(size) for y in range(size)}
    ways = [[(1, 0), (-1, 0)], [(0, 1), (0, -1)]]
    after = [
        [number[x + dx, y + dy] for dx, dy in ways[(x + y) % 2] if (x + dx, y + dy) in number]
        for y in range(size)
        for x in range(size)
    ]
    chains = best_chains([size * size], [*after, [0]], [1] * (size * size) + [0])
    assert not chains.proven
    assert chains.steps < 2 * MAX_STEPS
