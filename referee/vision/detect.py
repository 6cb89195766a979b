"""From a photograph to the cards that surely lie in it: seeds, verified one by one, and the plane they share.

The order matters (measured): each seed is aligned to the deck's faces *before* any plane exists, since a plane
fitted to unverified seeds loses whole photographs; once the plane stands, a card has only three unknowns left and
the weaker evidence (few votes, the places beside a sure card) becomes usable.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from referee.vision.align import Aligner, Doubles, Pyramid
from referee.vision.bare import bare_table
from referee.vision.candidates import near_cards, voted
from referee.vision.covering import SUSPICIOUS, is_frame_only, weigh
from referee.vision.facebank import FINE, FaceBank
from referee.vision.first_cards import first_cards, votes_on
from referee.vision.joint import BLUR, flush, place_jointly, unplaced
from referee.vision.patches import card_patches
from referee.vision.places import Places
from referee.vision.plane import Bools, Plane
from referee.vision.recognise import laid_as_read, recognise
from referee.vision.rivals import plain_cards, replace_doubtful, under_their_like, unrivalled
from referee.vision.seeds import Votes, feature_bank
from referee.vision.seen_table import BARE, COVERED, STANDS_OUT, SeenTable, own_strange_share, strange_share
from referee.vision.sweep import sweep
from referee.vision.verify import (
    IS_CARD,
    LAYER_GAP,
    MAYBE_CARD,
    SAME_PLACE,
    WHOLE,
    Detections,
    distinct,
    face_scores,
    guess_faces,
    new_only,
    place,
    settle,
)

HOPELESS = 0.35
"""Correlation below which nothing that may hide a card makes up for it, in decks of which no card lies on others."""
MOVED, NEIGHBOURHOOD = 0.05, 2.5
"""How far a card must move to count as moved, and how far around it the search goes on, in card sides."""
CORE = 0.5
"""Part of a card's size on which a place to be searched must lie for the card to be judged again; such places are
searched a little beyond."""
GROWTH_ROUNDS = 40
"""How often the search beside new cards may go on: as many cards as a long route has."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The sure cards, the plane they lie in (None without cards), candidates that were not good enough, and the table
    beside the cards as seen from above."""

    cards: Detections
    plane: Plane | None
    rejected: Detections
    seen: SeenTable | None = None


def detect(pyramid: Pyramid, aligner: Aligner) -> Found:
    """Find all cards of the deck.

    pyramid: the photograph; aligner: of the deck. Corners of the result are pixels of the photograph.
    """
    learnt = feature_bank(aligner.bank)
    first = first_cards(pyramid, aligner, learnt)
    if first.plane is None:
        return Found(Detections.none(), None, first.cards)
    cards, plane = settle(pyramid, aligner, told_by_layer(pyramid, aligner, first.plane, first.cards), first.plane)
    votes = votes_on(first, learnt, plane, cards)
    return search_on(pyramid, aligner, plane, cards, first.rejected, votes)


def search_on(
    pyramid: Pyramid,
    aligner: Aligner,
    plane: Plane,
    cards: Detections,
    rejected: Detections,
    votes: Votes,
    where: Places | None = None,
    before: Detections | None = None,
) -> Found:
    """All cards that sure `cards` and the features' votes lead to.

    rejected: candidates that were not good enough. where: the places to be searched, None: everywhere; from a new card
    the search goes on anywhere. before: all cards known from an earlier photograph, as they lay; those that are not
    among `cards` are tried again.
    """
    bank = aligner.bank
    before = before or Detections.none()
    dealt_with = plane.poses(before.corners)
    poses = voted(votes, plane, cards)
    guesses = guess_faces(pyramid, bank, plane, poses, cards)
    table = bare_table(pyramid, bank, plane, cards, where)
    near = near_cards(pyramid, aligner, plane, cards, where=where, bare=table)
    guesses = guesses.plus(near).plus(new_only(before, cards, plane))
    out_of_plane = len(rejected)
    swept = patched = laid_flush = waited = late = False
    prunings = 0
    fitted = waiting = Detections.none()
    for _ in range(GROWTH_ROUNDS):
        if table is not None and len(guesses) and (table.told or not waited):
            bare = table.at(plane.poses(guesses.corners))
            waiting = waiting if waited else waiting.plus(guesses.select(bare))
            guesses = guesses.select(~bare)
        fresh = new_only(distinct(place(pyramid, aligner, plane, guesses, cards), plane), cards, plane)
        fresh = fresh.plus(unplaced(pyramid, aligner, plane, guesses, cards, fresh))
        fresh = place_jointly(pyramid, aligner, plane, fresh, cards).plus(fitted)
        fitted = Detections.none()
        fresh = fresh.select(bank.has_upper | (fresh.score > HOPELESS))
        fresh = weigh(pyramid, bank, plane, distinct(fresh, plane), cards)
        fresh = _no_table(pyramid, bank, plane, fresh, cards)
        good = fresh.score >= IS_CARD
        rejected = rejected.plus(fresh.select(~good & (fresh.score >= MAYBE_CARD)))
        if good.any():
            late |= waited
            lain = np.concatenate([cards.corners, before.corners])
            known = plane.poses(lain)
            cards = cards.plus(told_by_layer(pyramid, aligner, plane, fresh.select(good)))
            cards, plane = settle(pyramid, aligner, cards, plane)
            if where is not None:  # few cards may bend the table, yet those known lie where they lay
                known, dealt_with = plane.poses(lain), plane.poses(before.corners)
            table = bare_table(pyramid, bank, plane, cards, where)
            guesses = near_cards(pyramid, aligner, plane, cards, known, bare=table)
        elif not swept:
            poses = sweep(pyramid, bank, plane, cards, where)
            guesses = guess_faces(pyramid, bank, plane, poses, cards)
            if not bank.has_upper:  # the plane is known better than when these were judged
                guesses = guesses.plus(rejected.select(np.arange(out_of_plane, len(rejected))))
            swept = True
        elif not patched:
            poses = card_patches(pyramid, plane, cards, where)
            guesses = guess_faces(pyramid, bank, plane, poses, cards)
            patched = True
        elif not laid_flush and bank.has_upper:
            guesses, fitted = Detections.none(), flush(pyramid, aligner, plane, cards, where)
            laid_flush = True
        elif bank.has_upper and prunings < 1 + late:  # what has waited is judged as well
            known = plane.poses(cards.corners)
            judged = _to_judge(plane, cards, before, where)
            cards = distinct(replace_doubtful(pyramid, aligner, plane, cards, judged), plane)
            judged = _to_judge(plane, cards, before, where)
            cards, fallen = stand_alone(pyramid, bank, plane, cards, judged)
            judged = _to_judge(plane, cards, before, where)
            cards, doubtful = unrivalled(pyramid, aligner, plane, cards, judged)
            rejected = rejected.plus(fallen).plus(doubtful)
            prunings += 1
            known = untouched(known, plane.poses(cards.corners), dealt_with)
            table = bare_table(pyramid, bank, plane, cards, where)
            guesses = near_cards(pyramid, aligner, plane, cards, known, bare=table)
        elif not waited and len(waiting):
            guesses, waiting, waited = new_only(waiting, cards, plane), Detections.none(), True
        else:
            break
    return _against_the_table(pyramid, aligner, plane, cards, distinct(rejected, plane), where)


def _to_judge(plane: Plane, cards: Detections, before: Detections, where: Places | None) -> Bools:
    """(N,) which cards are to be compared with their rivals: those of the places searched and all that are not as they
    were before."""
    if where is None:
        return np.ones(len(cards), dtype=bool)
    poses, lain = plane.poses(cards.corners), plane.poses(before.corners)
    gap = np.hypot(*(poses[:, None, :2] - lain[None, :, :2]).transpose(2, 0, 1))
    as_before = ((gap < MOVED) & (cards.face[:, None] == before.face[None, :])).any(axis=1)
    return np.asarray(where.touched_by(poses, plane.aspect, CORE) | ~as_before)


def _against_the_table(
    pyramid: Pyramid,
    aligner: Aligner,
    plane: Plane,
    cards: Detections,
    rejected: Detections,
    where: Places | None,
) -> Found:
    """Sort out the candidates that were not good enough: bare table is nothing; what shows of a half-hidden card is one
    if it is explained well and surely no table, however plain it is. A weak likeness to a plain card falls if it looks
    like the table."""
    bank = aligner.bank
    seen = SeenTable.of(pyramid, plane, cards)
    table = _is_table(bank, plane, cards, cards, seen)
    if table.any():
        rejected, cards = rejected.plus(cards.select(table)), cards.select(~table)
        seen = SeenTable.of(pyramid, plane, cards)
    places = weigh(pyramid, bank, plane, new_only(rejected, cards, plane), cards)
    places = places.select(places.score >= MAYBE_CARD)
    share = strange_share(plane, plane.poses(places.corners), cards, seen)
    plain = plain_cards(pyramid, aligner, plane, places, cards) & (share >= STANDS_OUT)
    if plain.any():
        cards = cards.plus(places.select(plain))
        seen = SeenTable.of(pyramid, plane, cards)
    places = places.select(~plain & ~(share < BARE))
    shoved = under_their_like(pyramid, aligner, plane, cards, where)
    shoved = replace(shoved, score=np.full(len(shoved), SUSPICIOUS, np.float32), visible=np.ones_like(shoved.visible))
    return Found(cards, plane, places.plus(new_only(shoved, places, plane)), seen)


def _no_table(pyramid: Pyramid, bank: FaceBank, plane: Plane, fresh: Detections, cards: Detections) -> Detections:
    """Candidates, of which those that are little more than a frame and look like the table are doubts only."""
    good = fresh.select(fresh.score >= IS_CARD)
    if not is_frame_only(bank, good.face, good.score).any():
        return fresh
    table = np.zeros(len(fresh), dtype=bool)
    table[fresh.score >= IS_CARD] = _is_table(bank, plane, good, cards, SeenTable.of(pyramid, plane, cards.plus(good)))
    return replace(fresh, score=np.where(table, SUSPICIOUS, fresh.score).astype(np.float32))


def _is_table(bank: FaceBank, plane: Plane, fresh: Detections, cards: Detections, seen: SeenTable) -> Bools:
    """(N,) which of `fresh` cards are little more than a frame and look like the table where no `cards` lie on them."""
    table = ~bank.lies_on_others[fresh.face] & is_frame_only(bank, fresh.face, fresh.score)
    upper = cards.select(bank.lies_on_others[cards.face])
    table[table] = own_strange_share(plane, fresh.select(table), upper, seen) < COVERED
    return np.asarray(table)


def told_by_layer(pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections) -> Detections:
    """Cards, of which those that may as well be a face of another layer are read closely: a sleeping cat that is taken
    for one awake hides what lies beside it, and one awake hides nothing if it is thought asleep."""
    bank = aligner.bank
    if not bank.has_upper or not len(cards):
        return cards
    scores, _ = face_scores(pyramid, bank, cards.corners, FINE, BLUR, None)
    by_face = scores.max(axis=1)
    above, below = (by_face[:, layer].max(axis=1, initial=-1) for layer in (bank.lies_on_others, ~bank.lies_on_others))
    lead = np.where(bank.lies_on_others[cards.face], above - below, below - above)
    doubtful = np.flatnonzero((lead < LAYER_GAP) & (cards.visible >= WHOLE))
    out = cards
    for i, read in zip(doubtful, recognise(pyramid, aligner, cards.select(doubtful), plane), strict=True):
        if bank.lies_on_others[read.face] != bank.lies_on_others[cards.face[i]]:
            quad = laid_as_read(cards.corners[i], read.corners, bank.turns)
            one = Detections(quad[None], np.array([read.face]), cards.score[i : i + 1], cards.visible[i : i + 1])
            out = out.replaced(int(i), one)
    return out


def untouched(before: Doubles, after: Doubles, lain: Doubles) -> Doubles:
    """Those poses of `before` (N, 3) that are still taken `after` (M, 3), and so are all in their neighbourhood: beside
    them there is nothing new to look for.

    lain: (K, 3) where cards lay in an earlier photograph; one that only seemed to lie elsewhere has not moved.
    """
    gap = _nearest(before, after)
    lie_again = lain[_nearest(lain, after) < MOVED]
    gone = before[(gap > MOVED) & (_nearest(before, lie_again) > SAME_PLACE)]
    return np.asarray(before[_nearest(before, gone) > NEIGHBOURHOOD])


def _nearest(poses: Doubles, others: Doubles) -> Doubles:
    """(N,) how far the nearest of `others` (M, 3) is from each of `poses` (N, 3); far, without any."""
    return np.asarray(np.hypot(*(poses[:, None, :2] - others[None, :, :2]).transpose(2, 0, 1)).min(axis=1, initial=9.0))


def stand_alone(
    pyramid: Pyramid, bank: FaceBank, plane: Plane, cards: Detections, judged: Bools
) -> tuple[Detections, Detections]:
    """Weigh each card of those `judged` (N,) once more against all others, the weakest first: (those that still stand,
    those that fall).

    What was found early may have lived on the print of a neighbour that was not known then.
    """
    keep = np.ones(len(cards), dtype=bool)
    for i in np.argsort(cards.evidence, kind="stable"):
        if not judged[i] or bank.lies_on_others[cards.face[i]]:  # what lies on others cannot live on their print
            continue
        keep[i] = False
        one = cards.select(np.array([i]))
        keep[i] = weigh(pyramid, bank, plane, one, cards.select(keep)).score[0] >= IS_CARD
    return cards.select(keep), cards.select(~keep)
