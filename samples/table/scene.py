"""Scenes: everything about a photograph that is not the cards: camera, table, lamps, clutter and sensor.

A `Scene` holds one value for each; `Ranges` says between which values each level of difficulty draws them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from samples.table.surfaces import Surface, surfaces

Rng = np.random.Generator
Range = tuple[float, float]
Level = Literal["easy", "everyday", "hard"]
Heap = Literal["none", "face-down", "face-up", "both"]

LEVELS: tuple[Level, ...] = ("easy", "everyday", "hard")


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


@dataclass(frozen=True)
class Ranges:
    """From what each value of a `Scene` is drawn at one level. Pairs are (least, most), drawn evenly.

    Camera: `focal_eq_mm` 35-mm equivalent; `tilt` degrees from straight down; `roll` degrees either way;
    `fill` how far the outermost cards reach from the middle of the frame to its border (above 1: cut off);
    `card_px` the least and most pixels of a card's side at a long side of 2000; `distortion` k1 of
    Brown-Conrady, negative is barrel; `cut` chance that part of the layout is outside the frame.
    Table: `edge` chance that the table ends inside the picture; `gloss` factor on the surface's own shine.
    Light: `kelvin`; `lights` how many lamps; `ambient` share of light from everywhere; `lamp_height_mm` and
    `lamp_away_mm`; `glare` chance that a lamp is mirrored into the lens; `shadows` how many; `shadow_depth`
    part of the lamp's light taken; `softness_mm`.
    Cards: `print_change` 0 as the picture .. 1 a poor home print; `wear` 0..1; `card_gloss` 0..1;
    `thickness_mm`; `bend_mm` height of the arch of a bent card; `bent` chance that cards are bent.
    Things: `clutter` how many; `covers` chance of something lying over a card; `heap` chance of a heap.
    Sensor: `exposure_ev` stops from a good exposure; `white_balance` 1 = cast fully removed; `tint` green to
    magenta; `vignetting` stops lost in the corners; `defocus_px` and `motion_px` blur in pixels at a long
    side of 2000; `electrons` full well (fewer: more noise); `quality` JPEG.
    """

    focal_eq_mm: Range
    tilt: Range
    roll: Range
    fill: Range
    card_px: Range
    distortion: Range
    cut: float
    edge: float
    gloss: Range
    kelvin: Range
    lights: tuple[int, int]
    ambient: Range
    lamp_height_mm: Range
    lamp_away_mm: Range
    glare: float
    shadows: tuple[int, int]
    shadow_depth: Range
    softness_mm: Range
    print_change: Range
    wear: Range
    card_gloss: Range
    thickness_mm: Range
    bend_mm: Range
    bent: float
    clutter: tuple[int, int]
    covers: float
    heap: float
    exposure_ev: Range
    white_balance: Range
    tint: Range
    vignetting: Range
    defocus_px: Range
    motion_px: Range
    electrons: Range
    quality: tuple[int, int]
    big: float


RANGES: Mapping[Level, Ranges] = MappingProxyType(
    {
        "easy": Ranges(
            focal_eq_mm=(24, 30),
            tilt=(0, 18),
            roll=(-8, 8),
            fill=(0.72, 0.92),
            card_px=(110, 400),
            distortion=(-0.03, 0.01),
            cut=0.0,
            edge=0.05,
            gloss=(0, 0.6),
            kelvin=(3600, 6500),
            lights=(1, 2),
            ambient=(0.5, 0.8),
            lamp_height_mm=(1200, 2500),
            lamp_away_mm=(200, 1600),
            glare=0.05,
            shadows=(0, 1),
            shadow_depth=(0.15, 0.45),
            softness_mm=(25, 120),
            print_change=(0, 0.45),
            wear=(0, 0.25),
            card_gloss=(0, 0.25),
            thickness_mm=(0.3, 0.6),
            bend_mm=(0, 0.6),
            bent=0.1,
            clutter=(0, 2),
            covers=0.0,
            heap=0.35,
            exposure_ev=(-0.25, 0.35),
            white_balance=(0.85, 1.0),
            tint=(-0.015, 0.015),
            vignetting=(0, 0.35),
            defocus_px=(0.35, 0.8),
            motion_px=(0, 0.6),
            electrons=(4000, 12000),
            quality=(82, 95),
            big=0.06,
        ),
        "everyday": Ranges(
            focal_eq_mm=(22, 34),
            tilt=(4, 36),
            roll=(-25, 25),
            fill=(0.6, 0.94),
            card_px=(70, 400),
            distortion=(-0.07, 0.02),
            cut=0.0,
            edge=0.22,
            gloss=(0, 1),
            kelvin=(2900, 7000),
            lights=(1, 3),
            ambient=(0.3, 0.65),
            lamp_height_mm=(700, 2200),
            lamp_away_mm=(150, 1800),
            glare=0.25,
            shadows=(0, 2),
            shadow_depth=(0.3, 0.8),
            softness_mm=(6, 90),
            print_change=(0.1, 0.75),
            wear=(0, 0.6),
            card_gloss=(0, 0.5),
            thickness_mm=(0.25, 0.9),
            bend_mm=(0.3, 2.5),
            bent=0.25,
            clutter=(0, 5),
            covers=0.04,
            heap=0.55,
            exposure_ev=(-0.7, 0.6),
            white_balance=(0.6, 1.0),
            tint=(-0.03, 0.03),
            vignetting=(0.1, 0.7),
            defocus_px=(0.4, 1.3),
            motion_px=(0, 1.8),
            electrons=(1200, 7000),
            quality=(65, 93),
            big=0.06,
        ),
        "hard": Ranges(
            focal_eq_mm=(15, 52),
            tilt=(15, 47),
            roll=(-60, 60),
            fill=(0.45, 0.97),
            card_px=(40, 330),
            distortion=(-0.12, 0.03),
            cut=0.12,
            edge=0.35,
            gloss=(0, 1.2),
            kelvin=(2700, 7500),
            lights=(1, 3),
            ambient=(0.12, 0.5),
            lamp_height_mm=(350, 1800),
            lamp_away_mm=(80, 2000),
            glare=0.55,
            shadows=(1, 3),
            shadow_depth=(0.5, 0.95),
            softness_mm=(2, 60),
            print_change=(0.3, 1.0),
            wear=(0.2, 1.0),
            card_gloss=(0.1, 0.8),
            thickness_mm=(0.2, 1.6),
            bend_mm=(0.5, 4.0),
            bent=0.4,
            clutter=(2, 9),
            covers=0.3,
            heap=0.7,
            exposure_ev=(-2.2, 1.1),
            white_balance=(0.25, 1.0),
            tint=(-0.06, 0.06),
            vignetting=(0.2, 1.2),
            defocus_px=(0.5, 3.0),
            motion_px=(0, 5.0),
            electrons=(250, 3000),
            quality=(40, 88),
            big=0.05,
        ),
    }
)

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
        white_balance=rng.uniform(*ranges.white_balance),
        tint=rng.uniform(*ranges.tint),
        vignetting=rng.uniform(*ranges.vignetting),
        defocus_px=rng.uniform(*ranges.defocus_px) ** 1.0,
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
