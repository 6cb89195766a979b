"""Cameras: the lens from frames of the printed board, the table under it, its light; what was measured is kept."""

from __future__ import annotations

import base64
import io
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, cast

import cv2
import numpy as np
from flask import Blueprint, Response, current_app, jsonify, request
from flask.typing import ResponseReturnValue
from numpy.typing import NDArray
from PIL import Image
from pydantic import Field

from calibration.board import COLUMNS, MAT_MARKER_MM, ROWS, SQUARE_MM, board_picture, mat_marker
from calibration.camera import GOOD_ERROR
from calibration.card_lens import lens_from_cards
from calibration.colour import fit_colour, samples_of
from calibration.table import fit_table, moved_by, top_view
from referee.commands.find import aspect_of
from referee.validation import Value
from referee.vision.decode import decode
from referee.vision.fixed_table import MOVED
from referee.vision.profile import (
    CameraProfile,
    ColourProfile,
    Profile,
    ProfileError,
    TableProfile,
    recoloured,
    straightened,
)
from referee.vision.profile_files import camera_model, load, save
from web import context
from web.api.photos import FORM, PHOTO_FIELD
from web.calibration.applied import HELD, MEASURED, kept_profile, photo_of, profile_file, profiles_folder
from web.calibration.measuring import Measurings
from web.calibration.publishing import plain_key
from web.errors import ApiError
from web.openapi import operation
from web.photos import NAME
from web.requests import body, uploaded_photo
from web.schemas import BOOLEAN, INTEGER, NUMBER, STRING, listed, perhaps, record

blueprint = Blueprint("cameras", __name__, url_prefix="/api/cameras")
Pixels = NDArray[np.uint8]

SHOWN = 900
"""Long side in pixels of the pictures that show before and after."""
PAGE_MM, DOTS_PER_MM = (210.0, 297.0), 8.0
"""The page on which the board is printed (A4), and how finely."""
MARKER_RIM_MM = 15.0
"""White around each marker of a mat."""

LOOK = record(
    {
        "found": BOOLEAN,
        "kept": BOOLEAN,
        "outline": perhaps(listed(listed(NUMBER))),
        "views": INTEGER,
        "covered": listed(listed(INTEGER)),
        "advice": STRING,
    }
)
CARDS_FORM = {
    "type": "object",
    "required": ["photo"],
    "properties": {
        "photo": PHOTO_FIELD,
        "shape": {"type": "string", "description": "width and height of the cards, such as 63:88"},
        "camera": MEASURED["camera"],
    },
}
HELD_FORM = {**FORM, "properties": {"photo": PHOTO_FIELD, **HELD}}
TABLE_FORM = {
    **FORM,
    "properties": {
        "photo": PHOTO_FIELD,
        "name": {"type": "string", "description": "what the table is called"},
        "lens": {"type": "string", "description": "the name of what was measured of the lens"},
        "width": {"type": "string", "description": "of the mat, in millimetres"},
        "height": {"type": "string", "description": "of the mat, in millimetres"},
        **HELD,
    },
}
LIGHT_FORM = {
    **FORM,
    "properties": {
        "photo": PHOTO_FIELD,
        "name": {"type": "string", "description": "what the light is called"},
        "deck": {"type": "string", "description": "whose cards lie in the photo"},
    },
}
RESULT = record({"profile": STRING, "before": STRING, "after": STRING})
PROFILES = record({"profiles": listed(record({"name": STRING, "kind": STRING}))})


class Finish(Value):
    """name: what the camera is called; a photograph that says it was taken with a camera of this name uses it."""

    name: Annotated[str, Field(min_length=1, max_length=80)]


def folder() -> Path:
    """Where profiles are kept."""
    return profiles_folder()


def measurings() -> Measurings:
    """The lenses that are being measured."""
    return cast(Measurings, current_app.extensions["referee_measurings"])


@blueprint.get("/board.pdf")
@operation("The board to print", STRING, media="application/pdf")
def board() -> ResponseReturnValue:
    """Two pages of A4, to be printed at 100 %: the board, and the markers for the corners of a mat."""
    markers = [mat_marker(corner, round(MAT_MARKER_MM * DOTS_PER_MM)) for corner in range(4)]
    laid = np.vstack([np.hstack([_rimmed(markers[corner]) for corner in row]) for row in ((0, 1), (3, 2))])
    pages = [_page(board_picture(DOTS_PER_MM)), _page(laid)]
    out = io.BytesIO()
    pages[0].save(out, "PDF", resolution=DOTS_PER_MM * 25.4, save_all=True, append_images=pages[1:])
    return Response(out.getvalue(), mimetype="application/pdf")


def _page(drawn: NDArray[np.uint8]) -> Image.Image:
    """A white page with a drawing (h, w) in its middle."""
    page = np.full((round(PAGE_MM[1] * DOTS_PER_MM), round(PAGE_MM[0] * DOTS_PER_MM)), 255, np.uint8)
    top, left = (page.shape[0] - drawn.shape[0]) // 2, (page.shape[1] - drawn.shape[1]) // 2
    page[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    return Image.fromarray(page)


def _rimmed(marker: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """With the white rim that a marker needs to be found."""
    return np.pad(marker, round(MARKER_RIM_MM * DOTS_PER_MM), constant_values=255)


@blueprint.post("/lenses")
@operation("Begin to measure a lens", record({"id": STRING}), status=201, provides={"lens": "$response.body#/id"})
def begin() -> ResponseReturnValue:
    """Then send frames that show the board."""
    size = {"width_mm": COLUMNS * SQUARE_MM, "height_mm": ROWS * SQUARE_MM}
    return jsonify(id=measurings().begin(), board=size), 201


@blueprint.post("/lenses/<lens>/frames")
@operation("Look for the board in a frame", LOOK, form=HELD_FORM, errors=(404, 409, 422))
def frame(lens: str) -> ResponseReturnValue:
    """It is kept where it shows something new. `advice` says where the board should go next."""
    measurings().views(lens)
    photo = photo_of(uploaded_photo(), request.form)
    return jsonify(measurings().look(lens, photo.pixels, photo.orientation))


@blueprint.post("/lenses/<lens>/profile")
@operation("Keep what was measured of a lens", RESULT, request=Finish, status=201, errors=(404, 422))
def finish(lens: str) -> ResponseReturnValue:
    """`missing` says what should be photographed still; `good` whether the lens is well known."""
    asked = body(Finish)
    fit = measurings().fit(lens, asked.name)
    name = _keep(fit.profile, asked.name)
    sample = measurings().sample(lens)
    pictures = {} if sample is None else _pictures(sample, straightened(sample, fit.profile))
    limit = GOOD_ERROR * max(fit.profile.size)
    return (
        jsonify(
            profile=name,
            error=round(fit.profile.reprojection_error, 3),
            good=not fit.missing and fit.profile.reprojection_error <= limit,
            missing=list(fit.missing),
            left_out=int(np.isnan(fit.errors).sum()),
            **{"before": "", "after": "", **pictures},
        ),
        201,
    )


@blueprint.delete("/lenses/<lens>")
@operation("Stop measuring a lens", None, status=204, errors=(404,))
def stop(lens: str) -> ResponseReturnValue:
    """Its frames are deleted; a profile that was made of them stays."""
    measurings().delete(lens)
    return "", 204


@blueprint.post("/cards")
@operation("Measure a lens without the board", RESULT, form=CARDS_FORM, status=201, errors=(422, 503))
def cards() -> ResponseReturnValue:
    """From a photograph of twelve cards or more. Fields: `shape`: of the cards, `1:1` or `63:88` for instance;
    `camera`: which took it, where its file does not say (EXIF)."""
    data = uploaded_photo()
    model = request.form.get("camera") or camera_model(io.BytesIO(data))
    aspect = aspect_of(request.form.get("shape") or "1:1")
    gate = context.gate()
    with gate.place(), gate.turn():
        photo = decode(data, NAME)
        found = lens_from_cards([photo], aspect)
    profile = found.profile(model)
    name = _keep(profile, model or "lens")
    pictures = _pictures(photo.pixels, straightened(photo.pixels, profile))
    return jsonify(profile=name, cards=found.cards, distortion=round(found.distortion, 4), **pictures), 201


@blueprint.post("/tables")
@operation("Measure the table under a fixed camera", RESULT, form=TABLE_FORM, status=201, errors=(404, 422))
def table() -> ResponseReturnValue:
    """From a photograph of the board lying on it, or of a mat with a marker in each corner."""
    photo = photo_of(uploaded_photo(), request.form)
    lens = None if not request.form.get("lens") else _profile(request.form["lens"])
    if lens is not None and not isinstance(lens, CameraProfile):
        raise ApiError(404, "unknown-profile")
    mat = _mat(request.form.get("width"), request.form.get("height"))
    profile = fit_table(photo.pixels, lens, mat, photo.orientation)
    name = _keep(profile, request.form.get("name") or "table")
    pictures = _pictures(photo.pixels, top_view(profile, photo.pixels))
    return jsonify(profile=name, residual_mm=round(profile.residual_mm, 2), **pictures), 201


@blueprint.post("/tables/<profile>/check")
@operation("Was the camera moved?", record({"moved": perhaps(BOOLEAN)}), form=HELD_FORM, errors=(404, 422))
def check(profile: str) -> ResponseReturnValue:
    """`moved` is null where the board, or the mat's markers, are not to be seen."""
    known = _profile(profile)
    if not isinstance(known, TableProfile):
        raise ApiError(404, "unknown-profile")
    photo = photo_of(uploaded_photo(), request.form)
    shift = moved_by(known, photo.pixels, photo.orientation)
    return jsonify(moved=None if shift is None else shift > MOVED, shift=shift)


@blueprint.post("/lights")
@operation("Measure the light by known cards", RESULT, form=LIGHT_FORM, status=201, errors=(404, 422, 503))
def light() -> ResponseReturnValue:
    """From a photograph of four different cards of a deck, or more."""
    photo = decode(uploaded_photo(), NAME)
    deck = context.shelf().deck(request.form.get("deck") or "cat-and-mouse")
    gate = context.gate()
    with gate.place(), gate.turn():
        profile = fit_colour(samples_of(photo, deck))
    name = _keep(profile, request.form.get("name") or "light")
    pictures = _pictures(photo.pixels, recoloured(photo.pixels, profile))
    off = {"off_before": round(profile.before, 1), "off_after": round(profile.after, 1)}
    return jsonify(profile=name, **off, **pictures), 201


@blueprint.get("/profiles")
@operation("What was measured", PROFILES)
def profiles() -> ResponseReturnValue:
    """Each profile with its kind (camera, table, colour; broken: its file cannot be used)."""
    return jsonify(profiles=_known())


def _known() -> list[dict[str, Any]]:
    found = []
    for path in sorted(folder().glob("*.json")) if folder().is_dir() else []:
        try:
            found.append({"name": path.stem, **_described(load(path))})
        except ProfileError:
            found.append({"name": path.stem, "kind": "broken", "title": path.stem})
    return found


@blueprint.get("/profiles/<profile>")
@operation("A profile as a file", {"type": "object"}, errors=(404,))
def file(profile: str) -> ResponseReturnValue:
    """For `check --profile`."""
    _profile(profile)
    headers = {"Content-Disposition": f'attachment; filename="{profile}.json"'}
    return Response((folder() / f"{profile}.json").read_bytes(), mimetype="application/json", headers=headers)


@blueprint.delete("/profiles/<profile>")
@operation("Forget a profile", None, status=204, errors=(404,))
def forget(profile: str) -> ResponseReturnValue:
    """Photographs are read without it from now on. A broken file can be forgotten too."""
    profile_file(folder(), profile).unlink(missing_ok=True)
    return "", 204


def _described(profile: Profile) -> dict[str, Any]:
    if isinstance(profile, CameraProfile):
        return {
            "kind": "camera",
            "title": profile.model,
            "model": profile.model,
            "size": profile.size,
            "error": profile.reprojection_error,
        }
    if isinstance(profile, ColourProfile):
        return {"kind": "colour", "title": profile.name, "off_before": profile.before, "off_after": profile.after}
    return {"kind": "table", "title": profile.name, "size": profile.size, "residual_mm": profile.residual_mm}


def _profile(name: str) -> Profile:
    return kept_profile(folder(), name)


def _keep(profile: Profile, name: str) -> str:
    """Under its name, in the place of an earlier one of its kind."""
    key = plain_key(name) or profile.kind
    if _kind_of(key) not in (None, "broken", profile.kind):
        key = f"{key}-{profile.kind}"
    named = profile if isinstance(profile, CameraProfile) else replace(profile, name=name)
    save(named, folder() / f"{key}.json")
    return key


def _kind_of(key: str) -> str | None:
    return next((known["kind"] for known in _known() if known["name"] == key), None)


def _mat(width: str | None, height: str | None) -> tuple[float, float] | None:
    if not width and not height:
        return None
    try:
        size = float(width or ""), float(height or "")
    except ValueError:
        size = (0.0, 0.0)
    if not (100 <= size[0] <= 5000 and 100 <= size[1] <= 5000):
        raise ApiError(422, "bad-mat")
    return size


def _pictures(before: Pixels, after: Pixels) -> dict[str, str]:
    return {"before": _shown(before), "after": _shown(after)}


def _shown(picture: Pixels) -> str:
    """A small JPEG as an address that holds it."""
    scale = min(1.0, SHOWN / max(picture.shape[:2]))
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
    return f"data:image/jpeg;base64,{base64.b64encode(data).decode()}"
