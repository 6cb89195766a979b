"""How well decks of many looks are enrolled: cards found, faces told apart, features proposed right, and what is wrong
without being flagged.

    python -m tests.benchmarks.enrolment [--half tune|held-back] [--game G] [--look NAME] [--level easy] [--seed 0]
                                         [--surfaces DIR] [--list] [--keep DIR]

Every look is laid out once each in rows and photographed by the virtual camera. A proposal is right if it says what the
deck says; of strands, which ends they join and which ends have one colour, whatever it is called. Looks and surfaces
belong to halves as in `tests.benchmarks.looks`; `--list` and `--keep` (its pictures) are for the tune half.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # as `python -m calibration` does
    os.environ.setdefault(_name, "1")

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from calibration.enrol.crops import CARD_MM  # noqa: E402
from calibration.enrol.enrolment import EnrolledFace, found_cards, sorted_out  # noqa: E402
from calibration.errors import EnrolmentError  # noqa: E402
from calibration.evaluate import matched  # noqa: E402
from referee.decks import Deck, Game, load_deck  # noqa: E402
from referee.vision.decode import decode  # noqa: E402
from samples.art.command import styled_deck  # noqa: E402
from samples.art.decks import write_deck  # noqa: E402
from samples.table.levels import LEVELS  # noqa: E402
from samples.table.surfaces import Surface, surfaces  # noqa: E402
from tests.benchmarks.looks import LOOKS  # noqa: E402
from tests.calibration.rows import photographs  # noqa: E402

FEATURES = ("kind", "arrows", "points", "walls", "toys", "player", "asleep", "strands")


def main() -> None:
    """Print a line for each look, and the sums."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.enrolment", description=__doc__)
    parser.add_argument("--half", choices=list(LOOKS), default="tune")
    parser.add_argument("--game", choices=[game.value for game in Game])
    parser.add_argument("--look")
    parser.add_argument("--level", choices=LEVELS, default="easy")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--surfaces", type=Path, action="append", default=[], help="folder of photographed table tops")
    parser.add_argument("--list", action="store_true", help="name what is wrong")
    parser.add_argument("--keep", type=Path, help="folder for pictures of faces with a wrong proposal")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    tops = [s for s in surfaces(args.half, args.surfaces) if s.photo is not None or not args.surfaces]
    sums: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        for game in Game:
            for look in LOOKS[args.half][game]:
                if args.game in (None, game.value) and args.look in (None, look):
                    write_deck(styled_deck(game.value, look), Path(scratch) / look)
                    told = _enrolled(load_deck(Path(scratch) / look), look, tops, args)
                    print(_line(f"{game.value} {look}", told), flush=True)
                    sums += told
    print(_line("all", sums))


def _enrolled(deck: Deck, look: str, tops: list[Surface], args: argparse.Namespace) -> Counter[str]:
    """Counts of one look."""
    seed = args.seed + sum(look.encode())
    shots = list(photographs(deck, args.level, seed, tops, each_once=True))
    told: Counter[str] = Counter()
    told["cards"] = sum(len(shot.truth["cards"]) for shot in shots)
    told["photos"] = len(shots)
    begun = time.process_time()
    try:
        crops = found_cards([decode(shot.jpeg, look) for shot in shots], CARD_MM[deck.game])
        found = sorted_out(crops, deck.game, CARD_MM[deck.game], whole=False)
    except EnrolmentError as error:
        print(f"  {look}: {error}")
        return told
    told["ms"] = round(1000 * (time.process_time() - begun))
    true: dict[int, str] = {}
    for number, shot in enumerate(shots):
        mine = [k for k, crop in enumerate(crops) if crop.photo == number]
        pairs = matched([crops[k].corners for k in mine], [np.array(card["corners"]) for card in shot.truth["cards"]])
        true |= {mine[a]: shot.truth["cards"][b]["face"] for a, b in pairs.items()}
    told["found"], told["false"] = len(true), len(crops) - len(true)
    entries = {entry["id"]: entry for entry in deck.to_dict()["faces"]}
    holders = Counter(true[k] for face in found.faces for k in face.copies if k in true)
    for face in found.faces:
        faces = {true.get(k) for k in face.copies}
        told["groups"] += len(faces) == 1 and None not in faces and holders[true[face.copies[0]]] == len(face.copies)
        want = entries.get(true.get(face.copies[0], ""))
        if want is not None:
            _compare(look, want, face, told, args)
    return told


def _compare(look: str, want: dict[str, Any], face: EnrolledFace, told: Counter[str], args: argparse.Namespace) -> None:
    have = {"kind": face.proposal.kind, **face.proposal.features}
    wrong = []
    for feature in FEATURES:
        if feature not in want or (feature == "points" and want["kind"] != "move"):
            continue
        told[f"{feature} of"] += 1
        if shown(have, feature) == shown(want, feature):
            told[feature] += 1
        else:
            wrong.append(feature)
    unflagged = bool(wrong) and not face.proposal.needs_review
    told["unflagged"] += unflagged
    told["flagged right"] += not wrong and face.proposal.needs_review
    if wrong and args.list:
        what = {feature: (have.get(feature), want[feature]) for feature in wrong}
        print(f"  {look} {want['id']} {what} {face.proposal.confidence:.2f}{'  NOT FLAGGED' if unflagged else ''}")
    if wrong and args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(args.keep / f"{look}-{want['id']}-{'-'.join(wrong)}.png"), face.picture.picture)


def shown(face: dict[str, Any], feature: str) -> object:
    """What a face shows; of strands which ends they join, and which ends have one colour."""
    value = face.get(feature)
    if value is None or feature not in ("strands", "arrows", "walls"):
        return value
    if feature != "strands":
        return sorted(value)
    colour_at = {end: colour for ends, colours in value for end, colour in zip(ends, colours, strict=True)}
    return sorted(sorted(ends) for ends, _ in value), [
        colour_at[a] == colour_at[b] for a in sorted(colour_at) for b in sorted(colour_at) if b < a
    ]


def _line(name: str, told: Counter[str]) -> str:
    features = "  ".join(f"{f} {told[f]}/{told[f + ' of']}" for f in FEATURES if told[f + " of"])
    return (
        f"{name:28s} cards {told['found']}/{told['cards']} false {told['false']}  groups {told['groups']}  {features}  "
        f"wrong and not flagged {told['unflagged']}  right but flagged {told['flagged right']}  "
        f"{told['ms'] / 1000 / max(told['photos'], 1):.1f} s a photograph"
    )


if __name__ == "__main__":
    main()
