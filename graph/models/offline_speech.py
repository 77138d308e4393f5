"""What the offline reply says in its own words, in Chinese and English; all else in it is quotation."""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass

from typing_extensions import override

ENDED = "no longer true since "

_WEEKDAYS = dict(zip(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), "一二三四五六日", strict=True))
_MARKS = {"stale": "较早的记忆", "provisional": "尚未复核"}
_TASK_STATES = {"open": "进行中", "blocked": "受阻", "done": "已完成", "cancelled": "已取消"}


@dataclass(frozen=True)
class Quotable:
    """One thing the user said: from memory with its number and dates, or from this session without."""

    text: str
    number: int | None = None
    about: str = ""
    said: str = ""
    marks: tuple[str, ...] = ()


class Speech(ABC):
    """The reply's own words in one language."""

    OFFLINE: str
    GREETING: str
    FOUND: str
    NEAREST: str
    NOTHING: str
    TASKS: str
    CANNOT: str

    @staticmethod
    @abstractmethod
    def quote(item: Quotable) -> str:
        """Return a line that quotes what the user said, with dates, marks and citation."""

    @staticmethod
    @abstractmethod
    def task(line: str) -> str:
        """Return a line on a task, from the line of the prompt."""

    @staticmethod
    @abstractmethod
    def heard(text: str) -> str:
        """Return that something was heard, without the claim that it is stored."""

    @staticmethod
    @abstractmethod
    def dispute(line: str) -> str:
        """Return the question which of two statements holds, from the line of the prompt."""


class Chinese(Speech):
    """Chinese, with weekdays and marks in Chinese too."""

    OFFLINE = "（离线模式：未配置聊天模型）"
    GREETING = "你好！我现在只能引用记得的内容来回答，你可以问我，也可以告诉我新的事情。"
    FOUND = "我记得你说过："
    NEAREST = "我不确定记得的内容能否回答这个问题，最接近的是："
    NOTHING = "关于这个，我还没有记住任何内容。"
    TASKS = "进行中的任务："
    CANNOT = "没有聊天模型，我做不了这件事，只能引用记得的内容。"

    @staticmethod
    @override
    def quote(item: Quotable) -> str:
        if item.number is None:
            return f"- 本次对话：“{item.text}”"
        marks = [f"说于 {_chinese_days(item.said)}"] if item.said != item.about else []
        marks += [_MARKS.get(mark) or f"自 {_chinese_days(mark.removeprefix(ENDED))} 起不再成立" for mark in item.marks]
        aside = f"（{'，'.join(marks)}）" if marks else ""
        return f"- {_chinese_days(item.about)}：“{item.text}”{aside} [{item.number}]"

    @staticmethod
    @override
    def task(line: str) -> str:
        title, _, rest = line.rpartition(": ")
        state, _, more = rest.partition(", ")
        steps = re.sub(r"step (\d+)", r"第 \1 步", re.sub(r" of (\d+)", r"，共 \1 步", more))
        due = _chinese_days(steps.replace(", due ", "，截止 ").replace("due ", "截止 "))
        return f"{title}：{_TASK_STATES.get(state, state)}{f'，{due}' if due else ''}"

    @staticmethod
    @override
    def heard(text: str) -> str:
        return f"收到：“{text.rstrip('。！？!?.')}”。我会先核实，核实后再记下。"

    @staticmethod
    @override
    def dispute(line: str) -> str:
        new, _, old = line.partition(" against ")
        return f"有一处说法互相矛盾：{_chinese_days(new)} 与 {_chinese_days(old)}。哪一个是对的？"


class English(Speech):
    """English: dates and marks stay as the prompt has them."""

    OFFLINE = "(offline: no chat model is configured)"
    GREETING = "Hello! I can only quote what I remember; ask me about it, or tell me something new."
    FOUND = "I remember that you said:"
    NEAREST = "I am not sure that what I remember answers this; the nearest is:"
    NOTHING = "I do not remember anything about this yet."
    TASKS = "Open tasks:"
    CANNOT = "I cannot do this without a chat model; I can only quote what I remember."

    @staticmethod
    @override
    def quote(item: Quotable) -> str:
        if item.number is None:
            return f'- in this conversation: "{item.text}"'
        marks = [f"said {item.said}"] if item.said != item.about else []
        aside = f" ({', '.join([*marks, *item.marks])})" if marks or item.marks else ""
        return f'- {item.about}: "{item.text}"{aside} [{item.number}]'

    @staticmethod
    @override
    def task(line: str) -> str:
        return line

    @staticmethod
    @override
    def heard(text: str) -> str:
        return f'I heard: "{text}". I will check it before I keep it.'

    @staticmethod
    @override
    def dispute(line: str) -> str:
        return f"Two of your statements contradict each other: {line}. Which one holds?"


def _chinese_days(text: str) -> str:
    return re.sub(r"(?<=\d )(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b", lambda match: f"周{_WEEKDAYS[match[1]]}", text).replace(
        " .. ", " 至 "
    )
