"""What a user says right after being asked about a dispute may be the answer to it."""

from collections.abc import Mapping, Sequence

from nodes.fact_check.own_words import shortened
from nodes.language.sentences import assertions, is_question, sentences
from state.records import Candidate, Evidence, MemoryWrite, Turn


def answers(turn: Turn, asked: Sequence[str]) -> tuple[Candidate, ...]:
    """Return the turn's own words as a possible answer to each dispute the reply before asked about.

    Whether it settles what was asked is the verifier's to say, and only the turn after the question comes here.
    """
    if not asked or not may_answer(turn):
        return ()
    text, span = shortened(turn.text.strip())
    return tuple(
        Candidate(
            kind="fact",
            text=text,
            evidence=(Evidence(turn_id=turn.turn_id, span=span),),
            mentioned_ms=turn.at_ms,
            time_zone=turn.time_zone,
            answers=dispute,
        )
        for dispute in asked
    )


def may_answer(turn: Turn) -> bool:
    """Say whether a turn can answer a question: not one of nothing but questions.

    Agreement can ("好的", "sure", "对"), though alone it would be small talk.
    """
    return not all(is_question(sentence) and not assertions(sentence) for sentence in sentences(turn.text))


def answers_first(writes: Sequence[MemoryWrite], sides: Mapping[str, Sequence[str]]) -> list[MemoryWrite]:
    """Return one turn's writes in the order they are to be done: what ends a dispute before all else.

    What the turn says beside its answer is left out where it only says the answer again. Where it ends one dispute in
    two ways, its words are unclear and end nothing. `sides` maps disputes to the memories they oppose.
    """
    found: dict[str, set[str | None]] = {}
    for write in writes:
        if write.resolves is not None:
            found.setdefault(write.resolves, set()).add(write.resolution)
    clear = [_unless_unclear(write, found) for write in writes]
    ending: dict[str, MemoryWrite] = {}
    for write in sorted(clear, key=lambda write: not write.droppable):
        if write.resolves is not None:
            ending.setdefault(write.resolves, write)
    kept = {side for dispute, write in ending.items() for side in _kept(write, dispute, sides.get(dispute, ()))}
    others = [write for write in clear if write.resolves is None and not write.droppable]
    return [*ending.values(), *(write for write in others if write.mention_of not in kept)]


def _unless_unclear(write: MemoryWrite, found: Mapping[str, set[str | None]]) -> MemoryWrite:
    if write.resolves is None or len(found[write.resolves]) == 1:
        return write
    return write.model_copy(update={"resolves": None, "resolution": None})


def _kept(write: MemoryWrite, dispute: str, opposed: Sequence[str]) -> list[str]:
    new = [dispute] if write.resolution != "keep_old" else []
    return new + (list(opposed) if write.resolution != "keep_new" else [])
