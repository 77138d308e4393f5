"""Tasks in PostgreSQL: what a commit says about one is applied once, in the order it was said."""

from collections.abc import Sequence

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from state.ports import TurnCommit
from state.records import Task, TaskChange
from state.stores.journal.commit_keys import change_key
from state.stores.journal.database import Connection
from state.stores.journal.task_changes import changed

TASK_COLUMNS = ", ".join(Task.model_fields)

_TASK = f"SELECT {TASK_COLUMNS}, said_ms FROM tasks WHERE user_id = %s AND task_id = %s"
_IS_APPLIED = "SELECT 1 FROM task_events WHERE user_id = %s AND task_id = %s AND change_id = %s"
_SAID_AT = "SELECT max(at_ms) AS at_ms FROM turns WHERE user_id = %s AND session_id = %s AND turn_id = ANY(%s)"
_UPSERT_TASK = f"""
    INSERT INTO tasks ({TASK_COLUMNS}, said_ms)
    VALUES ({", ".join(f"%({name})s" for name in Task.model_fields)}, %(said_ms)s)
    ON CONFLICT (user_id, task_id) DO UPDATE
    SET {", ".join(f"{name} = excluded.{name}" for name in Task.model_fields)}, said_ms = excluded.said_ms
"""
_INSERT_TASK_EVENT = """
    INSERT INTO task_events (user_id, task_id, change_id, at_ms, actor, task, evidence)
    VALUES (%s, %s, %s, %s, %s, %s, %s)
"""


def task_of(row: DictRow) -> Task:
    """Return the task a row of `TASK_COLUMNS` holds."""
    return Task.model_validate({name: row[name] for name in Task.model_fields})


async def write_task(connection: Connection, commit: TurnCommit, task: str, changes: Sequence[TaskChange]) -> None:
    """Apply what a commit says about one task; an older turn than the one that last changed it changes nothing."""
    owner = (commit.user_id, task)
    key = change_key(commit.session_id, changes)
    if await (await connection.execute(_IS_APPLIED, (*owner, key))).fetchone() is not None:
        return
    row = await (await connection.execute(_TASK, owner)).fetchone()
    turn_ids = [change.evidence.turn_id for change in changes]
    said = await (await connection.execute(_SAID_AT, (commit.user_id, commit.session_id, turn_ids))).fetchone()
    said_ms = said["at_ms"] if said is not None and said["at_ms"] is not None else commit.at_ms
    if row is not None and said_ms < row["said_ms"]:
        return
    after = changed(
        task_of(row) if row is not None else None,
        changes,
        user_id=commit.user_id,
        session_id=commit.session_id,
        at_ms=commit.at_ms,
    )
    if after is None:
        return
    await connection.execute(_UPSERT_TASK, {**after.model_dump(), "said_ms": said_ms})
    evidence = Jsonb([change.evidence.row() for change in changes])
    event = (*owner, key, commit.at_ms, commit.actor, Jsonb(after.row()), evidence)
    await connection.execute(_INSERT_TASK_EVENT, event)
