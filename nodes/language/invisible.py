"""Characters a reader does not see: taken out of what is kept, and found where they make a text read otherwise."""

import re
import unicodedata

# Zero-width joiners shape letters of these scripts: Arabic and its kin, those of India, Tibet, Burma, Khmer, Mongolia.
_SHAPED = (
    (0x0600, 0x08FF),
    (0x0900, 0x0DFF),
    (0x0F00, 0x0FFF),
    (0x1000, 0x109F),
    (0x1780, 0x18AF),
    (0xFB50, 0xFDFF),
    (0xFE70, 0xFEFC),
)
# Marks of category Cf that are seen: they stand over or before digits in Arabic, Syriac and Kaithi.
_SEEN = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
# Blank though no format characters: grapheme joiner, Hangul and Khmer fillers, Mongolian selectors.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
_JOINERS = "\u200c\u200d"
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{1,8}\U000e007f")  # England, Scotland, Wales
_TAG = re.compile("[\U000e0000-\U000e007f]")
_OVERRIDE = re.compile("[\u202d\u202e]")
_TURNED = re.compile("[\u202b\u2067]")
_RIGHT_TO_LEFT = ("R", "AL")
# Format and control characters, fillers, selectors, tags: what a look at each character's surroundings is for.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# What editors and web pages leave behind is shorter; a longer run can spell what nobody reads.
_CODE = re.compile("[\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\U000e0100-\U000e01ef\u180e\ufeff]{8,}")


def clean(text: str) -> str:
    """Return a text without what nobody sees: zero-width, bidirectional, tag, filler and control characters.

    Joiners stay inside emoji and between letters of scripts that need them, a variation selector after its character,
    a line end, a tab, and the tags of a flag.
    """
    if not _UNSEEN.search(text):
        return text
    flags = [match.span() for match in _FLAG.finditer(text)]
    kept: list[str] = []
    for at, char in enumerate(text):
        if any(start <= at < end for start, end in flags) or _is_seen(
            char, kept[-1] if kept else "", text[at + 1 : at + 3]
        ):
            kept.append(char)
    return "".join(kept)


def hidden(text: str) -> str | None:
    """Return how a text reads otherwise than it looks (characters that turn or hide words), or None."""
    if text.isascii():
        return None
    if _TAG.search(_FLAG.sub("", text)):
        return "hidden tag characters"
    if _OVERRIDE.search(text):
        return "characters that turn the reading order around"
    turns = _TURNED.search(text) is not None
    if turns and not any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in text):
        return "characters that turn the reading order around"
    return "a run of invisible characters" if _CODE.search(text) else None


def _is_seen(char: str, before: str, after: str) -> bool:
    if not _UNSEEN.match(char):
        return True
    if char in _JOINERS:
        return bool(before and after) and _joins(before, char, after)
    if _SELECTORS.match(char):
        return bool(before) and _is_selected(before, char)
    if char in _BLANK:
        return False
    category = unicodedata.category(char)
    if category == "Cf":
        return char in _SEEN
    return category != "Cc" or char in "\t\n\r"


def _joins(before: str, joiner: str, after: str) -> bool:
    following = next((char for char in after if char not in _JOINERS and not _SELECTORS.match(char)), "")
    if not following or after[0] in _JOINERS:
        return False
    if _is_shaped(before) and _is_shaped(following):
        return True
    return joiner == "\u200d" and _is_pictorial(before) and _is_pictorial(following)


def _is_shaped(char: str) -> bool:
    return any(first <= ord(char) <= last for first, last in _SHAPED)


def _is_pictorial(char: str) -> bool:
    # Symbols, skin tones, and the selector that makes a symbol an emoji.
    return unicodedata.category(char) in ("So", "Sk") or char == "\ufe0f"


def _is_selected(before: str, selector: str) -> bool:
    if _SELECTORS.match(before):
        return False
    if selector >= "\U000e0100":
        return unicodedata.name(before, "").startswith("CJK")
    return not before.isspace() and (unicodedata.category(before)[0] in "SPN" or before.startswith("\u20e3"))
