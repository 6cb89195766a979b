"""A move in sentences for people: what was laid, whether the rules allow it, what else changed on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from referee import texts
from referee.decks import Deck
from referee.explain import About, Explainer, Sentence, quote
from referee.layouts import Layout
from referee.messages import Messages
from referee.moves import MoveRuling
from referee.verdicts import Ids


def explain_move(
    move: MoveRuling,
    certain: bool,
    layout: Layout,
    deck: Deck,
    messages: Messages,
    names: Mapping[str, str],
) -> Iterator[Sentence]:
    """The move itself, then faults that only a move can have, each broken rule in full at the end.

    layout: the table after the move; names: what its cards are called. Faults that the table shows by itself are
    told with the table.
    """
    say, explainer = messages.text, Explainer(layout, deck, messages, names, {})

    def listed(cards: Iterable[str]) -> str:
        return ", ".join(explainer.card(card) for card in cards)

    def told(text: str, cards: Ids) -> Sentence:
        return Sentence(About.MOVE, say(text, cards=listed(cards)), cards)

    anything = (*move.cards, *move.moved, *move.removed, *move.restored)
    yield told(texts.MOVE_LAID, move.cards) if move.cards else Sentence(About.MOVE, say(texts.MOVE_NOTHING))
    if anything or not move.legal:
        outcome = texts.MOVE_ALLOWED if move.legal else texts.MOVE_FORBIDDEN
        yield Sentence(About.MOVE, say(outcome if certain else texts.MOVE_UNSURE), move.cards)
    if certain and move.ring:
        yield Sentence(About.MOVE, say(texts.MOVE_RING), move.cards)
    if certain:
        yield from (Sentence(About.MOVE, say(texts.EXTRA_TURNS[why]), move.cards) for why in move.extra_turn or ())
    if move.moved:
        yield told(texts.MOVED_CARDS, move.moved)
    if move.restored:
        yield told(texts.RESTORED_CARDS, move.restored)
    if move.removed:
        yield Sentence(About.MOVE, say(texts.REMOVED_CARDS, len(move.removed)), move.removed)
    shown = {(fault.rule, frozenset(fault.cards)) for fault in move.ruling.faults}
    own = [fault for fault in move.faults if (fault.rule, frozenset(fault.cards)) not in shown]
    yield from (explainer.fault(fault) for fault in own)
    known = {fault.rule_id for fault in move.ruling.faults}
    yield from (quote(rule, messages) for rule in dict.fromkeys(fault.rule_id for fault in own) if rule not in known)
