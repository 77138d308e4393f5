"""What a sentence says about the progress of something the speaker is doing: done, at a step, blocked, given up.

The rules are few and strict: a task named wrongly is worse than one not noticed.
"""

import re
from dataclasses import dataclass

from nodes.language.modality import is_uncertain
from nodes.language.sentences import bare, clauses, is_injection, is_question
from nodes.language.timex.numerals import chinese, english
from state.records import TaskState


@dataclass(frozen=True)
class Progress:
    """A task's title and what is said of it; what is not said is None."""

    title: str
    state: TaskState | None = None
    step: int | None = None
    steps: int | None = None


_N_ZH = r"\d{1,3}|[一二两三四五六七八九十]{1,3}"
_N_EN = r"\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_TITLE_ZH = r"(?P<title>[^，,。；;：:！!？?\s]{2,20}?|[\w .-]{2,40}?)"
_TITLE_EN = r"(?P<title>[\w][\w '&/.-]{1,60}?)"

_STEP = (
    re.compile(
        rf"^{_TITLE_ZH}(?:现在|目前|已经|终于|刚刚?)*(?:进行|进展|推进|走|做|办|处理|执行|到)?(?:到|在"
        rf"|是)?了?第?\s*(?P<step>{_N_ZH})\s*步(?:了)?"
        rf"(?:[，,（(\s]*(?:总共|一共|共)(?:有)?\s*(?P<steps>{_N_ZH})\s*步|\s*/\s*(?P<of>\d{{1,3}}))?"
    ),
    re.compile(
        rf"^{_TITLE_EN}(?: (?:is|are)(?: now| currently)?(?: at| on| in)?| (?:has )?(?:reached|moved to"
        rf"|got to)|,|:)\s+step (?P<step>{_N_EN})"
        rf"(?:\s*(?:of|/|out of)\s*(?P<steps>{_N_EN}))?\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^i(?:'m| am)(?: now)? (?:at|on) step (?P<step>{_N_EN})(?: (?:of"
        rf"|out of) (?P<steps>{_N_EN}))? (?:of|in|with) {_TITLE_EN}$",
        re.IGNORECASE,
    ),
)
_STATE: tuple[tuple[TaskState, tuple[re.Pattern[str], ...]], ...] = (
    (
        "done",
        (
            re.compile(
                rf"^{_TITLE_ZH}(?:已经|终于|都|刚刚?|今天|全部|昨天)*(?:完成|做完|办完|写完|搞定|弄完|处理完|办好"
                rf"|做好|办妥|交上去)了?(?:了|啦)$"
            ),
            re.compile(
                r"^(?:已经|终于|刚刚?|今天|昨天)*(?:把)(?P<title>[^，,。\s]{2,20}?)(?:完成|做完|办完|写完|搞定"
                r"|弄完|处理完|办好|交|提交)了$"
            ),
            re.compile(r"^(?:已经|终于|刚刚?|今天|昨天)*(?:完成|做完|办完|写完|搞定)了(?P<title>[^，,。\s了]{2,20})$"),
            re.compile(
                rf"^(?:i|we)(?:'ve| have)? (?:just |finally |already )?(?:finished|completed|wrapped up"
                rf"|am done with|are done with)"
                rf" (?:with )?{_TITLE_EN}(?: today| yesterday| just now)?$",
                re.IGNORECASE,
            ),
            re.compile(rf"^(?:i'm|we're) (?:finally )?done with {_TITLE_EN}$", re.IGNORECASE),
            re.compile(rf"^(?:finished|completed) {_TITLE_EN}$", re.IGNORECASE),
            re.compile(
                rf"^(?:the|my|our) {_TITLE_EN} (?:is|are|has been|was) (?:now |finally |already )?(?:done|finished"
                rf"|complete|completed)$",
                re.IGNORECASE,
            ),
        ),
    ),
    (
        "cancelled",
        (
            re.compile(rf"^{_TITLE_ZH}(?:已经|最后|被)*(?:取消|不做|不办|作废|放弃)了$"),
            re.compile(
                rf"^(?:the|my|our) {_TITLE_EN} (?:is|has been|was|got) (?:now )?(?:cancelled|canceled|called off"
                rf"|dropped)$",
                re.IGNORECASE,
            ),
        ),
    ),
    (
        "blocked",
        (
            re.compile(rf"^{_TITLE_ZH}(?:已经|现在|又|被)*(?:卡住|卡|停滞|搁置|受阻)(?:了|在[^，,。]{{1,16}})(?:了)?$"),
            re.compile(
                rf"^(?:the|my|our) {_TITLE_EN} (?:is|are) (?:now |still )?(?:blocked|stuck|on hold)\b.*$", re.IGNORECASE
            ),
        ),
    ),
    (
        "open",
        (
            re.compile(r"^(?:请)?提醒我(?:要|去|一下)?(?P<title>[^，,。]{2,30})$"),
            re.compile(rf"^(?:please )?remind me (?:to|about) {_TITLE_EN}$", re.IGNORECASE),
        ),
    ),
)
_OWNER = re.compile(
    r"^(?:我们?的?|咱们?的?|把|那个|这个|今天|昨天|刚刚?|对了|终于|the|my|our|i|we)+(?:\s+"
    r"|(?=[\u4e00-\u9fff]))",
    re.IGNORECASE,
)
_NO_TITLE = re.compile(
    r"^(?:他|她|它|你|您|谁|什么|都|一切|全部|这|那|事|事情|it|that|this|they|he|she|you|everything"
    r"|all|what|who|dinner|lunch|breakfast|eating)(?:\b|(?<=[\u4e00-\u9fff]))",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"(?:还没|没有?|尚未|未|别|不|如果|要|想|需要|必须|才能?|快|差不多|几乎|马上|明天|下周|之后|以后"
    r"|等)|\b(?:not|almost|nearly|if|when|until|never|will)\b",
    re.IGNORECASE,
)


def progress(sentence: str) -> Progress | None:
    """Return what a sentence says about the progress of a task, or None; questions and suppositions say nothing."""
    plain = sentence.replace("’", "'").strip()
    if is_question(plain) or is_injection(plain) or is_uncertain(plain):
        return None
    return _step(bare(plain)) or next((found for clause in clauses(plain) if (found := _stated(bare(clause)))), None)


def _step(words: str) -> Progress | None:
    for pattern in _STEP:
        match = pattern.match(words)
        if match is None or (title := _title(match["title"])) is None or _NOT_YET.search(title):
            continue
        groups = match.groupdict()
        step, total = _number(groups["step"]), _number(groups.get("steps") or groups.get("of"))
        if step is not None and (total is None or 0 < step <= total):
            return Progress(title, "open", step, total)
    return None


def _stated(words: str) -> Progress | None:
    # The owner goes first: "my report is done" and "the report is done" name one task.
    for state, patterns in _STATE:
        for pattern in patterns:
            match = pattern.match(words) or pattern.match(_OWNER.sub("", words))
            if match is not None and (title := _title(match["title"])) is not None:
                return None if state != "open" and _NOT_YET.search(title) else Progress(title, state)
    return None


def _title(raw: str) -> str | None:
    title = bare(_OWNER.sub("", bare(raw)))
    return None if len(title) < 2 or _NO_TITLE.search(title) else title


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        return english(text) if text.isascii() else chinese(text)
    except (KeyError, ValueError):
        return None  # no number after all, as in "十百"
