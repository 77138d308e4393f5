"""How real servers for Qwen3 answer: what each reads of a request, refuses, enforces, and where its answers land.

    stub.backend = backends.OLLAMA

A backend takes the reply of the script, which says what the model would answer, and gives it the server's form. What
the script spoils by itself (a status, a body, reasoning of its own) stays as it is.
"""

import dataclasses
import json
from collections.abc import Callable
from typing import Any

from tests.openai_stub import Reply, Request

Backend = Callable[[Request, Reply], Reply]

THOUGHT = "Let me see what the user said. It was {this}, so"
ENOUGH = 600  # tokens that thinking takes, with the answer
_JUDGED = ("verify", "rethink", "probe", "structure")


def _as(plan: Callable[[Request, Reply], Reply]) -> Backend:
    def backend(request: Request, reply: Reply) -> Reply:
        spoilt = reply.status != 200 or reply.body is not None or reply.reasoning is not None
        return reply if request.route not in _JUDGED or spoilt else plan(request, reply)

    return backend


def _wanted(request: Request) -> str | None:
    wanted: str | None = (request.body.get("response_format") or {}).get("type")
    return wanted


def _switched_off(request: Request) -> bool:
    """Say whether the model's template finds the soft switch."""
    return "/no_think" in request.system


def _told_to_think(request: Request) -> bool:
    asked: bool = (request.body.get("chat_template_kwargs") or {}).get("enable_thinking", True)
    return asked


def _in_shape(request: Request, reply: Reply) -> Reply:
    """Answer as under a grammar: the model has no choice."""
    if request.route == "structure":
        return dataclasses.replace(reply, content=json.dumps({"colour": "blue"}))
    return reply


def _thoughtful(request: Request, reply: Reply, place: str) -> Reply:
    """Answer after thoughts that land in `place`, or not at all where the token limit ends them."""
    enough = request.body["max_tokens"] >= ENOUGH
    if place == "content":
        text = f"<think>\n{THOUGHT}\n</think>\n\n{reply.content}" if enough else f"<think>\n{THOUGHT}"
        return dataclasses.replace(reply, content=text, finish_reason="stop" if enough else "length")
    return dataclasses.replace(
        reply,
        content=reply.content if enough else None,
        reasoning=THOUGHT,
        reasoning_field=place,
        finish_reason="stop" if enough else "length",
    )


def _refused(message: str) -> Reply:
    return Reply(status=400, message=message, code="invalid_parameter_error")


def _vllm(request: Request, reply: Reply) -> Reply:
    if not _told_to_think(request) or _switched_off(request):
        return _in_shape(request, reply) if _wanted(request) else reply
    answer = _thoughtful(request, reply, "reasoning")
    return dataclasses.replace(answer, content="{" + str(answer.content)) if _wanted(request) else answer


def _vllm_without_parser(request: Request, reply: Reply) -> Reply:
    if _wanted(request):
        return _in_shape(request, reply)
    quiet = not _told_to_think(request) or _switched_off(request)
    return reply if quiet else _thoughtful(request, reply, "content")


def _vllm_with_wrong_parser(request: Request, reply: Reply) -> Reply:
    answer = _in_shape(request, reply) if _wanted(request) else reply
    return dataclasses.replace(answer, content=None, reasoning=answer.content)


def _sglang(request: Request, reply: Reply) -> Reply:
    if _told_to_think(request) and not _switched_off(request):
        return _thoughtful(request, reply, "reasoning_content")
    if request.route == "structure":
        return reply
    return dataclasses.replace(reply, content=f"<think>\n\n</think>\n\nHere you are:\n```json\n{reply.content}\n```")


def _ollama(request: Request, reply: Reply) -> Reply:
    effort = request.body.get("reasoning_effort")
    if effort not in (None, "high", "medium", "low", "none"):
        return _refused(f"invalid reasoning value: '{effort}'")
    if effort != "none":
        return _thoughtful(request, reply, "reasoning")
    return _in_shape(request, reply) if _wanted(request) else reply


def _llamacpp(request: Request, reply: Reply) -> Reply:
    if not _told_to_think(request):
        if _wanted(request) and _switched_off(request):
            return dataclasses.replace(reply, content="")
        return _in_shape(request, reply) if _wanted(request) else reply
    if _wanted(request):
        return dataclasses.replace(reply, content="", reasoning='{"relation": "')
    return _thoughtful(request, reply, "reasoning_content")


_OF_DASHSCOPE = {
    "model",
    "messages",
    "stream",
    "stream_options",
    "temperature",
    "top_p",
    "top_k",
    "seed",
    "max_tokens",
    "response_format",
    "enable_thinking",
    "thinking_budget",
}


def _dashscope(request: Request, reply: Reply) -> Reply:
    body: dict[str, Any] = request.body
    if unknown := sorted(set(body) - _OF_DASHSCOPE):
        return _refused(f"parameter {unknown[0]} is not supported")
    thinks = body.get("enable_thinking", True)
    if thinks and not body.get("stream"):
        return _refused("parameter.enable_thinking must be set to false for non-streaming calls")
    wanted = _wanted(request)
    if wanted == "json_schema":
        return _refused("'response_format.type' must be text or json_object, json_schema is not supported")
    if wanted and thinks:
        return _refused("Json mode response is not supported when enable_thinking is true")
    if wanted and "json" not in f"{request.system}{request.user}".lower():
        return _refused("'messages' must contain the word 'json' in some form")
    if thinks:
        return _thoughtful(request, reply, "reasoning_content")
    return _in_shape(request, reply) if wanted else reply


VLLM = _as(_vllm)
VLLM_WITHOUT_PARSER = _as(_vllm_without_parser)
VLLM_WITH_WRONG_PARSER = _as(_vllm_with_wrong_parser)
SGLANG = _as(_sglang)
OLLAMA = _as(_ollama)
LLAMACPP = _as(_llamacpp)
DASHSCOPE = _as(_dashscope)
ALWAYS_THINKING = _as(lambda request, reply: _thoughtful(request, reply, "reasoning_content"))

OF_PROFILE: dict[str, Backend] = {
    "vllm": VLLM,
    "sglang": SGLANG,
    "ollama": OLLAMA,
    "llamacpp": LLAMACPP,
    "dashscope": DASHSCOPE,
}
