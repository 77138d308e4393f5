"""The working memory in Redis: one list of JSON turns for each session, alive as long as it is used.

A list is either whole at its end or not there: what would leave a hole in it takes it away instead, since a reader
can tell a missing list from the journal's, and a list with a hole not.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from urllib.parse import quote

from pydantic import TypeAdapter, ValidationError
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ConstantBackoff
from redis.exceptions import RedisError

from state.errors import StoreUnavailable
from state.records import Turn
from state.stores.boundary import are_of, own_turns, storable, stored_tenant

_TURNS = TypeAdapter(list[Turn])

_CONNECTIONS = 20
_SECONDS = 1.0
_RETRY_SECONDS = 0.05

# KEYS: the list. ARGV: seconds to live, then ordinal and JSON of each turn in rising order. Only the last entry is
# looked at: turns up to it are there or were archived, the one after it is next, and any other leaves a hole.
_PUSH = """
local entry = redis.call('LINDEX', KEYS[1], -1)
local last = 0
if entry then
  local read, turn = pcall(cjson.decode, entry)
  last = read and type(turn) == 'table' and tonumber(turn['ordinal']) or -1
end
for place = 2, #ARGV, 2 do
  local ordinal = tonumber(ARGV[place])
  if last < 0 or ordinal > last + 1 then
    redis.call('DEL', KEYS[1])
    return 0
  elseif ordinal == last + 1 then
    redis.call('RPUSH', KEYS[1], ARGV[place + 1])
    last = ordinal
  end
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
"""

# KEYS: the list. ARGV: seconds to live, then the ids of the turns that go.
_TRIM = """
local gone = {}
for place = 2, #ARGV do gone[ARGV[place]] = true end
local entries = redis.call('LRANGE', KEYS[1], 0, -1)
redis.call('DEL', KEYS[1])
for _, entry in ipairs(entries) do
  local read, turn = pcall(cjson.decode, entry)
  if not read or type(turn) ~= 'table' then
    redis.call('DEL', KEYS[1])
    return 0
  end
  if not gone[turn['turn_id']] then redis.call('RPUSH', KEYS[1], entry) end
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
"""


class RedisWorkingMemory:
    """The last turns of each session, for `session_seconds` after their last use. Satisfies WorkingMemory.

    Constructed closed, without I/O; `url` names the server and may start it. Opens itself at first use, and again after
    `close`. Every method raises StoreUnavailable where the server does not answer within about two seconds,
    TenantMissing on an empty user id, and ValueError where a turn belongs to another session than the one named.
    """

    def __init__(self, url: Callable[[], Awaitable[str]], *, session_seconds: int) -> None:
        self._url = url
        self._seconds = session_seconds
        self._client: Redis | None = None
        self._connecting = asyncio.Lock()

    async def open(self) -> None:
        """Connect, and see that the server answers."""
        await self.ping()

    async def close(self) -> None:
        """Close all connections; the next use opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def window(self, user_id: str, session_id: str) -> list[Turn]:
        """Return the session's turns, oldest first, and refresh their life; empty where there are none.

        A list that cannot be read counts as none, and is deleted: the journal rebuilds it.
        """
        owner, key = _owner(user_id, session_id)
        async with self._answering() as client:
            pipe = client.pipeline(transaction=False)
            pipe.lrange(key, 0, -1)
            pipe.expire(key, self._seconds)
            entries, _ = await pipe.execute()
            turns = _read(entries)
            if turns is None or not are_of(*owner, turns):
                await client.delete(key)
                return []
            return turns

    async def push(self, user_id: str, session_id: str, turns: Sequence[Turn]) -> None:
        """Append turns, those with the next ordinals, in one atomic step with the expiry.

        A turn up to the last one in the list is left out. Where a turn between the list and the first new one is
        missing, the list is deleted: the journal rebuilds it.
        """
        owner, key = _owner(user_id, session_id)
        rows = sorted(own_turns(*owner, turns), key=lambda turn: turn.ordinal)
        entries = [part for turn in rows for part in (str(turn.ordinal), turn.model_dump_json())]
        if entries:
            await self._run(_PUSH, key, entries)

    async def rebuild(self, user_id: str, session_id: str, turns: Sequence[Turn]) -> None:
        """Replace the session's list with these turns in one atomic step."""
        owner, key = _owner(user_id, session_id)
        rows = sorted(own_turns(*owner, turns), key=lambda turn: turn.ordinal)
        async with self._answering() as client:
            pipe = client.pipeline(transaction=True)
            pipe.delete(key)
            if rows:
                pipe.rpush(key, *(turn.model_dump_json() for turn in rows))
                pipe.expire(key, self._seconds)
            await pipe.execute()

    async def trim(self, user_id: str, session_id: str, turn_ids: Sequence[str]) -> None:
        """Take archived turns out of the list in one atomic step."""
        _, key = _owner(user_id, session_id)
        await self._run(_TRIM, key, [storable(turn_id) for turn_id in turn_ids])

    async def ping(self) -> None:
        """Raise StoreUnavailable unless the server answers."""
        async with self._answering() as client:
            await client.ping()

    async def _run(self, script: str, key: str, arguments: Sequence[str]) -> None:
        async with self._answering() as client:
            await client.register_script(script)(keys=[key], args=[self._seconds, *arguments])

    @asynccontextmanager
    async def _answering(self) -> AsyncIterator[Redis]:
        client = self._client or await self._connected()
        try:
            yield client
        except (RedisError, OSError) as error:
            raise StoreUnavailable("redis", (str(error).splitlines() or [type(error).__name__])[0]) from error

    async def _connected(self) -> Redis:
        async with self._connecting:
            if self._client is None:
                url = await self._url()
                try:
                    pool = BlockingConnectionPool.from_url(
                        url,
                        max_connections=_CONNECTIONS,
                        timeout=_SECONDS,
                        socket_timeout=_SECONDS,
                        socket_connect_timeout=_SECONDS,
                        retry=Retry(ConstantBackoff(_RETRY_SECONDS), 1),
                        decode_responses=True,
                        encoding_errors="replace",
                        client_name="loci",
                        driver_info=None,  # the default reads files for each connection, on the event loop
                    )
                except ValueError:
                    # From nothing: the error may quote the URL, and the password with it.
                    raise StoreUnavailable("redis", "its URL cannot be read") from None
                self._client = Redis.from_pool(pool)
            return self._client


def _read(entries: Sequence[str]) -> list[Turn] | None:
    """Return the turns the entries hold, None where one is spoilt. One list reads in half the time of fifty turns."""
    try:
        return _TURNS.validate_json(f"[{','.join(entries)}]")
    except ValidationError:
        return None


def _owner(user_id: str, session_id: str) -> tuple[tuple[str, str], str]:
    """Return user and session as they are stored, and the key of their list.

    Both are percent-encoded, so that no id can end where another begins; the braces keep a session's keys on one node.
    """
    owner = (stored_tenant(user_id), storable(session_id))
    return owner, f"loci:{{{quote(owner[0], safe='')}:{quote(owner[1], safe='')}}}:window"
