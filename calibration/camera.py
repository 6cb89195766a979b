"""`python -m calibration camera PHOTO... --out FILE`: the lens from photographs of the printed board.

Print it with `python -m samples print --board`. Take ten photographs or more: the board in every corner of the
picture, and slanted. With --cards W:H it is estimated from ordinary photographs of cards instead.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import BoardView, find_board
from calibration.card_lens import lens_from_cards
from calibration.errors import CalibrationError
from referee.commands.find import aspect_of
from referee.errors import InputError
from referee.vision.decode import Photo, read_photo_file
from referee.vision.profile import CameraProfile, camera_model, save

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
    """errors: px of each view, nan where it was left out; covered: (CELLS, CELLS) how many corners were seen there;
    missing: what to photograph still, as keys of `MISSING`, empty if all is well."""

    profile: CameraProfile
    errors: tuple[float, ...]
    covered: NDArray[np.intp]
    missing: tuple[str, ...]


def fit_lens(views: Sequence[BoardView | None], model: str = "") -> LensFit:
    """The lens from views of the board (None where it was not seen). Raises CalibrationError if there are too few."""
    seen = [k for k, view in enumerate(views) if view is not None]
    if len(seen) < FEWEST:
        raise CalibrationError(
            "too-few-boards",
            f"The board was found in {len(seen)} of {len(views)} photos; {FEWEST} are needed, ten are better. "
            "Keep it flat, sharp and whole in the picture.",
        )
    sizes = {view.size for view in views if view is not None}
    if len(sizes) > 1:
        raise CalibrationError(
            "sizes-differ", "The photos have different sizes; take all with one camera, held the same way."
        )
    size = sizes.pop()
    while True:
        used = [view for k in seen if (view := views[k]) is not None]
        rms, matrix, dist, errors, turns = _calibrated(used, size)
        middle = float(np.median(errors))
        worst = int(np.argmax(errors))
        if len(seen) <= FEWEST or errors[worst] < max(0.5, BAD * middle):
            break
        seen.pop(worst)
    all_errors = np.full(len(views), np.nan)
    all_errors[seen] = errors
    covered = coverage(used)
    rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in matrix)
    profile = CameraProfile(model, size, rows, tuple(float(v) for v in dist.ravel()[:5]), rms)
    return LensFit(profile, tuple(float(e) for e in all_errors), covered, _missing(covered, turns, rms, size))


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


def _from_cards(photos: Sequence[Photo], arguments: argparse.Namespace) -> int:
    """The distortion alone, and as a profile where --out says so."""
    found = lens_from_cards(photos, aspect_of(arguments.cards))
    answer = {"distortion": round(found.distortion, 5), "model": "division", "cards": found.cards}
    words = f"distortion {found.distortion:.4f} (division model), from {found.cards} cards"
    if arguments.out is not None:
        save(found.profile(camera_model(arguments.photos[0])), arguments.out)
        answer["profile"], words = str(arguments.out), f"{arguments.out}: {words}"
    print(json.dumps(answer) if arguments.json else words)
    return 0


def run(arguments: argparse.Namespace) -> int:
    """Fit the lens and say whether it is good, or what to photograph still (exit status 1)."""
    photos = []
    for path in arguments.photos:
        try:
            photos.append(read_photo_file(path))
        except InputError as error:
            print(f"calibration: {error.message}", file=sys.stderr)
    if arguments.cards:
        return _from_cards(photos, arguments)
    if arguments.out is None:
        raise CalibrationError("no-out", "Say where to write the profile: --out FILE.")
    fit = fit_lens([find_board(photo.pixels) for photo in photos], camera_model(arguments.photos[0]))
    save(fit.profile, arguments.out)
    if arguments.json:
        errors = {p.name: None if np.isnan(off) else round(off, 3) for p, off in zip(photos, fit.errors, strict=True)}
        print(
            json.dumps(
                {
                    "profile": str(arguments.out),
                    "reprojection_error": round(fit.profile.reprojection_error, 3),
                    "photos": errors,
                    "covered": (fit.covered > 0).astype(int).tolist(),
                    "missing": [MISSING[key] for key in fit.missing],
                }
            )
        )
        return 1 if fit.missing else 0
    for photo, off in zip(photos, fit.errors, strict=True):
        print(f"{photo.name}: " + ("left out" if np.isnan(off) else f"{off:.2f} px"))
    print("\n".join(" ".join("#" if n else "." for n in row) for row in fit.covered))
    print(f"{arguments.out}: reprojection error {fit.profile.reprojection_error:.2f} px")
    print("\n".join(MISSING[key] for key in fit.missing) if fit.missing else "Good.")
    return 1 if fit.missing else 0
