"""Token counts, offline: for a prompt's budget, never for a bill.

No call says which model a text is for, so a count is an upper bound over the vocabularies Loci speaks to. Two of them
are compiled into the package `toktok`: o200k_base (GPT-4o and later) and cl100k_base (GPT-4, text-embedding-3). The
third, of Qwen 2 to 3, needs no data of its own. Its merges are those of cl100k_base in the same order, without numbers
of two or three digits, followed by merges of its own; both split text by the same pattern, except that Qwen takes
digits one by one. Later merges only join what the earlier ones left, therefore

    qwen(text) <= cl100k(nfc(text)) + digits that cl100k would have joined to others.

The bound is loose for Chinese: about 1.1 tokens a character, where Qwen takes 0.6 and o200k_base 0.7. Vocabularies that
grew out of cl100k_base (Llama 3, Phi-4) are under it too; SentencePiece ones of 32,000 pieces (Llama 2) are not.
"""

import re
import unicodedata
from collections.abc import Iterator

import toktok

MARK = "…"

_DIGITS = re.compile(r"[0-9]+")
_SENTENCE_END = re.compile(r"[。！？!?…；]+[”’」』）)\"']*|\.(?=\s)|\n")
_JOINERS = frozenset("\u200d\ufe0e\ufe0f")
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))


def warm() -> None:
    """Load the vocabularies, about 0.5 s. Counting loads them too, at its first use."""
    count("warm")


def count(text: str) -> int:
    """Return a number of tokens that no vocabulary named above exceeds for `text`; 0 for an empty one.

    Markers such as <|im_start|> count as the text they are written with, which is more than as one token. A lone
    surrogate counts as the replacement character it turns into on its way to a server.
    """
    if not text:
        return 0
    sound = _without_lone_surrogates(text)
    most = max(_tokens(sound, "o200k_base"), cl100k := _tokens(sound, "cl100k_base"))
    if not unicodedata.is_normalized("NFC", sound):
        sound = unicodedata.normalize("NFC", sound)
        cl100k = _tokens(sound, "cl100k_base")
    return max(most, cl100k + _single_digits(sound))


def cut(text: str, limit: int) -> str:
    """Return `text` if it has at most `limit` tokens, else its longest beginning that fits, marked with "…".

    The beginning ends after a sentence, else after a word, as long as that keeps half of what would fit; else after a
    whole character (marks, joined emoji and flags stay whole). Trailing white space goes. Too small a limit gives "".
    """
    if count(text) <= limit:
        return text
    if not _fits("", limit):
        return ""
    longest = _longest(text, limit)
    for end in _ends(text, longest):
        kept = text[:end].rstrip()
        if _fits(kept, limit):
            return kept + MARK
    return MARK


def _tokens(text: str, encoding: str) -> int:
    # One thread: a pool costs more than it saves on one short text, and the event loop is no place to wait for it.
    return int(toktok.batch_count([text], encoding, threads=1)[0])


def _without_lone_surrogates(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _single_digits(text: str) -> int:
    """Return how many tokens more than cl100k_base a vocabulary can take that splits numbers into digits, at most."""
    # Of category N, as ① or ½; Chinese numerals are letters and concern nobody here.
    others = {char for char in set(text) if not char.isascii() and char.isnumeric() and not char.isalpha()}
    if others:
        return sum(len(char.encode()) for char in text if char in others or (char.isascii() and char.isdigit()))
    # cl100k_base takes up to three digits as one token.
    return sum(len(run) - -(-len(run) // 3) for run in _DIGITS.findall(text))


def _fits(kept: str, limit: int) -> bool:
    return count(kept + MARK) <= limit


def _longest(text: str, limit: int) -> int:
    """Return how many characters of `text` fit with the mark.

    Adding a letter may join tokens, so that "fits" is not quite monotonous in the length; what is returned does fit.
    """
    fitting, failing = 0, limit * 4
    # Doubling keeps the work in proportion to the limit, not to the text.
    while failing < len(text) and _fits(text[:failing], limit):
        fitting, failing = failing, failing * 2
    failing = min(failing, len(text))
    while failing - fitting > 1:
        middle = (fitting + failing) // 2
        fitting, failing = (middle, failing) if _fits(text[:middle], limit) else (fitting, middle)
    return fitting


def _ends(text: str, longest: int) -> Iterator[int]:
    """Yield the places to cut at, best first: sentence ends, word ends, any whole character, each from the back."""
    half = longest // 2
    # One character more is shown to the pattern: it looks at what follows a full stop.
    sentences = [match.end() for match in _SENTENCE_END.finditer(text, half, longest + 1)]
    yield from (end for end in reversed(sentences) if half < end <= longest and _is_character_border(text, end))
    characters = [end for end in range(longest, 0, -1) if _is_character_border(text, end)]
    yield from (end for end in characters if end > half and not _inside_word(text, end))
    yield from characters


def _inside_word(text: str, end: int) -> bool:
    return _is_letter(text[end - 1]) and _is_letter(text[end])


def _is_letter(char: str) -> bool:
    # Scripts from the CJK radicals on are written without spaces: any of their characters may end a line.
    return char.isalnum() and char < "\u2e80"


def _is_character_border(text: str, end: int) -> bool:
    """Say whether a reader sees a character end there (the common cases of Unicode's grapheme clusters, UAX 29)."""
    before, after = text[end - 1], text[end]
    if after in _JOINERS or before == "\u200d" or unicodedata.category(after)[0] == "M":
        return False
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\u1160" <= after <= "\u11ff" or before + after == "\r\n":
        return False  # skin tones; vowels and finals of conjoining Hangul; a line end
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return False
    if before in _FLAG_LETTERS and after in _FLAG_LETTERS:
        return (end - len(text[:end].rstrip(_FLAG_LETTERS))) % 2 == 0
    return True
