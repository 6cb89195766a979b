"""The rules of If It Fits: boxes, cats, points. Rule ids: IF-*."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from referee.decks import CatFace, Deck, Game
from referee.games.box_table import BOTTOM, LEFT, RIGHT, TOP, BoxTable, Contact
from referee.games.deck_counts import too_many_of_a_face
from referee.layouts import Layout, PlacedCard, id_order
from referee.limits import Limits
from referee.options import IfItFitsOptions, Options
from referee.rulebook import NoteKind, ScoreReason, Violation
from referee.verdicts import Box, BoxesVerdict, Fault, Note, Outcome, Ruling, ScoreLine


def judge(layout: Layout, deck: Deck, options: Options, limits: Limits) -> Ruling:
    """Judge a table of If It Fits as it lies: joins, boxes, cats, and the points if the game ended now."""
    cards = tuple(sorted(layout.cards, key=lambda card: id_order(card.id)))
    table = BoxTable(cards, deck, limits.if_it_fits)
    cat_faults, counted = _judge_cats(table)
    faults = tuple(_fault(table, *found) for found in (*_judge_boxes(table, layout), *cat_faults))
    boxes = _boxes(table, counted, options.if_it_fits)
    scores: dict[str, int] = dict.fromkeys(sorted({player for box in boxes for player, _ in box.cats}), 0)
    lines: list[ScoreLine] = []
    for box in boxes:
        for player in box.winners:
            scores[player] += box.points
            lines.append(ScoreLine(player, box.points, ScoreReason.MOST_CATS_IN_BOX, box.cards))
    return Ruling(
        game=Game.IF_IT_FITS,
        deck=deck.name,
        outcome=Outcome.INVALID if faults else Outcome.VALID,
        verdict=BoxesVerdict(boxes=boxes, scores=tuple(scores.items()), faults=faults),
        name=layout.name,
        notes=_notes(table, layout, deck),
        scores=tuple(lines),
    )


Found = tuple[Violation, Sequence[int]]


def _fault(table: BoxTable, violation: Violation, cards: Sequence[int]) -> Fault:
    return Fault(violation, tuple(table.cards[i].id for i in cards))


def _judge_boxes(table: BoxTable, layout: Layout) -> list[Found]:
    """IF-JOIN, IF-OVERLAP, IF-START, IF-TABLE and, for cats laid like boxes, IF-ASLEEP."""
    found: list[Found] = []
    joined = {(joint.a, joint.b) for joint in table.joints}
    boxes = set(table.boxes)
    for a in table.boxes:
        for b in (b for b in table.near[a] if b > a and b in boxes and (a, b) not in joined):
            if table.overlap(a, b) > table.limits.overlap:
                found.append((Violation.BOX_OVERLAP, (a, b)))
            elif contact := table.contact(a, b):
                found.append((_CONTACT_FAULT[contact], (a, b)))
    found += [
        (Violation.BOX_OFF_TABLE, (i,))
        for i in table.boxes
        if layout.table is not None and table.beyond_edge(i, layout.table)
    ]
    # The first Start card may lie anyhow, but of two that only long sides join, one was laid wrongly.
    loose = [
        i
        for i in table.boxes
        if table.box_face(i).kind == "start"
        and any((i, side) in table.joined_sides for side in (LEFT, RIGHT))
        and not any((i, side) in table.joined_sides for side in (TOP, BOTTOM))
    ]
    if len(loose) > 1:
        found.append((Violation.START_BY_LONG_SIDE, loose))
    return found


_CONTACT_FAULT = {
    Contact.SHOVED: Violation.BOX_NOT_FLUSH,
    Contact.LONG_TO_SHORT: Violation.BOX_LONG_TO_SHORT,
}


def _judge_cats(table: BoxTable) -> tuple[list[Found], dict[int, int]]:
    """The faults of cats (IF-CAT, IF-CAT-OVERLAP, IF-ASLEEP), and each cat that counts -> a box card
    under it.
    """
    found: list[Found] = []
    lies_on: dict[int, tuple[int, ...]] = {}
    boxes = set(table.boxes)
    for cat in table.awake:
        touched = [b for b in table.near[cat] if b in boxes and table.overlap(cat, b) > table.limits.touch]
        joint = table.joint_under(cat)
        if joint is not None:
            lies_on[cat] = (joint.a, joint.b)
            if joint.walled:
                found.append((Violation.CAT_ACROSS_WALL, (cat, joint.a, joint.b)))
            found += [
                (Violation.CAT_OVERLAP, (cat, b))
                for b in touched
                if b not in lies_on[cat] and table.overlap(cat, b) > table.limits.overlap
            ]
        elif touched:
            lies_on[cat] = ()
            found.append((Violation.CAT_NOT_ON_TWO_BOXES, (cat,)))
    for cat in table.asleep:
        found += _judge_asleep(table, cat, boxes)
    laid = sorted([*lies_on, *table.laid_asleep])
    cats = {*table.awake, *table.asleep}
    for cat in laid:
        for other in (o for o in table.near[cat] if o in cats and (o > cat or o not in laid)):
            if table.overlap(cat, other) > table.limits.overlap:
                found.append((Violation.CAT_OVERLAP, sorted((cat, other))))
    at_fault = {i for _, cards in found for i in cards if i in cats}
    return found, {cat: under[0] for cat, under in lies_on.items() if cat not in at_fault}


def _judge_asleep(table: BoxTable, cat: int, boxes: set[int]) -> list[Found]:
    """A sleeping cat lies flush like a box card, or touches nothing."""
    near = [b for b in table.near[cat] if b in boxes and table.flush_side(b, cat) is None]
    covered = [b for b in near if table.overlap(cat, b) > table.limits.overlap]
    if covered:
        return [(Violation.CAT_OVERLAP, (cat, b)) for b in covered]
    if any(table.contact(cat, b) or table.overlap(cat, b) > table.limits.touch for b in near):
        return [(Violation.ASLEEP_NOT_FLUSH, (cat,))]
    return []


def _boxes(table: BoxTable, counted: Mapping[int, int], options: IfItFitsOptions) -> tuple[Box, ...]:
    """Every box with its cats, its winners and what each of them gets (IF-BOX, IF-SCORE)."""
    box_of = {i: number for number, group in enumerate(table.box_groups) for i in group}
    cats: dict[int, Counter[str]] = defaultdict(Counter)
    for cat, under in counted.items():
        face = table.deck.face(table.cards[cat].face)
        if isinstance(face, CatFace):  # the Princess counts for nobody
            cats[box_of[under]][face.player] += 1
    return tuple(
        _box(
            ids=tuple(table.cards[i].id for i in group),
            closed=table.is_closed(group, options.asleep_closes),
            toys=sum(table.box_face(i).toys for i in group),
            cats=cats[number],
            options=options,
        )
        for number, group in enumerate(table.box_groups)
    )


def _box(ids: tuple[str, ...], closed: bool, toys: int, cats: Mapping[str, int], options: IfItFitsOptions) -> Box:
    winners: tuple[str, ...] = ()
    points = 0
    if (closed or options.open_boxes) and cats:
        most = max(cats.values())
        winners = tuple(sorted(player for player, number in cats.items() if number == most))
        points = toys
        if len(winners) > 1 and options.ties == "none":
            winners, points = (), 0
        elif options.ties == "split":
            points = toys // len(winners)
    return Box(ids, closed, toys, tuple(sorted(cats.items())), winners, points)


def _notes(table: BoxTable, layout: Layout, deck: Deck) -> tuple[Note, ...]:
    notes: list[Note] = []
    apart = [i for cluster in table.clusters[1:] if len(cluster) < len(table.clusters[0]) for i in cluster]
    if apart:
        notes.append(Note(NoteKind.BOX_APART, _ids(table, apart), number=len(apart)))
    boxes = set(table.boxes)
    supply = [
        cat
        for cat in (*table.awake, *table.asleep)
        if cat not in table.laid_asleep
        and not any(b in boxes and table.overlap(cat, b) > table.limits.touch for b in table.near[cat])
    ]
    if supply:
        notes.append(Note(NoteKind.SUPPLY, _ids(table, supply), number=len(supply)))
    return (*notes, *_too_many_cats(table.cards, deck), *_too_many_cards(layout, deck))


def _too_many_cats(cards: Sequence[PlacedCard], deck: Deck) -> list[Note]:
    """IF-DECK: awake and asleep are two sides of the same cards."""
    seen: dict[str, list[str]] = defaultdict(list)
    for card in cards:
        face = deck.face(card.face)
        if isinstance(face, CatFace):
            seen[face.player].append(card.id)
    return [
        Note(NoteKind.TOO_MANY_CATS, tuple(ids), number=cats_of(deck, player), name=player)
        for player, ids in sorted(seen.items())
        if len(ids) > cats_of(deck, player)
    ]


def cats_of(deck: Deck, player: str) -> int:
    """How many cat cards a player has: 5 in the published game."""
    return max((f.count for f in deck.faces if isinstance(f, CatFace) and f.player == player), default=0)


def _too_many_cards(layout: Layout, deck: Deck) -> list[Note]:
    notes = too_many_of_a_face(layout, deck, NoteKind.TOO_MANY_BOX_CARDS)
    return [note for note in notes if note.name and not isinstance(deck.face(note.name), CatFace)]


def _ids(table: BoxTable, cards: Sequence[int]) -> tuple[str, ...]:
    return tuple(table.cards[i].id for i in sorted(cards))
