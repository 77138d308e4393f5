"""What a bare yes or no says: that depends on the question right before it (zh + en)."""

import re

from nodes.language.claims import claim
from nodes.language.modality import negations
from nodes.language.quantities import contains
from nodes.language.sentences import bare, clauses, is_question, is_small_talk, sentences
from nodes.language.wording import content, own

# Agreeing to what is denied and to what is said; "yes" and "no" after "you are not?" say either.
_AGREES = re.compile(
    r"(?:对|是|没错|正确|确认|嗯)+[的了啊呀哦]?|(?:that's |that is |it's )?(?:right|correct|exactly|true)",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"(?:不对|不是)[的啊呀]?|(?:that's |that is |it's )?(?:wrong|incorrect|not (?:right|true|correct|so))",
    re.IGNORECASE,
)
_YES = re.compile(
    r"yes|yeah|yep|yup|sure|of course|(?:yes )?i (?:do|am|have|can|did)|(?:yes )?it is|有的?|会的?", re.IGNORECASE
)
_NO = re.compile(
    r"不|没有?|no|nope|nah|(?:no )?i(?: (?:don't|do not|am not|haven't|have not|can't|cannot|didn't|did not)|'m not)"
    r"|(?:no )?it(?:'s not| isn't| is not)",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"还是|哪|到底|①|\bor\b|\bwhich\b|\bboth\b", re.IGNORECASE)
_EITHER_WAY = re.compile(r"([\u4e00-\u9fff]{1,2})[不没]\1")
# What was or will be, may or should be: a question that says so asks for something else than what is.
_SENSE = re.compile(
    r"过(?!敏|期|年|节|程|分|生日)|以前|之前|曾|当时|会|要|想|能|可以|应该|打算|准备|计划|希望|将"
    r"|\b(?:did|was|were|used to|(?:have|had|has) (?:you|i)|will|would|can|could|should|shall|may|might|must|want"
    r"|wish|hope|plan|going to|about to|before|once|ever)\b",
    re.IGNORECASE,
)
# What a question may say beside what it asks about.
_ABOUT_SAYING = content(
    "true right correct sure hold holds stand mean meant tell told say said mention mentioned note confirm statement "
    "statements version versions both fact answer valid accurate understand understood case ask asked know whether "
    "second latter former newer older clear two let "
    "对确认真正确意思说提到底记录理解错保留按成立准条种句话个者问请告诉情况法版本现",
    measured=True,
)


def questions(reply: str) -> list[str]:
    """Return the questions of a reply."""
    return [sentence for sentence in sentences(reply) if is_question(sentence)]


def offers_choice(question: str) -> bool:
    """Say whether a question offers several answers, so that yes is none of them."""
    return _CHOICE.search(_EITHER_WAY.sub(r"\1", question)) is not None


def has_own_subject(question: str) -> bool:
    """Say whether a question is about something: "which one is right?" is about what was said before."""
    return content(own(question), measured=True).minus(_ABOUT_SAYING).size > 0


def held_by(text: str, question: str, first: str, second: str) -> str | None:
    """Return the one of two statements that a bare yes or no to a question lets hold; None where that is not sure.

    The question must ask just that: it says all that one of the two says, as it says it, and nothing else.
    """
    said = _plain(question)
    asks = [side for side in (first, second) if _asks(said, side)]
    if len(asks) != 1 or offers_choice(question):
        return None
    agrees = _agrees(text, denied=negations(said) % 2 == 1)
    if agrees is None:
        return None
    other = second if asks[0] == first else first
    return asks[0] if agrees else other


def _plain(question: str) -> str:
    """Return what a question puts, without its tag ("right?", 对吗) and as a statement (过不过敏 as 过敏)."""
    parts = clauses(own(question))
    while len(parts) > 1 and not content(parts[-1], measured=True).minus(_ABOUT_SAYING).size:
        parts.pop()
    return _EITHER_WAY.sub(r"\1", "".join(parts))


def _asks(said: str, side: str) -> bool:
    mine, wanted = content(said, measured=True), content(side, measured=True)
    measured = claim(said).measured
    return (
        not wanted.minus(mine).size
        and not mine.minus(wanted).minus(_ABOUT_SAYING).size
        and all(contains(measured, one) for one in claim(side).measured)
        and negations(said) % 2 == negations(own(side)) % 2
        and not set(_SENSE.findall(said.lower())) - set(_SENSE.findall(own(side).lower()))
    )


def _agrees(text: str, *, denied: bool) -> bool | None:
    """Say whether a text is nothing but a yes, or nothing but a no; None where it is neither or says either."""
    votes: set[bool | None] = set()
    for part in (bare(clause) for sentence in sentences(own(text)) for clause in clauses(sentence)):
        if _AGREES.fullmatch(part) or _DENIES.fullmatch(part):
            votes.add(_AGREES.fullmatch(part) is not None)
        elif _YES.fullmatch(part) or _NO.fullmatch(part):
            votes.add(None if denied else _YES.fullmatch(part) is not None)
        elif not is_small_talk(part):
            votes.add(None)
    return votes.pop() if len(votes) == 1 else None
