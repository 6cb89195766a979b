"""Everything on the table that is not the layout: the heap, things beside the cards, things over them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from referee.decks import Deck, Game
from referee.layouts import Layout
from samples.table.canvas import Canvas, Place, outline_px
from samples.table.ground import Edge
from samples.table.prints import Printer
from samples.table.scene import Scene
from samples.table.things import THINGS, covering

Doubles = npt.NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True)
class Heap:
    """The common pile: where each card lies, bottom first, and its face (None: face down)."""

    places: tuple[Place, ...]
    faces: tuple[str | None, ...]


def spread_heap(scene: Scene, layout: Layout, deck: Deck, rng: Rng) -> Heap:
    """Find room for a pile beside the layout and throw the cards down."""
    if scene.heap == "none":
        return Heap((), ())
    side = max(deck.card_mm)
    cards = np.array([[c.x, c.y] for c in layout.cards])
    count = int(rng.integers(3, 16))
    spread = side * rng.uniform(0.12, 0.45)
    keep = side * 1.45 + 2.0 * spread
    spot = _free_spot(cards, keep, side, rng)
    on_table = Counter(card.face for card in layout.cards)
    up = [f.id for f in deck.faces for _ in range(f.count - on_table[f.id])]
    rng.shuffle(up)
    places, faces = [], []
    thickness = scene.printing.thickness_mm
    for k in range(count):
        # Every card lies over the middle of the pile, so all of them overlap.
        away = np.clip(rng.normal(0, spread, 2), -1.6 * spread, 1.6 * spread)
        places.append(
            Place(
                float(spot[0] + away[0]),
                float(spot[1] + away[1]),
                float(rng.uniform(0, 360) if rng.uniform() < 0.7 else rng.choice([0, 90, 180]) + rng.normal(0, 9)),
                height_mm=thickness * k * 0.7,
                slope=(float(rng.normal(0, 0.03)), float(rng.normal(0, 0.03))),
            )
        )
        shown = scene.heap == "face-up" or (scene.heap == "both" and rng.uniform() < 0.5)
        # Only Cat and Mouse has an open heap; the other games' piles lie face down.
        shown = shown and deck.game is Game.CAT_AND_MOUSE
        faces.append(up.pop() if shown and up else None)
    return Heap(tuple(places), tuple(faces))


def _free_spot(cards: Doubles, keep: float, side: float, rng: Rng) -> Doubles:
    """A point at least `keep` mm from all cards' centres, preferably in the middle of the layout."""
    low, high = cards.min(axis=0) - 1.2 * keep, cards.max(axis=0) + 1.2 * keep
    middle = (low + high) / 2
    best, best_cost = np.asarray(high), math.inf
    for _ in range(300):
        spot = rng.uniform(low, high)
        if np.hypot(*(cards - spot).T).min() < keep:
            continue
        cost = float(np.hypot(*(spot - middle)) + rng.uniform(0, 2 * side))
        if cost < best_cost:
            best, best_cost = spot, cost
    return np.asarray(best)


def lay_heap(canvas: Canvas, heap: Heap, printer: Printer, rng: Rng) -> list[dict[str, Any]]:
    """Draw the pile; returns its face-up cards with face, corners (px) and hidden part."""
    state = rng.integers(2**32)
    shown: list[tuple[str, str, Doubles]] = []
    for k, (place, face) in enumerate(zip(heap.places, heap.faces, strict=True)):
        own = np.random.default_rng(state)
        ring = canvas.camera.project(place.to_table(np.array([[0, 0], [printer.deck.card_mm[0], 0]])))
        texels = int(float(np.linalg.norm(ring[1] - ring[0])) * 1.5)
        # All backs of a deck look alike: the same generator draws each.
        sheet = printer.back(own) if face is None else printer.card(face, texels, rng)
        name = f"heap-{k}"
        canvas.lay(sheet, place, name)
        if face is not None:
            shown.append((name, face, outline_px(canvas.camera, sheet, place)))
    return [
        {"face": face, "corners": np.round(ring, 2).tolist(), "hidden": round(canvas.hidden(name), 3)}
        for name, face, ring in shown
    ]


def lay_clutter(
    canvas: Canvas,
    scene: Scene,
    layout: Layout,
    deck: Deck,
    heap: Heap,
    edge: Edge | None,
    rng: Rng,
    within: tuple[Doubles, Doubles] | None = None,
) -> None:
    """Put the scene's things beside the cards, never over or under one, nor off the table.

    within: the corners (2,) and (2,) mm between which they lie, wherever the camera is; None: somewhere in the picture.
    """
    reach = math.hypot(*deck.card_mm) / 2
    taken = [(c.x, c.y, reach) for c in layout.cards] + [(p.x, p.y, reach) for p in heap.places]
    for name in scene.clutter:
        thing = THINGS[name](rng)
        if name == "foreign-card" and rng.uniform() < 0.5:
            beside = _beside(layout, deck, thing.size_mm, rng)
            if beside is not None and (edge is None or edge.beyond(*beside[:2]) < 0):
                thing.draw(canvas, *beside)
                taken += thing.discs(*beside)
                continue
        for _ in range(60):
            if within is None:
                row = int(rng.integers(canvas.table_x.shape[0]))
                column = int(rng.integers(canvas.table_x.shape[1]))
                x, y = float(canvas.table_x[row, column]), float(canvas.table_y[row, column])
            else:
                x, y = (float(v) for v in rng.uniform(*within))
            turn = float(rng.uniform(0, 360))
            discs = thing.discs(x, y, turn)
            off = edge is not None and any(edge.beyond(a, c) > 0 for a, c, _ in discs)
            if not off and all(math.hypot(a - b[0], c - b[1]) > r + b[2] + 2 for a, c, r in discs for b in taken):
                thing.draw(canvas, x, y, turn)
                taken += discs
                break


def _beside(layout: Layout, deck: Deck, size_mm: tuple[float, float], rng: Rng) -> tuple[float, float, float] | None:
    """A place (x, y, turn) flush with a card of the layout, where a card of another game misleads most."""
    width, height = deck.card_mm
    for _ in range(20):
        card = layout.cards[int(rng.integers(len(layout.cards)))]
        side = int(rng.integers(4))
        reach = ((height + size_mm[1]) / 2, (width + size_mm[0]) / 2)[side % 2] * rng.uniform(1.01, 1.15)
        angle = math.radians(card.turn)
        dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[side]
        x = card.x + reach * (dx * math.cos(angle) - dy * math.sin(angle))
        y = card.y + reach * (dx * math.sin(angle) + dy * math.cos(angle))
        room = (math.hypot(*size_mm) + min(width, height)) / 2
        if all(math.hypot(other.x - x, other.y - y) > room for other in layout.cards if other.id != card.id):
            return x, y, card.turn + float(rng.normal(0, 3))
    return None


def lay_covers(canvas: Canvas, scene: Scene, layout: Layout, deck: Deck, rng: Rng) -> None:
    """Lay hands, pens and the like over one card each."""
    for name in scene.covers:
        card = layout.cards[int(rng.integers(len(layout.cards)))]
        off = rng.uniform(-0.35, 0.35, 2) * deck.card_mm
        covering(name, canvas, (card.x + float(off[0]), card.y + float(off[1])), rng)
