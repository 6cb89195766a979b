"""Whole photographs: the truth lies where the cards are, and the same seed gives the same bytes."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.decks import Deck, Game, builtin_deck
from referee.errors import LayoutError
from referee.layouts import Layout, PlacedCard
from samples.table import Photo, Scene, random_layout, random_scene, render, surfaces
from samples.table.ground import table_edge
from samples.table.light import LightField
from samples.table.prints import MissingPictureError
from samples.table.render import frame
from samples.table.scene import Light, Print
from samples.table.truth import polygon_inside

PLAIN = [s for s in surfaces() if s.name == "plain"]
AS_DRAWN = Print(1, 0, 1, 1, 0, (1, 1, 1), 0, 0, 0.3, 0)


def clean(level: str = "everyday", seed: int = 4, **changes: object) -> Scene:
    """A scene without things, noise or blur; geometry as drawn at that level."""
    scene = random_scene(level, seed, PLAIN)  # type: ignore[arg-type]
    sensor = replace(
        scene.sensor, electrons=1e6, read_noise=0.5, bayer=False, denoise=0, motion_px=0, defocus_px=0.35,
        exposure_ev=0, quality=95, subsampling="444", focus_error=0,
    )  # fmt: skip
    base = replace(
        scene, size=(800, 600), clutter=(), covers=(), heap="none", shadows=(), edge=False, table_gloss=0.0,
        ambient=0.7, lights=(Light((300, -400, 1500), 0.3, 5500, 200),), printing=AS_DRAWN, sensor=sensor,
        card_px=(40, 400),
    )  # fmt: skip
    return replace(base, **changes)  # type: ignore[arg-type]


def rectified(photo: Photo, corners: list[list[float]], shape: tuple[int, int]) -> np.ndarray:
    w, h = shape
    page = np.array([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]], np.float32)
    warp = cv2.getPerspectiveTransform(np.array(corners, np.float32), page)
    return cv2.warpPerspective(photo.image, warp, shape, flags=cv2.INTER_AREA)


def likeness(a: np.ndarray, b: np.ndarray) -> float:
    """Normalised correlation of two BGR pictures of one size."""
    a, b = (v.astype(float) - v.mean(axis=(0, 1)) for v in (a, b))
    return float((a * b).sum() / math.sqrt((a * a).sum() * (b * b).sum()))


def face_picture(deck: Deck, face: str, shape: tuple[int, int]) -> np.ndarray:
    path = deck.image_path(face)
    assert path is not None
    picture = cv2.imread(str(path))
    assert picture is not None
    return np.asarray(cv2.resize(picture, shape, interpolation=cv2.INTER_AREA))


@pytest.mark.parametrize("game", list(Game))
@pytest.mark.parametrize("bend", [0.0, 1.0])
def test_truth_corners_lie_on_the_cards(game: Game, bend: float) -> None:
    deck = builtin_deck(game)
    layout, _ = random_layout(game, deck, 9, None)
    scene = clean("hard", 3, fill=0.9, printing=replace(AS_DRAWN, bend_mm=bend), size=(1600, 1200))
    photo = render(layout, deck, scene, 1)
    shape = (48, round(48 * deck.card_mm[1] / deck.card_mm[0]))
    inner = (slice(4, -4), slice(4, -4))
    seen = 0
    for card in photo.truth["cards"]:
        if card["hidden"] > 0.02:
            continue
        seen += 1
        face = face_picture(deck, card["face"], shape)
        here = rectified(photo, card["corners"], shape)
        right = likeness(here[inner], face[inner])
        assert right > (0.9 if bend == 0 else 0.8), (card["id"], right)
        half_turned = rectified(photo, [card["corners"][k] for k in (2, 3, 0, 1)], shape)
        assert likeness(half_turned[inner], face[inner]) < right - 0.1
        corners = np.array(card["corners"])
        shoved = (corners + 0.06 * (corners[1] - corners[0])).tolist()
        assert likeness(rectified(photo, shoved, shape)[inner], face[inner]) < right - 0.01
    assert seen >= 3


@pytest.mark.parametrize(("level", "seed"), [("everyday", 1), ("hard", 2)])
def test_the_same_seed_gives_the_same_bytes(level: str, seed: int) -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    layout, fault = random_layout(Game.CAT_AND_MOUSE, deck, seed)
    scene = replace(random_scene(level, seed), size=(480, 360))  # type: ignore[arg-type]
    first, again, other = (render(layout, deck, scene, s, fault) for s in (seed, seed, seed + 1))
    assert first.jpeg == again.jpeg
    assert first.truth == again.truth
    assert first.jpeg != other.jpeg


def test_the_truth_has_the_fields_of_a_sidecar() -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    layout, fault = random_layout(Game.CAT_AND_MOUSE, deck, 5, "wrong-side")
    photo = render(layout, deck, clean(size=(480, 640)), 2, fault)
    truth = photo.truth
    assert truth["size"] == [480, 640]
    assert photo.image.shape == (640, 480, 3)
    assert (truth["game"], truth["deck"], truth["fault"]) == ("cat-and-mouse", "cat-and-mouse", "wrong-side")
    assert truth["outcome"] == "invalid"
    assert truth["verdict"]["faults"]
    assert [c["id"] for c in truth["cards"]] == [c.id for c in layout.cards]
    for card in truth["cards"]:
        ring = np.array(card["corners"], np.float32)
        assert ring.shape == (4, 2)
        assert cv2.contourArea(ring, oriented=True) > 0  # clockwise with y pointing down


@pytest.mark.parametrize("seed", range(6))
def test_cards_stay_in_the_frame_and_in_their_range_of_sizes(seed: int) -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    layout, _ = random_layout(Game.CAT_AND_MOUSE, deck, seed)
    scene = clean("hard", seed, fill=0.9, size=(2016, 1512))
    camera = frame(layout, deck, scene, [], np.random.default_rng(seed))
    sides = []
    for card in layout.cards:
        angle = math.radians(card.turn)
        along = 32 * np.array([math.cos(angle), math.sin(angle)])
        ends = camera.project([np.array([card.x, card.y]) - along, np.array([card.x, card.y]) + along])
        sides.append(np.linalg.norm(ends[1] - ends[0]))
        assert np.all(ends > 0)
        assert np.all(ends < scene.size)
    assert 30 < np.median(sides) < 460


def two_cards(z: float) -> Layout:
    move = next(f.id for f in builtin_deck(Game.CAT_AND_MOUSE).faces if f.kind == "move")
    return Layout(
        game=Game.CAT_AND_MOUSE,
        cards=(
            PlacedCard(id="under", face="start", x=0, y=0, z=0),
            PlacedCard(id="over", face=move, x=32, y=0, z=z),
        ),
    )


def test_hidden_is_the_covered_part() -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    truth = render(two_cards(1), deck, clean(tilt=0.0), 1).truth
    under, over = truth["cards"]
    assert under["hidden"] == pytest.approx(0.5, abs=0.04)
    assert over["hidden"] == 0


def test_a_hand_hides_part_of_a_card() -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    scene = clean(tilt=0.0, covers=("hand",), size=(480, 360))
    hidden = [render(two_cards(1), deck, scene, seed).truth["cards"][1]["hidden"] for seed in range(3)]
    assert max(hidden) > 0.15


def test_cut_is_the_part_outside_the_picture() -> None:
    assert polygon_inside([[-50, 0], [50, 0], [50, 50], [-50, 50]], (200, 100)) == pytest.approx(0.5, abs=0.01)
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    layout, _ = random_layout(Game.CAT_AND_MOUSE, deck, 9, None)
    whole = render(layout, deck, clean(fill=0.9), 1).truth
    wide = render(layout, deck, clean(fill=1.5), 1).truth
    assert max(card["cut"] for card in whole["cards"]) == 0
    assert max(card["cut"] for card in wide["cards"]) > 0.2


def test_the_heap_keeps_away_from_the_layout_and_is_told_apart() -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    layout, _ = random_layout(Game.CAT_AND_MOUSE, deck, 2, None)
    truth = render(layout, deck, clean(heap="face-up"), 4).truth
    assert len(truth["heap"]) >= 3
    assert all(card["hidden"] < 0.03 for card in truth["cards"])
    centres = [np.mean(card["corners"], axis=0) for card in truth["cards"]]
    side = np.linalg.norm(np.subtract(*truth["cards"][0]["corners"][:2]))
    for card in truth["heap"]:
        assert min(np.linalg.norm(np.mean(card["corners"], axis=0) - c) for c in centres) > 0.9 * side


def test_the_layout_lies_on_the_table_and_the_floor_is_beyond_its_edge() -> None:
    layout = two_cards(0)
    kept = np.array([[card.x, card.y] for card in layout.cards])
    for seed in range(20):
        edge = table_edge(clean(edge=True), kept, np.random.default_rng(seed))
        assert edge is not None
        assert all(edge.beyond(x, y) <= -15 for x, y in kept)
    assert table_edge(clean(), kept, np.random.default_rng(0)) is None


def test_light_falls_off_and_shadows_follow_the_lamp() -> None:
    camera = frame(
        two_cards(0),
        builtin_deck(Game.CAT_AND_MOUSE),
        clean(tilt=0.0, azimuth=0.0, roll=0.0),
        [],
        np.random.default_rng(0),
    )
    x, y = camera.table_map()
    from samples.table.light import light_field

    lamp = Light((-600, 0, 500), 0.9, 5000, 50)
    field = light_field(
        clean(tilt=0.0, azimuth=0.0, roll=0.0, ambient=0.1, lights=(lamp,)),
        camera,
        x,
        y,
        (0, 0),
        np.random.default_rng(1),
    )
    assert isinstance(field, LightField)
    row = field.irradiance[300].mean(axis=1)
    assert row[50] > 1.15 * row[-50]
    assert field.shadow_shift(0, 0, 10)[0] > 5


def test_a_layout_that_does_not_suit_the_deck_is_refused() -> None:
    layout = Layout(game=Game.CAT_AND_MOUSE, cards=(PlacedCard(id="a", face="unicorn", x=0, y=0),))
    with pytest.raises(LayoutError, match="unicorn"):
        render(layout, builtin_deck(Game.CAT_AND_MOUSE), clean(), 1)


def test_a_face_without_a_picture_is_named() -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE).model_copy(update={"folder": None})
    with pytest.raises(MissingPictureError, match=r'face "start".*has no picture'):
        render(two_cards(0), deck, clean(size=(320, 240)), 1)


def test_a_layout_without_cards_is_refused() -> None:
    with pytest.raises(ValueError, match="no cards"):
        render(Layout(game=Game.CAT_AND_MOUSE, cards=()), builtin_deck(Game.CAT_AND_MOUSE), clean(), 1)
