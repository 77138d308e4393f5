"""The time that a text names, found by rules: no model is asked, and a false time is worse than none.

Windows follow the words: a day is that day, 上周 and "last week" the calendar week from Monday on, 上个月 the calendar
month. People err about distances, the more the longer, so "three weeks ago", 三个月前 and "two years ago" are a week, a
month and a year with that date in the middle. Nights run from 18:00 to 06:00.
"""

import re
import unicodedata
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from nodes.language.timex import en, zh
from nodes.language.timex.calendar import Prefer, Span, instants, wall_clock
from nodes.language.timex.rules import Asked, Rule
from state.records import TimeWindow

# The rules take a few milliseconds for a thousand characters, and the event loop waits for them.
_READ = 4_000

_RULES: tuple[Rule, ...] = zh.RULES + en.RULES
# The traditional forms of the characters the patterns know, and the typographic apostrophe.
_SIMPLIFIED = str.maketrans(
    "後個週禮節號兩這國慶誕聖陽農曆間裡臘勞動雙學’", "后个周礼节号两这国庆诞圣阳农历间里腊劳动双学'"
)
_QUOTED_TITLE = re.compile(r"《[^《》]*》")
_JOIN = re.compile(r"\s*(?:起?[到至]|~|-|–|—{1,2}|to|till|until|through)\s*", re.IGNORECASE)
# Words that turn a time into a habit.
_HABIT_BEFORE = re.compile(r"(?:每|每个|每年|每年的|每逢|every|each|every\s+other)\s*$", re.IGNORECASE)
# Words that open an interval on one side: what is meant lies outside the time that is named.
_AFTER_IT = re.compile(r"(?:以|之)?后(?![天面端台悔续排门背果勤院卫半备辈])|以来|起(?=[，,。]|$)")
_BEFORE_IT = re.compile(r"(?:以|之)?前(?![天后面端台往排门途者任期妻男女])")
_SINCE = re.compile(
    r"(?:\b(?:after|since|(?:days?|weeks?|months?|years?)\s+from)\s+(?:the\s+)?|自从?|从)$", re.IGNORECASE
)
_UNTIL = re.compile(r"\b(?:before|until|till|by)\s+(?:the\s+)?$", re.IGNORECASE)


@dataclass(frozen=True)
class _Expression:
    """Where an expression stands in the text and what it means."""

    start: int
    end: int
    span: Span
    one_sided: bool = False  # it begins or ends an interval whose other end is not said


def named_time(text: str, *, now_ms: int, time_zone: str, prefer: Prefer = "past") -> TimeWindow | None:
    """Return the first time that `text` names, or one inside it that is named later; None where it names none.

    Of a long text the first 4,000 characters are read.

    Args:
        text: What was said, Chinese or English or both.
        now_ms: When it was said, in epoch milliseconds, UTC.
        time_zone: IANA name of the speaker's zone.
        prefer: The side for what could be both (六月, 端午节, 周三, "on Friday", "June 19"): "past" is the latest that
            has begun, "future" the earliest that is not over; today counts for both.

    Returns:
        The window `[start_ms, end_ms)` with the words as they stand in the text.

    Raises:
        zoneinfo.ZoneInfoNotFoundError: The zone is unknown.
    """
    zone = ZoneInfo(time_zone)
    asked = Asked(wall_clock(now_ms, zone), prefer)
    folded = _folded(text[:_READ])
    found = _closed(folded, _expressions(folded, asked))
    if not found:
        return None
    best = found[0]
    for other in found[1:]:
        if best.span.start <= other.span.start and other.span.end <= best.span.end:
            best = other
    start_ms, end_ms = instants(best.span, zone)
    # Equal where the zone left out a whole day, as Samoa did.
    return TimeWindow(text=text[best.start : best.end], start_ms=start_ms, end_ms=end_ms) if start_ms < end_ms else None


def _folded(text: str) -> str:
    """Fold width and the traditional characters the patterns need, one character for one, so that places stay."""
    if text.isascii():
        return text
    forms = {char: unicodedata.normalize("NFKC", char) for char in set(text)}
    narrow = {ord(char): form for char, form in forms.items() if len(form) == 1}
    return text.translate(narrow).translate(_SIMPLIFIED)


def _expressions(text: str, asked: Asked) -> list[_Expression]:
    """Return the expressions in order; of two that overlap the one that begins first, then the longer one."""
    titles = [match.span() for match in _QUOTED_TITLE.finditer(text)]
    candidates, lowered = [], text.lower()
    for rule in _RULES:
        if not any(cue in lowered for cue in rule.cues):
            continue
        for match in rule.pattern.finditer(text):
            if any(start <= match.start() < end for start, end in titles) or _is_habit(text, match):
                continue
            try:
                span = rule.resolve(match, asked)
            except (ValueError, OverflowError):
                continue
            if span is not None:
                candidates.append(_Expression(match.start(), match.end(), span, _is_one_sided(text, match, asked)))
    found: list[_Expression] = []
    for candidate in sorted(candidates, key=lambda one: (one.start, -one.end)):
        if not found or candidate.start >= found[-1].end:
            found.append(candidate)
    return found


def _is_habit(text: str, match: re.Match[str]) -> bool:
    return bool(_HABIT_BEFORE.search(text[max(0, match.start() - 12) : match.start()]))


def _is_one_sided(text: str, match: re.Match[str], asked: Asked) -> bool:
    """Say whether the words around put what is meant before or after the time named; a deadline ahead is its day."""
    before, after = text[max(0, match.start() - 18) : match.start()], text[match.end() : match.end() + 3]
    if _SINCE.search(before) or _AFTER_IT.match(after):
        return True
    return asked.prefer == "past" and bool(_UNTIL.search(before) or _BEFORE_IT.match(after))


def _closed(text: str, found: list[_Expression]) -> list[_Expression]:
    """Join two expressions with "to" or 到 between them into one, and drop what is still one-sided."""
    joined: list[_Expression] = []
    for one in found:
        last = joined[-1] if joined else None
        if last and _JOIN.fullmatch(text[last.end : one.start]) and last.span.start < one.span.end:
            joined[-1] = _Expression(last.start, one.end, Span(last.span.start, one.span.end))
        else:
            joined.append(one)
    return [one for one in joined if not one.one_sided]
