"""The screen: what it refuses without a model, and the company it gathers for the rest."""

from typing import Any

import pytest
from langgraph.runtime import Runtime

from nodes.fact_check.screen import MOST_IN_SLOT, MOST_TOUCHING, NEAREST, screen
from state.context import Context
from state.errors import StoreUnavailable
from state.ports import Neighbour, TurnCommit
from state.records import Candidate, Evidence, MemoryWrite
from state.schema import CandidateRow, State
from tests.factories import NOW_MS, candidate, memory, turn
from tests.fakes.clock import HandClock
from tests.fakes.journal import FakeJournal
from tests.fakes.long_term_memory import FakeLongTermMemory

OWN = "00000000-0000-5000-8000-0000000000ff"
OLD, NEW, OTHER = (f"00000000-0000-5000-8000-00000000000{number}" for number in range(1, 4))
ALLERGY = "user.allergy"


class Silent(FakeLongTermMemory):
    async def search(self, *given: Any, **named: Any) -> Any:
        raise StoreUnavailable("qdrant", "it is down")


class Full(FakeLongTermMemory):
    async def index(self, *given: Any, **named: Any) -> None:
        raise StoreUnavailable("qdrant", "no space left")


class Forgetful(FakeLongTermMemory):
    async def search(self, *given: Any, **named: Any) -> list[Any]:
        return []


class Journal(FakeJournal):
    """With memories put there as they are."""

    async def holding(self, *writes: MemoryWrite) -> "Journal":
        for write in writes:
            commit = TurnCommit(user_id="ann", session_id="s1", actor="gate", at_ms=NOW_MS, writes=(write,))
            await self.commit(commit)
        return self


async def disputing(clock: HandClock, slot: str | None = ALLERGY) -> Journal:
    """我对花生过敏 stands, 我不对花生过敏 is held back."""
    return await Journal(clock).holding(
        MemoryWrite(memory=memory(OLD, "我对花生过敏", slot=slot)),
        MemoryWrite(
            memory=memory(NEW, "我不对花生过敏", status="disputed", opposes=(OLD,), slot=slot), company={OLD: 1}
        ),
    )


def row_of(proposed: Candidate, said: str | None = None, **fields: Any) -> CandidateRow:
    row: CandidateRow = {
        "memory_id": OWN,
        "candidate": proposed.row(),
        "source": [turn(said or proposed.text).row()],
        "context": [],
        "asked": [],
        "company": [],
        "refused": None,
        "judgement": None,
        "standing": None,
    }
    return {**row, **fields}  # type: ignore[typeddict-item]


async def screened(
    row: CandidateRow, journal: FakeJournal, index: FakeLongTermMemory, clock: HandClock
) -> tuple[CandidateRow, list[str]]:
    state: State = {
        "messages": [],
        "session": {"user_id": "ann", "session_id": "s1", "time_zone": "Asia/Shanghai"},  # type: ignore[typeddict-item]
        "degraded": [],
        "deadline_ms": NOW_MS + 8_000,
        "gate": {"candidates": [row], "task_changes": [], "usage": [], "distilled": [], "archived": []},
    }
    after = await screen(state, Runtime(context=Context()), journal=journal, long_term_memory=index, clock=clock)
    return after["gate"]["candidates"][0], after["degraded"]


def company(row: CandidateRow) -> list[Neighbour]:
    return [Neighbour.model_validate(neighbour) for neighbour in row["company"] or []]


def ids_of(row: CandidateRow) -> list[str]:
    return [neighbour.memory.memory_id for neighbour in company(row)]


async def test_the_slot_comes_first_then_the_nearest_each_once(clock: HandClock) -> None:
    city = memory(OLD, "我住在北京", slot="user.home_city")
    near = memory(OTHER, "我搬家了，住在上海的房子里")
    journal = await Journal(clock).holding(MemoryWrite(memory=city), MemoryWrite(memory=near))
    index = FakeLongTermMemory()
    await index.index("ann", [city, near])
    row, _ = await screened(row_of(candidate("我住在上海", slot="user.home_city")), journal, index, clock)
    assert ids_of(row) == [OLD, OTHER]
    assert [neighbour.same_slot for neighbour in company(row)] == [True, False]
    assert all(neighbour.similarity is not None for neighbour in company(row))


async def test_an_open_dispute_in_the_slot_brings_both_sides(clock: HandClock) -> None:
    journal = await disputing(clock)
    row, _ = await screened(row_of(candidate("我对牛奶过敏", slot=ALLERGY)), journal, FakeLongTermMemory(), clock)
    assert ids_of(row) == [OLD, NEW]
    assert [neighbour.memory.status for neighbour in company(row)] == ["active", "disputed"]
    assert not any(neighbour.asked for neighbour in company(row))


async def test_a_dispute_asked_about_comes_though_nothing_else_joins_it(clock: HandClock) -> None:
    journal = await disputing(clock, slot=None)
    row, _ = await screened(row_of(candidate("我养猫"), asked=[NEW]), journal, FakeLongTermMemory(), clock)
    assert {neighbour.memory.memory_id: neighbour.asked for neighbour in company(row)} == {NEW: True, OLD: False}
    row, _ = await screened(row_of(candidate("我养猫")), journal, FakeLongTermMemory(), clock)
    assert ids_of(row) == []


async def test_of_a_slot_of_several_values_only_the_nearest_are_company(clock: HandClock) -> None:
    ids = [f"00000000-0000-5000-8000-0000000001{number:02}" for number in range(60)]
    liked = [
        memory(one, f"我喜欢第{number}种茶", slot="user.likes", mentioned_ms=NOW_MS + number)
        for number, one in enumerate(ids)
    ]
    near = liked[3].model_copy(update={"text": "我喜欢打羽毛球和网球"})
    liked[3] = near
    journal = await Journal(clock).holding(*(MemoryWrite(memory=each) for each in liked))
    index = FakeLongTermMemory()
    await index.index("ann", liked)
    row, _ = await screened(row_of(candidate("我喜欢打羽毛球", slot="user.likes")), journal, index, clock)
    assert near.memory_id in ids_of(row)
    assert MOST_IN_SLOT <= len(ids_of(row)) <= MOST_IN_SLOT + 2 * NEAREST
    assert all(neighbour.similarity is not None for neighbour in company(row))


async def test_without_points_the_newest_of_a_slot_are_company(clock: HandClock) -> None:
    ids = [f"00000000-0000-5000-8000-0000000001{number:02}" for number in range(30)]
    liked = [
        memory(one, f"我喜欢第{number}种茶", slot="user.likes", mentioned_ms=NOW_MS + number)
        for number, one in enumerate(ids)
    ]
    journal = await Journal(clock).holding(*(MemoryWrite(memory=each) for each in liked))
    row, _ = await screened(row_of(candidate("我喜欢打羽毛球", slot="user.likes")), journal, Forgetful(), clock)
    assert ids_of(row) == ids[-MOST_IN_SLOT:]


async def test_every_holder_of_a_single_valued_slot_is_company(clock: HandClock) -> None:
    crowd = [
        memory(f"00000000-0000-5000-8000-0000000001{number:02}", f"我住在第{number}街", slot="user.home_city")
        for number in range(30)
    ]
    held = memory(OLD, "我住在北京", slot="user.home_city", single_valued=True, mentioned_ms=NOW_MS - 1)
    known = {each.memory_id: 1 for each in crowd}
    writes = [*(MemoryWrite(memory=each) for each in crowd), MemoryWrite(memory=held, company=known)]
    journal = await Journal(clock).holding(*writes)
    row, _ = await screened(row_of(candidate("我搬了", slot="user.home_city")), journal, Forgetful(), clock)
    assert OLD in ids_of(row)


async def test_of_the_disputes_in_a_slot_the_one_asked_about_comes_first(clock: HandClock) -> None:
    journal = Journal(clock)
    for number in range(15):
        old, new = (f"00000000-0000-5000-8000-00000000{side}{number:02}" for side in ("01", "02"))
        await journal.holding(
            MemoryWrite(memory=memory(old, f"我对{number}过敏")),
            MemoryWrite(
                memory=memory(new, f"我不对{number}过敏", status="disputed", opposes=(old,), slot=ALLERGY),
                company={old: 1},
            ),
        )
    proposed = row_of(candidate("我对牛奶过敏", slot=ALLERGY), asked=[new])
    row, _ = await screened(proposed, journal, Forgetful(), clock)
    assert len(ids_of(row)) == 2 * MOST_TOUCHING
    assert ids_of(row)[0] == new


async def test_what_waits_in_the_outbox_is_company(clock: HandClock) -> None:
    """Nothing joins the two but the index, which did not answer when the first was written."""
    journal = await Journal(clock).holding(MemoryWrite(memory=memory(OLD, "我每天吃牛排")))
    row, degraded = await screened(row_of(candidate("我从不吃牛排")), journal, FakeLongTermMemory(), clock)
    assert (ids_of(row), degraded) == ([OLD], [])
    assert await journal.outbox("ann", 5) == []


async def test_where_the_outbox_cannot_be_applied_the_company_is_not_known(clock: HandClock) -> None:
    journal = await disputing(clock)
    row, degraded = await screened(row_of(candidate("我从不吃牛排")), journal, Full(), clock)
    assert (row["company"], degraded) == (None, ["qdrant"])
    answer = row_of(candidate("新的对", answers=NEW), asked=[NEW])
    row, degraded = await screened(answer, journal, Full(), clock)
    assert (ids_of(row), degraded) == ([NEW, OLD], [])


async def test_what_a_correction_corrects_is_company_also_once_it_took_its_place(clock: HandClock) -> None:
    old, new = memory(OLD, "我的猫叫年糕"), memory(OWN, "我的猫叫年高", corrects=OLD)
    journal = await Journal(clock).holding(MemoryWrite(memory=old))
    correction = candidate("我的猫叫年高", corrects=OLD)
    for standing in (None, new):
        row, _ = await screened(
            row_of(correction, standing=standing.row() if standing else None), journal, Forgetful(), clock
        )
        assert [(each.memory.memory_id, each.memory.status) for each in company(row)] == [(OLD, "active")]
    await journal.holding(MemoryWrite(memory=new, supersedes=(OLD,), company={OLD: 1}))
    for standing in (None, new):
        row, _ = await screened(
            row_of(correction, standing=standing.row() if standing else None), journal, Forgetful(), clock
        )
        assert [(each.memory.memory_id, each.memory.status) for each in company(row)] == [(OLD, "superseded")]


async def test_company_comes_without_receipts(clock: HandClock) -> None:
    journal = await disputing(clock)
    row, _ = await screened(row_of(candidate("我对牛奶过敏", slot=ALLERGY)), journal, FakeLongTermMemory(), clock)
    assert [neighbour.memory.receipt for neighbour in company(row)] == [None, None]


async def test_an_answer_has_its_dispute_alone_and_needs_no_index(clock: HandClock) -> None:
    journal = await disputing(clock)
    await journal.holding(MemoryWrite(memory=memory(OTHER, "我对虾过敏", slot=ALLERGY)))
    row, degraded = await screened(row_of(candidate("新的对", answers=NEW), asked=[NEW]), journal, Silent(), clock)
    assert ids_of(row) == [NEW, OLD]
    assert [neighbour.asked for neighbour in company(row)] == [True, False]
    assert degraded == []


async def test_an_answer_to_a_dispute_that_is_over_has_no_company(clock: HandClock) -> None:
    row, _ = await screened(row_of(candidate("新的对", answers=NEW)), Journal(clock), Silent(), clock)
    assert (row["company"], row["refused"]) == ([], None)


async def test_an_answer_may_be_worded_as_an_order(clock: HandClock) -> None:
    journal = await disputing(clock)
    row, _ = await screened(row_of(candidate("请用新的，删掉旧的", answers=NEW)), journal, Silent(), clock)
    assert row["refused"] is None


async def test_a_memory_judged_again_sees_what_it_replaced_and_opposes_but_not_itself(clock: HandClock) -> None:
    old, new = memory(OLD, "我住在北京"), memory(NEW, "我搬到上海了")
    opposed = memory(OTHER, "我从没离开过北京")
    journal = await Journal(clock).holding(
        MemoryWrite(memory=old),
        MemoryWrite(memory=opposed),
        MemoryWrite(memory=new, supersedes=(OLD,), company={OLD: 1}),
    )
    index = FakeLongTermMemory()
    await index.index("ann", [new])
    standing = new.model_copy(update={"opposes": (OTHER,)})
    again = row_of(candidate("我搬到上海了"), memory_id=NEW, standing=standing.row())
    row, _ = await screened(again, journal, index, clock)
    assert ids_of(row) == [OTHER, OLD]
    assert [neighbour.memory.status for neighbour in company(row)] == ["active", "superseded"]


async def test_without_the_index_the_company_is_not_known(clock: HandClock) -> None:
    row, degraded = await screened(row_of(candidate()), Journal(clock), Silent(), clock)
    assert (row["company"], row["refused"], degraded) == (None, None, ["qdrant"])


async def test_an_episode_has_nobody_beside_it(clock: HandClock) -> None:
    episode = candidate("我住在北京", kind="episode", evidence=(Evidence(turn_id="t1", span=""),))
    row, _ = await screened(row_of(episode), Journal(clock), Silent(), clock)
    assert (row["company"], row["refused"]) == ([], None)


async def test_what_is_refused_is_not_searched(clock: HandClock) -> None:
    row, degraded = await screened(row_of(candidate("我的密码是hunter2")), Journal(clock), Silent(), clock)
    assert (row["refused"], row["company"], degraded) == ("it holds a secret (password)", [], [])


async def test_what_is_kept_is_kept_without_invisible_characters(clock: HandClock) -> None:
    said = "我喜\u200b欢咖\u2060啡👨\u200d👩\u200d👧"
    row, _ = await screened(row_of(candidate(said), said), Journal(clock), FakeLongTermMemory(), clock)
    kept = Candidate.model_validate(row["candidate"])
    assert row["refused"] is None
    assert (kept.text, kept.evidence[0].span) == ("我喜欢咖啡👨\u200d👩\u200d👧",) * 2


@pytest.mark.parametrize("slot", ["user.home_city", None])
async def test_nothing_stands_beside_the_first_memory(clock: HandClock, slot: str | None) -> None:
    row, _ = await screened(row_of(candidate(slot=slot)), Journal(clock), FakeLongTermMemory(), clock)
    assert row["company"] == []
