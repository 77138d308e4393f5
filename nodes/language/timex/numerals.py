"""Small numbers written in words, Chinese and English."""

DIGITS = {
    char: value
    for value, chars in enumerate(("零〇", "一", "二两", "三", "四", "五", "六", "七", "八", "九"))
    for char in chars
}
_UNITS = {"十": 10, "百": 100}
_ENGLISH = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
}

CHINESE = r"(?:\d{1,3}|[零〇一二两三四五六七八九十百]{1,7})"
ENGLISH = rf"(?:\d{{1,3}}|a\s+couple\s+of|{'|'.join(sorted(_ENGLISH, key=len, reverse=True))})"


def chinese(text: str) -> int:
    """Return the value of a number such as "12", "十二", "两百零三" or, digit by digit, "二〇二六".

    Raises:
        ValueError: The text is no such number, as "十百".
    """
    if text.isdecimal():
        return int(text)
    if all(char in DIGITS for char in text):
        # Two digits in a row are figures, as in a year: 二〇二六.
        return int("".join(str(DIGITS[char]) for char in text))
    total, digit, last_unit = 0, None, 1000
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
    """Return the value of a number such as "12", "twelve", "a" or "a couple of".

    Raises:
        KeyError: The text is no such number.
    """
    if text.isdecimal():
        return int(text)
    return 2 if "couple" in text.lower() else _ENGLISH[text.lower()]
