"""What a sentence tells, taken apart, and which of its pieces are worth keeping: for those who copy words (zh + en)."""

import re
from collections.abc import Iterator
from typing import Literal

from nodes.language.bids import notes_value, only_names
from nodes.language.modality import is_hedged, is_plan, is_uncertain
from nodes.language.sentences import (
    assertions,
    bare,
    clauses,
    is_instruction,
    is_small_talk,
)
from nodes.language.statements import decision_end, is_decision, kind_of, read
from nodes.language.subjects import about_another, has_subject
from nodes.language.timex import named_time
from state.records import TimeWindow
from state.slots import is_single_valued

SELF = re.compile(r"我|咱|俺|本人|\b(?:i|i'm|i've|i'll|i'd|im|me|my|mine|myself|we|we're|we've|we'll|our|us)\b", re.I)
_EMPTY = re.compile(
    r"(?:我|i|we)\s*(?:也|真的?|都|再|还|think|guess|do|am|'m)*\s*"
    r"(?:不(?:太)?(?:知道|确定|清楚|明白|懂)|想想|看看|同意|觉得(?:也)?(?:可以|行|好|对)|明白|懂|知道"
    r"|so|don't know|agree|understand|see|not sure|know)(?:了|吧|啊)?",
    re.I,
)
# Said about the talk itself, or as a courtesy: no news of the user.
_ABOUT_TALK = re.compile(
    r"你的?(?:这些|这个)?(?:建议|推荐|回答|陪伴|帮助|语气|分享|关心)|(?:和|跟|与)你(?:聊|说|分享|交流)"
    r"|聊天|(?:这些|这个|那)(?:真)?(?:也)?(?:都)?(?:是)?(?:个)?(?:好)?建议"
    r"|我(?:也)?会(?:去)?(?:认真|好好|尽力|努力)?(?:地)?(?:看看|试试|试一试|考虑|注意|听取|实践|去做)"
    r"|(?:也)?(?:是)?(?:这么|这样)(?:认为|觉得|想)|下次再聊|有道理"
    r"|^我(?:刚才|刚刚|刚|之前|其实|明明)*(?:说|指|讲|问)的(?:明明|其实)?是|^我是说|^我的意思是"
    r"|^我(?:刚才|刚刚|刚|明明)*(?:没|没有)?(?:说|问)(?:过|的|了)?(?:是|不是)?(?!过)"
    r"|\byour (?:advice|suggestions?|help|recommendations?|answers?|time|tips?)\b|\b(?:talk|chat"
    r"|talking|chatting) (?:to|with) you\b"
    r"|\bi(?:'ll| will) (?:try|check|consider|think about|look into) (?:it|that|this|them)\b"
    r"|\bi (?:agree|hope so|think so too)\b"
    r"|^i (?:just |already |actually )*(?:said|meant|asked)\b(?! (?:yes|no|good|hello|hi|sorry|to)\b)"
    r"|^i (?:didn't|did not|never) (?:say|mean|ask)\b|^you (?:said|told)\b",
    re.I,
)
_SUPPOSES = re.compile(r"^(?:如果|要是|假如|假设|倘若|万一|假使|if|suppose|imagine|what if|in case)", re.I)
_WEATHER = re.compile(r"天气|下雨|下雪|阳光|\b(?:weather|rain(?:ing|y)?|snow(?:ing)?|sunny)\b", re.I)
# What will be over when the talk is.
_MOMENTARY = re.compile(
    r"(?:我|咱|俺)们?(?:现在|目前|这会儿|刚|还|正|一直|今天)*(?:"
    r"(?:在|正在?|正忙着)(?:开(?:着)?会|开车|吃(?:早|午|晚|中)?饭|吃东西|上课|上班|路上|忙|睡觉"
    r"|洗澡|洗碗|做饭|排队|等[^，。]{0,6}|加班|打(?:电话|车|游戏)"
    r"|看(?:书|电视|电影|剧|手机)|听歌|工作|家里?|公司|外面|楼下|地铁上?|公交上?|车上|飞机上"
    r"|火车上|高铁上|机场|超市|健身房?|办公室|跑步|散步|休息|聊天|买菜|走路|洗衣服)"
    r"|(?:好|很|有点儿?|太|真|快|特别|非常)*(?:累|困|饿|渴|忙|冷|热|无聊|烦|头疼|头晕)(?:死|坏)?"
    r"|(?:到家|回来|出门|下班|到了|睡|先走|先忙|去忙|去睡|去吃饭|去开会)"
    r")(?:呢|了|啊|呀|啦|着|去了?)*"
    r"|(?:i'm|i am|im|we're|we are) (?:(?:just|still|now|currently|already|so|very|really|a bit"
    r"|pretty|about to) )*(?:"
    r"in (?:a|an|the|my) (?:meeting|call|car|shower|bath|class|queue|line|taxi|train|bus|cab"
    r"|kitchen|office|lecture|hurry)"
    r"|on (?:a|the|my) (?:call|phone|train|bus|plane|way(?: \w+){0,3}|break|lunch break)|on hold"
    r"|at (?:home|work|lunch|dinner|my desk|the (?:office|airport|gym|station|store|supermarket|door))"
    r"|driving|cooking|eating(?: \w+)?|having (?:breakfast|lunch|dinner|coffee)|walking(?: home)?"
    r"|waiting(?: .+)?|commuting"
    r"|busy|tired|exhausted|hungry|sleepy|bored|thirsty|cold|hot|back|here|home|late|outside|away|done|ready|leaving"
    r"|going (?:to bed|home|out|to sleep)|watching (?:tv|a movie)|working(?: late)?"
    r")(?: (?:right now|now|at the moment|again|today|until .+|till .+))*",
    re.I,
)
_POINTS_BACK = re.compile(
    r"^(?:因为|所以|因此|毕竟|because|so|since)|那里|那儿|那边|这里|\b(?:there|it|that|them|which)\b", re.I
)
_YEARLY = re.compile(r"生日(?:其实)?(?:是|在|为)|出生日期|\bbirthday(?:'s| is| falls)\b", re.I)
_AGE_THIS_YEAR = re.compile(r"今年(?=[^，。]{0,4}岁)|\bthis year\b(?=.{0,12}\byears? old)", re.I)


def pieces(sentence: str, *, other: bool = False) -> Iterator[str]:
    """Yield what a sentence tells, verbatim; each attribute it names stands alone, with the clauses that belong to it.

    `other` says that the sentence before spoke of another, so that a beginning without a subject is theirs; such a
    beginning, cut off from its subject, is left out.
    """
    for told in assertions(sentence):
        parts = clauses(told)
        theirs = about_another(parts, before=other)
        if other and theirs[0]:
            own = next((at for at, of_another in enumerate(theirs) if not of_another), len(parts))
            parts, theirs = parts[own:], theirs[own:]
            if not parts:
                continue
        if is_uncertain(told):
            yield "".join(parts).strip()
            continue
        yield from (_trimmed(run) for run in _runs(parts, theirs))


def _runs(parts: list[str], theirs: list[bool]) -> Iterator[str]:
    """Yield stretches of clauses: one begins at each attribute, or where another subject begins after an attribute."""
    run, held = "", None
    for part, of_another in zip(parts, theirs, strict=True):
        slot = None if of_another else read(part).slot
        same_single = slot is not None and slot == held and is_single_valued(slot)
        begins = slot is not None and (held is not None or has_subject(run)) and not same_single
        turns = held is not None and slot is None and has_subject(part) and not _POINTS_BACK.search(bare(part))
        if run and (begins or turns):
            yield run
            run, held = "", None
        run, held = run + part, slot or held
    yield run


def _trimmed(piece: str) -> str:
    edges = r"^[，,；;、\s]*(?:(?:and|but)\s+|so\s+(?=(?:i|i'm|my|our|we)\b)|但(?!是|愿))?|[，,；;：:、\s]+$"
    return re.sub(edges, "", piece, flags=re.I)


def is_worth_keeping(piece: str, *, now_ms: int, time_zone: str, important: bool = False) -> bool:
    """Say whether a piece is news of the user to keep: not courtesy, supposition, a maybe, or what passes in an hour.

    `important` says that the user asked to remember it: then a maybe counts too.
    """
    words = bare(piece)
    chinese = len(re.findall(r"[\u3400-\u9fff]", words))
    size = chinese + len(re.findall(r"[^\W\u3400-\u9fff]+", words))
    if (
        only_names(words)
        or is_instruction(piece)
        or is_small_talk(piece)
        or _SUPPOSES.search(words)
        or _EMPTY.fullmatch(words)
    ):
        return False
    if not important and (is_hedged(piece) or _is_momentary(piece)):
        return False
    if read(piece).slot is not None or notes_value(words):
        return True
    enough = size >= (4 if chinese else 3)
    if _ABOUT_TALK.search(words) and not important:
        return False
    if SELF.search(words):
        return enough
    if important and enough and not re.match(r"(?:这|此|that|this|it)\b|(?:这|此)", words, re.I):
        return True
    if is_decision(words):
        return size >= (6 if chinese else 4)
    if _WEATHER.search(words) or size < (6 if chinese else 4):
        return False
    time = time_of(piece, now_ms=now_ms, time_zone=time_zone)
    return time is not None and len(words) - len(time.text) >= (4 if chinese else 8)


def _is_momentary(piece: str) -> bool:
    parts = [bare(part) for part in clauses(piece)]
    passing = [_MOMENTARY.fullmatch(part) is not None for part in parts]
    return any(passing) and all(passes or not SELF.search(part) for passes, part in zip(passing, parts, strict=True))


def time_of(piece: str, *, now_ms: int, time_zone: str) -> TimeWindow | None:
    """Return when what a piece tells happens.

    A plan, a task, what is decided and what is said in the present tense of a dated event lie ahead, all else behind.
    A birthday without a year and an age are no events.
    """
    plain = _AGE_THIS_YEAR.sub("", piece)
    ahead = named_time(plain, now_ms=now_ms, time_zone=time_zone, prefer="future")
    if ahead is None or (_YEARLY.search(plain) and not re.search(r"\d{4}", ahead.text) and _names_day(ahead)):
        return None
    prefer: Literal["past", "future"] = "future" if _lies_ahead(plain, ahead.text) else "past"
    return ahead if prefer == "future" else named_time(plain, now_ms=now_ms, time_zone=time_zone, prefer=prefer)


def _names_day(time: TimeWindow) -> bool:
    # "yesterday" is a certain day, "May 20" one of each year.
    return re.search(r"\d", time.text) is not None or "月" in time.text


_HAPPENED_ZH = re.compile(r"了(?![吗解])|过(?![敏年节生])|曾|的$|以前|当年|那年|刚")
_PREDICATES_ZH = re.compile(r"(?:是|在|于|定|约|排|改|订)(?:[在到于为成是]|$)|(?:将|会|要)(?:在|于)?$")
_HAPPENED_EN = re.compile(
    r"\b(?:was|were|had|did|been|ago|last|went|met|ran|saw|got|took|came|left|made|bought|ate|flew"
    r"|drove|gave|found|held"
    r"|won|lost|began|spent|paid|told|said|thought|wrote|sold|had|became|fell|broke|slept|read"
    r"|(?!need\b|feed\b)\w{3,}ed)\b",
    re.I,
)
_PRESENT_EN = re.compile(
    r"\b(?:is|are|'s|'re|'m|am|starts?|begins?|takes? place|happens?|leaves?|departs?|arrives?"
    r"|opens?|closes?|ends?|falls?|flies"
    r"|fly|have|has|meets?|expires?|launch(?:es)?)\b|'(?:s|re|m)\b",
    re.I,
)
_SET_EN = re.compile(
    r"(?<!was )(?<!were )\b(?:scheduled|planned|set|booked|due|slated|moved|postponed"
    r"|rescheduled) (?:for|on|to|until)(?: the)?\s*$",
    re.I,
)


def _lies_ahead(piece: str, when: str) -> bool:
    kind = kind_of(piece)
    if is_plan(piece) or kind == "task":
        return True
    before, _, after = piece.partition(when)
    decided = decision_end(before)
    if decided is not None:
        # "decided to launch on May 3" against "decided on May 3"; Chinese puts no word between.
        between = before[decided:]
        return (
            re.search(r"[\u4e00-\u9fff]", piece) is not None or re.search(r"\b(?:to|that|for)\b", between) is not None
        )
    if re.search(r"[\u4e00-\u9fff]", piece):
        if _HAPPENED_ZH.search(bare(piece)):
            return False
        return _PREDICATES_ZH.search(before.rstrip()[-3:]) is not None and len(bare(after)) <= 8
    if _SET_EN.search(before):
        return True
    return _PRESENT_EN.search(piece) is not None and _HAPPENED_EN.search(piece) is None
