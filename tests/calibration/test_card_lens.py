"""Without a board: the bent lens of a virtual camera is told from the cards, and its pictures are straightened."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.card_lens import CardLens, lens_from_cards
from calibration.cli import main
from calibration.errors import CalibrationError
from referee.decks import builtin_deck
from referee.vision.decode import Photo, decode
from referee.vision.profile import CameraProfile, undistorted
from referee.vision.profile_files import load
from samples.table.render import Photo as Rendered
from samples.table.render import render
from tests.calibration.rows import layouts_of, scene_of

DECK = builtin_deck("coloured-paths")
DISTORTION = (-0.2, 0.04, 0.0, 0.0)


@pytest.fixture(scope="module")
def photo() -> Rendered:
    return render(layouts_of(DECK, 4)[0], DECK, replace(scene_of("easy", 3, "tune"), distortion=DISTORTION), 4)


def off_by(rendered: Rendered, lens: CameraProfile | None) -> float:
    """How far the corners of the cards lie from where the best flat view of the table has them, px."""
    table, seen = [], []
    places = {card.id: card for card in layouts_of(DECK, 4)[0].cards}
    half = np.array(DECK.card_mm) / 2
    for card in rendered.truth["cards"]:
        place = places[card["id"]]
        angle = np.deg2rad(place.turn)
        own = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        table += list(own @ turn + (place.x, place.y))
        seen += list(card["corners"])
    points = undistorted(np.array(seen, np.float64), lens)
    matrix, _ = cv2.findHomography(np.array(table), points)
    mapped = cv2.perspectiveTransform(np.array(table).reshape(-1, 1, 2), matrix).reshape(-1, 2)
    return float(np.sqrt(np.square(mapped - points).sum(axis=1).mean()))


def test_the_lens_is_told_from_the_cards(photo: Rendered) -> None:
    found = lens_from_cards([decode(photo.jpeg, "cards")], 1.0)
    assert found.cards >= 16
    assert off_by(photo, found.profile("Phone")) < 0.35 * off_by(photo, None)


def test_a_profile_is_the_same_lens() -> None:
    lens = CardLens(-0.08, 20, (1600, 1200), 0.5)
    profile = lens.profile("Phone")
    radius = np.linspace(20, 990, 40)
    angle = np.linspace(0, 6, 40)
    middle = np.array([799.5, 599.5])
    seen = middle + np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius[:, None]
    wanted = middle + (seen - middle) / (1 + lens.distortion * (radius / 800) ** 2)[:, None]
    assert np.abs(undistorted(seen, profile) - wanted).max() < 1.0


def test_the_command_writes_a_profile(photo: Rendered, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cards.jpg").write_bytes(photo.jpeg)
    out = tmp_path / "lens.json"
    arguments = [str(tmp_path / "cards.jpg"), "--cards", "1:1", "--out", str(out), "--json"]
    assert main(["camera", *arguments]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["profile"] == str(out)
    profile = load(out)
    assert isinstance(profile, CameraProfile)
    assert profile.dist_coeffs[0] < -0.05


def test_photographs_unlike_most_are_named_and_left_out(
    photo: Rendered, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = decode(photo.jpeg, "cards").pixels
    cv2.imwrite(str(tmp_path / "0-turned.jpg"), np.ascontiguousarray(np.rot90(picture)))
    cv2.imwrite(str(tmp_path / "1-bare.jpg"), np.full_like(picture, 120))
    for name in ("2-cards", "3-cards"):
        (tmp_path / f"{name}.jpg").write_bytes(photo.jpeg)
    names = [str(path) for path in sorted(tmp_path.glob("*.jpg"))]
    out = tmp_path / "lens.json"
    assert main(["camera", *names, "--cards", "1:1", "--out", str(out)]) == 0
    told = capsys.readouterr().out
    size = f"{picture.shape[1]} x {picture.shape[0]}"
    assert f"{names[0]}: left out, it was taken with the camera turned" in told
    assert f"not {size} as most" in told
    assert f"{names[1]}: left out, it shows only 0 cards of this shape, 6 are needed" in told
    profile = load(out)
    assert isinstance(profile, CameraProfile)
    assert profile.size == (picture.shape[1], picture.shape[0])
    assert main(["camera", names[1], "--cards", "1:1", "--json"]) == 2
    assert f"{names[1]}: it shows only 0 cards" in capsys.readouterr().err


def test_a_photograph_of_too_few_cards_is_told() -> None:
    with pytest.raises(CalibrationError, match="twelve cards"):
        lens_from_cards([Photo("empty", np.full((300, 400, 3), 120, np.uint8), 1.0)], 1.0)
    with pytest.raises(CalibrationError, match="twelve cards"):
        lens_from_cards([], 1.0)
