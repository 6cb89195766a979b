"""Scenes: drawn within the documented ranges, one seed one scene."""

import dataclasses

import pytest

from samples.table import LEVELS, random_scene, surfaces
from samples.table.levels import RANGES, Level
from samples.table.scene import CLUTTER, COVERS

SURFACES = surfaces("tune")


def within(value: float, pair: tuple[float, float]) -> bool:
    return pair[0] - 1e-9 <= value <= pair[1] + 1e-9


@pytest.mark.parametrize("level", LEVELS)
def test_every_value_is_within_its_range(level: Level) -> None:
    ranges = RANGES[level]
    for seed in range(150):
        scene = random_scene(level, seed, SURFACES)
        for name in ("focal_eq_mm", "tilt", "roll"):
            assert within(getattr(scene, name), getattr(ranges, name)), name
        assert within(scene.fill, ranges.fill) or (ranges.cut > 0 and 1.0 < scene.fill <= 1.2)
        assert within(scene.distortion[0], ranges.distortion)
        assert within(len(scene.lights), ranges.lights)
        assert within(scene.ambient, ranges.ambient)
        assert scene.ambient + sum(light.share for light in scene.lights) == pytest.approx(1)
        for light in scene.lights:
            assert within(light.kelvin, ranges.kelvin)
            assert within(light.at[2], ranges.lamp_height_mm)
        assert within(len(scene.shadows), ranges.shadows)
        assert all(within(s.depth, ranges.shadow_depth) for s in scene.shadows)
        assert all(within(s.softness_mm, ranges.softness_mm) for s in scene.shadows)
        assert within(len(scene.clutter), ranges.clutter)
        assert set(scene.clutter) <= set(CLUTTER)
        assert set(scene.covers) <= set(COVERS)
        assert ranges.covers > 0 or not scene.covers
        assert within(scene.printing.wear, ranges.wear)
        assert within(scene.printing.thickness_mm, ranges.thickness_mm)
        assert scene.printing.bend_mm == 0 or within(scene.printing.bend_mm, ranges.bend_mm)
        sensor = scene.sensor
        for name in (
            "exposure_ev",
            "protect",
            "white_balance",
            "tint",
            "vignetting",
            "defocus_px",
            "electrons",
            "quality",
        ):
            assert within(getattr(sensor, name), getattr(ranges, name)), name
        assert 0 <= sensor.motion_px <= ranges.motion_px[1]
        assert sensor.orientation in range(1, 9)
        assert scene.surface in SURFACES
        assert within(scene.tile_mm, scene.surface.tile_mm)


def test_levels_grow_harder() -> None:
    easy, everyday, hard = (RANGES[level] for level in LEVELS)
    assert easy.tilt[1] < everyday.tilt[1] < hard.tilt[1]
    assert easy.defocus_px[1] < everyday.defocus_px[1] < hard.defocus_px[1]
    assert easy.quality[0] > everyday.quality[0] > hard.quality[0]
    assert easy.exposure_ev[0] > everyday.exposure_ev[0] > hard.exposure_ev[0]


def test_one_seed_one_scene() -> None:
    assert random_scene("hard", 5, SURFACES) == random_scene("hard", 5, SURFACES)
    assert random_scene("hard", 5, SURFACES) != random_scene("hard", 6, SURFACES)


def test_scenes_and_ranges_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        random_scene("easy", 1, SURFACES).tilt = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        RANGES["easy"] = RANGES["hard"]  # type: ignore[index]
