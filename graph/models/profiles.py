"""How each kind of server is asked for a verdict of Qwen3.

A profile is data. What it rests on: vLLM and SGLang read `chat_template_kwargs`; Ollama's /v1 reads `reasoning_effort`,
where "none" turns thinking off and other words are refused by some versions, so that thinking is asked for by leaving
it out; llama.cpp reads `chat_template_kwargs` when it runs with --jinja, and gives empty answers to the soft switch
under a schema; DashScope reads `enable_thinking` at the top level, refuses it in calls that are not streamed, and knows
JSON mode for Qwen3, but neither schemas nor JSON mode while thinking.

The pass that thinks never enforces structure: depending on how the server was started, a grammar keeps the model from
thinking, or doubles the first brace. There the prompt alone holds the answer to its shape.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from graph.models.completion import Manner
from state.records import PromptMessage

VERDICT_TOKENS = 256
THINKING_TOKENS = 2_048

NO_THINK = "\n/no_think"
"""Qwen3's soft switch, at the end of the system message: in a user message it can be read as content."""

# Sampling is what Qwen advises: it warns against greedy decoding. The seed makes a verdict repeatable.
_QUICK = {"temperature": 0.7, "top_p": 0.8, "seed": 7}
_THINKING = {"temperature": 0.6, "top_p": 0.95, "seed": 7}
_NARROW = {"top_k": 20, "min_p": 0}


@dataclass(frozen=True)
class Profile:
    """One kind of server. `owner` is what its list of models says of who owns them, `port` its usual one."""

    name: str
    quick: Manner
    thinking: Manner
    soft_switch: bool = True
    owner: str | None = None
    port: int | None = None
    host: str | None = None

    def quick_messages(self, messages: Sequence[PromptMessage]) -> list[PromptMessage]:
        """Return the messages as they are sent where the model is not to think."""
        system, *rest = messages
        if not self.soft_switch:
            return [system, *rest]
        return [system.model_copy(update={"content": system.content + NO_THINK}), *rest]


def _by_template(*, thinking: bool) -> Manner:
    sampling = _THINKING if thinking else _QUICK
    extra = {**_NARROW, "chat_template_kwargs": {"enable_thinking": thinking}}
    structure: Any = "none" if thinking else "json_schema"
    return Manner({**sampling, "extra_body": extra}, structure=structure, token_field="max_tokens")


_PROFILES = (
    Profile("vllm", _by_template(thinking=False), _by_template(thinking=True), owner="vllm", port=8000),
    Profile("sglang", _by_template(thinking=False), _by_template(thinking=True), owner="sglang", port=30000),
    Profile(
        "ollama",
        Manner({**_QUICK, "reasoning_effort": "none"}, token_field="max_tokens"),
        Manner(_THINKING, structure="none", token_field="max_tokens"),
        owner="library",
        port=11434,
    ),
    Profile(
        "llamacpp",
        _by_template(thinking=False),
        _by_template(thinking=True),
        soft_switch=False,
        owner="llamacpp",
        port=8080,
    ),
    Profile(
        "dashscope",
        Manner(
            {**_QUICK, "extra_body": {"top_k": 20, "enable_thinking": False}},
            structure="json_object",
            token_field="max_tokens",
        ),
        Manner(
            {
                **_THINKING,
                # The token limit counts the reply alone there; thinking has a budget of its own.
                "extra_body": {"top_k": 20, "enable_thinking": True, "thinking_budget": THINKING_TOKENS},
            },
            structure="none",
            streams=True,
            token_field="max_tokens",
        ),
        host="aliyuncs.com",
    ),
)

PROFILES: Mapping[str, Profile] = {profile.name: profile for profile in _PROFILES}


def in_order(base_url: str, owners: Sequence[str]) -> list[Profile]:
    """Return all profiles, the most plausible first: by the owner of its models, then by host and port."""
    parts = urlsplit(base_url)
    name = parts.hostname or ""

    def doubt(profile: Profile) -> tuple[bool, bool, bool]:
        at_home = profile.host is not None and (name == profile.host or name.endswith(f".{profile.host}"))
        return (not at_home, profile.owner not in owners, parts.port is None or profile.port != parts.port)

    return sorted(_PROFILES, key=doubt)
