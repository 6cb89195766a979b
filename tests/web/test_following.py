"""Moves of a match found on photographs: cards are followed from the last confirmed table, as in a sequence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

import web.readings.tasks
from referee.decks import Deck
from referee.layouts import Layout
from tests.test_sequence import photo_of
from tests.web.conftest import SURE_PHOTO, made, photo_bytes, refused, send_photo

PLAYERS = [{"name": "Мама", "colour": "red"}, {"name": "Іван", "colour": "blue"}]


class Play:
    """A match whose photographs show the tables that a test lays."""

    def __init__(self, client: FlaskClient, game: str, players: list[dict[str, str]], shown: list[Any]) -> None:
        self.client, self.game, self._shown = client, game, shown
        match = made(client.post("/api/matches", json={"game": game, "players": players}))
        self.url = f"/api/matches/{match['id']}"

    def look(self) -> dict[str, Any]:
        return made(self.client.get(self.url), 200)

    def photograph(
        self, kind: str, player: str, cards: list[dict[str, Any]], unsure: Any = None, **data: bool
    ) -> tuple[str, dict[str, Any]]:
        """An entry with a photograph; (its id, its table)."""
        entry = self.client.post(f"{self.url}/entries", json={"kind": kind, "player": player, "data": data})
        entry_id = made(entry)["entries"][-1]["id"]
        layout = Layout.model_validate_json(json.dumps({"game": self.game, "cards": cards}))
        self._shown.append((layout, unsure or {}))
        photo = made(send_photo(self.client, photo_bytes(SURE_PHOTO)))
        table = self.client.post(f"{self.url}/entries/{entry_id}/tables", json={"photo": photo["id"]})
        return entry_id, made(table)

    def confirm(self, entry: str) -> Any:
        return self.client.post(f"{self.url}/entries/{entry}/confirm")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Tables to be read next, each from another side."""
    tables: list[Any] = []
    rng = np.random.default_rng(3)

    def read(_data: bytes, deck: Deck, *_: Any) -> Any:
        layout, doubts = tables.pop(0)
        return photo_of(layout, deck, float(rng.uniform(40, 320)), rng, doubts, "photo")[0]

    monkeypatch.setattr(web.readings.tasks, "read_photo", read)
    yield tables
    assert not tables


@pytest.fixture
def play(client: FlaskClient, shown: list[Any]) -> Callable[..., Play]:
    return lambda game, players: Play(client, game, players, shown)


def box(name: str, face: str, x: float, y: float, turn: float = 0.0) -> dict[str, Any]:
    return {"id": name, "face": face, "x": 63 * x, "y": 88 * y, "turn": turn}


START = [
    box("s", "start-1", 0, 0),
    box("a", "box-open-1", 1, 0),
    box("b", "box-tl-1", 2, 0),
    box("d", "box-tr-2", 0, 1),
]
LAID = [box("c", "box-open-2", 3, 0), box("m", "cat-red", 2.5, 0, 90)]


def begun(play: Callable[..., Play]) -> Play:
    game = play("if-it-fits", PLAYERS)
    entry, _ = game.photograph("turn", "red", START, box=True)
    assert game.look()["entries"][-1]["as_found"]
    assert game.confirm(entry).status_code == 200
    return game


def test_what_a_cat_covers_stays_known(play: Callable[..., Play]) -> None:
    game = begun(play)
    entry, table = game.photograph("turn", "blue", [c for c in [*START, *LAID] if c["id"] != "b"])
    assert len(table["cards"]) == len(START) + len(LAID)
    move = game.look()["entries"][-1]["move"]
    assert (move["legal"], move["certain"], len(move["cards"])) == (True, True, 2)
    assert "Мама" not in refused(game.confirm(entry), 409, "cat-of-another")


def test_the_first_photograph_of_a_match_under_way_is_taken_as_it_lies(play: Callable[..., Play]) -> None:
    """Nothing that the table shows is asked: cats are counted on it, nobody's turn is used up."""
    game = play("if-it-fits", PLAYERS)
    entry, _ = game.photograph("turn", "red", [*START, *LAID])
    told = game.look()["entries"][-1]
    assert (told["under_way"], told["shown_as"], told["princesses"]) == (True, "found", 0)
    game.client.put(f"{game.url}/entries/{entry}", json={"data": {"next": "blue"}})
    view = made(game.confirm(entry), 200)
    assert view["turn"] == "blue"
    assert [player["cats_left"] for player in view["players"]] == [4, 5]
    entry, _ = game.photograph("turn", "blue", [*START, *LAID, box("e", "box-open-0", 1, 1)])
    assert game.look()["entries"][-1]["move"]["legal"]
    assert made(game.confirm(entry), 200)["turn"] == "red"


def test_a_princess_on_a_table_under_way_is_somebodys(play: Callable[..., Play]) -> None:
    game = play("if-it-fits", PLAYERS)
    entry, _ = game.photograph("found", "red", [*START, LAID[0], box("m", "princess", 2.5, 0, 90)])
    refused(game.confirm(entry), 422, "whose-princess")
    game.client.put(f"{game.url}/entries/{entry}", json={"data": {"princesses": ["blue"]}})
    view = made(game.confirm(entry), 200)
    assert (view["turn"], [player["princess_left"] for player in view["players"]]) == ("red", [1, 0])


def test_a_princess_in_the_supply_is_nobodys_yet(play: Callable[..., Play]) -> None:
    game = play("if-it-fits", PLAYERS)
    entry, _ = game.photograph("found", "red", [*START, *LAID, box("p", "princess", 6, 4, 90)])
    assert game.look()["entries"][-1]["princesses"] == 0
    view = made(game.confirm(entry), 200)
    assert [player["princess_left"] for player in view["players"]] == [1, 1]


def test_cards_in_hand_do_not_show_on_a_table(play: Callable[..., Play]) -> None:
    game = play("coloured-paths", [{"name": "A"}, {"name": "B"}])
    cards = [{"id": n, "face": f"path-0{i}", "x": 75 * i, "y": 0} for i, n in enumerate("abc", 1)]
    entry, _ = game.photograph("laid", "p1", cards)
    refused(game.confirm(entry), 422, "cards-in-hand")
    game.client.put(f"{game.url}/entries/{entry}", json={"data": {"next": "p2", "hands": {"p1": 3, "p2": 2}}})
    view = made(game.confirm(entry), 200)
    assert (view["turn"], [player["hand"] for player in view["players"]]) == ("p2", [3, 2])
    assert "as it was found" in game.client.get(f"{game.url}/match.csv?lang=en").get_data(as_text=True)


def test_cards_in_hand_face_up_are_not_laid(play: Callable[..., Play]) -> None:
    """They are counted as hands, and not as laid once more."""
    game = play("coloured-paths", [{"name": "A"}, {"name": "B"}])
    laid = [{"id": n, "face": f"path-0{i}", "x": 60 * i, "y": 0} for i, n in enumerate("abc", 1)]
    hand = [{"id": n, "face": f"path-0{i}", "x": 100 * i, "y": 400} for i, n in enumerate("de", 4)]
    entry, _ = game.photograph("found", "p1", [*laid, *hand])
    game.client.put(f"{game.url}/entries/{entry}", json={"data": {"next": "p2", "hands": {"p1": 2, "p2": 3}}})
    bank = game.look()["bank"] + 6 + 6
    assert made(game.confirm(entry), 200)["bank"] == bank - 3 - 2 - 3


def test_a_first_move_with_a_hand_in_view_is_no_match_under_way(play: Callable[..., Play]) -> None:
    game = play("coloured-paths", [{"name": "A"}, {"name": "B"}])
    hand = [{"id": f"h{i}", "face": f"path-0{i}", "x": 100 * i, "y": 400} for i in range(2, 8)]
    entry, _ = game.photograph("laid", "p1", [{"id": "a", "face": "path-01", "x": 0, "y": 0}, *hand])
    assert not game.look()["entries"][-1]["under_way"]
    view = made(game.confirm(entry), 200)
    assert (view["turn"], [player["hand"] for player in view["players"]]) == ("p2", [5, 6])


def test_a_first_turn_with_the_supply_in_view_is_no_match_under_way(play: Callable[..., Play]) -> None:
    game = play("if-it-fits", PLAYERS)
    turn = [START[0], START[1], box("m", "cat-red", 0.5, 0, 90)]
    supply = [box(f"k{i}", "cat-blue", 6 + i, 4) for i in range(3)]
    entry, _ = game.photograph("turn", "red", [*turn, *supply])
    told = game.look()["entries"][-1]
    assert not told["under_way"]
    assert (told["move"]["legal"], len(told["move"]["cards"])) == (True, 2)
    assert [player["cats_left"] for player in made(game.confirm(entry), 200)["players"]] == [4, 5]


def test_turns_were_told_before_the_first_photograph(play: Callable[..., Play]) -> None:
    game = play("if-it-fits", PLAYERS)
    told = made(game.client.post(f"{game.url}/entries", json={"kind": "turn", "player": "red", "data": {"box": True}}))
    assert game.confirm(told["entries"][-1]["id"]).status_code == 200
    entry, _ = game.photograph("turn", "blue", START)
    assert not game.look()["entries"][-1]["under_way"]
    refused(game.confirm(entry), 422, "what-was-played")
    game.client.put(f"{game.url}/entries/{entry}", json={"data": {"box": True}})
    assert game.confirm(entry).status_code == 200


def test_a_card_read_surely_before_is_sure_now(play: Callable[..., Play]) -> None:
    game = begun(play)
    unsure = {"b": [("box-tl-1", 0.6), ("box-tr-2", 0.4)]}
    _, table = game.photograph("turn", "red", [*START, *LAID], unsure)
    assert table["outcome"] != "undetermined"
    assert {card["face"] for card in table["cards"]} == {card["face"] for card in [*START, *LAID]}


def test_a_card_taken_away_in_the_picture_is_a_fault_until_people_put_it_back(play: Callable[..., Play]) -> None:
    game = begun(play)
    entry, table = game.photograph("turn", "red", [c for c in [*START, LAID[0]] if c["id"] != "d"])
    assert not game.look()["entries"][-1]["move"]["legal"]
    refused(game.confirm(entry), 409, "against-the-rules")
    assert len(table["cards"]) == len(START)


def test_another_table_cannot_be_followed(play: Callable[..., Play]) -> None:
    game = begun(play)
    other = [box("x", "start-2", 0, 0), box("y", "box-none-1", 1, 0)]
    known = {face["id"] for face in made(game.client.get("/api/decks/if-it-fits"), 200)["faces"]}
    entry, _ = game.photograph("turn", "red", [card for card in other if card["face"] in known])
    move = game.look()["entries"][-1]["move"]
    assert move["legal"] is None
    assert "last table" in move["sentences"][0]
    refused(game.confirm(entry), 409, "cannot-follow")


def test_paths_laid_on_from_photograph_to_photograph(play: Callable[..., Play]) -> None:
    game = play("coloured-paths", [{"name": "A"}, {"name": "B"}])
    cards = [{"id": f"c{n}", "face": f"path-0{n}", "x": 60.0 * n, "y": 0.0, "turn": 0.0} for n in (1, 2)]
    entry, _ = game.photograph("laid", "p1", cards[:1])
    assert game.confirm(entry).status_code == 200
    entry, table = game.photograph("laid", "p2", cards)
    told = game.look()["entries"][-1]["move"]
    assert (len(told["cards"]), told["certain"], len(table["cards"])) == (1, True, 2)
    assert (game.confirm(entry).status_code == 200) is told["legal"]
