"""A game of If It Fits: cats left, the Princess, the last phase, the end."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from referee.errors import LayoutError
from referee.games import judge
from referee.match.if_it_fits import (
    Event,
    Found,
    PileEmpty,
    Scored,
    Settings,
    State,
    Turn,
    found_from,
    replay,
    scored_from,
)
from referee.rulebook import MatchProblem
from tests.rules_tables import BOXES, MOUSE, draw, with_cats

RED, BLUE = "red", "blue"


def box(player: str, **more: object) -> Turn:
    return Turn.model_validate({"player": player, "box": True, **more})


def asleep(player: str) -> Turn:
    return Turn(player=player, asleep=True)


def state(*events: Turn | Found | PileEmpty | Scored, hand: int | None = None) -> State:
    return replay(Settings(players=(RED, BLUE), hand=hand), BOXES, events)


def test_turns_use_up_cats() -> None:
    now = state(box(RED, cat=True), box(BLUE), asleep(RED))
    assert (now.cats_left, now.cats_awake, now.turn) == ({RED: 3, BLUE: 5}, {RED: 1, BLUE: 0}, BLUE)
    assert not now.last_phase


def test_the_princess_sends_a_cat_home() -> None:
    now = state(box(RED, cat=True), box(BLUE, princess_replaces=RED))
    assert (now.cats_left[RED], now.cats_awake[RED], now.princess_left[BLUE]) == (5, 0, 0)


FIVE = [turn for _ in range(5) for turn in (box(RED, cat=True), box(BLUE))]


def test_the_fifth_cat_begins_the_last_phase() -> None:
    assert not state(*FIVE[:8]).last_phase
    assert state(*FIVE[:9]).last_phase
    replaced = state(*FIVE[:9], box(BLUE, princess_replaces=RED))
    assert replaced.last_phase  # it goes on even if the cat comes back
    assert replaced.cats_left[RED] == 1
    sleeping = [turn for _ in range(5) for turn in (asleep(RED), box(BLUE))]
    assert state(*sleeping[:9]).last_phase


def test_an_empty_pile_begins_it_too() -> None:
    assert state(PileEmpty()).last_phase


def test_cards_are_counted_if_wanted() -> None:
    cards = 48 * 40 + 3 - 2 * 4
    now = state(hand=4)
    assert (now.pile, now.hands) == (cards, {RED: 4, BLUE: 4})
    now = state(box(RED), asleep(BLUE), hand=4)
    assert (now.pile, now.hands) == (cards - 1, {RED: 4, BLUE: 4})
    now = state(PileEmpty(), box(RED), box(BLUE), box(RED), hand=4)
    assert (now.pile, now.hands) == (0, {RED: 2, BLUE: 3})


def test_the_game_ends_with_empty_hands_and_the_points() -> None:
    empty: list[Turn | Found | PileEmpty | Scored] = [PileEmpty(), box(RED), box(BLUE), box(RED), box(BLUE)]
    now = state(*empty, hand=2)
    assert now.hands_empty
    assert not now.over
    now = state(*empty, Scored(scores=((RED, 4), (BLUE, 4))), hand=2)
    assert (now.over, now.winners, now.totals) == (True, (RED, BLUE), {RED: 4, BLUE: 4})
    assert state(Scored(scores=((BLUE, 2),))).winners == (BLUE,)


def test_players_without_cards_are_passed_over() -> None:
    settings = Settings(players=(RED, BLUE, "green"), hand=2)
    # Blue plays a sleeping cat and keeps the cards, so has more of them at the end.
    events: list[Turn | Found | PileEmpty | Scored] = [
        asleep(RED),
        box(BLUE),
        PileEmpty(),
        box("green"),
        box(RED),
        box(BLUE),
        box("green"),
        box(RED),
    ]
    now = replay(settings, BOXES, events)
    assert now.problems == ()
    assert now.hands == {RED: 0, BLUE: 1, "green": 0}
    assert now.turn == BLUE


CANNOT = [
    ([box("green")], MatchProblem.NO_SUCH_PLAYER),
    ([box(BLUE)], MatchProblem.NOT_YOUR_TURN),
    ([Turn(player=RED)], MatchProblem.NOTHING_PLAYED),
    ([Turn(player=RED, cat=True)], MatchProblem.NOTHING_PLAYED),
    ([box(RED, asleep=True)], MatchProblem.BOX_AND_SLEEPING_CAT),
    ([Turn(player=RED, asleep=True, cat=True)], MatchProblem.CAT_WITHOUT_BOX),
    ([PileEmpty(), asleep(RED)], MatchProblem.NO_SLEEPING_IN_LAST_PHASE),
    ([*FIVE, box(RED, cat=True)], MatchProblem.NO_CAT_LEFT),
    ([box(RED, princess_replaces=BLUE)], MatchProblem.NO_CAT_TO_REPLACE),
    ([box(RED, cat=True), box(BLUE), box(RED, princess_replaces=RED)], MatchProblem.NO_CAT_TO_REPLACE),
    (
        [box(RED, cat=True), box(BLUE, princess_replaces=RED), box(RED, cat=True), box(BLUE, princess_replaces=RED)],
        MatchProblem.NO_PRINCESS_LEFT,
    ),
    ([box(RED, legal=False)], MatchProblem.ILLEGAL_MOVE),
    ([Scored(scores=()), box(RED)], MatchProblem.GAME_OVER),
    ([Scored(scores=(("green", 3),))], MatchProblem.NO_SUCH_PLAYER),
]


@pytest.mark.parametrize(("events", "problem"), CANNOT)
def test_what_cannot_happen_changes_nothing(
    events: list[Turn | Found | PileEmpty | Scored], problem: MatchProblem
) -> None:
    now, before = state(*events), state(*events[:-1])
    assert [(p.problem, p.event) for p in now.problems] == [(problem, len(events) - 1)]
    assert (now.cats_left, now.turn, now.over, now.totals) == (
        before.cats_left,
        before.turn,
        before.over,
        before.totals,
    )


def test_nothing_can_be_played_from_an_empty_hand() -> None:
    events: list[Turn | Found | PileEmpty | Scored] = [PileEmpty(), box(RED), box(BLUE), box(RED)]
    assert [p.problem for p in state(*events, hand=1).problems] == [MatchProblem.HAND_EMPTY]


def test_the_final_table_gives_the_points() -> None:
    table = with_cats(draw("a=tbl2 b=trb1", BOXES, pitch=1.0), BOXES, "k=red:a|b")
    assert scored_from(judge(table, BOXES)) == Scored(scores=((RED, 3),))
    other = draw("s=S", MOUSE)
    with pytest.raises(LayoutError):
        scored_from(judge(other, MOUSE))


def test_a_match_under_way_is_taken_as_it_lies() -> None:
    table = with_cats(draw("a=tbl2 b=trb1", BOXES, pitch=1.0), BOXES, "k=red:a|b")
    found = found_from(judge(table, BOXES), table, BOXES, BLUE, (RED,))
    assert (found.awake, found.asleep) == (((RED, 1),), ())
    now = state(found, hand=5)
    assert (now.turn, now.cats_left, now.cats_awake) == (BLUE, {RED: 4, BLUE: 5}, {RED: 1, BLUE: 0})
    assert now.princess_left == {RED: 0, BLUE: 1}
    assert (now.hands, now.pile, now.last_phase) == (None, None, False)  # hands do not show on a table
    assert state(found, box(BLUE, princess_replaces=RED)).cats_left[RED] == 5


def test_supply_beside_the_boxes_is_not_laid() -> None:
    table = with_cats(draw("a=tbl2 b=trb1", BOXES, pitch=1.0), BOXES, "k=red:a|b")
    beside = table.cards[-1].model_copy(update={"id": "spare", "x": 900.0})
    table = table.model_copy(update={"cards": (*table.cards, beside)})
    assert found_from(judge(table, BOXES), table, BOXES, RED).awake == ((RED, 1),)


def test_a_table_with_five_cats_is_in_the_last_phase() -> None:
    full = Found(turn=RED, awake=((RED, 3),), asleep=((RED, 2),))
    assert state(full).last_phase
    assert not state(Found(turn=RED, awake=((RED, 3),), asleep=((RED, 1),))).last_phase
    assert state(PileEmpty(), Found(turn=RED)).last_phase  # it is never left again


@pytest.mark.parametrize(
    "found", [Found(turn="green"), Found(turn=RED, awake=(("green", 1),)), Found(turn=RED, princesses=("green",))]
)
def test_strangers_on_a_table_are_told(found: Found) -> None:
    now = state(found)
    assert [(p.problem, p.player) for p in now.problems] == [(MatchProblem.NO_SUCH_PLAYER, "green")]
    assert now.turn == RED


def test_events_are_stored_as_json() -> None:
    adapter: TypeAdapter[Turn | Found | PileEmpty | Scored] = TypeAdapter(Event)
    for event in (box(RED, cat=True), Found(turn=RED, awake=((RED, 1),)), PileEmpty(), Scored(scores=((RED, 1),))):
        assert adapter.validate_json(adapter.dump_json(event)) == event
