"""A lens being measured from frames of the printed board: which frames are kept, and what is lacking still."""

from __future__ import annotations

import json
import re
import secrets
import shutil
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import BoardView, find_board
from calibration.camera import FEWEST, SLANTED, LensFit, coverage, fit_lens, rims_of, slants
from referee.vision.orientation import UNKNOWN
from web.errors import ApiError
from web.storage.models import new_id

Pixels = NDArray[np.uint8]

FRESH = 0.05
"""How far, as a part of the picture's long side, a board must have moved since it was last kept."""
WANTED = 12
"""Views from which on a lens is well measured."""
MOST = 60
KEPT_SECONDS = 24 * 3600.0


class Measurings:
    """Lenses that are being measured, a folder each, the same for every process that serves them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def begin(self) -> str:
        """A new one, without views; old ones are let go."""
        if self._folder.is_dir():
            for old in self._folder.iterdir():
                if old.stat().st_mtime < time.time() - KEPT_SECONDS:
                    shutil.rmtree(old, ignore_errors=True)
        name = new_id()
        (self._folder / name).mkdir(parents=True)
        return name

    def _place(self, name: str) -> Path:
        folder = self._folder / name
        if not re.fullmatch(r"[A-Za-z0-9]{8,32}", name) or not folder.is_dir():
            raise ApiError(404, "unknown-measuring")
        return folder

    def views(self, name: str) -> list[BoardView]:
        """The views that were kept. Raises ApiError (404)."""
        return [_read(file) for file in sorted(self._place(name).glob("*.json"))]

    def look(self, name: str, picture: Pixels, orientation: int = UNKNOWN) -> dict[str, Any]:
        """Look for the board in a picture (H, W, 3) BGR; it is kept where it shows something new; orientation: how it
        was held, as EXIF has it."""
        views = self.views(name)
        view = find_board(picture, orientation)
        size = (picture.shape[1], picture.shape[0])
        if view is not None and views and views[0].size != view.size:
            raise ApiError(409, "other-size")
        kept = view is not None and len(views) < MOST and all(_is_new(view, other) for other in views)
        if view is not None and kept:
            self._keep(name, view, picture)
            views.append(view)
        return {"found": view is not None, "kept": kept, "outline": _outline(view), "size": size, **told(views)}

    def fit(self, name: str, model: str) -> LensFit:
        """The lens. Raises CalibrationError where there are too few views."""
        return fit_lens(self.views(name), model)

    def sample(self, name: str) -> Pixels | None:
        """The picture that was kept last, to show what a lens does."""
        files = sorted(self._place(name).glob("*.jpg"))
        picture = cv2.imread(str(files[-1]), cv2.IMREAD_COLOR) if files else None
        return None if picture is None else np.asarray(picture, np.uint8)

    def delete(self, name: str) -> None:
        """Let it go. Raises ApiError (404)."""
        shutil.rmtree(self._place(name), ignore_errors=True)

    def _keep(self, name: str, view: BoardView, picture: Pixels) -> None:
        folder = self._place(name)
        stem = f"{time.time_ns()}-{secrets.token_hex(2)}"
        content = {"size": view.size, "image": view.image.tolist(), "board": view.board.tolist()}
        content |= {"orientation": view.orientation}
        for old in folder.glob("*.jpg"):
            old.unlink(missing_ok=True)
        cv2.imwrite(str(folder / f"{stem}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 85])
        (folder / f"{stem}.part").write_text(json.dumps(content), encoding="utf-8")
        (folder / f"{stem}.part").replace(folder / f"{stem}.json")


def told(views: list[BoardView]) -> dict[str, Any]:
    """What was covered, and the key of a text that says where the board should go next."""
    covered = coverage(views) > 0
    slanted = len(views) >= FEWEST and max(slants(views)) > SLANTED
    return {
        "views": len(views),
        "wanted": WANTED,
        "enough": len(views) >= FEWEST,
        "covered": covered.astype(int).tolist(),
        "advice": _advice(covered, slanted, len(views)),
    }


def _advice(covered: NDArray[np.bool_], slanted: bool, views: int) -> str:
    if views == 0:
        return "show"
    rims = rims_of(covered)
    side, share = min(((name, float(rim.mean())) for name, rim in rims.items()), key=lambda each: each[1])
    if share < 0.75:
        return side
    corners = {
        "top-left": covered[0, 0],
        "top-right": covered[0, -1],
        "bottom-right": covered[-1, -1],
        "bottom-left": covered[-1, 0],
    }
    for name, there in corners.items():
        if not there:
            return name
    if not slanted:
        return "slant"
    return "more" if views < WANTED else "done"


def _is_new(view: BoardView, other: BoardView) -> bool:
    """Whether the corners that both show have moved, on the whole."""
    known = {tuple(place): spot for place, spot in zip(other.board[:, :2].tolist(), other.image, strict=True)}
    both = [
        (spot, known[tuple(place)])
        for place, spot in zip(view.board[:, :2].tolist(), view.image, strict=True)
        if tuple(place) in known
    ]
    if len(both) < 4:
        return True
    one, two = np.array([a for a, _ in both]), np.array([b for _, b in both])
    return float(np.hypot(*(one - two).T).mean()) > FRESH * max(view.size)


def _outline(view: BoardView | None) -> list[list[float]] | None:
    if view is None:
        return None
    hull = cv2.convexHull(view.image).reshape(-1, 2)
    return [[round(float(x), 1), round(float(y), 1)] for x, y in hull]


def _read(file: Path) -> BoardView:
    content = json.loads(file.read_text(encoding="utf-8"))
    image, board = np.array(content["image"], np.float32), np.array(content["board"], np.float32)
    size = (int(content["size"][0]), int(content["size"][1]))
    return BoardView(image, board, size, int(content.get("orientation", UNKNOWN)))
