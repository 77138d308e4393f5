"""The time a question names, on the side of now on which lies what it asks for."""

import re

from nodes.language.timex.plans import prefer_for
from nodes.language.timex.resolve import named_time
from state.records import TimeWindow

# Right after a time: it is when something was said, whatever it was about.
_TOLD = re.compile(
    r"[^，。,.?？]{0,6}?(?:曾|告诉|[说提聊讲谈问](?:到|起|过|了)|跟你|和你)"
    r"|\W{0,2}\s*(?:(?:i|we|you)\s+)?(?:told|said|mentioned|talked|asked|wrote|promised)\b",
    re.IGNORECASE,
)


def asked_time(question: str, *, now_ms: int, time_zone: str) -> TimeWindow | None:
    """Return the time a question names, None where it names none; see `named_time`.

    What is planned lies ahead ("what have I got on Friday?"), what was told on a day lies behind, whatever it was about
    (在5月1号我告诉过你我的旅行计划).
    """
    side = prefer_for(question)
    window = named_time(question, now_ms=now_ms, time_zone=time_zone, prefer=side)
    if window is None or side == "past" or not _TOLD.match(question.partition(window.text)[2]):
        return window
    return named_time(question, now_ms=now_ms, time_zone=time_zone, prefer="past")
