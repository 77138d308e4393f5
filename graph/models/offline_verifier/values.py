"""Whether two values of one attribute are the same value, another way to say it, or different ones."""

import re

from nodes.language.claims import Claim, value_type
from nodes.language.quantities import quantities, same
from nodes.language.sentences import bare
from nodes.language.wording import content, own, plain_words
from state.records import normalised

_PLACES = ("user.home_city", "user.hometown", "user.address", "user.occupation", "user.employer")


def several(value: str) -> frozenset[str]:
    """Return the values that a list of values names, in comparable form."""
    parts = re.split(r"[、,]|和|与|以及|\s(?:and|or|&)\s", plain_words(value))
    return frozenset(plain_value(part) for part in parts if part.strip())


def plain_value(text: str) -> str:
    """Return a value without article, space and plural."""
    value = re.sub(r"^(?:the|a|an|my) |\s+|了$", "", normalised(own(text)))
    plural = len(value) > 3 and value.isascii() and value.endswith("s") and not value.endswith("ss")
    return value[:-1] if plural else value


def compare(one: str, other: str, attribute: str) -> tuple[bool, bool]:
    """Say whether two values are the same, and whether the first is the second said more exactly."""
    mine, theirs = plain_value(one), plain_value(other)
    if attribute == "user.phone":
        return re.sub(r"\D", "", mine) == re.sub(r"\D", "", theirs), False
    if attribute == "user.email":
        return mine == theirs, False
    first, second = quantities(plain_words(one)), quantities(plain_words(other))
    if first and second and attribute in ("user.birthday", "user.age"):
        equal = same(first[0], second[0]) or (first[0].value == second[0].value)
        finer = equal and first[0].value > second[0].value and attribute == "user.birthday"
        return equal, finer and first[0].value >= 10_000 > second[0].value
    if attribute in ("user.name", "user.partner", "surname"):
        return _one_name(one, other), False
    if attribute in (
        "blood type",
        "zodiac",
        "born in the year of",
        "graduated",
        "married in",
        "born",
    ):
        return re.sub(r"年|型.*", "", mine) == re.sub(r"年|型.*", "", theirs), False
    if attribute in _PLACES or attribute in ("school", "car"):
        return mine == theirs or (len(mine) > 1 and mine in theirs), len(
            theirs
        ) > 1 and theirs in mine and mine != theirs
    if first and second and {quantity.dimension for quantity in first} == {quantity.dimension for quantity in second}:
        return all(same(a, b) for a, b in zip(first, second, strict=False)) and not _differ(one, other), False
    return mine == theirs or not _differ(one, other, measured=True), False


def _differ(one: str, other: str, *, measured: bool = False) -> bool:
    first, second = content(one, measured=measured), content(other, measured=measured)
    if not first.size and not second.size:
        return False
    return bool(first.minus(second).size and second.minus(first).size) or not first.both(second).size


def comparable(one: str, other: str) -> bool:
    """Say whether two values are of one script, so that different words can mean different things."""
    latin = [re.search(r"[A-Za-z]", text) is not None for text in (one, other)]
    chinese = [re.search(r"[\u4e00-\u9fff]", text) is not None for text in (one, other)]
    return (latin[0] and latin[1]) or (chinese[0] and chinese[1]) or not any(latin + chinese)


def one_kind(one: Claim, other: Claim) -> bool:
    """Say whether the values of two claims exclude each other: both colours, both sums of money, both things."""
    return value_type(one.value or "") == value_type(other.value or "")


def _one_name(one: str, other: str) -> bool:
    """Say whether one name is a part of the other, or a short form of it beside the same surname."""
    first, second = normalised(own(one)), normalised(own(other))
    if first.isascii() and second.isascii():
        words = first.split(), second.split()
        if set(words[0]) <= set(words[1]) or set(words[0]) >= set(words[1]):
            return True
        same_surname = len(words[0]) > 1 and len(words[1]) > 1 and words[0][-1] == words[1][-1]
        return same_surname and words[0][0][:3] == words[1][0][:3]
    return first == second or (min(len(first), len(second)) > 1 and (first in second or second in first))


def perhaps_one_name(one: str, other: str) -> bool:
    """Say whether two full names share the surname: the first names may be forms of one, as Bill and William."""
    first, second = bare(own(one)).split(), bare(own(other)).split()
    capital = all(word[:1].isupper() for word in (*first, *second))
    return capital and len(first) == len(second) == 2 and first[1] == second[1] and first[0] != second[0]
