"""How cards are called, and what is told of a table, card by card and move by move."""

from __future__ import annotations

from referee.texts.marks import N_, NN_

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
