"""The keys by which a part of a commit is known again when the commit is applied a second time.

None depends on when the commit was made: a retry is later, and the same.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from state.ports import TurnCommit
from state.records import TaskChange


def citation_key(commit: TurnCommit) -> str:
    """Return the key of the reply that cites; of what the commit is about where it has no reply."""
    return commit.reply.turn_id if commit.reply is not None else _digest(_subject(commit))


def ledger_keys(commit: TurnCommit) -> list[str]:
    """Return one key for each ledger entry: what the commit is about, the entry's place and the entry itself."""
    subject = _subject(commit)
    return [_digest([subject, place, entry.row()]) for place, entry in enumerate(commit.ledger)]


def change_key(session_id: str, changes: Sequence[TaskChange]) -> str:
    """Return the key of what a commit says about one task."""
    return _digest([session_id, [change.row() for change in changes]])


def _subject(commit: TurnCommit) -> list[Any]:
    reply = commit.reply.turn_id if commit.reply is not None else None
    return [commit.session_id, reply, commit.cited, commit.distilled, commit.archived]


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, ensure_ascii=False).encode()).hexdigest()
