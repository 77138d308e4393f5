"""Orders to the assistant by their structure, whatever their words: who shall act, with what force, on what (zh + en).

Only the assistant makes an order of a clause: addressed ("you", not another's "you"), named, or left out as a command
leaves it out. What the speaker or a third person must do is a fact of their life. Texts are as
`nodes.language.injection.folded` returns them.
"""

import re

from nodes.language.commands_en import orders_en
from nodes.language.commands_zh import orders_zh
from nodes.language.orders import MANNER
from nodes.language.phrases import REMEMBER_LEAD

_CHINESE = re.compile("[\u3400-\u9fff]")
_LATIN = re.compile("[A-Za-z]{2}")


def steers(sentence: str) -> bool:
    """Say whether a sentence orders the assistant about; a wish about the manner of its answers is none."""
    if MANNER.search(sentence):
        return False
    told = REMEMBER_LEAD.sub("", sentence.strip()) or sentence
    return any(
        (_CHINESE.search(text) is not None and orders_zh(text)) or (_LATIN.search(text) is not None and orders_en(text))
        for text in dict.fromkeys((told, sentence.strip()))
    )
