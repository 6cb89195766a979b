"""The board that is printed is the board that is looked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from calibration.board import COLUMNS, FEWEST, ROWS, board_picture, find_board, mat_marker
from referee.vision.markers import MAT_IDS, find_mat
from samples.cli import main


def test_the_print_has_the_board_and_the_mat_s_markers(tmp_path: Path) -> None:
    out = tmp_path / "board.pdf"
    assert main(["print", "--board", "--paper", "a4", "--out", str(out)]) == 0
    data = out.read_bytes()
    assert data.startswith(b"%PDF")
    assert data.count(b"/Type /Page\n") == 2


def test_a_part_of_the_board_is_enough() -> None:
    whole = np.pad(board_picture(3.0), 60, constant_values=255)
    colour = np.repeat(whole[..., None], 3, axis=2)
    view = find_board(colour)
    assert view is not None
    assert len(view.image) == (COLUMNS - 1) * (ROWS - 1)
    half = find_board(np.ascontiguousarray(colour[: colour.shape[0] // 2]))
    assert half is not None
    assert FEWEST <= len(half.image) < len(view.image)
    assert find_board(np.full((400, 400, 3), 200, np.uint8)) is None


def test_the_markers_of_a_mat_are_told_apart() -> None:
    sheet = np.full((600, 800, 3), 255, np.uint8)
    places = ((40, 40), (640, 40), (640, 440), (40, 440))
    for corner, (x, y) in enumerate(places):
        sheet[y : y + 120, x : x + 120] = mat_marker(corner, 120)[..., None]
    found = find_mat(sheet)
    assert sorted(found) == list(range(len(MAT_IDS)))
    for corner, (x, y) in enumerate(places):
        assert np.abs(found[corner][0] - (x, y)).max() < 2
