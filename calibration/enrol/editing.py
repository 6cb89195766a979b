"""A deck from photographs put right: what its faces show, groups merged and split, faces deleted or photographed anew.

Works on a deck's folder. The pictures that a change needs are written under names of their own first and `deck.json`
last, so that the folder holds a whole deck at every moment.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.counts import USUAL
from calibration.enrol.crops import RIM, SHORT_SIDE
from calibration.enrol.enrolment import Enrolment, confusable
from calibration.enrol.faces import cut_out, fuse
from calibration.enrol.folder import PARTS, deck_text, write_picture
from calibration.enrol.groups import Grouping, grouped
from calibration.enrol.naming import free_name, name_of
from calibration.errors import EnrolmentError
from referee.decks import KINDS, Deck, Game, load_deck, parse_deck
from referee.vision.gamma import encoded, linear

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]

OF_PROPOSALS = ("confidence", "unsure", "needs_review", "count_guessed")
"""What a face only has while nobody has looked at it."""
FEATURES = ("arrows", "points", "strands", "walls", "toys", "player", "asleep")
PLAIN: Mapping[str, Mapping[str, Any]] = {
    "move": {"arrows": ["up"], "points": 1},
    "start": {"arrows": [], "points": 0},
    "finish": {"arrows": [], "points": 0},
    "path": {},
    "box": {"walls": [], "toys": 0},
    "toy": {"walls": [], "toys": 3},
    "cat": {"player": "red", "asleep": False},
    "princess": {},
}
"""What a face shows for the time being, when its kind was changed."""


class EditedDeck:
    """A deck's folder while it is put right. Every method checks the whole deck before anything of it is kept.

    As a context: what was changed is saved at the end, or forgotten if an exception leaves.
    """

    def __init__(self, folder: Path) -> None:
        """Raises DeckError for a folder that holds no deck."""
        self.found = load_deck(folder)
        """The deck as it was before anything was changed."""
        self.folder = folder
        self.content: dict[str, Any] = json.loads((folder / "deck.json").read_text(encoding="utf-8-sig"))
        self._new: list[Path] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.save()
        else:
            self.forget()

    @property
    def game(self) -> Game:
        return Game(self.content["game"])

    @property
    def faces(self) -> list[dict[str, Any]]:
        faces: list[dict[str, Any]] = self.content["faces"]
        return faces

    def face(self, face_id: str) -> dict[str, Any]:
        """A face as in `deck.json`. Raises EnrolmentError if there is none of that id."""
        for entry in self.faces:
            if entry["id"] == face_id:
                return entry
        raise EnrolmentError("unknown-face", f"{self.folder}: the deck has no face {face_id!r}.")

    def needs_review(self) -> list[str]:
        """The ids of the faces that nobody has looked at though their reading is unsure."""
        return [entry["id"] for entry in self.faces if entry.get("needs_review")]

    # -- changes

    def correct(self, face_id: str, **features: Any) -> None:
        """Say what a face shows (`kind`, `arrows`, `count` ...), or, with nothing, that it is read right."""
        old = self.face(face_id)
        entry = {key: value for key, value in old.items() if key not in OF_PROPOSALS}
        kind = features.get("kind", old["kind"])
        if kind != old["kind"]:
            plain = self._plain(kind)
            entry = {name: value for name, value in entry.items() if name not in FEATURES} | plain
            entry |= {name: old[name] for name in plain if old.get(name) and kind not in ("start", "finish")}
        entry |= features
        self._put([entry if each["id"] == face_id else each for each in self.faces])

    def _plain(self, kind: str) -> dict[str, Any]:
        """What a face of this kind shows for the time being."""
        if kind == "start" and self.game is Game.IF_IT_FITS:
            return {"walls": [], "toys": 0}
        return dict(PLAIN.get(kind, {}))

    def merge(self, face_ids: Sequence[str]) -> str:
        """Several faces are one: the first one's features, everybody's cards. Returns its id."""
        entries = [self.face(face_id) for face_id in dict.fromkeys(face_ids)]
        if len(entries) < 2:
            raise EnrolmentError("merge-what", "Name two faces or more that are one.")
        first = dict(entries[0])
        first["copies"] = [name for entry in entries for name in entry.get("copies", ())]
        first["count"] = (
            max(e["count"] for e in entries) if first.get("count_guessed") else sum(e["count"] for e in entries)
        )
        self._picture(first)
        gone = {entry["id"] for entry in entries[1:]}
        self._put([first if e["id"] == first["id"] else e for e in self.faces if e["id"] not in gone])
        return str(first["id"])

    def split(self, face_id: str, copies: Sequence[int]) -> str:
        """Some cards of a face (by number, from 1) show another one. Returns the id of the new face, to be reviewed."""
        old = dict(self.face(face_id))
        names = list(old.get("copies", ()))
        chosen = {number for number in copies if 1 <= number <= len(names)}
        if not chosen or len(chosen) == len(names):
            raise EnrolmentError(
                "split-what", f"{face_id} was made of {len(names)} cards: choose some of them, but not all."
            )
        new = dict(old)
        new["id"] = free_name(name_of(old), [entry["id"] for entry in self.faces])
        new["copies"] = [name for number, name in enumerate(names, 1) if number in chosen]
        old["copies"] = [name for number, name in enumerate(names, 1) if number not in chosen]
        if not old.get("count_guessed"):
            new["count"] = len(new["copies"])
            old["count"] = max(1, old["count"] - new["count"])
        new |= {"needs_review": True, "unsure": ["kind"], "confidence": 0.0}
        for entry in (old, new):
            self._picture(entry)
        at = [entry["id"] for entry in self.faces].index(face_id)
        self._put([*self.faces[:at], old, new, *self.faces[at + 1 :]])
        return str(new["id"])

    def delete(self, face_id: str) -> None:
        """Take a face out of the deck."""
        self.face(face_id)
        if len(self.faces) == 1:
            raise EnrolmentError("last-face", "A deck needs a face; delete the whole deck instead.")
        self._put([entry for entry in self.faces if entry["id"] != face_id])

    def rename(self, name: str) -> None:
        """Give the deck another name."""
        self._put(self.faces, name=name)

    def confirm(self, face_ids: Sequence[str] = ()) -> None:
        """These faces (all, if none is named) are read right."""
        for face_id in face_ids or [entry["id"] for entry in self.faces]:
            self.correct(face_id)

    def name_faces(self, kept: Collection[str] = ()) -> None:
        """Call the faces by what they show now; those whose ids are `kept` are known by them already."""
        taken = [entry["id"] for entry in self.faces if entry["id"] in kept]
        renamed: dict[str, str] = {}
        for entry in self.faces:
            if entry["id"] not in kept:
                renamed[entry["id"]] = free_name(name_of(entry), taken)
                taken.append(renamed[entry["id"]])
        faces = [{**entry, "id": renamed.get(entry["id"], entry["id"])} for entry in self.faces]
        alike = [[renamed.get(name, name) for name in pair] for pair in self.content.get("alike", ())]
        self._put(faces, alike=alike)

    def replace_picture(self, face_id: str, lights: Sequence[Floats]) -> None:
        """Give a face other pictures. lights: of each new card its rimmed picture in even linear light."""
        entry = dict(self.face(face_id))
        entry["copies"] = [self._copy(light) for light in lights]
        self._picture(entry)
        self._put([entry if each["id"] == face_id else each for each in self.faces])

    def extend(self, found: Enrolment) -> list[str]:
        """Add cards of further photographs: copies of known faces are counted, others are new faces.

        Returns the ids of the new faces. Raises EnrolmentError if none of them belongs to such a deck.
        """
        known = [(entry["id"], light) for entry in self.faces for light in self._lights(entry)]
        grouping = grouped([*(light for _, light in known), *(found.lights[face.copies[0]] for face in found.faces)])
        entries = {entry["id"]: dict(entry) for entry in self.faces}
        fresh: list[str] = []
        for number, face in enumerate(found.faces):
            group = grouping.names[len(known) + number]
            same = [known[k][0] for k in range(len(known)) if grouping.names[k] == group]
            copies = [self._copy(found.lights[k]) for k in face.copies]
            if same:
                entry = entries[max(set(same), key=same.count)]
                entry["copies"] = [*entry.get("copies", ()), *copies]
                if not entry.pop("count_guessed", False):
                    entry["count"] += len(copies)
                continue
            proposed = found.new_faces()[number].entry
            name = free_name(name_of(proposed), entries)
            entry = {**proposed, "id": name, "count": len(copies), "copies": copies}
            entry.pop("count_guessed", None)
            self._picture(entry)
            entries[name] = entry
            fresh.append(name)
        self._put(list(entries.values()), alike=self._alike(list(entries.values()), grouping, known))
        return fresh

    def _alike(
        self, entries: Sequence[Mapping[str, Any]], grouping: Grouping, known: Sequence[tuple[str, Floats]]
    ) -> list[list[str]]:
        """Pairs of faces that look alike, of those that were compared just now."""
        ids = {entry["id"] for entry in entries}
        owner = {int(grouping.names[k]): known[k][0] for k in range(len(known))}
        names = [owner.get(group, "") for group in range(len(grouping.apart))]
        pairs = [list(pair) for pair in confusable(names, grouping.apart) if all(pair) and pair[0] != pair[1]]
        old = [pair for pair in self.content.get("alike", ()) if set(pair) <= ids]
        return [*old, *(pair for pair in pairs if pair not in old)]

    # -- keeping

    def save(self) -> Deck:
        """Write what was changed, the pictures first. Returns the deck as loaded again."""
        text = deck_text(self.content)
        fresh = self.folder.parent / f".deck-{secrets.token_hex(4)}.json"
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(self.folder / "deck.json")
        self._new.clear()
        used = {name for entry in self.faces for name in (entry.get("image"), *entry.get("copies", ()))}
        for part in PARTS:
            for path in (self.folder / part).glob("*.png"):
                if f"{part}/{path.name}" not in used:
                    path.unlink(missing_ok=True)
        return load_deck(self.folder)

    def forget(self) -> None:
        """Take away the pictures of changes that are not kept."""
        for path in self._new:
            path.unlink(missing_ok=True)
        self._new.clear()

    def _put(self, faces: list[dict[str, Any]], **more: Any) -> None:
        content = {**self.content, **more, "faces": faces}
        ids = {entry["id"] for entry in faces}
        content["alike"] = [pair for pair in content.get("alike", ()) if set(pair) <= ids]
        parse_deck(content, source=str(self.folder))
        self.content = content

    def _lights(self, entry: Mapping[str, Any]) -> list[Floats]:
        """The cards that a face was made of; of a face drawn by hand its picture, with a rim."""
        rim = round(RIM * SHORT_SIDE)
        out = []
        for name in entry.get("copies", ()):
            picture = cv2.imread(str(self.folder / name), cv2.IMREAD_COLOR)
            if picture is not None:
                out.append(linear(np.asarray(picture, np.uint8)))
        if not out and entry.get("image"):
            picture = cv2.imread(str(self.folder / entry["image"]), cv2.IMREAD_COLOR)
            if picture is not None:
                scale = SHORT_SIDE / min(picture.shape[:2])
                size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
                small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
                framed = cv2.copyMakeBorder(small, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
                out.append(linear(np.asarray(framed, np.uint8)))
        return out

    def _copy(self, light: Floats) -> str:
        return self._written("copies", encoded(light))

    def _picture(self, entry: dict[str, Any]) -> None:
        """Make the picture of a face anew from its cards."""
        lights = self._lights(entry)
        if not lights:
            return
        radius = float(self.content["corner_mm"]) / min(self.content["card_mm"])
        picture = cut_out(fuse(lights, list(range(len(lights)))).picture, radius)
        entry["image"] = self._written("faces", picture)

    def _written(self, part: str, picture: Pixels) -> str:
        name = f"{part}/{secrets.token_hex(6)}.png"
        (self.folder / part).mkdir(exist_ok=True)
        write_picture(self.folder / name, picture)
        self._new.append(self.folder / name)
        return name


def composition(game: Game, faces: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How many cards of each kind there are, and how many there usually are (0: nothing is usual).

    Cat cards are counted by their awake side, of which each has one.
    """
    have = dict.fromkeys(KINDS[game], 0)
    for face in faces:
        if face["kind"] == "cat" and face.get("asleep"):
            continue
        have[face["kind"]] += int(face["count"])
    return [{"kind": kind, "have": number, "usual": USUAL[game].get(kind, 0)} for kind, number in have.items()]
