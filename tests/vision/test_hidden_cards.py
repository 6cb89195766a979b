"""Cards under others: what shows is compared, colours are judged in the photo's own light, nothing is passed over."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.vision.align import Aligner, Doubles, Pixels, Pyramid
from referee.vision.correlate import correlations
from referee.vision.covering import is_frame_only, overlaps
from referee.vision.detect import told_by_layer
from referee.vision.facebank import FaceBank, face_bank, planar
from referee.vision.joint import flush, place_jointly
from referee.vision.layers import hidden, shown
from referee.vision.likeness import Light
from referee.vision.peeking import half_under, peeking_cells
from referee.vision.plane import Plane
from referee.vision.recognise import SURE_MARGIN, Candidate, CardReading, recognise
from referee.vision.rivals import (
    CONTESTED,
    _nearest_rival,
    contested,
    replace_doubtful,
    under_their_like,
    unrivalled,
)
from referee.vision.room import print_under
from referee.vision.seen_table import SeenTable
from referee.vision.surroundings import crowded
from referee.vision.verify import Detections, Layers, same_place, settle

SIDE = 100.0
LEFT, RIGHT, CAT = np.array([3.0, 3.0, 0.0]), np.array([4.02, 3.0, 0.0]), np.array([3.5, 3.05, np.pi / 2])


@pytest.fixture(scope="module")
def bank() -> FaceBank:
    return face_bank(builtin_deck(Game.IF_IT_FITS))


@pytest.fixture(scope="module")
def plane(bank: FaceBank) -> Plane:
    return Plane(np.diag([1 / SIDE, 1 / SIDE, 1.0]), np.zeros(2), 1.0, 0.0, bank.aspect, 0.0)


def index(bank: FaceBank, face: str) -> int:
    return bank.face_ids.index(face)


def table(
    bank: FaceBank, plane: Plane, cards: list[tuple[str, Doubles]], tint: tuple[float, ...] = (1, 1, 1)
) -> Pixels:
    """Cards on a grey-green grainy table, later ones on top, in a light of this colour."""
    rng = np.random.default_rng(1)
    picture = (np.full((700, 900, 3), (90, 110, 80)) + rng.normal(0, 5, (700, 900, 3))).clip(0, 255).astype(np.uint8)
    for face, pose in cards:
        source = bank.sources[index(bank, face)]
        height, width = source.shape[:2]
        frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        warp = cv2.getPerspectiveTransform(frame, plane.outlines(pose[None])[0].astype(np.float32))
        cv2.warpPerspective(source, warp, (900, 700), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    lit = cv2.GaussianBlur(picture * np.array(tint, dtype=np.float64), (0, 0), 0.7)
    return np.asarray(np.clip(lit, 0, 255), dtype=np.uint8)


def detections(bank: FaceBank, plane: Plane, cards: list[tuple[str, Doubles]], score: float = 0.95) -> Detections:
    poses = np.array([pose for _, pose in cards])
    faces = np.array([index(bank, face) for face, _ in cards], dtype=np.intp)
    ones = np.ones(len(cards), np.float32)
    return Detections(plane.outlines(poses), faces, score * ones, ones)


def test_only_cats_that_are_awake_and_the_princess_lie_on_others(bank: FaceBank) -> None:
    kinds = {face.id: face for face in bank.deck.faces}
    on_top = {face for face, lies in zip(bank.face_ids, bank.lies_on_others, strict=True) if lies}
    assert on_top
    assert all(kinds[f].kind in ("cat", "princess") and not getattr(kinds[f], "asleep", False) for f in on_top)
    assert not any(kinds[f].kind in ("box", "start", "toy") for f in on_top)


@pytest.mark.parametrize("awake", [True, False])
def test_whether_a_cat_hides_what_is_under_it_is_read_closely(bank: FaceBank, plane: Plane, awake: bool) -> None:
    """At few pixels a cat awake and one asleep look nearly alike, but only one of them lies on other cards."""
    asleep = next(f for f in bank.face_ids if f.endswith("-asleep"))
    true, wrong = (asleep.removesuffix("-asleep"), asleep) if awake else (asleep, asleep.removesuffix("-asleep"))
    pyramid = Pyramid.of(table(bank, plane, [(bank.face_ids[2], LEFT + np.array([1.5, 0.0, 0.0])), (true, LEFT)]))
    seen = detections(bank, plane, [(wrong, LEFT)])
    told = told_by_layer(pyramid, Aligner(bank), plane, seen)
    assert [bank.face_ids[f] for f in told.face] == [true]
    assert np.abs(told.corners - seen.corners).max() < 1e-6
    settled, _ = settle(pyramid, Aligner(bank), told, plane)
    assert [bank.face_ids[f] for f in settled.face] == [true]


def test_what_lies_under_an_upper_card_does_not_show(bank: FaceBank, plane: Plane) -> None:
    pyramid = Pyramid.of(table(bank, plane, []))
    templates = bank.at(32, 0.6)
    free = shown(pyramid.size, plane, templates, LEFT[None], np.empty((0, 3)))[0].sum()
    part = shown(pyramid.size, plane, templates, LEFT[None], CAT[None])[0].sum()
    assert part < 0.7 * free
    assert not shown(pyramid.size, plane, templates, LEFT[None], LEFT[None])[0].any()
    assert hidden(np.array([[3.5, 3.0], [9.0, 9.0]]), CAT[None], bank.aspect).tolist() == [True, False]


def test_a_half_hidden_face_is_told_by_what_shows(bank: FaceBank, plane: Plane) -> None:
    """Compared as a whole the cat on it decides; compared where it shows, the face correlates with itself."""
    boxes = [f.id for f in bank.deck.faces if f.kind == "box"][:12]
    cat = next(f for f, on in zip(bank.face_ids, bank.lies_on_others, strict=True) if on)
    templates = bank.at(32, 0.6)
    for face in boxes:
        pyramid = Pyramid.of(table(bank, plane, [(face, LEFT), (cat, CAT)], (0.7, 0.9, 1.0)))
        patch = pyramid.cut(plane.outlines(LEFT[None]), templates.size)
        shows = shown(pyramid.size, plane, templates, LEFT[None], CAT[None])
        masked = correlations(patch, templates, (0,), shows)[0, 0, index(bank, face)]
        assert masked > 0.8
        assert masked > correlations(patch, templates, (0,))[0, 0, index(bank, face)] + 0.1


def test_masked_correlation_equals_the_plain_one_where_nothing_is_hidden(bank: FaceBank) -> None:
    templates = bank.at(16, 0.7)
    rng = np.random.default_rng(3)
    patches = rng.uniform(0, 255, (5, *templates.mask.shape, 3)).astype(np.float32)
    shows = np.repeat(templates.mask[None], 5, axis=0)
    plain, masked = correlations(patches, templates, bank.turns), correlations(patches, templates, bank.turns, shows)
    assert np.abs(plain - masked).max() < 1e-3


def test_a_card_of_which_nothing_shows_correlates_with_no_face(bank: FaceBank) -> None:
    """Otherwise chance in a few pixels gives correlations beyond 1."""
    templates = bank.at(16, 0.7)
    patches = np.random.default_rng(3).uniform(0, 255, (1, *templates.mask.shape, 3)).astype(np.float32)
    shows = np.zeros((1, *templates.mask.shape), np.float32)
    shows[0, 4:6, 4:9] = 1
    assert (correlations(patches, templates, bank.turns, shows) == 0).all()


def test_colours_tell_a_box_from_table_in_any_light(bank: FaceBank, plane: Plane) -> None:
    boxes = [f.id for f in bank.deck.faces if f.kind == "box"]
    known = [(boxes[0], LEFT), (boxes[5], RIGHT)]
    templates = bank.at(32, 0.6)
    for tint in ((1.0, 1.0, 1.0), (0.5, 0.8, 1.0)):
        third = np.array([5.04, 3.0, 0.0])
        pyramid = Pyramid.of(table(bank, plane, [*known, (boxes[7], third)], tint))
        cards = detections(bank, plane, known)
        light = Light.of(pyramid, templates, cards.corners, cards.face, np.repeat(templates.mask[None], 2, axis=0))
        assert light is not None
        quads = plane.outlines(np.array([third, [3.0, 5.2, 0.0]]))
        faces, seen = templates.planes[[index(bank, boxes[7])] * 2], planar(pyramid.cut(quads, templates.size))
        error, _ = light.errors(seen, faces, np.repeat(templates.mask[None], 2, 0), quads)
        assert error[0] < 1.5 * light.usual
        plain = light.plain_errors(seen, faces, np.repeat(templates.mask[None], 2, 0), quads)
        assert plain[0] < 1.7 * light.usual < plain[1]
        assert error[1] > 2.2 * light.usual


def framed(bank: FaceBank) -> FaceBank:
    """The deck with nothing but a dark frame on the first face that has a picture inside."""
    sources = bank.sources.copy()
    width = sources.shape[2]
    sources[0] = 230
    for rim in range(width // 12):
        sources[0, [rim, -1 - rim]] = sources[0, :, [rim, -1 - rim]] = 40
    return replace(bank, sources=sources, _cache={}, _pictures={}, _contrasts={})


def test_a_face_of_which_only_the_frame_is_drawn_must_be_met_better(bank: FaceBank) -> None:
    deck = framed(bank)
    cat = int(np.flatnonzero(deck.lies_on_others)[0])
    assert deck.detail[0] < 0.1
    assert deck.detail[cat] > 0.9
    faces = np.array([0, cat, 0], np.intp)
    assert is_frame_only(deck, faces, np.array([0.8, 0.8, 0.95], np.float32)).tolist() == [True, False, False]


def test_print_of_much_contrast_may_be_off_by_more(bank: FaceBank, plane: Plane) -> None:
    templates = bank.at(32, 0.6)
    order = np.argsort(templates.contrasts)
    dull, loud = order[[len(order) // 2]], order[[-1]]
    names = [(bank.face_ids[f], LEFT + np.array([k, 0.0, 0.0])) for k, f in enumerate([*dull, *dull])]
    seen = detections(bank, plane, names)
    pyramid = Pyramid.of(table(bank, plane, names))
    shows = np.repeat(templates.mask[None], 2, axis=0)
    light = Light.of(pyramid, templates, seen.corners, seen.face, shows)
    assert light is not None
    assert light.usual_for(templates, dull) == pytest.approx([light.usual])
    ratio = templates.contrasts[loud] / templates.contrasts[dull]
    assert light.usual_for(templates, loud) == pytest.approx(light.usual * ratio)


def test_a_card_upside_down_that_borrows_its_neighbours_wall_is_put_right(bank: FaceBank, plane: Plane) -> None:
    """Of a plain box with a thick wall all but two strips look the same upside down, a wall's width aside."""
    thick = 0.12
    sources = bank.sources.copy()
    face, height, width = 0, sources.shape[1], sources.shape[2]
    wall = round(thick * width)
    sources[face] = (90, 130, 170)
    sources[face, :wall] = sources[face, :, :wall] = sources[face, :, -wall:] = (225, 235, 240)
    sources[face, height // 2 :, width // 3 : width // 3 + 9] = (60, 70, 160)
    deck = replace(bank, sources=sources, _cache={}, _pictures={}, _contrasts={})
    name = deck.face_ids[face]
    below = LEFT + np.array([0.0, plane.aspect, 0.0])
    truth = [(name, LEFT), (name, below), (deck.face_ids[5], LEFT + np.array([1.0, 0.0, 0.0]))]
    pyramid = Pyramid.of(table(deck, plane, truth))
    wrong = detections(deck, plane, [(name, LEFT + np.array([0.0, thick, np.pi])), *truth[1:]])
    found = replace_doubtful(pyramid, Aligner(deck), plane, wrong)
    assert np.abs(plane.poses(found.corners)[0] - LEFT).max() < 0.03


def test_face_and_place_of_a_half_hidden_card_are_found_together(bank: FaceBank, plane: Plane) -> None:
    """Beside its true place, by the width of a wall, a wrong face is put right."""
    cat = next(f for f, on in zip(bank.face_ids, bank.lies_on_others, strict=True) if on)
    boxes = [f.id for f in bank.deck.faces if f.kind == "box"]
    truth = [(boxes[3], LEFT), (boxes[8], RIGHT), (cat, CAT)]
    pyramid = Pyramid.of(table(bank, plane, truth))
    known = detections(bank, plane, truth[1:])
    for shift in ([0.06, 0.03, 0.0], [-0.1, 0.0, 0.0], [0.0, 0.12, 0.04]):
        wrong = detections(bank, plane, [(boxes[20], LEFT + np.array(shift))])
        found = place_jointly(pyramid, Aligner(bank), plane, wrong, known)
        assert bank.face_ids[found.face[0]] == boxes[3]
        assert np.abs(plane.poses(found.corners)[0] - LEFT).max() < 0.03


def test_a_card_that_shares_its_neighbours_edge_is_put_right(bank: FaceBank, plane: Plane) -> None:
    """A box read a wall's width aside, with the wall of the box beside it for its own."""
    walls = {f.id: f.walls for f in bank.deck.faces if f.kind == "box"}
    right = next(f for f, w in walls.items() if "left" in [str(x) for x in w] and "right" not in [str(x) for x in w])
    left = next(f for f, w in walls.items() if not {"left", "right"} & {str(x) for x in w})
    wrong = next(f for f, w in walls.items() if "right" in [str(x) for x in w] and "left" not in [str(x) for x in w])
    truth = [(left, LEFT), (right, LEFT + np.array([1.0, 0.0, 0.0])), (left, LEFT + np.array([0.0, 2.0, 0.0]))]
    pyramid = Pyramid.of(table(bank, plane, truth))
    seen = detections(bank, plane, [(wrong, LEFT + np.array([0.06, 0.0, 0.0])), *truth[1:]])
    kept, doubtful = unrivalled(pyramid, Aligner(bank), plane, seen)
    assert (len(kept), len(doubtful)) == (2, 1)
    found = replace_doubtful(pyramid, Aligner(bank), plane, seen)
    assert [bank.face_ids[f] for f in found.face] == [face for face, _ in truth]
    assert len(unrivalled(pyramid, Aligner(bank), plane, found)[1]) == 0


@pytest.mark.parametrize("alike", [True, False])
def test_a_box_that_another_face_explains_as_well_is_not_read_surely(bank: FaceBank, plane: Plane, alike: bool) -> None:
    """Whatever was made of it elsewhere, a face that explains the picture as well is counted as what it may be."""
    sources = bank.sources.copy()
    if alike:
        sources[3] = sources[2]
    deck = replace(bank, sources=sources, _cache={}, _pictures={}, _contrasts={})
    truth = [(bank.face_ids[2], LEFT), (bank.face_ids[5], LEFT + np.array([1.0, 0.0, 0.0]))]
    pyramid = Pyramid.of(table(bank, plane, truth))
    seen = detections(bank, plane, truth)
    sure = Candidate(2, 0, 0.98, 1.0), Candidate(3, 0, 0.9, 1.0)
    one, other = (
        CardReading(seen.corners[0], sure, 0.7),
        CardReading(seen.corners[1], (Candidate(5, 0, 0.98, 1.0),), 0.7),
    )
    found = contested(pyramid, Aligner(deck), plane, seen, (one, other))
    assert found[1] == other
    if alike:
        assert found[0].face == 2
        assert found[0].margin < SURE_MARGIN
        assert (found[0].candidates[1].face, found[0].candidates[1].turn) == (3, 0)
    else:
        assert found[0] == one


@pytest.mark.parametrize(("mark", "sure"), [(16, True), (0, False)])
def test_a_rival_that_explains_nearly_as_much_is_looked_at_closely(
    bank: FaceBank, plane: Plane, mark: int, sure: bool
) -> None:
    """A small mark hardly counts among all pixels of a card, and yet it tells two faces apart."""
    sources = bank.sources.copy()
    sources[3] = sources[2]
    spot = sources[3][60 : 60 + mark, 80 : 80 + mark]
    spot[:] = spot * 0.8
    deck = replace(bank, sources=sources, _cache={}, _pictures={}, _contrasts={})
    truth = [(bank.face_ids[2], LEFT), (bank.face_ids[5], LEFT + np.array([1.0, 0.0, 0.0]))]
    pyramid = Pyramid.of(table(bank, plane, truth))
    seen = detections(bank, plane, truth)
    read = CardReading(seen.corners[0], (Candidate(2, 0, 0.98, 1.0), Candidate(3, 0, 0.9, 1.0)), 0.7)
    other = CardReading(seen.corners[1], (Candidate(5, 0, 0.98, 1.0),), 0.7)
    layers = Layers.of(pyramid, deck, plane, seen).without(0)
    worse = _nearest_rival(pyramid, plane, layers, seen.corners[0], 2).worse
    assert worse < CONTESTED
    found, _ = contested(pyramid, Aligner(deck), plane, seen, (read, other))
    assert (found.margin >= SURE_MARGIN) == sure


def test_a_rim_that_a_neighbour_lies_on_says_nothing_about_a_face(bank: FaceBank, plane: Plane) -> None:
    """A neighbour's wall that laps over a box without one there must not make it look like a box that has one."""
    walls = {f.id: {str(w) for w in f.walls} for f in bank.deck.faces if f.kind == "box"}
    bare = next(f for f, w in walls.items() if "left" not in w and "right" not in w)
    walled = next(f for f, w in walls.items() if "right" in w)
    laid = [(bare, LEFT), (walled, LEFT + np.array([-0.95, 0.0, 0.0]))]
    pyramid = Pyramid.of(table(bank, plane, laid))
    alone = Pyramid.of(table(bank, plane, laid[:1]))
    margins = {}
    for name, picture, cards in (("lapped", pyramid, laid), ("unknown", pyramid, laid[:1]), ("bare", alone, laid[:1])):
        reading = recognise(picture, Aligner(bank), detections(bank, plane, cards), plane)[0]
        assert bank.face_ids[reading.face] == bare
        margins[name] = reading
    assert margins["lapped"].margin == margins["bare"].margin == 1.0
    assert 0.9 < margins["lapped"].visible < margins["unknown"].visible == 1.0
    assert margins["lapped"].score > margins["unknown"].score + 0.01


def test_a_box_half_under_another_box_is_a_doubt(bank: FaceBank, plane: Plane) -> None:
    boxes = [f.id for f in bank.deck.faces if f.kind == "box"]
    below, above = (boxes[3], LEFT), (boxes[8], LEFT + np.array([0.5, 0.0, 0.0]))
    top = np.zeros(1, dtype=bool)
    seen = detections(bank, plane, [above])
    alone = Pyramid.of(table(bank, plane, [above]))
    assert not len(half_under(plane, seen, top, SeenTable.of(alone, plane, seen)))
    both = Pyramid.of(table(bank, plane, [below, above]))
    (cell,) = half_under(plane, seen, top, SeenTable.of(both, plane, seen))
    assert np.abs(cell[:2] - LEFT[:2]).max() < 0.1


@pytest.mark.parametrize(("what", "turn"), [("card", 0.0), ("card", 20.0), ("foreign", 0.0)])
def test_under_a_card_another_shows_by_its_print(what: str, turn: float) -> None:
    bank = face_bank(builtin_deck(Game.CAT_AND_MOUSE))
    plane = Plane(np.diag([1 / SIDE, 1 / SIDE, 1.0]), np.zeros(2), 1.0, 0.0, bank.aspect, 0.0)
    under = LEFT + np.array([0.0, 0.0, np.deg2rad(turn)])
    above = ("right-2", LEFT + np.array([0.5, 0.0, 0.0]))
    photo = table(bank, plane, [("up-1", under), above] if what == "card" else [above])
    if what == "foreign":
        without = table(bank, plane, [])
        quad = plane.outlines(LEFT[None])[0].astype(np.int32)
        cv2.fillConvexPoly(without, quad, (60, 60, 190))
        cv2.circle(without, tuple(map(int, quad.mean(axis=0))), 30, (250, 250, 250), -1)
        drawn = (table(bank, plane, [above]) != table(bank, plane, [])).any(axis=2)
        photo = np.where(drawn[..., None], photo, without)
    known = detections(bank, plane, [above])
    told = print_under(Pyramid.of(photo), bank, plane, LEFT[None], known, np.zeros(1, dtype=bool))
    assert told.tolist() == [what == "card"]


def test_a_plain_box_half_under_another_stays_a_doubt(bank: FaceBank, plane: Plane) -> None:
    """It has no print by which it could be told from a foreign thing."""
    above = ("box-trb-0", LEFT + np.array([0.5, 0.0, 0.0]))
    photo = table(bank, plane, [above])
    plain = cv2.fillConvexPoly(photo.copy(), plane.outlines(LEFT[None])[0].astype(np.int32), (100, 110, 120))
    seen = detections(bank, plane, [above])
    covered = hidden(
        np.stack(np.meshgrid(np.arange(900), np.arange(700)), axis=-1) / SIDE, above[1][None], plane.aspect
    )
    picture = Pyramid.of(np.where(covered[..., None], photo, plain).astype(np.uint8))
    assert print_under(picture, bank, plane, LEFT[None], seen, np.zeros(1, dtype=bool)).all()


@pytest.mark.parametrize("there", [True, False])
def test_a_box_flush_beside_another_is_found_under_a_cat(bank: FaceBank, plane: Plane, there: bool) -> None:
    cat = next(f for f, on in zip(bank.face_ids, bank.lies_on_others, strict=True) if on)
    boxes = [f.id for f in bank.deck.faces if f.kind == "box"]
    known = [(boxes[8], RIGHT), (cat, CAT)]
    picture = Pyramid.of(table(bank, plane, [(boxes[3], LEFT), *known] if there else known))
    found = flush(picture, Aligner(bank), plane, detections(bank, plane, known))
    assert [bank.face_ids[face] for face in found.face] == ([boxes[3]] if there else [])
    assert np.abs(plane.poses(found.corners) - LEFT).max(initial=0.0) < 0.03


def test_a_plain_box_in_plain_sight_is_found_flush_beside_another(bank: FaceBank, plane: Plane) -> None:
    """Beside its true place a face with walls may correlate better, its walls on those of the neighbours."""
    plain = "box-open-0"
    known = [("box-trb-0", RIGHT)]
    picture = Pyramid.of(table(bank, plane, [(plain, LEFT), *known]))
    found = flush(picture, Aligner(bank), plane, detections(bank, plane, known))
    assert bank.face_ids[found.face[0]] == plain
    assert np.abs(plane.poses(found.corners)[0, :2] - LEFT[:2]).max() < 0.03


@pytest.mark.parametrize(("turn", "piled"), [(0.0, False), (20.0, True)])
def test_boxes_laid_over_each_other_in_a_layout_are_no_pile(
    bank: FaceBank, plane: Plane, turn: float, piled: bool
) -> None:
    boxes = [f.id for f in bank.deck.faces if f.kind == "box"]
    third = LEFT + np.array([1.7, 0.0, np.deg2rad(turn)])
    laid = [(boxes[3], LEFT), (boxes[8], LEFT + np.array([1.0, 0.0, 0.0])), (boxes[5], third)]
    cards = detections(bank, plane, laid)
    seen = SeenTable.of(Pyramid.of(table(bank, plane, laid)), plane, cards)
    assert crowded(plane, cards, np.zeros(3, dtype=bool), seen).tolist() == [False, piled, piled]


def test_a_box_that_peeks_out_unread_is_reported(bank: FaceBank, plane: Plane) -> None:
    cat = next(f for f, on in zip(bank.face_ids, bank.lies_on_others, strict=True) if on)
    boxes = [f.id for f in bank.deck.faces if f.kind == "box"]
    truth = [(boxes[3], LEFT), (boxes[8], RIGHT), (cat, CAT)]
    pyramid = Pyramid.of(table(bank, plane, truth))
    on_top = np.array([False, False, True])
    everything = detections(bank, plane, truth)
    assert not len(peeking_cells(plane, everything, on_top, SeenTable.of(pyramid, plane, everything)))
    missed = everything.select(np.array([1, 2]))
    (cell,) = peeking_cells(plane, missed, on_top[1:], SeenTable.of(pyramid, plane, missed))
    assert same_place(cell[None], LEFT[None], bank.aspect).all()


def test_a_box_half_under_another_is_seen_by_its_drawing(bank: FaceBank, plane: Plane) -> None:
    """Whatever the table looks like: its walls show; and between two boxes side by side there is none."""
    boxes = [f.id for f in bank.deck.faces if f.kind == "box" and len(f.walls) > 1]
    above = LEFT + np.array([0.0, 0.6, 0.0])
    far = np.array([6.5, 3.0, 0.0])
    known = [(boxes[2], above), (boxes[4], far), (boxes[5], far + np.array([1.01, 0.0, 0.0]))]
    seen = detections(bank, plane, known)
    pyramid = Pyramid.of(table(bank, plane, [(boxes[0], LEFT), *known]))
    (place,) = under_their_like(pyramid, Aligner(bank), plane, seen).corners
    assert np.abs(plane.poses(place[None])[0, :2] - LEFT[:2]).max() < 0.25
    alone = Pyramid.of(table(bank, plane, known))
    assert not len(under_their_like(alone, Aligner(bank), plane, seen))


def test_cards_across_each_other_are_two(bank: FaceBank) -> None:
    assert not same_place(CAT[None], LEFT[None], bank.aspect).any()
    assert same_place(LEFT[None], (LEFT + np.array([0.3, 0.0, 0.0]))[None], bank.aspect).all()
    assert overlaps(LEFT[None], LEFT[None], bank.aspect)[0, 0] == pytest.approx(1.0)
    assert overlaps(LEFT[None], RIGHT[None], bank.aspect)[0, 0] == 0.0


def test_cards_that_touch_in_a_corner_are_not_one() -> None:
    """Two cards of a photograph that `cv2.intersectConvexConvex` took for the same."""
    one = np.array([[-0.60230355, 0.96255055, -0.14956335]])
    other = np.array([[0.23828807, -0.16089999, -1.72313757]])
    assert overlaps(one, other, 1.0)[0, 0] < 0.05
