"""Which language a text is in, as far as it matters to an embedder's cosines."""

import functools
import re

from state.records import Language

_CHINESE = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_LETTER = re.compile(r"[^\W\d_]")


@functools.lru_cache(maxsize=8192)
def language(text: str) -> Language:
    """Return whether a text is Chinese, by a third of its letters, or another language, which counts as English."""
    chinese = len(_CHINESE.findall(text))
    return "zh" if chinese and 3 * chinese >= len(_LETTER.findall(text)) else "en"
