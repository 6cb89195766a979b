"""What every page brings along for its scripts."""

from __future__ import annotations

from typing import Any

from flask import render_template, url_for

from web import context
from web.language import language, messages
from web.settings import UPLOAD_LIMIT


def page(template: str, script: str | None = None, data: dict[str, Any] | None = None, **values: Any) -> str:
    """A page with its script (a module of `static/js`) and the data that the script starts from."""
    start = None
    if script is not None:
        start = {
            "language": language(),
            "texts": messages().for_scripts(),
            "limit": UPLOAD_LIMIT,
            **(data or {}),
        }
    return render_template(template, script=script, start=start, **values)


def public_link(endpoint: str, **values: Any) -> str | None:
    """A link that other devices can open, or None if this service is only for this machine."""
    public = context.settings().public_url
    return None if public is None else public.rstrip("/") + url_for(endpoint, **values)
