"""Of whom a statement speaks: the user, or somebody by their relation to the user, or by name (zh + en)."""

import re
from dataclasses import dataclass

from nodes.language.relations import ANY_EN, ANY_ZH, key
from nodes.language.wording import own

_LEAD_ZH = (
    r"(?:对了|另外|还有|然后|而且|所以|因为|但是?|不过|其实|现在|目前|最近|今年|去年|昨天|今天|明天|上次|上个?月"
    r"|上周|下周|刚才|听说"
    r"|医生(?:说|把|让|给)|(?:上次|之前|刚才|昨天)?我?(?:说|记|写|搞|弄)错了|更正(?:一下)?|不对|[，,：:\s])*"
)
_CHAIN_ZH = re.compile(
    rf"^{_LEAD_ZH}(?:我们?|咱们?|俺)?(?:家里?)?的?(?P<mod>(?:只有一个|只有|有一?个|有|那个|这个|唯一的?|最好的|新"
    rf"|亲|老|前|大|小"
    rf"|二)*)(?P<rel>{ANY_ZH})(?P<rest>.*)$",
    re.S,
)
_HAVE_ZH = re.compile(
    rf"^{_LEAD_ZH}我们?家?(?P<mod>只?)(?:养|有)了?(?:一|1)(?:只|条|个|位|匹|头)(?P<rel>{ANY_ZH})[，,](?P<rest>.*)$",
    re.S,
)
_COMITATIVE_ZH = re.compile(
    rf"(?<=我)(?:和|跟|与|陪|带)(?:我们?的?)?(?:{ANY_ZH})(?:一起|一块儿?)?|(?:和|跟"
    rf"|与)(?:我们?的?)?(?:{ANY_ZH})(?=商量|一起|聊|吵|说)"
)
_CHAIN_EN = re.compile(
    r"^(?:(?:and|but|so|well|btw|also|now|actually|oh|anyway|yesterday|today|this morning|sorry|correction"
    r"|i misspoke(?: earlier)?|my mistake)[,.: ]+)*(?:my|our|the)\s+(?P<mod>(?:only |best |own |new |old |late "
    r"|older |elder |eldest |oldest |younger |youngest |little |big |middle |other |dear |former )*)"
    rf"(?P<rel>{ANY_EN})\b(?P<rest>.*)$",
    re.IGNORECASE | re.S,
)
_HAVE_EN = re.compile(
    rf"^(?:i have|i've got) an? (?P<mod>)(?P<rel>{ANY_EN})\b(?P<rest>,? (?:named|called|who)\b.*)$",
    re.IGNORECASE | re.S,
)
_NAME_EN = re.compile(
    r"^,?\s+(?:(?:named|called) )?(?P<name>(?-i:[A-Z])[a-zé]+)(?=[\s,'.]|$)(?! (?-i:[A-Z]))", re.IGNORECASE
)
_NAMED_EN = re.compile(
    r"^(?P<name>(?!I\b|My\b|The\b|We\b|Our\b|It\b|They\b|There\b|This\b|That\b|On\b|In\b|At\b|Since\b|When\b|Friday"
    r"|Monday|Tuesday|Wednesday"
    r"|Thursday|Saturday|Sunday|No\b|Yes\b|You\b|If\b)[A-Z][a-zé]+)(?:'s\b| (?=is |has |lives|works|goes|likes"
    r"|loves|hates|got |will |can |was |moved|started|plays|wants|turned|\w+s\b))"
)
# "Kate Doyle is my boss" says who the boss is.
_TURNED_EN = re.compile(
    rf"^(?P<name>[A-Z][a-z]+(?: [A-Z][a-z]+)*)(?: is|'s) (?P<who>(?:my|our) (?:new "
    rf"|best )?(?:{ANY_EN}))\b(?P<rest>.*)$",
    re.S,
)


_MANY = frozenset(
    ("friend", "colleague", "classmate", "cousin", "neighbour", "client", "student", "uncle", "aunt", "niece", "nephew")
)


@dataclass(frozen=True)
class Person:
    """Of whom a statement speaks: relations from the user on ("sister", "boss"), a name; nothing for the user."""

    chain: tuple[str, ...] = ()
    name: str | None = None

    @property
    def is_user(self) -> bool:
        """Say whether this is the user."""
        return not self.chain and self.name is None

    @property
    def is_one_of_many(self) -> bool:
        """Say whether one may well have several of this kind, and no name says which."""
        return self.name is None and bool(self.chain) and self.chain[-1].split()[-1] in _MANY

    def may_be(self, other: "Person") -> bool:
        """Say whether two descriptions can mean one person."""
        if self.name and other.name and self.name != other.name:
            return False
        if self.chain and other.chain:
            return len(self.chain) == len(other.chain) and all(map(_alike, self.chain, other.chain))
        if self.chain or other.chain:
            return self.name is not None and self.name == other.name
        return self.name == other.name


def _alike(one: str, other: str) -> bool:
    partners = {"wife", "husband", "girlfriend", "boyfriend", "partner"}
    children = {"son", "daughter", "child"}
    return (
        one == other
        or one.endswith(f" {other}")
        or other.endswith(f" {one}")
        or ("partner" in (one, other) and {one, other} <= partners)
        or ("child" in (one, other) and {one, other} <= children)
    )


def subject(text: str) -> tuple[Person, str]:
    """Return of whom a text speaks, and the text with that person replaced by the speaker."""
    words = own(text).strip()
    chinese = re.search(r"[\u4e00-\u9fff]", words) is not None
    return _subject_zh(words) if chinese and not re.match(r"(?:my|our|i)\b", words, re.I) else _subject_en(words)


def _ranked(match: re.Match[str]) -> str:
    """Return the key of a relation, with its rank among several: "older daughter"."""
    called = key(match["rel"])
    rank = f"{match['mod']}{match['rel']}"
    if " " in called:
        return called
    for pattern, name in (
        (r"^(?:.*个)?大|\b(?:old(?:er|est)|eld(?:er|est)|big)\b", "older"),
        (r"^(?:.*个)?小|\b(?:young(?:er|est)|little)\b", "younger"),
        (r"前|\bformer\b", "former"),
    ):
        if re.search(pattern, rank, re.IGNORECASE):
            return f"{name} {called}"
    return called


def _subject_zh(words: str) -> tuple[Person, str]:
    rest = _COMITATIVE_ZH.sub("", words)
    chain: list[str] = []
    match = _HAVE_ZH.match(rest) or _CHAIN_ZH.match(rest)
    while match is not None:
        chain.append(_ranked(match))
        after = re.sub(r"^(?:们|[，,]\s*(?=[在今叫上是才都已]))", "", match["rest"])
        further = re.match(rf"^的?(?P<mod>(?:新|大|小|亲)?)(?P<rel>{ANY_ZH})(?P<rest>.*)$", after, re.S)
        if further is None:
            return Person(tuple(chain)), f"我{after}"
        match = further
    return Person(), rest


def _subject_en(words: str) -> tuple[Person, str]:
    chain: list[str] = []
    match = _CHAIN_EN.match(words) or _HAVE_EN.match(words)
    while match is not None:
        chain.append(_ranked(match))
        rest = match["rest"]
        further = re.match(
            rf"^'s?\s+(?P<mod>(?:new |old |best |only |older |younger |oldest "
            rf"|youngest )*)(?P<rel>{ANY_EN})\b(?P<rest>.*)$",
            rest,
            re.IGNORECASE | re.S,
        )
        if further is None:
            named = _NAME_EN.match(rest)
            name = named["name"].lower() if named else None
            after = rest[named.end() :] if named else rest
            return Person(tuple(chain), name), _as_speaker(after)
        match = further
    turned = _TURNED_EN.match(words)
    if turned is not None:
        return _subject_en(f"{turned['who']} is {turned['name']}{turned['rest']}")
    named = _NAMED_EN.match(words)
    if named is not None:
        name, rest = named["name"].lower(), words[named.end("name") :]
        theirs = re.match(
            rf"^'s\s+(?:new |old |best |only )*(?P<rel>{ANY_EN})\b(?P<rest>.*)$", rest, re.IGNORECASE | re.S
        )
        if theirs is not None:
            return Person((f"@{name}", key(theirs["rel"]))), _as_speaker(theirs["rest"])
        return Person((), name), _as_speaker(rest)
    return Person(), words


def _as_speaker(rest: str) -> str:
    if rest.startswith("'s "):
        after = rest[3:]
        # "My sister's a nurse" against "my sister's car".
        says = re.match(r"(?:an? |the |in |at |on |not |\w+ing\b)", after) and not re.search(
            r" (?:is|are|was)\b", after
        )
        return f"I am {after}" if says else f"my {after}"
    return re.sub(
        r"^ (?:is|are)\b", " am", f"I {rest.lstrip(' ,')}".replace("I is ", "I am ").replace("I are ", "I am ")
    )


def relations(text: str) -> frozenset[str]:
    """Return all relations a text names, in whatever place."""
    words = own(text)
    found = {key(match.group()) for match in re.finditer(ANY_ZH, words)}
    found |= {key(match.group()) for match in re.finditer(rf"\b(?:{ANY_EN})\b", words, re.IGNORECASE)}
    return frozenset(found)
