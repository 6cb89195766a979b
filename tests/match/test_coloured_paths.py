"""A game of Multicoloured Paths: hands, bank, turns."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from referee.games import judge
from referee.match.coloured_paths import (
    Drew,
    Event,
    Found,
    Laid,
    Passed,
    Settings,
    State,
    found_from,
    laid_from,
    replay,
)
from referee.rulebook import MatchProblem
from referee.verdicts import ExtraTurn, Move
from tests.rules_tables import PATHS, draw, path_deck

DECK = sum(face.count for face in PATHS.faces)
BANK = DECK - 12
THREE = (ExtraTurn.THREE_JOINTS,)


def lay(player: str, **more: object) -> Laid:
    return Laid.model_validate({"player": player, **more})


def state(*events: Found | Laid | Drew | Passed, players: str = "ab", cards: int | None = None) -> State:
    deck = PATHS
    if cards is not None:  # a deck of so many cards
        face = path_deck().faces[0].model_copy(update={"count": cards})
        deck = PATHS.model_copy(update={"faces": (face,)})
    return replay(Settings(players=tuple(players)), deck, events)


@pytest.mark.parametrize(("players", "hand"), [("ab", 6), ("abc", 5), ("abcd", 4)])
def test_the_deal(players: str, hand: int) -> None:
    now = state(players=players)
    assert now.hands == dict.fromkeys(players, hand)
    assert now.bank == DECK - hand * len(players)
    assert now.turn == "a"


def test_a_match_under_way_is_taken_as_it_lies() -> None:
    found = Found(turn="b", hands=(("a", 2), ("b", 1)), laid=9)
    now = state(found)
    assert (now.turn, now.hands, now.bank) == ("b", {"a": 2, "b": 1}, DECK - 12)
    assert state(found, lay("b")).winner == "b"


def test_what_lies_apart_has_not_been_laid() -> None:
    table = draw("a=red b=red c=red . d=red . e=red", PATHS)
    found = found_from(judge(table, PATHS), table, "b", {"a": 2, "b": 1})
    assert found == Found(turn="b", hands=(("a", 2), ("b", 1)), laid=3)


@pytest.mark.parametrize(
    "found", [Found(turn="x", hands=(("a", 2), ("b", 1)), laid=1), Found(turn="a", hands=(("a", 2),), laid=1)]
)
def test_hands_of_all_players_must_be_told(found: Found) -> None:
    now = state(found)
    assert [p.problem for p in now.problems] == [MatchProblem.NO_SUCH_PLAYER]
    assert now.hands == {"a": 6, "b": 6}


def test_turns_go_round_and_hands_shrink() -> None:
    now = state(lay("a"), lay("b"), lay("a"))
    assert (now.hands, now.turn, now.bank) == ({"a": 4, "b": 5}, "b", BANK)


def test_an_extra_turn_keeps_the_turn() -> None:
    now = state(lay("a", extra_turn=THREE), lay("a"))
    assert (now.hands["a"], now.turn) == (4, "b")
    both = (ExtraTurn.SEVEN_CHANGES, ExtraTurn.THREE_JOINTS)  # both reasons in one move: one extra turn
    assert state(lay("a", extra_turn=both), lay("a")).turn == "b"


def test_drawing_and_passing() -> None:
    now = state(Drew(player="a"))
    assert (now.hands["a"], now.bank, now.turn, now.drew) == (7, BANK - 1, "a", True)
    assert state(Drew(player="a"), Passed(player="a")).turn == "b"
    assert state(Drew(player="a"), lay("a")).hands["a"] == 6


def test_a_ring_gives_the_next_player_a_card() -> None:
    now = state(lay("a", ring=True), players="abc")
    assert (now.hands, now.turn, now.bank) == ({"a": 4, "b": 6, "c": 5}, "b", DECK - 15 - 1)


def test_a_ring_with_an_empty_bank_costs_the_turn() -> None:
    now = state(lay("a", ring=True), players="abc", cards=15)
    assert (now.turn, now.hands["b"]) == ("c", 5)
    assert state(lay("a", ring=True), lay("c"), players="abc", cards=15).turn == "a"  # b has sat out; a follows c
    assert state(lay("a", ring=True), lay("c"), lay("a"), players="abc", cards=15).turn == "b"


def test_a_ring_and_an_extra_turn() -> None:
    now = state(lay("a", ring=True, extra_turn=THREE), players="abc", cards=15)
    assert now.turn == "a"
    assert state(lay("a", ring=True, extra_turn=THREE), lay("a"), players="abc", cards=15).turn == "c"


def test_whoever_lays_the_last_card_wins() -> None:
    moves = [lay(player) for _ in range(6) for player in "ab"]
    assert not state(*moves[:10]).over
    now = state(*moves[:11])
    assert (now.winner, now.turn, now.over) == ("a", "", True)


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ([lay("x")], MatchProblem.NO_SUCH_PLAYER),
        ([lay("b")], MatchProblem.NOT_YOUR_TURN),
        ([lay("a", legal=False)], MatchProblem.ILLEGAL_MOVE),
        ([Drew(player="a"), Drew(player="a")], MatchProblem.ALREADY_DREW),
        ([Passed(player="a")], MatchProblem.DRAW_FIRST),
        ([lay(p) for _ in range(6) for p in "ab"], MatchProblem.GAME_OVER),
    ],
)
def test_what_cannot_happen_changes_nothing(events: list[Laid | Drew | Passed], problem: MatchProblem) -> None:
    now, before = state(*events), state(*events[:-1])
    assert [(p.problem, p.event) for p in now.problems] == [(problem, len(events) - 1)]
    assert (now.hands, now.bank, now.turn, now.winner) == (before.hands, before.bank, before.turn, before.winner)


def test_an_empty_bank() -> None:
    drawn = state(Drew(player="a"), cards=12)
    assert [p.problem for p in drawn.problems] == [MatchProblem.BANK_EMPTY]
    assert state(Passed(player="a"), cards=12).turn == "b"
    assert not state(Passed(player="a"), cards=12).stuck
    assert state(Passed(player="a"), Passed(player="b"), cards=12).stuck
    assert not state(Passed(player="a"), lay("b"), Passed(player="a"), cards=12).stuck


def test_a_judged_move_becomes_an_event() -> None:
    move = Move("c1", legal=True, ring=True, extra_turn=THREE)
    assert laid_from("a", move) == lay("a", ring=True, extra_turn=THREE)


def test_events_are_stored_as_json() -> None:
    adapter: TypeAdapter[Laid | Drew | Passed] = TypeAdapter(Event)
    for event in (lay("a", extra_turn=THREE), Drew(player="a"), Passed(player="b")):
        assert adapter.validate_json(adapter.dump_json(event)) == event
