"""Games as they are played, photograph after photograph."""

import dataclasses
import itertools
from collections import Counter

import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.moves import judge_sequence
from samples.table.play import MISHAPS, photographed, random_play
from samples.table.play_moves import ILLEGAL
from samples.table.scene import random_scene
from samples.table.surfaces import surfaces

SEEDS = range(12)


@pytest.mark.parametrize("game", list(Game))
def test_each_step_is_what_it_is_meant_to_be(game: Game) -> None:
    deck = builtin_deck(game)
    done: Counter[str] = Counter()
    for seed in SEEDS:
        play = random_play(deck, seed)
        assert play[0].move is None
        moves = [move for _, move in judge_sequence([step.layout for step in play], deck)]
        assert moves == [step.move for step in play]
        for step in play[1:]:
            assert step.move is not None
            rules = {fault.rule for fault in step.move.faults}
            done[step.did] += 1
            if step.did in ILLEGAL[game]:
                assert ILLEGAL[game][step.did] in rules
            elif step.did not in MISHAPS:
                assert not rules, step.did
    assert done["lay"] > 10
    assert len(done.keys() & ILLEGAL[game].keys()) >= 3
    assert done.keys() & set(MISHAPS)


def test_cards_keep_their_ids_and_one_seed_is_one_play() -> None:
    deck = builtin_deck(Game.COLOURED_PATHS)
    play = random_play(deck, 4)
    assert play == random_play(deck, 4)
    for before, after in itertools.pairwise(play):
        both = before.layout.by_id.keys() & after.layout.by_id.keys()
        assert len(both) >= len(before.layout.cards) - 1
        assert all(before.layout.by_id[card].face == after.layout.by_id[card].face for card in both)


def test_a_tripod_sees_every_card_where_it_lay() -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    play = [dataclasses.replace(step, covers=()) for step in random_play(deck, 2)[:3]]
    small = [s for s in surfaces() if s.photo is None][:1]
    assert random_scene("easy", 2, small).surface == small[0]
    corners = [
        {card["id"]: np.array(card["corners"]) for card in photo.truth["cards"]}
        for photo in photographed(play, deck, "easy", 2, "tripod", small)
    ]
    for step, before, after in zip(play[1:], corners[:-1], corners[1:], strict=True):
        for card in before.keys() & after.keys():
            still = play[0].layout.by_id.get(card) == step.layout.by_id[card]
            off = float(np.abs(before[card] - after[card]).max())
            side = float(np.linalg.norm(before[card][1] - before[card][0]))
            assert off < (0.01 if still else 0.1) * side or card in (step.move.cards + step.move.moved)
