"""What holds for every table, tried on many: turning, shifting, shuffling, judging twice, taking cards away."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.certainty import meaning_of
from referee.decks import ARROWS, ArrowFace, Deck
from referee.games import judge
from referee.games.chains import best_chains
from referee.layouts import Layout, PlacedCard
from referee.verdicts import BoxesVerdict, Outcome, RoutesVerdict
from tests.rules_tables import BOXES, MOUSE, PATHS, PITCH, SIDE, turned, without

EXAMPLES = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])

SHIFTS = st.sampled_from([-0.35, -0.1, -0.03, 0.0, 0.04, 0.12, 0.26])
SKEWS = st.sampled_from([-7.0, -2.0, 0.0, 1.0, 5.0])


@st.composite
def tables(draw: st.DrawFn, deck: Deck) -> Layout:
    """Cards of any faces on some places of a small grid, a little off and askew; some turned by quarters."""
    width, height = deck.card_mm
    places = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), unique=True, max_size=12))
    ids = [face.id for face in deck.faces]
    cards = [
        PlacedCard(
            id=f"c{i}",
            face=draw(st.sampled_from(ids)),
            x=(column * PITCH + draw(SHIFTS)) * width,
            y=(row * PITCH + draw(SHIFTS)) * height,
            turn=draw(st.sampled_from([0.0, 0.0, 90.0, 180.0, 270.0])) + draw(SKEWS),
        )
        for i, (column, row) in enumerate(places)
    ]
    order = draw(st.permutations([card.id for card in cards])) if deck is PATHS else None
    return Layout(game=deck.game, cards=tuple(cards), order=None if order is None else tuple(order))


ANY_TABLE = st.sampled_from([MOUSE, PATHS, BOXES]).flatmap(lambda deck: st.tuples(st.just(deck), tables(deck)))


@EXAMPLES
@given(ANY_TABLE, st.floats(-720, 720), st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))
def test_turning_and_shifting_the_table_changes_no_verdict(
    case: tuple[Deck, Layout], degrees: float, dx: float, dy: float
) -> None:
    deck, layout = case
    assert meaning_of(judge(turned(layout, degrees, dx, dy), deck)) == meaning_of(judge(layout, deck))


@pytest.mark.parametrize(
    ("x", "y", "turn"),
    [(30.0, 63.0, 0.0), (42.0, 45.0, 0.0), (57.0, 30.0, 90.0), (60.0, 21.0, 90.0), (45.0, 48.0, 90.0)],
)
def test_cards_just_at_a_limit_are_judged_alike_everywhere(x: float, y: float, turn: float) -> None:
    """Boxes of 60 x 90 mm; the sums of a table's corner and a limit are not exact."""
    first = next(face.id for face in BOXES.faces if face.kind == "box")
    cards = (PlacedCard(id="a", face=first, x=0.0, y=0.0), PlacedCard(id="b", face=first, x=x, y=y, turn=turn))
    layout = Layout(game=BOXES.game, cards=cards)
    meanings = {str(meaning_of(judge(turned(layout, 0.0, 1.1 * k, -0.7 * k), BOXES))) for k in range(40)}
    assert len(meanings) == 1


@EXAMPLES
@given(ANY_TABLE, st.randoms(use_true_random=False))
def test_the_order_of_the_list_changes_nothing(case: tuple[Deck, Layout], rng: random.Random) -> None:
    deck, layout = case
    cards = list(layout.cards)
    rng.shuffle(cards)
    shuffled = layout.model_copy(update={"cards": tuple(cards)})
    assert judge(shuffled, deck).to_dict() == judge(layout, deck).to_dict()


@EXAMPLES
@given(ANY_TABLE)
def test_judging_twice_says_the_same_and_changes_nothing(case: tuple[Deck, Layout]) -> None:
    deck, layout = case
    before = layout.model_dump_json()
    first = judge(layout, deck)
    assert judge(layout, deck) == first
    assert layout.model_dump_json() == before


@EXAMPLES
@given(ANY_TABLE)
def test_points_add_up(case: tuple[Deck, Layout]) -> None:
    deck, layout = case
    ruling = judge(layout, deck)
    totals: dict[str, int] = {}
    for line in ruling.scores:
        totals[line.who] = totals.get(line.who, 0) + line.points
    if isinstance(ruling.verdict, RoutesVerdict):
        assert totals == {route.start: route.points for route in ruling.verdict.routes if route.valid}
    if isinstance(ruling.verdict, BoxesVerdict):
        assert {p: n for p, n in totals.items() if n} == {p: n for p, n in ruling.verdict.scores if n}


@EXAMPLES
@given(tables(MOUSE))
def test_every_card_has_one_place(layout: Layout) -> None:
    """Each card is a Start, valid in one route, returned with a fault that names it first, or in the heap."""
    ruling = judge(layout, MOUSE)
    verdict = ruling.verdict
    assert isinstance(verdict, RoutesVerdict)
    heap = [card for note in ruling.notes if note.kind.value == "heap" for card in note.cards]
    placed = [route.start for route in verdict.routes]
    placed += [card for route in verdict.routes for card in route.valid]
    assert sorted([*placed, *verdict.returned, *heap]) == sorted(layout.by_id)
    blamed = [fault.cards[0] for fault in verdict.faults if fault.rule.value != "two-finishes"]
    assert sorted(blamed) == sorted(verdict.returned)


@st.composite
def right_routes(draw: st.DrawFn) -> Layout:
    """A single route that follows its arrows and never crosses itself."""
    x, y, way = 0, 0, draw(st.integers(0, 3))
    taken = {(0, 0)}
    cards = [PlacedCard(id="s", face="S", x=0, y=0)]
    faces = [face for face in MOUSE.faces if isinstance(face, ArrowFace) and face.kind == "move"]
    for i in range(draw(st.integers(1, 12))):
        x, y = x + (0, 1, 0, -1)[way], y + (-1, 0, 1, 0)[way]
        if (x, y) in taken:
            break
        taken.add((x, y))
        face = draw(st.sampled_from(faces))
        cards.append(PlacedCard(id=f"c{i}", face=face.id, x=x * PITCH * SIDE, y=y * PITCH * SIDE))
        way = ARROWS.index(draw(st.sampled_from(face.arrows)))
    return Layout(game=MOUSE.game, cards=tuple(cards))


@EXAMPLES
@given(right_routes())
def test_a_right_route_is_valid_and_stays_so_without_its_last_card(layout: Layout) -> None:
    ruling = judge(layout, MOUSE)
    assert isinstance(ruling.verdict, RoutesVerdict)
    (route,) = ruling.verdict.routes
    assert (ruling.outcome, len(route.valid)) == (Outcome.VALID, len(layout.cards) - 1)
    if route.valid:
        shorter = judge(without(layout, route.valid[-1]), MOUSE)
        assert isinstance(shorter.verdict, RoutesVerdict)
        assert shorter.outcome is Outcome.VALID
        assert set(shorter.verdict.routes[0].valid) == set(route.valid[:-1])
        assert shorter.verdict.routes[0].points <= route.points  # a longer valid route is never worth less


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[int], list[list[int]], list[int]]:
    """Starts, who may follow whom, and points: a few cards on a grid, with some jumps across it."""
    size = draw(st.integers(2, 3))
    cards = range(size * size)
    starts = [size * size + i for i in range(draw(st.integers(1, 2)))]
    after = []
    for i in cards:
        x, y = i % size, i // size
        around = [j for j in cards if abs(j % size - x) + abs(j // size - y) == 1]
        others = [j for j in [*cards, *starts] if j != i]
        after.append(draw(st.lists(st.sampled_from(around), max_size=2, unique=True)))
        if draw(st.integers(0, 4)) == 0:
            after[-1] = list(dict.fromkeys([*after[-1], draw(st.sampled_from(others))]))
    after += [draw(st.lists(st.sampled_from(list(cards)), max_size=3, unique=True)) for _ in starts]
    points = [draw(st.integers(0, 3)) for _ in cards] + [0] * len(starts)
    return starts, after, points


def best_by_trying_all(starts: list[int], after: list[list[int]], points: list[int]) -> tuple[int, int]:
    """Cards and points of the best chains, by looking at every possibility."""
    best = (0, 0)

    def look(number: int, here: int, used: frozenset[int], cards: int, worth: int) -> None:
        nonlocal best
        best = max(best, (cards, worth))
        for following in after[here]:
            if following not in used:
                look(number, following, used | {following}, cards + 1, worth + points[following])
        if number + 1 < len(starts):
            look(number + 1, starts[number + 1], used, cards, worth)

    look(0, starts[0], frozenset(starts), 0, 0)
    return best


@EXAMPLES
@given(graphs())
def test_the_best_chains_are_the_best(graph: tuple[list[int], list[list[int]], list[int]]) -> None:
    starts, after, points = graph
    chains = best_chains(starts, after, points)
    assert chains.proven
    assert (chains.cards, chains.points) == best_by_trying_all(starts, after, points)
    assert all(b in after[a] for a, b in chains.next_card.items())
    assert len(set(chains.next_card.values())) == len(chains.next_card)
