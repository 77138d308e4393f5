"""What a message holds that its sender did not say: quoted, fenced and pasted text, and orders in it (zh + en)."""

import re
from functools import lru_cache

from nodes.language.sentences import hands_over, is_injection, sentences

Stretch = tuple[int, int]

_MARKED = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)"
    r"|“[^”]*(?:”|\Z)|「[^」]*(?:」|\Z)|『[^』]*(?:』|\Z)|\"[^\"]*\"|(?<!\w)'[^'\n]{12,}'(?!\w)"
    r"|<!--.*?(?:-->|\Z)"
    r"|(?:^|\n)[ \t]*[>|][^\n]*(?:\n[ \t]*[>|][^\n]*)*",
    re.S,
)
_TAG = re.compile(r"</?[A-Za-z|!\[][^<>\n]{0,200}>|\[/?[A-Z]{3,12}\]")
# A text of another is named, and a colon hands over to it.
_TEXT_NAMED = re.compile(
    r"(?:网页|页面|网站|帖子|论坛|邮件|评论|评价|短信|公众号|文章|原文|文档|聊天记录|日志|广告|通知|说明书?|弹窗|公告"
    r"|字幕|简历|合同|如下|以下|下面|内容|写着|复制|粘贴|转发"
    r"|\b(?:page|site|website|article|forum|e-?mails?|mail|footer|message|review|post|posted|comment|log|chat"
    r"|transcript|document"
    r"|pdf|letter|ad|notice|sign|newsletter|text|passage|below|following|pasted|copied|forwarded|quote|resume|cv"
    r"|says?|said|reads?|wrote)\b)"
    r"[^。！？!?\n]{0,30}[:：]",
    re.I,
)
_TYPED = 200


@lru_cache(maxsize=512)
def pasted(text: str) -> tuple[Stretch, ...]:
    """Return the stretches of a message that hold another's words, from their first mark to their last."""
    found = [match.span() for match in _MARKED.finditer(text)]
    tags = [match.span() for match in _TAG.finditer(text)]
    if tags:
        found.append((tags[0][0], tags[-1][1]))
    leads = [match.end() for match in _TEXT_NAMED.finditer(text)]
    for start, end in _places(text):
        if hands_over(text[start:end]):
            leads.append(end)
    if leads and text[min(leads) :].strip():
        found.append((min(leads), len(text)))
    return tuple(sorted(found))


@lru_cache(maxsize=512)
def tainted(text: str) -> tuple[Stretch, ...]:
    """Return the stretches from which nothing may be kept, since an order to the assistant stands in them.

    A quoted or pasted block is tainted as a whole. Without marks, all of a message is, except what is said before the
    order in one short line, as a person types it.
    """
    if not is_injection(text) and not any(is_injection(text[start:end]) for start, end in _places(text)):
        return ()
    blocks = [block for block in pasted(text) if is_injection(text[block[0] : block[1]])]
    found = list(blocks)
    orders = [place for place in _places(text) if is_injection(text[place[0] : place[1]])]
    for start, end in orders:
        if any(first < end and start < last for first, last in blocks):
            continue
        found.append((start if "\n" not in text.strip() and len(text) <= _TYPED else 0, len(text)))
    return tuple(sorted(found)) if found else ((0, len(text)),)


def without(text: str, stretches: tuple[Stretch, ...]) -> str:
    """Return a text without some stretches; where each was, a line ends."""
    kept, at = [], 0
    for start, end in sorted(stretches):
        kept.append(text[at : max(start, at)])
        at = max(end, at)
    return "\n".join([*kept, text[at:]])


def _places(text: str) -> list[Stretch]:
    places, at = [], 0
    for sentence in sentences(text):
        start = text.index(sentence, at)
        at = start + len(sentence)
        places.append((start, at))
    return places
