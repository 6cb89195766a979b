"""Installable, and a sentence when the server is away: manifest, service worker, the page that it keeps."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify, url_for

from web.language import language, messages
from web.pages.shell import page

blueprint = Blueprint("offline", __name__)


@blueprint.get("/offline")
def show() -> str:
    """Kept by the service worker for when nobody answers."""
    return page("offline.html")


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a phone needs to install the pages as an app."""
    icons = [
        {"src": url_for("static", filename=f"icons/{name}"), "sizes": size, "type": kind, "purpose": purpose}
        for name, size, kind, purpose in (
            ("icon.svg", "any", "image/svg+xml", "any"),
            ("icon-192.png", "192x192", "image/png", "any"),
            ("icon-512.png", "512x512", "image/png", "any"),
            ("icon-maskable-512.png", "512x512", "image/png", "maskable"),
        )
    ]
    response = jsonify(
        name=messages().text("app.name"),
        short_name=messages().text("app.name"),
        description=messages().text("app.tagline"),
        lang=language(),
        start_url=url_for("check_page.show"),
        scope="/",
        display="standalone",
        background_color="#f6f3ec",
        theme_color="#7a3b12",
        icons=icons,
    )
    response.mimetype = "application/manifest+json"
    return response


@blueprint.get("/sw.js")
def worker() -> Response:
    """The service worker, served from the root so that it may look after all pages."""
    response = current_app.send_static_file("js/service-worker.js")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Service-Worker-Allowed"] = "/"
    return response
