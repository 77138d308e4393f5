"""The bench of time expressions: which days the rules read from them, beside ready-made parsers."""
