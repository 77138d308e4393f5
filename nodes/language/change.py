"""What says that something became different, or was said wrongly before (zh + en)."""

import re

from nodes.language import modality
from nodes.language.wording import own

# Verbs of becoming more, less, earlier, later, other, and what may stand between them and where they lead.
_SHIFT_ZH = (
    r"(?:改|换|变|调|降|升|涨|跌|减|加|增|提|延|推|挪|移|转|搬|砍|缩|压|扩|削|翻|掉|落|瘦|胖|滑|拖|拉|放宽|续|退|跳)"
    r"(?:整|迟|后|前|期|短|长|少|小|大|高|低|价|薪|名|约|签)?"
)
_NUMBER_EN = (
    r"[$€£¥]?\d|an?\b|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty"
    r"|fifty|half|once|twice|zero|none"
)
_BECAME = re.compile(
    rf"{_SHIFT_ZH}(?:了?(?:到|成|为|至|回)|了(?=[\d一二两三四五六七八九十半几]))"
    rf"|(?:刚|新|已经?|都|又|才){_SHIFT_ZH}(?:了|的|过)"
    r"|(?:能|会|敢|肯|可以|爱|喜欢|开始)[^，。,不没吗]{1,10}了[。！!～~]?$|(?:爱|迷|喜欢|习惯|看)上了|习惯了(?=[^，。])"
    r"|别(?:再|叫)|以后(?:都|就|请|改|用|叫|不)|今后|从此|恢复|重新|又开始|不想再|再没|学会了|不怎么.{1,8}了"
    r"|(?:涨[价薪]?|降[价薪]|瘦|胖|加薪|调[整薪价岗班]|改[期签名]|[换搬]家?|延期|推迟|提前|升[职级]?)了"
    r"|(?:交|谈|找|娶|嫁|领养|收养|生|添|怀|脱|考[上到下过]|拿到|入)[^，。没不]{0,6}了[。！!～]?$"
    r"|[上下]调|换[^，。换]{1,8}了[。！!]?$"
    r"|退休了|毕业了|被裁|下岗|开除|失业了|复合|订婚了|结婚了|领养了|治好|痊愈|脱敏|断了|停了|关了|倒闭|到期了|过期了"
    r"|退(?:订|掉|租|学|出|款|会|保|群|圈|了)|撤了|取消|作废|转让|转岗|调岗|调到|外派|接手|顶替|替换"
    rf"|\b(?:down|up|back|cut|reduced|raised) to (?:about |around |just |only )?(?:{_NUMBER_EN})"
    r"|\b(?:re(?:booked|scheduled|located|named|assigned|arranged|placed|negotiated|homed|tired|painted|designed"
    r"|decorated|enrolled)"
    r"|swapp(?:ed|ing)|shift(?:ed|ing)|switch(?:ed|ing)?|upgraded|downgraded|converted|transferred|promoted|demoted"
    r"|laid off|made redundant|fired|let go|graduated(?! (?:from|in))|adopted|engaged now|broke(?:n)? up|split up"
    r"|separated|cancel+ed"
    r"|called off|unsubscribed|dropped out|moved (?:out|in|on|to|back)|(?:grew|grown)(?! up)|outgrown|shrank|trimmed"
    r"|slashed"
    r"|halved|doubled|tripled|bumped|knocked)\b"
    r"|\btraded (?:\w+ ){0,3}in\b|\b(?:put|brought|pushed|moved|bumped|knocked|marked)\b[^.,!?:]{0,20}\b(?:up|down"
    r"|back|forward)\b"
    r"|\bhad to (?:switch|move|change|swap|shift|push|cut|cancel|drop|sell|stop|give)\b"
    r"|\b(?:any longer|single again|come (?:a)?round to|came (?:a)?round to|(?:learn(?:ed|t)|grown|grew|came|come) to"
    r" (?:like|love|enjoy|hate)|got(?:ten)? into|(?:went|gone) off|done with|through with|finished with|fed up with"
    r"|sick of|off the \w+ now|back on|new job|first day (?:at|as|with)|used to|turns out|not together"
    r"|changed my mind|on second thought|converted to|finally (?:\w+ed|got|did|left|quit|gave|sold|bought))\b"
    r"|\bgot (?:married|engaged|divorced|promoted|hired|fired)\b"
    r"|\b(?:eat|drink|smok|work|liv|us|wear|driv|train|study|lik|lov)\w* [^.,;]{0,20}\bagain[.!]?$"
    r"|\b(?:just |i |we |i've |i have )?started (?:at|as|with|my|working|a new)\b"
    r"|\b(?:from|starting|beginning|effective) (?:this|next|today|tomorrow|monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday|now|january|february|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
# "We have not met for three years" tells how long, no change.
_FOR_LONG = re.compile(
    r"(?:[\d一二两三四五六七八九十几半多好]+(?:年|个?月|天|周|次|小时|个星期)|很?久|好久)[^，。]{0,2}(?:没|不)[^，。]{1,8}了"
)
_RIGHTED = re.compile(
    r"(?:说|记|写|打|搞|弄|听|看|算|数|填|报|讲|念|输|抄|认|拼|传|发)(?:错|岔|反|混|串|漏)|口误|笔误|手误|手滑|手抖"
    r"|嘴瓢|更正|纠正|改正|订正|有误|不对[，,。！!]|不准确|我糊涂|脑子抽|搞混|弄混|混淆|说的?不对|纠错"
    r"|\bwrong(?:ly)? (?:figure|number|date|day|name|time|year|month|place|city|street|amount|price|one|way|info\w*"
    r"|detail\w*|spelling|address|word|age|size)"
    r"|\b(?:gave|told|said|typed|wrote|spelled|spelt|put|got|had|remembered|heard|read|counted|quoted|entered)\b"
    r"[^.!?]{0,30}\b(?:wrong|incorrectly|backwards)\b"
    r"|\bi was (?:wrong|mistaken|confused|off)\b|\bmis(?:spoke|typed|read|remembered|heard|calculated|counted|spelled"
    r"|spelt|took|stated|quoted|dated|informed)\b|\b(?:typo|autocorrect|slip of the|my (?:bad|mistake)|mistaken"
    r"|i meant|correction|oops|whoops|scratch that|ignore what i said|let me correct|to correct|mix(?:ed)? .{0,12}up)\b"
    r"|\bshould (?:be|have (?:been|said))\b",
    re.IGNORECASE,
)
# Words that set what was before against what is.
_SET_AGAINST = re.compile(
    r"原来|原先|原本|原定|之前|以前|本来|起初|一开始|上次|上回|曾|从|不是|不再|不|没|别|而非|代替|取代|旧|老(?!师|板|公|婆)"
    r"|\b(?:used to|was|were|had|before|previously|originally|formerly|not|no longer|from|old|instead|rather|left"
    r"|done|former|ex|than|over|replac\w+|until|earlier|last|first|yesterday)\b|n't\b",
    re.IGNORECASE,
)
_NEVER_WAS = re.compile(r"从来|从未|从没|向来|一直|\b(?:never|always|ever|all my life)\b", re.IGNORECASE)


def became(text: str) -> bool:
    """Say whether a text says that something became different."""
    words = _FOR_LONG.sub("", own(text))
    return modality.changes(words) or _BECAME.search(words) is not None


def puts_right(text: str) -> bool:
    """Say whether a text puts right what was said before."""
    return modality.corrects(text) or _RIGHTED.search(own(text)) is not None


def sets_against(text: str) -> bool:
    """Say whether a text sets what was before against what is, and does not deny that it ever was."""
    words = own(text)
    return _SET_AGAINST.search(words) is not None and _NEVER_WAS.search(words) is None
