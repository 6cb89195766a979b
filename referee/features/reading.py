"""Cards of a deck without pictures: which faces a squared-up card may be, by what is drawn on it alone.

All cards of a table are read together: what is common to them (which colours the paths have, what an open side looks
like) is learnt from the table itself. Nothing is guessed: a feature that cannot be read leaves all faces open that
differ in it alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.decks import ARROWS, WALLS, ArrowFace, BoxFace, CatFace, Deck, Game, PathFace, PrincessFace
from referee.features.arrows import ArrowReading, read_arrows
from referee.features.boxes import find_toys, floor_of, prepared, read_walls, side_profiles
from referee.features.cats import read_cats
from referee.features.colours import distance_of_colours, names_of, palette_of
from referee.features.glyphs import blobs, find_glyphs
from referee.features.strands import end_colours, ground_of, read_strands
from referee.features.words import find_words

Pixels = NDArray[np.uint8]

UNLIKE = 0.02
"""Belief that a feature is otherwise than a sure reading says."""
SAME_FLOOR = 8.5
"""Difference in Lab within which two cards have one floor."""
BOX_TRUST = 0.5
"""What the certainty of walls and of a number of toys is worth: on virtual tables half of those that seemed sure were
wrong."""
BOX_FOR_CAT, CAT_FOR_BOX = 0.4, 0.15
"""How likely what is taken for a cat by its ground is a box, and the other way round: on hard virtual tables fifteen
boxes of 56 were taken for cats, in shadow or under glare."""
WORD_TRUST, WORD_MISSED = 0.5, 0.4
"""The same of the words of Start and Finish, and how likely one is not seen: on hard tables four of four that seemed
sure were wrong, and six of 13 cards were taken for ones with an arrow."""
A_START = 0.125
"""How many Starts (and how many Finishes) a table has to each card with an arrow: far more than there are such faces in
a deck, so that a card of which nothing can be read is not surely one with an arrow."""
CLEAR = 4.0
"""Margin of a strands' reading (see `strands`) from which on it is sure."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """face: its id; turn: quarters by which the card lies turned clockwise; belief: 0..1, over all faces and turns of a
    card adding up to 1."""

    face: str
    turn: int
    belief: float


def read_cards(cards: Sequence[Pixels], deck: Deck) -> list[tuple[Likeness, ...]]:
    """For each squared-up card of one table (h, w, 3) BGR, lying any way round, what it may be, the likeliest first.

    Oblong cards must be squared up tall. The faces' pictures, if there are any, are not used.
    """
    if not cards:
        return []
    if deck.game is Game.CAT_AND_MOUSE:
        scores = [_route_card(card, deck) for card in cards]
    elif deck.game is Game.COLOURED_PATHS:
        scores = _path_cards(cards, deck)
    else:
        scores = _box_cards(cards, deck)
    return [_ranked(each) for each in scores]


def _ranked(scores: dict[tuple[str, int], float]) -> tuple[Likeness, ...]:
    total = sum(scores.values()) or 1.0
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Likeness(face, turn, score / total) for (face, turn), score in ranked)


def _agrees(same: bool, sure: float) -> float:
    """What a feature read with this certainty (0..1) says for a face that has it, or has not."""
    even = 0.5 * (1 - sure)
    return even + sure * ((1 - UNLIKE) if same else UNLIKE)


def _route_card(card: Pixels, deck: Deck) -> dict[tuple[str, int], float]:
    """Arrows as they lie; the value and the words upright in one of four turns."""
    arrows = read_arrows(card)
    turned = [_turned(card, turn) for turn in range(4)]  # a card turned clockwise is turned back
    layers = blobs(card)
    seen = [[layer.turned(turn) for layer in layers] for turn in range(4)]
    words = [find_words(each, own) for each, own in zip(turned, seen, strict=True)]
    named = {
        kind: [max((getattr(w, kind) for w in each), default=0.0) for each in words] for kind in ("start", "finish")
    }
    word, spoken = max((belief, (kind, turn)) for kind, each in named.items() for turn, belief in enumerate(each))
    arrow_sure = _sure_arrow(arrows) * (1 - 0.8 * word)
    kinds = Counter(face.kind for face in deck.faces)
    out: dict[tuple[str, int], float] = {}
    for turn in range(4):
        own = {ARROWS[(ARROWS.index(a) - turn) % 4] for a in arrows.arrows}
        glyphs = [g for g in find_glyphs(turned[turn], seen[turn]) if g.digit_belief > 0.3]
        best = max(glyphs, key=lambda g: g.digit_belief, default=None)
        for face in deck.faces:
            if not isinstance(face, ArrowFace):
                continue
            if face.kind == "move":
                value = 0.0
                if best is not None:
                    value = best.digit_belief * _agrees(best.digit == face.points % 10, best.digit_belief)
                score = _agrees(own == set(face.arrows), arrow_sure) * max(value, UNLIKE) * (1 - 0.95 * word)
            else:
                told = _agrees((face.kind, turn) == spoken, WORD_TRUST * word)
                score = max(word, WORD_MISSED) * told * _agrees(not arrows.arrows, arrow_sure)
                score *= max(1.0, A_START * kinds["move"] / kinds[face.kind])
            out[face.id, turn] = score
    return out


def _sure_arrow(reading: ArrowReading) -> float:
    if not reading.arrows:
        return 0.3
    return float(np.clip((reading.score - 0.65) / 0.2, 0, 1) * np.clip((reading.score - reading.second) / 0.06, 0, 1))


def _path_cards(cards: Sequence[Pixels], deck: Deck) -> list[dict[tuple[str, int], float]]:
    """Colours of the ends, and which belong together; the colours get the deck's names by what they are called."""
    ground = ground_of(cards)
    ends = np.array([end_colours(card, ground) for card in cards])
    palette, which = palette_of(ends.reshape(-1, 3), distance_of_colours(ends.reshape(-1, 3)))
    names = names_of(palette)
    out = []
    for card, row in zip(cards, which.reshape(-1, 8), strict=True):
        reading = read_strands(card, palette, [int(k) for k in row], ground)
        seen = [names[k] for k in row]
        pairs = {frozenset(pair) for pair in reading.pairs}
        joins_sure = float(np.clip(reading.margin / CLEAR, 0, 0.95))
        scores = {}
        for face in deck.faces:
            if isinstance(face, PathFace):
                for turn in range(4):
                    colours = [face.colour_at[(end - 2 * turn) % 8] for end in range(8)]
                    score = float(np.prod([_agrees(a == b, 0.9) for a, b in zip(seen, colours, strict=True)]))
                    joined = {frozenset((end + 2 * turn) % 8 for end in ends_) for ends_, _ in face.strands}
                    scores[face.id, turn] = score * _agrees(joined == pairs, joins_sure)
        out.append(scores)
    return out


def _box_cards(cards: Sequence[Pixels], deck: Deck) -> list[dict[tuple[str, int], float]]:
    """Walls and toys of those with the commonest floor, cats of the others; turned by nothing or by a half."""
    ready = [prepared(card) for card in cards]
    floors = [floor_of(card) for card in ready]
    _, kinds = palette_of(np.array(floors), same=SAME_FLOOR, rarest=0.0)
    boxes = [k for k in range(len(cards)) if kinds[k] == 0]
    others = [k for k in range(len(cards)) if kinds[k] != 0]
    walls = dict(
        zip(boxes, read_walls([side_profiles(ready[k]) for k in boxes], [floors[k] for k in boxes]), strict=True)
    )
    cats = {
        turn: dict(zip(others, read_cats([_turned(cards[k], turn) for k in others]), strict=True)) for turn in (0, 2)
    }
    out = []
    for k in range(len(cards)):
        scores = {}
        toys = find_toys(ready[k], floors[k]) if k in walls else None
        for turn in (0, 2):
            for face in deck.faces:
                if isinstance(face, BoxFace) and toys is not None:
                    own = {WALLS[(WALLS.index(w) - turn) % 4] for w in walls[k][0]}
                    score = _agrees(own == set(face.walls), BOX_TRUST * walls[k][1])
                    scores[face.id, turn] = score * _agrees(toys.count == face.toys, BOX_TRUST * toys.sure)
                elif isinstance(face, CatFace | PrincessFace) and toys is None:
                    kind, player, asleep, sure = cats[turn][k]
                    score = _agrees(kind == face.kind, 0.9)
                    if isinstance(face, CatFace):
                        score *= _agrees(player == face.player, 0.9) * _agrees(asleep == face.asleep, 0.9 * sure)
                    scores[face.id, turn] = score
        out.append(_perhaps_other(scores, deck, BOX_FOR_CAT if toys is None else CAT_FOR_BOX))
    return out


def _perhaps_other(scores: dict[tuple[str, int], float], deck: Deck, share: float) -> dict[tuple[str, int], float]:
    """The scores, with this share of belief for the faces that a card can only have if its sort was mistaken."""
    others = [(face.id, turn) for face in deck.faces for turn in (0, 2) if (face.id, turn) not in scores]
    total = sum(scores.values())
    if not scores or not others or total <= 0:
        return scores
    rest = dict.fromkeys(others, share / len(others))
    return {key: (1 - share) * score / total for key, score in scores.items()} | rest


def _turned(card: Pixels, turn: int) -> Pixels:
    return np.ascontiguousarray(np.rot90(card, turn))
