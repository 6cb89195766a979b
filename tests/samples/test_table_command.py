"""The command line, and the sample photographs that are shipped."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.decks import builtin_deck
from referee.layouts import parse_layout
from samples.table.command import main
from samples.table.shipped import PHOTOS, SHOTS
from samples.table.truth import verdict_of

SIDECARS = sorted(PHOTOS.glob("*.json"))


def test_render_writes_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    arguments = ["render", "--game", "coloured-paths", "--level", "easy", "--seed", "8", "--out", str(out)]
    assert main(arguments) == 0
    photo = out / "coloured-paths-easy-0008.jpg"
    truth = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    picture = cv2.imread(str(photo))
    assert picture is not None
    assert [picture.shape[1], picture.shape[0]] == truth["size"]
    assert truth["level"] == "easy"
    assert capsys.readouterr().out.strip() == str(photo)


def test_layouts_of_ones_own_are_rendered_one_by_one(tmp_path: Path) -> None:
    lines = [
        {"game": "cat-and-mouse", "cards": [{"id": name, "face": "start", "x": 0, "y": 0, "turn": 0}]}
        for name in ("a", "b")
    ]
    layouts = tmp_path / "mine.jsonl"
    layouts.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    arguments = ["render", "--game", "cat-and-mouse", "--level", "easy", "--layout", str(layouts)]
    assert main([*arguments, "--out", str(tmp_path)]) == 0
    truths = [json.loads(p.read_text(encoding="utf-8")) for p in sorted(tmp_path.glob("*.json"))]
    assert [c["id"] for truth in truths for c in truth["cards"]] == ["a", "b"]


@pytest.mark.parametrize(
    ("extra", "sentence"),
    [
        (["--deck", "nowhere"], "--deck must name a folder with a deck.json"),
        (["--layout", "nowhere.json"], "nowhere.json"),
        (["--fault", "upside-down"], "use one of"),
        (["--layout", "EMPTY"], "there is no layout in it"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], extra: list[str], sentence: str
) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    extra = [str(empty) if part == "EMPTY" else part for part in extra]
    assert main(["render", "--game", "cat-and-mouse", "--out", str(tmp_path), *extra]) == 2
    answer = capsys.readouterr()
    assert sentence in answer.err
    assert answer.out == ""


def test_surfaces_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["surfaces", "--split", "tune"]) == 0
    listed = {line.split()[0] for line in capsys.readouterr().out.splitlines()}
    assert main(["surfaces", "--split", "held-back"]) == 0
    assert listed.isdisjoint(line.split()[0] for line in capsys.readouterr().out.splitlines())
    assert len(listed) >= 10


def test_every_shot_is_shipped_and_small() -> None:
    assert [p.stem for p in SIDECARS] == sorted(shot.name for shot in SHOTS)
    assert sum(p.stat().st_size for p in PHOTOS.iterdir()) < 5_500_000
    games = {shot.game for shot in SHOTS}
    assert len(games) == 3
    for game in games:
        outcomes = {shot.fault is None for shot in SHOTS if shot.game is game}
        assert outcomes == {True, False}, f"{game}: a legal and a faulty one are wanted"


@pytest.mark.parametrize("sidecar", SIDECARS, ids=lambda p: p.stem)
def test_the_truth_of_a_sample_is_what_the_judge_says(sidecar: Path) -> None:
    truth = json.loads(sidecar.read_text(encoding="utf-8"))
    deck = builtin_deck(truth["game"])
    layout = parse_layout(truth["layout"])
    assert verdict_of(layout, deck) == (truth["outcome"], truth["verdict"])
    assert all(card["face"] in deck for card in truth["cards"])
    data = np.frombuffer(sidecar.with_suffix(".jpg").read_bytes(), np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_REDUCED_COLOR_4)
    assert picture is not None
    assert abs(picture.shape[1] * 4 - truth["size"][0]) <= 4
