"""Games photographed move by move: are ids kept, moves judged right, and is nothing silently wrong?

    python -m tests.benchmarks.sequences [--half tune|held-back] [--game G] [--look NAME] [--hold tripod|hand|around]
                                         [--count 2] [--steps 6] [--seed 0] [--level easy] [--photos DIR] [--alone]
                                         [--surfaces DIR] [--json OUT]

Plays of `samples.table.play` (moves that are right, each rule on moves broken, cards moved, turned and taken away, a
hand or a cup over cards) with each look of a half, photographed by a camera that stands still, is held in the hand or
goes around the table. A move is *right* if all of it is as the truth says: the cards laid, legal or not, the rules
broken and by which card, the cards moved and taken away; *since* if it is what has happened since an earlier photograph
that the answer names; *wrong* is what must not happen: certain, and otherwise. `--alone` reads each photograph as if it
were the first. `--photos` keeps the photographs for further runs.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # as `python -m referee` does
    os.environ.setdefault(_name, "1")

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from calibration.evaluate import matched  # noqa: E402
from referee.decks import Deck, Game, load_deck  # noqa: E402
from referee.games import judge  # noqa: E402
from referee.moves import MoveRuling, Standing, judge_next  # noqa: E402
from referee.pipeline import CheckedPhoto, check_file  # noqa: E402
from referee.rulebook import Violation  # noqa: E402
from referee.sequence import Look, TableSequence  # noqa: E402
from referee.verdicts import Fault, Outcome, RoutesVerdict  # noqa: E402
from samples.art.command import styled_deck  # noqa: E402
from samples.art.decks import write_deck  # noqa: E402
from samples.table.levels import LEVELS  # noqa: E402
from samples.table.play import Hold, Step, photographed, random_play  # noqa: E402
from samples.table.surfaces import surfaces  # noqa: E402
from tests.benchmarks.looks import LOOKS  # noqa: E402

KINDS = ("right", "since", "undetermined", "wrong")


def main(argv: list[str] | None = None) -> int:
    """Print a line a photograph, and the sums by game and by what was done."""
    args = _parser().parse_args(argv)
    cv2.setNumThreads(1)
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as scratch:
        photos = args.photos or Path(scratch)
        for game in Game:
            for look in LOOKS[args.half][game]:
                if args.game in (None, game.value) and args.look in (None, look):
                    folder = photos / "decks" / f"{game.value}-{look}"
                    if not (folder / "deck.json").exists():
                        write_deck(styled_deck(game.value, look), folder)
                    rows += _played(load_deck(folder), look, photos, args)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    for key in ("game", "hold", "did"):
        for value in sorted({row[key] for row in rows}):
            print(_line(f"{key} {value}", [row for row in rows if row[key] == value]))
    print(_line("all", rows))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=list(LOOKS), default="tune")
    parser.add_argument("--game", choices=[game.value for game in Game])
    parser.add_argument("--look")
    parser.add_argument("--hold", choices=get_args(Hold), help="default: one after the other")
    parser.add_argument("--level", choices=LEVELS, default="easy")
    parser.add_argument("--count", type=int, default=2, help="sequences of each look")
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--surfaces", type=Path, action="append", default=[])
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--json", type=Path)
    return parser


def _played(deck: Deck, look: str, photos: Path, args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A row a photograph for each sequence of this look."""
    tops = surfaces(args.half, args.surfaces)
    for number in range(args.count):
        seed = args.seed + 10 * number + sum(look.encode()) % 1000
        hold: Hold = args.hold or get_args(Hold)[(number + len(look)) % 3]
        play = random_play(deck, seed, args.steps)
        name = f"{deck.game.value}-{look}-{args.level}-{hold}-{seed}"
        paths = [photos / f"{name}-{n}.jpg" for n in range(len(play))]
        if not all(path.exists() for path in paths):
            for path, photo in zip(paths, photographed(play, deck, args.level, seed, hold, tops), strict=True):
                path.write_bytes(photo.jpeg)
                path.with_suffix(".json").write_text(json.dumps(photo.truth), encoding="utf-8")
        for row in _judged(play, paths, deck, args.alone):
            row |= {"game": deck.game.value, "look": look, "hold": hold}
            print(json.dumps(row), file=sys.stderr, flush=True)
            yield row


def _judged(play: Sequence[Step], paths: Sequence[Path], deck: Deck, alone: bool) -> Iterator[dict[str, Any]]:
    """A row for each photograph of one sequence."""
    sequence, before = TableSequence(deck), None
    truth_of: dict[str, str] = {}  # by the answers' ids
    standings: dict[str, Standing] = {}  # by the photographs
    for step, path in zip(play, paths, strict=True):
        begun = time.process_time()
        checked = check_file(str(path), deck, None, None if alone else before)
        look = sequence.look(checked)
        spent = time.process_time() - begun
        before = checked
        told = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["cards"]
        told = [{**card, "id": laid.id} for card, laid in zip(told, step.layout.cards, strict=True)]
        kept, lost = _follow(look.checked, told, truth_of)
        row: dict[str, Any] = {
            "photo": path.name,
            "did": step.did,
            "covers": list(step.covers),
            "seconds": round(spent, 2),
        }
        row |= {"cards": len(told), "kept": kept, "ids_wrong": lost}
        row |= {"again": not alone and before is not None and checked.view.memory is not None}
        row["outcome"] = checked.ruling.outcome.value
        row["after"] = look.checked.ruling.outcome.value
        row["doubts"] = dict(Counter(doubt.reason.value for doubt in look.checked.ruling.doubtful))
        row["move"] = _kind(look, step, standings, truth_of, deck)
        if row["move"] == "wrong":
            assert look.move is not None
            assert step.move is not None
            row |= {"said": _mapped(look.move.to_dict(), truth_of), "truth": step.move.to_dict()}
            row["truth"]["verdict"] = step.move.ruling.outcome.value
        yield row
        standings[str(path)] = _standing(play, step, deck)


def _standing(play: Sequence[Step], step: Step, deck: Deck) -> Standing:
    """How things truly stand after a step."""
    standing = Standing(play[0].layout, judge(play[0].layout, deck))
    for each in play[1:]:
        if each is step:
            break
        standing = standing.after(judge_next(standing, each.layout, deck), each.layout)
    if step is not play[0]:
        standing = standing.after(judge_next(standing, step.layout, deck), step.layout)
    return standing


def _follow(checked: CheckedPhoto, truth: Sequence[dict[str, Any]], truth_of: dict[str, str]) -> tuple[int, int]:
    """How many cards kept their ids, and how many got another one or another card's."""
    pairs = matched([card.corners for card in checked.cards], [np.array(card["corners"]) for card in truth])
    answer_of = {true: answer for answer, true in truth_of.items()}
    kept = wrong = 0
    for a, b in pairs.items():
        answer, true = checked.cards[a].id, truth[b]["id"]
        known = answer in truth_of or true in answer_of
        fits = truth_of.get(answer, true) == true and answer_of.get(true, answer) == answer
        kept += known and fits
        wrong += known and not fits
        truth_of[answer] = true
    return kept, wrong


def _kind(look: Look, step: Step, standings: dict[str, Standing], truth_of: dict[str, str], deck: Deck) -> str | None:
    """Whether a move, and the verdict after it, is right."""
    if look.move is None or step.move is None:
        return None
    if look.checked.ruling.outcome is Outcome.UNDETERMINED or look.move.ruling is None:
        return "undetermined"
    said = _meaning(look.move.ruling, truth_of)
    if said == _meaning(step.move, {}):
        return "right"
    since = standings.get(look.move.since or "")
    if since is not None and since.table is not step.layout:
        turns = look.move.turns
        if said == _meaning(judge_next(since, step.layout, deck, turns=turns), {}):
            return "since"
    return "wrong"


def _meaning(move: MoveRuling, names: dict[str, str]) -> object:
    """What is said of a move and of the table after it, in the truth's names."""

    def named(cards: Sequence[str]) -> frozenset[str]:
        return frozenset(names.get(card, card) for card in cards)

    def fault(one: Fault) -> object:
        all_alike = one.rule in (Violation.CARDS_MOVED, Violation.TOO_MANY_CARDS)
        return one.rule, named(one.cards if all_alike else one.cards[:1])

    verdict = move.ruling.verdict
    table: object = move.ruling.outcome
    if isinstance(verdict, RoutesVerdict):
        table = frozenset(
            (*named([r.start]), tuple(names.get(c, c) for c in r.valid), r.points) for r in verdict.routes
        )
    faults = frozenset(fault(one) for one in move.faults)
    laid = named(move.cards), named(move.moved), named(move.removed), named(move.restored)
    return move.legal, faults, laid, move.ring, move.extra_turn, table


def _mapped(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _mapped(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [_mapped(one, names) for one in value]
    return names.get(value, value) if isinstance(value, str) else value


def _line(name: str, rows: list[dict[str, Any]]) -> str:
    moves = Counter(row["move"] for row in rows if row["move"])
    followed = sum(row["kept"] + row["ids_wrong"] for row in rows)
    kept = sum(row["kept"] for row in rows)
    seconds: dict[bool, list[float]] = defaultdict(list)
    for row in rows:
        seconds[row["move"] is not None].append(row["seconds"])
    later = np.median(seconds[True]) if seconds[True] else 0.0
    first = np.median(seconds[False]) if seconds[False] else 0.0
    counts = "  ".join(f"{kind} {moves[kind]}" for kind in KINDS)
    return f"{name:28s} moves {sum(moves.values()):3d}: {counts}  ids {kept}/{followed}  s {first:.2f} {later:.2f}"


if __name__ == "__main__":
    sys.exit(main())
