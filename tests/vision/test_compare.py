"""Comparing one picture with many faces at once gives what the definition, taken word by word, gives for each."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import pytest

from referee.vision.compare import CANNOT_TELL, GAIN_PRIOR, SHIFT, Comparison, compare
from referee.vision.facebank import Floats


def by_definition(patch: Floats, first: Floats, second: Floats, mask: Floats, blur: float) -> Comparison:
    """The comparison as its docstring has it, shift by shift and channel by channel, in double precision."""
    apart = (second - first).astype(float)
    weight = cv2.GaussianBlur((apart**2).sum(axis=2) * mask, (0, 0), 1.5)
    ys, xs = np.nonzero(weight > 0.03 * weight.max())
    height, width = mask.shape
    top, left = max(ys.min(), SHIFT), max(xs.min(), SHIFT)
    bottom, right = min(ys.max() + 1, height - SHIFT), min(xs.max() + 1, width - SHIFT)
    w = (np.sqrt(weight) * mask)[top:bottom, left:right]
    w = w / w.sum()
    least = np.inf
    for face, down, along in product((0.0, 1.0), range(-SHIFT, SHIFT + 1), range(-SHIFT, SHIFT + 1)):
        seen = patch[top + down : bottom + down, left + along : right + along].astype(float)
        wanted = (first + face * apart)[top:bottom, left:right]
        error, gains = 0.0, []
        for c in range(3):
            product_ = (w * seen[..., c] * wanted[..., c]).sum()
            gain = np.clip(product_ / ((w * wanted[..., c] ** 2).sum() + GAIN_PRIOR), 0.15, 2.0)
            error += (w * (seen[..., c] - gain * wanted[..., c]) ** 2).sum()
            gains.append(gain)
        if error < least:
            least, best, gain_of = error, seen, np.array(gains)
    step_to = gain_of * apart[top:bottom, left:right]
    pull = (step_to * (best - gain_of * first[top:bottom, left:right])).sum(axis=2) * w
    push = (step_to**2).sum(axis=2) * w
    step = max(5, round(1.5 * blur))
    place = pull.sum() / push.sum()
    spread = 0.0
    for y, x in product(range(0, w.shape[0], step), range(0, w.shape[1], step)):
        block = slice(y, y + step), slice(x, x + step)
        spread += (pull[block].sum() - place * push[block].sum()) ** 2
    return Comparison(float(place), float(np.sqrt(spread) / push.sum()))


def faces(count: int, height: int = 60, width: int = 48) -> Floats:
    """Smooth coloured pictures about zero."""
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 400, (count, height, width, 3)).astype(np.float32)
    return np.stack([cv2.GaussianBlur(n, (0, 0), 3.0) for n in noise])


def mask_of(pictures: Floats) -> Floats:
    mask = np.ones(pictures.shape[1:3], np.float32)
    mask[[0, -1], :] = 0
    mask[:, [0, -1]] = 0
    mask[40:, 30:] = 0  # something hides a corner
    return mask


@pytest.mark.parametrize("shift", [(0, 0), (1, -1), (3, 2), (-2, 3)])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_many_at_once_as_by_definition(shift: tuple[int, int], share: float) -> None:
    first, *others = faces(4)
    mask = mask_of(faces(1))
    others[2] = first.copy()
    others[2][10:24, 8:30] += 60  # a face that differs in one place only
    rng = np.random.default_rng(5)
    seen = (0.7 * first + 0.7 * share * (others[0] - first)) + rng.normal(0, 8, first.shape)
    patch = np.roll(seen, shift, axis=(0, 1)).astype(np.float32) * mask[:, :, None]
    found = compare(patch, first, np.stack(others), mask, 4.5)
    for other, result in zip(others, found, strict=True):
        wanted = by_definition(patch, first, other, mask, 4.5)
        assert result.place == pytest.approx(wanted.place, abs=1e-4)
        assert result.deviation == pytest.approx(wanted.deviation, abs=1e-4)


def test_a_face_against_itself_cannot_be_told() -> None:
    first, other = faces(2)
    same, told = compare(first, first, np.stack([first, other]), mask_of(faces(1)))
    assert same == CANNOT_TELL
    assert told.place == pytest.approx(0.0, abs=0.05)
    assert told.margin(5.0) == 1.0


def test_exchanged_faces_give_the_reversed_comparison() -> None:
    first, second, third = faces(3)
    patch = (0.5 * first + 0.3 * second + 0.1 * third).astype(np.float32)
    mask = mask_of(faces(1))
    (there,) = compare(patch, first, second[None], mask)
    (back,) = compare(patch, second, first[None], mask)
    assert back.place == pytest.approx(there.reversed().place, abs=1e-4)
    assert back.deviation == pytest.approx(there.reversed().deviation, abs=1e-4)
