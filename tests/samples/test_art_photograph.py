"""Cards printed over photographs."""

import numpy as np
import pytest
from PIL import Image

from samples.art.further_styles import PHOTOGRAPHED
from samples.art.photograph import PHOTOS, on_photograph

FACE = Image.new("RGBA", (160, 224), (220, 210, 190, 255))


def pixels(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture).astype(int)


@pytest.mark.parametrize("photo", sorted({photo for photo, _ in PHOTOGRAPHED.values()}))
def test_the_photographs_are_there_and_show(photo: str) -> None:
    assert (PHOTOS / f"{photo}.jpg").exists()
    shown = pixels(on_photograph(FACE, photo, "up-1", 0.8))
    assert shown[..., :3].std(axis=(0, 1)).min() > 4
    assert (shown[..., 3] == 255).all()


def test_another_face_shows_another_part_and_the_same_face_the_same() -> None:
    one, again, other = (pixels(on_photograph(FACE, "gray-felt", name, 0.8)) for name in ("up-1", "up-1", "up-2"))
    assert (one == again).all()
    assert np.abs(one - other).mean() > 3


def test_no_strength_leaves_the_face_and_its_corners_as_they_are() -> None:
    face = FACE.copy()
    face.paste((0, 0, 0, 0), (0, 0, 10, 10))
    assert (pixels(on_photograph(face, "gray-felt", "up-1", 0.0)) == pixels(face)).all()
    assert (pixels(on_photograph(face, "gray-felt", "up-1", 0.8))[:10, :10, 3] == 0).all()


def test_a_coloured_photograph_does_not_change_what_is_blue() -> None:
    blue = Image.new("RGBA", (160, 160), (11, 111, 158, 255))
    red, green, strong = pixels(on_photograph(blue, "wood-varnished-panels", "up-1", 0.75))[..., :3].mean(axis=(0, 1))
    assert strong > green > red
