"""Photographs of cards read in threads: a deck made or added to, a face photographed anew."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from calibration.enrol.crops import CARD_MM, Crop
from calibration.enrol.editing import EditedDeck
from calibration.enrol.enrolment import Enrolment, found_cards, sorted_out
from calibration.enrol.light import evened
from calibration.errors import EnrolmentError
from referee.decks import Game
from referee.errors import InputError
from referee.vision.decode import decode
from web.calibration.drafts import AT_WORK, EMPTY, FAILED, FIND, READY, WAITING, Drafts
from web.errors import ApiError, sentence_of
from web.gate import ReadingGate
from web.messages import WebMessages
from web.photos import NAME
from web.storage.database import Database
from web.tables.service import get_photo

BEAT = 2.0
"""Seconds between signs of life."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """Photographs (ids) to be read for a draft; face: of which they are a better picture, else cards to be added."""

    draft: str
    photos: tuple[str, ...]
    face: str | None
    language: str
    token: str = field(default_factory=lambda: secrets.token_hex(8))


class NotWantedError(Exception):
    """Somebody has stopped this job, or thrown its draft away."""


class Enroller:
    """Starts jobs in threads of this process."""

    def __init__(self, database: Database, drafts: Drafts, gate: ReadingGate) -> None:
        self._database, self._drafts, self._gate = database, drafts, gate

    def start(self, job: Job) -> None:
        """Begin. Raises ApiError (404, 409)."""
        with self._drafts.changing(job.draft) as state:
            if state["stage"] in AT_WORK:
                raise ApiError(409, "draft-at-work")
            state |= {"stage": WAITING, "done": 0, "of": len(job.photos), "error": None, "job": job.token}
            self._drafts.alive(job.draft)
        threading.Thread(target=self._run, args=(job,), name=f"enrol-{job.draft}", daemon=True).start()

    def stop(self, draft_id: str) -> None:
        """Nobody waits for what is being read of a draft. Raises ApiError (404)."""
        with self._drafts.changing(draft_id) as state:
            if state["stage"] in AT_WORK:
                ready = self._drafts.deck(draft_id) is not None
                state |= {"stage": READY if ready else EMPTY, "done": 0, "of": 0, "job": None}

    def _run(self, job: Job) -> None:
        ended = threading.Event()
        gone = threading.Event()

        def beat() -> None:
            while not ended.wait(BEAT):
                try:
                    self._drafts.alive(job.draft)
                    if self._drafts.state(job.draft).get("job") != job.token:
                        gone.set()
                except ApiError:
                    gone.set()

        threading.Thread(target=beat, name=f"beat-{job.draft}", daemon=True).start()
        try:
            with self._gate.place(), self._gate.turn(gone.is_set) as ours:
                if ours:
                    self._work(job)
        except NotWantedError:
            _log.info("reading for the draft %s was stopped", job.draft)
        except (ApiError, InputError) as error:
            self._fail(job, error)
        except Exception as error:  # noqa: BLE001 - whatever it was, somebody waits for an answer
            _log.error("enrolment %s broke", job.draft, exc_info=error)
            self._fail(job, ApiError(500, "http-500"))
        finally:
            ended.set()

    def _tell(self, job: Job, stage: str, done: int, of: int) -> None:
        """Also where it is noticed that nobody waits any more."""
        with self._mine(job) as state:
            state |= {"stage": stage, "done": done, "of": of}

    @contextmanager
    def _mine(self, job: Job) -> Iterator[dict[str, Any]]:
        """The state of the job's draft, to be changed. Raises NotWantedError."""
        try:
            with self._drafts.changing(job.draft) as state:
                if state.get("job") != job.token:
                    raise NotWantedError
                yield state
        except ApiError:
            raise NotWantedError from None

    def _work(self, job: Job) -> None:
        state = self._drafts.state(job.draft)
        game = Game(state["game"])
        old = self._drafts.deck(job.draft)
        size = _card_mm(state, old, game)
        crops: list[Crop] = []
        told: list[dict[str, Any]] = []
        for number, photo_id in enumerate(job.photos):
            self._tell(job, FIND, number, len(job.photos))
            cards, entry = self._cards(photo_id, number, size, job.language)
            crops += cards
            told.append(entry)
        if not crops:
            raise EnrolmentError("no-cards-at-all", told[0]["error"] if told else "There is no photo.")
        found = None
        if job.face is None:
            found = sorted_out(crops, game, size, lambda *now: self._tell(job, *now), whole=old is None)
        with self._mine(job) as state:
            if found is not None:
                self._keep(job, old, found, state["name"])
                state["photos"] = [*state["photos"], *told]
            elif old is not None and job.face is not None:
                old.replace_picture(job.face, evened(crops))
                old.save()
            state |= {"stage": READY, "done": 0, "of": 0, "job": None}

    def _cards(
        self, photo_id: str, number: int, size: tuple[float, float], language: str
    ) -> tuple[list[Crop], dict[str, Any]]:
        """The cards of one photograph, and what is told of it: how many and where, or why there are none."""
        with self._database.reading() as session:
            data = get_photo(session, photo_id).data
        photo = decode(data, NAME)
        height, width = photo.pixels.shape[:2]
        entry: dict[str, Any] = {
            "id": photo_id,
            "width": round(width / photo.scale),
            "height": round(height / photo.scale),
        }
        try:
            found = found_cards([photo], size)
        except EnrolmentError as error:
            return [], {**entry, "cards": [], "error": sentence_of(error, WebMessages(language))}
        crops = [Crop(number, crop.corners, crop.rimmed, crop.confidence) for crop in found]
        return crops, {**entry, "cards": [crop.corners.round(1).tolist() for crop in crops], "error": None}

    def _keep(self, job: Job, old: EditedDeck | None, found: Enrolment, name: str) -> None:
        if old is not None:
            old.extend(found)
            old.save()
            return
        found.write(self._drafts.folder(job.draft) / "deck", name or found.game.value)

    def _fail(self, job: Job, error: ApiError | InputError) -> None:
        message = sentence_of(error, WebMessages(job.language))
        try:
            with self._mine(job) as state:
                state |= {"stage": FAILED, "error": {"code": error.code, "message": message}}
        except NotWantedError:
            _log.info("the draft %s was deleted meanwhile", job.draft)


def _card_mm(state: dict[str, Any], deck: EditedDeck | None, game: Game) -> tuple[float, float]:
    given = state["card_mm"] if deck is None else deck.content["card_mm"]
    return CARD_MM[game] if given is None else (float(given[0]), float(given[1]))
