"""Headers against foreign scripts, and the check that a change was asked for by our own pages.

Nobody logs in and no cookie grants anything: who has the link of a match may play in it. A foreign page still must not
make a browser change something here, so requests that change must not come from another site (Fetch Metadata,
https://www.w3.org/TR/fetch-metadata/; `Origin` for older browsers). Programs send neither and are let through.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Response, request

from web import context
from web.errors import ApiError

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "media-src 'self' blob:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""Content security policy: everything from here, no inline scripts or styles."""

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def install(app: Flask) -> None:
    """Guard every request and every answer."""
    app.before_request(refuse_other_sites)
    app.after_request(add_headers)


def refuse_other_sites() -> None:
    """Raises ApiError (403) for a change that another site's page asks for."""
    if request.method in SAFE:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    foreign = site in ("cross-site", "same-site") if site else False
    if not site and origin:
        public = context.settings().public_url  # behind a proxy the host may be another than the browser's
        foreign = urlsplit(origin).netloc not in (request.host, urlsplit(public or "").netloc or None)
    if foreign:
        raise ApiError(403, "other-site")


def add_headers(response: Response) -> Response:
    """What every answer carries."""
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    response.headers.setdefault("Permissions-Policy", "geolocation=(), microphone=()")
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
    return response
