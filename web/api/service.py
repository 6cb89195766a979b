"""`/healthz` and the description of the API."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue

from web import context
from web.openapi import document, operation
from web.schemas import STRING, record
from web.version import VERSION

blueprint = Blueprint("service", __name__)


@blueprint.get("/healthz")
@operation("Whether the service is well", record({"status": STRING, "version": STRING}))
def health() -> ResponseReturnValue:
    """200 if photographs can be read and matches stored."""
    context.database().ping()
    return jsonify(status="ok", version=VERSION)


@blueprint.get("/api/openapi.json")
@operation("This description", {"type": "object"})
def description() -> ResponseReturnValue:
    """Every route of the API."""
    whole: dict[str, Any] = document(current_app, VERSION)
    return jsonify(whole)
