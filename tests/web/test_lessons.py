"""Ready tables: the referee says of each what the file promises; every rule is kept once and broken once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from referee.decks import builtin_deck
from referee.rulebook import RuleId
from referee.verdicts import BoxesVerdict, PathsVerdict
from web.lessons.items import NONE, PLAYERS, Question, answered
from web.lessons.ready import entries, game_of, item_of
from web.matches.records import replayed
from web.options import options_of

NAMES = [f"{entry['rule']} {'kept' if entry['keeps'] else 'broken'} {entry['question']}" for entry in entries()]


def told(entry: dict[str, Any]) -> set[str]:
    """Everything that may be expected of an entry, as the file words it."""
    item = item_of(entry)
    deck = builtin_deck(item.game)
    known = answered(item, deck)
    if item.layout is None:
        options = options_of(item.game, item.options)
        state = replayed(item.game, PLAYERS[item.game], deck, options, None, item.events)
        problems = {f"problem:{problem.problem}" for problem in state.problems}
        assert all(problem.rule_id is item.rule for problem in state.problems)
        return problems or {"fine", *(["over"] if state.over else [])}
    assert known.judged is not None
    ruling = known.judged.ruling
    found = {f"note:{note.kind.value}" for note in ruling.notes} | {f"fault:{f.rule.value}" for f in ruling.faults}
    found.add(ruling.outcome.value)
    found.add(f"points:{sum(line.points for line in ruling.scores)}")
    if isinstance(ruling.verdict, BoxesVerdict):
        found.add(f"closed:{sum(box.closed for box in ruling.verdict.boxes)}")
    if isinstance(ruling.verdict, PathsVerdict):
        found.add(f"changes:{ruling.verdict.longest_changes}")
    if known.move is not None:
        found |= {f"move-fault:{f.rule.value}" for f in known.move.faults}
        found |= {"move-legal"} if known.move.legal else set()
        found |= {f"extra:{reason.value}" for reason in known.move.extra_turn or ()} or {"no-extra"}
        found.add("ring" if known.move.ring else "no-ring")
    return found


@pytest.mark.parametrize("entry", entries(), ids=NAMES)
def test_the_referee_agrees_with_every_ready_table(entry: dict[str, Any]) -> None:
    assert entry["expect"] in told(entry)
    assert set(entry) <= {"rule", "keeps", "question", "expect", "table", "before", "events", "options"}


def test_every_rule_is_kept_and_broken() -> None:
    seen = Counter((entry["rule"], entry["keeps"]) for entry in entries())
    for rule in RuleId:
        assert seen[rule.value, True] >= 1
        assert seen[rule.value, False] >= 1
    assert {entry["question"] for entry in entries()} == {question.value for question in Question}


@pytest.mark.parametrize("entry", entries(), ids=NAMES)
def test_the_question_tells_the_two_tables_of_a_rule_apart(entry: dict[str, Any]) -> None:
    item = item_of(entry)
    answers = answered(item, builtin_deck(item.game)).answers
    assert answers
    if item.question is Question.WHERE_NEXT:
        assert answers != (NONE,)
        return
    others = [e for e in entries() if e["rule"] == entry["rule"] and e["keeps"] is not entry["keeps"]]
    (other,) = [item_of(e) for e in others if e["question"] != "where-next"]
    theirs = answered(other, builtin_deck(game_of(entry))).answers
    assert item.question is not other.question or answers != theirs


def test_where_the_next_card_may_lie_is_tried_by_the_referee() -> None:
    (start,) = [e for e in entries() if e["rule"] == "CM-START" and e["question"] == "where-next"]
    assert answered(item_of(start), builtin_deck("cat-and-mouse")).answers == ("A", "B", "C", "D")
    (fork,) = [e for e in entries() if e["rule"] == "CM-ONE-WAY" and e["question"] == "where-next"]
    known = answered(item_of(fork), builtin_deck("cat-and-mouse"))
    right = [(slot.card.x > 100, slot.card.y < -30) for slot in known.slots if slot.is_right]
    assert sorted(right) == [(False, True), (True, False)]
