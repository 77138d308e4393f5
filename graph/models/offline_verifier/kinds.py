"""Comparing what is of a kind that the other denies as a whole, and what one has one of in use."""

import re

from graph.models.offline_verifier.findings import Finding, unsure
from graph.models.offline_verifier.measures import Times
from graph.models.offline_verifier.said import Said, changed_or
from nodes.language.claims import Claim
from nodes.language.kinds import denied_kinds, of_kinds
from nodes.language.modality import is_past, is_plan, is_uncertain
from nodes.language.polarity import is_restricted, never_was
from nodes.language.sentences import bare
from nodes.language.wording import Content, content, plain_words

# What one does with things of a kind.
USES = content(
    "eat drink have had order play own drive ride keep smoke touch use learn take do"
    " 碰沾抽养开弹玩会学饮食肉酒烟药车乐器物",
    measured=True,
)
_FOR_OTHERS = re.compile(
    r"给|替|送|帮|陪|\b(?:for my|for the|for her|for him|gave|gift|cook(?:ed|ing)? for|bought)\b", re.IGNORECASE
)
# What one has one of in use at a time, by its verb.
_STATE = re.compile(
    r"^(?:我|i)(?:现在|目前|平时|一直|都|已经|(?: now| currently| always)?)\s?"
    r"(?P<verb>用|换|租|骑|穿|信|graduated from|bank with"
    r"|stud(?:y|ied) at|rent|drive|ride|use|have an account with|go to church at|vote for|support)"
    r"(?:的是|了|的)?\s?(?P<v>[^，,。.;]{1,24})$",
    re.IGNORECASE,
)
_ONE_AT_A_TIME = frozenset(("graduated from", "bank with", "study at", "studied at", "vote for", "support"))
_AGAIN = re.compile(r"还|也|又|另|\b(?:also|too|another|as well|for|sometimes)\b", re.IGNORECASE)


def by_kind(said: Said, no: Claim, yes: Claim, times: Times) -> Finding | None:
    """Compare the denial of a whole kind, "I eat no meat", with what is of that kind, "I had a steak"."""
    kinds = denied_kinds(plain_words(no.text)) & of_kinds(yes.text)
    # With the same things named on both sides their words are compared.
    if not kinds or denied_kinds(yes.text) & kinds or is_restricted(no.text, yes.text):
        return None
    if is_past(yes.text):
        return None
    if is_plan(yes.text) or is_uncertain(yes.text) or is_uncertain(no.text) or _FOR_OTHERS.search(yes.text):
        return unsure("it may be of the kind that is denied")
    about = no.about.minus(Content(kinds | yes.about.words, yes.about.chars))
    if about.minus(USES).size > 0.5 and not never_was(no.text):
        return unsure("it may be of the kind that is denied")
    return changed_or(said, times, "it is of the kind that is denied")


def one_state(mine: Claim, theirs: Claim) -> bool:
    """Say whether both name the one thing that one has in use, and not the same: the phone, the flat, the school."""
    first, second = _STATE.match(bare(mine.text)), _STATE.match(bare(theirs.text))
    if not first or not second or mine.negated or theirs.negated or _AGAIN.search(mine.text):
        return False
    values = [content(found["v"]) for found in (first, second)]
    ahead, behind = values[0].minus(values[1]), values[1].minus(values[0])
    kind = first["verb"] == second["verb"] and first["verb"].lower() in _ONE_AT_A_TIME
    alike = values[0].both(values[1]).size >= 1
    return (kind or alike) and 0 < max(ahead.size, behind.size) <= 2 and ahead.size * behind.size > 0
