"""The time that a text names, found by rules: no model is asked, and a false time is worse than none.

Spans follow the words: a day is that day, 上周 and "last week" the calendar week from Monday on, 上个月 the calendar
month, 三个月前 the day three months ago, 三周前 and 三年前 the calendar week and year. People err about distances, the
more the longer, so the window of what is named reaches some days, weeks or months around them. Nights run from 18:00
to 06:00.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from nodes.language.timex import en, figures, zh
from nodes.language.timex.calendar import ONE_DAY, Prefer, Span, about, instants, wall_clock
from nodes.language.timex.found import Found, atoms, extended, put_together
from nodes.language.timex.names import is_name
from nodes.language.timex.occasions import just_over
from nodes.language.timex.plans import asks_what_was_planned
from nodes.language.timex.rules import Asked, Planning, Rule
from nodes.language.timex.sides import is_about, side_of
from nodes.language.timex.zh_anaphora import from_antecedent
from state.records import FOREVER_MS, Grain, TimeWindow

# The rules take a few milliseconds for a thousand characters, and the event loop waits for them.
_READ = 4_000

_RULES: tuple[Rule, ...] = figures.RULES + zh.RULES
_MODIFIERS = figures.MODIFIERS + zh.MODIFIERS
_LETTER = re.compile(r"[A-Za-z]")
# The traditional forms of the characters the patterns know, and the typographic apostrophe.
_SIMPLIFIED = str.maketrans(
    "後個週禮節號兩這國慶誕聖陽農曆間裡臘勞動雙學現當時點鐘鍾晝聽尋開從內過還幾來紀歲剛數處婦兒門軍黨師親閏驚蟄穀種"
    "滿寒萬終頭舊曬○’",
    "后个周礼节号两这国庆诞圣阳农历间里腊劳动双学现当时点钟钟昼听寻开从内过还几来纪岁刚数处妇儿门军党师亲闰惊蛰谷种"
    "满寒万终头旧晒〇'",
)
# Words for now end a range (从五月到现在); by themselves they are in every other sentence.
_NOW = re.compile(r"\s*(?:现在|此时|此刻|当前|目前|依家|而家|今|right now|now)\s*", re.IGNORECASE)
# Words that turn a time into a habit.
_HABIT_BEFORE = re.compile(
    r"(?:每|每个|每年|每年的|每天|每日|天天|每逢|一般|通常|平时|平常|总是|经常|常常|往往|习惯|every|each|every\s+other)"
    r"(?:都|会|在|是|于|要)*\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Expression:
    """A time expression of a text, from `start` to `end`, and what it means.

    `span` is the literal reading on the wall clock, naive. Of one that is `open` ("since May", 五一之前) the side that
    is not said lies at the first or the last moment a datetime knows.
    """

    start: int
    end: int
    span: Span
    open: Literal["before", "after"] | None = None

    @property
    def grain(self) -> Grain:
        """What the words count in."""
        return self.span.grain


def expressions(text: str, *, now_ms: int, time_zone: str, prefer: Prefer = "past") -> list[Expression]:
    """Return every time expression of a text, Chinese or English or both, in the order of the text.

    Of a long text the first 4,000 characters are read.

    Args:
        text: What was said.
        now_ms: When it was said, in epoch milliseconds, UTC.
        time_zone: IANA name of the speaker's zone.
        prefer: The side for what could be both (六月, 端午节, 周三, "on Friday", "June 19"): "past" is the latest that
            has begun, "future" the earliest that is not over; today counts for both. With "future", of what comes once
            a year it is the nearest on either side where the text asks what was planned for it, and the one just over
            where it names the time after it (国庆节后).

    Raises:
        zoneinfo.ZoneInfoNotFoundError: The zone is unknown.
    """
    folded = _folded(text[:_READ])
    asks = Planning if prefer == "future" and asks_what_was_planned(folded) else Asked
    zone = ZoneInfo(time_zone)
    asked = asks(wall_clock(now_ms, zone), prefer, zone)
    return [_sided(folded, found, asked) for found in _found(folded, asked)]


def named_time(text: str, *, now_ms: int, time_zone: str, prefer: Prefer = "past") -> TimeWindow | None:
    """Return the first time that a text names, or one inside it that is named later; None where it names none.

    One that is open on a side counts where there is no other. Arguments and errors are those of `expressions`.

    Returns:
        The window `[start_ms, end_ms)`, as wide as people err, with the words as they stand in the text.
    """
    found = expressions(text, now_ms=now_ms, time_zone=time_zone, prefer=prefer)
    closed = [one for one in found if one.open is None]
    if not found:
        return None
    best = (closed or found)[0]
    for other in closed[1:]:
        if best.span.start <= other.span.start and other.span.end <= best.span.end:
            best = other
    return _window(text, best, ZoneInfo(time_zone))


def _window(text: str, one: Expression, zone: ZoneInfo) -> TimeWindow | None:
    span = one.span
    start = datetime(1970, 1, 1) + span.reach if one.open == "before" else span.start
    end = datetime(9998, 1, 1) - span.reach if one.open == "after" else span.end
    start_ms, end_ms = instants(replace(span, start=start, end=end), zone)
    start_ms, end_ms = 0 if one.open == "before" else start_ms, FOREVER_MS if one.open == "after" else end_ms
    if start_ms >= end_ms:  # the zone left out a whole day, as Samoa did; or all before 1970
        return None
    return TimeWindow(
        text=text[one.start : one.end],
        start_ms=start_ms,
        end_ms=end_ms,
        grain=span.grain,
        confidence=span.confidence,
        open=one.open,
    )


def _folded(text: str) -> str:
    """Fold width and the traditional characters the patterns need, one character for one, so that places stay."""
    if text.isascii():
        return text
    forms = {char: unicodedata.normalize("NFKC", char) for char in set(text)}
    narrow = {ord(char): form for char, form in forms.items() if len(form) == 1}
    return text.translate(narrow).translate(_SIMPLIFIED)


def _found(text: str, asked: Asked) -> list[Found]:
    candidates = atoms(text, _RULES, asked)
    if text.isascii() or _LETTER.search(text):
        candidates += en.atoms(text, asked)
    found: list[Found] = []
    for atom in sorted(candidates, key=lambda one: (one.start, -one.end)):
        if not found or atom.start >= found[-1].end:
            found.append(extended(text, atom, _MODIFIERS, asked))
    together = from_antecedent(text, put_together(text, found, asked), asked)
    together = [one for one in together if not _NOW.fullmatch(text, one.start, one.end) or _is_all(text, one)]
    return [
        one
        for one in together
        if not _HABIT_BEFORE.search(text, max(0, one.start - 12), one.start) and not is_name(text, one.start, one.end)
    ]


def _is_all(text: str, one: Found) -> bool:
    return text.strip() == text[one.start : one.end].strip()


def _sided(text: str, found: Found, asked: Asked) -> Expression:
    """Return an expression, open on a side where the words around it put what is meant before or after it."""
    span = found.span
    side = side_of(text, found.start, found.end, asked.prefer, is_range=found.is_range)
    if side is None:
        return Expression(found.start, found.end, about(span) if is_about(text, found.start) else span)
    # A time of day is a moment: after three is from three on.
    is_moment = span.end - span.start < ONE_DAY
    if side.open == "after":
        span = (just_over(found.read, asked) if asked.prefer == "future" else None) or span
        start = span.start if side.included or is_moment else span.end
        return Expression(found.start, found.end, replace(span, start=start, end=datetime.max), "after")
    end = span.end if side.included and not is_moment else span.start
    return Expression(found.start, found.end, replace(span, start=datetime.min, end=end), "before")
