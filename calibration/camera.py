"""`python -m calibration camera PHOTO... --out FILE`: the lens from photographs of the printed board.

Print it with `python -m samples print --board`. Take ten photographs or more: the board in every corner of the
picture, and slanted. With --cards W:H it is estimated from ordinary photographs of cards instead.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.alike import unlike_most
from calibration.board import BoardView, find_board
from calibration.card_lens import lens_from_cards
from calibration.errors import CalibrationError
from referee.commands.find import aspect_of
from referee.errors import InputError
from referee.vision.decode import Photo, read_photo_file
from referee.vision.orientation import UNKNOWN, turn_between, turned_points, turned_size
from referee.vision.profile import CameraProfile
from referee.vision.profile_files import camera_model, save

Doubles = NDArray[np.float64]

FEWEST = 4
"""Photographs with the board below which no lens is fitted."""
CELLS = 4
"""The picture is parted in so many cells each way to see what the board has covered."""
COVERED = 0.7
"""Share of the cells that must be covered."""
SLANTED = 12.0
"""Degrees by which at least one photograph must be slanted, or the focal length is a guess."""
BAD = 3.0
"""A photograph is left out when its error is so many times the middle one's, and above half a pixel."""
GOOD_ERROR = 1.0 / 1500
"""Reprojection error, as a part of the picture's long side, up to which the lens is well known."""

NOT_FOUND = "the board was not found in it"
MISFIT = "it does not fit the others ({off:.1f} px off): the board was bent, or the photo is blurred"

MISSING: dict[str, str] = {
    "top": "Take more photos with the board at the top of the picture.",
    "bottom": "Take more photos with the board at the bottom of the picture.",
    "left": "Take more photos with the board at the left of the picture.",
    "right": "Take more photos with the board at the right of the picture.",
    "corners": "Take more photos with the board in the corners of the picture.",
    "slant": "Take two photos in which the board is slanted, seen from the side.",
    "misfit": "The corners do not fit well: is the board flat, and are the photos sharp?",
}


@dataclass(frozen=True, slots=True, eq=False)
class LensFit:
    """errors: px of each view, nan where it was left out; left_out: why, "" where it was not; covered: (CELLS, CELLS)
    how many corners were seen there; missing: what to photograph still, as keys of `MISSING`, empty if all is well."""

    profile: CameraProfile
    errors: tuple[float, ...]
    left_out: tuple[str, ...]
    covered: NDArray[np.intp]
    missing: tuple[str, ...]


def fit_lens(views: Sequence[BoardView | None], model: str = "", models: Sequence[str] | None = None) -> LensFit:
    """The lens from views of the board (None where it was not seen). model: what the camera is called, else as most
    photographs' files say; models: what each file says, "" where it says nothing.

    Views of another size or camera than most are left out. Raises CalibrationError if too few are left.
    """
    seen = [k for k, view in enumerate(views) if view is not None]
    names = [""] * len(views) if models is None else models
    unlike = unlike_most([view.size for view in views if view is not None], [names[k] for k in seen])
    left_out = [NOT_FOUND] * len(views)
    for k, reason in zip(seen, unlike, strict=True):
        left_out[k] = reason
    seen = [k for k in seen if not left_out[k]]
    if len(seen) < FEWEST:
        raise _too_few(left_out, len(seen))
    alike = _held_alike([view for k in seen if (view := views[k]) is not None])
    size = alike[0].size
    while True:
        rms, matrix, dist, errors, turns = _calibrated(alike, size)
        middle = float(np.median(errors))
        worst = int(np.argmax(errors))
        if len(seen) <= FEWEST or errors[worst] < max(0.5, BAD * middle):
            break
        left_out[seen.pop(worst)] = MISFIT.format(off=errors[worst])
        alike.pop(worst)
    all_errors = np.full(len(views), np.nan)
    all_errors[seen] = errors
    covered = coverage(alike)
    rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in matrix)
    terms = tuple(float(v) for v in dist.ravel()[:5])
    told = next((names[k] for k in seen if names[k]), "")
    profile = CameraProfile(model or told, size, rows, terms, rms, orientation=alike[0].orientation)
    missing = _missing(covered, turns, rms, size)
    return LensFit(profile, tuple(float(e) for e in all_errors), tuple(left_out), covered, missing)


def _too_few(left_out: Sequence[str], used: int) -> CalibrationError:
    """What to do, depending on whether it was the photographs' being unlike that left too few."""
    found = sum(reason != NOT_FOUND for reason in left_out)
    if found >= FEWEST:
        return CalibrationError(
            "sizes-differ",
            f"Only {used} of the {found} photos with the board are alike, {FEWEST} are needed: they have different "
            "sizes or are from different cameras; take all with one camera, held the same way.",
        )
    return CalibrationError(
        "too-few-boards",
        f"The board was found in {found} of {len(left_out)} photos; {FEWEST} are needed, ten are better. "
        "Keep it flat, sharp and whole in the picture.",
    )


def _held_alike(views: Sequence[BoardView]) -> list[BoardView]:
    """Views of one size as if the camera had been held as for most of them: upside down its lens is another one. Of
    those whose files do not say nothing else can be thought."""
    held = [view.orientation for view in views if view.orientation]
    usual = max(held, key=held.count, default=UNKNOWN)
    return [_held(view, usual) for view in views]


def _held(view: BoardView, orientation: int) -> BoardView:
    if view.orientation in (UNKNOWN, orientation):
        return replace(view, orientation=orientation)
    turn = turn_between(view.orientation, orientation)
    if turned_size(view.size, turn) != view.size:  # somebody has turned the picture since
        return replace(view, orientation=orientation)
    points = turned_points(view.image.astype(np.float64), view.size, turn)
    return replace(view, image=points.astype(np.float32), orientation=orientation)


def coverage(views: Sequence[BoardView]) -> NDArray[np.intp]:
    """(CELLS, CELLS) how many corners of the board were seen in each part of the picture."""
    covered = np.zeros((CELLS, CELLS), np.intp)
    for view in views:
        cells = np.clip((view.image / view.size * CELLS).astype(int), 0, CELLS - 1)
        np.add.at(covered, (cells[:, 1], cells[:, 0]), 1)
    return covered


def rims_of(covered: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """The cells of `coverage` along each side of the picture."""
    return {"top": covered[0], "bottom": covered[-1], "left": covered[:, 0], "right": covered[:, -1]}


def slants(views: Sequence[BoardView]) -> list[float]:
    """How many degrees the board is slanted in each view, by a lens fitted quickly. Needs a view at least."""
    return _calibrated(views, views[0].size)[4]


def _calibrated(
    used: Sequence[BoardView], size: tuple[int, int]
) -> tuple[float, Doubles, Doubles, list[float], list[float]]:
    """Root mean square error, camera matrix, distortion, error of each view, slant of each in degrees."""
    flags = cv2.CALIB_FIX_K3
    rms, matrix, dist, rotations, shifts = cv2.calibrateCamera(
        [view.board for view in used], [view.image for view in used], size, np.eye(3), np.zeros(5), flags=flags
    )
    errors, slants = [], []
    for view, rotation, shift in zip(used, rotations, shifts, strict=True):
        projected, _ = cv2.projectPoints(view.board, rotation, shift, matrix, dist)
        off = np.asarray(projected, np.float64).reshape(-1, 2) - view.image
        errors.append(float(np.sqrt(np.square(off).sum(axis=1).mean())))
        facing = np.asarray(cv2.Rodrigues(rotation)[0], np.float64)[2, 2]
        slants.append(float(np.degrees(np.arccos(np.clip(abs(facing), 0, 1)))))
    return float(rms), np.asarray(matrix, np.float64), np.asarray(dist, np.float64), errors, slants


def _missing(covered: NDArray[np.intp], slants: Sequence[float], rms: float, size: tuple[int, int]) -> tuple[str, ...]:
    out = []
    for side, rim in rims_of(covered).items():
        if (rim > 0).mean() < 0.5:
            out.append(side)
    if not out and (covered > 0).mean() < COVERED:
        out.append("corners")
    if max(slants) < SLANTED:
        out.append("slant")
    if rms > GOOD_ERROR * max(size):
        out.append("misfit")
    return tuple(out)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration camera`."""
    parser.add_argument("photos", nargs="+", metavar="PHOTO")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write the profile (JSON)")
    parser.add_argument("--cards", metavar="W:H", help="no board: photographs of cards of this shape")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def _from_cards(photos: Sequence[Photo], models: Sequence[str], arguments: argparse.Namespace) -> int:
    """The distortion alone, and as a profile where --out says so."""
    found = lens_from_cards(photos, aspect_of(arguments.cards), models)
    left_out = {photo.name: reason for photo, reason in zip(photos, found.left_out, strict=True) if reason}
    if arguments.out is not None:
        save(found.profile(next((model for model in models if model), "")), arguments.out)
    if arguments.json:
        answer: dict[str, Any] = {"distortion": round(found.distortion, 5), "model": "division", "cards": found.cards}
        answer |= {"left_out": left_out}
        print(json.dumps(answer if arguments.out is None else answer | {"profile": str(arguments.out)}))
        return 0
    for name, reason in left_out.items():
        print(f"{name}: left out, {reason}")
    place = "" if arguments.out is None else f"{arguments.out}: "
    print(f"{place}distortion {found.distortion:.4f} (division model), from {found.cards} cards")
    return 0


def run(arguments: argparse.Namespace) -> int:
    """Fit the lens and say whether it is good, or what to photograph still (exit status 1)."""
    if arguments.out is None and not arguments.cards:
        raise CalibrationError("no-out", "Say where to write the profile: --out FILE.")
    photos, models = [], []
    for path in arguments.photos:
        try:
            photos.append(read_photo_file(path))
            models.append(camera_model(path))
        except InputError as error:
            print(f"calibration: {error.message}", file=sys.stderr)
    if not photos:
        raise CalibrationError("no-photos", "None of the photos can be read; nothing was measured.")
    if arguments.cards:
        return _from_cards(photos, models, arguments)
    fit = fit_lens([find_board(photo.pixels, photo.orientation) for photo in photos], models=models)
    save(fit.profile, arguments.out)
    if arguments.json:
        errors = {p.name: None if np.isnan(off) else round(off, 3) for p, off in zip(photos, fit.errors, strict=True)}
        answer = {
            "profile": str(arguments.out),
            "reprojection_error": round(fit.profile.reprojection_error, 3),
            "photos": errors,
            "left_out": {p.name: reason for p, reason in zip(photos, fit.left_out, strict=True) if reason},
            "covered": (fit.covered > 0).astype(int).tolist(),
            "missing": [MISSING[key] for key in fit.missing],
        }
        print(json.dumps(answer))
        return 1 if fit.missing else 0
    for photo, off, reason in zip(photos, fit.errors, fit.left_out, strict=True):
        print(f"{photo.name}: " + (f"left out, {reason}" if reason else f"{off:.2f} px"))
    print("The board was seen in the parts of the picture that are marked #:")
    print("\n".join(" ".join("#" if n else "." for n in row) for row in fit.covered))
    print(f"{arguments.out}: reprojection error {fit.profile.reprojection_error:.2f} px")
    print("\n".join(MISSING[key] for key in fit.missing) if fit.missing else "Good.")
    return 1 if fit.missing else 0
