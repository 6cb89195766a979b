"""One picture for each stage of the journey from pixels to verdict, for whoever looks for a mistake.

1 search: where features of the deck's art vote for cards. 2 verified: the seeds that proved to be cards, before the
plane. 3 above: the table seen from straight above, with the final outlines. 4 cards: each rectified card beside the
face it was read as, with margin and runner-up. 5 table: the layout that was judged, in millimetres. 6 verdict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from referee import drawing
from referee.annotate import annotate
from referee.drawing import Doubles, Pixels
from referee.errors import InputError
from referee.layouts import id_order
from referee.pipeline import CheckedPhoto
from referee.vision.align import Pyramid
from referee.vision.facebank import face_bank
from referee.vision.first_cards import features_at
from referee.vision.plane import view_from_above
from referee.vision.read import aligner_for
from referee.vision.seeds import SEARCH_SIDE, feature_bank, seeds
from referee.vision.verify import IS_CARD, Detections, verify

CARD = 150
"""Short side in pixels of a card on the contact sheet."""
COLUMNS = 5
PIXELS_A_MM = 2.0
GRID_MM = 50.0


def debug_pictures(checked: CheckedPhoto) -> Iterator[tuple[str, Pixels]]:
    """(name, picture (H, W, 3) uint8 BGR) of each stage; those that a photo without cards has not are left out."""
    pyramid = Pyramid.of(checked.photo.pixels)
    aligner = aligner_for(checked.deck)
    votes = features_at(pyramid, SEARCH_SIDE).votes(feature_bank(aligner.bank))
    found = seeds(votes, aligner.bank.aspect)
    scale = min(1.0, SEARCH_SIDE / max(pyramid.size))
    yield "1-search", _search(pyramid, scale, votes.point, found)
    yield "2-verified", _verified(pyramid, scale, verify(pyramid, aligner, found))
    if checked.view.plane is not None:
        yield "3-above", _above(checked, pyramid)
    if checked.cards:
        yield "4-cards", _contact_sheet(checked, pyramid)
        yield "5-table", _table(checked)
    yield "6-verdict", annotate(checked)


def write_debug(checked: CheckedPhoto, folder: Path) -> None:
    """Write the pictures into a folder, which is made if need be. Raises InputError if it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, picture in debug_pictures(checked):
            (folder / f"{name}.jpg").write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
    except OSError as error:
        raise InputError(
            "cannot-write", f"{folder}: the pictures cannot be written there ({error.strerror}). Name another folder."
        ) from None


def _shrunk(pyramid: Pyramid, scale: float) -> Pixels:
    size = (round(pyramid.size[0] * scale), round(pyramid.size[1] * scale))
    return np.asarray(cv2.resize(pyramid.levels[0], size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _search(pyramid: Pyramid, scale: float, points: Doubles, found: Doubles) -> Pixels:
    canvas = _shrunk(pyramid, scale)
    for x, y in points * scale:
        cv2.circle(canvas, (round(x), round(y)), 2, drawing.ORANGE, -1, cv2.LINE_AA)
    for quad in found * scale:
        drawing.polyline(canvas, quad, drawing.SKY, 1, closed=True)
    return canvas


def _verified(pyramid: Pyramid, scale: float, cards: Detections) -> Pixels:
    """Thick, with its score: good enough for a card; thin: not."""
    canvas = _shrunk(pyramid, scale)
    order = np.argsort(cards.score)
    for quad, score in zip(cards.corners[order] * scale, cards.score[order], strict=True):
        if score >= IS_CARD:
            drawing.outline(canvas, quad, drawing.GREEN, 2)
            drawing.label(canvas, f"{score:.2f}", quad.mean(axis=0), 13)
        else:
            drawing.polyline(canvas, quad, drawing.ORANGE, 1, closed=True)
    return canvas


def _above(checked: CheckedPhoto, pyramid: Pyramid) -> Pixels:
    plane = checked.view.plane
    if plane is None:
        raise ValueError("a photograph without a plane cannot be seen from above")
    canvas, affine = view_from_above(plane, pyramid, 96.0)
    canvas = canvas.copy()
    for quads, colour in (
        ([card.corners for card in checked.cards], drawing.GREEN),
        ([suspect.corners for suspect in checked.view.suspects], drawing.YELLOW),
    ):
        for quad in quads:
            flat = (plane.table(quad) - affine[:, 2]) / affine[[0, 1], [0, 1]]
            drawing.outline(canvas, flat, colour, 2)
    for card in checked.cards:
        middle = (plane.table(card.corners).mean(axis=0) - affine[:, 2]) / affine[[0, 1], [0, 1]]
        drawing.label(canvas, card.id, middle, 16)
    return canvas


def _contact_sheet(checked: CheckedPhoto, pyramid: Pyramid) -> Pixels:
    """Rectified card, its face, and below them what it was read as."""
    bank = face_bank(checked.deck)
    width, height, line = CARD, round(CARD * bank.aspect), 20
    cell = (2 * width + 14, height + 3 * line + 10)
    rows = math.ceil(len(checked.cards) / COLUMNS)
    canvas = np.full((rows * cell[1], COLUMNS * cell[0], 3), 255, np.uint8)
    cards = sorted(checked.cards, key=lambda card: id_order(card.id))
    patches = pyramid.cut(np.stack([card.corners for card in cards]), (width, height))
    for n, (card, patch) in enumerate(zip(cards, patches, strict=True)):
        left, top = n % COLUMNS * cell[0] + 4, n // COLUMNS * cell[1] + 4
        face = bank.sources[bank.face_ids.index(card.face)]
        canvas[top : top + height, left : left + width] = np.clip(patch, 0, 255)
        canvas[top : top + height, left + width + 4 : left + 2 * width + 4] = cv2.resize(
            face, (width, height), interpolation=cv2.INTER_AREA
        )
        lines = (
            f"{card.id}: {card.face}  {card.confidence:.2f}",
            f"margin {card.margin:.2f} to {card.runner_up or 'none'}",
        )
        for row, words in enumerate(lines):
            drawing.write(canvas, words, np.array([left, top + height + (row + 0.9) * line]), 0.75 * line)
    return canvas


def _table(checked: CheckedPhoto) -> Pixels:
    """The judged layout as faces on a grid of millimetres, up as in the photograph."""
    bank = face_bank(checked.deck)
    card_width, card_height = checked.deck.card_mm
    places = np.array([[card.x, card.y] for card in checked.layout.cards])
    low = np.floor((places.min(axis=0) - card_height) / GRID_MM) * GRID_MM
    high = np.ceil((places.max(axis=0) + card_height) / GRID_MM) * GRID_MM
    size = np.ceil((high - low) * PIXELS_A_MM).astype(int)
    canvas = np.full((size[1], size[0], 3), 245, np.uint8)
    for axis in (0, 1):
        for step in np.arange(low[axis], high[axis], GRID_MM):
            ends = np.zeros((2, 2))
            ends[:, axis] = (step - low[axis]) * PIXELS_A_MM
            ends[1, 1 - axis] = size[1 - axis]
            drawing.polyline(canvas, ends, (205, 205, 205), 1)
            mark = ends[0] + np.array([3.0, 13.0])
            drawing.write(canvas, f"{step:.0f}", mark, 11, (120, 120, 120))
    half = np.array([card_width, card_height]) / 2
    rim = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * half
    on_top = dict(zip(bank.face_ids, bank.lies_on_others, strict=True))
    for card in sorted(checked.layout.cards, key=lambda card: bool(on_top[card.face])):  # cats over their boxes
        turn = np.deg2rad(card.turn)
        cos, sin = np.cos(turn), np.sin(turn)
        spots = rim @ np.array([[cos, sin], [-sin, cos]]) + [card.x, card.y]
        quad = (spots - low) * PIXELS_A_MM
        face = bank.sources[bank.face_ids.index(card.face)]
        corners = np.array([[0, 0], [face.shape[1], 0], [face.shape[1], face.shape[0]], [0, face.shape[0]]])
        place = cv2.getPerspectiveTransform(corners.astype(np.float32), quad.astype(np.float32))
        area = (int(size[0]), int(size[1]))
        shown = cv2.warpPerspective(face, place, area, flags=cv2.INTER_AREA)
        inside = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), place, area) > 127
        canvas[inside] = shown[inside]
        drawing.polyline(canvas, quad, drawing.BLACK, 1, closed=True)
        drawing.label(canvas, f"{card.id} {card.face} {card.turn:.0f}°", quad.mean(axis=0), 12)
    return canvas
