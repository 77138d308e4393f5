"""Whether a message touches what a statement is about: by the attribute it asks for, or by a telling word."""

import re
from collections.abc import Sequence, Set
from functools import lru_cache

from nodes.language.grounding import occurs, terms
from nodes.language.sentences import is_question, sentences
from nodes.language.statements import asked_slot, read
from state.records import Memory

# Characters and words that statements of every topic share.
_FUNCTION_ZH = re.compile(
    r"[我你您他她它们咱的了吗呢吧啊呀是在不没也都很就还和跟对把被这那有什么哪谁怎样要会能想说过得"
    r"地着从到给让去来上下个一点些今明昨天住叫喜欢爱]"
)
_FUNCTION_EN = terms(
    "a about after again ain't all also always am an and any anymore are aren't as ask at be been before being "
    "both but by can can't cannot could did didn't do does doesn't doing don't down else even ever every for from "
    "get give go going good got had has hasn't have haven't having hello help her here hers hey hi him his how i "
    "i'd i'll i'm i've if in into is isn't it it's its just know last let like liked likes live lived lives love "
    "made make many maybe me more most much must my name need never new next no nor not now of off often ok old "
    "on once one only or our out over own please quite really remember right said same say she should since so "
    "some still such take tell than thank thanks that that's the their them then there these they thing things "
    "think this those time to today tomorrow too two under until up use used user user's very want was wasn't way "
    "we we're well went were what what's when where which while who whom whose why will with won't work worked "
    "works would year yes yesterday yet you your"
)
_STEM = 4
_READ = 4_000


def bears_on(message: str, sides: Sequence[Memory]) -> bool:
    """Say whether a message repeats what one of the sides says, asks for its slot, or shares a telling word with it.

    Of a long message the first 4,000 characters are read.
    """
    return Message(message).bears_on(sides)


class Message:
    """A message taken apart once, to be held against what many statements are about."""

    def __init__(self, text: str) -> None:
        self._text = text[:_READ]
        asks = any(is_question(sentence) for sentence in sentences(self._text))
        self._slot = asked_slot(self._text) if asks else None
        self._telling = _telling(self._text)
        self._stems: dict[str, list[str]] = {}
        for word in self._telling:
            if word.isascii() and word.isalpha():
                self._stems.setdefault(word[:_STEM], []).append(word)

    def bears_on(self, sides: Sequence[Memory]) -> bool:
        """Say whether the message touches what one of the sides says."""
        if self._slot is not None and any((side.slot or read(side.text).slot) == self._slot for side in sides):
            return True
        return any(self._shares(_telling(side.text)) or self._repeats(side.text) for side in sides)

    def _repeats(self, said: str) -> bool:
        # What has a telling word shares it where it is repeated, and to look a text up in a long one takes its time.
        return not _telling(said) and occurs(said, self._text)

    def _shares(self, wanted: Set[str]) -> bool:
        if not wanted.isdisjoint(self._telling):
            return True
        return any(_alike(said, word) for word in wanted for said in self._stems.get(word[:_STEM], ()))


@lru_cache(maxsize=1024)
def _telling(text: str) -> frozenset[str]:
    return frozenset(term for term in terms(text) if term not in _FUNCTION_EN and not _FUNCTION_ZH.search(term))


def _alike(first: str, second: str) -> bool:
    """Say whether two words are one, inflections apart: "allergies" and "allergic" share their stem."""
    stem = max(min(len(first), len(second)) - 2, _STEM)
    return first[:stem] == second[:stem]
