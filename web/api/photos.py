"""Photographs: kept without metadata, shown, forgotten."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for
from flask.typing import ResponseReturnValue

from web import context, reports
from web.calibration.applied import MEASURED, straight
from web.openapi import operation
from web.photos import prepared, store
from web.requests import uploaded_photo
from web.schemas import PHOTO, STRING
from web.storage.models import Photo
from web.tables.service import get_photo

blueprint = Blueprint("photos", __name__, url_prefix="/api/photos")

PHOTO_FIELD = {"type": "string", "format": "binary"}
FORM = {"type": "object", "required": ["photo"], "properties": {"photo": PHOTO_FIELD}}
KEEP_FORM = {**FORM, "properties": {"photo": PHOTO_FIELD, **MEASURED}}


@blueprint.post("")
@operation(
    "Keep a photograph, to read it",
    PHOTO,
    form=KEEP_FORM,
    status=201,
    errors=(404, 422),
    provides={"photo": "$response.body#/id"},
)
def keep() -> ResponseReturnValue:
    """The place, the time and all other metadata in the file are dropped. It is kept without the lens's distortion, if
    that was measured, and remembers the measured table that it shows."""
    data, known = straight(uploaded_photo(), request.form)
    kept = prepared(data)
    with context.database().writing() as session:
        photo = store(session, kept, context.settings().keep_days)
        photo.measured = None if known is None else known.model_dump(mode="json")
        return jsonify(photo_view(photo)), 201


def photo_view(photo: Photo) -> dict[str, Any]:
    """A photograph as pages and programs see it."""
    url = url_for("photos.show", photo=photo.id)
    return {"id": photo.id, "url": url, "width": photo.width, "height": photo.height}


@blueprint.get("/<photo>")
@operation("A kept photograph", STRING, errors=(404,), media="image/jpeg")
def show(photo: str) -> ResponseReturnValue:
    """As a JPEG."""
    with context.database().reading() as session:
        data = get_photo(session, photo).data
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "private, no-cache"})


@blueprint.delete("/<photo>")
@operation("Forget a photograph", None, status=204, errors=(404,))
def forget(photo: str) -> ResponseReturnValue:
    """It is deleted, also from reports; what was read from it stays."""
    with context.database().writing() as session:
        session.delete(get_photo(session, photo))
    reports.forget(context.settings().data, photo)
    return "", 204
