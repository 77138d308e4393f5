"""From verdict to fate: the table that decides what becomes of a candidate."""

from state.ports import Judgement, Neighbour
from state.records import Candidate, Memory, MemoryWrite, Receipt, Status, Verdict
from state.schema import CandidateRow, SessionRow
from state.slots import is_single_valued

RULES = "rules"


def fate(row: CandidateRow, session: SessionRow, now_ms: int) -> MemoryWrite:
    """Return the write that a candidate's judgement asks for.

    supported and new -> active; duplicate -> a mention; update -> active, the old one superseded; conflict -> disputed;
    unsupported or refused -> rejected; partly supported, undecided or unjudged -> pending.
    """
    judgement = Judgement.model_validate(row["judgement"]) if row["judgement"] else None
    company = [Neighbour.model_validate(neighbour).memory for neighbour in row["company"] or []]
    seen = {memory.memory_id: memory.version for memory in company}
    candidate = Candidate.model_validate(row["candidate"])
    receipt = _receipt(row, judgement, tuple(seen), now_ms)
    if judgement is None:
        status: Status = "rejected" if row["refused"] else "pending"
        return MemoryWrite(memory=_memory(row, candidate, session, status, receipt), company=seen)

    verdict = judgement.verdict
    standing = [memory for memory in company if memory.memory_id in verdict.concerns]
    status = _status(verdict, standing)
    taken = [memory for memory in company if memory.slot == candidate.slot and is_single_valued(candidate.slot)]
    if status == "active" and not standing and taken:
        # The slot holds one value, and the verdict does not say what becomes of the one that stands.
        status = "pending"
    memory = _memory(row, candidate, session, status, receipt)
    if status == "active" and verdict.relation == "duplicate":
        return MemoryWrite(memory=memory, mention_of=standing[0].memory_id, company=seen)
    if status == "active" and verdict.relation == "update":
        if memory.mentioned_ms < standing[0].mentioned_ms:
            return MemoryWrite(memory=_bygone(memory, standing[0]), company=seen)
        return MemoryWrite(memory=memory, supersedes=standing[0].memory_id, company=seen)
    if status == "disputed":
        memory = memory.model_copy(update={"opposes": tuple(old.memory_id for old in standing)})
    return MemoryWrite(memory=memory, company=seen)


def _status(verdict: Verdict, standing: list[Memory]) -> Status:
    if verdict.grounded == "unsupported":
        return "rejected"
    if verdict.grounded == "partial" or verdict.relation == "undecided":
        return "pending"
    if verdict.relation == "new":
        return "active"
    if not standing or (verdict.relation == "update" and len(standing) > 1):
        return "pending"  # it speaks of a memory the candidate was not judged beside, or of more than one to replace
    return "disputed" if verdict.relation == "conflict" else "active"


def _bygone(memory: Memory, successor: Memory) -> Memory:
    """Return a memory that was checked only after its successor was: it held until that one did."""
    until = successor.valid_from_ms or successor.mentioned_ms
    return memory.model_copy(update={"status": "superseded", "valid_to_ms": until})


def _receipt(
    row: CandidateRow, judgement: Judgement | None, neighbours: tuple[str, ...], now_ms: int
) -> Receipt | None:
    if judgement is not None:
        verdict = judgement.verdict
        return Receipt(
            relation=verdict.relation,
            grounded=verdict.grounded,
            confidence=verdict.confidence,
            reason=verdict.reason,
            verifier=judgement.verifier,
            provisional=judgement.provisional,
            prompt_hash=judgement.prompt_hash,
            neighbours=neighbours,
            judged_ms=now_ms,
        )
    if row["refused"] is None:
        return None
    return Receipt(
        relation="undecided",
        grounded="unsupported",
        confidence=1.0,
        reason=row["refused"],
        verifier=RULES,
        provisional=False,
        prompt_hash="",
        judged_ms=now_ms,
    )


def _memory(
    row: CandidateRow, candidate: Candidate, session: SessionRow, status: Status, receipt: Receipt | None
) -> Memory:
    return Memory(
        memory_id=row["memory_id"],
        user_id=session["user_id"],
        session_id=session["session_id"],
        kind=candidate.kind,
        text=candidate.text,
        status=status,
        evidence=candidate.evidence,
        mentioned_ms=candidate.mentioned_ms,
        time_zone=candidate.time_zone,
        slot=candidate.slot,
        single_valued=is_single_valued(candidate.slot),
        weight=candidate.weight,
        event_start_ms=candidate.event_start_ms,
        event_end_ms=candidate.event_end_ms,
        valid_from_ms=candidate.mentioned_ms,
        supersedes=row["standing"]["supersedes"] if row["standing"] else None,
        receipt=receipt,
    )
