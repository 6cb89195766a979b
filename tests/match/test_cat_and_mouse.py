"""A game of Cat and Mouse over its rounds."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from referee.errors import LayoutError
from referee.games import judge
from referee.match.cat_and_mouse import RoundPlayed, RouteWon, Settings, State, replay, round_from
from referee.options import CatAndMouseOptions, Options
from referee.rulebook import MatchProblem, NoteKind
from tests.rules_tables import BOXES, MOUSE, draw, mouse_deck

SETTINGS = Settings(players=("Оля", "Tom"))


def played(finish: bool = True, **won: str) -> RoundPlayed:
    routes = tuple(RouteWon(player=player, faces=tuple(faces.split())) for player, faces in won.items())
    return RoundPlayed(routes=routes, finish_seen=finish)


def state(*events: RoundPlayed) -> State:
    return replay(SETTINGS, MOUSE, events)


FOUR = [played(Оля="r1 F", Tom="u2"), played(Tom="r3 F5"), played(Оля="r2 r2"), played(Оля="u3", Tom="F")]


def test_four_rounds_make_a_game() -> None:
    for rounds in range(5):
        now = state(*FOUR[:rounds])
        assert (now.rounds, now.over) == (rounds, rounds == 4)
        assert bool(now.winners) == now.over
    assert state(*FOUR).totals == {"Оля": 8, "Tom": 10}
    assert state(*FOUR).winners == ("Tom",)
    assert state(*FOUR).piles["Оля"] == ("r1", "F", "r2", "r2", "u3")


def test_a_tie_is_shared() -> None:
    even = [played(Оля="r1", Tom="u1")] * 4
    assert state(*even).winners == ("Оля", "Tom")


def test_points_add_up() -> None:
    now = state(*FOUR)
    for player, total in now.totals.items():
        assert sum(line.points for line in now.scores if line.who == player) == total


@pytest.mark.parametrize(
    ("events", "problem", "at"),
    [
        ([*FOUR, played(Tom="r1")], MatchProblem.GAME_OVER, 4),
        ([played(finish=False, Tom="r1")], MatchProblem.ROUND_OPEN, 0),
        ([FOUR[0], played(Eve="r1")], MatchProblem.NO_SUCH_PLAYER, 1),
    ],
)
def test_what_cannot_happen_changes_nothing(events: list[RoundPlayed], problem: MatchProblem, at: int) -> None:
    now = state(*events)
    assert [(p.problem, p.event) for p in now.problems] == [(problem, at)]
    before = state(*events[:at])
    assert (now.rounds, now.totals, now.piles) == (before.rounds, before.totals, before.piles)


def test_undoing_is_replaying_without_the_last_event() -> None:
    assert state(*FOUR[:2]).totals == {"Оля": 1, "Tom": 10}
    assert state(FOUR[0], *FOUR[2:]).totals == {"Оля": 8, "Tom": 2}


def test_no_face_can_be_won_more_often_than_the_deck_has_it() -> None:
    scarce = mouse_deck(count=2)
    fine = replay(SETTINGS, scarce, [played(Оля="r1 F"), played(Tom="r1 F")])
    assert fine.notes == ()
    (note,) = replay(SETTINGS, scarce, [played(Оля="r1 r1"), played(Tom="r1")]).notes
    assert (note.kind, note.name, note.number) == (NoteKind.TOO_MANY_OF_FACE, "r1", 2)


def test_the_game_ends_when_no_finish_is_left() -> None:
    both = played(Оля="r1 F F5", Tom="F F5")  # odd, but confirmed: 4 of 8 Finish cards in one round
    assert not state(both).over
    assert state(both, both).over


def test_a_round_is_made_from_a_ruling() -> None:
    table = draw("s=S a=r1 f=F . . t=S b=u1 c=r2", MOUSE)
    event = round_from(judge(table, MOUSE), table, MOUSE, {"s": "Оля", "t": "Tom"})
    assert event == played(Оля="r1 F", Tom="u1")
    assert round_from(judge(table, MOUSE), table, MOUSE, {"t": "Tom"}).routes == (
        RouteWon(player="Tom", faces=("u1",)),
    )
    lost = draw("s=S a=u1 f=F", MOUSE)  # the Finish lies wrong, but ends the round
    assert round_from(judge(lost, MOUSE), lost, MOUSE, {"s": "Оля"}) == played(Оля="u1")
    first = draw("s=S f=F", MOUSE)
    back = Options(cat_and_mouse=CatAndMouseOptions(first_finish="back"))
    assert round_from(judge(first, MOUSE), first, MOUSE, {"s": "Оля"}) == played(Оля="F")
    assert round_from(judge(first, MOUSE, back), first, MOUSE, {"s": "Оля"}) == played(finish=False, Оля="")
    boxes = draw("a=o0", BOXES)
    with pytest.raises(LayoutError):
        round_from(judge(boxes, BOXES), boxes, BOXES, {})


def test_events_are_stored_as_json() -> None:
    assert RoundPlayed.model_validate_json(FOUR[0].model_dump_json()) == FOUR[0]
    assert Settings.model_validate_json(SETTINGS.model_dump_json()) == SETTINGS


@pytest.mark.parametrize("players", [("a",), ("a", "b", "c", "d", "e"), ("a", "a")])
def test_two_to_four_players_with_different_names(players: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError):
        Settings(players=players)


def test_a_face_the_deck_lacks_is_refused() -> None:
    with pytest.raises(LayoutError, match="zz"):
        state(played(Tom="zz"))
