"""The three levels of difficulty: between which values each draws its scenes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Range = tuple[float, float]
Level = Literal["easy", "everyday", "hard"]

LEVELS: tuple[Level, ...] = ("easy", "everyday", "hard")


@dataclass(frozen=True)
class Ranges:
    """From what each value of a `Scene` is drawn at one level. Pairs are (least, most), drawn evenly.

    Camera: `focal_eq_mm` 35-mm equivalent; `tilt` degrees from straight down; `roll` degrees either way;
    `fill` how far the outermost cards reach from the middle of the frame to its border (above 1: cut off);
    except at level hard the phone is turned so that the cards come out larger, as people do;
    `card_px` the least and most pixels of a card's side at a long side of 2000; `distortion` k1 of
    Brown-Conrady, negative is barrel; `cut` chance that part of the layout is outside the frame.
    Table: `edge` chance that the table ends inside the picture; `gloss` factor on the surface's own shine.
    Light: `kelvin`; `lights` how many lamps; `ambient` share of light from everywhere; `lamp_height_mm` and
    `lamp_away_mm`; `glare` chance that a lamp is mirrored into the lens; `shadows` how many; `shadow_depth`
    part of the lamp's light taken; `softness_mm`.
    Cards: `print_change` 0 as the picture .. 1 a poor home print; `wear` 0..1; `card_gloss` 0..1;
    `thickness_mm`; `bend_mm` height of the arch of a bent card; `bent` chance that cards are bent.
    Things: `clutter` how many; `covers` chance of something lying over a card; `heap` chance of a heap.
    Sensor: `exposure_ev` stops from what the phone metered; `protect` 1 = metered for the cards, 0 = for the
    mean, so that white cards on a dark table burn out; `white_balance` 1 = cast fully removed; `tint` green to
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
    protect: Range
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
            fill=(0.8, 0.95),
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
            protect=(0.85, 1.0),
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
            protect=(0.5, 1.0),
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
            protect=(0.2, 1.0),
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
