"""What every page has, the first page and the upload, the rules, about, offline; a part of `web.texts`."""

from __future__ import annotations

from referee.texts import N_, NN_, Plural

PAGES: dict[str, str | Plural] = {
    "app.name": N_("Referee"),
    "app.tagline": N_("Do the cards lie right?"),
    "app.skip": N_("Skip to the content"),
    "app.menu": N_("Main menu"),
    "app.check": N_("Check"),
    "app.match": N_("Match"),
    "app.rules": N_("Rules"),
    "app.projector": N_("On the wall"),
    "app.live": N_("Live"),
    "app.lessons": N_("Lessons"),
    "app.about": N_("About and privacy"),
    "app.language": N_("Language"),
    "app.scripts": N_("Please turn on JavaScript: without it this page cannot show the table."),
    "lang.uk": N_("Українська"),
    "lang.ru": N_("Русский"),
    "lang.en": N_("English"),
    "game.cat-and-mouse": N_("Cat and Mouse"),
    "game.coloured-paths": N_("Multicoloured Paths"),
    "game.if-it-fits": N_("If It Fits"),
    "about-game.cat-and-mouse": N_("Routes along the arrows"),
    "about-game.coloured-paths": N_("Paths, joins and rings"),
    "about-game.if-it-fits": N_("Boxes and cats"),
    "check.title": N_("Check a table"),
    "check.lead": N_("Choose the game, take a photo of the cards, and see what lies right, what does not, and why."),
    "check.game": N_("Which game?"),
    "check.deck": N_("Which deck?"),
    "check.take": N_("Take a photo"),
    "check.choose": N_("Choose a photo"),
    "check.drop": N_("You can also drop a photo here or paste it."),
    "check.other": N_("Without a photo"),
    "check.lay": N_("Lay cards on the screen"),
    "check.play": N_("Play a match"),
    "check.tips": N_("For a good photo"),
    "check.tip-1": N_("All cards face up and in the picture."),
    "check.tip-2": N_("Hold the phone still, above the table."),
    "check.tip-3": N_("No lamp shining on the cards, no hands in the picture."),
    "check.recent": N_("Your matches on this device"),
    "check.private": N_("The photo stays on this machine. Nothing is sent to the internet."),
    "upload.shrinking": N_("Preparing the photo…"),
    "upload.sending": N_("Sending the photo…"),
    "upload.reading": N_("Reading the cards. This takes a few seconds…"),
    "upload.waiting": N_("Other photos are read first. Yours is next…"),
    "upload.judging": N_("Comparing the cards, applying the rules…"),
    "upload.failed": N_("That did not work."),
    "upload.again": N_("Try again"),
    "upload.cancel": N_("Cancel"),
    "upload.too-large": N_("This file is larger than 40 megabytes. Choose a smaller photo."),
    "upload.no-server": N_(
        "The referee does not answer. Check that the program is running and that you are in the same network."
    ),
    "upload.no-photo": N_("There is no picture in what you dropped or pasted."),
    "rules.title": N_("The rules"),
    "rules.lead": N_("In short words, each with the id that verdicts name."),
    "rules.options": N_("What you can agree on"),
    "rules.default": N_("usual"),
    "about.title": N_("About and privacy"),
    "about.what": N_(
        "The referee looks at a photo of the table and says whether the cards lie right, why not, and "
        "what they are worth. It never guesses: what it cannot read surely, it asks about."
    ),
    "about.privacy": N_("Your photos"),
    "about.p1": N_(
        "Photos stay on the machine on which this program runs. Nothing is loaded from or sent to other places."
    ),
    "about.p2": N_("The place and time that phones write into photos are removed before anything is kept."),
    "about.p3": NN_(
        "Photos are deleted after {n} day, with their match, or at once with the button Forget this photo.",
        "Photos are deleted after {n} days, with their match, or at once with the button Forget this photo.",
    ),
    "about.p5": N_("A photo that you put into a lesson stays with the lesson until you delete it."),
    "about.p4": N_("Whoever has the link of a table or match can open it. There are no accounts."),
    "about.join": N_("Open on a phone"),
    "about.version": N_("Version {version}. Free software under the MIT licence."),
    "about.api": N_("For programs: the description of the API"),
    "offline.title": N_("The referee is not there"),
    "offline.text": N_(
        "The program that reads the photos runs on a computer in your house, and it does not answer now. "
        "Start it, or come back to its network, and try again."
    ),
    "offline.again": N_("Try again"),
}
