"""From light to a JPEG file: lens blur, shake, exposure, sensor noise, colour processing, compression."""

from __future__ import annotations

import math
import struct

import cv2
import numpy as np
import numpy.typing as npt

from samples.table.scene import Sensor

Floats = npt.NDArray[np.float32]
Image8 = npt.NDArray[np.uint8]
Rng = np.random.Generator

_SUBSAMPLING = {
    "444": cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
    "422": cv2.IMWRITE_JPEG_SAMPLING_FACTOR_422,
    "420": cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420,
}


def expose(radiance: Floats, depth: Floats, focus_mm: float, light: Floats, sensor: Sensor, rng: Rng) -> Image8:
    """Radiance (H, W, 3) linear BGR to a picture as the phone shows it, uint8 BGR.

    `depth` (H, W): mm along the optical axis; `focus_mm`: the depth that is sharp; `light` (3,): colour of the
    light in the middle, which the white balance (partly) removes.
    """
    scale = max(radiance.shape[:2]) / 2000
    picture = _lens_blur(radiance, depth, focus_mm, sensor, scale)
    picture = _motion(picture, sensor, scale)
    picture *= _vignette(picture.shape[:2], sensor.vignetting)[..., None]
    gains = (light / light.mean()) ** np.float32(-sensor.white_balance)
    gains *= np.array([1 - sensor.tint / 2, 1 + sensor.tint, 1 - sensor.tint / 2], np.float32)
    gains /= gains.mean()
    exposure = _auto_exposure(picture * gains, sensor.protect) * 2**sensor.exposure_ev
    raw = _photons(picture * np.float32(exposure), sensor, rng)
    developed = _demosaic(raw) if sensor.bayer else _soft_chroma(raw, sensor)
    developed = np.clip(developed, 0, _FULL) * gains
    return _tone(_denoised(developed, sensor, scale), sensor, scale)


def _lens_blur(radiance: Floats, depth: Floats, focus_mm: float, sensor: Sensor, scale: float) -> Floats:
    """Blur by the distance from the focal plane: a stack of blurred copies, blended by each pixel's circle."""
    base = sensor.defocus_px * scale
    step = max(1, max(depth.shape) // 250)
    coarse = depth[::step, ::step]
    miss = np.abs(focus_mm / np.maximum(coarse, 1.0) - 1) * 7.0 * scale * min(1.0, sensor.defocus_px)
    circle = np.hypot(0.42 * scale**0.5, np.minimum(np.hypot(base * 0.6, miss), base + 5.0 * scale))
    low, high = float(circle.min()), float(circle.max())
    if high - low < 0.15:
        return np.asarray(cv2.GaussianBlur(radiance, (0, 0), high), np.float32)
    levels = np.geomspace(low, high, 2 if high / low < 1.8 else 3)
    wide = cv2.resize(circle.astype(np.float32), depth.shape[::-1], interpolation=cv2.INTER_LINEAR)
    place = np.clip(np.log(wide / low) / math.log(high / low), 0, 1) * (len(levels) - 1)
    out = np.zeros_like(radiance)
    for index, sigma in enumerate(levels):
        weight = np.clip(1 - np.abs(place - index), 0, 1).astype(np.float32)
        out += cv2.GaussianBlur(radiance, (0, 0), float(sigma)) * weight[..., None]
    return out


def _motion(picture: Floats, sensor: Sensor, scale: float) -> Floats:
    length = sensor.motion_px * scale
    if length < 0.4:
        return picture
    angle = math.radians(sensor.motion_degrees)
    reach = math.ceil(length / 2) + 1
    side = 2 * reach + 1
    kernel = np.zeros((side, side), np.float32)
    for t in np.linspace(-0.5, 0.5, 41):
        bow = 0.15 * length * (4 * t * t - 0.5)
        x = reach + length * t * math.cos(angle) - bow * math.sin(angle)
        y = reach + length * t * math.sin(angle) + bow * math.cos(angle)
        column, row = math.floor(x), math.floor(y)
        for dr in (0, 1):
            for dc in (0, 1):
                if 0 <= row + dr < side and 0 <= column + dc < side:
                    kernel[row + dr, column + dc] += (1 - abs(y - row - dr)) * (1 - abs(x - column - dc))
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT_101), np.float32)


def _vignette(shape: tuple[int, int], stops: float) -> Floats:
    rows, columns = shape
    y = np.linspace(-1, 1, rows, dtype=np.float32)[:, None]
    x = np.linspace(-1, 1, columns, dtype=np.float32)[None, :]
    aspect = rows / columns
    r2 = (x * x + y * y * aspect * aspect) / (1 + aspect * aspect)
    return np.asarray(2 ** (-stops * r2 * (0.6 + 0.4 * r2)), np.float32)


def _auto_exposure(picture: Floats, protect: float) -> float:
    """A phone's metering: middle-weighted mean to mid grey; `protect` 1 keeps the highlights, 0 lets them burn."""
    small = cv2.resize(picture, (96, 96), interpolation=cv2.INTER_AREA) @ np.array([0.07, 0.72, 0.21], np.float32)
    y, x = np.mgrid[-1:1:96j, -1:1:96j]
    weight = np.exp(-1.5 * (x * x + y * y))
    mean = float((small * weight).sum() / weight.sum())
    bright = float(np.quantile(small, 0.985))
    metered = 0.26 / max(mean, 1e-3)
    return float(metered * min(1.0, 0.85 / max(bright, 1e-3) / metered) ** protect)


def _photons(picture: Floats, sensor: Sensor, rng: Rng) -> Floats:
    """Shot and read noise at 1.0 = full well."""
    gain = np.float32(1 / sensor.electrons)
    grain = rng.standard_normal(picture.shape, np.float32)
    sigma = np.sqrt(np.maximum(picture, 0) * gain + np.float32((sensor.read_noise / sensor.electrons) ** 2))
    noisy = picture + grain * sigma
    rows = rng.standard_normal((picture.shape[0], 1, 1), np.float32) * np.float32(0.15 * sensor.read_noise) * gain
    return np.asarray(np.clip(noisy + rows, 0, 1.25), np.float32)


def _demosaic(raw: Floats) -> Floats:
    """Keep one colour a pixel (RGGB) and interpolate the others as a camera does."""
    code = np.clip(raw * (65535 / 1.3), 0, 65535).astype(np.uint16)
    mosaic = code[..., 1].copy()
    mosaic[0::2, 0::2] = code[0::2, 0::2, 2]
    mosaic[1::2, 1::2] = code[1::2, 1::2, 0]
    return np.asarray(cv2.cvtColor(mosaic, cv2.COLOR_BayerRGGB2BGR_EA).astype(np.float32) * np.float32(1.3 / 65535))


def _soft_chroma(raw: Floats, sensor: Sensor) -> Floats:
    """Binned sensors: noise in colour is coarser than in lightness."""
    if sensor.electrons > 6000:
        return raw
    ycc = cv2.cvtColor(np.clip(raw, 0, 2), cv2.COLOR_BGR2YCrCb)
    ycc[..., 1:] = cv2.GaussianBlur(ycc[..., 1:], (0, 0), 0.9)
    return np.asarray(cv2.cvtColor(ycc, cv2.COLOR_YCrCb2BGR), np.float32)


def _denoised(picture: Floats, sensor: Sensor, scale: float) -> Floats:
    """The phone's noise reduction: colour is smeared, fine lightness detail is washed out."""
    if sensor.denoise < 0.08:
        return picture
    coded = np.sqrt(np.clip(picture, 0, None))
    ycc = cv2.cvtColor(coded, cv2.COLOR_BGR2YCrCb)
    ycc[..., 1:] = cv2.GaussianBlur(ycc[..., 1:], (0, 0), 1.0 + 2.2 * sensor.denoise * scale**0.5)
    smooth = cv2.GaussianBlur(ycc[..., 0], (0, 0), 1.3)
    detail = ycc[..., 0] - smooth
    threshold = np.float32(1.2 / math.sqrt(sensor.electrons) * sensor.denoise)
    ycc[..., 0] = smooth + np.sign(detail) * np.maximum(np.abs(detail) - threshold, 0)
    return np.asarray(np.clip(cv2.cvtColor(ycc, cv2.COLOR_YCrCb2BGR), 0, None) ** 2, np.float32)


_STEPS = 4096
_KNEE, _FULL = 0.75, 1.2


def _tone(picture: Floats, sensor: Sensor, scale: float) -> Image8:
    """Shoulder, sRGB curve, contrast, saturation, sharpening."""
    grid = np.linspace(0, 1, _STEPS, dtype=np.float32) * np.float32(1.6)
    # Above the knee the curve bends so that a full well just reaches white.
    left = np.clip((_FULL - grid) / (_FULL - _KNEE), 0, 1)
    rolled = np.where(grid < _KNEE, grid, 1 - (1 - _KNEE) * left ** ((_FULL - _KNEE) / (1 - _KNEE)))
    coded = np.where(rolled < 0.0031308, rolled * 12.92, 1.055 * rolled ** (1 / 2.4) - 0.055)
    curved = coded + sensor.contrast * 0.35 * (coded - 0.5) * coded * (1 - coded) * 4
    index = np.clip(picture * np.float32((_STEPS - 1) / 1.6), 0, _STEPS - 1).astype(np.uint16)
    out = curved.astype(np.float32)[index]
    grey = (out @ np.array([0.114, 0.587, 0.299], np.float32))[..., None]
    out = grey + (out - grey) * np.float32(sensor.saturation)
    if sensor.sharpen > 0.05:
        blurred = cv2.GaussianBlur(grey[..., 0], (0, 0), 1.1 * max(1.0, scale**0.5))
        out += np.clip((grey[..., 0] - blurred) * np.float32(1.6 * sensor.sharpen), -0.12, 0.12)[..., None]
    return np.asarray(np.round(np.clip(out, 0, 1) * 255), np.uint8)


_UNDO = {
    1: lambda p: p,
    2: lambda p: p[:, ::-1],
    3: lambda p: p[::-1, ::-1],
    4: lambda p: p[::-1],
    5: lambda p: p.transpose(1, 0, 2),
    6: lambda p: np.rot90(p, 1),
    7: lambda p: p[::-1, ::-1].transpose(1, 0, 2),
    8: lambda p: np.rot90(p, -1),
}
"""How an upright picture must be stored so that a viewer who applies the orientation sees it upright."""


def encode(picture: Image8, sensor: Sensor) -> bytes:
    """An upright picture as a JPEG file stored in the phone's own orientation, with the EXIF tag."""
    stored = np.ascontiguousarray(_UNDO[sensor.orientation](picture))
    flags = [cv2.IMWRITE_JPEG_QUALITY, sensor.quality]
    flags += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, _SUBSAMPLING[sensor.subsampling]]
    done, buffer = cv2.imencode(".jpg", stored, flags)
    if not done:
        raise ValueError("The picture could not be written as JPEG.")
    data = buffer.tobytes()
    tiff = b"II*\0" + struct.pack("<I", 8) + struct.pack("<HHHII", 1, 0x0112, 3, 1, sensor.orientation)
    body = b"Exif\0\0" + tiff + struct.pack("<I", 0)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]
