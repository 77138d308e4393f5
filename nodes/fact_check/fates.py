"""From verdict to fate: the table that decides what becomes of a candidate."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from state.ports import Judgement, Neighbour
from state.records import Candidate, Memory, MemoryWrite, Receipt, Status, Verdict
from state.schema import CandidateRow, SessionRow
from state.slots import is_single_valued

RULES = "rules"


def fate(row: CandidateRow, session: SessionRow, now_ms: int) -> MemoryWrite:
    """Return the write that a candidate's judgement asks for.

    refused, unsupported      rejected
    unjudged, undecided       pending
    partly supported          pending
    new                       active; pending where another holds its single-valued slot
    duplicate                 a mention of what it repeats: an active memory before the disputed one of a dispute
    update                    active, and what it concerns superseded, disputes it leaves without an object settled;
                              superseded itself where it was said before what it concerns
    conflict                  disputed
    resolves                  the dispute ends as the user says, without a row of its own

    A verdict that names no memory its relation could be about leaves the candidate pending. An answer to a dispute that
    does not resolve this very dispute asks for nothing: its write is droppable and resolves nothing. A correction is
    judged as one: see `_as_correction`.
    """
    judgement = Judgement.model_validate(row["judgement"]) if row["judgement"] else None
    candidate = Candidate.model_validate(row["candidate"])
    company = _Company.of(row)
    if judgement is not None and judgement.verdict.grounded == "supported" and candidate.corrects in company.versions:
        judgement, company = _as_correction(judgement, company, candidate)
    pending = MemoryWrite(
        memory=_memory(row, candidate, company, session, _receipt(row, judgement, now_ms)),
        droppable=candidate.answers is not None,
        company=company.versions,
    )
    if judgement is None:
        return _with_status(pending, "rejected") if row["refused"] else pending
    write = _by_verdict(judgement.verdict, pending, company)
    return pending if candidate.answers not in (None, write.resolves) else write


def _as_correction(judgement: Judgement, company: "_Company", candidate: Candidate) -> tuple[Judgement, "_Company"]:
    """Return a verdict on new words for a memory, with what the user has said beside them: that the memory is wrong.

    Whatever they are to that memory and to a dispute about it, they are an update of it: a typo put right is more than
    a duplicate, and the newest word ends the dispute. What they are to other memories stays: they repeat one, or
    contradict it beside what is wrong.
    """
    wrong = {memory.memory_id for memory in company.memories if memory.memory_id == candidate.corrects}
    said_ms = candidate.mentioned_ms
    about = wrong | {one.memory_id for one in company.disputes_against(wrong) if one.mentioned_ms <= said_ms}
    verdict = judgement.verdict
    concerned = {memory.memory_id for memory in company.concerned}
    others = concerned - about
    match verdict.relation:
        case "undecided":
            return judgement, company
        case "duplicate" if others:
            return judgement, company.about(others)
        case "conflict" if others:
            return judgement, company.about(others | wrong)
        case "resolves" if others or about == wrong:
            return judgement, company.about(())
        case "resolves":
            concerned = about
    update = verdict.model_copy(update={"relation": "update"})
    return judgement.model_copy(update={"verdict": update}), company.about(concerned | wrong)


class _Company(NamedTuple):
    """The memories beside a candidate; `concerned` are those of them that its verdict names.

    What the candidate itself had replaced, when it was judged before, counts as standing.
    """

    memories: tuple[Memory, ...]
    concerned: tuple[Memory, ...]

    @classmethod
    def of(cls, row: CandidateRow) -> "_Company":
        memories = tuple(Neighbour.model_validate(neighbour).memory for neighbour in row["company"] or [])
        named = row["judgement"]["verdict"]["concerns"] if row["judgement"] else ()
        return cls(memories, tuple(memory for memory in memories if memory.memory_id in named))

    def about(self, ids: Collection[str]) -> "_Company":
        return self._replace(concerned=tuple(memory for memory in self.memories if memory.memory_id in ids))

    @property
    def versions(self) -> dict[str, int]:
        return {memory.memory_id: memory.version for memory in self.memories}

    @property
    def standing(self) -> tuple[Memory, ...]:
        return tuple(memory for memory in self.concerned if memory.status != "disputed")

    @property
    def disputed(self) -> tuple[Memory, ...]:
        return tuple(memory for memory in self.concerned if memory.status == "disputed")

    def disputes_against(self, ids: Collection[str]) -> tuple[Memory, ...]:
        """Return the open disputes about any of these memories."""
        return tuple(
            memory
            for memory in self.memories
            if memory.status == "disputed" and not set(ids).isdisjoint(memory.opposes)
        )

    def opposed_by(self, disputes: Sequence[Memory]) -> tuple[Memory, ...]:
        """Return the standing memories that any of these disputes is about."""
        named = {memory_id for dispute in disputes for memory_id in dispute.opposes}
        return tuple(memory for memory in self.memories if memory.status == "active" and memory.memory_id in named)

    def in_slot(self, slot: str | None) -> tuple[Memory, ...]:
        return tuple(memory for memory in self.memories if slot is not None and memory.slot == slot)

    def holding(self, slot: str | None) -> set[str]:
        """Return the ids of the active memories that leave no place in a single-valued slot."""
        return {mate.memory_id for mate in self.in_slot(slot) if mate.status == "active" and mate.single_valued}

    def dispute(self, answered_ms: int) -> Memory | None:
        """Return the one open dispute that is concerned; a standing side stands for the dispute it is a side of."""
        open_ones = self.disputed or self.disputes_against(_ids(self.standing))
        return open_ones[0] if len(open_ones) == 1 and open_ones[0].mentioned_ms <= answered_ms else None


def _by_verdict(verdict: Verdict, pending: MemoryWrite, company: _Company) -> MemoryWrite:
    if verdict.grounded == "unsupported":
        return _with_status(pending, "rejected")
    if verdict.grounded == "partial":
        return pending
    match verdict.relation:
        case "new" if not company.holding(pending.memory.slot):
            return _with_status(pending, "active")
        case "duplicate" if company.concerned:
            repeated = (company.standing or company.disputed)[0]
            return _with_status(pending, "active", mention_of=repeated.memory_id)
        case "update":
            return _update(pending, company)
        case "conflict" if company.standing:
            return _with_status(pending, "disputed", opposes=_ids(company.standing))
        case "resolves":
            return _resolution(verdict, pending, company)
        case _:
            return pending


def _update(pending: MemoryWrite, company: _Company) -> MemoryWrite:
    """Return the write of a newer word. With a dispute goes what it is about, though the verdict names it not.

    Both sides are about one point, and the newer word says how that is now: left standing, the old side would
    contradict it, with nobody to ask. Superseded it is still there for the time it held.
    """
    said_ms = pending.memory.mentioned_ms
    newer = [old for old in company.standing if old.mentioned_ms > said_ms]
    objectless = [dispute for dispute in company.disputed if dispute.mentioned_ms <= said_ms]
    if newer and len(newer) == len(company.standing):
        # It was checked only after its successor was: it held until that one did.
        successor = min(newer, key=lambda old: old.mentioned_ms)
        until_ms = successor.valid_from_ms or successor.mentioned_ms
        return _with_status(pending, "superseded", superseded_by=successor.memory_id, valid_to_ms=until_ms)
    opposed = [side for side in company.opposed_by(objectless) if side not in company.standing]
    replaced = (*_ids(company.standing), *_ids(opposed))
    in_the_way = company.holding(pending.memory.slot) - set(replaced)
    newer += [side for side in opposed if side.mentioned_ms > said_ms]
    if newer or in_the_way or not (replaced or objectless):
        return pending
    write = _with_status(pending, "active")
    return write.model_copy(update={"supersedes": replaced, "settles": _ids(objectless)})


def _resolution(verdict: Verdict, pending: MemoryWrite, company: _Company) -> MemoryWrite:
    dispute = company.dispute(pending.memory.mentioned_ms)
    receipt = pending.memory.receipt
    if dispute is None or verdict.resolution is None or receipt is None:
        return pending
    # However it was read: what ends the dispute is the user's own word.
    final = pending.memory.model_copy(update={"receipt": receipt.model_copy(update={"provisional": False})})
    return pending.model_copy(update={"memory": final, "resolves": dispute.memory_id, "resolution": verdict.resolution})


def _with_status(write: MemoryWrite, status: Status, *, mention_of: str | None = None, **fields: Any) -> MemoryWrite:
    memory = write.memory.model_copy(update={"status": status, **fields})
    return write.model_copy(update={"memory": memory, "mention_of": mention_of})


def _ids(memories: Sequence[Memory]) -> tuple[str, ...]:
    return tuple(memory.memory_id for memory in memories)


def _receipt(row: CandidateRow, judgement: Judgement | None, now_ms: int) -> Receipt | None:
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
            neighbours=judgement.compared,
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
    row: CandidateRow, candidate: Candidate, company: _Company, session: SessionRow, receipt: Receipt | None
) -> Memory:
    return Memory(
        memory_id=row["memory_id"],
        user_id=session["user_id"],
        session_id=session["session_id"],
        kind=candidate.kind,
        text=candidate.text,
        status="pending",
        evidence=candidate.evidence,
        mentioned_ms=candidate.mentioned_ms,
        time_zone=candidate.time_zone,
        slot=candidate.slot,
        # A user who kept both sides of a dispute has a slot of several values, whatever the registry says.
        single_valued=is_single_valued(candidate.slot)
        and all(mate.single_valued for mate in company.in_slot(candidate.slot)),
        weight=candidate.weight,
        corrects=candidate.corrects,
        event_start_ms=candidate.event_start_ms,
        event_end_ms=candidate.event_end_ms,
        valid_from_ms=_valid_from_ms(candidate),
        receipt=receipt,
    )


def _valid_from_ms(candidate: Candidate) -> int:
    """Return since when it holds: since it happened, where its words say when, else since it was said."""
    start_ms = candidate.event_start_ms
    return start_ms if start_ms is not None and 0 <= start_ms < candidate.mentioned_ms else candidate.mentioned_ms
