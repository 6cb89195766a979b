"""Scenes: everything about a photograph that is not the cards: camera, table, lamps, clutter and sensor.

A `Scene` holds one value for each; `samples.table.levels` says between which values each level draws them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from samples.table.levels import LEVELS, RANGES, Level, Range, Ranges
from samples.table.surfaces import Surface, surfaces

Rng = np.random.Generator
Heap = Literal["none", "face-down", "face-up", "both"]


@dataclass(frozen=True)
class Light:
    """A lamp or a window. `at`: mm from the middle of the layout (x right, y down, height above the table).

    `share`: its part of the light in the middle of the layout, 0..1; `kelvin`: colour temperature;
    `size_mm`: its diameter, which decides how soft its shadows and its mirror images are.
    """

    at: tuple[float, float, float]
    share: float
    kelvin: float
    size_mm: float


@dataclass(frozen=True)
class Shadow:
    """Something outside the picture that takes light from the first lamp.

    `depth`: the part taken, 0..1; `softness_mm`: width of the penumbra on the table.
    """

    shape: Literal["hand", "phone", "head", "frame"]
    depth: float
    softness_mm: float


@dataclass(frozen=True)
class Print:
    """How printed cards differ from the deck's pictures. All factors; 1 (hue and dirt: 0) means no change."""

    white: float
    black: float
    gamma: float
    saturation: float
    hue_degrees: float
    tint: tuple[float, float, float]
    wear: float
    gloss: float
    thickness_mm: float
    bend_mm: float


@dataclass(frozen=True)
class Sensor:
    """The phone's sensor and software. Pixels refer to a photograph with a long side of 2000."""

    exposure_ev: float
    protect: float
    white_balance: float
    tint: float
    vignetting: float
    defocus_px: float
    focus_error: float
    motion_px: float
    motion_degrees: float
    electrons: float
    read_noise: float
    bayer: bool
    denoise: float
    sharpen: float
    contrast: float
    saturation: float
    quality: int
    subsampling: Literal["444", "422", "420"]
    orientation: int


@dataclass(frozen=True)
class Scene:
    """One photograph's conditions. Angles in degrees; see `Ranges` for the meaning of each number."""

    level: Level
    size: tuple[int, int]
    focal_eq_mm: float
    tilt: float
    azimuth: float
    roll: float
    fill: float
    card_px: Range
    distortion: tuple[float, float, float, float]
    surface: Surface
    tile_mm: float
    surface_turn: float
    table_gloss: float
    edge: bool
    ambient: float
    ambient_kelvin: float
    lights: tuple[Light, ...]
    shadows: tuple[Shadow, ...]
    printing: Print
    heap: Heap
    clutter: tuple[str, ...]
    covers: tuple[str, ...]
    sensor: Sensor


SIZES: tuple[tuple[int, int], ...] = (
    (2016, 1512),
    (2016, 1512),
    (2048, 1536),
    (1920, 1080),
    (1600, 1200),
    (2000, 1333),
)
"""Usual sizes as phones and messengers leave them; `Ranges.big` is the chance of 4032 x 3024."""
CLUTTER: tuple[str, ...] = (
    "pen",
    "pencil",
    "crayon",
    "cup",
    "phone",
    "glasses",
    "paper",
    "coin",
    "foreign-card",
    "book",
    "plate",
    "brick",
    "die",
    "note",
)
"""Things that may lie beside the cards."""
COVERS: tuple[str, ...] = ("hand", "finger", "pen", "pencil", "glasses", "note")
"""Things that may lie over a card."""


def random_scene(level: Level, seed: int, surfaces_: Sequence[Surface] | None = None) -> Scene:
    """Draw a scene; one seed, one scene. `surfaces_`: from which table tops (default: `surfaces("all")`)."""
    rng = np.random.default_rng([seed, LEVELS.index(level), 71])
    ranges = RANGES[level]
    choice = tuple(surfaces_) if surfaces_ is not None else surfaces()
    surface = choice[int(rng.integers(len(choice)))]
    size = (4032, 3024) if rng.uniform() < ranges.big else SIZES[int(rng.integers(len(SIZES)))]
    if rng.uniform() < 0.4:
        size = size[::-1]
    azimuth = rng.choice([0, 0, 0, 90, 180, 270]) + rng.normal(0, 8 if level == "easy" else 20)
    k1 = rng.uniform(*ranges.distortion)
    cut = rng.uniform() < ranges.cut
    heap: Heap = "none"
    if rng.uniform() < ranges.heap:
        heap = ("face-down", "face-down", "face-up", "both")[int(rng.integers(4))]
    covers = rng.choice(COVERS, int(rng.integers(1, 3))).tolist() if rng.uniform() < ranges.covers else []
    return Scene(
        level=level,
        size=size,
        focal_eq_mm=rng.uniform(*ranges.focal_eq_mm),
        tilt=rng.uniform(*ranges.tilt),
        azimuth=azimuth,
        roll=rng.uniform(*ranges.roll),
        fill=rng.uniform(1.02, 1.2) if cut else rng.uniform(*ranges.fill),
        card_px=ranges.card_px,
        distortion=(k1, -k1 * rng.uniform(0, 0.4), rng.normal(0, 0.0007), rng.normal(0, 0.0007)),
        surface=surface,
        tile_mm=rng.uniform(*surface.tile_mm),
        surface_turn=rng.choice([0, 90]) + rng.normal(0, 12),
        table_gloss=rng.uniform(*surface.gloss) * rng.uniform(*ranges.gloss),
        edge=rng.uniform() < ranges.edge,
        ambient=(ambient := rng.uniform(*ranges.ambient)),
        ambient_kelvin=rng.uniform(*ranges.kelvin),
        lights=_lights(rng, ranges, 1 - ambient),
        shadows=_shadows(rng, ranges),
        printing=_print(rng, ranges),
        heap=heap,
        clutter=tuple(rng.choice(CLUTTER, int(rng.integers(ranges.clutter[0], ranges.clutter[1] + 1))).tolist()),
        covers=tuple(covers),
        sensor=_sensor(rng, ranges),
    )


def _lights(rng: Rng, ranges: Ranges, share: float) -> tuple[Light, ...]:
    count = int(rng.integers(ranges.lights[0], ranges.lights[1] + 1))
    parts = rng.dirichlet([4.0] + [1.2] * (count - 1)) * share
    lamps = []
    for part in parts:
        angle, away = rng.uniform(0, 2 * math.pi), rng.uniform(*ranges.lamp_away_mm)
        lamps.append(
            Light(
                (away * math.cos(angle), away * math.sin(angle), rng.uniform(*ranges.lamp_height_mm)),
                float(part),
                rng.uniform(*ranges.kelvin),
                float(np.exp(rng.uniform(math.log(40), math.log(900)))),
            )
        )
    if rng.uniform() < ranges.glare:
        # Marked by a size below zero: the renderer moves it to where the lens sees its mirror image.
        first = lamps[0]
        lamps[0] = Light(first.at, first.share, first.kelvin, -first.size_mm)
    return tuple(lamps)


def _shadows(rng: Rng, ranges: Ranges) -> tuple[Shadow, ...]:
    shapes: tuple[Literal["hand", "phone", "head", "frame"], ...] = ("hand", "phone", "head", "frame")
    return tuple(
        Shadow(shapes[int(rng.integers(4))], rng.uniform(*ranges.shadow_depth), rng.uniform(*ranges.softness_mm))
        for _ in range(int(rng.integers(ranges.shadows[0], ranges.shadows[1] + 1)))
    )


def _print(rng: Rng, ranges: Ranges) -> Print:
    change = rng.uniform(*ranges.print_change)
    return Print(
        white=1 - change * rng.uniform(0.05, 0.25),
        black=change * rng.uniform(0, 0.07),
        gamma=float(np.exp(change * rng.uniform(-0.3, 0.3))),
        saturation=1 + change * rng.uniform(-0.4, 0.2),
        hue_degrees=change * rng.uniform(-12, 12),
        tint=(
            1 + change * rng.uniform(-0.1, 0.06),
            1 + change * rng.uniform(-0.05, 0.05),
            1 + change * rng.uniform(-0.06, 0.1),
        ),
        wear=rng.uniform(*ranges.wear),
        gloss=rng.uniform(*ranges.card_gloss),
        thickness_mm=rng.uniform(*ranges.thickness_mm),
        bend_mm=rng.uniform(*ranges.bend_mm) if rng.uniform() < ranges.bent else 0.0,
    )


def _sensor(rng: Rng, ranges: Ranges) -> Sensor:
    electrons = float(np.exp(rng.uniform(*np.log(ranges.electrons))))
    return Sensor(
        exposure_ev=rng.uniform(*ranges.exposure_ev),
        protect=rng.uniform(*ranges.protect),
        white_balance=rng.uniform(*ranges.white_balance),
        tint=rng.uniform(*ranges.tint),
        vignetting=rng.uniform(*ranges.vignetting),
        defocus_px=rng.uniform(*ranges.defocus_px),
        focus_error=rng.normal(0, 0.12),
        motion_px=rng.uniform(*ranges.motion_px) * rng.uniform() ** 0.5,
        motion_degrees=rng.uniform(0, 180),
        electrons=electrons,
        read_noise=rng.uniform(2, 6),
        bayer=rng.uniform() < 0.5,
        denoise=rng.uniform(0, 1) * min(1.0, 1500 / electrons),
        sharpen=rng.uniform(0.0, 0.9),
        contrast=rng.uniform(0.0, 0.5),
        saturation=rng.uniform(0.9, 1.25),
        quality=int(rng.integers(ranges.quality[0], ranges.quality[1] + 1)),
        subsampling=("444", "422", "420", "420")[int(rng.integers(4))],
        orientation=int(
            rng.choice([1, 1, 1, 1, 6, 6, 8, 3, 2, 4, 5, 7], p=[0.15] * 4 + [0.1] * 2 + [0.05] * 2 + [0.025] * 4)
        ),
    )
