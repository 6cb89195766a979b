"""The description of the API is complete and true."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from tests.web.conftest import ROOT
from web.openapi import is_described


def test_every_route_of_the_api_is_described(app: Flask, client: FlaskClient) -> None:
    described = client.get("/api/openapi.json").get_json()["paths"]
    routes = [r for r in app.url_map.iter_rules() if r.rule.startswith("/api") or r.rule == "/healthz"]
    assert len(routes) > 20
    for rule in routes:
        assert is_described(app, rule.endpoint), rule.rule
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        methods = {m.lower() for m in rule.methods or ()} - {"head", "options"}
        assert methods <= set(described[path]), path
    assert json.dumps(described).count('"operationId"') >= len(routes)


@pytest.fixture
def served(app: Flask) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_schemathesis_finds_nothing_untrue(served: str) -> None:
    """With the project's own settings, which it finds by itself in the project's folder."""
    command = [sys.executable, "-m", "schemathesis.cli"]
    options = ["--max-examples", "5", "--seed", "1", "--continue-on-failure", "--warnings", "off"]
    done = subprocess.run(
        [*command, "run", f"{served}/api/openapi.json", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "Operations:" in done.stdout
