"""What must be true of a user's memories at every moment, whatever is said, judged, decided or asked."""

from collections import Counter
from typing import Any

from nodes.outbox import drain
from state.ports import Journal, TurnCommit
from state.records import Memory
from tests.contract.gate_steps import SLOTS, STATUSES
from tests.factories import NOW_MS
from tests.fakes.clock import HandClock
from tests.fakes.long_term_memory import FakeLongTermMemory


def is_open(row: Memory) -> bool:
    """Say whether a later verdict may change it."""
    if row.receipt is None or not row.receipt.provisional:
        return row.status == "pending"
    return row.status != "superseded" and (row.status != "rejected" or row.receipt.grounded == "unsupported")


class Truths:
    """What is known of one user beside the journal; `check` compares the two."""

    def __init__(self, journal: Journal, user_id: str, clock: HandClock) -> None:
        self.journal = journal
        self.user_id = user_id
        self.clock = clock
        self.index = FakeLongTermMemory()
        self.at_ms = NOW_MS
        self.rows: dict[str, Memory] = {}
        self.forgotten: set[str] = set()
        self.mentions: dict[str, str] = {}
        self.counted = Counter[str]()
        self.commits: list[TurnCommit] = []
        self.past: list[list[Memory]] = [[]]
        self.raised: dict[str, list[str]] = {}
        self.raised_ms: dict[str, int] = {}
        self.reply: str | None = None
        self.is_decided = False

    async def check(self) -> None:
        found = await self.journal.list_memories(self.user_id, statuses=STATUSES, limit=10_000)
        before, self.rows = self.rows, {row.memory_id: row for row in sorted(found, key=lambda row: row.memory_id)}
        self.past.append(list(self.rows.values()))
        for row in self.rows.values():
            self._check_row(row, before.get(row.memory_id))
            await self._check_history(row)
        active = [
            (row.slot, row.memory_id) for row in self.rows.values() if row.status == "active" and row.single_valued
        ]
        assert len({slot for slot, _ in active}) == len(active), "two active memories in one single-valued slot"
        for slot in SLOTS:
            kinds = {row.single_valued for row in self.rows.values() if row.slot == slot}
            assert len(kinds) <= 1, "a slot of one value and of several"
        await self._check_disputes(before)
        await self._check_index()
        for said, holds in self.mentions.items():
            assert holds in self.rows, f"{said} is lost"
        for commit in self.commits:
            written = commit.writes[0].memory.memory_id
            assert written in {*self.rows, *self.mentions, *self.forgotten}, f"{written} is lost"

    def _check_row(self, row: Memory, before: Memory | None) -> None:
        if row.status == "active":
            assert row.receipt is not None
            assert row.receipt.grounded == "supported"
            assert row.valid_to_ms is None
        assert (row.superseded_by is not None) == (row.status == "superseded")
        assert row.status == "disputed" or row.opposes == ()
        assert row.mentions == 1 + self.counted[row.memory_id]
        if before is not None:
            self._check_change(row, before)
        seen, link = {row.memory_id}, row.superseded_by
        while link is not None:
            assert link not in seen, "memories that supersede each other in a circle"
            assert link in self.forgotten or self.rows[link].status in ("active", "superseded")
            seen.add(link)
            link = self.rows[link].superseded_by if link in self.rows else None

    def _check_change(self, row: Memory, before: Memory) -> None:
        changed = (before.status, before.text) != (row.status, row.text)
        assert row.version > before.version if changed else row.version >= before.version
        assert row.evidence == before.evidence
        assert row.weight >= before.weight
        assert row.corrects == before.corrects or before.corrects is None
        if is_open(before):
            return
        if before.status == "rejected":
            assert not changed, "what is rejected for good came back"
        if before.status == "active" and not self.is_decided:
            assert row.status in ("active", "superseded"), "a final verdict was undone"
        if before.receipt is not None and before.receipt.verifier == "user":
            assert row.status != "pending", "what the user decided is to be judged"

    async def _check_disputes(self, before: dict[str, Memory]) -> None:
        disputed = {row.memory_id for row in self.rows.values() if row.status == "disputed"}
        disputes = await self.journal.open_disputes(self.user_id, 10_000)
        assert {dispute.memory.memory_id for dispute in disputes} == disputed
        assert all(dispute.against for dispute in disputes), "a dispute with nothing that stands against it"
        self.raised = {one: by for one, by in self.raised.items() if one in disputed}
        self.raised_ms = {one: ms for one, ms in self.raised_ms.items() if one in disputed}
        for memory_id in disputed:
            if memory_id not in before or before[memory_id].status != "disputed":
                self.raised[memory_id] = [self.reply] if self.reply is not None else []
        assert {one.memory.memory_id: list(one.raised_by) for one in disputes} == self.raised
        assert {one.memory.memory_id: one.raised_ms for one in disputes if one.raised_ms is not None} == self.raised_ms

    async def _check_history(self, row: Memory) -> None:
        events = await self.journal.history(self.user_id, row.memory_id)
        assert [event.from_status for event in events] == [None, *(event.to_status for event in events[:-1])]
        assert events[-1].to_status == row.status
        assert len(events) <= row.version

    async def _check_index(self) -> None:
        await drain(self.user_id, journal=self.journal, long_term_memory=self.index)
        points = {point.memory_id: point.status for point in self.index._own(self.user_id)}
        indexed = {row.memory_id: row.status for row in self.rows.values() if row.status in ("active", "superseded")}
        assert points == indexed

    async def _everything(self) -> Any:
        found = await self.journal.list_memories(self.user_id, statuses=STATUSES, limit=10_000)
        histories = [await self.journal.history(self.user_id, row.memory_id) for row in found]
        return found, histories, await self.journal.outbox(self.user_id, 10_000)
