"""Numbers as people write them, in figures or in words (zh + en): 3.5, 1,200, 三千五, 1.2万, twenty-five, 5k."""

import re

from nodes.language.timex.numerals import DIGITS

_TENS_ZH = {"十": 10, "百": 100, "千": 1000}
_GREAT_ZH = {"万": 10_000, "亿": 100_000_000}
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = {
    word: (at + 2) * 10
    for at, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"])
}
_WORDS = {word: value for value, word in enumerate(_ONES)} | _TENS | {"dozen": 12}
_GREAT = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "k": 1000, "m": 1_000_000, "grand": 1000}

_CHINESE = r"[零〇一二两三四五六七八九十百千万亿]"
_ONE_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
NUMBER = re.compile(
    r"(?P<figure>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s?(?P<times>[万亿千百](?!一)|k\b|(?:hundred|thousand"
    r"|million)\b))?"
    rf"|(?P<chinese>{_CHINESE}+(?:点[零〇一二三四五六七八九]+(?![点分刻])(?=[\u4e00-\u9fff]))?)"
    rf"|\b(?P<english>(?:(?:a\s)?(?:{_ONE_WORD}|hundred|thousand)(?:[\s-](?:and\s)?(?=(?:{_ONE_WORD}|hundred"
    rf"|thousand|million)\b))?)+)\b",
    re.IGNORECASE,
)


def value(match: re.Match[str]) -> float | None:
    """Return the value of what NUMBER matched, or None where the words make no number, as 三四 for an estimate."""
    if match["figure"]:
        times = (match["times"] or "").lower()
        factor = {**_TENS_ZH, **_GREAT_ZH, **_GREAT}.get(times, 1)
        return float(match["figure"].replace(",", "")) * factor
    return _chinese(match["chinese"]) if match["chinese"] else _english(match["english"])


def _chinese(text: str) -> float | None:
    whole, _, fraction = text.partition("点")
    if len(whole) > 1 and all(char in DIGITS for char in whole):
        # Figure by figure, as a year or a room is; two of them are an estimate.
        return float("".join(str(DIGITS[char]) for char in whole)) if len(whole) > 2 else None
    total = section = digit = 0
    last = 0
    for char in whole:
        if char in DIGITS:
            digit = DIGITS[char]
            last = 0 if char in "零〇" else last
        elif char in _TENS_ZH:
            section += (digit or 1) * _TENS_ZH[char]
            digit, last = 0, _TENS_ZH[char]
        else:
            total += (section + digit or 1) * _GREAT_ZH[char]
            section, digit, last = 0, 0, _GREAT_ZH[char]
    # 三千五 is 3500, 一万二 is 12000; 十五 is 15.
    result = float(total + section + digit * (last // 10 if last >= 100 else 1))
    if fraction:
        result += float("0." + "".join(str(DIGITS[char]) for char in fraction))
    return result


def _english(text: str) -> float:
    total = section = 0
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in ("a", "and"):
            continue
        if word == "hundred":
            section = (section or 1) * 100
        elif word in _GREAT:
            total, section = total + (section or 1) * _GREAT[word], 0
        else:
            section = section * 12 if word == "dozen" and section else section + _WORDS[word]
    return float(total + section)
