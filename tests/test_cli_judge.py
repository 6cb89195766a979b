"""`python -m referee judge` as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main
from tests.rules_tables import BOXES, MOUSE, draw


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    folder = tmp_path / "deck"
    folder.mkdir()
    (folder / "deck.json").write_text(json.dumps(MOUSE.to_dict()), encoding="utf-8")
    return folder


def write(path: Path, *tables: object) -> Path:
    path.write_text("\n".join(t if isinstance(t, str) else json.dumps(t) for t in tables), encoding="utf-8")
    return path


def table(drawing: str, name: str) -> dict[str, Any]:
    return draw(drawing, MOUSE).to_dict() | {"name": name}


def answers(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_answers_in_the_contract_s_form(tmp_path: Path, deck: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "t.jsonl", table("s=S a=r1 f=F", "right"), table("s=S a=u1 b=r2", "wrong"))
    assert main(["judge", str(path), "--deck", str(deck), "--json"]) == 0
    out, err = capsys.readouterr()
    right, wrong = answers(out)
    assert err == ""
    assert {k: right[k] for k in ("name", "game", "deck", "outcome", "verdict")} == {
        "name": "right",
        "game": "cat-and-mouse",
        "deck": "test deck",
        "outcome": "valid",
        "verdict": {
            "routes": [{"start": "s", "valid": ["a", "f"], "points": 1, "finished": True}],
            "returned": [],
            "faults": [],
        },
    }
    assert wrong["outcome"] == "invalid"
    assert wrong["verdict"]["faults"] == [{"rule": "wrong-side", "rule_id": "CM-ARROW", "cards": ["b", "a"]}]
    assert wrong["texts"]


def test_inputs_that_cannot_be_used_stand_in_their_place(
    tmp_path: Path, deck: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other_game = {"name": "other", "game": "if-it-fits", "cards": []}
    unknown = {"name": "odd", "game": "cat-and-mouse", "cards": [{"id": "a", "face": "zz", "x": 0, "y": 0, "turn": 0}]}
    path = write(tmp_path / "t.jsonl", table("s=S", "one"), "{nonsense", other_game, unknown, table("s=S", "two"))
    missing = tmp_path / "missing.json"
    assert main(["judge", str(path), str(missing), "--deck", str(deck), "--json"]) == 2
    out, err = capsys.readouterr()
    found = answers(out)
    assert [a["name"] for a in found] == ["one", "t:2", "other", "odd", "two", "missing"]
    assert [a.get("error", {}).get("code") for a in found] == [
        None,
        "layout-not-json",
        "wrong-game",
        "unknown-face",
        None,
        "layout-missing",
    ]
    assert len(err.splitlines()) == 4


def test_a_bad_deck_spoils_every_input_but_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "t.jsonl", table("s=S", "one"), table("s=S", "two"))
    assert main(["judge", str(path), "--deck", str(tmp_path / "none"), "--json"]) == 2
    out, err = capsys.readouterr()
    assert [a["error"]["code"] for a in answers(out)] == ["deck-missing", "deck-missing"]
    assert len(err.splitlines()) == 1


def test_a_tangle_is_undetermined_and_the_status_says_so(
    tmp_path: Path, deck: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.games.test_cat_and_mouse import block

    tangle = block(14, ["lr1", "ud1"] * 7 + ["ud1", "lr1"] * 7, 4).to_dict() | {"name": "tangle"}
    path = write(tmp_path / "t.jsonl", tangle, table("s=S", "plain"))
    assert main(["judge", str(path), "--deck", str(deck), "--json"]) == 1
    found = answers(capsys.readouterr().out)
    assert [a["outcome"] for a in found] == ["undetermined", "valid"]
    assert found[0]["doubtful"][0]["reason"] == "too-tangled"


@pytest.mark.parametrize(("language", "word"), [("uk", "лежить"), ("ru", "лежит"), ("en", "lies")])
def test_texts_for_people(
    language: str, word: str, tmp_path: Path, deck: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "t.jsonl", table("s=S a=u1 b=r2", "kitchen"), "{")
    assert main(["judge", str(path), "--deck", str(deck), "--lang", language]) == 2
    out = capsys.readouterr().out
    assert out.startswith("kitchen\n  ")
    assert word in out
    assert "t:2" in out


def test_house_rules(tmp_path: Path, deck: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "t.jsonl", table("s=S f=F", "t"))
    for option, outcome in (("first_finish=counts", "valid"), ("first_finish=back", "invalid")):
        assert main(["judge", str(path), "--deck", str(deck), "--json", "--option", option]) == 0
        assert answers(capsys.readouterr().out)[0]["outcome"] == outcome
    for wrong in ("colour=red", "ties=maybe", "upright"):
        assert main(["judge", str(path), "--deck", str(deck), "--option", wrong]) == 2
        assert wrong.split("=")[0] in capsys.readouterr().err


def test_the_built_in_decks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty: list[object] = [
        {"name": game, "game": game, "cards": []} for game in ("cat-and-mouse", "coloured-paths", "if-it-fits")
    ]
    path = write(tmp_path / "t.jsonl", *empty)
    assert main(["judge", str(path), "--json"]) == 0
    assert [a["outcome"] for a in answers(capsys.readouterr().out)] == ["valid"] * 3
    assert main(["judge", str(path), "--game", "if-it-fits", "--json"]) == 2
    assert ["error" in a for a in answers(capsys.readouterr().out)] == [True, True, False]


def test_as_a_program_on_a_terminal_that_is_not_utf_8(tmp_path: Path) -> None:
    layout = draw("a=tbl2 b=trb1", BOXES, pitch=1.0).to_dict() | {"name": "Кухня"}
    folder = tmp_path / "deck"
    folder.mkdir()
    (folder / "deck.json").write_text(json.dumps(BOXES.to_dict()), encoding="utf-8")
    path = write(tmp_path / "t.json", layout)
    command = [sys.executable, "-m", "referee", "judge", str(path), "--deck", str(folder), "--lang", "uk"]
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run(
        command, cwd=root, capture_output=True, check=False, env={"PYTHONIOENCODING": "ascii", "PATH": ""}
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("utf-8").startswith("Кухня\n  Усе лежить правильно.")
