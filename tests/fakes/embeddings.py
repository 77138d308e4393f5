"""A tiny embedder without a model: texts that share words are near."""

import hashlib
import math
import re

from langchain_core.embeddings import Embeddings

from state.records import normalised

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


def words(text: str) -> list[str]:
    """Return the words of a text; each Chinese character is one."""
    return _WORD.findall(normalised(text))


class HashedEmbeddings(Embeddings):
    """Bags of words, hashed to `dimension` buckets and scaled to length 1."""

    def __init__(self, name: str = "hashed-words", dimension: int = 256) -> None:
        self.name = name
        self.dimension = dimension

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        vector = [0.0] * self.dimension
        for word in words(text) or ["<none>"]:
            digest = hashlib.blake2b(word.encode(), digest_size=4).digest()
            vector[int.from_bytes(digest, "big") % self.dimension] += 1
        length = math.sqrt(sum(number * number for number in vector))
        return [number / length for number in vector]

    async def aembed_query(self, text: str) -> list[float]:
        return self.embed_query(text)
