"""What a write of the gate does to the memories as they stand: rules without a database."""

from collections.abc import Mapping
from typing import NamedTuple

from state.ports import TurnCommit
from state.records import Memory, MemoryEvent, MemoryWrite, Status

INDEXED: frozenset[Status] = frozenset({"active", "superseded"})
"""The statuses whose memories have a point in the index."""

FIRST_WAIT_MS = 60_000
LONGEST_WAIT_MS = 86_400_000

_HELD_BACK = " (held back: {})"
_KEPT = ("supersedes", "valid_from_ms", "valid_to_ms")
_NOT_INDEXED = {"receipt", "opposes", "supersedes", "mentions", "citations", "version"}


class Effects(NamedTuple):
    """What is to be written: rows in this order, events, a mention (memory, candidate); `answer` is the id that stands.

    The rows' order matters: an old memory leaves its slot before the new one enters. `attempt` says that the memory
    still waits for its verdict as it did before.
    """

    answer: str
    rows: tuple[Memory, ...] = ()
    events: tuple[MemoryEvent, ...] = ()
    mention: tuple[str, str] | None = None
    attempt: bool = False


def is_open_to_judgement(memory: Memory) -> bool:
    """Say whether a later verdict may change the memory: it waits for one, or has only a provisional one."""
    provisional = memory.receipt is not None and memory.receipt.provisional
    return memory.status == "pending" or (memory.status in ("active", "disputed") and provisional)


def is_judged_again(commit: TurnCommit) -> bool:
    """Say whether a commit is about memories alone; one about turns, written twice, is no attempt to judge again."""
    return commit.reply is None and not commit.distilled and not commit.archived


def needs_index(before: Memory | None, after: Memory) -> bool:
    """Say whether the memory's point in the index is to be written or deleted."""
    if after.status not in INDEXED and (before is None or before.status not in INDEXED):
        return False
    return before is None or before.model_dump(exclude=_NOT_INDEXED) != after.model_dump(exclude=_NOT_INDEXED)


def effects(write: MemoryWrite, standing: Mapping[str, Memory], *, mentioned: bool, actor: str, at_ms: int) -> Effects:
    """Work out what a write does.

    `standing` holds the rows of all ids the write names and the active rows of its slot; `mentioned` says that the
    mention it makes is counted already. A rejection or a memory that stays pending rests on its source alone, so that
    its company is not asked; a memory with a provisional verdict stays as it is where the new one is undecided, is
    missing, or was made in a company that changed.
    """
    done = _decided(write, standing, mentioned=mentioned, actor=actor, at_ms=at_ms)
    before = standing.get(write.memory.memory_id)
    if before is None or not is_open_to_judgement(before):
        return done
    after = next((row for row in done.rows if row.memory_id == before.memory_id), before)
    return done._replace(attempt=is_open_to_judgement(after) and after.status == before.status)


def _decided(write: MemoryWrite, standing: Mapping[str, Memory], *, mentioned: bool, actor: str, at_ms: int) -> Effects:
    new = write.memory
    before = standing.get(new.memory_id)
    if mentioned and write.mention_of is not None:
        return Effects(write.mention_of)
    if before is not None and (not is_open_to_judgement(before) or _is_repeated(before, write)):
        return Effects(new.memory_id)
    change = _change(write, standing)
    if before is not None and before.status != "pending" and (change is not None or new.status == "pending"):
        return Effects(new.memory_id)
    if change is not None:
        return _stored(before, _held_back(new, change), actor, at_ms, change)
    if write.mention_of is not None:
        return _mentioned(before, new, standing[write.mention_of], actor, at_ms)
    stored = _stored(before, new.model_copy(update={"supersedes": write.supersedes or new.supersedes}), actor, at_ms)
    if new.status != "active" or write.supersedes is None:
        return stored
    old = standing[write.supersedes]
    valid_to = new.mentioned_ms if new.valid_from_ms is None else new.valid_from_ms
    past = old.model_copy(update={"status": "superseded", "valid_to_ms": valid_to, "version": old.version + 1})
    event = _event(old, past, actor, at_ms, f"superseded by {new.memory_id}")
    return stored._replace(rows=(past, *stored.rows), events=(event, *stored.events))


def _is_repeated(before: Memory, write: MemoryWrite) -> bool:
    """Say whether this very verdict made the row what it is: a user who confirms it brings the row's own receipt."""
    new = write.memory
    if write.mention_of is None and (before.status, before.text, before.receipt) == (new.status, new.text, new.receipt):
        return True
    if before.status != "pending" or before.receipt is None or new.receipt is None:
        return False
    held_back = before.receipt.reason.startswith(new.receipt.reason + _HELD_BACK.split("{", 1)[0])
    return held_back and before.receipt == new.receipt.model_copy(update={"reason": before.receipt.reason})


def _change(write: MemoryWrite, standing: Mapping[str, Memory]) -> str | None:
    """Return what the verdict did not know when it was made, or None."""
    new = write.memory
    if write.mention_of is None and new.status not in ("active", "disputed"):
        return None
    for memory_id, version in write.company.items():
        row = standing.get(memory_id)
        if row is None or row.version != version:
            return f"memory {memory_id} has changed since"
    for target in (write.supersedes, write.mention_of):
        if target is not None and (target == new.memory_id or target not in standing):
            return f"memory {target} is not there to be named"
    if write.supersedes is not None and standing[write.supersedes].status != "active":
        return f"memory {write.supersedes} is no longer active"
    if not new.single_valued or new.slot is None:
        return None
    for row in standing.values():
        if row.status != "active" or row.slot != new.slot or row.memory_id == new.memory_id:
            continue
        if row.memory_id not in write.company:
            return f"memory {row.memory_id} has come into {new.slot} since"
        enters = new.status == "active" and write.mention_of is None
        if enters and row.single_valued and row.memory_id != write.supersedes:
            return f"memory {row.memory_id} still stands in {new.slot}"
    return None


def _held_back(new: Memory, change: str) -> Memory:
    receipt = new.receipt
    if receipt is not None:
        receipt = receipt.model_copy(update={"reason": receipt.reason + _HELD_BACK.format(change)})
    return new.model_copy(update={"status": "pending", "receipt": receipt, "supersedes": None})


def _stored(before: Memory | None, row: Memory, actor: str, at_ms: int, reason: str = "") -> Effects:
    if before is None:
        row = row.model_copy(update={"version": 1})
    else:
        differs = (before.status, before.text) != (row.status, row.text)
        kept = {"mentions": before.mentions, "citations": before.citations, "version": before.version + differs}
        said_before = {name: getattr(before, name) for name in _KEPT if getattr(row, name) is None}
        row = row.model_copy(update=kept | said_before)
        if row == before:
            return Effects(row.memory_id)
    reason = row.receipt.reason if row.receipt is not None else reason
    events = () if before and before.status == row.status else (_event(before, row, actor, at_ms, reason),)
    return Effects(row.memory_id, (row,), events)


def _mentioned(before: Memory | None, new: Memory, standing: Memory, actor: str, at_ms: int) -> Effects:
    """Count the mention; a row the candidate had of its own is not wanted any more."""
    again = standing.model_copy(update={"mentions": standing.mentions + 1})
    mention = Effects(standing.memory_id, (again,), mention=(standing.memory_id, new.memory_id))
    if before is None:
        return mention
    gone = _stored(before, before.model_copy(update={"status": "rejected", "receipt": new.receipt}), actor, at_ms)
    return mention._replace(rows=(again, *gone.rows), events=gone.events)


def _event(before: Memory | None, after: Memory, actor: str, at_ms: int, reason: str) -> MemoryEvent:
    from_status = before.status if before is not None else None
    change = {"memory_id": after.memory_id, "from_status": from_status, "to_status": after.status}
    return MemoryEvent.model_validate({**change, "at_ms": at_ms, "actor": actor, "reason": reason})
