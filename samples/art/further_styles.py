"""Still other looks of the games: over photographs, with other arrows, other blues, thick and thin frames."""

from samples.art.arrows import Arrow
from samples.art.cat_and_mouse import Bulb, Look, Spot
from samples.art.cats import Coat
from samples.art.coloured_paths import Look as PathLook
from samples.art.coloured_paths import Paint
from samples.art.if_it_fits import Look as BoxLook
from samples.art.if_it_fits_cats import DROP, HEART, LEAF, MOON, STAR, Player
from samples.art.if_it_fits_cats import Look as CatLook

PHOTOGRAPHED = {
    "meadow": ("wood-varnished-panels", 0.75),
    "slate": ("steel-scratched", 0.8),
    "felt": ("gray-felt", 0.8),
    "parcel": ("gray-woodgrain", 0.85),
}
"""Looks printed over a photograph: its name, and how much of it shows (0..1)."""

CAT_AND_MOUSE: dict[str, Look] = {
    look.name: look
    for look in (
        # Over photographed wood: broad teal-blue arrows with a short tail, a thick white frame, the bulb in the middle
        # of the right side.
        Look(
            "meadow",
            arrow=Arrow(
                fill="#0b6f9e",
                edge="#f2fbff",
                rim=1.6,
                gloss=None,
                reach=27,
                head_length=19,
                head_width=32,
                shaft=17,
                tail=12,
                barb=0,
                round=2.4,
                bend_scale=0.7,
                bend_shift=2,
            ),
            bulb=Bulb(53.4, 52.4, 8, "#fff2a8", "#0b3d57", "#0b3d57", "#7f9aa8", "#fff8cf", 1.6),
            grounds=("#e9e2c9", "#dfe7cf", "#eed9cb"),
            motifs=("#e2d9ba", "#d6e0c2", "#e6cdbb"),
            frame="#ffffff",
            frame_width=4.4,
            frame_inset=0,
            pips=None,
            spots=None,
            spot=Spot("head", 13, 13.6, 0.8),
            coat=Coat(),
            start=("#0b6f9e", "#3f95bd", "#fffdf2"),
            finish=("#b3342f", "#cf5f58", "#fffdf2"),
            wobble=0.15,
        ),
        # Dark grey over brushed steel: slim arrows of ice blue with long barbs, no frame.
        Look(
            "slate",
            arrow=Arrow(
                fill="#63b8ff",
                edge="#0c1420",
                rim=1.4,
                gloss=None,
                reach=29.5,
                head_length=13,
                head_width=24,
                shaft=7.5,
                tail=29,
                barb=5,
                round=0.4,
                bend_shift=1,
                bend_scale=0.9,
            ),
            bulb=Bulb(11.6, 51.6, 8.4, "#ffd95e", "#0c1420", "#0c1420", "#6f7a88", "#ffe48a", 1.6, tilt=6),
            grounds=("#4a525d", "#46564f", "#57495a"),
            motifs=("#525b67", "#4e6058", "#605164"),
            frame_width=0,
            pips=None,
            spots=None,
            spot=Spot("crouching", 47, 12.6, 0.7, mirror=True),
            coat=Coat(whisker="#fff4e0"),
            start=("#245a96", "#3a76b6", "#dcecff"),
            finish=("#8f2a2a", "#ad4646", "#ffe0dc"),
            wobble=0.1,
            plain_ends=True,
        ),
        # A sticker: arrows outlined with dashes in violet-blue on mint, a thin double frame, the bulb at the top right.
        Look(
            "sticker",
            arrow=Arrow(
                fill="#d9e2ff",
                edge="#3b3fd1",
                rim=2.2,
                gloss=None,
                reach=27,
                head_length=15,
                head_width=28,
                shaft=11,
                tail=22,
                taper=1.6,
                round=1.2,
                bend_scale=0.8,
                bend_shift=2.4,
            ),
            bulb=Bulb(52.6, 13, 8.6, "#fffbe8", "#3b3fd1", "#d1126f", "#a6a9cf", "#fff3c4", 1.7, tilt=-8),
            grounds=("#d8f5ea", "#f5f0d2", "#fbe0ec"),
            motifs=("#c3ecdc", "#ece4b6", "#f5c8dc"),
            frame="#3b3fd1",
            frame_width=0.8,
            frame_inset=3.2,
            pips="#ffffff",
            spots=None,
            spot=Spot("head", 11.6, 52.6, 0.62),
            start=("#3b3fd1", "#6b6ee6", "#f1f1ff"),
            finish=("#d1126f", "#e65a9d", "#fff0f6"),
            wobble=0.35,
        ),
    )
}

COLOURED_PATHS: dict[str, PathLook] = {
    look.name: look
    for look in (
        # Yarn on photographed felt: dark ground, soft middling colours, no outline.
        PathLook(
            "felt",
            paints={
                "yellow": Paint("#f0d27a", "dots", "#fff3c4"),
                "green": Paint("#4fa36b", "plain", ""),
                "red": Paint("#c4475a", "bars", "#e08a96"),
                "blue": Paint("#4a7fc9", "dashes", "#cfe0f7"),
            },
            ground="#5a5560",
            motif="#645f6b",
            width=7,
            casing="#2b2830",
            casing_width=0.6,
            shadow=0.3,
            joint=None,
            ornaments=False,
            wobble=0.4,
        ),
        # A map of tram lines: narrow angular lines with a white rim on pale grey-green, four other colours.
        PathLook(
            "tram",
            paints={
                "pink": Paint("#e8489a", "plain", ""),
                "lime": Paint("#8fc31f", "bars", "#6f9c12"),
                "cyan": Paint("#1aa3d9", "dots", "#ffffff"),
                "black": Paint("#2a2d34", "plain", ""),
            },
            rename={"yellow": "lime", "green": "cyan", "red": "pink", "blue": "black"},
            ground="#e6ece4",
            motif="#d8e0d5",
            width=5.4,
            casing="#ffffff",
            casing_width=1.0,
            shadow=0,
            joint="#ffffff",
            ornaments=False,
            angular=True,
            wobble=0,
        ),
    )
}


def _players(colours: dict[str, str], deep: str) -> dict[str, Player]:
    emblems = {"red": MOON, "blue": STAR, "green": HEART, "yellow": DROP, "purple": LEAF}
    return {name: Player(colour, "#fffaf0", deep, emblems[name], Coat()) for name, colour in colours.items()}


IF_IT_FITS: dict[str, tuple[BoxLook, CatLook]] = {
    boxes.name: (boxes, cats)
    for boxes, cats in (
        # A parcel over photographed wood: grey-brown floor, dark red walls of middling width.
        (
            BoxLook(
                "parcel",
                floor="#b9a78c",
                flute="#ad9b80",
                flap="#d6c7ae",
                wall="#5e1f1a",
                wall_light="#8a3a31",
                wall_top="#a3574c",
                ink="#2b0f0c",
                print="#8f7d63",
                wall_width=5,
                flap_width=4.4,
                decor=False,
                wobble=0.3,
            ),
            CatLook(
                "parcel",
                _players(
                    {"red": "#c93a4a", "blue": "#3a6fc9", "green": "#2f9a5c", "yellow": "#e6b422", "purple": "#7a3aa8"},
                    "#3a2f3f",
                ),
                frame_width=4.2,
                princess_ground="#efe3d0",
                princess_frame="#8a6a2a",
                wobble=0.3,
            ),
        ),
        # A gift: a white box with broad green walls, pale pink flaps and plain toys.
        (
            BoxLook(
                "gift",
                floor="#f7f5ef",
                flute="#eeeae0",
                flap="#fbdde4",
                wall="#1f7a4d",
                wall_light="#3a9c6a",
                wall_top="#5bb787",
                ink="#12402a",
                print="#c9c2b0",
                wall_width=8,
                flap_width=5.6,
                plain_toys=True,
                wobble=0.15,
            ),
            CatLook(
                "gift",
                _players(
                    {"red": "#e8303f", "blue": "#2f7fe8", "green": "#1fa34a", "yellow": "#ffc91f", "purple": "#8a2fd6"},
                    "#1f2a3a",
                ),
                frame_width=2.4,
                bare=True,
                princess_ground="#fff7fb",
                princess_frame="#d64f8a",
                wobble=0.15,
            ),
        ),
    )
}
