"""The working memory without Redis: the same promises, over a dictionary and a clock."""

from collections.abc import Sequence

from state.ports import Clock
from state.records import Turn
from state.stores.boundary import own_turns, storable, stored_tenant


class FakeWorkingMemory:
    """Satisfies `state.ports.WorkingMemory`; a list lives for `session_seconds` of the clock after its last use."""

    def __init__(self, clock: Clock, *, session_seconds: int = 1_800) -> None:
        self._clock = clock
        self._life_ms = session_seconds * 1_000
        self._lists: dict[tuple[str, str], tuple[int, list[Turn]]] = {}

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def ping(self) -> None:
        pass

    async def window(self, user_id: str, session_id: str) -> list[Turn]:
        turns = self._alive(user_id, session_id)
        self._keep(user_id, session_id, turns)
        return turns

    async def push(self, user_id: str, session_id: str, turns: Sequence[Turn]) -> None:
        held = self._alive(user_id, session_id)
        if not turns:
            return
        for turn in sorted(own_turns(user_id, storable(session_id), turns), key=lambda turn: turn.ordinal):
            last = held[-1].ordinal if held else 0
            if turn.ordinal > last + 1:
                held = []
                break
            if turn.ordinal == last + 1:
                held.append(turn)
        self._keep(user_id, session_id, held)

    async def rebuild(self, user_id: str, session_id: str, turns: Sequence[Turn]) -> None:
        rows = own_turns(stored_tenant(user_id), storable(session_id), turns)
        self._keep(user_id, session_id, sorted(rows, key=lambda turn: turn.ordinal))

    async def trim(self, user_id: str, session_id: str, turn_ids: Sequence[str]) -> None:
        gone = {storable(turn_id) for turn_id in turn_ids}
        held = [turn for turn in self._alive(user_id, session_id) if turn.turn_id not in gone]
        self._keep(user_id, session_id, held)

    def _alive(self, user_id: str, session_id: str) -> list[Turn]:
        until_ms, turns = self._lists.get((stored_tenant(user_id), storable(session_id)), (0, []))
        return list(turns) if self._clock.now_ms() < until_ms else []

    def _keep(self, user_id: str, session_id: str, turns: list[Turn]) -> None:
        self._lists[user_id, storable(session_id)] = (self._clock.now_ms() + self._life_ms, turns)
