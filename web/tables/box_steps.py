"""If It Fits step by step: boxes fill one by one, their walls and gaps, toys and cats counted, who wins each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

import numpy as np

from referee.decks import CatFace
from referee.explain import About, Sentence
from referee.games.box_table import BoxTable
from referee.limits import Limits
from referee.rulebook import RuleId
from referee.verdicts import Box, BoxesVerdict
from web.tables.step import Mark, Scene, Step

TOYS_AT = np.array([[0.5, 0.24]])
"""Where on a box card its toys are counted: cats lie on its middle."""
WINS = "★"


def box_steps(scene: Scene, verdict: BoxesVerdict, sentences: Iterable[Sentence]) -> Iterator[Step]:
    """Every box, then the points."""
    said = list(sentences)
    yield from _boxes(scene, verdict, said, range(len(verdict.boxes)))
    done = tuple(card for box in verdict.boxes for card in box.cards)
    for sentence in said:
        if sentence.about is About.RESULT and not sentence.cards:
            yield Step(sentence.text, done=done, rule=sentence.rule_id)


def box_steps_of_move(
    scene: Scene, verdict: BoxesVerdict, sentences: Iterable[Sentence], cards: Collection[str]
) -> Iterator[Step]:
    """The boxes that a move belongs to."""
    boxes = _Boxes(scene)
    touched = [n for n, box in enumerate(verdict.boxes) if set(cards) & {*box.cards, *boxes.cats_in(box)}]
    yield from _boxes(scene, verdict, list(sentences), touched)


def _boxes(scene: Scene, verdict: BoxesVerdict, said: list[Sentence], which: Iterable[int]) -> Iterator[Step]:
    told = {s.cards: s for s in said if s.about is About.RESULT and s.cards}
    boxes = _Boxes(scene)
    done: list[str] = []
    for number in which:
        box = verdict.boxes[number]
        sentence = told.get(box.cards)
        if sentence is None:
            continue
        cats = boxes.cats_in(box)
        yield Step(
            sentence.text,
            lit=(*box.cards, *cats),
            done=tuple(done),
            walls=boxes.lines(box, open_ones=False),
            gaps=boxes.lines(box, open_ones=True),
            marks=(*boxes.toys(box), *boxes.counted(box, cats)),
            rule=sentence.rule_id or RuleId.IF_BOX,
            count=scene.say.text("step.toys", box.toys),
            colour=number,
        )
        done += box.cards


class _Boxes:
    def __init__(self, scene: Scene) -> None:
        cards = scene.judged.layout.cards
        self._scene = scene
        self._table = BoxTable(cards, scene.judged.deck, Limits().if_it_fits)
        self._index = {card.id: i for i, card in enumerate(cards)}
        self._ids = [card.id for card in cards]

    def cats_in(self, box: Box) -> tuple[str, ...]:
        """The awake cats and Princesses that lie across two cards of a box."""
        inside = {self._index[card] for card in box.cards}
        found = []
        for cat in self._table.awake:
            joint = self._table.joint_under(cat)
            if joint is not None and not joint.walled and {joint.a, joint.b} <= inside:
                found.append(self._ids[cat])
        return tuple(found)

    def lines(self, box: Box, open_ones: bool) -> tuple[tuple[tuple[float, float], ...], ...]:
        """The sides at which a box ends: walls of its own or of a neighbour, or the gaps through which it is open."""
        inside = {self._index[card] for card in box.cards}
        found = []
        for card in sorted(inside):
            for side in range(4):
                beside = self._table.joined_sides.get((card, side))
                wall = self._table.has_wall(card, side) or (beside is not None and beside not in inside)
                gap = not wall and beside is None
                if (gap and not box.closed) if open_ones else wall:
                    found.append(self._scene.side(self._ids[card], side))
        return tuple(found)

    def toys(self, box: Box) -> Iterator[Mark]:
        """The toys of each card."""
        for card in box.cards:
            toys = self._table.box_face(self._index[card]).toys
            if toys:
                yield Mark(self._scene.on_card(card, TOYS_AT)[0], str(toys))

    def counted(self, box: Box, cats: Iterable[str]) -> Iterator[Mark]:
        """The cats of each player counted; a star with those who win."""
        numbers: Counter[str] = Counter()
        deck = self._scene.judged.deck
        for cat in cats:
            face = deck.face(self._scene.judged.layout.by_id[cat].face)
            if not isinstance(face, CatFace):  # the Princess counts for nobody
                continue
            numbers[face.player] += 1
            star = WINS if face.player in box.winners else ""
            yield Mark(self._scene.on_card(cat, np.array([[0.5, 0.5]]))[0], f"{numbers[face.player]}{star}")
