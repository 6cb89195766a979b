"""Matches: made, followed, printed."""

from __future__ import annotations

import qrcode
import qrcode.image.svg
from flask import Blueprint, Response, request, url_for

from referee.decks import Game
from web import context
from web.api.decks import deck_view, decks_of
from web.api.matches import load
from web.errors import ApiError
from web.language import rules_messages
from web.matches.records import COLOURS, MOST_PLAYERS, colours_of, get_match
from web.matches.view import match_view
from web.options import choices
from web.pages.shell import page, public_link

blueprint = Blueprint("match_pages", __name__)


@blueprint.get("/matches/new")
def new() -> str:
    """Who plays what, by which house rules."""
    games = []
    for game in Game:
        decks = zip(decks_of(game), context.shelf().of_game(game), strict=True)
        games.append(
            {
                "id": game.value,
                "decks": [{**named, "colours": colours_of(deck)} for named, (_, deck) in decks],
                "most": MOST_PLAYERS[game],
                "choices": choices(game, rules_messages()),
            }
        )
    chosen = request.args.get("game")
    return page("new-match.html", "new-match.js", {"games": games, "chosen": chosen, "colours": COLOURS}, games=games)


@blueprint.get("/matches/<match>")
def show(match: str) -> str:
    """The score, what happens now, what has happened."""
    with context.database().reading() as session:
        view = match_view(load(session, match), rules_messages())
    link = public_link("match_pages.show", match=match)
    data = {"match": view, "deck": deck_view(view["deck"]), "link": link}
    return page("match.html", "match.js", data, match=view, link=link)


@blueprint.get("/matches/<match>/print")
def printed(match: str) -> str:
    """The result on paper."""
    with context.database().reading() as session:
        view = match_view(load(session, match), rules_messages())
    names = {player["key"]: player["name"] for player in view["players"]}
    winners = ", ".join(names[key] for key in view["winners"])
    return page("print.html", "print.js", None, match=view, names=names, winners=winners)


@blueprint.get("/matches/<match>/qr.svg")
def code(match: str) -> Response:
    """The link of a match for cameras."""
    with context.database().reading() as session:
        get_match(session, match)
    link = public_link("match_pages.show", match=match)
    return qr_svg(link or url_for("match_pages.show", match=match, _external=True))


def qr_svg(link: str) -> Response:
    """A QR code as a picture, dark on white in any mode."""
    made = qrcode.make(link, image_factory=qrcode.image.svg.SvgPathFillImage, border=2)
    return Response(made.to_string(), mimetype="image/svg+xml")


@blueprint.get("/qr.svg")
def home_code() -> Response:
    """The link of the first page. Raises ApiError (404) if only this machine can open it."""
    link = public_link("check_page.show")
    if link is None:
        raise ApiError(404, "http-404")
    return qr_svg(link)
