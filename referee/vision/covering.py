"""How much a candidate is worth when part of it is hidden: under other cards, a hand or a pen, or outside the picture.

Cards of a deck look alike, so the picture half-way between two cards resembles a card as well; what is left of it
when the sure cards are taken away does not. And a card under a pencil resembles its face badly as a whole, but
exactly where the pencil is not.
"""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.align import Doubles, Pyramid
from referee.vision.facebank import FINE, FaceBank, Floats, Templates, normalise
from referee.vision.plane import Plane
from referee.vision.verify import IS_CARD, Detections

COVERED = 0.12
"""Share of a card's area that must be hidden for only the rest of it to be compared (range 0..1)."""
LEAST_VISIBLE = 0.25
"""Share of a card that must show beside other cards for it to be found (range 0..1)."""
LEAST_BESIDE_THINGS = 0.55
"""The same beside things that are no cards, which are only guessed from the misfit (range 0..1)."""
FITS_BESIDE_THINGS = 0.86
"""Correlation that the rest of such a card must reach (range 0..1)."""
PART_PRICE = 0.25
"""What is taken off the correlation of a card that hardly shows (0..1), in proportion to what is hidden."""
PALE, PALE_IN_PART, STRONG = 0.4, 0.6, 2.5
"""Contrast of a weak candidate, relative to the sure cards', outside of which it is no card of this deck."""
BLOWN = 250
"""Grey level from which on a pixel has lost its colour to glare."""
DARKER, LIGHTER = 0.6, 1.7
"""The same for its lightness, relative to the nearest sure cards (per colour channel)."""
_BLUR = 0.6


def weigh(pyramid: Pyramid, bank: FaceBank, plane: Plane, fresh: Detections, cards: Detections) -> Detections:
    """Score candidates by what shows of them beside `cards` and each other; set `visible`.

    Those that hardly show, or whose colours are not those of a card in this light, get the score 0.
    """
    if not len(fresh):
        return fresh
    templates = bank.at(FINE, _BLUR)
    shows = _shown(pyramid, plane, templates, fresh, cards)
    total = float(templates.mask.sum())
    share = shows.sum(axis=(1, 2)) / total
    patches = pyramid.cut(fresh.corners, templates.size)
    score, face = fresh.score.copy(), fresh.face.copy()
    for i in range(len(fresh)):
        if share[i] < LEAST_VISIBLE:
            score[i] = 0
            continue
        if share[i] <= 1 - COVERED:
            scores = normalise(patches[i : i + 1], shows[i])[0] @ normalise(templates.images, shows[i]).T
            # The less shows, the better it must fit: a part resembles some part of some face by chance.
            face[i], score[i] = int(scores.argmax()), float(scores.max()) - PART_PRICE * (1 - share[i])
        if 0.35 < score[i] < FITS_BESIDE_THINGS:
            free = _fitting(patches[i], templates.images[face[i]], shows[i])
            if free.sum() / total >= LEAST_BESIDE_THINGS and free.sum() < 0.97 * shows[i].sum():
                fit = _correlation(patches[i], templates.images[face[i]], free)
                if fit >= FITS_BESIDE_THINGS:
                    score[i], share[i] = max(score[i], IS_CARD, fit - 0.1), free.sum() / total
    # A weak likeness must at least have a card's colours in this light, unless glare has taken them.
    blown = (patches.min(axis=3) >= BLOWN).mean(axis=(1, 2)) > 0.4
    contrast, lightness = _against_known(patches, templates, fresh, cards, pyramid)
    plain = share > 1 - COVERED
    light = (lightness > DARKER).all(axis=1) & (lightness < LIGHTER).all(axis=1)
    right = light & (contrast > np.where(plain, PALE, PALE_IN_PART)) & (contrast < STRONG)
    score[(score < IS_CARD + 0.1) & ~right & ~blown] = 0
    return Detections(fresh.corners, face, score.astype(np.float32), share.astype(np.float32))


def _shown(pyramid: Pyramid, plane: Plane, templates: Templates, fresh: Detections, cards: Detections) -> Floats:
    """(N, h, w) which pixels of each candidate are in the picture and under no card or better candidate."""
    width, height = templates.size
    poses = np.concatenate([plane.poses(fresh.corners), plane.poses(cards.corners)])
    rank = np.concatenate([fresh.score, cards.score + 1])
    column, row = np.meshgrid((np.arange(width) + 0.5) / width - 0.5, (np.arange(height) + 0.5) / height - 0.5)
    pixels = np.stack([column, row * plane.aspect], axis=-1)
    shows = np.repeat(templates.mask[None], len(fresh), axis=0)
    for i in range(len(fresh)):
        x, y, turn = poses[i]
        spots = pixels @ _turned(turn).T + [x, y]
        near = (rank > rank[i]) & (np.hypot(*(poses[:, :2] - [x, y]).T) < 1.5 * plane.aspect)
        for rx, ry, other in poses[near]:
            local = (spots - [rx, ry]) @ _turned(other)
            shows[i][(np.abs(local[..., 0]) < 0.5) & (np.abs(local[..., 1]) < 0.5 * plane.aspect)] = 0
        outline = fresh.corners[i]
        if (outline < 0).any() or (outline > np.array(pyramid.size)).any():
            seen = plane.image(spots)
            shows[i][((seen < 0) | (seen > np.array(pyramid.size) - 1)).any(axis=-1)] = 0
    return shows


def _turned(angle: float) -> Doubles:
    """(2, 2) rotation by `angle` radians clockwise (y down)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def _fitting(patch: Floats, template: Floats, shows: Floats) -> Floats:
    """(h, w) the pixels in which the picture follows the face, found by trimming the misfits again and again."""
    inside = shows > 0
    for _ in range(4):
        residual = np.zeros(inside.shape, np.float32)
        for channel in range(3):
            t, p = template[..., channel], patch[..., channel]
            tm, pm = t[inside].mean(), p[inside].mean()
            gain = ((t[inside] - tm) * (p[inside] - pm)).sum() / max(float(((t[inside] - tm) ** 2).sum()), 1e-3)
            residual = np.maximum(residual, np.abs(p - pm - np.clip(gain, 0.1, 2.0) * (t - tm)))
        typical = float(np.median(residual[shows > 0]))
        misfit = ((residual > max(3.0 * typical, 18.0)) & (shows > 0)).astype(np.uint8)
        specks_gone = cv2.morphologyEx(misfit, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        fresh = (shows > 0) & (cv2.dilate(specks_gone, np.ones((3, 3), np.uint8)) == 0)
        if fresh.sum() < 0.3 * (shows > 0).sum():
            break
        if (fresh == inside).all():
            break
        inside = fresh
    return inside.astype(np.float32)


def _correlation(patch: Floats, template: Floats, mask: Floats) -> float:
    return float(normalise(patch[None], mask)[0] @ normalise(template[None], mask)[0])


def _against_known(
    patches: Floats, templates: Templates, fresh: Detections, cards: Detections, pyramid: Pyramid
) -> tuple[Doubles, Doubles]:
    """(N,) contrast and (N, 3) mean colour of candidates relative to the sure cards near them; 1 for the same."""
    if not len(cards):
        return np.ones(len(fresh)), np.ones((len(fresh), 3))
    gain, mean = _light(patches, templates, fresh)
    known_gain, known_mean = _light(pyramid.cut(cards.corners, templates.size), templates, cards)
    centre, known = fresh.corners.mean(axis=1), cards.corners.mean(axis=1)
    distance = np.hypot(*(centre[:, None] - known[None]).transpose(2, 0, 1))
    nearest = np.argsort(distance, axis=1)[:, :4]
    contrast = gain / np.maximum(np.median(known_gain[nearest], axis=1), 0.02)
    return contrast, mean / np.maximum(np.median(known_mean[nearest], axis=1), 0.02)


def _light(patches: Floats, templates: Templates, cards: Detections) -> tuple[Doubles, Doubles]:
    """(N,) gain of contrast and (N, 3) ratio of the mean colours, picture over face."""
    mask = templates.mask[None, :, :, None]
    total = float(templates.mask.sum())
    faces = templates.images[cards.face]
    face_mean, picture_mean = (faces * mask).sum((1, 2)) / total, (patches * mask).sum((1, 2)) / total
    a = (faces - face_mean[:, None, None]) * mask
    b = (patches - picture_mean[:, None, None]) * mask
    gain = (a * b).sum((1, 2, 3)) / np.maximum((a**2).sum((1, 2, 3)), 1e-3)
    return gain.astype(np.float64), (picture_mean / np.maximum(face_mean, 4.0)).astype(np.float64)
