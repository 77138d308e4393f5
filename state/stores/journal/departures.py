"""What follows when a memory leaves its place: what it had replaced, and the disputes that were about it."""

from collections.abc import Collection

from state.records import Memory
from state.stores.journal.drafts import USER, Draft


def supersede(draft: Draft, memory_id: str, successor: Memory) -> None:
    """Let a successor take an active memory's place, from the time the successor holds."""
    until_ms = max(_holds_from(successor), _holds_from(draft.rows[memory_id]))
    reason = f"superseded by {successor.memory_id}"
    draft.move(memory_id, "superseded", reason, superseded_by=successor.memory_id, valid_to_ms=until_ms)


def give_back(draft: Draft, memory_id: str, *, kept: Collection[str] = ()) -> None:
    """Bring back what a memory had replaced where its slot is free; elsewhere whoever stands there has replaced it.

    What was said last comes first. `kept` stays replaced.
    """
    replaced = [row for row in draft.with_(superseded_by=memory_id) if row.memory_id not in kept]
    for row in sorted(replaced, key=lambda row: (-row.mentioned_ms, row.memory_id)):
        there = draft.in_its_place(row)
        if not there:
            draft.move(row.memory_id, "active", f"no longer superseded by {memory_id}")
        elif memory_id not in [other.memory_id for other in there]:
            draft.put(row.model_copy(update={"superseded_by": there[0].memory_id}))


def settle_disputes(draft: Draft) -> None:
    """End or open again the disputes that have nothing active against them any more.

    One that was said before the memory which now stands in its own single-valued slot is out of date: rejected. One
    that the user has confirmed is judged by nobody: it is active, or contradicts what else stands in its slot. Every
    other waits to be judged in the new company.
    """
    for dispute in draft.with_(status="disputed"):
        if draft.active_among(dispute.opposes):
            continue
        newer = _successor_in_slot(draft, dispute)
        if newer is not None:
            draft.move(dispute.memory_id, "rejected", f"settled by {newer.memory_id}")
        elif _is_confirmed(dispute):
            if there := draft.in_its_place(dispute):
                draft.put(dispute.model_copy(update={"opposes": tuple(row.memory_id for row in there)}))
            else:
                draft.move(dispute.memory_id, "active", "what it contradicts does not stand any more")
        else:
            draft.move(dispute.memory_id, "pending", "opened again: what it contradicts does not stand any more")


def _holds_from(memory: Memory) -> int:
    """Return the time from which a memory holds."""
    return memory.mentioned_ms if memory.valid_from_ms is None else memory.valid_from_ms


def _successor_in_slot(draft: Draft, dispute: Memory) -> Memory | None:
    opposed = [draft.rows[memory_id] for memory_id in dispute.opposes if memory_id in draft.rows]
    successors = draft.active_among(row.superseded_by for row in opposed if row.superseded_by is not None)
    in_slot = [row for row in draft.in_its_place(dispute) if row in successors]
    return next((row for row in in_slot if _last_word_ms(dispute) < row.mentioned_ms), None)


def _is_confirmed(dispute: Memory) -> bool:
    return dispute.receipt is not None and dispute.receipt.verifier == USER


def _last_word_ms(dispute: Memory) -> int:
    """Return when the user said it, or confirmed it."""
    decided_ms = dispute.receipt.judged_ms if dispute.receipt is not None and _is_confirmed(dispute) else 0
    return max(dispute.mentioned_ms, decided_ms)
