"""Secrets in what people say: passwords with their value, keys, card numbers (zh + en).

To speak of a secret is not to tell it: "I forgot my password" holds none. In doubt a value counts as one, since a
secret kept is worse than a sentence not kept.
"""

import re
import unicodedata

from nodes.language.cards import card_number_in
from nodes.language.invisible import clean
from nodes.language.keys import key_in

_NAMES_ZH = (
    r"(?:密码(?!管理|强度|学|本(?!是)|箱|锁|保护|策略|规则|长度|位数)词?|口令|密令|暗号|助记词|恢复短语|验证码|校验码|动态码|安全码"
    r"|解锁码|开机码|pin码)"
)
_NAMES_EN = (
    r"\b(?:(?:recovery|seed|backup|secret) (?:phrases?|words)|mnemonics?|passwords?|passphrases?|passcodes?|passwd"
    r"|pwd)"
)
# These are numbers; without one they are something else, as a pin on a map is.
_NUMBERS_EN = (
    r"\b(?:pin(?: code| number)?|(?:security|verification|access|door|alarm|unlock|one-time|auth(?:entication)?) code"
    r"|otp|2fa code|cvv2?|cvc2?)"
)
_WHAT_FOR = r"(?: (?:for|of|to|at|on) [\w .@'-]{1,30}?)?"
_QUOTE = r"[\s\"'“”‘’「『`]*"
_EQUALS_ZH = r"(?:是|为|改成|改为|换成|换为|设成|设为|设置成|设置为|叫|等于|[:=])了?"
_TOKEN = r"[A-Za-z0-9!@#$%^&*_+./\\~?-]"
_MIXED = rf"(?={_TOKEN}*\d|{_TOKEN}*[!@#$%^&*_+~])(?!{_TOKEN}*://){_TOKEN}{{3,}}"
# What a sentence says about a password without telling it.
_NO_VALUE_ZH = (
    r"(?!什么|多少|啥|哪|谁|几|不|没|错|对的|很|太|非常|必须|需要|应该|为了|因为|由|保密|随机|一样"
    r"|相同|加密|安全|重要|私密"
    r"|个人|秘密|有效|无效|过期|正确|忘|在|用来|怎么|如何|可以|能|要|会|被|空|了|以前|好|弱|强"
    r"|复杂|简单|[\d一二两三四五六七八九十]+位"
    r"|[^，。！？；]{0,10}(?:吗|呢|[?]))"
)
_NO_VALUE_EN = (
    r"(?!(?:not|n't|the|a|an|too|so|very|really|quite|pretty|also|always|still|now|no|never|only|just|more|less|same"
    r"|wrong|right|correct|incorrect|invalid|valid|weak|strong|secure|insecure|safe|secret|private"
    r"|hard|easy|difficult"
    r"|simple|long|short|old|new|important|required|mandatory|needed|stored|saved|kept|hidden|lost|gone|forgotten"
    r"|broken|missing|empty|blank|expired|expiring|changed|reset|stolen|leaked|compromised|encrypted|hashed|protected"
    r"|written|unknown|different|unique|random|case|sensitive|in|on|at|for|from|to|with|by|of|as|and|or|but|because"
    r"|what|which|where|when|why|how|who|that|this|it|my|your|his|her|our|their|something|anything"
    r"|being|going|supposed"
    r"|set|used|working|good|bad|fine|ok|okay|complex|complicated|due|ready|up|out|is|are|was"
    r"|stupid|annoying|at least)"
    r"(?![\w-])(?!\S*[\d!@#$%^&*_+~]))"
)
_PASSWORD = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_NAMES_ZH}[^，。！？；,;!?\n:=]{{0,8}}?{_EQUALS_ZH}{_QUOTE}"
        rf"(?:{_TOKEN}{{3,}}|{_NO_VALUE_ZH}[\u3400-\u9fff]{{2,16}})",
        rf"{_NAMES_ZH}{_QUOTE}(?!\d+[年月日次天个位遍])(?={_TOKEN}*\d){_TOKEN}{{4,}}(?![年月日次天个位遍])",
        rf"(?<!{_TOKEN}){_MIXED}{_QUOTE}(?:就?是|[当做作])(?:我|咱|俺|家里|公司|银行卡?|手机|电脑"
        rf"|邮箱|支付宝|微信|[wW]i-?[fF]i|的)*"
        rf"{_NAMES_ZH}",
        rf"{_NAMES_EN}\b{_WHAT_FOR}(?:\s+(?:is|was|are|will be)(?: now| actually| still| just)?\s"
        rf"|\s*[:=]|'s\s){_QUOTE}"
        rf"{_NO_VALUE_EN}\w\S{{2,}}",
        rf"{_NAMES_EN}\b{_WHAT_FOR}\s+(?:to\s+|as\s+)?{_QUOTE}(?={_TOKEN}*\d){_TOKEN}{{4,}}",
        rf"\b(?:chang|sett?|reset|updat|switch)\w* [\w' ]{{0,20}}{_NAMES_EN}\b{_WHAT_FOR} (?:to"
        rf"|as) {_QUOTE}{_NO_VALUE_EN}"
        r"\w\S{3,}",
        rf"{_NUMBERS_EN}\b{_WHAT_FOR}(?:\s+(?:is|was|to)(?: now)?|\s*[:=#]|'s)?{_QUOTE}\d[\d -]{{1,8}}\d\b",
        rf"(?<!{_TOKEN}){_MIXED}{_QUOTE} (?:is|was|as) (?:my|our|the"
        rf"|a) [\w' ]{{0,20}}?(?:{_NAMES_EN}|{_NUMBERS_EN})\b",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,64}:[^\s/@]{1,128}@",
    )
)


def withheld(text: str) -> str:
    """Return what is shown in place of a text that holds a secret."""
    return f"({secret_in(text) or 'words beside a secret'}, withheld)" if text else ""


def without_secrets(text: str, spoken: list[str]) -> list[str]:
    """Return those sentences of a text that tell no secret; none where one runs over more than one of them."""
    if secret_in(text) is None:
        return spoken
    safe = [sentence for sentence in spoken if secret_in(sentence) is None]
    # The body of a key stands on other lines than its heading.
    runs_over = "PRIVATE KEY-----" in text or len(safe) == len(spoken) or secret_in(" ".join(safe)) is not None
    return [] if runs_over else safe


def secret_in(text: str) -> str | None:
    """Return what kind of secret a text tells ("key", "card number" or "password"), or None."""
    plain = clean(unicodedata.normalize("NFKC", text))
    if key_in(plain):
        return "key"
    if card_number_in(plain):
        return "card number"
    return "password" if any(pattern.search(plain) for pattern in _PASSWORD) else None
