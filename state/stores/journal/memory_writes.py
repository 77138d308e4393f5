"""What a write of the gate does to the memories as they stand: rules without a database."""

from collections.abc import Collection, Mapping
from typing import Any

from state.ports import TurnCommit
from state.records import Memory, MemoryWrite
from state.stores.journal.company import change
from state.stores.journal.departures import give_back, settle_disputes, supersede
from state.stores.journal.drafts import Actor, Draft, Effects, is_open_to_judgement
from state.stores.journal.resolutions import resolve

FIRST_WAIT_MS = 60_000
LONGEST_WAIT_MS = 86_400_000

_HELD_BACK = " (held back: {})"
_KEPT = ("valid_from_ms", "valid_to_ms")


def is_judged_again(commit: TurnCommit) -> bool:
    """Say whether a commit is about memories alone; one about turns, written twice, is no attempt to judge again."""
    return commit.reply is None and not commit.distilled and not commit.archived


def effects(
    write: MemoryWrite,
    standing: Mapping[str, Memory],
    *,
    mentioned: str | None,
    several_valued: Collection[str],
    actor: Actor,
    at_ms: int,
) -> Effects:
    """Work out what a write does.

    `standing` holds all that the write can touch: the rows of all ids it names, those that its memory has replaced, the
    active ones of all their slots, and the user's open disputes with what they contradict. `mentioned` is the memory
    for which this candidate is counted as a mention already; `several_valued` are the slots that hold several values
    for this user.

    A rejection or a memory that stays pending rests on its source alone, so that its company is not asked; a memory
    with a provisional verdict stays as it is where the new one is undecided, is missing, or cannot be carried out.
    """
    if mentioned is not None:
        return Effects(mentioned)
    if write.memory.slot in several_valued:
        write = write.model_copy(update={"memory": write.memory.model_copy(update={"single_valued": False})})
    before = standing.get(write.memory.memory_id)
    if before is not None and (not is_open_to_judgement(before) or _is_old(before, write.memory)):
        return Effects(before.memory_id)
    done = _decided(write, before, standing, Draft(standing, actor=actor, at_ms=at_ms))
    if before is None:
        return done
    after = next((row for row in done.rows if row.memory_id == before.memory_id), before)
    return done._replace(attempt=is_open_to_judgement(after) and after.status == before.status)


def _decided(write: MemoryWrite, before: Memory | None, standing: Mapping[str, Memory], draft: Draft) -> Effects:
    new = write.memory
    waits = new.status == "pending" and write.mention_of is None and write.resolves is None
    if before is not None and (new.receipt is None or (waits and before.status != "pending")):
        return Effects(new.memory_id)
    unfit = change(write, standing)
    if write.droppable and (unfit is not None or write.resolves is None):
        return Effects(None)
    if before is not None and before.status != "pending" and unfit is not None:
        return Effects(new.memory_id)
    if unfit is not None:
        _put(draft, before, _held_back(new, unfit), unfit)
        return draft.effects(new.memory_id)
    if write.resolves is not None or write.mention_of is not None:
        answer = _said_again(write, before, draft)
    else:
        answer = new.memory_id
        _stand(write, before, draft)
    settle_disputes(draft)
    return draft.effects(answer)


def _is_old(before: Memory, new: Memory) -> bool:
    """Say whether this very verdict, or a later one, made the row what it is."""
    if before.receipt is None or new.receipt is None:
        return False
    if new.receipt.judged_ms < before.receipt.judged_ms:
        return True
    reason = before.receipt.reason
    if before.status == "pending" and reason.startswith(new.receipt.reason + _HELD_BACK.split("{", 1)[0]):
        reason = new.receipt.reason
    return before.receipt.model_copy(update={"reason": reason}) == new.receipt


def _held_back(new: Memory, unfit: str) -> Memory:
    receipt = new.receipt
    if receipt is not None:
        receipt = receipt.model_copy(update={"reason": receipt.reason + _HELD_BACK.format(unfit)})
    return new.model_copy(update={"status": "pending", "receipt": receipt, "valid_to_ms": None})


def _stand(write: MemoryWrite, before: Memory | None, draft: Draft) -> None:
    """Let the memory have the status that it was given, with all that follows for others."""
    new = _put(draft, before, write.memory)
    if new.status == "active":
        for memory_id in write.supersedes:
            if draft.rows[memory_id].status == "active":
                supersede(draft, memory_id, new)
        for memory_id in write.settles:
            if memory_id in draft.rows and draft.rows[memory_id].status == "disputed":
                draft.move(memory_id, "rejected", f"settled by {new.memory_id}")
    kept = set(write.supersedes) if new.status == "active" else set()
    if new.status == "superseded":
        # It held in its time, so that what it replaced stays replaced; but not what is now found to have replaced it.
        kept = {row.memory_id for row in draft.with_(superseded_by=new.memory_id)} - {new.superseded_by}
    give_back(draft, new.memory_id, kept=kept)


def _said_again(write: MemoryWrite, before: Memory | None, draft: Draft) -> str:
    """End a dispute, or find what is said already, and count a mention of what holds; return its id.

    A row the candidate had of its own is not wanted any more.
    """
    new = write.memory
    reason = new.receipt.reason if new.receipt is not None else ""
    if before is not None:
        draft.move(new.memory_id, "rejected", reason, receipt=new.receipt)
    holds = write.mention_of or new.memory_id
    if write.resolves is not None and write.resolution is not None and new.receipt is not None:
        # The judge is the user, whoever has read the answer.
        receipt = new.receipt.model_copy(update={"provisional": False})
        holds = resolve(draft, write.resolves, write.resolution, receipt).memory_id
    give_back(draft, new.memory_id)
    draft.mention_again(holds, new.memory_id, weight=new.weight)
    return holds


def _put(draft: Draft, before: Memory | None, row: Memory, reason: str = "") -> Memory:
    """Write the memory's own row; what was counted and known of it stays.

    So do its evidence, whose turns an edit may have renamed while the verdict was made, and a weight it got meanwhile.
    """
    only: dict[str, Any] = {
        "opposes": row.opposes if row.status == "disputed" else (),
        "superseded_by": row.superseded_by if row.status == "superseded" else None,
    }
    if before is not None:
        only |= {"mentions": before.mentions, "citations": before.citations, "evidence": before.evidence}
        only |= {"weight": max(before.weight, row.weight), "corrects": before.corrects or row.corrects}
        only |= {name: getattr(before, name) for name in _KEPT if getattr(row, name) is None}
    return draft.put(row.model_copy(update=only), row.receipt.reason if row.receipt is not None else reason)
