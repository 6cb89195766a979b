"""Where both halves meet: a photograph becomes readings, the readings a table, the table a ruling.

bytes -> image -> card quads -> rectified cards -> readings -> table (mm) -> verdict -> ruling
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from referee.certainty import Alternative, TableReading, doubt_what_is_missing, rule_on
from referee.certainty import CardReading as PlacedReading
from referee.decks import Deck
from referee.layouts import Layout, PlacedCard
from referee.options import Options
from referee.reader import reader_of
from referee.rulebook import RetakeReason
from referee.verdicts import Point, Ruling
from referee.vision.align import Doubles
from referee.vision.decode import Photo, decode, read_photo_file
from referee.vision.fixed_table import table_top
from referee.vision.orientation import UNKNOWN
from referee.vision.profile import Profile, StraightPhoto, UnfitLens, put_right
from referee.vision.profile_files import profile_for
from referee.vision.quality import Suspect, Trouble, cut_off
from referee.vision.read import Stopwatch, TableView
from referee.vision.recognise import SURE_MARGIN, Candidate, CardReading

HIDDEN_FACES = 6
"""How many faces, spread over the deck, a card of which nothing shows is tried as, beside the one it resembles."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenCard:
    """A card of the answer. corners: (4, 2) px, from the face's own top left; confidence: 0..1;
    runner_up: the face it is likeliest to be otherwise, and margin: how far off that is (0..1)."""

    id: str
    face: str
    corners: Doubles
    confidence: float
    runner_up: str | None
    margin: float

    def to_dict(self) -> dict[str, Any]:
        """The exchanged form."""
        return {
            "id": self.id,
            "face": self.face,
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in self.corners],
            "confidence": round(self.confidence, 3),
            "runner_up": self.runner_up,
            "margin": round(self.margin, 3),
        }


@dataclass(frozen=True, slots=True, eq=False)
class CheckedPhoto:
    """The whole answer for one photograph: what was seen, where it lies on the table, and the ruling.

    reading: all that each card may plausibly be, from which a sequence goes on.
    """

    photo: Photo
    deck: Deck
    view: TableView
    cards: tuple[SeenCard, ...]
    layout: Layout
    ruling: Ruling
    seconds: dict[str, float]
    reading: TableReading | None = None


def check_file(
    path: str,
    deck: Deck,
    options: Options | None = None,
    before: CheckedPhoto | None = None,
    profile: Path | None = None,
) -> CheckedPhoto:
    """Check a photograph in a file; `before`: as in `check`; profile: of its camera, or a folder of profiles.

    Raises PhotoError, ProfileError or DeckError with a sentence.
    """
    watch = Stopwatch()
    photo = read_photo_file(path)
    photo = put_right(photo, profile_for(profile, path, photo))
    watch.lap("decode")
    return check(photo, deck, options, watch, before)


def check_bytes(
    data: bytes,
    name: str,
    deck: Deck,
    options: Options | None = None,
    before: CheckedPhoto | None = None,
    profile: Profile | UnfitLens | None = None,
    held: int = UNKNOWN,
) -> CheckedPhoto:
    """Check an encoded photograph; `before`: as in `check`; profile: of its camera; held: its EXIF orientation, where
    its bytes have lost it, see `Photo.held`.

    Raises PhotoError, ProfileError or DeckError with a sentence.
    """
    watch = Stopwatch()
    photo = put_right(decode(data, name).held(held), profile)
    watch.lap("decode")
    return check(photo, deck, options, watch, before)


def check(
    photo: Photo,
    deck: Deck,
    options: Options | None = None,
    watch: Stopwatch | None = None,
    before: CheckedPhoto | None = None,
) -> CheckedPhoto:
    """Check a decoded photograph of a table; `before`, an earlier one of the same table, makes it quicker.

    The cards read are the same without it; a doubt at its limit may come or go (3 of 115 pairs of photographs).

    Raises DeckError if the deck's images cannot be used.
    """
    watch = watch or Stopwatch()
    known = before.view if before is not None and before.deck == deck else None
    view = on_its_table(reader_of(deck)(photo, deck, watch, known), photo, deck)
    places = lay_out(view, deck)
    cards = name_cards(view, deck, places)
    reading = table_reading(view, deck, cards, places, photo.name)
    laid = tuple(seen.card for seen in reading.cards if _is_card(seen))
    layout = Layout(name=photo.name, game=deck.game, cards=laid, table=reading.table)
    ruling = doubt_what_is_missing(rule_on(reading, deck, options), len(layout.cards), frame_of(view.size))
    watch.lap("judge")
    return CheckedPhoto(photo, deck, view, cards, layout, ruling, watch.seconds, reading)


def _is_card(seen: PlacedReading) -> bool:
    return seen.ranked[0].face is not None


def frame_of(size: tuple[int, int]) -> tuple[tuple[float, float], ...]:
    """The corners of a photograph of (width, height) pixels, clockwise from the top left."""
    width, height = map(float, size)
    return ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))


def on_its_table(view: TableView, photo: Photo, deck: Deck) -> TableView:
    """What the photograph shows, with the table under a fixed camera if that was measured."""
    top, troubles = table_top(photo, view.plane, np.array([card.corners for card in view.cards]), deck.card_mm)
    if isinstance(photo, StraightPhoto) and photo.lens_unused:
        troubles = (*troubles, Trouble(RetakeReason.LENS_UNUSED, None))
    return replace(view, top=top, troubles=(*view.troubles, *troubles))


def edges_of(view: TableView, deck: Deck) -> tuple[Point, ...] | None:
    """The corners of the table in mm, as `lay_out`, if they are known."""
    if view.top is None or not len(view.top.edges):
        return None
    return tuple((float(x), float(y)) for x, y in (view.top.edges * deck.card_mm[0]).round(2))


def lay_out(view: TableView, deck: Deck) -> Doubles:
    """(N, 3) x, y in mm and turn in degrees of the cards and then the suspects, up being up in the photograph; on a
    table that was measured, from its top left corner and along its edges."""
    outlines = [card.corners for card in view.cards] + [suspect.corners for suspect in view.suspects]
    if view.plane is None or not outlines:
        return np.empty((0, 3))
    poses = view.plane.poses(np.array(outlines))
    if view.top is not None:
        placed = view.top.poses(poses)
        turns = (np.rad2deg(placed[:, 2]) + 180) % 360 - 180
        return np.column_stack([(placed[:, :2] * deck.card_mm[0]).round(2), turns.round(2)])
    middle = np.array([view.size[0] / 2, view.size[1] / 2])
    sideways = view.plane.table(np.stack([middle, middle + np.array([0.02 * max(view.size), 0.0])]))
    tilt = float(np.arctan2(*(sideways[1] - sideways[0])[::-1]))
    cos, sin = np.cos(-tilt), np.sin(-tilt)
    spots = poses[:, :2] @ np.array([[cos, sin], [-sin, cos]]) * deck.card_mm[0]
    turns = np.rad2deg(poses[:, 2] - tilt)
    spots -= spots.min(axis=0)
    return np.column_stack([spots.round(2), ((turns + 180) % 360 - 180).round(2)])


def name_cards(view: TableView, deck: Deck, places: Doubles) -> tuple[SeenCard, ...]:
    """Cards get ids c1, c2... row by row as one reads, so that the same photograph gives the same ids."""
    rows = np.round(places[: len(view.cards), 1] / deck.card_mm[1]) if len(places) else np.empty(0)
    order = sorted(range(len(view.cards)), key=lambda i: (rows[i], places[i, 0]))
    names = {index: f"c{number}" for number, index in enumerate(order, 1)}
    faces = [face.id for face in deck.faces]
    return tuple(_seen(names[i], card, faces) for i, card in enumerate(view.cards))


def _seen(name: str, card: CardReading, faces: list[str]) -> SeenCard:
    others = [faces[c.face] for c in card.candidates[1:] if c.face != card.face]
    return SeenCard(
        name, faces[card.face], card.corners, confidence_of(card), others[0] if others else None, card.margin
    )


def confidence_of(card: CardReading) -> float:
    """How likely a reading is right, 0..1, from its margin and how well the whole card fits."""
    return float(np.clip(0.5 + 0.5 * card.margin, 0.05, 1) * np.clip(card.score / 0.9, 0.2, 1))


def table_reading(view: TableView, deck: Deck, cards: tuple[SeenCard, ...], places: Doubles, name: str) -> TableReading:
    """The table as the rules half takes it: each card with all that it may plausibly be."""
    faces = [face.id for face in deck.faces]
    seen = [
        PlacedReading(
            _placed(card.id, card.face, place),
            _alternatives(reading, faces, float(place[2]), piled or cut_off(reading.corners, view.size)),
            tuple((float(x), float(y)) for x, y in card.corners),
        )
        for card, reading, piled, place in zip(cards, view.cards, view.piled, places, strict=False)
    ]
    for number, (suspect, place) in enumerate(zip(view.suspects, places[len(cards) :], strict=True), 1):
        seen.append(_suspected(f"u{number}", suspect, faces, place))
    return TableReading(deck.game, tuple(seen), name, table=edges_of(view, deck))


def _placed(name: str, face: str, place: Doubles) -> PlacedCard:
    return PlacedCard(id=name, face=face, x=float(place[0]), y=float(place[1]), turn=float(place[2]))


def _alternatives(reading: CardReading, faces: list[str], turn: float, open_: bool) -> tuple[Alternative, ...]:
    """The likeliest face and every rival within the margin; turned rivals keep their turn. An `open_` card
    may also be none: what lies beyond the picture's edge is unknown, and the top of a pile is no card of a route."""
    best = reading.candidates[0]
    rivals = [c for c in reading.candidates[1:] if c.margin < SURE_MARGIN]
    unknown = (Alternative(None, 0.01),) if open_ else ()
    if not rivals and not unknown:
        return ()

    def alternative(candidate: Candidate, confidence: float) -> Alternative:
        quarters = (candidate.turn - best.turn) % 4
        return Alternative(faces[candidate.face], confidence, None if not quarters else turn + 90.0 * quarters)

    return (
        alternative(best, 0.5 + 0.5 * max(best.margin, 0.0)),
        *(alternative(c, max(0.01, 0.5 - 0.5 * max(c.margin, 0.0))) for c in rivals),
        *unknown,
    )


def _suspected(name: str, suspect: Suspect, faces: list[str], place: Doubles) -> PlacedReading:
    # The question is whether the verdict changes if a card lies there; of a card that hardly shows, whichever it is.
    likely = faces[:: max(1, len(faces) // HIDDEN_FACES)]
    if suspect.face is not None:  # a likeness too weak for a card is too weak to name its face
        likely = list(dict.fromkeys([faces[suspect.face], *likely]))
    cards = tuple(Alternative(face, 0.4 / len(likely)) for face in likely)
    return PlacedReading(
        _placed(name, likely[0], place),
        (Alternative(None, 0.6), *cards),
        tuple((float(x), float(y)) for x, y in suspect.corners),
    )
