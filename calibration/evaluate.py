"""`python -m calibration evaluate FOLDER`: how well photographs with known truth are judged.

FOLDER holds pictures with a JSON file of the same name beside each, as `python -m samples render` writes them: cards
with face and corners, and the verdict. Reported are cards, faces, features and verdicts, wrong but certain apart from
undetermined, which faces are confused, and the seconds of each stage.
"""

from __future__ import annotations

import argparse
import base64
import html
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from referee.decks import Deck, Game, builtin_deck, load_deck
from referee.errors import InputError
from referee.pipeline import CheckedPhoto, check_file
from referee.verdicts import Outcome
from referee.vision.align import shared_area

Doubles = NDArray[np.float64]

ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".heic")
SAME_PLACE = 0.5
"""Intersection over union from which on a found card is a true one."""
FEATURES: dict[str, tuple[str, ...]] = {
    "move": ("kind", "arrows", "points"),
    "start": ("kind",),
    "finish": ("kind",),
    "path": ("strands",),
    "box": ("walls", "toys"),
    "toy": ("walls", "toys"),
    "cat": ("player", "asleep"),
    "princess": ("kind",),
}


@dataclass(slots=True)
class PhotoResult:
    """One photograph. verdict: `right`, `wrong but certain`, `undetermined`, `unusable`; faces: of the cards found."""

    name: str
    level: str
    verdict: str
    cards: int
    found: int
    false: int
    faces: int
    features: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)
    picture: bytes = b""


def evaluate(paths: Sequence[Path], decks: Callable[[Mapping[str, Any]], Deck]) -> list[PhotoResult]:
    """Check each photograph and compare with the truth beside it; decks: the deck that a truth is about."""
    results = []
    for path in paths:
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        level, cards = str(truth.get("level", "")), list(truth["cards"])
        try:
            deck = decks(truth)
            checked = check_file(str(path), deck)
        except InputError:
            results.append(PhotoResult(path.name, level, "unusable", len(cards), 0, 0, 0))
            continue
        results.append(_compared(path.name, level, checked, deck, truth))
    return results


def _compared(name: str, level: str, checked: CheckedPhoto, deck: Deck, truth: Mapping[str, Any]) -> PhotoResult:
    cards = truth["cards"]
    scale = checked.photo.scale
    pairs = matched([card.corners / scale for card in checked.cards], [np.array(c["corners"], float) for c in cards])
    result = PhotoResult(name, level, "", len(cards), len(pairs), len(checked.cards) - len(pairs), 0)
    ids = {}
    for mine, true in pairs.items():
        have, want = checked.cards[mine], cards[true]
        ids[have.id] = want["id"]
        result.faces += have.face == want["face"]
        if want["face"] not in deck:
            continue
        wanted, read = deck.face(want["face"]), deck.face(have.face)
        for feature in FEATURES[wanted.kind]:
            result.features[feature] += 1
            result.right[feature] += getattr(wanted, feature, None) == getattr(read, feature, None)
        if have.face != want["face"]:
            result.confused[want["face"], have.face] += 1
    verdict = checked.ruling.verdict
    same = verdict is not None and alike(verdict.to_dict(), truth["verdict"], ids)
    if checked.ruling.outcome is Outcome.UNDETERMINED:
        result.verdict = "undetermined"
    else:
        result.verdict = "right" if same else "wrong but certain"
    result.seconds = dict(checked.seconds)
    if result.verdict != "right":
        result.picture = _marked(checked, pairs, cards)
    return result


def alike(mine: Mapping[str, Any], true: Mapping[str, Any], ids: Mapping[str, str]) -> bool:
    """Whether two verdicts say the same of the same cards; ids: mine -> the truth's. Order and further fields do not
    count."""
    return all(_canonical(mine.get(key), ids) == _canonical(value, {}) for key, value in true.items() if key != "moves")


def _canonical(value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        kept = {k: v for k, v in value.items() if k not in ("rule_id", "why", "reason") and v not in (0, None)}
        return tuple(sorted((str(ids.get(k, k)), _canonical(v, ids)) for k, v in kept.items()))
    if isinstance(value, list | tuple):
        return tuple(sorted((_canonical(v, ids) for v in value), key=repr))
    return ids.get(value, value) if isinstance(value, str) else value


def matched(found: Sequence[Doubles], true: Sequence[Doubles]) -> dict[int, int]:
    """Found cards and true ones in one place, the best first: index -> index. Corners (4, 2) px."""
    pairs = []
    for a, mine in enumerate(found):
        for b, other in enumerate(true):
            area = shared_area(mine, other)
            whole = cv2.contourArea(mine.astype(np.float32)) + cv2.contourArea(other.astype(np.float32)) - area
            if area > SAME_PLACE * whole:
                pairs.append((area / whole, a, b))
    out: dict[int, int] = {}
    for _, a, b in sorted(pairs, reverse=True):
        if a not in out and b not in out.values():
            out[a] = b
    return out


def _marked(checked: CheckedPhoto, pairs: Mapping[int, int], cards: Sequence[Mapping[str, Any]]) -> bytes:
    """A small JPEG: read right in green, read wrong in red with both names, missed in yellow, doubtful in blue."""
    picture = checked.photo.pixels.copy()
    thick = max(2, max(picture.shape) // 500)
    doubtful = {doubt.card for doubt in checked.ruling.doubtful}

    def outline(corners: Doubles, colour: tuple[int, int, int], text: str = "") -> None:
        cv2.polylines(picture, [np.round(corners).astype(np.int32)], True, colour, thick)
        if text:
            at = (int(corners[:, 0].min()), int(corners[:, 1].mean()))
            cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, thick / 4, colour, max(1, thick // 2), cv2.LINE_AA)

    for k, card in enumerate(checked.cards):
        if k not in pairs:
            outline(card.corners, (0, 0, 255), f"{card.face}?")
        elif card.face != cards[pairs[k]]["face"]:
            outline(card.corners, (0, 0, 255), f"{cards[pairs[k]]['face']}: {card.face}")
        else:
            outline(card.corners, (255, 120, 0) if card.id in doubtful else (60, 200, 60))
    for number, true in enumerate(cards):
        if number not in pairs.values():
            outline(np.array(true["corners"], float) * checked.photo.scale, (0, 220, 255), str(true["face"]))
    scale = min(1.0, 1000 / max(picture.shape))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


def summary(results: Sequence[PhotoResult]) -> dict[str, Any]:
    """All figures as plain numbers: over all photographs and for each level."""
    groups = {"all": list(results)}
    for result in results:
        if result.level:
            groups.setdefault(result.level, []).append(result)
    confused: Counter[tuple[str, str]] = Counter()
    for result in results:
        confused.update(result.confused)
    stages = sorted({stage for result in results for stage in result.seconds})
    return {
        "levels": {name: _figures(group) for name, group in groups.items()},
        "confused": [{"face": a, "read": b, "times": n} for (a, b), n in confused.most_common()],
        "seconds": {s: round(median(r.seconds[s] for r in results if s in r.seconds), 3) for s in stages},
        "photos": [{"photo": r.name, "verdict": r.verdict, "found": r.found, "cards": r.cards} for r in results],
    }


def _figures(group: Sequence[PhotoResult]) -> dict[str, Any]:
    verdicts = Counter(result.verdict for result in group)
    features: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for result in group:
        features.update(result.features)
        right.update(result.right)
    return {
        "photos": len(group),
        **{name: verdicts[name] for name in ("right", "wrong but certain", "undetermined", "unusable")},
        "cards": sum(r.cards for r in group),
        "found": sum(r.found for r in group),
        "false": sum(r.false for r in group),
        "faces": sum(r.faces for r in group),
        "features": {name: [right[name], features[name]] for name in sorted(features)},
    }


def as_text(figures: Mapping[str, Any]) -> str:
    """The figures for people."""
    lines = []
    for name, f in figures["levels"].items():
        lines.append(
            f"{name}: verdicts right {f['right']} of {f['photos']}, wrong but certain {f['wrong but certain']}, "
            f"undetermined {f['undetermined']}; cards found {f['found']} of {f['cards']}, false {f['false']}, "
            f"faces right {f['faces']}"
        )
        lines.append("  " + ", ".join(f"{feature} {a} of {b}" for feature, (a, b) in f["features"].items()))
    lines += [f"  {each['face']} read as {each['read']}: {each['times']}" for each in figures["confused"]]
    lines.append("seconds: " + ", ".join(f"{stage} {value}" for stage, value in figures["seconds"].items()))
    return "\n".join(lines)


def as_html(figures: Mapping[str, Any], results: Sequence[PhotoResult]) -> str:
    """One page with the figures and a picture of every failure; nothing is loaded from elsewhere."""
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Evaluation</title>",
        "<style>body{font:16px sans-serif;margin:2em;max-width:70em}img{max-width:100%}</style>",
        f"<h1>Evaluation</h1><pre>{html.escape(as_text(figures))}</pre>",
        "<p>Green: right. Red: read wrong, or no card. Yellow: missed. Blue: doubtful.</p>",
    ]
    for result in results:
        if result.verdict != "right":
            parts.append(f"<h2>{html.escape(result.name)}: {html.escape(result.verdict)}</h2>")
            if result.picture:
                data = base64.b64encode(result.picture).decode("ascii")
                parts.append(f"<img alt='{html.escape(result.name)}' src='data:image/jpeg;base64,{data}'>")
    return "\n".join(parts) + "</html>\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration evaluate`."""
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--deck", type=Path, metavar="DIR", help="the deck; default: the built-in one of the game")
    parser.add_argument("--game", choices=[game.value for game in Game], help="only photographs of this game")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with pictures of every failure")
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Evaluate a folder; exit status 1 if anything was wrong but certain."""
    deck = None if arguments.deck is None else load_deck(arguments.deck)
    paths = []
    for path in sorted(arguments.folder.iterdir()) if arguments.folder.is_dir() else []:
        truth = path.with_suffix(".json")
        if path.suffix.lower() in ENDINGS and truth.is_file():
            game = json.loads(truth.read_text(encoding="utf-8")).get("game")
            if arguments.game in (None, game) and (deck is None or game == deck.game.value):
                paths.append(path)
    if not paths:
        raise CalibrationError(
            "nothing-to-evaluate", f"{arguments.folder}: no photographs with a JSON file of the same name beside them."
        )
    results = evaluate(paths, lambda truth: deck if deck is not None else builtin_deck(truth["game"]))
    figures = summary(results)
    if arguments.html is not None:
        arguments.html.write_text(as_html(figures, results), encoding="utf-8")
        print(f"calibration: {arguments.html} written", file=sys.stderr)
    print(json.dumps(figures) if arguments.json else as_text(figures))
    return 1 if figures["levels"]["all"]["wrong but certain"] else 0
