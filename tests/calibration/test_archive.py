"""Decks go out and come in as one file; nothing else does."""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import Path

import pytest

import calibration.archive as archive
from calibration.archive import pack, unpack
from calibration.cli import main
from calibration.errors import CalibrationError
from referee.decks import builtin_deck
from referee.errors import DeckError

FOLDER = builtin_deck("cat-and-mouse").folder
DECK = (
    '{"game": "cat-and-mouse", "name": "d", "card_mm": [64, 64], "corner_mm": 5, "faces": '
    '[{"id": "a", "kind": "start", "count": 1, "image": "faces/a.png"}]}'
)


def _zipped(*files: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files:
            made.writestr(name, data)
    return out.getvalue()


def test_a_deck_comes_back_as_it_went(tmp_path: Path) -> None:
    assert FOLDER is not None
    deck = unpack(pack(FOLDER), tmp_path / "again")
    assert [face.id for face in deck.faces] == [face.id for face in builtin_deck("cat-and-mouse").faces]
    for face in deck.faces:
        copy, original = deck.image_path(face.id), builtin_deck("cat-and-mouse").image_path(face.id)
        assert copy is not None
        assert original is not None
        assert copy.read_bytes() == original.read_bytes()


@pytest.mark.parametrize(
    "name",
    ["../evil.png", "/etc/evil.png", "faces/../../evil.png", "a\\..\\evil.png", "C:/evil.png", "run.sh", "a/b/c/d.png"],
)
def test_odd_names_are_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    target = tmp_path / "deck"
    with pytest.raises(CalibrationError, match="does not belong"):
        unpack(_zipped(("deck.json", DECK.encode()), ("faces/a.png", b"x"), (name, b"x")), target)
    assert list(tmp_path.iterdir()) == []


def test_links_are_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("faces/a.png")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(CalibrationError, match="does not belong"):
        unpack(_zipped(("deck.json", DECK.encode()), (link, b"/etc/passwd")), tmp_path / "deck")


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES_A_FILE", 100_000)
    with pytest.raises(CalibrationError, match="too much"):
        unpack(_zipped(("deck.json", DECK.encode()), ("faces/a.png", bytes(200_000))), tmp_path / "deck")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_archive_or_no_deck_leaves_an_old_one_alone(tmp_path: Path) -> None:
    assert FOLDER is not None
    target = tmp_path / "deck"
    unpack(pack(FOLDER), target)
    with pytest.raises(CalibrationError, match="no zip file"):
        unpack(b"not a zip file", target)
    with pytest.raises(DeckError):
        unpack(_zipped(("deck.json", b"{}")), target)
    assert (target / "faces" / "start.png").is_file()
    assert [each.name for each in tmp_path.iterdir()] == ["deck"]


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ([("deck.json", DECK), ("deck.json", DECK)], "holds 'deck.json' twice"),
        ([("deck.json", DECK), ("a.png", "x"), ("a.png/b.png", "x")], "twice"),
        ([("deck.json", DECK), ("x" * 300 + ".png", "x")], "does not belong"),
        ([("faces/a.png", "x")], "holds no deck.json"),
        ([("deck.json", DECK)], 'face "a": image "faces/a.png" does not exist'),
        ([("deck.json", DECK), ("faces/a.png", "x")], 'image "faces/a.png" is no picture'),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_odd_archives_are_told_in_a_sentence_and_nothing_is_left(
    tmp_path: Path, files: list[tuple[str, str]], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "deck.zip").write_bytes(_zipped(*((name, text.encode()) for name, text in files)))
    assert main(["import", str(tmp_path / "deck.zip"), str(tmp_path / "deck")]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert "/." not in told  # no scratch folder
    assert [each.name for each in tmp_path.iterdir()] == ["deck.zip"]
