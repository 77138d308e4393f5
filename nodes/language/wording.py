"""What a statement is about, in comparable units: stems and characters without function words, one word for one thing.

Texts about "the user" are read as the user's own, traditional characters as simplified ones, so that a note compares
with the words it was made from.
"""

import functools
import re
import threading
import unicodedata
from dataclasses import dataclass
from typing import Any

import opencc
import snowballstemmer

from nodes.language.light_words import DETAIL, LIGHT_EN, LIGHT_ZH, RANK
from nodes.language.quantities import quantities, without
from nodes.language.relations import by_key
from nodes.language.synonyms import SAME_EN, SAME_ZH

_CJK = r"\u3400-\u9fff"
_LATIN = re.compile(r"[^\W_\u3400-\u9fff]+(?:['.@_-][^\W_\u3400-\u9fff]+)*")
_USER_EN = (
    (r"\b(?:the )?user's\b", "my"),
    (r"\b(?:the )?user (?:is|are)\b", "I am"),
    (r"\b(?:the )?user was\b", "I was"),
    (r"\b(?:the )?user has\b", "I have"),
    (r"\b(?:the )?user (?:does not|doesn't)\b", "I don't"),
    (r"\b(?:the )?user\b", "I"),
    (r"(?<!^)\btheir\b", "my"),
    (r"(?<!^)\bthey(?: are|'re)\b", "I am"),
    (r"(?<!^)\bthey\b", "I"),
    (r"(?<!^)\bthem\b", "me"),
)
_HOURS = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_SMALL = {word: number for number, word in enumerate(_HOURS.split("|"), start=1)} | {
    "half": 30,
    "quarter": 15,
    "a quarter": 15,
    "twenty": 20,
    "twenty five": 25,
}
# "quarter past eight", "ten to nine".
_SPELT_TIME = re.compile(
    rf"\b(?P<minute>half|(?:a )?quarter|five|ten|twenty(?:[ -]five)?|5|10|20|25)(?: minutes)? (?P<to>past|to|after"
    rf"|before) "
    rf"(?P<hour>{_HOURS}|1[0-2]|[1-9])\b(?! ?(?:minutes|hours|days|weeks|people|months|:|\d))",
    re.IGNORECASE,
)
_OF_USER = re.compile(r"\b(?:the )?user\b", re.IGNORECASE)


@dataclass(frozen=True)
class Content:
    """What a text is about: Latin stems, and the Chinese characters that carry meaning."""

    words: frozenset[str]
    chars: frozenset[str]

    @property
    def size(self) -> float:
        """How much there is: a word counts like two characters."""
        return len(self.words) + len(self.chars) / 2

    def minus(self, other: "Content") -> "Content":
        """Return what this has and the other has not; a longer word with one letter wrong counts as the same."""
        words = {word for word in self.words - other.words if not any(_misspelt(word, seen) for seen in other.words)}
        return Content(frozenset(words), self.chars - other.chars)

    def both(self, other: "Content") -> "Content":
        """Return what the two share."""
        return self.minus(self.minus(other))


@functools.cache
def _simplifier() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


@functools.cache
def _stemmer() -> Any:
    return snowballstemmer.stemmer("english")


# A stemmer holds the word it works on.
_stemming = threading.Lock()


@functools.lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return what an English word is compared by: "moved" and "moving" are one."""
    with _stemming:
        return str(_stemmer().stemWord(word.lower()))


@functools.lru_cache(maxsize=1024)
def own(text: str) -> str:
    """Return a text in the user's own person, width folded, in simplified characters, with straight apostrophes."""
    visible = "".join(char for char in text if unicodedata.category(char) != "Cf")
    words = unicodedata.normalize("NFKC", visible).replace("’", "'").replace("‘", "'")
    words = str(_simplifier().convert(words))
    if "用户" in words:
        words = re.sub(r"用户(?!名|体验|界面|数|量|研究|端|们)", "我", words)
    if _OF_USER.search(words):
        for pattern, replacement in _USER_EN:
            words = re.sub(pattern, replacement, words, flags=re.IGNORECASE)
    return words


def plain_words(text: str) -> str:
    """Return a text with one word for one thing: 礼拜二 as 周二, "mum" as "mother"."""
    words = own(text)
    for pattern, word in SAME_ZH if re.search(f"[{_CJK}]", words) else ():
        words = pattern.sub(word, words)
    for pattern, word in SAME_EN if re.search("[A-Za-z]", words) else ():
        words = pattern.sub(word, words)
    return _SPELT_TIME.sub(_in_figures, words)


def _in_figures(match: re.Match[str]) -> str:
    hour, minute = (
        int(said) if said.isdigit() else _SMALL[said.lower().replace("-", " ")]
        for said in (match["hour"], match["minute"])
    )
    if match["to"].lower() in ("to", "before"):
        hour, minute = (hour - 2) % 12 + 1, 60 - minute
    return f"{hour}:{minute:02d}"


@functools.lru_cache(maxsize=1024)
def content(text: str, *, measured: bool = False) -> Content:
    """Return what a text is about; without what it measures, unless `measured`."""
    words = plain_words(text)
    if not measured:
        words = without(words, quantities(words))
    words = by_key(words)
    latin = {
        stem(word)
        for word in _LATIN.findall(re.sub(r"(?<=\w)'(?:s|ve|re|ll|d|m)\b|n't\b", " ", words))
        if word.lower() not in LIGHT_EN
    }
    chinese = LIGHT_ZH.sub(" ", re.sub(f"[^{_CJK}]", " ", words))
    return Content(
        frozenset(word for word in latin if word not in LIGHT_EN), frozenset(re.findall(f"[{_CJK}]", chinese))
    )


@functools.lru_cache(maxsize=512)
def details(text: str) -> frozenset[str]:
    """Return the words of a text that carry no subject and yet tell statements apart: night and day, last and next."""
    words = plain_words(text)
    return frozenset(match.group().lower() for match in DETAIL.finditer(without(words, quantities(words))))


def ranks(text: str) -> frozenset[str]:
    """Return the words that say which of several is meant: left, old, first."""
    return frozenset(match.group().lower() for match in RANK.finditer(own(text)))


def _misspelt(one: str, other: str) -> bool:
    """Say whether two longer words differ by one letter left out, put in, changed or swapped."""
    if min(len(one), len(other)) < 5 or one[0] != other[0]:
        return False
    if any(char.isdigit() for char in one + other) or "@" in one + other:
        return False
    return one_letter_off(one, other)


def one_letter_off(one: str, other: str) -> bool:
    """Say whether two words differ by at most one letter left out, put in, changed, or swapped with the next."""
    if abs(len(one) - len(other)) > 1:
        return False
    at = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    rest = one[at:], other[at:]
    return (
        rest[0][1:] == rest[1][1:]
        or rest[0][1:] == rest[1]
        or rest[0] == rest[1][1:]
        or (rest[0][:2] == rest[1][:2][::-1] and rest[0][2:] == rest[1][2:])
    )
