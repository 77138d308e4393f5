"""Judging candidates without a language model: rules, made to be wrong seldom and silent where they are not sure.

What no rule is sure of is `undecided`, and waits. Every verdict is provisional: Qwen judges again once it is there.
"""

from graph.models.offline_verifier.verifier import RULES, OfflineVerifier

__all__ = ["RULES", "OfflineVerifier"]
