"""A client of the endpoint: what the command line may ask of a Loci that runs somewhere, as one user."""

import json
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import httpx

from graph.cli.answer import AnswerReader, Event
from graph.cli.transport import NoPatience, detail_of, is_loopback, json_of
from state.context import Context
from state.errors import EndpointError, EndpointUnreachable
from state.records import Resolution, Status

if TYPE_CHECKING:
    from langgraph_sdk.client import SyncLangGraphClient

Json = dict[str, Any]

USER_HEADER = b"X-Loci-User"
GRAPH = "loci"
ALL_STATUSES: tuple[Status, ...] = ("active", "pending", "disputed", "superseded", "rejected")
SHORTEST_PREFIX = 6
PROBLEM = "application/problem+json"

_ANOTHER_ADDRESS = "If another program runs there, stop it or set LOCI_URL (or --url) to another port."
_PAGE = 500
_SOCKET_SECONDS = 0.3
_FULL_ID = 36
_TIMEOUT = httpx.Timeout(60, connect=5)
_HEALTH_TIMEOUT = httpx.Timeout(10, connect=5)
_STREAM_TIMEOUT = httpx.Timeout(300, connect=5)


class Endpoint:
    """One Loci endpoint, asked as one user.

    Every method raises EndpointUnreachable where nothing answers, and EndpointError, one sentence, for anything else
    that goes wrong. Answers are the JSON of the routes in `graph.routes`, as plain data.

    Args:
        url: Where the endpoint is, such as http://127.0.0.1:2024.
        user_id: Whose memories are meant; any text.
        transport: How requests travel; by default over the network.
    """

    def __init__(self, url: str, user_id: str, *, transport: httpx.BaseTransport | None = None) -> None:
        self.url = url.rstrip("/")
        self.user_id = user_id
        # A proxy of the environment knows nothing about this machine's own ports.
        trust_env = not is_loopback(self.url)
        inner = transport or httpx.HTTPTransport(trust_env=False)
        self._http = httpx.Client(
            base_url=self.url,
            headers={USER_HEADER: user_id.encode()},
            timeout=_TIMEOUT,
            trust_env=trust_env,
            # An endpoint elsewhere may be restarting, and the SDK is patient with it. Here, refused means stopped.
            transport=NoPatience(inner, self.url) if transport or not trust_env else None,
        )

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def answers(self) -> bool:
        """Say whether a Loci answers here, well or not; raise EndpointError where something else does."""
        try:
            # A route of Loci's own that costs next to nothing; health would ask every part.
            answer = self._get_as_loci("/loci/disputes", {"limit": 1})
        except EndpointUnreachable:
            return False
        if answer.status_code == 401:
            raise self._refused(answer)
        if answer.is_success or answer.headers.get("content-type") == PROBLEM:
            return True
        raise EndpointError(f"What answers at {self.url} is not Loci. {_ANOTHER_ADDRESS}")

    def health(self) -> Json:
        """Return the state of every part, as `graph.health.Health`."""
        answer = self._get_as_loci("/loci/health")
        found = json_of(answer)
        if answer.is_success and isinstance(found, dict) and "parts" in found:
            return found
        if answer.status_code == 401 or answer.status_code >= 500:
            raise self._refused(answer)
        raise EndpointError(f"What answers at {self.url} is not Loci. {_ANOTHER_ADDRESS}")

    def memories(self, statuses: Sequence[Status], *, limit: int, offset: int = 0) -> Json:
        """Return a page of memories, newest first, and the `total`; without a status, all but the rejected ones."""
        query = {"status": list(statuses), "limit": limit, "offset": offset}
        return cast(Json, self._ask("GET", "/loci/memories", params=query))

    def search(self, question: str, *, limit: int) -> list[Json]:
        """Return active memories that fit a question, best first."""
        query = {"query": question, "limit": limit}
        return cast(list[Json], self._ask("GET", "/loci/memories/search", params=query))

    def memory(self, memory_id: str) -> Json:
        """Return a memory with all that tells why it is believed."""
        return cast(Json, self._ask("GET", f"/loci/memories/{memory_id}"))

    def forget(self, memory_id: str) -> Json:
        """Forget a memory; `indexed` says that its point waits in the outbox to be deleted."""
        return cast(Json, self._ask("DELETE", f"/loci/memories/{memory_id}"))

    def confirm(self, memory_id: str) -> Json:
        """Take a pending or provisional memory for true; `changed` are the memories that changed, this one first."""
        return cast(Json, self._ask("POST", f"/loci/memories/{memory_id}/confirm"))

    def reject(self, memory_id: str) -> Json:
        """Reject a pending or active memory; `changed` are the memories that changed, this one first."""
        return cast(Json, self._ask("POST", f"/loci/memories/{memory_id}/reject"))

    def edit(self, memory_id: str, text: str, *, time_zone: str) -> Json:
        """Have the gate judge other words for a memory; `memory` is that of the new words, `before` the edited one."""
        words = {"text": text, "time_zone": time_zone}
        return cast(Json, self._ask("PATCH", f"/loci/memories/{memory_id}", body=words))

    def disputes(self, *, limit: int) -> list[Json]:
        """Return open disputes with both sides."""
        return cast(list[Json], self._ask("GET", "/loci/disputes", params={"limit": limit}))

    def dispute(self, memory_id: str) -> Json:
        """Return an open dispute with all that is known of both sides."""
        return cast(Json, self._ask("GET", f"/loci/disputes/{memory_id}"))

    def end_dispute(self, memory_id: str, resolution: Resolution) -> Json:
        """End an open dispute; `changed` are the memories that changed, the one held back first, `kept` the others."""
        return cast(Json, self._ask("POST", f"/loci/disputes/{memory_id}", body={"resolution": resolution}))

    def resolve(self, prefix: str) -> str:
        """Return the one memory id that starts with `prefix` (at least 6 characters), whatever its status."""
        prefix = prefix.strip().casefold()
        if len(prefix) < SHORTEST_PREFIX or not set(prefix) <= set("0123456789abcdef-"):
            raise EndpointError(f"{prefix!r} is no memory id: give the first {SHORTEST_PREFIX} characters or more.")
        if len(prefix) == _FULL_ID:
            return prefix
        found = [each for each in self._all_ids() if each.startswith(prefix)]
        if not found:
            raise EndpointError(f"There is no memory {prefix}.")
        if len(found) > 1:
            raise EndpointError(f"{prefix} fits {len(found)} memories: {', '.join(found[:5])}.")
        return found[0]

    def calibrate(self) -> Json:
        """Have the meaning of the embedder's cosines measured; return it, as `state.records.Calibration`."""
        return cast(Json, self._ask("POST", "/loci/calibrate"))

    def curate(self) -> Iterator[Json]:
        """Run one pass of the curator and yield its progress; raise EndpointError where it breaks off."""
        note = None
        with self._in_plain_words(), self._http.stream("POST", "/loci/curate", timeout=_STREAM_TIMEOUT) as answer:
            if answer.is_error:
                answer.read()
                raise self._refused(answer)
            for line in answer.iter_lines():
                event = json.loads(line)
                note = event.get("note")
                yield event
        if note != "finished":
            raise EndpointError("The curator broke off: the log of the server says why.")

    def ask(self, session_id: str, text: str, context: Context) -> Generator[Event]:
        """Send a message in a session and yield what comes back, while it comes.

        A session the server does not know is made. Interrupted from the keyboard, the run is stopped; what was said up
        to then is kept by the server.

        Args:
            session_id: A UUID, which is the thread's id too.
            text: What the user says.
            context: The knobs of the run; those not set are the server's choice.
        """
        # Imports langchain-core: 0.4 s that no other command should wait for.
        from langgraph_sdk.client import SyncLangGraphClient  # noqa: PLC0415

        graph = SyncLangGraphClient(self._http)
        reader = AnswerReader()
        message: Json = {"messages": [{"role": "user", "content": text}]}
        knobs: Json = context.model_dump(exclude_unset=True, exclude_none=True)
        with self._in_plain_words():
            self._open(graph, session_id)
            parts = graph.runs.stream(
                session_id,
                GRAPH,
                input=message,
                context=knobs,
                stream_mode=["messages-tuple", "custom", "updates"],
                stream_resumable=True,
                multitask_strategy="enqueue",
            )
            try:
                for part in parts:
                    if part.event == "error":
                        raise EndpointError(self._failure(part.data))
                    yield from reader.read(part.event, part.data)
            except (KeyboardInterrupt, GeneratorExit):
                if reader.run_id is not None:
                    graph.runs.cancel(session_id, reader.run_id, wait=True)
                raise

    def _open(self, graph: "SyncLangGraphClient", session_id: str) -> None:
        """Make a session, or find it; the server's own words for another user's are that it exists."""
        try:
            graph.threads.create(thread_id=session_id, if_exists="do_nothing", graph_id=GRAPH)
        except httpx.HTTPStatusError as error:
            if error.response.status_code != httpx.codes.CONFLICT:
                raise
            raise EndpointError(
                f"This session belongs to another user: {session_id}. "
                "Name that user with --user, or start a session of your own: leave --session out, in a chat type /new."
            ) from error

    def _all_ids(self) -> Iterator[str]:
        offset = 0
        while page := self.memories(ALL_STATUSES, limit=_PAGE, offset=offset)["memories"]:
            yield from (memory["memory_id"] for memory in page)
            offset += len(page)

    def _ask(self, method: str, path: str, *, params: Json | None = None, body: Json | None = None) -> Any:
        with self._in_plain_words():
            answer = self._http.request(method, path, params=params, json=body)
        if answer.is_error:
            raise self._refused(answer)
        if (found := json_of(answer)) is None:
            raise EndpointError(f"{self.url} answers {path} with something that is not JSON: is it Loci?")
        return found

    def _get_as_loci(self, path: str, params: Json | None = None) -> httpx.Response:
        try:
            with self._in_plain_words():
                try:
                    return self._http.get(path, params=params, timeout=_HEALTH_TIMEOUT)
                except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
                    # A kept connection fails once when its server has gone; a new one tells how things are, once the
                    # dying server's socket is closed too.
                    time.sleep(_SOCKET_SECONDS)
                    return self._http.get(path, params=params, timeout=_HEALTH_TIMEOUT)
        except EndpointUnreachable:
            raise
        except EndpointError as error:
            raise EndpointError(f"{error} {_ANOTHER_ADDRESS}") from error

    def _refused(self, answer: httpx.Response) -> EndpointError:
        if detail := detail_of(json_of(answer)):
            return EndpointError(detail)
        return EndpointError(f"{self.url} answers {answer.request.url.path} with status {answer.status_code}.")

    def _failure(self, data: object) -> str:
        """Return why a run failed. The server keeps most reasons to itself, and health knows them."""
        failure = data if isinstance(data, dict) else {}
        kind, message = str(failure.get("error", "error")), str(failure.get("message", ""))
        if message and message != "An internal error occurred":
            return f"The run failed: {message}"
        try:
            down = [f"{part['detail']}" for part in self.health()["parts"] if part["state"] == "down"]
        except EndpointError:
            down = []
        return " ".join([f"The run failed ({kind}).", *(down or ["The log of the server says why."])])

    @contextmanager
    def _in_plain_words(self) -> Iterator[None]:
        """Turn what the HTTP client and the SDK raise into one sentence."""
        try:
            yield
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise EndpointUnreachable(f"Nothing answers at {self.url}: {str(error).rstrip('.')}.") from error
        except httpx.TimeoutException as error:
            raise EndpointError(f"{self.url} does not answer in time.") from error
        except httpx.HTTPStatusError as error:
            raise self._refused(error.response) from error
        except httpx.HTTPError as error:
            reason = str(error).rstrip(".") or type(error).__name__
            raise EndpointError(f"The connection to {self.url} broke: {reason}.") from error
