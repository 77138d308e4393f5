"""The curator's view of the journal without PostgreSQL: the same promises, over dictionaries."""

from dataclasses import dataclass
from itertools import count

from state.ports import IdleSession
from state.records import Memory, Turn
from state.stores.journal.drafts import INDEXED, is_open_to_judgement


@dataclass
class Kept:
    turn: Turn
    abandoned: bool = False
    distilled_ms: int | None = None
    archived_ms: int | None = None

    @property
    def is_in_window(self) -> bool:
        return not self.abandoned and self.archived_ms is None


class FakeMaintenance:
    """Satisfies `state.ports.Maintenance`."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[str, str], dict[str, Kept]] = {}
        self._memories: dict[tuple[str, str], Memory] = {}
        self._due: dict[tuple[str, str], tuple[int, int]] = {}
        self._outbox: dict[tuple[str, str], int] = {}
        self._revisions = count(1)
        self._leases: dict[str, tuple[str, int]] = {}

    async def lease(self, name: str, owner: str, *, now_ms: int, until_ms: int) -> bool:
        holder, held_until_ms = self._leases.get(name, (owner, 0))
        if holder != owner and held_until_ms > now_ms:
            return False
        self._leases[name] = (owner, until_ms)
        return True

    async def release(self, name: str, owner: str) -> None:
        if self._leases.get(name, ("", 0))[0] == owner:
            del self._leases[name]

    async def idle_sessions(self, *, before_ms: int, limit: int) -> list[IdleSession]:
        idle = []
        for key, session in self._sessions.items():
            last_ms = max((kept.turn.at_ms for kept in session.values()), default=0)
            turns = tuple(kept.turn for kept in session.values() if kept.is_in_window)
            if turns and last_ms < before_ms:
                idle.append((last_ms, key, turns))
        return [
            IdleSession(user_id=user_id, session_id=session_id, turns=turns)
            for _, (user_id, session_id), turns in sorted(idle, key=lambda one: one[:2])[: max(limit, 0)]
        ]

    async def undistilled(self, *, before_ms: int, limit: int) -> list[Turn]:
        kept = [kept for session in self._sessions.values() for kept in session.values()]
        waiting = [one.turn for one in kept if one.distilled_ms is None and not one.abandoned]
        turns = [turn for turn in waiting if turn.role == "user" and turn.at_ms < before_ms]
        turns.sort(key=lambda turn: (turn.at_ms, turn.user_id, turn.session_id, turn.ordinal))
        return turns[: max(limit, 0)]

    async def pending(self, *, before_ms: int, limit: int, provisional: bool) -> list[Memory]:
        waiting = [
            key
            for key, memory in self._memories.items()
            if memory.status == "pending" or (provisional and is_open_to_judgement(memory))
        ]
        due = sorted((self._due[key][1], key) for key in waiting if self._due[key][1] < before_ms)
        return [self._memories[key] for _, key in due[: max(limit, 0)]]

    async def users_with_outbox(self) -> list[str]:
        return sorted({user_id for user_id, _ in self._outbox})

    async def enqueue_all(self) -> int:
        keys = sorted(key for key in self._memories if self._indexed(key) is not None)
        self._outbox |= {key: next(self._revisions) for key in keys}
        return len(keys)

    def _indexed(self, key: tuple[str, str]) -> Memory | None:
        memory = self._memories.get(key)
        return memory if memory is not None and memory.status in INDEXED else None
