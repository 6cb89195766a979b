"""How well pictures of cards agree with faces: normalised correlation as a few matrix products, hidden parts left out.

The zero-mean normalised cross-correlation of Lewis, "Fast Normalized Cross-Correlation" (1995), with the mean taken
off in each colour channel, so that exposure and a tint of the light do not matter; with a mask for each picture it is
Padfield's masked form (CVPR 2010): means and energies of the faces are taken over the visible pixels only.
"""

from __future__ import annotations

import numpy as np

from referee.vision.facebank import Bools, Floats, Templates, normalise

LEAST_PIXELS = 12.0
"""Visible pixels below which nothing can be compared: the correlation is 0."""


def correlations(
    patches: Floats,
    templates: Templates,
    turns: tuple[int, ...],
    shows: Floats | None = None,
    faces: Bools | None = None,
) -> Floats:
    """(N, T, F) correlation of each picture with each face at each turn, -1..1.

    patches: (N, h, w, 3), rectified at the size of `templates`. turns: quarter turns by which the picture is turned
    against the face (the picture's corner `turn` is then the face's top left). shows: (N, h, w) 1 where a picture
    shows the card, 0 where something hides it; None: all of it shows. faces: which of the
    deck's F faces are compared, if not all, where all of the picture shows.
    """
    count = len(patches)
    rows = templates.turned(turns)
    if not count:
        compared = len(templates.images) if faces is None else int(faces.sum())
        return np.zeros((0, len(turns), compared), np.float32)
    if shows is None:
        if faces is not None:
            rows = rows.reshape(len(turns), len(faces), -1)[:, faces].reshape(-1, rows.shape[1])
        scores = normalise(patches, templates.mask) @ rows.T
        return np.asarray(scores.reshape(count, len(turns), len(rows) // len(turns)))
    mask = (shows * templates.mask).reshape(count, -1)
    pixels = mask.sum(axis=1)
    visible = np.maximum(pixels, LEAST_PIXELS)
    flat = patches.reshape(count, mask.shape[1], 3)
    mean = np.matmul(mask[:, None, :], flat) / visible[:, None, None]
    seen = ((flat - mean) * mask[:, :, None]).reshape(count, -1)
    energy = np.einsum("nk,nk->n", seen, seen)
    face_energy = mask @ templates.energies(turns)
    for channel in templates.channels(turns):
        face_energy -= (mask @ channel) ** 2 / visible[:, None]
    floor = 1e-4 * visible / max(float(templates.mask.sum()), 1.0)
    scale = np.sqrt(np.maximum(energy, 1.0)[:, None] * np.maximum(face_energy, floor[:, None]))
    scores = np.where((pixels < LEAST_PIXELS)[:, None], 0, seen @ rows.T / scale)
    return np.asarray(scores.reshape(count, len(turns), len(rows) // len(turns)), dtype=np.float32)
