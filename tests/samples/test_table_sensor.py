"""The sensor: noise, exposure, blur, colour cast, and the file with its orientation."""

import io
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps

from samples.table.light import kelvin_to_bgr
from samples.table.scene import Sensor
from samples.table.sensor import encode, expose

CLEAN = Sensor(
    exposure_ev=0,
    protect=1,
    white_balance=1.0,
    tint=0,
    vignetting=0,
    defocus_px=0.3,
    focus_error=0,
    motion_px=0,
    motion_degrees=0,
    electrons=1e6,
    read_noise=1,
    bayer=False,
    denoise=0,
    sharpen=0,
    contrast=0,
    saturation=1,
    quality=95,
    subsampling="444",
    orientation=1,
)
WHITE = np.ones(3, np.float32)


def shot(radiance: np.ndarray, sensor: Sensor, light: np.ndarray = WHITE) -> np.ndarray:
    depth = np.full(radiance.shape[:2], 500, np.float32)
    return expose(radiance.astype(np.float32), depth, 500, light, sensor, np.random.default_rng(2))


def grey(value: float = 0.3) -> np.ndarray:
    return np.full((90, 120, 3), value, np.float32)


def edge() -> np.ndarray:
    picture = grey(0.05)
    picture[:, 60:] = 0.5
    return picture


def test_fewer_electrons_more_noise() -> None:
    spread = [shot(grey(), replace(CLEAN, electrons=n)).std() for n in (300, 3000, 30000)]
    assert spread[0] > 2 * spread[1] > 4 * spread[2]


def test_exposure_is_metered_and_then_shifted() -> None:
    assert abs(int(shot(grey(0.03), CLEAN).mean()) - int(shot(grey(0.3), CLEAN).mean())) <= 2
    assert shot(grey(), replace(CLEAN, exposure_ev=-2)).mean() < 0.7 * shot(grey(), CLEAN).mean()


def test_white_cards_on_a_dark_table_burn_out_unless_protected() -> None:
    picture = grey(0.03)
    picture[35:51, 50:70] = 0.8
    kept, burnt = (shot(picture, replace(CLEAN, protect=p))[45, 60].min() for p in (1.0, 0.0))
    assert kept < 245
    assert burnt > 250


def test_a_warm_lamp_is_warm_unless_balanced() -> None:
    warm = kelvin_to_bgr(2700)
    raw = shot(grey() * warm, replace(CLEAN, white_balance=0), warm).reshape(-1, 3).mean(axis=0)
    balanced = shot(grey() * warm, CLEAN, warm).reshape(-1, 3).mean(axis=0)
    assert raw[2] > raw[0] + 60
    assert np.ptp(balanced) < 4


def steepness(picture: np.ndarray) -> int:
    return int(np.abs(np.diff(picture[45, :, 1].astype(int))).max())


@pytest.mark.parametrize("blurred", [replace(CLEAN, defocus_px=30.0), replace(CLEAN, motion_px=60.0)])
def test_blur_flattens_an_edge(blurred: Sensor) -> None:
    assert steepness(shot(edge(), blurred)) < 0.7 * steepness(shot(edge(), CLEAN))


def test_sharpening_leaves_halos() -> None:
    plain, sharp = shot(edge(), CLEAN), shot(edge(), replace(CLEAN, sharpen=0.9))
    assert sharp[45, 60:70].max() > plain[45, 60:70].max() + 5


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_viewer_that_applies_the_orientation_sees_it_upright(orientation: int) -> None:
    picture = np.zeros((48, 80, 3), np.uint8)
    picture[:24, :40] = (0, 0, 255)
    picture[:24, 40:] = (0, 255, 0)
    picture[24:, :40] = (255, 0, 0)
    data = encode(picture, replace(CLEAN, orientation=orientation))
    with Image.open(io.BytesIO(data)) as stored:
        assert stored.getexif().get(0x0112) == orientation
        upright = np.asarray(ImageOps.exif_transpose(stored))[..., ::-1]
    assert np.abs(upright.astype(int) - picture).mean() < 6
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == picture.shape
