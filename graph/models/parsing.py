"""Read a model's answer of a known shape out of what servers make of it.

The ladder: content, else the reasoning field; think tags off; the first JSON object in the text, which passes over
prose, fences and doubled opening braces; all braces doubled; broken surrogates mended; pydantic. What does not come
out whole is no answer: nothing is filled in.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from state.errors import ModelAnswerUnusable

Shape = TypeVar("Shape", bound=BaseModel)

LONGEST = 16_384  # characters; more than any limit of tokens that is set here lets through

_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OPENING = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSING = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_TAG = re.compile(r"</?think(?:ing)?>", re.IGNORECASE)
_FENCE = re.compile(r"^```\w*\s*\n(.*?)\n?\s*```$", re.DOTALL)
# Raw line breaks inside strings are common and harmless.
_DECODER = json.JSONDecoder(strict=False)


def read_answer(content: str | None, reasoning: str | None, shape: type[Shape], *, cut_off: bool = False) -> Shape:
    """Return the answer that a completion holds.

    `content` may hold the answer among other text. Where it is empty the answer may stand in the reasoning field, alone
    (some servers put it there): an object among thoughts is a draft. `cut_off` says that the token limit ended the
    completion; a whole object in the content counts all the same, since some servers pad it with endless white space.

    Raises:
        ModelAnswerUnusable: no object of the asked shape is there.
    """
    text = without_thoughts(content or "")[:LONGEST]
    misfit = ""
    for found in objects(text):
        try:
            return shape.model_validate(mended(found))
        except ValidationError as error:
            misfit = misfit or _first(error)
    if not text and not cut_off:
        thought = without_fence(without_thoughts(reasoning or ""))[:LONGEST]
        try:
            return shape.model_validate(mended(_DECODER.decode(thought)))
        except ValidationError as error:
            misfit = _first(error)
        except (ValueError, RecursionError):
            pass
    raise ModelAnswerUnusable(_sentence(text, misfit, cut_off))


def without_thoughts(text: str) -> str:
    """Strip thinking: whole blocks, all before a lone closing tag, all after an opening tag that nothing closes."""
    text = _THOUGHT.sub("", text)
    text = _CLOSING.split(text)[-1]
    return _OPENING.split(text)[0].strip()


def thoughts(content: str | None, reasoning: str | None) -> str:
    """Return what a completion holds of thinking: "" where the model did not think.

    An answer that stands alone in the reasoning field is none, nor is an empty block of tags.
    """
    text = content or ""
    answer = without_thoughts(text)
    tagged = _TAG.search(text) is not None
    if tagged and (inside := _TAG.sub("", text).replace(answer, "").strip()):
        return inside
    aside = (reasoning or "").strip()
    alone = not answer and without_fence(without_thoughts(aside)).startswith("{")
    return thoughts(aside, None) if alone else aside


def without_fence(text: str) -> str:
    """Strip one code fence around the whole text."""
    fence = _FENCE.match(text.strip())
    return fence.group(1).strip() if fence else text.strip()


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a text in order, without those inside another one.

    An opening brace that begins no whole object is passed over. A text with doubled braces is then read once more with
    all of them single.
    """
    yield from _objects(text)
    if "{{" in text:
        yield from _objects(text.replace("{{", "{").replace("}}", "}"))


def mended(value: Any) -> Any:
    """Join surrogate pairs in all strings and put the replacement character in place of lone halves."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [mended(part) for part in value]
    if isinstance(value, dict):
        return {mended(key): mended(part) for key, part in value.items()}
    return value


def _objects(text: str) -> Iterator[dict[str, Any]]:
    position = text.find("{")
    while position >= 0:
        try:
            found, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            end = position + 1
        else:
            yield found
        position = text.find("{", end)


def _first(error: ValidationError) -> str:
    """Return where the shape is missed, without the model's words."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"


def _sentence(text: str, misfit: str, cut_off: bool) -> str:
    if misfit:
        return f"The model's answer does not have the asked shape ({misfit})."
    if cut_off:
        return "The model's answer was cut off by its token limit."
    return "The model's answer holds no whole JSON object." if text else "The model's answer is empty."
