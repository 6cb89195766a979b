"""A live table: from frame to frame, all that is remembered being stored, so that any process can take the next one.

A frame in which something moves or a hand is seen is not read. One in which nothing has changed since it was read is
read again only every few seconds. When the readings agree, the move since the last announced table is judged as in a
sequence of photographs, and table and log are changed.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from referee.decks import Deck
from referee.explain import About
from referee.export import numbering_of, sentences_of
from referee.followed import doubted
from referee.messages import Messages
from referee.moves import MoveRuling, Standing
from referee.numbering import OF_THE_MOVE
from referee.options import Options
from referee.pipeline import CheckedPhoto, check, frame_of
from referee.rulebook import DoubtReason, Violation
from referee.sequence import Look, TableSequence
from referee.validation import Value
from referee.verdicts import Doubt, ExtraTurn, Fault, Outcome, Ruling
from referee.vision.decode import Photo, decode
from referee.vision.profile import Profile, TableProfile, under_table
from referee.vision.profile_files import from_data
from web.live.corrections import Correction, corrected, corrections_of, merged
from web.live.motion import Grey, is_hand, is_moving, packed, thumbnail, unpacked
from web.live.steady import Frame, Moment, Steadiness
from web.matches.following import KeptStanding
from web.photos import NAME, prepared, store
from web.storage.models import LiveTable
from web.tables.judging import JudgedTable
from web.tables.reading import Corners, Reading, as_corners, reading_of
from web.tables.service import loaded
from web.tables.state import initial
from web.tables.step import Move, move_told

HAND_RESTS = 6.0
"""Seconds after which something that does not move is no hand any more, but lies there."""
MOST_LOGGED = 200
MOST_TOLD = 5
"""Sentences of a line of the log."""


class LiveState(Value):
    """before: the last frame, small; still: the last steady one; since_still: when it last moved; count: announced.

    standing: how things stand, for the next move; unsure: that table was not certain, so the next move is not either;
    outlines: of the cards as they were read last; corrections: what people corrected so far; profile: what was measured
    of the camera or its table, see `profile.to_data`.
    """

    steadiness: Steadiness = Steadiness()
    before: str | None = None
    still: str | None = None
    moved_at: float = 0.0
    count: int = 0
    standing: KeptStanding | None = None
    unsure: bool = False
    outlines: tuple[Corners, ...] = ()
    corrections: tuple[Correction, ...] = ()
    profile: dict[str, Any] | None = None

    @property
    def measured(self) -> Profile | None:
        """What was measured of the camera, its table or the light."""
        return None if self.profile is None else from_data(self.profile)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A frame looked at. announced: the look that is to be told now. read: the last frame that was read, as it was."""

    state: LiveState
    moment: Moment
    announced: Look | None = None
    read: CheckedPhoto | None = None


def state_of(record: LiveTable, deck: Deck) -> LiveState:
    """What is remembered of a live table, and what people have corrected on it since."""
    state = LiveState.model_validate_json(json.dumps(record.state))
    table = loaded(record.table, deck)
    if table.reading is None or state.standing is None:
        return state
    fresh, decided = corrections_of(table.reading, table.state), table.state.decided
    judged = table.judged()
    looked_at = state.unsure and (decided or bool(judged.by_hand) or bool(table.state.dismissed))
    if not fresh and not looked_at:
        return state
    standing = KeptStanding.of(Standing(judged.layout, judged.ruling))
    unsure = judged.ruling.outcome is Outcome.UNDETERMINED and not decided
    corrections = merged(state.corrections, fresh)
    return state.model_copy(update={"corrections": corrections, "standing": standing, "unsure": unsure})


def see(
    data: bytes, time: float, state: LiveState, deck: Deck, options: Options, before: CheckedPhoto | None = None
) -> Seen:
    """Look at a frame; reads it only if that is needed. before: `Seen.read` of an earlier one, which makes it quicker.
    What was measured of lens and light must have been applied to it already, see `right_picture`.

    Raises PhotoError.
    """
    photo = decode(data, NAME)
    if isinstance(table := state.measured, TableProfile):
        photo = under_table(photo, table)
    small = thumbnail(photo.pixels)
    moving, hand = _what_moves(small, time, state)
    moved_at = time if moving or state.before is None else state.moved_at
    state = state.model_copy(update={"before": packed(small), "moved_at": moved_at})
    read, checked = before, None
    if not moving and not hand and state.steadiness.wants_reading(time):
        read = _read(photo, deck, options, None if state.steadiness.is_contradicted else before)
        checked = corrected(read, state.corrections, deck, options)
        outlines = tuple(as_corners(card.corners) for card in checked.cards)
        state = state.model_copy(update={"outlines": outlines})
    key = None if checked is None else key_of(checked)
    earlier = state.steadiness
    steadiness, moment, told = earlier.after(Frame(time, moving, hand, key))
    state = state.model_copy(update={"steadiness": steadiness})
    if moment is Moment.STEADY:
        state = state.model_copy(update={"still": state.before})
    if told is None:
        return Seen(state, moment, read=read)
    if checked is None:  # it became steady by time alone: read what lies there now
        read = _read(photo, deck, options, before)
        checked = corrected(read, state.corrections, deck, options)
    if steadiness.is_disputed:
        return _announced(state, moment, checked, read, deck, options, disputed=True)
    if key_of(checked) != told:  # this very frame says something else: the next one is asked
        waiting = steadiness.model_copy(update={"announced": earlier.announced})
        return Seen(state.model_copy(update={"steadiness": waiting}), Moment.SETTLING, read=read)
    return _announced(state, moment, checked, read, deck, options)


def _read(photo: Photo, deck: Deck, options: Options, before: CheckedPhoto | None) -> CheckedPhoto:
    return check(photo, deck, options, before=before)


def _what_moves(small: Grey, time: float, state: LiveState) -> tuple[bool, bool]:
    if state.before is None:
        return False, False
    moving = is_moving(small, unpacked(state.before))
    hand = state.still is not None and is_hand(small, unpacked(state.still))
    return moving, hand and (moving or time - state.moved_at < HAND_RESTS)


def key_of(checked: CheckedPhoto) -> str:
    """Under which readings of two frames agree: the faces, what is ruled, and which faces are at fault."""
    faces = {card.id: card.face for card in checked.cards}
    ruling = checked.ruling
    faults = sorted(f"{f.rule.value}:{'+'.join(sorted(faces.get(c, c) for c in f.cards))}" for f in ruling.faults)
    return json.dumps([ruling.outcome.value, sorted(faces.values()), faults])


def _announced(
    state: LiveState,
    moment: Moment,
    checked: CheckedPhoto,
    read: CheckedPhoto | None,
    deck: Deck,
    options: Options,
    disputed: bool = False,
) -> Seen:
    """The move since the last announced table, judged. disputed: the frames do not agree, so nothing is certain."""
    number = state.count + 1
    checked = dataclasses.replace(checked, photo=dataclasses.replace(checked.photo, name=str(number)))
    if state.standing is None:
        sequence = TableSequence(deck, options)
    else:
        standing = state.standing.standing(deck, options)
        sequence = TableSequence.from_standing(standing, str(state.count), deck, options)
    look = sequence.look(checked)
    if disputed:
        doubt = Doubt(DoubtReason.READINGS_DIFFER, corners=frame_of(checked.view.size))
        unsure = dataclasses.replace(look.checked, ruling=doubted(look.checked.ruling, [doubt]))
        move = look.move and dataclasses.replace(look.move, certain=False)
        look = dataclasses.replace(look, checked=unsure, move=move)
    is_unsure = _is_unsure(look.checked.ruling)
    if state.unsure:
        look = _since_unsure(look)
    outlines = tuple(as_corners(card.corners) for card in look.checked.cards)
    kept = _kept(state.standing, sequence.standing, look)
    state = state.model_copy(update={"standing": kept, "unsure": is_unsure, "count": number, "outlines": outlines})
    return Seen(state, moment, look, read)


def _is_unsure(ruling: Ruling) -> bool:
    """Whether the table itself is doubtful, not only the move that led to it."""
    of_the_move = ruling.doubtful and all(doubt.reason in OF_THE_MOVE for doubt in ruling.doubtful)
    return ruling.outcome is Outcome.UNDETERMINED and not of_the_move


def _since_unsure(look: Look) -> Look:
    """The look after a table that was not certain: its move is not certain either, and this is said.

    If nothing lies otherwise than it was read before, there is no move that would make the table doubtful.
    """
    if look.move is None or look.move.ruling is None:
        return look
    move, checked = look.move.ruling, look.checked
    if move.cards or move.moved or move.removed or move.restored or not move.legal:
        doubt = Doubt(DoubtReason.EARLIER_UNSURE, corners=frame_of(checked.view.size))
        checked = dataclasses.replace(checked, ruling=doubted(checked.ruling, [doubt]))
    return dataclasses.replace(look, checked=checked, move=dataclasses.replace(look.move, certain=False))


def _kept(before: KeptStanding | None, now: Standing | None, look: Look) -> KeptStanding | None:
    """How things stand after a look. What a move that is not certain would break counts for nothing: its cards are
    taken as they lie."""
    if now is None:
        return before
    kept = KeptStanding.of(now)
    if before is None or look.move is None or look.move.certain:
        return kept
    refused = tuple(card for card in kept.refused if card in before.refused)
    rightful = {card: place for card, place in kept.rightful.items() if card in before.rightful}
    return kept.model_copy(update={"refused": refused, "rightful": rightful})


def keep(session: Session, record: LiveTable, seen: Seen, data: bytes, keep_days: int, messages: Messages) -> None:
    """Store what is remembered after a frame, and what is announced: its picture, its reading, a line in the log."""
    record.state = seen.state.model_dump(mode="json")
    record.moment = seen.moment.value
    if seen.announced is not None:
        _tell(session, record, seen.announced, data, keep_days, messages)
        session.flush()


def _tell(session: Session, record: LiveTable, look: Look, data: bytes, keep_days: int, messages: Messages) -> None:
    photo = store(session, prepared(data), keep_days)
    reading: Reading = reading_of(look.checked)
    table = record.table
    table.photo_id = photo.id
    table.reading = reading.model_dump(mode="json")
    table.state = initial(reading).model_dump(mode="json", exclude_none=True)
    table.revision += 1
    line: dict[str, Any] = {
        "number": record.log[-1]["number"] + 1 if record.log else 1,
        "photo": photo.id,
        "outcome": look.checked.ruling.outcome.value,
        "cards": len(look.checked.cards),
        "legal": None if look.move is None or look.move.ruling is None else look.move.ruling.legal,
        "certain": look.move is None or look.move.certain,
        "texts": _texts(look, messages),
        "move": None if look.move is None or look.move.ruling is None else look.move.ruling.to_dict(),
        "revision": table.revision,
    }
    record.log = [*record.log, line][-MOST_LOGGED:]


def _texts(look: Look, messages: Messages) -> list[str]:
    """The outcome, the move, what lies wrong."""
    checked = look.checked
    outcome, *rest = sentences_of(checked, messages)
    told = [outcome.text, *_move_texts(look, messages)]
    told += [sentence.text for sentence in rest if sentence.about in (About.FAULT, About.DOUBT)]
    return list(dict.fromkeys(told))[:MOST_TOLD]


def _move_texts(look: Look, messages: Messages) -> tuple[str, ...]:
    """The move in sentences; none if there was none before it."""
    checked = look.checked
    if look.move is None or look.move.ruling is None:
        return ()
    names = numbering_of(checked).cards
    return move_told(look.move.ruling, look.move.certain, checked.layout, checked.deck, messages, names)


def last_move(record: LiveTable, judged: JudgedTable, messages: Messages) -> Move | None:
    """The move that was announced last, for its steps; None if somebody has corrected the table since."""
    line = record.log[-1] if record.log else {}
    told = line.get("move")
    if told is None or line.get("revision") != record.table.revision:
        return None
    known = {violation.value: violation for violation in Violation}
    faults = tuple(Fault(known[fault["rule"]], tuple(fault["cards"])) for fault in told["faults"])
    extra = told.get("extra_turn")
    ruling = MoveRuling(
        cards=tuple(told["cards"]),
        legal=told["legal"],
        faults=faults,
        ruling=judged.ruling,
        moved=tuple(told["moved"]),
        removed=tuple(told["removed"]),
        restored=tuple(told.get("restored", ())),
        ring=told.get("ring"),
        extra_turn=None if extra is None else tuple(ExtraTurn(reason) for reason in extra),
    )
    names = judged.numbering.cards
    said = move_told(ruling, line["certain"], judged.layout, judged.deck, messages, names)
    return Move(ruling.cards, ruling.legal, line["certain"], said)
