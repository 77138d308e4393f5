"""The words behind a memory: a memory has at most 50 tokens, the turns it was taken from are in the journal in full."""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from nodes.language.confidential import without_secrets
from nodes.language.detail import asks_for_detail
from nodes.language.grounding import folded, occurs
from nodes.language.invisible import clean
from nodes.language.sentences import bare, is_injection, sentences
from nodes.language.tokens import count
from nodes.prompts.excerpt import excerpt, shares
from nodes.ranking.sought import holding
from state.errors import StoreUnavailable
from state.ports import Journal
from state.records import Evidence, Turn
from state.schema import RankedRow

DETAILED = 3
DETAIL_TOKENS = 120
GAP = " … "

log = logging.getLogger("loci")


class _KeptOut(NamedTuple):
    """What is not to be quoted of a session: words that are no belief, and turns that bore a forgotten memory."""

    held: Sequence[Evidence]
    forgotten: Collection[str]


async def with_details(
    kept: Sequence[RankedRow], evidence: Mapping[str, Sequence[Evidence]], question: Turn, *, journal: Journal
) -> list[RankedRow]:
    """Return the rows, the first three with `detail` where the question asks for exact words, numbers or steps.

    A detail is at most 120 tokens of the user's turns that the memory rests on, around its own words; of a turn that
    bore a forgotten memory its own words alone. None where that says no more than the memory, where the user took the
    turn back, or where the journal does not answer. `evidence` is that of the memories, by id.
    """
    rows = list(kept)
    if not asks_for_detail(question.text):
        return rows
    first = rows[:DETAILED]
    try:
        ids = {part.turn_id for row in first for part in evidence.get(row["memory_id"], ())}
        said = await journal.spoken(question.user_id, sorted(ids))
        kept_out = {
            session_id: _KeptOut(
                await journal.held_back(question.user_id, session_id),
                await journal.forgotten_turns(question.user_id, session_id),
            )
            for session_id in dict.fromkeys(row["session_id"] for row in first)
        }
    except StoreUnavailable as outage:
        log.warning("memories are shown without the words behind them: %s", outage)
        return rows

    def detailed() -> list[RankedRow]:
        return [
            {**row, "detail": _detail(row, own, question.text, said, kept_out[row["session_id"]])}
            for row in first
            for own in [evidence.get(row["memory_id"], ())]
        ]

    # In a thread: the rules for keys are loaded at their first use, and that takes seconds.
    return [*await asyncio.to_thread(detailed), *rows[DETAILED:]]


def _detail(
    row: RankedRow, evidence: Sequence[Evidence], question: str, said: Sequence[Turn], kept_out: _KeptOut
) -> str | None:
    """Return what the user said where a memory comes from, None where it is no more than the memory says."""
    spans: dict[str, list[str]] = {}
    for part in evidence:
        spans.setdefault(part.turn_id, []).append(part.span)
    own = [turn for turn in said if turn.session_id == row["session_id"] and turn.turn_id in spans]
    sources = [turn for turn in own if turn.role == "user"]
    quotable = [(_quotable(turn, spans[turn.turn_id], kept_out), spans[turn.turn_id][0]) for turn in sources]
    quotable = [(text, span) for text, span in quotable if text and (not span or occurs(span, text))]
    if not any(span for _, span in quotable):
        # An episode rests on whole turns: the one that holds what is asked for.
        quotable = [quotable[place] for place in holding(question, [text for text, _ in quotable])[:1]]
        quotable = [(text, _sentence(question, text)) for text, _ in quotable]
    granted = shares([count(text) for text, _ in quotable], DETAIL_TOKENS - count(GAP) * max(len(quotable) - 1, 0))
    words = GAP.join(excerpt(text, span, share) for (text, span), share in zip(quotable, granted, strict=True))
    return None if folded(bare(words)) in folded(row["text"]) else words


def _sentence(question: str, text: str) -> str:
    parts = sentences(text)
    return next((parts[place] for place in holding(question, parts)), "")


def _quotable(turn: Turn, spans: Sequence[str], kept_out: _KeptOut) -> str:
    """Return a turn without secrets, what tries to instruct, and other words that the gate holds back.

    What was forgotten of it is known no more, and may stand in the same sentence: then only the spans are left.
    """
    whole = clean(turn.text)  # as spans are
    if turn.turn_id in kept_out.forgotten:
        whole = GAP.join(span for span in dict.fromkeys(spans) if occurs(span, whole))
    text = whole
    for part in kept_out.held:
        if part.turn_id == turn.turn_id and not any(occurs(part.span, own) or occurs(own, part.span) for own in spans):
            text = text.replace(part.span, " ")
    parts = sentences(text)
    safe = [part for part in without_secrets(text, parts) if not is_injection(part)]
    return whole.strip() if (text, parts) == (whole, safe) else "\n".join(safe)
