"""Where words for a time name or number something else: a title, a street, a site, a person, a shop, an account."""

import re

_TITLE = re.compile(r"《[^《》]*》")
_CALLED = re.compile(
    r"(?:\b(?:(?:is|was|are|were|be|been|one|place|'s)\s+called|named|nicknamed|titled|entitled)\s+[\"“']?"
    r"|(?:名叫|叫做|名为|名字(?:是|叫)|(?<=[他她它我你])姓|昵称(?:是|叫)?|[艺笔网]名(?:是|叫)?)[“\"「]?)$"
)
# 他叫周五福, not 他叫周五来.
_IS_CALLED = re.compile(r"[他她它我你]叫$")
_IS_ASKED_TO = re.compile(r"[来去的我你他她大到开送再就要]")
_FIGURES = re.compile(r"(?:in\s+)?\d{4,}", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:号码?|编码|代码|密码|ID)\s*(?:是|为|:)?\s*$"
    r"|\b(?:numbers?|code|id|no\.|pin|card|plate|password)\s*(?:is|ends|ending|:)?\s*$",
    re.IGNORECASE,
)
# "Friday is a film by her", not "Friday is a game night".
_THING = re.compile(
    r"\s+(?-i:Street|St\.|Road|Rd|Avenue|Ave|Lane|Boulevard|Blvd)(?!\w)"
    r"|\.(?:com|io|org|net|dev|app|cn)\b"
    r"|\s+is\s+an?\s+(?:\w+\s+)?(?:film|movie|book|novel|song|band|album|show|series|game|brand|company"
    r"|shop|store|restaurant|cafe|bar|club|hotel|magazine|newspaper|website|app|platform)"
    r"(?=\s*(?:[.,;!?]|$|(?:by|about|in|on|near|from|for|with|that|which|where|called)\b))"
    r"|\s+of\s+(?:my|your|his|her|its|our|their)\s+(?:career|life|days)\b",
    re.IGNORECASE,
)
# 八一路, 五月乐队; not 昨天路上, 今天楼里.
_MONTH_OR_FEAST = re.compile(r"[一二三四五六七八九十正冬腊]+月?")
_PLACE = re.compile(r"[楼阁轩斋](?![上下梯道顶层盘市])|路(?=$|[\d一二三四五六七八九十，。、和与的])|乐队|乐团|组合")
_NEAR = 24


def is_name(text: str, start: int, end: int) -> bool:
    """Say whether `text[start:end]`, words for a time, are in a name: 《五月天》, "12 May Street", "Monday.com"."""
    if any(match.start() <= start < match.end() for match in _TITLE.finditer(text)):
        return True
    before = text[max(0, start - _NEAR) : start]
    if _FIGURES.fullmatch(text, start, end) and _NUMBERED.search(before):
        return True
    if _IS_CALLED.search(before) and not _IS_ASKED_TO.match(text, end):
        return True
    if _MONTH_OR_FEAST.fullmatch(text, start, end) and _PLACE.match(text, end):
        return True
    return _THING.match(text, end) is not None or _CALLED.search(before) is not None
