"""The sample photographs that are part of the repository: which they are, and how they are made again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from referee.decks import Game, builtin_deck
from samples.table.levels import Level
from samples.table.random_layouts import random_layout
from samples.table.render import Photo, render
from samples.table.scene import Scene, random_scene
from samples.table.surfaces import surfaces

PHOTOS = Path(__file__).resolve().parent.parent / "photos"


@dataclass(frozen=True)
class Shot:
    """One sample photograph: a table (game, fault, seed) in a scene (level, seed) with some values set.

    `scene`, `sensor` and `printing` name fields of those classes that differ from the drawn ones.
    """

    name: str
    game: Game
    fault: str | None
    table: int
    level: Level
    look: int
    surface: str
    scene: Mapping[str, Any] = field(default_factory=dict)
    sensor: Mapping[str, Any] = field(default_factory=dict)
    printing: Mapping[str, Any] = field(default_factory=dict)


_CAT, _PATHS, _BOXES = Game.CAT_AND_MOUSE, Game.COLOURED_PATHS, Game.IF_IT_FITS
_LANDSCAPE, _PORTRAIT = (2016, 1512), (1512, 2016)

SHOTS: tuple[Shot, ...] = (
    Shot("cat-route-legal-kitchen", _CAT, None, 1, "easy", 11, "light-wood"),
    Shot(
        "cat-four-players-legal-parquet", _CAT, None, 13, "everyday", 3, "wood-tiles", {"heap": "both"}, {"quality": 78}
    ),
    Shot("cat-wrong-side-tablecloth", _CAT, "wrong-side", 8, "everyday", 8, "gingham", {}, {"quality": 78}),
    Shot("cat-after-finish-cloth", _CAT, "after-finish", 8, "everyday", 21, "linen", {}, {"quality": 76}),
    Shot("cat-both-arrows-lamp-glare", _CAT, "both-arrows", 5, "hard", 5, "dark-wood", {"covers": ("pencil",)}),
    Shot("cat-gap-evening", _CAT, "gap", 10, "hard", 9, "wood-varnished-panels"),
    Shot("cat-hand-over-card", _CAT, None, 8, "everyday", 23, "flowers", {"covers": ("hand",), "heap": "none"}),
    Shot("cat-cut-off-rug", _CAT, None, 6, "everyday", 30, "rug", {"fill": 1.3}, {"quality": 78}),
    Shot("paths-legal-carpet", _PATHS, None, 9, "easy", 14, "carpet", {}, {"quality": 72}),
    Shot("paths-mismatch-marble", _PATHS, "mismatch", 10, "everyday", 15, "marble"),
    Shot("paths-shoved-shaken", _PATHS, "shoved", 6, "hard", 16, "wood-board", {}, {"motion_px": 4.0}),
    Shot("boxes-legal-planks", _BOXES, None, 5, "easy", 17, "wood-planks", {}, {"quality": 76}),
    Shot("boxes-cat-across-wall-window", _BOXES, "cat-across-wall", 15, "everyday", 18, "red-wood"),
    Shot("boxes-cat-astray-newspaper", _BOXES, "cat-astray", 8, "everyday", 19, "newspaper", {}, {"quality": 66}),
)
"""The samples; their names say what is on them."""


def staged(shot: Shot) -> Scene:
    """The scene of a shot."""
    kinds = {s.name: s for s in surfaces()}
    scene = random_scene(shot.level, shot.look, [kinds[shot.surface]])
    portrait = scene.size[0] < scene.size[1]
    changes: dict[str, Any] = {"size": _PORTRAIT if portrait else _LANDSCAPE, **shot.scene}
    return replace(
        scene,
        **changes,
        sensor=replace(scene.sensor, **shot.sensor),
        printing=replace(scene.printing, **shot.printing),
    )


def take(shot: Shot) -> Photo:
    """Render a shot."""
    deck = builtin_deck(shot.game)
    layout, fault = random_layout(shot.game, deck, shot.table, shot.fault)
    return render(layout.model_copy(update={"name": shot.name}), deck, staged(shot), shot.look, fault)


def write_all(folder: Path = PHOTOS, only: str = "") -> list[Path]:
    """Render the shots whose names contain `only` into `folder`; returns the JPEG files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for shot in SHOTS:
        if only in shot.name:
            photo = take(shot)
            path = folder / f"{shot.name}.jpg"
            path.write_bytes(photo.jpeg)
            text = json.dumps(photo.truth, ensure_ascii=False)
            path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
            written.append(path)
    return written
