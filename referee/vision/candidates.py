"""Where else cards may lie, once the table plane is known: by votes seen from above, and beside sure cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Aligner, Doubles, Pyramid
from referee.vision.bare import BareTable
from referee.vision.correlate import correlations
from referee.vision.facebank import COARSE, FaceBank, Floats
from referee.vision.layers import LEAST_VISIBLE, PART_PRICE, hidden, rotation
from referee.vision.likeness import colour_scores
from referee.vision.places import Places
from referee.vision.plane import Bools, Plane, around
from referee.vision.screen import SCREEN, screen_of
from referee.vision.seeds import Votes
from referee.vision.verify import IN_PART, SAME_PLACE, Detections, Layers, same_place

OTHER_SIZE = 0.3
"""Natural logarithm of the ratio of sizes from which on a vote is for something of another size."""
MOST_VOTED = 200
"""Poses that come from votes at most."""
ANGLES = (-12.0, -6.0, 0.0, 6.0, 12.0)
"""Turns in degrees that are tried beside a card."""
SCREENED = (-8.0, 0.0, 8.0)
"""The same where no card lies on others."""
FOLLOWED, FOLLOWED_HIDDEN = 2, 8
"""How many guesses of face and place are followed beside a card, and where part is hidden."""
FOLLOWED_BY_COLOUR = 6
"""The same, of those whose colours fit best."""
LOOKED_AT = 6
"""Windows beside a card that are compared in full."""
FOLLOWED_GAP = 0.25
"""How much worse than the best (correlation) a guess may be."""


def voted(votes: Votes, plane: Plane, cards: Detections) -> Doubles:
    """Poses (N, 3) that two features or more vote for on the table, away from known cards.

    With the plane, a feature tells where its card's centre is without tilt, and the size of a card is known, so that
    few votes say much.
    """
    if not len(votes):
        return np.empty((0, 3))
    right_size = np.abs(np.log(np.maximum(votes.side, 1) / plane.side_at(votes.point))) < OTHER_SIZE
    part = votes.select(np.asarray(right_size))
    here = plane.table(part.point)
    ahead = plane.table(part.point + 0.1 * part.side[:, None] * np.stack([np.cos(part.angle), np.sin(part.angle)], 1))
    turn = np.arctan2(*(ahead - here).T[::-1])
    cos, sin = np.cos(turn), np.sin(turn)
    spot = here - np.stack(
        [cos * part.place[:, 0] - sin * part.place[:, 1], sin * part.place[:, 0] + cos * part.place[:, 1]], axis=1
    )
    known = plane.poses(cards.corners)[:, :2]
    apart = np.hypot(*(spot[:, None] - known[None]).transpose(2, 0, 1)).min(axis=1, initial=9.0) >= SAME_PLACE
    spot, feature, direction = spot[apart], part.feature[apart], np.exp(1j * turn[apart])
    free = np.ones(len(spot), dtype=bool)
    near_count = _count_near(spot)
    poses: list[list[float]] = []
    for i in np.argsort(-near_count, kind="stable"):
        if near_count[i] < 2 or len(poses) >= MOST_VOTED:
            break
        if not free[i]:
            continue
        close = free & (np.hypot(*(spot - spot[i]).T) < 0.25) & ((direction * np.conj(direction[i])).real > 0.87)
        free[i] = False
        if len(np.unique(feature[close])) < 2:
            continue
        free &= ~close
        poses.append([*spot[close].mean(axis=0), float(np.angle(direction[close].mean()))])
    return np.array(poses).reshape(-1, 3)


def _count_near(spot: Doubles) -> NDArray[np.intp]:
    """How many other points share each point's cell of a quarter card."""
    cell = np.floor(spot / 0.3).astype(np.int64)
    key = cell[:, 0] * 1_000_003 + cell[:, 1]
    _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse], dtype=np.intp)


def near_cards(
    pyramid: Pyramid,
    aligner: Aligner,
    plane: Plane,
    cards: Detections,
    before: Doubles | None = None,
    where: Places | None = None,
    bare: BareTable | None = None,
) -> Detections:
    """Guesses beside sure cards and under those that lie on others, in certain places only if `where` is given, and not
    where the table is known to be `bare`; see `beside` and `under`."""
    found = beside(pyramid, aligner, plane, cards, before, where, bare)
    return found.plus(under(pyramid, aligner, plane, cards, before, where))


def beside(
    pyramid: Pyramid,
    aligner: Aligner,
    plane: Plane,
    cards: Detections,
    before: Doubles | None = None,
    where: Places | None = None,
    bare: BareTable | None = None,
) -> Detections:
    """Guesses beside sure cards, found by sliding every face over the places next to each card.

    The window reaches 0.4 of a card to every side, and a few angles are tried. Places beside the poses `before`
    (M, 3) have been looked at already.
    """
    cells = those_in(where, cells_beside(plane, cards, pyramid.size, before), plane.aspect)
    if bare is not None:
        cells = cells[~bare.in_cells(cells)]
    return slide(pyramid, aligner, plane, cells, cards)


def those_in(where: Places | None, cells: Doubles, aspect: float) -> Doubles:
    """The cells (N, 3) from which a card could be found that lies in one of these places."""
    if where is None or not len(cells):
        return cells
    return np.asarray(cells[where.touched_by(cells, aspect)])


def cells_beside(
    plane: Plane,
    cards: Detections,
    size: tuple[int, int],
    before: Doubles | None = None,
    beyond: bool = False,
    gap: float = 0.05,
) -> Doubles:
    """Free poses (N, 3) straight beside cards, in the picture (size: width, height) at least in part, or, with
    `beyond`, also outside it. Cards at the poses `before` (M, 3) have been dealt with. gap: between the cards, relative
    to their size."""
    everywhere = poses = plane.poses(cards.corners)
    if before is not None and len(before):
        apart = np.hypot(*(poses[:, None, :2] - before[None, :, :2]).transpose(2, 0, 1)).min(axis=1)
        poses = poses[apart > 0.2]
    if not len(poses):
        return np.empty((0, 3))
    wide, high = 1 + gap, (1 + gap) * plane.aspect
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    cells = np.concatenate(
        [
            np.stack([poses[:, 0] + cos * dx - sin * dy, poses[:, 1] + sin * dx + cos * dy, poses[:, 2]], 1)
            for dx, dy in ((wide, 0.0), (-wide, 0.0), (0.0, high), (0.0, -high))
        ]
    )
    taken = np.hypot(*(cells[:, None, :2] - everywhere[None, :, :2]).transpose(2, 0, 1)).min(axis=1) < 0.7
    cells = cells[~taken & (beyond | _inside(plane.outlines(cells), size))]
    kept: list[int] = []
    for i in range(len(cells)):
        if not kept or np.hypot(*(cells[kept, :2] - cells[i, :2]).T).min() > 0.3:
            kept.append(i)
    return np.asarray(cells[kept])


def under(
    pyramid: Pyramid,
    aligner: Aligner,
    plane: Plane,
    cards: Detections,
    before: Doubles | None = None,
    where: Places | None = None,
) -> Detections:
    """Guesses of cards that peek out from under cards that lie on others; `before`: as for `beside`.

    Only the search is led by how such cards are usually laid; what is found there must show by itself.
    """
    upper = cards.select(aligner.bank.lies_on_others[cards.face])
    poses = plane.poses(upper.corners)
    if before is not None and len(before) and len(poses):
        gap = np.hypot(*(poses[:, None, :2] - before[None, :, :2]).transpose(2, 0, 1)).min(axis=1)
        poses = poses[gap > 0.1]
    if not len(poses):
        return Detections.none()
    cells = those_in(where, cells_under(plane, poses, plane.poses(cards.corners)), plane.aspect)
    return slide(pyramid, aligner, plane, cells, cards, reach=0.3)


def cells_under(plane: Plane, upper: Doubles, known: Doubles) -> Doubles:
    """Poses (N, 3) that a card half under those at `upper` (M, 3) may have and that no `known` one (K, 3) takes."""
    half, tall = 0.5, 0.5 * plane.aspect
    steps = [(0.0, half, 1), (0.0, -half, 1), (tall, 0.0, 1), (-tall, 0.0, 1)]
    steps += [(half, 0.0, 0), (-half, 0.0, 0), (0.0, tall, 0), (0.0, -tall, 0)]
    places = around(upper, np.array([[dx, dy] for dx, dy, _ in steps]))
    cells = np.concatenate(
        [np.column_stack([places[:, k], upper[:, 2] + step[2] * np.pi / 2]) for k, step in enumerate(steps)]
    )
    return np.asarray(cells[~same_place(cells, known, plane.aspect).any(axis=1)])


def slide(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, cells: Doubles, cards: Detections, reach: float = 0.4
) -> Detections:
    """The likeliest faces and places near each of `cells` (N, 3), by correlation at `COARSE` pixels a card.

    What lies under known cards is left out.
    """
    cells = cells[_inside(plane.outlines(cells), pyramid.size)] if len(cells) else cells
    if not len(cells):
        return Detections.none()
    bank = aligner.bank
    if not bank.has_upper:
        return _slide_open(pyramid, bank, plane, cells, cards, reach)
    templates = bank.at(COARSE, 0.7)
    width, height = templates.size
    border = 2 * round(reach * COARSE / 2)
    size = (width + 2 * border, height + 2 * border)
    angles = np.deg2rad(ANGLES)
    tried = np.repeat(cells, len(angles), axis=0)
    tried[:, 2] += np.tile(angles, len(cells))
    windows = pyramid.cut(_scaled_outlines(plane, tried, size[0] / width, size[1] / height), size)
    layers = Layers.of(pyramid, bank, plane, cards)
    over = layers.poses[layers.rank > IN_PART]
    column, row = np.meshgrid(np.arange(size[0]) + 0.5 - size[0] / 2, np.arange(size[1]) + 0.5 - size[1] / 2)
    pixels = np.stack([column, row], axis=-1) / COARSE
    offsets = range(0, 2 * border + 1, 2)
    shift = (np.array(offsets) - border) / COARSE
    # (angles, rows, columns, 3) poses of all windows about a cell at the origin
    spots = np.stack(np.meshgrid(shift, shift), axis=-1)
    poses, faces, scored, visible = [], [], [], []
    for i in range(len(cells)):
        block = windows[i * len(angles) : (i + 1) * len(angles)]
        patches = _patches(block, offsets, width, height).reshape(-1, height, width, 3)
        near = over[np.hypot(*(over[:, :2] - cells[i, :2]).T) < 2 * plane.aspect + reach]
        shows, share = None, np.ones(len(patches), np.float32)
        if len(near):
            free = [
                ~hidden(pixels @ rotation(pose[2]).T + pose[:2], near, plane.aspect)
                for pose in tried[i * len(angles) : (i + 1) * len(angles)]
            ]
            shows = _patches(np.array(free, dtype=np.float32), offsets, width, height).reshape(-1, height, width)
            share = (shows * templates.mask).sum(axis=(1, 2)) / templates.mask.sum()
        scores = correlations(patches, templates, bank.turns, shows)
        # The less shows, the likelier it resembles some part of some face by chance.
        scores = np.where(share[:, None, None] < LEAST_VISIBLE, -1, scores - PART_PRICE * (1 - share)[:, None, None])
        centres = np.concatenate(
            [spots.reshape(-1, 2) @ rotation(p[2]).T + p[:2] for p in tried[i * len(angles) : (i + 1) * len(angles)]]
        )
        heading = np.repeat(tried[i * len(angles) : (i + 1) * len(angles), 2], len(spots) ** 2)
        peaks = _peaks(scores, centres, FOLLOWED_HIDDEN if len(near) else FOLLOWED)
        if layers.light is not None:
            mask = np.broadcast_to(templates.mask, patches.shape[:3]) if shows is None else shows * templates.mask
            here = np.repeat(plane.outlines(cells[i : i + 1]), len(patches), axis=0)
            like = colour_scores(patches, mask, templates, bank.turns, layers.light, here)
            like[share < LEAST_VISIBLE] = -9
            peaks += [p for p in _peaks(like, centres, FOLLOWED_BY_COLOUR, 9.0) if p not in peaks]
        for window, turn, face in peaks:
            poses.append([*centres[window], heading[window] + bank.turns[turn] * np.pi / 2])
            faces.append(face)
            scored.append(scores[window, turn, face])
            visible.append(share[window])
    return Detections(
        plane.outlines(np.array(poses)),
        np.array(faces, dtype=np.intp),
        np.array(scored, dtype=np.float32),
        np.array(visible, dtype=np.float32),
    )


def _slide_open(
    pyramid: Pyramid, bank: FaceBank, plane: Plane, cells: Doubles, cards: Detections, reach: float
) -> Detections:
    """As `slide`, in decks of which no card lies on others: after a screening few windows are compared in full."""
    screen = screen_of(bank)
    width, height = screen.size
    border = round(reach * SCREEN)
    size = (width + 2 * border, height + 2 * border)
    angles = np.deg2rad(SCREENED)
    tried = np.repeat(cells, len(angles), axis=0)
    tried[:, 2] += np.tile(angles, len(cells))
    views = pyramid.cut(_scaled_outlines(plane, tried, size[0] / width, size[1] / height), size)
    windows = np.lib.stride_tricks.sliding_window_view(views, (height, width), axis=(1, 2)).transpose(0, 1, 2, 4, 5, 3)
    gain = float(np.median(screen.gains(pyramid, cards.corners, cards.face))) if len(cards) else 0.0
    steps = windows.shape[1:3]
    promising, scores = screen.look(windows.reshape(-1, height, width, 3), gain)
    view, row, column = np.unravel_index(promising, (len(tried), *steps))
    shift = (np.stack([column, row], axis=1) - border) / SCREEN
    cos, sin = np.cos(tried[view, 2]), np.sin(tried[view, 2])
    poses = tried[view].copy()
    poses[:, 0] += cos * shift[:, 0] - sin * shift[:, 1]
    poses[:, 1] += sin * shift[:, 0] + cos * shift[:, 1]
    best = scores.max(axis=1, initial=-1)
    order = np.argsort(-best, kind="stable")
    cell = view[order] // len(angles)
    first = np.concatenate([order[cell == i][:LOOKED_AT] for i in range(len(cells))])
    cell, poses = view[first] // len(angles), poses[first]
    templates = bank.at(COARSE, 0.7)
    full = correlations(pyramid.cut(plane.outlines(poses), templates.size), templates, bank.turns)
    found, faces, scored = [], [], []
    for i in range(len(cells)):
        mine = np.flatnonzero(cell == i)
        for window, turn, face in _peaks(full[mine], poses[mine, :2], FOLLOWED) if len(mine) else ():
            found.append(poses[mine[window]] + [0, 0, bank.turns[turn] * np.pi / 2])
            faces.append(face)
            scored.append(full[mine[window], turn, face])
    return Detections(
        plane.outlines(np.array(found).reshape(-1, 3)),
        np.array(faces, dtype=np.intp),
        np.array(scored, dtype=np.float32),
        np.ones(len(found), np.float32),
    )


def _peaks(scores: Floats, centres: Doubles, most: int, gap: float = FOLLOWED_GAP) -> list[tuple[int, int, int]]:
    """The best (window, turn, face) triples, at most so many, that differ in the face, the turn or the place."""
    flat = scores.max(axis=0).reshape(-1)
    windows = scores.argmax(axis=0).reshape(-1)
    kept: list[tuple[int, int, int]] = []
    for o in np.argsort(-flat, kind="stable")[: 8 * most]:
        turn, face = divmod(int(o), scores.shape[2])
        if flat[o] < float(flat.max()) - gap or (gap == FOLLOWED_GAP and flat[o] < 0.1):
            break
        alike = [k for k in kept if k[1] == turn and np.abs(centres[k[0]] - centres[windows[o]]).max() < 0.07]
        if len(alike) < 2:  # two faces a place are enough: alignment compares all of them again
            kept.append((int(windows[o]), turn, face))
        if len(kept) == most:
            break
    return kept


def _patches(block: Floats, offsets: range, width: int, height: int) -> Floats:
    """(B, O*O, h, w, ...) windows of (B, H, W, ...) at all pairs of offsets, row by row."""
    return np.stack([block[:, y : y + height, x : x + width] for y in offsets for x in offsets], axis=1)


def _scaled_outlines(plane: Plane, poses: Doubles, wider: float, higher: float) -> Doubles:
    half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * [wider, higher * plane.aspect]
    return plane.image(around(poses, half))


def _inside(corners: Doubles, size: tuple[int, int]) -> Bools:
    """Whether a good part of a quad lies in the picture: its centre, or nearly."""
    centre = corners.mean(axis=1)
    slack = 0.2 * np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)[:, None]
    within = ((centre > -slack) & (centre < np.array(size) + slack)).all(axis=1)
    return np.asarray(within & np.isfinite(corners).all(axis=(1, 2)))
