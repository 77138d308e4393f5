"""Reading an answer to "you said ① and ②: which holds, or both?" (zh + en).

Whatever the user says after such a question is read here. Therefore a clause names a side only where it says nothing
else: "the second one" does, "my second child is ill" does not.
"""

import re
from typing import Literal

from nodes.language.modality import corrects, negations
from nodes.language.sentences import bare, clauses, is_question, sentences
from nodes.language.wording import own

Choice = Literal["new", "old", "both"]

_LEAD = (
    r"(?:(?:应该|还是|当然|肯定|就|按照?|以|选|我选|我觉得|我想|那|嗯|是|对|哦|啊|其实|确实|的确|用|听|留|保留|没错"
    r"|不是?|不对"
    r"|yes|yep|yeah|no|nope|well|ok|i think|i believe|i'd say|i meant|go with|stick with|keep|it's|it is|it was"
    r"|that's|use|take|the|my|definitely"
    r"|please|actually|option|number|answer)[\s,，]*)*"
)
_NEW_ZH = (
    r"(?:最?新的?|后(?:者|面|来|一个|一条)|第二(?:个|条|种)?|②|二号?|2|现在|刚才|刚刚|这次|最近)"
    r"(?:的|我?说的?|记的|讲的|(?:我)?(?:告诉|跟|和|对)你(?:说|讲)?的|那[个条句次种]|这[个条句次种]|一[个条]|说法|答案)*"
)
_OLD_ZH = (
    r"(?:旧的?|老的|前(?:者|面|一个|一条)|第一(?:个|条|种)?|①|一号?|1|(?:之|以|先|从)前|原来|原先|一开始|最初|最早"
    r"|早先|先前)"
    r"(?:的|我?说的?|记的|讲的|(?:我)?(?:告诉|跟|和|对)你(?:说|讲)?的|那[个条句次种]|这[个条句次种]|一[个条]|说法|答案)*"
)
_RIGHT_ZH = r"(?:是|来|才|就|都|的|为准|为主|算数?|对|没错|正确|准|吧|啦|了|啊|呀)*"
_WRONG_ZH = (
    r"(?:都|才|就)?(?:不对|不是|不准|不算|作废|是?错的?|有误|当我没说|忘了吧|是?(?:我)?(?:说|记|写|搞|弄)错"
    r"|是?(?:我)?(?:口误|开玩笑|随口说))(?:的|了|吧)*"
)
_KIND_EN = r"(?: (?:one|answer|statement|version|value|date|number|time))?"
_NEW_EN = (
    rf"(?:(?:new(?:er|est)?|second|2nd|latter|latest|most recent|recent|last){_KIND_EN}"
    r"|what i (?:just )?said (?:now|just now|last|later|this time|most recently|recently)|two|2|②)"
)
_OLD_EN = (
    rf"(?:(?:old(?:er|est)?|first|1st|former|earlier|original|previous|initial){_KIND_EN}"
    r"|what i (?:said|told you) (?:before|first|earlier|at first|originally)|as i (?:said|told you) (?:first|before"
    r"|earlier)|(?:it |that )?(?:as|the way|like) it was|as before|one|1|①)"
)
_RIGHT_EN = (
    r"(?: (?:is|was|holds|stands|i (?:gave|said|told you)|right|correct|true|accurate|still|please|then"
    r"|of course|the|one))*"
)
_WRONG_EN = (
    r"(?: (?:is|was|i (?:gave|said|told you)))*(?: (?:wrong|false|incorrect|not (?:right|true|correct)"
    r"|a (?:mistake|joke|typo|slip)|mistaken|outdated))+"
)


def _side(chinese: str, english: str, tail_zh: str, tail_en: str) -> re.Pattern[str]:
    return re.compile(rf"{_LEAD}(?:{chinese}{tail_zh}|{english}{tail_en})", re.IGNORECASE)


_NEW = (_side(_NEW_ZH, _NEW_EN, _RIGHT_ZH, _RIGHT_EN), _side(_NEW_ZH, _NEW_EN, _WRONG_ZH, _WRONG_EN))
_OLD = (_side(_OLD_ZH, _OLD_EN, _RIGHT_ZH, _RIGHT_EN), _side(_OLD_ZH, _OLD_EN, _WRONG_ZH, _WRONG_EN))
_BOTH = re.compile(
    rf"{_LEAD}(?:(?:这|那)?(?:两|二)(?:个|种|件|天|者|条|边)?)?(?:我|说的)?(?:也|全)?都(?:是)?(?:对|真的?|没错|成立"
    rf"|正确|算数?|可以|有效|保留|在?用|留着?"
    rf"|要)(?:的|了|啊|呀)*"
    rf"|{_LEAD}both(?: of (?:them|those|these))?(?: (?:are|hold|is|were|do))?(?: (?:still|also))?(?: (?:true|right"
    rf"|correct|valid|fine|accurate|good))?"
    r"|neither(?: of them)? (?:is|was) (?:wrong|false|incorrect|a mistake)|(?:两个|哪个|都)都?(?:没[有说]?错|不算错)"
    r"|(?:i|we) (?:(?:use|keep) both(?: \w+)?|(?:use|have|keep|need|do) (?:them )?both(?: of them)?)"
    r"|each is (?:true|right|correct)",
    re.IGNORECASE,
)
_NEITHER = re.compile(
    r"都不(?:对|是|准)|两个都不|都错|\bneither\b(?!(?: of them)? (?:is|was) (?:wrong|false|incorrect|a mistake))"
    r"|\bboth (?:are )?(?:wrong|false)\b|\bnone of\b|\bnot (?:either"
    r"|both)\b",
    re.IGNORECASE,
)
_DONT_KNOW = re.compile(
    r"不(?:太)?(?:知道|清楚|确定|记得|好说|想说)|忘了(?!吧)|没(?:想好|印象)|等会儿|待会儿?|再说|改天|先不|以后再"
    r"|说不准|看情况|可能|也许|大概"
    r"|\b(?:don't|do not|dunno|not) (?:know|sure|remember|recall|certain)\b|\bno idea\b|\bdunno\b|\bcan't (?:check"
    r"|remember|say|tell)\b"
    r"|\bask me later\b|\bi forgot\b|\bmaybe\b|\bperhaps\b",
    re.IGNORECASE,
)
_SPOKEN_OF = re.compile(
    r"确实|的确|之前|上次|那次|以前|刚才|昨天说|我确认|为准|\b(?:indeed|as i (?:told|said)|told you (?:first"
    r"|before)|for the record"
    r"|to be clear|i confirm|mixed it up)\b",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"(?:不对|不是|错|不准|口误|开玩笑|作废|当我没说|忘了吧|不算)|\b(?:wrong|not right|incorrect|mistaken?|false"
    r"|a joke|a typo"
    r"|forget)\b",
    re.IGNORECASE,
)


def is_no_answer(text: str) -> bool:
    """Say whether a text leaves a question open: it does not know, puts it off, denies both, or asks back."""
    words = own(text)
    first = next(iter(clauses(words)), words)
    return _DONT_KNOW.search(first) is not None or is_question(first) or _NEITHER.search(words) is not None


def names_both(text: str) -> bool:
    """Say whether a text lets both sides hold."""
    return any(_BOTH.fullmatch(bare(clause)) for clause in _said(text)) and not _NEITHER.search(own(text))


def choice(text: str) -> Choice | None:
    """Return the side an answer names by its place, "the second one", or both; None where that is not sure."""
    if names_both(text):
        return "both"
    votes: set[Choice] = set()
    for clause in _said(text):
        plain = re.sub(r"(?<=\w)'s\b", " is", bare(clause))
        named_new = (_NEW[0].fullmatch(plain) is not None, _NEW[1].fullmatch(plain) is not None)
        named_old = (_OLD[0].fullmatch(plain) is not None, _OLD[1].fullmatch(plain) is not None)
        if named_new[0] or named_old[1]:
            votes.add("new")
        if named_old[0] or named_new[1]:
            votes.add("old")
    return votes.pop() if len(votes) == 1 else None


def _said(text: str) -> list[str]:
    """Return the clauses of all sentences of an answer, without laughter."""
    plain = re.sub(r"^(?:(?:ha)+h?|lol|哈+|嘿+|呵+)[\s,，!！.]*", "", own(text), flags=re.IGNORECASE)
    return [clause for sentence in sentences(plain) for clause in clauses(sentence)]


def by_sense(text: str, new: str, old: str) -> Choice | None:
    """Read 去过 or "allergic" where one side denies what the other says: a part of their words, or its denial."""
    sides = [negations(own(new)) % 2, negations(own(old)) % 2]
    first = bare(next(iter(clauses(own(text))), ""))
    said = re.sub(
        r"[不没]有?|\b(?:not|no|never)\b|n't\b|^(?:yes|no)\b"
        r"|\bi'?m?\b",
        "",
        first,
        flags=re.IGNORECASE,
    ).strip(" ,，的了")
    parts = re.findall(r"[\u4e00-\u9fff]+|[a-z']+", said.lower())
    if sides[0] == sides[1] or not parts or len("".join(parts)) < 2:
        return None
    spoken = [re.sub(r"[不没]有?", "", own(side).lower()) for side in (new, old)]
    if not all(part in side for part in parts for side in spoken):
        return None
    return "new" if negations(first) % 2 == sides[0] else "old"


def says_which(text: str) -> bool:
    """Say whether a text speaks of what was said before in order to put it right or to confirm it."""
    words = own(text)
    return corrects(words) or _SPOKEN_OF.search(words) is not None


def calls_wrong(text: str) -> bool:
    """Say whether a text calls something wrong that was said."""
    return _WRONG.search(own(text)) is not None
