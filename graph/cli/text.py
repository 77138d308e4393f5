"""Text between a terminal and the endpoint: valid on its way in, harmless on its way out."""

import re

from state.errors import LociError

_UNPRINTABLE = dict.fromkeys(each for each in (*range(32), *range(127, 160)) if chr(each) not in "\n\t")
_STRAY_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def clean(text: str) -> str:
    """Return text from a terminal or an argument as valid Unicode.

    Bytes that Python could not decode come as lone surrogates: they are read as UTF-8 where they are, else replaced.
    """
    return _STRAY_SURROGATE.sub("\ufffd", text).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def some_text(text: str) -> str:
    """Return text that the user gave, as valid Unicode; raise LociError where there is none."""
    if not (text := clean(text).strip()):
        raise LociError("There is nothing to send: the text is empty.")
    return text


def plain(text: object) -> str:
    """Return text without control characters: what was said or remembered must not steer the terminal."""
    return str(text).translate(_UNPRINTABLE)


def line(text: object) -> str:
    """Return text on one line."""
    return " ".join(plain(text).split())
