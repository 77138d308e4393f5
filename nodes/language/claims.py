"""What a statement claims, taken apart by its structure: of whom, which attribute, which value (zh + en).

"My budget for the laptop is $1,200" claims of the user's budget for the laptop that it is $1,200; 我女儿在实验小学上学
claims of the daughter's school that it is 实验小学. Where no structure is found the words and what they measure are
compared.
"""

import functools
import re
from dataclasses import dataclass, replace

from nodes.language.change import became
from nodes.language.lexicon import in_english
from nodes.language.modality import negations
from nodes.language.people import Person, subject
from nodes.language.quantities import Quantity, quantities
from nodes.language.sentences import bare
from nodes.language.statements import Statement, one_valued, read
from nodes.language.wording import Content, content, own, plain_words, stem

_ADV_ZH = "(?:其实|现在|目前|已经|应该|确实|的确|都|也|就|还|仍然?|一直|这次|最终|还是)*"
_SETS_ZH = (
    r"(?:是在?|为|在(?=[^，,。；]{2,8}$)|叫做?|名叫|定在|定为|安排在|设为|等于|约在|写的是"
    r"|(?:从[^，。]{1,12}?)?(?:改|换|变|调|调整|挪|推迟|提前|顺延|延期?|延长|升|涨|降|减|加|增加|提|提高|增|转"
    r"|移)(?:期|名)?(?:成|到|为|至|在|去|回)了?)"
)
_COPULA_ZH = re.compile(
    rf"^(?:以前[^，]{{1,12}}[，,])?(?:现在|其实|对了|另外|上次说错了|说错了"
    rf"|更正)?[，,：:]?\s*(?:我?把)?(?P<s>[^，,。；是]{{1,24}}?){_ADV_ZH}{_SETS_ZH}\s*(?P<v>[^，,。；]{{1,40}})"
)
_COPULA_EN = re.compile(
    r"^(?:(?:actually|sorry|well|so|and|but|now|btw|oh|ok|update|correction)[,:]? )*(?P<s>(?:my|our|the|i"
    r"|these days i)\b[^,.;]{0,60}?)"
    r"(?: (?:is|are|am|was|will be|has been|has|costs?|starts?(?= (?:at|on))|begins?(?= (?:at|on))|leaves?(?= (?:at"
    r"|on))|departs?(?= at)|ends?(?= (?:at|in|on))|lasts?|weighs?)|'s)"
    r"(?: (?:now|actually|really|currently|still|also|just|called|named|set for|scheduled for|planned for|due))*"
    r"(?: (?:moved|changed|pushed(?: back| out)?|switched|postponed|rescheduled|extended|raised|increased|lowered"
    r"|reduced|cut|bumped(?: up)?)(?: from [^,.;]+?)?(?: to))?"
    r"(?: (?:at|on|in|by|about|around|roughly|an?|the))* (?P<v>(?:[^,.;]|(?<=\d)[,.](?=\d)|(?<=[DM]r)\.|(?<=Mrs)\."
    r"|(?<=St)\.){1,60})",
    re.IGNORECASE,
)
_CHANGED_EN = re.compile(
    r"^(?:(?:they|i|we|she|he)(?:'ve| have|'s| has)? )?(?:just )?(?:(?:moved|changed|pushed|switched|postponed"
    r"|rescheduled|extended|raised|increased|lowered|reduced|cut|bumped) )"
    r"(?P<s>(?:the|my|our)\b[^,.;]{1,50}?)(?: (?:back|up|down|out|over))?(?: from [^,.;]+?)? to (?P<v>(?:[^,.;]"
    r"|(?<=\d)[,.](?=\d)|(?<=[DM]r)\.|(?<=Mrs)\.|(?<=St)\.){1,40})"
    r"|^(?P<s2>(?!i\b|we\b|they\b|he\b|she\b)[^,.;]{2,50}?)(?: has| was| got| is| had)?(?: been| being)? (?:moved"
    r"|changed|pushed(?: back| out)?|switched|postponed|rescheduled|extended|raised|increased|lowered|reduced|cut"
    r"|bumped)"
    r"(?: (?:back|up|down|out|over))?(?: from [^,.;]+?)? to (?P<v2>(?:[^,.;]|(?<=\d)[,.](?=\d)|(?<=[DM]r)\."
    r"|(?<=Mrs)\.|(?<=St)\.){1,40})",
    re.IGNORECASE,
)
# Attributes that have no slot of the registry and one value at a time, by the verb that names them.
_VERBS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "school",
            r"^我?(?:今年|现在|刚|已经|转学到|转到)*在?(?P<v>[^，,。]{2,14}?(?:小学|中学|高中|大学|学院|幼儿园"
            r"|[一二三四五六七八九十]+[小中]|附[小中]|实验"
            r"|学校))(?:上|$)",
        ),
        (
            "school",
            r"^i (?:goes?|go|attends?|stud(?:y|ies)|transferred|switched)(?: now)? (?:at "
            r"|to )?(?P<v>(?-i:[A-Z])[\w.']*(?: (?-i:[A-Z])[\w.']*)*)",
        ),
        (
            "car",
            r"^我?(?:自己|平时|现在|一直)*开(?:的是|的车是)?(?:一?辆|的)?(?P<v>(?!车|会|心|始|发|店|公司|门|户|学"
            r"|了|通|玩笑|网)[^，,。]{2,16})$",
        ),
        ("car", r"^i(?:'m| am)? (?:currently |now )?(?:drives?|driving) (?:an?|my) (?P<v>[^,.;]{2,40})"),
        (
            "phone",
            r"^我?(?:自己|平时|现在)*(?:用的?(?:手机)?(?:是|着)?|的?手机(?:型号)?(?:是|用的是"
            r"|换成了?))\s*(?:一?[部台])?(?P<v>(?:iPhone|小米|华为"
            r"|荣耀|三星|OPPO|vivo|红米|一加|魅族|Pixel|Galaxy|Mate|Pura)[^，,。]{0,16})",
        ),
        (
            "phone",
            r"^(?:these days )?(?:i (?:now )?uses?|i have|i got|my phone (?:is|'s)(?: now)?) (?:an?"
            r"|the)? ?(?P<v>(?:iphone|pixel|galaxy|samsung|oneplus|xiaomi|huawei|nokia|motorola)[^,.;]{0,20})",
        ),
        ("blood type", r"^我?(?:的血型)?是?(?P<v>AB|A|B|O)型血?"),
        ("zodiac", r"^我?是?(?P<v>[\u4e00-\u9fff]{2})座的?$"),
        ("born in the year of", r"^我?属(?P<v>[鼠牛虎兔龙蛇马羊猴鸡狗猪])$"),
        ("graduated", r"^我?(?:是)?(?P<v>(?:19|20)\d\d年).{0,6}毕业"),
        ("married in", r"^我?(?:是)?(?P<v>(?:19|20)\d\d年).{0,4}结的?婚"),
        ("born", r"^(?:i was born in|我?(?:是)?(?=(?:19|20)\d\d年出?生))(?: the year)? ?(?P<v>(?:19|20)\d\d)"),
        (
            "major",
            r"^(?:i (?:stud(?:y|ied|ies)|majored in|major in)|my major (?:is|was)) (?P<v>[a-z ]{4,30}?)(?: (?:at"
            r"|in) (?:university|college|uni)\b.*)?$",
        ),
        ("surname", r"^我?姓(?P<v>[\u4e00-\u9fff])"),
    )
)
_BREED = re.compile(r"^(?:i am an? |我是一?[只条]?)(?P<v>[\w ]{2,24})$", re.IGNORECASE)
_PLACE = re.compile(r"^我(?:现在|目前|一直|都)*在(?P<v>[\u4e00-\u9fff]{2,8})$")
_SCHOOL = re.compile(r"[\u4e00-\u9fff]|School|College|University|Academy|Primary|High|Elementary|Kindergarten|\bSt\b")
_TOPICS = (
    ("phone", "我的手机"),
    ("phone", "my phone"),
    ("car", "我的车"),
    ("car", "my car"),
    ("blood type", "我的血型"),
    ("blood type", "my blood type"),
    ("school", "我的学校"),
    ("school", "my school"),
)
# Subjects of which one has several.
_SEVERAL = re.compile(
    r"爱好|兴趣|宠物|技能|朋友|同事|特长|缺点|优点|梦想|目标|计划|任务|作业|问题|理由|原因|经历|项目$|孩子|客户"
    r"|\b(?:hobb(?:y|ies)|interests?|pets?|skills?|friends?|colleagues?|goals?|plans?|tasks?|problems?|reasons?"
    r"|projects?|strengths?|ideas?|books?|photos?|kids?|child)\b",
    re.IGNORECASE,
)
_COLOUR = re.compile(
    r"[红橙黄绿蓝紫黑白灰棕粉银金]色|\b(?:red|orange|yellow|green|blue|purple|black|white|gray|grey|brown|pink"
    r"|silver|gold|beige"
    r"|navy|teal)\b",
    re.I,
)


@dataclass(frozen=True)
class Claim:
    """A statement taken apart.

    `text` is as the user says it, `words` the same said of the user whoever it is of. `attribute` and `value` come from
    a verb or a copula, `topic` is the content of the copula's subject. `about` is all it speaks of beside the person
    and what it measures.
    """

    text: str
    words: str
    who: Person
    statement: Statement
    attribute: str | None
    value: str | None
    topic: Content | None
    about: Content
    measured: tuple[Quantity, ...]
    negated: bool
    changes: bool

    @property
    def several(self) -> bool:
        """Say whether one may have several of what it speaks of."""
        return _SEVERAL.search(self.text) is not None


def _named(about: Content, who: Person) -> Content:
    return replace(about, words=about.words | {stem(who.name)}) if who.name else about


def across(one: Claim, other: Claim) -> tuple[Claim, Claim]:
    """Return two claims in one language where one is Chinese and the other English, as far as the lexicon reaches."""
    chinese = [re.search(r"[\u4e00-\u9fff]", each.text) is not None for each in (one, other)]
    if chinese[0] == chinese[1]:
        return one, other
    mine, theirs = (_translated(each) if zh else each for each, zh in zip((one, other), chinese, strict=True))
    return mine, theirs


def _translated(each: Claim) -> Claim:
    value = in_english(each.statement.value or "").strip() or None
    about = Content(each.about.words | content(in_english(each.words)).words, content(in_english(each.words)).chars)
    return replace(each, about=about, statement=replace(each.statement, value=value))


@functools.lru_cache(maxsize=512)
def claim(text: str) -> Claim:
    """Take a statement apart."""
    words = plain_words(text)
    who, spoken = subject(text)
    statement = read(own(text))
    if statement.slot is None and not who.is_user:
        statement = read(spoken)
    said = plain_words(spoken)
    whole = said
    if who.name and not who.chain:
        whole = re.sub(r"^\W*\w", lambda first: f"the {first.group().lower()}", plain_words(own(text)))
    attribute, value, topic = _structure(own(text), said, whole, who.is_user, who.chain[-1] if who.chain else "")
    return Claim(
        text=own(text),
        words=said,
        who=who,
        statement=statement,
        attribute=attribute,
        value=value,
        topic=topic,
        about=_named(content(said), who),
        measured=quantities(said),
        negated=negations(said) % 2 == 1,
        changes=became(words) or statement.changes,
    )


def _structure(
    words: str, said: str, whole: str, of_user: bool, kind: str
) -> tuple[str | None, str | None, Content | None]:
    for name, pattern in _VERBS:
        match = pattern.match(bare(said))
        if match and (name != "school" or _SCHOOL.search(match["v"]) or not of_user):
            return name, bare(match["v"]), next((content(words) for topic, words in _TOPICS if topic == name), None)
    breed = _BREED.match(bare(said))
    if breed is not None and kind in ("dog", "cat"):
        return "breed", bare(breed["v"]), None
    place = _PLACE.match(bare(said)) if kind else None
    if place is not None:
        return "place", place["v"], None
    favourite = one_valued(words)
    if favourite is not None:
        return f"={favourite[0]}", favourite[1], content(favourite[0])
    for pattern in (_CHANGED_EN, _COPULA_EN) if not re.search(r"[\u4e00-\u9fff]{2}", whole) else (_COPULA_ZH,):
        match = pattern.match(bare(whole))
        if match is None:
            continue
        groups = match.groupdict()
        value = groups["v"] or groups.get("v2") or ""
        between = match.group()[: -len(value)] if value else match.group()
        owed = " due" if re.search(r"\bdue\b", between) else ""
        topic = content((groups["s"] or groups.get("s2") or "") + owed, measured=True)
        if topic.size:
            return next((name for name, words in _TOPICS if content(words) == topic), "is"), bare(value), topic
    return None, None, None


def value_type(value: str) -> str:
    """Return what sort of value it is: two values exclude each other only where they are of one sort."""
    if _COLOUR.search(value):
        return "colour"
    measured = quantities(value)
    if measured and sum(one.end - one.start for one in measured) * 2 >= len(value.strip()):
        return measured[0].dimension
    if re.match(r"[A-Z0-9]|an? ", value):
        return "thing"
    if re.search(r"[\u4e00-\u9fff]", value):
        return "quality" if value.endswith("的") or re.match(r"[很太挺真非]", value) else "thing"
    return "quality"
