"""Features that are the same to the eye are learnt once, and votes that agree are found wherever they are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.decks import Game, builtin_deck
from referee.vision import seeds
from referee.vision.align import Doubles
from referee.vision.facebank import face_bank
from referee.vision.seeds import SAME_LOOKS, SAME_SIZE, SAME_SPOT, Votes, _clusters, _distinct


def features(count: int, seed: int) -> tuple[list[Doubles], list[NDArray[np.uint8]]]:
    """Features of three faces, many of them nearly the same."""
    rng = np.random.default_rng(seed)
    looks = rng.integers(0, 256, (4, 32), dtype=np.uint8)
    tables, found = [], []
    for _ in range(3):
        table = np.column_stack([rng.uniform(-0.1, 0.1, (count, 2)), rng.uniform(0.2, 0.3, count), np.zeros(count)])
        descriptors = looks[rng.integers(0, 4, count)].copy()
        descriptors[:, :6] ^= rng.integers(0, 256, (count, 6), dtype=np.uint8)
        tables.append(table)
        found.append(descriptors)
    return tables, found


def kept_one_by_one(table: Doubles, descriptors: NDArray[np.uint8]) -> list[int]:
    """The definition: a feature is kept unless an earlier kept one is the same."""
    bits = np.unpackbits(descriptors, axis=1)
    kept: list[int] = []
    for i in range(len(table)):
        same = [
            np.abs(table[i, :2] - table[k, :2]).max() < SAME_SPOT
            and abs(np.log(table[i, 2] / table[k, 2])) < SAME_SIZE
            and (bits[i] != bits[k]).sum() < SAME_LOOKS
            for k in kept
        ]
        if not any(same):
            kept.append(i)
    return kept


@pytest.mark.parametrize("seed", range(4))
def test_merged_at_once_as_one_by_one(seed: int) -> None:
    tables, found = features(40, seed)
    one_by_one = kept_one_by_one(np.concatenate(tables), np.concatenate(found))
    assert len(one_by_one) < 110, "the test has something to merge"
    assert _distinct(tables, found).tolist() == one_by_one


def test_what_many_faces_share_is_kept_first(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    looks = rng.integers(0, 256, (7, 32), dtype=np.uint8)
    row = np.array([[0.1, 0.2, 0.2, 0.0]])
    tables = [np.repeat(row, 3, axis=0) for _ in range(3)]
    found = [looks[[1, 2, 0]], looks[[3, 0, 4]], looks[[0, 5, 6]]]
    monkeypatch.setattr(seeds, "MOST_FEATURES", 1)
    assert _distinct(tables, found).tolist() == [2]


def test_votes_that_agree_form_one_cluster() -> None:
    rng = np.random.default_rng(1)
    wanted = np.array([[100.0, 200.0], [400.0, 200.0], [100.0, 500.0]])
    centre = np.repeat(wanted, 8, axis=0) + rng.normal(0, 1.5, (24, 2))
    stray = rng.uniform(0, 600, (60, 2))
    count = len(centre) + len(stray)
    angle = np.concatenate([np.full(24, 0.7), rng.uniform(-np.pi, np.pi, 60)])
    side = np.concatenate([np.full(24, 60.0), rng.uniform(20, 200, 60)])
    point = np.concatenate([centre, stray])
    order = rng.permutation(count)
    votes = Votes(point[order], side[order], angle[order], np.arange(count), point[order], point[order])
    clusters = _clusters(votes, 4, 10)
    assert len(clusters) == 3
    assert sorted(sorted(order[c].tolist()) for c in clusters) == [list(range(k, k + 8)) for k in (0, 8, 16)]


def test_a_known_size_keeps_what_fits_it_and_drops_the_rest() -> None:
    bank = face_bank(builtin_deck(Game.CAT_AND_MOUSE))
    learnt = seeds.feature_bank(bank)
    picture = np.full((500, 900, 3), 120, np.uint8)
    picture[100:180, 100:180] = cv2.resize(bank.sources[3], (80, 80), interpolation=cv2.INTER_AREA)
    picture[200:392, 500:692] = bank.sources[5]
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    features = seeds.Features.of(grey)
    free, limited = features.votes(learnt), features.votes(learnt, sides=(60.0, 107.0))
    assert free.side.max() > 150
    assert 60 < limited.side.min() < limited.side.max() < 107
    near = np.hypot(*(limited.centre - 139.5).T) < 10
    wanted = (np.abs(np.log(free.side / 80)) < 0.28) & (np.hypot(*(free.centre - 139.5).T) < 10)
    assert near.sum() >= wanted.sum() > 20
