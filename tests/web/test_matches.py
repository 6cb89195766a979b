"""Matches of the three games: nothing counts before it is confirmed, and totals follow every change."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.conftest import made, photo_bytes, refused, send_photo
from tests.web.tables_by_hand import PATH, card, finished_route, open_route, put

PLAYERS = [{"name": "Оленка"}, {"name": "Тато"}]


class Game:
    """A match as a phone plays it."""

    def __init__(self, client: FlaskClient, game: str, players: Any = PLAYERS, **more: Any) -> None:
        self.client = client
        self.view = made(client.post("/api/matches", json={"game": game, "players": players, **more}))
        self.url = f"/api/matches/{self.view['id']}"

    def look(self) -> dict[str, Any]:
        self.view = made(self.client.get(self.url), 200)
        return self.view

    def enter(self, kind: str, **more: Any) -> str:
        """Add an entry; returns its id."""
        self.view = made(self.client.post(f"{self.url}/entries", json={"kind": kind, **more}))
        return str(self.view["entries"][-1]["id"])

    def table(self, entry: str, cards: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        table = made(self.client.post(f"{self.url}/entries/{entry}/tables", json=more))
        return put(self.client, table, cards)

    def change(self, entry: str, **data: Any) -> Any:
        return self.client.put(f"{self.url}/entries/{entry}", json=data)

    def confirm(self, entry: str) -> Any:
        return self.client.post(f"{self.url}/entries/{entry}/confirm")

    def act(self, kind: str, **more: Any) -> dict[str, Any]:
        """Enter and confirm."""
        return made(self.confirm(self.enter(kind, **more)), 200)

    def totals(self) -> dict[str, int]:
        return {player["name"]: player["total"] for player in self.look()["players"]}


def play_round(game: Game, first: str = "p1", second: str = "p2") -> tuple[str, dict[str, Any]]:
    """A round of Cat and Mouse: 3 points with a Finish, and 3 points without. Returns the entry and its table."""
    entry = game.enter("round")
    table = game.table(entry, [*finished_route(), *open_route(4, "b")])
    owners = {f"{table['id']}/a0": first, f"{table['id']}/b0": second}
    assert game.change(entry, data={"owners": owners}).status_code == 200
    return entry, table


def test_a_round_counts_only_when_it_is_confirmed(client: FlaskClient) -> None:
    game = Game(client, "cat-and-mouse")
    entry, _ = play_round(game)
    assert game.totals() == {"Оленка": 0, "Тато": 0}
    assert game.confirm(entry).status_code == 200
    assert game.totals() == {"Оленка": 3, "Тато": 3}
    assert game.view["rounds"] == 1
    assert game.view["entries"][0]["points"] == {"p1": 3, "p2": 3}


def test_a_round_is_reopened_corrected_and_confirmed_again(client: FlaskClient) -> None:
    game = Game(client, "cat-and-mouse")
    entry, table = play_round(game)
    game.confirm(entry)
    locked = {"revision": table["revision"], "state": table["state"]}
    refused(client.put(f"/api/tables/{table['id']}", json=locked), 409, "confirmed-already")
    refused(game.change(entry, data={}), 409, "confirmed-already")
    refused(client.delete(f"/api/tables/{table['id']}"), 409, "confirmed-already")
    assert client.post(f"{game.url}/entries/{entry}/reopen").status_code == 200
    assert game.totals() == {"Оленка": 0, "Тато": 0}
    put(client, table, [*finished_route(), card("b0", "start", 0, 4)])
    assert game.confirm(entry).status_code == 200
    assert game.totals() == {"Оленка": 3, "Тато": 0}


def test_taking_a_round_back_takes_its_points(client: FlaskClient) -> None:
    game = Game(client, "cat-and-mouse")
    first, _ = play_round(game)
    game.confirm(first)
    second, _ = play_round(game)
    game.confirm(second)
    assert game.totals() == {"Оленка": 6, "Тато": 6}
    assert client.delete(f"{game.url}/entries/{first}").status_code == 200
    assert game.totals() == {"Оленка": 3, "Тато": 3}
    assert game.view["rounds"] == 1


def test_four_rounds_end_the_game_and_a_fifth_is_refused(client: FlaskClient) -> None:
    game = Game(client, "cat-and-mouse")
    for _ in range(4):
        game.confirm(play_round(game)[0])
    view = game.look()
    assert view["over"]
    assert view["winners"] == ["p1", "p2"]
    fifth, _ = play_round(game)
    message = refused(game.confirm(fifth), 409, "against-the-rules")
    assert "over" in message
    assert game.totals() == {"Оленка": 12, "Тато": 12}


def test_what_keeps_a_round_from_counting(client: FlaskClient) -> None:
    game = Game(client, "cat-and-mouse")
    entry = game.enter("round")
    refused(game.confirm(entry), 409, "no-table-yet")
    table = game.table(entry, finished_route())
    refused(game.confirm(entry), 422, "whose-start")
    owners = {f"{table['id']}/a0": "p1"}
    game.change(entry, data={"owners": owners})
    more = game.table(entry, open_route(0, "b"))
    both = {**owners, f"{more['id']}/b0": "p1"}
    game.change(entry, data={"owners": both})
    assert "Оленка" in refused(game.confirm(entry), 422, "two-starts")
    game.change(entry, data={"owners": {**owners, f"{more['id']}/b0": "p2"}})
    wrong = put(client, more, open_route(0, "b"), counted=7)
    refused(game.confirm(entry), 409, "count-differs")
    put(client, wrong, open_route(0, "b"), counted=2)
    assert game.confirm(entry).status_code == 200
    unfinished = game.enter("round")
    third = game.table(unfinished, open_route(0, "b"))
    game.change(unfinished, data={"owners": {f"{third['id']}/b0": "p2"}})
    refused(game.confirm(unfinished), 409, "against-the-rules")


def test_an_unsure_table_counts_only_when_the_players_decide(client: FlaskClient) -> None:
    game = Game(client, "cat-and-mouse")
    entry = game.enter("round")
    table = game.table(entry, finished_route())
    photo = made(send_photo(client, photo_bytes("cat-route-legal-kitchen")))
    read = made(client.post(f"{game.url}/entries/{entry}/tables", json={"photo": photo["id"]}))
    starts = [route["start"] for route in read["answer"]["verdict"]["routes"]]
    no_start = [c for c in read["state"]["cards"] if c["id"] not in starts]  # a photo without Start is never sure
    unsure = put(client, read, no_start)
    assert unsure["outcome"] == "undetermined"
    game.change(entry, data={"owners": {f"{table['id']}/a0": "p1"}})
    refused(game.confirm(entry), 409, "not-sure-yet")
    put(client, unsure, no_start, decided=True)
    assert game.confirm(entry).status_code == 200
    assert game.totals()["Оленка"] == 3
    assert client.get(photo["url"]).status_code == 200
    assert client.delete(game.url).status_code == 204
    refused(client.get(photo["url"]), 404, "unknown-photo")
    refused(client.get(game.url), 404, "unknown-match")


def test_too_many_of_a_face_over_the_game_are_told(client: FlaskClient) -> None:
    game = Game(client, "cat-and-mouse")
    for _ in range(2):
        entry = game.enter("round")
        six = [card(f"a{n}", "right-3", n, 0) for n in range(1, 6)]
        table = game.table(entry, [card("a0", "start", 0, 0), *six, card("f", "finish", 6, 0)])
        game.change(entry, data={"owners": {f"{table['id']}/a0": "p1"}})
        assert game.confirm(entry).status_code == 200
    (note,) = game.look()["notes"]
    assert "(arrow right, 3 points)" in note


# -- Multicoloured Paths


def test_a_game_of_paths(client: FlaskClient) -> None:
    game = Game(client, "coloured-paths")
    assert game.view["turn"] == "p1"
    assert [player["hand"] for player in game.view["players"]] == [6, 6]
    first = game.enter("laid", player="p1")
    table = game.table(first, [card("a", "path-01", 0, 0, side=PATH)])
    assert game.confirm(first).status_code == 200
    assert game.look()["turn"] == "p2"
    refused(game.confirm(game.enter("drew", player="p1")), 409, "against-the-rules")
    client.delete(f"{game.url}/entries/{game.look()['entries'][-1]['id']}")
    game.act("drew", player="p2")
    assert game.look()["players"][1]["hand"] == 7
    copied = made(
        client.post(f"{game.url}/entries/{game.enter('laid', player='p2')}/tables", json={"copy_of": table["id"]})
    )
    assert [c["face"] for c in copied["cards"]] == ["path-01"]
    second = game.look()["entries"][-1]["id"]
    refused(game.confirm(second), 409, "no-move-seen")
    other = {"id": "n", "face": "path-02", "x": 5 * PATH, "y": 0.0, "turn": 0.0}
    put(client, copied, [*copied["state"]["cards"], other])
    move = game.look()["entries"][-1]["move"]
    assert not move["legal"]
    assert move["sentences"]
    refused(game.confirm(second), 409, "against-the-rules")
    assert client.delete(f"{game.url}/entries/{second}").status_code == 200
    game.act("passed", player="p2")
    assert game.look()["turn"] == "p1"


def test_a_legal_move_is_found_though_the_camera_moved(client: FlaskClient) -> None:
    """Each new table is turned and shifted as a whole; the move is what was added."""
    from referee.decks import builtin_deck
    from referee.games import judge
    from referee.layouts import Layout, PlacedCard

    deck = builtin_deck("coloured-paths")
    pair = next(
        (a.id, b.id, turn)
        for a in deck.faces
        for b in deck.faces
        for turn in (0.0, 90.0, 180.0, 270.0)
        if a.id < b.id
        and not judge(
            Layout(
                game=deck.game,
                cards=(
                    PlacedCard(id="a", face=a.id, x=0.0, y=0.0),
                    PlacedCard(id="b", face=b.id, x=PATH, y=0.0, turn=turn),
                ),
                order=("a", "b"),
            ),
            deck,
        ).faults
    )
    game = Game(client, "coloured-paths")
    first = game.enter("laid", player="p1")
    game.table(first, [card("z", pair[0], 0, 0, side=PATH)])
    game.confirm(first)
    second = game.enter("laid", player="p2")
    a = {"id": "k", "face": pair[0], "x": 500.0, "y": 70.0, "turn": 90.0}
    b = {"id": "l", "face": pair[1], "x": 500.0, "y": 70.0 + PATH, "turn": pair[2] + 90.0}
    game.table(second, [b, a])
    move = game.look()["entries"][-1]["move"]
    assert move["legal"], move
    assert len(move["cards"]) == 1
    assert game.confirm(second).status_code == 200
    assert game.look()["players"][1]["hand"] == 5


def test_moves_told_without_a_picture(client: FlaskClient) -> None:
    game = Game(client, "coloured-paths", [{"name": "A"}, {"name": "B"}, {"name": "C"}])
    bank = game.view["bank"]
    game.act("laid", player="p1", data={"ring": True, "extra_turn": ["three-joints"]})
    view = game.look()
    assert view["turn"] == "p1"
    assert view["bank"] == bank - 1
    assert [player["hand"] for player in view["players"]] == [4, 6, 5]


def test_the_first_without_cards_wins(client: FlaskClient) -> None:
    game = Game(client, "coloured-paths", [{"name": "A"}, {"name": "B"}, {"name": "C"}, {"name": "D"}])
    for _ in range(3):
        for player in ("p1", "p2", "p3", "p4"):
            game.act("laid", player=player)
    game.act("laid", player="p1")
    assert game.look()["over"]
    assert game.view["winners"] == ["p1"]


# -- If It Fits

CATS = [{"name": "Маруся", "colour": "red"}, {"name": "Іван", "colour": "blue"}]


def test_turns_of_if_it_fits(client: FlaskClient) -> None:
    game = Game(client, "if-it-fits", CATS, hand=5)
    assert [player["key"] for player in game.view["players"]] == ["red", "blue"]
    pile = game.view["pile"]
    game.act("turn", player="red", data={"box": True, "cat": True})
    view = game.look()
    assert (view["pile"], view["turn"]) == (pile - 1, "blue")
    assert view["players"][0]["cats_left"] == 4
    message = refused(game.confirm(game.enter("turn", player="blue", data={"cat": True})), 409, "against-the-rules")
    assert message
    client.delete(f"{game.url}/entries/{game.look()['entries'][-1]['id']}")
    game.act("turn", player="blue", data={"box": True, "princess_replaces": "red"})
    assert game.look()["players"][0]["cats_left"] == 5
    assert not game.view["players"][1]["princess_left"]
    game.act("pile-empty")
    assert game.look()["last_phase"]


def boxes(*cards: tuple[str, str, float, float, float]) -> list[dict[str, Any]]:
    """Cards of If It Fits: (id, face, columns, rows, turn)."""
    return [{"id": n, "face": f, "x": 63 * x, "y": 88 * y, "turn": turn} for n, f, x, y, turn in cards]


def test_turns_of_if_it_fits_seen_on_the_table(client: FlaskClient) -> None:
    game = Game(client, "if-it-fits", CATS)
    first = boxes(("s", "start-1", 0, 0, 0), ("a", "box-open-1", 0, 1, 0))
    entry = game.enter("turn", player="red")
    game.table(entry, first)
    assert game.confirm(entry).status_code == 200
    event = game.look()["entries"][-1]["event"]
    assert (event["box"], event["cat"]) == (True, False)
    second = [*first, *boxes(("b", "box-open-2", 1, 1, 0), ("m", "cat-red", 0.5, 1, 90))]
    entry = game.enter("turn", player="blue")
    table = game.table(entry, second)
    assert "Іван" in refused(game.confirm(entry), 409, "cat-of-another")
    second[-1]["face"] = "cat-blue"
    table = put(client, table, second)
    assert game.confirm(entry).status_code == 200
    assert game.look()["players"][1]["cats_left"] == 4
    third = [*second[:-1], *boxes(("c", "box-open-0", 2, 1, 0), ("p", "princess", 0.5, 1, 90))]
    entry = game.enter("turn", player="red")
    table = game.table(entry, third)
    assert game.confirm(entry).status_code == 200, game.confirm(entry).get_json()
    view = game.look()
    assert view["entries"][-1]["event"]["princess_replaces"] == "blue"
    assert view["players"][1]["cats_left"] == 5
    entry = game.enter("turn", player="blue")
    game.table(entry, [*third, *boxes(("d", "box-open-0", 1.5, 2, 0))])
    refused(game.confirm(entry), 409, "against-the-rules")
    assert not game.look()["entries"][-1]["move"]["legal"]
    assert table["outcome"] == "valid"


def test_the_final_table_of_if_it_fits(client: FlaskClient) -> None:
    game = Game(client, "if-it-fits", CATS)
    entry = game.enter("scored")
    refused(game.confirm(entry), 409, "no-table-yet")
    cards = [
        {"id": "a", "face": "box-tl-1", "x": 0, "y": 0, "turn": 0},
        {"id": "b", "face": "box-tr-2", "x": 63, "y": 0, "turn": 0},
        {"id": "c", "face": "box-tr-0", "x": 0, "y": 88, "turn": 180},
        {"id": "d", "face": "box-tl-0", "x": 63, "y": 88, "turn": 180},
        {"id": "m", "face": "cat-red", "x": 31.5, "y": 0, "turn": 90},
    ]
    table = game.table(entry, cards)
    assert table["outcome"] == "valid"
    assert table["answer"]["verdict"]["scores"] == {"red": 3}
    assert game.confirm(entry).status_code == 200
    view = game.look()
    assert view["over"]
    assert view["winners"] == ["red"]
    assert [player["total"] for player in view["players"]] == [3, 0]


# -- the match as such


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "cat-and-mouse", "players": [{"name": "A"}]}, "players-number"),
        ({"game": "cat-and-mouse", "players": [{"name": n} for n in "ABCDE"]}, "players-number"),
        ({"game": "cat-and-mouse", "players": [{"name": "A"}, {"name": " a "}]}, "players-alike"),
        ({"game": "cat-and-mouse", "players": [{"name": "A"}, {"name": "  "}]}, "player-nameless"),
        ({"game": "if-it-fits", "players": [{"name": "A", "colour": "mauve"}, {"name": "B"}]}, "players-colours"),
        ({"game": "if-it-fits", "players": [{"name": n, "colour": "red"} for n in "AB"]}, "players-colours"),
        ({"game": "cat-and-mouse", "players": PLAYERS, "options": {"ties": "all"}}, "unknown-option"),
        ({"players": PLAYERS}, "no-game"),
        ({"game": "cat-and-mouse", "players": "AB"}, "bad-field"),
    ],
)
def test_matches_that_cannot_be(client: FlaskClient, body: Any, code: str) -> None:
    refused(client.post("/api/matches", json=body), 422, code)


def test_entries_that_cannot_be(client: FlaskClient) -> None:
    game = Game(client, "cat-and-mouse")
    refused(client.post(f"{game.url}/entries", json={"kind": "drew"}), 422, "unknown-kind")
    refused(client.post(f"{game.url}/entries", json={"kind": "round", "player": "p9"}), 422, "unknown-player")
    refused(client.post(f"{game.url}/entries/nobody/confirm"), 404, "unknown-entry")
    refused(client.post("/api/matches/nobody/entries", json={"kind": "round"}), 404, "unknown-match")


def test_phones_are_told_only_what_is_new(client: FlaskClient) -> None:
    game = Game(client, "cat-and-mouse")
    first = client.get(game.url)
    tag = first.headers["ETag"]
    assert client.get(game.url, headers={"If-None-Match": tag}).status_code == 304
    entry, table = play_round(game)
    assert client.get(game.url, headers={"If-None-Match": tag}).status_code == 200
    tag = client.get(game.url).headers["ETag"]
    put(client, table, [*finished_route(), *open_route(4, "b")], counted=6)  # a correction is news, too
    assert client.get(game.url, headers={"If-None-Match": tag}).status_code == 200
    assert entry


def test_words_and_names_can_be_changed(client: FlaskClient) -> None:
    game = Game(client, "cat-and-mouse")
    changed = client.patch(game.url, json={"title": "Неділя", "note": "дощ", "names": {"p1": "Оля"}}).get_json()
    assert (changed["title"], changed["note"]) == ("Неділя", "дощ")
    assert [player["name"] for player in changed["players"]] == ["Оля", "Тато"]
    refused(client.patch(game.url, json={"names": {"p1": "тато"}}), 422, "players-alike")
    assert [player["name"] for player in game.look()["players"]] == ["Оля", "Тато"]


def test_exports(client: FlaskClient) -> None:
    game = Game(client, "cat-and-mouse", [{"name": "=HYPERLINK(1)"}, {"name": "Тато"}])
    entry, _ = play_round(game)
    game.change(entry, note="-перший")
    game.confirm(entry)
    play_round(game)
    text = client.get(f"{game.url}/match.csv?lang=uk").get_data(as_text=True)
    rows = list(csv.reader(io.StringIO(text.removeprefix("\N{BYTE ORDER MARK}"))))
    assert rows[0][-2:] == ["'=HYPERLINK(1)", "Тато"]
    assert len(rows) == 3  # what is not confirmed is not there
    assert rows[1][4:] == ["'-перший", "3", "3"]
    assert rows[2][-2:] == ["3", "3"]
    whole = client.get(f"{game.url}/match.json").get_json()
    assert whole["entries"][0]["event"]["routes"][0]["faces"] == ["right-1", "right-2", "finish"]
    layout = whole["entries"][0]["tables"][0]["layout"]
    assert client.post("/api/judge", json=layout).status_code == 200
    page = client.get(f"/matches/{game.view['id']}/print?lang=uk").get_data(as_text=True)
    assert "-перший" in page
    assert "=HYPERLINK(1)" in page
