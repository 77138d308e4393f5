"""How much of what a question names a memory holds, by its words (zh + en)."""

import functools
import math
import re
from collections.abc import Sequence

from nodes.language.light_words import LIGHT_EN, LIGHT_ZH
from nodes.language.sentences import CJK
from nodes.language.wording import one_letter_off, own, stem

# What questions and small talk are made of: it names no subject.
ASKING_EN = frozenset(
    re.findall(
        r"\S+",
        """
        best better between both bring bye come could deal detail details differ doing don done else exact
        exactly example examples explain find give good great handle handles handling happen he hear hello help
        her hey hi him his idea its joke kind know lately let list look mean might mine nothing okay our ours
        overall people possible precisely prefer preference preferences question really recent recently
        recommend right she show step steps story suggest summarize sure talk tell thank thanks thing tried try
        type types ugh us verbatim versus vs want wants way ways were whether why without wonder wondering word
        words work write your yours
        """,
    )
)
ASKING_ZH = re.compile(
    r"你好|您好|大家好|[早晚]上好|下午好|早安|晚安|再见|拜拜|谢谢|多谢|感谢|好的|知道|明白|哈哈+|没关系|不客气|对不起|抱歉"
    r"|怎样|怎么样|如何|哪里|哪儿|帮我|讲个|告诉|干嘛|为什么|关于|事情|具体|步骤|原话|详细|到底|究竟|[什谁好么]"
)
# A word of the question that no memory has counts so much where a memory has it with one letter wrong.
MISSPELT = 0.5

_LATIN = re.compile(rf"[^\W_{CJK}]+(?:['’][^\W_{CJK}]+)?")
_CHINESE = re.compile(f"[{CJK}]+")
_CLITIC = re.compile(r"['’](?:s|ve|re|ll|d|m|t)$")


@functools.lru_cache(maxsize=8192)
def terms(text: str) -> dict[str, str]:
    """Return what a text speaks of: word stems and pairs of Chinese characters, each with the word as written."""
    words = text if text.isascii() else own(text)
    found: dict[str, str] = {}
    for written in _LATIN.findall(words):
        word = _CLITIC.sub("", written.lower())
        root = stem(word)
        if word not in LIGHT_EN and root not in LIGHT_EN and (len(word) > 1 or word.isdigit()):
            found.setdefault(root, word)
    for run in () if words.isascii() else _CHINESE.findall(LIGHT_ZH.sub(" ", words)):
        for start in range(max(len(run) - 1, 1)):
            found.setdefault(run[start : start + 2], run[start : start + 2])
    return found


def asked_terms(question: str) -> dict[str, str]:
    """Return the terms of a question without what questions are made of, or with it where nothing else is left."""
    bare = question if question.isascii() else ASKING_ZH.sub(" ", own(question))
    named = {root: word for root, word in terms(bare).items() if word not in ASKING_EN}
    return named or terms(question)


def coverage(question: str, memories: Sequence[str]) -> list[float]:
    """Return for each memory the share, 0 to 1, of the question's informative weight that it holds.

    A term weighs ln((n + 1) / df) / ln(n + 1) among the n memories given, df of which hold it; what none holds weighs
    1. A word that no memory holds counts half where a memory has it with one letter wrong.
    """
    asked, held = asked_terms(question), [terms(memory) for memory in memories]
    if not asked or not held:
        return [0.0] * len(held)
    found = [0.0] * len(held)
    total = 0.0
    for root, word in asked.items():
        places, worth = [place for place, have in enumerate(held) if root in have], 1.0
        if not places and _may_be_misspelt(word):
            places = [place for place, have in enumerate(held) if any(_misspelt(word, one) for one in have.values())]
            worth = MISSPELT
        weight = math.log((len(held) + 1) / len(places)) / math.log(len(held) + 1) if places else 1.0
        total += weight
        for place in places:
            found[place] += weight * worth
    return [share / total for share in found]


def _may_be_misspelt(word: str) -> bool:
    return len(word) >= 4 and word.isascii() and word.isalpha()


def _misspelt(word: str, other: str) -> bool:
    """Say whether one is the other with a letter wrong; the first two must agree, for "mango" is not "mongo"."""
    if word[:2] != other[:2] or max(len(word), len(other)) < 5:
        return False
    return _may_be_misspelt(other) and one_letter_off(word, other)
