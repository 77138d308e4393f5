"""The verifier over real HTTP, against the scripted server: what Qwen3 is asked, and what is made of its answers."""

import asyncio
import json
import logging

import pytest

from graph.models.verifier import QwenVerifier
from state.errors import ModelAnswerUnusable, ModelUnavailable
from tests.fakes.clock import HandClock
from tests.integration.conftest import NOON, candidate, endpoint, neighbour, said
from tests.openai_stub import OpenAIStub, Reply, verdict


async def test_verifier_asks_qwen_without_thinking_in_a_strict_schema(stub: OpenAIStub, verifier: QwenVerifier) -> None:
    await verifier.verify(candidate(), [said("我上周搬到上海了。")], [], seconds=5)
    (request,) = stub.asked("verify")
    body = request.body
    assert body["model"] == "Qwen/Qwen3-8B"
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert request.system.endswith("/no_think")
    assert "/no_think" not in request.user
    assert (body["temperature"], body["top_p"], body["top_k"], body["min_p"]) == (0.7, 0.8, 20, 0)
    assert isinstance(body["seed"], int)
    assert body["max_tokens"] == 256
    schema = body["response_format"]["json_schema"]
    assert (body["response_format"]["type"], schema["strict"]) == ("json_schema", True)
    assert list(schema["schema"]["properties"]) == [
        "reason",
        "grounded",
        "relation",
        "concerns",
        "resolution",
        "supported_part",
        "confidence",
    ]
    assert schema["schema"]["required"] == list(schema["schema"]["properties"])
    assert schema["schema"]["additionalProperties"] is False


async def test_judgement_maps_numbers_to_ids_and_carries_its_receipt(stub: OpenAIStub, verifier: QwenVerifier) -> None:
    company = [neighbour("far", "用户喜欢茶", similarity=0.71), neighbour("home", "用户住在北京", same_slot=True)]
    answer = verdict("update", concerns=[1], reason="说了搬家", confidence=0.95)
    stub.next("verify", Reply(answer, usage=(700, 40)))

    judgement = await verifier.verify(candidate(), [said("我上周搬到上海了。")], company, seconds=5)

    found = judgement.verdict
    assert (found.relation, found.grounded, found.confidence, found.reason) == ("update", "supported", 0.95, "说了搬家")
    assert found.concerns == ("home",)
    assert (judgement.verifier, judgement.provisional) == ("Qwen/Qwen3-8B", False)
    assert len(judgement.prompt_hash) == 16
    assert int(judgement.prompt_hash, 16) >= 0
    (cost,) = judgement.usage
    assert (cost.node, cost.prompt_tokens, cost.completion_tokens, cost.estimated) == ("fact_check", 700, 40, False)

    assert judgement.compared == ("home", "far")

    same = await verifier.verify(candidate(), [said("我上周搬到上海了。")], company, seconds=5)
    other = await verifier.verify(candidate(), [said("我上周搬到上海了！")], company, seconds=5)
    assert same.prompt_hash == judgement.prompt_hash != other.prompt_hash


async def test_a_judgement_names_only_what_the_prompt_had_room_for(stub: OpenAIStub, verifier: QwenVerifier) -> None:
    company = [neighbour(str(number), f"用户喜欢第{number}号茶，产自{number}号山" * 3) for number in range(60)]
    judgement = await verifier.verify(candidate(), [said("我上周搬到上海了。")], company, seconds=5)
    memories = stub.asked("verify")[-1].user.split("<memories>")[1].splitlines()
    shown = [line for line in memories if line[:1].isdigit()]
    assert 0 < len(judgement.compared) == len(shown) < 60


async def test_usage_is_estimated_where_none_is_reported(stub: OpenAIStub, verifier: QwenVerifier) -> None:
    stub.next("verify", Reply(verdict("new"), usage=False))
    judgement = await verifier.verify(candidate(), [said("我上周搬到上海了。")], [], seconds=5)
    (cost,) = judgement.usage
    assert cost.estimated
    assert cost.prompt_tokens > 300
    assert 10 < cost.completion_tokens < 100


@pytest.mark.parametrize("concerns", [[], [2], [0], [-1], [1, 7]])
@pytest.mark.parametrize("relation", ["duplicate", "update", "conflict"])
async def test_a_number_that_was_not_shown_is_undecided(
    stub: OpenAIStub, verifier: QwenVerifier, relation: str, concerns: list[int]
) -> None:
    stub.next("verify", verdict(relation, concerns=concerns))
    judgement = await verifier.verify(
        candidate(), [said("我上周搬到上海了。")], [neighbour("home", "用户住在北京")], seconds=5
    )
    assert (judgement.verdict.relation, judgement.verdict.concerns) == ("undecided", ())


GOOD = verdict("new", reason="是新的")
ECHO = json.dumps({"type": "object", "properties": {"relation": {"enum": ["new"]}}, "required": ["relation"]})

# Each is a complaint of somebody about Qwen or a server for it: the answer is there, in its way.
READABLE = {
    "think block before the JSON": Reply(f"<think>\n它是新的\n</think>\n\n{GOOD}"),
    "empty think block": Reply(f"<think></think>{GOOD}"),
    "lone closing tag": Reply(f"它是新的</think>{GOOD}"),
    "prose around": Reply(f"好的，结果如下：\n{GOOD}\n希望有帮助。"),
    "code fence": Reply(f"```json\n{GOOD}\n```"),
    "doubled opening brace": Reply("{" + GOOD),
    "doubled braces": Reply("{" + GOOD + "}"),
    "bare array": Reply(f"[{GOOD}]"),
    "endless white space": Reply(GOOD + "\n \t" * 100, finish_reason="length"),
    "answer in reasoning_content": Reply(None, reasoning=GOOD),
    "answer in reasoning": Reply(None, reasoning=GOOD, reasoning_field="reasoning"),
    "empty content, answer in reasoning": Reply("", reasoning=GOOD),
    "thoughts in reasoning_content": Reply(GOOD, reasoning="它是新的"),
    "schema echoed before the answer": Reply(f"{ECHO}\n{GOOD}"),
    "bad surrogate": Reply(GOOD.replace("是新的", r"\ud83d是新的")),
}
UNREADABLE = {
    "prose only": Reply("我认为这是新的。"),
    "empty": Reply(""),
    "null": Reply(None),
    "cut in the middle": Reply(GOOD[:50], finish_reason="length"),
    "unclosed think tag": Reply(f"<think>也许是 {GOOD}", finish_reason="length"),
    "schema echoed": Reply(ECHO),
    "renamed keys": Reply(GOOD.replace("relation", "verdict")),
    "facts of another prompt": Reply('{"facts": []}'),
    "word that was not offered": Reply(GOOD.replace('"new"', '"approved"')),
    "a draft among thoughts": Reply("", reasoning=f"也许是 {GOOD} 不对，再想想"),
    "thoughts cut off": Reply(None, reasoning=GOOD, finish_reason="length"),
}


@pytest.mark.parametrize("name", READABLE)
async def test_an_answer_in_its_way_is_read_at_once(stub: OpenAIStub, verifier: QwenVerifier, name: str) -> None:
    stub.next("verify", READABLE[name])
    judgement = await verifier.verify(candidate(), [said("我上周搬到上海了。")], [], seconds=5)
    assert judgement.verdict.relation == "new"
    assert judgement.verdict.reason.endswith("是新的")
    assert len(stub.asked("verify")) == 1


@pytest.mark.parametrize("name", UNREADABLE)
async def test_what_is_no_answer_is_asked_once_more(stub: OpenAIStub, verifier: QwenVerifier, name: str) -> None:
    stub.next("verify", UNREADABLE[name], GOOD)
    judgement = await verifier.verify(candidate(), [said("我上周搬到上海了。")], [], seconds=5)
    assert judgement.verdict.relation == "new"
    first, second = stub.asked("verify")
    assert second.messages[0] == first.messages[0]
    assert second.user.startswith(first.user)
    assert second.user != first.user
    assert len(judgement.usage) == 2


@pytest.mark.parametrize("name", UNREADABLE)
async def test_no_verdict_is_ever_made_up(stub: OpenAIStub, verifier: QwenVerifier, name: str) -> None:
    stub.verify = lambda request: UNREADABLE[name]
    with pytest.raises(ModelAnswerUnusable):
        await verifier.verify(candidate(), [said("我上周搬到上海了。")], [], seconds=5)
    assert len(stub.asked("verify")) == 2


async def test_a_verifier_that_fails_names_its_settings(stub: OpenAIStub, verifier: QwenVerifier) -> None:
    for reply, words in [
        (Reply(status=401), "LOCI_VERIFIER_API_KEY was refused"),
        (Reply(status=404), "knows no model Qwen/Qwen3-8B: check LOCI_VERIFIER_MODEL and LOCI_VERIFIER_BASE_URL"),
        (Reply(body="not JSON"), "does not answer in the OpenAI protocol: is LOCI_VERIFIER_BASE_URL right?"),
        (Reply(body='{"error": "overloaded"}'), "does not answer in the OpenAI protocol"),
        (Reply(body="[]"), "does not answer in the OpenAI protocol"),
    ]:
        stub.next("verify", reply, GOOD)
        with pytest.raises(ModelUnavailable, match=words.replace("?", r"\?")):
            await verifier.verify(candidate(), [said("我上周搬到上海了。")], [], seconds=5)
        await verifier.verify(candidate(), [said("我上周搬到上海了。")], [], seconds=5)
    assert len(stub.asked("verify")) == 10


async def test_a_verifier_call_is_retried_once_where_that_may_help(stub: OpenAIStub, verifier: QwenVerifier) -> None:
    stub.next("verify", Reply(status=503), GOOD)
    assert (await verifier.verify(candidate(), [said("我上周搬到上海了。")], [], seconds=5)).verdict.relation == "new"
    stub.next("verify", Reply(drop_after=0), Reply(drop_after=0), GOOD)
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        await verifier.verify(candidate(), [said("我上周搬到上海了。")], [], seconds=5)
    assert len(stub.asked("verify")) == 4


async def test_a_slow_verifier_is_given_up(stub: OpenAIStub) -> None:
    verifier = QwenVerifier(endpoint(stub), profile="vllm", clock=HandClock(NOON), seconds=0.2)
    stub.next("verify", Reply(GOOD, delay=1.5))
    with pytest.raises(ModelUnavailable, match=r"silent for more than 0\.2 s \(LOCI_MODEL_SECONDS\)"):
        await verifier.verify(candidate(), [said("我上周搬到上海了。")], [], seconds=5)
    assert len(stub.asked("verify")) == 1
    await verifier.close()


async def test_the_deadline_of_the_caller_passes_through(stub: OpenAIStub, verifier: QwenVerifier) -> None:
    stub.next("verify", Reply(GOOD, delay=1.5))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await verifier.verify(candidate(), [said("我上周搬到上海了。")], [], seconds=5)


async def test_keys_and_texts_stay_out_of_the_logs(
    stub: OpenAIStub, verifier: QwenVerifier, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    stub.next("verify", "secret prose", GOOD)
    with caplog.at_level(logging.INFO):
        await verifier.verify(candidate(), [said("我上周搬到上海了。")], [], seconds=5)
    logged = caplog.text + "".join(capsys.readouterr())
    assert "4711" not in logged
    assert "搬到上海" not in logged
    assert "secret prose" not in logged
