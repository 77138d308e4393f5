"""What a question brought, whoever was asked."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """Memory ids, best first, of which the first `shown` are given to the model.

    `tokens` are those of the shown texts, `ms` is the time of the nodes without embedding, `embedding_ms` what the
    embedder needs beside; `ms` is None where no node was asked. `rows` are the ranked rows behind it, `named_time` the
    time that was understood.
    """

    ranking: tuple[str, ...]
    shown: int
    tokens: int = 0
    ms: float | None = None
    embedding_ms: float = 0.0
    rows: tuple[Mapping[str, Any], ...] = ()
    named_time: Mapping[str, Any] | None = None
