"""The expressions of a text: found by the rules, extended by the words behind them, and put together where they touch.

Whatever is put together stays a function of who asks and when, so that a part may be read again in the light of
another: 五月 in 去年三月到五月 is that of last year, 八点 in 下午三点到八点 is in the evening.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from nodes.language.timex.calendar import Span, about
from nodes.language.timex.occasions import Reading, on_its_side
from nodes.language.timex.rules import Asked, Modifier, Rule
from nodes.language.timex.sides import is_about

_JOIN = re.compile(r"\s*(?:起|开始)?\s*(?:直?[到至]|~|-|–|—{1,2}|to|till|until|through|thru)\s*", re.IGNORECASE)
_AND = re.compile(r"\s*(?:和|与|跟|and)\s*")
_LISTED = re.compile(r"\s*[,，、和]?\s*")
_DAY_NUMBER = re.compile(r"[\d一二三四五六七八九十廿]{1,3}[日号]")
_BETWEEN = re.compile(r"之?间|期间")
_BETWEEN_EN = re.compile(r"\bbetween\s+$", re.IGNORECASE)
_NEXT_TO = re.compile(r"\s*的?\s*(?:\b(?:on|at|in)\s+|(?:大概|大约|差不多|约|左右)(?:是|在)?)?", re.IGNORECASE)
_BESIDE = re.compile(r"\s*[,，(（]?\s*")
_WEEKDAY = re.compile(r"(?:周|星期|礼拜)[一二三四五六日天]|(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)
_HOUR = timedelta(hours=1)
_MORNING = 6


@dataclass(frozen=True)
class Found:
    """Where an expression stands in the text, how it is read, and what it means to the one who asked."""

    start: int
    end: int
    read: Reading
    span: Span
    is_range: bool = False


def atoms(text: str, rules: Sequence[Rule], asked: Asked) -> list[Found]:
    """Return all that the rules find; some overlap."""
    candidates, lowered = [], text.lower()
    for rule in rules:
        if not any(cue in lowered for cue in rule.cues):
            continue
        for match in rule.pattern.finditer(text):
            reading = _reading(rule, match)
            if (span := reading(asked)) is not None:
                candidates.append(Found(match.start(), match.end(), reading, span))
    return candidates


def extended(text: str, found: Found, modifiers: Sequence[Modifier], asked: Asked) -> Found:
    """Return an expression with all the words behind it that make another time of it."""
    changed = True
    while changed:
        changed = False
        for modifier in modifiers:
            match = modifier.pattern.match(text, found.end)
            if match is None or match.end() == found.end:
                continue
            reading = _modified(found.read, modifier, match)
            if (span := on_its_side(reading, asked)) is not None:
                found, changed = Found(found.start, match.end(), reading, span), True
                break
    return found


def put_together(text: str, found: Sequence[Found], asked: Asked) -> list[Found]:
    """Narrow one expression by the next where they touch (去年端午节, 明天 8:00), and join ranges (3月到5月)."""
    return _joined(text, _narrowed(text, found, asked), asked)


def _reading(rule: Rule, match: re.Match[str]) -> Reading:
    def read(asked: Asked) -> Span | None:
        try:
            return rule.resolve(match, asked)
        except (ValueError, OverflowError):
            return None

    return read


def _modified(base: Reading, modifier: Modifier, match: re.Match[str]) -> Reading:
    def read(asked: Asked) -> Span | None:
        span = base(asked)
        if span is None:
            return None
        try:
            changed = modifier.resolve(span, match, asked)
        except (ValueError, OverflowError):
            return None
        return changed and _coloured(changed, span)

    return read


def _coloured(span: Span, *origins: Span) -> Span:
    """Return a span that is as certain as the least certain of those it came from."""
    return replace(
        span,
        confidence=min(span.confidence, *(origin.confidence for origin in origins)),
        floating=any(origin.floating for origin in origins),
    )


def _narrowed(text: str, found: Sequence[Found], asked: Asked) -> list[Found]:
    narrowed: list[Found] = []
    for one in found:
        last = narrowed[-1] if narrowed else None
        both = last and _both(text, last, one, asked)
        if both:
            narrowed[-1] = both
        else:
            narrowed.append(one)
    return narrowed


def _both(text: str, first: Found, second: Found, asked: Asked) -> Found | None:
    between = text[first.end : second.start]
    if _BESIDE.fullmatch(between) and _is_weekday(text, first) and _is_one_day(second.span):
        # "Sunday, June 4": the date says it.
        if _is_weekday(text, second):
            return None
        return Found(first.start, second.end, second.read, _on_day_of(first, second, asked))
    if not _NEXT_TO.fullmatch(between) or not second.span.floating:
        return None
    unsure = is_about(text, second.start)

    def read(asked: Asked) -> Span | None:
        whole = first.read(asked)
        if whole is None:
            return None
        part = second.read(Asked(whole.start, "future", asked.zone))
        if (
            part is None
            or not whole.start <= part.start < whole.end
            or part.end - part.start >= whole.end - whole.start
        ):
            return None
        part = about(part) if unsure else part
        return _coloured(part, whole, replace(part, floating=False))

    span = on_its_side(read, asked)
    return None if span is None else Found(first.start, second.end, read, span)


def _on_day_of(weekday: Found, date: Found, asked: Asked) -> Span:
    """Return the date, of the nearest before and after the one on that weekday if one is: it tells the year."""
    wanted = weekday.span.start.weekday()
    either = [date.span]
    if date.span.floating:
        other = date.read(replace(asked, prefer="future" if asked.prefer == "past" else "past"))
        either += [other] if other else []
    return next((span for span in either if span.start.weekday() == wanted), date.span)


def _is_weekday(text: str, one: Found) -> bool:
    return one.span.floating and _WEEKDAY.match(text, one.start) is not None


def _is_one_day(span: Span) -> bool:
    return span.grain == "day" and span.end - span.start == timedelta(days=1)


def _joined(text: str, found: Sequence[Found], asked: Asked) -> list[Found]:
    joined: list[Found] = []
    for one in found:
        last = joined[-1] if joined else None
        both = last and (_range(text, last, one, asked) or _days_in_a_row(text, last, one, asked))
        if both:
            joined[-1] = both
        else:
            joined.append(_beside(text, last, one) if last else one)
    return joined


def _beside(text: str, first: Found, second: Found) -> Found:
    """Read 8日 in 7月1日和8日 as a day of that month."""
    if not (
        _LISTED.fullmatch(text[first.end : second.start])
        and _DAY_NUMBER.fullmatch(text, second.start, second.end)
        and first.span.grain == second.span.grain == "day"
    ):
        return second
    span = second.read(Asked(first.span.start, "future"))
    return second if span is None else replace(second, span=span)


def _days_in_a_row(text: str, first: Found, second: Found, asked: Asked) -> Found | None:
    """Join 9月10号 and 11号, where one day follows the other in time too."""
    if not _LISTED.fullmatch(text[first.end : second.start]) or first.span.grain != "day" or not second.span.floating:
        return None

    def read(asked: Asked) -> Span | None:
        begin = first.read(asked)
        end = begin and second.read(Asked(begin.end, "future", asked.zone))
        if begin is None or end is None or end.grain != "day" or end.start != begin.end:
            return None
        return replace(begin, end=end.end)

    span = read(asked)
    return None if span is None else Found(first.start, second.end, read, span)


def _range(text: str, first: Found, second: Found, asked: Asked) -> Found | None:
    if first.is_range or second.is_range:
        return None  # a range of ranges means nothing, and reading one doubles with each
    between = text[first.end : second.start]
    if not _JOIN.fullmatch(between) and not (
        _AND.fullmatch(between) and (_BETWEEN.match(text, second.end) or _BETWEEN_EN.search(text, 0, first.start))
    ):
        return None

    def read(asked: Asked) -> Span | None:
        begin, end = first.read(asked), second.read(asked)
        if begin is not None and end is not None:
            if end.floating:
                end = second.read(Asked(begin.start, "future", asked.zone))
            elif begin.floating:
                begin = first.read(Asked(end.start, "past", asked.zone))
        return begin and end and _from_to(begin, end)

    span = on_its_side(read, asked)
    return None if span is None else Found(first.start, second.end, read, span, is_range=True)


def _from_to(begin: Span, end: Span) -> Span | None:
    # "From one to three" ends as three o'clock strikes, "Monday to Wednesday" when Wednesday is over.
    last = end.start if end.end - end.start <= _HOUR else end.end
    if end.grain == "hour" and last.hour <= _MORNING and last.date() > end.start.date():
        last = datetime.combine(last.date(), time())  # "till tomorrow evening" is not till the morning after
    if last <= begin.start:
        return None
    return _coloured(replace(begin, end=last, reach=max(begin.reach, end.reach)), begin, replace(end, floating=False))
