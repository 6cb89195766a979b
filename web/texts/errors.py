"""What people and programs are told when something cannot be done, by the code of the error; a part of `web.texts`."""

from __future__ import annotations

from referee.texts import N_

ERRORS: dict[str, str] = {
    "error.title": N_("That did not work"),
    "error.home": N_("To the first page"),
    "error.http": N_("The referee cannot do that."),
    "error.http-400": N_("The request is broken. Load the page again and try once more."),
    "error.http-404": N_("There is nothing here. Perhaps it was deleted, or the link was cut short."),
    "error.http-405": N_("This address cannot be used in this way."),
    "error.http-413": N_("This file is larger than 40 megabytes. Choose a smaller photo."),
    "error.http-500": N_("Something broke inside the referee. It was written to the log. Try again."),
    "error.busy": N_("Many photos are being read just now. Try again in a few seconds."),
    "error.other-site": N_("This request came from another site and was refused."),
    "error.not-json": N_("Send JSON, with the content type application/json."),
    "error.broken-json": N_("This is no JSON: {reason}."),
    "error.bad-field": N_("The field {field} is wrong: {reason}."),
    "error.not-multipart": N_("Send the photo as multipart/form-data, in the field photo."),
    "error.photo-missing": N_("There is no photo in the request: send it in the field photo."),
    "error.photo-empty": N_("The file is empty. Take the photo again or choose another."),
    "error.photo-small": N_("This picture is too small. Use the original photo."),
    "error.photo-format": N_("This is not a photo. Use a JPEG, PNG, WebP or HEIC picture."),
    "error.photo-broken": N_("The picture file is broken or cut short. Send the photo again or take a new one."),
    "error.photo-too-large": N_("The picture has more than 50 megapixels. Make it smaller and try again."),
    "error.unknown-game": N_("There is no such game: {game}. Games: cat-and-mouse, coloured-paths, if-it-fits."),
    "error.no-game": N_("Name a game or a deck."),
    "error.unknown-deck": N_("There is no such deck: {deck}."),
    "error.unknown-option": N_("There is no such house rule: {option}."),
    "error.bad-option": N_("The house rule {option} has no such value."),
    "error.unknown-table": N_("There is no such table. Perhaps it was deleted."),
    "error.unknown-photo": N_("There is no such photo. It was forgotten."),
    "error.unknown-reading": N_("There is no such reading. It was long ago, or its photo was forgotten."),
    "error.reading-lost": N_("The referee was stopped while it read this photo. Try again."),
    "error.cards-in-hand": N_("Say how many cards everybody has in hand: the table does not show it."),
    "error.whose-princess": N_("Say whose the Princess on the table is: the table does not show it."),
    "error.what-was-played": N_("This is the first photo of this table: say what was played in this turn."),
    "error.cannot-follow": N_(
        "I cannot tell which cards of the last table lie in this photo. Take the photo again with all cards in it, or "
        "lay the table on the screen."
    ),
    "error.unknown-lesson": N_("There is no such lesson. Perhaps it was deleted."),
    "error.unknown-quiz": N_("There is no such quiz. It is over."),
    "error.lesson-ready": N_("The ready lessons cannot be changed. Copy this one."),
    "error.question-of-another-game": N_("This question does not suit this game."),
    "error.item-empty": N_("There is no table in it yet."),
    "error.no-such-item": N_("The lesson has no such table."),
    "error.no-such-answer": N_("This is no answer to this question."),
    "error.not-yours": N_("Only whoever began the quiz can lead it."),
    "error.too-late": N_("Too late: the answer is shown already."),
    "error.unknown-match": N_("There is no such match. Perhaps it was deleted."),
    "error.unknown-entry": N_("There is no such round or turn. Perhaps it was taken back."),
    "error.unknown-player": N_("Nobody of that name plays here."),
    "error.unknown-kind": N_("This cannot be entered in this game; possible are: {kinds}."),
    "error.changed-meanwhile": N_("Somebody else has changed this meanwhile. Look again."),
    "error.confirmed-already": N_("This is confirmed already. Reopen it first."),
    "error.players-number": N_("From 2 to {most} players can play this game."),
    "error.player-nameless": N_("Every player needs a name."),
    "error.players-alike": N_("Two players have the same name. Tell them apart."),
    "error.players-colours": N_("Every player needs a colour of the deck, each a different one."),
    "error.too-many-entries": N_("This match has too many entries."),
    "error.no-table-yet": N_("Take a photo of the table first, or lay it on the screen."),
    "error.not-sure-yet": N_(
        "Something on this table is not sure yet. Look at the marked cards and correct them, or decide "
        "together that it counts as shown."
    ),
    "error.count-differs": N_("The number of cards does not agree. Add the missing ones or take away what is none."),
    "error.whose-start": N_("Say first whose each Start is."),
    "error.two-starts": N_("{player} has two Starts. Each player has one."),
    "error.whose-turn": N_("Say whose turn it was."),
    "error.no-move-seen": N_("I see no new card on this table."),
    "error.cat-of-another": N_("A new cat on the table is not of the colour of {player}. Look at the marked cards."),
    "error.two-moves-seen": N_("More than one card is new. Take a photo after each move."),
    "error.against-the-rules": N_("{reason}"),
    "error.bad-corners": N_(
        "These four corners are no card. Put them on the corners of the card, one after another round it."
    ),
}
