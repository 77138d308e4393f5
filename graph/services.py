"""The composition root: the one place where clients are made, opened and closed."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from tzlocal import get_localzone_name

from graph.models.chat import ChatResponder, ModelDistiller, ModelSummariser
from graph.models.embeddings import E5Embeddings, openai_embeddings
from graph.models.offline import OfflineDistiller, OfflineResponder, OfflineSummariser, OfflineVerifier
from graph.models.verifier import QwenVerifier
from nodes.language import keys, tokens
from state.errors import StoreUnavailable
from state.ports import Clock, Distiller, Responder, Summariser, Verifier
from state.settings import Settings
from state.stores.embedded.servers import EmbeddedServers
from state.stores.journal.journal import PostgresJournal
from state.stores.long_term_memory import QdrantClientLike, QdrantLongTermMemory, edge_client, server_client
from state.stores.working_memory import RedisWorkingMemory

log = logging.getLogger("loci")


class SystemClock:
    """The clock of the machine."""

    def now_ms(self) -> int:
        """Return the present as epoch milliseconds."""
        return time.time_ns() // 1_000_000


class Services:
    """Every collaborator of the graphs, made closed.

    `open` brings all of them up and reports what is wrong; where a host runs no lifespan each store opens itself at its
    first use. `close` takes them down in reverse.
    """

    def __init__(self, settings: Settings, *, clock: Clock | None = None) -> None:
        self.settings = settings
        self.clock: Clock = clock or SystemClock()
        self.home_zone = settings.time_zone or get_localzone_name() or "UTC"
        self.embedded = EmbeddedServers(settings.data_dir)
        self.journal = PostgresJournal(_url(settings.postgres_url, self.embedded.postgres_url), clock=self.clock)
        self.maintenance = self.journal
        self.working_memory = RedisWorkingMemory(
            _url(settings.redis_url, self.embedded.redis_url), session_seconds=settings.session_seconds
        )
        self.embeddings = openai_embeddings(settings.embeddings) if settings.embeddings is not None else E5Embeddings()
        self.long_term_memory = QdrantLongTermMemory(
            client=self._qdrant, embeddings=self.embeddings, on_created=self.journal.enqueue_all
        )
        self.responder: Responder
        self.distiller: Distiller
        self.summariser: Summariser
        self.verifier: Verifier
        self.plain_summariser: Summariser = OfflineSummariser()
        self._warming: asyncio.Task[None] | None = None
        self._choose_models()

    async def open(self) -> None:
        """Start what is bundled, connect to what is not; raise the first LociError that stands in the way."""
        for sentence in self.settings.announcements():
            log.info("%s", sentence)
        await asyncio.to_thread(tokens.warm)
        # Nobody waits for this one: seconds at the very first start, and most messages hold nothing like a key.
        self._warming = asyncio.create_task(asyncio.to_thread(keys.warm))
        await self.journal.open()
        await self._open_copy(self.working_memory.open())
        if self.settings.qdrant_url is not None:
            await self._open_copy(self.long_term_memory.open())
        else:
            # The bundled one fails for good reasons only, such as another process that owns it.
            await self.long_term_memory.open()

    async def close(self) -> None:
        """Close everything that was opened; bundled servers stop when their last user goes."""
        for part in (self.responder, self.distiller, self.summariser, self.verifier):
            if close := getattr(part, "close", None):
                await close()
        if self._warming is not None:
            await asyncio.gather(self._warming, return_exceptions=True)
        await self.working_memory.close()
        await self.long_term_memory.close()
        await self.journal.close()
        await self.embedded.close()

    async def _open_copy(self, opening: Awaitable[object]) -> None:
        """Open a store that is a copy: the conversation goes on without it, and `loci doctor` says so."""
        try:
            await opening
        except StoreUnavailable as outage:
            log.warning("%s", outage)

    async def _qdrant(self) -> QdrantClientLike:
        settings = self.settings
        if settings.qdrant_url is not None:
            key = settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key else None
            # Loading certificates takes a tenth of a second: not on the loop.
            return await asyncio.to_thread(server_client, str(settings.qdrant_url), key)
        return edge_client(await self.embedded.qdrant_folder())

    def _choose_models(self) -> None:
        settings, clock = self.settings, self.clock
        if settings.chat is not None:
            self.responder = ChatResponder(
                settings.chat, reply_tokens=settings.reply_tokens, seconds=settings.model_seconds
            )
        else:
            self.responder = OfflineResponder()
        if settings.summary is not None:
            self.distiller = ModelDistiller(settings.summary, clock=clock, seconds=settings.model_seconds)
            self.summariser = ModelSummariser(settings.summary, clock=clock, seconds=settings.model_seconds)
        else:
            self.distiller = OfflineDistiller()
            self.summariser = self.plain_summariser
        if settings.verifier is not None:
            self.verifier = QwenVerifier(
                settings.verifier, profile=settings.verifier_profile, clock=clock, seconds=settings.model_seconds
            )
        else:
            self.verifier = OfflineVerifier()


def _url(given: object, bundled: Callable[[], Awaitable[str]]) -> Callable[[], Awaitable[str]]:
    """Return where a store finds its server: the URL that was set, else the bundled server, started at first use."""
    if given is None:
        return bundled

    async def as_set() -> str:
        return str(given)

    return as_set
