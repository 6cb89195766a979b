"""The rules of Cat and Mouse: routes that follow the arrows. Rule ids: CM-*."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from referee.decks import ARROWS, ArrowFace, Deck, Game
from referee.games.chains import Chains, ChainSearch
from referee.games.deck_counts import too_many_of_a_face
from referee.games.geometry import (
    EPSILON,
    NeighbourGrid,
    components,
    offset_in_frame,
    overlap,
    turn_between,
)
from referee.games.route_faults import RouteTable, explain_returned
from referee.layouts import Layout, PlacedCard, id_order
from referee.limits import CatAndMouseLimits, Limits
from referee.options import CatAndMouseOptions, Options
from referee.rulebook import AssumptionKind, DoubtReason, NoteKind, ScoreReason, Violation
from referee.verdicts import (
    Assumption,
    Doubt,
    Fault,
    Note,
    Outcome,
    Route,
    RoutesVerdict,
    Ruling,
    ScoreLine,
)

MAX_SECOND_LOOKS = 12
MAX_STEPS_OF_A_LOOK = 3_000
"""How many forks are looked at again to say what was assumed, and at what cost each; beyond that only
the plain case is told: that the way with more right cards was taken.
"""


def judge(
    layout: Layout,
    deck: Deck,
    options: Options,
    limits: Limits,
    laid: Mapping[str, str] | None = None,
) -> Ruling:
    """Judge a table of Cat and Mouse: trace the best routes, then explain every card outside them.

    `laid`: which card is known to have followed which, from an earlier look at the same table.
    """
    cards = tuple(sorted(layout.cards, key=lambda card: id_order(card.id)))
    table = _lay_out(cards, deck, options.cat_and_mouse, limits.cat_and_mouse)
    known = {} if laid is None else laid
    successors = [
        [j for j in table.may_follow(i) if known.get(card.id, cards[j].id) == cards[j].id]
        for i, card in enumerate(cards)
    ]
    points = [face.points for face in table.faces]
    search = ChainSearch(table.starts, successors, points)
    chains = search.best()
    table = table.with_chains(chains.next_card)
    routes = tuple(_route(table, start) for start in table.starts)
    returned, faults = explain_returned(table)
    faults = [*_two_finishes(table), *faults]
    verdict = RoutesVerdict(routes=tuple(routes), returned=tuple(cards[i].id for i in returned), faults=tuple(faults))
    doubtful = _doubts(table, chains)
    outcome = Outcome.UNDETERMINED if doubtful else Outcome.INVALID if faults else Outcome.VALID
    return Ruling(
        game=Game.CAT_AND_MOUSE,
        deck=deck.name,
        outcome=outcome,
        verdict=verdict,
        name=layout.name,
        doubtful=doubtful,
        notes=_notes(table, faults, layout, deck),
        scores=_scores(table),
        assumptions=_assumptions(table, search, chains, successors) if chains.proven else (),
    )


def _lay_out(
    cards: tuple[PlacedCard, ...], deck: Deck, options: CatAndMouseOptions, limits: CatAndMouseLimits
) -> RouteTable:
    """Find for each card what lies at which side of it, and which cards are the heap."""
    faces = [cast(ArrowFace, deck.face(card.face)) for card in cards]
    side = sum(deck.card_mm) / 2
    grid = NeighbourGrid(cards, side * (limits.far + 1))
    near = [tuple(grid.near(i)) for i in range(len(cards))]
    heap = _heap(cards, faces, near, deck, limits)
    beside: list[dict[int, int]] = []
    for i in range(len(cards)):
        visible = [j for j in near[i] if j not in heap] if i not in heap else []
        beside.append(_nearest_at_each_side(cards, i, visible, side, limits))
    return RouteTable(
        cards=cards,
        faces=tuple(faces),
        side=side,
        beside=tuple(beside),
        near=tuple(tuple(j for j in around if j not in heap) for around in near),
        heap=frozenset(heap),
        starts=tuple(i for i, face in enumerate(faces) if face.kind == "start"),
        upright=options.upright,
        first_finish_counts=options.first_finish == "counts",
        quarter=limits.quarter,
    )


def _heap(
    cards: Sequence[PlacedCard],
    faces: Sequence[ArrowFace],
    near: Sequence[Sequence[int]],
    deck: Deck,
    limits: CatAndMouseLimits,
) -> set[int]:
    """The cards that lie in piles (CM-DRAW). A Start lies in no pile: it is not drawn."""
    width, height = deck.card_mm
    pairs = [
        (i, j)
        for i, around in enumerate(near)
        for j in around
        if i < j
        and faces[i].kind != "start"
        and faces[j].kind != "start"
        and overlap(cards[i], cards[j], width, height) > limits.pile
    ]
    return {i for group in components(len(cards), pairs) if len(group) > 1 for i in group}


def _nearest_at_each_side(
    cards: Sequence[PlacedCard],
    index: int,
    others: Sequence[int],
    side: float,
    limits: CatAndMouseLimits,
) -> dict[int, int]:
    """CM-SIDE: for each side (0 up, clockwise to 3 left) the nearest card there."""
    best: dict[int, tuple[tuple[float, float, int], int]] = {}
    for other in others:
        right, down = offset_in_frame(cards[index], cards[other])
        distance = math.hypot(right, down) / side
        if not limits.near - EPSILON <= distance <= limits.far + EPSILON:
            continue
        bearing = math.degrees(math.atan2(right, -down)) % 360
        direction = round(bearing / 90) % 4
        off = turn_between(bearing, direction * 90)
        if off > limits.angle + EPSILON:
            continue
        rank = (round(distance, 6), round(off, 6), other)
        if direction not in best or rank < best[direction][0]:
            best[direction] = (rank, other)
    return {direction: other for direction, (_, other) in sorted(best.items())}


def _route(table: RouteTable, start: int) -> Route:
    chain = table.chain(start)
    return Route(
        start=table.cards[start].id,
        valid=tuple(table.cards[i].id for i in chain),
        points=sum(table.faces[i].points for i in chain),
        finished=bool(chain) and table.faces[chain[-1]].kind == "finish",
    )


def _two_finishes(table: RouteTable) -> list[Fault]:
    """CM-ONE-FINISH: the first Finish ends the round; which came first the table does not show."""
    finishes = [i for start in table.starts for i in table.chain(start) if table.faces[i].kind == "finish"]
    if len(finishes) < 2:
        return []
    return [Fault(Violation.TWO_FINISHES, tuple(table.cards[i].id for i in sorted(finishes)))]


def _scores(table: RouteTable) -> tuple[ScoreLine, ...]:
    return tuple(
        ScoreLine(
            who=table.cards[start].id,
            points=table.faces[i].points,
            reason=ScoreReason.CARD_IN_ROUTE,
            cards=(table.cards[i].id,),
        )
        for start in table.starts
        for i in table.chain(start)
    )


def _notes(table: RouteTable, faults: Sequence[Fault], layout: Layout, deck: Deck) -> tuple[Note, ...]:
    notes: list[Note] = []
    ids = [card.id for card in table.cards]
    if not table.starts:
        notes.append(Note(NoteKind.NO_START))
    # CM-FINISH: even a Finish that lies wrong ends the round, unless it was agreed that it goes back.
    put_back = {fault.cards[0] for fault in faults if fault.rule is Violation.FINISH_FIRST}
    ends_the_round = [
        i
        for i, face in enumerate(table.faces)
        if face.kind == "finish" and i not in table.heap and ids[i] not in put_back
    ]
    if table.starts and not ends_the_round:
        notes.append(Note(NoteKind.ROUND_OPEN))
    for start in table.starts:
        chain = table.chain(start)
        turned = [i for i in chain if table.is_turned(i, start)]
        if turned and not table.upright:
            notes.append(Note(NoteKind.CARD_TURNED, tuple(ids[i] for i in turned), number=len(turned)))
        if len(chain) == 1 and table.faces[chain[0]].kind == "finish":
            notes.append(Note(NoteKind.FINISH_AFTER_START, (ids[chain[0]],)))
        if chain and table.is_trapped(chain[-1]):
            notes.append(Note(NoteKind.TRAPPED, (ids[chain[-1]],)))
    if table.heap:
        notes.append(Note(NoteKind.HEAP, tuple(ids[i] for i in sorted(table.heap)), number=len(table.heap)))
    return (*notes, *too_many_of_a_face(layout, deck, NoteKind.TOO_MANY_OF_FACE))


def _doubts(table: RouteTable, chains: Chains) -> tuple[Doubt, ...]:
    """If the tangle was too large to be solved for certain: the Start cards whose routes lead through it."""
    if chains.proven:
        return ()
    forks = Counter[int]()
    for start in table.starts:
        forks[start] = sum(len(table.may_follow(i)) > 1 for i in table.chain(start))
    most = max(forks.values())
    tangled = [start for start, number in sorted(forks.items()) if number == most or number > 1]
    return tuple(Doubt(DoubtReason.TOO_TANGLED, card=table.cards[i].id) for i in tangled)


def _assumptions(
    table: RouteTable, search: ChainSearch, chains: Chains, successors: Sequence[Sequence[int]]
) -> tuple[Assumption, ...]:
    """What was assumed about the order of play: where a route could have gone another way.

    A way that would make fewer cards right is told only if it leads to a card that now goes back; ways
    that would make as many right are always told.
    """
    on_route = set(chains.next_card) | set(chains.next_card.values()) | set(table.starts)
    claims = Counter(b for a in on_route for b in successors[a])
    assumed: list[Assumption] = []
    looks = 0
    for a, b in sorted(chains.next_card.items()):
        others = [c for c in successors[a] if c != b]
        if not others and claims[b] < 2:
            continue
        left_out = [c for c in others if c not in on_route]
        kind = AssumptionKind.MORE_CARDS if left_out else None
        if looks < MAX_SECOND_LOOKS:
            looks += 1
            loss = search.loss_without((a, b), MAX_STEPS_OF_A_LOOK)
            if loss is not None and loss[0] == 0:
                kind = AssumptionKind.MORE_POINTS if loss[1] else AssumptionKind.FIRST_ARROW
        if kind is not None:
            named = (a, b, *(left_out or others))
            assumed.append(Assumption(kind, tuple(table.cards[i].id for i in named)))
    return tuple(assumed)


assert ARROWS == ("up", "right", "down", "left"), "directions are counted clockwise from up"
