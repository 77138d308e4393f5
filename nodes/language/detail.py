"""Whether a message asks for more than the gist of what was said: exact words, numbers or steps (zh + en).

Asking too often costs a few lines of a prompt, asking too seldom an answer that was there; what only sounds alike
("exactly!", 具体来说, "address the issue") asks for nothing.
"""

import re

from nodes.language.sentences import bare, is_injection, is_question, is_small_talk, sentences

_END = 300  # of a long sentence the end is read: a question stands there

_WORDS_ZH = (
    r"原话|原文|原句|一字不[差落漏改]|逐字|照原样|原封不动|复述|引用|全文|[怎咋](?:么|样)?(?:跟|和|对|给)?[你我他她它]?们?[说讲写](?:的|来着)"
    r"|(?:到底|究竟|具体(?!来|而)|确切)[^，,。？?]{0,8}[说讲写提]"
    r"|(?:完整|详细)地?(?:的|版)?(?:说|讲|内容|记录|经过|过程|版本|清单|列表|描述|信息|地址)|细节|详情|详细|明细"
    r"|具体(?!来[说讲看]|而言|说来)|确切|准确的|精确"
)
_NUMBERS_ZH = (
    r"多少(?!有|会|还是|带|沾|能|得)|几(?=号(?:楼|线|院|桌|登机口|车厢)|[块元折寸码页章册瓶斤克两毫公千万亿楼层栋单]|成)"
    r"|(?<![好这那哪过有十前后头每近第])几(?=[勺匙片步粒颗滴碗杯次点遍]|分钟|个?小时)|(?<=[要放加用是需])几个|第几|多久|多长时间|密码"
    r"|(?:电话|手机|房间|门牌|订单|快递|运单|航班|车次|车牌|会员|保单|发票|合同|身份证|护照|学|工|编|单|账|帐|型|卡|座位|序列|流水|病历|桌)号码?"
    r"|号码|地址|编号|尺寸|尺码|金额|价格|价钱|报价|单价|总价|数值|数额|数字|比例|百分之几|剂量|用量|分量|配比|型号|版本号"
)
_STEPS_ZH = (
    r"步骤|流程|做法|配方|菜谱|食谱|用料|食材|配料|教程|攻略|清单|每一步|哪几步|第[几一二两三四五六七八九十\d]+步(?!了)"
    r"|怎么(?:煮|炒|炖|蒸|烤|腌|泡|配置|安装|部署|设置|调试|操作|拼装|组装)|怎么[做弄]的|怎么做(?=[菜饭汤面糕饼鱼肉]|[？?]*$)(?<!该怎么做)"
)
_WORDS_EN = (
    r"\bexact(?:ly)?\b|\bprecise(?:ly)?\b|\bverbatim\b|\bword[- ](?:for|by)[- ]word\b|\bto the letter\b"
    r"|\b(?:very|actual|original|own|literal|precise) (?:words?|wording|phrasing|text|message)\b|\bwording\b"
    r"|\bhow (?:did|had) (?:i|he|she|they|we|it) (?:put|phrase|word|describe|spell|formulate)\b"
    r"|\bquote (?:me|it|that|what|my|the (?:words|sentence|line|passage|text|message|part)|his|her|their|from)\b"
    r"|\b(?:full|complete|entire|whole) (?:text|version|list|story|message|quote|note|name)\b"
    r"|\bin (?:full|(?:more |full |great(?:er)? )?detail)\b|\bdetails?\b|\bspecifics\b"
)
_NUMBERS_EN = (
    r"\bwhat time\b|\bhow long\b"
    r"|\bhow (?:much|many)\b(?! (?:do|did|does|would) (?:i|you|we|he|she|they) (?:like|love|hate|care|enjoy|miss)\b)"
    r"|\b(?:phone|mobile|cell|fax|account|order|flight|train|room|seat|gate|table|locker|policy|reference|confirmation"
    r"|booking|tracking|model|part|serial|house|flat|apartment|ticket|invoice|case|member(?:ship)?|passport|licen[cs]e"
    r"|plate|registration|vat|tax|version|extension|student|employee) (?:number|no\b|#)"
    r"|\b(?:what|which)(?:'s| is| was| were| are)?(?: the| my| our| his| her| their| that| its)?(?: \w+){0,3}?"
    r" (?:numbers?|figures?|amounts?|prices?|costs?|totals?|sums?|rates?|fees?|budget|salary|rent|deposit|dosage|dose"
    r"|sizes?|dimensions?|measurements?|quantit(?:y|ies)|ratio|percentage|weight|height|version|sku|iban)\b"
    r"|\b(?:street|home|email|e-mail|mailing|postal|ip|web|delivery|billing|office|work|wallet|mac) address\b"
    r"|(?<!\bto )(?<!\bnot )\baddress(?:es)?\b(?! (?:this|that|these|those|the|a|an|his|her|their|my)"
    r" (?:\w+ )?(?:issue|problem|concern|question|point|topic|feedback|bug|risk|gap)s?\b)(?! (?:it|this|that)\b)"
)
_STEPS_EN = (
    r"(?<!next )(?<!critical )(?<!logical )\bsteps?\b(?! (?:back|down|up|aside|in|on|out|away|by)\b(?! step))"
    r"|\bstep-by-step\b|\brecipes?\b|\bingredients?\b|\binstructions?\b|\bprocedure\b|\bchecklist\b|\bwalk me through\b"
    r"|\bin (?:what|which) order\b|\bhow (?:do|did|does) (?:i|we|you|one|he|she|they)"
    r" (?:make(?! (?:it|this|that|these|sure|money|sense)\b)|cook|bake|brew|prepare|set ?up|install|configure|assemble"
    r"|deploy|reset|build|mix|fix)\b"
)
_DETAIL = re.compile("|".join((_WORDS_ZH, _NUMBERS_ZH, _STEPS_ZH, _WORDS_EN, _NUMBERS_EN, _STEPS_EN)), re.I)
# What asks without the form of a question: "把原话发我", "quote me word for word".
_BIDS = re.compile(
    r"^(?:那|请|麻烦|劳驾|你|再|就|能|帮我|替我|一字不[差落漏改]地?|逐字|详细|具体|完整|地){0,6}"
    r"(?:把[^，,。]{1,16}?|[^我，,。]{0,10}(?=[发给][我一]))?再?"
    r"(?:[说讲念读发写贴列找翻背报抄]|给我|告诉我|重复|复述|引用|还原|提供|展示|总结)(?![了到过完])"
    r"|^(?:(?:please|now|so|and|ok|okay|just|then|again|loci|can you|could you|i (?:need|want)|i'd like)[ ,]+)*"
    r"(?:quote|repeat|recite|read|show|give|tell|list|send|write|spell|print|paste|remind|walk)\b",
    re.I,
)
_ALONE = re.compile(
    r"(?:(?:那个?|这个?|我的|的|完整|详细|具体|准确|确切|原|全部|所有|the|my|its|full|exact|precise|complete|original"
    r"|whole|detailed|all|word|for|words?|in|and)\s*)*$",
    re.I,
)
_AGREES = ("exact", "exactly", "precise", "precisely")
_AFTERWARDS = re.compile(r"^\s*(?:呢|吧|啊|呀|一下|please|pls|again|then|now)?$", re.I)


def asks_for_detail(text: str) -> bool:
    """Say whether a message asks for exact words, numbers or steps; a statement that holds some asks for none."""
    return any(_asks(sentence[-_END:]) for sentence in sentences(text))


def _asks(sentence: str) -> bool:
    words = bare(sentence)
    found = _DETAIL.search(words)
    if found is None or is_small_talk(sentence) or is_injection(sentence):
        return False
    if is_question(sentence) or _BIDS.match(words):
        return True
    # The thing alone: "the recipe, please", 原话呢; "exactly" alone agrees.
    return (
        found.group().lower() not in _AGREES
        and _ALONE.match(words[: found.start()]) is not None
        and _AFTERWARDS.match(words[found.end() :]) is not None
    )
