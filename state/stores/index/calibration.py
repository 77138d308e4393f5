"""What an embedder's cosines mean: measured with built-in sentences, in Chinese and in English."""

import math
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from statistics import fmean, pstdev

from langchain_core.embeddings import Embeddings

from state.records import Calibration, Language, Unrelated
from state.stores.index import calibration_sentences as sentences

_QUESTIONS: dict[Language, tuple[str, ...]] = {"en": sentences.ENGLISH_QUESTIONS, "zh": sentences.CHINESE_QUESTIONS}
_MEMORIES: dict[Language, tuple[str, ...]] = {"en": sentences.ENGLISH_MEMORIES, "zh": sentences.CHINESE_MEMORIES}
# Measured once, so that nobody's first question waits for it.
SHIPPED = {
    "multilingual-e5-small": Calibration(
        embedder="multilingual-e5-small",
        unrelated=(
            Unrelated(question="en", memory="en", mean=0.7352, spread=0.0239),
            Unrelated(question="en", memory="zh", mean=0.7514, spread=0.0274),
            Unrelated(question="zh", memory="en", mean=0.7261, spread=0.0289),
            Unrelated(question="zh", memory="zh", mean=0.8266, spread=0.0192),
        ),
    )
}

_LEAST_SPREAD = 1e-6
# Questions are embedded one by one, and a model behind an endpoint takes its time for each.
_AT_ONCE = 8


def measure(embedder: str, embeddings: Embeddings) -> Calibration:
    """Measure what the cosines of these embeddings mean; asks the embedder for 64 questions and 64 memories.

    Raises what the embedder raises.
    """
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        asked = {language: list(threads.map(embeddings.embed_query, texts)) for language, texts in _QUESTIONS.items()}
    held = {language: embeddings.embed_documents(list(texts)) for language, texts in _MEMORIES.items()}
    return Calibration(
        embedder=embedder,
        unrelated=tuple(
            _unrelated(question, memory, [_cosine(*pair) for pair in product(asked[question], held[memory])])
            for question, memory in product(_QUESTIONS, _MEMORIES)
        ),
    )


def _unrelated(question: Language, memory: Language, cosines: list[float]) -> Unrelated:
    return Unrelated(question=question, memory=memory, mean=fmean(cosines), spread=max(pstdev(cosines), _LEAST_SPREAD))


def _cosine(one: list[float], other: list[float]) -> float:
    return sum(map(float.__mul__, one, other)) / (math.hypot(*one) * math.hypot(*other))
