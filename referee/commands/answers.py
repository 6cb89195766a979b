"""What the subcommands share: options, the deck that was asked for, answers on standard output, exit statuses."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from referee import texts
from referee.decks import Deck, Game, builtin_deck, load_deck
from referee.errors import DeckError, InputError
from referee.explain import About, Sentence
from referee.messages import LANGUAGES, Messages
from referee.options import CatAndMouseOptions, IfItFitsOptions, Options
from referee.verdicts import Outcome

SOMETHING_UNDETERMINED = 1
SOMETHING_UNUSABLE = 2


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that every judging command has."""
    parser.add_argument("--deck", type=Path, metavar="DIR", help="folder of the deck (default: the built-in one)")
    parser.add_argument("--game", choices=[game.value for game in Game], help="whose built-in deck to use")
    parser.add_argument("--json", action="store_true", help="one JSON object a line on standard output")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the texts (default: en)")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a house rule: upright=yes|no, first_finish=counts|back, ties=all|none|split, "
        "open_boxes=yes|no, asleep_closes=yes|no",
    )


def options_from(arguments: argparse.Namespace) -> Options:
    """The house rules asked for. Raises InputError naming the option that is none."""
    given: dict[str, Any] = {}
    for text in arguments.option:
        name, _, value = text.partition("=")
        given[name.strip()] = {"yes": True, "no": False}.get(value.strip(), value.strip())
    mouse, boxes = set(CatAndMouseOptions.model_fields), set(IfItFitsOptions.model_fields)
    if unknown := sorted(set(given) - mouse - boxes):
        raise InputError("bad-option", f"--option {unknown[0]}: there is no such option; see --help.")
    try:
        return Options(
            cat_and_mouse=CatAndMouseOptions(**{k: v for k, v in given.items() if k in mouse}),
            if_it_fits=IfItFitsOptions(**{k: v for k, v in given.items() if k in boxes}),
        )
    except ValidationError as error:
        name = error.errors()[0]["loc"][0]
        raise InputError("bad-option", f"--option {name}={given[str(name)]}: no such value; see --help.") from None


class Decks:
    """The deck that was named, or else the built-in deck of a game; each is loaded once."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._loaded: dict[Game | None, Deck | DeckError] = {}

    def of(self, game: Game) -> Deck:
        """The deck to judge a table of this game by. Raises DeckError."""
        key = game if self._folder is None else None
        if key not in self._loaded:
            try:
                self._loaded[key] = builtin_deck(game) if self._folder is None else load_deck(self._folder)
            except DeckError as error:
                self._loaded[key] = error
        deck = self._loaded[key]
        if isinstance(deck, DeckError):
            raise deck
        return deck


@dataclass
class Answers:
    """Writes one answer after another and remembers the exit status."""

    as_json: bool
    messages: Messages
    status: int = 0
    _count: int = field(default=0, init=False)
    _told: set[str] = field(default_factory=set, init=False)

    def give(self, outcome: Outcome, answer: Mapping[str, Any], title: str, sentences: Iterable[Sentence]) -> None:
        """Write the answer for one input: the JSON object, or the sentences under a title, faults with their rules."""
        if outcome is Outcome.UNDETERMINED:
            self.status = max(self.status, SOMETHING_UNDETERMINED)
        self._write(answer, title, () if self.as_json else laid_out(sentences, self.messages))

    def refuse(self, error: InputError, known: Mapping[str, Any], title: str) -> None:
        """Write that an input could not be used, in its place."""
        self.status = SOMETHING_UNUSABLE
        if self.as_json and error.message not in self._told:  # a bad deck spoils every input, but is told once
            self._told.add(error.message)
            print(f"referee: {error.message}", file=sys.stderr)
        self._write({**known, "error": error.to_dict()}, title, [error.message])

    def _write(self, answer: Mapping[str, Any], title: str, lines: Iterable[str]) -> None:
        if self.as_json:
            print(json.dumps(answer, ensure_ascii=False, allow_nan=False), flush=True)
            return
        if self._count:
            print()
        print(title)
        for line in lines:
            print(f"  {line}".rstrip())
        self._count += 1


MARKS = {
    About.MOVE: "»",
    About.RESULT: "•",
    About.FAULT: "✗",
    About.DOUBT: "?",
    About.RETAKE: "!",
    About.ASSUMPTION: "·",
    About.NOTE: "·",
}
"""What a line begins with, by what it is about."""


def laid_out(sentences: Iterable[Sentence], messages: Messages, width: int = 96) -> Iterator[str]:
    """Sentences as lines of a text for people: marked, broken into lines of `width`, the rules quoted at the end."""
    rules: list[str] = []
    for sentence in sentences:
        if sentence.about is About.RULE:
            rules.append(sentence.text)
            continue
        mark = MARKS.get(sentence.about)
        text = f"{sentence.text} [{sentence.rule_id}]" if sentence.about is About.FAULT else sentence.text
        indent = "" if mark is None else "  "
        first = "" if mark is None else f"{mark} "
        yield from textwrap.wrap(text, width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False)
    if rules:
        yield ""
        yield messages.text(texts.RULES_HEADING)
        for rule in rules:
            name, _, text = rule.partition(": ")
            yield from textwrap.wrap(
                text, width, initial_indent=f"  {name:<16}", subsequent_indent=" " * 18, break_on_hyphens=False
            )
