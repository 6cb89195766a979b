"""The rules in words, their options, and what they give or forbid."""

from __future__ import annotations

from referee.decks import Game
from referee.rulebook import MatchProblem, RuleId, ScoreReason
from referee.texts.marks import N_
from referee.verdicts import ExtraTurn

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
