"""How well a ranking answers: the measures of one question, and their means."""

import math
import statistics
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from tests.bench.figures import Figures, share
from tests.bench.recall.answers import Answer

TOP = 5
DEEP = 20
MEASURES = ("hit@1", "hit@5", "recall@5", "recall_all@5", "recall@20", "ndcg@5", "mrr@20")


class Measured(NamedTuple):
    """A question with its measures, and what they are counted by."""

    id: str
    category: str
    measures: Figures


def measures(ranking: Sequence[str], shown: int, evidence: Collection[str]) -> Figures:
    """Return the measures of one ranking. What is not shown is no hit among the first five.

    recall_all@5 is strict: 1 where all evidence is among the first five. nDCG is binary: sum of 1/log2(1 + rank),
    over that of the best order possible (Jarvelin and Kekalainen, 2002). mrr@20 is 1 over the first hit's rank.
    """
    top = [name in evidence for name in ranking[: min(TOP, shown)]]
    deep = [name in evidence for name in ranking[:DEEP]]
    ideal = sum(_gain(rank) for rank in range(1, min(TOP, len(evidence)) + 1))
    return {
        "hit@1": float(any(top[:1])),
        "hit@5": float(any(top)),
        "recall@5": share(sum(top), len(evidence)),
        "recall_all@5": float(sum(top) == len(evidence)),
        "recall@20": share(sum(deep), len(evidence)),
        "ndcg@5": share(sum(_gain(rank) for rank, hit in enumerate(top, start=1) if hit), ideal),
        "mrr@20": next((1 / rank for rank, hit in enumerate(deep, start=1) if hit), 0.0),
    }


def _gain(rank: int) -> float:
    return 1 / math.log2(1 + rank)


def means(measured: Iterable[Measured], apart: Collection[str] = ()) -> Figures:
    """Return the means of all measures, and hit@5 and ndcg@5 of each category.

    Questions of the categories `apart` count in their category alone.
    """
    rows = list(measured)
    headline = [row for row in rows if row.category not in apart]
    found = {"n": float(len(headline)), **{name: _mean(row.measures[name] for row in headline) for name in MEASURES}}
    for category in sorted({row.category for row in rows}):
        own = [row for row in rows if row.category == category]
        found[f"{slug(category)}.n"] = len(own)
        for name in ("hit@5", "ndcg@5"):
            found[f"{slug(category)}.{name}"] = _mean(row.measures[name] for row in own)
    return found


def slug(category: str) -> str:
    """Return a category as a part of a key."""
    return category.lower().replace(" ", "-")


def timing(answers: Iterable[Answer]) -> Figures:
    """Return what answers of our profiles cost: memories and tokens shown, and milliseconds; nothing of other answers.

    `ms` is without embedding, `ms_embedded` with it, median and 95th percentile.
    """
    timed = [(answer, answer.ms) for answer in answers if answer.ms is not None]
    if not timed:
        return {}
    return {
        "shown": _mean(answer.shown for answer, _ in timed),
        "tokens": _mean(answer.tokens for answer, _ in timed),
        **spread("ms", [ms for _, ms in timed]),
        **spread("ms_embedded", [ms + answer.embedding_ms for answer, ms in timed]),
    }


def spread(name: str, values: Sequence[float]) -> Figures:
    """Return the median of values under a name, and their 95th percentile."""
    ordered = sorted(values)
    return {name: statistics.median(ordered), f"{name}.p95": ordered[math.ceil(0.95 * len(ordered)) - 1]}


def _mean(values: Iterable[float]) -> float:
    counted = list(values)
    return share(sum(counted), len(counted))
