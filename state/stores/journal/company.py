"""Whether a verdict still fits: what it did not know of the user's memories when it was made."""

from collections.abc import Iterable, Mapping

from state.records import Memory, MemoryWrite

_BELIEFS = ("active", "disputed", "superseded")


def rests_on_company(write: MemoryWrite) -> bool:
    """Say whether a write claims more than its source alone bears out; a rejection, or waiting, does not."""
    return write.mention_of is not None or write.resolves is not None or write.memory.status in _BELIEFS


def without_own_changes(write: MemoryWrite, before: Mapping[str, Memory], now: Mapping[str, Memory]) -> MemoryWrite:
    """Return a write whose company leaves out what earlier writes of its own commit have changed.

    "The first one, thanks. And I live in Oslo": that the dispute is over says nothing about Oslo. What the write names,
    or what is in its slot, stays in its company. `before` are the rows as the commit found them.
    """
    named = {*write.supersedes, *write.settles, *write.memory.opposes, write.mention_of, write.resolves}

    def counts(memory_id: str, version: int) -> bool:
        was, row = before.get(memory_id), now.get(memory_id)
        if was is None or row is None or was == row or was.version != version or memory_id in named:
            return True
        return write.memory.slot is not None and row.slot == write.memory.slot

    company = {memory_id: version for memory_id, version in write.company.items() if counts(memory_id, version)}
    return write.model_copy(update={"company": company})


def change(write: MemoryWrite, standing: Mapping[str, Memory]) -> str | None:
    """Return what keeps the verdict from being carried out, or None.

    Company are active and disputed memories, and what this very memory has replaced: it is judged as if that stood.
    """
    if not rests_on_company(write):
        return None
    receipt = write.memory.receipt
    if receipt is None or receipt.grounded != "supported":
        return "no verdict says that the source bears it out"
    return _moved(write, standing) or _misnamed(write, standing) or _occupied(write, standing)


def _moved(write: MemoryWrite, standing: Mapping[str, Memory]) -> str | None:
    for memory_id, version in write.company.items():
        row = standing.get(memory_id)
        replaced = row is not None and row.superseded_by == write.memory.memory_id
        # That this very memory has replaced it since is no change of its company.
        if row is None or row.version not in ((version, version + 1) if replaced else (version,)):
            return f"memory {memory_id} has changed since"
        if row.status not in ("active", "disputed") and not replaced:
            return f"memory {memory_id} does not stand"
    return None


def _misnamed(write: MemoryWrite, standing: Mapping[str, Memory]) -> str | None:
    """Return why a memory that the write names cannot be what the write takes it for, or None."""
    new = write.memory
    if write.resolves is not None:
        return _unresolvable(write, write.resolves, standing)
    if write.mention_of is not None:
        target = standing.get(write.mention_of)
        if target is not None and target.status == "disputed" and target.memory_id != new.memory_id:
            return None
        return _unless_stands(write.mention_of, new, standing)
    if new.status == "active":
        found = (_unless_stands(memory_id, new, standing, even_taken=True) for memory_id in write.supersedes)
        return next(filter(None, found), None)
    if new.status == "superseded":
        return _unless_stands(new.superseded_by, new, standing)
    if all(_unless_stands(memory_id, new, standing) for memory_id in new.opposes):
        return "nothing that it contradicts stands"
    return None


def _unless_stands(
    memory_id: str | None, new: Memory, standing: Mapping[str, Memory], *, even_taken: bool = False
) -> str | None:
    """Return why a memory does not stand, or None; what `new` replaced stands where its slot is free without `new`."""
    if memory_id is None:
        return "it does not say what took its place"
    row = standing.get(memory_id)
    if row is None or memory_id == new.memory_id:
        return f"memory {memory_id} is not there to be named"
    if row.status == "active":
        return None
    if row.superseded_by == new.memory_id:
        taken = row.single_valued and any(other.memory_id != new.memory_id for other in _in_slot(row.slot, standing))
        return f"the place of memory {memory_id} is taken" if taken and not even_taken else None
    return f"memory {memory_id} is no longer active"


def _unresolvable(write: MemoryWrite, dispute_id: str, standing: Mapping[str, Memory]) -> str | None:
    dispute = standing.get(dispute_id)
    if dispute is None or dispute.status != "disputed":
        return f"memory {dispute_id} is no open dispute"
    opposed = [standing[memory_id] for memory_id in dispute.opposes if memory_id in standing]
    if not any(row.status == "active" for row in opposed):
        return f"memory {dispute_id} contradicts nothing that stands"
    if write.memory.memory_id in (dispute_id, *dispute.opposes):
        return f"it is a side of the dispute {dispute_id} itself"
    return None if write.resolution is not None else "it does not say what is kept"


def _occupied(write: MemoryWrite, standing: Mapping[str, Memory]) -> str | None:
    """Return who stands in the memory's single-valued slot unseen, or in its way."""
    new = write.memory
    if not new.single_valued:
        return None
    enters = new.status == "active" and write.mention_of is None and write.resolves is None
    for row in _in_slot(new.slot, standing):
        if row.memory_id == new.memory_id:
            continue
        if row.memory_id not in write.company:
            return f"memory {row.memory_id} has come into {new.slot} since"
        if enters and row.single_valued and row.memory_id not in write.supersedes:
            return f"memory {row.memory_id} still stands in {new.slot}"
    return None


def _in_slot(slot: str | None, standing: Mapping[str, Memory]) -> Iterable[Memory]:
    if slot is None:
        return ()
    return (row for row in standing.values() if row.status == "active" and row.slot == slot)
