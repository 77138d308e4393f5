"""The routes over memories and disputes, on the fakes: what they answer, to whom, and what they leave alone."""

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from graph.routes import register
from state.errors import StoreUnavailable
from state.ports import TurnCommit
from state.records import Evidence, MemoryWrite
from tests.factories import NOW_MS, ZONE, memory, receipt_of, turn
from tests.fakes.clock import HandClock
from tests.fakes.journal import FakeJournal
from tests.fakes.long_term_memory import FakeLongTermMemory

OLD, NEW, WAITS = (f"00000000-0000-5000-8000-00000000000{number}" for number in (1, 2, 3))
EVERY = ("active", "pending", "disputed", "superseded", "rejected")


class SignedIn:
    """Names the user of every request, as the host's authentication does."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.user = "ann"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app({**scope, "user": SimpleNamespace(identity=self.user)}, receive, send)


class World:
    """A user with an open dispute and a pending memory, and the routes to decide about them."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.journal = FakeJournal(self.clock)
        self.index = FakeLongTermMemory()
        services = SimpleNamespace(
            journal=self.journal, long_term_memory=self.index, clock=self.clock, home_zone=ZONE, embeddings=None
        )
        app = FastAPI()
        register(app, cast(Any, services), curator=cast(Any, None), gate=cast(Any, None))
        self.signed_in = SignedIn(app)
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(self.signed_in), base_url="http://loci")

    async def prepare(self) -> None:
        await self.journal.write_ahead(
            "ann", "s1", [turn("我对花生过敏，真的"), turn("我不过敏", turn_id="t2")], present=[]
        )
        old = memory(OLD, "我对花生过敏", slot="user.allergy", valid_from_ms=NOW_MS)
        new = memory(
            NEW,
            "我不对花生过敏",
            status="disputed",
            opposes=(OLD,),
            mentioned_ms=NOW_MS + 1,
            evidence=(Evidence(turn_id="t2", span="我不过敏"),),
            receipt=receipt_of("conflict", neighbours=(OLD, WAITS)),
        )
        waits = memory(WAITS, "我喜欢爬山", status="pending", receipt=receipt_of("undecided"))
        for row in (old, new, waits):
            company = {OLD: 1} if row is new else {}
            await self.journal.commit(
                TurnCommit(
                    user_id="ann",
                    session_id="s1",
                    actor="gate",
                    at_ms=NOW_MS,
                    writes=(MemoryWrite(memory=row, company=company),),
                )
            )
        await self.journal.settle("ann", await self.journal.outbox("ann", 100))
        await self.index.index("ann", await self.journal.memories("ann", [OLD]))
        self.clock.at_ms += 1_000

    async def statuses(self) -> dict[str, str]:
        found = await self.journal.list_memories("ann", statuses=EVERY, limit=500)
        return {row.memory_id: row.status for row in found}

    async def indexed(self) -> dict[str, str]:
        hits = await self.index.search("ann", "花生", statuses=EVERY, depth=10)
        return {hit.memory_id: self.index._points[hit.memory_id].status for hit in hits}


@pytest.fixture
async def world() -> AsyncIterator[World]:
    made = World()
    await made.prepare()
    assert await made.statuses() == {OLD: "active", NEW: "disputed", WAITS: "pending"}
    yield made
    await made.http.aclose()


async def test_disputes_are_listed_with_when_the_user_was_asked(world: World) -> None:
    (dispute,) = (await world.http.get("/loci/disputes")).json()
    assert (dispute["memory"]["memory_id"], [old["memory_id"] for old in dispute["against"]]) == (NEW, [OLD])
    assert dispute["raised_ms"] is None
    reply = turn("哪个对？", role="assistant", turn_id="t3")
    asked = TurnCommit(user_id="ann", session_id="s1", actor="gate", at_ms=NOW_MS + 5_000, reply=reply, raised=(NEW,))
    await world.journal.commit(asked)
    (dispute,) = (await world.http.get("/loci/disputes", params={"limit": 1})).json()
    assert dispute["raised_ms"] == NOW_MS + 5_000
    assert (await world.http.get(f"/loci/disputes/{NEW}")).json()["raised_ms"] == NOW_MS + 5_000
    assert (await world.http.get("/loci/disputes", params={"limit": 0})).status_code == 422


async def test_a_dispute_is_shown_with_sources_receipts_and_histories_of_both_sides(world: World) -> None:
    shown = (await world.http.get(f"/loci/disputes/{NEW}")).json()
    new, (old,) = shown["memory"], shown["against"]
    assert [(part["span"], part["turn"]["text"]) for part in new["sources"]] == [("我不过敏", "我不过敏")]
    assert [(part["span"], part["turn"]["text"]) for part in old["sources"]] == [("我对花生过敏", "我对花生过敏，真的")]
    assert [row["memory_id"] for row in new["compared"]] == [OLD, WAITS]
    assert [row["memory_id"] for row in new["opposes"]] == [OLD]
    assert [row["memory_id"] for row in old["opposed_by"]] == [NEW]
    assert [event["to_status"] for event in new["history"]] == ["disputed"]
    assert (new["memory"]["receipt"]["relation"], old["memory"]["receipt"]["relation"]) == ("conflict", "new")


@pytest.mark.parametrize(
    ("resolution", "new", "old", "changed", "kept"),
    [
        ("keep_new", "active", "superseded", [NEW, OLD], []),
        ("keep_old", "rejected", "active", [NEW], [OLD]),
        ("keep_both", "active", "active", [NEW], [OLD]),
    ],
)
async def test_a_dispute_ends_in_the_journal_and_in_the_index(
    world: World, resolution: str, new: str, old: str, changed: list[str], kept: list[str]
) -> None:
    answer = await world.http.post(f"/loci/disputes/{NEW}", json={"resolution": resolution})
    assert answer.status_code == 200
    done = answer.json()
    told = {row["memory_id"] for row in done["changed"] + done["kept"]}
    assert told == {*changed, *kept}
    assert done["changed"][0]["memory_id"] == NEW
    assert done["changed"][0]["receipt"]["verifier"] == "user"
    assert await world.statuses() == {OLD: old, NEW: new, WAITS: "pending"}
    assert await world.indexed() == {OLD: old, **({NEW: new} if new == "active" else {})}
    assert done["indexed"] is True
    assert (await world.http.get("/loci/disputes")).json() == []
    again = await world.http.post(f"/loci/disputes/{NEW}", json={"resolution": resolution})
    assert (again.status_code, again.json()["title"]) == (409, "DecisionRefused")
    assert again.headers["content-type"] == "application/problem+json"


async def test_what_replaced_what_is_told_of_both(world: World) -> None:
    await world.http.post(f"/loci/disputes/{NEW}", json={"resolution": "keep_new"})
    old = (await world.http.get(f"/loci/memories/{OLD}")).json()
    new = (await world.http.get(f"/loci/memories/{NEW}")).json()
    assert old["replaced_by"]["memory_id"] == NEW
    assert old["memory"]["valid_to_ms"] is not None
    assert [row["memory_id"] for row in new["replaced"]] == [OLD]
    assert (old["opposed_by"], new["replaced_by"]) == ([], None)
    await world.http.delete(f"/loci/memories/{WAITS}")
    assert [row["memory_id"] for row in (await world.http.get(f"/loci/memories/{NEW}")).json()["replaced"]] == [OLD]


async def test_a_neighbour_or_a_turn_that_is_gone_is_left_out(world: World) -> None:
    await world.journal.forget("ann", WAITS, at_ms=NOW_MS)
    world.journal._sessions.clear()
    shown = (await world.http.get(f"/loci/memories/{NEW}")).json()
    assert [row["memory_id"] for row in shown["compared"]] == [OLD]
    assert shown["memory"]["receipt"]["neighbours"] == [OLD, WAITS]
    assert [(part["span"], part["turn"]) for part in shown["sources"]] == [("我不过敏", None)]


@pytest.mark.parametrize(("decision", "status"), [("confirm", "active"), ("reject", "rejected")])
async def test_a_pending_memory_is_confirmed_or_rejected(world: World, decision: str, status: str) -> None:
    done = (await world.http.post(f"/loci/memories/{WAITS}/{decision}")).json()
    assert [(row["memory_id"], row["status"]) for row in done["changed"]] == [(WAITS, status)]
    assert (await world.statuses())[WAITS] == status
    again = await world.http.post(f"/loci/memories/{WAITS}/{decision}")
    assert again.status_code == 409


async def test_a_decision_holds_while_the_index_is_away(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: object, **__: object) -> None:
        raise StoreUnavailable("qdrant", "refused")

    monkeypatch.setattr(world.index, "index", away)
    for path, body in (
        (f"/loci/memories/{WAITS}/confirm", None),
        (f"/loci/disputes/{NEW}", {"resolution": "keep_new"}),
    ):
        answer = await world.http.post(path, json=body)
        assert (answer.status_code, answer.json()["indexed"]) == (200, False)
    assert await world.statuses() == {OLD: "superseded", NEW: "active", WAITS: "active"}
    assert {entry.memory_id for entry in await world.journal.outbox("ann", 10)} == {OLD, NEW, WAITS}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/loci/disputes/{}", None),
        ("POST", "/loci/disputes/{}", {"resolution": "keep_new"}),
        ("POST", "/loci/disputes/{}", {"resolution": "keep_old"}),
        ("POST", "/loci/disputes/{}", {"resolution": "keep_both"}),
        ("POST", "/loci/memories/{}/confirm", None),
        ("POST", "/loci/memories/{}/reject", None),
        ("PATCH", "/loci/memories/{}", {"text": "我住在上海"}),
        ("GET", "/loci/memories/{}", None),
    ],
)
async def test_another_users_memories_are_not_there(world: World, method: str, path: str, body: Any) -> None:
    before = await world.journal.list_memories("ann", statuses=EVERY, limit=500)
    world.signed_in.user = "bob"
    for memory_id in (OLD, NEW, WAITS, "nothing"):
        assert (await world.http.request(method, path.format(memory_id), json=body)).status_code == 404
    assert (await world.http.get("/loci/disputes")).json() == []
    assert await world.journal.list_memories("ann", statuses=EVERY, limit=500) == before
    assert await world.journal.list_memories("bob", statuses=EVERY, limit=500) == []


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", f"/loci/disputes/{NEW}", {"resolution": "keep_all"}, 422),
        ("POST", f"/loci/disputes/{NEW}", {"resolution": "keep_new", "user_id": "bob"}, 422),
        ("POST", f"/loci/disputes/{NEW}", None, 422),
        ("POST", f"/loci/disputes/{OLD}", {"resolution": "keep_new"}, 409),
        ("GET", f"/loci/disputes/{OLD}", None, 404),
        ("POST", f"/loci/memories/{NEW}/confirm", None, 409),
        ("POST", f"/loci/memories/{NEW}/reject", None, 409),
        ("PATCH", f"/loci/memories/{OLD}", {"text": " \n"}, 422),
        ("PATCH", f"/loci/memories/{OLD}", {"text": " 我对花生过敏 "}, 422),
        ("PATCH", f"/loci/memories/{OLD}", {"text": "我对花生过敏" * 100}, 422),
        ("PATCH", f"/loci/memories/{OLD}", {"text": "长" * 10_000}, 422),
        ("PATCH", f"/loci/memories/{OLD}", {"text": "我住在上海", "status": "active"}, 422),
        ("PATCH", f"/loci/memories/{OLD}", {"text": "我住在上海", "time_zone": "Mars/Olympus"}, 422),
        ("PATCH", f"/loci/memories/{OLD}", {}, 422),
        ("PATCH", f"/loci/memories/{WAITS}", {"text": "我喜欢游泳"}, 409),
        ("PATCH", f"/loci/memories/{NEW}", {"text": "我喜欢游泳"}, 409),
    ],
)
async def test_what_cannot_be_done_is_refused_and_changes_nothing(
    world: World, method: str, path: str, body: Any, status: int
) -> None:
    before = await world.journal.list_memories("ann", statuses=EVERY, limit=500)
    answer = await world.http.request(method, path, json=body)
    assert (answer.status_code, bool(answer.json()["detail"])) == (status, True)
    assert await world.journal.list_memories("ann", statuses=EVERY, limit=500) == before


async def test_nobody_signed_in_decides_nothing(world: World) -> None:
    world.signed_in.user = ""
    assert (await world.http.post(f"/loci/disputes/{NEW}", json={"resolution": "keep_new"})).status_code == 401
    assert (await world.http.patch(f"/loci/memories/{OLD}", json={"text": "x"})).status_code == 401


async def test_the_calibration_that_was_measured_is_told(world: World) -> None:
    answer = await world.http.post("/loci/calibrate")
    assert answer.json() == (await world.index.calibration()).model_dump(mode="json")


async def test_a_calibration_that_fails_is_told_in_plain_words(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def limited() -> None:
        raise StoreUnavailable("qdrant", "nothing can be embedded: 429: too many requests")

    monkeypatch.setattr(world.index, "calibrate", limited)
    answer = await world.http.post("/loci/calibrate")
    assert (answer.status_code, answer.json()["detail"]) == (
        503,
        "No new calibration is kept with the index: nothing can be embedded: 429: too many requests",
    )
