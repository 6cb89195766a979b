"""Following cards on the table plane: the camera moves, cards are pushed, laid, turned and taken away."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from referee.vision.align import Doubles
from referee.vision.track import Cards, Lost, Registration, follow, nearest_pairs, register

SQUARE, OBLONG = 1.0, 88 / 63


def table(count: int, seed: int = 0, aspect: float = SQUARE) -> Doubles:
    """Poses on a grid with gaps, turned by quarters."""
    rng = np.random.default_rng(seed)
    cells = rng.permutation(49)[:count]
    return np.column_stack(
        [cells % 7 * 1.05, cells // 7 * 1.05 * aspect, rng.integers(0, 2 if aspect > 1 else 4, count) * np.pi / 2]
    )


def cards(poses: Doubles, faces: str | list[str], steady: float = 1.0) -> Cards:
    """A face called `k` is one that is laid on others."""
    kinds = tuple(frozenset(face.split("/")) for face in faces)
    on_top = np.array([face == "k" for face in faces], dtype=bool)
    return Cards(np.asarray(poses, float), kinds, np.full(len(poses), steady), on_top)


def seen_from(poses: Doubles, degrees: float, scale: float = 1.0, noise: float = 0.0, seed: int = 1) -> Doubles:
    """The same table in another photograph: turned, shifted, of a slightly other scale, read with noise."""
    rng = np.random.default_rng(seed)
    turn = np.deg2rad(degrees)
    linear = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    spots = poses[:, :2] @ linear.T + rng.uniform(-9, 9, 2) + rng.normal(0, noise, (len(poses), 2))
    return np.column_stack([spots, poses[:, 2] + turn + rng.normal(0, noise, len(poses))])


def found(known: Cards, seen: Cards, aspect: float = SQUARE) -> Registration:
    registration = register(known, seen, aspect)
    assert isinstance(registration, Registration), registration
    return registration


@pytest.mark.parametrize("degrees", [0.0, 40.0, 90.0, 135.0, 180.0, -60.0])
@pytest.mark.parametrize(("count", "kinds", "aspect"), [(2, 2, SQUARE), (12, 4, SQUARE), (25, 12, OBLONG)])
def test_every_card_is_followed_however_the_camera_turned(
    degrees: float, count: int, kinds: int, aspect: float
) -> None:
    poses = table(count, aspect=aspect)
    faces = [f"f{n % kinds}" for n in range(count)]
    order = np.random.default_rng(4).permutation(count)
    now = seen_from(poses, degrees, 1.02, 0.02)[order]
    known, seen = cards(poses, faces), cards(now, [faces[k] for k in order])
    registration = found(known, seen, aspect)
    assert np.abs(registration.apply(now)[:, :2] - poses[order, :2]).max() < 0.12
    assert np.abs(registration.inverse().apply(poses)[order, :2] - now[:, :2]).max() < 0.12
    which = follow(known, seen, registration, aspect)
    assert set(which.in_place) == {(int(card), place) for place, card in enumerate(order)}
    assert (which.moved, which.missing, which.new, which.covered) == ((), (), (), ())


def test_what_changed_is_told_apart() -> None:
    poses = table(8, seed=2)
    faces = list("abcdefga")
    now = poses.copy()
    now[1, :2] += [2.4, 0.3]  # moved away
    now[2, 2] += np.pi / 2  # turned where it lies
    now[3, :2] += [0.04, -0.03]  # pushed by two millimetres
    gone = np.delete(now, 4, axis=0)
    laid = np.vstack([gone, [[20.0, 3.0, 0.0]]])
    seen = cards(seen_from(laid, 75.0, noise=0.01), [*"abcdfga", "x"])
    known = cards(poses, faces)
    which = follow(known, seen, found(known, seen), SQUARE)
    assert which.moved == ((1, 1), (2, 2))
    assert (3, 3) in which.in_place
    assert (which.missing, which.new) == ((4,), (7,))


def test_a_card_under_others_is_covered_and_one_in_its_stead_is_not() -> None:
    boxes = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.4, 0.0]])
    known = cards(boxes, list("abcd"))
    cat = np.array([[0.5, 0.0, np.pi / 2]])
    seen = cards(np.vstack([boxes[[2, 3]], cat]), list("cdk"))
    which = follow(known, seen, found(known, seen, OBLONG), OBLONG)
    assert which.covered == (0, 1)
    instead = cards(np.vstack([boxes[[1, 2, 3]], boxes[:1] + 0.05]), list("bcdz"))
    which = follow(known, instead, found(known, instead, OBLONG), OBLONG)
    assert (which.covered, which.missing, which.new) == ((), (0,), (3,))


def test_what_lay_on_others_is_not_covered_by_them_and_its_like_must_bury_a_card() -> None:
    boxes = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.4, 0.0]])
    known = cards(np.vstack([boxes, [[0.5, 0.0, np.pi / 2]]]), list("abcdk"))
    seen = cards(boxes, list("abcd"))
    which = follow(known, seen, found(known, seen, OBLONG), OBLONG)
    assert (which.covered, which.missing) == ((), (4,))
    known = cards(boxes, list("abcd"))
    beside = cards(np.vstack([boxes[1:], [[-0.4, 0.0, 0.0]]]), list("bcdz"))
    assert follow(known, beside, found(known, beside, OBLONG), OBLONG).missing == (0,)
    upon = cards(np.vstack([boxes[1:], [[0.0, 0.1, np.pi / 2]], [[0.0, -0.4, 0.0]]]), list("bcdzy"))
    assert follow(known, upon, found(known, upon, OBLONG), OBLONG).covered == (0,)


def test_an_unsure_face_is_matched_by_its_place() -> None:
    poses = table(4, seed=3)
    known = cards(poses, ["a", "b", "c", "d"])
    seen = cards(seen_from(poses, 50.0), ["a", "b", "c/d", "d"])
    assert len(follow(known, seen, found(known, seen), SQUARE).in_place) == 4


@pytest.mark.parametrize(
    ("before", "after", "steady", "lost"),
    [
        # no face in common
        ([("a", 0, 0, 0)], [("b", 0, 0, 0)], 1.0, Lost.NO_CARD_IN_BOTH),
        # one of two was moved, but which?
        ([("a", 0, 0, 0), ("b", 1, 0, 0)], [("a", 0, 0, 0), ("b", 3, 2, 0)], 1.0, Lost.TWO_WAYS),
        # alike from both sides of the table
        ([("s", 0, 0, 0), ("s", 4, 0, 180)], [("s", 0, 0, 0), ("s", 4, 0, 180)], 1.0, Lost.TWO_WAYS),
        # all was laid anew
        (
            [("a", 0, 0, 0), ("b", 1, 0, 0), ("c", 2, 0, 0), ("d", 3, 0, 0), ("e", 4, 0, 0)],
            [("a", 0, 0, 0), ("b", 3, 3, 90), ("c", 1, 2, 0), ("d", 5, 5, 0), ("e", 8, 1, 0)],
            1.0,
            Lost.TOO_FEW_IN_PLACE,
        ),
    ],
)
def test_what_cannot_be_told_is_not_guessed(
    before: list[tuple[str, float, float, float]],
    after: list[tuple[str, float, float, float]],
    steady: float,
    lost: Lost,
) -> None:
    def laid(entries: list[tuple[str, float, float, float]]) -> Cards:
        poses = np.array([(x, y, np.deg2rad(turn)) for _, x, y, turn in entries])
        return cards(poses, [face for face, *_ in entries], steady)

    assert register(laid(before), laid(after), SQUARE) is lost


def test_a_card_that_was_laid_wrong_is_the_one_that_was_moved() -> None:
    before, after = np.array([[0.0, 0, 0], [1, 0, 0]]), np.array([[0.0, 0, 0], [3, 2, 0]])
    known = dataclasses.replace(cards(before, list("ab")), steady=np.array([1.0, 0.2]))
    seen = cards(after, list("ab"))
    which = follow(known, seen, found(known, seen), SQUARE)
    assert (which.in_place, which.moved) == (((0, 0),), ((1, 1),))


def test_nearest_pairs_use_each_row_and_column_once() -> None:
    off = np.array([[1.0, 0.2], [0.3, 0.1]])
    assert nearest_pairs(off, np.ones((2, 2), bool)) == ((0, 0), (1, 1))
    assert nearest_pairs(off, off < 0.25) == ((1, 1),)
