"""engram-search's pipeline over all documents of a store, which are kept in its FAISS index and SQLite file.

It runs without the reranker, a model that would be fetched. A memory is one document: the parser that cuts sessions
into documents is left out.
"""

from pathlib import Path
from typing import Any

import numpy as np
from engram.backends.base import Document
from engram.backends.faiss_backend import FaissBackend
from engram.retrieval.pipeline import RetrievalPipeline
from harness import DIMENSION, Vectors, run


class LookedUp:
    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def encode_query(self, text: str) -> Any:
        return np.array(self._vectors.query(text), dtype=np.float32)


class Engram:
    def __init__(self, folder: Path, vectors: Vectors) -> None:
        self._folder = folder
        self._vectors = vectors
        self._pipeline = RetrievalPipeline(embedder=LookedUp(vectors), use_reranker=False)
        self._backends: dict[str, FaissBackend] = {}
        self._documents: dict[str, list[Document]] = {}

    def add(self, store: str, memory: dict[str, str]) -> None:
        if store not in self._backends:
            self._backends[store] = self._open(store)
            self._documents[store] = []
        text, when = memory["text"], {"timestamp": memory["time"]}
        document = Document(memory["id"], text, self._vectors.passage(text), when)
        self._backends[store].add([document])
        self._documents[store].append(document)

    def search(self, store: str, query: dict[str, Any], limit: int) -> list[str]:
        found = self._pipeline.search(query["question"], self._documents[store], limit, query["asked_at"])
        return [document.id for document in found]

    def close(self) -> None:
        for backend in self._backends.values():
            backend._conn.close()

    def _open(self, store: str) -> FaissBackend:
        return FaissBackend(self._folder / store, DIMENSION)


if __name__ == "__main__":
    run(Engram, "engram-search")
