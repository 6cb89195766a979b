"""The description of the API, made from the code: each view says what it takes and gives, and from that
`GET /api/openapi.json` is put together (OpenAPI 3.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar

from flask import Flask
from pydantic import BaseModel

from referee import __doc__ as about

View = TypeVar("View", bound=Callable[..., Any])
Schema = Mapping[str, Any]

JSON = "application/json"
DESCRIBED = "_referee_operation"

ERROR: Schema = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
        }
    },
}
ALWAYS = (HTTPStatus.INTERNAL_SERVER_ERROR,)
LANG: Schema = {
    "name": "lang",
    "in": "query",
    "description": "The language of the texts; without it that of Accept-Language.",
    "schema": {"type": "string"},
}


@dataclass(frozen=True, slots=True)
class Operation:
    """What a view does. request: of a JSON body. form: of a multipart body. media: of the answer if it is no JSON."""

    summary: str
    response: Schema | type[BaseModel] | None
    request: type[BaseModel] | Schema | None
    form: Schema | None
    status: int
    errors: tuple[int, ...]
    media: str
    parameters: tuple[Schema, ...]
    provides: Mapping[str, str]


def operation(
    summary: str,
    response: Schema | type[BaseModel] | None = None,
    *,
    request: type[BaseModel] | Schema | None = None,
    form: Schema | None = None,
    status: int = 200,
    errors: Sequence[int] = (),
    media: str = JSON,
    parameters: Sequence[Schema] = (),
    provides: Mapping[str, str] | None = None,
) -> Callable[[View], View]:
    """Describe a view of the API. provides: where the answer holds the path parameters of other routes."""

    def describe(view: View) -> View:
        known = Operation(
            summary, response, request, form, status, tuple(errors), media, tuple(parameters), provides or {}
        )
        setattr(view, DESCRIBED, known)
        return view

    return describe


def is_described(app: Flask, endpoint: str) -> bool:
    """Whether a view says what it takes and gives."""
    return hasattr(app.view_functions[endpoint], DESCRIBED)


def document(app: Flask, version: str) -> dict[str, Any]:
    """The whole description."""
    models: dict[str, Any] = {}
    paths: dict[str, dict[str, Any]] = {}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        described = getattr(app.view_functions[rule.endpoint], DESCRIBED, None)
        if not isinstance(described, Operation):
            continue
        path = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            paths.setdefault(path, {})[method.lower()] = _operation(rule.endpoint, method, path, described, models)
    _add_links(app, paths)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Referee", "version": version, "description": (about or "").strip()},
        "paths": paths,
        "components": {"schemas": models},
    }


def _add_links(app: Flask, paths: dict[str, dict[str, Any]]) -> None:
    """Say which answers hold the ids that other routes ask for."""
    entries = {entry["operationId"]: (path, entry) for path, methods in paths.items() for entry in methods.values()}
    for rule in app.url_map.iter_rules():
        known = getattr(app.view_functions[rule.endpoint], DESCRIBED, None)
        if not isinstance(known, Operation) or not known.provides:
            continue
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            _, source = entries[_operation_id(rule.endpoint, method)]
            links = {
                name: {"operationId": name, "parameters": dict(known.provides)}
                for name, (path, _) in entries.items()
                if set(re.findall(r"{([^}]+)}", path)) == set(known.provides)
            }
            source["responses"][str(known.status)]["links"] = links


def _operation_id(endpoint: str, method: str) -> str:
    return f"{endpoint.replace('.', '-')}-{method.lower()}"


def _operation(endpoint: str, method: str, path: str, known: Operation, models: dict[str, Any]) -> dict[str, Any]:
    parameters: list[Any] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{([^}]+)}", path)
    ]
    entry: dict[str, Any] = {
        "operationId": _operation_id(endpoint, method),
        "summary": known.summary,
        "parameters": [*parameters, *known.parameters, LANG],
        "responses": {str(known.status): _response(known, models)},
    }
    content: dict[str, Any] = {}
    if known.request is not None:
        content[JSON] = {"schema": _schema(known.request, models)}
    if known.form is not None:
        content["multipart/form-data"] = {"schema": known.form}
    errors = {int(code) for code in (*known.errors, *ALWAYS)}
    if content:
        entry["requestBody"] = {"required": True, "content": content}
        errors |= {400, 403, 413, 415}
    elif method not in ("GET", "HEAD"):
        errors |= {403}
    for code in sorted(errors):
        entry["responses"][str(code)] = {
            "description": HTTPStatus(code).phrase,
            "content": {JSON: {"schema": ERROR}},
        }
    return entry


def _response(known: Operation, models: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {"description": HTTPStatus(known.status).phrase}
    if known.response is not None:
        described["content"] = {known.media: {"schema": _schema(known.response, models)}}
    return described


def _schema(given: Schema | type[BaseModel], models: dict[str, Any]) -> Any:
    if not isinstance(given, type):
        return given
    schema = given.model_json_schema(ref_template="#/components/schemas/{model}")
    models.update(schema.pop("$defs", {}))
    models[given.__name__] = schema
    return {"$ref": f"#/components/schemas/{given.__name__}"}
