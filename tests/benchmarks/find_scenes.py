"""Photographs of tables with cards of any make, and without, for measuring `find`, with the cards' true corners."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.table.camera import Camera, pose
from samples.table.canvas import Canvas, Place, Sheet, corners_mm, outline_px
from samples.table.ground import lay_ground, table_edge
from samples.table.levels import LEVELS
from samples.table.light import light_field
from samples.table.patterns import linear
from samples.table.scene import Scene, random_scene
from samples.table.sensor import encode, expose
from samples.table.surfaces import Surface, surfaces
from samples.table.things import THINGS, Thing, covering
from samples.table.truth import polygon_inside
from tests.benchmarks.find_decks import MAKES, Cards, Pixels, Rng, half
from tests.benchmarks.find_papers import keyboard, open_book, screen, sheet_of_paper, slab, window

Doubles = NDArray[np.float64]
SEEN, CUT = 0.06, 0.06
"""Share of a card that may be hidden, and that may be beyond the picture; more, and it counts neither way."""
SIZES = ((1400, 1050), (1050, 1400), (1280, 960), (1600, 900), (1000, 750))
CLOTHS = (
    "gingham",
    "tartan",
    "flowers",
    "dots",
    "linen",
    "rug",
    "play_mat",
    "newspaper",
    "tiles",
    "blackAndWhiteTiles",
)
"""Table tops with a pattern that may be taken for things on them."""


@dataclass(frozen=True)
class Kind:
    """A kind of photograph. laid: how cards lie, or what else does; makes: of which make the cards are."""

    laid: str
    makes: tuple[str, ...] = ()
    light: str = ""
    things: int = 0

    @property
    def empty(self) -> bool:
        return not self.makes


ALL = ("set", "photo", "tiles", "symbols", "ours", "set")
KINDS = {
    "touching tiles": Kind("touching", ("tiles", "square-photo", "tiles")),
    "touching cards": Kind("touching", ("set", "oblong-photo", "ours", "symbols")),
    "nearly touching": Kind("nearly", ALL),
    "in rows": Kind("rows", ALL),
    "scattered": Kind("scattered", ALL),
    "over each other": Kind("over", ALL),
    "partly out of the picture": Kind("cut", ALL),
    "one or two": Kind("few", ALL),
    "on patterned cloth": Kind("any", ALL, "cloth"),
    "tilted 40 to 55 degrees": Kind("any", ALL, "tilted"),
    "lamp glare": Kind("any", ALL, "glare"),
    "with things and hands": Kind("any", ALL, things=4),
    "no cards: one sheet of paper": Kind("paper"),
    "no cards: sheets, books": Kind("papers"),
    "no cards: desk": Kind("desk"),
    "no cards: slabs, boards, windows": Kind("slab"),
    "no cards: bare table": Kind("bare"),
    "no cards: bare patterned cloth": Kind("bare", (), "cloth"),
}
PHOTOS = "no cards: photographs of anything"


@dataclass(frozen=True)
class Shot:
    """A photograph. image: (H, W, 3) uint8 BGR; size_mm: of the cards to look for; cards: the corners (N, 4, 2) px of
    those that must be found; ignored: of those that need not be; note: what it shows.
    """

    image: Pixels
    size_mm: tuple[float, float]
    cards: list[Doubles]
    ignored: list[Doubles]
    note: str


def shot(kind: Kind, split: str, seed: int, art: Path, folders: Sequence[Path]) -> Shot:
    """Take a photograph of a kind; one seed, one photograph.

    split: `tune` or `held-back`, which halves of makes and table tops to use; art: the folder of `find_art`; folders:
    of photographed table tops.
    """
    rng = np.random.default_rng([seed, 31])
    scene = _scene(kind, split, seed, folders, rng)
    if kind.empty:
        return _without_cards(kind, scene, rng)
    cards = MAKES[kind.makes[seed % len(kind.makes)]](art, split, rng)
    laid = kind.laid if kind.laid != "any" else ("touching", "nearly", "rows", "scattered", "few")[seed // 2 % 5]
    places = _places(laid, cards, rng)
    ring = np.concatenate([place.to_table(corners_mm(cards.size_mm)) for place in places])
    camera = _aimed(scene, ring, float(rng.uniform(1.04, 1.25)) if laid == "cut" else scene.fill)
    canvas = _table(scene, camera, ring, rng)
    middle = (ring.min(axis=0) + ring.max(axis=0)) / 2
    _things_beside(canvas, ring, kind.things, rng)
    gloss = float(rng.uniform(0.1, 0.6)) if kind.light == "glare" else float(rng.uniform(0, 0.25))
    corners = []
    for i, place in enumerate(places):
        face = cards.faces[rng.integers(len(cards.faces))]
        colour = linear(face.astype(np.float32) / 255) * np.float32(0.87) + np.float32(0.015)
        sheet = Sheet(
            np.asarray(colour, np.float32),
            cards.size_mm,
            cards.corner_mm,
            thickness_mm=cards.thickness_mm,
            gloss=gloss,
            side=0.7,
        )
        canvas.lay(sheet, place, f"card-{i}")
        corners.append(outline_px(camera, sheet, place))
    if kind.things and rng.random() < 0.5:
        spot = ring[rng.integers(len(ring))] + rng.normal(0, 10, 2)
        covering(str(rng.choice(["hand", "finger", "pen"])), canvas, (float(spot[0]), float(spot[1])), rng)
    image = _exposed(canvas, scene, middle, rng)
    hidden = [canvas.hidden(f"card-{i}") for i in range(len(places))]
    seen = [
        covered < SEEN and 1 - polygon_inside(quad, scene.size) < CUT
        for covered, quad in zip(hidden, corners, strict=True)
    ]
    must = [quad for quad, good in zip(corners, seen, strict=True) if good]
    may = [quad for quad, good in zip(corners, seen, strict=True) if not good]
    return Shot(image, cards.size_mm, must, may, f"{cards.name} on {scene.surface.name}, {laid}")


def photographs(split: str, art: Path) -> list[tuple[Path, tuple[float, float]]]:
    """Photographs of anything but cards, and the size of the cards to look for in each."""
    sizes = ((60.0, 60.0), (63.0, 88.0))
    return [(path, sizes[i % 2]) for i, path in enumerate(half(list((art / "photos").glob("*.jpg")), split))]


def _scene(kind: Kind, split: str, seed: int, folders: Sequence[Path], rng: Rng) -> Scene:
    choice: tuple[Surface, ...] = surfaces("tune" if split == "tune" else "held-back", folders)
    if kind.light == "cloth":
        both = surfaces("all", folders)
        choice = tuple(
            s for i, s in enumerate(s for s in both if s.name in CLOTHS) if (i % 2 == 0) == (split == "tune")
        )
    level = ("easy", "everyday", "hard", "everyday")[seed % 4]
    assert level in LEVELS
    scene = random_scene(level, seed, choice)
    scene = replace(
        scene, size=SIZES[rng.integers(len(SIZES))], clutter=(), covers=(), heap="none", distortion=(0,) * 4
    )
    if kind.light == "tilted":
        scene = replace(scene, tilt=float(rng.uniform(40, 55)))
    if kind.light == "glare":
        scene = replace(random_scene("hard", seed, choice), size=scene.size, tilt=float(rng.uniform(5, 35)))
        lamps = tuple(replace(light, share=max(light.share, 0.6)) for light in scene.lights)
        scene = replace(
            scene, lights=lamps, ambient=0.35, table_gloss=float(rng.uniform(0.15, 0.5)), distortion=(0,) * 4
        )
    if kind.laid == "few":
        scene = replace(scene, fill=float(rng.uniform(0.3, 0.8)))
    return scene


def _places(laid: str, cards: Cards, rng: Rng) -> list[Place]:
    """Where cards lie, millimetres."""
    width, height = cards.size_mm
    square = abs(width / height - 1) < 0.02
    if laid in {"touching", "nearly"}:
        gap = float(rng.choice([0, 0.3, 0.8])) if laid == "touching" else float(rng.uniform(1, 6))
        loose = float(rng.choice([0.05, 0.3])) if laid == "touching" else float(rng.uniform(0.2, 1.2))
        turns = 4 if square else 2
        return [
            Place(
                x * (width + gap) + float(rng.normal(0, loose)),
                y * (height + gap) + float(rng.normal(0, loose)),
                float(rng.integers(turns)) * 360 / turns + float(rng.normal(0, 0.7 * loose)),
            )
            for x, y in _cells(rng, int(rng.integers(4, 24)))
        ]
    if laid in {"rows", "cut"}:
        columns, rows = int(rng.integers(2, 6)), int(rng.integers(1, 4))
        gap, slack = float(rng.uniform(5, 25)), float(rng.choice([1, 3, 8]))
        return [
            Place(x * (width + gap), y * (height + gap), float(rng.normal(0, slack)))
            for x in range(columns)
            for y in range(rows)
            if rng.random() < 0.9 or x + y == 0
        ]
    if laid == "over":
        places = []
        for fan in range(int(rng.integers(1, 4))):
            turn, step = float(rng.uniform(0, 360)), float(rng.uniform(0.2, 0.7)) * width
            for k in range(int(rng.integers(2, 5))):
                angle = math.radians(turn)
                x, y = fan * 2.4 * height + k * step * math.cos(angle), k * step * math.sin(angle)
                places.append(Place(x, y, turn + float(rng.normal(0, 6)) + 4 * k, 0.4 * k))
        return places
    count = int(rng.integers(1, 3)) if laid == "few" else int(rng.integers(3, 13))
    return _apart(count, math.hypot(width, height), rng)


def _cells(rng: Rng, count: int) -> list[tuple[int, int]]:
    """Cells of a grid that hang together."""
    cells = [(0, 0)]
    while len(cells) < count:
        x, y = cells[rng.integers(len(cells))]
        step = ((1, 0), (-1, 0), (0, 1), (0, -1))[rng.integers(4)]
        if (x + step[0], y + step[1]) not in cells:
            cells.append((x + step[0], y + step[1]))
    return cells


def _apart(count: int, reach: float, rng: Rng) -> list[Place]:
    """Places turned at will, no two nearer than cards of this diagonal may lie."""
    room = 0.75 * reach * math.sqrt(count)
    places: list[Place] = []
    while len(places) < count:
        x, y = (float(v) for v in rng.uniform(-room, room, 2))
        if all(math.hypot(x - p.x, y - p.y) > 1.02 * reach for p in places):
            places.append(Place(x, y, float(rng.uniform(0, 360))))
        room *= 1.01
    return places


def _aimed(scene: Scene, points: Doubles, fill: float) -> Camera:
    """The camera that looks at these points (N, 2) mm from so far that they reach `fill` of the frame."""
    target = (points.min(axis=0) + points.max(axis=0)) / 2
    near, far = 80.0 + 0.35 * float(np.ptp(points, axis=0).max()), 20_000.0

    def at(distance: float) -> Camera:
        place = (float(target[0]), float(target[1]))
        lens = (scene.size, scene.focal_eq_mm, scene.distortion)
        return pose(*lens, place, distance, scene.tilt, scene.azimuth, scene.roll)

    for _ in range(30):
        between = math.sqrt(near * far)
        frame = np.array(scene.size) / 2
        reached = float(np.abs((at(between).project(points) - frame) / frame).max())
        near, far = (between, far) if reached > fill else (near, between)
    return at(max(far, 150.0))


def _table(scene: Scene, camera: Camera, kept: Doubles, rng: Rng) -> Canvas:
    table_x, table_y = camera.table_map()
    middle = (kept.min(axis=0) + kept.max(axis=0)) / 2
    light = light_field(scene, camera, table_x, table_y, (float(middle[0]), float(middle[1])), rng)
    edge = table_edge(scene, kept, rng)
    return Canvas(camera, table_x, table_y, light, lay_ground(scene, table_x, table_y, light, edge, rng))


def _exposed(canvas: Canvas, scene: Scene, middle: Doubles, rng: Rng) -> Pixels:
    depth = canvas.camera.depth(canvas.table_x, canvas.table_y)
    spot = (np.array([v], np.float32) for v in middle)
    focus = float(canvas.camera.depth(*spot)[0])
    sensor = replace(scene.sensor, orientation=1)
    picture = expose(canvas.radiance, depth, focus * (1 + sensor.focus_error), canvas.light.mean_colour, sensor, rng)
    decoded = cv2.imdecode(np.frombuffer(encode(picture, sensor), np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(decoded, np.uint8)


def _things_beside(canvas: Canvas, ring: Doubles, count: int, rng: Rng) -> None:
    """Things around the cards, beside none."""
    low, high = ring.min(axis=0), ring.max(axis=0)
    for name in rng.choice(sorted(set(THINGS) - {"foreign-card", "paper", "note"}), count):
        thing = THINGS[str(name)](rng)
        reach = math.hypot(*thing.size_mm) / 2
        for _ in range(30):
            x, y = rng.uniform(low - 1.2 * reach, high + 1.2 * reach)
            if np.hypot(*(ring - [x, y]).T).min() > 1.1 * reach + 0.5 * np.hypot(*(ring[1] - ring[0])):
                thing.draw(canvas, float(x), float(y), float(rng.uniform(0, 360)))
                break


def _without_cards(kind: Kind, scene: Scene, rng: Rng) -> Shot:
    things = _no_cards(kind.laid, rng)
    reach = max([math.hypot(*thing.size_mm) / 2 for thing in things] or [150.0])
    spots: list[tuple[float, float]] = []
    room = reach * (0.3 if len(things) < 2 else 1.0)
    while len(spots) < len(things):
        x, y = (float(v) for v in rng.uniform(-room, room, 2))
        if all(math.hypot(x - a, y - b) > 1.2 * reach for a, b in spots):
            spots.append((x, y))
        room *= 1.02
    frame = max(room, 0.6 * reach) + 0.4 * reach
    ring = np.array([[-frame, -frame], [frame, -frame], [frame, frame], [-frame, frame]])
    camera = _aimed(scene, ring, float(rng.uniform(0.8, 1.2)))
    canvas = _table(scene, camera, ring, rng)
    for thing, (x, y) in zip(things, spots, strict=True):
        thing.draw(canvas, x, y, float(rng.uniform(0, 360)) if rng.random() < 0.5 else float(rng.normal(0, 5)))
    image = _exposed(canvas, scene, np.zeros(2), rng)
    size = ((60.0, 60.0), (63.0, 88.0), (57.0, 88.0), (50.0, 100.0), (63.0, 88.0))[rng.integers(5)]
    return Shot(image, size, [], [], f"{kind.laid} on {scene.surface.name}")


def _no_cards(laid: str, rng: Rng) -> list[Thing]:
    if laid == "paper":
        return [sheet_of_paper(rng)]
    if laid == "papers":
        if rng.random() < 0.3:
            return [open_book(rng)]
        size = ((210.0, 297.0), (148.0, 210.0), (105.0, 148.0), (90.0, 90.0))[rng.integers(4)]
        return [sheet_of_paper(rng, size) for _ in range(int(rng.integers(2, 5)))]
    if laid == "desk":
        makers: list[Callable[[Rng], Thing]] = [sheet_of_paper, keyboard, screen, slab, open_book]
        makers += [
            THINGS[name] for name in ("phone", "book", "pen", "cup", "glasses", "note", "plate", "brick", "coin")
        ]
        return [makers[i](rng) for i in rng.choice(len(makers), int(rng.integers(2, 6)), replace=False)]
    if laid == "slab":
        return [(slab, slab, window)[rng.integers(3)](rng)]
    return []
