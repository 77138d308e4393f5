"""The turns of the journal without PostgreSQL, and which of them told or asked of a dispute."""

import re
from collections.abc import Sequence

from state.errors import InputRejected
from state.ports import Clock, WriteAhead
from state.records import Evidence, Memory, Nearby, Turn
from state.stores.boundary import own_turns, storable, storable_record, stored_tenant
from state.stores.journal.nearby import CITES, REACH, has_nearby
from state.stores.journal.turn_ids import as_given, renamed
from tests.fakes.maintenance import FakeMaintenance, Kept


class FakeTurns(FakeMaintenance):
    """Satisfies the part of `state.ports.Journal` that is about turns."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        # By memory: its session and the turns that bore it; of a mention neither is known.
        self._forgotten: dict[tuple[str, str], tuple[str, frozenset[str]]] = {}
        self._raised: dict[tuple[str, str], dict[tuple[str, str], int]] = {}
        self._raised_ms: dict[tuple[str, str], int] = {}

    async def write_ahead(
        self, user_id: str, session_id: str, turns: Sequence[Turn], *, present: Sequence[str], heard: Sequence[str] = ()
    ) -> WriteAhead:
        session_id = storable(session_id)
        incoming = own_turns(stored_tenant(user_id), session_id, turns)
        if any(session == session_id and user != user_id for user, session in self._sessions):
            raise InputRejected("This thread belongs to another user: start a new one.")
        session = self._sessions.setdefault((user_id, session_id), {})
        held = {storable(turn_id) for turn_id in present} | {turn.turn_id for turn in incoming}
        is_known = any(storable(turn_id) in session for turn_id in present)
        for turn_id, kept in session.items():
            if turn_id in held:
                kept.abandoned = False
            elif is_known and kept.archived_ms is None:
                kept.abandoned = True
        last = len(session)
        for turn in incoming:
            known = session.get(turn.turn_id)
            if known is not None and known.turn.text != turn.text:
                self._rename(session, known)
            kept = self._append(session, turn)
            if kept is not known and turn.turn_id in {storable(turn_id) for turn_id in heard}:
                kept.distilled_ms = kept.turn.at_ms
        written = tuple(session[turn.turn_id].turn for turn in incoming)
        if len(session) == last:
            last = min((turn.ordinal for turn in written), default=last + 1) - 1
        archived = tuple(kept.turn.turn_id for kept in session.values() if kept.archived_ms is not None)
        return as_given(WriteAhead(turns=written, previous_ordinal=last, archived=archived), turns, present)

    def _append(self, session: dict[str, Kept], turn: Turn) -> Kept:
        if turn.turn_id not in session:
            before = max((kept.turn.at_ms for kept in session.values()), default=-1)
            at_ms = max(self._clock.now_ms(), before + 1)
            session[turn.turn_id] = Kept(turn.model_copy(update={"ordinal": len(session) + 1, "at_ms": at_ms}))
        return session[turn.turn_id]

    def _rename(self, session: dict[str, Kept], edited: Kept) -> None:
        old_id, new_id = edited.turn.turn_id, renamed(edited.turn)
        edited.turn, edited.abandoned = edited.turn.model_copy(update={"turn_id": new_id}), True
        for kept in session.values():
            if kept.turn.reply_to == old_id:
                kept.turn = kept.turn.model_copy(update={"reply_to": new_id})
        in_order = {kept.turn.turn_id: kept for kept in session.values()}
        session.clear()
        session.update(in_order)
        for key, memory in self._memories.items():
            if (key[0], memory.session_id) == (edited.turn.user_id, edited.turn.session_id):
                follow = {old_id: new_id}
                evidence = tuple(
                    Evidence(turn_id=follow.get(part.turn_id, part.turn_id), span=part.span) for part in memory.evidence
                )
                self._memories[key] = memory.model_copy(update={"evidence": evidence})

    async def append_reply(self, reply: Turn, *, raised: Sequence[str] = ()) -> Turn:
        stored_tenant(reply.user_id)
        reply = storable_record(reply)
        kept = self._append(self._sessions.setdefault((reply.user_id, reply.session_id), {}), reply)
        kept.abandoned = False
        self._ask(kept.turn, [storable(memory_id) for memory_id in raised], kept.turn.at_ms)
        return kept.turn

    def _ask(self, reply: Turn, raised: Sequence[str], at_ms: int) -> None:
        for key in [(reply.user_id, memory_id) for memory_id in raised]:
            memory, by = self._memories.get(key), (reply.session_id, reply.turn_id)
            if memory is not None and memory.status == "disputed" and by not in self._raised[key]:
                self._raised[key][by] = at_ms
                self._raised_ms[key] = max(self._raised_ms.get(key, 0), at_ms)

    async def recent_turns(self, user_id: str, session_id: str, limit: int) -> list[Turn]:
        live = [kept.turn for kept in self._session(user_id, session_id) if kept.is_in_window]
        return live[len(live) - min(max(limit, 0), len(live)) :]

    async def transcript(self, user_id: str, session_id: str) -> list[Turn]:
        return [kept.turn for kept in self._session(user_id, session_id)]

    async def spoken(self, user_id: str, turn_ids: Sequence[str]) -> list[Turn]:
        owner, asked = stored_tenant(user_id), {storable(turn_id) for turn_id in turn_ids}
        own = (kept for (user, _), session in self._sessions.items() if user == owner for kept in session.values())
        found = [kept.turn for kept in own if kept.turn.turn_id in asked and not kept.abandoned]
        return sorted(found, key=lambda turn: (turn.at_ms, turn.ordinal))

    async def forgotten_turns(self, user_id: str, session_id: str) -> frozenset[str]:
        owner, session_id = stored_tenant(user_id), storable(session_id)
        borne = [
            turn_ids
            for (user, _), (session, turn_ids) in self._forgotten.items()
            if (user, session) == (owner, session_id)
        ]
        return frozenset().union(*borne)

    def _nearby(self, memory: Memory | None) -> tuple[Nearby, ...]:
        if memory is None:
            return ()
        own = [borne for (user, _), borne in self._forgotten.items() if user == memory.user_id]
        forgotten = frozenset().union(*(turn_ids for session, turn_ids in own if session == memory.session_id))
        return tuple(
            Nearby(distance=distance, text=turn.text)
            for distance, turn in self._around(memory)
            if (turn.role == "user" or not re.search(CITES, turn.text))
            and forgotten.isdisjoint({turn.turn_id, turn.reply_to})
        )

    def _around(self, memory: Memory) -> list[tuple[int, Turn]]:
        if not has_nearby(memory):
            return []
        session = sorted(self._session(memory.user_id, memory.session_id), key=lambda kept: kept.turn.ordinal)
        named = {part.turn_id for part in memory.evidence}
        placed = [kept.turn.ordinal for kept in session if kept.turn.turn_id in named]
        if not placed:
            return []
        live = [kept.turn for kept in session if not kept.abandoned]
        before = [turn for turn in live if turn.ordinal < min(placed)][-REACH:]
        after = [turn for turn in live if turn.ordinal > max(placed)][:REACH]
        return [(len(before) - at, turn) for at, turn in enumerate(before)] + list(enumerate(after, start=1))

    def _session(self, user_id: str, session_id: str) -> list[Kept]:
        return list(self._sessions.get((stored_tenant(user_id), storable(session_id)), {}).values())
