"""The PDF: a page of rules, then for each sheet its front and its back, in true size with crop marks and a ruler."""

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from fpdf import FPDF
from fpdf.enums import MethodReturnValue, XPos, YPos
from fpdf.fonts import TTFFont

from referee.decks import Deck
from samples.art.raster import FONTS
from samples.printing.examples import Placed, example_of
from samples.printing.pictures import BLEED_MM, Pictures
from samples.printing.rules import PrintNotes, Step, print_notes, rules_page
from samples.printing.sheets import (
    MARK_GAP,
    MARK_LENGTH,
    PAPERS,
    Grid,
    Sheet,
    Slot,
    cards_of,
    grid_for,
    sheets_for,
)

INK = (70, 45, 26)
ACCENTS = {"cat-and-mouse": (47, 127, 214), "coloured-paths": (94, 71, 128), "if-it-fits": (176, 112, 48)}
RULER_MM = 50.0
TITLE_MM = 37.0
TEXT_LEFT = 29.0
# Line height in mm for each point of the text size.
LEADING = 0.46
EXAMPLE_MM = {"cat-and-mouse": 27.0, "coloured-paths": 27.0, "if-it-fits": 34.0}
# The same deck gives the same file, byte for byte.
CREATED = datetime(2026, 1, 1, tzinfo=UTC)


def make_pdf(deck: Deck, pictures: Pictures, paper: str, language: str) -> bytes:
    """The whole document. SheetError if the cards are too large for the paper, DeckError for a picture unread."""
    grid = grid_for(PAPERS[paper], deck.card_mm)
    cache: dict[str, bytes] = {}

    def picture(name: str) -> bytes:
        # As a file, because fpdf2 tells pictures apart by their pixels alone: the same indices into two palettes
        # would be one picture to it.
        if name not in cache:
            buffer = io.BytesIO()
            pictures(name).save(buffer, "PNG")
            cache[name] = buffer.getvalue()
        return cache[name]

    with _empty_document(paper) as pdf:
        pdf.set_title(f"{rules_page(deck.game.value, language).title}: {deck.name}")
        pdf.set_lang(language)
        _rules_page(pdf, deck, picture, language)
        for index, sheet in enumerate(sheets_for(cards_of(deck), grid)):
            pdf.add_page()
            _crop_marks(pdf, grid)
            for slot in sheet.slots:
                _card(pdf, grid, slot, picture(slot.picture))
            if not sheet.back:
                _inner_marks(pdf, grid)
            _margin_notes(pdf, grid, sheet, index // 2 + 1, print_notes(language))
        return bytes(pdf.output())


@contextmanager
def _empty_document(paper: str) -> Iterator[FPDF]:
    """A document with our fonts, whose files are closed at the end: fpdf2 leaves them open."""
    pdf = FPDF(unit="mm", format=PAPERS[paper])
    pdf.set_creation_date(CREATED)
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.c_margin = 0
    try:
        pdf.add_font("Nunito", "", FONTS / "Nunito-SemiBold.ttf")
        pdf.add_font("Nunito", "B", FONTS / "Nunito-Black.ttf")
        yield pdf
    finally:
        for font in pdf.fonts.values():
            if isinstance(font, TTFFont):
                font.close()


def write_pdf(deck: Deck, pictures: Pictures, paper: str, language: str, out: Path) -> int:
    """Writes the document and returns its number of pages."""
    content = make_pdf(deck, pictures, paper, language)
    out.write_bytes(content)
    grid = grid_for(PAPERS[paper], deck.card_mm)
    return 1 + len(sheets_for(cards_of(deck), grid))


def _card(pdf: FPDF, grid: Grid, slot: Slot, picture: bytes) -> None:
    """One side of one card; its bleed shows only where no neighbour can be."""
    width, height = grid.card
    left = BLEED_MM if abs(slot.x - grid.left) < 0.01 else 0.0
    right = BLEED_MM if abs(slot.x + width - (grid.paper[0] - grid.left)) < 0.01 else 0.0
    above = BLEED_MM if abs(slot.y - grid.top) < 0.01 else 0.0
    below = BLEED_MM if abs(slot.y + height - (grid.paper[1] - grid.top)) < 0.01 else 0.0
    with pdf.rect_clip(slot.x - left, slot.y - above, width + left + right, height + above + below):
        pdf.image(picture, slot.x - BLEED_MM, slot.y - BLEED_MM, width + 2 * BLEED_MM, height + 2 * BLEED_MM)


def _crop_marks(pdf: FPDF, grid: Grid) -> None:
    pdf.set_draw_color(0)
    pdf.set_line_width(0.15)
    gap = MARK_GAP + BLEED_MM
    width, height = grid.paper
    for x in grid.vertical_cuts():
        pdf.line(x, grid.top - gap, x, grid.top - gap - MARK_LENGTH)
        pdf.line(x, height - grid.top + gap, x, height - grid.top + gap + MARK_LENGTH)
    for y in grid.horizontal_cuts():
        pdf.line(grid.left - gap, y, grid.left - gap - MARK_LENGTH, y)
        pdf.line(width - grid.left + gap, y, width - grid.left + gap + MARK_LENGTH, y)


def _inner_marks(pdf: FPDF, grid: Grid) -> None:
    """Small crosses where four cards meet; rounding the corners cuts them away."""
    reach = 1.2
    for stroke, shade in ((0.3, 255), (0.12, 60)):
        pdf.set_line_width(stroke)
        pdf.set_draw_color(shade)
        for x in grid.vertical_cuts()[1:-1]:
            for y in grid.horizontal_cuts()[1:-1]:
                pdf.line(x - reach, y, x + reach, y)
                pdf.line(x, y - reach, x, y + reach)


def _margin_notes(pdf: FPDF, grid: Grid, sheet: Sheet, number: int, notes: PrintNotes) -> None:
    """The ruler and the sheet's number, in the wider margin: above the cards or, turned, on their left."""
    text = (notes.back if sheet.back else notes.front).format(number=number)
    pdf.set_text_color(*INK)
    beyond = BLEED_MM + MARK_GAP + MARK_LENGTH
    if grid.top >= grid.left:
        baseline = max(5.5, (grid.top - beyond) / 2 + 2)
        _ruler_and_note(pdf, grid.left, baseline, text, notes.ruler)
    else:
        x = max(5.5, (grid.left - beyond) / 2 + 2)
        y = grid.paper[1] - grid.top
        with pdf.rotation(90, x, y):
            _ruler_and_note(pdf, x, y, text, notes.ruler)


def _ruler_and_note(pdf: FPDF, x: float, y: float, note: str, ruler: str) -> None:
    pdf.set_draw_color(*INK)
    pdf.set_line_width(0.25)
    pdf.line(x, y, x + RULER_MM, y)
    for step in range(11):
        tall = 2.2 if step in (0, 10) else 1.4 if step == 5 else 0.9
        pdf.line(x + step * RULER_MM / 10, y, x + step * RULER_MM / 10, y - tall)
    pdf.set_font("Nunito", "", 7)
    pdf.text(x + RULER_MM + 3, y, ruler)
    width = pdf.get_string_width(ruler)
    pdf.text(x + RULER_MM + 8 + width, y, note)


def _rules_page(pdf: FPDF, deck: Deck, picture: Callable[[str], bytes], language: str) -> None:
    page = rules_page(deck.game.value, language)
    accent = ACCENTS[deck.game.value]
    pdf.add_page()
    pdf.set_fill_color(*accent)
    pdf.rect(0, 0, pdf.w, TITLE_MM, style="F")
    pdf.set_text_color(255)
    pdf.set_font("Nunito", "B", 28)
    pdf.text(15, 20, page.title)
    pdf.set_font("Nunito", "", 11)
    pdf.text(15, 29.5, page.players)
    bottom = _how_to_print(pdf, print_notes(language), accent)
    placed = example_of(deck)
    if placed:
        bottom = _example(pdf, deck, placed, picture, page.example, bottom - 5)
    size = _largest_size(pdf, page.steps, bottom - 4 - TITLE_MM - 7)
    y = TITLE_MM + 7
    for number, step in enumerate(page.steps, 1):
        y = _step(pdf, number, step, y, size, accent)


def _largest_size(pdf: FPDF, steps: tuple[Step, ...], room: float) -> float:
    """The largest text size (points) with which the steps fit into ``room`` mm."""
    for size in (13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0):
        if sum(_step_height(pdf, step.text, size) for step in steps) <= room:
            return size
    return 8.5


def _step_height(pdf: FPDF, text: str, size: float) -> float:
    pdf.set_font("Nunito", "", size)
    return size * LEADING * (_line_count(pdf, pdf.w - TEXT_LEFT - 15, text) + 1.15) + size * 0.3


def _line_count(pdf: FPDF, width: float, text: str) -> int:
    """How many lines a text takes in the present font."""
    lines = pdf.multi_cell(width, 1, text, dry_run=True, output=MethodReturnValue.LINES)
    return len(cast("list[str]", lines))


def _step(pdf: FPDF, number: int, step: Step, y: float, size: float, accent: tuple[int, int, int]) -> float:
    """One numbered rule; returns where the next begins, in mm from the top."""
    badge = size * 0.78
    pdf.set_fill_color(*accent)
    pdf.ellipse(15, y, badge, badge, style="F")
    pdf.set_text_color(255)
    pdf.set_font("Nunito", "B", size * 1.2)
    pdf.text(15 + badge / 2 - pdf.get_string_width(str(number)) / 2, y + badge / 2 + size * 0.148, str(number))
    pdf.set_text_color(*INK)
    pdf.set_font("Nunito", "B", size * 1.1)
    pdf.text(TEXT_LEFT, y + size * 0.36, step.heading)
    pdf.set_xy(TEXT_LEFT, y + size * LEADING * 1.15)
    pdf.set_font("Nunito", "", size)
    pdf.multi_cell(pdf.w - TEXT_LEFT - 15, size * LEADING, step.text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    return y + _step_height(pdf, step.text, size)


def _example(
    pdf: FPDF, deck: Deck, placed: Sequence[Placed], picture: Callable[[str], bytes], caption: str, bottom: float
) -> float:
    """A small correct layout with its caption beside it, ending at ``bottom``; returns where it begins."""
    width, height = deck.card_mm
    scale = EXAMPLE_MM[deck.game.value] / height
    top = bottom - scale * height * (1 + max(item.y for item in placed)) - 1
    bleed = BLEED_MM * scale
    for item in placed:
        x, y = TEXT_LEFT + item.x * width * scale, top + item.y * height * scale
        wide, high = width * scale, height * scale
        with pdf.rotation(-item.turn, x + wide / 2, y + high / 2), pdf.rect_clip(x, y, wide, high):
            pdf.image(picture(item.face), x - bleed, y - bleed, wide + 2 * bleed, high + 2 * bleed)
        with pdf.rotation(-item.turn, x + wide / 2, y + high / 2):
            pdf.set_draw_color(*INK)
            pdf.set_line_width(0.3)
            pdf.rect(x, y, wide, high, round_corners=True, corner_radius=deck.corner_mm * scale)
    right = TEXT_LEFT + (1 + max(item.x for item in placed)) * width * scale + 8
    pdf.set_text_color(*INK)
    pdf.set_font("Nunito", "B", 11.5)
    pdf.set_xy(right, top + (bottom - top) / 2 - 6)
    pdf.multi_cell(pdf.w - right - 15, 5.4, caption, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    return top


def _how_to_print(pdf: FPDF, notes: PrintNotes, accent: tuple[int, int, int]) -> float:
    """The box on printing at the foot of the page; returns where it begins."""
    size = 8.8
    pdf.set_font("Nunito", "", size)
    box_height = 4.2 * sum(_line_count(pdf, pdf.w - 34, "• " + note) for note in notes.how_to) + 14
    top = float(pdf.h) - 9 - box_height
    pdf.set_draw_color(*accent)
    pdf.set_line_width(0.4)
    pdf.set_dash_pattern(dash=2, gap=1.4)
    pdf.rect(12, top, pdf.w - 24, box_height, round_corners=True, corner_radius=3)
    pdf.set_dash_pattern()
    pdf.set_text_color(*INK)
    pdf.set_y(top + 2.6)
    for note in notes.how_to:
        pdf.set_x(17)
        pdf.multi_cell(pdf.w - 34, 4.2, "• " + note, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    _ruler_and_note(pdf, 18, top + box_height - 3.4, "", notes.ruler)
    return top
