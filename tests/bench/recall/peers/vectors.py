"""Every text of a run embedded once, by the product's own embedder, in a file that all peers read.

So the peers compare by what they do with the same vectors, and their times are their own, embedding excluded.
"""

import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from langchain_core.embeddings import Embeddings

from tests.bench.recall.peers.stores import Store

PASSAGE, QUERY = "passage", "query"
BATCH = 32  # texts between two steps of the progress


def texts(stores: Iterable[Store]) -> list[tuple[str, str]]:
    """Return every text of the stores once, as (kind, text): memories are passages, questions queries."""
    found: dict[tuple[str, str], None] = {}
    for store in stores:
        found |= dict.fromkeys((PASSAGE, memory.text) for memory in store.memories)
        found |= dict.fromkeys((QUERY, query.question) for query in store.queries)
    return list(found)


def write(
    path: Path, wanted: Sequence[tuple[str, str]], embedder: Embeddings, step: Callable[[int, int], object]
) -> None:
    """Write the table `vectors`: kind, text and the vector as 32-bit floats, in the byte order of the machine.

    `step` is told how far it is, as done and total.
    """
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE vectors (kind TEXT, text TEXT, vector BLOB, PRIMARY KEY (kind, text))")
        for start in range(0, len(wanted), BATCH):
            batch = wanted[start : start + BATCH]
            database.executemany("INSERT INTO vectors VALUES (?, ?, ?)", _embedded(batch, embedder))
            step(start + len(batch), len(wanted))


def _embedded(batch: Sequence[tuple[str, str]], embedder: Embeddings) -> Iterator[tuple[str, str, bytes]]:
    passages = [text for kind, text in batch if kind == PASSAGE]
    for text, vector in zip(passages, embedder.embed_documents(passages), strict=True):
        yield PASSAGE, text, array("f", vector).tobytes()
    for kind, text in batch:
        if kind == QUERY:
            yield QUERY, text, array("f", embedder.embed_query(text)).tobytes()
