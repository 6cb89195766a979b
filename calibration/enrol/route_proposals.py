"""Cat and Mouse: arrows, points, Start and Finish of each face."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.proposal import SURE, Proposal
from referee.features.arrows import ArrowReading, read_arrows
from referee.features.glyphs import Glyph, blobs, find_glyphs
from referee.features.words import Word, find_words

Pixels = NDArray[np.uint8]

WORD = 0.6
"""Belief from which on a word is one."""
VALUED = 0.5
"""Belief in a digit below which a face has no value where the others have theirs."""
UNUSUAL = 0.04
"""How much less than usual an arrow may look like one and still be sure."""
SAME_PLACE = 0.07
"""How far apart, in card widths, the values of two faces of one deck may stand."""


def propose_routes(pictures: Sequence[Pixels], counts: Sequence[int]) -> list[Proposal]:
    """A proposal for each face (h, w, 3) BGR."""
    arrows = [read_arrows(picture) for picture in pictures]
    words, glyphs = [], []
    for picture in pictures:
        layers = blobs(picture)
        words.append(find_words(picture, layers))
        glyphs.append(find_glyphs(picture, layers))
    likely = [k for k, reading in enumerate(arrows) if reading.arrows]
    place = value_place([glyphs[k] for k in likely])
    valued = [max((g.digit_belief for g in each if place and _near(g, place)), default=0.0) for each in glyphs]
    kinds = _kinds(arrows, words, valued, counts)
    moves = [k for k, (kind, _) in enumerate(kinds) if kind == "move"]
    place = value_place([glyphs[k] for k in moves])
    out = []
    for k, (kind, kind_sure) in enumerate(kinds):
        if kind != "move":
            unsure = () if kind_sure >= SURE else ("kind",)
            out.append(Proposal(kind, kind, {"arrows": [], "points": 0}, kind_sure, unsure))
            continue
        points, points_sure = read_value(glyphs[k], place)
        arrows_sure = _arrow_sure(arrows[k])
        named = {"kind": kind_sure, "arrows": arrows_sure, "points": points_sure}
        chosen = arrows[k].arrows or ("up",)
        out.append(
            Proposal(
                f"{'+'.join(chosen)}-{points}",
                kind,
                {"arrows": list(chosen), "points": points},
                min(named.values()),
                tuple(name for name, sure in named.items() if sure < SURE),
            )
        )
    return out


def _arrow_sure(reading: ArrowReading) -> float:
    """0..1: like an arrow, and more than like one of another direction."""
    if not reading.arrows:
        return 0.0
    alike = np.clip((reading.score - 0.65) / 0.2, 0, 1)
    clear = np.clip((reading.score - reading.second) / 0.06, 0, 1)
    return float(alike * clear)


def _kinds(
    arrows: Sequence[ArrowReading], words: Sequence[Sequence[Word]], valued: Sequence[float], counts: Sequence[int]
) -> list[tuple[str, float]]:
    """move, start or finish for each face, and how sure: a word and no value, an arrow like the others' and a value.

    valued: belief that there is a digit where the deck's values stand.
    """
    scores = [a.score for a in arrows if a.arrows]
    usual = float(np.median(scores)) if scores else 1.0
    start = np.array([max((w.start for w in each), default=0.0) for each in words])
    finish = np.array([max((w.finish for w in each), default=0.0) for each in words])
    named = np.maximum(start, finish)
    out: list[tuple[str, float]] = []
    for k, reading in enumerate(arrows):
        as_usual = bool(reading.arrows) and reading.score > usual - UNUSUAL
        if named[k] > WORD and (valued[k] < VALUED or not as_usual):
            out.append(("start" if start[k] >= finish[k] else "finish", float(named[k])))
        elif not reading.arrows or (valued[k] < VALUED and not as_usual):
            out.append(("?", 0.3))
        else:
            out.append(("move", 1.0 if as_usual else 0.5 + 0.5 * valued[k]))
    # One Start and one Finish are usual: what is neither named nor an arrow is the one that is missing.
    for missing in ("start", "finish"):
        open_faces = [k for k, (kind, _) in enumerate(out) if kind == "?"]
        if open_faces and all(kind != missing for kind, _ in out):
            by = start if missing == "start" else finish
            best = max(open_faces, key=lambda k: (float(by[k]), counts[k]))
            out[best] = (missing, 0.55 if len(open_faces) == 1 else 0.3)
    return [("move", 0.0) if kind == "?" else (kind, sure) for kind, sure in out]


def value_place(faces: Sequence[Sequence[Glyph]]) -> tuple[float, float, float] | None:
    """Where the values of a deck stand (x, y, height, in card widths): where most faces have something like a digit."""
    spots = [(g.centre[0], g.centre[1], g.height) for glyphs in faces for g in glyphs if g.digit_belief > 0.3]
    if not spots:
        return None

    def support(spot: tuple[float, float, float]) -> float:
        return sum(max((g.digit_belief for g in glyphs if _near(g, spot)), default=0.0) for glyphs in faces)

    best = max(spots, key=support)
    mine = [g for glyphs in faces for g in glyphs if _near(g, best) and g.digit_belief > 0.3]
    middle = np.median([(g.centre[0], g.centre[1], g.height) for g in mine], axis=0)
    return float(middle[0]), float(middle[1]), float(middle[2])


def _near(glyph: Glyph, spot: tuple[float, float, float]) -> bool:
    apart = np.hypot(glyph.centre[0] - spot[0], glyph.centre[1] - spot[1])
    return bool(apart < SAME_PLACE) and 0.7 < glyph.height / spot[2] < 1.4


def read_value(glyphs: Sequence[Glyph], place: tuple[float, float, float] | None) -> tuple[int, float]:
    """The number on a face and how sure it is: of the glyphs at its place, else the likeliest anywhere, less sure."""
    here = [g for g in glyphs if place is not None and _near(g, place)]
    factor = 1.0
    if not here:
        here, factor = [g for g in glyphs if g.digit_belief > 0.5], 0.5
    if not here:
        return 1, 0.0
    best = max(here, key=lambda g: g.digit_belief)
    digits = [best]
    for other in glyphs:  # a second digit beside it
        level = abs(other.centre[1] - best.centre[1]) < 0.12 * best.height and 0.9 < other.height / best.height < 1.11
        left, right = sorted((best.box, other.box))
        gap = (right[0] - left[0] - left[2]) / max(best.box[3], 1)
        if other is not best and level and -0.05 < gap < 0.35 and other.digit_belief > 0.9:
            digits.append(other)
    digits = sorted(digits[:2], key=lambda g: g.centre[0])
    others = sorted(best.belief)[-2]
    sure = min(g.digit_belief for g in digits) * (1 - others)
    return int("".join(str(g.digit) for g in digits)), float(sure * factor)
