"""Things on the table: each draws itself, none lies over a card unless it is meant to."""

import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.layouts import Layout, PlacedCard
from samples.table import render
from samples.table.scene import CLUTTER, COVERS
from samples.table.things import THINGS
from tests.samples.test_table_render import clean

LAYOUT = Layout(game=Game.CAT_AND_MOUSE, cards=(PlacedCard(id="s", face="start", x=0, y=0, turn=10),))


def test_every_thing_of_a_scene_is_known() -> None:
    assert set(CLUTTER) == set(THINGS)
    assert set(COVERS) - {"hand", "finger"} <= set(THINGS)


@pytest.mark.parametrize("name", CLUTTER)
def test_a_thing_shows_beside_the_card_and_never_over_it(name: str) -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    scene = clean(tilt=12.0, fill=0.3, size=(480, 360))
    empty = render(LAYOUT, deck, scene, 6)
    full = render(LAYOUT, deck, clean(tilt=12.0, fill=0.3, size=(480, 360), clutter=(name,) * 3), 6)
    assert full.truth["cards"][0]["hidden"] <= 0.02
    change = np.abs(full.image.astype(int) - empty.image).max(axis=2)
    assert (change > 25).sum() > 60


@pytest.mark.parametrize("name", COVERS)
def test_a_cover_hides_part_of_the_card(name: str) -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    hidden = [
        render(LAYOUT, deck, clean(tilt=12.0, fill=0.3, size=(480, 360), covers=(name,)), seed).truth["cards"][0][
            "hidden"
        ]
        for seed in (1, 2)
    ]
    assert max(hidden) > 0.03


@pytest.mark.parametrize("name", CLUTTER)
def test_the_discs_of_a_thing_cover_its_foot(name: str) -> None:
    thing = THINGS[name](np.random.default_rng(3))
    w, h = thing.size_mm
    turn = np.deg2rad(30)
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    foot = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + (40, -25)
    discs = thing.discs(40, -25, 30)
    for corner in foot:
        assert min(np.hypot(*(corner - (x, y))) - r for x, y, r in discs) < 0.5
