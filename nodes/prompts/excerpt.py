"""Fit what was said into a prompt: fenced as data, cut to its share of the budget, split where it is too long."""

import re
from collections.abc import Sequence

from nodes.language.grounding import occurs
from nodes.language.sentences import sentences
from nodes.language.tokens import count, cut

FENCES = ("said", "earlier", "conversation", "source", "candidate", "memories")
_FENCE = re.compile(rf"<(?=\s*/?\s*(?:{'|'.join(FENCES)})\b)", re.IGNORECASE)


def fenced(tag: str, text: str) -> str:
    """Put a text between tags; a tag of ours inside it is defused, so that it can neither close nor fake a block."""
    return f"<{tag}>\n{_FENCE.sub('‹', text)}\n</{tag}>"


def shares(costs: Sequence[int], budget: int) -> list[int]:
    """Share a budget out: who needs less than an equal part gets what it needs, the others part the rest equally."""
    granted = [0] * len(costs)
    left = budget
    by_cost = sorted(range(len(costs)), key=lambda index: costs[index])
    for place, index in enumerate(by_cost):
        granted[index] = min(costs[index], left // (len(costs) - place))
        left -= granted[index]
    return granted


def excerpt(text: str, span: str, limit: int) -> str:
    """Return the text, or where it has more than `limit` tokens the sentences around the span that fit."""
    if count(text) <= limit:
        return text
    parts = sentences(text)
    at = next((index for index, part in enumerate(parts) if span and occurs(span, part)), None)
    if at is None:
        return cut(text, limit)
    start, end = at, at + 1
    while wider := [
        (first, last)
        for first, last in ((start - 1, end), (start, end + 1))
        if first >= 0 and last <= len(parts) and count(_joined(parts, first, last)) <= limit
    ]:
        start, end = min(wider, key=lambda borders: max(at - borders[0], borders[1] - at))
    return cut(_joined(parts, start, end), limit)


def pieces(text: str, limit: int) -> list[str]:
    """Split a text at sentence borders into pieces of at most `limit` tokens; a longer sentence is split anywhere."""
    if count(text) <= limit:
        return [text]
    found = [""]
    for sentence in sentences(text):
        for part in _halved(sentence, limit):
            longer = f"{found[-1]} {part}".strip()
            if count(longer) <= limit:
                found[-1] = longer
            else:
                found.append(part)
    return [piece for piece in found if piece]


def _joined(parts: Sequence[str], start: int, end: int) -> str:
    return " ".join([*(["…"] if start > 0 else []), *parts[start:end], *(["…"] if end < len(parts) else [])])


def _halved(sentence: str, limit: int) -> list[str]:
    if count(sentence) <= limit:
        return [sentence]
    middle = len(sentence) // 2
    return [*_halved(sentence[:middle], limit), *_halved(sentence[middle:], limit)]
