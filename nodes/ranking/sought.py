"""Which texts hold what a question asks for, by its words (zh + en): for a few texts at hand, without an index."""

import re
from collections.abc import Sequence

from nodes.language.sentences import is_question, sentences
from nodes.ranking.terms import coverage

LEAST_SHARE = 0.2

# What a question says of the saying, not of what was said.
_SAYING = re.compile(
    r"刚才|刚刚|之前|前面|上面|早些时候|一开始|最开始|提[到过起]|聊[到过]?|讲(?!座)[到过]?|谈[到过]|(?<![小传])说(?!明)[到过]?|告诉|回答"
    r"|推荐过|请?问(?!题)|请(?=你|再|把|帮)|叫|谁|多少|第[一二三]个|记不记得|还记得|一下|具体|原话|再"
    r"|\b(?:mention(?:ed|s|ing)?|told|talk(?:ed|ing|s)|discuss(?:ed|ing)?|ask(?:ed|ing|s)?|earlier|beginning|start"
    r"|remind|exact(?:ly)?|words?|quote|repeat|please|conversation|chat|answer(?:ed)?|gave|shown?|came|went|going"
    r"|recommend(?:ed)|suggest(?:ed))\b",
    re.I,
)


def holding(question: str, texts: Sequence[str]) -> list[int]:
    """Return the places of the texts that hold a part of what a question asks for, best first, of equals the last.

    Of a message that also tells something, the sentences that ask count. A text holds enough with a fifth of their
    weight, see `nodes.ranking.terms.coverage`.
    """
    asking = " ".join(sentence for sentence in sentences(question) if is_question(sentence)) or question
    held = coverage(_SAYING.sub(" ", asking), texts)
    return sorted(
        (place for place, share in enumerate(held) if share >= LEAST_SHARE), key=lambda place: (-held[place], -place)
    )
