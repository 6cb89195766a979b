"""Small tables laid by hand, as a page would send them."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

CARD = 64.0
PATH = 60.0


def card(name: str, face: str, x: float, y: float, turn: float = 0.0, side: float = CARD) -> dict[str, Any]:
    """A card at a place counted in card sides."""
    return {"id": name, "face": face, "x": x * side, "y": y * side, "turn": turn}


def finished_route(y: float = 0.0, prefix: str = "a", start: str = "start") -> list[dict[str, Any]]:
    """Start, two arrows to the right (1 and 2 points), Finish."""
    faces = (start, "right-1", "right-2", "finish")
    return [card(f"{prefix}{n}", face, n, y) for n, face in enumerate(faces)]


def open_route(y: float, prefix: str) -> list[dict[str, Any]]:
    """Start and one arrow of 3 points."""
    return [card(f"{prefix}0", "start", 0, y), card(f"{prefix}1", "right-3", 1, y)]


def put(client: FlaskClient, table: dict[str, Any], cards: list[dict[str, Any]], **state: Any) -> dict[str, Any]:
    """Lay cards on a table."""
    body = {"revision": table["revision"], "state": {**table["state"], "cards": cards, **state}}
    response = client.put(f"/api/tables/{table['id']}", json=body)
    assert response.status_code == 200, response.get_data(as_text=True)
    return dict(response.get_json())
