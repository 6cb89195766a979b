"""The cat cards of If It Fits: five players told apart by colour, by coat and by an emblem; the two sides of a card
are the same cat awake by day and asleep by night; and the Princess, a black cat with a crown."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from samples.art.cats import NIGHT, Coat, curled, paw_print, sitting
from samples.art.faces import Face
from samples.art.if_it_fits import CORNER, HEIGHT, WIDTH
from samples.art.svg import (
    card,
    circle,
    ellipse,
    group,
    line,
    outlined_text,
    pattern,
    place,
    rectangle,
    shape,
    star,
    wobble,
)

MIDDLE = WIDTH / 2


@dataclass(frozen=True)
class Player:
    """One player's cat: ``colour`` strong, ``pale`` by day, ``deep`` by night; ``emblem`` is path data 8 mm wide."""

    colour: str
    pale: str
    deep: str
    emblem: str
    coat: Coat


HEART = "M0 3.8C-6.2-.6-3.6-4.8 0-2C3.6-4.8 6.2-.6 0 3.8Z"
DROP = "M0-4.4C2.4-1.2 3.6 .4 3.6 1.6A3.6 3.2 0 0 1-3.6 1.6C-3.6 .4-2.4-1.2 0-4.4Z"
LEAF = "M0 .4C-5.6 1.2-5-4.6-1.4-3.6C-2.2-6 2.2-6 1.4-3.6C5-4.6 5.6 1.2 0 .4ZM-.6 0L-1.2 4.4H1.2L.6 0Z"
STAR = star(0, 0.3, 4.5, 2)
MOON = "M1.8-4.2A4.3 4.3 0 1 0 3.9 2.2A3.6 3.6 0 0 1 1.8-4.2Z"

PLAYERS: Mapping[str, Player] = {
    "red": Player("#d9342f", "#ffd9d2", "#8c1f26", HEART, Coat()),
    "blue": Player(
        "#2b6fd8",
        "#d3e6ff",
        "#173f86",
        DROP,
        Coat("#9aa5b4", "#6d7889", "#7f8b9b", "#f3f5f8", "#f0b3b3", "#e2737d", "#e9b93a", "#2d3440", "#2d3440"),
    ),
    "green": Player(
        "#35b26a",
        "#d9f4e0",
        "#17603a",
        LEAF,
        Coat("#f3e2c4", "#c9a777", "#dcc49b", "#fffaf0", "#f3b4ab", "#e2737d", "#4d9be0", "#4a3524", "#4a3524"),
    ),
    "yellow": Player(
        "#f6c515",
        "#fff4c4",
        "#9a6a06",
        STAR,
        Coat("#9b6a43", "#653d20", "#835533", "#f2dfc6", "#e8a59b", "#d8606a", "#9ccf4c", "#2e1a0d", "#2e1a0d"),
    ),
    "purple": Player(
        "#4f1f86",
        "#e4d6f7",
        "#2e0f54",
        MOON,
        Coat("#fbf7f2", "#e0d6cd", "#e4dbd2", "#ffffff", "#f5b5bd", "#e2737d", "#58b8c9", "#473a4a", "#473a4a"),
    ),
}


@dataclass(frozen=True)
class Look:
    """One way to draw the cats; ``bare`` leaves out scene and badges: a plain card with one large emblem."""

    name: str
    players: Mapping[str, Player] = field(default_factory=lambda: PLAYERS)
    frame_width: float = 3.4
    bare: bool = False
    wobble: float = 0.25
    princess_ground: str = "#fdf1dd"
    princess_frame: str = "#d9a441"


HOME = Look("home")


def cat_faces(look: Look = HOME) -> list[Face]:
    """Five cards a player, two faces each, and five Princesses."""
    cats = [
        Face(f"cat-{player}{'-asleep' if asleep else ''}", "cat", 5, {"player": player, "asleep": asleep})
        for player in look.players
        for asleep in (False, True)
    ]
    return [*cats, Face("princess", "princess", 5, {})]


def _badges(player: Player, paper: str) -> str:
    """The emblem in all four corners, right way up from both ends of the card."""
    parts = []
    for x, y, turn in (
        (9.4, 9.6, 0),
        (WIDTH - 9.4, 9.6, 0),
        (9.4, HEIGHT - 9.6, 180),
        (WIDTH - 9.4, HEIGHT - 9.6, 180),
    ):
        badge = circle(0, 0, 6, paper, stroke=player.colour, stroke_width=1.1) + shape(player.emblem, player.colour)
        parts.append(place(badge, x, y, 1, turn))
    return "".join(parts)


def _collar(player: Player) -> str:
    """A collar with the emblem as its tag, for a sitting cat."""
    band = line("M-5.6-.4Q0 3.4 5.6-.4", player.coat.ink, 3.2) + line("M-5.6-.4Q0 3.4 5.6-.4", player.colour, 1.9)
    tag = circle(0, 4.6, 3.2, "#fff6dc", stroke=player.coat.ink, stroke_width=0.7)
    return band + tag + place(shape(player.emblem, player.colour), 0, 4.6, 0.56)


def _frame(look: Look, outer: str, inner: str) -> str:
    inset = look.frame_width
    return rectangle(0, 0, WIDTH, HEIGHT, outer) + rectangle(
        inset, inset, WIDTH - 2 * inset, HEIGHT - 2 * inset, inner, r=3
    )


def _awake(player: Player, look: Look) -> str:
    cat = sitting(player.coat, "calm", (0, -0.1), collar=_collar(player))
    if look.bare:
        parts = _frame(look, player.colour, "#ffffff")
        return parts + place(shape(player.emblem, player.colour), MIDDLE, 20, 2.3) + place(cat, MIDDLE, 56, 1.35)
    beams = "".join(
        place(shape("M-4.2-80L4.2-80L0 0Z", "#ffffff"), MIDDLE, 40, 1, angle) for angle in range(0, 360, 20)
    )
    inset = look.frame_width
    rug = ellipse(MIDDLE, 73.4, 22.5, 6, player.colour) + ellipse(MIDDLE, 73, 19.6, 4.7, player.pale)
    return group(
        _frame(look, player.colour, player.pale),
        group(beams, opacity=0.5),
        # The frame reaches beyond the card, so that the wobble pulls no ray into its border.
        rectangle(
            inset / 2 - 3,
            inset / 2 - 3,
            WIDTH - inset + 6,
            HEIGHT - inset + 6,
            "none",
            r=6,
            stroke=player.colour,
            stroke_width=inset + 6,
        ),
        rug,
        _badges(player, "#ffffff"),
        place(cat, MIDDLE - 1, 46.4, 1.5),
    )


def _asleep(player: Player, look: Look) -> str:
    cat = curled(player.coat)
    zzz = "".join(
        outlined_text(x, y, "Z", size, "#ffffff", player.deep, 0.9)
        for x, y, size in ((36, 34, 8), (43, 26.5, 11), (36, 18.4, 14))
    )
    if look.bare:
        parts = _frame(look, player.colour, player.deep) + zzz
        return parts + place(shape(player.emblem, "#ffffff"), 16, 22, 1.9) + place(cat, MIDDLE, 57, 1.4)
    sky = "".join(
        shape(star(x, y, r, r * 0.42, 4), "#fff3c4")
        for x, y, r in (
            (20, 22, 1.8),
            (52, 30, 1.6),
            (11, 34, 1.5),
            (24, 11, 1.4),
            (54, 62, 1.4),
            (9, 66, 1.6),
            (48, 79, 1.3),
            (26, 35, 1),
        )
    )
    cushion = "M10.5 46C18 42 45 42 52.5 46C57 53 57 66 52.5 73C45 77.4 18 77.4 10.5 73C6 66 6 53 10.5 46Z"
    return group(
        _frame(look, player.colour, player.deep),
        sky,
        shape(cushion, player.colour, stroke="#ffffff", stroke_width=0.8),
        shape(
            cushion,
            "none",
            stroke=player.deep,
            stroke_width=0.6,
            stroke_dasharray="1.8 1.5",
            transform="translate(3.8 7.2) scale(.88)",
        ),
        _badges(player, "#fff6dc"),
        zzz,
        place(cat, MIDDLE + 0.4, 59.4, 1.28),
    )


def _crown() -> str:
    band = "M-6.6 3.4L-7.8-3.6L-3.6-.4L0-5.6L3.6-.4L7.8-3.6L6.6 3.4Q0 5.2-6.6 3.4Z"
    gems = circle(0, 2.2, 1.15, "#e2354a") + circle(-3.7, 1.8, 0.85, "#2b6fd8") + circle(3.7, 1.8, 0.85, "#2b6fd8")
    pearls = "".join(
        circle(x, y, 1.05, "#fffaf0", stroke="#7a4d0d", stroke_width=0.4)
        for x, y in ((-7.8, -3.8), (0, -6), (7.8, -3.8))
    )
    return shape(band, "#ffcf33", stroke="#7a4d0d", stroke_width=0.9) + gems + pearls


def _princess(look: Look) -> str:
    gold = look.princess_frame
    necklace = "".join(
        circle(x, y, 1, "#fffaf0", stroke="#7a6a55", stroke_width=0.3)
        for x, y in ((-4.6, 0.6), (-2.6, 1.9), (2.6, 1.9), (4.6, 0.6))
    )
    necklace += place(shape(HEART, "#e2354a", stroke="#7a1020", stroke_width=0.7), 0, 3.6, 0.52)
    corners = "".join(
        place(place(_crown(), 0, 0, 0.52), x, y, 1, turn)
        for x, y, turn in (
            (10, 10.6, 0),
            (WIDTH - 10, 10.6, 0),
            (10, HEIGHT - 10.6, 180),
            (WIDTH - 10, HEIGHT - 10.6, 180),
        )
    )
    cushion = "M12 71Q31.5 64 51 71Q54 76.5 51 80Q31.5 84.5 12 80Q9 76.5 12 71Z"
    return group(
        rectangle(0, 0, WIDTH, HEIGHT, gold),
        rectangle(3.2, 3.2, WIDTH - 6.4, HEIGHT - 6.4, look.princess_ground, r=3),
        rectangle(3.2, 3.2, WIDTH - 6.4, HEIGHT - 6.4, "url(#lozenge)", r=3),
        rectangle(4.8, 4.8, WIDTH - 9.6, HEIGHT - 9.6, "none", r=2.2, stroke=gold, stroke_width=0.6),
        circle(MIDDLE, 42, 23, "#fffaf0", opacity=0.8),
        circle(MIDDLE, 42, 23, "none", stroke=gold, stroke_width=1, stroke_dasharray="0.01 2.6"),
        corners,
        shape(cushion, "#c9304a", stroke="#6d1424", stroke_width=0.8),
        line("M15 75.4Q31.5 70 48 75.4", "#e8677c", 0.8),
        place(sitting(NIGHT, "calm", (0, -0.1), collar=necklace), MIDDLE - 1, 48, 1.38),
        place(_crown(), MIDDLE - 1, 24.8, 1.16),
    )


def draw_cat(face: Face, look: Look = HOME) -> str:
    """SVG of a cat or Princess card, 63 x 88 mm, upright."""
    if face.kind == "princess":
        content = _princess(look)
    else:
        player = look.players[face.fields["player"]]
        content = _asleep(player, look) if face.fields["asleep"] else _awake(player, look)
    lozenge = shape("M4 .8L7.2 5L4 9.2L.8 5Z", "none", stroke="#ecd5a8", stroke_width=0.5) + circle(
        4, 5, 0.7, "#ecd5a8"
    )
    definitions = wobble("hand", look.wobble, 9) + pattern("lozenge", 8, 10, lozenge)
    ground = rectangle(0, 0, WIDTH, HEIGHT, look.princess_frame if face.kind == "princess" else player.colour)
    return card(WIDTH, HEIGHT, CORNER, ground + group(content, filter="url(#hand)"), definitions)


def draw_princess_back(look: Look = HOME) -> str:
    """SVG of the back of the Princess cards, the same after a half turn."""
    gold = look.princess_frame
    half = (
        place(_crown(), MIDDLE, 26, 1.3) + place(paw_print(gold), 14, 13, 1) + place(paw_print(gold), WIDTH - 14, 13, 1)
    )
    content = group(
        rectangle(3.2, 3.2, WIDTH - 6.4, HEIGHT - 6.4, "none", r=3, stroke=gold, stroke_width=1.4),
        half,
        place(place(half, -WIDTH, -HEIGHT), 0, 0, 1, 180),
        place(shape(HEART, "#c9304a", stroke=gold, stroke_width=0.8), MIDDLE, HEIGHT / 2, 1.5, 90),
        filter="url(#hand)",
    )
    return card(
        WIDTH, HEIGHT, CORNER, rectangle(0, 0, WIDTH, HEIGHT, "#2c2538") + content, wobble("hand", look.wobble, 9)
    )
