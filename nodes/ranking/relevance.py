"""How near a memory is to a question: by meaning, by words, and by who it is about.

A min-max or rank fusion forgets how good the best match is; here both halves have a scale of their own. Meaning counts
by the embedder's calibration, words by their share of the best match the question has among the user's memories.
"""

import re

from nodes.language.light_words import LIGHT_EN
from state.records import Hit

# Each default below is a row of the recall bench: see docs/benchmarks.md.
ANSWER = 6.0  # standard deviations above unrelated pairs: about where the cosine of an answer lies
MEANING = 0.5
WORDS = 0.5
SUBJECT = 0.15
ASKS = 0.15
SLOT = 0.5

_NAME = re.compile(r"[A-Z][\w'’-]*")
_HAN = re.compile(r"[\u3400-\u9fff]{2}")
# A memory that begins so is about the user, or about nobody in particular.
_NOBODY = frozenset("我你您他她它咱这那用在是有不没去今昨明前后上下每")
_ENDS_ASKING = re.compile(r"[?？][)）”」』\"'\s]*$")


def relevance(parts: dict[str, float]) -> float:
    """Return the sum of a hit's parts, weighted; never below 0."""
    return max(
        MEANING * parts["meaning"]
        + WORDS * parts["words"]
        + SUBJECT * parts["subject"]
        - ASKS * parts["asks"]
        + SLOT * parts["slot"],
        0.0,
    )


def parts_of(hit: Hit, text: str, question: str, *, close: float, best: float, in_slot: bool) -> dict[str, float]:
    """Return what speaks for a memory, each about 0 to 1.

    `close` is its closeness in standard deviations, `best` the BM25 score of the question's best match by words.
    """
    return {
        "meaning": close / ANSWER,
        "words": (hit.lexical or 0.0) / best if best else 0.0,
        "subject": float(is_about(text, question)),
        "asks": float(_ENDS_ASKING.search(text) is not None),
        "slot": float(in_slot),
    }


def is_about(memory: str, question: str) -> bool:
    """Say whether a memory begins with somebody or something the question names: the one a statement is about."""
    if (name := _NAME.match(memory)) is not None:
        first = re.sub(r"['’]s?$", "", name[0])
        return first.lower() not in LIGHT_EN and re.search(rf"(?<!\w){re.escape(first)}(?!\w)", question) is not None
    first_two = _HAN.match(memory)
    return first_two is not None and first_two[0][0] not in _NOBODY and first_two[0] in question
