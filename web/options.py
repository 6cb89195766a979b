"""House rules as forms and programs give them: the same names and values as `--option` of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from referee import texts
from referee.decks import Game
from referee.messages import Messages
from referee.options import CatAndMouseOptions, ColouredPathsOptions, IfItFitsOptions, Options
from referee.validation import first_problem
from web.errors import ApiError

MODELS: Mapping[Game, type[CatAndMouseOptions | ColouredPathsOptions | IfItFitsOptions]] = {
    Game.CAT_AND_MOUSE: CatAndMouseOptions,
    Game.COLOURED_PATHS: ColouredPathsOptions,
    Game.IF_IT_FITS: IfItFitsOptions,
}
FIELDS = {Game.CAT_AND_MOUSE: "cat_and_mouse", Game.COLOURED_PATHS: "coloured_paths", Game.IF_IT_FITS: "if_it_fits"}
WORDS = {"yes": True, "no": False}


def options_of(game: Game, given: Mapping[str, Any]) -> Options:
    """The options of one game. Raises ApiError (422) naming the option that is none or has no such value."""
    model = MODELS[game]
    known = {name: value for name, value in given.items() if value is not None}
    if strange := sorted(set(known) - set(model.model_fields)):
        raise ApiError(422, "unknown-option", option=strange[0])
    values = {name: WORDS.get(value, value) if isinstance(value, str) else value for name, value in known.items()}
    try:
        chosen = model.model_validate(values)
    except ValidationError as error:
        name = str(first_problem(error)[0][0])
        raise ApiError(422, "bad-option", option=name) from None
    return Options.model_validate({FIELDS[game]: chosen})


def known_of(game: Game, given: Mapping[str, Any]) -> Options:
    """The options of one game among those given; those of the other games do not concern it, as in the command.

    Raises ApiError (422) for an option that is one of no game, or a value that it has not.
    """
    if strange := sorted(set(given) - all_names()):
        raise ApiError(422, "unknown-option", option=strange[0])
    of_games = {
        known: options_of(known, {name: value for name, value in given.items() if name in model.model_fields})
        for known, model in MODELS.items()
    }
    return of_games[game]


def all_names() -> set[str]:
    """The names of all options of all games."""
    return {name for model in MODELS.values() for name in model.model_fields}


def schemas(more: tuple[object, ...] = ()) -> dict[str, dict[str, Any]]:
    """What each option of any game may be, and `more` (JSON knows true, false and null as well)."""
    found: dict[str, dict[str, Any]] = {}
    for model in MODELS.values():
        for name, field in model.model_fields.items():
            is_switch = isinstance(field.default, bool)
            words = list(WORDS) if is_switch else [value for option, value in texts.OPTIONS if option == name]
            found[name] = {"enum": [*words, *(v for v in more if is_switch or not isinstance(v, bool))]}
    return dict(sorted(found.items()))


def choices(game: Game, messages: Messages) -> list[dict[str, Any]]:
    """The options of a game with a sentence for each value, the default first."""
    found = []
    for name, field in MODELS[game].model_fields.items():
        default = {True: "yes", False: "no"}.get(field.default, field.default)
        values = [value for option, value in texts.OPTIONS if option == name]
        values.sort(key=lambda value, default=default: value != default)  # type: ignore[misc]
        found.append(
            {
                "name": name,
                "default": default,
                "values": [{"value": v, "text": messages.text(texts.OPTIONS[(name, v)])} for v in values],
            }
        )
    return found
