"""langmem: its two tools over LangGraph's store in memory, indexed by content."""

import json
from pathlib import Path
from typing import Any

from harness import DIMENSION, Vectors, run
from langchain_core.embeddings import Embeddings
from langgraph.store.memory import InMemoryStore
from langmem import create_manage_memory_tool, create_search_memory_tool


class LookedUp(Embeddings):
    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self._vectors.passage(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self._vectors.query(text)


class Langmem:
    def __init__(self, folder: Path, vectors: Vectors) -> None:
        store = InMemoryStore(index={"dims": DIMENSION, "embed": LookedUp(vectors), "fields": ["content"]})
        namespace = ("memories", "{user}")
        self._keep = create_manage_memory_tool(namespace, store=store)
        self._find = create_search_memory_tool(namespace, store=store)
        self._ids: dict[str, str] = {}

    def add(self, store: str, memory: dict[str, str]) -> None:
        said = self._keep.invoke({"content": memory["text"]}, {"configurable": {"user": store}})
        self._ids[said.removeprefix("created memory ")] = memory["id"]

    def search(self, store: str, query: dict[str, Any], limit: int) -> list[str]:
        found = self._find.invoke({"query": query["question"], "limit": limit}, {"configurable": {"user": store}})
        return [self._ids[item["key"]] for item in json.loads(found)]

    def close(self) -> None:
        self._ids.clear()


if __name__ == "__main__":
    run(Langmem, "langmem")
