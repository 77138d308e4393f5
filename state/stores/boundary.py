"""What the stores let in: text they can hold, under a user's name, and only what belongs together.

PostgreSQL holds neither NUL nor half a surrogate pair, and JSON in Redis no half pair: each becomes U+FFFD, the mark
for a character that could not be kept.
"""

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from state.errors import TenantMissing
from state.ports import TurnCommit
from state.records import Record, Turn, tenant

R = TypeVar("R", bound=Record)

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """Return the text with every character that no store can hold replaced by U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


def stored_tenant(user_id: str) -> str:
    """Return the user id; raise TenantMissing where it is empty or could only be stored as another one's."""
    if storable(tenant(user_id)) != user_id:
        raise TenantMissing
    return user_id


def storable_record(record: R) -> R:
    """Return the record with all its texts made storable; the same object where they are already."""
    given = record.model_dump()
    kept = _storable_data(given)
    return record if kept == given else type(record).model_validate(kept)


def are_of(user_id: str, session_id: str, turns: Sequence[Turn]) -> bool:
    """Say whether all these turns belong to this user's session."""
    return all((turn.user_id, storable(turn.session_id)) == (user_id, session_id) for turn in turns)


def own_turns(user_id: str, session_id: str, turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns, storable; raise ValueError where one belongs to another user or session."""
    if not are_of(user_id, session_id, turns):
        raise ValueError("A turn belongs to another session than the one it is written to.")
    return [storable_record(turn) for turn in turns]


def own_commit(commit: TurnCommit) -> TurnCommit:
    """Return the commit, storable; raise ValueError where a part of it belongs to another user or session."""
    stored_tenant(commit.user_id)
    if any(write.memory.user_id != commit.user_id for write in commit.writes):
        raise ValueError("A memory belongs to another user than the commit it is written by.")
    if commit.reply is not None:
        own_turns(commit.user_id, storable(commit.session_id), [commit.reply])
    return storable_record(commit)


def _storable_data(data: Any) -> Any:
    if isinstance(data, str):
        return storable(data)
    if isinstance(data, dict):
        return {_storable_data(key): _storable_data(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return type(data)(_storable_data(value) for value in data)
    return data
