"""What is said where the referee cannot tell, and of photographs to take again."""

from __future__ import annotations

from referee.rulebook import DoubtReason, RetakeReason
from referee.texts.marks import N_

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
    RetakeReason.LENS_UNUSED: N_(
        "The lens of this camera was measured in photos of another shape, or held another way, so it was not used "
        "here. Hold the camera as then, or measure it again."
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
    RetakeReason.LENS_UNUSED: N_("lens not used"),
}
"""A word or two to write beside the card in the picture."""
