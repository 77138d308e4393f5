"""Bring the index up to the journal: apply index writes that are not applied yet."""

from state.ports import Journal, LongTermMemory

BATCH = 100


async def drain(user_id: str, *, journal: Journal, long_term_memory: LongTermMemory) -> int:
    """Copy the present row of each memory named in the user's outbox to the index; return how many were applied.

    An entry goes only once its point is written, and stays where the memory has changed since: applying it again is
    harmless. Raises StoreUnavailable with the rest still in the outbox.
    """
    applied = 0
    while entries := await journal.outbox(user_id, BATCH):
        if standing := [entry.memory for entry in entries if entry.memory is not None]:
            nearby = {entry.memory_id: entry.nearby for entry in entries if entry.nearby}
            await long_term_memory.index(user_id, standing, nearby=nearby)
        if gone := [entry.memory_id for entry in entries if entry.memory is None]:
            await long_term_memory.remove(user_id, gone)
        await journal.settle(user_id, entries)
        applied += len(entries)
    return applied
