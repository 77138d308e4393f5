"""The time a question names, on the side of now on which lies what it asks for, and if it names more than a time."""

import re

from nodes.language.timex.calendar import Prefer
from nodes.language.timex.plans import prefer_for
from nodes.language.timex.resolve import named_time
from state.records import TimeWindow

# Right after a time: it is when something was said, whatever it was about.
_TOLD = re.compile(
    r"[^，。,.?？]{0,6}?(?:曾|告诉|[说提聊讲谈问](?:到|起|过|了)|跟你|和你)"
    r"|\W{0,2}\s*(?:(?:i|we|you)\s+)?(?:told|said|mentioned|talked|asked|wrote|promised)\b",
    re.IGNORECASE,
)
# What a question is made of that asks for all there is, of whatever kind; 会 and 要 only as auxiliaries, as 有会 names
# a meeting.
_ASKING_ZH = (
    r"什[么麼]时候|甚?什[么麼]样?|啥|哪些|哪一?[件个個]|怎[么麼]样?|有空|空闲|我[们們]?|咱[们們]?|你[们們]?|大家"
    r"|发生|發生|出现|[会會](?=有|发|發|做|干|幹|忙|在)|[要去](?=有|做|干|幹|忙|办|辦|去)|[该該得](?=做|干|幹|办|辦)|做|干|幹|办|辦|忙"
    r"|事情|事[儿兒]?|安排|[计計][划劃]|打算|准备|日程|行程|待[办辦]|活动|活動"
    r"|告[诉訴]|[说說聊谈談讲講提][到起]?|[还還]?[记記]得|知道|提醒|[请請][问問]?|[帮幫]|看看|想"
    r"|那(?:一?[天周週]|个月|個月|年|段时间|[时時]候?)?|[当當][天时時周週]|期[间間]|的[时時]候|里|[这這]"
    r"|[没沒]?有|[没沒]|是|在|都|也|又|[还還]|些|一|下|[过過]|了|的|地|到|[吗嗎嘛么麼呢啊呀吧]|来着|和|跟|[给給]|[从從]|其他|[别別]的|另外"
)
_ASKING_EN = (
    r"what\s*(?:is|was|has\s+been|'s|’s)?\s+(?:going|went|goes|been\s+going)\s+on"
    r"|(?:what|which|where|when|how|why|did|does|do|doing|done|is|are|am|was|were|been|be|has|have|had|having|got|will"
    r"|would|should|can|could|shall|may|there|it|that|this|those|these|i|we|you|me|us|my|our|your|everyone|anything|something"
    r"|everything|nothing|any|some|all|else|other|thing|things|stuff|events?|happen|happens|happened|happening|occurr?(?:ed|s)?"
    r"|took|take|taking|place|plan|plans|planned|planning|scheduled?|calendar|agenda|itinerary|arranged|booked|upcoming"
    r"|(?:coming\s+)?up|free|busy|available|to-?dos?|say|said|tell|told|talk|talked|mention|mentioned|discuss|discussed|speak|spoke"
    r"|remember|recall|remind|know|please|about|on|in|at|for|of|over|during|around|from|to|by|since|until|through|between"
    r"|after|before|the|a|an|and|or|so|then|day|going\s+to|supposed\s+to|need\s+to|s|m|re|ve|ll|d)"
)
_ASKING = re.compile(rf"(?<![a-z\d])(?:{_ASKING_EN})(?![a-z\d])|{_ASKING_ZH}", re.IGNORECASE)
_WORD = re.compile(r"\w")


def asked_time(question: str, *, now_ms: int, time_zone: str) -> TimeWindow | None:
    """Return the time a question names, None where it names none; see `named_time`.

    What is planned lies ahead ("what have I got on Friday?"), what was told on a day lies behind, whatever it was about
    (在5月1号我告诉过你我的旅行计划).
    """
    likely = prefer_for(question)
    window = named_time(question, now_ms=now_ms, time_zone=time_zone, prefer=likely)
    if window is None or (side := asked_side(question, window.text)) == likely:
        return window
    return named_time(question, now_ms=now_ms, time_zone=time_zone, prefer=side)


def asked_side(question: str, window_text: str) -> Prefer:
    """Return the side on which lies what a question asks for that names the time with these words."""
    return "past" if told_then(question, window_text) else prefer_for(question)


def told_then(question: str, window_text: str) -> bool:
    """Say whether the time with these words is when something was told (在5月1号我告诉过你), not what it is about."""
    return _TOLD.match(question.partition(window_text)[2]) is not None


def names_only_time(question: str, window_text: str) -> bool:
    """Say whether a question asks for whatever there is at the time with these words, and names nothing else.

    "What happened last week?" and 明天我有什么安排？ do; "what did I eat last week?" and 上周的会议 name more.
    """
    return _WORD.search(_ASKING.sub(" ", question.replace(window_text, " ", 1))) is None
