"""What may not be remembered, whatever a model says: a check by code."""

from nodes.language.confidential import secret_in
from nodes.language.grounding import occurs, ungrounded
from nodes.language.sentences import is_instruction
from state.records import Candidate


def refusal(candidate: Candidate, said: dict[str, str]) -> str | None:
    """Return why a candidate is refused without asking a model, or None.

    `said` maps turn ids to their texts. A span must occur in its turn; of an episode every number, name and date must
    occur in one of its turns.
    """
    sources = [said.get(part.turn_id, "") for part in candidate.evidence]
    words = [candidate.text, *(part.span for part in candidate.evidence)]
    if any(is_instruction(text) for text in words):
        return "it instructs the assistant instead of telling something"
    if secret := next(filter(None, map(secret_in, words)), None):
        return f"it holds a secret ({secret})"
    if candidate.kind == "episode":
        strange = ungrounded(candidate.text, sources)
        return f"not in the conversation: {', '.join(strange)}" if strange else None
    if not candidate.evidence or not all(
        part.span.strip() and occurs(part.span, source)
        for part, source in zip(candidate.evidence, sources, strict=True)
    ):
        return "the words it rests on do not occur in the message"
    return None
