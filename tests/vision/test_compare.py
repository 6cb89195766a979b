"""Which of two faces a picture shows, and how sure that is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.compare import CANNOT_TELL, RIM, compare
from referee.vision.facebank import Floats


def faces(count: int, height: int = 60, width: int = 48) -> Floats:
    """Smooth coloured pictures about zero."""
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 400, (count, height, width, 3)).astype(np.float32)
    return np.stack([cv2.GaussianBlur(n, (0, 0), 3.0) for n in noise])


def mask_of(pictures: Floats) -> Floats:
    mask = np.ones(pictures.shape[1:3], np.float32)
    mask[[0, -1], :] = 0
    mask[:, [0, -1]] = 0
    mask[40:, 30:] = 0  # something hides a corner
    return mask


def seen_as(picture: Floats, noise: float, shift: tuple[float, float] = (0, 0), seed: int = 5) -> Floats:
    """A picture as a camera gives it, off by (right, down) pixels."""
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
    moved = cv2.warpAffine(picture, move, picture.shape[1::-1], flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    grain = np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.asarray(0.7 * moved + grain, np.float32) * mask_of(picture[None])[:, :, None]


def with_mark(face: Floats, height: float = 60.0) -> Floats:
    """The same face with a small mark."""
    marked = face.copy()
    marked[14:26, 12:24] += height
    return marked


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.6, -0.4), (-0.8, 0.7)])
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_place_is_found_though_the_picture_lies_off(shift: tuple[float, float], share: float) -> None:
    first, second = faces(2)
    seen = seen_as((first + share * (second - first)).astype(np.float32), 4, shift)
    (found,) = compare(seen, first, second[None], mask_of(faces(1)), 2.0)
    assert found.place == pytest.approx(share, abs=0.06)


def test_a_difference_in_one_place_is_judged_there() -> None:
    first, other = faces(2)
    marked = with_mark(first)
    for share in (0.0, 1.0):
        seen = seen_as((first + share * (marked - first)).astype(np.float32), 4)
        small, large = compare(seen, first, np.stack([marked, other]), mask_of(faces(1)), 1.0)
        assert small.place == pytest.approx(share, abs=0.06)
        assert small.margin(5.0) == pytest.approx(1.0 - 2.0 * share)
        assert large.place < 0.1


def test_what_looks_like_the_difference_elsewhere_makes_it_unsure() -> None:
    """A card full of specks as large as the mark proves nothing by one more of them."""
    first = faces(1)[0]
    marked = with_mark(first)
    seen = seen_as(marked, 4)
    specked = seen.copy()
    for at in ((4, 4), (4, 28), (34, 6), (46, 8), (30, 26)):
        specked[at[0] : at[0] + 12, at[1] : at[1] + 12] += 40
    mask = mask_of(faces(1))
    (clean,), (unsure,) = (compare(picture, first, marked[None], mask, 1.0) for picture in (seen, specked))
    assert unsure.deviation > 2 * clean.deviation
    assert clean.margin(5.0) == pytest.approx(-1.0)
    assert abs(unsure.margin(5.0)) < 0.8


def test_noise_that_hides_a_difference_is_told_by_the_deviation() -> None:
    """The place is off by no more than its deviation says, over many pictures."""
    first = faces(1)[0]
    marked = with_mark(first, 25.0)
    mask = mask_of(faces(1))
    found = [compare(seen_as(marked, 60, seed=s), first, marked[None], mask, 1.0)[0] for s in range(40)]
    spread = np.std([one.place for one in found])
    assert 0.5 * spread < np.median([one.deviation for one in found]) < 2.0 * spread


def test_a_face_against_itself_cannot_be_told() -> None:
    first, other = faces(2)
    same, told = compare(first, first, np.stack([first, other]), mask_of(faces(1)))
    assert same == CANNOT_TELL
    assert told.place == pytest.approx(0.0, abs=0.05)
    assert told.margin(5.0) == 1.0


def test_a_card_of_which_only_the_rim_shows_cannot_be_told() -> None:
    first, other = faces(2)
    rim = np.zeros_like(mask_of(faces(1)))
    rim[:, :RIM] = 1
    (found,) = compare(seen_as(first, 4), first, other[None], rim, 1.0)
    assert found == CANNOT_TELL


def test_exchanged_faces_give_the_reversed_comparison() -> None:
    first, second, third = faces(3)
    patch = (0.5 * first + 0.3 * second + 0.1 * third).astype(np.float32)
    mask = mask_of(faces(1))
    (there,) = compare(patch, first, second[None], mask)
    (back,) = compare(patch, second, first[None], mask)
    assert back.place == pytest.approx(there.reversed().place, abs=0.03)
    assert back.deviation == pytest.approx(there.reversed().deviation, rel=0.2)
