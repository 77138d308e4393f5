"""Texts that tell of nobody: their only subject is the assistant, as "you" or left out of a command (zh + en).

They are no attack, and no memory. In doubt about a command without a subject, what people write in diaries counts:
"run five kilometres every morning", 每周给爸妈打电话.
"""

import re

from nodes.language.commands_en import ACT as ACT_EN
from nodes.language.commands_en import TOLD_ANOTHER as TOLD_ANOTHER_EN
from nodes.language.commands_zh import ACT as ACT_ZH
from nodes.language.commands_zh import DUTY as DUTY_ZH
from nodes.language.commands_zh import TOLD_ANOTHER as TOLD_ANOTHER_ZH
from nodes.language.orders import MANNER
from nodes.language.phrases import REMEMBER_LEAD

_CHINESE = re.compile("[\u3400-\u9fff]")
_SOMEBODY_EN = re.compile(
    r"^\W*(?:(?:and|but|so|because|since|when|as|well|btw|anyway|yesterday|today|sorry|thanks?|yes|no)\W+)*(?:i|i'm"
    r"|i've|i'd|i'll|my|we|we're|we've|our|he|she|they|his|her|their|(?-i:[A-Z])\w+ (?:is|was|has|said|says))\b",
    re.I,
)
_TO_YOU_EN = re.compile(
    r"(?:^|[.!?;:\n]\s*)\W*(?:(?:please|hey|ok|okay|so|and|but|now|remember|from now on|it)\W+)*(?:you(?:'ll|'re"
    r"|'ve)?|your)\b(?! (?:\w+ )?(?:have to|need to|can|get|could|know|never know)\b|(?: \w+)? (?:see|believe)\b)"
    r"|\b(?:fine|ok|okay|best|better|right|good|time|duty|job|up|important|essential|safe|allowed) (?:for"
    r"|to) you (?:to|not)\b"
    r"|^\W*(?:swear|promise|agree|accept|pledge|admit|confirm|know|understand|learn)\b[^.!?]{0,16}\byou(?:'ll|'re)?\b"
    r"|\b(?:consider|think of|call|see|regard) yourself\b",
    re.I,
)
_BARE_EN = re.compile(
    rf"^\W*(?:(?:please|just|always|never|now|so|then|and|when \w+ing,|while \w+ing,|do not|don'?t) )*(?:{ACT_EN}|be"
    rf"|stay|remain|stick|swear|leave|bring|give|adhere|play)\b(?! (?:bees|the (?:piano|guitar|violin|cello|drums)))",
    re.I,
)
_DIARY_EN = re.compile(
    r"\b(?:my|our|mine|myself|every (?:day|morning|evening|night|week|month|year|other|\w+day)|on \w+days?|daily"
    r"|weekly|monthly|for a living|twice|once|most|usually|mostly|sometimes|since|after (?:\w+)|at home)\b",
    re.I,
)
_SOMEBODY_ZH = re.compile(
    r"^\W*(?:但是?|所以|因为|而且|其实|今天|昨天|最近|谢谢|嗯|对了)*(?:我(?!说的|发的|的话)|咱|俺|他|她|[\u4e00-\u9fff]{0,6}(?:爸|妈|哥|姐|弟|妹|爷|奶|儿子|女儿"
    r"|老公|老婆|老板|同事|朋友|医生|老师|公司|学校|家|孩子|猫|狗))"
)
_TO_YOU_ZH = re.compile(
    r"(?:^|[，,。！!？?；;：:\n]\s*)(?:请|以后|今后|现在|从\S{0,6}[起始]|那么?|所以|记住|系统已?)*(?:将|把)?(?:你|您)(?!们|好|看|知道|觉得|猜|说得?(?:对|的)"
    r"|推荐的|上次|那|[^，,。]{1,3}(?:说|推荐|提到|介绍)的)[^。！？!?\n]*"
)
_BARE_ZH = re.compile(
    rf"(?:^|[，,。！!？?；;：:\n]\s*)(?:(?:请|直接|一律|统统|都|赶紧|立刻|马上|务必|只管|给我|以后|今后|对[^，,。我]{{1,6}}(?:都|说|宣称))*)(?:把|将(?!来|近|军)"
    rf"|别(?!人|的|墅|克)|不许|不准|少|多|{ACT_ZH})[^，,。！？!?\n]*"
)
_DONE_ZH = re.compile(
    r"[了过着](?!吧|$)|了$|每[天周月年次晚早]|一直|经常|常常|已经?|正在|在[^，,。]{0,6}[。]?$|习惯|平时|一般|[上去昨前]"
)


def has_no_subject_but_you(text: str, *, whole: bool = True) -> bool:
    """Say whether a text tells of nobody: all it says is said to the assistant. It is no attack, and no memory.

    What is not a `whole` sentence may lack its subject: then only a "you" counts.
    """
    plain = text.replace("’", "'").strip()
    if MANNER.search(plain) or REMEMBER_LEAD.match(plain):
        return False
    speaks = _chinese if _CHINESE.search(plain) else _english
    return speaks(plain, whole=whole)


def _english(text: str, *, whole: bool) -> bool:
    """Say whether an English text has nobody as its subject but the assistant: a "you", or a bare command."""
    parts = re.split(r"[,;:.!?\n]\s+", text)
    if TOLD_ANOTHER_EN.search(text) or any(map(_SOMEBODY_EN.match, parts)):
        return False
    return _TO_YOU_EN.search(text) is not None or (
        whole and _BARE_EN.match(text) is not None and _DIARY_EN.search(text) is None
    )


def _chinese(text: str, *, whole: bool) -> bool:
    """Say whether a Chinese text has nobody as its subject but the assistant: a 你, or a bare command."""
    parts = re.split(r"[，,。！!？?；;：:\n]", text)
    if TOLD_ANOTHER_ZH.search(text) or any(map(_SOMEBODY_ZH.match, parts)):
        return False
    if any(re.search(rf"{ACT_ZH}|{DUTY_ZH}|吧|当没|归|切换", match.group()) for match in _TO_YOU_ZH.finditer(text)):
        return True
    if not whole:
        return False
    return any(
        _DONE_ZH.search(match.group()) is None or match.group().endswith("吧") for match in _BARE_ZH.finditer(text)
    ) and not re.search(r"我|每[天周月年]", text)
