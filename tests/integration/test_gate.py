"""The promises of the gate, end to end: what is said, what the verifier finds, and what becomes of it."""

import re

import pytest

from tests.integration.conftest import Loci
from tests.integration.gate_talks import (
    EN,
    TALKS,
    ZH,
    Maker,
    Talk,
    disputed,
    ends_dispute,
    finds,
    note_of,
    streamed,
    texts,
)
from tests.openai_stub import OpenAIStub, Reply, Request, distilled, note, verdict


class TestDisputes:
    @TALKS
    async def test_a_contradiction_is_held_back_and_told_at_once(
        self, modelled: Maker, stub: OpenAIStub, talk: Talk
    ) -> None:
        loci = modelled()
        await loci.say(talk.allergic)
        loci.clock.forward(days=9)
        finds(stub, talk.denied, verdict("conflict", concerns=[1]))
        _, events = await streamed(loci, talk.denied, "s2")
        (told,) = [event for event in events if event["event"] == "dispute"]
        assert (told["text"], [old["text"] for old in told["against"]]) == (talk.denied, [talk.allergic])
        assert await texts(loci) == {talk.allergic: "active", talk.denied: "disputed"}
        assert await loci.services.long_term_memory.count("ann") == 1

    @pytest.mark.parametrize(
        ("talk", "resolution", "allergic", "denied"),
        [
            (ZH, "keep_new", "superseded", "active"),
            (EN, "keep_new", "superseded", "active"),
            (ZH, "keep_old", "active", "rejected"),
            (EN, "keep_old", "active", "rejected"),
            (ZH, "keep_both", "active", "active"),
        ],
    )
    async def test_the_users_answer_ends_it(
        self, modelled: Maker, stub: OpenAIStub, talk: Talk, resolution: str, allergic: str, denied: str
    ) -> None:
        loci = modelled()
        dispute = await disputed(loci, stub, talk)
        loci.clock.forward(days=2)
        state = await loci.say(talk.question, session="s3")
        assert [row["ask"] for row in state["disputes"]] == [True], "the reply asks about it"
        assert talk.denied in stub.asked("chat")[-1].system
        stub.next("distill", distilled())
        stub.verify = ends_dispute(resolution)
        _, events = await streamed(loci, getattr(talk, resolution), "s3")
        assert await texts(loci) == {talk.allergic: allergic, talk.denied: denied}, "and the answer itself is no memory"
        (told,) = [event for event in events if event["event"] == "resolved"]
        stands = talk.allergic if resolution == "keep_old" else talk.denied
        assert (told["text"], told["status"], told["relation"]) == (stands, "active", "resolves")
        assert (told["dispute_id"], told["resolution"]) == (dispute.memory_id, resolution)
        state = (await loci.assistant.aget_state({"configurable": {"thread_id": "s3"}})).values
        assert state["disputes"] == []

    @TALKS
    async def test_an_answer_right_after_it_was_told_counts_too(
        self, modelled: Maker, stub: OpenAIStub, talk: Talk
    ) -> None:
        loci = modelled()
        await disputed(loci, stub, talk)
        stub.next("distill", distilled())
        stub.verify = ends_dispute("keep_new")
        await loci.say(talk.keep_new, session="s2")
        assert await texts(loci) == {talk.allergic: "superseded", talk.denied: "active"}

    @TALKS
    async def test_saying_it_in_full_resolves_it_and_leaves_no_second_memory(
        self, modelled: Maker, stub: OpenAIStub, talk: Talk
    ) -> None:
        loci = modelled()
        await disputed(loci, stub, talk)
        stub.verify = ends_dispute("keep_old")
        await loci.say(talk.allergic, session="s2")
        assert await texts(loci) == {talk.allergic: "active", talk.denied: "rejected"}
        (memory,) = await loci.memories("active")
        assert memory.mentions == 2, "one turn is one mention"

    async def test_a_full_statement_in_another_session_resolves_it_unasked(
        self, modelled: Maker, stub: OpenAIStub
    ) -> None:
        loci, talk = modelled(), EN
        await disputed(loci, stub, talk)
        loci.clock.forward(days=1)
        stub.verify = ends_dispute("keep_old")
        await loci.say(talk.allergic, session="s9")
        assert "answers:" not in stub.asked("verify")[-1].user, "nobody was asked, so no answer is judged"
        assert await texts(loci) == {talk.allergic: "active", talk.denied: "rejected"}

    @pytest.mark.parametrize(
        ("talk", "answer"),
        [
            (ZH, verdict("new")),
            (EN, verdict("undecided")),
            (ZH, Reply(status=400)),
            (EN, "no JSON"),
            (ZH, verdict("conflict", concerns=[1])),
        ],
        ids=["new", "undecided", "400", "prose", "conflict"],
    )
    async def test_an_answer_that_is_none_leaves_nothing(
        self, modelled: Maker, stub: OpenAIStub, talk: Talk, answer: str | Reply
    ) -> None:
        loci = modelled()
        await disputed(loci, stub, talk)
        stub.next("distill", distilled())
        stub.verify = lambda request: answer
        state = await loci.say(talk.small_talk, session="s2")
        assert await texts(loci) == {talk.allergic: "active", talk.denied: "disputed"}
        assert state["stored"] == []
        assert [row["text"] for row in state["disputes"]] == [talk.denied]

    async def test_the_answer_is_not_lost_where_the_models_are_down(self, modelled: Maker, stub: OpenAIStub) -> None:
        loci = modelled()
        await disputed(loci, stub, ZH)
        stub.distill = stub.verify = lambda request: Reply(status=500)
        await loci.say(ZH.keep_new, session="s2")
        assert await texts(loci) == {ZH.allergic: "active", ZH.denied: "disputed"}
        stub.distill, stub.verify = (lambda request: distilled()), ends_dispute("keep_new")
        loci.clock.forward(seconds=300)
        await loci.curate()
        assert await texts(loci) == {ZH.allergic: "superseded", ZH.denied: "active"}

    async def test_the_answer_is_not_lost_where_the_verifier_alone_is_away(
        self, modelled: Maker, stub: OpenAIStub
    ) -> None:
        loci = modelled()
        await disputed(loci, stub, ZH)
        stub.distill, stub.verify = (lambda request: distilled()), (lambda request: Reply(status=400))
        await loci.say(ZH.keep_new, session="s2")
        assert await texts(loci) == {ZH.allergic: "active", ZH.denied: "disputed"}
        stub.verify = ends_dispute("keep_new")
        loci.clock.forward(seconds=300)
        await loci.curate()
        assert await texts(loci) == {ZH.allergic: "superseded", ZH.denied: "active"}
        asked = len(stub.asked("distill"))
        loci.clock.forward(seconds=300)
        await loci.curate()
        assert len(stub.asked("distill")) == asked, "once it is read the turn is done with"

    async def test_a_newer_word_on_the_disputed_side_alone_replaces_the_other(
        self, modelled: Maker, stub: OpenAIStub
    ) -> None:
        loci, cured = modelled(), "我现在不再对花生过敏了"
        await disputed(loci, stub, ZH)

        def judge(request: Request) -> str:
            marked = re.search(r"^(\d+)\. .*in dispute", request.user, re.M)
            return verdict("update", concerns=[int(marked.group(1))]) if marked else verdict("undecided")

        stub.verify = judge
        loci.clock.forward(days=1)
        await loci.say(cured, session="s3")
        assert await texts(loci) == {ZH.allergic: "superseded", ZH.denied: "rejected", cured: "active"}

    async def test_a_newer_word_settles_the_dispute(self, modelled: Maker, stub: OpenAIStub) -> None:
        loci = modelled()
        await disputed(loci, stub, ZH)
        stub.verify = lambda request: verdict("update", concerns=[1, 2])
        await loci.say("医生说我的过敏已经好了", session="s9")
        assert await texts(loci) == {
            ZH.allergic: "superseded",
            ZH.denied: "rejected",
            "医生说我的过敏已经好了": "active",
        }


class TestChange:
    @pytest.mark.parametrize(
        ("before", "after", "question"),
        [
            ("我住在北京", "我搬到上海了", "我以前住在哪里？"),
            ("I live in Boston", "I moved to Berlin", "Where did I live before?"),
        ],
    )
    async def test_a_move_weeks_later_supersedes_with_an_interval(
        self, loci: Loci, before: str, after: str, question: str
    ) -> None:
        await loci.say(before)
        loci.clock.forward(days=40)
        await loci.say(after, session="s2")
        (new,), (old,) = await loci.memories("active"), await loci.memories("superseded")
        assert (old.text, new.text, old.superseded_by) == (before, after, new.memory_id)
        assert (old.valid_from_ms, old.valid_to_ms) == (old.mentioned_ms, new.mentioned_ms)
        state = await loci.say(question, session="s3")
        assert before in [row["text"] for row in state["recalled"]]

    @TALKS
    async def test_the_same_fact_ten_times_is_one_memory(self, modelled: Maker, stub: OpenAIStub, talk: Talk) -> None:
        loci = modelled()
        for number in range(10):
            await loci.say(talk.allergic, session=f"s{number}")
            loci.clock.forward(days=1)
        (memory,) = await loci.memories()
        assert (memory.status, memory.mentions) == ("active", 10)

    @TALKS
    async def test_without_any_model_too(self, loci: Loci, talk: Talk) -> None:
        for _ in range(10):
            await loci.say(talk.allergic)
            loci.clock.forward(days=1)
        (memory,) = await loci.memories()
        assert (memory.status, memory.mentions) == ("active", 10)
        await loci.say(talk.denied)
        assert await texts(loci) == {talk.allergic: "active", talk.denied: "disputed"}
        await loci.say(talk.keep_new)
        assert await texts(loci) == {talk.allergic: "superseded", talk.denied: "active"}


class TestJudgedAgain:
    @pytest.mark.parametrize(
        ("found", "old", "new"),
        [
            (verdict("new", grounded="unsupported"), "active", "rejected"),
            (verdict("conflict", concerns=[1]), "active", "disputed"),
            (verdict("update", concerns=[1]), "superseded", "active"),
        ],
        ids=["unsupported", "conflict", "update"],
    )
    async def test_what_a_provisional_verdict_replaced_comes_back_if_it_does_not_hold(
        self, make_loci: Maker, modelled: Maker, stub: OpenAIStub, found: str, old: str, new: str
    ) -> None:
        offline = make_loci()
        await offline.say("我住在北京")
        offline.clock.forward(days=1)
        await offline.say("我搬到上海了")
        assert await texts(offline) == {"我住在北京": "superseded", "我搬到上海了": "active"}
        await offline.services.close()
        loci = modelled()
        loci.clock.forward(days=1)
        stub.verify = lambda request: found if note_of(request) == "我搬到上海了" else verdict("new")
        await loci.curate()
        assert await texts(loci) == {"我住在北京": old, "我搬到上海了": new}
        recalled = (await loci.say("我住在哪里？", session="s9"))["recalled"]
        assert recalled[0]["text"] == ("我住在北京" if old == "active" else "我搬到上海了")

    async def test_the_verifier_reads_what_was_said_before(self, modelled: Maker, stub: OpenAIStub) -> None:
        loci = modelled()
        stub.chat = lambda request: "你对什么过敏？"
        await loci.say("我有过敏")
        stub.verify = lambda request: Reply(status=500)
        await loci.say("花生，严重的那种")
        assert "你对什么过敏？" in stub.asked("verify")[-1].user
        stub.verify = lambda request: verdict("new")
        loci.clock.forward(seconds=300)
        await loci.curate()
        assert "你对什么过敏？" in stub.asked("verify")[-1].user, "the curator's verifier as well"


class TestPartial:
    SAID = "我在字节跳动工作"
    NOTE = "用户在字节跳动工作，职位是总监"
    PART = "用户在字节跳动工作"

    @pytest.mark.parametrize(
        ("second", "text", "status"),
        [
            (verdict("new"), PART, "active"),
            (verdict("new", grounded="unsupported"), NOTE, "pending"),
            (Reply(status=400), NOTE, "pending"),
        ],
        ids=["supported", "unsupported", "no answer"],
    )
    async def test_the_unsupported_clause_is_dropped_and_the_rest_judged_once_more(
        self, modelled: Maker, stub: OpenAIStub, second: str | Reply, text: str, status: str
    ) -> None:
        loci = modelled()
        stub.next("distill", distilled(note(self.NOTE, self.SAID, slot="user.employer")))
        partial = Reply(verdict("new", grounded="partial", supported_part=self.PART), usage=(300, 30))
        stub.verify = lambda request: partial if note_of(request) == self.NOTE else second
        await loci.say(self.SAID)
        (memory,) = await loci.memories()
        assert (memory.text, memory.status) == (text, status)
        assert self.PART in [note_of(request) for request in stub.asked("verify")]
        spent = [entry for entry in await loci.services.journal.usage("ann") if entry.prompt_tokens == 300]
        assert spent, "what the first answer cost is in the ledger"

    async def test_without_a_supported_part_it_waits(self, modelled: Maker, stub: OpenAIStub) -> None:
        loci = modelled()
        stub.next("distill", distilled(note("用户爱总监", self.SAID)))
        stub.verify = lambda request: verdict("new", grounded="partial")
        await loci.say(self.SAID)
        assert [memory.status for memory in await loci.memories()] == ["pending"]
