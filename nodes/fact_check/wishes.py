"""What the user asks to remember is proposed and marked by code, whatever a model makes of it."""

from collections.abc import Sequence

from nodes.fact_check.own_words import IMPORTANT, Told, telling
from nodes.language.grounding import touches
from state.records import Candidate, Evidence, Turn


def honoured(candidates: Sequence[Candidate], turn: Turn, context: Sequence[Turn]) -> tuple[Candidate, ...]:
    """Return the candidates with weight 2.0 on what the turn asks to remember; what none of them holds is added.

    A candidate rests on a wish where its words lie in the sentence that is wished for. A wish alone ("记住这个") is for
    what the user said last in `context`; such a candidate rests on the words of both turns.
    """
    said = telling(turn)
    wished = [told for told in said.told if told.candidate.weight == IMPORTANT]
    marked = tuple(
        candidate.model_copy(update={"weight": IMPORTANT})
        if any(_rests_on(candidate, told) for told in wished)
        else candidate
        for candidate in candidates
    )
    missing = [told.candidate for told in wished if not any(_rests_on(candidate, told) for candidate in candidates)]
    if said.wish is not None:
        missing += _said_before(said.wish, turn, context)
    return (*marked, *missing)


def _rests_on(candidate: Candidate, wished: Told) -> bool:
    return any(part.span and touches(part.span, wished.sentence) for part in candidate.evidence)


def _said_before(wish: str, turn: Turn, context: Sequence[Turn]) -> list[Candidate]:
    last = next((earlier for earlier in reversed(context) if earlier.role == "user"), None)
    return [
        told.candidate.model_copy(
            update={
                "weight": IMPORTANT,
                "evidence": (*told.candidate.evidence, Evidence(turn_id=turn.turn_id, span=wish)),
            }
        )
        for told in (telling(last).told if last is not None else ())
    ]
