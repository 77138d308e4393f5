"""Whether words rest on a source, and how alike two texts are; Chinese and English, without a model."""

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence

from nodes.language.invisible import clean
from nodes.language.timex.numerals import chinese, english
from state.records import normalised

_CJK = r"\u3400-\u9fff\uf900-\ufaff"
_SELECTOR = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_WORD = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:['.+#-]?[^\W_{_CJK}]+)*[+#]*")
_NUMBER = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_UNITS_ZH = "个岁年月日号点人次元块天周位名只条万千百步分秒小时家杯本部米公里斤%度届页章楼层室间台辆票"
_NUMBER_ZH = re.compile(rf"[零〇一二两三四五六七八九十百]{{2,7}}|(?!十分)[二两三四五六七八九十](?=[{_UNITS_ZH}])")
_NUMBER_EN = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen|eighteen"
    r"|nineteen|twenty)\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"(?:星期|礼拜|周)([一二三四五六日天])|\b(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?s?\b", re.IGNORECASE
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTH = re.compile(
    r"\b(?:(jan)(?:uary)?|(feb)(?:ruary)?|(mar)(?:ch)?|(apr)(?:il)?|(may)|(june?)|(july?)"
    r"|(aug)(?:ust)?|(sep)(?:t(?:ember)?)?"
    r"|(oct)(?:ober)?|(nov)(?:ember)?|(dec)(?:ember)?)\b",
    re.IGNORECASE,
)
_QUOTED_NAME = re.compile(r"《([^》]+)》|“([^”]+)”|「([^」]+)」|『([^』]+)』|\"([^\"]+)\"")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9'’&+#.-]*[A-Za-zÀ-ɏ0-9+#]|[A-Z]")
_SENTENCE_START = re.compile(r"(?:^|[.!?;:。！？；\n\"“(]|[-•*])\s*$")
# Capital letters that name nobody.
_NO_NAMES = frozenset(("i", "i'm", "i've", "i'd", "i'll", "a", "the", "user", "users", "ok", "am", "pm", "a.m", "p.m"))


def occurs(span: str, source: str) -> bool:
    """Say whether a span stands in a source, whatever its width, case, white space, quotes and invisible characters.

    A span that begins or ends inside a Latin word or a number does not occur; an empty one never does.
    """
    wanted, given = folded(span), folded(source)
    if not wanted:
        return False
    start = given.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not _joined(given, start) and not _joined(given, end):
            return True
        start = given.find(wanted, start + 1)
    return False


def folded(text: str) -> str:
    """Return a text as `occurs` compares it: width, case, white space, quotes folded, nothing invisible."""
    visible = _SELECTOR.sub("", clean(text))
    visible = "".join(char for char in visible if unicodedata.category(char) != "Cf")
    plain = normalised(visible).translate({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'})
    # A space beside a Chinese character separates nothing.
    return re.sub(rf"(?<=[{_CJK}，。！？：；、]) | (?=[{_CJK}，。！？：；、])", "", plain)


def _joined(text: str, border: int) -> bool:
    if not 0 < border < len(text):
        return False
    return all(char.isalnum() and not re.match(f"[{_CJK}]", char) for char in text[border - 1 : border + 1])


def touches(span: str, sentence: str) -> bool:
    """Say whether one of the two stands in the other: the span is a part of the sentence, or runs over it."""
    return occurs(span, sentence) or occurs(sentence, span)


def ungrounded(summary: str, sources: Sequence[str]) -> list[str]:
    """Return the numbers, dates, weekdays and names of a summary that occur in none of its sources.

    Names are Latin words with a capital (in Chinese text: all Latin words) and what stands in quotation marks. A word
    whose capital only opens an English sentence is taken for no name unless another capital follows. Numbers are
    compared by value: "三十", "30" and "thirty" are not told apart up to twenty in English, 999 in Chinese.
    """
    said = "\n".join(sources)
    given, values = folded(said), numbers(said)
    weekdays = {_weekday(match) for match in _WEEKDAY.finditer(said)}
    words = {word.casefold() for word in _LATIN.findall(_plain(said))}
    strange = [match.group() for match, value in _numbered(summary) if value not in values]
    strange += [match.group() for match in _WEEKDAY.finditer(summary) if _weekday(match) not in weekdays]
    strange += [name for name in names(summary) if name.casefold() not in words and folded(name) not in given]
    quoted = (next(group for group in groups if group) for groups in _QUOTED_NAME.findall(summary))
    strange += [name for name in quoted if folded(name) not in given]
    return list(dict.fromkeys(strange))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("’", "'")


def _weekday(match: re.Match[str]) -> int:
    chinese_name, english_name = match.groups()
    return (
        _WEEKDAYS.index(english_name.lower())
        if english_name
        else "一二三四五六日".index(chinese_name.replace("天", "日"))
    )


def _numbered(text: str) -> Iterator[tuple[re.Match[str], float]]:
    """Yield the numbers of a text with their values; a month counts as its number."""
    plain = _WEEKDAY.sub("周", _plain(text))
    for match in _NUMBER.finditer(plain):
        yield match, float(match.group().replace(",", ""))
    for match in _NUMBER_ZH.finditer(plain):
        try:
            yield match, float(chinese(match.group()))
        except ValueError:
            continue  # "二三十": an estimate, no number
    for match in _NUMBER_EN.finditer(plain):
        yield match, float(english(match.group()))
    for match in _MONTH.finditer(plain):
        if match.group() != "may" and match.group() != "march":  # a verb, unless it has a capital
            yield match, float(match.lastindex or 0)


def numbers(text: str) -> frozenset[float]:
    """Return the values of the numbers and months in a text, however they are written."""
    return frozenset(value for _, value in _numbered(text))


def names(text: str) -> list[str]:
    """Return the Latin words of a text that look like names."""
    plain = _plain(text)
    mostly_chinese = len(re.findall(f"[{_CJK}]", plain)) * 2 > len(re.findall(r"[A-Za-z]", plain))
    found: list[str] = []
    for match in _LATIN.finditer(plain):
        word = re.sub(r"'s$", "", match.group())
        if word.casefold() in _NO_NAMES or len(word) < 2 or _WEEKDAY.fullmatch(word) or _MONTH.fullmatch(word):
            continue
        opens = _SENTENCE_START.search(plain[: match.start()]) is not None
        capital_follows = re.match(r"'?s? [A-Z][a-z]", plain[match.end() :]) is not None
        if mostly_chinese or word[1:] != word[1:].lower() or (word[0].isupper() and (not opens or capital_follows)):
            found.append(word)
    return found


def overlap(a: str, b: str) -> float:
    """Return how alike two texts are by their words, 0 to 1: Jaccard over Latin words and Chinese character pairs.

    Case, width and punctuation do not count. Two texts without any word are not alike.
    """
    first, second = terms(a), terms(b)
    return len(first & second) / len(first | second) if first and second else 0.0


@functools.lru_cache(maxsize=8192)
def terms(text: str) -> frozenset[str]:
    """Return the units in which texts are compared: Latin words, numbers, pairs of Chinese characters."""
    found: set[str] = set()
    for run in _WORD.findall(folded(text)):
        if re.match(f"[{_CJK}]", run) and len(run) > 1:
            found.update(run[at : at + 2] for at in range(len(run) - 1))
        else:
            found.add(run)
    return frozenset(found)
