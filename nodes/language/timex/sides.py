"""Words around a time that put what is meant before or after it."""

import re
from dataclasses import dataclass
from typing import Literal

from nodes.language.timex.calendar import Prefer

_ABOUT = re.compile(
    r"(?:(?:大概|大约|差不多|(?<![预邀赴节签合违制公契])约|估计|可能是?|好像是?|应该是?)(?:是|在)?"
    r"|\b(?:around|about|roughly|approximately|circa|some\s?time\s+(?:in|around))\s+(?:the\s+)?)\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Side:
    """An interval of which one end is said: "since May" is open after it, "before May" before it.

    `included` says whether the time that is named is itself part of what is meant.
    """

    open: Literal["before", "after"]
    included: bool


_RANGE = re.compile(r"[到至~–—]|\b(?:to|till|until|through)\b", re.IGNORECASE)
_OR = r"\s*(?P<too>[或及和]者?(?:是|在)?)?"
_AFTER_ZH = re.compile(
    rf"{_OR}(?:(?P<from>以来|起(?![来床飞点码诉草步源航跑身家价])|开始(?![时前后])|至今|到现在|到今天为止)"
    r"|(?:以|之|往|过)?后(?![天面端台悔续排门背果勤院卫半备辈来]))"
)
_BEFORE_ZH = re.compile(
    rf"{_OR}(?:(?P<until>为止|止(?=$|\W))|(?:以|之)?前(?![天后面端台往排门途者任期妻男女半几两一二三四五\d]))"
)
_SINCE = re.compile(r"(?:\b(?:ever\s+)?since\s+(?:the\s+)?|(?<![不来亲各独私擅出])自从?)$", re.IGNORECASE)
_FROM_ZH = re.compile(r"(?<![服听顺遵])从$")
_ON_FROM = re.compile(r"\bfrom\s+(?:the\s+)?$|\bstarting\s+(?:from\s+|on\s+)?(?:the\s+)?$", re.IGNORECASE)
_AFTER_EN = re.compile(r"\b(?:after|(?:days?|weeks?|months?|years?)\s+from)\s+(?:the\s+)?$", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|by)\s+(?:the\s+)?$|(?:截止|截至|直)到?$", re.IGNORECASE)
_BEFORE_EN = re.compile(r"\bbefore\s+(?:the\s+)?$", re.IGNORECASE)
_ON_EN = re.compile(r"\s+(?:on|onwards?)\b", re.IGNORECASE)


def is_about(text: str, start: int) -> bool:
    """Say whether the words before `text[start:]` leave open when exactly: 大概五月, "around June"."""
    return _ABOUT.search(text, max(0, start - 24), start) is not None


def side_of(text: str, start: int, end: int, prefer: Prefer, *, is_range: bool) -> Side | None:
    """Return the side on which the words around `text[start:end]` open it; None where they do not.

    A range from one time to another is closed, whatever stands before it.

    What lies ahead and is due before a day ("before Friday", 周五之前) is due by the end of it, as people mean it.
    """
    if is_range or _RANGE.search(text, start, end):
        return None
    near = max(0, start - 24)
    if match := _AFTER_ZH.match(text, end):
        return Side("after", bool(match["from"] or match["too"]))
    if match := _BEFORE_ZH.match(text, end):
        return Side("before", bool(match["until"] or match["too"]) or prefer == "future")
    # 从上周的会议里 is not since.
    if _FROM_ZH.search(text, near, start) and not text.startswith("的", end):
        return Side("after", included=True)
    if _SINCE.search(text, near, start) or (_ON_FROM.search(text, near, start) and _ON_EN.match(text, end)):
        return Side("after", included=True)
    if _AFTER_EN.search(text, near, start):
        return Side("after", included=False)
    if _UNTIL.search(text, near, start):
        return Side("before", included=True)
    if _BEFORE_EN.search(text, near, start):
        return Side("before", included=prefer == "future")
    return None
