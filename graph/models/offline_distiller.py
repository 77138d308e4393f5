"""Finding what to remember, and shortening talk, without a language model: the user's own sentences, by rules."""

import asyncio
import re
from collections.abc import Sequence

from nodes.fact_check.own_words import IMPORTANT, MEMORY_TOKENS, telling
from nodes.language.confidential import without_secrets
from nodes.language.grounding import numbers
from nodes.language.pieces import SELF
from nodes.language.sentences import (
    asks_to_remember,
    assertions,
    is_injection,
    is_instruction,
    is_question,
    is_small_talk,
    own_sentences,
    sentences,
)
from nodes.language.statements import is_dated, is_decision, read
from nodes.language.tokens import count, cut
from state.ports import Distillation, Summary
from state.records import Turn

MOST_CANDIDATES = 12


class OfflineDistiller:
    """Keeps the sentences in which the user states something. Implements `state.ports.Distiller`."""

    async def distill(self, turn: Turn, context: Sequence[Turn]) -> Distillation:  # noqa: ARG002
        """Return the turn's own statements, verbatim, and its task changes; the context is not needed to copy words.

        At most twelve candidates a turn, those with a slot or marked important first: each costs a search.
        """
        return await asyncio.to_thread(_distilled, turn)


def _distilled(turn: Turn) -> Distillation:
    told = telling(turn)
    found = [each.candidate for each in told.told]
    best = sorted(range(len(found)), key=lambda at: (found[at].slot is None, found[at].weight < IMPORTANT, at))
    kept_places = sorted(best[:MOST_CANDIDATES])
    return Distillation(candidates=tuple(found[at] for at in kept_places), task_changes=told.task_changes)


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
        for sentence in without_secrets(turn.text, own_sentences(turn.text))
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
            for sentence in without_secrets(turn.text, sentences(turn.text))
            if not is_injection(sentence)
        ]
        best = max(other, key=len, default="")
    return cut(best, MEMORY_TOKENS)


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
