"""A user's memories under random verdicts, failures and decisions, and what must be true of them at every moment."""

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

from nodes.fact_check.fates import fate
from nodes.outbox import drain
from state.errors import DecisionRefused
from state.ports import Journal, Judgement, Neighbour, TurnCommit
from state.records import Memory, MemoryWrite, Receipt, Verdict
from state.schema import CandidateRow
from tests.contract.gate_steps import SLOTS, STATUSES
from tests.factories import NOW_MS, candidate, candidate_row, memory
from tests.fakes.long_term_memory import FakeLongTermMemory


class World:
    """One user, whose memories random steps change; `check` holds after each."""

    def __init__(self, journal: Journal, user_id: str) -> None:
        self.journal = journal
        self.user_id = user_id
        self.index = FakeLongTermMemory()
        self.at_ms = NOW_MS
        self.rows: dict[str, Memory] = {}
        self.forgotten: set[str] = set()
        self.mentions: dict[str, str] = {}
        self.counted = Counter[str]()
        self.commits: list[TurnCommit] = []
        self.past: list[list[Memory]] = [[]]
        self._ids = itertools.count(1)

    async def run(self, steps: Sequence[tuple[Any, ...]]) -> None:
        for name, *values in steps:
            self.at_ms += 1_000
            await getattr(self, f"_{name}")(*values)
            await self.check()

    # Steps

    async def _say(self, slot: str | None, ago: int, answers: int | None, verdict: Any, seen: Any) -> None:
        disputes = [row for row in self.rows.values() if row.status == "disputed"]
        dispute = disputes[answers % len(disputes)].memory_id if answers is not None and disputes else None
        await self._commit(self._judged(self._new_id(), slot, verdict, seen, ago=ago, answers=dispute))

    async def _race(self, slot: str | None, first: Any, second: Any, seen: Any) -> None:
        """Two runs judged beside the same company; each commits what it found."""
        writes = [self._judged(self._new_id(), slot, verdict, seen) for verdict in (first, second)]
        for write in writes:
            await self._commit(write)

    async def _judge_again(self, pick: int, verdict: Any, seen: Any) -> None:
        waiting = [
            row
            for row in self.rows.values()
            if row.status == "pending"
            or (row.status in ("active", "disputed") and row.receipt is not None and row.receipt.provisional)
        ]
        successors = [row for row in waiting if row.memory_id in {other.superseded_by for other in self.rows.values()}]
        if waiting:
            (row,) = self._picked(successors if successors and pick % 4 else waiting, [pick])
            await self._commit(self._judged(row.memory_id, row.slot, verdict, seen, standing=row))

    async def _write(self, given: dict[str, Any]) -> None:
        """Write what no gate would ask for: the journal alone must hold."""
        seen = self.past[-2 if given["stale"] and len(self.past) > 1 else -1]
        known = [*seen, memory("nobody", user_id=self.user_id)]
        named = {name: tuple(row.memory_id for row in self._picked(known, given[name])) for name in _SEVERAL}
        named |= {name: known[given[name] % len(known)].memory_id if given[name] is not None else None for name in _ONE}
        own = given["own"] is not None and seen
        row = memory(
            seen[given["own"] % len(seen)].memory_id if own else self._new_id(),
            user_id=self.user_id,
            status=given["status"],
            slot=given["slot"],
            single_valued=SLOTS[given["slot"]],
            opposes=named.pop("opposes"),
            superseded_by=named.pop("superseded_by"),
            mentioned_ms=self.at_ms,
            receipt=self._receipt(given),
        )
        stood = [one for one in seen if one.status in ("active", "disputed") or one.superseded_by == row.memory_id]
        shown = stood if given["company"] is None else self._picked(seen, given["company"])
        company = {one.memory_id: one.version for one in shown if one.memory_id != row.memory_id}
        flags = {name: given[name] for name in ("resolution", "droppable")}
        await self._commit(MemoryWrite.model_validate({"memory": row, **named, **flags, "company": company}))

    async def _decide(self, pick: int, decision: Any) -> None:
        if not self.rows:
            return
        disputes = [row for row in self.rows.values() if row.status == "disputed" and decision.startswith("keep")]
        memory_id = self._picked(disputes or list(self.rows.values()), [pick])[0].memory_id
        try:
            changed = await self.journal.decide(self.user_id, memory_id, decision, at_ms=self.at_ms)
        except DecisionRefused:
            return
        assert changed is not None
        assert changed[0].memory_id == memory_id
        assert changed == await self.journal.memories(self.user_id, [row.memory_id for row in changed])

    async def _forget(self, pick: int) -> None:
        if not self.rows:
            return
        memory_id = list(self.rows)[pick % len(self.rows)]
        assert await self.journal.forget(self.user_id, memory_id, at_ms=self.at_ms)
        gone = {memory_id} | {said for said, holds in self.mentions.items() if holds == memory_id}
        self.forgotten |= gone
        self.mentions = {said: holds for said, holds in self.mentions.items() if said not in gone}

    async def _replay(self, pick: int) -> None:
        """Apply a commit again, long after: nothing is written twice."""
        if not self.commits:
            return
        before = await self._everything()
        await self.journal.commit(self.commits[pick % len(self.commits)])
        assert await self._everything() == before

    async def _commit(self, write: MemoryWrite) -> None:
        commit = TurnCommit(
            user_id=self.user_id,
            session_id="s1",
            actor="curator",
            at_ms=self.at_ms,
            writes=(write,),
            distilled=(write.memory.memory_id,),
        )
        done = await self.journal.commit(commit)
        memory_id = write.memory.memory_id
        if memory_id in self.forgotten or not done.memories:
            assert not done.memories
            assert memory_id in self.forgotten or write.droppable
            return
        self.commits.append(commit)
        (answer,) = done.memories
        if answer.memory_id != memory_id and memory_id not in self.mentions:
            self.mentions[memory_id] = answer.memory_id
            self.counted[answer.memory_id] += 1

    # What a step is made of

    def _new_id(self) -> str:
        return f"m{next(self._ids):03}"

    def _picked(self, rows: Sequence[Memory], picks: Sequence[int]) -> list[Memory]:
        return list(
            {rows[pick % len(rows)].memory_id: rows[pick % len(rows)] for pick in picks}.values() if rows else ()
        )

    def _company(self, slot: str | None, seen: Any, standing: Memory | None) -> list[Memory]:
        """Return what screen shows the verifier, as it was some steps ago."""
        rows = self.past[-1 - min(seen["ago"], len(self.past) - 1)]
        shown = {row.memory_id: row for row in (rows if seen["beside"] is None else self._picked(rows, seen["beside"]))}
        shown |= {row.memory_id: row for row in rows if slot is not None and row.slot == slot}
        kept = [row for row in shown.values() if row.status in ("active", "disputed")]
        if standing is not None:
            kept += [row for row in rows if row.superseded_by == standing.memory_id]
            kept = [row for row in kept if row.memory_id != standing.memory_id]
        return kept

    def _judged(
        self,
        memory_id: str,
        slot: str | None,
        verdict: Any,
        seen: Any,
        *,
        ago: int = 0,
        answers: str | None = None,
        standing: Memory | None = None,
    ) -> MemoryWrite:
        company = self._company(slot, seen, standing)
        said_ms = standing.mentioned_ms if standing is not None else self.at_ms - ago * 1_500
        said = candidate(f"words of {memory_id}", slot=slot, mentioned_ms=said_ms, answers=answers)
        judgement = None
        if isinstance(verdict, dict):
            concerned = self._picked(company, verdict["concerns"] or ())
            if verdict["concerns"] is None:
                concerned = _to_the_point(verdict["relation"], slot, company)
            judgement = Judgement(
                verdict=Verdict(
                    relation=verdict["relation"] if company else "new",
                    grounded=verdict["grounded"],
                    resolution=verdict["resolution"],
                    concerns=tuple(row.memory_id for row in concerned),
                ),
                verifier="scripted",
                provisional=verdict["provisional"],
                prompt_hash="",
            )
        row: CandidateRow = {
            **candidate_row(said, judgement, company, "a secret" if verdict == "refused" else None),
            "memory_id": memory_id,
            "company": [Neighbour(memory=one, same_slot=one.slot == slot).row() for one in company],
            "standing": standing.row() if standing is not None else None,
        }
        return fate(row, {"user_id": self.user_id, "session_id": "s1", "time_zone": "UTC"}, self.at_ms)

    def _receipt(self, given: dict[str, Any]) -> Receipt | None:
        if given["grounded"] is None:
            return None
        return Receipt(
            relation="new",
            grounded=given["grounded"],
            confidence=1.0,
            reason="scripted",
            verifier="scripted",
            provisional=given["provisional"],
            prompt_hash="",
            judged_ms=self.at_ms,
        )

    # What must be true

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
        disputed = {row.memory_id for row in self.rows.values() if row.status == "disputed"}
        disputes = await self.journal.open_disputes(self.user_id, 10_000)
        assert {dispute.memory.memory_id for dispute in disputes} == disputed
        assert all(dispute.against for dispute in disputes), "a dispute with nothing that stands against it"
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
            changed = (before.status, before.text) != (row.status, row.text)
            assert row.version > before.version if changed else row.version >= before.version
        seen, link = {row.memory_id}, row.superseded_by
        while link is not None:
            assert link not in seen, "memories that supersede each other in a circle"
            assert link in self.forgotten or self.rows[link].status in ("active", "superseded")
            seen.add(link)
            link = self.rows[link].superseded_by if link in self.rows else None

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


def _to_the_point(relation: str, slot: str | None, company: Sequence[Memory]) -> list[Memory]:
    """Return what a good verifier would name."""
    if relation == "resolves":
        return [row for row in company if row.status == "disputed"][:1]
    return [row for row in company if slot is not None and row.slot == slot] or list(company[:1])


_SEVERAL = ("supersedes", "settles", "opposes")
_ONE = ("superseded_by", "mention_of", "resolves")
