"""Tables: corrections are judged at once, survive another reading, and never overwrite each other."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import calibration.cli
from referee.certainty import Alternative, TableReading
from referee.decks import builtin_deck
from referee.layouts import Layout
from referee.options import Options
from tests.checked_photos import photographed
from tests.web.conftest import made, refused
from tests.web.tables_by_hand import card, finished_route, put
from web.tables.judging import judge_table
from web.tables.reading import ReadAlternative, Reading, reading_of
from web.tables.state import State, StateCard, carried_over, initial, is_as_read

MakeTable = Callable[..., dict[str, Any]]


def moved(corners: list[list[float]], right: float, down: float) -> list[list[float]]:
    return [[x + right, y + down] for x, y in corners]


def change(client: FlaskClient, table: dict[str, Any], status: int = 200, **state: Any) -> Any:
    body = {"revision": table["revision"], "state": {**table["state"], **state}}
    response = client.put(f"/api/tables/{table['id']}", json=body)
    assert response.status_code == status, response.get_data(as_text=True)
    return response.get_json()


def cards_with(table: dict[str, Any], card_id: str, **change: Any) -> list[dict[str, Any]]:
    return [{**c, **change} if c["id"] == card_id else c for c in table["state"]["cards"]]


def test_a_table_answers_as_check_does(client: FlaskClient, photo_table: MakeTable) -> None:
    table = photo_table()
    assert table["source"] == "photo"
    assert table["answer"]["outcome"] == table["outcome"]
    assert {c["id"] for c in table["cards"]} == {c["id"] for c in table["answer"]["cards"]}
    assert not any(c["by_hand"] for c in table["cards"])
    assert client.get(f"/api/tables/{table['id']}").get_json() == table


def test_a_corrected_face_is_judged_at_once_and_marked(client: FlaskClient, photo_table: MakeTable) -> None:
    table = photo_table()
    route = table["answer"]["verdict"]["routes"][0]["valid"]
    other = "finish"  # any face of the deck, not only what the program thought of
    changed = change(client, table, cards=cards_with(table, route[1], face=other, sure=True), decided=False)
    corrected = next(c for c in changed["cards"] if c["id"] == route[1])
    assert corrected["by_hand"]
    assert corrected["face"] == other
    assert changed["answer"]["verdict"] != table["answer"]["verdict"]
    assert changed["answer"]["verdict"]["routes"][0]["finished"]
    back = change(client, changed, cards=table["state"]["cards"])
    assert back["answer"]["verdict"] == table["answer"]["verdict"]


def test_a_quarter_turn_turns_the_arrow(client: FlaskClient, photo_table: MakeTable) -> None:
    table = photo_table()
    first = table["answer"]["verdict"]["routes"][0]["valid"][0]
    was = next(c for c in table["cards"] if c["id"] == first)
    corners = was["corners"][-1:] + was["corners"][:-1]
    changed = change(client, table, cards=cards_with(table, first, corners=corners))
    now = next(c for c in changed["cards"] if c["id"] == first)
    assert abs((now["turn"] - was["turn"]) % 360 - 270) < 3
    assert now["by_hand"]


def test_a_card_that_is_none_and_one_that_was_missed(client: FlaskClient, photo_table: MakeTable) -> None:
    table = photo_table()
    last = table["answer"]["verdict"]["routes"][0]["valid"][-1]
    was = next(c for c in table["state"]["cards"] if c["id"] == last)
    without = change(client, table, cards=[c for c in table["state"]["cards"] if c["id"] != last])
    assert last not in {c["id"] for c in without["answer"]["cards"]}
    assert without["count"]["found"] == table["count"]["found"] - 1
    again = {**was, "id": "h1", "sure": True}
    added = change(client, without, cards=[*without["state"]["cards"], again])
    routes = added["answer"]["verdict"]["routes"]
    assert [len(r["valid"]) for r in routes] == [len(r["valid"]) for r in table["answer"]["verdict"]["routes"]]


def test_a_moved_corner_moves_the_card(client: FlaskClient, photo_table: MakeTable) -> None:
    table = photo_table()
    last = table["answer"]["verdict"]["routes"][0]["valid"][-1]
    was = next(c for c in table["state"]["cards"] if c["id"] == last)
    side = was["corners"][1][0] - was["corners"][0][0]
    away = moved(was["corners"], 5 * side, 0)
    changed = change(client, table, cards=cards_with(table, last, corners=away))
    assert last not in changed["answer"]["verdict"]["routes"][0]["valid"]


def test_the_players_count_decides_whether_it_may_count(client: FlaskClient, photo_table: MakeTable) -> None:
    table = photo_table()
    found = table["count"]["found"]
    differs = change(client, table, counted=found + 1, decided=True)
    assert differs["count"] == {**table["count"], "said": found + 1, "agrees": False}
    assert not differs["may_count"]
    agrees = change(client, differs, counted=found)
    assert agrees["may_count"]


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ([{"id": "a", "face": "joker", "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]}], "unknown-face"),
        ([{"id": "a", "face": "start", "corners": [[0, 0], [0, 9], [9, 9], [9, 0]]}], "bad-corners"),
        ([{"id": "a", "face": "start", "corners": [[0, 0], [9, 9], [9, 0], [0, 9]]}], "bad-corners"),
        ([{"id": "a", "face": "start", "x": 0, "y": 0}], "layout-malformed"),
        ([{"id": "a", "face": "start", "corners": [[0, 0]]}], "bad-field"),
        ([{"id": "a", "face": "start", "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]}] * 2, "bad-field"),
    ],
)
def test_states_that_cannot_be(client: FlaskClient, photo_table: MakeTable, cards: Any, code: str) -> None:
    table = photo_table()
    body = {"revision": table["revision"], "state": {"cards": cards}}
    refused(client.put(f"/api/tables/{table['id']}", json=body), 422, code)
    assert client.get(f"/api/tables/{table['id']}").get_json() == table


def test_two_people_do_not_overwrite_each_other(client: FlaskClient, photo_table: MakeTable) -> None:
    table = photo_table()
    change(client, table, counted=3)
    body = {"revision": table["revision"], "state": table["state"]}
    refused(client.put(f"/api/tables/{table['id']}", json=body), 409, "changed-meanwhile")


def test_corrections_survive_another_reading(client: FlaskClient, photo_table: MakeTable) -> None:
    table = photo_table()
    route = table["answer"]["verdict"]["routes"][0]["valid"]
    cards = [c for c in cards_with(table, route[0], face="up-3", sure=True) if c["id"] != route[-1]]
    changed = change(client, table, cards=cards)
    body = {"revision": changed["revision"]}
    again = made(client.post(f"/api/tables/{table['id']}/reading", json=body), 200)
    assert again["revision"] == changed["revision"] + 1
    assert again["answer"]["verdict"] == changed["answer"]["verdict"]
    assert {c["id"] for c in again["cards"] if c["by_hand"]} == {route[0]}
    refused(client.post(f"/api/tables/{table['id']}/reading", json=body), 409, "changed-meanwhile")


def drawn_reading(faces: list[str], alternatives: dict[str, list[str | None]] | None = None) -> Reading:
    """A reading of a drawn row of cards; alternatives: what else the program thinks that a card may be."""
    cards = tuple({"id": f"c{n}", "face": face, "x": 64.0 * n, "y": 0.0} for n, face in enumerate(faces, 1))
    layout = Layout.model_validate_json(json.dumps({"game": "cat-and-mouse", "cards": cards}))
    drawn = photographed(layout, builtin_deck("cat-and-mouse"))
    checked = dataclasses.replace(drawn, reading=TableReading(layout.game, ()))
    side, left, top = 120.0, 120.0, 120.0
    written = []
    for n, face in enumerate(faces):
        x, y = left + side * n, top
        corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
        rivals = (alternatives or {}).get(f"c{n + 1}", [])
        known = [Alternative(face, 0.6), *(Alternative(f, 0.3) for f in rivals)] if rivals else []
        made_of = tuple(ReadAlternative(face=a.face, confidence=a.confidence) for a in known)
        written.append(
            {"id": f"c{n + 1}", "face": face, "corners": corners, "x": 0.0, "y": 0.0, "turn": 0.0, "confidence": 0.9}
            | {"alternatives": [a.model_dump() for a in made_of]}
        )
    plain = reading_of(checked).model_dump(mode="json")
    return Reading.model_validate_json(json.dumps({**plain, "cards": written}))


def test_carried_over_by_place_not_by_name() -> None:
    """A second reading may find more cards and number them otherwise."""
    old = drawn_reading(["start", "right-1", "right-2", "up-1"])
    state = initial(old)
    corrected = state.cards[1].model_copy(update={"face": "right-3"})
    added = StateCard(id="h1", face="finish", corners=tuple((x + 900, y) for x, y in old.cards[0].corners))
    state = State(cards=(state.cards[0], corrected, state.cards[2], added), counted=4)  # the last one is no card
    fresh = Reading.model_validate_json(
        json.dumps({**old.model_dump(mode="json"), "cards": list(reversed(renamed(old)))})
    )
    now = carried_over(state, old, fresh)
    faces = sorted(c.face for c in now.cards)
    assert faces == sorted(["start", "right-3", "right-2", "finish"])
    assert {c.face for c in now.cards if not is_as_read(c, fresh)} == {"right-3", "finish"}
    assert now.counted == 4


def renamed(reading: Reading) -> list[dict[str, Any]]:
    return [{**c, "id": f"n{c['id']}"} for c in reading.model_dump(mode="json")["cards"]]


def test_a_confirmed_card_is_doubtful_no_more() -> None:
    deck = builtin_deck("cat-and-mouse")
    reading = drawn_reading(["start", "right-1", "right-2"], {"c2": ["up-1"]})
    state = initial(reading)
    before = judge_table(reading, state, deck, Options())
    assert {d.card for d in before.ruling.doubtful} == {"c2"}
    sure = state.cards[1].model_copy(update={"sure": True})
    after = judge_table(reading, State(cards=(state.cards[0], sure, state.cards[2])), deck, Options())
    assert not after.ruling.doubtful
    assert after.by_hand == {"c2"}


def test_tables_laid_by_hand(client: FlaskClient) -> None:
    table = made(client.post("/api/tables", json={"game": "cat-and-mouse"}))
    assert table["source"] == "hand"
    assert table["cards"] == []
    laid = put(client, table, [*finished_route(), card("x", "up-1", 4, 0)])
    assert laid["outcome"] == "invalid"
    assert [c["standing"] for c in laid["cards"]] == ["right", "right", "right", "right", "wrong"]
    assert [c["label"] for c in laid["cards"]] == ["1", "1.1", "1.2", "1.3", "A"]
    assert sum(line["points"] for line in laid["answer"]["scores"]) == 3
    layout = client.get(f"/api/tables/{table['id']}/layout").get_json()
    assert client.post("/api/judge", json=layout).get_json()["verdict"] == laid["answer"]["verdict"]


def test_house_rules_of_a_table(client: FlaskClient) -> None:
    table = made(client.post("/api/tables", json={"game": "cat-and-mouse"}))
    laid = put(client, table, [card("s", "start", 0, 0), card("f", "finish", 1, 0)])
    assert laid["outcome"] == "valid"
    body = {"revision": laid["revision"], "state": laid["state"], "options": {"first_finish": "back"}}
    strict = client.put(f"/api/tables/{table['id']}", json=body).get_json()
    assert strict["outcome"] == "invalid"
    body = {"revision": strict["revision"], "state": laid["state"], "options": {"ties": "all"}}
    refused(client.put(f"/api/tables/{table['id']}", json=body), 422, "unknown-option")


def test_moves_in_order_by_hand(client: FlaskClient) -> None:
    table = made(client.post("/api/tables", json={"game": "coloured-paths"}))
    cards = [card("a", "path-01", 0, 0, side=60.0), card("b", "path-02", 5, 5, side=60.0)]
    laid = put(client, table, cards, ordered=True)
    assert [move["legal"] for move in laid["answer"]["verdict"]["moves"]] == [True, False]


def evaluated(folder: Path) -> list[str]:
    """The faces that the evaluation of photographs with truth tells to be read wrong, in a folder of reports."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert calibration.cli.main(["evaluate", str(folder)]) in (0, 1)  # 1: some verdict is not right
    return re.findall(r"(\S+) read as", out.getvalue())


def test_a_report_is_a_sample_with_truth(client: FlaskClient, photo_table: MakeTable, tmp_path: Path) -> None:
    table = photo_table()
    first = table["answer"]["verdict"]["routes"][0]["valid"][0]
    changed = change(client, table, cards=cards_with(table, first, face="up-3", sure=True))
    name = made(client.post(f"/api/tables/{table['id']}/report"))["report"]
    folder = tmp_path / "data" / "reports"
    sample = json.loads((folder / f"{name}.json").read_text("utf-8"))
    assert {"game", "deck", "level", "fault", "size", "cards", "outcome", "verdict", "layout", "heap"} <= set(sample)
    assert {c["id"]: c["face"] for c in sample["cards"]} == {c["id"]: c["face"] for c in changed["cards"]}
    assert sample["read"]["cards"]
    assert evaluated(folder) == ["up-3"]  # what people say is what counts: the reading is told to be wrong
    assert b"Exif" not in (folder / f"{name}.jpg").read_bytes()[:4000]
    client.delete(table["photo"]["url"])
    assert list(folder.iterdir()) == []


def test_tables_that_are_not_there(client: FlaskClient) -> None:
    refused(client.get("/api/tables/nobody"), 404, "unknown-table")
    refused(client.post("/api/tables", json={"game": "cat-and-mouse", "photo": "nobody"}), 404, "unknown-photo")
    refused(client.post("/api/tables", json={}), 422, "no-game")
    refused(client.post("/api/tables", json={"game": "chess"}), 422, "bad-field")
    table = made(client.post("/api/tables", json={"game": "cat-and-mouse"}))
    assert client.delete(f"/api/tables/{table['id']}").status_code == 204
    refused(client.get(f"/api/tables/{table['id']}"), 404, "unknown-table")
