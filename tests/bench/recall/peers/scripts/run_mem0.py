"""mem0ai without a language model: texts kept as they are, Qdrant in its local mode on disk, no threshold.

As installed it is dense: its keyword half needs a word list from a hub, its entities a spaCy model. Where fastembed
is installed, the keyword half is fed with the English stop words of the package `stop-words` instead.
"""

import importlib.util
from pathlib import Path
from typing import Any

from harness import DIMENSION, Vectors, run
from mem0 import Memory
from mem0.embeddings.base import EmbeddingBase


class LookedUp(EmbeddingBase):
    def __init__(self, vectors: Vectors) -> None:
        super().__init__()
        self._vectors = vectors

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self._vectors.query(text) if memory_action == "search" else self._vectors.passage(text)


class Mem0:
    def __init__(self, folder: Path, vectors: Vectors) -> None:
        unused = {"provider": "openai", "config": {"api_key": "unused"}}  # it wants both, and calls neither here
        place = {"collection_name": "memories", "embedding_model_dims": DIMENSION, "path": str(folder / "qdrant")}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": {**place, "on_disk": True}},
                "history_db_path": str(folder / "history.db"),
                "llm": unused,
                "embedder": unused,
            }
        )
        self._memory.embedding_model = LookedUp(vectors)
        if importlib.util.find_spec("fastembed") is not None:
            self._memory.vector_store._bm25_encoder = keyword_half(folder)
        self._ids: dict[str, str] = {}

    def add(self, store: str, memory: dict[str, str]) -> None:
        kept = self._memory.add(memory["text"], user_id=store, infer=False)
        self._ids[kept["results"][0]["id"]] = memory["id"]

    def search(self, store: str, query: dict[str, Any], limit: int) -> list[str]:
        found = self._memory.search(query["question"], top_k=limit, filters={"user_id": store}, threshold=0.0)
        return [self._ids[item["id"]] for item in found["results"]]

    def close(self) -> None:
        self._memory.vector_store.client.close()


def keyword_half(folder: Path) -> Any:
    """Return Qdrant's BM25 encoder as mem0 would load it, but for its list of stop words.

    The encoder cuts words at apostrophes, so the parts of "don't" are stop words, as they are in its own list.
    """
    from fastembed.sparse.bm25 import Bm25
    from stop_words import get_stop_words

    words = folder / "bm25"
    words.mkdir()
    parts = {part for word in get_stop_words("en") for part in word.split("'")}
    (words / "english.txt").write_text("\n".join(sorted(parts)), encoding="utf-8")
    return Bm25("Qdrant/bm25", specific_model_path=str(words))


if __name__ == "__main__":
    run(Mem0, "mem0ai")
