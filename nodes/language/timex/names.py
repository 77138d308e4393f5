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
# A date of a year that is not read, as 1850年5月3日: what follows it is a time of that day, not of one near now.
_OTHER_DATE = re.compile(
    r"(?<!\d)(?!(?:19|20)\d\d)\d{4}\s?年(?:\s?[\d一二三四五六七八九十]{1,2}\s?月\s?(?:[\d一二三四五六七八九十]{1,3}\s?[日号])?)?"
    r"(?:的|那天|当天)?$"
)
# 星期五餐厅, "Friday's restaurant"; not 周五餐厅不开, "Friday's restaurant booking".
_WEEKDAY = re.compile(r"星期五|(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)
_PLACE_OF_THAT_NAME = re.compile(
    r"餐厅(?![见聚订预约有没不开关])|'s\s+(?:restaurant|cafe|pub|diner)\b(?=\s*(?:[.,;!?]|$|(?:in|on|at|near|is|was|by)\b))",
    re.IGNORECASE,
)
# Inside a sentence these have a capital only in a title: "Tomorrow Never Dies".
_TITLE_WORD = re.compile(
    r"\s+(?:Never|Always|Is|Are|Was|Were|Will|Can|Comes?|Belongs|Begins|Starts|And|Or|Of|In|At|Once)\b"
)
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
    if _OTHER_DATE.search(before) or (_WEEKDAY.fullmatch(text, start, end) and _PLACE_OF_THAT_NAME.match(text, end)):
        return True
    if text[start].isupper() and _TITLE_WORD.match(text, end):
        return True
    return _THING.match(text, end) is not None or _CALLED.search(before) is not None
