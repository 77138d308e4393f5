"""A commit in the journal: the reply, memories, tasks, marks and ledger of one pass, in one transaction."""

from collections.abc import Iterable, Sequence

from state.ports import Committed, TurnCommit
from state.records import Memory, MemoryWrite, Turn
from state.stores.journal import memory_rows, raises, turns
from state.stores.journal.commit_keys import citation_key, ledger_keys
from state.stores.journal.company import without_own_changes
from state.stores.journal.database import Connection
from state.stores.journal.memory_rows import Asked
from state.stores.journal.memory_writes import effects, is_judged_again
from state.stores.journal.nearby import enqueue_archived
from state.stores.journal.task_changes import by_task
from state.stores.journal.task_writes import write_task

_CITE = """
    WITH counted AS (
        INSERT INTO memory_citations (user_id, memory_id, session_id, citation_id, at_ms)
        SELECT user_id, memory_id, %(session_id)s, %(citation_id)s, %(at_ms)s FROM memories
        WHERE user_id = %(user_id)s AND memory_id = ANY(%(cited)s)
        ON CONFLICT DO NOTHING RETURNING memory_id
    )
    UPDATE memories SET citations = citations + 1, updated_ms = %(at_ms)s
    FROM counted WHERE memories.user_id = %(user_id)s AND memories.memory_id = counted.memory_id
"""
_MARK = """
    UPDATE turns SET distilled_ms = CASE WHEN turn_id = ANY(%(distilled)s) THEN coalesce(distilled_ms, %(at_ms)s)
                                    ELSE distilled_ms END,
                     archived_ms  = CASE WHEN turn_id = ANY(%(archived)s) THEN coalesce(archived_ms, %(at_ms)s)
                                    ELSE archived_ms END
    WHERE user_id = %(user_id)s AND session_id = %(session_id)s AND turn_id = ANY(%(turns)s)
"""
_MENTIONS = "SELECT memory_id, mention_id FROM memory_mentions WHERE user_id = %s AND mention_id = ANY(%s)"
_FORGOTTEN = "SELECT memory_id FROM forgotten WHERE user_id = %s AND memory_id = ANY(%s)"
_INSERT_LEDGER = """
    INSERT INTO ledger (user_id, entry_id, session_id, node, model, prompt_tokens, completion_tokens, latency_ms,
                        at_ms, estimated)
    VALUES (%(user_id)s, %(entry_id)s, %(session_id)s, %(node)s, %(model)s, %(prompt_tokens)s, %(completion_tokens)s,
            %(latency_ms)s, %(at_ms)s, %(estimated)s)
    ON CONFLICT DO NOTHING
"""


async def apply(connection: Connection, commit: TurnCommit, *, now_ms: int) -> Committed:
    """Write a commit; `now_ms` is the earliest time of a reply that is not there yet."""
    await memory_rows.lock_user(connection, commit.user_id)
    since_ms = commit.idle_since_ms
    if since_ms is not None and await turns.last_said_ms(connection, commit.user_id, commit.session_id) > since_ms:
        return Committed(reply=None, memories=(), applied=False)
    reply = None
    if commit.reply is not None:
        reply = await turns.append(connection, commit.reply, now_ms=now_ms)
    await _mark(connection, commit)
    memories = await _write_memories(connection, commit, reply)
    if reply is not None:
        await raises.ask(connection, reply, commit.raised, at_ms=commit.at_ms)
    for task, changes in by_task(commit.user_id, commit.task_changes).items():
        await write_task(connection, commit, task, changes)
    for key, entry in zip(ledger_keys(commit), commit.ledger, strict=True):
        row = {**entry.model_dump(), "user_id": commit.user_id, "session_id": commit.session_id, "entry_id": key}
        await connection.execute(_INSERT_LEDGER, row)
    return Committed(reply=reply, memories=memories)


async def _mark(connection: Connection, commit: TurnCommit) -> None:
    base = {"user_id": commit.user_id, "session_id": commit.session_id, "at_ms": commit.at_ms}
    if commit.cited:
        cited = {"citation_id": citation_key(commit), "cited": list(commit.cited)}
        await connection.execute(_CITE, {**base, **cited})
    if commit.archived:
        await enqueue_archived(connection, commit.user_id, commit.session_id, commit.archived)
    if commit.distilled or commit.archived:
        distilled, archived = list(commit.distilled), list(commit.archived)
        turns = {"distilled": distilled, "archived": archived, "turns": [*distilled, *archived]}
        await connection.execute(_MARK, {**base, **turns})


async def _write_memories(connection: Connection, commit: TurnCommit, reply: Turn | None) -> tuple[Memory, ...]:
    if not commit.writes:
        return ()
    user_id, at_ms = commit.user_id, commit.at_ms
    own_ids = [write.memory.memory_id for write in commit.writes]
    cursor = await connection.execute(_MENTIONS, (user_id, own_ids))
    mentions = {row["mention_id"]: row["memory_id"] for row in await cursor.fetchall()}
    cursor = await connection.execute(_FORGOTTEN, (user_id, own_ids))
    forgotten = {row["memory_id"] for row in await cursor.fetchall()}
    standing = await memory_rows.standing(connection, user_id, _asked(commit.writes, mentions.values()))
    found = dict(standing)
    several_valued = await memory_rows.several_valued(connection, user_id)
    answers = []
    for write in commit.writes:
        memory_id = write.memory.memory_id
        if memory_id in forgotten:
            continue
        done = effects(
            without_own_changes(write, found, standing),
            standing,
            mentioned=mentions.get(memory_id),
            several_valued=several_valued,
            actor=commit.actor,
            at_ms=at_ms,
        )
        await memory_rows.write_effects(connection, user_id, done, standing, at_ms=at_ms, reply=reply)
        if done.attempt and is_judged_again(commit):
            await memory_rows.put_off(connection, user_id, memory_id, at_ms=at_ms)
        standing |= {row.memory_id: row for row in done.rows}
        if done.mention is not None:
            holds, candidate = done.mention
            mentions = {said: holds if held == candidate else held for said, held in mentions.items()}
            mentions[candidate] = holds
        if done.several_valued is not None:
            several_valued.add(done.several_valued)
        if done.answer is not None:
            answers.append(done.answer)
    return tuple(standing[memory_id] for memory_id in answers)


def _asked(writes: Sequence[MemoryWrite], others: Iterable[str]) -> Asked:
    named = set[str | None](others)
    for write in writes:
        named |= {*write.company, *write.supersedes, *write.settles, *write.memory.opposes}
        named |= {write.mention_of, write.resolves, write.memory.superseded_by}
    return Asked(
        own=frozenset(write.memory.memory_id for write in writes),
        named=frozenset(memory_id for memory_id in named if memory_id is not None),
        slots=frozenset(write.memory.slot for write in writes if write.memory.slot is not None),
        whole=frozenset(write.resolves for write in writes if write.resolves and write.resolution == "keep_both"),
    )
