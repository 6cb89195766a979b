"""Multicoloured Paths step by step: joins counted by colour, the path with most changes traced, rings closed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

import numpy as np

from referee.annotate_paths import end_at, strand_curve
from referee.explain import About, Sentence
from referee.games.coloured_paths import CHANGES_FOR_A_TURN, JOINS_FOR_A_TURN
from referee.games.path_table import Path, PathTable, find_meetings
from referee.limits import Limits
from referee.match.lying import laid_cards
from referee.rulebook import RuleId
from referee.verdicts import PathsVerdict
from web.tables.state import middle
from web.tables.step import Line, Mark, Scene, Step, capital


def path_steps(scene: Scene, verdict: PathsVerdict, sentences: Iterable[Sentence]) -> Iterator[Step]:
    """The whole table."""
    paths = _Paths(scene)
    yield from paths.joins()
    longest = paths.longest(paths.all)
    if longest is not None:
        yield from paths.traced(longest)
    yield from paths.rings(paths.all)
    for sentence in sentences:
        if sentence.about is About.RESULT and len(sentence.cards) == 1 and verdict.moves:
            yield Step(sentence.text, lit=sentence.cards)


def path_steps_of_move(scene: Scene, cards: Collection[str]) -> Iterator[Step]:
    """What a move has made: the joins of the new cards, the path through them if it earns a turn, rings."""
    paths = _Paths(scene)
    yield from paths.joins(cards)
    through = [path for path in paths.all if any(paths.ids[card] in cards for card, _, _ in path.strands)]
    longest = paths.longest(through)
    if longest is not None and paths.table.changes(longest.strands) >= CHANGES_FOR_A_TURN:
        yield from paths.traced(longest)
    yield from paths.rings(through)


class _Paths:
    """Joins and paths of the layout; what lies apart from it counts in none, as in the verdict."""

    def __init__(self, scene: Scene) -> None:
        judged = scene.judged
        cards, deck = laid_cards(judged.ruling, judged.layout), judged.deck
        self.scene = scene
        self.ids = [card.id for card in cards]
        self.table = PathTable(cards, deck)
        self._meetings = find_meetings(cards, deck, Limits().coloured_paths)
        self.table.join(self._meetings)
        self.all = list(self.table.paths(range(len(cards))))

    def joins(self, of: Collection[str] | None = None) -> Iterator[Step]:
        """A step for each colour, its joins numbered on the table; of: only those of these cards."""
        found: dict[str, list[tuple[tuple[int, int], tuple[int, int]]]] = defaultdict(list)
        for meeting in self._meetings:
            for one, other in self.table.matches(meeting):
                if of is None or {self.ids[one[0]], self.ids[other[0]]} & set(of):
                    found[self.table.colour(one)].append((one, other))
        for colour, joins in sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0])):
            marks = tuple(Mark(self._join(*ends), str(n), colour) for n, ends in enumerate(joins, 1))
            lit = tuple(dict.fromkeys(self.ids[card] for ends in joins for card, _ in ends))
            name = capital(self.scene.explainer.player(colour))
            text = self.scene.say.text("step.joins", len(joins), colour=name)
            earns = of is not None and len(joins) >= JOINS_FOR_A_TURN
            rule = RuleId.CP_THREE if earns else RuleId.CP_JOIN
            yield Step(text, lit=lit, marks=marks, rule=rule, count=str(len(joins)))

    def longest(self, paths: Iterable[Path]) -> Path | None:
        """The path with most changes of colour; None if no colour changes."""
        best = max(paths, key=lambda path: self.table.changes(path.strands), default=None)
        return best if best is not None and self.table.changes(best.strands) else None

    def traced(self, path: Path) -> Iterator[Step]:
        """A path, a card a step, its changes of colour counted."""
        changes, so_far = 0, []
        marks: list[Mark] = []
        scene = self.scene
        for strand in path.strands:
            card, enter, leave = strand
            so_far.append(strand)
            one, other = self.table.colour((card, enter)), self.table.colour((card, leave))
            if one != other:
                changes += 1
                curve = scene.on_card(self.ids[card], strand_curve(enter, leave))
                marks.append(Mark(curve[len(curve) // 2], str(changes)))
            elif strand not in (path.strands[0], path.strands[-1]):
                continue
            name = scene.named(self.ids[card])
            colours = [scene.explainer.player(colour) for colour in (one, other)]
            if one == other:
                text = scene.say.text("step.path-goes", card=name, colour=colours[0])
            else:
                text = scene.say.text("step.path-changes", changes, card=name, one=colours[0], other=colours[1])
            done = tuple(dict.fromkeys(self.ids[c] for c, _, _ in so_far[:-1]))
            rule = RuleId.CP_SEVEN if changes >= CHANGES_FOR_A_TURN else None
            yield Step(
                text,
                lit=(self.ids[card],),
                done=done,
                trace=self._lines(so_far),
                marks=tuple(marks),
                count=str(changes),
                rule=rule,
            )

    def rings(self, paths: Iterable[Path]) -> Iterator[Step]:
        """Each ring: almost round, then closed."""
        for path in paths:
            if not path.ring:
                continue
            ids = tuple(dict.fromkeys(self.ids[card] for card, _, _ in path.strands))
            if len(path.strands) > 1:
                text = self.scene.say.text("step.ring-open", card=self.scene.named(self.ids[path.strands[0][0]]))
                yield Step(text, lit=ids[:1], done=ids[1:], trace=self._lines(path.strands[:-1]))
            start, enter, _ = path.strands[0]
            end, _, leave = path.strands[-1]
            closing = Mark(self._join((start, enter), (end, leave)), "", self.table.colour((start, enter)))
            text = self.scene.say.text("step.ring")
            yield Step(text, lit=ids, trace=self._lines(path.strands), marks=(closing,), rule=RuleId.CP_RING)

    def _join(self, one: tuple[int, int], other: tuple[int, int]) -> tuple[float, float]:
        ends = [self.scene.on_card(self.ids[card], np.array([end_at(end)]))[0] for card, end in (one, other)]
        return middle(ends)

    def _lines(self, strands: Iterable[tuple[int, int, int]]) -> tuple[Line, ...]:
        """Each strand as a line over its card."""
        return tuple(self.scene.on_card(self.ids[c], strand_curve(enter, leave)) for c, enter, leave in strands)
