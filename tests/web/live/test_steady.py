"""When a verdict is announced: never while something moves or a hand is there, never before the readings agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.live.steady import AGAIN_SECONDS, LEAST_READINGS, MOST_READINGS, STILL_SECONDS, Frame, Moment, Steadiness

Told = list[tuple[float, str]]


def run(frames: list[Frame]) -> tuple[list[Moment], Told, Steadiness]:
    state, moments, told = Steadiness(), [], []
    for frame in frames:
        state, moment, announced = state.after(frame)
        moments.append(moment)
        if announced is not None:
            told.append((frame.time, announced))
    return moments, told, state


def still(readings: str, begin: float = 0.0, step: float = 0.3) -> list[Frame]:
    """A letter a frame; a dot: not read."""
    return [Frame(begin + step * n, reading=None if c == "." else c) for n, c in enumerate(readings)]


def disputed_from(begin: float) -> list[Frame]:
    return still(("abc" * MOST_READINGS)[:MOST_READINGS], begin)


def test_two_readings_and_half_a_second_are_enough() -> None:
    moments, told, _ = run(still("aa..", step=0.2))
    assert moments == [Moment.SETTLING] * 3 + [Moment.STEADY]
    assert [reading for _, reading in told] == ["a"]
    assert told[0][0] >= STILL_SECONDS


def test_one_reading_is_not_enough_however_long() -> None:
    moments, told, state = run(still("a" + "." * 20))
    assert told == []
    assert set(moments) == {Moment.SETTLING}
    assert state.wants_reading(6.0)


@pytest.mark.parametrize("readings", ["ab", "abc", "abcd"])
def test_readings_that_do_not_agree_are_not_told(readings: str) -> None:
    assert run(still(readings))[1] == []


def test_one_odd_reading_among_many_does_not_matter() -> None:
    assert [reading for _, reading in run(still("baa"))[1]] == ["a"]


def test_what_never_agrees_is_told_in_the_end() -> None:
    _, told, state = run(still(("abc" * MOST_READINGS)[:MOST_READINGS]))
    assert len(told) == 1
    assert state.is_disputed
    assert not run(still("ababa"))[2].is_disputed
    assert not run(still("aaaaaa"))[2].is_disputed


def test_a_still_table_is_read_again_and_what_came_unseen_is_told() -> None:
    _, _, state = run(still("aa.."))
    later = state.read_at + AGAIN_SECONDS
    assert not state.wants_reading(later - 0.1)
    assert state.wants_reading(later)
    same, moment, told = state.after(Frame(later, reading="a"))
    assert (moment, told, same.readings) == (Moment.STEADY, None, state.readings)
    assert not same.wants_reading(later + 0.1)
    state, _, told = same.after(Frame(later + AGAIN_SECONDS, reading="b"))
    assert told is None
    assert state.wants_reading(later + AGAIN_SECONDS + 0.1)
    for n in range(1, 4):
        assert told is None
        state, moment, told = state.after(Frame(later + AGAIN_SECONDS + 0.3 * n, reading="b"))
    assert (moment, told) == (Moment.STEADY, "b")
    assert not state.is_disputed


def test_readings_that_come_and_go_while_nothing_moves_are_in_doubt_in_the_end() -> None:
    _, told, state = run([*still("aa.."), *still("bbaba", 20.0)])
    assert len(told) == 2
    assert state.is_disputed


def test_one_odd_reading_of_a_steady_table_changes_nothing() -> None:
    _, told, _ = run([*still("aa.."), *still("baaaaba", 20.0)])
    assert [reading for _, reading in told] == ["a"]


def test_a_disputed_table_is_told_once_and_again_when_its_readings_agree() -> None:
    disputed = disputed_from(0.0)
    _, told, state = run([*disputed, *still("abcabc", 10.0)])
    assert len(told) == 1
    assert state.is_disputed
    _, told, state = run([*disputed, *still("bbb", 10.0)])
    assert [reading for _, reading in told][1:] == ["b"]
    assert not state.is_disputed
    _, told, _ = run([*disputed, Frame(10.0, hand=True), *disputed_from(11.0)])
    assert len(told) == 2


def test_the_same_verdict_is_told_once() -> None:
    _, told, state = run([*still("aa..."), Frame(2.0, moving=True), *still("aaa", 2.3)])
    assert [reading for _, reading in told] == ["a"]
    assert not state.wants_reading(2.6)


def test_a_hand_and_a_movement_begin_anew() -> None:
    frames = [*still("aa.."), Frame(1.5, hand=True), Frame(1.8, moving=True), *still("bb.", 2.0)]
    moments, told, _ = run(frames)
    assert moments[4:6] == [Moment.HAND, Moment.MOVING]
    assert [reading for _, reading in told] == ["a", "b"]
    assert told[1][0] >= 2.0 + STILL_SECONDS


frames = st.lists(
    st.tuples(st.floats(0.02, 0.5), st.booleans(), st.booleans(), st.sampled_from([None, "a", "b"])), max_size=40
)


@given(frames)
def test_nothing_is_ever_told_in_a_restless_frame(given_frames: list[tuple[float, bool, bool, str | None]]) -> None:
    time, state, still_for, readings = 0.0, Steadiness(), 0.0, 0
    for step, moving, hand, reading in given_frames:
        time += step
        restless = moving or hand
        still_for = 0.0 if restless else still_for + (step if readings or still_for else 0.0)
        readings = 0 if restless else readings + (reading is not None)
        state, moment, told = state.after(Frame(time, moving, hand, reading))
        if told is not None:
            assert not restless
            assert moment is Moment.STEADY
            assert readings >= LEAST_READINGS
