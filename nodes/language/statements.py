"""What a statement says of its speaker, by rules in Chinese and English: attribute, value, polarity, change.

In doubt a statement has no slot: what is supposed, planned, past, hedged or said by another is no attribute of theirs.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from nodes.language.attributes_asked import ASKED
from nodes.language.attributes_en import PATTERNS as ENGLISH
from nodes.language.attributes_zh import PATTERNS as CHINESE
from nodes.language.attributes_zh import PLACE
from nodes.language.modality import changes, is_past, is_plan, is_uncertain, negations
from nodes.language.sentences import CJK, bare, clauses, is_question, sentences
from nodes.language.subjects import about_another
from state.records import Kind


@dataclass(frozen=True)
class Statement:
    """What a text says: an attribute and its value where it names one.

    `negated` is the polarity of the whole, `changes` whether its words say that something became different.
    """

    slot: str | None
    value: str | None
    negated: bool
    changes: bool


# Attributes that no plan changes: "my birthday is tomorrow" states it.
_NEVER_PLANNED = {"user.name", "user.birthday", "user.phone", "user.email", "user.hometown"}


_LEAD = re.compile(
    r"^(?:(?:对了|顺便(?:说一下|提一句)?|另外|还有|然后|而且|并且|所以|因为|但是?|不过|可是|嗯+|啊|哦"
    r"|那|其实|说实话|更正(?:一下)?|更新(?:一下)?"
    r"|请?(?:你|您|帮我)?(?:一定)?(?:要)?(?:记住|记下来?|记得|记一下|别忘了|注意|知道)|我(?:想"
    r"|要)?(?:跟你说过?|告诉(?:过)?你|说过)(?:一下)?|你要?知道"
    r"|从(?:今天|现在|下周|下个?月|\d+月)起"
    r"|by the way|btw|also|and|but|so|well|actually|anyway|oh|hey|yes|no|ok|okay|honestly|in fact"
    r"|to be honest|just so you know|fyi|for the record|correction|update|important"
    r"|(?:please )?(?:remember|note|don'?t forget|keep in mind|know)(?: that)?|i (?:told you|said"
    r"|want you to know|should mention|must say)(?: that)?"
    r"|(?:last|this) (?:week|month|year|spring|summer|fall|autumn|winter)|in (?:19|20)\d\d|recently"
    r"|yesterday|today|nowadays|these days|as of (?:today|now)|from now on)[\s，,：:]*)+",
    re.I,
)

_VALUE_END = re.compile(
    r"[，,。；;！!？?]|\s[-–—]\s|但是?|不过(?!敏)|因为|所以|而且|并且"
    r"|\s(?:because|since|when|while|but|and (?:i|my|we|so|it|have|am|was|work|live|moved)\b|so|which"
    r"|who|where|that|than|with my|for (?:\w+ )?(?:years?|months?|weeks?|a while|work|now|the)"
    r"|any ?more|now|nowadays|these days|either|too|as well|instead|again|currently|at the moment"
    r"|very much|a lot|so much|at all|right now|this year|last (?:week|month|year)"
    r"|(?:a |two |three |\d+ )?(?:years?|months?|weeks?|days?) ago|in (?:19|20)\d\d|on weekends"
    r"|every (?:day|morning|week)|since \w+)\b",
    re.I,
)
_PLACED = {"user.home_city", "user.hometown", "user.employer"}
_AFTER_PLACE = re.compile(
    r"\s(?:as|with|near|from|doing|together|(?:(?:in|last|this|back in|early|late) )+(?:spring|summer|fall|autumn"
    r"|winter|january|february|march|april|may|june|july|august|september|october|november|december))\b",
    re.I,
)
_TRAILING_ZH = re.compile(
    r"(?:的工作|工作|上班|生活|这边|那边|好几年|已经|很久|一段时间"
    r"|[\d一二两三四五六七八九十几多]+个?(?:年|月|天)(?:多)?|了|啦|呢|呀|哦|的|啊|市|吧)+$"
)
_PRONOUN = re.compile(
    r"^(?:你|您|他|她|它|这|那|什么|谁|哪|啥|怎么|自己|的|了|得|it|this|that|these|those|them|you|him"
    r"|her|us|what|who|where|how|everything|nothing|anything|something|one)(?:\b|(?<=[\u4e00-\u9fff]))",
    re.I,
)
_NO_CITY = re.compile(
    r"一起|一块|附近|旁边|隔壁|楼|酒店|宾馆|宿舍|学校|公司|家|房|院|这|那|哪|里面|海边|郊区|城里|农村|公寓"
    r"|地下室|得|\b(?:a|an|my|our|his|her|their|this|that|same|house|apartment|flat|fear|peace"
    r"|harmony)\b",
    re.I,
)


def read(text: str) -> Statement:
    """Read the first attribute of the speaker a text states with certainty; without one, only polarity and change."""
    plain = unicodedata.normalize("NFKC", text.replace("’", "'").replace("‘", "'")).strip()
    changed = changes(plain)
    nothing = Statement(None, None, negations(plain) % 2 == 1, changed)
    if is_uncertain(plain):
        return nothing
    denied: Statement | None = None
    for clause in _own_clauses(plain):
        if clause.lstrip()[:1] in "“「『\"'":
            continue  # another's words, for all that is known
        words = bare(_LEAD.sub("", bare(clause)))
        if is_past(words) or is_question(words) or negations(words) > 1:
            continue
        found = _attribute(words)
        if found is None or (found[0] not in _NEVER_PLANNED and is_plan(plain)):
            continue
        statement = Statement(found[0], found[1], found[2], changed)
        if denied is not None:
            # "My name is not Ann, my name is Anna" puts one right.
            corrects = statement.slot == denied.slot and not statement.negated
            return replace(statement, changes=True) if corrects else denied
        if not statement.negated:
            return statement
        denied = statement
    return denied or nothing


def _own_clauses(text: str) -> Iterator[str]:
    """Yield the clauses of a text, without those that leave out a subject which is not the speaker."""
    for sentence in sentences(text):
        parts = clauses(sentence)
        yield from (part for part, theirs in zip(parts, about_another(parts), strict=True) if not theirs)


def _attribute(words: str) -> tuple[str, str, bool] | None:
    chinese = re.search(rf"[{CJK}]", words) is not None
    for slot, pattern in CHINESE if chinese and not re.match(r"(?:i|my|i'm)\b", words, re.I) else ENGLISH:
        match = pattern.match(words)
        if match is None:
            continue
        groups = match.groupdict()
        value = _value(slot, groups["v"], certain=_NAMES_HOME.match(words) is not None)
        if value is not None:
            return slot, value, bool(groups.get("neg")) != bool(groups.get("neg2"))
    return None


def _value(slot: str, raw: str, *, certain: bool = False) -> str | None:
    """Return the value without what trails it, or None where it is none of this slot, unless that is certain."""
    value = raw.strip()
    if slot in ("user.phone", "user.email", "user.address"):
        return value
    if slot in _PLACED:
        value = _AFTER_PLACE.split(value, maxsplit=1)[0]
    if slot != "user.goal":
        value = bare(_VALUE_END.split(value, maxsplit=1)[0])
    if slot not in ("user.name", "user.partner", "user.birthday"):
        value = _TRAILING_ZH.sub("", value) or value
    if slot in ("user.likes", "user.dislikes"):
        value = re.sub(
            r"^(?:吃|喝)(?=.)|^(?:to )?(?:eat(?:ing)?|drink(?:ing)?|have|having) |^to ", "", value, flags=re.I
        )
    value = re.sub(r"^(?:the|a|an) ", "", value, flags=re.I).strip()
    if not value or _PRONOUN.match(value):
        return None
    if slot == "user.home_city" and (_NO_CITY.search(value) or len(value) < 2 or len(value) > 40):
        return None
    if slot == "user.employer" and (PLACE.fullmatch(value) or re.match(r"home\b|myself|a living|free", value, re.I)):
        return None
    if (
        slot == "user.hometown"
        and not certain
        and re.search(rf"[{CJK}]", value)
        and raw == value
        and not _is_home(value)
    ):
        return None
    return value


_NAMES_HOME = re.compile(r".{0,4}(?:老家|家乡|故乡|籍贯)")


def _is_home(value: str) -> bool:
    return PLACE.match(value) is not None or value[-1:] in "省市县镇村乡区州"


_FAVOURITE = re.compile(
    r"我(?:现在)?最(?:喜欢|爱)的(?P<x>[^，,。是]{1,10}?)(?:现在|其实|已经|应该)*(?:是|变成|改成"
    r"|换成)了?(?P<v>[^，,。]{1,20})"
    r"|\bmy (?P<x2>(?:all-time )?favou?rite [\w ]{2,24}?)(?: is|'s)(?: now| actually| really)* (?P<v2>[^,.;!]{1,40})"
    r"|(?:^|[,.;!]\s*)(?:actually,? |and |but )?(?P<v5>(?!what\b|this\b|that\b|it\b"
    r"|here\b)[\w' -]{1,40}?) is(?: now| actually| still)* my "
    r"(?P<x5>(?:all-time )?favou?rite [\w ]{2,24})"
    r"|\bmy (?P<x3>[\w ]{2,24}?)(?:'s name is| is called| is named) (?P<v3>[^,.;!]{1,40})"
    r"|我的?(?P<x4>[\u4e00-\u9fff]{1,6}?)(?:的名字)?(?:叫|名叫)(?P<v4>[^，,。]{1,12})",
    re.I,
)


def one_valued(text: str) -> tuple[str, str] | None:
    """Return subject and value of a statement that can have one value only: a favourite, or somebody's name."""
    match = None if is_uncertain(text) else _FAVOURITE.search(text.replace("’", "'"))
    if match is None:
        return None
    said = {name[0]: group for name, group in match.groupdict().items() if group is not None}
    subject, value = _american(said["x"]), said["v"]
    return subject, _TRAILING_ZH.sub("", bare(value)) or value


def _american(words: str) -> str:
    """Spell "favourite colour" as "favorite color", so that the two are one subject."""
    return re.sub(r"(?<=[a-z]{2})our(?=s?\b|ite)", "or", words, flags=re.I)


def asked_slot(question: str) -> str | None:
    """Return the slot a question about the speaker asks for, or None."""
    return next((slot for slot, pattern in ASKED if pattern.search(question.replace("’", "'"))), None)


_DECIDES = re.compile(
    r"决定|选定|敲定|定下来|定了(?!吗)|拍板|就用|最终选|选择了|选了|达成一致|说好了?(?:要|了|不)"
    r"|\b(?:decided|decision|chose|chosen|settled on|going with|went with|picked|agreed (?:to|on|that)"
    r"|we'll go with|opted for|made up my mind)\b",
    re.I,
)
_PREFERS = re.compile(
    r"喜欢|爱(?:吃|喝|看|玩|听|上)|热爱|讨厌|厌恶|受不了|偏好|偏爱|习惯(?:于|了|用|吃|喝|早|晚)|宁愿"
    r"|宁可|更愿意|不吃|不喝|最爱|吃素|反感|迷上"
    r"|\b(?:like|likes|love|loves|hate|hates|prefer|prefers|favou?rite|enjoy|dislike|can'?t stand"
    r"|rather|fan of|fond of|vegetarian|vegan|allergic)\b",
    re.I,
)
_OWES = re.compile(
    r"(?:我|咱们?|我们|^|[，,])(?:[^，,。]{0,8}?)(?:需要|必须|得(?=在|去|把|交|做|写|买|给|完)|要(?=在"
    r"|把|交|完成|提交|写完|做完|准备|处理|给))|截止|到期|待办|前(?:要|得|必须)?(?:交|完成|提交)"
    r"|别忘了?|提醒我"
    r"|\b(?:have to|has to|need to|needs to|must|deadline|due|to-?do|remind me|don'?t forget to"
    r"|supposed to|promised)\b",
    re.I,
)
_DATED = re.compile(
    r"昨天|今天|明天|前天|后天|昨晚|今晚|今早|[上下这本]个?(?:周|月|星期|礼拜)|去年|明年|今年|前年"
    r"|周[一二三四五六日天末]|星期[一二三四五六日天]|礼拜[一二三四五六日天]|\d{1,2}(?:月|[日号点])"
    r"|[一二三四五六七八九十]+月|刚才|刚刚"
    r"|(?:端午|中秋|春|清明|国庆|元宵|重阳|劳动|圣诞|情人|感恩|儿童|万圣|复活|冬至|七夕|元旦|除夕)节?"
    r"|(?:天|周|个月|年)(?:前|后)|下午|上午|早上|晚上"
    r"|\b(?:yesterday|today|tomorrow|tonight|last|next|this (?:week|weekend|month|morning|evening"
    r"|afternoon)|ago|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|january|february|april|june|july|august|september|october|november|december|christmas"
    r"|thanksgiving|easter|\d{1,2} ?(?:am|pm)|in \d+ (?:days?|weeks?|months?))\b",
    re.I,
)


def is_decision(text: str) -> bool:
    """Say whether a text speaks of something decided."""
    return _DECIDES.search(text.replace("’", "'")) is not None


def decision_end(text: str) -> int | None:
    """Return where the words end that say something is decided, or None."""
    match = _DECIDES.search(text.replace("’", "'"))
    return match.end() if match else None


def is_dated(text: str) -> bool:
    """Say whether a text holds words of time."""
    return _DATED.search(text.replace("’", "'")) is not None


def kind_of(text: str) -> Kind:
    """Return what kind of memory a statement makes: decision, task, event, preference or fact, by its words."""
    plain = text.replace("’", "'")
    slot = read(plain).slot
    if slot in ("user.likes", "user.dislikes"):
        return "preference"
    if slot is not None:
        return "fact"
    if is_decision(plain):
        return "decision"
    if _OWES.search(plain):
        return "task"
    if is_dated(plain):
        return "event"
    return "preference" if _PREFERS.search(plain) else "fact"
