"""Words by which a message asks for tasks, for the time, for Loci itself, or is a courtesy of some kind (zh + en)."""

import re

TASKS = re.compile(
    r"任务|待办|进度|进展|第几步|哪一步|做到哪|要做|审批|\b(?:tasks?|to-?dos?|progress|status|step|pending)\b", re.I
)
ABOUT_ALL = re.compile(
    r"(?:了解|知道|记得|记住)(?:了)?(?:关于)?我(?:的)?(?:什么|哪些|多少|吗)|关于我|我是(?:谁|什么样)|记得(?:些)?什么"
    r"|\b(?:know|remember|tell me) about (?:me|myself)\b|\bwhat do you (?:know|remember)\W*$|\bwho am i\b",
    re.I,
)
ABOUT_LOCI = re.compile(
    r"你(?:到底)?(?:是谁|叫什么|叫啥|是什么|是做什么的|是干什么的|(?:能|会|可以)(?:做|干"
    r"|帮我做)?(?:些)?(?:什么|啥|哪些))|自我介绍|介绍一下你自己"
    r"|\b(?:who|what) (?:are|r) (?:you|u)\b(?! (?:doing|talking|thinking|up|going))|\bwhat(?:'s"
    r"| is) your name\b|\bwhat can you do\b"
    r"|\bwhat (?:do you do|is loci)\b|\bintroduce yourself\b|\btell me about yourself\b",
    re.I,
)
ABOUT_NOW = re.compile(
    r"^(?:请问)?(?:今天|现在|今儿)(?:是)?(?:几月)?(?:几号|几日|几月几[号日]|星期几|周几|礼拜几"
    r"|几点(?:钟)?|什么时间|什么日子|(?:的)?日期(?:是什么|是多少)?|哪一?天)(?:了|呢|啊|呀)*$"
    r"|^(?:现在|今天)?几(?:点|号)(?:钟)?(?:了|啊|呀)*$"
    r"|^(?:(?:hey|please|so|and|loci)[ ,]+)*(?:(?:can you |please )?tell me )?(?:what(?:'s| is)? (?:the )?"
    r"(?:(?:current |today's )?(?:date|time|day)(?: and time)?|day of the week)(?: (?:is it"
    r"|it is))?(?: (?:today|now|right now))*"
    r"|what(?:'s| is) today(?:'s date)?|what day is today|what is it today)$",
    re.I,
)
# A sum written in figures: "1+1", "12 * 7 = ?"; no date and no telephone number.
SUM = re.compile(
    r"^(?=.{3,80}$)(?!\d+(?:[-/]\d+){2,}\W*$)[\s\d().,]*\d\s*[-+*/×÷^x%][\s\d().,+*/×÷^x%-]*\d[\s\d().,%]*(?:=|＝|等于)?\s*(?:几|多少)?\W*$",
    re.I,
)
ABOUT_TALK = re.compile(r"说|提|聊|讲|告诉|\b(?:said|say|told|tell|mention|mentioned|talk|talked)\b", re.I)
THANKS = re.compile(r"谢|感谢|辛苦|\b(?:thanks?|thx|ty|cheers)\b", re.I)
FAREWELL = re.compile(
    r"再见|拜|回头见|回见|下次见|明天见|先这样|晚安|\b(?:good)?bye\b|\bsee (?:you|ya)\b"
    r"|\btalk to you\b|\btake care\b|\blater\b|\bcya\b"
    r"|\bgood night\b|\bhave a\b",
    re.I,
)
LAUGHTER = re.compile(r"哈{2,}|呵{2,}|嘻+|嘿嘿|\blol\b|\bhaha+\b|\bhehe+\b", re.I)
GREETING = re.compile(
    r"好(?:呀|啊|哇|哦|吗)?$|^哈[喽啰罗]|^嗨|^嘿(?!嘿)|^喂|在吗|在不在|^早|安$|高兴|幸会|怎么样"
    r"|\b(?:hi+|hello+|hey+|yo|howdy|greetings|morning|good (?:morning|afternoon|evening|day)"
    r"|(?:nice|pleased) to meet|how are you|how's it"
    r"|what'?s up)\b",
    re.I,
)
