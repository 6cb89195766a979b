"""The cache on disk: what was kept comes back; whatever is wrong with it, it is worked out again without a word."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.decks import Deck, Game, builtin_deck, load_deck
from referee.errors import DeckError
from referee.vision import deck_cache, facebank, seeds
from referee.vision.deck_cache import Arrays

WANTED: dict[str, tuple[type[np.generic], deck_cache.Shape]] = {
    "numbers": (np.float32, (None, 2)),
    "bytes": (np.uint8, (3,)),
}


def arrays() -> Arrays:
    return {"numbers": np.ones((5, 2), np.float32), "bytes": np.arange(3, dtype=np.uint8)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "made" / "when needed"
    monkeypatch.setenv(deck_cache.VARIABLE, str(path))
    return path


def test_what_is_kept_comes_back(folder: Path) -> None:
    assert deck_cache.load("a", WANTED) is None
    deck_cache.store("a", arrays())
    kept = deck_cache.load("a", WANTED)
    assert kept is not None
    for name, array in arrays().items():
        assert np.array_equal(kept[name], array)
    assert [path.name for path in folder.iterdir()] == ["a.npz"], "nothing half-written is left behind"


@pytest.mark.parametrize(
    "other",
    [
        {"numbers": np.ones((5, 3), np.float32), "bytes": np.arange(3, dtype=np.uint8)},
        {"numbers": np.ones((5, 2), np.float64), "bytes": np.arange(3, dtype=np.uint8)},
        {"numbers": np.full((5, 2), np.nan, np.float32), "bytes": np.arange(3, dtype=np.uint8)},
        {"numbers": np.ones((5, 2), np.float32)},
    ],
)
def test_foreign_entries_are_ignored(folder: Path, other: Arrays) -> None:
    deck_cache.store("a", other)
    assert (folder / "a.npz").exists()
    assert deck_cache.load("a", WANTED) is None


@pytest.mark.parametrize("damage", ["cut", "empty", "flipped", "text", "pickle", "bare", "folder"])
def test_broken_entries_are_ignored(folder: Path, damage: str) -> None:
    deck_cache.store("a", arrays())
    path = folder / "a.npz"
    data = bytearray(path.read_bytes())
    if damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "flipped":
        at = data.index(np.ones(4, np.float32).tobytes())
        data[at] ^= 255
        path.write_bytes(data)
    elif damage == "text":
        path.write_text("no arrays here")
    elif damage == "bare":
        with path.open("wb") as file:
            np.save(file, np.ones(3))
    elif damage == "pickle":
        np.savez(path, numbers=np.array([{"a": 1}], dtype=object), bytes=np.arange(3, dtype=np.uint8))
    else:
        path.unlink()
        path.mkdir()
    assert deck_cache.load("a", WANTED) is None


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(deck_cache.VARIABLE, str(tmp_path / "file" / "cache"))
    deck_cache.store("a", arrays())
    assert deck_cache.load("a", WANTED) is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="rights are told on POSIX only")
def test_a_folder_others_can_write_to_is_not_trusted(folder: Path) -> None:
    deck_cache.store("a", arrays())
    folder.chmod(0o777)
    assert deck_cache.load("a", WANTED) is None
    deck_cache.store("b", arrays())
    assert not (folder / "b.npz").exists()


@pytest.mark.parametrize("value", ["", "off", "OFF"])
def test_it_can_be_switched_off(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(deck_cache.VARIABLE, value)
    assert deck_cache.cache_folder() is None
    deck_cache.store("a", arrays())
    assert deck_cache.load("a", WANTED) is None


def test_without_the_variable_it_lies_where_caches_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(deck_cache.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert deck_cache.cache_folder() == tmp_path / "referee"


def test_the_oldest_entries_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deck_cache, "MOST_ENTRIES", 2)
    for age, key in enumerate("abc"):
        deck_cache.store(key, arrays())
        os.utime(folder / f"{key}.npz", (1000 + age, 1000 + age))
    assert deck_cache.load("a", WANTED) is None
    assert deck_cache.load("b", WANTED) is not None, "and it now counts as used"
    deck_cache.store("d", arrays())
    assert {path.stem for path in folder.iterdir()} == {"b", "d"}


def test_keys_tell_parts_apart() -> None:
    assert deck_cache.key_of(["a", "bc"]) != deck_cache.key_of(["ab", "c"])
    assert deck_cache.key_of(["a", b"bc"]) == deck_cache.key_of([b"a", "bc"])


def copied_deck(to: Path) -> Path:
    folder = builtin_deck(Game.CAT_AND_MOUSE).folder
    assert folder is not None
    shutil.copytree(folder, to)
    return to


def read_afresh(path: Path) -> tuple[Deck, facebank.FaceBank, seeds.FeatureBank]:
    """As a new process would."""
    facebank._load.cache_clear()
    seeds.feature_bank.cache_clear()
    deck = load_deck(str(path))
    bank = facebank.face_bank(deck)
    return deck, bank, seeds.feature_bank(bank)


def test_kept_templates_equal_fresh_ones_and_follow_the_pictures(folder: Path, tmp_path: Path) -> None:
    path = copied_deck(tmp_path / "deck")
    deck, bank, features = read_afresh(path)
    assert len(list(folder.glob("*.npz"))) == 2
    _, again, features_again = read_afresh(path)
    assert np.array_equal(again.sources, bank.sources)
    assert np.array_equal(again.alpha, bank.alpha)
    assert np.array_equal(features_again.descriptors, features.descriptors)
    assert np.array_equal(features_again.place, features.place)
    image = path / str(deck.faces[0].image)
    picture = cv2.imread(str(image), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    cv2.imwrite(str(image), cv2.flip(picture, 1))
    _, changed, _ = read_afresh(path)
    assert not np.array_equal(changed.sources[0], bank.sources[0])
    assert np.array_equal(changed.sources[1], bank.sources[1])


def test_a_picture_that_went_missing_is_told_in_spite_of_the_cache(folder: Path, tmp_path: Path) -> None:
    path = copied_deck(tmp_path / "deck")
    deck, _, _ = read_afresh(path)
    assert list(folder.glob("*.npz"))
    (path / str(deck.faces[0].image)).unlink()
    facebank._load.cache_clear()
    with pytest.raises(DeckError, match=deck.faces[0].id):
        facebank.face_bank(deck)
