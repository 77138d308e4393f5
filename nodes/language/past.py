"""Questions about what was true once, or about when it changed, by rules in Chinese and English.

"Before" alone asks for nothing past: "before the meeting", 周五之前 and 之前说好的 name other things. So an adverb
counts where it stands by the speaker or at the end, an adjective where it marks an attribute a person has.
"""

import re

from nodes.language.statements import asked_slot

_END = 500

_OWN_ZH = (
    r"地址|住址|住处|住的|家(?!乡|人|里)|房子|城市|公司|单位|工作(?!日)|职业|岗位|职位|老板|上司|领导|电话|手机号?|号码"
    r"|邮箱|名字|昵称|学校|专业|对象|男友|女友|男朋友|女朋友|老公|老婆|爱好|计划|目标|方案|车|电脑|医生|银行|习惯|口味"
)
_OWN_EN = (
    r"(?:(?:home|phone|mobile|cell|email|e-mail|work|street|mailing|job|license|licence|postal) )?"
    r"(?:job|occupation|profession|work(?:place)?|position|role|title|employer|company|firm|boss|manager|team|address"
    r"|home|house|flat|apartment|place|city|town|country|phone|number|mobile|e-?mail|name|nickname|surname|school"
    r"|university|college|major|partner|wife|husband|girlfriend|boyfriend|roommate|landlord|plan|goal|hobby|hobbies"
    r"|favou?rites?|diet|bank|car|laptop|computer|database|stack|framework|doctor|dentist|gym|provider|schedule"
    r"|routine|time zone|timezone|residence|opinion|preference)s?\b"
)
_ADJECTIVE = re.compile(
    rf"(?:(?:以前|之前|原来|原先|从前|过去|早先|当初)的(?:那[个份家])?|旧的?|(?:上|(?<![目当眼之以从])前)一?[个份任家](?:的)?"
    rf"|(?<![目当眼之以从])前(?=公司|单位|老板|上司|领导|男友|女友|男朋友|女朋友))(?={_OWN_ZH})"
    r"|老(?=地址|住址|号码|电话|手机|邮箱|房子|单位)"
    rf"|\b(?:old|previous|former|prior|earlier|ex)[ -](?={_OWN_EN})"
    r"|\blast (?=(?:job|employer|company|boss|address|phone number|number|apartment|flat|residence|position|role)\b"
    r"(?! (?:call|interview|offer|title)))",
    re.I,
)
_ADVERB = re.compile(
    r"(?<![点天日号周月年时钟秒会课饭觉])以前|从前(?!天)|曾经|曾(?=住|在|用|是|做|叫|任)|早先"
    r"|(?:^|[，,。？?！!；;\s]|我们?|咱们?|知道|记得)(?:之前(?![发给约定]|那[个次场]|[写买看读]的)|当初|原先)"
    r"|(?:我们?|咱们?)原来|^原来(?=我[住在叫做用的])|(?:我们?|咱们?)过去(?=住|在|做|叫|用|喜欢|爱|的|是|最|常|都|一直)"
    r"|\bpreviously\b|\bformerly\b|\bback then\b|\bin the past\b|\bonce\W*$|\bin former times\b"
    r"|\bbefore(?: (?:that|this|then|now))?\W*$|\boriginally\W*$"
    r"|\bbefore (?:(?:i|we) (?:moved|changed|switched|joined|left|got|married|started|came|became|quit)"
    r"|(?:moving|joining|switching|changing|leaving|starting)\b"
    r"|(?-i:(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September"
    r"|October|November|December|Christmas|Easter|Thanksgiving|New Year)[A-Z])\w+\W*$)",
    re.I,
)
# "X之前" tells a former state only where the question asks for a state, and asks for no deed to be done by then.
_UNTIL_ZH = re.compile(r"(?:之|以)前")
_DUTY = re.compile(r"(?<!不)要(?!是)|得(?=[把去交做给])|应该|需要|必须|记得(?=[把去交做给])|别忘|提醒|发给|能不能|可以")
_USED_TO = re.compile(
    r"\b(?<!\bam )(?<!'m )(?<!\bare )(?<!'re )(?<!\bis )(?<!\bget )(?<!\bgot )(?<!\bgetting )"
    r"used? to\b(?! (?:it|this|that)\b)"
    r"|\bno longer\b|不再",
    re.I,
)
_WAS = re.compile(
    rf"\b(?:what|who|which \w+|where)(?: (?:was|were)|'s been) my {_OWN_EN}"
    r"|\bwhere (?:was|were) (?:i|we) (?:living|working)"
    r"|\b(?:where|who|what) (?:did|had) (?:i|we) (?:live|work|reside|lived|worked)\b"
    r"|\bwhat did (?:i|we) do for (?:work|a living)\b"
    r"|\b(?:where|what \w+|which \w+) have (?:i|we) (?:ever )?(?:lived|worked|had|held)\b"
    r"|(?:住|工作|上班|待|呆|任职|就职|做|当|干|用|养|叫)过(?!敏|来|去|年|节|程|分|期)(?=[^，,。]{0,30}(?:哪|什么|几))"
    r"|(?:哪|什么)[^，,。]{0,30}(?:住|工作|上班|待|呆|任职|就职|做|当|干|用|养|叫)过(?!敏|来|去|年|节|程|分|期)",
    re.I,
)
# What was said or agreed before is no former state of the speaker.
_TALK = re.compile(
    r"说好|说过|说的|说了|提过|提到|聊|讲过|告诉|讨论|问过|约好|答应|见过|来过|去过"
    r"|\b(?:tell|told|say|said|mention\w*|talk\w*|discuss\w*|ask\w*|chat\w*|promis\w*|agreed?|met|seen|heard|been)\b",
    re.I,
)
_AGAIN = re.compile(r"\bagain\W*$|来着", re.I)

_CHANGED: tuple[tuple[str | None, re.Pattern[str]], ...] = tuple(
    (slot, re.compile(pattern, re.I))
    for slot, pattern in (
        (
            "user.home_city",
            r"(?:什么时候|何时|几时|哪一?[年天月])[^，,。]{0,8}搬|搬[^，,。]{0,8}(?:多久|多长时间|几年)了?"
            r"|\b(?:when|how long ago|what (?:day|month|year)) (?:did|have) (?:i|we) (?:\w+ )?(?:move|relocate)",
        ),
        (
            "user.employer",
            r"(?:什么时候|何时|几时|哪一?[年天月])[^，,。]{0,8}(?:换(?:了|的)?(?:工作|公司)|跳槽|离职|辞职|入职)"
            r"|\bwhen did (?:i|we) (?:\w+ )?"
            r"(?:(?:change|switch|quit|leave) (?:my |the )?(?:jobs?|company|companies)|join)\b",
        ),
        (
            None,
            r"(?:什么时候|何时|几时|哪一?[年天月])[^，,。]{0,8}(?:换|改|转行|离开)"
            r"|(?:住|做|干|待|呆|工作|用)了?(?:多久|多长时间|几年|多少年)"
            r"|\bwhen did (?:i|we|my) (?:\w+ ){0,3}(?:change|switch|quit|leave|stop|become)\b|\bsince when\b"
            r"|\bhow long (?:did|have|had|was|were|has) (?:i|we)\b",
        ),
    )
)
_PRESENT: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.I), present)
    for pattern, present in (
        (r"\b(?:did|had)\b", "do"),
        (r"\bwas\b", "is"),
        (r"\bwere\b", "are"),
        (r"\bused? to (?:be )?", ""),
        (r"\bworked\b|\bworking\b", "work"),
        (r"\blived\b|\bliving\b", "live"),
        (r"\b(?:do|is|are) (?:i|we) (?=live|work)", "do i "),
        (r"以前|之前|原来|原先|从前|过去|曾经|早先|当初|(?<=[住做当干用养叫作班待呆])[过了]", ""),
    )
)


def asks_about_past(question: str) -> bool:
    """Say whether a question asks for what was true of the speaker once and may be no longer ("我以前住在哪")."""
    plain = _plain(question)
    if _ADJECTIVE.search(plain) or _USED_TO.search(plain):
        return True
    if _WAS.search(plain) and not _AGAIN.search(plain):
        return True
    if _TALK.search(plain):
        return False
    if _ADVERB.search(plain):
        return True
    return _UNTIL_ZH.search(plain) is not None and asked_slot(plain) is not None and not _DUTY.search(plain)


def asks_about_change(question: str) -> bool:
    """Say whether a question asks when, or how long since, something of the speaker changed ("什么时候搬的")."""
    plain = _plain(question)
    return any(pattern.search(plain) for _, pattern in _CHANGED)


def past_slot(question: str) -> str | None:
    """Return the slot that a question about the past asks for, as it would in the present, or None."""
    plain = _plain(question)
    changed = next((slot for slot, pattern in _CHANGED if slot and pattern.search(plain)), None)
    if changed is not None:
        return changed
    present = _ADJECTIVE.sub("", plain)
    for pattern, word in _PRESENT:
        present = pattern.sub(word, present)
    return asked_slot(present)


def _plain(question: str) -> str:
    """Return the part of a message that is read, of a long one its ends: a question stands there."""
    plain = question.replace("’", "'")
    return plain if len(plain) <= 2 * _END else f"{plain[:_END]} {plain[-_END:]}"
