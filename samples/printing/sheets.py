"""Where the cards stand on the paper: plain geometry in millimetres from the top left corner of the page."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.decks import CatFace, Deck
from referee.errors import InputError
from samples.art.faces import BACK, PRINCESS_BACK

PAPERS: dict[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
# Most home printers leave a rim of up to 4.3 mm white.
MARGIN = 5.0
# Cards stand edge to edge, so that one cut serves two; crop marks need a little room outside.
MARK_GAP, MARK_LENGTH = 1.0, 3.5


class SheetError(InputError):
    """The cards cannot be laid out on this paper; the message is a sentence."""


@dataclass(frozen=True)
class PrintCard:
    """One card to cut out: the pictures of its two sides, each a face id or the name of a back."""

    front: str
    back: str


@dataclass(frozen=True)
class Slot:
    """A place for one side of one card: its box on the page and the picture in it."""

    x: float
    y: float
    picture: str


@dataclass(frozen=True)
class Sheet:
    """One side of one sheet of paper; ``back`` sides are mirrored, so that they lie behind their fronts."""

    slots: tuple[Slot, ...]
    back: bool


@dataclass(frozen=True)
class Grid:
    """Columns and rows of cards in the middle of a page; lengths in mm."""

    paper: tuple[float, float]
    card: tuple[float, float]
    columns: int
    rows: int

    @property
    def left(self) -> float:
        """The grid's distance from the left and from the right edge of the paper."""
        return (self.paper[0] - self.columns * self.card[0]) / 2

    @property
    def top(self) -> float:
        """The grid's distance from the top and from the bottom edge of the paper."""
        return (self.paper[1] - self.rows * self.card[1]) / 2

    def vertical_cuts(self) -> list[float]:
        """x of the cuts from top to bottom."""
        return [self.left + index * self.card[0] for index in range(self.columns + 1)]

    def horizontal_cuts(self) -> list[float]:
        """y of the cuts from left to right."""
        return [self.top + index * self.card[1] for index in range(self.rows + 1)]


def grid_for(paper: tuple[float, float], card: tuple[float, float]) -> Grid:
    """As many upright cards as fit on the paper. SheetError if not even one does."""
    room = (paper[0] - 2 * MARGIN, paper[1] - 2 * MARGIN)
    # A millionth of slack: a card may fill the room exactly.
    columns, rows = (int(room[axis] / card[axis] + 1e-6) for axis in (0, 1))
    if columns < 1 or rows < 1:
        raise SheetError(
            "paper-too-small",
            f"a card of {card[0]:g} x {card[1]:g} mm does not fit on paper of {paper[0]:g} x {paper[1]:g} mm "
            f"with margins of {MARGIN:g} mm; choose larger paper or smaller cards.",
        )
    return Grid(paper, card, columns, rows)


def cards_of(deck: Deck) -> list[PrintCard]:
    """Every card of the deck in its order, each face as often as the deck holds it.

    The awake and the asleep faces of a player are two sides of the same cards (IF-DECK); a side without a partner, and
    every other card, has a back.
    """
    cards: list[PrintCard] = []
    cats: dict[str, tuple[list[str], list[str]]] = {}
    for face in deck.faces:
        if isinstance(face, CatFace):
            awake, asleep = cats.setdefault(face.player, ([], []))
            (asleep if face.asleep else awake).extend([face.id] * face.count)
        else:
            back = PRINCESS_BACK if face.kind == "princess" else BACK
            cards += [PrintCard(face.id, back)] * face.count
    for awake, asleep in cats.values():
        cards += [PrintCard(*sides) for sides in zip(awake, asleep, strict=False)]
        cards += [PrintCard(single, BACK) for single in (*awake[len(asleep) :], *asleep[len(awake) :])]
    return cards


def sheets_for(cards: Sequence[PrintCard], grid: Grid) -> list[Sheet]:
    """Fronts and backs in turn; a sheet is turned over around its long edge, so backs stand mirrored left to right."""
    sheets = []
    per_page = grid.columns * grid.rows
    for first in range(0, len(cards), per_page):
        fronts, backs = [], []
        for index, printed in enumerate(cards[first : first + per_page]):
            row, column = divmod(index, grid.columns)
            x, y = grid.left + column * grid.card[0], grid.top + row * grid.card[1]
            fronts.append(Slot(x, y, printed.front))
            backs.append(Slot(grid.paper[0] - x - grid.card[0], y, printed.back))
        sheets += [Sheet(tuple(fronts), back=False), Sheet(tuple(backs), back=True)]
    return sheets
