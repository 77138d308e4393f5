"""The parse ladder: every way in which servers have been seen to spoil an answer."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from graph.models.parsing import mended, objects, read_answer, thoughts, without_thoughts
from nodes.prompts.distill import DistillAnswer
from nodes.prompts.verify import VerdictAnswer
from state.errors import ModelAnswerUnusable

PLAIN = '{"reason": "says so", "grounded": "supported", "relation": "update", "concerns": [1, 2], "confidence": 0.9}'
EXPECTED = VerdictAnswer(
    reason="says so",
    grounded="supported",
    relation="update",
    concerns=[1, 2],
    resolution=None,
    supported_part=None,
    confidence=0.9,
)
SCHEMA = json.dumps(VerdictAnswer.model_json_schema())


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        f"\n\n  {PLAIN}\n\n\n",
        f"Sure! Here is the JSON you asked for:\n{PLAIN}\nLet me know if you need more.",
        f"I looked at {{the}} note, as {{'asked'}}: {PLAIN}",
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}\n```",
        f"<think>The user moved. Maybe {{}}?</think>\n{PLAIN}",
        f"<think></think>\n\n{PLAIN}",
        f"<think>\n\n</think>\n\n{PLAIN}",
        f"The user moved, so it is an update.\n</think>\n{PLAIN}",
        f"<thinking>hm</thinking>{PLAIN}",
        f"{PLAIN}<think>was that right?",
        f"[{PLAIN}]",
        "{" + PLAIN,
        "{" + PLAIN + "}",
        "{\n " + PLAIN,
        f"{SCHEMA}\n{PLAIN}",
        PLAIN.replace('"supported"', '" Supported "').replace('"update"', '"UPDATE"'),
        PLAIN.replace("[1, 2]", '["1", "2"]'),
        PLAIN.replace("0.9", '"0.9"'),
        PLAIN.replace("}", ', "evidence_span": "not asked for"}'),
    ],
)
def test_answer_is_found(content: str) -> None:
    assert read_answer(content, None, VerdictAnswer) == EXPECTED


@pytest.mark.parametrize(
    ("content", "trouble"),
    [
        (None, "empty"),
        ("", "empty"),
        ("   \n ", "empty"),
        ("I cannot judge this.", "no whole JSON object"),
        (PLAIN[:60], "no whole JSON object"),
        (PLAIN.replace('"', "'"), "no whole JSON object"),
        (f"<think>I would answer {PLAIN}", "empty"),
        ("null", "no whole JSON object"),
        ("[]", "no whole JSON object"),
        ("{}", "reason: Field required"),
        (SCHEMA, "reason: Field required"),
        (json.dumps(VerdictAnswer.model_json_schema()["properties"]), "reason: Input should be a valid string"),
        (PLAIN.replace("grounded", "verdict"), "grounded: Field required"),
        (PLAIN.replace("update", "contradicted"), "relation: Input should be"),
        (PLAIN.replace("0.9", "95"), "confidence: Value error"),
        ('{"thought": "it is new"}', "reason: Field required"),
        (PLAIN.replace("}", ', "resolution": "merge"}'), "resolution: Input should be"),
        (PLAIN.replace("[1, 2]", "null"), "concerns: Input should be a valid list"),
        (PLAIN.replace("[1, 2]", '["the first"]'), "concerns.0: Input should be a valid integer"),
        ('{"verdict": ' + PLAIN + "}", "reason: Field required"),
    ],
)
def test_what_is_no_answer_is_refused_with_the_trouble(content: str | None, trouble: str) -> None:
    with pytest.raises(ModelAnswerUnusable, match=trouble):
        read_answer(content, None, VerdictAnswer)


@pytest.mark.parametrize("content", [None, "", "<think></think>\n"])
@pytest.mark.parametrize(
    "reasoning", [PLAIN, f"```json\n{PLAIN}\n```", f"moved, so update\n</think>\n\n{PLAIN}", f"\n{PLAIN}\n"]
)
def test_an_answer_that_stands_alone_in_the_reasoning_field_counts(content: str | None, reasoning: str) -> None:
    assert read_answer(content, reasoning, VerdictAnswer) == EXPECTED


def test_a_draft_among_thoughts_is_no_answer() -> None:
    with pytest.raises(ModelAnswerUnusable):
        read_answer("", f"Maybe {PLAIN}? No, wait, the user only asked.", VerdictAnswer)


def test_content_goes_before_reasoning() -> None:
    draft = PLAIN.replace("update", "conflict")
    assert read_answer(PLAIN, draft, VerdictAnswer) == EXPECTED
    with pytest.raises(ModelAnswerUnusable):
        read_answer("no answer", draft, VerdictAnswer)


def test_a_cut_answer_counts_only_where_the_object_is_whole() -> None:
    assert read_answer(PLAIN + "\n" * 500, None, VerdictAnswer, cut_off=True) == EXPECTED
    with pytest.raises(ModelAnswerUnusable, match="cut off by its token limit"):
        read_answer(PLAIN[:80], None, VerdictAnswer, cut_off=True)
    with pytest.raises(ModelAnswerUnusable, match="cut off by its token limit"):
        read_answer("", PLAIN, VerdictAnswer, cut_off=True)


def test_the_first_answer_counts() -> None:
    second = PLAIN.replace("update", "new")
    assert read_answer(f"{PLAIN}\n{second}", None, VerdictAnswer) == EXPECTED


def test_braces_and_fences_inside_strings_are_text() -> None:
    reason = 'he said "}" and {"relation": "new"} in ```js\\n{```'
    content = json.dumps(json.loads(PLAIN) | {"reason": reason})
    assert read_answer(content, None, VerdictAnswer).reason == reason


def test_raw_line_breaks_inside_strings_are_read() -> None:
    assert read_answer(PLAIN.replace("says so", "says\n\tso"), None, VerdictAnswer).reason == "says\n\tso"


def test_all_braces_doubled() -> None:
    content = '{{"candidates": [], "tasks": [{{"title": "签证", "state": "open", "step": 2, "steps": 4, "when": null, '
    content += '"span": "签证办到第2步"}}]}}'
    answer = read_answer(content, None, DistillAnswer)
    assert [(task.title, task.step) for task in answer.tasks] == [("签证", 2)]


def test_an_echoed_list_schema_is_not_an_empty_answer() -> None:
    with pytest.raises(ModelAnswerUnusable, match="candidates: Field required"):
        read_answer(json.dumps(DistillAnswer.model_json_schema()), None, DistillAnswer)
    with pytest.raises(ModelAnswerUnusable, match="candidates: Field required"):
        read_answer('{"facts": []}', None, DistillAnswer)


def test_bad_surrogates_are_mended() -> None:
    content = PLAIN.replace("says so", r"搬到\ud83d上海 \ud83d\ude00 ok\udc00")
    assert read_answer(content, None, VerdictAnswer).reason == "搬到\ufffd上海 😀 ok\ufffd"
    raw = PLAIN.replace("says so", "lone \ud83d half")
    assert read_answer(raw, None, VerdictAnswer).reason == "lone \ufffd half"


def test_deep_nesting_and_endless_text_end_in_a_refusal() -> None:
    for content in ('{"a":' * 20_000, "{" * 60_000, " " * 200_000 + "{", "[" * 50_000):
        with pytest.raises(ModelAnswerUnusable):
            read_answer(content, None, VerdictAnswer)


def test_trouble_never_quotes_the_answer() -> None:
    with pytest.raises(ModelAnswerUnusable) as caught:
        read_answer(PLAIN.replace("update", "my secret is 4711"), None, VerdictAnswer)
    assert "4711" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a<think>b</think>c", "ac"),
        ("<think>a</think><think>b</think>c", "c"),
        ("<THINK>a</THINK>c", "c"),
        ("thought</think>c", "c"),
        ("c<think>thought", "c"),
        ("<think>a</think>b</think>c<think>d", "c"),
        ("plain", "plain"),
    ],
)
def test_thoughts_are_stripped(text: str, left: str) -> None:
    assert without_thoughts(text) == left


@pytest.mark.parametrize(
    ("content", "reasoning", "thought"),
    [
        (PLAIN, None, ""),
        (PLAIN, " \n", ""),
        (f"<think></think>{PLAIN}", "", ""),
        (f"<think>\n\n</think>\n{PLAIN}", None, ""),
        (None, PLAIN, ""),
        ("", f"```json\n{PLAIN}\n```", ""),
        ("<think></think>", PLAIN, ""),
        (PLAIN, "hm", "hm"),
        (f"<think>hm</think>{PLAIN}", None, "hm"),
        (f"hm</think>{PLAIN}", None, "hm"),
        (f"{PLAIN}<think>hm", None, "hm"),
        ("<think>hm", None, "hm"),
        (None, f"<think>hm</think>{PLAIN}", "hm"),
        (None, "I think {it} is new", "I think {it} is new"),
        (None, None, ""),
    ],
)
def test_it_is_told_whether_the_model_thought(content: str | None, reasoning: str | None, thought: str) -> None:
    assert thoughts(content, reasoning) == thought


def test_objects_come_in_order_and_not_from_inside_each_other() -> None:
    assert list(objects('x {"a": {"b": 1}} y {"c": 2}')) == [{"a": {"b": 1}}, {"c": 2}]


class Echo(BaseModel):
    text: str
    nested: dict[str, str]


@given(text=st.text(), key=st.text(), prose=st.text(alphabet="abc 用户,.:\n\"'`"))
def test_any_text_survives_prose_fences_and_thoughts(text: str, key: str, prose: str) -> None:
    echo = Echo(text=text.replace("think", ""), nested={key.replace("think", ""): "}"})
    for ascii_only in (True, False):
        dumped = json.dumps(echo.model_dump(), ensure_ascii=ascii_only)
        assert read_answer(f"<think>{prose}</think>{prose}\n```json\n{dumped}\n```{prose}", None, Echo) == echo


@given(st.text(alphabet=st.characters(categories=["Cs", "Lo", "So"])))
def test_mended_text_can_be_encoded(text: str) -> None:
    assert mended(text).encode().decode() == mended(text)
