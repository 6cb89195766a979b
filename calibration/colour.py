"""`python -m calibration colour PHOTO --deck DIR --out FILE`: the light from a photograph of known cards.

Lay four cards or more of the deck, of different colours, where you play. Colours are judged against the deck's own
pictures, never by an absolute hue; the profile holds the matrix that turns photographed light into printed ink.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from referee.commands.check import PICTURE_ENDINGS, write_picture
from referee.decks import Deck, load_deck
from referee.pipeline import check
from referee.vision.decode import Photo, read_photo_file
from referee.vision.gamma import linear
from referee.vision.profile import ColourProfile, recoloured
from referee.vision.profile_files import save

Pixels = NDArray[np.uint8]
Doubles = NDArray[np.float64]

CELLS = 14
"""A card is compared in so many cells across."""
FEWEST_CARDS = 3
BURNT = 250
"""Level from which on a pixel tells nothing of its colour."""
CALM = 0.02
"""How much the matrix is held to plain gains, as a part of the samples' weight."""


def fit_colour(pairs: tuple[Doubles, Doubles]) -> ColourProfile:
    """The matrix from samples as photographed (N, 3) and as printed (N, 3), both linear BGR 0..1 (robust fit)."""
    seen, meant = pairs
    gains = np.diag((seen * meant).sum(axis=0) / np.maximum(np.square(seen).sum(axis=0), 1e-9))
    weight = np.ones(len(seen))
    matrix = gains
    for _ in range(6):
        hold = CALM * weight.sum() * np.eye(3) * float(np.square(seen).mean())
        left = seen.T @ (weight[:, None] * seen) + hold
        matrix = np.linalg.solve(left, seen.T @ (weight[:, None] * meant) + hold @ gains)
        miss = np.linalg.norm(meant - seen @ matrix, axis=1)
        weight = 1 / (1 + np.square(miss / max(0.01, 1.5 * float(np.median(miss)))))
    level = float((seen * meant).sum() / np.square(seen).sum())
    before, after = _difference(seen * level, meant), _difference(seen @ matrix, meant)
    rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in matrix.T)
    return ColourProfile(rows, before, after)


def samples_of(photo: Photo, deck: Deck) -> tuple[Doubles, Doubles]:
    """Colours of the known cards as photographed and as printed, cell by cell. Raises CalibrationError."""
    checked = check(photo, deck)
    seen: list[Doubles] = []
    meant: list[Doubles] = []
    sure = [card for card in checked.cards if card.confidence > 0.6]
    for card in sure:
        path = deck.image_path(card.face)
        face = None if path is None else cv2.imread(str(path), cv2.IMREAD_COLOR)
        if face is None:
            continue
        size = (CELLS * 8, round(CELLS * 8 * deck.card_mm[1] / deck.card_mm[0]))
        target = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(card.corners.astype(np.float32), target)
        view = cv2.warpPerspective(photo.pixels, matrix, size, flags=cv2.INTER_AREA)
        drawn = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
        cells = (CELLS, round(CELLS * size[1] / size[0]))
        a, b = (
            cv2.resize(linear(np.asarray(each, np.uint8)), cells, interpolation=cv2.INTER_AREA)
            for each in (view, drawn)
        )
        burnt = cv2.resize((view.max(axis=2) >= BURNT).astype(np.float32), cells, interpolation=cv2.INTER_AREA) > 0.1
        keep = ~burnt
        keep[[0, -1], :] = False
        keep[:, [0, -1]] = False
        seen.append(np.asarray(a[keep], np.float64))
        meant.append(np.asarray(b[keep], np.float64))
    if len(seen) < FEWEST_CARDS:
        raise CalibrationError(
            "too-few-cards",
            f"{photo.name}: {len(seen)} cards of the deck were surely recognised, {FEWEST_CARDS} are needed; "
            "lay four different ones, apart from each other, without glare.",
        )
    return np.concatenate(seen), np.concatenate(meant)


def _difference(one: Doubles, two: Doubles) -> float:
    """Mean difference in CIE Lab of linear colours (N, 3)."""
    labs = []
    for each in (one, two):
        shown = np.power(np.clip(each, 0, 1), 1 / 2.2).astype(np.float32).reshape(-1, 1, 3)
        labs.append(np.asarray(cv2.cvtColor(shown, cv2.COLOR_BGR2LAB), np.float64).reshape(-1, 3))
    return float(np.linalg.norm(labs[0] - labs[1], axis=1).mean())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration colour`."""
    parser.add_argument("photo", metavar="PHOTO")
    parser.add_argument("--deck", type=Path, required=True, metavar="DIR")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write the profile (JSON)")
    parser.add_argument("--after", type=Path, metavar="FILE", help="write the photograph with the light taken out")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def run(arguments: argparse.Namespace) -> int:
    """Measure the light and say how far the colours were off, before and after."""
    if arguments.after is not None and arguments.after.suffix.lower() not in PICTURE_ENDINGS:
        raise CalibrationError(
            "not-written", f"--after {arguments.after}: name a file that ends in .jpg, .png or .webp."
        )
    photo = read_photo_file(arguments.photo)
    profile = fit_colour(samples_of(photo, load_deck(arguments.deck)))
    if arguments.after is not None:
        write_picture(recoloured(photo.pixels, profile), arguments.after)
    save(profile, arguments.out)
    answer = {"profile": str(arguments.out), "before": round(profile.before, 2), "after": round(profile.after, 2)}
    text = f"{arguments.out}: colours were {profile.before:.1f} off, now {profile.after:.1f} (CIE Lab)"
    print(json.dumps(answer) if arguments.json else text)
    return 0
