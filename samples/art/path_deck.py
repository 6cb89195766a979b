"""The 36 cards of Multicoloured Paths, balanced so that every hand has something to lay.

Found by annealing, kept as data: no two cards are alike, turned or not; each colour stands at 72 ends and half way on
as many strands with each other colour (24 strands a pair); each of the 16 ordered pairs of colours stands on nine
sides, so every side of a card fits nine others.
"""

COLOUR_OF_LETTER = {"b": "blue", "g": "green", "r": "red", "y": "yellow"}

# A card a line: each strand is its two ends and the letters of the colours at them.
CARDS = (
    "01rb 25bg 36yb 47yg",
    "01yb 25br 37rb 46rg",
    "01yr 26rb 34ry 57yg",
    "02bg 13rg 47ry 56yg",
    "02by 16bg 34ry 57yb",
    "02yg 17bg 36rb 45gr",
    "03gr 14yg 27by 56rb",
    "03gr 15bg 26yg 47yr",
    "03ry 15by 26yb 47gb",
    "03rg 15rb 27ry 46by",
    "03yr 15gr 27yr 46gb",
    "03rb 16rg 24gb 57rg",
    "03ry 16gb 25gr 47bg",
    "03gr 17yg 24gb 56yb",
    "04gr 15yg 26yr 37rg",
    "04by 16by 23yb 57rg",
    "04ry 17rb 26ry 35yg",
    "05bg 12rg 34yb 67rb",
    "05rb 13yb 26yr 47bg",
    "05yb 13rb 26yg 47bg",
    "05br 13yg 27gy 46gy",
    "05gb 14br 26ry 37yb",
    "05yg 14br 26bg 37gy",
    "05gr 14gr 27by 36gr",
    "05rb 14rg 27yr 36gy",
    "05rg 17gb 26br 34by",
    "06rb 13bg 24gy 57by",
    "06yr 14yg 27br 35gr",
    "06gb 15by 24ry 37yr",
    "06gb 15gb 27by 34yr",
    "06rb 17gy 24gy 35by",
    "07gy 12by 34gr 56br",
    "07gy 12gb 35br 46by",
    "07rg 14rb 26gr 35gy",
    "07gb 15yg 26yr 34ry",
    "07br 16bg 25ry 34yr",
)

Strand = tuple[tuple[int, int], tuple[str, str]]


def parse(notation: str) -> list[Strand]:
    """The strands of one card, as ``deck.json`` holds them."""
    return [
        ((int(ends[0]), int(ends[1])), (COLOUR_OF_LETTER[ends[2]], COLOUR_OF_LETTER[ends[3]]))
        for ends in notation.split()
    ]
