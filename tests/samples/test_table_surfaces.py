"""Table tops: two separate halves, each reproducible, with licences for what is shipped."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from samples.table.patterns import PATTERNS
from samples.table.surfaces import SHIPPED, surfaces


def test_the_halves_share_nothing_and_make_up_all() -> None:
    tune, held, everything = (surfaces(split) for split in ("tune", "held-back", "all"))
    assert {s.name for s in tune}.isdisjoint(s.name for s in held)
    assert set(tune) | set(held) == set(everything)
    for half in (tune, held):
        assert sum(s.photo is None for s in half) >= 8
        assert sum(s.photo is not None for s in half) >= 3


def test_a_folder_of_more_surfaces_moves_none_of_the_others(tmp_path: Path) -> None:
    shipped = next(SHIPPED.glob("*.jpg")).stem
    for name in ("a", "b", "c", shipped):
        Image.new("RGB", (64, 64), (120, 90, 60)).save(tmp_path / f"{name}.png")
    before, after = surfaces("tune"), surfaces("tune", [tmp_path])
    assert after[: len(before)] == before
    assert [s.name for s in after[len(before) :]] == ["a", "c"]
    assert [s.name for s in surfaces("held-back", [tmp_path])][-1] == "b"


@pytest.mark.parametrize("name", list(PATTERNS))
def test_each_pattern_is_a_reproducible_reflectance(name: str) -> None:
    paint = PATTERNS[name][0]
    tile = paint(np.random.default_rng(4), 256)
    assert tile.shape == (256, 256, 3)
    assert tile.dtype == np.float32
    assert tile.min() > -0.3
    assert tile.max() < 2.0
    assert 0.005 < tile.mean() < 0.98
    assert np.array_equal(tile, paint(np.random.default_rng(4), 256))
    assert not np.array_equal(tile, paint(np.random.default_rng(5), 256))


def test_shipped_pictures_are_small_and_licensed() -> None:
    files = sorted(SHIPPED.glob("*.jpg"))
    assert 6 <= len(files) <= 12
    assert all(f.stat().st_size <= 81_000 for f in files)
    assert sum(f.stat().st_size for f in files) < 1_000_000
    assert "MIT" in (SHIPPED / "LICENCES.md").read_text(encoding="utf-8")
