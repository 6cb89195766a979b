"""The virtual table: a layout, a deck and a scene to one photograph with its truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from referee.decks import Deck
from referee.layouts import Layout, PlacedCard, check_layout_suits_deck
from samples.table.camera import Camera, pose
from samples.table.canvas import Canvas, Place, corners_mm, outline_px
from samples.table.clutter import lay_clutter, lay_covers, lay_heap, spread_heap
from samples.table.ground import lay_ground, table_edge
from samples.table.light import light_field
from samples.table.prints import Printer
from samples.table.scene import Scene
from samples.table.sensor import encode, expose
from samples.table.truth import polygon_inside, verdict_of

Doubles = npt.NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True)
class Photo:
    """A rendered photograph. `image`: (H, W, 3) uint8 BGR, upright, as decoded from `jpeg`; `truth`: sidecar."""

    image: npt.NDArray[np.uint8]
    truth: dict[str, Any]
    jpeg: bytes


def render(
    layout: Layout, deck: Deck, scene: Scene, seed: int, fault: str | None = None, stage: Layout | None = None
) -> Photo:
    """Photograph a layout. The same arguments give the same bytes.

    `fault` is copied into the truth. `stage`: where cards lie in any photograph of this table; the camera has all of it
    in view, and the heap and the things keep clear of it and stay where they are. Raises LayoutError when the layout
    does not suit the deck, MissingPictureError when a face of it has no picture, and ValueError when it is empty.
    """
    check_layout_suits_deck(layout, deck)
    if not layout.cards:
        raise ValueError("The layout has no cards; put at least one on the table.")
    rng = np.random.default_rng([seed, 20])
    whole = stage or layout
    heap = spread_heap(scene, whole, deck, rng)
    camera = frame(whole, deck, scene, [(p.x, p.y) for p in heap.places], rng)
    table_x, table_y = camera.table_map()
    middle = _middle(whole, deck)
    light = light_field(scene, camera, table_x, table_y, middle, rng)
    pile_corners = [place.to_table(corners_mm(deck.card_mm)) for place in heap.places]
    edge = table_edge(scene, np.vstack([_outline(whole, deck), *pile_corners]), rng)
    radiance = lay_ground(scene, table_x, table_y, light, edge, rng)
    canvas = Canvas(camera, table_x, table_y, light, radiance)

    printer = Printer(deck, scene.printing)
    if stage is None:
        lay_clutter(canvas, scene, layout, deck, heap, edge, rng)
    else:
        lay_clutter(canvas, scene, stage, deck, heap, edge, np.random.default_rng([seed, 21]), _around(stage, deck))
    pile = lay_heap(canvas, heap, printer, rng)
    placed = _lay_cards(canvas, layout, deck, scene, printer, rng)
    lay_covers(canvas, scene, layout, deck, rng)

    depth = camera.depth(table_x, table_y)
    focus = float(camera.depth(np.array([middle[0]], np.float32), np.array([middle[1]], np.float32))[0])
    picture = expose(
        canvas.radiance, depth, focus * (1 + scene.sensor.focus_error), light.mean_colour, scene.sensor, rng
    )
    jpeg = encode(picture, scene.sensor)
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    truth = _truth(layout, deck, scene, canvas, placed, fault)
    truth["heap"] = pile
    truth["seed"] = seed
    return Photo(np.asarray(image, np.uint8), truth, jpeg)


def frame(layout: Layout, deck: Deck, scene: Scene, extra: Sequence[tuple[float, float]], rng: Rng) -> Camera:
    """Aim the phone so that the cards (and `extra` points, mm) reach `scene.fill` of the frame.

    The distance is then corrected so that the cards' sides stay within `scene.card_px`.
    """
    points = _outline(layout, deck)
    if extra:
        points = np.vstack([points, np.asarray(extra)])
    target = points.min(axis=0) / 2 + points.max(axis=0) / 2
    target = target + rng.uniform(-0.5, 0.5, 2) * max(0.0, 0.85 - scene.fill) * np.ptp(points, axis=0)
    scale = max(scene.size) / 2000

    def aimed(distance: float, azimuth: float) -> Camera:
        return pose(
            scene.size,
            scene.focal_eq_mm,
            scene.distortion,
            (float(target[0]), float(target[1])),
            distance,
            scene.tilt,
            azimuth,
            scene.roll,
        )

    def reach(camera: Camera) -> float:
        half = np.array(scene.size) / 2
        return float(np.abs((camera.project(points) - half) / half).max())

    def fitted(azimuth: float) -> tuple[float, float]:
        """The distance at which the cards fill the frame, and their size in pixels then."""
        near, far = 60.0 + float(np.ptp(points, axis=0).max()) * 0.35, 20_000.0
        for _ in range(40):
            halfway = math.sqrt(near * far)
            near, far = (halfway, far) if reach(aimed(halfway, azimuth)) > scene.fill else (near, halfway)
        return far, _card_side(aimed(far, azimuth), layout, deck)

    turns = (scene.azimuth,) if scene.level == "hard" else (scene.azimuth, scene.azimuth + 90)
    azimuth = max(turns, key=lambda turn: fitted(turn)[1])
    distance, side = fitted(azimuth)
    low, high = scene.card_px[0] * scale, scene.card_px[1] * scale
    if side > high:
        distance *= side / high
    elif side < low:
        # Small cards in a wide layout: come as near as the frame allows, it is the layout that is too wide.
        distance *= max(side / low, 0.97 if scene.fill > 0.9 else scene.fill / 0.95)
    return aimed(distance, azimuth)


def _card_side(camera: Camera, layout: Layout, deck: Deck) -> float:
    """Median length in pixels of the cards' shorter sides."""
    sides = []
    for card in layout.cards:
        ring = camera.project(_ring(card, deck))
        sides.append(min(np.linalg.norm(ring[k] - ring[k - 1]) for k in range(4)))
    return float(np.median(sides))


def _ring(card: PlacedCard, deck: Deck) -> Doubles:
    return Place(card.x, card.y, card.turn).to_table(corners_mm(deck.card_mm))


def _outline(layout: Layout, deck: Deck) -> Doubles:
    return np.vstack([_ring(card, deck) for card in layout.cards])


def _around(layout: Layout, deck: Deck) -> tuple[Doubles, Doubles]:
    """Where things may lie about a layout: its corners (2,) and (2,) mm with two cards around."""
    points, rim = _outline(layout, deck), 2.0 * max(deck.card_mm)
    return points.min(axis=0) - rim, points.max(axis=0) + rim


def _middle(layout: Layout, deck: Deck) -> tuple[float, float]:
    points = _outline(layout, deck)
    x, y = (points.min(axis=0) + points.max(axis=0)) / 2
    return float(x), float(y)


@dataclass(frozen=True)
class _Placed:
    card: PlacedCard
    corners: Doubles


def _lay_cards(canvas: Canvas, layout: Layout, deck: Deck, scene: Scene, printer: Printer, rng: Rng) -> list[_Placed]:
    thickness = scene.printing.thickness_mm
    order = sorted(range(len(layout.cards)), key=lambda k: layout.cards[k].z or 0.0)
    placed: dict[int, _Placed] = {}
    for index in order:
        card = layout.cards[index]
        z = card.z or 0.0
        bent = scene.printing.bend_mm * float(rng.normal(0, 0.7)) if scene.printing.bend_mm else 0.0
        place = Place(
            card.x,
            card.y,
            card.turn,
            height_mm=z * thickness * 1.1,
            slope=(float(rng.normal(0, 0.012)), float(rng.normal(0, 0.012))),
            bend_mm=float(np.clip(bent, -4, 4)),
            bend_axis=int(rng.integers(2)),
        )
        ring = canvas.camera.project(_ring(card, deck))
        texels = max(float(np.linalg.norm(ring[k] - ring[k - 1])) for k in range(4)) * 1.5
        sheet = printer.card(card.face, int(texels), rng)
        canvas.lay(sheet, place, card.id)
        placed[index] = _Placed(card, outline_px(canvas.camera, sheet, place))
    return [placed[k] for k in range(len(layout.cards))]


def _truth(
    layout: Layout, deck: Deck, scene: Scene, canvas: Canvas, placed: list[_Placed], fault: str | None
) -> dict[str, Any]:
    width, height = scene.size
    cards = []
    for entry in placed:
        cards.append(
            {
                "id": entry.card.id,
                "face": entry.card.face,
                "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in entry.corners],
                "turn": entry.card.turn,
                "hidden": round(canvas.hidden(entry.card.id), 3),
                "cut": round(1 - polygon_inside(entry.corners, (width, height)), 3),
            }
        )
    outcome, verdict = verdict_of(layout, deck)
    return {
        "game": deck.game.value,
        "deck": deck.folder.name if deck.folder else deck.name,
        "level": scene.level,
        "fault": fault,
        "size": [width, height],
        "cards": cards,
        "outcome": outcome,
        "verdict": verdict,
        "layout": layout.to_dict(),
        "surface": scene.surface.name,
        "covers": list(scene.covers),
    }
