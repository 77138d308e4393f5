"""Small numbers written in words, Chinese and English."""

DIGITS = {
    char: value
    for value, chars in enumerate(("零〇", "一", "二两", "三", "四", "五", "六", "七", "八", "九"))
    for char in chars
}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_TENS_IN_ONE = str.maketrans({"廿": "二十", "卅": "三十", "仨": "三", "俩": "两"})
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_ONES = {
    name: n for n, name in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"], start=1)
}
_TENS = {
    name: 10 * n
    for n, name in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2)
}
_ENGLISH = {"a": 1, "an": 1, **_ONES, **{name: n for n, name in enumerate(_TEENS.split(), start=10)}, **_TENS}
_ONES_PATTERN = "one|two|three|four|five|six|seven|eight|nine"
_TEENS_PATTERN = "(?:thir|four|fif|six|seven|eigh|nine)teen"
_TENS_PATTERN = rf"(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[\s\-](?:{_ONES_PATTERN}))?"
# Words for a number that is not known exactly, and the number taken for it.
_VAGUE = {"couple": 2, "pair": 2, "few": 3, "several": 4, "dozen": 12}

CHINESE = r"(?:\d{1,3}|[零〇一二两三四五六七八九十百廿卅仨俩]{1,7})"
_VAGUE_PHRASE = r"(?:a\s+)?(?:couple|pair)(?:\s+of)?|(?:a\s+)?few|several|(?:a\s+)?dozen"
ENGLISH = (
    rf"(?:\d{{1,3}}|{_VAGUE_PHRASE}|(?:a|one)\s+hundred|an?|{_TENS_PATTERN}|{_TEENS_PATTERN}|{_ONES_PATTERN}"
    r"|ten|eleven|twelve)"
)
_ORDINALS = {
    name: n
    for n, name in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        start=1,
    )
} | {"thirtieth": 30}
ENGLISH_ORDINAL = (
    r"(?:\d{1,2}(?:st|nd|rd|th)|(?:(?:twen|thir)ty[\s\-])?(?:first|second|third|(?:four|fif|six|seven|eigh|nin|ten|eleven"
    r"|twelf|(?:thir|four|fif|six|seven|eigh|nine)teen|twentie|thirtie)th))"
)


def chinese(text: str) -> int:
    """Return the value of a number such as "12", "十二", "两百零三" or, digit by digit, "二〇二六".

    Raises:
        ValueError: The text is no such number, as "十百".
    """
    if text.isdecimal():
        return int(text)
    text = text.translate(_TENS_IN_ONE)
    if all(char in DIGITS for char in text):
        # Two digits in a row are figures, as in a year: 二〇二六.
        return int("".join(str(DIGITS[char]) for char in text))
    total, digit, last_unit = 0, None, 10_000
    for char in text:
        if char in DIGITS:
            digit = DIGITS[char]
            continue
        unit = _UNITS.get(char)
        if unit is None or unit >= last_unit:
            raise ValueError(f"no number: {text}")
        total += (1 if digit is None else digit) * unit
        digit, last_unit = None, unit
    return total + (digit or 0)


def english(text: str) -> int:
    """Return the value of a number such as "12", "twelve", "twenty-one", "a", "a hundred", "a couple of" or "several".

    Raises:
        KeyError: The text is no such number.
    """
    if text.isdecimal():
        return int(text)
    words = text.lower().replace("-", " ").split()
    vague = next((_VAGUE[word] for word in words if word in _VAGUE), None)
    if vague is not None:
        return vague
    if words[-1:] == ["hundred"]:
        return 100 * (_ENGLISH[words[0]] if len(words) > 1 else 1)
    if len(words) == 2 and words[0] in _TENS:
        return _TENS[words[0]] + _ONES[words[1]]
    return _ENGLISH[" ".join(words)]


def is_vague(text: str) -> bool:
    """Say whether an English number leaves open how many it is: "a few", "several"."""
    return any(word in ("few", "several") for word in text.lower().split())


def english_ordinal(text: str) -> int:
    """Return the value of an ordinal such as "3rd", "third", "twenty-first".

    Raises:
        KeyError: The text is no such ordinal.
    """
    if text[0].isdecimal():
        return int(text.rstrip("stndrhSTNDRH"))
    words = text.lower().replace("-", " ").split()
    return _ORDINALS[words[-1]] + (_TENS[words[0]] if len(words) == 2 else 0)
