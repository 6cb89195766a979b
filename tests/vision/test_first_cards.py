"""A few features lead to enough cards and to their plane; what is known has no votes any more."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.vision import first_cards as first
from referee.vision.align import Aligner, Doubles, Pyramid
from referee.vision.facebank import FaceBank, face_bank
from referee.vision.seeds import SEARCH_SIDE, feature_bank


@pytest.fixture(scope="module")
def bank() -> FaceBank:
    return face_bank(builtin_deck(Game.CAT_AND_MOUSE))


def corners_of(count: int, side: float) -> Doubles:
    """(N, 4, 2) squares in rows of four."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * side
    places = np.array([[100 + 1.4 * side * (i % 4), 80 + 1.4 * side * (i // 4)] for i in range(count)])
    return np.asarray(square + places[:, None])


def photograph(bank: FaceBank, count: int, side: float = 170.0, size: tuple[int, int] = (1500, 1100)) -> Pyramid:
    """Cards on a table with some grain."""
    noise = cv2.GaussianBlur(np.random.default_rng(2).normal(0, 60, size[::-1]).astype(np.float32), (0, 0), 2)
    picture = np.repeat(np.clip(120 + noise, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)
    frame = np.array([[0, 0], [192, 0], [192, 192], [0, 192]], np.float32)
    for source, outline in zip(bank.sources, corners_of(count, side), strict=False):
        warp = cv2.getPerspectiveTransform(frame, outline.astype(np.float32))
        cv2.warpPerspective(source, warp, size, dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    return Pyramid.of(picture)


def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The long sides of the pictures in which features are looked for, while the test runs."""
    sides: list[int] = []
    features_at = first.features_at

    def noted(pyramid: Pyramid, long_side: int) -> first.Features:
        sides.append(long_side)
        return features_at(pyramid, long_side)

    monkeypatch.setattr(first, "features_at", noted)
    return sides


def test_a_glance_is_enough_for_many_large_cards(bank: FaceBank, monkeypatch: pytest.MonkeyPatch) -> None:
    sides = looks(monkeypatch)
    found = first.first_cards(photograph(bank, 10), Aligner(bank), feature_bank(bank))
    assert sides == [750]
    assert found.enough
    off = found.cards.corners.mean(axis=1)[:, None] - corners_of(10, 170.0).mean(axis=1)[None]
    assert np.hypot(*off.transpose(2, 0, 1)).min(axis=1).max() < 3


def test_few_cards_make_the_search_go_on(bank: FaceBank, monkeypatch: pytest.MonkeyPatch) -> None:
    sides = looks(monkeypatch)
    found = first.first_cards(photograph(bank, 3), Aligner(bank), feature_bank(bank))
    assert sides == [750, SEARCH_SIDE]
    assert len(found.cards) == 3
    assert not found.enough


def test_small_cards_get_the_features_of_a_larger_picture(bank: FaceBank, monkeypatch: pytest.MonkeyPatch) -> None:
    sides = looks(monkeypatch)
    first.first_cards(photograph(bank, 12, side=70.0), Aligner(bank), feature_bank(bank))
    assert SEARCH_SIDE in sides


def test_seeds_are_tried_once() -> None:
    quads = corners_of(6, 100.0)
    assert first._untried(quads, quads[:2]).tolist() == quads[2:].tolist()
    assert first._untried(quads, quads[:0]).tolist() == quads.tolist()


def test_only_features_beside_known_cards_vote_and_only_for_their_size(bank: FaceBank) -> None:
    learnt = feature_bank(bank)
    pyramid = photograph(bank, 10)
    found = first.first_cards(pyramid, Aligner(bank), learnt)
    assert found.plane is not None
    nine = found.cards.select(np.arange(len(found.cards) - 1))
    left = found.cards.corners[-1]
    votes = first.votes_on(dataclasses.replace(found, confirmed=0.5), learnt, found.plane, nine)
    on = np.zeros(len(votes), dtype=bool)
    for corners in nine.corners:
        inner = corners.mean(axis=0) + 0.9 * (corners - corners.mean(axis=0))
        on |= ((votes.point > inner.min(axis=0)) & (votes.point < inner.max(axis=0))).all(axis=1)
    assert not on.any()
    assert np.abs(np.log(votes.side / 170.0)).max() < 0.35
    near = np.hypot(*(votes.centre - left.mean(axis=0)).T) < 15
    assert near.sum() > 10, "the card that is not known yet has votes"
    clear = dataclasses.replace(found, confirmed=1.0)
    assert clear.clear
    assert not len(first.votes_on(clear, learnt, found.plane, nine)), "a clear picture needs none"
