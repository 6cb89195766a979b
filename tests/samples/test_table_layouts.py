"""Random tables: what each fault is called is what the judge finds."""

from collections import Counter

import pytest

from referee.decks import CatFace, Game, builtin_deck
from referee.games import judge
from referee.verdicts import Outcome
from samples.table import FAULTS, random_layout
from samples.table.random_layouts import LEGAL
from samples.table.truth import is_clear_cut

NAMED = [(game, fault) for game in Game for fault in FAULTS[game]]
SOUND = [(game, fault) for game in Game for fault in (None, *LEGAL[game])]
SEEDS = range(8)


@pytest.mark.parametrize(("game", "fault"), NAMED, ids=lambda v: str(v))
def test_each_fault_is_found_by_the_judge(game: Game, fault: str) -> None:
    deck = builtin_deck(game)
    for seed in SEEDS:
        layout, name = random_layout(game, deck, seed, fault)
        ruling = judge(layout, deck)
        assert name == fault
        assert ruling.outcome is Outcome.INVALID
        assert {found.rule for found in ruling.faults} & FAULTS[game][fault]


@pytest.mark.parametrize(("game", "fault"), SOUND, ids=lambda v: str(v))
def test_legal_tables_are_legal(game: Game, fault: str | None) -> None:
    deck = builtin_deck(game)
    for seed in SEEDS:
        layout, _ = random_layout(game, deck, seed, fault)
        ruling = judge(layout, deck)
        assert ruling.outcome is Outcome.VALID
        assert ruling.faults == ()


@pytest.mark.parametrize("game", list(Game))
def test_no_table_hangs_on_a_hair_or_uses_more_cards_than_there_are(game: Game) -> None:
    deck = builtin_deck(game)
    for seed in range(30):
        layout, _ = random_layout(game, deck, seed)
        assert is_clear_cut(layout, deck)
        used = Counter(card.face for card in layout.cards)
        assert all(count <= deck.face(face).count for face, count in used.items())
        cats = Counter(f.player for c in layout.cards if isinstance(f := deck.face(c.face), CatFace))
        assert all(count <= 5 for count in cats.values())


@pytest.mark.parametrize("game", list(Game))
def test_one_seed_one_table(game: Game) -> None:
    deck = builtin_deck(game)
    assert random_layout(game, deck, 3) == random_layout(game, deck, 3)
    assert random_layout(game, deck, 3)[0] != random_layout(game, deck, 4)[0]


def test_tables_differ_in_players_turns_and_faults() -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    tables = [random_layout(Game.CAT_AND_MOUSE, deck, seed) for seed in range(60)]
    assert {sum(c.face.startswith("start") for c in layout.cards) for layout, _ in tables} >= {1, 2, 3, 4}
    assert len({fault for _, fault in tables}) >= 8
    # Some players turn their cards by quarters against their own Start card.
    assert any(
        abs((card.turn - layout.cards[0].turn + 45) % 360 - 45) > 60
        for layout, _ in tables
        if sum(c.face.startswith("start") for c in layout.cards) == 1
        for card in layout.cards
    )


def test_an_unknown_fault_or_a_deck_of_another_game_is_refused() -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    with pytest.raises(ValueError, match='no fault called "upside-down"; use one of: wrong-side'):
        random_layout(Game.CAT_AND_MOUSE, deck, 1, "upside-down")
    with pytest.raises(ValueError, match="The deck is of cat-and-mouse"):
        random_layout(Game.IF_IT_FITS, deck, 1)
