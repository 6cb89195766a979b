"""Errors as their readers see them: `{"error": {"code", "message"}}` from the API, a page for people."""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from referee.errors import DeckError, InputError, LayoutError, RefereeError
from web.language import messages
from web.messages import WebMessages

STATUS_OF_CODE = {
    "photo-format": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "photo-too-large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "unknown-deck": HTTPStatus.UNPROCESSABLE_ENTITY,
}
"""Where it is not 422: the input was understood but cannot be used."""


MADE_ON_A_PAGE = frozenset({"bad-corners"})
"""Errors of layouts that people make with their fingers, not in a file."""


class ApiError(RefereeError):
    """An error that the web service itself finds; its message is the text `error.CODE` of the catalogue."""

    def __init__(self, status: int, code: str, **fields: object) -> None:
        super().__init__(code, code)
        self.status = int(status)
        self.fields = fields


def install(app: Flask) -> None:
    """Answer every error in the reader's language."""
    app.register_error_handler(ApiError, _api_error)
    app.register_error_handler(InputError, _input_error)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _crash)


def is_api() -> bool:
    """Whether a program is asking, rather than a browser for a page."""
    return request.path.startswith("/api/") or request.path == "/healthz"


def told(status: int, code: str, message: str) -> tuple[Response | str, int]:
    """The error in the form that suits the reader."""
    if is_api():
        return jsonify(error={"code": code, "message": message}), status
    return render_template("error.html", status=status, message=message), status


def _api_error(error: ApiError) -> tuple[Response | str, int]:
    response, status = told(error.status, error.code, sentence_of(error, messages()))
    if status == HTTPStatus.SERVICE_UNAVAILABLE and isinstance(response, Response):
        response.headers["Retry-After"] = "5"
    return response, status


def _input_error(error: InputError) -> tuple[Response | str, int]:
    status = STATUS_OF_CODE.get(error.code, HTTPStatus.UNPROCESSABLE_ENTITY)
    return told(int(status), error.code, sentence_of(error, messages()))


def sentence_of(error: ApiError | InputError, texts: WebMessages) -> str:
    """The error in the reader's language, or in English where only a programmer can make it."""
    key = f"error.{error.code}"
    if isinstance(error, ApiError):
        return texts.text(key, None, **error.fields)
    of_a_file = isinstance(error, DeckError | LayoutError) and error.code not in MADE_ON_A_PAGE
    return error.message if of_a_file or not texts.has(key) else texts.text(key)


def _http_error(error: HTTPException) -> tuple[Response | str, int] | Response:
    if error.code is None or error.code < 400:  # a redirect
        return Response(error.get_response().get_data(), error.code, error.get_headers())
    key = f"error.http-{error.code}"
    message = messages().text(key) if messages().has(key) else messages().text("error.http")
    name = HTTPStatus(error.code).phrase.lower().replace(" ", "-")
    answer, status = told(error.code, name, message)
    if isinstance(answer, Response) and error.code == HTTPStatus.METHOD_NOT_ALLOWED:
        answer.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
    return answer, status


def _crash(error: Exception) -> tuple[Response | str, int]:
    """What nobody foresaw: written to the log, told without its inside."""
    from flask import current_app

    current_app.logger.error("unexpected error at %s %s", request.method, request.path, exc_info=error)
    return told(500, "internal-error", messages().text("error.http-500"))
