"""The closed lists of the referee's vocabulary: rules, faults, notes, assumptions, doubts, reasons for
points.

Every member names the rule it rests on; every member has a text in each language (`referee.messages`).

Faults (the `rule` of a fault in the exchanged formats) and their rules:

=====================  ================  ================================================================
fault                  rule              what lies wrong; `cards`
=====================  ================  ================================================================
wrong-side             CM-ARROW          beside the last card, but no arrow points there; card, last card
turned                 CM-ARROW          option *upright*: not the same way up as its Start; card, Start
second-first-card      CM-START          a second card beside Start; card, Start
second-arrow           CM-ONE-WAY        at the arrow the route did not take; card, card with two arrows
not-beside             CM-SIDE           corner to corner with the last card, or off; card, last card
after-trap             CM-TRAP           laid although every arrow was blocked; card, trapped card
after-finish           CM-FINISH         laid after the Finish; card, Finish
finish-first           CM-FIRST-FINISH   option *first_finish = back*: Finish right after Start; Finish, Start
two-finishes           CM-ONE-FINISH     more than one route ends in a Finish; all these Finish cards
after-error            CM-ERROR          beside a card that itself lies wrong; card, that card
no-route               CM-START          belongs to no route; card
mismatch               CP-JOIN           path ends of different colours meet; both cards
shoved                 CP-EDGE           cards meet but are shoved along the edge; both cards
apart                  CP-TWO            a move that joins nothing; card
box-long-to-short      IF-JOIN           a long side meets a short side; both cards
box-not-flush          IF-JOIN           side by side, but shoved; both cards
box-overlap            IF-OVERLAP        two box cards overlap; both cards
box-off-table          IF-TABLE          a box card reaches over the table's edge; card
start-by-long-side     IF-START          Start cards that only long sides join; these cards
cat-across-wall        IF-CAT            a cat lies across a wall; cat, both boxes
cat-not-on-two-boxes   IF-CAT            a cat touches box cards but does not lie across two; cat
cat-overlap            IF-CAT-OVERLAP    a cat overlaps another cat or a third card; both cards
asleep-not-flush       IF-ASLEEP         a sleeping cat touches the layout but is not flush; cat
cat-not-on-new-box     IF-CAT            a move: the cat is not on the card just played; cat
cat-in-foreign-box     IF-CAT-BOX        a move: another player's cat was there before; cat
princess-not-on-cat    IF-PRINCESS       a move: the Princess takes the place of no cat; Princess
box-not-joined         IF-JOIN           a move: a box card joined to nothing; card
too-many-cards         IF-TURN           a move: more than one turn's cards; all of them
cards-moved            IF-TABLE          a move: cards laid earlier were moved, turned or taken; cards
=====================  ================  ================================================================
"""

from __future__ import annotations

from enum import StrEnum


class RuleId(StrEnum):
    """The rules, by the names under which players can look them up."""

    CM_START = "CM-START"
    CM_DRAW = "CM-DRAW"
    CM_ARROW = "CM-ARROW"
    CM_ONE_WAY = "CM-ONE-WAY"
    CM_SIDE = "CM-SIDE"
    CM_TRAP = "CM-TRAP"
    CM_FINISH = "CM-FINISH"
    CM_FIRST_FINISH = "CM-FIRST-FINISH"
    CM_ONE_FINISH = "CM-ONE-FINISH"
    CM_ERROR = "CM-ERROR"
    CM_SCORE = "CM-SCORE"
    CM_END = "CM-END"
    CM_DECK = "CM-DECK"
    CP_DEAL = "CP-DEAL"
    CP_JOIN = "CP-JOIN"
    CP_TWO = "CP-TWO"
    CP_EDGE = "CP-EDGE"
    CP_PATH = "CP-PATH"
    CP_NO_MOVE = "CP-NO-MOVE"
    CP_SEVEN = "CP-SEVEN"
    CP_THREE = "CP-THREE"
    CP_RING = "CP-RING"
    CP_END = "CP-END"
    IF_TURN = "IF-TURN"
    IF_START = "IF-START"
    IF_JOIN = "IF-JOIN"
    IF_OVERLAP = "IF-OVERLAP"
    IF_TABLE = "IF-TABLE"
    IF_WALL = "IF-WALL"
    IF_BOX = "IF-BOX"
    IF_CAT = "IF-CAT"
    IF_CAT_BOX = "IF-CAT-BOX"
    IF_CAT_OVERLAP = "IF-CAT-OVERLAP"
    IF_ASLEEP = "IF-ASLEEP"
    IF_PRINCESS = "IF-PRINCESS"
    IF_SCORE = "IF-SCORE"
    IF_END = "IF-END"
    IF_DECK = "IF-DECK"


class _Ruled(StrEnum):
    """A word of the vocabulary together with the rule it rests on."""

    rule_id: RuleId

    def __new__(cls, value: str, rule_id: RuleId) -> _Ruled:
        member = str.__new__(cls, value)
        member._value_ = value
        member.rule_id = rule_id
        return member


class Violation(_Ruled):
    """The broken rules; the module's docstring says what each means."""

    WRONG_SIDE = "wrong-side", RuleId.CM_ARROW
    TURNED = "turned", RuleId.CM_ARROW
    SECOND_FIRST_CARD = "second-first-card", RuleId.CM_START
    SECOND_ARROW = "second-arrow", RuleId.CM_ONE_WAY
    NOT_BESIDE = "not-beside", RuleId.CM_SIDE
    AFTER_TRAP = "after-trap", RuleId.CM_TRAP
    AFTER_FINISH = "after-finish", RuleId.CM_FINISH
    FINISH_FIRST = "finish-first", RuleId.CM_FIRST_FINISH
    TWO_FINISHES = "two-finishes", RuleId.CM_ONE_FINISH
    AFTER_ERROR = "after-error", RuleId.CM_ERROR
    NO_ROUTE = "no-route", RuleId.CM_START
    MISMATCH = "mismatch", RuleId.CP_JOIN
    SHOVED = "shoved", RuleId.CP_EDGE
    APART = "apart", RuleId.CP_TWO
    BOX_LONG_TO_SHORT = "box-long-to-short", RuleId.IF_JOIN
    BOX_NOT_FLUSH = "box-not-flush", RuleId.IF_JOIN
    BOX_OVERLAP = "box-overlap", RuleId.IF_OVERLAP
    BOX_OFF_TABLE = "box-off-table", RuleId.IF_TABLE
    START_BY_LONG_SIDE = "start-by-long-side", RuleId.IF_START
    CAT_ACROSS_WALL = "cat-across-wall", RuleId.IF_CAT
    CAT_NOT_ON_TWO_BOXES = "cat-not-on-two-boxes", RuleId.IF_CAT
    CAT_OVERLAP = "cat-overlap", RuleId.IF_CAT_OVERLAP
    ASLEEP_NOT_FLUSH = "asleep-not-flush", RuleId.IF_ASLEEP
    CAT_NOT_ON_NEW_BOX = "cat-not-on-new-box", RuleId.IF_CAT
    CAT_IN_FOREIGN_BOX = "cat-in-foreign-box", RuleId.IF_CAT_BOX
    PRINCESS_NOT_ON_CAT = "princess-not-on-cat", RuleId.IF_PRINCESS
    BOX_NOT_JOINED = "box-not-joined", RuleId.IF_JOIN
    TOO_MANY_CARDS = "too-many-cards", RuleId.IF_TURN
    CARDS_MOVED = "cards-moved", RuleId.IF_TABLE


class NoteKind(_Ruled):
    """Things worth saying that break no rule."""

    CARD_TURNED = "card-turned", RuleId.CM_ARROW
    ROUND_OPEN = "round-open", RuleId.CM_SCORE
    TRAPPED = "trapped", RuleId.CM_TRAP
    FINISH_AFTER_START = "finish-after-start", RuleId.CM_FIRST_FINISH
    HEAP = "heap", RuleId.CM_DRAW
    NO_START = "no-start", RuleId.CM_START
    TOO_MANY_OF_FACE = "too-many-of-face", RuleId.CM_DECK
    TOO_MANY_PATH_CARDS = "too-many-path-cards", RuleId.CP_DEAL
    STRAYS = "strays", RuleId.CP_JOIN
    TOO_MANY_BOX_CARDS = "too-many-box-cards", RuleId.IF_DECK
    TOO_MANY_CATS = "too-many-cats", RuleId.IF_DECK
    BOX_APART = "box-apart", RuleId.IF_JOIN
    SUPPLY = "supply", RuleId.IF_CAT


class AssumptionKind(_Ruled):
    """What the referee assumed because the table does not show it."""

    MORE_CARDS = "more-cards", RuleId.CM_ONE_WAY
    MORE_POINTS = "more-points", RuleId.CM_ONE_WAY
    FIRST_ARROW = "first-arrow", RuleId.CM_ONE_WAY
    LAYOUT_BY_FIRST_CARD = "layout-by-first-card", RuleId.CP_PATH
    LAYOUT_BY_MIDDLE = "layout-by-middle", RuleId.CP_PATH


class DoubtReason(StrEnum):
    """Why a card must be looked at before the verdict can be certain."""

    FACE_UNSURE = "face-unsure"
    FACE_UNREVIEWED = "face-unreviewed"
    PERHAPS_NO_CARD = "perhaps-no-card"
    TOO_MANY_OF_FACE = "too-many-of-face"
    CLOSE_CALL = "close-call"
    TOO_TANGLED = "too-tangled"
    TOO_MANY_READINGS = "too-many-readings"
    NOTHING_FOUND = "nothing-found"
    NO_START = "no-start"
    LOST_TRACK = "lost-track"
    EARLIER_UNSURE = "earlier-unsure"
    READINGS_DIFFER = "readings-differ"


class RetakeReason(StrEnum):
    """What is wrong with a photograph, and so what to do before taking it again."""

    NO_CARDS = "no-cards"
    TOO_FAR = "too-far"
    BLURRED = "blurred"
    TOO_DARK = "too-dark"
    GLARE = "glare"
    CUT_OFF = "cut-off"
    COVERED = "covered"
    CAMERA_MOVED = "camera-moved"
    MARKS_COVERED = "marks-covered"
    LENS_UNUSED = "lens-unused"


class ScoreReason(_Ruled):
    """What points were given for."""

    CARD_IN_ROUTE = "card-in-route", RuleId.CM_SCORE
    MOST_CATS_IN_BOX = "most-cats-in-box", RuleId.IF_SCORE


class MatchProblem(StrEnum):
    """What cannot happen in a match at this moment; the event then changes nothing."""

    NO_SUCH_PLAYER = "no-such-player"
    NOT_YOUR_TURN = "not-your-turn"
    GAME_OVER = "game-over"
    ROUND_OPEN = "round-open"
    ILLEGAL_MOVE = "illegal-move"
    ALREADY_DREW = "already-drew"
    DRAW_FIRST = "draw-first"
    BANK_EMPTY = "bank-empty"
    NOTHING_PLAYED = "nothing-played"
    CAT_WITHOUT_BOX = "cat-without-box"
    BOX_AND_SLEEPING_CAT = "box-and-sleeping-cat"
    NO_CAT_LEFT = "no-cat-left"
    NO_PRINCESS_LEFT = "no-princess-left"
    NO_CAT_TO_REPLACE = "no-cat-to-replace"
    NO_SLEEPING_IN_LAST_PHASE = "no-sleeping-in-last-phase"
    HAND_EMPTY = "hand-empty"
