"""Finding what to remember, and shortening talk, without a language model: the user's own sentences, by rules."""

import asyncio
import re
from collections.abc import Sequence

from nodes.language.confidential import secret_in
from nodes.language.grounding import numbers
from nodes.language.pieces import SELF, is_worth_keeping, pieces, time_of
from nodes.language.progress import progress
from nodes.language.sentences import (
    asks_to_remember,
    assertions,
    clauses,
    is_injection,
    is_instruction,
    is_question,
    is_small_talk,
    own_sentences,
    sentences,
)
from nodes.language.statements import is_dated, is_decision, kind_of, read
from nodes.language.subjects import leaves_another
from nodes.language.tokens import count, cut
from state.ports import Distillation, Summary
from state.records import Candidate, Evidence, TaskChange, Turn, normalised, plausible_step
from state.slots import is_single_valued

MEMORY_TOKENS = 50
MOST_CANDIDATES = 12
IMPORTANT = 2.0
# What is so at any time; a date beside it belongs to something else.
_UNDATED = {"user.name", "user.birthday", "user.age", "user.phone", "user.email", "user.address"}


class OfflineDistiller:
    """Keeps the sentences in which the user states something. Implements `state.ports.Distiller`."""

    async def distill(self, turn: Turn, context: Sequence[Turn]) -> Distillation:  # noqa: ARG002
        """Return the turn's own statements, verbatim, and its task changes; the context is not needed to copy words.

        At most twelve candidates a turn, those with a slot or marked important first: each costs a search.
        """
        return await asyncio.to_thread(_distilled, turn)


def _distilled(turn: Turn) -> Distillation:
    found: list[Candidate] = []
    changes: list[TaskChange] = []
    seen: set[str] = set()
    marked = of_another = False
    for sentence in own_sentences(turn.text):
        important = asks_to_remember(sentence) or marked
        marked = important and re.search(r"[:：]$", sentence) is not None
        if change := _task_change(sentence, turn):
            changes.append(change)
        # "Remember these points:" only announces what follows.
        kept = [
            piece
            for piece in pieces(sentence, other=of_another)
            if is_worth_keeping(piece, now_ms=turn.at_ms, time_zone=turn.time_zone, important=important and not marked)
        ]
        of_another = leaves_another(clauses(sentence), before=of_another)
        if important and not kept and found:
            # "This is important" alone speaks of what was said before it.
            found[-1] = found[-1].model_copy(update={"weight": IMPORTANT})
        for piece in kept:
            candidate = _candidate(piece, turn, important)
            if candidate is not None and (key := re.sub(r"\W+", "", normalised(candidate.text))) not in seen:
                seen.add(key)
                found.append(candidate)
    best = sorted(range(len(found)), key=lambda at: (found[at].slot is None, found[at].weight < IMPORTANT, at))
    kept_places = sorted(best[:MOST_CANDIDATES])
    return Distillation(candidates=tuple(found[at] for at in kept_places), task_changes=tuple(changes))


def _candidate(piece: str, turn: Turn, important: bool) -> Candidate | None:
    text = cut(piece, MEMORY_TOKENS)
    span = text if text == piece else text.removesuffix("…")
    if not span.strip():
        return None
    statement = read(piece)
    slot = statement.slot
    if is_single_valued(slot) and statement.negated and not statement.changes:
        slot = None  # "I do not live in Oslo" says nothing of where one lives
    time = None if slot in _UNDATED else time_of(piece, now_ms=turn.at_ms, time_zone=turn.time_zone)
    return Candidate(
        kind="task" if progress(piece, now_ms=turn.at_ms, time_zone=turn.time_zone) else kind_of(piece),
        text=text,
        evidence=(Evidence(turn_id=turn.turn_id, span=span),),
        slot=slot,
        weight=IMPORTANT if important else 1.0,
        event_start_ms=time.start_ms if time else None,
        event_end_ms=time.end_ms if time else None,
        mentioned_ms=turn.at_ms,
        time_zone=turn.time_zone,
    )


def _task_change(sentence: str, turn: Turn) -> TaskChange | None:
    said = progress(sentence, now_ms=turn.at_ms, time_zone=turn.time_zone)
    if said is None:
        return None
    return TaskChange(
        title=said.title,
        evidence=Evidence(turn_id=turn.turn_id, span=sentence),
        state=said.state,
        step=plausible_step(said.step),
        steps=plausible_step(said.steps),
        due_ms=said.due_ms,
    )


class OfflineSummariser:
    """Picks the user's most informative sentences. Implements `state.ports.Summariser`."""

    async def summarise(self, turns: Sequence[Turn]) -> Summary:
        """Return at most 50 tokens of the user's own sentences, verbatim and in order, none with a secret.

        Where the user only greeted and asked, the longest of what was said stands for the talk.
        """
        return Summary(text=await asyncio.to_thread(_summary, turns))


def _summary(turns: Sequence[Turn]) -> str:
    said = [
        sentence
        for turn in turns
        if turn.role == "user"
        for sentence in _without_secrets(turn.text, own_sentences(turn.text))
    ]
    said = [sentence for sentence in dict.fromkeys(said) if not is_injection(sentence)]
    weights = {sentence: _information(sentence) for sentence in said}
    chosen: list[str] = []
    for sentence in sorted(said, key=lambda sentence: -weights[sentence]):
        wanted = [other for other in said if other in chosen or other == sentence]
        if weights[sentence] > 0 and count(" ".join(wanted)) <= MEMORY_TOKENS:
            chosen.append(sentence)
    if chosen:
        return " ".join(sentence for sentence in said if sentence in chosen)
    best = max(said, key=lambda sentence: (weights[sentence], len(sentence)), default="")
    if not best:
        other = [
            sentence
            for turn in turns
            for sentence in _without_secrets(turn.text, sentences(turn.text))
            if not is_injection(sentence)
        ]
        best = max(other, key=len, default="")
    return cut(best, MEMORY_TOKENS)


def _without_secrets(text: str, spoken: list[str]) -> list[str]:
    """Return the sentences of a text that tell no secret; none where it runs over more than one of them."""
    if secret_in(text) is None:
        return spoken
    safe = [sentence for sentence in spoken if secret_in(sentence) is None]
    # The body of a key stands on other lines than its heading.
    return [] if "PRIVATE KEY-----" in text or len(safe) == len(spoken) else safe


def _information(sentence: str) -> float:
    """Return how much a sentence tells of the user, 0 for greetings, questions and requests."""
    told = " ".join(assertions(sentence))
    if is_small_talk(sentence) or not told or is_instruction(sentence):
        return 0.0
    statement = read(told)
    score = 2.0 * (statement.slot is not None) + 2.0 * asks_to_remember(sentence) + 1.5 * is_decision(told)
    score += 1.0 * is_dated(told) + 1.0 * bool(numbers(told)) + 1.0 * (SELF.search(told) is not None)
    score += 0.5 * (re.search(r"\b[A-Z][a-z]+|《", told[1:]) is not None) - 0.5 * is_question(sentence)
    return max(score, 0.0)
