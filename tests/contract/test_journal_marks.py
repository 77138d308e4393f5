"""What the port Journal promises of tasks, citations, ledger and repetition, on the fake and on PostgreSQL."""

import pytest
from pydantic import ValidationError

from state.ports import Journal, TurnCommit
from state.records import Evidence, LedgerEntry, MemoryWrite, TaskChange, task_id
from tests.contract.conftest import Dump
from tests.factories import NOW_MS, memory, receipt_of, turn
from tests.fakes.clock import HandClock


def commit_of(**fields: object) -> TurnCommit:
    base = {"user_id": "ann", "session_id": "s1", "actor": "gate", "at_ms": NOW_MS}
    return TurnCommit.model_validate({**base, **fields})


def change(title: str = "报销", turn_id: str = "u1", **fields: object) -> TaskChange:
    return TaskChange(title=title, evidence=Evidence(turn_id=turn_id, span=title), **fields)


def cost(node: str = "respond", tokens: int = 10, at_ms: int = NOW_MS) -> LedgerEntry:
    used = {"prompt_tokens": tokens, "completion_tokens": 2, "latency_ms": 30}
    return LedgerEntry(node=node, model="gpt-4o-mini", at_ms=at_ms, **used)


async def say(journal: Journal, *turn_ids: str) -> None:
    turns = [turn(one, turn_id=one) for one in turn_ids]
    await journal.write_ahead("ann", "s1", turns, present=[])


async def tasks(journal: Journal, user_id: str = "ann") -> list[tuple[str, str, int | None, int | None]]:
    return [(one.title, one.state, one.step, one.steps) for one in await journal.open_tasks(user_id, 9)]


async def test_a_task_named_for_the_first_time_is_open(journal: Journal) -> None:
    await journal.commit(commit_of(task_changes=(change(step=2, steps=4, due_ms=7),)))

    (task,) = await journal.open_tasks("ann", 9)
    assert task.model_dump() == {
        "task_id": task_id("ann", "报销"),
        "user_id": "ann",
        "session_id": "s1",
        "title": "报销",
        "state": "open",
        "updated_ms": NOW_MS,
        "step": 2,
        "steps": 4,
        "due_ms": 7,
    }


@pytest.mark.parametrize("wrong", [{"step": -1}, {"step": 10_001}, {"steps": 2**31}, {"due_ms": -1}, {"due_ms": 2**63}])
async def test_what_no_task_can_be_at_is_refused_before_the_journal(wrong: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        change(**wrong)


async def test_the_furthest_a_task_can_be_is_kept(journal: Journal) -> None:
    await journal.commit(commit_of(task_changes=(change(step=10_000, steps=10_000, due_ms=2**63 - 1),)))
    (task,) = await journal.open_tasks("ann", 9)
    assert (task.step, task.steps, task.due_ms) == (10_000, 10_000, 2**63 - 1)


async def test_a_task_named_again_is_the_same_task(journal: Journal) -> None:
    await say(journal, "u1", "u2", "u3")
    await journal.commit(commit_of(task_changes=(change("Expense approval", step=1, steps=4),)))
    await journal.commit(commit_of(task_changes=(change("expense  APPROVAL", "u2", step=2, state="blocked"),)))
    assert await tasks(journal) == [("Expense approval", "blocked", 2, 4)]

    await journal.commit(commit_of(task_changes=(change("expense approval", "u3", state="done"),)))
    assert await tasks(journal) == []


async def test_open_tasks_are_the_last_touched_first(journal: Journal) -> None:
    for place, title in enumerate("abc"):
        await journal.commit(commit_of(task_changes=(change(title),), at_ms=NOW_MS + place))
    assert [task.title for task in await journal.open_tasks("ann", 2)] == ["c", "b"]
    await journal.commit(commit_of(task_changes=(change("a", step=2),), at_ms=NOW_MS + 9))
    assert [task.title for task in await journal.open_tasks("ann", 2)] == ["a", "c"]


async def test_an_unchanged_task_is_not_touched(journal: Journal, dump: Dump) -> None:
    await journal.commit(commit_of(task_changes=(change(step=1),)))
    before = await dump()
    await journal.commit(commit_of(task_changes=(change(turn_id="u2", step=1),), at_ms=NOW_MS + 9))
    assert await dump() == before


async def test_an_older_turn_does_not_undo_what_a_newer_one_said(journal: Journal) -> None:
    """The curator distils a turn late; the task has moved on since."""
    await say(journal, "u1", "u2")
    await journal.commit(commit_of(task_changes=(change(turn_id="u2", step=3),)))
    await journal.commit(commit_of(task_changes=(change(turn_id="u1", step=2),), at_ms=NOW_MS + 9, actor="curator"))
    assert await tasks(journal) == [("报销", "open", 3, None)]


async def test_two_steps_of_one_turn_repeat_as_one(journal: Journal, dump: Dump) -> None:
    await say(journal, "u1")
    twice = commit_of(task_changes=(change(step=1), change(step=2)))
    await journal.commit(twice)
    before = await dump()
    await journal.commit(twice)
    assert await dump() == before
    assert await tasks(journal) == [("报销", "open", 2, None)]


async def test_a_reply_cites_a_memory_once(journal: Journal) -> None:
    await journal.commit(commit_of(writes=(MemoryWrite(memory=memory("m")),)))
    for turn_id in ("a1", "a1", "a2"):
        reply = turn("好的", turn_id=turn_id, role="assistant")
        await journal.commit(commit_of(reply=reply, cited=("m", "unknown", "m")))

    (kept,) = await journal.memories("ann", ["m"])
    assert (kept.citations, kept.version) == (2, 1)


async def test_the_ledger_keeps_each_call_once_in_order(journal: Journal) -> None:
    calls = (cost("distill"), cost("verify"), cost("verify"))
    first = commit_of(reply=turn("好的", turn_id="a1", role="assistant"), ledger=calls)
    await journal.commit(first)
    await journal.commit(first.model_copy(update={"at_ms": NOW_MS + 9}))
    other = commit_of(distilled=("u7",), ledger=(cost("distill"),))
    await journal.commit(other)

    assert await journal.usage("ann") == [*calls, cost("distill")]
    assert await journal.usage("bob") == []


async def test_no_user_sees_or_touches_the_tasks_of_another(journal: Journal) -> None:
    await journal.commit(commit_of(task_changes=(change(),)))
    await journal.commit(commit_of(user_id="bob", task_changes=(change(step=3),)))
    await journal.commit(commit_of(user_id="bob", archived=("u1",), distilled=("u1",)))

    assert await tasks(journal) == [("报销", "open", None, None)]
    assert await tasks(journal, "bob") == [("报销", "open", 3, None)]


@pytest.mark.parametrize("at_ms", [NOW_MS, NOW_MS + 60_000], ids=["the same commit", "a retry, later"])
async def test_a_commit_applied_twice_writes_nothing_twice(
    journal: Journal, clock: HandClock, dump: Dump, at_ms: int
) -> None:
    await say(journal, "u1", "u2")
    standing = memory("old", slot="user.home_city", single_valued=True)
    await journal.commit(commit_of(writes=(MemoryWrite(memory=standing), MemoryWrite(memory=memory("friend")))))
    moved = memory("new", "我搬到上海", slot="user.home_city", single_valued=True)
    held_back = memory("late", "我住在深圳", slot="user.home_city", single_valued=True)
    commit = commit_of(
        reply=turn("好的", turn_id="a1", role="assistant", reply_to="u2"),
        writes=(
            MemoryWrite(memory=moved, supersedes=("old",), company={"old": 1}),
            MemoryWrite(memory=held_back, supersedes=("old",), company={"old": 1}),
            MemoryWrite(memory=memory("again"), mention_of="friend", company={"friend": 1}),
            MemoryWrite(memory=memory("guess", receipt=receipt_of("new", provisional=True))),
            MemoryWrite(memory=memory("wait", status="pending", receipt=receipt_of("undecided"))),
            MemoryWrite(memory=memory("bare", receipt=None)),
            MemoryWrite(memory=memory("held", receipt=None), company={"gone": 1}),
            MemoryWrite(memory=memory("no", status="rejected")),
        ),
        task_changes=(change(turn_id="u2", step=2),),
        ledger=(cost("respond"), cost("verify")),
        cited=("old", "friend"),
        distilled=("u1", "u2"),
        archived=("u1",),
    )
    first = await journal.commit(commit)
    before = await dump()
    clock.at_ms += 60_000
    again = await journal.commit(commit.model_copy(update={"at_ms": at_ms}))

    assert [one.status for one in first.memories] == [
        *("active", "pending", "active", "active", "pending", "pending", "pending", "rejected")
    ]
    assert again == first
    assert await dump() == before
