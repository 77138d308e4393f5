"""Words that count from a time named before them in Chinese: 次年, 同月9号, 第二天, 当晚十时.

Their rules count from the one who asks; `from_antecedent` has them asked by the time they point back to.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from nodes.language.timex.calendar import ONE_DAY, Span, days, hours, month, months, year
from nodes.language.timex.found import Found
from nodes.language.timex.numerals import chinese
from nodes.language.timex.rules import Asked, Rule
from nodes.language.timex.zh_clock import CLOCK, evening_clock
from nodes.language.timex.zh_words import DAY_NUMBER, DAY_SIGN, rule

_PIECES = {"初": (1, 2), "中": (6, 2), "底": (11, 2), "末": (11, 2)}
_EVENING = (18, 30)
# What each is a part of, or the next of: how long the time may be that it points back to.
_LONGEST = {"年": timedelta(days=366), "月": timedelta(days=31)}
# Where such a word begins: 婚礼的第二天 points to the wedding.
_BEGINS = r"(?<![^\s，。、；：,.;:!?！？（(到在从至和与就才但而且我你他她])"
_NEXT = ("次", "翌", "隔", "第")


def _year(match: re.Match[str], asked: Asked) -> Span:
    number = asked.today.year + match["word"].startswith(_NEXT)
    return months(number, *_PIECES[match["piece"]]) if match["piece"] else year(number)


def _month(match: re.Match[str], asked: Asked) -> Span:
    whole = month(asked.today.year, asked.today.month + match["word"].startswith(_NEXT))
    return days(whole.start.date().replace(day=chinese(match["number"]))) if match["number"] else whole


def _day(match: re.Match[str], asked: Asked) -> Span:
    return days(asked.today + match["word"].startswith(_NEXT) * ONE_DAY)


def _evening(match: re.Match[str], asked: Asked) -> Span:
    return evening_clock(asked.today, match) if match["hour"] or match["h"] else hours(asked.today, *_EVENING)


RULES: tuple[Rule, ...] = (
    rule("年", rf"{_BEGINS}(?P<word>[次翌同]年|第二年)(?:年?(?P<piece>[初中底末]))?(?!级)", _year),
    rule("月", rf"{_BEGINS}(?P<word>[次翌同]月)(?:(?P<number>{DAY_NUMBER}){DAY_SIGN})?", _month),
    rule("天 日", rf"{_BEGINS}(?P<word>[次翌同隔当]日|[当隔那]天|第二天)(?!性)", _day),
    rule("晚 夜", rf"{_BEGINS}(?P<word>当[晚夜])(?:的?{CLOCK})?", _evening),
)
_WORD = re.compile(r"[次翌同隔当那第]二?(?P<unit>[年月天日晚夜])")


def from_antecedent(text: str, found: Sequence[Found], asked: Asked) -> list[Found]:
    """Return the expressions, those that point back read from the one before them.

    One that has none before it, or one that is too long for it, is no time; if nothing else is said, it counts from
    when it was said.
    """
    read: list[Found] = []
    for one in found:
        word = _WORD.match(text, one.start)
        if word is None:
            read.append(one)
        elif read and (span := _pointing_to(read[-1].span, one, word["unit"], asked)):
            read.append(replace(one, span=span))
        elif text.strip() == text[one.start : one.end].strip():
            read.append(one)
    return read


def _pointing_to(antecedent: Span, one: Found, unit: str, asked: Asked) -> Span | None:
    if antecedent.end - antecedent.start > _LONGEST.get(unit, ONE_DAY):
        return None
    return one.read(Asked(antecedent.start, asked.prefer, asked.zone))
