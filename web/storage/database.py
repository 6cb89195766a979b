"""The database: sessions, and the schema brought up to date at the start."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session

MIGRATIONS = Path(__file__).resolve().parent / "migrations"
ADVISORY_LOCK = 72_366_332
"""A number of ours for PostgreSQL's lock while the schema is brought up to date."""


class Database:
    """Sessions for reading and for writing. `url` as SQLAlchemy has it; PostgreSQL goes through psycopg 3."""

    def __init__(self, url: str) -> None:
        self._engine = make_engine(url)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that changes nothing."""
        with Session(self._engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session that is committed at its end, or rolled back if an exception leaves it."""
        with Session(self._engine, expire_on_commit=False) as session, session.begin():
            session.connection(execution_options={"referee_begin": "IMMEDIATE"})
            yield session

    def upgrade(self) -> None:
        """Bring the schema up to date; workers that start at once do it one after another."""
        with self._engine.connect().execution_options(referee_begin="IMMEDIATE") as connection, connection.begin():
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
            command.upgrade(alembic_config(connection), "head")

    def ping(self) -> None:
        """Ask the database anything. Raises what SQLAlchemy raises if it is gone."""
        with self._engine.connect() as connection:
            connection.execute(text("SELECT 1"))

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()


def make_engine(url: str) -> Engine:
    """An engine for this URL, with SQLite made to keep its promises (foreign keys, waiting, real deletion)."""
    parsed = make_url(url)
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() != "sqlite":
        return create_engine(parsed, pool_pre_ping=True)
    engine = create_engine(parsed, connect_args={"timeout": 30})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # transactions are begun below, and hold for changes of the schema as well
    for pragma in ("journal_mode = WAL", "foreign_keys = ON", "secure_delete = ON", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """Writers queue at once instead of failing half way."""
    kind = connection.get_execution_options().get("referee_begin", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {kind}")


def alembic_config(connection: Connection) -> Config:
    """Alembic's settings for an open connection."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
