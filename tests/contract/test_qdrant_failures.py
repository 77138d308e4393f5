"""What the index does when Qdrant, its folder, its server or its embedder is not as it should be."""

import asyncio
import http.server
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from qdrant_client.http.exceptions import ResponseHandlingException

from state.errors import ModelUnavailable, StoreMismatch, StoreUnavailable
from state.records import Status
from state.stores.index.outages import server_outages
from state.stores.long_term_memory import QdrantLongTermMemory, edge_client, server_client
from tests.contract.test_long_term_memory import ids, memory
from tests.fakes.embeddings import HashedEmbeddings

ACTIVE: list[Status] = ["active"]
COLLECTION = "loci-hashed-words"


def store_in(folder: Path, embeddings: Any = None, on_created: Any = None) -> QdrantLongTermMemory:
    async def client() -> Any:
        return edge_client(folder)

    return QdrantLongTermMemory(client=client, embeddings=embeddings or HashedEmbeddings(), on_created=on_created)


class Counted:
    """An `on_created` that counts its calls, and fails where it is told to."""

    def __init__(self, error: Exception | None = None) -> None:
        self.calls = 0
        self.error = error

    async def __call__(self) -> None:
        self.calls += 1
        if self.error is not None:
            raise self.error


async def test_open_makes_the_collection_once(tmp_path: Path) -> None:
    created = Counted()
    store = store_in(tmp_path / "a" / "b", on_created=created)
    assert not (tmp_path / "a").exists(), "constructing does no I/O"
    opened = await asyncio.gather(*(store.open() for _ in range(5)))
    assert sorted(opened) == [False, False, False, False, True]
    await store.index("ann", [memory("tea")])
    await store.close()
    assert await store.open() is False, "opens again after close, and finds its collection"
    assert await store.count("ann") == 1
    assert created.calls == 1
    await store.close()
    await store.close()


async def test_each_method_opens_by_itself(tmp_path: Path) -> None:
    calls: list[Callable[[QdrantLongTermMemory], Awaitable[Any]]] = [
        lambda store: store.index("ann", [memory("tea")]),
        lambda store: store.remove("ann", []),
        lambda store: store.search("ann", "tea", statuses=ACTIVE, depth=1),
        lambda store: store.count("ann"),
        lambda store: store.calibration(),
        lambda store: store.calibrate(),
        lambda store: store.ping(),
    ]
    for number, call in enumerate(calls):
        store = store_in(tmp_path / str(number))
        await call(store)
        assert (tmp_path / str(number) / COLLECTION).is_dir()
        await store.close()


async def test_nothing_is_made_while_the_refill_cannot_be_recorded(tmp_path: Path) -> None:
    created = Counted(StoreUnavailable("postgres", "stopped"))
    store = store_in(tmp_path, on_created=created)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="postgres"):
            await store.count("ann")
    assert not (tmp_path / COLLECTION).exists()
    created.error = None
    assert await store.open() is True
    assert created.calls == 3
    await store.close()


async def test_a_second_owner_is_told_whose_the_folder_is(tmp_path: Path) -> None:
    first, second = store_in(tmp_path), store_in(tmp_path)
    await first.index("ann", [memory("tea")])
    script = f"""
import asyncio, pathlib, sys
from tests.contract.test_qdrant_failures import store_in
try:
    asyncio.run(store_in(pathlib.Path({str(tmp_path)!r})).count("ann"))
except Exception as error:
    print(type(error).__name__, error)
"""
    said = await asyncio.to_thread(run, script)
    assert said.strip() == (
        f"StoreUnavailable qdrant does not answer: another process owns the bundled Qdrant in {tmp_path}; "
        "use its endpoint, or set LOCI_QDRANT_URL to a Qdrant server"
    )
    with pytest.raises(StoreUnavailable, match="another process owns"):
        await second.count("ann")
    await first.index("ann", [memory("coffee")])
    assert await first.count("ann") == 2, "the owner writes on: the refused ones have touched nothing"
    await first.close()
    assert await second.count("ann") == 2, "free once the owner is gone"
    await second.close()


def run(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout


async def test_kill_9_loses_nothing_acknowledged(tmp_path: Path) -> None:
    script = f"""
import asyncio, pathlib
from tests.contract.test_long_term_memory import memory
from tests.contract.test_qdrant_failures import store_in

async def main():
    store = store_in(pathlib.Path({str(tmp_path)!r}))
    n = 0
    while True:
        await store.index("ann", [memory(f"note {{n}}")])
        if n % 10 == 9:
            await store.remove("ann", [memory(f"note {{n - 5}}").memory_id])
        print(n, flush=True)
        n += 1

asyncio.run(main())
"""
    process = await asyncio.to_thread(
        lambda: subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    )
    assert process.stdout is not None
    acknowledged = -1
    try:
        while acknowledged < 60:
            acknowledged = int(await asyncio.to_thread(process.stdout.readline))
    finally:
        process.send_signal(signal.SIGKILL)
        rest = await asyncio.to_thread(process.stdout.read)
        process.stdout.close()
        await asyncio.to_thread(process.wait)
    acknowledged = max([acknowledged, *map(int, rest.split())])
    store = store_in(tmp_path)
    assert await store.open() is False
    hits = await store.search("ann", "note", statuses=ACTIVE, depth=10_000)
    expected = {memory(f"note {n}").memory_id for n in range(acknowledged + 1) if n % 10 != 4 or n + 5 > acknowledged}
    # The note being written when it was killed may be there, and the one being removed may be gone.
    last = {memory(f"note {n}").memory_id for n in (acknowledged + 1, acknowledged - 4)}
    assert ids(hits) - last == expected - last
    await store.close()


async def test_a_folder_removed_while_stopped_is_made_anew(tmp_path: Path) -> None:
    created = Counted()
    store = store_in(tmp_path / "qdrant", on_created=created)
    await store.index("ann", [memory("tea")])
    await store.close()
    shutil.rmtree(tmp_path / "qdrant")
    assert await store.open() is True
    assert (await store.count("ann"), created.calls) == (0, 2)
    await store.close()


@pytest.mark.parametrize(
    "call",
    [
        lambda store: store.index("ann", [memory("coffee")]),
        lambda store: store.remove("ann", [memory("tea").memory_id]),
        lambda store: store.search("ann", "tea", statuses=ACTIVE, depth=1),
        lambda store: store.count("ann"),
        lambda store: store.ping(),
    ],
    ids=["index", "remove", "search", "count", "ping"],
)
@pytest.mark.parametrize("lost", ["", COLLECTION])
async def test_a_folder_removed_while_running_is_said_once_and_made_anew(
    tmp_path: Path, call: Callable[[QdrantLongTermMemory], Awaitable[Any]], lost: str
) -> None:
    created = Counted()
    store = store_in(tmp_path / "qdrant", on_created=created)
    await store.index("ann", [memory("tea")])
    shutil.rmtree(tmp_path / "qdrant" / lost)
    with pytest.raises(StoreUnavailable, match="was taken away while in use"):
        await call(store)
    await store.index("ann", [memory("tea again")])
    assert (await store.count("ann"), created.calls) == (1, 2)
    await store.close()


async def test_a_folder_swapped_while_running_is_noticed(tmp_path: Path) -> None:
    other = store_in(tmp_path / "other")
    await other.index("ann", [memory("coffee"), memory("cake")])
    await other.close()
    store = store_in(tmp_path / "qdrant")
    await store.index("ann", [memory("tea")])
    shutil.rmtree(tmp_path / "qdrant")
    (tmp_path / "other").rename(tmp_path / "qdrant")
    with pytest.raises(StoreUnavailable):
        await store.ping()
    assert await store.count("ann") == 2
    await store.close()


def spoil_config(collection: Path) -> None:
    (collection / "edge_config.json").write_text("{")


def spoil_segment(collection: Path) -> None:
    next(collection.glob("segments/*/segment.json")).write_text("{")


def spoil_log(collection: Path) -> None:
    for part in collection.glob("wal/open-*"):
        with part.open("r+b") as file:
            file.write(b"x" * 4_096)


def spoil_vectors(collection: Path) -> None:  # makes Edge panic
    next(collection.glob("segments/*/vector_storage/vectors/status.dat")).write_bytes(b"x")


def stored(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.rglob("*_storage*/**/page_0.dat"))]


@pytest.mark.parametrize("spoil", [spoil_config, spoil_segment, spoil_log, spoil_vectors])
async def test_a_damaged_folder_is_named_with_its_remedy_and_kept(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    store = store_in(tmp_path)
    await store.index("ann", [memory("tea")])
    await store.close()
    spoil(tmp_path / COLLECTION)
    before = stored(tmp_path)
    assert len(before) == 2
    for _ in range(2):
        with pytest.raises(StoreUnavailable) as caught:
            await store.ping()
        assert f"the index in {tmp_path / COLLECTION} is damaged" in str(caught.value)
        assert "stop Loci and move that folder away: it is rebuilt from the journal at the next start" in str(
            caught.value
        )
        assert "\n" not in str(caught.value)
    assert stored(tmp_path) == before
    await store.close()
    (tmp_path / COLLECTION).rename(tmp_path / "kept-aside")
    assert await store.open() is True
    await store.close()


async def test_a_data_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "qdrant").write_text("mine")
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        await store_in(tmp_path / "qdrant").open()
    assert (tmp_path / "qdrant").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
async def test_a_folder_of_somebody_else(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    await store.open()
    await store.close()
    (tmp_path / COLLECTION).chmod(0o500)
    with pytest.raises(StoreUnavailable, match="may not read and write"):
        await store.open()
    (tmp_path / COLLECTION).chmod(0o700)


async def test_another_dimension_is_a_mismatch_and_nothing_is_lost(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    await store.index("ann", [memory("tea")])
    await store.close()
    other = store_in(tmp_path, HashedEmbeddings(dimension=64))
    for call in (other.open, other.ping):
        with pytest.raises(StoreMismatch) as caught:
            await call()
        assert str(caught.value) == (
            "The Qdrant collection loci-hashed-words holds vectors of 256 numbers (Cosine), and hashed-words gives 64 "
            "(Cosine): set LOCI_EMBEDDER and LOCI_EMBEDDING_MODEL back, or rebuild the index: "
            "move loci-hashed-words away and start Loci again, it is filled from the journal."
        )
    await other.close()
    assert await store.count("ann") == 1
    await store.close()


async def test_another_embedder_gets_its_own_collection(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = store_in(tmp_path)
    await store.index("ann", [memory("tea")])
    await store.close()
    other = store_in(tmp_path, HashedEmbeddings("Vendor/Model X", 64))
    assert await other.open() is True
    assert (tmp_path / "loci-vendor-model-x").is_dir()
    assert "another embedder (loci-hashed-words)" in caplog.text
    assert await other.count("ann") == 0
    await other.close()
    assert await store.open() is False
    assert await store.count("ann") == 1
    await store.close()


class Unreachable(HashedEmbeddings):
    """An embedder whose endpoint is down, after it told its dimension."""

    def embed_query(self, text: str) -> list[float]:
        raise ModelUnavailable("The embedding model does not answer.")


async def test_an_embedder_that_is_down_is_an_outage_of_the_index(tmp_path: Path) -> None:
    store = store_in(tmp_path, Unreachable())
    with pytest.raises(StoreUnavailable, match="nothing can be embedded: The embedding model does not answer"):
        await store.search("ann", "tea", statuses=ACTIVE, depth=1)
    with pytest.raises(StoreUnavailable, match="nothing can be embedded"):
        await store.index("ann", [memory("tea")])
    assert await store.count("ann") == 0
    await store.close()


async def test_a_closed_client_stays_closed(tmp_path: Path) -> None:
    client = edge_client(tmp_path)
    client.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        client.count(COLLECTION)


class Answers(http.server.BaseHTTPRequestHandler):
    """A server that is no Qdrant: every request gets the same answer."""

    status, body = 200, b"<html>hello</html>"

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    do_PUT = do_POST = do_GET

    def log_message(self, *_: Any) -> None:
        """Be quiet."""


@pytest.fixture
def answering() -> Iterator[Callable[[int, bytes], str]]:
    servers = []

    def start(status: int, body: bytes) -> str:
        handler = type("Handler", (Answers,), {"status": status, "body": body})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def store_at(url: str, api_key: str | None = None) -> QdrantLongTermMemory:
    async def client() -> Any:
        return server_client(url, api_key)

    return QdrantLongTermMemory(client=client, embeddings=HashedEmbeddings())


async def test_a_server_that_is_not_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: refused
        store = store_at(f"http://127.0.0.1:{taken.getsockname()[1]}")
        for _ in range(2):
            with pytest.raises(StoreUnavailable, match=r"qdrant does not answer: .*refused"):
                await store.ping()
        await store.close()


@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection:UserWarning")
@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (200, b"<html>hello</html>", "not a Qdrant server"),
        (200, b'{"result": {"nothing": "known"}}', "not a Qdrant server"),
        (401, b"Must provide an API key", "correct LOCI_QDRANT_API_KEY"),
        (403, b"forbidden", "correct LOCI_QDRANT_API_KEY"),
        (500, b"broken", "answered 500: broken"),
        (503, b"", "answered 503"),
    ],
)
async def test_a_server_that_answers_strangely(
    answering: Callable[[int, bytes], str], status: int, body: bytes, reason: str
) -> None:
    store = store_at(answering(status, body), "s3cret-key")
    with pytest.raises(StoreUnavailable, match=reason) as caught:
        await store.ping()
    assert "s3cret-key" not in str(caught.value)
    await store.close()


async def test_a_server_that_is_too_old(answering: Callable[[int, bytes], str]) -> None:
    store = store_at(answering(200, b'{"title": "qdrant - vector search engine", "version": "1.18.3"}'))
    with pytest.raises(StoreMismatch, match=r"The Qdrant server is 1\.18\.3, and Loci needs 1\.19 or newer"):
        await store.ping()
    await store.close()


def test_a_programming_error_is_no_outage() -> None:
    # The client wraps whatever is raised while it sends; blockbuster's BlockingError is one of them.
    class BlockingError(Exception):
        pass

    with pytest.raises(BlockingError), server_outages():
        raise ResponseHandlingException(BlockingError("Blocking call to socket.connect"))
    with pytest.raises(StoreUnavailable, match="timed out"), server_outages():
        raise ResponseHandlingException(TimeoutError("timed out"))


def test_importing_the_store_imports_no_client() -> None:
    said = run(
        "import sys, state.stores.long_term_memory\n"
        "print([name for name in ('qdrant_client', 'langchain_qdrant', 'qdrant_edge') if name in sys.modules])"
    )
    assert said.strip() == "[]"
