"""What the changes of one commit do to a task: rules without a database."""

from collections.abc import Sequence

from state.records import Task, TaskChange, task_id


def by_task(user_id: str, changes: Sequence[TaskChange]) -> dict[str, list[TaskChange]]:
    """Group changes by the task they are about, each group in the order given."""
    groups: dict[str, list[TaskChange]] = {}
    for change in changes:
        groups.setdefault(task_id(user_id, change.title), []).append(change)
    return groups


def changed(
    task: Task | None, changes: Sequence[TaskChange], *, user_id: str, session_id: str, at_ms: int
) -> Task | None:
    """Return the task after these changes, or None where they change nothing. A task not known before starts open."""
    after = task or Task(
        task_id=task_id(user_id, changes[0].title),
        user_id=user_id,
        session_id=session_id,
        title=changes[0].title,
        state="open",
        updated_ms=at_ms,
    )
    for change in changes:
        said = change.model_dump(include={"state", "step", "steps", "due_ms"}, exclude_none=True)
        after = after.model_copy(update=said)
    return None if after == task else after.model_copy(update={"updated_ms": at_ms})
