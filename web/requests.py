"""What requests bring, checked."""

from __future__ import annotations

from typing import Annotated, TypeVar

from flask import request
from pydantic import BaseModel, BeforeValidator, Field, ValidationError
from pydantic.fields import FieldInfo

from referee.validation import field_name, first_problem, read_json
from web.errors import ApiError

Model = TypeVar("Model", bound=BaseModel)


def _whole(value: object) -> object:
    """JSON knows one kind of number: 2.0 is 2."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def whole(limits: FieldInfo) -> BeforeValidator:
    """Lets a whole number within `limits` be written as 2.0 as well."""
    return BeforeValidator(_whole, json_schema_input_type=Annotated[int, limits])


_FROM_ONE = Field(ge=1)
RevisionNumber = Annotated[int, whole(_FROM_ONE), _FROM_ONE]
"""How often a thing was changed."""


def json_body() -> object:
    """The parsed JSON of the request. Raises ApiError: 415 for another media type, 400 for what is no JSON."""
    if request.mimetype != "application/json":
        raise ApiError(415, "not-json")
    try:
        return read_json(request.get_data(cache=True).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ApiError(400, "broken-json", reason="UTF-8") from None
    except ValueError as error:
        raise ApiError(400, "broken-json", reason=str(error)) from None


def body(model: type[Model]) -> Model:
    """The request's JSON as a model. Raises ApiError (422) naming the first field that is wrong."""
    json_body()
    try:
        return model.model_validate_json(request.get_data(cache=True).removeprefix(b"\xef\xbb\xbf"))
    except ValidationError as error:
        place, reason = first_problem(error)
        raise ApiError(422, "bad-field", field=field_name(place), reason=reason) from None


def uploaded_photo() -> bytes:
    """The bytes of the field `photo` of a multipart form. Raises ApiError: 415 for another form, 422 without it."""
    if request.mimetype != "multipart/form-data":
        raise ApiError(415, "not-multipart")
    file = request.files.get("photo")
    if file is None:
        raise ApiError(422, "photo-missing")
    data: bytes = file.read()
    return data
