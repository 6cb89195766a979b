"""A game as it is played, photograph after photograph: moves that are right, moves that break one rule, and mishaps.

Every step is one photograph of the table: what was done since the last one, what lies there now, and what the rules on
moves say of it. What a step is meant to be (a rule broken, a card moved) is confirmed by the judge of true tables, also
under somewhat tighter and looser limits, before it is taken.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from referee.decks import Deck, Game
from referee.games import judge
from referee.layouts import Layout
from referee.moves import MoveRuling, Standing, judge_next
from referee.rulebook import Violation
from referee.verdicts import Outcome
from samples.table.cat_routes import NoRoomError
from samples.table.levels import RANGES, Level
from samples.table.play_moves import ILLEGAL, Change, change, is_free
from samples.table.random_layouts import random_layout
from samples.table.render import Photo, render
from samples.table.scene import Scene, random_scene
from samples.table.sequence import another_camera, laying_order
from samples.table.surfaces import Surface
from samples.table.truth import CLOSE

Rng = np.random.Generator
Hold = Literal["tripod", "hand", "around"]
"""How the camera moves from photograph to photograph: not at all, as a hand does, around the table."""

MISHAPS = ("moved", "turned", "gone")
"""What happens to a card that nobody plays."""
LAID, BROKEN = 0.5, 0.35
"""Shares of the steps in which cards are laid by the rules, and against one of them; the rest are mishaps."""
BUMP_MM, BUMP_DEGREES = 3.0, 2.0
"""How far cards slide when the table is bumped, at most."""
HAND_TURN, HAND_TILT = 40.0, 12.0
"""By how much a camera held in the hand turns about the table and tilts from photograph to photograph, degrees."""
_TRIES = 150


@dataclass(frozen=True)
class Step:
    """One photograph. did: what was done since the last one; move: what the rules on moves say of it (None: the first);
    covers: what lies over cards while the photograph is taken."""

    did: str
    layout: Layout
    move: MoveRuling | None
    covers: tuple[str, ...] = ()


def random_play(deck: Deck, seed: int, steps: int = 6) -> list[Step]:
    """A table as found and `steps` photographs of what is played on it. One seed, one play."""
    rng = np.random.default_rng([seed, list(Game).index(deck.game), 17])
    first = _found(deck, seed, rng)
    play = [Step("found", first, None)]
    standing = Standing(first, judge(first, deck))
    used = set(first.by_id)
    waiting: tuple[str, ...] = ()
    for _ in range(steps):
        did, look = _next_step(deck, rng, standing, waiting)
        look = _named_anew(look, standing.table, used)
        used |= look.by_id.keys()
        move = judge_next(standing, look, deck)
        standing = standing.after(move, look)
        wrong = did in ILLEGAL[deck.game] and did not in ("two-boxes", "princess-astray")
        waiting = tuple(sorted(standing.refused & set(move.cards))) if wrong else ()
        covers = ("hand",) if rng.uniform() < 0.1 else ("cup",) if rng.uniform() < 0.06 else ()
        play.append(Step(did, look, move, covers))
    return play


def _named_anew(look: Layout, before: Layout, used: set[str]) -> Layout:
    """The look, its new cards under names that no card had yet."""
    cards = []
    for number, card in enumerate(look.cards):
        again = card.id not in before.by_id and card.id in used
        cards.append(card.model_copy(update={"id": f"m{len(used)}-{number}"}) if again else card)
    return look.model_copy(update={"cards": tuple(cards)})


def _found(deck: Deck, seed: int, rng: Rng) -> Layout:
    """The first cards of a legal table."""
    for k in range(40):
        layout, _ = random_layout(deck.game, deck, 1000 * seed + k, None)
        order = laying_order(layout, deck)
        kept = order[: int(rng.integers(3, 8))]
        first = layout.model_copy(update={"cards": tuple(layout.by_id[i] for i in kept), "order": None})
        if len(kept) > 2 and judge(first, deck).outcome is Outcome.VALID:
            return first
    raise NoRoomError("no legal table to begin with")


def _next_step(deck: Deck, rng: Rng, standing: Standing, waiting: tuple[str, ...]) -> tuple[str, Layout]:
    """What is done next, and the table after it."""
    if waiting and rng.uniform() < 0.8:
        kinds = ["put-right", "taken-back"]
    else:
        what = rng.uniform()
        kinds = ["lay"] if what < LAID else list(ILLEGAL[deck.game]) if what < LAID + BROKEN else list(MISHAPS)
    for did in (*(str(kind) for kind in rng.permutation(kinds)), "lay"):
        look = _tried(deck, rng, standing, did, waiting)
        if look is not None:
            return did, look
    return "nothing", _bumped(standing.table, rng, 1.0)


def _tried(deck: Deck, rng: Rng, standing: Standing, did: str, waiting: tuple[str, ...]) -> Layout | None:
    wanted = ILLEGAL[deck.game].get(did)
    table = _bumped(standing.table, rng, 0.3 if rng.uniform() < 0.7 else 1.0)
    start = dataclasses.replace(standing, table=table)
    for _ in range(_TRIES):
        try:
            made = _change(deck, rng, start, did, waiting)
        except NoRoomError:
            continue
        cards = {**table.by_id, **{card.id: card for card in made.cards}}
        look = table.model_copy(update={"cards": tuple(c for i, c in cards.items() if i not in made.gone)})
        move = judge_next(standing, look, deck)
        rules = {fault.rule for fault in move.faults}
        if did in MISHAPS:
            (card,) = made.gone or tuple(card.id for card in made.cards)
            seen = {*move.moved, *move.removed, *move.cards, *(i for fault in move.faults for i in fault.cards)}
            fits = card in seen
        elif wanted is not None:
            fits = wanted in rules and rules <= {wanted, Violation.CARDS_MOVED, Violation.AFTER_ERROR}
        else:
            fits = not move.faults and (did == "taken-back" or bool(move.cards))
        if fits and _is_clear(standing, look, deck, move):
            return look
    return None


def _change(deck: Deck, rng: Rng, start: Standing, did: str, waiting: tuple[str, ...]) -> Change:
    """Cards laid or laid elsewhere, cards gone."""
    table = start.table
    if did == "taken-back":
        return Change((), frozenset(waiting))
    if did == "put-right":
        again = waiting[0]
        rest = dataclasses.replace(start, table=_without(table, waiting))
        rest = dataclasses.replace(rest, ruling=judge(rest.table, deck))
        made = change(deck, rest, "lay", rng)
        placed = made.cards[0].model_copy(update={"id": again, "face": table.by_id[again].face})
        return Change((placed,), frozenset(waiting[1:]))
    if did in MISHAPS:
        card = table.cards[int(rng.integers(len(table.cards)))]
        if did == "gone":
            return Change((), frozenset({card.id}))
        if did == "turned":
            turn = card.turn + float(rng.choice([90, 180, 270] if deck.card_mm[0] == deck.card_mm[1] else [180]))
            return Change((card.model_copy(update={"turn": turn}),))
        away, angle = rng.uniform(0.5, 2.5) * deck.card_mm[0], rng.uniform(0, 2 * math.pi)
        moved = {"x": card.x + away * math.cos(angle), "y": card.y + away * math.sin(angle)}
        if not is_free(_without(table, (card.id,)), deck, moved["x"], moved["y"]):
            raise NoRoomError("another card lies there")
        return Change((card.model_copy(update=moved),))
    made = change(deck, start, did, rng)
    if did == "lay" and deck.game is not Game.IF_IT_FITS:
        for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
            look = table.model_copy(update={"cards": (*table.cards, *made.cards)})
            more = change(deck, Standing(look, judge(look, deck)), did, rng)
            made = Change((*made.cards, *more.cards))
    return made


def _is_clear(standing: Standing, look: Layout, deck: Deck, move: MoveRuling) -> bool:
    """Whether somewhat tighter or looser limits leave the move and the verdict as they are."""
    said = _said(move)
    others = [judge_next(standing, look, deck, limits=limits) for limits in CLOSE]
    others += [judge_next(standing, look, deck, moved_by=moved_by) for moved_by in (0.12, 0.3)]
    return all(_said(other) == said for other in others)


def _said(move: MoveRuling) -> object:
    faults = frozenset((fault.rule, frozenset(fault.cards)) for fault in move.faults)
    verdict = None if move.ruling.verdict is None else move.ruling.verdict.to_dict()
    return move.legal, faults, move.cards, move.moved, move.removed, move.ring, move.extra_turn, verdict


def _without(table: Layout, cards: Sequence[str]) -> Layout:
    return table.model_copy(update={"cards": tuple(card for card in table.cards if card.id not in cards)})


def _bumped(table: Layout, rng: Rng, much: float) -> Layout:
    """The cards slid a little, as happens when people reach over them."""
    cards = []
    for card in table.cards:
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0, much * BUMP_MM) * (rng.uniform() < 0.4)
        turn = card.turn + rng.uniform(-1, 1) * much * BUMP_DEGREES * (far > 0)
        place = {"x": card.x + far * math.cos(angle), "y": card.y + far * math.sin(angle), "turn": turn}
        cards.append(card.model_copy(update=place))
    return table.model_copy(update={"cards": tuple(cards)})


def photographed(
    play: Sequence[Step],
    deck: Deck,
    level: Level,
    seed: int,
    hold: Hold,
    choice: Sequence[Surface] | None = None,
) -> Iterator[Photo]:
    """Photograph each step of a play. Their truth also holds `did` and the contract's `move`.

    The table, the lamps and the things on it stay; the camera is held as `hold` says.
    """
    table = dataclasses.replace(random_scene(level, seed, choice), covers=())
    stage = _stage(play)
    for number, step in enumerate(play):
        scene = {"tripod": _still, "hand": _in_hand, "around": _around}[hold](table, level, seed, number, choice)
        scene = dataclasses.replace(scene, covers=step.covers)
        photo = render(step.layout, deck, scene, seed, stage=stage)
        photo.truth["did"] = step.did
        photo.truth["move"] = None if step.move is None else step.move.to_dict()
        yield photo


def _stage(play: Sequence[Step]) -> Layout:
    """All places at which a card ever lies."""
    cards = {(round(c.x), round(c.y)): c for step in play for c in step.layout.cards}
    placed = tuple(card.model_copy(update={"id": f"s{n}"}) for n, card in enumerate(cards.values()))
    return play[0].layout.model_copy(update={"cards": placed})


def _still(table: Scene, level: Level, seed: int, number: int, choice: Sequence[Surface] | None) -> Scene:
    """Only what the phone makes of the light differs."""
    other = random_scene(level, 1000 * (seed + 1) + number, choice).sensor
    sensor = dataclasses.replace(table.sensor, exposure_ev=other.exposure_ev, white_balance=other.white_balance)
    return dataclasses.replace(table, sensor=sensor)


def _in_hand(table: Scene, level: Level, seed: int, number: int, choice: Sequence[Surface] | None) -> Scene:
    """The phone turned and tilted a little, nearer or farther, exposed anew."""
    if not number:
        return table
    rng = np.random.default_rng([seed, number, 31])
    other = random_scene(level, 1000 * (seed + 1) + number, choice)
    low, high = RANGES[level].tilt
    return dataclasses.replace(
        table,
        azimuth=table.azimuth + rng.uniform(-HAND_TURN, HAND_TURN),
        tilt=float(np.clip(table.tilt + rng.uniform(-HAND_TILT, HAND_TILT), low, high)),
        roll=table.roll + rng.uniform(-6, 6),
        fill=float(np.clip(table.fill * rng.uniform(0.9, 1.08), 0.4, 0.97)),
        sensor=dataclasses.replace(other.sensor, orientation=table.sensor.orientation),
    )


def _around(table: Scene, level: Level, seed: int, number: int, choice: Sequence[Surface] | None) -> Scene:
    return another_camera(table, level, seed, number, choice)
