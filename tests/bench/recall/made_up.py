"""A made-up life in as many sentences as are asked for, and questions about it, Chinese and English by turns."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from state.records import Kind, Language

LANGUAGES: tuple[Language, ...] = ("zh", "en")


def _list(words: str) -> list[str]:
    return re.split(r"、|, ", words)


_WORDS: Mapping[Language, Mapping[str, Sequence[str]]] = {
    "zh": {
        "who": _list("同事小周、表哥、房东、教练老韩、邻居、导师、室友阿宁、外婆、堂妹、客户沈总、班主任、牙医"),
        "what": _list(
            "旧书架、跑步机、预算表、海鲜面、雨伞、吉他、停车位、旅行箱、投影仪、月饼、登山鞋、体检报告、"
            "窗帘、咖啡机、合同、显微镜、风筝、烤箱、鱼缸、护照、简历、滑雪板、望远镜、三轮车"
        ),
        "where": _list("图书馆、地铁站、超市、阳台、植物园、火车站、健身房、法院、码头、画廊、实验室、老街"),
        "did": _list("修好了、买了、讨论了、借走了、弄丢了、预订了、退掉了、画了、拆开了、称赞了"),
        "when": _list("昨天、上周三、前天晚上、三月十二号、上个月底、今天早上、国庆节、周末"),
        "due": _list("下周五、月底、元旦、十月八号、明天中午、春节"),
    },
    "en": {
        "who": _list(
            "Omar, my aunt, the landlord, Priya, a neighbour, my coach, Lena, the plumber, Jonas, my boss, Dr Okoye"
        ),
        "what": _list(
            "lamp, bicycle, sofa, router, kettle, tent, blender, ladder, camera, scooter, desk, piano, passport, "
            "contract, mirror, telescope, oven, carpet, violin, invoice, map, raincoat, printer, wardrobe"
        ),
        "where": _list(
            "library, station, supermarket, balcony, museum, harbour, gym, courthouse, workshop, garden, lab, market"
        ),
        "did": _list("fixed, bought, talked about, borrowed, lost, ordered, returned, painted, took apart, praised"),
        "when": _list("yesterday, last Wednesday, on 12 March, at the end of last month, this morning, over Easter"),
        "due": _list("next Friday, the end of the month, Christmas, 8 October, tomorrow, Thanksgiving"),
    },
}
_FRAMES: Mapping[Language, Mapping[Kind, str]] = {
    "zh": {
        "event": "{when}和{who}在{where}{did}{what}",
        "fact": "{who}的{what}是在{where}{did}的",
        "preference": "去{where}我喜欢带着{what}，还喜欢叫上{who}，因为我们{did}它",
        "decision": "和{who}商量过了，决定在{where}把{what}留下，因为已经{did}",
        "task": "要在{due}前和{who}一起把{what}送到{where}",
        "episode": "聊到{who}{when}在{where}{did}{what}的经过",
    },
    "en": {
        "event": "{when} I {did} the {what} with {who} at the {where}",
        "fact": "The {what} that {who} {did} is kept at the {where}",
        "preference": "I like the {what} at the {where} best since {who} {did} it",
        "decision": "We decided to keep the {what} at the {where} after {who} {did} it",
        "task": "I have to bring the {what} to {who} at the {where} before {due}",
        "episode": "We spoke about how {who} {did} a {what} near the {where} {when}",
    },
}
_ASKED: Mapping[Language, Sequence[str]] = {
    "zh": (
        "{who}在{where}{did}什么？",
        "{what}的事情是怎么说的？",
        "我和{who}把{what}放到哪里了？",
        "谁在{where}{did}{what}？",
    ),
    "en": (
        "What did {who} do at the {where}?",
        "Where is the {what} now?",
        "Who {did} the {what} at the {where}?",
        "What was it about {who} and the {what}?",
    ),
}
_ASKED_BY_TIME: Mapping[Language, Sequence[str]] = {
    "zh": (
        "上个月我在{where}做了什么？",
        "三个月前{who}{did}的是什么？",
        "去年国庆节和谁去的{where}？",
        "下周要把{what}送去哪里？",
    ),
    "en": (
        "What did I do at the {where} last month?",
        "What happened with the {what} in March?",
        "Who did I meet at the {where} three months ago?",
        "What did {who} need last Christmas?",
    ),
}
# What the user says of themself, in a slot, and how it is asked for.
OF_USER: Mapping[str, tuple[str, str]] = {
    "user.home_city": ("我住在绍兴", "我住在哪个城市？"),
    "user.employer": ("I work for a maker of lighthouse lamps", "Where do I work?"),
    "user.phone": ("我的手机号码结尾是四个八", "我的手机号是多少？"),
    "user.allergy": ("I am allergic to walnuts", "What am I allergic to?"),
    "user.birthday": ("我的生日是五月二十号", "我的生日是哪一天？"),
    "user.occupation": ("I am a piano tuner", "What is my profession?"),
}


class Told(NamedTuple):
    """A memory as it is told: its kind, its words, and the slot it is in."""

    kind: Kind
    text: str
    slot: str | None = None


def told(count: int) -> list[Told]:
    """Return so many memories, all different, always the same; those in slots stand far apart among them."""
    frames = [(kind, frame, _WORDS[each]) for each in LANGUAGES for kind, frame in _FRAMES[each].items()]
    chance = random.Random(1)
    texts: dict[str, Kind] = {}
    turn = 0
    while len(texts) < count:
        kind, frame, words = frames[turn % len(frames)]
        texts.setdefault(_filled(frame, words, chance), kind)
        turn += 1
    memories = [Told(kind, text) for text, kind in texts.items()]
    chance.shuffle(memories)
    for place, (slot, (text, _)) in enumerate(OF_USER.items()):
        memories[place * count // len(OF_USER)] = Told("fact", text, slot)
    return memories


def questions(count: int, *, seed: int) -> list[str]:
    """Return so many questions: by turns Chinese and English, a fifth naming a time, one in twenty-five for a slot."""
    chance = random.Random(seed)
    of_user = _forever([asked for _, asked in OF_USER.values()])
    found = []
    for number in range(count):
        language = LANGUAGES[number % 2]
        if number % 25 == 12:
            found.append(next(of_user))
            continue
        frames = _ASKED_BY_TIME if number // 2 % 5 == 0 else _ASKED
        found.append(_filled(chance.choice(frames[language]), _WORDS[language], chance))
    return found


def _filled(frame: str, words: Mapping[str, Sequence[str]], chance: random.Random) -> str:
    return frame.format(**{name: chance.choice(some) for name, some in words.items()})


def _forever(texts: Sequence[str]) -> Iterator[str]:
    while True:
        yield from texts
