"""Ours: the rules of `nodes.language.timex`, asked as the peers are."""

import time
from collections.abc import Sequence
from datetime import UTC

from nodes.language.timex import Expression, expressions
from tests.bench.time.answers import Answer, Found, Question
from tests.bench.time.sets import Days, span_days


def ask(questions: Sequence[Question]) -> list[Answer]:
    """Answer every question: an expression and a sentence are read alike."""
    return [_answer(question) for question in questions]


def _answer(question: Question) -> Answer:
    now_ms = round(question.said.replace(tzinfo=UTC).timestamp() * 1000)
    begun = time.perf_counter()
    named = expressions(question.text, now_ms=now_ms, time_zone="UTC", prefer=question.prefer)
    ms = (time.perf_counter() - begun) * 1000
    return Answer(tuple(Found(one.start, one.end, _days(one)) for one in named), ms)


def _days(one: Expression) -> Days:
    first, last = span_days(one.span.start, one.span.end)
    return Days(None if one.open == "before" else first, None if one.open == "after" else last)
