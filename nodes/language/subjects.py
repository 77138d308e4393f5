"""Whom a clause without a subject is about, in Chinese and English: the speaker, or another named before it.

Chinese drops a subject that is known: after 我女儿叫朵朵 the words 今年五岁 are about the daughter.
"""

import re
from collections.abc import Sequence

from nodes.language.attributes_zh import NUMERAL

_OTHERS_ZH = (
    r"(?:老婆|妻子|太太|媳妇|老公|丈夫|先生|(?:前)?男友|(?:前)?女友|男朋友|女朋友|对象|爱人|伴侣|未婚[妻夫]|爸爸?|妈妈?|父亲|母亲"
    r"|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥哥?|姐姐?|弟弟?|妹妹?|儿子|女儿|孩子|宝宝|娃|叔叔|阿姨|舅舅|姑姑|侄[子女]|外甥女?|孙[子女]"
    r"|岳[父母]|公公|婆婆|朋友|闺蜜|同事|同学|室友|邻居|领导|老板|上司|经理|客户|老师|导师|学生|徒弟|猫咪?|狗狗?|宠物|兔子)"
)
_ME_ZH = r"(?:我|本人|咱|俺|用户)"
_LEAD_ZH = (
    r"(?:对了|另外|还有|然后|而且|并且|所以|因为|但是?|不过|可是|其实|现在|目前|最近|今年|去年|昨天|今天|[，,：:\s])*"
)
_OTHER_ZH = re.compile(
    rf"{_LEAD_ZH}(?:(?:{_ME_ZH}们?(?:的|家(?:的|里)?)?)?(?:大|小|二|三|老|亲|前)?{_OTHERS_ZH}(?!们?[都]?叫我)|他|她|它"
    # A name: two or three characters before what can be said of anybody, none of them an adverb, a time or a verb.
    r"|(?![今现目最一二两三四五六七八九十已刚也都还就又从每上下去前昨明后平其因所但不没很非对在是喜住爱讨养有做当毕来搬出会能想要打生年职工"
    r"家名身血星属性同另然并而大以你您请周名老我咱俺本用这那])[\u4e00-\u9fff]{2,3}(?=今年|现在住|住在|也|叫|喜欢|是))"
)
_SELF_ZH = re.compile(rf"{_LEAD_ZH}{_ME_ZH}")
_PRESENTS_ZH = re.compile(rf"(?:有|养|生|收养)了?(?:\d|{NUMERAL})?(?:个|只|条|位|匹).{{0,4}}?{_OTHERS_ZH}$")
_TRAIT_ZH = re.compile(
    rf"{_LEAD_ZH}(?:已经|刚|快|也|才|满)*(?:叫|名叫|(?:\d{{1,3}}|{NUMERAL}{{1,3}})周?岁|生日|出生|生于)"
)
_OTHERS_EN = (
    r"(?:wife|husband|partner|girlfriend|boyfriend|spouse|fianc[eé]e?|mother|father|mom|mum|dad|parents?|brother|sister"
    r"|son|daughter|child|kids?|baby|uncle|aunt|cousin|nephew|niece|grand\w+|friend|colleague|coworker|boss|manager"
    r"|roommate|neighbou?r|teacher|student|client|dog|cat|pet|rabbit|hamster)"
)
_OTHER_EN = re.compile(
    rf"(?:and |but |so |also )*(?:he|she|they|it|his|her|their|its|(?:my|our|the) (?:[\w-]+ ){{0,2}}?{_OTHERS_EN})\b"
    r"|(?:and |but |so )*(?!I\b|I'|My\b|We\b|Our\b)(?-i:[A-Z])\w+ (?:is|has|lives|works|was|loves|likes|hates)\b",
    re.IGNORECASE,
)
_SELF_EN = re.compile(
    r"(?:and |but |so |also |now |today |yesterday )*(?:i|i'\w+|im|my|we|we'\w+|our)\b", re.IGNORECASE
)


def has_subject(clause: str) -> bool:
    """Say whether a clause names whom it is about, the speaker or another."""
    return _names_other(clause) or _names_self(clause)


def about_another(parts: Sequence[str], *, before: bool = False) -> list[bool]:
    """Say for each clause whether it has no subject and is about somebody else than the speaker.

    `before` says that the talk was of another already when the clauses begin.
    """
    found: list[bool] = []
    another, presented = before, False
    for part in parts:
        other = _names_other(part)
        if other or _names_self(part):
            another, presented = other, False
            found.append(False)
        else:
            found.append(another or (presented and _TRAIT_ZH.match(_start(part)) is not None))
        presented = presented or _PRESENTS_ZH.search(part.rstrip("，,。！!；; 了")) is not None
    return found


def leaves_another(parts: Sequence[str], *, before: bool = False) -> bool:
    """Say whether the talk is of another when the clauses end, so that a next one without a subject is about them."""
    another = before
    for part in parts:
        if _names_other(part):
            another = True
        elif _names_self(part):
            another = _PRESENTS_ZH.search(part.rstrip("，,。！!；; 了")) is not None
    return another


def _names_other(clause: str) -> bool:
    start = _start(clause)
    return (_OTHER_ZH if re.match("[\u4e00-\u9fff]", start) else _OTHER_EN).match(start) is not None


def _names_self(clause: str) -> bool:
    start = _start(clause)
    return _SELF_ZH.match(start) is not None or _SELF_EN.match(start) is not None


def _start(clause: str) -> str:
    return re.sub(r"^\W+", "", clause.replace("’", "'"))
