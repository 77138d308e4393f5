"""The time a text names, resolved by rules: Chinese and English, with lunar dates and holidays."""

from nodes.language.timex.asked import asked_side, asked_time, names_only_time
from nodes.language.timex.plans import prefer_for
from nodes.language.timex.resolve import Expression, expressions, named_time

__all__ = ["Expression", "asked_side", "asked_time", "expressions", "named_time", "names_only_time", "prefer_for"]
