"""What is said of a table: the outcome, what lies wrong, what is worth saying."""

from __future__ import annotations

from referee.rulebook import AssumptionKind, NoteKind, Violation
from referee.texts.marks import N_, NN_, Plural
from referee.verdicts import Outcome

OUTCOMES: dict[Outcome, str] = {
    Outcome.VALID: N_("Everything lies right."),
    Outcome.INVALID: N_("Something lies wrong."),
    Outcome.UNDETERMINED: N_("I cannot tell for sure yet."),
}

FAULTS: dict[Violation, str] = {
    Violation.WRONG_SIDE: N_(
        "{card} lies on the wrong side. Put the card back into the heap. Look where the arrow points: {other}."
    ),
    Violation.TURNED: N_(
        "{card} is turned. You agreed to lay all cards the same way up as {other}. Put the card back into the heap."
    ),
    Violation.SECOND_FIRST_CARD: N_(
        "{card} lies at the Start as well, but a route has only one first card. Put the card back into the heap."
    ),
    Violation.SECOND_ARROW: N_(
        "{card} lies at the second arrow, but a route can go only one way. Put the card back into "
        "the heap. The card with two arrows: {other}."
    ),
    Violation.NOT_BESIDE: N_(
        "{card} is not beside the last card of the route. Cards lie side to side, not corner to corner "
        "and not far apart. Put the card back into the heap. The last card of the route: {other}."
    ),
    Violation.AFTER_TRAP: N_(
        "{card} cannot lie here, the route is in a trap: all arrows of its last card point to taken places. "
        "Put the card back into the heap. The last card of the route: {other}."
    ),
    Violation.AFTER_FINISH: N_(
        "{card} lies after the Finish, but {other} ends the route. Put the card back into the heap."
    ),
    Violation.FINISH_FIRST: N_(
        "{card} lies right after the Start. You agreed that such a Finish goes back into the heap "
        "and the round goes on."
    ),
    Violation.TWO_FINISHES: N_(
        "There is more than one Finish: {cards}. The first one ends the round. Decide together which came first."
    ),
    Violation.AFTER_ERROR: N_(
        "{card} lies after a wrong card, so it goes back into the heap too. The wrong card: {other}."
    ),
    Violation.NO_ROUTE: N_("{card} belongs to no route. Put the card back into the heap."),
    Violation.MISMATCH: N_(
        "{card} and {other}: paths of different colours meet here. Take back the card that was laid last."
    ),
    Violation.SHOVED: N_(
        "{card} and {other}: one card is pushed along the other. Lay cards exactly side to side, "
        "or take back the card that was laid last."
    ),
    Violation.APART: N_(
        "{card} touches no other card. Lay it so that at least two paths go on in their colours, or take it back."
    ),
    Violation.BOX_LONG_TO_SHORT: N_(
        "{card} and {other}: a long side lies at a short side. Long goes to long and short to short."
    ),
    Violation.BOX_NOT_FLUSH: N_("{card} and {other}: the cards are pushed along each other. Corner goes to corner."),
    Violation.BOX_OVERLAP: N_("{card} and {other}: one card covers the other. Box cards lie side to side."),
    Violation.BOX_OFF_TABLE: N_(
        "{card} sticks out over the edge of the table. If it does not fit, it may not lie there."
    ),
    Violation.START_BY_LONG_SIDE: N_("Start boxes are joined by their short sides. Look at these cards: {cards}."),
    Violation.CAT_ACROSS_WALL: N_(
        "{card} lies across a wall. A cat lies on two cards with no wall between them, so this one does not count."
    ),
    Violation.CAT_NOT_ON_TWO_BOXES: N_(
        "{card} must lie across two cards joined by their long sides, half on each. This way the cat does not count."
    ),
    Violation.CAT_OVERLAP: N_("{card} and {other}: one covers the other. A cat covers only its own two cards."),
    Violation.ASLEEP_NOT_FLUSH: N_("{card}: a sleeping cat lies like a box card, side to side and corner to corner."),
    Violation.CAT_NOT_ON_NEW_BOX: N_("{card} must lie on the card that was just played. Take the cat back."),
    Violation.CAT_IN_FOREIGN_BOX: N_("{card}: another player's cat lives in this box already. Take the cat back."),
    Violation.PRINCESS_NOT_ON_CAT: N_("{card} must take the place of another player's cat. Take the Princess back."),
    Violation.BOX_NOT_JOINED: N_("{card} touches no other box card. Lay it side to side with one of them."),
    Violation.TOO_MANY_CARDS: N_(
        "These are more cards than one turn allows: {cards}. A turn is one box card and perhaps a cat, "
        "or one sleeping cat."
    ),
    Violation.CARDS_MOVED: N_("These cards lay differently before: {cards}. Cards that lie are not moved."),
}

FAULTS_OF_MANY: dict[Violation, str] = {
    Violation.AFTER_ERROR: N_("These cards lie after a wrong card, so they go back into the heap too: {cards}."),
    Violation.NO_ROUTE: N_("These cards belong to no route. Put them back into the heap: {cards}."),
}
"""Faults that several cards often share; they are told in one sentence."""

NOTES: dict[NoteKind, str | Plural] = {
    NoteKind.CARD_TURNED: NN_(
        "{n} card is turned; its arrow counts as it lies ({cards}).",
        "{n} cards are turned; their arrows count as they lie ({cards}).",
    ),
    NoteKind.ROUND_OPEN: N_("No Finish lies on the table yet: the round goes on, and the points count when it ends."),
    NoteKind.TRAPPED: N_("A route is in a trap: all arrows of its last card point to taken places ({cards})."),
    NoteKind.FINISH_AFTER_START: N_("A Finish lies right after the Start. That is allowed, but brings few points."),
    NoteKind.HEAP: NN_(
        "{n} card lies in a pile. That is the heap; it is not judged.",
        "{n} cards lie in a pile. That is the heap; it is not judged.",
    ),
    NoteKind.NO_START: N_("I see no Start card, so there is no route."),
    NoteKind.TOO_MANY_OF_FACE: NN_(
        "The deck has only {n} such card, but I see more ({cards}). One is misread or from another deck.",
        "The deck has only {n} such cards, but I see more ({cards}). One is misread or from another deck.",
    ),
    NoteKind.TOO_MANY_PATH_CARDS: NN_(
        "The deck has only {n} such card, but I see more ({cards}). One is misread or from another deck.",
        "The deck has only {n} such cards, but I see more ({cards}). One is misread or from another deck.",
    ),
    NoteKind.STRAYS: NN_(
        "{n} card lies apart from the others and is not judged ({cards}).",
        "{n} cards lie apart from the others and are not judged ({cards}).",
    ),
    NoteKind.TOO_MANY_BOX_CARDS: NN_(
        "The deck has only {n} such card, but I see more ({cards}). One is misread or from another deck.",
        "The deck has only {n} such cards, but I see more ({cards}). One is misread or from another deck.",
    ),
    NoteKind.TOO_MANY_CATS: NN_(
        "A player has only {n} cat, but I see more of one colour ({cards}). One is misread or from another deck.",
        "A player has only {n} cats, but I see more of one colour ({cards}). One is misread or from another deck.",
    ),
    NoteKind.BOX_APART: NN_(
        "{n} box card lies apart from the others ({cards}).",
        "{n} box cards lie apart from the others ({cards}).",
    ),
    NoteKind.SUPPLY: NN_(
        "{n} cat card touches no box: it is not in play yet.",
        "{n} cat cards touch no box: they are not in play yet.",
    ),
}

ASSUMPTIONS: dict[AssumptionKind, str] = {
    AssumptionKind.MORE_CARDS: N_(
        "I cannot see which card was laid first. I took the way on which more cards are right: {cards}."
    ),
    AssumptionKind.MORE_POINTS: N_(
        "I cannot see which card was laid first. Equally many cards would be right; "
        "I took the way that brings more points: {cards}."
    ),
    AssumptionKind.FIRST_ARROW: N_(
        "I cannot see which card was laid first. Both ways are equally good; I took the first one: {cards}."
    ),
    AssumptionKind.LAYOUT_BY_FIRST_CARD: N_(
        "Some groups are equally large. I took the one with the first card laid: {cards}."
    ),
    AssumptionKind.LAYOUT_BY_MIDDLE: N_("Some groups are equally large. I took the one nearest the middle: {cards}."),
}
