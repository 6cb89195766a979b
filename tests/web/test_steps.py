"""Verdicts step by step: in order, with the place where a card should have lain, in every language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.messages import LANGUAGES
from tests.web.conftest import made, refused
from tests.web.tables_by_hand import CARD, PATH, card, finished_route, put
from web.lessons.ready import entries, item_of


def steps(client: FlaskClient, game: str, cards: list[dict[str, Any]], language: str = "en") -> list[dict[str, Any]]:
    table = put(client, made(client.post("/api/tables", json={"game": game})), cards)
    told = made(client.get(f"/api/tables/{table['id']}/steps?lang={language}"), 200)["steps"]
    return list(told)


def test_a_route_is_walked_card_by_card(client: FlaskClient) -> None:
    told = steps(client, "cat-and-mouse", finished_route())
    assert [step["lit"] for step in told] == [["a0"], ["a1"], ["a2"], ["a3"], [], []]
    assert [step["arrow"] for step in told[:4]] == [None, ["a0", "a1"], ["a1", "a2"], ["a2", "a3"]]
    assert told[3]["done"] == ["a0", "a1", "a2"]
    assert told[3]["count"] == "3 points"
    assert told[-1]["text"] == "Everything lies right."


def test_at_the_first_wrong_card_a_ghost_shows_where_it_should_have_lain(client: FlaskClient) -> None:
    cards = [card("s", "start", 0, 0), card("a", "right-1", 1, 0), card("b", "up-1", 1, 1)]
    told = steps(client, "cat-and-mouse", cards)
    (wrong,) = [step for step in told if step["wrong"]]
    assert (wrong["wrong"], wrong["lit"], wrong["rule"]["id"]) == (["b"], ["a"], "CM-ARROW")
    (ghost,) = wrong["ghosts"]
    x = sum(corner[0] for corner in ghost) / 4
    y = sum(corner[1] for corner in ghost) / 4
    assert x == pytest.approx(2 * CARD, abs=0.1 * CARD)
    assert y == pytest.approx(0, abs=0.1 * CARD)


def test_no_ghost_where_a_card_lies_already(client: FlaskClient) -> None:
    """A card with two arrows: one place is taken by the Start, so only the other is shown."""
    cards = [card("s", "start", 1, 0), card("a", "left+right-1", 0, 0), card("b", "up-1", 0, 1)]
    table = made(client.post("/api/tables", json={"game": "cat-and-mouse"}))
    faces = {face["id"] for face in made(client.get("/api/decks/cat-and-mouse"), 200)["faces"]}
    if "left+right-1" not in faces:
        cards[1]["face"] = next(f for f in sorted(faces) if "left" in f and "right" in f)
    put(client, table, cards)
    told = made(client.get(f"/api/tables/{table['id']}/steps"), 200)["steps"]
    wrong = [step for step in told if step["wrong"]]
    assert [len(step["ghosts"]) for step in wrong] == [1]


def test_the_longest_path_is_traced_and_its_changes_counted(client: FlaskClient) -> None:
    cards = [card(f"c{n}", f"path-0{n}", n, 0, side=PATH) for n in range(1, 4)]
    table = put(client, made(client.post("/api/tables", json={"game": "coloured-paths"})), cards)
    told = made(client.get(f"/api/tables/{table['id']}/steps"), 200)["steps"]
    traced = [step for step in told if step["trace"] and step["count"]]
    assert int(traced[-1]["count"]) == table["answer"]["verdict"]["longest_changes"]
    assert [len(step["trace"]) for step in traced] == sorted(len(step["trace"]) for step in traced)
    for line in traced[-1]["trace"]:
        assert all(0 < x < 4 * PATH and -PATH < y < PATH for x, y in line)


def test_a_shoved_card_has_its_ghost_beside_its_neighbour(client: FlaskClient) -> None:
    cards = [card("c1", "path-01", 0, 0, side=PATH), card("c2", "path-02", 1, 0.4, side=PATH)]
    (wrong,) = [step for step in steps(client, "coloured-paths", cards) if step["wrong"]]
    assert wrong["rule"]["id"] == "CP-EDGE"
    assert len(wrong["ghosts"]) == 1


def test_boxes_come_one_by_one_with_their_cats(client: FlaskClient) -> None:
    cards = [
        {"id": "a", "face": "box-tl-1", "x": 0, "y": 0, "turn": 0},
        {"id": "b", "face": "box-tr-2", "x": 63, "y": 0, "turn": 0},
        {"id": "c", "face": "box-tr-0", "x": 0, "y": 88, "turn": 180},
        {"id": "d", "face": "box-tl-0", "x": 63, "y": 88, "turn": 180},
        {"id": "m", "face": "cat-red", "x": 31.5, "y": 0, "turn": 90},
    ]
    told = steps(client, "if-it-fits", cards)
    assert told[0]["lit"] == ["a", "b", "c", "d", "m"]
    assert told[0]["count"] == "3 toys"
    assert "Red" in told[0]["text"]
    assert sorted(mark["text"] for mark in told[0]["marks"]) == ["1", "1★", "2"]  # toys of a and b, the cat that wins
    assert len(told[0]["walls"]) == 8  # two of each card; between them all is open
    assert told[0]["gaps"] == []


def test_an_open_box_shows_its_gaps(client: FlaskClient) -> None:
    cards = [
        {"id": "a", "face": "box-tl-1", "x": 0, "y": 0, "turn": 0},
        {"id": "b", "face": "box-tr-2", "x": 63, "y": 0, "turn": 0},
    ]
    told = steps(client, "if-it-fits", cards)
    assert (len(told[0]["walls"]), len(told[0]["gaps"])) == (4, 2)
    lowest = [max(y for _, y in gap) for gap in told[0]["gaps"]]
    assert all(y > 0.9 * 44 for y in lowest)  # both at the bottom


def test_a_wall_of_the_neighbour_is_one_of_the_box(client: FlaskClient) -> None:
    """IF-WALL: a box ends at a wall on either of the two cards."""
    cards = [
        {"id": "a", "face": "box-open-1", "x": 0, "y": 0, "turn": 0},
        {"id": "b", "face": "box-tl-1", "x": 63, "y": 0, "turn": 0},
    ]
    told = steps(client, "if-it-fits", cards)
    first = next(step for step in told if step["lit"] == ["a"])
    assert (len(first["walls"]), len(first["gaps"])) == (1, 3)


def joins(told: list[dict[str, Any]]) -> list[tuple[int, set[str]]]:
    """Of each step that counts joins: how many, and their colours."""
    marked = [step for step in told if step["rule"] and step["rule"]["id"] in ("CP-JOIN", "CP-THREE") and step["marks"]]
    return [(int(step["count"]), {mark["colour"] for mark in step["marks"]}) for step in marked]


def test_joins_are_counted_by_colour(client: FlaskClient) -> None:
    cards = [card(f"c{n}", f"path-0{n}", n, 0, side=PATH) for n in range(1, 4)]
    told = steps(client, "coloured-paths", cards)
    counted = joins(told)
    assert counted
    assert all(len(colours) == 1 for _, colours in counted)
    assert len({frozenset(colours) for _, colours in counted}) == len(counted)
    for step in told:
        assert len(step["marks"]) == int(step["count"] or len(step["marks"]))


def test_what_lies_apart_counts_in_no_step(client: FlaskClient) -> None:
    """Hands face up may touch each other: their joins, paths and rings are none of the layout's."""
    ringed = ring()[0]
    laid = [card(f"a{n}", f"path-{n:02}", n, 0, side=PATH) for n in range(1, len(ringed) + 2)]
    hand = [{**known, "id": f"h-{known['id']}", "y": known["y"] + 2000} for known in ringed]
    alone = steps(client, "coloured-paths", laid)
    together = steps(client, "coloured-paths", [*laid, *hand])
    assert [s for s in together if s["marks"] or s["trace"]] == [s for s in alone if s["marks"] or s["trace"]]


def ring() -> tuple[list[dict[str, Any]], str]:
    """The ready lesson's table on which a ring is closed, and the card that closes it, which comes last."""
    entry = next(e for e in entries() if e["rule"] == "CP-RING" and e["keeps"])
    item = item_of(entry)
    assert item.layout is not None
    assert item.before is not None
    (new,) = item.layout.by_id.keys() - item.before.by_id.keys()
    cards = sorted(item.layout.cards, key=lambda card: card.id == new)
    return [card.model_dump(include={"id", "face", "x", "y", "turn"}) for card in cards], new


def test_a_ring_is_almost_round_and_then_closed(client: FlaskClient) -> None:
    told = steps(client, "coloured-paths", ring()[0])
    (closed,) = [i for i, step in enumerate(told) if step["rule"] and step["rule"]["id"] == "CP-RING"]
    before = told[closed - 1]
    assert len(before["trace"]) == len(told[closed]["trace"]) - 1
    assert len(told[closed]["marks"]) == 1
    start, end = told[closed]["trace"][0][0], told[closed]["trace"][-1][-1]
    for place in (start, end):
        assert place == pytest.approx(told[closed]["marks"][0]["at"], abs=0.05 * PATH)


def test_a_move_of_a_match_is_what_its_steps_show(client: FlaskClient) -> None:
    cards, new = ring()
    game = {"game": "coloured-paths", "players": [{"name": "A"}, {"name": "B"}]}
    url = f"/api/matches/{made(client.post('/api/matches', json=game))['id']}"

    def enter(player: str, laid: list[dict[str, Any]], **data: Any) -> dict[str, Any]:
        entry = made(client.post(f"{url}/entries", json={"kind": "laid", "player": player, "data": data}))
        entry_id = entry["entries"][-1]["id"]
        table = put(client, made(client.post(f"{url}/entries/{entry_id}/tables", json={})), laid)
        told = made(client.get(f"/api/tables/{table['id']}/steps"), 200)
        made(client.post(f"{url}/entries/{entry_id}/confirm"), 200)
        return told

    assert enter("p1", cards[:-1], next="p2", hands={"p1": 5, "p2": 5})["move"] == []
    answer = enter("p2", cards)
    told = answer["steps"]
    assert answer["move"][0] == told[0]["text"]
    assert told[0]["lit"] == [new]
    assert "card" in told[0]["text"]
    whole = sum(number for number, _ in joins(steps(client, "coloured-paths", cards)))
    assert 2 <= sum(number for number, _ in joins(told)) < whole  # of the new card only
    assert any(step["rule"] and step["rule"]["id"] == "CP-RING" for step in told)
    assert any("ring" in step["text"] and not step["rule"] for step in told)  # what the move brings, in words


def test_of_two_cards_that_do_not_fit_the_one_that_was_laid_last_is_wrong(client: FlaskClient) -> None:
    game = {"game": "coloured-paths", "players": [{"name": "A"}, {"name": "B"}]}
    url = f"/api/matches/{made(client.post('/api/matches', json=game))['id']}"
    laid = [card("n", "path-01", 0, 0, side=PATH), card("a", "path-02", 1, 0.4, side=PATH)]
    told: list[dict[str, Any]] = []
    for player, cards in (("p1", laid[1:]), ("p2", laid)):
        data = {"next": "p2", "hands": {"p1": 5, "p2": 5}} if player == "p1" else {}
        entry = made(client.post(f"{url}/entries", json={"kind": "laid", "player": player, "data": data}))
        entry_id = entry["entries"][-1]["id"]
        table = put(client, made(client.post(f"{url}/entries/{entry_id}/tables", json={})), cards)
        told = made(client.get(f"/api/tables/{table['id']}/steps"), 200)["steps"]
        if player == "p1":
            made(client.post(f"{url}/entries/{entry_id}/confirm"), 200)
    (wrong,) = [step for step in told if step["ghosts"]]
    assert (wrong["rule"]["id"], wrong["wrong"], wrong["lit"]) == ("CP-EDGE", ["n"], ["a"])
    ghost = [sum(corner[k] for corner in wrong["ghosts"][0]) / 4 for k in (0, 1)]
    assert ghost == pytest.approx([0, 0.4 * PATH], abs=0.1 * PATH)  # beside the card that lay there before


def test_a_doubtful_place_is_shown_by_the_name_that_the_sentence_gives_it(
    client: FlaskClient, photo_table: Callable[..., dict[str, Any]]
) -> None:
    table = photo_table("paths-mismatch-marble", "coloured-paths")
    told = made(client.get(f"/api/tables/{table['id']}/steps?lang=en"), 200)["steps"]
    (asked,) = [step for step in told if "?1" in step["text"]]
    (place,) = [place for place in table["places"] if place["label"] == "?1"]
    assert asked["places"] == [{"corners": place["corners"], "label": "?1"}]
    assert all(step["places"] == [] for step in told if step is not asked)


@pytest.mark.parametrize("language", LANGUAGES)
def test_steps_in_every_language(client: FlaskClient, language: str) -> None:
    told = steps(client, "cat-and-mouse", finished_route(), language)
    assert all(step["text"] and "{" not in step["text"] for step in told)
    cyrillic = any("а" <= letter <= "я" for letter in told[0]["text"])
    assert cyrillic is (language != "en")


def test_the_wall_shows_matches_and_tables(client: FlaskClient) -> None:
    table = made(client.post("/api/tables", json={"game": "cat-and-mouse"}))
    match = made(client.post("/api/matches", json={"game": "cat-and-mouse", "players": [{"name": n} for n in "AB"]}))
    for url in ("/projector", f"/projector/tables/{table['id']}", f"/projector/matches/{match['id']}"):
        assert client.get(url).status_code == 200
    assert client.get("/projector/matches/none").status_code == 404
    refused(client.get("/api/tables/none/steps"), 404, "unknown-table")
