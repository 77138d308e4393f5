"""Keys and tokens of known shape. The shapes are those of Kingfisher (MongoDB), read offline, and a few beside them."""

import re
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingfisher_sdk import Scanner

# The library ends a key at white space or a quotation mark only.
_ENDS = re.compile(r"[^\x00-\x7f]+|,|[.!?:)\]]+(?=\s|$)")
_LONG = re.compile(r"[!-~]{16,}")
_SHAPES = tuple(
    re.compile(pattern)
    for pattern in (
        # Looser than the library has them, since people cut and mistype: the beginning names the maker.
        r"(?<![\w-])(?:sk|rk|pk)[-_](?:(?=[\w-]*\d)[\w-]{12,}|\w{20,})",  # OpenAI, Anthropic, DeepSeek, Stripe
        r"\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[a-z]-[A-Za-z0-9-]{8,}",
        # Without the second half that the library asks for.
        r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[0-9A-Z]{16}\b|\bLTAI[A-Za-z0-9]{12,26}\b|\bAKID[A-Za-z0-9]{28,36}\b",
        r"(?i:\baws_?secret\w*|secret_?access_?key)\W{1,6}[A-Za-z0-9+/]{40}\b",
        # What the library lacks.
        r"\bGOCSPX-[\w-]{20,}|\bya29\.[\w-]{20,}|\bkey-[0-9a-f]{32}\b|\bntn_[A-Za-z0-9]{40,}",
        r"\b\d{8,10}:AA[\w-]{32,35}\b|\b[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,38}\b",  # bots: Telegram, Discord
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----",
        r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}",
        # Called a key in a sentence.
        r"(?i:\b(?:api|access|secret|private|auth|bearer|license|encryption)[ _-]?(?:key|token)s?"
        r"|\btoken|密钥|秘钥|令牌|私钥)"
        r"[^\w\n]*(?i:is|was|是|为|叫)?[\s\"'“”‘’「『`]*[:=]?[\s\"'“”‘’「『`]*"
        r"(?=[\w.+/-]*\d)(?=[\w.+/-]*[A-Za-z])[\w.+/-]{8,}",
    )
)
_lock = threading.Lock()
_loaded: list["Scanner"] = []


def warm() -> None:
    """Load the library's rules: about 0.5 s, and 6 s where their compiled form is not in the user's cache folder yet.

    The first text with a word as long as a key loads them too.
    """
    _scanner()


def key_in(text: str) -> bool:
    """Say whether a text holds a key, a token or a private key of a known shape, or what a sentence calls one."""
    if any(shape.search(text) for shape in _SHAPES):
        return True
    plain = _ENDS.sub("\n", text)
    return _LONG.search(plain) is not None and any(finding.visible for finding in _scanner().scan(plain))


def _scanner() -> "Scanner":
    with _lock:
        if not _loaded:
            from kingfisher_sdk import Rules, Scanner  # noqa: PLC0415 - its rules take 35 MB, loaded once, where needed

            _loaded.append(Scanner(Rules()))
    return _loaded[0]
