"""The board to calibrate a camera with, as a PDF in true size, and the four markers of a mat."""

import io
from pathlib import Path

from fpdf import FPDF
from PIL import Image

from calibration.board import COLUMNS, MAT_MARKER_MM, ROWS, SQUARE_MM, board_picture, mat_marker
from samples.printing.document import CREATED
from samples.printing.sheets import PAPERS

PIXELS_PER_MM = 12
GAP_MM = 15.0
"""White between the markers on their sheet: each needs a white rim of a cell at least."""


def write_board(paper: str, out: Path) -> int:
    """Write the board and, on a second page, the markers of a mat; returns the number of pages."""
    width, height = PAPERS[paper]
    pdf = FPDF(unit="mm", format=(width, height))
    pdf.set_creation_date(CREATED)
    pdf.set_auto_page_break(False)
    pdf.set_title("Calibration board")
    pdf.set_font("Helvetica", size=9)
    pdf.add_page()
    across, down = COLUMNS * SQUARE_MM, ROWS * SQUARE_MM
    left, top = (width - across) / 2, (height - down) / 2
    pdf.image(_png(board_picture(PIXELS_PER_MM)), left, top, across, down)
    pdf.text(
        left,
        top + down + 5,
        f"Print at 100 %. Each square is {SQUARE_MM:g} mm wide: measure one. Glue it to a flat board.",
    )
    pdf.add_page()
    side = MAT_MARKER_MM
    for corner, name in enumerate(("top left", "top right", "bottom right", "bottom left")):
        x = width / 2 - side - GAP_MM + (corner in (1, 2)) * (side + 2 * GAP_MM)
        y = 40 + (corner in (2, 3)) * (side + 3 * GAP_MM)
        pdf.image(_png(mat_marker(corner, round(side * PIXELS_PER_MM))), x, y, side, side)
        pdf.text(x, y + side + 8, f"{name} ({side:g} mm)")
    pdf.text(left, 25, "Corners of a mat: leave a white rim around each, its outer corner at the mat's corner.")
    out.write_bytes(bytes(pdf.output()))
    return 2


def _png(pixels: object) -> io.BytesIO:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")  # type: ignore[arg-type]
    buffer.seek(0)
    return buffer
