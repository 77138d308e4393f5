"""What a sentence says about the progress of something the speaker is doing: asked for, done, at a step, blocked.

The rules are few and strict: a task named wrongly is worse than one not noticed.
"""

import re
from dataclasses import dataclass

from nodes.language.modality import is_uncertain
from nodes.language.sentences import bare, clauses, is_injection, is_question
from nodes.language.timex import named_time
from nodes.language.timex.numerals import chinese, english
from state.records import TaskState, due_by


@dataclass(frozen=True)
class Progress:
    """A task's title and what is said of it; what is not said is None. `due_ms` is the end of the day named, UTC."""

    title: str
    state: TaskState | None = None
    step: int | None = None
    steps: int | None = None
    due_ms: int | None = None


_N_ZH = r"\d{1,3}|[一二两三四五六七八九十]{1,3}"
_N_EN = r"\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_TITLE_ZH = r"(?P<title>[^，,。；;：:！!？?\s]{2,20}?|[\w .-]{2,40}?)"
_TITLE_EN = r"(?P<title>[\w][\w '&/.-]{1,60}?)"

_TOTAL_ZH = (
    rf"(?:(?:总共|一共|全部|共|总计)(?:有|分为?|分成|需要|要|是)?|(?:有|分为?|分成|需要"
    rf"|要走))\s*(?P<steps>{_N_ZH})\s*个?步(?:骤)?"
)
_TOTAL = (
    re.compile(
        rf"^{_TITLE_ZH}{_TOTAL_ZH}(?:[，,；;\s]*(?:我|我们)?(?:现在|目前|已经)*(?:进行|做|走"
        rf"|办)?(?:到|在|是)?了?第\s*(?P<step>{_N_ZH})\s*步了?)?$"
    ),
    re.compile(
        rf"^{_TITLE_EN} (?:has|takes|needs|consists of|comes in) (?P<steps>{_N_EN}) steps(?: in total| altogether)?$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^there are (?P<steps>{_N_EN}) steps (?:in|to) {_TITLE_EN}$",
        re.IGNORECASE,
    ),
)
_STEP = (
    re.compile(
        rf"^{_TITLE_ZH}(?:现在|目前|已经|终于|刚刚?)*(?:(?:进行|进展|推进|走|做|办|处理|执行)(?:到"
        rf"|在)?了?第?|(?:到|在)了?第?|是?第)"
        rf"\s*(?P<step>{_N_ZH})\s*步(?:了)?"
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
            re.compile(
                r"^(?:已经|终于|刚刚?|今天|昨天)*(?:完成|做完|办完|写完"
                r"|搞定)了(?P<title>[^，,。\s了]{2,20})$"
            ),
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
            re.compile(
                rf"^{_TITLE_ZH}(?:已经|现在|又|被)*(?:卡住|卡|停滞|搁置|受阻)(?:了"
                rf"|在[^，,。]{{1,16}})(?:了)?$"
            ),
            re.compile(
                rf"^(?:the|my|our) {_TITLE_EN} (?:is|are) (?:now |still )?(?:blocked|stuck"
                rf"|on hold)\b.*$",
                re.IGNORECASE,
            ),
        ),
    ),
)
_ASKED_ZH = re.compile(
    r"^(?:请|麻烦|你|您|到时候?|记得|帮我|能不能|能否|可以|能|[^，,。？?我]{0,10}?(?:天|号|日|上"
    r"|午|早|晚|点|分|[前后]|[周期][一二三四五六日天]))*"
    r"提醒我(?:要|去|一下|，)*(?P<title>.{2,40}?)(?:吗|好吗|好不好|行吗|可以吗)?$"
)
_ASKED_EN = re.compile(
    r"^(?:(?:please|pls|also|can you|could you|will you|would you|tomorrow|today|tonight)[ ,]+)*(?:please )?"
    r"remind me (?:(?P<when>.{0,40}?) )?(?:to|about) (?P<title>.{2,80}?)(?: please)?$",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"^(?:我的?|my )?(?:新|新的|new |add (?:a )?)?(?:任务|待办(?:事项)?|todo|to-do|to do"
    r"|task)(?: item)?\s*[:：]\s*(?P<title>.{2,80})$",
    re.IGNORECASE,
)
_ASKS = re.compile(r"什么|谁|哪|怎么|多少|^(?:what|who|where|when|why|how)\b", re.IGNORECASE)
_DUE_AFTER = r"(?:之前|以前|前|之内|内|的时候)?(?:要|必须|得|需要)?(?:完成|做完|交|提交|搞定|截止|到期)?"
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


def progress(sentence: str, *, now_ms: int, time_zone: str) -> Progress | None:
    """Return what a sentence says about a task, or None; questions and suppositions say nothing.

    A reminder asked for ("remind me to call mum tomorrow") and a task listed ("todo: pay the rent") are open tasks,
    due on the day they name.

    Args:
        sentence: One sentence, Chinese or English.
        now_ms: When it was said, in epoch milliseconds, UTC.
        time_zone: IANA name of the speaker's zone.

    Raises:
        zoneinfo.ZoneInfoNotFoundError: The zone is unknown.
    """
    plain = sentence.replace("’", "'").strip()
    if is_injection(plain):
        return None
    if asked := _asked(bare(plain), now_ms, time_zone):
        return asked
    if is_question(plain) or is_uncertain(plain):
        return None
    words = bare(plain)
    return _steps(words) or next((found for clause in clauses(plain) if (found := _stated(bare(clause)))), None)


def _asked(words: str, now_ms: int, time_zone: str) -> Progress | None:
    """Return the task that a sentence asks to be reminded of, or lists."""
    match = _LISTED.match(words) or _ASKED_ZH.match(words) or _ASKED_EN.match(words)
    if match is None:
        return None
    due = named_time(words, now_ms=now_ms, time_zone=time_zone, prefer="future")
    title = _title(_without_time(match["title"], due.text) if due else match["title"])
    if title is None or _ASKS.search(title):
        return None
    return Progress(title, "open", due_ms=due_by(due))


def _without_time(title: str, time: str) -> str:
    """Return a title without the time at its beginning or end; one inside it belongs to it, as in "pay May's rent"."""
    clock = (
        r"(?:\s*(?:[\d一二两三四五六七八九十]{1,3}点(?:半|钟|整|[\d一二三四五十]{1,3}分)?"
        r"|at \d{1,2}(?::\d\d)?(?: ?[ap]m)?))?"
    )
    words = re.escape(time) + clock
    at_end = rf"[，,;；\s]*\b(?:(?:by|on|at|before|until|due|this|in|for)\s+)*{words}$"
    at_end_zh = rf"[，,；;（(\s]*(?:必须|需要|要|得|截止(?:到|日期)?[是为:：]?|在|于)*{words}{_DUE_AFTER}[）)]?$"
    at_start = rf"^(?:(?:by|on|at|before|在|于)\s*)?{words}(?:之前|以前|前|的时候)?[，,\s]*(?:我?(?:要|得|去))?"
    for pattern in (at_end, at_end_zh, at_start):
        rest = re.sub(pattern, "", bare(title), flags=re.IGNORECASE)
        if rest != bare(title) and len(bare(rest)) >= 2:
            return rest
    return title


def _steps(words: str) -> Progress | None:
    for pattern in _TOTAL:
        if (match := pattern.match(words)) and (title := _title(match["title"])):
            groups = match.groupdict()
            step, total = _number(groups.get("step")), _number(groups["steps"])
            if total and (step is None or 0 < step <= total):
                return Progress(title, "open" if step else None, step, total)
    return _step(words)


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
