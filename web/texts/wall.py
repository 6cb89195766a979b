"""The live view, the wall, and verdicts step by step; a part of `web.texts`."""

from __future__ import annotations

from referee.texts import N_, NN_, Plural

WALL: dict[str, str | Plural] = {
    "wall.title": N_("On the wall"),
    "wall.lead": N_("Shows a match or a table large, for a projector or a television, and the verdict step by step."),
    "wall.none": N_("This device knows no match yet."),
    "wall.also": N_("Every match and every table has its own button for the wall, too."),
    "wall.open": N_("Show on the wall"),
    "wall.nothing": N_("No table yet. It appears here as soon as there is one."),
    "wall.seen": N_("Seen: {cards}"),
    "wall.seen-many": NN_("Seen: {n} card", "Seen: {n} cards"),
    "wall.step": N_("Step {n} of {of}"),
    "wall.ghost": N_("The dashed card shows where it should have lain."),
    "wall.in-hand": N_("in hand"),
    "wall.frozen": N_("Frozen"),
    "wall.spoken": N_("Spoken"),
    "wall.keys": N_("Keys"),
    "wall.key-next": N_("Next step"),
    "wall.key-back": N_("One step back"),
    "wall.key-first": N_("First step"),
    "wall.key-whole": N_("The whole verdict"),
    "wall.key-freeze": N_("Freeze the picture"),
    "wall.key-blank": N_("Blank the wall"),
    "wall.key-language": N_("Next language"),
    "wall.key-speech": N_("Speak"),
    "wall.key-look": N_("Light, dark, high contrast"),
    "live.title": N_("Live view"),
    "live.lead": N_("A camera above the table: the verdict comes by itself as soon as the table lies still."),
    "live.open": N_("Open the camera"),
    "live.picture": N_("The camera's picture"),
    "live.camera": N_("Camera"),
    "live.mirror": N_("Mirror the preview"),
    "live.stop": N_("Close the camera"),
    "live.log": N_("Move by move"),
    "live.hand": N_("I see a hand. I wait."),
    "live.moving": N_("Something moves. I wait."),
    "live.settling": N_("I look…"),
    "live.steady": N_("Seen."),
    "live.lost": N_("The camera is away. I keep trying."),
    "live.refused": N_("The browser may not use the camera. Allow it in the address bar, or take a photo instead."),
    "live.no-camera": N_("I find no camera on this device. Take a photo instead."),
    "live.in-use": N_("Another program uses the camera. Close it and try again, or take a photo instead."),
    "live.not-secure": N_(
        "Browsers give the camera's live picture only over https or on the machine itself. Start the program with "
        "--https, or take a photo instead."
    ),
    "step.start": N_("{card}: here the route begins."),
    "step.first-card": N_("{card}: the first card may lie on any side of the Start."),
    "step.next-card": N_("{card}: the arrow before it points here."),
    "step.route-end": N_("So far this route is right: {points}."),
    "step.finished": N_("Finish! This route is right: {points}."),
    "step.joins": N_("Joins by colour: {colours}."),
    "step.path-goes": N_("{card}: the path goes on, {colour}."),
    "step.path-changes": NN_(
        "{card}: the colour changes, {one} and {other}. That is {n} change.",
        "{card}: the colour changes, {one} and {other}. That is {n} changes.",
    ),
    "step.ring": N_("This path comes back to where it began: a ring!"),
    "step.toys": NN_("{n} toy", "{n} toys"),
}
