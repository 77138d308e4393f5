"""The time a text names, resolved by rules: Chinese and English, with lunar dates and holidays."""

from nodes.language.timex.plans import prefer_for
from nodes.language.timex.resolve import Expression, expressions, named_time

__all__ = ["Expression", "expressions", "named_time", "prefer_for"]
