"""The best way to read routes out of a tangle of cards: vertex-disjoint simple chains of greatest total
worth.

Each card points to at most a few others; each chain begins at a given start; a card belongs to one
chain at most. Finding the longest such chains is hard in general (it contains the longest-path
problem), but cards on a table have few neighbours, so a sweep works: cards are taken in one by one, and
for the *frontier*, the cards taken in that still have neighbours outside, only the way in which chain
pieces end there is remembered (frontier dynamic programming; Knuth, The Art of Computer Programming 4A,
"Simpath"). Ordinary tables have frontiers of one or two cards and cost linear time; an 8 x 8 block has
about eight. Beyond a bound on the remembered states the best are kept and the answer is marked as not
proven.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from referee.games.geometry import components

MAX_STATES = 12_000
"""States remembered at once."""
MAX_STEPS = 120_000
"""States made in all for one table; when they are used up, only `FEW_STATES` are kept at once."""
FEW_STATES = 200

_MOST_WAYS = 4
"""A Start card leads to four sides."""

Edge = tuple[int, int]
State = tuple[int, ...]

# What is remembered of a frontier card, other than the far end of the piece that begins or ends there.
_FREE = -1  # in no piece
_INNER = -2  # inside a piece
_GROUNDED = -3  # far end of a piece that comes from a start
_ENDED = -4  # far end of a piece whose last card has left the frontier
# A card that ends a piece (may point on) remembers the piece's first card as it is; one that begins a piece (still
# needs a card that points to it) remembers the last card shifted by this, to tell the two apart.
_SHIFT = 1 << 20
_BEGINS = _SHIFT + _ENDED  # from here on, the card begins a piece


@dataclass(frozen=True, slots=True)
class Chains:
    """The chosen chains: `next_card[a] = b`. `cards` and `points` are totals; `proven`: nothing is better.

    `steps` is what finding them took.
    """

    next_card: Mapping[int, int]
    cards: int
    points: int
    proven: bool
    steps: int = 0


def best_chains(starts: Iterable[int], successors: Sequence[Sequence[int]], points: Sequence[int]) -> Chains:
    """Choose disjoint chains from the starts with most cards, then most points; see `ChainSearch`."""
    return ChainSearch(starts, successors, points).best()


class ChainSearch:
    """The question which disjoint chains from the starts have most cards, then most points.

    `successors[a]` are the cards that may follow card a, the preferred first; `points[a]` is what card
    a is worth. Starts are worth nothing and follow nobody. Of several equally good choices the one that
    goes the preferred way more often is taken, then the one with the lowest numbers, so that the answer
    is always the same.
    """

    def __init__(self, starts: Iterable[int], successors: Sequence[Sequence[int]], points: Sequence[int]) -> None:
        self._points = points
        self._grounded = set(starts)
        self._likes = {
            (a, b): _MOST_WAYS - min(rank, _MOST_WAYS)
            for a in sorted(_reachable(self._grounded, successors))
            for rank, b in enumerate(successors[a])
            if b not in self._grounded
        }
        self._tangles = _parts(list(self._likes))
        self._solved: dict[Edge, Chains] = {}

    def best(self) -> Chains:
        """The best chains of the whole table."""
        next_card: dict[int, int] = {}
        proven = True
        steps = MAX_STEPS
        for edges in self._tangles:
            found = self._solve(edges, steps)
            self._solved.update(dict.fromkeys(edges, found))
            next_card.update(found.next_card)
            proven = proven and found.proven
            steps -= found.steps
        return self._chains(next_card, proven, MAX_STEPS - steps)

    def loss_without(self, edge: Edge, most_steps: int) -> tuple[int, int] | None:
        """How many cards and points are lost if one edge of the best chains is forbidden.

        None if that is not to be had within so many steps. To be asked after `best`.
        """
        best = self._solved[edge]
        if not best.proven or best.steps > most_steps:
            return None
        tangle = next(edges for edges in self._tangles if edge in edges)
        cards = points = 0
        for edges in _parts([other for other in tangle if other != edge]):
            found = self._solve(edges, most_steps)
            if not found.proven:
                return None
            cards, points = cards + found.cards, points + found.points
        return best.cards - cards, best.points - points

    def _solve(self, edges: Sequence[Edge], steps: int) -> Chains:
        if not any(a in self._grounded for a, _ in edges):
            return Chains({}, 0, 0, proven=True)
        tangle = _Tangle({edge: self._likes[edge] for edge in edges}, self._grounded, self._points)
        chosen, proven, left = tangle.solve(steps)
        return self._chains(chosen, proven, steps - left)

    def _chains(self, next_card: Mapping[int, int], proven: bool, steps: int) -> Chains:
        points = sum(self._points[b] for b in next_card.values())
        return Chains(next_card, len(next_card), points, proven, steps)


def _reachable(starts: Iterable[int], successors: Sequence[Sequence[int]]) -> set[int]:
    seen = set(starts)
    stack = list(seen)
    while stack:
        for b in successors[stack.pop()]:
            if b not in seen:
                seen.add(b)
                stack.append(b)
    return seen


def _parts(edges: Sequence[Edge]) -> list[list[Edge]]:
    """The edges of each connected tangle."""
    number: dict[int, int] = {}
    for edge in edges:
        for card in edge:
            number.setdefault(card, len(number))
    pairs = [(number[a], number[b]) for a, b in edges]
    part_of = {i: part for part, group in enumerate(components(len(number), pairs)) for i in group}
    parts: dict[int, list[Edge]] = {}
    for edge in edges:
        parts.setdefault(part_of[number[edge[0]]], []).append(edge)
    return list(parts.values())


def _sweep_order(neighbours: Mapping[int, set[int]]) -> list[int]:
    """An order of the cards that keeps the frontier small: next, the card that adds fewest open
    neighbours.
    """
    first = min(neighbours, key=lambda v: (len(neighbours[v]), v))
    order = [first]
    taken = {first}
    border = set(neighbours[first])
    seen_at = dict.fromkeys(border, 0)
    while border:
        card = min(border, key=lambda v: (len(neighbours[v] - taken - border), seen_at[v], v))
        border.discard(card)
        taken.add(card)
        order.append(card)
        for other in neighbours[card] - taken - border:
            border.add(other)
            seen_at[other] = len(order)
    return order


class _Tangle:
    """Cards joined by possible steps.

    The value of a state is one integer: cards, points, preference, then a bit for each edge, so that
    comparing integers compares as promised, and the bits tell the edges chosen.
    """

    def __init__(self, edges: Mapping[Edge, int], grounded: set[int], points: Sequence[int]) -> None:
        self._edges = sorted(edges)
        self._grounded = grounded
        self._after: dict[int, set[int]] = {}
        self._before: dict[int, set[int]] = {}
        for a, b in edges:
            for v in (a, b):
                self._after.setdefault(v, set())
                self._before.setdefault(v, set())
            self._after[a].add(b)
            self._before[b].add(a)
        self._neighbours = {v: self._after[v] | self._before[v] for v in self._after}
        self._order = _sweep_order(self._neighbours)
        like = 1 << len(edges)
        point = like << (_MOST_WAYS * len(edges) + 1).bit_length()
        card = point << (sum(points[v] for v in self._neighbours) + 1).bit_length()
        self._bit = {edge: 1 << (len(edges) - 1 - i) for i, edge in enumerate(self._edges)}
        self._worth = {v: 0 if v in grounded else card + points[v] * point for v in self._neighbours}
        self._gain = {(a, b): self._worth[b] + likes * like + self._bit[a, b] for (a, b), likes in edges.items()}
        self._at_best = {v: worth and worth + _MOST_WAYS * like for v, worth in self._worth.items()}
        self._all_bits = like - 1

    def solve(self, steps: int) -> tuple[dict[int, int], bool, int]:
        """The chains, whether they are proven best, and how many steps are left: a quick look, then a
        long one.
        """
        best, proven, steps = self._sweep(FEW_STATES, 0, steps)
        if not proven and steps > 0:
            better, proven, steps = self._sweep(MAX_STATES, best, steps)
            best = max(best, better)
        return {a: b for a, b in self._edges if best & self._bit[a, b]}, proven, steps

    def _sweep(self, limit: int, at_least: int, steps: int) -> tuple[int, bool, int]:
        """The best value found with at most `limit` states kept, whether it is proven, and the steps left.

        States that cannot come to the value `at_least` are left out; if none can, the result is 0.
        """
        frontier: list[int] = []
        taken: set[int] = set()
        states: dict[State, int] = {(): 0}
        still_outside = sum(self._at_best.values()) + self._all_bits
        proven = True
        for card in self._order:
            entry = (_GROUNDED if card in self._grounded else _FREE,)
            states = {state + entry: value for state, value in states.items()}
            frontier.append(card)
            taken.add(card)
            still_outside -= self._at_best[card]
            place = {v: i for i, v in enumerate(frontier)}
            for other in sorted(self._neighbours[card] & taken):
                for a, b in ((other, card), (card, other)):
                    if (a, b) in self._bit:
                        _link(states, place, a, b, self._gain[a, b])
            reachable = tuple(not self._before[v] <= taken for v in frontier)
            open_ended = tuple(not self._after[v] <= taken for v in frontier)
            touched = sorted(place[v] for v in {card, *(self._neighbours[card] & taken)})
            states = _settle(states, place, reachable, open_ended, touched)
            frontier = [v for v in frontier if not self._neighbours[v] <= taken]
            if at_least:
                worth = [self._at_best[v] for v in frontier]
                needed = at_least - still_outside
                states = {s: v for s, v in states.items() if v >= needed or v + _hope(s, worth) >= needed}
            steps -= len(states)
            keep = limit if steps > 0 else FEW_STATES
            if len(states) > keep:
                proven = False
                states = _most_promising(states, keep)
        return states.get((), 0), proven, steps


def _link(states: dict[State, int], place: Mapping[int, int], a: int, b: int, gain: int) -> None:
    """Add the states in which card b follows card a."""
    ia, ib = place[a], place[b]
    for state, value in list(states.items()):
        at_a, at_b = state[ia], state[ib]
        if at_a not in (_FREE, _GROUNDED) and not 0 <= at_a < _BEGINS:
            continue  # something follows a already
        if not (at_b == _FREE or at_b >= _BEGINS):
            continue  # b follows something already
        if at_a == b:
            continue  # b begins the piece that a ends: a ring
        first = a if at_a == _FREE else at_a
        last = b if at_b == _FREE else at_b - _SHIFT
        linked = list(state)
        linked[ia] = last + _SHIFT if at_a == _FREE else _INNER
        linked[ib] = first if at_b == _FREE else _INNER
        if at_a >= 0:
            linked[place[first]] = last + _SHIFT
        if at_b != _FREE and last != _ENDED:
            linked[place[last]] = first
        key = tuple(linked)
        if value + gain > states.get(key, -1):
            states[key] = value + gain


def _settle(
    states: Mapping[State, int],
    place: Mapping[int, int],
    reachable: Sequence[bool],
    open_ended: Sequence[bool],
    touched: Sequence[int],
) -> dict[State, int]:
    """Draw the consequences for cards that no card outside can reach any more, or that can point to none.

    A piece whose first card nothing can reach is dead; a card that can no longer be part of a chain, or
    end its piece any more, is like an inner one. Cards that are both are then dropped.
    """
    closed = [i for i in touched if not (reachable[i] and open_ended[i])]
    dropped = [i for i in reversed(touched) if not (reachable[i] or open_ended[i])]
    settled: dict[State, int] = {}
    for state, value in states.items():
        changed = list(state)
        for i in closed:
            here = changed[i]
            if here >= _BEGINS:
                if not reachable[i]:
                    break
            elif here == _FREE:
                if not reachable[i]:
                    changed[i] = _INNER
            elif here != _INNER and not open_ended[i]:
                changed[i] = _INNER
                if here >= 0:
                    changed[place[here]] = _ENDED + _SHIFT
        else:
            for i in dropped:
                del changed[i]
            key = tuple(changed)
            if value > settled.get(key, -1):
                settled[key] = value
    return settled


def _hope(state: State, worth: Sequence[int]) -> int:
    """What the cards of the frontier can still add: those that follow nothing yet."""
    return sum(w for here, w in zip(state, worth, strict=True) if here == _FREE or here >= _BEGINS)


def _most_promising(states: Mapping[State, int], limit: int) -> dict[State, int]:
    """The most valuable states, and one that surely leads to an answer: without loose beginnings."""
    ranked = sorted(states.items(), key=lambda item: item[1], reverse=True)
    kept = dict(ranked[:limit])
    for state, value in ranked:
        if all(here < _BEGINS for here in state):
            kept[state] = value
            break
    return kept
