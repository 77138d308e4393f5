"""Time expressions of Chinese: the rules that find them and the words that change them."""

from nodes.language.timex import zh_anaphora, zh_around, zh_clock, zh_days, zh_distances, zh_feasts, zh_months, zh_years
from nodes.language.timex.rules import Modifier, Rule

RULES: tuple[Rule, ...] = (
    *zh_days.RULES,
    *zh_months.RULES,
    *zh_years.RULES,
    *zh_distances.RULES,
    *zh_feasts.RULES,
    *zh_clock.RULES,
    *zh_anaphora.RULES,
)
MODIFIERS: tuple[Modifier, ...] = (*zh_years.MODIFIERS, *zh_months.MODIFIERS, *zh_around.MODIFIERS, *zh_clock.MODIFIERS)
