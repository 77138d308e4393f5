"""The seven cases of memtrust, end to end: a fact, a day later its correction, a day later the question.

Each is a conversation with the assistant itself, its distiller among it. What became of the first fact:

    flagged       the two are held against each other: the correction is disputed
    updated       the first is superseded, with its interval
    held back     the correction waits as pending, and the first still stands
    kept both     both stand side by side
    overwritten   the first is gone without a trace of when it held
    unheard       nothing was kept of the correction, or of the fact

`stale` counts, beside that, where the question is given the first fact as what holds, with neither the new one beside
it nor a dispute.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from langgraph.checkpoint.memory import InMemorySaver

from graph.assistant import build_assistant
from state.context import Context
from state.records import Memory, Status
from tests.bench.figures import Figures
from tests.bench.gate.place import Place
from tests.bench.gate.public import rows_of

DAY_MS = 86_400_000
MONDAY_MS = 1_781_524_800_000  # 2026-06-15 08:00 in New York
EVERY: tuple[Status, ...] = ("active", "pending", "disputed", "superseded", "rejected")
FATES = ("flagged", "updated", "held_back", "kept_both", "overwritten", "unheard")

Fate = Literal["flagged", "updated", "held_back", "kept_both", "overwritten", "unheard"]


def cases(data: Path) -> list[dict[str, Any]] | None:
    """Return the cases, None where the data is not there."""
    path = data / "memtrust_contradiction" / "cases.jsonl"
    return rows_of(path) if path.is_file() else None


async def run(place: Place, found: Sequence[dict[str, Any]]) -> tuple[Figures, list[str]]:
    """Play the conversations; return how many cases ended which way, and one line a case."""
    assistant = build_assistant(place.services)
    assistant.checkpointer = InMemorySaver()
    fates: Counter[str] = Counter()
    told: list[str] = []
    for case in found:
        fate, stale = await _played(place, assistant, case)
        fates[fate] += 1
        fates["stale"] += stale
        told.append(f"{case['case_id']} {case['subject']}: {fate.replace('_', ' ')}{', stale' if stale else ''}")
    return {"n": len(found), **{fate: fates[fate] for fate in (*FATES, "stale")}}, told


async def _played(place: Place, assistant: Any, case: dict[str, Any]) -> tuple[Fate, bool]:
    user_id = f"bench {case['case_id']}"
    journal = place.services.journal

    async def say(text: str, day: int) -> dict[str, Any]:
        place.clock.set(MONDAY_MS + day * DAY_MS)
        config = {"configurable": {"thread_id": f"{case['case_id']} {day}"}}
        message = {"messages": [{"role": "user", "content": text}]}
        await assistant.ainvoke(message, config, context=Context(user_id=user_id, time_zone="America/New_York"))
        state: dict[str, Any] = (await assistant.aget_state(config)).values
        return state

    await say(case["initial_fact"], 0)
    first = await journal.list_memories(user_id, statuses=EVERY, limit=100)
    await say(case["contradicting_fact"], 1)
    rows = await journal.list_memories(user_id, statuses=EVERY, limit=100)
    asked = await say(case["query"], 2)
    shown = " ".join(row["text"] for row in asked["recalled"] if row["status"] == "active")
    stale = _names(shown, case["initial_value"]) and not _names(shown, case["updated_value"]) and not asked["disputes"]
    return fate_of(first, rows), stale


def fate_of(first: Sequence[Memory], rows: Sequence[Memory]) -> Fate:
    """Say what became of the first fact, from the user's memories after it and after its correction."""
    before = {memory.memory_id for memory in first if memory.status == "active"}
    old = [memory for memory in rows if memory.memory_id in before]
    new = [memory for memory in rows if memory.memory_id not in {known.memory_id for known in first}]
    statuses = {memory.status for memory in new}
    if not old or not statuses - {"rejected"}:
        return "unheard" if len(old) == len(before) else "overwritten"
    if "disputed" in statuses:
        return "flagged"
    if any(memory.status == "superseded" and memory.valid_to_ms is not None for memory in old):
        return "updated"
    if any(memory.status != "active" for memory in old):
        return "overwritten"
    return "kept_both" if "active" in statuses else "held_back"


def _names(text: str, value: str) -> bool:
    return value.casefold() in text.casefold()
