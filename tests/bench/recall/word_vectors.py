"""Vectors made of words, where only what comes after the embedder is measured: thousands of them in a second."""

import functools
import hashlib
import re
import time

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

Vector = NDArray[np.float32]

DIMENSION = 384
# What texts of one language have in common, as squared lengths: where the cosines of unrelated pairs lie for e5.
_COMMON = 0.74
_CHINESE = 0.08

_HAN = re.compile(r"[\u3400-\u9fff]+")
_LATIN = re.compile(r"[a-z0-9]+")


class WordVectors(Embeddings):
    """Unit vectors whose cosines lie where e5's do: 0.74 for unrelated texts, 0.82 in Chinese, more for shared words.

    They go by e5's name, so that its calibration applies. `since` is as of `CachedEmbeddings`: the time spent in here.
    """

    name, dimension = "multilingual-e5-small", DIMENSION

    def __init__(self) -> None:
        self.seconds = 0.0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        started = time.perf_counter()
        vector: list[float] = vector_of(text).tolist()
        self.seconds += time.perf_counter() - started
        return vector

    def since(self) -> tuple[float, float]:
        """Return the seconds since the last call, and no milliseconds of an embedder."""
        seconds, self.seconds = self.seconds, 0.0
        return seconds, 0.0

    def close(self) -> None:
        """Nothing is open."""


def vector_of(text: str) -> Vector:
    """Return the unit vector of a text."""
    terms = _terms(text)
    common = _COMMON + (_CHINESE if _HAN.search(text) else 0.0)
    parts = _direction("any text") * np.sqrt(_COMMON)
    if common > _COMMON:
        parts = parts + _direction("any Chinese text") * np.sqrt(_CHINESE)
    own = np.sum([_direction(f"word {term}") for term in terms or [text]], axis=0)
    whole = parts + own / np.linalg.norm(own) * np.sqrt(1 - common)
    return np.asarray(whole / np.linalg.norm(whole), dtype=np.float32)


def _terms(text: str) -> list[str]:
    pairs = {run[at : at + 2] for run in _HAN.findall(text) for at in range(max(len(run) - 1, 1))}
    return sorted(pairs | set(_LATIN.findall(text.lower())))  # in one order: sums of floats depend on it


@functools.lru_cache(maxsize=16_384)
def _direction(name: str) -> Vector:
    """Return a random unit vector, the same for the same name."""
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    drawn = np.random.default_rng(seed).standard_normal(DIMENSION)
    return np.asarray(drawn / np.linalg.norm(drawn), dtype=np.float32)
