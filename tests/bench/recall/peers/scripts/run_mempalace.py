"""mempalace over its Chroma backend: drawers filed by its tool, found by `search_memories`; a store is a wing."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from harness import Vectors, run
from mempalace import embedding

ROOM = "memories"
WHOLE = 100_000  # characters; a memory is one drawer, as it is one record of the other peers


class LookedUp:
    """Chroma's protocol of an embedding function."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def __call__(self, input: list[str]) -> list[Any]:
        return [np.array(self._vectors.passage(text), dtype=np.float32) for text in input]

    def embed_query(self, input: list[str]) -> list[Any]:
        return [np.array(self._vectors.query(text), dtype=np.float32) for text in input]

    @staticmethod
    def name() -> str:
        return "default"

    def is_legacy(self) -> bool:
        return True


class Mempalace:
    def __init__(self, folder: Path, vectors: Vectors) -> None:
        self._palace = str(folder / "palace")
        os.environ["MEMPALACE_PALACE_PATH"] = self._palace
        looked_up = LookedUp(vectors)
        embedding.get_embedding_function = lambda device=None, model=None: looked_up
        from mempalace import mcp_server, searcher

        mcp_server._config._file_config["chunk_size"] = WHOLE
        self._file = mcp_server.tool_add_drawer
        self._find = searcher.search_memories
        self._ids: dict[tuple[str, str], str] = {}

    def add(self, store: str, memory: dict[str, str]) -> None:
        filed = self._file(store, ROOM, memory["text"])
        if not filed["success"]:
            raise RuntimeError(f"not filed: {filed['error']}")
        self._ids.setdefault((store, filed["drawer_id"]), memory["id"])

    def search(self, store: str, query: dict[str, Any], limit: int) -> list[str]:
        found = self._find(query["question"], self._palace, wing=store, n_results=limit)
        if "error" in found:
            raise RuntimeError(f"not searched: {found['error']}")
        return [self._ids[store, hit["drawer_id"]] for hit in found["results"]]

    def close(self) -> None:
        self._ids.clear()


if __name__ == "__main__":
    run(Mempalace, "mempalace")
