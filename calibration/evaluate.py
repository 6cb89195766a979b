"""`python -m calibration evaluate FOLDER`: how well photographs with known truth are judged.

FOLDER holds pictures with a JSON file of the same name beside each, as `python -m samples render` writes them: cards
with face and corners, and the verdict. Reported are cards, faces, features and verdicts, wrong but certain apart from
undetermined, which faces are confused, and the seconds of each stage.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.evaluate_report import PhotoResult, as_html, as_text
from referee.decks import Deck, Game, builtin_deck, load_deck
from referee.errors import InputError
from referee.explain import About
from referee.export import numbering_of, sentences_of
from referee.messages import Messages
from referee.pipeline import CheckedPhoto, check_file
from referee.verdicts import Outcome
from referee.vision.align import shared_area

Doubles = NDArray[np.float64]

ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".heic")
SAME_PLACE = 0.5
"""Intersection over union from which on a found card is a true one."""
NOT_COMPARED = frozenset({"moves", "longest_path"})
"""Parts of a verdict that one photograph does not tell, or where another answer is as good: a longest path."""
LOOK_PX = 160
"""Height of a card in a picture of a confusion."""
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


def evaluate(paths: Sequence[Path], decks: Callable[[Mapping[str, Any]], Deck]) -> list[PhotoResult]:
    """Check each photograph and compare with the truth beside it; decks: the deck that a truth is about."""
    results = []
    for path in paths:
        level, cards = "", 0
        try:
            truth = truth_of(path)
            level, cards = str(truth.get("level", "")), len(truth["cards"])
            deck = decks(truth)
            checked = check_file(str(path), deck)
        except InputError as error:
            results.append(PhotoResult(path.name, level, "unusable", cards, 0, 0, 0, why=(error.message,)))
            continue
        results.append(_compared(path.name, level, checked, deck, truth))
    return results


def truth_of(photo: Path) -> dict[str, Any]:
    """What is true of a photograph, from the JSON file beside it. Raises CalibrationError for what is no truth."""
    path = photo.with_suffix(".json")
    try:
        truth = json.loads(path.read_text(encoding="utf-8"))
        game, verdict = Game(truth["game"]), dict(truth["verdict"])
        cards = [_true_card(card) for card in truth["cards"]]
    except OSError as error:
        raise CalibrationError("bad-truth", f"{path}: the file cannot be read ({error.strerror}).") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise CalibrationError(
            "bad-truth",
            f"{path}: this is no truth of a photograph; it needs game, verdict, and cards with id, face and corners.",
        ) from None
    return {**truth, "game": game.value, "verdict": verdict, "cards": cards}


def _true_card(card: Mapping[str, Any]) -> dict[str, Any]:
    corners = np.asarray(card["corners"], np.float64).reshape(4, 2)
    return {**card, "id": str(card["id"]), "face": str(card["face"]), "corners": corners}


def _compared(name: str, level: str, checked: CheckedPhoto, deck: Deck, truth: Mapping[str, Any]) -> PhotoResult:
    cards = truth["cards"]
    scale = checked.photo.scale
    pairs = matched([card.corners / scale for card in checked.cards], [card["corners"] for card in cards])
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
            pair = (want["face"], have.face)
            result.confused[pair] += 1
            result.looks.setdefault(pair, _look(checked, have.corners, deck, pair))
    verdict = checked.ruling.verdict
    same = verdict is not None and alike(verdict.to_dict(), truth["verdict"], ids)
    if checked.ruling.outcome is Outcome.UNDETERMINED:
        result.verdict = "undetermined"
    else:
        result.verdict = "right" if same else "wrong but certain"
    result.seconds = dict(checked.seconds)
    if result.verdict == "undetermined":
        told = (About.DOUBT, About.RETAKE)
        result.why = tuple(s.text for s in sentences_of(checked, Messages()) if s.about in told)
    elif result.verdict == "wrong but certain":
        said = {} if verdict is None else verdict.to_dict()
        result.why = tuple(_difference(said, truth["verdict"], ids))
    if result.verdict != "right":
        result.picture = _marked(checked, pairs, cards)
    return result


def _difference(mine: Mapping[str, Any], true: Mapping[str, Any], ids: Mapping[str, str]) -> Iterator[str]:
    """What is said otherwise, with the truth's names of cards."""
    for key, value in true.items():
        if key not in NOT_COMPARED and _canonical(mine.get(key), ids) != _canonical(value, {}):
            said = json.dumps(_renamed(mine.get(key), ids), ensure_ascii=False)
            yield f"{key}: {said}, in truth {json.dumps(value, ensure_ascii=False)}"


def _renamed(value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {ids.get(key, key): _renamed(each, ids) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(each, ids) for each in value]
    return ids.get(value, value) if isinstance(value, str) else value


def alike(mine: Mapping[str, Any], true: Mapping[str, Any], ids: Mapping[str, str]) -> bool:
    """Whether two verdicts say the same of the same cards; ids: mine -> the truth's. Order and further fields do not
    count."""
    compared = [key for key in true if key not in NOT_COMPARED]
    return all(_canonical(mine.get(key), ids) == _canonical(true[key], {}) for key in compared)


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


def _look(checked: CheckedPhoto, corners: Doubles, deck: Deck, faces: tuple[str, str]) -> bytes:
    """A JPEG: the card as photographed, turned upright, and the pictures of both faces."""
    size = (round(LOOK_PX * deck.card_mm[0] / deck.card_mm[1]), LOOK_PX)
    upright = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), upright)
    shown = [cv2.warpPerspective(checked.photo.pixels, matrix, size, flags=cv2.INTER_AREA)]
    for face in faces:
        path = deck.image_path(face) if face in deck else None
        drawn = None if path is None else cv2.imread(str(path), cv2.IMREAD_COLOR)
        shown.append(
            np.full((size[1], size[0], 3), 220, np.uint8)
            if drawn is None
            else np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), np.uint8)
        )
    rim = np.full((size[1], 6, 3), 255, np.uint8)
    return cv2.imencode(".jpg", np.hstack([shown[0], rim, shown[1], rim, shown[2]]))[1].tobytes()


def _marked(checked: CheckedPhoto, pairs: Mapping[int, int], cards: Sequence[Mapping[str, Any]]) -> bytes:
    """A small JPEG: read right in green, read wrong in red with both names, missed in yellow, doubtful cards and
    places in blue."""
    picture = checked.photo.pixels.copy()
    thick = max(2, max(picture.shape) // 500)
    doubtful = {doubt.card for doubt in checked.ruling.doubtful}

    def outline(corners: Doubles, colour: tuple[int, int, int], text: str = "") -> None:
        cv2.polylines(picture, [np.round(corners).astype(np.int32)], True, colour, thick)
        for number, line in enumerate(text.split("\n") if text else ()):
            at = (int(corners[:, 0].min()) + 3 * thick, int(corners[:, 1].mean()) + number * 12 * thick)
            for ink, width in (((255, 255, 255), 2 * thick), (colour, max(1, thick // 2))):
                cv2.putText(picture, line, at, cv2.FONT_HERSHEY_SIMPLEX, thick / 3.5, ink, width, cv2.LINE_AA)

    for k, card in enumerate(checked.cards):
        if k not in pairs:
            outline(card.corners, (0, 0, 255), f"{card.face}?")
        elif card.face != cards[pairs[k]]["face"]:
            outline(card.corners, (0, 0, 255), f"{cards[pairs[k]]['face']}:\n{card.face}")
        else:
            outline(card.corners, (255, 120, 0) if card.id in doubtful else (60, 200, 60))
    for place, sign in numbering_of(checked).places.items():
        outline(np.array(place), (255, 120, 0), sign)
    for number, true in enumerate(cards):
        if number not in pairs.values():
            outline(true["corners"] * checked.photo.scale, (0, 220, 255), str(true["face"]))
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
    stages = list(dict.fromkeys(stage for result in results for stage in result.seconds))  # in the order of the journey
    return {
        "levels": {name: _figures(group) for name, group in groups.items()},
        "confused": [{"face": a, "read": b, "times": n} for (a, b), n in confused.most_common()],
        "seconds": {s: round(median(r.seconds[s] for r in results if s in r.seconds), 3) for s in stages},
        "photos": [
            {
                "photo": r.name,
                "level": r.level,
                "verdict": r.verdict,
                "cards": r.cards,
                "found": r.found,
                "false": r.false,
                "faces": r.faces,
                "why": list(r.why),
                "seconds": round(sum(r.seconds.values()), 3),
            }
            for r in results
        ],
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
    if arguments.html is not None and not arguments.html.parent.is_dir():
        raise CalibrationError("not-written", f"--html {arguments.html}: there is no folder {arguments.html.parent}.")
    wanted = {arguments.game, None if deck is None else deck.game.value} - {None}
    paths = [path for path in _photographs(arguments.folder) if wanted <= {_game_of(path)}]
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


def _photographs(folder: Path) -> Iterator[Path]:
    """Pictures with a JSON file of the same name beside them."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.suffix.lower() in ENDINGS and path.with_suffix(".json").is_file():
            yield path


def _game_of(photo: Path) -> str | None:
    """Of a photograph, None where what lies beside it is no truth."""
    try:
        return str(truth_of(photo)["game"])
    except CalibrationError:
        return None
