"""What lies on tables and is no card: sheets of paper with and without writing, books, keyboards, screens, slabs."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.table.canvas import Sheet
from samples.table.patterns import hsv, linear
from samples.table.things import Thing

Pixels = NDArray[np.uint8]
Rng = np.random.Generator
PER_MM = 4
PAPERS = ((210.0, 297.0), (148.0, 210.0), (216.0, 279.0), (80.0, 190.0), (105.0, 148.0), (90.0, 90.0))
"""Millimetres: A4, A5, letter, receipt, A6, note."""
INK = (40, 40, 40)


def sheet_of_paper(rng: Rng, size: tuple[float, float] | None = None) -> Thing:
    """Blank, printed, lined, squared, written by hand, a form, a page of a newspaper, or with a picture."""
    width, height = PAPERS[rng.integers(len(PAPERS))] if size is None else size
    page = np.full((int(height * PER_MM), int(width * PER_MM), 3), 255, np.uint8)
    page[:] = ((255, 255, 255), (240, 246, 250), (225, 240, 248))[rng.integers(3)]
    WRITINGS[rng.integers(len(WRITINGS))](page, rng)
    return _thing(page, (width, height), 0.2, 0.12)


def open_book(rng: Rng) -> Thing:
    """Two printed pages side by side, darker where they meet."""
    width, height = ((260.0, 180.0), (300.0, 210.0), (220.0, 160.0))[rng.integers(3)]
    page = np.full((int(height * PER_MM), int(width * PER_MM), 3), (232, 244, 250), np.uint8)
    middle = page.shape[1] // 2
    for part in (page[:, :middle], page[:, middle:]):
        (_printed, _with_picture)[rng.integers(2)](part, rng)
    across = np.abs(np.arange(page.shape[1]) - middle) / (0.12 * middle)
    page = (page * (1 - 0.5 * np.exp(-across))[None, :, None]).astype(np.uint8)
    return _thing(page, (width, height), 1.0, 6.0)


def keyboard(rng: Rng) -> Thing:
    """Rows of keys."""
    width, height = 430, 130
    dark = rng.random() < 0.6
    board = np.full((height * 3, width * 3, 3), 40 if dark else 205, np.uint8)
    for row in range(6):
        for column in range(21):
            x, y = 24 + column * 57 + (row % 2) * 19, 18 + row * 60
            cv2.rectangle(board, (x, y), (x + 48, y + 48), (62,) * 3 if dark else (242,) * 3, -1)
            cv2.putText(board, chr(65 + rng.integers(26)), (x + 10, y + 30), 0, 0.7, (205,) * 3 if dark else INK, 1)
    return _thing(board, (width, height), 6.0, 8.0)


def screen(rng: Rng) -> Thing:
    """A tablet or a laptop's screen with windows on it."""
    width, height = ((300.0, 190.0), (240.0, 170.0))[rng.integers(2)]
    page = np.full((int(height * 3), int(width * 3), 3), 28, np.uint8)
    page[20:-20, 20:-20] = rng.integers(60, 255, 3)
    for _ in range(int(rng.integers(1, 5))):
        x, y = rng.integers(30, page.shape[1] - 260), rng.integers(30, page.shape[0] - 200)
        w, h = rng.integers(100, 230), rng.integers(80, 170)
        page[y : y + h, x : x + w] = 250
        page[y : y + 14, x : x + w] = (120, 90, 60)
    return _thing(page, (width, height), 6.0, 5.0)


def slab(rng: Rng) -> Thing:
    """One plain rectangle: a notebook, a box, a wallet, a phone lying face down."""
    sizes = ((150.0, 210.0), (110.0, 170.0), (70.0, 105.0), (170.0, 240.0), (100.0, 100.0), (180.0, 250.0))
    width, height = sizes[rng.integers(len(sizes))]
    colour = np.empty((int(height * 2), int(width * 2), 3), np.float32)
    colour[:] = hsv(rng.uniform(), rng.uniform(0, 0.8), rng.uniform(0.03, 0.9))
    corner, thick = float(rng.choice([0.3, 5, 8])), float(rng.choice([0.5, 6]))
    return Thing(((Sheet(colour, (width, height), corner, thickness_mm=thick, side=0.5), 0.0),))


def window(rng: Rng) -> Thing:
    """Panes in a frame, or the squares of a board for chess."""
    count = int(rng.integers(2, 9))
    pane, bar = 400 // count, int(rng.integers(2, 26))
    light, dark = hsv(rng.uniform(), 0.4, rng.uniform(0.4, 0.9)), hsv(rng.uniform(), 0.5, rng.uniform(0.05, 0.4))
    page = np.empty((count * pane + bar, count * pane + bar, 3), np.float32)
    page[:] = light
    chess = count > 4 and rng.random() < 0.7
    for row in range(count):
        for column in range(count):
            if chess and (row + column) % 2:
                continue
            y, x = row * pane, column * pane
            page[y + (0 if chess else bar) : y + pane, x + (0 if chess else bar) : x + pane] = dark
    return Thing(((Sheet(page, (300.0, 300.0), 0.5, thickness_mm=4.0, side=0.5), 0.0),))


def _thing(page: Pixels, size: tuple[float, float], corner: float, thick: float) -> Thing:
    colour = (linear(page.astype(np.float32) / 255) * np.float32(0.88)).astype(np.float32)
    return Thing(((Sheet(colour, size, corner, thickness_mm=thick, side=0.8), 0.0),))


def _margin(page: Pixels, rng: Rng) -> int:
    return int(min(page.shape[:2]) * rng.uniform(0.06, 0.12))


def _text(page: Pixels, top: int, low: int, left: int, right: int, rng: Rng) -> None:
    """Lines of words of dark ink."""
    y = top
    while y < low:
        x, end = left, right - int((rng.random() < 0.2) * rng.integers(max(1, (right - left) // 2)))
        while x < end and rng.random() > 0.004:
            word = int(rng.uniform(2, 12) * PER_MM)
            cv2.rectangle(page, (x, y), (min(x + word, end), y + int(1.6 * PER_MM)), (70, 70, 70), -1)
            x += word + PER_MM
        y += int(4.4 * PER_MM)


def _printed(page: Pixels, rng: Rng) -> None:
    edge = _margin(page, rng)
    height, width = page.shape[:2]
    if rng.random() < 0.6:
        cv2.rectangle(page, (edge, edge), (width - edge - int(rng.integers(width // 2)), edge + 5 * PER_MM), INK, -1)
    _text(page, edge + 10 * PER_MM, height - edge, edge, width - edge, rng)


def _blank(page: Pixels, rng: Rng) -> None:
    del page, rng


def _form(page: Pixels, rng: Rng) -> None:
    _printed(page, rng)
    edge = _margin(page, rng)
    height, width = page.shape[:2]
    high, wide = (int(v * PER_MM) for v in ((14, 14), (20, 14), (8, 24))[rng.integers(3)])
    top = int(height * 0.35)
    page[top : top + 4 * high, edge : width - edge] = 255
    for row in range(4):
        for x in range(edge, width - edge - wide, wide):
            y = top + row * high
            if y + high < height - edge:
                if rng.random() < 0.3:
                    cv2.rectangle(page, (x, y), (x + wide, y + high), (225, 215, 200), -1)
                cv2.rectangle(page, (x, y), (x + wide, y + high), INK, 2)


def _lined(page: Pixels, rng: Rng) -> None:
    squared = rng.random() < 0.5
    height, width = page.shape[:2]
    for y in range(5 * PER_MM, height, (5 if squared else 8) * PER_MM):
        cv2.line(page, (0, y), (width, y), (225, 190, 160), 2)
    if squared:
        for x in range(0, width, 5 * PER_MM):
            cv2.line(page, (x, 0), (x, height), (225, 190, 160), 2)
    if rng.random() < 0.6:
        cv2.line(page, (width // 8, 0), (width // 8, height), (90, 90, 220), 2)
    if rng.random() < 0.6:
        _by_hand(page, rng)


def _by_hand(page: Pixels, rng: Rng) -> None:
    edge = _margin(page, rng)
    height, width = page.shape[:2]
    for y in range(edge + 6 * PER_MM, height - edge, 9 * PER_MM):
        x = np.arange(edge, int(width * rng.uniform(0.5, 0.93)), 2)
        wave = np.sin(x / rng.uniform(1.2 * PER_MM, 2.2 * PER_MM) + np.sin(x / 37.0)) * rng.uniform(0.4, 1, len(x))
        line = np.stack([x, y + 1.3 * PER_MM * wave], axis=1).astype(np.int32)
        cv2.polylines(page, [line], False, (120, 60, 30), 2, cv2.LINE_AA)


def _newspaper(page: Pixels, rng: Rng) -> None:
    height, width = page.shape[:2]
    page[:] = (page * 0.86).astype(np.uint8)
    edge = width // 20
    cv2.rectangle(page, (edge, edge), (width - edge, edge + height // 14), INK, -1)
    columns = int(rng.integers(3, 6))
    wide = (width - 2 * edge) // columns
    for column in range(columns):
        left = edge + column * wide
        top = edge + height // 10
        if rng.random() < 0.5:
            tall = int(height * rng.uniform(0.1, 0.3))
            page[top : top + tall, left : left + wide - 8] = rng.integers(60, 190)
            top += tall + 10
        _text(page, top, height - edge, left, left + wide - 10, rng)


def _with_picture(page: Pixels, rng: Rng) -> None:
    height, width = page.shape[:2]
    edge = _margin(page, rng)
    top, low = int(height * rng.uniform(0.06, 0.25)), int(height * rng.uniform(0.4, 0.65))
    page[top:low, edge : width - edge] = rng.integers(60, 220, 3)
    spot = (width // 2, (top + low) // 2)
    cv2.circle(page, spot, width // 8, tuple(int(v) for v in rng.integers(0, 255, 3)), -1)
    _text(page, low + 5 * PER_MM, height - edge, edge, width - edge, rng)


WRITINGS: tuple[Callable[[Pixels, Rng], None], ...] = (
    _blank,
    _printed,
    _printed,
    _form,
    _lined,
    _by_hand,
    _newspaper,
    _with_picture,
)
