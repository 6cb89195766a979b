"""Other looks of the same games, to try the referee on cards that are not ours: drawn on demand, never shipped."""

from samples.art.arrows import Arrow
from samples.art.cat_and_mouse import Bulb, Look, Spot
from samples.art.cats import Coat
from samples.art.coloured_paths import Look as PathLook
from samples.art.coloured_paths import Paint
from samples.art.if_it_fits import Look as BoxLook
from samples.art.if_it_fits_cats import DROP, HEART, LEAF, MOON, STAR, Player
from samples.art.if_it_fits_cats import Look as CatLook

PALE_COAT = Coat(fur="#f7b56b", stripe="#dd8a3a", shade="#e9a052", belly="#fff7ea", eye="#5aa9d6", ink="#6a4632")
RUSTY_COAT = Coat(fur="#d96a1e", stripe="#93400c", shade="#b9540f", belly="#f9dcb9", eye="#e8c62e", ink="#1c0f08")

CAT_AND_MOUSE: dict[str, Look] = {
    look.name: look
    for look in (
        # Light, thin lines: hollow arrows of half length in pale blue, no paw prints, the bulb at the lower right.
        Look(
            "frost",
            arrow=Arrow(
                fill="#ffffff",
                edge="#6fa8e6",
                rim=1,
                gloss=None,
                reach=29,
                head_length=14,
                head_width=22,
                shaft=9,
                tail=4.5,
                round=0.6,
                bend_shift=0,
                bend_scale=1,
            ),
            bulb=Bulb(53, 50, 7.4, "#fff6bf", "#8a8f98", "#3a4250", "#cfd5dd", "#fffbe0"),
            grounds=("#ffffff", "#fbfdff", "#f6faff"),
            motifs=("#ffffff", "#fbfdff", "#f6faff"),
            frame="#a9c7e8",
            frame_width=0.5,
            frame_inset=2.4,
            pips=None,
            coat=PALE_COAT,
            spots=None,
            spot=Spot("head", 13.5, 14.5, 0.86),
            start=("#7fb4ea", "#dcecfb", "#ffffff"),
            finish=("#e8868a", "#fbe3e3", "#ffffff"),
            wobble=0.08,
            plain_ends=True,
        ),
        # Dark cards without a frame: bright arrows with a white rim, the bulb at the lower left.
        Look(
            "night",
            arrow=Arrow(
                fill="#2f8bff",
                edge="#e9f4ff",
                rim=0.9,
                gloss=None,
                reach=29,
                head_length=18,
                head_width=30,
                shaft=10,
                tail=26,
                taper=0.5,
                barb=2.5,
                round=0.8,
                bend_shift=3,
                bend_scale=0.75,
            ),
            bulb=Bulb(11.6, 50, 8.2, "#ffe14d", "#fff8d8", "#1a1a2c", "#8b90a4", "#ffd94a", tilt=-12),
            grounds=("#20243a", "#1d2f33", "#33223a"),
            motifs=("#2a3050", "#274046", "#45304e"),
            frame_width=0,
            pips=None,
            spots=None,
            spot=Spot("head", 51, 13.4, 0.84),
            coat=Coat(whisker="#fff4e0"),
            start=("#12336e", "#1c4590", "#8fc1ff"),
            finish=("#6e1418", "#8f2024", "#ffb3ad"),
            wobble=0.15,
        ),
        # A comic: thick black frame, navy arrows with barbs, the bulb at the upper left.
        Look(
            "comic",
            arrow=Arrow(
                fill="#142a6b",
                edge="#05070f",
                rim=1.2,
                gloss="#3f5fc4",
                reach=26,
                head_length=17,
                head_width=30,
                shaft=15,
                tail=24,
                barb=4,
                round=0,
                bend_scale=0.72,
                bend_shift=3,
            ),
            bulb=Bulb(13, 14.4, 8, "#fff04a", "#05070f", "#c8141e", "#b9bec7", "#ffffff", 1.75),
            grounds=("#ffffff", "#fff7cf", "#ffe3ec"),
            motifs=("#e9e9ee", "#ffe99a", "#ffb9cf"),
            frame="#05070f",
            frame_width=3.4,
            frame_inset=0,
            pips=None,
            coat=RUSTY_COAT,
            spots=None,
            spot=Spot("head", 50.5, 51, 0.82),
            start=("#1b49c8", "#ffe14d", "#ffffff"),
            finish=("#d0101c", "#ffe14d", "#ffffff"),
            wobble=0,
            plain_ends=True,
        ),
        # Kraft paper with grain, as a printed photograph: pale blue arrows, the cat large on the left.
        Look(
            "craft",
            arrow=Arrow(
                fill="#9cc4e4",
                edge="#2c5d8a",
                rim=0.8,
                gloss="#e8f4fc",
                reach=27,
                head_length=15,
                head_width=24,
                shaft=12,
                tail=6,
                round=3,
                bend_shift=0,
                bend_scale=0.9,
            ),
            bulb=Bulb(52.6, 49, 7.8, "#f4d777", "#5b3a1e", "#3a220f", "#a09a90", "#f7e6ac"),
            grounds=("#c9a878", "#c2a678", "#cba27c"),
            motifs=("#bf9c6a", "#b79a6a", "#c0956c"),
            frame="#8a6236",
            frame_width=1,
            frame_inset=4.5,
            pips="#2c5d8a",
            coat=RUSTY_COAT,
            spots=None,
            spot=Spot("sitting", 11, 16.6, 0.66),
            start=("#5f93bd", "#7fadd2", "#f3e6cc"),
            finish=("#b5493c", "#c9655a", "#f3e6cc"),
            wobble=0.45,
            grain=0.7,
            grain_scale="0.55",
        ),
        # A poster: a large cat behind everything, bare triangles at the sides they point to, the bulb in a corner.
        Look(
            "poster",
            arrow=Arrow(
                fill="#0f6fe0",
                edge="#ffffff",
                rim=1,
                gloss=None,
                reach=30,
                head_length=13,
                head_width=26,
                shaft=0,
                round=1.2,
            ),
            bulb=Bulb(54, 54.4, 7, "#ffd21f", "#3b2413", "#111111", "#9aa3ad", "#fff0a8", 1.7),
            grounds=("#ffe7a8", "#c9ecd9", "#f4c9e2"),
            motifs=("#ffd879", "#a9ddc2", "#eaa9cf"),
            frame="#ffffff",
            frame_width=2.6,
            frame_inset=0,
            pips=None,
            spots=None,
            spot=Spot("head", 32, 33, 1.62),
            cat_behind=True,
            start=("#0f6fe0", "#5aa5f5", "#fff7e0"),
            finish=("#e0291f", "#f5766f", "#fff7e0"),
            wobble=0.2,
        ),
        # Blue on blue: slim navy arrows the whole card long on a pale blue card, low in contrast.
        Look(
            "royal",
            arrow=Arrow(
                fill="#23408f",
                edge="#23408f",
                rim=0.3,
                gloss=None,
                reach=30,
                head_length=12,
                head_width=17,
                shaft=5.5,
                tail=29,
                round=0.3,
                bend_shift=0,
                bend_scale=1,
            ),
            bulb=Bulb(12, 12.6, 8, "#ffcf3f", "#23408f", "#23408f", "#8fa2cf", "#fff1bd", 1.5, tilt=10),
            grounds=("#d6e4f5", "#cfe0f3", "#dde2f7"),
            motifs=("#c6d8ef", "#bfd4ee", "#ccd3f0"),
            frame="#7f9bd0",
            frame_width=2.2,
            frame_inset=3,
            pips=None,
            coat=PALE_COAT,
            spots=None,
            spot=Spot("crouching", 48, 51, 0.72, mirror=True),
            start=("#3d5fae", "#6f8dcc", "#eef3fc"),
            finish=("#a3313d", "#c8656f", "#fceeee"),
            wobble=0.1,
            plain_ends=True,
        ),
    )
}

COLOURED_PATHS: dict[str, PathLook] = {
    look.name: look
    for look in (
        # Chalk on a dark board: thin pale paths without texture, outline or mark at the change.
        PathLook(
            "chalk",
            paints={
                "yellow": Paint("#f4e08a", "plain", ""),
                "green": Paint("#86cf9a", "plain", ""),
                "red": Paint("#e88a80", "plain", ""),
                "blue": Paint("#7fb0ea", "plain", ""),
            },
            ground="#24322d",
            motif="#2c3d37",
            width=4.6,
            casing=None,
            shadow=0,
            joint=None,
            ornaments=False,
            wobble=0.5,
        ),
        # Broad angular bands in four other colours, outlined in black on grey.
        PathLook(
            "bands",
            paints={
                "orange": Paint("#ff8c1a", "plain", ""),
                "violet": Paint("#7a3fc0", "bars", "#9a6bd6"),
                "turquoise": Paint("#19b5c4", "plain", ""),
                "brown": Paint("#5c3317", "plain", ""),
            },
            rename={"yellow": "orange", "green": "turquoise", "red": "violet", "blue": "brown"},
            ground="#e4e6ea",
            motif="#d6d9df",
            width=8.6,
            casing="#111111",
            casing_width=1.1,
            shadow=0,
            joint=None,
            ornaments=False,
            angular=True,
            wobble=0,
        ),
        # Soft ribbons on white, each with a pale rim; the textures sit on other colours than ours.
        PathLook(
            "ribbon",
            paints={
                "yellow": Paint("#f2c230", "bars", "#e0a80f"),
                "green": Paint("#2e8f4e", "dashes", "#d8f0d9"),
                "red": Paint("#c92f4b", "dots", "#f2a0ae"),
                "blue": Paint("#3a78d8", "plain", ""),
            },
            ground="#ffffff",
            motif="#f2f2f2",
            width=6.4,
            casing="#f4efe6",
            casing_width=1.2,
            shadow=0.22,
            joint=None,
            wobble=0.1,
        ),
    )
}


def _players(colours: dict[str, str]) -> dict[str, Player]:
    emblems = {"red": STAR, "blue": HEART, "green": MOON, "yellow": LEAF, "purple": DROP}
    coats = {"red": RUSTY_COAT, "blue": PALE_COAT, "green": Coat(), "yellow": RUSTY_COAT, "purple": PALE_COAT}
    return {name: Player(colour, "#ffffff", "#2a2a33", emblems[name], coats[name]) for name, colour in colours.items()}


IF_IT_FITS: dict[str, tuple[BoxLook, CatLook]] = {
    boxes.name: (boxes, cats)
    for boxes, cats in (
        # A drawing office: pale blue floor, thin navy walls, plain round toys.
        (
            BoxLook(
                "blueprint",
                floor="#dbe8f6",
                flute="#cfdff2",
                flap="#f3f8fd",
                wall="#1c2f5c",
                wall_light="#35508c",
                wall_top="#44629f",
                ink="#111d3a",
                print="#7f9cc9",
                wall_width=3.6,
                flap_width=3.6,
                plain_toys=True,
                decor=False,
                wobble=0.1,
            ),
            CatLook(
                "blueprint",
                _players(
                    {"red": "#f05a5a", "blue": "#5a9bf0", "green": "#4fc07a", "yellow": "#f5cf4a", "purple": "#b07ae0"}
                ),
                frame_width=6,
                bare=True,
                princess_ground="#ffffff",
                princess_frame="#777788",
            ),
        ),
        # A wooden crate: dark floor, walls almost white, narrow flaps.
        (
            BoxLook(
                "crate",
                floor="#8a5a33",
                flute="#7c4f2b",
                flap="#a87648",
                wall="#efe2c8",
                wall_light="#ffffff",
                wall_top="#fff8e8",
                ink="#2b1608",
                print="#5a3518",
                wall_width=7.5,
                flap_width=3,
                wobble=0.45,
            ),
            CatLook(
                "crate",
                _players(
                    {"red": "#a81c28", "blue": "#163f9c", "green": "#0f6a38", "yellow": "#d8960a", "purple": "#5c2398"}
                ),
                frame_width=1.5,
                princess_ground="#3a3040",
                princess_frame="#c9a227",
                wobble=0.4,
            ),
        ),
    )
}
