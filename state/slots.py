"""The registry of slots: which attribute of a person holds one value, and which several.

A slot reads `person.attribute`; the user is `user`. A slot that is not registered holds several values, since a wrong
"single" would set true memories against each other.
"""

SINGLE_VALUED: dict[str, str] = {
    "user.name": "what the user is called",
    "user.birthday": "the user's birthday",
    "user.age": "the user's age",
    "user.home_city": "the city the user lives in",
    "user.address": "the user's address",
    "user.hometown": "where the user comes from",
    "user.employer": "whom the user works for",
    "user.occupation": "the user's work",
    "user.partner": "the user's partner",
    "user.phone": "the user's phone number",
    "user.email": "the user's e-mail address",
    "user.time_zone": "the user's time zone",
}

SEVERAL_VALUED: dict[str, str] = {
    "user.allergy": "what the user is allergic to",
    "user.likes": "what the user likes",
    "user.dislikes": "what the user does not like",
    "user.pet": "the user's pets",
    "user.skill": "what the user can do",
    "user.language": "languages the user speaks",
    "user.child": "the user's children",
    "user.friend": "the user's friends",
    "user.goal": "what the user wants to reach",
}


def is_single_valued(slot: str | None) -> bool:
    """Say whether a slot can hold one active memory only."""
    return slot in SINGLE_VALUED
