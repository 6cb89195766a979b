"""The pinhole camera: mapping to the table and back, scale, orientation."""

import numpy as np
import pytest

from samples.table.camera import pose

BARREL = (-0.08, 0.02, 0.001, -0.0007)


@pytest.mark.parametrize("tilt", [0.0, 20.0, 47.0])
@pytest.mark.parametrize("distortion", [(0.0, 0.0, 0.0, 0.0), BARREL])
def test_the_table_map_is_the_inverse_of_projection(tilt: float, distortion: tuple[float, float, float, float]) -> None:
    camera = pose((640, 480), 26, distortion, (30, -20), 700, tilt, 25, 12)
    x, y = camera.table_map()
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(0, 480, 400), rng.integers(0, 640, 400)
    pixels = camera.project(np.column_stack([x[rows, columns], y[rows, columns]]))
    assert np.abs(pixels - np.column_stack([columns, rows])).max() < 0.1


def test_straight_down_the_scale_is_focal_length_over_distance() -> None:
    camera = pose((800, 600), 43.27, (0, 0, 0, 0), (0, 0), 500, 0, 0, 0)
    assert camera.focal_px == pytest.approx(1000)
    assert camera.project([[50, 0]])[0] == pytest.approx([399.5 + 100, 299.5])
    assert camera.project([[0, 50]])[0] == pytest.approx([399.5, 299.5 + 100])


def test_tilted_the_near_side_is_larger_and_at_the_bottom() -> None:
    camera = pose((800, 600), 26, (0, 0, 0, 0), (0, 0), 500, 40, 0, 0)
    near, far = camera.project([[-50, 100], [50, 100]]), camera.project([[-50, -100], [50, -100]])
    assert near[0, 1] > 299.5 > far[0, 1]
    assert np.ptp(near[:, 0]) > 1.25 * np.ptp(far[:, 0])


def test_what_stands_higher_is_seen_further_from_the_foot_of_the_lens() -> None:
    camera = pose((800, 600), 26, (0, 0, 0, 0), (0, 0), 500, 0, 0, 0)
    low, high = camera.project([[100, 0]], 0)[0], camera.project([[100, 0]], 50)[0]
    assert high[0] - 399.5 == pytest.approx((low[0] - 399.5) * 500 / 450)


def test_barrel_distortion_draws_corners_inwards() -> None:
    straight = pose((800, 600), 26, (0, 0, 0, 0), (0, 0), 500, 0, 0, 0)
    barrel = pose((800, 600), 26, (-0.1, 0, 0, 0), (0, 0), 500, 0, 0, 0)
    middle = np.array([399.5, 299.5])
    corner = [[280, 210]]
    assert np.linalg.norm(barrel.project(corner) - middle) < 0.97 * np.linalg.norm(straight.project(corner) - middle)
