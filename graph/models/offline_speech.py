"""What the offline reply says in its own words, in Chinese and English; all else in it is quotation."""

import re
from abc import ABC, abstractmethod

from typing_extensions import override

from graph.models.offline_prompt import Dispute, Now, Quotable, Side, TaskLine

_WEEKDAYS = dict(zip(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), "一二三四五六日", strict=True))
_MARKS = {"stale": "较早的记忆", "provisional": "尚未复核"}
_CIRCLED_ONE = ord("①")
_TASK_STATES = {"open": "进行中", "blocked": "受阻", "done": "已完成", "cancelled": "已取消"}


class Speech(ABC):
    """The reply's own words in one language."""

    OFFLINE: str
    GREETING: str
    THANKS: str
    AGREED: str
    FAREWELL: str
    LAUGHTER: str
    EMOJI: str
    SELF: str
    FOUND: str
    NEAREST: str
    NOTHING: str
    TASKS: str
    CANNOT: str
    SECRET: str

    @staticmethod
    @abstractmethod
    def quote(item: Quotable) -> str:
        """Return a line that quotes what the user said, with dates, marks and citation."""

    @staticmethod
    @abstractmethod
    def task(task: TaskLine) -> str:
        """Return a line on a task."""

    @staticmethod
    @abstractmethod
    def noted(title: str, due: str | None) -> str:
        """Return that a task is noted for the day `due`, and that no alarm will ring."""

    @staticmethod
    @abstractmethod
    def heard(text: str) -> str:
        """Return that something was heard, without the claim that it is stored."""

    @staticmethod
    @abstractmethod
    def dispute(dispute: Dispute) -> str:
        """Return the question which of two statements holds."""

    @staticmethod
    @abstractmethod
    def time(now: Now) -> str:
        """Return the day and the time of the user."""


class Chinese(Speech):
    """Chinese, with weekdays and marks in Chinese too."""

    OFFLINE = "（离线模式：未配置聊天模型）"
    GREETING = "你好！我现在只能引用记得的内容来回答，你可以问我，也可以告诉我新的事情。"
    THANKS = "不客气！"
    AGREED = "好的。"
    FAREWELL = "再见！下次聊。"
    LAUGHTER = "哈哈！"
    EMOJI = "🙂"
    SELF = (
        "我是 Loci，会记事的个人助理：我记下你说过的事和日期，核实后保存，需要时引用出来。"
        "现在没有聊天模型，我只能引用记得的内容。"
    )
    FOUND = "我记得你说过："
    NEAREST = "我不确定记得的内容能否回答这个问题，最接近的是："
    NOTHING = "关于这个，我还没有记住任何内容。"
    TASKS = "任务："
    CANNOT = "没有聊天模型，我做不了这件事，只能引用记得的内容。"
    SECRET = "密码、密钥和卡号我不会记住。"

    @staticmethod
    @override
    def quote(item: Quotable) -> str:
        if item.number is None:
            return f"- 本次对话：“{item.text}”"
        marks = [f"说于 {_chinese_days(item.said)}"] if item.said != item.about else []
        marks += [_MARKS.get(mark, mark) for mark in item.marks] + (["现已不再成立"] if item.held else [])
        aside = f"（{'，'.join(marks)}）" if marks else ""
        when = f"{_date(item.held[0])} 到 {_date(item.held[1])}" if item.held else _chinese_days(item.about)
        detail = f"\n  原话：“{item.detail}”" if item.detail else ""
        return f"- {when}：“{item.text}”{aside} [{item.number}]{detail}"

    @staticmethod
    @override
    def task(task: TaskLine) -> str:
        step = f"，第 {task.step} 步" + (f"，共 {task.steps} 步" if task.steps else "") if task.step else ""
        due = f"，截止 {_chinese_days(task.due)}" if task.due else ""
        return f"- {task.title}：{_TASK_STATES[task.state]}{step}{due}"

    @staticmethod
    @override
    def noted(title: str, due: str | None) -> str:
        day = f"，日期 {_chinese_days(due)}" if due else ""
        return f"已记为任务：“{title}”{day}。我不会响铃提醒，你问起时我会告诉你。"

    @staticmethod
    @override
    def heard(text: str) -> str:
        return f"收到：“{text.rstrip('。！？!?.')}”。我会先核实，核实后再记下。"

    @staticmethod
    @override
    def dispute(dispute: Dispute) -> str:
        first, second = (chr(_CIRCLED_ONE - 1 + number) for number in (dispute.first, dispute.first + 1))
        standing = "；".join(_chinese_side(side) for side in dispute.standing)
        disputed = _chinese_side(dispute.disputed)
        return f"有一件事你说过两种：{first} {standing} {second} {disputed}。现在哪一个对，还是都对？"

    @staticmethod
    @override
    def time(now: Now) -> str:
        return f"现在是 {_chinese_days(now.day)} {now.time}（{now.zone}）。"


class English(Speech):
    """English: dates and marks stay as the prompt has them."""

    OFFLINE = "(offline: no chat model is configured)"
    GREETING = "Hello! I can only quote what I remember; ask me about it, or tell me something new."
    THANKS = "You're welcome!"
    AGREED = "All right."
    FAREWELL = "Goodbye! See you next time."
    LAUGHTER = "Ha!"
    EMOJI = "🙂"
    SELF = (
        "I am Loci, a personal assistant that remembers: I note what you tell me with its date, keep it once it is "
        "checked, and quote it when it matters. Without a chat model I can only quote what I remember."
    )
    FOUND = "I remember that you said:"
    NEAREST = "I am not sure that what I remember answers this; the nearest is:"
    NOTHING = "I do not remember anything about this yet."
    TASKS = "Tasks:"
    CANNOT = "I cannot do this without a chat model; I can only quote what I remember."
    SECRET = "I keep no passwords, keys or card numbers."

    @staticmethod
    @override
    def quote(item: Quotable) -> str:
        if item.number is None:
            return f'- in this conversation: "{item.text}"'
        marks = [f"said {item.said}"] if item.said != item.about else []
        marks += [*item.marks, *(["no longer true"] if item.held else [])]
        aside = f" ({', '.join(marks)})" if marks else ""
        when = f"{_date(item.held[0])} to {_date(item.held[1])}" if item.held else item.about
        detail = f'\n  in your own words: "{item.detail}"' if item.detail else ""
        return f'- {when}: "{item.text}"{aside} [{item.number}]{detail}'

    @staticmethod
    @override
    def task(task: TaskLine) -> str:
        step = f", step {task.step}" + (f" of {task.steps}" if task.steps else "") if task.step else ""
        return f"- {task.title}: {task.state}{step}{f', due {task.due}' if task.due else ''}"

    @staticmethod
    @override
    def noted(title: str, due: str | None) -> str:
        day = f" for {due}" if due else ""
        return f'I noted the task "{title}"{day}. I will not ring an alarm; ask me and I tell you.'

    @staticmethod
    @override
    def heard(text: str) -> str:
        return f'I heard: "{text.rstrip(".!?。！？")}". I will check it before I keep it.'

    @staticmethod
    @override
    def dispute(dispute: Dispute) -> str:
        standing = "; ".join(_english_side(side) for side in dispute.standing)
        return (
            f"You told me two things that contradict each other: ({dispute.first}) {standing} "
            f"({dispute.first + 1}) {_english_side(dispute.disputed)}. Which one holds now, or do both?"
        )

    @staticmethod
    @override
    def time(now: Now) -> str:
        return f"It is {now.day} {now.time} ({now.zone})."


def _chinese_side(side: Side) -> str:
    return f"{_date(side.day)} “{side.text}”"


def _english_side(side: Side) -> str:
    return f'{_date(side.day)} "{side.text}"'


def _date(day: str) -> str:
    """Return a day without its weekday."""
    return day.partition(" ")[0]


def _chinese_days(text: str) -> str:
    named = re.sub(r"(?<=\d )(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b", lambda match: f"周{_WEEKDAYS[match[1]]}", text)
    if named.startswith("by "):
        return f"{named.removeprefix('by ')} 之前"
    return f"{named.removeprefix('from ')} 起" if named.startswith("from ") else named.replace(" .. ", " 至 ")
