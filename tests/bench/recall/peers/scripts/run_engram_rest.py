"""The search of engram-search's REST server, over the same files as its pipeline; the function, without HTTP."""

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from engram.backends import faiss_backend
from engram.retrieval import embedder
from harness import Vectors, run
from run_engram import Engram, LookedUp

LEAST = 0.45  # the server's own default for the similarity, below all that e5 gives


class EngramRest(Engram):
    def __init__(self, folder: Path, vectors: Vectors) -> None:
        super().__init__(folder, vectors)
        self._searches: dict[str, Callable[[Any], dict[str, Any]]] = {}

    def search(self, store: str, query: dict[str, Any], limit: int) -> list[str]:
        asked = SimpleNamespace(query=query["question"], top_k=limit, min_score=LEAST)
        return [found["id"] for found in self._searches[store](asked)["results"]]

    def _open(self, store: str) -> faiss_backend.FaissBackend:
        backend = super()._open(store)
        self._searches[store] = self._route(self._folder / store, backend)
        return backend

    def _route(self, folder: Path, backend: faiss_backend.FaissBackend) -> Callable[[Any], dict[str, Any]]:
        """Return what is behind POST /search of an application over one store.

        The application would make a backend for vectors of another length, and load another model.
        """
        os.environ["ENGRAM_STORE_PATH"] = str(folder)
        with (
            patch.object(faiss_backend, "FaissBackend", lambda path: backend),
            patch.object(embedder, "Embedder", lambda name: LookedUp(self._vectors)),
        ):
            from engram import server

            application = server._create_app()
        return next(each.endpoint for each in application.routes if getattr(each, "path", "") == "/search")


if __name__ == "__main__":
    run(EngramRest, "engram-search")
