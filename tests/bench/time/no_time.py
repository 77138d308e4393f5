"""Lines that name no time though they look like it: versions, prices, names, idioms, numbers."""

import re
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

LINES = Path(__file__).with_name("no_time.txt")
SAID = datetime(2026, 6, 19, 12)
LANGUAGES = ("zh", "en")

_CHINESE = re.compile(r"[\u4e00-\u9fff]")


class Line(NamedTuple):
    """A line and its language."""

    text: str
    language: str


def lines() -> list[Line]:
    """Return all lines; one with a Chinese character is Chinese."""
    read = LINES.read_text(encoding="utf-8").splitlines()
    return [Line(text, "zh" if _CHINESE.search(text) else "en") for text in read if text]
