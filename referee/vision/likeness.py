"""Does a place have a card's very colours? A squared error against what the face must look like in this light.

Correlation says nothing about a plain face: an empty cardboard box correlates with any soft shadow. But the sure cards
of a photograph show how this light changes the deck's colours, and so what another card must look like beside them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pyramid
from referee.vision.facebank import Bools, Floats, Templates, planar

BRIGHTER = (0.6, 1.6)
"""How much darker or brighter than the sure cards near it a card may be (shadow, lamp)."""
COMPARED = 8
"""How many faces are compared by colour, those that correlate best."""
TOGETHER = 32
"""How many pictures are gone through together: as many as the processor's cache holds."""
OFF_PRICE = 0.3
"""What is taken off the correlation for each time the error of the colours exceeds the usual one, or added if less."""
BEST_ERROR = 0.5
"""Error, in units of the usual one, below which colours do not fit any better."""
EVEN = 0.03
"""Resistance to brightness that rises or falls across a card, relative to the evidence of the whole card."""
VEIL = 0.03
"""Resistance to a veil of white light over a card (glare, haze), the same."""
LEAST_ERROR = 9.0
"""Grey levels of error that are always allowed: noise, print, alignment."""


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """How this photograph shows the deck's colours. centre: (M, 2) px of sure cards; sums: (M, 3, 5) per channel the
    sums over pixels of one, face, face squared, picture and their product; usual: grey levels by which sure cards are
    off themselves; contrast: of their faces, grey levels."""

    centre: Doubles
    sums: Doubles
    usual: float
    contrast: float

    @classmethod
    def of(
        cls, pyramid: Pyramid, templates: Templates, corners: Doubles, face: NDArray[np.intp], shows: Floats
    ) -> Light | None:
        """From sure cards (M, 4, 2), their faces (M,) and what shows of them (M, h, w); None without any."""
        if not len(corners):
            return None
        patches = planar(pyramid.cut(corners, templates.size))
        faces = templates.planes[face]
        mask = shows.reshape(len(shows), 1, -1)
        drawn, seen = faces * mask, patches * mask
        products = [np.einsum("nck,nck->nc", *pair) for pair in ((drawn, drawn), (drawn, seen))]
        area = np.broadcast_to(mask.sum(axis=2), (len(mask), 3))
        sums = np.stack([area, drawn.sum(axis=2), products[0], seen.sum(axis=2), products[1]], axis=-1)
        contrast = float(np.median(templates.contrasts[face]))
        light = cls(corners.mean(axis=1), sums.astype(np.float64), LEAST_ERROR, contrast)
        error, _ = light.errors(patches, faces, shows, corners)
        return cls(light.centre, light.sums, max(LEAST_ERROR, float(np.percentile(error, 75))), contrast)

    def usual_for(self, templates: Templates, face: NDArray[np.intp]) -> Doubles:
        """(N,) grey levels by which true cards of faces (N,) are off: print of more contrast is so by more."""
        return np.asarray(self.usual * np.maximum(templates.contrasts[face] / self.contrast, 1.0))

    def errors(self, patches: Floats, faces: Floats, shows: Floats, corners: Doubles) -> tuple[Floats, Floats]:
        """(N,) root mean square error in grey levels of pictures (N, 3, h*w) against faces (N, 3, h*w) in this light,
        where a card shows (N, h, w; 0 or 1), and (N,) their brightness relative to the sure cards near by."""
        gain, offset = (values.astype(np.float32)[:, :, None] for values in self.at(corners))
        count, height, width = shows.shape
        mask = shows.reshape(count, -1)
        wanted = faces * gain
        wanted += offset
        np.maximum(wanted, 0, out=wanted)
        wanted *= mask[:, None]
        seen = patches * mask[:, None]
        energy = np.einsum("nck,nck->n", seen, seen)
        total, sight = wanted.sum(axis=1), seen.sum(axis=(1, 2))
        product = (wanted * seen).sum(axis=1)
        square = np.square(wanted, out=wanted).sum(axis=1)
        ramp, pairs = _ramps(height, width)
        normal = np.empty((count, 4, 4))
        normal[:, :3, :3] = (square @ pairs).reshape(-1, 3, 3)
        normal[:, :3, 3] = normal[:, 3, :3] = total @ ramp
        area = 3 * mask.sum(axis=1)
        normal[:, 3, 3] = area
        target = np.column_stack([product @ ramp, sight]).astype(np.float64)
        # Light falls off slowly: a steep ramp of brightness across a card would explain anything, and so would a veil.
        even = np.diag([0.0, EVEN, EVEN, 0.0]) * normal[:, :1, :1]
        stiff = normal + even + np.diag([0, 0, 0, VEIL]) * normal[:, 3:, 3:] + 1e-3 * np.eye(4)
        start = np.array([1.0, 0.0, 0.0, 0.0])
        fit = start + np.linalg.solve(stiff, (target - stiff @ start)[..., None])[..., 0]
        bright = np.clip(fit[:, 0], *BRIGHTER)
        fit[:, 0] = bright
        # The square of (picture - shade * wanted - veil), summed without going through the pixels again.
        rest = energy - 2 * (fit * target).sum(axis=1)
        rest += np.einsum("ni,nij,nj->n", fit, normal, fit) + VEIL * normal[:, 3, 3] * fit[:, 3] ** 2
        error = np.maximum(rest, 0) / np.maximum(area, 1.0)
        return np.sqrt(error).astype(np.float32), bright.astype(np.float32)

    def plain_errors(self, patches: Floats, faces: Floats, shows: Floats, corners: Doubles) -> Floats:
        """(N,) as `errors`, with an even brightness as all that is free: what table that looks alike does not reach."""
        gain, offset = (values.astype(np.float32)[:, :, None] for values in self.at(corners))
        mask = shows.reshape(len(shows), 1, -1)
        wanted, seen = np.maximum(faces * gain + offset, 0) * mask, patches * mask
        square, product, energy = (
            np.einsum("nck,nck->n", *pair) for pair in ((wanted, wanted), (wanted, seen), (seen, seen))
        )
        bright = np.clip(product / np.maximum(square, 1.0), *BRIGHTER)
        rest = energy - bright * (2 * product - bright * square)
        error = np.maximum(rest, 0) / np.maximum(3 * mask.sum(axis=(1, 2)), 1.0)
        return np.asarray(np.sqrt(error), dtype=np.float32)

    def at(self, corners: Doubles) -> tuple[Doubles, Doubles]:
        """(N, 3) gain and offset of each channel, picture over face, at quads (N, 4, 2) px; near cards count more."""
        centre = corners.mean(axis=1)
        side = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
        far = np.hypot(*(centre[:, None] - self.centre[None]).transpose(2, 0, 1)) / side[:, None]
        weight = 1 / (1 + far**2)
        n, f, ff, p, fp = np.moveaxis(np.einsum("nm,mck->nck", weight, self.sums), -1, 0)
        gain = (n * fp - f * p) / np.maximum(n * ff - f * f, 1e-3)
        gain = np.clip(gain, 0.05, 3.0)
        return gain, (p - gain * f) / np.maximum(n, 1e-6)


@lru_cache(maxsize=16)
def _ramps(height: int, width: int) -> tuple[Floats, Floats]:
    """(h*w, 3) one, x and y from -1 to 1 at each pixel, and (h*w, 9) their products in pairs."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    ramp = np.stack([np.ones_like(x), x, y], axis=-1).reshape(-1, 3)
    return ramp, (ramp[:, :, None] * ramp[:, None, :]).reshape(-1, 9)


def likeliest(
    patches: Floats,
    shows: Floats,
    templates: Templates,
    scores: Floats,
    turns: tuple[int, ...],
    light: Light,
    corners: Doubles,
    judged: Bools,
) -> Floats:
    """Correlations (N, T, F) less what the colours of the best few faces are off in this light.

    patches: (N, h, w, 3); shows: (N, h, w); corners: (N, 4, 2) px;
    judged: (F,) which faces are judged by colour. A plain face may correlate less with its own
    picture than a richer one does that resembles a neighbour's edge; its colours tell.
    """
    count, faces = len(patches), scores.shape[2]
    flat = scores.reshape(count, -1)
    top = np.argsort(-flat, axis=1, kind="stable")[:, :COMPARED]
    row = np.repeat(np.arange(count), top.shape[1])
    turn, face = np.divmod(top.ravel(), faces)
    error = np.empty(len(row), np.float32)
    for start in range(0, len(row), TOGETHER):
        some = slice(start, start + TOGETHER)
        turned = np.empty((len(row[some]), *patches.shape[1:]), np.float32)
        mask = np.empty((len(row[some]), *shows.shape[1:]), np.float32)
        for k, quarter in enumerate(turns):
            of_turn = turn[some] == k
            turned[of_turn] = np.rot90(patches[row[some][of_turn]], quarter, axes=(1, 2))
            mask[of_turn] = np.rot90(shows[row[some][of_turn]], quarter, axes=(1, 2))
        error[some], _ = light.errors(planar(turned), templates.planes[face[some]], mask, corners[row[some]])
    out = np.full_like(flat, -1.0)
    price = OFF_PRICE * (np.maximum(error / light.usual, BEST_ERROR) - 1)
    out[row, top.ravel()] = flat[row, top.ravel()] - np.where(judged[face], price, 0)
    return np.asarray(out.reshape(scores.shape))


def colour_scores(
    patches: Floats, mask: Floats, templates: Templates, turns: tuple[int, ...], light: Light, corners: Doubles
) -> Floats:
    """(N, T, F) minus the error of the colours of all faces in units of the usual one, brightness being free.

    patches: (N, h, w, 3) from quads `corners` (N, 4, 2) px; mask: (N, h, w) what shows of them. The light is taken off
    the picture, so that one product compares it with all faces: with p the face and o the picture, the best brightness
    leaves |o|^2 - (o.p)^2 / |p|^2.
    """
    gain, offset = (values.astype(np.float32)[:, :, None] for values in light.at(corners))
    flat = mask.reshape(len(mask), -1)
    plain = planar(patches)
    plain -= offset
    plain /= gain
    plain *= flat[:, None]
    plain = plain.reshape(len(patches), -1)
    rows = templates.drawn_turned(turns)
    energy = np.einsum("nk,nk->n", plain, plain)
    of_faces = np.maximum(flat @ templates.energies(turns, drawn=True), 1.0)
    product = plain @ rows.T
    bright = np.clip(product / of_faces, *BRIGHTER)
    rest = energy[:, None] - bright * (2 * product - bright * of_faces)
    error = np.sqrt(np.maximum(rest, 0) / np.maximum(3 * flat.sum(axis=1), 1.0)[:, None]) * gain.mean(axis=1)
    return np.asarray(-error.reshape(len(patches), len(turns), -1) / light.usual)
