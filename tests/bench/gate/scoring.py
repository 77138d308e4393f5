"""Precision, recall and F1, and thresholds that no row chooses for itself.

These few lines are written out here: the libraries that have them bring numpy, scipy and a compiler's worth of weight.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from tests.bench.figures import share

FOLDS = 5

T = TypeVar("T")


class Score(NamedTuple):
    """How well one class is found; each figure is 0 where it has nothing to count. `n` is how many there are."""

    precision: float
    recall: float
    f1: float
    n: int


def score(pairs: Iterable[tuple[str, str]], label: str) -> Score:
    """Score one class over pairs of (expected, got)."""
    hits = extra = missed = 0
    for expected, got in pairs:
        hits += expected == got == label
        extra += got == label != expected
        missed += expected == label != got
    return _score(hits, extra, missed)


def binary(expected: Sequence[bool], got: Sequence[bool]) -> Score:
    """Score a yes-or-no question."""
    pairs = list(zip(expected, got, strict=True))
    hits = pairs.count((True, True))
    return _score(hits, pairs.count((False, True)), pairs.count((True, False)))


def _score(hits: int, extra: int, missed: int) -> Score:
    precision, recall = share(hits, hits + extra), share(hits, hits + missed)
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return Score(precision, recall, f1, hits + missed)


def cross_fitted(ids: Sequence[str], values: Sequence[float], expected: Sequence[bool]) -> list[bool]:
    """Say for each row whether its value reaches the threshold that does best, by F1, on the rows of other folds.

    A row's fold comes from the hash of its id, so that no row's own label chooses its threshold.
    """
    folds = [int(_digest(row_id), 16) % FOLDS for row_id in ids]
    best = {
        fold: _threshold(
            [(value, truth) for other, value, truth in zip(folds, values, expected, strict=True) if other != fold]
        )
        for fold in set(folds)
    }
    return [value >= best[fold] for fold, value in zip(folds, values, strict=True)]


def _threshold(rows: Sequence[tuple[float, bool]]) -> float:
    """Return the value from which on to say yes, the highest of the best ones."""
    positives = sum(truth for _, truth in rows)
    best, best_f1 = float("inf"), 0.0
    hits = 0
    ordered = sorted(rows, key=lambda row: -row[0])
    for place, (value, truth) in enumerate(ordered, start=1):
        hits += truth
        if place < len(ordered) and ordered[place][0] == value:
            continue
        if (f1 := _score(hits, place - hits, positives - hits).f1) > best_f1:
            best, best_f1 = value, f1
    return best


def sample(rows: Sequence[T], limit: int, id_of: Callable[[T], str]) -> list[T]:
    """Return at most `limit` rows (0: all), those whose ids have the smallest hashes: the same ones every time."""
    return sorted(rows, key=lambda row: _digest(id_of(row)))[: limit or None]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
