"""When a verdict is announced: never while something moves or a hand is there, never before the readings agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.live.steady import LEAST_READINGS, MOST_READINGS, STILL_SECONDS, Frame, Moment, Steadiness

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


def test_two_readings_and_half_a_second_are_enough() -> None:
    moments, told, _ = run(still("aa..", step=0.2))
    assert moments == [Moment.SETTLING] * 3 + [Moment.STEADY]
    assert [reading for _, reading in told] == ["a"]
    assert told[0][0] >= STILL_SECONDS


def test_one_reading_is_not_enough_however_long() -> None:
    moments, told, state = run(still("a" + "." * 20))
    assert told == []
    assert set(moments) == {Moment.SETTLING}
    assert state.wants_reading


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


def test_the_same_verdict_is_told_once() -> None:
    _, told, state = run([*still("aa..."), Frame(2.0, moving=True), *still("aaa", 2.3)])
    assert [reading for _, reading in told] == ["a"]
    assert not state.wants_reading


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
