"""The time a text names, resolved by rules: Chinese and English, with lunar dates and holidays."""

from nodes.language.timex.resolve import named_time

__all__ = ["named_time"]
