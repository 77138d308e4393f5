"""The user's memories while a change to them is worked out: what stands, what has changed so far, and why."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from state.records import Memory, MemoryEvent, Status

Actor = Literal["gate", "user", "curator"]

USER = "user"
"""The verifier that the receipt of the user's own decision names."""

INDEXED: frozenset[Status] = frozenset({"active", "superseded"})
"""The statuses whose memories have a point in the index."""

_NOT_INDEXED = {
    *("receipt", "opposes", "single_valued", "superseded_by", "corrects", "mentions", "citations", "version"),
}


class Effects(NamedTuple):
    """What is to be written: rows in this order, events, a mention (memory, candidate), a slot that is widened.

    The rows' order matters: an old memory leaves its slot before the new one enters. What was a mention of the
    candidate is one of the memory mentioned from then on. `answer` is the id of the memory that stands for what was
    written, None where nothing is kept of it. `attempt` says that the memory still waits for its verdict as it did
    before.
    """

    answer: str | None
    rows: tuple[Memory, ...] = ()
    events: tuple[MemoryEvent, ...] = ()
    mention: tuple[str, str] | None = None
    attempt: bool = False
    several_valued: str | None = None


class Draft:
    """A copy of the memories as they stand, which rules change step by step."""

    def __init__(self, standing: Mapping[str, Memory], *, actor: Actor, at_ms: int) -> None:
        self.rows = dict(standing)
        self.several_valued: str | None = None
        self.mention: tuple[str, str] | None = None
        self._standing = standing
        self._events: list[MemoryEvent] = []
        self._actor: Actor = actor
        self._at_ms = at_ms

    def put(self, row: Memory, reason: str = "") -> Memory:
        """Let a row stand as given; another status or text is a new version, another status an event."""
        before = self.rows.get(row.memory_id)
        version = 1 if before is None else before.version + ((before.status, before.text) != (row.status, row.text))
        after = self.rows[row.memory_id] = row.model_copy(update={"version": version})
        if before is None or before.status != row.status:
            self._record(row.memory_id, before.status if before is not None else None, row.status, reason)
        return after

    def move(self, memory_id: str, status: Status, reason: str, **fields: Any) -> Memory:
        """Give a memory another status; what belonged to the old one alone goes."""
        row = self.rows[memory_id]
        gone: dict[str, Any] = {"opposes": (), "superseded_by": None}
        if row.status == "superseded":
            gone["valid_to_ms"] = None
        return self.put(row.model_copy(update={**gone, "status": status, **fields}), reason)

    def drop(self, memory_id: str, reason: str) -> None:
        """Take a memory out for good."""
        row = self.rows.pop(memory_id)
        self._record(memory_id, row.status, None, reason)

    def mention_again(self, memory_id: str, mention_id: str, *, weight: float) -> None:
        """Count that a memory was said again, with what weight; `mention_id` is the candidate that said it.

        A row of its own that the candidate had gives away how often that was said, and its weight.
        """
        row, again = self.rows[memory_id], self.rows.get(mention_id)
        said, heaviest = 1, max(row.weight, weight)
        if again is not None:
            said, heaviest = again.mentions, max(heaviest, again.weight)
            self.put(again.model_copy(update={"mentions": 1}))
        self.put(row.model_copy(update={"mentions": row.mentions + said, "weight": heaviest}))
        self.mention = (memory_id, mention_id)

    def widen(self, slot: str) -> None:
        """Let a slot hold several values from now on."""
        self.several_valued = slot
        for row in self.with_(slot=slot):
            self.put(row.model_copy(update={"single_valued": False}))

    def with_(self, **fields: Any) -> list[Memory]:
        """Return the memories with these values in these fields."""
        return [row for row in self.rows.values() if all(getattr(row, name) == fields[name] for name in fields)]

    def active_among(self, memory_ids: Iterable[str]) -> list[Memory]:
        """Return those of these memories that are active."""
        found = [self.rows[memory_id] for memory_id in memory_ids if memory_id in self.rows]
        return [row for row in found if row.status == "active"]

    def in_its_place(self, memory: Memory) -> list[Memory]:
        """Return the other active memories of its slot, where that holds one value only."""
        if memory.slot is None or not memory.single_valued:
            return []
        return [row for row in self.with_(slot=memory.slot, status="active") if row.memory_id != memory.memory_id]

    def effects(self, answer: str | None) -> Effects:
        """Return what has changed."""
        changed = [row for key, row in self.rows.items() if row != self._standing.get(key)]
        changed.sort(key=lambda row: row.status == "active")
        return Effects(answer, tuple(changed), tuple(self._events), self.mention, several_valued=self.several_valued)

    def _record(self, memory_id: str, from_status: Status | None, to_status: Status | None, reason: str) -> None:
        event = MemoryEvent(
            memory_id=memory_id,
            at_ms=self._at_ms,
            actor=self._actor,
            from_status=from_status,
            to_status=to_status,
            reason=reason,
        )
        self._events.append(event)


def needs_index(before: Memory | None, after: Memory) -> bool:
    """Say whether the memory's point in the index is to be written or deleted."""
    if after.status not in INDEXED and (before is None or before.status not in INDEXED):
        return False
    return before is None or before.model_dump(exclude=_NOT_INDEXED) != after.model_dump(exclude=_NOT_INDEXED)


def is_open_to_judgement(memory: Memory) -> bool:
    """Say whether a later verdict may change the memory: it waits for one, or has only a provisional one.

    Of what is rejected that is only what the verdict itself found unsupported. What repeats another memory is counted
    there, and what was settled or taken back is past, however provisional the verdict was that it once had.
    """
    if memory.status == "pending":
        return True
    if memory.receipt is None or not memory.receipt.provisional:
        return False
    return memory.status in ("active", "disputed") or (
        memory.status == "rejected" and memory.receipt.grounded == "unsupported"
    )
