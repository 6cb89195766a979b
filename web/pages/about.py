"""What the program is, what happens to photographs, and the rules in short words."""

from __future__ import annotations

from flask import Blueprint

from referee import texts
from referee.decks import Game
from referee.rulebook import RuleId
from web import context
from web.errors import ApiError
from web.language import rules_messages
from web.options import choices
from web.pages.shell import page, public_link
from web.version import VERSION

blueprint = Blueprint("about_pages", __name__)

PREFIXES = {Game.CAT_AND_MOUSE: "CM-", Game.COLOURED_PATHS: "CP-", Game.IF_IT_FITS: "IF-"}


@blueprint.get("/about")
def about() -> str:
    """Privacy, the link for phones, the version."""
    days = context.settings().keep_days
    return page("about.html", days=days, version=VERSION, link=public_link("check_page.show"))


@blueprint.get("/rules", defaults={"game": Game.CAT_AND_MOUSE.value})
@blueprint.get("/rules/<game>")
def rules(game: str) -> str:
    """The rules of a game by their ids, and what players can agree on."""
    if game not in set(Game):
        raise ApiError(404, "http-404")
    chosen = Game(game)
    messages = rules_messages()
    told = [
        (rule.value, messages.text(texts.RULES[rule])) for rule in RuleId if rule.value.startswith(PREFIXES[chosen])
    ]
    return page(
        "rules.html",
        game=chosen.value,
        games=[g.value for g in Game],
        rules=told,
        choices=choices(chosen, messages),
    )
