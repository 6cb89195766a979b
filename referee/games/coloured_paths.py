"""The rules of Multicoloured Paths: what lies, and whether each move was allowed. Rule ids: CP-*."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from referee.decks import Deck, Game
from referee.games.deck_counts import too_many_of_a_face
from referee.games.geometry import components
from referee.games.path_table import Meeting, Path, PathTable, find_meetings
from referee.layouts import Layout, PlacedCard, id_order
from referee.limits import Limits
from referee.options import Options
from referee.rulebook import AssumptionKind, NoteKind, Violation
from referee.verdicts import Assumption, ExtraTurn, Fault, Move, Note, Outcome, PathsVerdict, Ruling

CHANGES_FOR_A_TURN = 7
"""CP-SEVEN: from so many colour changes on a path makes an extra turn."""
JOINS_FOR_A_TURN = 3
"""CP-THREE: from so many joins of one colour a move makes an extra turn."""


def judge(layout: Layout, deck: Deck, options: Options, limits: Limits) -> Ruling:  # noqa: ARG001
    """Judge a table of Multicoloured Paths, and its moves if the order of laying is known."""
    rank = {card_id: i for i, card_id in enumerate(layout.order or ())}
    cards = sorted(layout.cards, key=lambda card: (rank.get(card.id, 0), id_order(card.id)))
    meetings = find_meetings(cards, deck, limits.coloured_paths)
    groups = _groups(cards, meetings)
    main, assumption = _layout_group(cards, groups, known_order=layout.order is not None)
    verdict = _verdict(cards, deck, meetings, groups, main, known_order=layout.order is not None)
    faults = (*verdict.faults, *(fault for move in verdict.moves or () for fault in move.faults))
    strays = [i for group in groups if group is not main for i in group]
    notes = [Note(NoteKind.STRAYS, _ids(cards, sorted(strays)), number=len(strays))] if strays else []
    return Ruling(
        game=Game.COLOURED_PATHS,
        deck=deck.name,
        outcome=Outcome.INVALID if faults else Outcome.VALID,
        verdict=verdict,
        name=layout.name,
        notes=(*notes, *too_many_of_a_face(layout, deck, NoteKind.TOO_MANY_PATH_CARDS)),
        assumptions=(assumption,) if assumption else (),
    )


def _verdict(
    cards: Sequence[PlacedCard],
    deck: Deck,
    meetings: Sequence[Meeting],
    groups: Sequence[Sequence[int]],
    main: Sequence[int],
    known_order: bool,
) -> PathsVerdict:
    table = PathTable(cards, deck)
    inside = set(main)
    joined = [meeting for meeting in meetings if meeting.a in inside and meeting.sides is not None]
    table.join(joined)
    paths = list(table.paths(main))
    mismatches = [_pair(cards, meeting) for meeting in joined if table.is_mismatch(meeting)]
    shoved = [_pair(cards, meeting) for meeting in meetings if meeting.sides is None]
    longest = max(paths, key=lambda path: table.changes(path.strands), default=Path((), ring=False))
    return PathsVerdict(
        mismatches=tuple(mismatches),
        shifted=tuple(shoved),
        rings=sum(path.ring for path in paths),
        longest_changes=table.changes(longest.strands),
        longest_path=_ids(cards, [card for card, _, _ in longest.strands]),
        groups=tuple(_ids(cards, group) for group in groups),
        moves=tuple(_moves(cards, deck, meetings)) if known_order else None,
        faults=(
            *(Fault(Violation.MISMATCH, pair) for pair in mismatches),
            *(Fault(Violation.SHOVED, pair) for pair in shoved),
        ),
    )


def _groups(cards: Sequence[PlacedCard], meetings: Sequence[Meeting]) -> list[list[int]]:
    """The largest sets of joined cards, the largest first."""
    joined = [(meeting.a, meeting.b) for meeting in meetings if meeting.sides is not None]
    return sorted(components(len(cards), joined), key=lambda group: (-len(group), group))


def _layout_group(
    cards: Sequence[PlacedCard], groups: Sequence[list[int]], known_order: bool
) -> tuple[list[int], Assumption | None]:
    """Which group is the layout, and what was assumed if several are the largest (CP-EDGE, after it)."""
    largest = [group for group in groups if len(group) == len(groups[0])] if groups else []
    if len(largest) < 2:
        return (largest[0] if largest else []), None
    if known_order and (first := [group for group in largest if 0 in group]):
        chosen, kind = first[0], AssumptionKind.LAYOUT_BY_FIRST_CARD
    else:
        middle = _middle(cards, range(len(cards)))
        chosen = min(largest, key=lambda g: (round(math.dist(_middle(cards, g), middle), 3), g))
        kind = AssumptionKind.LAYOUT_BY_MIDDLE
    return chosen, Assumption(kind, _ids(cards, chosen))


def _middle(cards: Sequence[PlacedCard], group: Sequence[int]) -> tuple[float, float]:
    return sum(cards[i].x for i in group) / len(group), sum(cards[i].y for i in group) / len(group)


def _moves(cards: Sequence[PlacedCard], deck: Deck, meetings: Sequence[Meeting]) -> list[Move]:
    """Judge the cards in the order they were laid; an illegal card is taken back before the next."""
    by_later: dict[int, list[Meeting]] = {}
    for meeting in meetings:  # seen from the earlier card, as find_meetings does
        by_later.setdefault(meeting.b, []).append(meeting)
    table = PathTable(cards, deck)
    laid: set[int] = set()
    moves: list[Move] = []
    for i in range(len(cards)):
        met = [meeting for meeting in by_later.get(i, ()) if meeting.a in laid]
        move = judge_move(cards, table, i, met, first=not laid)
        if move.legal:
            laid.add(i)
        moves.append(move)
    return moves


def judge_move(cards: Sequence[PlacedCard], table: PathTable, index: int, met: Sequence[Meeting], first: bool) -> Move:
    """Judge one laid card against the cards it meets; a legal one is joined to the table's paths."""
    card_id = cards[index].id
    faults = [Fault(Violation.SHOVED, _pair(cards, m, index)) for m in met if m.sides is None]
    faults += [Fault(Violation.MISMATCH, _pair(cards, m, index)) for m in met if table.is_mismatch(m)]
    joins = [pair for meeting in met for pair in table.matches(meeting)]
    # CP-TWO: joined cards of right colours always join two ends, so one alone can only come from shoving (CP-EDGE).
    if not first and not faults and not joins:
        faults.append(Fault(Violation.APART, (card_id,)))
    if faults:
        return Move(card_id, legal=False, faults=tuple(faults))
    table.join(met)
    paths = list(table.paths([index]))
    reasons: list[ExtraTurn] = []
    if any(_earns_a_turn(table, path, index) for path in paths):
        reasons.append(ExtraTurn.SEVEN_CHANGES)
    if max(Counter(table.colour(end) for end, _ in joins).values(), default=0) >= JOINS_FOR_A_TURN:
        reasons.append(ExtraTurn.THREE_JOINTS)
    return Move(card_id, legal=True, ring=any(path.ring for path in paths), extra_turn=tuple(reasons))


def _earns_a_turn(table: PathTable, path: Path, new: int) -> bool:
    """CP-SEVEN: enough changes now, and in none of the pieces that the path was made of before."""
    if table.changes(path.strands) < CHANGES_FOR_A_TURN:
        return False
    strands = list(path.strands)
    if path.ring:  # begin at the new card, so that no piece is cut in two
        start = next(i for i, (card, _, _) in enumerate(strands) if card == new)
        strands = strands[start:] + strands[:start]
    piece: list[tuple[int, int, int]] = []
    for strand in strands:
        if strand[0] != new:
            piece.append(strand)
            continue
        if table.changes(piece) >= CHANGES_FOR_A_TURN:
            return False
        piece = []
    return table.changes(piece) < CHANGES_FOR_A_TURN


def _pair(cards: Sequence[PlacedCard], meeting: Meeting, first: int | None = None) -> tuple[str, str]:
    a, b = cards[meeting.a].id, cards[meeting.b].id
    return (b, a) if first == meeting.b else (a, b)


def _ids(cards: Sequence[PlacedCard], group: Sequence[int]) -> tuple[str, ...]:
    return tuple(cards[i].id for i in group)
