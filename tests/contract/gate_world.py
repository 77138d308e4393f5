"""A user's memories under random verdicts, failures, decisions and questions."""

import itertools
from collections.abc import Sequence
from typing import Any

from nodes.fact_check.fates import fate
from state.errors import DecisionRefused
from state.ports import Journal, Judgement, Neighbour, TurnCommit
from state.records import Memory, MemoryWrite, Receipt, Turn, Verdict
from state.schema import CandidateRow
from tests.contract.gate_steps import SLOTS
from tests.contract.gate_truths import Truths, is_open
from tests.factories import candidate, candidate_row, memory, turn
from tests.fakes.clock import HandClock


class World(Truths):
    """One user, whose memories random steps change; `check` holds after each."""

    def __init__(self, journal: Journal, user_id: str, clock: HandClock) -> None:
        super().__init__(journal, user_id, clock)
        self._ids = itertools.count(1)

    async def run(self, steps: Sequence[tuple[Any, ...]]) -> None:
        for name, *values in steps:
            self.at_ms += 1_000
            self.reply, self.is_decided = None, False
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
        await self._commit(writes[0])
        await self.check()
        await self._commit(writes[1])

    async def _judge_again(self, pick: int, verdict: Any, seen: Any) -> None:
        waiting = [row for row in self.rows.values() if is_open(row)]
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
            corrects=named["mention_of"],
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
        await self._decided(self._picked(disputes or list(self.rows.values()), [pick])[0].memory_id, decision)

    async def _quarrel(self, slot: str | None, provisional: Sequence[bool], decision: Any) -> None:
        """Say one thing, then another that contradicts it, and let the user decide about the dispute."""
        old, new = self._new_id(), self._new_id()
        await self._found(old, "new", (), slot, provisional=provisional[0])
        await self._found(new, "conflict", (old,), slot, provisional=provisional[1])
        await self._decided(new, decision)

    async def _merge(self, slot: str | None, again: int) -> None:
        """Say two things, the second several times; then it turns out that they are one."""
        first, second = self._new_id(), self._new_id()
        await self._found(first, "new", (), slot)
        await self._found(second, "new", (), slot, provisional=True)
        for _ in range(again):
            await self._found(self._new_id(), "duplicate", (second,), slot)
        await self._found(second, "duplicate", (first,), slot)

    async def _found(
        self, memory_id: str, relation: str, concerns: Sequence[str], slot: str | None, *, provisional: bool = False
    ) -> None:
        """Commit what a verdict beside all that stands asks for."""
        self.at_ms += 1_000
        seen, standing = {"beside": None, "ago": 0}, self.rows.get(memory_id)
        company = [row.memory_id for row in self._company(slot, seen, standing)]
        verdict = {
            "relation": relation,
            "grounded": "supported",
            "resolution": None,
            "provisional": provisional,
            "concerns": [company.index(each) for each in concerns if each in company],
        }
        await self._commit(self._judged(memory_id, slot, verdict, seen, standing=standing))
        await self.check()

    async def _decided(self, memory_id: str, decision: Any) -> None:
        self.reply, self.is_decided = None, True
        try:
            changed = await self.journal.decide(self.user_id, memory_id, decision, at_ms=self.at_ms)
        except DecisionRefused:
            return
        assert changed is not None
        assert changed[0].memory_id == memory_id
        sides = (memory_id, *self.rows[memory_id].opposes)
        for side in await self.journal.memories(self.user_id, sides):
            assert side.status != "active" or not is_open(side), "what the user decided can be undone"
        assert changed == await self.journal.memories(self.user_id, [row.memory_id for row in changed])

    async def _forget(self, pick: int) -> None:
        if not self.rows:
            return
        self.is_decided = True
        memory_id = list(self.rows)[pick % len(self.rows)]
        assert await self.journal.forget(self.user_id, memory_id, at_ms=self.at_ms)
        gone = {memory_id} | {said for said, holds in self.mentions.items() if holds == memory_id}
        self.forgotten |= gone
        self.mentions = {said: holds for said, holds in self.mentions.items() if said not in gone}

    async def _ask(self, picks: Sequence[int], is_late: bool) -> None:
        """Ask about disputes, or what was none: as soon as the reply is durable, or in its turn's commit, or both."""
        raised = tuple(row.memory_id for row in self._picked(list(self.rows.values()), picks))
        reply = self._reply()
        self.clock.at_ms = max(self.at_ms, self.clock.at_ms)
        told = (await self.journal.append_reply(reply, raised=() if is_late else raised)).at_ms
        base = {"user_id": self.user_id, "session_id": "s1", "actor": "gate", "at_ms": self.at_ms}
        commit = TurnCommit.model_validate({**base, "reply": reply, "raised": raised})
        for _ in range(2):
            await self.journal.commit(commit)
        for memory_id in raised:
            if self.rows[memory_id].status == "disputed":
                self.raised[memory_id].append(reply.turn_id)
                asked_ms = self.at_ms if is_late else told
                self.raised_ms[memory_id] = max(asked_ms, self.raised_ms.get(memory_id, 0))

    async def _replay(self, pick: int) -> None:
        """Apply a commit again, long after: nothing is written twice."""
        if not self.commits:
            return
        before = await self._everything()
        await self.journal.commit(self.commits[pick % len(self.commits)])
        assert await self._everything() == before

    async def _commit(self, write: MemoryWrite) -> None:
        reply = self._reply()
        self.reply = reply.turn_id
        commit = TurnCommit(
            user_id=self.user_id,
            session_id="s1",
            actor="curator",
            at_ms=self.at_ms,
            reply=reply,
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
            again = {said for said, holds in self.mentions.items() if holds == memory_id}
            self.mentions |= dict.fromkeys([memory_id, *again], answer.memory_id)
            self.counted[answer.memory_id] += 1 + self.counted.pop(memory_id, 0)
            assert answer.weight >= write.memory.weight

    # What a step is made of

    def _reply(self) -> Turn:
        said = {"turn_id": f"r{next(self._ids):03}", "role": "assistant", "ordinal": 0, "at_ms": 0}
        return turn("好的", user_id=self.user_id, **said)

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
        weight = 2.0 if seen["ago"] else 1.0
        said = candidate(f"words of {memory_id}", slot=slot, mentioned_ms=said_ms, answers=answers, weight=weight)
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


def _to_the_point(relation: str, slot: str | None, company: Sequence[Memory]) -> list[Memory]:
    """Return what a good verifier would name."""
    if relation == "resolves":
        return [row for row in company if row.status == "disputed"][:1]
    return [row for row in company if slot is not None and row.slot == slot] or list(company[:1])


_SEVERAL = ("supersedes", "settles", "opposes")
_ONE = ("superseded_by", "mention_of", "resolves")
