"""What the user's own decision about a memory does: rules without a database."""

from collections.abc import Mapping

from state.errors import DecisionRefused
from state.records import Decision, Grounding, Memory, Receipt, Relation
from state.stores.journal.departures import give_back, settle_disputes
from state.stores.journal.drafts import USER, Draft, Effects
from state.stores.journal.resolutions import REASONS, resolve


def decide(memory_id: str, decision: Decision, standing: Mapping[str, Memory], *, at_ms: int) -> Effects:
    """Work out what a decision does; `standing` as for a write of the gate, and for keep_both the memory's whole slot.

    Raises DecisionRefused where the memory's status does not allow it.
    """
    memory = standing[memory_id]
    draft = Draft(standing, actor="user", at_ms=at_ms)
    if decision == "confirm":
        _confirm(draft, memory, at_ms)
    elif decision == "reject":
        _reject(draft, memory, at_ms)
    else:
        if memory.status != "disputed":
            raise _refused(memory, "only an open dispute can be kept or not")
        opposed = tuple(row.memory_id for row in draft.active_among(memory.opposes))
        resolve(draft, memory_id, decision, _receipt("resolves", "supported", REASONS[decision], at_ms, opposed))
    settle_disputes(draft)
    return draft.effects(memory_id)


def forget(memory_id: str, standing: Mapping[str, Memory], *, at_ms: int) -> Effects:
    """Work out what else changes when a memory is forgotten: what it replaced, and disputes that were about it.

    What it had replaced stays replaced: the user takes a memory back, and does not say that it was wrong.
    """
    draft = Draft(standing, actor="user", at_ms=at_ms)
    successor = standing[memory_id].superseded_by
    for row in draft.with_(superseded_by=memory_id):
        if successor is not None:
            draft.put(row.model_copy(update={"superseded_by": successor}))
    for row in draft.with_(status="disputed"):
        draft.put(row.model_copy(update={"opposes": tuple(one for one in row.opposes if one != memory_id)}))
    draft.drop(memory_id, "forgotten")
    settle_disputes(draft)
    return draft.effects(None)


def changed_by(done: Effects, standing: Mapping[str, Memory]) -> list[Memory]:
    """Return what a decision changed of what is believed or waits, the memory decided about first.

    Left out are memories of the past that a slot of several values holds like all others from now on.
    """
    changed = (row for row in done.rows if row.status == "active" or row.status != standing[row.memory_id].status)
    return sorted(changed, key=lambda row: (row.memory_id != done.answer, row.mentioned_ms, row.memory_id))


def _confirm(draft: Draft, memory: Memory, at_ms: int) -> None:
    provisional = memory.status == "active" and memory.receipt is not None and memory.receipt.provisional
    if memory.status == "disputed":
        raise _refused(memory, "say whether to keep the new one, the old one, or both")
    if memory.status != "pending" and not provisional:
        raise _refused(memory, "only a pending memory, or one that is verified provisionally, can be confirmed")
    reason = "the user confirms it"
    there = draft.in_its_place(memory) if memory.status == "pending" else []
    if there:
        opposed = tuple(row.memory_id for row in there)
        receipt = _receipt("conflict", "supported", reason, at_ms, opposed)
        draft.move(memory.memory_id, "disputed", reason, opposes=opposed, receipt=receipt)
        return
    relation: Relation = memory.receipt.relation if memory.receipt is not None and provisional else "new"
    draft.move(memory.memory_id, "active", reason, receipt=_receipt(relation, "supported", reason, at_ms))


def _reject(draft: Draft, memory: Memory, at_ms: int) -> None:
    if memory.status == "disputed":
        raise _refused(memory, "say whether to keep the new one, the old one, or both")
    if memory.status not in ("pending", "active"):
        raise _refused(memory, "only a pending or an active memory can be rejected")
    reason = "the user rejects it"
    relation: Relation = memory.receipt.relation if memory.receipt is not None else "undecided"
    grounded: Grounding = memory.receipt.grounded if memory.receipt is not None else "unsupported"
    draft.move(memory.memory_id, "rejected", reason, receipt=_receipt(relation, grounded, reason, at_ms))
    give_back(draft, memory.memory_id)


def _receipt(
    relation: Relation, grounded: Grounding, reason: str, at_ms: int, neighbours: tuple[str, ...] = ()
) -> Receipt:
    return Receipt(
        relation=relation,
        grounded=grounded,
        confidence=1.0,
        reason=reason,
        verifier=USER,
        provisional=False,
        prompt_hash="",
        neighbours=neighbours,
        judged_ms=at_ms,
    )


def _refused(memory: Memory, what_can_be_done: str) -> DecisionRefused:
    return DecisionRefused(f"Memory {memory.memory_id} is {memory.status}: {what_can_be_done}.")
