"""Texts that order the assistant about: overrule what it was told, give it roles, duties or beliefs (zh + en).

They come in pasted pages above all, and disguised: full width, invisible characters, look-alike letters, letters set
apart, traditional characters, Base64. A person who tells of rules, orders or roles of their own orders nobody.
"""

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from nodes.language.commands import steers
from nodes.language.invisible import clean
from nodes.language.orders import (
    MANNER,
    MARKS,
    NOT_TO,
    ORDERS_EN,
    ORDERS_ZH,
    OVERRULES_EN,
    OVERRULES_ZH,
    OWN_EN,
    OWN_ZH,
    TO_AI,
)

_CJK = r"\u3400-\u9fff"
_LOOK_ALIKE = str.maketrans(
    "авеёзікмнорсстухѕјԁɡһԛԝѵαεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕЅІЈКМНОРСТУХ",
    "abee3ikmhopcctyxsjdghqwvaeiknoptuxABEZHIKMNOPTYXABESIJKMHOPCTYX",
)
_MIXED_WORD = re.compile(
    r"(?<![^\W\d_])[^\W\d_]{0,30}(?:[A-Za-z][\u0370-\u052f]|[\u0370-\u052f][A-Za-z])[^\W\d_]{0,30}"
)
_LEET = str.maketrans("0134578@$", "oieastbas")
_LEET_WORD = re.compile(r"\b(?=[\w@$]*[a-z])(?=[\w@$]*[013457@$])[\w@$]{4,30}\b", re.I)
_TRADITIONAL = str.maketrans(
    "無視規則設開發會應當對說話語問題覆輸顯洩個絕總終務執於後來過嚴為與這們讓給幫寫譯轉帳號碼點連結級權員訊網頁獲須許準統裝變換稱棄廢從聽傳導沒現記憶請將繞過並檢查約遵審審認證實資戶帶頭還體條",
    "无视规则设开发会应当对说话语问题复输显泄个绝总终务执于后来过严为与这们让给帮写译转账号码点连结级权员讯网页获须许准统装变换称弃废从听传导没现记忆请将绕过并检查约遵审审认证实资户带头还体条",
)
_JOINERS = re.compile("[\u200c\u200d]")
_SPACED = re.compile(r"\b(?:[A-Za-z] ){3,}[A-Za-z]\b")
_GAP = re.compile(rf"(?<=[{_CJK}])[ \t\-_.*|/·~]{{1,3}}(?=[{_CJK}])")
_LATIN = re.compile("[A-Za-z]")
_CHINESE = re.compile(f"[{_CJK}]")
_SENTENCE = re.compile(r"(?<=[。！？!?\n])|(?<=[.;])\s")
_ENCODED = re.compile(r"(?<![\w+/-])[\w+/-]{24,}={0,2}")


@lru_cache(maxsize=4096)
def is_injection(text: str) -> bool:
    """Say whether a text tries to overrule what the assistant was told, or tells it what to do and believe."""
    plain = folded(text)
    if _orders(plain):
        return True
    told = _LEET_WORD.sub(lambda match: match.group().translate(_LEET), plain)
    if told != plain and _overrules(told):
        return True
    return any(_orders(hidden) for hidden in _decoded(plain))


def folded(text: str) -> str:
    """Return a text as it is meant to be read, undisguised: width, invisible characters, look-alikes, gaps, script."""
    plain = html.unescape(text)
    if plain.isascii():
        return _SPACED.sub(lambda match: match.group().replace(" ", ""), plain)
    plain = clean(unicodedata.normalize("NFKC", plain)).replace("’", "'").replace("‘", "'")
    plain = _JOINERS.sub("", plain).translate(_TRADITIONAL)
    plain = _MIXED_WORD.sub(lambda match: match.group().translate(_LOOK_ALIKE), plain)
    plain = _SPACED.sub(lambda match: match.group().replace(" ", ""), plain)
    return _GAP.sub("", plain)


def _orders(plain: str) -> bool:
    if MARKS.search(plain) or _overrules(plain) or any(map(steers, _SENTENCE.split(plain))):
        return True
    return next(_matches(plain, ORDERS_EN, ORDERS_ZH), None) is not None


def _matches(text: str, english: re.Pattern[str], chinese: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of the pattern of each language that a text is in."""
    if _LATIN.search(text):
        yield from english.finditer(text)
    if _CHINESE.search(text):
        yield from chinese.finditer(text)


def _overrules(plain: str) -> bool:
    for match in _matches(plain, OVERRULES_EN, OVERRULES_ZH):
        before = re.split(r"[,，.。!！?？;；:：\n]", plain[max(match.start() - 80, 0) : match.start()])[-1]
        own = OWN_EN.search(before) or OWN_ZH.search(before)
        if own and not TO_AI.search(before):
            continue
        if NOT_TO.search(before) or (_is_manner(match.group()) and MANNER.search(_clause_from(plain, match.start()))):
            continue
        return True
    return False


def _is_manner(words: str) -> bool:
    """Say whether words may begin a wish about the manner of answers: "从现在起你…" does."""
    return words.startswith("从现在") and not words.endswith("只听我")


def _clause_from(text: str, start: int) -> str:
    return re.split(r"[。！？!?\n]", text[start : start + 120], maxsplit=1)[0]


def _decoded(text: str) -> list[str]:
    """Return what Base64 runs of a text say, where it is text."""
    found = []
    for match in _ENCODED.finditer(text):
        run = match.group().rstrip("=")[:8_000].replace("-", "+").replace("_", "/")
        try:
            said = base64.b64decode(run[: len(run) - (len(run) % 4 == 1)] + "=" * (-len(run) % 4)).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError, ValueError):
            continue
        if said.isprintable() or "\n" in said:
            found.append(folded(said))
    return found
