"""What a statement says is not, is over, or holds in some cases only (zh + en)."""

import re
from collections.abc import Iterator

from nodes.language.modality import negations
from nodes.language.people import relations
from nodes.language.sentences import clauses
from nodes.language.wording import content, own

_OVER = re.compile(
    r"卖(?:了|掉)|分手|离婚|离职|辞职|退(?:了|订|掉|学|休|会|出)|取消|不用了|没再续|没有再续|不续|停(?:了|用|办|课)"
    r"|戒(?:了|掉|烟|酒)|不再|再也不|丢了|扔了"
    r"|送人|转让|转出|走丢|被偷|偷走|弄丢|丢失|送走|删(?:了|掉|除)|注销|退出|解散|搬走|搬离|去世|死了|倒闭|结束了"
    r"|黄了|不(?:做|干"
    r"|去|开|喝|吃|抽|养|打|学|练)[^，,。]{0,8}了"
    r"|\b(?:sold|cancell?ed|called off|is off|quit|left|stopped|ended|gave up|given up|no longer|any ?more|dropped"
    r"|traded in|got rid of|broke up"
    r"|split up|instead of|rather than|divorced|deleted|broke off|ran away|went missing|(?:was|got|were) stolen"
    r"|gave away|returned|closed"
    r"|uninstalled|moved out of|expired|died|passed away|resigned from|unsubscribed)\b",
    re.IGNORECASE,
)
_FOR_WHAT = re.compile(r"\b(?:for|because|since|and|after|before|over|last|this|in|on|at)\b.*$", re.IGNORECASE)
_NEVER_ANY = (
    # What is denied, what shows that there is one.
    (
        r"(?:没有?|不)(?:养|有)?(?:任何|什么|过)?(?:宠物|动物|猫|狗)|没养过|\b(?:don't|do not|never"
        r"|no)\b.{0,16}\b(?:pets?|animals?)\b",
        r"(?:我家?|我们家?)的?(?:那只|有?只|养了?)?.{0,3}(?:猫|狗|兔子|仓鼠|鹦鹉|乌龟)|\bmy (?:\w+ )?(?:cat|dog"
        r"|puppy|kitten|rabbit"
        r"|hamster|parrot)\b|\bi (?:have|got|own) (?:an?|two|three) (?:\w+ )?(?:cat|dog|rabbit|hamster|parrot)s?\b",
    ),
    (
        r"没有?(?:小?孩子?|娃|子女|儿女)|\b(?:don't have|have no|without)\b.{0,6}\b(?:kids|children|child)\b"
        r"|\bchildless\b",
        r"我的?(?:大|小)?(?:儿子|女儿|孩子)|\bmy (?:\w+ )?(?:son|daughter|kids?|children)\b|\bi have (?:an?|one|two"
        r"|three"
        r"|four|\d) (?:\w+ )?(?:sons?|daughters?|kids?|child(?:ren)?)\b",
    ),
    (
        r"独生(?:子女?|女)|没有?兄弟姐妹|\bonly child\b|\bno siblings\b|\bdon't have (?:any )?(?:siblings|brothers"
        r"|sisters)\b",
        r"我的?(?:亲|大|小|二)?(?:哥哥?|姐姐?|弟弟?|妹妹?)(?!们)|\bmy (?:\w+ )?(?:brother|sister)\b|\bi have (?:an?"
        r"|one|two"
        r"|three) (?:\w+ )?(?:brother|sister)s?\b",
    ),
    (
        r"没有?(?:女朋友|男朋友|对象)|单身|\b(?:i am|i'm) single\b|\bdon't have a (?:boy|girl)friend\b|未婚",
        r"我的?(?:老婆|老公|妻子|丈夫|太太|女朋友|男朋友|女友|男友|媳妇)|\bmy (?:wife|husband|girlfriend|boyfriend"
        r"|fianc[eé]e?)\b|脱单|已婚"
        r"|我(?:已经)?结婚了|\b(?:i am|i'm) (?:happily )?(?:married|engaged)\b",
    ),
    (
        r"没有?(?:买)?车|\bdon't (?:have|own) a car\b",
        r"我的?车(?:是|停|坏|开|在|昨|今|刚)|我开的?(?:是|车)|\bmy car\b|\bi drive an?\b",
    ),
)
_DENIED = tuple((re.compile(no, re.IGNORECASE), re.compile(has, re.IGNORECASE)) for no, has in _NEVER_ANY)
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
            r"\bvegetarian\b|\bvegan\b|吃素|素食",
            r"\bi eat (?:a lot of |any )?(?:meat|beef|pork|chicken)\b|我(?:经常|天天|每天|爱|喜欢)吃(?:肉|牛肉|羊肉"
            r"|猪肉|鸡肉)",
        ),
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
    first, second = own(text), own(other)
    if relations(re.sub(r".*?(?=没|独生|\bno\b|\bdon't\b|\bonly\b)", "", first)) and re.match(
        r"我的?(?:妈|爸|哥|姐|弟|妹|儿|女|老)|my (?:mother|mum|dad|father|sister|brother|wife|husband|friend"
        r"|flatmate|son"
        r"|daughter)\b",
        first,
        re.I,
    ):
        return False
    return any(no.search(first) and has.search(second) and not no.search(second) for no, has in _DENIED)


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
