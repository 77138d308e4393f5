"""The verifier on each kind of server: how each is asked, what is made of its troubles, and how `auto` finds out."""

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from graph.models.breaker import FAILURES
from graph.models.profiles import in_order
from graph.models.verifier import QwenVerifier
from state.errors import ModelAnswerUnusable, ModelError, ModelUnavailable
from state.ports import Judgement
from state.settings import ModelEndpoint
from tests import backends
from tests.fakes.clock import HandClock
from tests.integration.conftest import NOON, candidate, endpoint, neighbour, said
from tests.openai_stub import OpenAIStub, Reply, verdict

SAID = [said("我上周搬到上海了。")]
HOME = [neighbour("home", "用户住在北京", same_slot=True)]
GOOD = verdict("update", reason="说了搬家", concerns=[1])
CONFLICT = verdict("conflict", concerns=[1])
PROFILES = list(backends.OF_PROFILE)
ECHO = json.dumps({"type": "object", "properties": {"relation": {"enum": ["new"]}}, "required": ["relation"]})

Make = Callable[..., QwenVerifier]


@pytest.fixture
async def make(stub: OpenAIStub) -> AsyncIterator[Make]:
    made: list[QwenVerifier] = []

    def verifier(profile: str = "auto", at: ModelEndpoint | None = None, **fields: Any) -> QwenVerifier:
        chosen = {"clock": HandClock(NOON), "seconds": 5, **fields}
        made.append(QwenVerifier(at or endpoint(stub, "Qwen/Qwen3-8B"), profile=profile, **chosen))
        return made[-1]

    yield verifier
    for each in made:
        await each.close()


async def judge(verifier: QwenVerifier, *, seconds: float = 5, **fields: Any) -> Judgement:
    return await verifier.verify(candidate().model_copy(update=fields), SAID, HOME, seconds=seconds)


# -- each profile on its server ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
async def test_each_profile_gets_a_verdict_without_thinking_at_once(stub: OpenAIStub, make: Make, profile: str) -> None:
    stub.backend = backends.OF_PROFILE[profile]
    stub.verify = lambda request: GOOD
    judgement = await judge(make(profile))
    assert (judgement.verdict.relation, judgement.verdict.concerns) == ("update", ("home",))
    (request,) = stub.asked("verify")
    assert (request.body["temperature"], request.body["top_p"], request.body["max_tokens"]) == (0.7, 0.8, 256)
    assert request.system.endswith("/no_think") == (profile != "llamacpp")
    assert "/no_think" not in request.user


@pytest.mark.parametrize("profile", PROFILES)
async def test_each_profile_thinks_twice_about_a_conflict(stub: OpenAIStub, make: Make, profile: str) -> None:
    stub.backend = backends.OF_PROFILE[profile]
    stub.verify = lambda request: Reply(CONFLICT, usage=(900, 60))
    stub.rethink = lambda request: Reply(GOOD, usage=(900, 300))
    judgement = await judge(make(profile))
    assert judgement.verdict.relation == "update"
    assert [entry.completion_tokens for entry in judgement.usage] == [60, 300]
    (quick,), (thinking,) = stub.asked("verify"), stub.asked("rethink")
    assert (thinking.body["temperature"], thinking.body["top_p"], thinking.body["max_tokens"]) == (0.6, 0.95, 2048)
    assert "/no_think" not in thinking.system
    assert "response_format" not in thinking.body
    assert thinking.user == quick.user


# What a server or the model makes of an answer that is there, and of one that is not.
SPOILT = {
    "think tags": Reply(f"<think>\n搬家了\n</think>\n\n{GOOD}"),
    "empty think tags": Reply(f"<think></think>{GOOD}"),
    "lone closing tag": Reply(f"搬家了</think>{GOOD}"),
    "prose around": Reply(f"结果如下：\n```json\n{GOOD}\n```\n希望有帮助。"),
    "empty content, answer in reasoning_content": Reply(None, reasoning=GOOD),
    "empty content, answer in reasoning": Reply("", reasoning=GOOD, reasoning_field="reasoning"),
    "doubled braces": Reply("{" + GOOD + "}"),
    "bad surrogates": Reply(GOOD.replace("说了搬家", r"说了\ud83d搬家\udc00")),
    "schema echoed before": Reply(f"{ECHO}\n{GOOD}"),
    "endless white space after": Reply(GOOD + "\n \t" * 100, finish_reason="length"),
    "content in parts": Reply(
        body=json.dumps(
            {
                "id": "x",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [
                    {
                        "index": 0,
                        "finish_reason": "stop",
                        "message": {"role": "assistant", "content": [{"type": "text", "text": GOOD}]},
                    }
                ],
            }
        )
    ),
}
USELESS = {
    "unclosed think tag": Reply(f"<think>也许是 {GOOD}", finish_reason="length"),
    "schema echoed": Reply(ECHO),
    "prose alone": Reply("我认为是搬家了。"),
    "white space until the limit": Reply('{"reason": "说了搬家",' + "\n" * 200, finish_reason="length"),
    "empty": Reply(None),
    "a draft among thoughts": Reply("", reasoning=f"也许是 {GOOD} 不对"),
    "an array of words": Reply('["update"]'),
    "another prompt's keys": Reply('{"facts": []}'),
}
OUTAGES = {
    "bad request": Reply(status=400, message="bad"),
    "wrong model": Reply(status=404, message="no such model"),
    "rate limit": Reply(status=429, headers={"retry-after": "30"}),
    "server error": Reply(status=500),
    "broken off": Reply(drop_after=0),
    "no protocol": Reply(body="<html>"),
}


@pytest.mark.parametrize("name", SPOILT)
async def test_a_spoilt_answer_is_read_on_every_server(stub: OpenAIStub, make: Make, name: str) -> None:
    stub.verify = lambda request: SPOILT[name]
    for profile in PROFILES:
        verdict_of = (await judge(make(profile))).verdict
        assert (profile, verdict_of.relation, verdict_of.concerns) == (profile, "update", ("home",))
    assert len(stub.asked("verify")) == len(PROFILES)


@pytest.mark.parametrize("name", USELESS)
async def test_a_useless_answer_is_asked_for_once_more_and_paid_for(stub: OpenAIStub, make: Make, name: str) -> None:
    stub.verify = lambda request: dataclasses.replace(USELESS[name], usage=(700, 50))
    for profile in PROFILES:
        with pytest.raises(ModelAnswerUnusable) as caught:
            await judge(make(profile))
        assert [(entry.prompt_tokens, entry.completion_tokens) for entry in caught.value.usage] == [(700, 50)] * 2
    assert len(stub.asked("verify")) == 2 * len(PROFILES)


@pytest.mark.parametrize("name", OUTAGES)
async def test_an_outage_is_raised_on_every_server(stub: OpenAIStub, make: Make, name: str) -> None:
    stub.verify = lambda request: OUTAGES[name]
    verifiers = [make(profile) for profile in PROFILES]
    outcomes = await asyncio.gather(*(judge(verifier) for verifier in verifiers), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ModelUnavailable] * len(PROFILES)


@pytest.mark.parametrize("backend", [*backends.OF_PROFILE.values(), backends.ALWAYS_THINKING])
async def test_a_profile_on_a_foreign_server_gives_a_right_verdict_or_none(
    stub: OpenAIStub, make: Make, backend: backends.Backend
) -> None:
    stub.backend = backend
    stub.verify = lambda request: GOOD
    found = 0
    for profile in PROFILES:
        try:
            judgement = await judge(make(profile))
        except ModelError:
            continue
        found += 1
        assert (judgement.verdict.relation, judgement.verdict.concerns) == ("update", ("home",))
    assert (found > 0) == (backend is not backends.ALWAYS_THINKING)


async def test_tokens_spent_before_an_outage_are_told(stub: OpenAIStub, make: Make) -> None:
    stub.next("verify", Reply("prose", usage=(700, 50)), Reply(status=404))
    with pytest.raises(ModelUnavailable) as caught:
        await judge(make("vllm"))
    assert [entry.completion_tokens for entry in caught.value.usage] == [50]


# -- the second pass ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "fields", "passes"),
    [
        (verdict("new"), {}, 1),
        (verdict("duplicate", concerns=[1]), {}, 1),
        (verdict("new"), {"weight": 2.0}, 2),
        (verdict("undecided"), {}, 2),
        (verdict("update", concerns=[9]), {}, 2),
        (CONFLICT, {}, 2),
    ],
)
async def test_only_conflict_doubt_and_importance_are_thought_about(
    stub: OpenAIStub, make: Make, first: str, fields: dict[str, Any], passes: int
) -> None:
    stub.verify, stub.rethink = lambda request: first, lambda request: GOOD
    judgement = await judge(make("vllm"), **fields)
    assert len(stub.asked("verify")) + len(stub.asked("rethink")) == passes
    assert (judgement.verdict.relation == "update") == (passes == 2)
    assert len(judgement.usage) == passes


async def test_the_receipt_is_of_the_prompt_that_counted(stub: OpenAIStub, make: Make) -> None:
    verifier = make("vllm")
    stub.verify = lambda request: verdict("new")
    quick = await judge(verifier)
    stub.verify, stub.rethink = lambda request: CONFLICT, lambda request: GOOD
    thought = await judge(verifier)
    stub.rethink = lambda request: "prose"
    stood = await judge(verifier)
    assert quick.prompt_hash == stood.prompt_hash != thought.prompt_hash


@pytest.mark.parametrize(
    "second",
    [Reply("prose"), Reply(status=500), Reply(status=400), Reply(GOOD, delay=3), Reply(f"<think>{GOOD}")],
    ids=["unreadable", "failing", "refusing", "slow", "cut off"],
)
@pytest.mark.parametrize(("first", "relation"), [(CONFLICT, "conflict"), (verdict("undecided"), "undecided")])
async def test_the_first_verdict_stands_where_thinking_fails(
    stub: OpenAIStub, make: Make, first: str, relation: str, second: Reply
) -> None:
    stub.verify, stub.rethink = lambda request: first, lambda request: second
    verifier = make("vllm")
    judgement = await judge(verifier, seconds=2.7)
    assert judgement.verdict.relation == relation
    assert len(judgement.usage) == (2 if second.status == 200 and not second.delay else 1)
    assert verifier.trouble is None


async def test_thinking_is_not_begun_without_time_for_it(stub: OpenAIStub, make: Make) -> None:
    stub.verify = lambda request: CONFLICT
    assert (await judge(make("vllm"), seconds=1.5)).verdict.relation == "conflict"
    assert stub.asked("rethink") == []


async def test_a_verdict_comes_before_the_callers_deadline(stub: OpenAIStub, make: Make) -> None:
    stub.verify, stub.rethink = lambda request: CONFLICT, lambda request: Reply(GOOD, delay=5)
    async with asyncio.timeout(2.5):
        judgement = await judge(make("vllm"), seconds=2.5)
    assert judgement.verdict.relation == "conflict"


# -- auto --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("backend", "owner", "probes"),
    [
        (backends.VLLM, "vllm", 1),
        (backends.VLLM_WITHOUT_PARSER, "vllm", 1),
        (backends.VLLM_WITH_WRONG_PARSER, "vllm", 1),
        (backends.SGLANG, "sglang", 1),
        (backends.OLLAMA, "library", 1),
        (backends.LLAMACPP, "llamacpp", 1),
        (backends.DASHSCOPE, "system", 4),
        (backends.OLLAMA, "somebody", 2),
    ],
)
async def test_auto_finds_the_way_of_each_server_and_keeps_to_it(
    stub: OpenAIStub, make: Make, backend: backends.Backend, owner: str, probes: int
) -> None:
    stub.backend = backend
    stub.models = [{"id": "Qwen/Qwen3-8B", "object": "model", "owned_by": owner}]
    stub.verify = lambda request: GOOD
    verifier = make()
    for _ in range(3):
        assert (await judge(verifier)).verdict.relation == "update"
    assert len(stub.asked("probe")) == probes
    assert len(stub.asked("verify")) == 3


@pytest.mark.parametrize(
    ("base_url", "owners", "first"),
    [
        ("http://localhost:8000/v1", [], "vllm"),
        ("http://localhost:30000/v1", [], "sglang"),
        ("http://localhost:11434/v1", [], "ollama"),
        ("http://localhost:8080/v1", [], "llamacpp"),
        ("http://localhost:8080/v1", ["vllm"], "vllm"),
        ("http://localhost:9999/v1", ["a", "sglang"], "sglang"),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", ["system"], "dashscope"),
        ("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", [], "dashscope"),
        ("https://notaliyuncs.com/v1", [], "vllm"),
        ("https://llm.example/v1", [], "vllm"),
    ],
)
def test_the_most_plausible_profile_is_tried_first(base_url: str, owners: list[str], first: str) -> None:
    order = [profile.name for profile in in_order(base_url, owners)]
    assert order[0] == first
    assert sorted(order) == sorted(PROFILES)


async def test_candidates_at_once_probe_once_and_the_cost_is_told_once(stub: OpenAIStub, make: Make) -> None:
    stub.backend = backends.OLLAMA
    stub.verify = lambda request: GOOD
    verifier = make()
    judgements = await asyncio.gather(*(judge(verifier) for _ in range(4)))
    assert sorted(len(judgement.usage) for judgement in judgements) == [1, 1, 1, 3]
    assert len(stub.asked("probe")) == 2


async def test_where_no_profile_fits_the_sentence_says_what_to_do_and_nothing_more_is_asked(
    stub: OpenAIStub, make: Make
) -> None:
    stub.backend = backends.ALWAYS_THINKING
    verifier = make()
    with pytest.raises(ModelAnswerUnusable, match=r"`loci probe-verifier`.*LOCI_VERIFIER_PROFILE") as caught:
        await judge(verifier)
    assert len(caught.value.usage) == len(stub.asked("probe")) == 4
    with pytest.raises(ModelAnswerUnusable, match="LOCI_VERIFIER_PROFILE"):
        await judge(verifier)
    assert len(stub.asked("probe")) == 4
    assert verifier.trouble is None


async def test_a_server_that_fits_no_profile_is_asked_again_after_a_while(stub: OpenAIStub, make: Make) -> None:
    stub.backend = backends.ALWAYS_THINKING
    verifier = make(rest_seconds=0.01)
    with pytest.raises(ModelAnswerUnusable):
        await judge(verifier)
    await asyncio.sleep(0.02)
    stub.backend = backends.VLLM
    stub.verify = lambda request: GOOD
    assert (await judge(verifier)).verdict.relation == "update"


@pytest.mark.parametrize("name", ["wrong model", "rate limit", "server error", "broken off", "no protocol"])
async def test_a_probe_that_meets_an_outage_is_made_again(stub: OpenAIStub, make: Make, name: str) -> None:
    stub.probe = lambda request: OUTAGES[name]
    stub.verify = lambda request: GOOD
    verifier = make()
    with pytest.raises(ModelUnavailable):
        await judge(verifier)
    stub.probe = lambda request: verdict("new")
    assert (await judge(verifier)).verdict.relation == "update"


async def test_a_server_that_is_down_is_named_and_probed_again(stub: OpenAIStub, make: Make) -> None:
    nowhere = endpoint(stub).model_copy(update={"base_url": "http://127.0.0.1:9/v1"})
    verifier = make(at=nowhere)
    with pytest.raises(ModelUnavailable, match="cannot be reached: is LOCI_VERIFIER_BASE_URL right"):
        await judge(verifier)


async def test_a_slow_probe_ends_with_the_callers_time(stub: OpenAIStub, make: Make) -> None:
    stub.probe = lambda request: Reply(verdict("new"), delay=2)
    verifier = make()
    async with asyncio.timeout(1.5):
        # All of them are waited for: one left behind would go on asking while the client is closed.
        outcomes = await asyncio.gather(*(judge(verifier, seconds=0.5) for _ in range(3)), return_exceptions=True)
    assert [outcome for outcome in outcomes if not isinstance(outcome, ModelUnavailable)] == []


# -- the breaker -------------------------------------------------------------------------------------------------------


async def test_a_server_that_keeps_failing_is_left_alone_and_then_tried_again(stub: OpenAIStub, make: Make) -> None:
    stub.verify = lambda request: Reply(status=404)
    verifier = make("vllm", rest_seconds=0.2)
    for _ in range(FAILURES):
        assert verifier.trouble is None
        with pytest.raises(ModelUnavailable, match="knows no model"):
            await judge(verifier)
    asked = len(stub.asked("verify"))
    with pytest.raises(
        ModelUnavailable, match=r"knows no model .* failed 3 times in a row and is asked again in 1 s\."
    ):
        await judge(verifier)
    assert verifier.trouble is not None
    assert len(stub.asked("verify")) == asked

    await asyncio.sleep(0.25)
    assert verifier.trouble is None
    with pytest.raises(ModelUnavailable, match="knows no model"):
        await judge(verifier)
    assert verifier.trouble is not None, "one failure is enough after the rest"

    await asyncio.sleep(0.25)
    stub.verify = lambda request: GOOD
    assert (await judge(verifier)).verdict.relation == "update"
    stub.verify = lambda request: Reply(status=404)
    with pytest.raises(ModelUnavailable):
        await judge(verifier)
    assert verifier.trouble is None, "the count begins anew"


@pytest.mark.parametrize("name", ["server error", "wrong model"])
async def test_calls_that_wait_for_the_profile_share_one_outage(stub: OpenAIStub, make: Make, name: str) -> None:
    stub.probe = lambda request: dataclasses.replace(OUTAGES[name], delay=0.2)
    verifier = make()
    for times in range(1, FAILURES):
        outcomes = await asyncio.gather(*(judge(verifier) for _ in range(4)), return_exceptions=True)
        assert [type(outcome) for outcome in outcomes if not isinstance(outcome, ModelUnavailable)] == []
        assert (times, verifier.trouble) == (times, None), "four calls are one outage"
    stub.probe, stub.verify = lambda request: verdict("new"), lambda request: GOOD
    assert (await judge(verifier)).verdict.relation == "update"


async def test_calls_that_wait_for_a_silent_server_share_one_outage(stub: OpenAIStub, make: Make) -> None:
    stub.probe = lambda request: Reply(verdict("new"), delay=4)
    verifier = make()
    outcomes = await asyncio.gather(*(judge(verifier, seconds=2) for _ in range(4)), return_exceptions=True)
    assert all(isinstance(outcome, ModelUnavailable) for outcome in outcomes)
    assert verifier.trouble is None


async def test_an_answer_that_cannot_be_read_is_no_outage(stub: OpenAIStub, make: Make) -> None:
    verifier = make("vllm")
    for _ in range(FAILURES + 1):
        stub.verify = lambda request: Reply(status=404)
        with pytest.raises(ModelUnavailable):
            await judge(verifier)
        stub.verify = lambda request: "prose"
        with pytest.raises(ModelAnswerUnusable):
            await judge(verifier)
    assert verifier.trouble is None


async def test_neither_a_cancelled_call_nor_a_short_one_is_an_outage(stub: OpenAIStub, make: Make) -> None:
    stub.verify = lambda request: Reply(GOOD, delay=3)
    verifier = make("vllm")
    for _ in range(FAILURES):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await judge(verifier)
        with pytest.raises(ModelUnavailable, match=r"silent for more than 0\.1 s\."):
            await judge(verifier, seconds=0.1)
    assert verifier.trouble is None


async def test_a_server_that_is_silent_for_long_is_left_alone(stub: OpenAIStub, make: Make) -> None:
    stub.verify = lambda request: Reply(GOOD, delay=3)
    verifier = make("vllm", seconds=0.1)
    for _ in range(FAILURES):
        with pytest.raises(ModelUnavailable, match="silent"):
            await judge(verifier)
    assert "silent" in str(verifier.trouble)
