"""The PDF, opened by another program: pages, sizes, positions, words."""

import ctypes
from functools import cache
from itertools import pairwise

import pypdfium2 as pdfium  # type: ignore[import-untyped]
import pypdfium2.raw as raw  # type: ignore[import-untyped]
import pytest
from PIL import Image

from referee.decks import builtin_deck
from samples.printing.document import RULER_MM, make_pdf
from samples.printing.pictures import BLEED_MM
from samples.printing.rules import LANGUAGES, rules_page
from samples.printing.sheets import PAPERS, cards_of, grid_for, sheets_for

GAMES = ("cat-and-mouse", "coloured-paths", "if-it-fits")
MM = 72 / 25.4


def plain_picture(name: str) -> Image.Image:
    """A small picture of one colour instead of a drawing, a different one for each name."""
    shade = sum(name.encode()) * 37
    return Image.new("RGB", (32, 32), (shade % 256, shade // 7 % 256, shade // 3 % 256)).quantize(4)


@cache
def made_pdf(game: str, paper: str, language: str) -> bytes:
    return make_pdf(builtin_deck(game), plain_picture, paper, language)


def open_pdf(game: str, paper: str = "a4", language: str = "uk") -> pdfium.PdfDocument:
    return pdfium.PdfDocument(made_pdf(game, paper, language))


def boxes(page: pdfium.PdfPage, kind: int) -> list[tuple[float, float, float, float]]:
    """(left, top, width, height) in mm from the top left corner of the page's objects of one kind."""
    height = page.get_height()
    found = []
    for item in page.get_objects(filter=[kind]):
        left, bottom, right, top = item.get_bounds()
        found.append((left / MM, (height - top) / MM, (right - left) / MM, (top - bottom) / MM))
    return found


@pytest.mark.parametrize("paper", list(PAPERS))
@pytest.mark.parametrize("game", GAMES)
def test_cards_stand_in_true_size_where_the_sheet_says(game: str, paper: str) -> None:
    deck = builtin_deck(game)
    document = open_pdf(game, paper)
    sheets = sheets_for(cards_of(deck), grid_for(PAPERS[paper], deck.card_mm))
    assert len(document) == 1 + len(sheets)
    for page, sheet in zip(list(document)[1:], sheets, strict=True):
        assert (page.get_width() / MM, page.get_height() / MM) == pytest.approx(PAPERS[paper], abs=0.02)
        images = boxes(page, raw.FPDF_PAGEOBJ_IMAGE)
        assert len(images) == len(sheet.slots)
        for (left, top, width, height), slot in zip(images, sheet.slots, strict=True):
            assert left + BLEED_MM == pytest.approx(slot.x, abs=0.02)
            assert top + BLEED_MM == pytest.approx(slot.y, abs=0.02)
            assert width - 2 * BLEED_MM == pytest.approx(deck.card_mm[0], abs=0.02)
            assert height - 2 * BLEED_MM == pytest.approx(deck.card_mm[1], abs=0.02)


def test_each_sheet_has_a_ruler_and_crop_marks_at_every_cut() -> None:
    deck = builtin_deck("cat-and-mouse")
    grid = grid_for(PAPERS["a4"], deck.card_mm)
    page = open_pdf("cat-and-mouse")[1]
    # Bounds include half of the stroke on each side.
    lines = boxes(page, raw.FPDF_PAGEOBJ_PATH)
    assert any(abs(width - RULER_MM) < 0.6 and height < 1 for _, _, width, height in lines)
    for x in grid.vertical_cuts():
        marks = [line for line in lines if abs(line[0] + line[2] / 2 - x) < 0.05 and line[2] < 0.5 and line[3] > 3]
        assert len(marks) == 2, x
    for y in grid.horizontal_cuts():
        marks = [line for line in lines if abs(line[1] + line[3] / 2 - y) < 0.05 and line[3] < 0.5 and line[2] > 3]
        assert len(marks) == 2, y


def test_a_face_is_embedded_once_however_often_it_is_printed() -> None:
    content = made_pdf("cat-and-mouse", "a4", "uk")
    # 26 faces and one back.
    assert content.count(b"/Subtype /Image") == 27


def test_the_same_deck_gives_the_same_file() -> None:
    again = make_pdf(builtin_deck("coloured-paths"), plain_picture, "a4", "uk")
    assert again == made_pdf("coloured-paths", "a4", "uk")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_page_holds_all_steps_in_its_language(game: str, language: str) -> None:
    page = open_pdf(game, "letter", language)[0]
    words = " ".join(page.get_textpage().get_text_range().split())
    rules = rules_page(game, language)
    for text in (rules.title, rules.players, rules.example, *(step.heading for step in rules.steps)):
        assert text.split()[0] in words
    for step in rules.steps:
        assert " ".join(step.text.split()) in words


@pytest.mark.parametrize("paper", list(PAPERS))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_page_does_not_overflow(game: str, language: str, paper: str) -> None:
    page = open_pdf(game, paper, language)[0]
    width, height = page.get_width() / MM, page.get_height() / MM
    text = boxes(page, raw.FPDF_PAGEOBJ_TEXT)
    assert all(left >= 10 and left + wide <= width - 10 for left, _, wide, _ in text)
    assert all(top + high <= height - 8 for _, top, _, high in text)
    # No line of text lies on another.
    ordered = sorted((round(top, 2), round(left, 2), wide, high) for left, top, wide, high in text)
    for (top, left, wide, high), (next_top, next_left, next_wide, _) in pairwise(ordered):
        overlap = left < next_left + next_wide and next_left < left + wide
        assert not overlap or next_top >= top + high - 0.6, (top, left, next_top, next_left)


def test_fonts_are_embedded() -> None:
    page = open_pdf("cat-and-mouse", language="uk")[0]
    names = set()
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT]):
        font = raw.FPDFTextObj_GetFont(item.raw)
        assert raw.FPDFFont_GetIsEmbedded(font) == 1
        size = raw.FPDFFont_GetBaseFontName(font, None, 0)
        buffer = ctypes.create_string_buffer(size)
        raw.FPDFFont_GetBaseFontName(font, buffer, size)
        names.add(buffer.value.decode())
    assert len(names) == 2
    assert all("Nunito" in name for name in names)
