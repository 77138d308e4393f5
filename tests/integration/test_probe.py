"""`loci probe-verifier` against servers of each kind: what it finds out, what it advises, and how it ends."""

import asyncio
import json
from typing import Any

import pytest
from typer.testing import CliRunner

from graph.cli import app as cli
from graph.models.probe import probe
from graph.models.probe_report import Findings
from state.errors import LociError, ModelUnavailable
from state.settings import VerifierProfile
from tests import backends
from tests.fakes.clock import HandClock
from tests.integration.conftest import NOON, endpoint
from tests.openai_stub import OpenAIStub, Reply, Request, verdict


def judged(request: Request) -> str:
    """Judge the cases of the probe as they should be."""
    for words, relation in (("我家在杭州", "duplicate"), ("hospital", "update"), ("6月12日", "conflict")):
        if words in request.user:
            return verdict(relation, concerns=[1])
    raise AssertionError(request.user)


@pytest.fixture
def able(stub: OpenAIStub) -> OpenAIStub:
    stub.verify = judged
    return stub


async def probed(stub: OpenAIStub, profile: VerifierProfile = "auto") -> Findings:
    said: list[str] = []
    found = await probe(
        endpoint(stub, "Qwen/Qwen3-8B"), profile=profile, clock=HandClock(NOON), seconds=5, tell=said.append
    )
    assert said, "nothing was told while it ran"
    return found


def advice(findings: Findings) -> str:
    return "\n".join(findings.advice)


@pytest.mark.parametrize("name", backends.OF_PROFILE)
async def test_each_server_is_recommended_its_own_profile(able: OpenAIStub, name: str) -> None:
    owners = {"ollama": "library", "dashscope": "system"}
    able.backend = backends.OF_PROFILE[name]
    able.models = [{"id": "Qwen/Qwen3-8B", "object": "model", "owned_by": owners.get(name, name)}]
    found = await probed(able)
    assert found.recommended == name
    assert f"LOCI_VERIFIER_PROFILE={name}" in found.advice[0]
    assert found.serves == ["Qwen/Qwen3-8B"]
    assert len(found.profiles) == 5
    best = next(report for report in found.profiles if report.profile == name)
    assert (best.right, best.cases, best.thinking_off, best.answer_in) == (3, 3, True, "content")
    assert best.structure is (name != "sglang")
    assert best.thinking == "thinks"
    assert best.prompt_tokens > 1_000
    assert best.completion_tokens > 50
    assert best.trouble == ""


async def test_one_profile_alone_is_tried(able: OpenAIStub) -> None:
    able.backend = backends.OLLAMA
    found = await probed(able, "llamacpp")
    (report,) = found.profiles
    assert (report.profile, report.usable, report.thinking_off) == ("llamacpp", False, False)
    assert found.recommended is None
    assert "Nothing turns its thinking off" in advice(found)


async def test_a_server_without_a_parser_is_told_of_it(able: OpenAIStub) -> None:
    able.backend = backends.VLLM_WITHOUT_PARSER
    found = await probed(able)
    assert found.recommended == "vllm"
    assert "start vLLM with --reasoning-parser qwen3" in advice(found)


async def test_a_server_with_the_wrong_parser_is_told_of_it(able: OpenAIStub) -> None:
    able.backend = backends.VLLM_WITH_WRONG_PARSER
    found = await probed(able)
    assert found.profiles[0].answer_in == "reasoning"
    assert "answers land in the reasoning field" in advice(found)
    assert "start vLLM with --reasoning-parser qwen3" in advice(found)


async def test_a_server_that_enforces_nothing_is_usable_and_told_of_it(able: OpenAIStub) -> None:
    found = await probed(able)
    assert found.recommended == "vllm"
    assert found.profiles[0].structure is False
    assert "does not enforce the shape" in advice(found)
    assert "Asked to think it does not think" in advice(found)


async def test_a_model_that_always_thinks_fits_no_profile(able: OpenAIStub) -> None:
    able.backend = backends.ALWAYS_THINKING
    found = await probed(able)
    assert found.recommended is None
    assert not any(report.usable or report.answered for report in found.profiles)
    assert "Models named Thinking always think" in advice(found)


async def test_a_model_that_talks_is_told_from_one_that_thinks(stub: OpenAIStub) -> None:
    stub.verify = lambda request: "It is a duplicate, I would say."
    found = await probed(stub)
    assert found.recommended is None
    assert all(report.thinking_off and report.answered == 0 for report in found.profiles)
    assert "not with the JSON that was asked for" in advice(found)
    assert "holds no whole JSON object" in advice(found)


async def test_a_model_that_judges_badly_is_usable_and_told_of(stub: OpenAIStub) -> None:
    stub.verify = lambda request: verdict("new")
    found = await probed(stub)
    assert found.recommended is not None
    assert "0 of 3 plain cases right" in advice(found)


async def test_a_server_that_refuses_everything_is_quoted(stub: OpenAIStub) -> None:
    stub.verify = lambda request: Reply(status=400, message="this deployment takes no chat")
    found = await probed(stub)
    assert found.recommended is None
    assert "this deployment takes no chat" in advice(found)


async def test_a_pass_that_fails_while_thinking_leaves_the_rest(able: OpenAIStub) -> None:
    able.backend = backends.VLLM
    able.rethink = lambda request: Reply(status=500)
    found = await probed(able, "vllm")
    assert (found.recommended, found.profiles[0].thinking) == ("vllm", "gives no verdict")
    assert "Asked to think it gives no verdict" in advice(found)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(status=404), "knows no model"),
        (Reply(status=429), "limits how often"),
        (Reply(status=401), "was refused"),
    ],
)
async def test_an_outage_ends_it(able: OpenAIStub, reply: Reply, words: str) -> None:
    able.verify = lambda request: reply
    with pytest.raises(ModelUnavailable, match=words):
        await probed(able)


# -- the command -------------------------------------------------------------------------------------------------------


def run(*arguments: str, **environment: str) -> Any:
    return CliRunner().invoke(cli.app, ["probe-verifier", *arguments], env=environment)


async def test_the_command_prints_a_table_and_advice(able: OpenAIStub) -> None:
    able.backend = backends.OLLAMA
    able.models = [{"id": "qwen3:8b", "object": "model", "owned_by": "library"}]
    done = await asyncio.to_thread(run, "--base-url", able.base_url, "--model", "qwen3:8b")
    assert done.exit_code == 0
    first = done.stdout.splitlines()[0].split("\t")
    assert first[:8] == ["ollama", "yes", "yes", "enforced", "content", "3 of 3", "thinks", first[7]]
    assert "LOCI_VERIFIER_PROFILE=ollama" in done.stderr
    assert "OLLAMA_CONTEXT_LENGTH" in done.stderr
    assert "ollama: thinking" in done.stderr
    assert "does not list" not in done.stderr
    assert able.asked("verify")[0].body["model"] == "qwen3:8b"


async def test_the_command_names_what_is_served_where_the_model_is_not(able: OpenAIStub) -> None:
    able.models = [{"id": "qwen3:8b", "object": "model", "owned_by": "library"}]
    able.verify = lambda request: Reply(status=404)
    done = await asyncio.to_thread(run, "--base-url", able.base_url)
    assert "does not list Qwen/Qwen3-8B, but qwen3:8b" in done.stderr
    assert "check LOCI_VERIFIER_MODEL and --base-url" in str(done.exception)


async def test_the_command_takes_the_settings_and_prints_json(able: OpenAIStub) -> None:
    able.backend = backends.VLLM
    done = await asyncio.to_thread(run, "--json", "--profile", "vllm", LOCI_VERIFIER_BASE_URL=able.base_url)
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert (found["model"], found["recommended"]) == ("Qwen/Qwen3-8B", "vllm")
    assert [report["profile"] for report in found["profiles"]] == ["vllm"]


async def test_the_command_fails_where_nothing_fits(able: OpenAIStub) -> None:
    able.backend = backends.ALWAYS_THINKING
    done = await asyncio.to_thread(run, "--base-url", able.base_url)
    assert done.exit_code == 1
    assert "No profile fits" in done.stderr
    assert done.stdout.count("\tno\t") == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "LOCI_VERIFIER_BASE_URL is not set"),
        (["--base-url", "http://127.0.0.1:9/v1"], "127.0.0.1:9 cannot be reached: is --base-url right"),
        (["--model", "m"], "LOCI_VERIFIER_BASE_URL is needed"),
    ],
)
async def test_without_a_server_one_sentence_says_what_to_set(arguments: list[str], words: str) -> None:
    done = await asyncio.to_thread(run, *arguments)
    assert isinstance(done.exception, LociError)
    assert words in str(done.exception)
    assert "\n" not in str(done.exception)
    assert done.stdout == ""


async def test_a_base_url_that_is_none_names_the_option() -> None:
    done = await asyncio.to_thread(run, "--base-url", "nowhere")
    assert done.exit_code == 2
    assert "--base-url" in done.stderr
    assert "http://localhost:8000/v1" in done.stderr
    assert "LOCI_" not in done.stderr


async def test_a_url_without_its_version_is_told_of(able: OpenAIStub) -> None:
    url = able.base_url.removesuffix("/v1")
    typed = await asyncio.to_thread(run, "--base-url", f"{url}/")
    assert f"Try --base-url={able.base_url}." in str(typed.exception)
    set_before = await asyncio.to_thread(run, LOCI_VERIFIER_BASE_URL=url)
    assert f"Try LOCI_VERIFIER_BASE_URL={able.base_url}." in str(set_before.exception)
    other = await asyncio.to_thread(run, "--base-url", f"{url}/api/v3")
    assert "knows no model" in str(other.exception)


async def test_profiles_that_ask_alike_share_a_row(able: OpenAIStub) -> None:
    able.backend = backends.OF_PROFILE["sglang"]
    able.models = [{"id": "Qwen/Qwen3-8B", "object": "model", "owned_by": "sglang"}]
    done = await asyncio.to_thread(run, "--base-url", able.base_url)
    names = [row.split("\t")[0] for row in done.stdout.splitlines()]
    assert names == ["sglang, vllm", "ollama", "llamacpp", "dashscope"]
    assert "LOCI_VERIFIER_PROFILE=sglang" in done.stderr
    assert "came out alike" not in done.stderr


async def test_a_server_that_does_not_say_what_it_is_leaves_the_choice(stub: OpenAIStub) -> None:
    found = await probed(stub)
    assert found.recommended == "vllm"
    assert "0 of 3 plain cases right" in found.advice[0] or "1 of 3 plain cases right" in found.advice[0]
    assert "does not say what it is, and vllm, sglang" in advice(found)
