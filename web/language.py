"""Which language a reader gets: what they chose (`?lang=`, remembered in a cookie), else what their browser prefers."""

from __future__ import annotations

from flask import Flask, Response, g, request

from referee.messages import LANGUAGES, Messages
from web.messages import WebMessages

COOKIE = "lang"
YEAR = 365 * 24 * 3600


def install(app: Flask) -> None:
    """Remember a choice, and give templates their texts."""
    app.after_request(_remember)
    app.jinja_env.globals.update(t=_t, language=language, LANGUAGES=LANGUAGES)


def language() -> str:
    """The code of the reader's language."""
    if "language" not in g:
        g.language = _chosen() or _preferred()
    return str(g.language)


def _chosen() -> str | None:
    asked, kept = request.args.get("lang"), request.cookies.get(COOKIE)
    return next((code for code in (asked, kept) if code in LANGUAGES), None)


def _preferred() -> str:
    return Messages.preferred(code for code, _ in request.accept_languages).language


def messages() -> WebMessages:
    """The texts of the pages in the reader's language."""
    return WebMessages(language())


def rules_messages() -> Messages:
    """The texts of the rules half in the reader's language."""
    return Messages(language())


def _t(key: str, number: int | None = None, **fields: object) -> str:
    return messages().text(key, number, **fields)


def _remember(response: Response) -> Response:
    asked = request.args.get("lang")
    if asked in LANGUAGES and request.cookies.get(COOKIE) != asked and not request.path.startswith("/api/"):
        response.set_cookie(COOKIE, asked, max_age=YEAR, samesite="Lax", httponly=True)
    if response.mimetype == "text/html":
        response.headers["Content-Language"] = language()
        response.vary.update(("Accept-Language", "Cookie"))
    return response
