"""What may not be remembered, whatever a model says: a check by code."""

import re
from collections.abc import Mapping, Sequence

from nodes.fact_check.copies import copied, rendered
from nodes.language.confidential import secret_in
from nodes.language.grounding import occurs, ungrounded
from nodes.language.invisible import hidden
from nodes.language.orders import MANNER
from nodes.language.pasted import pasted, tainted, without
from nodes.language.phrases import REMEMBER_LEAD
from nodes.language.said_to_assistant import has_no_subject_but_you
from nodes.language.sentences import asks_to_remember, is_injection, is_instruction
from state.records import Candidate, Turn

_ASKED_KINDLY = re.compile(
    r"^(?:(?:can|could|would|will) you (?:please )?|(?:你|您)?(?:能不能|能|可以|可不可以))", re.I
)
_SPEAKER = re.compile(r"i\b|我|(?:请|以后|别|不要|再)*叫我", re.I)
INSTRUCTS = "it instructs the assistant instead of telling something"
ORDERED = "it stands in a text that gives orders to the assistant"
COPIED = "it repeats what the assistant said or recalled"


def refusal(candidate: Candidate, said: Mapping[str, str], before: Sequence[Turn] = ()) -> str | None:
    """Return why a candidate is refused without asking a model, or None.

    `said` maps turn ids to their texts, `before` are the turns right before them. A span must occur in its turn, in
    words of the user's own where the turn holds orders or copies; of an episode every number, name and date must occur
    in one of its turns.
    """
    sources = [said.get(part.turn_id, "") for part in candidate.evidence]
    words = [candidate.text, *(part.span for part in candidate.evidence)]
    if any(map(is_injection, words)):
        return INSTRUCTS
    if reason := next(filter(None, map(hidden, words)), None):
        return f"it holds {reason}"
    if secret := next(filter(None, map(secret_in, words)), None):
        return f"it holds a secret ({secret})"
    if candidate.answers is None and (
        _instructs(candidate.text)
        or has_no_subject_but_you(candidate.text)
        or any(has_no_subject_but_you(part.span, whole=False) for part in candidate.evidence)
    ):
        return INSTRUCTS
    if candidate.kind == "episode":
        strange = ungrounded(candidate.text, sources)
        return f"not in the conversation: {', '.join(strange)}" if strange else None
    if not candidate.evidence:
        return "the words it rests on do not occur in the message"
    reasons = (
        _span_refusal(part.span, source, before, is_answer=candidate.answers is not None)
        for part, source in zip(candidate.evidence, sources, strict=True)
    )
    return next(filter(None, reasons), None)


def _span_refusal(span: str, source: str, before: Sequence[Turn], *, is_answer: bool) -> str | None:
    if not span.strip() or not occurs(span, source):
        return "the words it rests on do not occur in the message"
    if reason := hidden(source):
        return f"the message holds {reason}"
    if not occurs(span, without(source, tainted(source))):
        return ORDERED
    if not occurs(span, without(source, rendered(source))) or copied(span, source, before):
        return COPIED
    if is_answer or not is_instruction(span) or asks_to_remember(_wish(span)):
        return None
    # "Please answer in French", said by the user, bears "the user wants answers in French".
    is_own_wish = MANNER.search(span) is not None and occurs(span, without(source, pasted(source)))
    return None if is_own_wish else INSTRUCTS


def _instructs(text: str) -> bool:
    """Say whether a text is an order; the wish to remember something is none, unless that is an order itself."""
    if MANNER.search(text) and _SPEAKER.match(text):
        return False
    return is_instruction(REMEMBER_LEAD.sub("", _wish(text)) if asks_to_remember(_wish(text)) else text)


def _wish(text: str) -> str:
    """Return a text without "could you", which makes a question of a wish."""
    return _ASKED_KINDLY.sub("", text.strip())
