"""A lesson on paper: a table and a question each, room for the answer, and a sheet with all answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fpdf import FPDF

from referee.messages import Messages
from web.lessons.items import Answered
from web.lessons.showing import answer_text, reasons, shown
from web.messages import WebMessages
from web.tables.view import corners_on_table

FONTS = Path(__file__).resolve().parents[2] / "samples" / "art" / "fonts"
MARGIN, WIDTH, BOTTOM = 16.0, 178.0, 276.0
"""Of an A4 page, millimetres."""
PICTURE = (WIDTH, 70.0)
"""Room for a table at most, millimetres."""
LARGEST = 0.5
"""Cards are not drawn larger than this part of their size."""


def worksheet(title: str, items: Sequence[Answered], messages: Messages) -> bytes:
    """The PDF: the questions, then the answers on a page of their own."""
    say = WebMessages(messages.language)
    pdf = FPDF(format="A4")
    pdf.set_auto_page_break(False)
    pdf.set_margins(MARGIN, MARGIN)
    pdf.add_font("Nunito", "", FONTS / "Nunito-SemiBold.ttf")
    pdf.add_font("Nunito", "B", FONTS / "Nunito-Black.ttf")
    pdf.set_title(title)
    pdf.set_lang(messages.language)
    _head(pdf, title, say.text("sheet.name"))
    for number, known in enumerate(items, 1):
        _question(pdf, number, known, messages, say)
    _head(pdf, title, say.text("sheet.answers"))
    for number, known in enumerate(items, 1):
        _answer(pdf, number, known, messages, say)
    return bytes(pdf.output())


def _head(pdf: FPDF, title: str, under: str) -> None:
    pdf.add_page()
    pdf.set_font("Nunito", "B", 18)
    pdf.multi_cell(WIDTH, 9, title, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Nunito", "", 11)
    pdf.multi_cell(WIDTH, 8, under, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(2)


def _room(pdf: FPDF, height: float) -> None:
    if pdf.get_y() + height > BOTTOM:
        pdf.add_page()


def _question(pdf: FPDF, number: int, known: Answered, messages: Messages, say: WebMessages) -> None:
    view = shown(known, messages, with_answer=False)
    scale, height = _size(known)
    story = view["story"]
    _room(pdf, 26 + height + 6 * len(story))
    pdf.set_font("Nunito", "B", 13)
    pdf.multi_cell(WIDTH, 6.5, f"{number}. {view['question']}", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Nunito", "", 10.5)
    fresh = [entry["label"] for entry in (view["table"] or {"cards": []})["cards"] if entry["id"] in view["new"]]
    told = [view["note"]] if view["note"] else []
    told += [say.text("lesson.new-card", cards=", ".join(fresh))] if fresh else []
    for line in told + story:
        pdf.multi_cell(WIDTH, 5.5, line, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(1.5)
    if known.judged is not None:
        _draw(pdf, known, view, scale, pdf.get_y())
        pdf.set_y(pdf.get_y() + height + 2)
    choices = view["choices"]
    if choices is not None and view["kind"] != "first-wrong":
        pdf.multi_cell(WIDTH, 6, "      ".join(f"( ) {c['label']}" for c in choices), new_x="LMARGIN", new_y="NEXT")
    pdf.multi_cell(WIDTH, 8, say.text("sheet.line"), new_x="LMARGIN", new_y="NEXT")
    pdf.ln(3)


def _answer(pdf: FPDF, number: int, known: Answered, messages: Messages, say: WebMessages) -> None:
    told = reasons(known, messages)
    _room(pdf, 8 + 5.2 * len(told) * 1.6)
    pdf.set_font("Nunito", "B", 11.5)
    rule = "" if known.item.rule is None else f"  ({known.item.rule.value})"
    pdf.multi_cell(WIDTH, 6, f"{number}. {answer_text(known, say)}{rule}", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Nunito", "", 9.5)
    for line in told:
        pdf.multi_cell(WIDTH, 4.8, line, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(1.5)


def _outlines(known: Answered) -> list[tuple[float, float]]:
    if known.judged is None:
        return []
    cards = [*known.judged.layout.cards, *(slot.card for slot in known.slots)]
    corners = [corner for card in cards for corner in corners_on_table(card, known.deck)]
    return [*corners, *(known.judged.layout.table or ())]


def _size(known: Answered) -> tuple[float, float]:
    """The scale of a table on paper, and its height there in millimetres."""
    corners = _outlines(known)
    if not corners:
        return LARGEST, 0.0
    across = max(x for x, _ in corners) - min(x for x, _ in corners)
    down = max(y for _, y in corners) - min(y for _, y in corners)
    scale = min(LARGEST, PICTURE[0] / across, PICTURE[1] / down)
    return scale, down * scale


def _draw(pdf: FPDF, known: Answered, view: dict[str, Any], scale: float, top: float) -> None:
    """The table: the pictures of its cards, numbered; free places as dashed outlines with letters."""
    corners = _outlines(known)
    left, upper = min(x for x, _ in corners), min(y for _, y in corners)
    deck, judged = known.deck, known.judged
    if judged is None:
        return
    width, height = (side * scale for side in deck.card_mm)

    def place(x: float, y: float) -> tuple[float, float]:
        return MARGIN + (x - left) * scale, top + (y - upper) * scale

    lying_on_others = ("cat", "princess")
    cards = sorted(judged.layout.cards, key=lambda card: deck.face(card.face).kind in lying_on_others)
    for card in cards:
        x, y = place(card.x, card.y)
        image = deck.image_path(card.face)
        with pdf.rotation(-card.turn, x, y):
            if image is not None and image.is_file():
                pdf.image(image, x - width / 2, y - height / 2, width, height, alt_text=card.face)
            pdf.set_draw_color(90)
            pdf.rect(x - width / 2, y - height / 2, width, height)
    if judged.layout.table is not None:
        pdf.set_line_width(0.8)
        pdf.polygon([place(x, y) for x, y in judged.layout.table])
        pdf.set_line_width(0.2)
    pdf.set_font("Nunito", "B", 9)
    for entry in view["table"]["cards"]:
        _label(pdf, entry["label"], *place(*min(entry["corners"], key=sum)))
    for slot, entry in zip(known.slots, view["slots"], strict=True):
        x, y = place(slot.card.x, slot.card.y)
        pdf.set_dash_pattern(dash=1.5, gap=1.2)
        pdf.rect(x - width / 2, y - height / 2, width, height)
        pdf.set_dash_pattern()
        _label(pdf, entry["value"], x - 2.5, y - 2.5)
    pdf.set_font("Nunito", "", 10.5)


def _label(pdf: FPDF, words: str, x: float, y: float) -> None:
    pdf.set_fill_color(255)
    pdf.set_draw_color(40)
    side = 5.0 + 1.6 * (len(words) - 1)
    pdf.rect(x + 0.6, y + 0.6, side, 4.6, style="DF")
    before = pdf.get_x(), pdf.get_y()
    pdf.set_xy(x + 0.6, y + 0.6)
    pdf.cell(side, 4.6, words, align="C")
    pdf.set_xy(*before)
