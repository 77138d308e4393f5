"""What is measured in a text, by value: lengths, weights, money, times of day, days, counts (zh + en).

"1 mile" and "1.6 km", "3pm" and 下午三点, 两斤 and "1 kg" are the same quantity. A small table of units, because no
kept library reads both languages.
"""

import functools
import re
import unicodedata
from collections.abc import Sequence

from nodes.language.moments import clocks, dates, ordinals, small, weekdays
from nodes.language.numerals import NUMBER, value
from nodes.language.quantity import Quantity, contains, same

__all__ = ["Quantity", "contains", "plain", "quantities", "same", "without"]

# Dimension, factor to its base unit, how the unit is written after a number.
_UNITS: tuple[tuple[str, float, str], ...] = (
    ("mass", 1, r"克(?!拉)|grams?\b|gr?\b"),
    ("mass", 0.001, r"毫克|milligrams?\b|mgs?\b"),
    ("mass", 0.000001, r"微克|micrograms?\b|[mμµ]cg\b|[μµ]g\b"),
    ("mass", 1000, r"公斤|千克|kilo(?:gram)?s?\b|kgs?\b"),
    ("mass", 500, r"斤"),
    ("mass", 50, r"两(?=重|肉|茶|白酒|$)"),
    ("mass", 453.592, r"磅|pounds?\b(?! sterling)|lbs?\b"),
    ("mass", 28.3495, r"盎司|ounces?\b|oz\b"),
    ("mass", 1_000_000, r"吨|tons?\b|tonnes?\b"),
    ("length", 1, r"米(?!饭|粉|线)|met(?:er|re)s?\b|m\b"),
    ("length", 1000, r"公里|千米|kilomet(?:er|re)s?\b|kms?\b|k(?= run| race)"),
    ("length", 500, r"里地|里(?=路|$|[，,。])"),
    ("length", 0.01, r"厘米|公分|centimet(?:er|re)s?\b|cms?\b"),
    ("length", 0.001, r"毫米|millimet(?:er|re)s?\b|mm\b"),
    ("length", 1609.344, r"英里|miles?\b|mi\b"),
    ("length", 0.3048, r"英尺|feet\b|foot\b|ft\b"),
    ("length", 0.0254, r"英寸|寸|inch(?:es)?\b|-inch\b"),
    ("volume", 1, r"毫升|millilit(?:er|re)s?\b|mls?\b"),
    ("volume", 1000, r"升(?!职|级|学)|lit(?:er|re)s?\b|l\b"),
    ("area", 1, r"平方米|平米|平方?(?!时|均|台)|㎡|square met(?:er|re)s?\b|sqm\b|m2\b"),
    ("area", 0.092903, r"square f(?:ee|oo)t\b|sq\.? ?ft\b"),
    ("share", 1, r"%|percent\b|per cent\b|个百分点"),
    ("degree", 1, r"摄氏度|℃|°C|度|degrees?(?: celsius)?\b"),
    ("duration", 60, r"分钟|minutes?\b|mins?\b"),
    ("duration", 3600, r"个?(?:小时|钟头)|hours?\b|hrs?\b"),
    ("duration", 1, r"秒钟?|seconds?\b|secs?\b"),
    ("duration", 86_400, r"天|days?\b"),
    ("duration", 604_800, r"周(?!岁|[一二三四五六日天末])|个?(?:星期|礼拜)(?![一二三四五六日天])|weeks?\b"),
    ("duration", 2_629_746, r"个月|months?\b"),
    (
        "duration",
        31_556_952,
        r"年(?!级|\d|[一二三四五六七八九十]+月|级|前|底|初|代|的|春|夏|秋|冬)|years?\b(?![ -]old)|yrs?\b",
    ),
    ("grade", 1, r"年级|(?:st|nd|rd|th) grade\b"),
    ("floor", 1, r"层(?!面|次)|楼(?!上|下)|(?:st|nd|rd|th) floor\b"),
    ("age", 1, r"周?岁|years?[ -]old\b|yo\b"),
    ("money", 1, r"元|块钱?|人民币|rmb\b|yuan\b|cny\b"),
    ("usd", 1, r"美元|美金|dollars?\b|bucks\b|usd\b"),
    ("eur", 1, r"欧元?|euros?\b|eur\b"),
    ("gbp", 1, r"英镑|pounds? sterling\b|gbp\b"),
    ("jpy", 1, r"日元|yen\b|jpy\b"),
    ("memory", 1, r"gb\b|g(?=内存)"),
    ("memory", 1024, r"tb\b"),
)
_SIGNS = {"$": "usd", "¥": "money", "€": "eur", "£": "gbp"}
_UNIT = tuple(
    (dimension, factor, re.compile(r"[\s-]?(?:" + unit + ")", re.IGNORECASE)) for dimension, factor, unit in _UNITS
)
_COUNTED = re.compile(
    r"[口个只条位名本张片粒颗杯瓶包次楼层室间台辆票遍步门套份家人页章路件匹头双盒箱支根场回顿碗勺滴遍号期级班]|公斤"
    r"|st\b|nd\b|rd\b|th\b"
)
_METRES = re.compile(r"(?P<m>[一二两\d])米(?P<cm>\d{1,2}|[一二三四五六七八九零〇]{1,2})(?![\d米])")
_FEET = re.compile(
    r"(?<!\d)(?P<feet>[3-7])(?:'| ?(?:ft|feet|foot) ?)(?P<inches>\d{1,2})(?!\d)(?:\"|''| ?in(?:ch(?:es)?)?\b)?",
    re.IGNORECASE,
)
_HALF = re.compile(
    r"(?:半(?=个?(?:小时|钟头|斤|公斤|年|天|个月))|half (?:an?|of an?)(?= (?:hour|kilo|mile|pound|day|year|mile)))",
    re.I,
)
# "one coffee" counts, "the new one" does not.
_ONE = re.compile(r" (?!of\b|more\b|day\b|another\b|is\b|was\b|thing\b|i\b)[a-z]", re.IGNORECASE)
_AN = re.compile(r"\ban?(?= (?:hour|mile|kilo|pound)\b)", re.IGNORECASE)
_SUFFIX_HALF = re.compile(r"^(?:个?半|(?: and a half))")


def plain(text: str) -> str:
    """Return a text as quantities are found in it: width folded, straight apostrophes, same positions as spans."""
    return unicodedata.normalize("NFKC", text.replace("’", "'"))


@functools.lru_cache(maxsize=1024)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Return what a text measures, in order. Positions refer to `plain(text)`."""
    words = plain(text)
    found: list[Quantity] = []
    for reader in (ordinals, dates, clocks, weekdays, _measures):
        taken = [(one.start, one.end) for one in found]
        found += [one for one in reader(words) if not any(one.start < end and start < one.end for start, end in taken)]
    return tuple(sorted(found, key=lambda one: one.start))


def without(text: str, found: Sequence[Quantity]) -> str:
    """Return a text with what it measures blanked out."""
    words = list(plain(text))
    for one in found:
        words[one.start : one.end] = " " * (one.end - one.start)
    return "".join(words)


def _measures(words: str) -> list[Quantity]:
    found = []
    for match in _METRES.finditer(words):
        digits = "".join(str(small(char)) for char in match["cm"])
        metres = small(match["m"]) + float(f"0.{digits}")
        found.append(Quantity("length", metres, match.group(), *match.span()))
    for match in _FEET.finditer(words):
        inches = int(match["feet"]) * 12 + int(match["inches"])
        found.append(Quantity("length", inches * 0.0254, match.group(), *match.span(), 0.0254))
    for match in NUMBER.finditer(words):
        start, end = match.span()
        if (worth := value(match)) is None or any(one.start <= start < one.end for one in found):
            continue
        half = _SUFFIX_HALF.match(words[end:])
        if half:
            worth, end = worth + 0.5, end + half.end()
        sign = _SIGNS.get(words[start - 1 : start])
        if sign:
            found.append(Quantity(sign, worth, words[start - 1 : end], start - 1, end))
            continue
        measured = _measured(words, worth, start, end)
        if measured is not None:
            found.append(measured)
    for match in _HALF.finditer(words):
        measured = _measured(words, 0.5, match.start(), match.end())
        if measured is not None:
            found.append(measured)
    for match in _AN.finditer(words):
        measured = _measured(words, 1.0, match.start(), match.end())
        if measured is not None:
            found.append(measured)
    return found


def _measured(words: str, worth: float, start: int, end: int) -> Quantity | None:
    best: tuple[int, str, float] | None = None
    for dimension, factor, unit in _UNIT:
        match = unit.match(words, end)
        if match and (best is None or match.end() > best[0]):
            best = (match.end(), dimension, factor)
    if best is not None:
        half = re.match(r"半", words[best[0] :])
        extra = 0.5 if half and best[1] in ("mass", "duration") else 0.0
        return Quantity(
            best[1], (worth + extra) * best[2], words[start : best[0]], start, best[0] + (1 if extra else 0), best[2]
        )
    counted = _COUNTED.match(words, end)
    # One Chinese figure without a unit is a part of a word, as 一 in 一起.
    single = end - start == 1 and not words[start].isascii()
    if single and not counted:
        return None
    if words[start:end] == "一" and not (
        counted and (counted.group() in "杯片包次遍顿瓶碗支" or words[start - 1 : start] in "只就仅才")
    ):
        return None
    if (words[start:end].lower() == "one" and not _ONE.match(words, end)) or re.match(
        r"[A-Za-z]", words[start - 1 : start]
    ):
        return None
    if (counted and not words[start].isascii()) or (
        counted and counted.group() in "个只条位名本张片粒颗杯瓶包次层间台辆票遍门套份件匹双盒支根碗"
    ):
        end = counted.end()
    if end - start >= 7 and words[start:end].isdigit():
        return Quantity("number", worth, words[start:end], start, end)
    return Quantity("count", worth, words[start:end], start, end)
