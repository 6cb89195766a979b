"""The service as it is started: options, environment, https, two workers, a kill in the middle."""

from __future__ import annotations

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import ROOT
from tests.web.processes import free_port, service
from tests.web.tables_by_hand import finished_route
from web.certificate import certificate_in
from web.cli import parser
from web.serving import Address


def call(url: str, body: Any = None, method: str | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def test_help_explains_every_option() -> None:
    done = subprocess.run([sys.executable, "-m", "web", "--help"], cwd=ROOT, capture_output=True, text=True, check=True)
    readme = (ROOT / "README.md").read_text("utf-8")
    options = {name for action in parser()._actions for name in action.option_strings if name.startswith("--")}
    assert len(options) > 8
    for option in options:
        assert option in done.stdout
        assert f"`{option}" in readme or option == "--help"
    assert "REFEREE_" in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--database", "nonsense"], "--database"),
        (["--database", "postgresql://nobody@127.0.0.1:1/nothing"], "database cannot be used"),
    ],
)
def test_a_start_that_fails_says_why(tmp_path: Path, options: list[str], words: str) -> None:
    command = [sys.executable, "-m", "web", "--port", str(free_port()), "--data", str(tmp_path), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_confirmed_rounds_outlive_a_killed_server_and_workers_share_them(tmp_path: Path) -> None:
    """Two processes on one data folder: what one stores the other shows; what is confirmed survives a kill."""
    with (
        service(tmp_path, REFEREE_KEEP_DAYS="7") as (one, process),
        service(tmp_path) as (other, _),
    ):
        taken = subprocess.run(
            [sys.executable, "-m", "web", "--port", one.rpartition(":")[2], "--data", str(tmp_path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert taken.returncode == 2
        assert "--port" in taken.stderr
        match = call(f"{one}/api/matches", {"game": "cat-and-mouse", "players": [{"name": "A"}, {"name": "B"}]})
        here, there = (f"{url}/api/matches/{match['id']}" for url in (one, other))
        entry = call(f"{there}/entries", {"kind": "round"})["entries"][0]["id"]
        table = call(f"{here}/entries/{entry}/tables", {})
        state = {"cards": finished_route()}
        laid = call(f"{other}/api/tables/{table['id']}", {"revision": 1, "state": state}, "PUT")
        assert laid["outcome"] == "valid"
        call(f"{here}/entries/{entry}", {"data": {"owners": {f"{table['id']}/a0": "p2"}}}, "PUT")
        call(f"{here}/entries/{entry}/confirm", {})
        process.kill()
        process.wait()
        assert [player["total"] for player in call(there)["players"]] == [0, 3]
    with service(tmp_path) as (again, _):
        assert [player["total"] for player in call(f"{again}/api/matches/{match['id']}")["players"]] == [0, 3]


def test_workers_share_an_address_and_one_that_breaks_is_started_again(tmp_path: Path) -> None:
    with service(tmp_path, ["--workers", "2"]) as (url, process):
        children = _children(process.pid)
        assert len(children) >= 2
        match = call(f"{url}/api/matches", {"game": "cat-and-mouse", "players": [{"name": "A"}, {"name": "B"}]})
        for _ in range(20):  # whichever process takes the request
            assert call(f"{url}/api/matches/{match['id']}")["id"] == match["id"]
        workers = [child for child in children if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()]
        os.kill(workers[0], signal.SIGKILL)
        until = time.monotonic() + 60
        while len(set(_children(process.pid)) - {workers[0]}) < len(children) and time.monotonic() < until:
            time.sleep(0.1)
        assert len(set(_children(process.pid)) - {workers[0]}) == len(children)
        children = _children(process.pid)
        process.kill()
        process.wait()
        while any(Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < until:
            time.sleep(0.1)
        with (
            pytest.raises(OSError, match="refused"),
            socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))),
        ):
            pass


def _children(parent: int) -> list[int]:
    listed = Path(f"/proc/{parent}/task/{parent}/children")
    if not listed.exists():
        pytest.skip("this system does not list the children of a process")
    return [int(child) for child in listed.read_text().split()]


def test_https_with_a_certificate_of_its_own(tmp_path: Path) -> None:
    with service(tmp_path, ["--https"]) as (url, _):
        trust = ssl.create_default_context(cafile=tmp_path / "https-certificate.pem")
        with urllib.request.urlopen(f"{url}/matches/new", context=trust, timeout=60) as page:
            assert page.status == 200
        body = json.dumps({"game": "cat-and-mouse", "cards": []}).encode()
        headers = {"Content-Type": "application/json", "Origin": url}
        asked = urllib.request.Request(f"{url}/api/judge", body, headers)
        with urllib.request.urlopen(asked, context=trust, timeout=60) as answer:
            assert answer.status == 200
        with pytest.raises(urllib.error.URLError):
            urllib.request.urlopen(f"{url}/healthz", timeout=60)


def test_the_certificate_is_kept_until_it_is_no_use(tmp_path: Path) -> None:
    certificate, key = certificate_in(tmp_path, ["localhost", "192.168.1.5"])
    first = certificate.read_bytes()
    assert key.stat().st_mode & 0o077 == 0
    certificate_in(tmp_path, ["localhost"])
    assert certificate.read_bytes() == first
    certificate_in(tmp_path, ["localhost", "192.168.1.6"])
    assert certificate.read_bytes() != first


@pytest.mark.parametrize(
    ("address", "local", "public"),
    [
        (Address("127.0.0.1", 8000), "http://127.0.0.1:8000/", None),
        (Address("localhost", 80, https=True), "https://localhost:80/", None),
        (Address("::1", 8000), "http://[::1]:8000/", None),
        (Address("192.168.1.7", 9000), "http://192.168.1.7:9000/", "http://192.168.1.7:9000"),
    ],
)
def test_addresses(address: Address, local: str, public: str | None) -> None:
    assert address.local_url() == local
    assert address.public_url() == public


def test_a_service_for_the_house_shows_its_address_as_a_code(tmp_path: Path) -> None:
    with service(tmp_path, ["--lan"]) as (url, process):
        with urllib.request.urlopen(f"{url}/qr.svg", timeout=60) as code:
            assert code.status == 200
        process.terminate()
        told = process.stdout.read() if process.stdout else ""
    assert "Phones" in told
    assert "█" in told or "▄" in told
