"""The schema: migrations say what the models say, on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect
from sqlalchemy.exc import IntegrityError

from tests.web.conftest import made, photo_bytes, refused, send_photo
from tests.web.processes import PATIENCE, free_port
from tests.web.tables_by_hand import finished_route, put
from web import create_app
from web.settings import Settings
from web.storage.database import Database, alembic_config, make_engine
from web.storage.models import Base, Entry, Match, Table, new_id


def binaries() -> Path | None:
    """Where Debian (or anybody else) has put PostgreSQL's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if on_path:
        found.append(Path(on_path))
    return found[-1].parent if found else None


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an empty PostgreSQL database of our own."""
    programs = binaries()
    if programs is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    folder = tmp_path_factory.mktemp("postgres")
    user: list[str] = []
    if os.geteuid() == 0:  # PostgreSQL does not run as root
        user = ["runuser", "-u", "postgres", "--"]
        for path in (folder, *list(folder.parents)[:2]):
            path.chmod(0o755)
        shutil.chown(folder, "postgres")
    port = free_port()
    data = folder / "data"
    run = {"check": True, "capture_output": True, "cwd": "/", "timeout": PATIENCE}
    subprocess.run([*user, str(programs / "initdb"), "-D", str(data), "-U", "referee", "-A", "trust"], **run)  # type: ignore[call-overload]
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    control = [*user, str(programs / "pg_ctl"), "-D", str(data), "-w"]
    subprocess.run([*control, "-l", str(folder / "log"), "-o", options, "start"], **run)  # type: ignore[call-overload]
    try:
        yield f"postgresql://referee@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **run)  # type: ignore[call-overload]


def check_schema(url: str) -> None:
    engine = make_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
        connection.rollback()
        command.downgrade(alembic_config(connection), "base")
        assert set(inspect(connection).get_table_names()) <= {"alembic_version"}
        connection.rollback()
    engine.dispose()


def test_migrations_lead_to_the_models_and_back_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'file.sqlite3'}"
    database = Database(url)
    database.upgrade()
    database.close()
    check_schema(url)


def test_workers_that_start_at_once_do_not_stumble(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'file.sqlite3'}"
    failures: list[BaseException] = []

    def start() -> None:
        database = Database(url)
        try:
            database.upgrade()
        except Exception as error:  # noqa: BLE001 - whatever it is, the test tells it
            failures.append(error)
        database.close()

    workers = [threading.Thread(target=start) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []


def test_nothing_is_left_of_a_deleted_match(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'file.sqlite3'}")
    database.upgrade()
    with database.writing() as session:
        match = Match(game="cat-and-mouse", deck="cat-and-mouse", players=[], entries=[])
        entry = Entry(position=1, kind="round", data={}, tables=[])
        match.entries.append(entry)
        session.add(match)
        session.flush()
        session.add(Table(game="cat-and-mouse", deck="cat-and-mouse", state={}, entry_id=entry.id))
    with database.writing() as session:
        session.delete(session.get(Match, match.id))
    with database.reading() as session:
        assert session.query(Entry).count() == session.query(Table).count() == 0
    database.close()


def test_what_fails_half_way_is_not_stored(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'file.sqlite3'}")
    database.upgrade()
    with pytest.raises(IntegrityError), database.writing() as session:
        session.add_all([Match(game="cat-and-mouse", deck="x", players=[], entries=[]), Match(game="no deck")])
    with database.reading() as session:
        assert session.query(Match).count() == 0
    database.close()


def test_ids_cannot_be_guessed() -> None:
    made_ids = {new_id() for _ in range(500)}
    assert len(made_ids) == 500
    assert all(len(made_id) == 16 and made_id.isalnum() for made_id in made_ids)


def test_the_service_on_postgresql(postgres: str, tmp_path: Path) -> None:
    """A match with a photograph, played, exported and deleted."""
    app = create_app(Settings(data=tmp_path, database=postgres))
    client = app.test_client()
    match = made(client.post("/api/matches", json={"game": "cat-and-mouse", "players": [{"name": "А"}, {"name": "Б"}]}))
    url = f"/api/matches/{match['id']}"
    entry = made(client.post(f"{url}/entries", json={"kind": "round"}))["entries"][0]["id"]
    photo = made(send_photo(client, photo_bytes("cat-route-legal-kitchen")))
    read = made(client.post(f"{url}/entries/{entry}/tables", json={"photo": photo["id"]}))
    assert read["cards"]
    assert client.get(photo["url"]).get_data().startswith(b"\xff\xd8")
    assert client.delete(f"/api/tables/{read['id']}").status_code == 204
    refused(client.get(photo["url"]), 404, "unknown-photo")
    table = made(client.post(f"{url}/entries/{entry}/tables", json={}))
    put(client, table, finished_route())
    client.put(f"{url}/entries/{entry}", json={"data": {"owners": {f"{table['id']}/a0": "p1"}}})
    confirmed = made(client.post(f"{url}/entries/{entry}/confirm"), 200)
    assert [player["total"] for player in confirmed["players"]] == [3, 0]
    assert client.get(f"{url}/match.csv").status_code == 200
    assert client.get("/healthz").status_code == 200
    assert client.delete(url).status_code == 204
    app.extensions["referee_database"].close()
    check_schema(postgres)
