"""Every sentence that people read, in English; the other languages are in `referee/locale`.

`N_` and `NN_` mark texts for translation (see `referee.messages`). Names in braces are filled in;
{card} and {other} are cards in words, {cards} a list of their names. Translators need no cases: cards
are always in the nominative.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.decks import Game
from referee.rulebook import (
    AssumptionKind,
    DoubtReason,
    MatchProblem,
    NoteKind,
    RetakeReason,
    RuleId,
    ScoreReason,
    Violation,
)
from referee.verdicts import ExtraTurn, Outcome


class Plural(NamedTuple):
    """A text that depends on the number {n}."""

    one: str
    many: str


def N_(text: str) -> str:  # noqa: N802 - the name that translators' tools look for
    """Mark a text for translation."""
    return text


def NN_(one: str, many: str) -> Plural:  # noqa: N802
    """Mark a text with a plural for translation."""
    return Plural(one, many)


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

DOUBTS: dict[DoubtReason, str] = {
    DoubtReason.FACE_UNSURE: N_(
        "Look at this card: {card}. I am not sure that I read it right. Come closer and take the photo again, "
        "or correct the card."
    ),
    DoubtReason.PERHAPS_NO_CARD: N_("Look at this: {card}. I am not sure that it is a card of the game."),
    DoubtReason.FACE_UNREVIEWED: N_(
        "Look at this card: {card}. Nobody has checked yet what I think it shows. Put it right in the deck first."
    ),
    DoubtReason.TOO_MANY_OF_FACE: N_(
        "Look at this card: {card}. The deck has fewer such cards than I see, so I have misread one, "
        "or it is from another deck."
    ),
    DoubtReason.CLOSE_CALL: N_(
        "Look at this card: {card}. It lies just at the limit. Agree where it belongs, lay it straight and take "
        "the photo again."
    ),
    DoubtReason.TOO_TANGLED: N_(
        "Too many ways lead on from here: {card}. Perhaps there is a longer route than the one I found. "
        "Follow the arrows together."
    ),
    DoubtReason.TOO_MANY_READINGS: N_(
        "Look at this card: {card}. Too many cards are unsure at once. Come closer and take the photo again."
    ),
    DoubtReason.NOTHING_FOUND: N_("I found no card of this game in the photo."),
    DoubtReason.NO_START: N_(
        "I found no Start card in the photo, and without it I cannot follow a route. Lay it face up, take away what "
        "covers it, and take the photo again."
    ),
    DoubtReason.LOST_TRACK: N_(
        "I cannot follow the cards from the photo before to this one, so I cannot judge the move. Take a photo after "
        "each move, from about the same place, and leave the other cards where they lie."
    ),
    DoubtReason.EARLIER_UNSURE: N_(
        "The table was not clear in the photo before, so I cannot judge this move. Take a clear photo before you go on."
    ),
    DoubtReason.READINGS_DIFFER: N_(
        "I read this table differently each time I look, so I cannot be sure. Come closer, or make more light."
    ),
}

DOUBTS_OF_MANY: dict[DoubtReason, str] = {
    DoubtReason.FACE_UNSURE: N_(
        "Look at these cards: {cards}. I am not sure that I read them right. Come closer and take the photo again, "
        "or correct the cards."
    ),
    DoubtReason.PERHAPS_NO_CARD: N_(
        "Look at these places: {cards}. I am not sure whether cards of the game lie there."
    ),
    DoubtReason.TOO_MANY_OF_FACE: N_(
        "Look at these cards: {cards}. The deck has fewer such cards than I see, so I have misread one, "
        "or it is from another deck."
    ),
    DoubtReason.CLOSE_CALL: N_(
        "Look at these cards: {cards}. They lie just at the limit. Agree where they belong, lay them straight and "
        "take the photo again."
    ),
    DoubtReason.TOO_MANY_READINGS: N_(
        "Look at these cards: {cards}. Too many are unsure at once. Come closer and take the photo again."
    ),
}
"""Doubts that several cards often share; they are told in one sentence."""

RETAKES: dict[RetakeReason, str] = {
    RetakeReason.NO_CARDS: N_(
        "Lay the cards face up, come closer, so that they fill the photo, and take it again. "
        "Check also that you chose the right deck."
    ),
    RetakeReason.TOO_FAR: N_("The cards are too small in the photo. Come closer and take it again."),
    RetakeReason.BLURRED: N_("The photo is blurred. Hold the phone still with both hands and take it again."),
    RetakeReason.TOO_DARK: N_("It is too dark here. Turn on a light and take the photo again."),
    RetakeReason.GLARE: N_(
        "There is too much light in the photo. Turn away from the lamp or the window and take it again."
    ),
    RetakeReason.CUT_OFF: N_("Not all cards are in the photo. Step back a little and take it again."),
    RetakeReason.COVERED: N_("Something covers the cards. Take it away and take the photo again."),
    RetakeReason.CAMERA_MOVED: N_(
        "The camera was moved since the table was measured. Measure the table again; "
        "until then its edge is not looked at."
    ),
    RetakeReason.MARKS_COVERED: N_(
        "The markers at the table's corners are covered, so its edge is not looked at. "
        "Uncover them and take the photo again."
    ),
}
"""What to do about the picture as a whole."""

RETAKES_AT: dict[RetakeReason, str] = {
    RetakeReason.TOO_FAR: N_("Too small in the photo: {cards}. Come closer and take the photo again."),
    RetakeReason.BLURRED: N_("Blurred: {cards}. Hold the phone still with both hands and take the photo again."),
    RetakeReason.TOO_DARK: N_("Too dark: {cards}. Turn on a light and take the photo again."),
    RetakeReason.GLARE: N_(
        "A lamp or the window shines here: {cards}. Move the phone a little to the side and take the photo again."
    ),
    RetakeReason.CUT_OFF: N_("Cut off by the edge of the photo: {cards}. Step back a little and take it again."),
    RetakeReason.COVERED: N_("Something lies on top here: {cards}. Take it away and take the photo again."),
}
"""What to do about single cards and places."""

RETAKE_SIGNS: dict[RetakeReason, str] = {
    RetakeReason.NO_CARDS: N_("no cards"),
    RetakeReason.TOO_FAR: N_("too far"),
    RetakeReason.BLURRED: N_("blurred"),
    RetakeReason.TOO_DARK: N_("too dark"),
    RetakeReason.GLARE: N_("glare"),
    RetakeReason.CUT_OFF: N_("cut off"),
    RetakeReason.COVERED: N_("covered"),
    RetakeReason.CAMERA_MOVED: N_("camera moved"),
    RetakeReason.MARKS_COVERED: N_("markers covered"),
}
"""A word or two to write beside the card in the picture."""

REASONS: dict[ScoreReason, str] = {
    ScoreReason.CARD_IN_ROUTE: N_("a right card"),
    ScoreReason.MOST_CATS_IN_BOX: N_("most cats in a closed box"),
}

EXTRA_TURNS: dict[ExtraTurn, str] = {
    ExtraTurn.SEVEN_CHANGES: N_("An extra turn: on one path the colour changes seven times or more."),
    ExtraTurn.THREE_JOINTS: N_("An extra turn: three or more joins of one colour."),
}

PROBLEMS: dict[MatchProblem, str] = {
    MatchProblem.NO_SUCH_PLAYER: N_("Nobody with this name plays: {player}."),
    MatchProblem.NOT_YOUR_TURN: N_("It is not the turn of this player: {player}."),
    MatchProblem.GAME_OVER: N_("The game is over already."),
    MatchProblem.ROUND_OPEN: N_("The round is not over yet: no Finish lies on the table."),
    MatchProblem.ILLEGAL_MOVE: N_("This move is against the rules. The card goes back to its player: {player}."),
    MatchProblem.ALREADY_DREW: N_("Only one card is drawn in a turn. Player: {player}."),
    MatchProblem.DRAW_FIRST: N_("Before passing, take a card from the bank. Player: {player}."),
    MatchProblem.BANK_EMPTY: N_("The bank is empty, no card can be taken."),
    MatchProblem.NOTHING_PLAYED: N_("In a turn something must be played: a box card or a sleeping cat."),
    MatchProblem.CAT_WITHOUT_BOX: N_("A cat is laid only after a box card in the same turn."),
    MatchProblem.BOX_AND_SLEEPING_CAT: N_("A sleeping cat is played instead of a box card, not as well."),
    MatchProblem.NO_CAT_LEFT: N_("This player has no cat left: {player}."),
    MatchProblem.NO_PRINCESS_LEFT: N_("This player has no Princess left: {player}."),
    MatchProblem.NO_CAT_TO_REPLACE: N_("The Princess takes the place of another player's cat that lies on the table."),
    MatchProblem.NO_SLEEPING_IN_LAST_PHASE: N_("The last phase has begun: no more sleeping cats."),
    MatchProblem.HAND_EMPTY: N_("This player has no cards left: {player}."),
}

RULES: dict[RuleId, str] = {
    RuleId.CM_START: N_("A route begins at a Start card, one for each player. The first card lies on any side of it."),
    RuleId.CM_DRAW: N_("A card you have drawn may go back into the heap at once, but a Finish never."),
    RuleId.CM_ARROW: N_("Each next card lies on the side that the arrow of the card before points to."),
    RuleId.CM_ONE_WAY: N_("From a card with two arrows the route goes one way only."),
    RuleId.CM_SIDE: N_("Beside means side to side. Corner to corner, or far away, is not beside."),
    RuleId.CM_TRAP: N_("If all arrows point to taken places, the route is in a trap and nothing may be added."),
    RuleId.CM_FINISH: N_("A Finish is laid at once, as the last card. It ends the round for everybody."),
    RuleId.CM_FIRST_FINISH: N_(
        "A Finish right after the Start counts as a finished route, unless you agree otherwise."
    ),
    RuleId.CM_ONE_FINISH: N_("Only one Finish a round: the first one ends it."),
    RuleId.CM_ERROR: N_(
        "A card laid wrong goes back into the heap with all cards after it. The part before it scores."
    ),
    RuleId.CM_SCORE: N_("Each card of the right part of a route brings the points printed on it."),
    RuleId.CM_END: N_("The game ends after four rounds, with the fourth Finish. Most points win; a tie is shared."),
    RuleId.CM_DECK: N_("Nobody can see or win more cards of a kind than the deck has."),
    RuleId.CP_DEAL: N_("Two players get 6 cards each, three get 5, four get 4. The rest is the bank."),
    RuleId.CP_JOIN: N_("Where cards meet, the ends of the paths must have the same colour."),
    RuleId.CP_TWO: N_("At least two paths of a laid card must go on in their own colour."),
    RuleId.CP_EDGE: N_("Cards lie exactly side to side, not pushed along each other."),
    RuleId.CP_PATH: N_(
        "A path goes on from card to card where equal colours meet. A ring comes back to where it began."
    ),
    RuleId.CP_NO_MOVE: N_("If no card fits, take one from the bank. If that does not fit either, the turn passes."),
    RuleId.CP_SEVEN: N_(
        "A move that makes a path whose colour changes seven times or more brings an extra turn, once for each path."
    ),
    RuleId.CP_THREE: N_("A move with three or more joins of one colour brings an extra turn."),
    RuleId.CP_RING: N_(
        "Whoever closes a ring makes the next player take a card from the bank. If it is empty, that player "
        "loses the turn."
    ),
    RuleId.CP_END: N_("Whoever first has laid all their cards wins."),
    RuleId.IF_TURN: N_(
        "In a turn you draw a card and play one, and may then lay a cat; or you play a sleeping cat and draw nothing."
    ),
    RuleId.IF_START: N_("Start boxes are joined to the layout by a short side."),
    RuleId.IF_JOIN: N_("Box cards are joined long side to long side or short side to short side, corner to corner."),
    RuleId.IF_OVERLAP: N_("Box cards do not cover each other."),
    RuleId.IF_TABLE: N_("A card lies wholly on the table. Cards that lie are not turned or moved."),
    RuleId.IF_WALL: N_("Walls do not matter for laying a card. A box ends at a wall."),
    RuleId.IF_BOX: N_("Two open sides together make one box. A box is closed when no open side is left."),
    RuleId.IF_CAT: N_("A cat lies across two cards joined by their long sides, with no wall between them."),
    RuleId.IF_CAT_BOX: N_("A cat may enter a box only if no other player's cat is there, or one of your own is."),
    RuleId.IF_CAT_OVERLAP: N_("A cat covers no other cat and no cards but its own two."),
    RuleId.IF_ASLEEP: N_("A sleeping cat lies like a box card and counts for nothing."),
    RuleId.IF_PRINCESS: N_("The Princess takes the place of another player's cat. She counts for nobody."),
    RuleId.IF_SCORE: N_("For each closed box, whoever has most cats in it gets a point for each toy."),
    RuleId.IF_END: N_(
        "The last phase begins when the draw pile is empty or somebody has laid the fifth cat. It ends when all "
        "hands are empty."
    ),
    RuleId.IF_DECK: N_("A player has five cats, awake or asleep: two sides of the same cards."),
}

OPTIONS: dict[tuple[str, str], str] = {
    ("upright", "no"): N_("Cards may lie turned; an arrow counts as it lies."),
    ("upright", "yes"): N_("All cards lie the same way up as their Start."),
    ("first_finish", "counts"): N_("A Finish right after the Start counts as a finished route."),
    ("first_finish", "back"): N_("A Finish right after the Start goes back into the heap, and the round goes on."),
    ("ties", "all"): N_("If players have equally many cats in a box, all of them score in full."),
    ("ties", "none"): N_("If players have equally many cats in a box, none of them scores."),
    ("ties", "split"): N_(
        "If players have equally many cats in a box, they share the toys; what is left over is lost."
    ),
    ("open_boxes", "no"): N_("Only closed boxes score."),
    ("open_boxes", "yes"): N_("Boxes that are still open score too."),
    ("asleep_closes", "no"): N_("A sleeping cat at an open side does not close the box."),
    ("asleep_closes", "yes"): N_("A sleeping cat at an open side closes the box there."),
}

GAMES: dict[Game, str] = {
    Game.CAT_AND_MOUSE: N_("Cat and Mouse"),
    Game.COLOURED_PATHS: N_("Multicoloured Paths"),
    Game.IF_IT_FITS: N_("If It Fits"),
}

# Cards in words, in the nominative; {name} is the name or number of the card.
START_CARD = N_("Start {name}")
FINISH_CARD = N_("Finish {name}")
MOVE_CARD = N_("card {name} (arrow {way}, {points})")
FORK_CARD = N_("card {name} (arrows {way} and {other_way}, {points})")
PATH_CARD = N_("card {name}")
BOX_CARD = N_("box card {name}")
START_BOX = N_("Start box {name}")
TOY_CARD = N_("toy card {name}")
AWAKE_CAT = N_("{colour} cat {name}")
SLEEPING_CAT = N_("sleeping {colour} cat {name}")
PRINCESS_CARD = N_("Princess {name}")
SOMETHING = N_("the marked place in the photo")
PLACE = N_("the place marked {name}")

WAYS = (N_("up"), N_("right"), N_("down"), N_("left"))
"""Clockwise, as `referee.decks.ARROWS`, on the table."""

COLOURS: dict[str, str] = {
    "red": N_("red"),
    "orange": N_("orange"),
    "yellow": N_("yellow"),
    "green": N_("green"),
    "blue": N_("blue"),
    "purple": N_("purple"),
    "pink": N_("pink"),
    "brown": N_("brown"),
    "white": N_("white"),
    "grey": N_("grey"),
    "black": N_("black"),
}

POINTS = NN_("{n} point", "{n} points")
TOYS = NN_("{n} toy", "{n} toys")

# The photo in words.
SEEN = N_("Cards found: {n}.")
SEEN_UNSURE = N_("Cards found: {n}. To look at: {unsure}.")
RULES_HEADING = N_("The rules:")

# The move in words.
MOVE_SINCE = N_("Compared with {photo}.")
MOVE_LAID = N_("New: {cards}.")
MOVE_NOTHING = N_("No card was added.")
MOVE_ALLOWED = N_("The move is right.")
MOVE_FORBIDDEN = N_("The move is against the rules.")
MOVE_UNSURE = N_("I am not sure about the move.")
MOVED_CARDS = N_("Moved: {cards}.")
RESTORED_CARDS = N_("Back in place: {cards}.")
REMOVED_CARDS = NN_("{n} card was taken away.", "{n} cards were taken away.")
REMEMBERED_CARDS = N_("Covered now, but known from an earlier photo: {cards}.")
NEW_SIGN = N_("new")
RING_SIGN = N_("ring")
OPEN_SIGN = N_("still open")

# The verdict in words.
ROUTE = NN_("{start}: {n} card is right, {points}.", "{start}: {n} cards are right, {points}.")
ROUTE_EMPTY = N_("{start}: no right card yet.")
ROUTE_FINISHED = N_("The route is finished.")
GROUP = NN_("{n} card is joined.", "{n} cards are joined.")
CHANGES = NN_("On the longest path the colour changes {n} time.", "On the longest path the colour changes {n} times.")
RINGS = NN_("There is {n} ring.", "There are {n} rings.")
MOVE_LEGAL = N_("Move {n}, {card}: right.")
MOVE_ILLEGAL = N_("Move {n}, {card}: against the rules, the card goes back.")
MOVE_RING = N_("A ring: the next player takes a card from the bank.")
BOX_CLOSED = N_("Closed box ({cards}): {toys}.")
BOX_OPEN = N_("Box still open ({cards}): {toys}.")
BOX_CATS = N_("Cats: {cats}.")
BOX_POINTS = N_("Each of these players gets {points}: {players}.")
BOX_POINTS_ONE = N_("{player}: {points}.")
TOTAL = N_("Points: {scores}.")
