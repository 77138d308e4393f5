"""What a memory weighs beside the question: the user's mark, how often it was repeated, how often it helped."""

import math

# What the user marked outranks its twin; at its full weight of 2 it would outrank whatever the question is about.
MARK = 0.25
# Repeated and cited memories gain slowly and no more than this in all: what is recalled gets cited and must not thereby
# be recalled for ever.
MOST_USED = 0.1
PER_DOUBLING = 0.02


def importance(weight: float, mentions: int, citations: int) -> float:
    """Return 1 for a memory said once, up to 1.25 for a marked one, and up to a tenth more for one that is used.

    Citations count by their logarithm, and mentions (which no reply can bring about) twice as much.
    """
    used = PER_DOUBLING * (math.log2(1 + citations) + 2 * math.log2(max(mentions, 1)))
    return 1 + MARK * (weight - 1) + min(used, MOST_USED)
