"""Frames of a film, one after another: announced in order, nothing while a hand is there, light is no movement."""

from __future__ import annotations

import dataclasses
import itertools
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from referee.certainty import Alternative, rule_on
from referee.decks import builtin_deck
from referee.errors import PhotoError
from referee.moves import Standing
from referee.options import Options
from referee.pipeline import CheckedPhoto, check
from referee.rulebook import DoubtReason
from referee.sequence import Look, MoveAnswer
from referee.verdicts import Outcome
from referee.vision.decode import decode
from tests.web.conftest import made, refused, send_photo
from tests.web.film import Filmed, Picture, Scene
from web.live import session
from web.live.looks import MOST, Looks
from web.live.motion import Grey, is_hand, is_moving, packed, thumbnail, unpacked
from web.live.session import LiveState, Seen, see
from web.live.steady import MOST_READINGS, Moment
from web.matches.following import KeptStanding

DECK = builtin_deck("cat-and-mouse")
FIRST = (("start", 0.0, 0.0, 2.0), ("right-1", 1.0, 0.0, -3.0))
SECOND = (*FIRST, ("right-2", 2.0, 0.0, 1.0))
REACH = ((700.0, 900.0), (520.0, 300.0))


def jpeg(frame: Picture) -> bytes:
    return cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()


SMALL = (768, 432)
"""Frames are made so small, to be read quickly."""


def shots(filmed: Filmed, *scenes: Scene, every: int = 6) -> list[bytes]:
    """A frame each fifth of a second."""
    chosen = [frame for n, frame in enumerate(filmed.frames(scenes)) if n % every == 0]
    return [jpeg(np.asarray(cv2.resize(frame, SMALL, interpolation=cv2.INTER_AREA))) for frame in chosen]


def small(data: bytes) -> Grey:
    return thumbnail(decode(data, "frame").pixels)


@pytest.fixture(scope="module")
def filmed() -> Filmed:
    return Filmed(DECK)


def test_noise_and_light_are_no_movement_but_a_card_is(filmed: Filmed) -> None:
    one, other = (small(data) for data in shots(filmed, Scene(0.4, FIRST)))
    assert not is_moving(one, other)
    bright, dim = (small(shots(filmed, Scene(0.1, FIRST, light=(v, v)))[0]) for v in (1.0, 0.7))
    assert not is_moving(dim, bright)
    laid = small(shots(filmed, Scene(0.1, SECOND))[0])
    assert is_moving(laid, one)
    assert not is_hand(laid, one)


def test_a_hand_reaches_in_from_the_edge(filmed: Filmed) -> None:
    still = small(shots(filmed, Scene(0.1, FIRST))[0])
    for share in (0.4, 0.7, 1.0):
        (x0, y0), (x1, y1) = REACH
        tip = (x0 + share * (x1 - x0), y0 + share * (y1 - y0))
        assert is_hand(small(shots(filmed, Scene(0.1, FIRST, (tip, tip)))[0]), still), share


def test_small_pictures_are_stored_as_they_are(filmed: Filmed) -> None:
    picture = small(shots(filmed, Scene(0.1, FIRST))[0])
    assert (unpacked(packed(picture)) == picture).all()
    for broken in (b"", b"no picture", jpeg(filmed._table[:10, :10].astype("uint8"))):
        with pytest.raises(PhotoError):
            see(broken, 0.0, LiveState(), DECK, Options())


def test_moves_are_announced_in_order_and_never_under_a_hand(filmed: Filmed) -> None:
    away = (REACH[1], REACH[0])
    frames = shots(
        filmed,
        Scene(1.4, FIRST),
        Scene(0.6, FIRST, REACH),
        Scene(0.6, FIRST, (REACH[1], REACH[1])),
        Scene(0.6, SECOND, away),
        Scene(1.4, SECOND),
        Scene(1.0, SECOND, light=(1.0, 0.75)),
    )
    state, told, moments = LiveState(), [], []
    for n, data in enumerate(frames):
        seen = see(data, 0.2 * n, state, DECK, Options())
        state = LiveState.model_validate_json(seen.state.model_dump_json())
        moments.append(seen.moment)
        if seen.announced is not None:
            assert seen.moment is Moment.STEADY
            told.append(seen.announced)
    assert [len(look.checked.cards) for look in told] == [2, 3]
    assert told[1].move is not None
    assert told[1].move.ruling is not None
    assert told[1].move.ruling.legal
    assert told[1].move.certain
    assert Moment.HAND in moments
    assert moments[-1] is Moment.STEADY
    assert len(state.model_dump_json()) < 60_000


@pytest.fixture
def film_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The service's clock goes on by a fifth of a second a frame, however quickly frames are read."""
    ticks = itertools.count()
    monkeypatch.setattr("web.api.live.time", SimpleNamespace(time=lambda: 1e9 + 0.2 * next(ticks)))


@pytest.mark.usefixtures("film_time")
def test_a_live_table_by_the_api(client: FlaskClient, filmed: Filmed) -> None:
    live = made(client.post("/api/live", json={"game": "cat-and-mouse"}))
    url = f"/api/live/{live['id']}"
    told: dict[str, Any] = {}
    for data in shots(filmed, Scene(1.4, FIRST)):
        told = made(send_photo(client, data, f"{url}/frames"), 200)
        if told["log"]:
            break
    assert told["moment"] == "steady"
    assert len(told["outlines"]) == 2
    assert told["log"][0]["texts"] == ["Everything lies right."]
    assert client.get(told["log"][0]["url"]).mimetype == "image/jpeg"
    table = made(client.get(f"/api/tables/{live['table']}"), 200)
    assert (table["outcome"], len(table["cards"]), table["revision"]) == ("valid", 2, 2)
    refused(send_photo(client, b"no picture", f"{url}/frames"), 415, "photo-format")
    assert made(client.get(url), 200)["log"] == told["log"]
    assert '"moment": "steady"' in client.get(f"/api/tables/{live['table']}/events").get_data(as_text=True)
    assert client.delete(url).status_code == 204
    refused(send_photo(client, b"", f"{url}/frames"), 404, "unknown-table")
    assert client.get("/live").status_code == 200


def test_a_frame_is_read_with_the_one_before(filmed: Filmed, monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[CheckedPhoto | None] = []

    def counted(*arguments: Any, before: CheckedPhoto | None = None) -> CheckedPhoto:
        known.append(before)
        return check(*arguments, before=before)

    monkeypatch.setattr(session, "check", counted)
    state, read = LiveState(), None
    results = []
    for n, data in enumerate(shots(filmed, Scene(1.6, FIRST), Scene(1.6, SECOND))):
        seen = see(data, 0.2 * n, state, DECK, Options(), read)
        state, read = seen.state, seen.read
        if len(known) > len(results):
            results.append(read)
    assert known[0] is None
    assert known[1:] == results[: len(known) - 1]
    assert len(known) >= 4


def test_only_the_last_frames_of_some_tables_are_kept(filmed: Filmed) -> None:
    read = check(decode(frame_of_route(filmed, FIRST), "frame"), DECK)
    looks = Looks()
    for number in range(MOST + 1):
        looks.keep(str(number), read)
    assert looks.take("0") is None
    assert looks.take("1") is read
    assert looks.take("1") is None  # a frame that breaks is the last that is founded on it


@pytest.mark.usefixtures("film_time")
def test_what_people_correct_holds_while_the_camera_reads_the_same(
    client: FlaskClient, filmed: Filmed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "MOST_LOGGED", 2)  # the log forgets its beginning, and goes on counting
    live = made(client.post("/api/live", json={"game": "cat-and-mouse"}))
    url, table_url = f"/api/live/{live['id']}", f"/api/tables/{live['table']}"

    def until_told(number: int, *scenes: Scene) -> dict[str, Any]:
        told: dict[str, Any] = {"log": []}
        for data in shots(filmed, *scenes):
            told = made(send_photo(client, data, f"{url}/frames"), 200)
            if told["log"] and told["log"][-1]["number"] == number:
                break
        assert [line["number"] for line in told["log"]] == list(range(1, number + 1))[-2:]
        return made(client.get(table_url), 200)

    table = until_told(1, Scene(1.6, FIRST))
    cards = [{**c, "face": "right-3"} if c["face"] == "right-1" else c for c in table["state"]["cards"]]
    change = {"revision": table["revision"], "state": {**table["state"], "cards": cards}}
    assert client.put(table_url, json=change).status_code == 200
    table = until_told(2, Scene(1.6, SECOND))
    assert sorted(card["face"] for card in table["cards"]) == ["right-2", "right-3", "start"]
    log = made(client.get(url), 200)["log"]
    assert (log[1]["legal"], log[1]["certain"]) == (True, True)
    third = (SECOND[0], ("finish", 1.0, 0.0, 0.0), SECOND[2])  # another card lies there now: it is read as it is
    table = until_told(3, Scene(1.6, third))
    assert "right-3" not in {card["face"] for card in table["cards"]}


def frame_of_route(filmed: Filmed, cards: tuple[tuple[str, float, float, float], ...]) -> bytes:
    return shots(filmed, Scene(0.1, cards))[0]


def looked_at(data: bytes, readings: list[CheckedPhoto], monkeypatch: pytest.MonkeyPatch) -> list[Seen]:
    """One still frame again and again, read as told."""
    rest = iter(readings)
    monkeypatch.setattr(session, "_read", lambda *_: next(rest))
    state, seen = LiveState(), []
    for number in range(len(readings)):
        seen.append(see(data, 0.4 * number, state, DECK, Options()))
        state = seen[-1].state
    return seen


def test_frames_that_read_differently_give_no_certain_verdict(filmed: Filmed, monkeypatch: pytest.MonkeyPatch) -> None:
    data = frame_of_route(filmed, FIRST)
    tables = (FIRST, SECOND, FIRST[:1])
    readings = [check(decode(frame_of_route(filmed, cards), "frame"), DECK) for cards in tables]
    assert {reading.ruling.outcome for reading in readings} == {Outcome.VALID}
    seen = looked_at(data, (readings * MOST_READINGS)[:MOST_READINGS], monkeypatch)
    (look,) = [each.announced for each in seen if each.announced is not None]
    assert look.checked.ruling.outcome is Outcome.UNDETERMINED
    assert DoubtReason.READINGS_DIFFER in {doubt.reason for doubt in look.checked.ruling.doubtful}
    assert seen[-1].state.unsure  # so the next move is not certain


def test_a_frame_that_says_something_else_is_not_the_one_that_is_told(
    filmed: Filmed, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = frame_of_route(filmed, FIRST)
    one, two = (check(decode(frame_of_route(filmed, cards), "frame"), DECK) for cards in (FIRST, SECOND))
    for readings in ([one, two, one, one], [two, one, one, one]):
        told = [each.announced for each in looked_at(data, readings, monkeypatch) if each.announced is not None]
        assert [len(look.checked.cards) for look in told] == [len(FIRST)]


def test_after_readings_that_differ_the_next_believes_nothing_of_an_earlier_frame(
    filmed: Filmed, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = frame_of_route(filmed, FIRST)
    one, two = (check(decode(frame_of_route(filmed, cards), "frame"), DECK) for cards in (FIRST, SECOND))
    rest, known = iter([one, two, one, one]), []

    def reading(*_: Any, before: CheckedPhoto | None = None) -> CheckedPhoto:
        known.append(before)
        return next(rest)

    monkeypatch.setattr(session, "check", reading)
    state, read = LiveState(), None
    for number in range(3):
        seen = see(data, 0.4 * number, state, DECK, Options(), read)
        state, read = seen.state, seen.read
    assert known == [None, one, None]


def test_a_card_that_comes_without_a_movement_is_seen_all_the_same(
    filmed: Filmed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the table's own colour, say."""
    monkeypatch.setattr(session, "is_moving", lambda *_: False)
    state, told = LiveState(), []
    for number, cards in enumerate([FIRST] * 3 + [SECOND] * 40):
        seen = see(frame_of_route(filmed, cards), 0.4 * number, state, DECK, Options())
        state = seen.state
        if seen.announced is not None:
            told.append(len(seen.announced.checked.cards))
    assert told == [2, 3]


@pytest.mark.usefixtures("film_time")
def test_the_table_of_frames_that_read_differently_is_doubtful_too(
    client: FlaskClient, filmed: Filmed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its page and the wall show the stored table, not the frame that was ruled on."""
    tables = (FIRST, SECOND, FIRST[:1])
    rest = itertools.cycle([check(decode(frame_of_route(filmed, cards), "frame"), DECK) for cards in tables])
    monkeypatch.setattr(session, "_read", lambda *_: next(rest))
    live = made(client.post("/api/live", json={"game": "cat-and-mouse"}))
    for _ in range(20):
        told = made(send_photo(client, frame_of_route(filmed, FIRST), f"/api/live/{live['id']}/frames"), 200)
        if told["log"]:
            break
    assert [line["outcome"] for line in told["log"]] == ["undetermined"]
    table = made(client.get(f"/api/tables/{live['table']}"), 200)
    assert table["outcome"] == "undetermined"
    assert DoubtReason.READINGS_DIFFER.value in {doubt["reason"] for doubt in table["answer"]["doubtful"]}


def doubtful(checked: CheckedPhoto, face: str) -> CheckedPhoto:
    """The reading with one card that may also be a Finish."""
    assert checked.reading is not None
    either = (Alternative(face, 0.6), Alternative("finish", 0.4))
    cards = tuple(
        dataclasses.replace(seen, alternatives=either) if seen.card.face == face else seen
        for seen in checked.reading.cards
    )
    reading = dataclasses.replace(checked.reading, cards=cards)
    return dataclasses.replace(checked, reading=reading, ruling=rule_on(reading, DECK))


THIRD = (*SECOND, ("up-1", 3.0, 0.0, 2.0))


@pytest.mark.parametrize("people_say_it_is_right", [False, True])
@pytest.mark.usefixtures("film_time")
def test_the_move_after_an_unsure_table_is_not_certain(
    client: FlaskClient, filmed: Filmed, monkeypatch: pytest.MonkeyPatch, people_say_it_is_right: bool
) -> None:
    shown: list[CheckedPhoto] = []
    monkeypatch.setattr(session, "_read", lambda *_: shown[-1])
    live = made(client.post("/api/live", json={"game": "cat-and-mouse"}))
    url, table_url = f"/api/live/{live['id']}", f"/api/tables/{live['table']}"

    def told(cards: tuple[tuple[str, float, float, float], ...], unsure: str | None = None) -> dict[str, Any]:
        """The line of the log that these cards bring."""
        data = frame_of_route(filmed, cards)
        checked = check(decode(data, "frame"), DECK)
        shown.append(checked if unsure is None else doubtful(checked, unsure))
        lines = len(made(client.get(url), 200)["log"])
        for _ in range(20):
            log = made(send_photo(client, data, f"{url}/frames"), 200)["log"]
            if len(log) > lines:
                return dict(log[-1])
        raise AssertionError("nothing was announced")

    assert told(FIRST)["outcome"] == "valid"
    assert told(SECOND, "right-2")["outcome"] == "undetermined"
    if people_say_it_is_right:
        table = made(client.get(table_url), 200)
        cards = [{**card, "sure": True} for card in table["state"]["cards"]]
        change = {"revision": table["revision"], "state": {**table["state"], "cards": cards}}
        assert made(client.put(table_url, json=change), 200)["outcome"] == "valid"
    line = told(THIRD)
    assert line["certain"] is people_say_it_is_right
    assert line["outcome"] == ("valid" if people_say_it_is_right else "undetermined")
    unclear = "The table was not clear in the photo before"
    assert any(text.startswith(unclear) for text in line["texts"]) is not people_say_it_is_right
    assert not any("against the rules" in text for text in line["texts"])
    line = told(THIRD[:3])  # the table before was certain again
    assert (line["certain"], line["outcome"]) == (True, "valid")


def test_a_table_seen_clearly_at_last_is_certain_though_no_move_was_made(
    filmed: Filmed, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = frame_of_route(filmed, FIRST)
    clear = check(decode(data, "frame"), DECK)
    unsure = doubtful(clear, "right-1")
    seen = looked_at(data, [unsure] * 4, monkeypatch)
    assert seen[-1].state.unsure
    state = seen[-1].state.model_copy(update={"steadiness": LiveState().steadiness})
    monkeypatch.setattr(session, "_read", lambda *_: clear)
    told = []
    for number in range(4):
        answer = see(data, 10 + 0.4 * number, state, DECK, Options())
        state = answer.state
        told += [] if answer.announced is None else [answer.announced]
    (look,) = told
    assert look.checked.ruling.outcome is Outcome.VALID
    assert look.move is not None
    assert not look.move.certain
    assert not state.unsure


@pytest.mark.parametrize(("certain", "refused"), [(False, ("c1",)), (True, ("c1", "c2"))])
def test_what_an_uncertain_move_would_break_counts_for_nothing(
    filmed: Filmed, certain: bool, refused: tuple[str, ...]
) -> None:
    """Otherwise the move after the next one would be judged, as certain, without a card that may lie right."""
    checked = check(decode(frame_of_route(filmed, FIRST), "frame"), DECK)
    before = KeptStanding.of(Standing(checked.layout, checked.ruling, frozenset({"c1"})))
    now = Standing(checked.layout, checked.ruling, frozenset({"c1", "c2"}))
    kept = session._kept(before, now, Look(checked, MoveAnswer(None, certain, "1")))
    assert kept is not None
    assert kept.refused == refused
