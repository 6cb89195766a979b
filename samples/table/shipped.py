"""The sample photographs that are part of the repository: which they are, and how they are made again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from referee.decks import Game, builtin_deck
from samples.table.random_layouts import random_layout
from samples.table.render import Photo, render
from samples.table.scene import Level, Print, Scene, Sensor, Shadow, random_scene
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
    Shot("cat-route-legal-kitchen", _CAT, None, 4, "easy", 11, "light-wood"),
    Shot("cat-four-players-legal-parquet", _CAT, None, 12, "everyday", 3, "wood-tiles"),
    Shot("cat-wrong-side-tablecloth", _CAT, "wrong-side", 5, "everyday", 8, "gingham"),
    Shot("cat-after-finish-blue-cloth", _CAT, "after-finish", 7, "everyday", 21, "linen"),
    Shot("cat-both-arrows-evening", _CAT, "both-arrows", 3, "hard", 5, "dark-wood"),
    Shot("cat-gap-lamp-glare", _CAT, "gap", 6, "hard", 9, "wood-varnished-panels"),
    Shot("cat-route-hand-over-card", _CAT, None, 8, "everyday", 13, "flowers"),
    Shot("paths-legal-carpet", _PATHS, None, 4, "easy", 14, "carpet"),
    Shot("paths-mismatch-marble", _PATHS, "mismatch", 5, "everyday", 15, "marble"),
    Shot("paths-shoved-shaken", _PATHS, "shoved", 6, "hard", 16, "wood-board"),
    Shot("boxes-legal-planks", _BOXES, None, 7, "easy", 17, "wood-planks"),
    Shot("boxes-cat-across-wall-window", _BOXES, "cat-across-wall", 8, "everyday", 18, "red-wood"),
    Shot("boxes-cat-astray-newspaper", _BOXES, "cat-astray", 9, "everyday", 19, "newspaper"),
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
    """Render a shot; the truth names it instead of seeds and the covered layout."""
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


__all__ = ["PHOTOS", "SHOTS", "Print", "Sensor", "Shadow", "Shot", "staged", "take", "write_all"]
