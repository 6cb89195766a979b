"""A lesson on paper: a table and a question each, room for the answer, and a sheet with all answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from fpdf import FPDF
from PIL import Image

from referee.messages import Messages
from web.lessons.items import Answered
from web.lessons.showing import answer_text, reasons, shown
from web.messages import WebMessages
from web.tables.state import middle

FONTS = Path(__file__).resolve().parents[2] / "samples" / "art" / "fonts"
MARGIN, WIDTH, BOTTOM = 16.0, 178.0, 276.0
"""Of an A4 page, millimetres."""
PICTURE = (WIDTH, 70.0)
"""Room for a table at most, millimetres..."""
PHOTO = (WIDTH, 105.0)
"""...and for a photograph of one."""
NEXT = 17.0
"""Height of the card that is laid next, millimetres."""
AROUND = 0.4
"""Of a photograph so much is shown round the cards, in card sides."""
LARGEST = 0.5
"""Cards are not drawn larger than this part of their size."""


def worksheet(title: str, items: Sequence[Answered], pictures: Sequence[bytes | None], messages: Messages) -> bytes:
    """The PDF: the questions, then the answers on a page of their own. pictures: of the items, JPEGs."""
    say = WebMessages(messages.language)
    pdf = FPDF(format="A4")
    pdf.set_auto_page_break(False)
    pdf.set_margins(MARGIN, MARGIN)
    pdf.add_font("Nunito", "", FONTS / "Nunito-SemiBold.ttf")
    pdf.add_font("Nunito", "B", FONTS / "Nunito-Black.ttf")
    pdf.set_title(title)
    pdf.set_lang(messages.language)
    _head(pdf, title, say.text("sheet.name"))
    for number, (known, picture) in enumerate(zip(items, pictures, strict=True), 1):
        _question(pdf, number, known, picture, messages, say)
    _head(pdf, title, say.text("sheet.answers"))
    for number, known in enumerate(items, 1):
        _answer(pdf, number, known, messages, say)
    return bytes(pdf.output())


def _head(pdf: FPDF, title: str, under: str) -> None:
    pdf.add_page()
    pdf.set_font("Nunito", "B", 18)
    pdf.multi_cell(WIDTH, 9, title, align="L", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Nunito", "", 11)
    pdf.multi_cell(WIDTH, 8, under, align="L", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(2)


def _room(pdf: FPDF, height: float) -> None:
    if pdf.get_y() + height > BOTTOM:
        pdf.add_page()


def _question(
    pdf: FPDF, number: int, known: Answered, picture: bytes | None, messages: Messages, say: WebMessages
) -> None:
    view = shown(known, messages, with_answer=False)
    frame = _frame(view)
    height = 0.0 if frame is None else frame.height
    story = view["story"]
    _room(pdf, 26 + height + 6 * len(story) + (NEXT + 6) * (view["next"] is not None))
    pdf.set_font("Nunito", "B", 13)
    pdf.multi_cell(WIDTH, 6.5, f"{number}. {view['question']}", align="L", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Nunito", "", 10.5)
    fresh = [entry["label"] for entry in (view["table"] or {"cards": []})["cards"] if entry["id"] in view["new"]]
    told = [view["note"]] if view["note"] else []
    told += view["agreed"]
    fresh.sort(key=lambda label: (len(label), label))
    told += [say.text("lesson.new-card", cards=", ".join(fresh))] if fresh else []
    for line in told + story:
        pdf.multi_cell(WIDTH, 5.5, line, align="L", new_x="LMARGIN", new_y="NEXT")
    if view["next"] is not None:
        _next_card(pdf, known, view["next"], say)
    pdf.ln(1.5)
    if frame is not None:
        top = pdf.get_y()
        if picture is None:
            _draw_cards(pdf, known, view, frame, top)
        else:
            _draw_photo(pdf, picture, frame, top)
        _draw_marks(pdf, view, frame, top)
        pdf.set_y(top + height + 2)
    choices = view["choices"]
    if choices is not None and view["kind"] != "first-wrong":
        pdf.multi_cell(
            WIDTH, 6, "      ".join(f"( ) {c['label']}" for c in choices), align="L", new_x="LMARGIN", new_y="NEXT"
        )
    pdf.multi_cell(WIDTH, 8, say.text("sheet.line"), align="L", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(3)


def _next_card(pdf: FPDF, known: Answered, following: dict[str, str], say: WebMessages) -> None:
    """The card that is laid next, small, with what must be known of it."""
    words = f"{say.text('lesson.next')}  {following['hint']}"
    pdf.multi_cell(WIDTH, 5.5, words, align="L", new_x="LMARGIN", new_y="NEXT")
    image = known.deck.image_path(following["face"])
    if image is not None and image.is_file():
        width, height = known.deck.card_mm
        pdf.image(image, MARGIN, pdf.get_y() + 0.5, NEXT * width / height, NEXT, alt_text=following["face"])
        pdf.set_y(pdf.get_y() + NEXT + 0.5)


def _answer(pdf: FPDF, number: int, known: Answered, messages: Messages, say: WebMessages) -> None:
    told = reasons(known, messages)
    _room(pdf, 8 + 5.2 * len(told) * 1.6)
    pdf.set_font("Nunito", "B", 11.5)
    rule = "" if known.item.rule is None else f"  ({known.item.rule.value})"
    pdf.multi_cell(WIDTH, 6, f"{number}. {answer_text(known, say)}{rule}", align="L", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Nunito", "", 9.5)
    for line in told:
        pdf.multi_cell(WIDTH, 4.8, line, align="L", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(1.5)


@dataclass(frozen=True, slots=True)
class _Frame:
    """The part of the view that is drawn, and millimetres of paper for each of its units."""

    left: float
    upper: float
    right: float
    lower: float
    scale: float

    @property
    def height(self) -> float:
        """On paper, millimetres."""
        return (self.lower - self.upper) * self.scale

    def place(self, x: float, y: float, top: float) -> tuple[float, float]:
        """A place of the view on paper, mm; top: of the picture there."""
        return MARGIN + (x - self.left) * self.scale, top + (y - self.upper) * self.scale


def _frame(view: dict[str, Any]) -> _Frame | None:
    """None without a table."""
    table = view["table"]
    if table is None or not table["cards"]:
        return None
    corners = [corner for card in table["cards"] for corner in card["corners"]] + table["around"]
    corners += table["edge"] or []
    left, upper = min(x for x, _ in corners), min(y for _, y in corners)
    right, lower = max(x for x, _ in corners), max(y for _, y in corners)
    if not table["size"]:
        scale = min(LARGEST, PICTURE[0] / (right - left), PICTURE[1] / (lower - upper))
        return _Frame(left, upper, right, lower, scale)
    around = AROUND * _side(table["cards"][0]["corners"])
    width, height = table["size"]
    left, upper = max(0.0, left - around), max(0.0, upper - around)
    right, lower = min(float(width), right + around), min(float(height), lower + around)
    return _Frame(left, upper, right, lower, min(PHOTO[0] / (right - left), PHOTO[1] / (lower - upper)))


def _draw_photo(pdf: FPDF, picture: bytes, frame: _Frame, top: float) -> None:
    """The part of the photograph with the cards."""
    with Image.open(BytesIO(picture)) as whole:
        part = whole.crop((round(frame.left), round(frame.upper), round(frame.right), round(frame.lower)))
    pdf.image(part, MARGIN, top, (frame.right - frame.left) * frame.scale, frame.height)


def _draw_cards(pdf: FPDF, known: Answered, view: dict[str, Any], frame: _Frame, top: float) -> None:
    """The pictures of the cards, cats on top."""
    deck = known.deck
    scale = frame.scale * _side(view["table"]["cards"][0]["corners"]) / deck.card_mm[0]
    width, height = (side * scale for side in deck.card_mm)
    lying_on_others = ("cat", "princess")
    cards = sorted(view["table"]["cards"], key=lambda card: deck.face(card["face"]).kind in lying_on_others)
    for card in cards:
        corners = card["corners"]
        x, y = frame.place(*middle(corners), top)
        image = deck.image_path(card["face"])
        (ax, ay), (bx, by) = corners[0], corners[1]
        with pdf.rotation(-math.degrees(math.atan2(by - ay, bx - ax)), x, y):
            if image is not None and image.is_file():
                pdf.image(image, x - width / 2, y - height / 2, width, height, alt_text=card["face"])
            pdf.set_draw_color(90)
            pdf.rect(x - width / 2, y - height / 2, width, height)


def _side(corners: Any) -> float:
    return math.dist(corners[0], corners[1])


def _draw_marks(pdf: FPDF, view: dict[str, Any], frame: _Frame, top: float) -> None:
    """Cards numbered, what is new outlined; free places as dashed outlines with letters; the table's edge."""
    table = view["table"]
    pdf.set_draw_color(40)
    if table["edge"]:
        pdf.set_line_width(0.8)
        pdf.polygon([frame.place(x, y, top) for x, y in table["edge"]])
        pdf.set_line_width(0.2)
    pdf.set_font("Nunito", "B", 9)
    for card in table["cards"]:
        outline = [frame.place(x, y, top) for x, y in card["corners"]]
        if table["size"]:
            pdf.polygon(outline)
        _label(pdf, card["label"], *_upper_left(outline))
    for slot in view["slots"]:
        outline = [frame.place(x, y, top) for x, y in slot["corners"]]
        pdf.set_dash_pattern(dash=1.5, gap=1.2)
        pdf.polygon(outline)
        pdf.set_dash_pattern()
        x, y = middle(outline)
        _label(pdf, slot["value"], x - 2.5, y - 2.5)
    pdf.set_font("Nunito", "", 10.5)


def _upper_left(outline: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Where a card's number begins: just inside the corner that is uppermost and leftmost."""
    x, y = min(outline, key=sum)
    middle_x, middle_y = middle(outline)
    return x + 0.08 * (middle_x - x), y + 0.08 * (middle_y - y)


def _label(pdf: FPDF, words: str, x: float, y: float) -> None:
    pdf.set_fill_color(255)
    pdf.set_draw_color(40)
    side = 5.0 + 1.6 * (len(words) - 1)
    pdf.rect(x + 0.6, y + 0.6, side, 4.6, style="DF")
    before = pdf.get_x(), pdf.get_y()
    pdf.set_xy(x + 0.6, y + 0.6)
    pdf.cell(side, 4.6, words, align="C")
    pdf.set_xy(*before)
