"""How people are called by their relation to the speaker, and the pets they live with (zh + en)."""

import re

# One key per relation; what is narrower ends with the wider key, so that "older sister" is a "sister".
_RELATIONS: tuple[tuple[str, str, str], ...] = (
    ("wife", "老婆|妻子|太太|媳妇|夫人", "wife"),
    ("husband", "老公|丈夫|先生(?=的|[^\u4e00-\u9fff]|[在是住叫喜爱开])", "husband|hubby"),
    ("girlfriend", "女朋友|女友", "girlfriend"),
    ("boyfriend", "男朋友|男友", "boyfriend"),
    ("partner", "对象|爱人|伴侣|另一半|未婚[妻夫]", "partner|spouse|fianc[eé]e?|other half"),
    ("ex", "前[妻夫任]|前男友|前女友", "ex(?:-\\w+)?"),
    ("mother-in-law", "岳母|婆婆|丈母娘", "mother[- ]in[- ]law|mum[- ]in[- ]law"),
    ("father-in-law", "岳父|公公|老丈人", "father[- ]in[- ]law"),
    ("grandmother", "奶奶|外婆|姥姥|祖母", "grand(?:mother|ma)|gran|granny|nana?|grammy"),
    ("grandfather", "爷爷|外公|姥爷|祖父|老爷子", "grand(?:father|pa)|grandad|granddad|gramps|grandpop"),
    ("parents", "爸妈|父母|爹妈|家人", "parents|folks"),
    ("mother", "妈妈?|母亲|老妈", "mother|mum|mom|mummy|mommy|mam"),
    ("father", "爸爸?|父亲|老爸", "father|dad|daddy"),
    ("male cousin", "[表堂](?:哥哥?|弟弟?|兄)", "cousin brother"),
    ("female cousin", "[表堂](?:姐姐?|妹妹?)", "cousin sister"),
    ("cousin", "[表堂](?:兄弟|姐妹|亲)", "cousins?"),
    ("in-law", "嫂子|姐夫|妹夫|弟媳|小姨子|小舅子", "(?:brother|sister|son|daughter)-in-law"),
    ("older brother", "(?:大|二|三)?哥哥?(?!们)", "(?:older|elder|big) brother"),
    ("younger brother", "(?:小|二|三)?弟弟?", "(?:younger|little|kid) brother"),
    ("brother", "兄弟", "brothers?"),
    ("older sister", "(?:大|二|三)?姐姐?", "(?:older|elder|big) sister"),
    ("younger sister", "(?:小|二|三)?妹妹?", "(?:younger|little|kid) sister"),
    ("sister", "姐妹", "sisters?"),
    ("grandchild", "孙[子女]", "grand(?:son|daughter|child|kids?|children)"),
    ("niece", "侄女|外甥女", "nieces?"),
    ("nephew", "侄子|外甥", "nephews?"),
    ("son", "(?:大|小|二)?儿子", "(?:oldest |youngest |elder |younger |older )?sons?"),
    ("daughter", "(?:大|小|二)?女儿|闺女", "(?:oldest |youngest |elder |younger |older )?daughters?"),
    ("child", "孩子|宝宝|娃", "child|children|kids?|baby"),
    ("maternal uncle", "舅舅?|姨父", "maternal uncle"),
    ("uncle", "叔叔?|伯伯?|伯父|姑父|大爷", "uncles?"),
    ("aunt", "阿姨|姑姑|姨妈?|舅妈|婶婶?|小姨", "aunts?|auntie"),
    ("friend", "朋友|闺蜜|哥们儿?|死党|发小|兄弟们|球友|网友", "(?:best )?friends?|mates?|buddy|pal|bestie"),
    (
        "colleague",
        "同事|搭档|实习生|下属|助理",
        "colleagues?|co-?workers?|team ?mates?|interns?|assistant|work ?mates?",
    ),
    (
        "classmate",
        "同学|校友|同桌|班长|学长|学姐|学弟|学妹|师[兄姐弟妹]",
        "classmates?|lab ?mates?|study (?:buddy|partner)",
    ),
    ("roommate", "室友|舍友", "(?:room|flat|house)mates?"),
    ("neighbour", "邻居|楼上|楼下|隔壁", "neighbou?rs?"),
    ("boss", "老[板扳]|领导|上司|经理|主管|组长|总监", "boss|manager|supervisor|line manager|team lead(?:er)?"),
    ("teacher", "班主任|老师|导师|教练", "teachers?|tutors?|coach|professor"),
    ("student", "学生|徒弟", "students?"),
    ("client", "客户|甲方", "clients?|customers?"),
    ("landlord", "房东", "landlord|landlady"),
    ("tenant", "租客", "tenants?"),
    ("nanny", "保姆|月嫂|钟点工|育儿嫂", "nanny|cleaner|babysitter|au pair|child ?minder"),
    ("dog", "狗狗?|小狗", "dogs?|puppy|puppies"),
    ("cat", "猫咪?|小猫", "cats?|kittens?|kitty"),
)
_ZH = {key: re.compile(zh) for key, zh, _ in _RELATIONS}
ANY_ZH = "|".join(f"(?:{zh})" for _, zh, _ in _RELATIONS)
ANY_EN = "|".join(en for _, _, en in _RELATIONS)
_EN = {key: re.compile(rf"(?:{en})", re.IGNORECASE) for key, _, en in _RELATIONS}


def key(relation: str) -> str:
    """Return the one word for a relation: 老婆 and "hubby" are "wife" and "husband"."""
    words = relation.strip()
    table = _ZH if re.search(r"[\u4e00-\u9fff]", words) else _EN
    return next((name for name, pattern in table.items() if pattern.fullmatch(words)), words.lower())


def by_key(text: str) -> str:
    """Return a text with every relation called by its one word."""
    words = _WORDS_ZH.sub(lambda match: f" {key(match.group())} ", text)
    return _WORDS_EN.sub(lambda match: key(match.group()), words)


_WORDS_ZH = re.compile(ANY_ZH)
_WORDS_EN = re.compile(rf"\b(?:{ANY_EN})\b", re.IGNORECASE)
