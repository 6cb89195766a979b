"""What an evaluation counts, and the page it writes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.cli import main
from calibration.evaluate import PhotoResult, alike, as_html, as_text, matched, summary

SQUARE = np.array([[0.0, 0], [100, 0], [100, 100], [0, 100]])
VERDICT = {"routes": [{"start": "a", "valid": ["b"], "points": 2, "finished": False}], "returned": ["c"]}


def test_cards_in_one_place_belong_together_once() -> None:
    assert matched([SQUARE + 300, SQUARE + 8], [SQUARE, SQUARE + 304]) == {1: 0, 0: 1}
    assert matched([SQUARE + 80], [SQUARE]) == {}
    assert len(matched([SQUARE, SQUARE + 4], [SQUARE])) == 1


@pytest.mark.parametrize(
    ("change", "same"),
    [({}, True), ({"returned": ["b"]}, False), ({"routes": []}, False), ({"note": "more"}, True)],
)
def test_verdicts_are_compared_by_what_they_say(change: dict[str, object], same: bool) -> None:
    names = {"c1": "a", "c2": "b", "c3": "c"}
    own = {
        "routes": [{"start": "c1", "valid": ["c2"], "points": 2, "finished": False}],
        "returned": ["c3"],
        **change,
    }
    assert alike(own, VERDICT, names) is same


def test_another_longest_path_is_as_good() -> None:
    true = {"mismatches": [], "longest_changes": 3, "longest_path": ["a", "b"]}
    assert alike({"mismatches": [], "longest_changes": 3, "longest_path": ["c"]}, true, {})
    assert not alike({"mismatches": [], "longest_changes": 2, "longest_path": ["a", "b"]}, true, {})


def test_wrong_but_certain_is_kept_apart_from_undetermined() -> None:
    results = [
        PhotoResult("a.jpg", "easy", "right", 3, 3, 0, 3, seconds={"decode": 0.1}),
        PhotoResult("b.jpg", "easy", "undetermined", 4, 3, 1, 3, seconds={"decode": 0.3}),
        PhotoResult("<c>.jpg", "hard", "wrong but certain", 2, 2, 0, 1, picture=b"x"),
    ]
    figures = summary(results)
    assert figures["levels"]["all"]["wrong but certain"] == 1
    assert figures["levels"]["easy"] | {"features": {}} == {
        "photos": 2, "right": 1, "wrong but certain": 0, "undetermined": 1, "unusable": 0,
        "cards": 7, "found": 6, "false": 1, "faces": 6, "features": {},
    }  # fmt: skip
    assert "wrong but certain 1" in as_text(figures)
    page = as_html(figures, results)
    assert "a.jpg</h2>" not in page.replace("b.jpg", "")
    assert "&lt;c&gt;.jpg" in page
    assert "<c>" not in page


def test_a_folder_without_truth_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.jpg").write_bytes(b"x")
    assert main(["evaluate", str(tmp_path)]) == 2
    assert "JSON file" in capsys.readouterr().err


SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "photos"


def test_every_failure_is_told_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A truth that has two cards changed about, one that is none, a picture that is none."""
    folder = tmp_path / "set"
    folder.mkdir()
    name = "paths-legal-carpet"
    truth = json.loads((SAMPLES / f"{name}.json").read_text("utf-8"))
    one, other = truth["cards"][:2]
    one["face"], other["face"] = other["face"], one["face"]
    truth["verdict"]["rings"] = 9
    (folder / f"{name}.json").write_text(json.dumps(truth), "utf-8")
    for copy in (name, "z-odd", "z-none"):
        (folder / f"{copy}.jpg").write_bytes((SAMPLES / f"{name}.jpg").read_bytes())
    (folder / "z-odd.json").write_text('{"game": "coloured-paths", "cards": 3}', "utf-8")
    (folder / "z-none.json").write_text(json.dumps(truth | {"cards": []}), "utf-8")
    (folder / "z-none.jpg").write_bytes(b"no picture")
    page = tmp_path / "page.html"
    assert main(["evaluate", str(folder), "--html", str(page)]) == 1
    told = capsys.readouterr().out
    assert f"{name}.jpg: wrong but certain" in told
    assert "  rings: " in told
    assert ", in truth 9" in told
    assert f"{one['face']} read as {other['face']}: 1" in told
    assert "z-odd.json: this is no truth of a photograph" in told
    assert "unusable 2" in told
    assert told.index("find ") < told.index("recognise ") < told.index("judge ")
    shown = page.read_text("utf-8")
    assert shown.count("<img") == 3  # two confusions, one photograph
    assert shown.index("<figure>") < shown.index(f"{name}.jpg: wrong but certain")
    assert main(["evaluate", str(folder), "--html", str(tmp_path / "none" / "page.html")]) == 2
    assert "there is no folder" in capsys.readouterr().err
