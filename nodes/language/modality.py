"""How sure, when and in which sense a statement holds: supposed, reported, past, ahead, denied, changed (zh + en)."""

import re

from nodes.language.sentences import is_question

_SUPPOSED = re.compile(
    r"如果|要是|假如|假设|假使|倘若|万一|的话|一旦|除非|可能|也许|大概|或许|说不定|没准|好像|似乎"
    r"|不一定|不确定|应该是|应该会|考虑|琢磨|差一?点|险些|几乎|听说|据说"
    r"|假装|做梦|梦[见到]|希望|但愿|想象|吧[。!！]?$|本来想|差不多想|开玩笑|骗你"
    r"|\b(?:if|unless|whether|maybe|perhaps|probably|possibly|might|could|would|wish|hopefully"
    r"|apparently|supposedly|suppose|imagine|hypothetically|pretend"
    r"|almost|nearly|dream(?:t|ed|s|ing)?|thinking (?:of|about)|considering|not sure|unsure|i guess"
    r"|seems?|seem to|in case|(?<!not )as if|just kidding|joking|(?:was|were) (?:going|about|supposed) to)\b"
    r"|\b(?:i|we) may\b|\bmay (?:be|have|move|become|get|start)\b",
    re.I,
)
_HEDGED = re.compile(
    r"(?<!不)可能|也许|大概|或许|说不定|没准|好像|似乎|不一定|不确定|考虑|琢磨|听说|据说|假装"
    r"|开玩笑|骗你|做梦|梦[见到]"
    r"|\b(?:maybe|perhaps|probably|possibly|might|apparently|supposedly|hypothetically"
    r"|thinking (?:of|about)|considering"
    r"|not sure|unsure|i guess|seems? to|just kidding|joking)\b|\b(?:i|we) may (?!\d)|\bmay (?:be"
    r"|have|move|become|get|start)\b",
    re.I,
)
_REPORTED = re.compile(
    r"(?:^|[，,。\s])(?!我|咱|俺)[^，,。\s]{1,10}?(?:说|告诉|认为|觉得|以为|声称|表示|问)(?:我|过|了"
    r"|道)?(?:[，,：:]|(?=我|他|她))"
    r"|(?:^|\W)(?:he|she|they|(?:my|our|his|her|the) \w+|(?-i:[A-Z])\w+) (?:\w+ly )?(?:says?|said|told"
    r"|tells|thinks?|thought|claims?|claimed|believes?|mentioned|asked)\b",
    re.I,
)
_PAST = re.compile(
    r"以前|曾经|曾|过去|小时候|当年|原来|那时|那会儿|从前|上学时|大学时|的时候|本来"
    r"|\b(?:i|we|user) (?:lived|worked|smoked|owned|dated)\b(?! (?:here|with me) since)|\bfrom (?:19|20)\d\d (?:to"
    r"|until)\b"
    r"|\b(?:used to|previously|formerly|back then|when i was|as a (?:kid|child|teenager|student)"
    r"|at the time|in the past)\b",
    re.I,
)
_AHEAD = re.compile(
    r"打算|计划|准备(?!好)|即将|快要|将(?:要|会|在|搬|去|换)|要(?=搬|去|换|改|转|离|当|做|到|跳槽"
    r"|入职)|想(?=搬|去|换|改|当|做|要|学|成为|养|住)|会(?=搬|去|换|改|离|转|在)"
    r"|明天|后天|明年|后年|下个?(?:周|月|星期|礼拜|学期|半年)|未来|将来|(?:过|等)(?:几|两|一)"
    r"|\b(?:will|going to|gonna|plan(?:ning|s)? to|about to|intend(?:ing)? to|hop(?:e|ing) to"
    r"|want(?:s)? to|wanna|would like|tomorrow|soon|someday|one day"
    r"|next (?:week|month|year|spring|summer|fall|autumn|winter|monday|tuesday|wednesday|thursday"
    r"|friday|saturday|sunday)|(?:am|are|'m|'re) moving)\b|'ll\b|'m moving\b",
    re.I,
)
_CHANGES = re.compile(
    r"搬(?:到|去|来|回|进|家|走|离|出)|改(?:成|为|到|叫|名|用|吃|喝|做|在|期|签|主意)|换(?:成|了|到|工作|城市"
    r"|个)|不再|现在改|转(?:行|到|为|去|岗)|跳槽|离职|辞职|入职|升(?:职|为|任)|晋升|戒(?:了|掉)"
    r"|再也不|已经不|早就不|(?:不|没)[^，。,？?]{1,14}了[。！!]?$|(?:推迟|延期|延后|提前|挪|调整|顺延"
    r"|变|更新|推)(?:到|为|成|至|了)|取消了|分手|离婚|更正|纠正|说错了|记错了|口误|而不是"
    r"|不是[^，,]{1,12}[，,]\s*(?:而)?是"
    r"|现在[^，。,]{1,14}了[。！!]?$|如今|开始(?:喜欢|讨厌|吃|喝|用|养)|从(?:今|明|后|下"
    r"|\d)[^，,。]{0,8}(?:起|开始)|不是[^，,。]{1,10}了"
    r"|(?:延|提高?|加|降|减|涨|升|调|增)(?:到|至)|以前[^。]{1,20}现在|脱单|领证|怀孕|(?:利率|价格|价|费|租|薪|量"
    r"|血压|体重)(?:降|涨|升|减|加)了|升(?:了|到)?[中大小初高]班?"
    r"|卖(?:了|掉)"
    r"|不做[^，,。]{1,8}了|没再续|不用了|转学|换号|搬来|退(?:了|订|掉)"
    r"|\b(?:used to\b[^.]{1,40}\bnow|traded in|sold|bumped|extended|cut (?:my|the|back|down|it)|split up|broke up"
    r"|died|dropped|these days|is off|raised|lowered"
    r"|went up|gone up|transferred|pushed|got rid of|go by|since the (?:wedding|divorce|move))\b"
    r"|\b(?:moved|relocated|changed|switched|switching|no longer|any ?more|instead|from now on|as of"
    r"|quit|renamed|replaced|correction|scratch that|i was wrong|i misspoke"
    r"|rescheduled|postponed|delayed|pushed (?:back|to|out)|brought forward|gave up|given up"
    r"|got promoted|outgrew|grew out of|stopped|resigned|divorced)\b"
    r"|\b(?:left|got|started|found) (?:a |my |the )?(?:new )?(?:job|company|position)\b"
    r"|(?<!right )(?<!for )(?<!until )(?<!by )\bnow\b|^update\b|\bi (?:just )?(?:joined|turned)\b"
    r"|\bmy new \w+|\bstarted (?:to )?(?:like|lik|love|lov|hat|eat|drink|us)\w*",
    re.I,
)
_NEGATES = re.compile(
    r"(?<!差)不(?!仅|但(?!是)|久|错|止|如|少于|同|得不|禁|客气|好意思|管|论|过(?!敏)|断|然|要紧)|没(?!准|错"
    r"|事|关系)|(?<!.)未(?!来|婚)|从未|并未|尚未|别(?=去|做|吃|喝|用)|戒(?:了|掉)|取消"
    r"|\b(?:not|never|no longer|without|neither|nor|cannot|nobody|none|hardly|dont|doesnt|didnt|isnt"
    r"|arent|cant|wont|quit|stopped|gave up|cancelled|canceled|free of)\b|n't\b"
    r"|\bno (?=\w)(?!problem|doubt|worries|matter|wonder|one else)",
    re.I,
)


_LEFT_OPEN = re.compile(
    r"再看(?:情况|吧)|看情况|再说(?!一)|还没(?:想好|定|决定)|没想好|没定|不好说|到时候再|说不准|再考虑"
    r"|\b(?:who knows|no idea yet|not decided|haven't decided|undecided|we'll see|not sure yet|depends)\b",
    re.I,
)
_WISHED = re.compile(r"就好了|该多好|多好啊?$|\bif only\b|\bi wish\b|\bwould be nice\b", re.I)
_SARCASM = re.compile(
    r"才怪|个鬼|反话|开玩笑的?[。!！]?$|骗你的|你信吗"
    r"|\bsaid (?:nobody|no one) ever\b|\byeah,? right\b|\bjust kidding\b|\bas if!|\b/s\b",
    re.I,
)
_CORRECTS = re.compile(
    r"都不对|说错|记错|口误|更正|纠正|搞错|写错|打错|弄错了|不对[，,]|应该是|不是[^，,]{1,12}[，,]?\s*(?:而)?是"
    r"|\b(?:neither|both wrong|correction|misspoke|scratch that|i was wrong|typo|i meant|my mistake|i mixed (?:it"
    r"|them) up|got (?:it"
    r"|that) wrong)\b",
    re.I,
)


def is_left_open(text: str) -> bool:
    """Say whether words leave open what was said right before them."""
    return _LEFT_OPEN.search(_plain(text)) is not None


def is_wish(text: str) -> bool:
    """Say whether a text wishes what is not so."""
    return _WISHED.search(_plain(text)) is not None


def is_sarcasm(text: str) -> bool:
    """Say whether a text takes back what it says."""
    return _SARCASM.search(_plain(text)) is not None


def corrects(text: str) -> bool:
    """Say whether a text puts right what was said before."""
    return _CORRECTS.search(_plain(text)) is not None


def is_uncertain(text: str) -> bool:
    """Say whether a text supposes, hedges, asks or reports another's words instead of stating."""
    return is_question(text) or _SUPPOSED.search(_plain(text)) is not None or _REPORTED.search(_plain(text)) is not None


def is_hedged(text: str) -> bool:
    """Say whether a text calls what it says possible only: not a wish, not another's words, but a maybe or a joke."""
    return _HEDGED.search(_plain(text)) is not None


def is_plan(text: str) -> bool:
    """Say whether a text speaks of what lies ahead."""
    return _AHEAD.search(_plain(text)) is not None


def is_past(text: str) -> bool:
    """Say whether a text speaks of what was once and need not be so now."""
    return _PAST.search(_plain(text)) is not None


def changes(text: str) -> bool:
    """Say whether a text says that something became different."""
    return _CHANGES.search(_plain(text)) is not None


def negations(text: str) -> int:
    """Return how many times a text denies; two of them make no clear statement."""
    return len(_NEGATES.findall(_plain(text)))


def _plain(text: str) -> str:
    return text.replace("’", "'").replace("‘", "'")
