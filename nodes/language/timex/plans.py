"""Words that ask for what was or for what is to be: on which side of now lies what a text is about."""

import re

from nodes.language.timex.calendar import Prefer

# What is said of a plan, a task or an arrangement. 要 and 会 alone are in too many words.
_PLAN_ZH = re.compile(
    r"打算|计划(?!生育|经济)|准备(?!好了|金)|安排|将要|将会|即将|快要|预定|预约|预订|约了|约好|约定|定在|定于|订了|下次|下回|日程|行程"
    r"|待办|(?<![不需重主只])要(?:做|去|交|办|见|开(?!心)|参加|带|拿|买|给|接|送|还|付|面)|约(?:在|的)?(?:几|什么时候|哪)|几点(?:开始|出发|起飞|见)(?!的)|得去|得交|该做|会去|记得|提醒我|别忘|截止|到期"
    r"|(?:有|是)(?:什么|啥|哪些|没有)?(?:事|活动|会|会议|约会)(?:吗|么|要|$|[？?])"
)
_NO_PLAN_ZH = re.compile(
    r"(?:计划|安排|准备|打算|预约|预订|日程|行程)(?:得|的)?(?:怎么样了|完成了|结果|取消了)|上次|上回|去年|昨天|前天|以前"
)
# A plan that was made before the question.
_MADE_ZH = (
    re.compile(
        r"(?:计划|安排|打算|准备|预订|预定|预约|约|订)(?:好|下)?(?:了|过|的是)"
        r"|(?:当时|原来|本来|之前|原先|上次|曾经)[^，。？?]*(?:计划|安排|打算|准备|预订|预定|预约|约|订)"
        r"|(?:计划|安排|打算|准备|预订|预定|预约|约|订)[^，。？?]*(?:来着|来的)"
    ),
    re.compile(r"[?？吗么呢]|什么|哪|谁|怎么|多少|几"),
)
_MADE_EN = (
    re.compile(r"\b(?:plan|planned|plans|scheduled|booked|reserved|arranged)\b", re.IGNORECASE),
    re.compile(r"\b(?:did|had|was|were|planned|scheduled|booked|reserved|arranged)\b", re.IGNORECASE),
)
_WHO = r"(?:i|we|you|he|she|they)"
_PLAN_EN = re.compile(
    rf"\b(?:(?:am|are|is|was|were)\s+{_WHO}\s+(?:going|supposed|meant|due|scheduled)\s+to|{_WHO}\s*(?:'ll|\s(?:will|shall))"
    rf"|will\s+(?:{_WHO}|there)|do(?:es)?\s+{_WHO}\s+have(?!\s+any)"
    r"|(?:going|plan|plans|planned|planning|intend|intended|need|want|(?<!\bi )(?<!\bwe )have)\s+to"
    r"(?!\s+(?:know|ask|remember|recall|find|see|understand|tell))\b"
    rf"|(?:did|do|does|had|have|has)\s+{_WHO}\s+(?:plan|schedule|arrange|book|reserve|set\s+up)"
    rf"|(?:am|are|is)\s+{_WHO}\s+(?:\w+ing|free|busy|available)|should\s+{_WHO}|{_WHO}\s+have\s+anything\s+(?:on|at|this|next|to)"
    r"|(?:when|what\s+time)\s+(?:is|are|do|does|will)|(?:my|our|the)\s+next"
    r"|who(?:'s|\s+is)\s+(?:coming|visiting|joining)"
    r"|planned|scheduled|arranged|booked|reserved|upcoming|coming\s+up|my\s+(?:plans?|schedule|agenda|calendar|itinerary)"
    r"|plans?\s+for|remind\s+me|to-?dos?|deadlines?|due(?!\s+to)|next\s+time)\b",
    re.IGNORECASE,
)


def prefer_for(text: str) -> Prefer:
    """Return the side on which lies what a question or a statement is about: the future where it speaks of a plan.

    "What did I plan for the week after Thanksgiving?" names a week ahead, 我上次打算做的事 nothing that is.
    """
    return "future" if (_PLAN_ZH.search(text) and not _NO_PLAN_ZH.search(text)) or _PLAN_EN.search(text) else "past"


def asks_what_was_planned(text: str) -> bool:
    """Say whether a text is about a plan that was made: 我感恩节后那周计划了什么, "what did I book for Christmas?".

    Not 我国庆打算去哪, nor "I plan to stay at home at Christmas".
    """
    return any(all(pattern.search(text) for pattern in language) for language in (_MADE_ZH, _MADE_EN))
