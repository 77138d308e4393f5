"""What an embedder's cosines mean: measured with built-in sentences, in Chinese and in English."""

import math
import operator
from itertools import product
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, get_args

from state.errors import ModelAnswerUnusable
from state.records import Calibration, Language, Unrelated
from state.stores.index import calibration_sentences as sentences

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

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

# What holds while an embedder is not measured. Of text-embedding-3-small, the most common one behind an endpoint,
# cosines of unrelated texts lie around these.
UNMEASURED = Calibration(
    embedder="unmeasured",
    unrelated=tuple(
        Unrelated(question=question, memory=memory, mean=0.10, spread=0.07)
        for question, memory in product(get_args(Language), get_args(Language))
    ),
)

_LEAST_SPREAD = 1e-6
# A text embedded twice comes back within 1e-4 of itself; E5's question and memory of the same words are 0.95 to 0.98.
_THE_SAME = 0.999


def measure(embedder: str, embeddings: "Embeddings") -> Calibration:
    """Measure what the cosines of these embeddings mean, with 64 questions and 64 memories.

    An embedder that makes no difference between a question and a memory is given them in batches: a model behind an
    endpoint may be limited to few calls a minute. Raises what the embedder raises, and ModelAnswerUnusable where its
    vectors hold numbers that are not finite.
    """
    questions = [text for texts in _QUESTIONS.values() for text in texts]
    memories = [text for texts in _MEMORIES.values() for text in texts]
    as_memory, *embedded = embeddings.embed_documents([questions[0], *memories])
    as_question = embeddings.embed_query(questions[0])
    if _cosine(as_question, as_memory) >= _THE_SAME:
        vectors = [as_question, *embeddings.embed_documents(questions[1:])]
    else:
        vectors = [as_question, *(embeddings.embed_query(text) for text in questions[1:])]
    asked, held = _by_language(_QUESTIONS, vectors), _by_language(_MEMORIES, embedded)
    return Calibration(
        embedder=embedder,
        unrelated=tuple(
            _unrelated(question, memory, [_cosine(*pair) for pair in product(asked[question], held[memory])])
            for question, memory in product(_QUESTIONS, _MEMORIES)
        ),
    )


def _by_language(
    texts: dict[Language, tuple[str, ...]], vectors: list[list[float]]
) -> dict[Language, list[list[float]]]:
    left = iter(vectors)
    return {language: [next(left) for _ in each] for language, each in texts.items()}


def _unrelated(question: Language, memory: Language, cosines: list[float]) -> Unrelated:
    return Unrelated(question=question, memory=memory, mean=fmean(cosines), spread=max(pstdev(cosines), _LEAST_SPREAD))


def _cosine(one: list[float], other: list[float]) -> float:
    lengths = math.hypot(*one) * math.hypot(*other)
    cosine = sum(map(operator.mul, one, other)) / lengths if lengths else 0.0
    if not math.isfinite(cosine):
        raise ModelAnswerUnusable("The embedding model answered with numbers that are not finite.")
    return cosine
