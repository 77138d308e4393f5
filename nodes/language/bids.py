"""What asks without the form of a question (zh + en): a bid to hand over words, and a noun phrase that stands alone.

"给我原话" bids, "the plan from last month" only names what is sought: it says nothing of it. A noun phrase with a value
("my sister's number: 555 0199") tells that value and is none of these.
"""

import re

_KIN = "妈|爸|哥|姐|弟|妹|老|朋友|同事|女|男|儿|孩|家|父|母|爷|奶|外|公司|客户|领导|们"
_SAY = "告诉|发|说|念|读|讲|唱|传|寄|列|背|报|贴|写|复述|重复|展示|拿|给"
# At the end of a clause only: 把钱还给我了 tells what happened.
_TO_ME = (
    r"(?:一?下|出来|一遍|一次)?(?:给|到)?(?:我们?|咱们?)(?:再?(?:听听?|看看?|念念|读读|一遍|一下|一次|吧|呗|好了))*+$"
)
_BID = re.compile(
    r"^(?:那么?|然后|另外|顺便|嗯|好的?|再|快|请|麻烦|你|就|[，,\s])*(?:"
    rf"给我们?(?!{_KIN}|的)(?![^，。]*(?:[了过着]|是|很|太|留下|带来|造成|感觉|印象|[买送寄做](?!一)))[^，。]{{1,24}}$"
    rf"|(?:把|将)[^，。,]{{1,30}}?(?:{_SAY}){_TO_ME}"
    r"|(?:把|将)[^，。,]{1,30}?再?(?:念|读|说|讲|背|复述|重复|列)(?:一遍|一下|出来|一次)(?:吧|呗)?$"
    rf"|(?:{_SAY})(?:给我们?|我们?听)(?!的|[了过])[^，。了过]{{0,24}}$"
    r"|(?:唱|讲|背|念|读|说)一?(?:首|支|个|段|篇|则)(?!子|月|人|星|礼|了|过|小?时)[^，。了过]{1,16}$"
    r")"
    r"|^(?:(?:please|now|so|and|then|ok|okay|just|hey|again)[ ,]+)*(?:"
    r"(?:quote|recite|spell out|read out|read back|repeat)"
    r" (?:me|my|the|that|those|what|it|exactly|verbatim|again|every)\b"
    r"|sing (?:a|me|us|the|something)\b"
    r"|(?:show|read|send|say|give|repeat|print|paste|play|hand) [^.,;]{1,40} (?:back )?to me\b"
    r"|i(?:'d| would)? (?:want|need|like) (?:to (?:see|hear|read|have) )?(?:the|my|his|her|their|our) "
    r"(?:exact |precise |original |actual |full |complete |literal |very )+(?:words?|wording|text|quotes?|sentences?"
    r"|phrasing|messages?|details?|list|recipe|steps|notes)\b"
    r")",
    re.I,
)

# Nouns for what can be looked up: a person's particulars and what was written, said or worked out.
_PARTICULAR_ZH = (
    r"电话(?:号码)?|手机号?码?|号码|邮箱|地址|住址|生日|年龄|名字|姓名|账号|帐号"
    r"|尺码|尺寸|身高|体重|车牌号?|职业|爱好|口味|忌口"
)
_PARTICULAR_EN = (
    r"(?:(?:phone|mobile|cell|account|order|flight|booking|room|reference) )?numbers?|phone|e-?mail|address(?:es)?"
    r"|birthday|birthdate|age|name|sizes?|height|weight"
)
_HEAD_ZH = (
    rf"(?:{_PARTICULAR_ZH}|密码"
    r"|方案|计划|规划|版本|版|稿|草稿|提案|提议|建议|意见|原话|原文|原句|话|内容|细节|详情|要点|重点|结论|结果|决定|纪要|记录|笔记"
    r"|日程|行程|安排|清单|列表|菜谱|食谱|做法|配方|步骤|流程|报价|价格|价钱|金额|预算|合同|报告|文档|文件|链接|数据|数字|进度|目标)"
)
_MODIFIES_ZH = (
    r"(?:我们?|咱们?|你|他们?|她们?|它|谁|[这那][个次份版场天些位]?|(?:上|下|这|本|前|去|今|明|后|昨)+一?个?(?:天|周|星期|礼拜|月|年|季度|次|回"
    r"|版|午|晚)|[第前后最]?[一二两三四五六七八九十\d新初终早后]{1,3}(?:次|回|版|稿|个|份|轮|期|场|步|点|天|月|年)?|刚才|刚刚|之前|以前|当时|最初"
    r"|原来|新|旧|老|全部|完整|详细|具体|准确|所有)"
)
_PREDICATE_ZH = re.compile(
    r"[是有在要能想谢去来到了过着给说让被把叫做买卖吃喝住搬改换变定选用写画订约见看听学开卖爱很太不没别就都也还再又已对]|喜欢|讨厌|需要|打算|准备|会(?!议)"
    r"|取消|推迟|通过|失败|成功|完成|结束|开始|希望|觉得|决定(?!$)|丢|坏|忘|等于|[=＝:：，,；;]"
)
_NOUNS_ZH = re.compile(
    rf"^(?:{_MODIFIES_ZH}|关于|[\u4e00-\u9fffA-Za-z]{{1,8}}?的){{1,5}}[\u4e00-\u9fffA-Za-z]{{0,8}}?{_HEAD_ZH}$"
)
# A verb of speaking before 的 belongs to the thing: 会议里提到的技术方案.
_SPOKEN_OF_ZH = re.compile(
    rf"^[^，。！？；]{{0,20}}?(?:提到|说到|讲到|聊到|谈到|讨论|提起|说起|讲起|聊起|推荐)过?的[\u4e00-\u9fffA-Za-z]{{0,8}}?{_HEAD_ZH}$"
)
_HEAD_EN = (
    rf"(?:{_PARTICULAR_EN}|password"
    r"|plans?|proposals?|drafts?|versions?|ideas?|suggestions?"
    r"|words|wording|quotes?|sentences?|texts?|messages?|details?|notes|minutes|summary|conclusions?|results?|decisions?"
    r"|schedule|itinerary|agenda|lists?|recipes?|ingredients|steps|instructions|prices?|costs?|budget|amounts?|figures?"
    r"|contracts?|reports?|documents?|files?|links?|data|progress|goals?|diet|allerg(?:y|ies)|preferences?|hobb(?:y|ies))"
)
_NOUNS_EN = re.compile(
    rf"^(?:(?:so|and|ok|okay|well|then|please)[ ,]+)*"
    rf"(?:(?:the|my|our|his|her|their|that|this|those|these|all|last|latest|exact|precise|original|full"
    r"|(?!(?:what|that|it|let|here|there|who|where|how|he|she|everyone)'s)[\w-]+'s)\s+)"
    rf"(?:[\w'-]+\s+){{0,4}}?{_HEAD_EN}"
    r"(?:\s+(?:(?:from|of|about|for|on|in|at|with|to|before|after|regarding|again|please)\b|i|we|you|he|she|they)"
    r"(?:\s+[\w'-]+){0,6})?$",
    re.I,
)
_PREDICATE_EN = re.compile(
    r"\b(?:is|are|was|were|be|been|am|isn't|aren't|wasn't|has|have|had|do|does|did|don't|can|can't|could|will|won't"
    r"|would|should|must|may|might|not|never|no|fell|went|got|came|made|became|changed|works?|needs?|wants?|looks?|sounds?|feels?|helps?"
    r"|seems?|means?|starts?|ends?|begins?|goes|runs?|takes?|costs|says|expires?|failed|ran|broke|won|lost|grew|sold)\b",
    re.I,
)
# What a speaker did with the thing belongs to it: "the plan we made", "the words I used".
_RELATIVE_EN = re.compile(r"\s(?:i|we|you|he|she|they)\s+(?:\w+\s+)?\w+$", re.I)
_ORDINAL = re.compile(r"第[\d]+|\b\d+(?:st|nd|rd|th)\b|\b(?:19|20)\d\d(?:年|\b)")


# A note as one writes it on a slip: "生日：六月十九", 电话 13800138000, "phone: 555 0199".
_NOTE = re.compile(
    rf"^(?:[\u4e00-\u9fff]{{1,6}}的|我|本人)?(?:{_PARTICULAR_ZH})\s*(?:[:：]\s*\w|\+?\d{{2}})"
    rf"|^(?:[\w'-]+ ){{0,3}}(?:{_PARTICULAR_EN})(?:\s*:\s*\w|\s+\+?\d{{2}})",
    re.I,
)


_MOST = 80  # characters of a noun phrase: beyond, something is told


def is_bid(clause: str) -> bool:
    """Say whether a clause, without the marks at its ends, tells the assistant to hand over or perform something."""
    return _BID.search(clause) is not None


def only_names(words: str) -> bool:
    """Say whether words, without the marks at their ends, are a noun phrase that names a thing and tells none of it.

    It has a noun for what can be looked up as its head, and neither verb nor value: no figure but an ordinal or year.
    """
    plain = words.replace("’", "'")
    if len(plain) > _MOST or re.search(r"\d", _ORDINAL.sub("", plain)):
        return False
    if _SPOKEN_OF_ZH.match(plain):
        return True
    if re.search("[\u3400-\u9fff]", plain):
        return _NOUNS_ZH.match(plain) is not None and _PREDICATE_ZH.search(_without_head_zh(plain)) is None
    return _NOUNS_EN.match(plain) is not None and _PREDICATE_EN.search(_RELATIVE_EN.sub("", plain)) is None


def notes_value(words: str) -> bool:
    """Say whether words, without the marks at their ends, note one of a person's particulars with its value."""
    return _NOTE.match(words) is not None


def _without_head_zh(plain: str) -> str:
    return re.sub(rf"{_HEAD_ZH}$|{_MODIFIES_ZH}", "", plain)
