"""The table plane is recovered from card outlines: tilted, through a lens, with outliers, from one card or many."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.align import Doubles, Pyramid, areas
from referee.vision.plane import AGREES, Plane, agreed_plane, card_corners, fit_plane, poses_of, view_from_above

SIZE = (2016, 1512)


def seen(tilt: float, aspect: float, distortion: float = 0.0, side: float = 110.0) -> Plane:
    """A camera that looks at the table under `tilt` degrees."""
    angle = np.deg2rad(tilt)
    slope = 0.45 * np.sin(angle)
    affine = np.array([[1008 / side, 0.3, 0], [0.1, 1008 / side / max(np.cos(angle), 0.3), 0], [0, slope, 1]])
    return Plane(affine, np.array([1008.0, 756.0]), 1008.0, distortion, aspect, 0.0)


def table(aspect: float, rng: np.random.Generator) -> Doubles:
    """Poses of cards in a loose grid."""
    spots = [(x * 1.3 - 5, y * 1.3 * aspect - 3) for x in range(7) for y in range(4)]
    poses = np.array([(x, y, rng.normal(0, 0.1)) for x, y in spots])
    return poses + rng.normal(0, 0.04, poses.shape)


@pytest.mark.parametrize("aspect", [1.0, 88 / 63], ids=["square", "oblong"])
@pytest.mark.parametrize("tilt", [0, 20, 40])
@pytest.mark.parametrize("distortion", [0.0, -0.04, 0.05])
def test_plane_is_recovered(aspect: float, tilt: float, distortion: float) -> None:
    rng = np.random.default_rng(1)
    camera = seen(tilt, aspect, distortion)
    poses = table(aspect, rng)
    corners = camera.outlines(poses)
    side = np.sqrt(areas(corners))
    noisy = corners + rng.normal(0, 0.005, corners.shape) * side[:, None, None]
    fitted = fit_plane(noisy, aspect, SIZE)
    assert fitted is not None
    plane, agree = fitted
    assert agree.all()
    back = plane.outlines(plane.poses(corners))
    assert np.abs(back - corners).max(axis=(1, 2)).max() < 0.02 * side.max()
    turns = plane.poses(corners)[:, 2] - poses[:, 2]
    assert np.rad2deg(np.ptp(np.unwrap(turns))) < 1.0


def test_outliers_are_named_and_do_no_harm() -> None:
    rng = np.random.default_rng(2)
    camera = seen(30, 1.0)
    corners = camera.outlines(table(1.0, rng))
    corners[3] = (corners[3] - corners[3].mean(0)) * 1.8 + corners[3].mean(0)
    corners[11] += rng.normal(0, 15, (4, 2))
    fitted = fit_plane(corners, 1.0, SIZE)
    assert fitted is not None
    assert list(np.flatnonzero(~fitted[1])) == [3, 11]
    assert fitted[0].residual < 0.005


def test_one_card_gives_a_plane() -> None:
    camera = seen(35, 1.0, side=400)
    corners = camera.outlines(np.array([[0.3, -0.2, 0.4]]))
    fitted = fit_plane(corners, 1.0, SIZE)
    assert fitted is not None
    assert np.abs(fitted[0].outlines(fitted[0].poses(corners)) - corners).max() < 2.0


def test_nothing_gives_no_plane() -> None:
    assert fit_plane(np.empty((0, 4, 2)), 1.0, SIZE) is None


def test_scattered_quads_are_no_plane() -> None:
    rng = np.random.default_rng(3)
    quads = np.array([[0, 0], [60, 0], [60, 60], [0, 60]]) * rng.uniform(0.2, 5, (12, 1, 1))
    quads = quads * [1, 1] + rng.uniform(0, 1500, (12, 1, 2))
    fitted = fit_plane(quads, 1.0, SIZE)
    assert fitted is None or fitted[1].mean() < 0.8


def test_poses_and_corners_are_inverse() -> None:
    poses = np.array([[1.0, 2.0, 0.3], [-4.0, 0.5, -2.9]])
    assert poses_of(card_corners(poses, 1.4)) == pytest.approx(poses)


def test_view_from_above_shows_cards_unturned_and_in_size() -> None:
    camera = seen(30, 1.0)
    pose = np.array([[0.0, 0.0, 0.0]])
    photo = np.full((SIZE[1], SIZE[0], 3), 40, np.uint8)
    cv2.fillConvexPoly(photo, np.round(camera.outlines(pose)[0]).astype(np.int32), (250, 250, 250))
    view, to_table = view_from_above(camera, Pyramid.of(photo), 48.0)
    ys, xs = np.nonzero(view[..., 0] > 150)
    left_top = to_table @ [xs.min(), ys.min(), 1]
    right_bottom = to_table @ [xs.max(), ys.max(), 1]
    assert np.concatenate([left_top, right_bottom]) == pytest.approx([-0.5, -0.5, 0.5, 0.5], abs=0.06)


def test_a_plane_is_found_among_more_wrong_quads_than_right_ones() -> None:
    """Prints on a newspaper pass for boxes: of eleven quads six lie anyhow, and all together lie in no plane."""
    rng = np.random.default_rng(5)
    camera = seen(25, 88 / 63)
    right = camera.outlines(table(88 / 63, rng)[[3, 8, 14, 20, 25]])
    anyhow = camera.outlines(table(88 / 63, rng)[[0, 5, 10, 17, 22, 27]])
    middle = anyhow.mean(axis=1, keepdims=True)
    grow = rng.uniform(0.4, 2.2, (6, 1, 2))
    wrong = (anyhow - middle) * grow + middle + rng.normal(0, 12, anyhow.shape)
    corners = np.concatenate([wrong, right])
    trust = np.array([0.85] * 6 + [0.95] * 5)
    assert fit_plane(corners, 88 / 63, SIZE) is None
    fitted = agreed_plane(corners, trust, 88 / 63, SIZE)
    assert fitted is not None
    assert fitted[1].tolist() == [False] * 6 + [True] * 5
    assert fitted[0].residual < 0.01


@pytest.mark.parametrize("sure", [0.97, 0.7])
def test_three_sure_cards_are_enough_among_wrong_ones(sure: float) -> None:
    """Three plain boxes on a cloth, and prints on them that pass for boxes; what is less sure needs a fourth."""
    rng = np.random.default_rng(7)
    camera = seen(10, 88 / 63)
    right = camera.outlines(table(88 / 63, rng)[[3, 8, 14]])
    wrong = camera.outlines(table(88 / 63, rng)[[3, 8, 14, 20]])
    middle = wrong.mean(axis=1, keepdims=True)
    wrong = (wrong - middle) * rng.uniform(0.4, 2.2, (4, 1, 2)) + middle + rng.normal(0, 14, wrong.shape)
    corners = np.concatenate([right, wrong])
    assert fit_plane(corners, 88 / 63, SIZE) is None
    fitted = agreed_plane(corners, np.array([sure] * 3 + [0.75] * 4), 88 / 63, SIZE)
    if sure < 0.9:
        assert fitted is None
    else:
        assert fitted is not None
        assert fitted[1].tolist() == [True] * 3 + [False] * 4


def test_quads_that_lie_badly_on_their_common_plane_do_not_make_one() -> None:
    """Four boxes and as many prints hardly unlike boxes: a plane through all of them fits none of them well."""
    rng = np.random.default_rng(3)
    camera = seen(15, 88 / 63)
    right = camera.outlines(table(88 / 63, rng)[[3, 8, 14, 20]])
    wrong = camera.outlines(table(88 / 63, rng)[[1, 6, 17, 24]])
    middle = wrong.mean(axis=1, keepdims=True)
    wrong = (wrong - middle) * np.array([1.16, 0.9]) + middle
    corners = np.concatenate([right, wrong])
    badly = fit_plane(corners, 88 / 63, SIZE)
    assert badly is not None
    assert badly[0].residual > AGREES
    fitted = agreed_plane(corners, np.array([0.95] * 4 + [0.8] * 4), 88 / 63, SIZE)
    assert fitted is not None
    assert fitted[1].tolist() == [True] * 4 + [False] * 4


@pytest.mark.parametrize(("trust", "count"), [([0.98, 0.97], 2), ([0.98], 1), ([0.8, 0.8], 0)])
def test_two_cards_beyond_doubt_make_a_plane_or_one(trust: list[float], count: int) -> None:
    rng = np.random.default_rng(7)
    camera = seen(10, 88 / 63)
    right = camera.outlines(table(88 / 63, rng)[[3, 14][: len(trust)]])
    wrong = camera.outlines(table(88 / 63, rng)[[5, 8, 20, 24]])
    middle = wrong.mean(axis=1, keepdims=True)
    wrong = (wrong - middle) * rng.uniform(0.4, 2.2, (4, 1, 2)) + middle + rng.normal(0, 14, wrong.shape)
    fitted = agreed_plane(np.concatenate([right, wrong]), np.array(trust + [0.5] * 4), 88 / 63, SIZE)
    if not count:
        assert fitted is None
    else:
        assert fitted is not None
        assert fitted[1].tolist() == [True] * count + [False] * 4
