"""Words a user did not say but copied: from memories as Loci shows them, from what the assistant said."""

import re
from collections.abc import Sequence

from nodes.language.grounding import folded
from nodes.language.pasted import Stretch
from state.records import Turn

# As nodes.prompts.respond.memory_line and the offline replies render a memory: number, day, quoted words, when said.
_RENDERED = re.compile(
    r"^[ \t>*-]*\[\d{1,3}\] \d{4}-\d\d-\d\d [A-Z][a-z]{2}[^\n\"]{0,60}: \".*\"(?: \(said [^\n]*\))?[ \t]*$"
    r"|^[ \t>]*[-*][ \t][^\n\"“]{4,80}[:：] ?[\"“].*[\"”][^\n\"”]{0,80}\[\d{1,3}\][ \t]*$",
    re.M,
)
BEYOND = 40
WHOLE = 120
_CJK = re.compile(r"[\u3400-\u9fff]")


def rendered(text: str) -> tuple[Stretch, ...]:
    """Return the stretches of a message that are memories as Loci shows them, number and dates included."""
    return tuple(match.span() for match in _RENDERED.finditer(text))


def copied(span: str, source: str, before: Sequence[Turn]) -> bool:
    """Say whether a span belongs to words of the assistant that the source repeats at length.

    The stretch that source and reply share must be longer than the span by BEYOND or reach WHOLE, counted in Latin
    characters, a Chinese one for two: who answers in the assistant's words repeats a fact, not a passage.
    """
    wanted, said = folded(span), folded(source)
    if not wanted:
        return False
    replies = [folded(turn.text) for turn in before if turn.role == "assistant"]
    starts = [match.start() for match in re.finditer(re.escape(wanted), said)]
    # Said once more in own words, it is the user's.
    return bool(starts) and all(any(_is_passage(wanted, said, start, reply) for reply in replies) for start in starts)


def _is_passage(wanted: str, said: str, start: int, reply: str) -> bool:
    least = _length(wanted)
    for match in re.finditer(re.escape(wanted), reply):
        left = _shared(said[:start][::-1], reply[: match.start()][::-1])
        right = _shared(said[start + len(wanted) :], reply[match.end() :])
        whole = _length(said[start - left : start + len(wanted) + right])
        if whole >= WHOLE or whole - least >= BEYOND:
            return True
    return False


def _shared(one: str, other: str) -> int:
    for at, (first, second) in enumerate(zip(one, other, strict=False)):
        if first != second:
            return at
    return min(len(one), len(other))


def _length(text: str) -> int:
    return len(text) + len(_CJK.findall(text))
