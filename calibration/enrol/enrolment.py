"""The whole way from photographs to a proposed deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.counts import count_of_each
from calibration.enrol.crops import CARD_MM, Crop, crops_of
from calibration.enrol.doubts import doubts_about, refuse_nonsense
from calibration.enrol.faces import Fused, corner_radius, cut_out, fuse, harmonised
from calibration.enrol.folder import NewFace, write_deck
from calibration.enrol.groups import APART, grouped
from calibration.enrol.light import evened, on_one_ground
from calibration.enrol.proposal import Proposal
from calibration.enrol.proposals import propose
from calibration.errors import EnrolmentError
from referee.decks import Deck, Game
from referee.vision.decode import Photo
from referee.vision.gamma import encoded

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
Tell = Callable[[str, int, int], None]
"""Told what is done now (a stage), and how many of how many parts of it are."""

ONE_FACE = {Game.CAT_AND_MOUSE: 2.6, Game.COLOURED_PATHS: 1.4, Game.IF_IT_FITS: 1.4}
"""Difference of mean pictures up to which two groups with the same features are one face."""
CONFUSABLE = 1.4
"""Difference below which two faces are told to look alike."""
FEWEST_PIXELS = 70.0
"""Length of a card's short side in a photograph, in pixels, below which it is too small to enrol."""


@dataclass(frozen=True, slots=True, eq=False)
class EnrolledFace:
    """id: its own in the deck; copies: numbers of its crops."""

    id: str
    proposal: Proposal
    picture: Fused
    copies: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Enrolment:
    """crops: all cards of all photographs; lights: of each its rimmed picture in even linear light; faces: what they
    show; corner: radius in short sides; alike: pairs of ids of faces that are likely to be confused; doubts: see
    `calibration.enrol.doubts`."""

    game: Game
    card_mm: tuple[float, float]
    crops: tuple[Crop, ...]
    lights: tuple[Floats, ...]
    faces: tuple[EnrolledFace, ...]
    corner: float
    alike: tuple[tuple[str, str], ...]
    doubts: tuple[str, ...] = ()

    def face_of(self, crop: int) -> EnrolledFace:
        """The face of a card, by its number."""
        return next(face for face in self.faces if crop in face.copies)

    def write(self, folder: Path, name: str) -> Deck:
        """Write the deck, see `write_deck`. Raises DeckError."""
        corner = round(self.corner * min(self.card_mm), 1)
        more = {"alike": [list(pair) for pair in self.alike], "doubts": list(self.doubts)}
        return write_deck(folder, self.game, name, self.card_mm, corner, self.new_faces(), more)

    def new_faces(self) -> list[NewFace]:
        """The faces as they are written to a deck folder."""
        counts, guessed = self.counts()
        more = {"count_guessed": True} if guessed else {}
        return [
            NewFace(
                {
                    "id": face.id,
                    "kind": face.proposal.kind,
                    "count": count,
                    **more,
                    **face.proposal.features,
                    "confidence": round(face.proposal.confidence, 3),
                    "needs_review": face.proposal.needs_review,
                    "unsure": list(face.proposal.unsure),
                },
                cut_out(face.picture.picture, self.corner),
                tuple(encoded(self.lights[k]) for k in face.copies),
            )
            for face, count in zip(self.faces, counts, strict=True)
        ]

    def counts(self) -> tuple[list[int], bool]:
        """How many of each face there are, and whether that is a guess, see `count_of_each`."""
        return count_of_each(
            self.game, [face.proposal.kind for face in self.faces], [len(face.copies) for face in self.faces]
        )


def enrol(
    photos: Sequence[Photo], game: Game, card_mm: tuple[float, float] | None = None, *, whole: bool = True
) -> Enrolment:
    """Propose a deck from photographs of its cards, laid face up and upright; whole: not only a few more of its cards.

    Raises EnrolmentError.
    """
    size = card_mm or CARD_MM[game]
    return sorted_out(found_cards(photos, size), game, size, whole=whole)


def found_cards(photos: Sequence[Photo], card_mm: tuple[float, float]) -> list[Crop]:
    """The cards of photographs, squared up. Raises EnrolmentError where one shows none, or too small ones."""
    crops: list[Crop] = []
    for number, photo in enumerate(photos):
        here = crops_of(photo, number, card_mm)
        if not here:
            raise EnrolmentError(
                "no-cards",
                f"{photo.name}: no cards were found. Lay them face up, a finger apart, on a plain table "
                "of another colour.",
            )
        crops += here
    _check_size(crops, photos)
    return crops


def sorted_out(
    crops: Sequence[Crop],
    game: Game,
    card_mm: tuple[float, float],
    tell: Tell | None = None,
    *,
    whole: bool = True,
) -> Enrolment:
    """Which cards are one face, and what is proposed for each face. Raises EnrolmentError where a whole deck cannot be
    one of the game."""
    _tell(tell, "sort", 0, 2)
    lights = evened(crops)
    grouping = grouped(lights)
    _tell(tell, "sort", 1, 2)
    groups = [[int(k) for k in np.flatnonzero(grouping.names == name)] for name in range(int(grouping.names.max()) + 1)]
    fused = [fuse(lights, group) for group in groups]
    _tell(tell, "features", 0, 1)
    level = _level(fused, grouping.apart)
    proposals = propose(game, [each.picture for each in level], [len(group) for group in groups])
    if whole:
        refuse_nonsense(game, proposals, [len(group) for group in groups])
    keep, groups = _merged(groups, proposals, grouping.apart, ONE_FACE[game] * APART)
    apart = grouping.apart[np.ix_(keep, keep)]
    if len(keep) == len(fused):
        level = [level[k] for k in keep]
    else:
        level = _level([fuse(lights, mine) for mine in groups], apart)
    names = own_ids([proposals[k].name for k in keep])
    faces = tuple(
        EnrolledFace(name, proposals[k], picture, tuple(group))
        for name, k, picture, group in zip(names, keep, level, groups, strict=True)
    )
    pictures, proposed = [face.picture.picture for face in faces], [face.proposal for face in faces]
    doubts = doubts_about(game, crops, pictures, proposed)
    alike = confusable(names, apart)
    return Enrolment(game, card_mm, tuple(crops), tuple(lights), faces, corner_radius(crops), alike, doubts)


def _level(faces: Sequence[Fused], apart: Doubles) -> list[Fused]:
    """The faces brought to one place and one ground; apart: see `groups.Grouping`."""
    moved = harmonised(faces, apart)
    pictures = on_one_ground([each.picture for each in moved])
    return [Fused(picture, each.copies) for each, picture in zip(moved, pictures, strict=True)]


def confusable(names: Sequence[str], apart: Doubles) -> tuple[tuple[str, str], ...]:
    """Pairs of faces that look alike. apart: (F, F) how much they differ, see `groups.Grouping`."""
    close = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names)) if apart[a, b] < CONFUSABLE * APART]
    return tuple((names[a], names[b]) for a, b in close)


def _tell(tell: Tell | None, stage: str, done: int, of: int) -> None:
    if tell is not None:
        tell(stage, done, of)


def _check_size(crops: Sequence[Crop], photos: Sequence[Photo]) -> None:
    for number, photo in enumerate(photos):
        sides = [crop.side_px for crop in crops if crop.photo == number]
        if np.median(sides) < FEWEST_PIXELS:
            raise EnrolmentError(
                "cards-too-small",
                f"{photo.name}: the cards are too small to keep as pictures ({np.median(sides):.0f} pixels wide). "
                "Go nearer, with fewer cards in each photo.",
            )


def _merged(
    groups: list[list[int]], proposals: Sequence[Proposal], apart: Doubles, limit: float
) -> tuple[list[int], list[list[int]]]:
    """Groups that differ little and say the same are one face, a scratched copy apart from the others for instance.

    Returns which groups stay, and the copies of each.
    """
    keep: list[int] = []
    copies: list[list[int]] = []
    for k in sorted(range(len(groups)), key=lambda each: -len(groups[each])):
        for n, other in enumerate(keep):
            same = proposals[k].kind == proposals[other].kind and proposals[k].features == proposals[other].features
            if same and not proposals[k].unsure and apart[k, other] < limit:
                copies[n] = sorted(copies[n] + groups[k])
                break
        else:
            keep.append(k)
            copies.append(groups[k])
    order = sorted(range(len(keep)), key=lambda n: min(copies[n]))
    return [keep[n] for n in order], [copies[n] for n in order]


def own_ids(names: Sequence[str]) -> list[str]:
    """Ids of their own: a name that several faces have gets a number."""
    times = Counter(names)
    seen: Counter[str] = Counter()
    out = []
    for name in names:
        seen[name] += 1
        out.append(f"{name}-{seen[name]:02d}" if times[name] > 1 else name)
    return out
