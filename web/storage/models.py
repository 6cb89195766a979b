"""The stored records. Ids are random and unguessable: who has the link of a thing may see and change it."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, ForeignKey, LargeBinary, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

ID_BYTES = 12
"""96 random bits: 16 letters in a link."""


def new_id() -> str:
    """An unguessable id of letters and digits that is safe in links and as an id in a page."""
    while True:
        made = secrets.token_urlsafe(ID_BYTES)
        if "-" not in made and "_" not in made:
            return made


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


class Base(DeclarativeBase):
    """The base of all records."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class Photo(Base):
    """A photograph the right way up, without its metadata. measured: see `web.calibration.known`."""

    __tablename__ = "photos"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now, index=True)
    width: Mapped[int]
    height: Mapped[int]
    data: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    measured: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class Match(Base):
    """A match: who plays what by which house rules. Its state is replayed from its confirmed entries."""

    __tablename__ = "matches"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now, index=True)
    title: Mapped[str] = mapped_column(String(200), default="")
    game: Mapped[str] = mapped_column(String(40))
    deck: Mapped[str] = mapped_column(String(200))
    players: Mapped[list[dict[str, str]]] = mapped_column(JSON)
    options: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    hand: Mapped[int | None]
    note: Mapped[str] = mapped_column(Text, default="")
    revision: Mapped[int] = mapped_column(default=1)
    entries: Mapped[list[Entry]] = relationship(
        back_populates="match", cascade="all, delete-orphan", passive_deletes=True, order_by="Entry.position"
    )


class Entry(Base):
    """A round, a turn or a move of a match. It counts only when confirmed; `event` is then what is replayed."""

    __tablename__ = "entries"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)
    position: Mapped[int]
    kind: Mapped[str] = mapped_column(String(20))
    player: Mapped[str | None] = mapped_column(String(200))
    confirmed: Mapped[bool] = mapped_column(default=False)
    data: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    event: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    note: Mapped[str] = mapped_column(Text, default="")
    match: Mapped[Match] = relationship(back_populates="entries")
    readings: Mapped[list[ReadingTask]] = relationship(
        back_populates="entry", cascade="all, delete-orphan", passive_deletes=True, order_by="ReadingTask.created_at"
    )
    tables: Mapped[list[Table]] = relationship(
        back_populates="entry", cascade="all, delete-orphan", passive_deletes=True, order_by="Table.created_at"
    )


class Table(Base):
    """A table: read from a photograph or laid by hand.

    `reading` is what was read (None for one laid by hand) and never changes; `state` is how people left it.
    """

    __tablename__ = "tables"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now, index=True)
    game: Mapped[str] = mapped_column(String(40))
    deck: Mapped[str] = mapped_column(String(200))
    options: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    photo_id: Mapped[str | None] = mapped_column(ForeignKey("photos.id", ondelete="SET NULL"), index=True)
    entry_id: Mapped[str | None] = mapped_column(ForeignKey("entries.id", ondelete="CASCADE"), index=True)
    reading: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    state: Mapped[dict[str, Any]] = mapped_column(JSON)
    revision: Mapped[int] = mapped_column(default=1)
    entry: Mapped[Entry | None] = relationship(back_populates="tables")


class ReadingTask(Base):
    """A photograph that is being read, or was: what for, how far it is, and what came of it.

    match_id, entry_id: of the round or turn whose table it shows; table_id with `revision`: a table read again, and in
    the end the table that was made. stage: see `web.readings.runner`. error: code and message.
    """

    __tablename__ = "reading_tasks"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now, index=True)
    updated_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)
    photo_id: Mapped[str] = mapped_column(ForeignKey("photos.id", ondelete="CASCADE"), index=True)
    deck: Mapped[str] = mapped_column(String(200))
    options: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    entry_id: Mapped[str | None] = mapped_column(ForeignKey("entries.id", ondelete="CASCADE"), index=True)
    table_id: Mapped[str | None] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    revision: Mapped[int | None]
    stage: Mapped[str] = mapped_column(String(20), default="waiting")
    error: Mapped[dict[str, str] | None] = mapped_column(JSON(none_as_null=True))
    entry: Mapped[Entry | None] = relationship(back_populates="readings")


class Lesson(Base):
    """A teacher's own lesson: tables with questions, in order (`web.lessons.items`)."""

    __tablename__ = "lessons"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now, index=True)
    title: Mapped[str] = mapped_column(String(200), default="")
    items: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    revision: Mapped[int] = mapped_column(default=1)


class LessonPhoto(Base):
    """A photograph that a lesson shows, smaller, without metadata; it stays as long as its lesson."""

    __tablename__ = "lesson_photos"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    lesson_id: Mapped[str] = mapped_column(ForeignKey("lessons.id", ondelete="CASCADE"), index=True)
    data: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)


class Quiz(Base):
    """A lesson answered from phones, item by item. Answers are only counted: nothing of who gave them is kept.

    key: of whoever leads it. at: the item that is asked; revealed: its answer is shown. tallies: how often each answer
    was given, by the number of the item.
    """

    __tablename__ = "quizzes"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    key: Mapped[str] = mapped_column(String(32), default=new_id)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now, index=True)
    title: Mapped[str] = mapped_column(String(200), default="")
    items: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    at: Mapped[int] = mapped_column(default=0)
    revealed: Mapped[bool] = mapped_column(default=False)
    joined: Mapped[int] = mapped_column(default=0)
    tallies: Mapped[dict[str, dict[str, int]]] = mapped_column(JSON, default=dict)
    revision: Mapped[int] = mapped_column(default=1)


class LiveTable(Base):
    """A table under a camera. Its verdict is in `table_id`, which changes whenever a new one is announced.

    moment: what went on in the last frame; state: of `web.live.session`; log: what was announced, the newest last.
    """

    __tablename__ = "live_tables"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now, index=True)
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    moment: Mapped[str] = mapped_column(String(20), default="")
    state: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    log: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    table: Mapped[Table] = relationship()
