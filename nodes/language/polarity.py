"""What a statement says is not, is over, or holds in some cases only (zh + en)."""

import re
from collections.abc import Iterator

from nodes.language.modality import negations
from nodes.language.people import subject
from nodes.language.relations import ANY_EN, ANY_ZH, key
from nodes.language.sentences import clauses
from nodes.language.wording import content, own

_OVER = re.compile(
    r"卖(?:了|掉)|离开(?!家[，,。])|分手|离婚|离职|辞职|退(?:了|订|掉|学|休|会|出)|取消|不用了|没再续|没有再续|不续|停(?:了|用|办|课)"
    r"|戒(?:了|掉|烟|酒)|不再|再也不|丢了|扔了"
    r"|送人|转让|转出|走丢|被偷|偷走|弄丢|丢失|送走|删(?:了|掉|除)|注销|退出|解散|搬走|搬离|去世|死了|倒闭|结束了"
    r"|黄了|不(?=[\u4e00-\u9fff]{1,10}了[。！!]?$)"
    r"|\b(?:sold|cancell?ed|called off|is off|quit|left|stopped|ended|gave up|given up|no longer|any ?more|dropped"
    r"|traded in|got rid of|broke up"
    r"|split up|instead of|rather than|divorced|deleted|broke off|ran away|went missing|(?:was|got|were) stolen"
    r"|gave away|returned|closed"
    r"|uninstalled|lapsed?|ran out|handed back|gave back|threw (?:out|away)|shut down|packed in|dropped out|opted out"
    r"|pulled out|backed out|moved out of|expired|died|passed away|resigned from|unsubscribed)\b",
    re.IGNORECASE,
)
_FOR_WHAT = re.compile(r"\b(?:for|because|since|and|after|before|over|last|this|in|on|at)\b.*$", re.IGNORECASE)
# Of whom one may say to have none: what the denial names, and the relations that show that there is one.
_HAVE_NONE = tuple(
    (re.compile(no, re.IGNORECASE), members)
    for no, members in (
        (
            r"没有?(?:过)?(?:养)?(?:过)?(?:任何|什么)?(?:宠物|小?动物)|不养(?:宠物|动物)|没养过?(?:任何|什么)?(?:宠物|动物)"
            r"|\b(?:no|not have (?:any )?|without|never (?:had|owned|kept) (?:any |an? )?|any) ?(?:pets?|animals)\b",
            ("dog", "cat", "pet"),
        ),
        (
            r"(?:没有?|没生过?|不想?要)(?:过)?(?:小?孩子?|娃|子女|儿女|后代)|丁克|膝下无子"
            r"|\b(?:no|any|have|had) (?:kids|child|children)\b|\bchild(?:less|free)\b",
            ("child", "son", "daughter"),
        ),
        (
            r"独生(?:子女?|女)|没有?(?:亲)?(?:兄弟姐妹|兄弟|姐妹|手足)|独苗|\bonly child\b"
            r"|\b(?:no|any) (?:siblings|brothers|sisters)\b",
            ("brother", "sister"),
        ),
        (
            r"没有?(?:女朋友|男朋友|对象|伴侣|老婆|老公)|没(?:有)?(?:结过?婚|谈恋爱|对象)|单身|未婚|从没结过婚"
            r"|\b(?:am|'m|being) single\b"
            r"|\b(?:not have an?|no) (?:boyfriend|girlfriend|partner|wife|husband)\b|\b(?:never|not) (?:been "
            r"|got )?married\b"
            r"|\bunmarried\b",
            ("wife", "husband", "girlfriend", "boyfriend", "partner", "married"),
        ),
        (
            r"没有?(?:买)?(?:过)?车|\b(?:no|not (?:have|own) an?|never (?:had|owned) an?) car\b",
            ("car",),
        ),
    )
)
_NOT_EN = re.compile(
    r"\b(?:don't|do not|didn't|doesn't|haven't(?: got)?|have not(?: got)?|have never had)\b", re.IGNORECASE
)
_HAS = re.compile(
    r"(?<!没)(?:(?<!没)有|养|生|交|谈|找|娶|嫁)(?:了|着|过)?(?:[一两二三四几俩仨\d]+)?(?:个|只|条|位|匹)?(?:亲|大|小|双胞胎)*(?P<zh>"
    rf"{ANY_ZH})|\b(?:have|got|own|has) (?:an?|one|two|three|four|five|\d|twin|some) (?:\w+ )?(?P<en>{ANY_EN})\b",
    re.IGNORECASE,
)
_HAS_NO = re.compile(
    rf"^我们?家?(?:从来?|并)?没有?(?:养过?|生过?|过)?(?P<zh>{ANY_ZH})[。！]?$|^I (?:not have an?|have no|not have any"
    rf"|have never had an?) (?P<en>{ANY_EN})[.!]?$",
    re.IGNORECASE,
)
_OWNS = (
    (
        "car",
        re.compile(
            r"我们?家?的?车(?!站|间|票|程)|我(?:自己|平时)?开(?:的是|车|的?一?辆)"
            r"|\bmy car\b|\bi drive (?:an?|my)\b|买了一?辆",
            re.I,
        ),
    ),
    (
        "married",
        re.compile(r"(?<!没)(?<!没有)(?:已婚|结婚|领证|已经结)|\b(?:am|'m|been|got|get) (?:\w+ )?married\b", re.I),
    ),
    (
        "pet",
        re.compile(
            r"我们?家?的?(?:那只|养的)?(?:兔子|仓鼠|鹦鹉|乌龟)"
            r"|\bmy (?:\w+ )?(?:rabbit|hamster|parrot|tortoise|turtle)\b",
            re.I,
        ),
    ),
)
# What narrows a denial to some cases: "not at night" leaves "I like it" as it is.
_NARROWS = re.compile(
    r"早上|早晨|上午|中午|下午|晚上|夜里|睡前|空腹|周末|工作日|平时|周[一二三四五六日天末]|夏天|冬天|春天|秋天"
    r"|在(?:家|公司|外面|单位)|昨晚|今天|今晚|明天|昨天|这周|最近|太[^，。]{1,4}的"
    r"|[^，。]{1,4}的时候|一个人|加[糖奶冰]"
    r"|\b(?:in the (?:morning|afternoon|evening)|at (?:night|home|work|lunch)|before bed|after \w+|on (?:weekends"
    r"|weekdays|mondays|tuesdays|wednesdays"
    r"|thursdays|fridays|saturdays|sundays)|today|tonight|tomorrow|yesterday|last (?:night|week|month|time)"
    r"|this morning|this week|in (?:summer|winter|spring"
    r"|autumn)|when \w+|alone|with (?:milk|sugar)|too \w+)\b",
    re.IGNORECASE,
)


# Of two such words only one is true of somebody.
_OPPOSITES = tuple(
    tuple(re.compile(side, re.IGNORECASE) for side in pair)
    for pair in (
        (r"左撇子|\bleft-?handed\b", r"右撇子|惯用右手|\bright-?handed\b"),
        (r"内向|社恐|\bintrovert(?:ed)?\b", r"外向|社牛|\bextro?vert(?:ed)?\b"),
        (r"夜猫子|\bnight owl\b", r"早睡早起|早起的人|\b(?:early bird|morning person|early riser)\b"),
        (
            r"公(?:的|猫|狗)|雄的|\b(?:is|it's) (?:a )?(?:male|boy)\b",
            r"母(?:的|猫|狗)|雌的|\b(?:is|it's) (?:a )?(?:female|girl)\b",
        ),
        (r"怕冷", r"怕热"),
        (r"(?:是|为)男(?:的|性|孩|生)", r"(?:是|为)女(?:的|性|孩|生)"),
        (r"近视", r"远视"),
        (
            r"退休(?!金|后|前)|\b(?:is|am|are) retired\b",
            r"(?:还|仍)?在(?:上班|工作)|\b(?:still )?works? (?:full|part)[ -]time\b|\bstill works?\b",
        ),
        (r"电动车|纯电|\belectric\b", r"汽油|柴油|燃油|烧油|\b(?:diesel|petrol|gasoline)\b"),
        (r"\b(?:alive and well|still alive)\b|健在", r"去世|过世|\b(?:passed away|died|is dead)\b"),
        (r"(?:不|从不|从来不)熬夜|早睡", r"(?:每天|经常|天天|总是)熬夜"),
    )
)


def opposite(text: str, other: str) -> bool:
    """Say whether two texts call somebody by words of which only one can be true."""
    first, second = own(text), own(other)
    if (negations(first) % 2 and not re.search("不熬夜", first)) or (
        negations(second) % 2 and not re.search("不熬夜", second)
    ):
        return False
    return any((a.search(first) and b.search(second)) or (b.search(first) and a.search(second)) for a, b in _OPPOSITES)


def ended(text: str) -> Iterator[str]:
    """Yield what a text says is over: the words of the clause without those that say so, else of the clause before."""
    before = ""
    for clause in clauses(own(text)):
        match = _OVER.search(clause)
        if match is not None:
            what = clause[: match.start()] + " " + clause[match.end() :]
            if match.group().lower() in ("instead of", "rather than"):
                what = clause[match.end() :]
            if match.group().lower() == "traded in":
                what = re.sub(r"\bfor\b.*$", "", clause[match.end() :])
            what = re.sub(r"给[^，,。]*$", "", what)
            short = _FOR_WHAT.sub("", what.strip())
            what = short if content(short).size else what
            yield what if content(what).size else before
        before = clause


def denies_having(text: str, other: str) -> bool:
    """Say whether a text denies having any of what the other shows that the user has."""
    first = own(text)
    plain = _NOT_EN.sub("not have", first).replace("not have have", "not have").replace("not have own", "not own")
    has: frozenset[str] | None = None
    if none := _HAS_NO.search(plain):
        denied, has = key(none["zh"] or none["en"]), _shown(other)
        if _HAS_NO.search(_NOT_EN.sub("not have", own(other))) is None and any(
            one == denied or one.endswith(f" {denied}") for one in has
        ):
            return True
    for no, members in _HAVE_NONE:
        match = no.search(plain)
        if match is None or (plain == first and match.group().lower().startswith(("any", "have", "had"))):
            continue
        has = _shown(other) if has is None else has
        if not no.search(_NOT_EN.sub("not have", own(other))) and any(
            one == member or one.endswith(f" {member}") for one in has for member in members
        ):
            return True
    return False


def _shown(text: str) -> frozenset[str]:
    """Return whom and what a text shows that the user has: of whom it speaks, or what it says they have."""
    who, words = subject(text)[0], own(text)
    found = {key(match["zh"] or match["en"]) for match in _HAS.finditer(words)} if who.is_user else set(who.chain[:1])
    if who.is_user:
        found |= {name for name, pattern in _OWNS if pattern.search(words)}
    return frozenset(found - {"former wife"})


def is_restricted(denial: str, other: str) -> bool:
    """Say whether a denial holds in some cases only, which the other text does not name."""
    narrow = {match.group().lower() for match in _NARROWS.finditer(own(denial))}
    return bool(narrow - {match.group().lower() for match in _NARROWS.finditer(own(other))})


_PAST_TENSE = re.compile(
    r"\b(?:i|we|he|she|they) (?:just |also |once |really )?(?:(?!need|feed|shed|bleed|breed|speed|embed)\w{2,}ed"
    r"|was|were|had|went|did|ran|met|saw|bought|paid|spent"
    r"|swam|drove|flew|took|ate|drank|slept|lived|wore|read|wrote|taught|kept|left|lost|won)\b",
    re.IGNORECASE,
)
_NEVER = re.compile(r"从来|从未|从不|没.{0,8}过|\b(?:never|not ever|haven't|hasn't)\b", re.IGNORECASE)


def is_past_tense(text: str) -> bool:
    """Say whether an English text tells what was done, not what is."""
    return _PAST_TENSE.search(re.sub(r"\b(?:since|when|after|before|because)\b.*", "", own(text))) is not None


def never_was(text: str) -> bool:
    """Say whether a text denies something for all the time until now."""
    return _NEVER.search(own(text)) is not None


_DISLIKES_ZH = re.compile(r"讨厌|厌恶|反感|受不了")
_DISLIKES_EN = re.compile(r"\b(?:can't stand|cannot stand|hates?|detests?|dislikes?|loathes?)\b", re.IGNORECASE)


def denials(text: str) -> int:
    """Return how many times a text denies, where to dislike is not to like."""
    return negations(_DISLIKES_EN.sub("not like", _DISLIKES_ZH.sub("不喜欢", own(text))))
