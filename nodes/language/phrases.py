"""Phrases by which sentences ask, greet, instruct, mark as important and speak of their speaker (zh + en)."""

import re

SMALL_TALK = re.compile(
    r"(?:"
    r"(?:你|您|大家)(?:们)?好(?:呀|啊|哇|哦|吗)?|哈[喽啰罗]|嗨+|嘿+|喂|在吗|在不在|早(?:上好|安|呀"
    r"|啊)?|(?:上午|中午|下午|晚上)好|晚安|午安"
    r"|(?:非常|十分|真的?是?|太|多)?(?:谢谢|感谢|多谢|谢了|谢啦)(?:你|您|啦|了|哦|呀"
    r"|哈)*(?:的(?:推荐|关心|分享|陪伴|提醒|安慰|帮助"
    r"|帮忙|回答|建议|解答|支持))?"
    r"|好的?(?:呀|啊|吧|哦|滴|嘞|了|哒|啦)?|行(?:吧|啊|呀)?|可以(?:的|了)?|没问题|没事(?:的|了|儿)?"
    r"|没关系|不客气|不用谢|辛苦(?:了|啦|你了)"
    r"|嗯+(?:呢|哪|啊)?|哦+|噢+|喔+|啊+|呵+|哈+|嘻+|嘿嘿|明白(?:了|啦)?|知道(?:了|啦)|懂了|收到"
    r"|了解(?:了)?|原来如此|这样啊"
    r"|再见|拜+(?:拜)?|回头见|回见|下次见|明天见|先这样(?:吧)?|很?高兴(?:能)?(?:认识|见到)(?:你|您)"
    r"|幸会|最近(?:怎么样|好吗|还好吗)|你怎么样"
    r"|不错|太好了|太棒了|真棒|厉害|赞|棒|加油|祝(?:你|您)?[^，。]{0,4}(?:好|快乐|愉快|顺利)"
    r"|hi+(?: there)?|hello+(?: there)?|hey+(?: there)?|yo|howdy|greetings|good (?:morning|afternoon"
    r"|evening|night|day)|morning"
    r"|(?:many )?thanks?(?: you)?(?: (?:a lot|so much|very much|again|for (?:your|the) (?:help|answer"
    r"|advice|reply)))*|thx|ty|cheers"
    r"|ok(?:ay|ie)?|k|kk|sure(?: thing)?|alright|all right|fine|great|cool|nice|perfect|awesome"
    r"|wonderful|sounds good|got it|i see"
    r"|understood|makes sense|no (?:problem|worries)|np|you'?re welcome|my pleasure|lol|haha+|hehe+"
    r"|wow|oh+|ah+|hmm+|well"
    r"|(?:good)?bye(?: ?bye)?|see (?:you|ya)(?: (?:later|soon|tomorrow|around|then))?"
    r"|talk to you (?:later|soon)|take care|later|cya"
    r"|have a (?:nice|good|great) (?:day|evening|night|weekend|one)|nice to meet you"
    r"|pleased to meet you|how are you(?: doing)?(?: today)?"
    r"|how'?s it going|what'?s up|i'?m (?:fine|good|ok|okay)"
    r")",
    re.I,
)
# Said of what was just said: it denies or insists and tells nothing by itself.
REPROACH = re.compile(
    r"(?:不对|不是(?:的|这样的?|吧)?|错了?|搞错了?|(?:你|您)(?:又|都|好像|可能)?(?:说|搞|弄|记"
    r"|理解|听)?(?:错|反)了?(?:吧|了)?"
    r"|(?:你|您)(?:说|记)得?(?:不对|对|没错)|胡说|no|nope|wrong|(?:no,? )?(?:that|it)(?:'s| is"
    r"| was) (?:wrong|incorrect|not (?:right|true"
    r"|correct|what i (?:said|meant)))|(?:you are|you're|you were|you got (?:it"
    r"|that)) (?:all )?(?:wrong|mistaken|incorrect|right)"
    r"|you (?:misunderstood|misheard)(?: me)?)",
    re.I,
)
CALLING = re.compile(r"(?:loci|assistant|there|all|everyone|小?助手|朋友|呀|啊|哈|啦|哦)", re.I)
REMEMBER_LEAD = re.compile(
    r"^(?:(?:请|你|您|一定|要|帮我|麻烦|务必|please|pls|also|and|so|you (?:should|must|have to|need to)|do|,|，|\s)*)"
    r"(?:记住|记下来?|记得|记一下|牢记|别忘了?|不要忘(?:记|了)?|注意"
    r"|remember|don'?t forget|do not forget|keep in mind|bear in mind|note|make a note|take note)"
    r"(?:that|this|,|，|:|：|\s|一下|了|哦|啊)*",
    re.I,
)
MARKS_IMPORTANT = re.compile(
    r"(?<![我他她没能])(?<!还没)(?:记住|牢记)(?!了|过|的|没|吗)|(?:请|帮我|你|要"
    r"|给我)(?:把[^，。,]{1,20})?记(?:得(?!我|吗|不)|一?下|好|住)"
    r"|(?:别|不要|千万别)忘(?:了|记)?|(?:这|这个|这点|这件事|此事)(?:很|非常|特别|十分|真的很|对我很"
    r"|对我来说很|最)?重要|^(?:很|非常|十分)?重要[：:，,!！]"
    r"|务必(?:记|留意)"
    r"|(?:^|[.!?,;:]\s*|\b(?:please|pls|so|and|also|should|must)\s+)(?:always )?remember(?!\s+(?:when"
    r"|how|what|if|where)\b)(?!ed)\b"
    r"|\b(?:do not|don'?t) forget\b|\b(?:keep|bear) (?:this |that |it )?in mind\b|\bplease note\b"
    r"|\bmake a note\b|\btake note\b|^note\b[ :]"
    r"|^(?:very |super )?important\b\s*[:,!-]|\b(?:this|that|it)(?:'s| is) (?:very |really |super |so "
    r"|quite )?important\b"
    r"|\bfor the record\b",
    re.I,
)
_VERB_ZH = (
    "讲|说|写|推荐|列|看看|介绍|来|发|解释|翻译|总结|查|算|画|生成|想|出|找|做个|起个|编|点建议|一[个些份段首篇]|个|几"
)
_RELATIVE = "妈|爸|哥|姐|弟|妹|老|朋友|同事|女|男|儿|孩|家|父|母|爷|奶|外|公司|客户|领导|们"
REQUEST = re.compile(
    r"^(?:那么?|然后|另外|顺便|嗯|好的?|从现在(?:起|开始)|从今(?:以后|往后)|so|and|but|then|also|ok(?:ay)?|now|well|hey"
    r"|from now on|,|，|\s)*(?:"
    r"[^，。,我他她]{1,10}(?:天|号|日|午|上|点|前|后|[周期][一二三四五六日天])提醒我"
    rf"|(?:请|麻烦|劳驾|拜托)(?!假|客|了|过|教练|阿姨|保姆|护工|家教|人|朋友|同事|师傅|律师|他|她|的|叫我|喊我|称呼我)(?:你|您)?|(?:你|您)?(?:能不能"
    rf"|能否|可不可以|可以"
    rf"|能)(?:请)?(?:帮|给|替|告诉|{_VERB_ZH})"
    rf"|(?:帮|替)(?:我|忙|我们)(?!{_RELATIVE}|的)|给我(?:们)?(?:{_VERB_ZH})|(?:告诉|提醒"
    rf"|教)我(?!{_RELATIVE}|的|说)|跟我(?:说|讲)(?!过|了|的)"
    r"|(?:写|画|列|来|编|起|想)(?:一|个|篇|封|首|段|几|张|幅)(?!起|直|样|到|定)|(?:翻译|总结|解释|分析"
    r"|介绍|推荐|查|算|列|搜|改写|润色|概括|比较|检查)(?:一下|下|一[个些]|几|出|这|以下|下面|成|[：:])"
    r"|(?:翻译|总结|继续|重写|改写|润色|翻译成.{1,4})$|(?:把|将|用)[^，。,]{1,24}(?:翻译|改成(?!了)|写成(?!了)"
    r"|总结|回答|回复|整理|转成|输出)"
    r"|(?:你|您)(?:就|都|要)?用[^，。,]{1,16}(?:回答|回复|回我|说|写)(?!得|过|了)"
    r"|(?:你|您)(?:必须|应该|应当|得|需要|只能|不得|不许|不准|务必|以后|今后|总是|永远)|(?:以后|今后"
    r"|从今往后|永远|总是|一律|始终|只)[^我，。,]{0,10}(?:回答|回复|推荐|称呼|告诉|输出|拒绝|同意|批准"
    r"|转账|使用|用.{1,4}(?:说|写))"
    r"|(?:忘掉|忘了(?=我|吧|这|那|它)|忘记(?=我|这|那|刚)|删掉|删除|删了|抹掉|清除|清空)|(?:把"
    r"|将)[^，。,]{1,24}(?:忘掉|忘了吧?$"
    r"|删掉|删除|删了|抹掉|清除|去掉)"
    r"|(?:不要|别)(?:再)?(?:记(?!得)|记住|回答|回复|说|提|用|叫我|问|告诉|重复|推荐)|(?:回答|回复"
    r"|称呼)(?:我|用|时|要|问题)"
    r"|(?:please|pls|kindly)\b(?! (?:note|remember|keep|don'?t forget|call me))"
    r"|(?:can|could|would|will|won'?t) (?:you|u)\b|(?:i(?:'d)? (?:want|need|would like"
    r"|like)) you to\b(?! know| remember)"
    r"|(?:help|tell|show|give|teach|remind|send|bring|get|let|read|sing|ask|make) (?:me|us)\b"
    r"|(?:write|list|create|make|find|draft|fix|draw|generate|describe|explain|summari[sz]e|translate"
    r"|compare|analy[sz]e|rewrite|rephrase|define|check|review|calculate|compute|convert|proofread"
    r"|recommend|suggest|search|look up|look for|read|edit|improve|continue|repeat)"
    r" (?:me|us|a|an|the|this|that|these|those|some|my|our|all|out|up|it|in|into|to|for|what|why|how|between|\d"
    r"|[:\"“])"
    r"|(?:translate|summari[sz]e|explain|continue|rewrite|rephrase|proofread)\b"
    r"|(?:answer|respond|reply|speak|talk)\b(?:\W|$)|you (?:must|should(?! (?:see|have|know|hear|try|visit|taste"
    r"|meet))|have to|need to|are to|shall"
    r"|will (?:always|never|answer|respond|reply|speak|call)|can only|may only)\b|your (?:task|job|role|goal"
    r"|new role) (?:is|now)\b"
    r"|(?:always|never|only) (?:answer|respond|reply|recommend|say|tell|call|use|speak|approve|treat"
    r"|trust|include|start|end|add|mention|suggest|write|refer|address|agree|refuse)\b"
    r"|(?:do not|don'?t|stop) (?:ever )?(?:mention|say|tell|use|answer|ask|call|repeat|respond|reply"
    r"|suggest|saying|using|asking|mentioning|calling|repeating|answering)\b"
    r"|(?:forget|erase|delete|remove|drop|clear) (?:my|our|that|this|these|those|what|about|it|everything|all|the)\b"
    r"|stop remembering\b|what about|how about"
    r")",
    re.I,
)
PASTES = re.compile(
    r"(?:以下|下面|如下|原文|邮件|文章|这段话?|内容|文本|消息|following|below|e-?mail|text|article"
    r"|passage|message|letter|document|transcript)"
    r"[^。！？.!?\n]{0,24}[:：]\s*[\"“「]?\s*$",
    re.I,
)
ASKS_ZH_LEAD = re.compile(
    r"^(?:请问|问一?下|想问|我想(?:问|知道)|你(?:还)?(?:知道|记得|觉得|认为)|(?:还|你)?记得|记不记得"
    r"|知不知道|难道|我在想|猜猜)"
)
NOT_ASKING_ZH = re.compile(
    r"(?:无论|不管|不论)[^，,。]*|(?:以下|下面|这|那|好)几|不怎么|(?<!你)(?<!知道)不(?:知道|清楚"
    r"|记得|确定|明白|晓得|在乎)[^，,。]*|没(?:有)?(?:什么|谁|哪"
    r"|怎么|多少|几)|(?:什么|谁|哪里|哪儿|哪|怎么|多少)[^，,。]{0,4}(?:都|也)|哪怕|什么的|怎么说呢"
    r"|多少有点"
    r"|(?<!你)(?<!想)(?:学会|学|懂得?|明白|发现|研究|讨论|决定|忘记?|教)(?:了|过)?[^，,。]{0,6}(?:怎么"
    r"|如何|什么|为什么|哪|谁|是否)"
)
ASKS_ZH = re.compile(
    r"什么|啥|谁|哪|怎么|咋|怎样|如何|为何|多少|多大|多久|多远|多高|多长|几(?:点|岁|号|月|时|分"
    r"|楼)|第几|何时|何地|是否"
    r"|是不是|有没有|能不能|会不会|要不要|可不可以|行不行|好不好|对不对|该不该|喜不喜欢|知不知道"
)
# "我有几个孩子" asks; inside a longer sentence 几 rather means "some".
ASKS_ZH_COUNT = re.compile(
    r"(?:有|养了?|生了)几(?:个|只|条|位|辆|套)?(?:孩子|儿子|女儿|小孩|娃|兄弟|姐妹|兄弟姐妹|哥哥?"
    r"|姐姐?|弟弟?|妹妹?|宠物|猫|狗|车|房子?|口人)$"
    r"|几口人$"
)
ASKS_ZH_END = re.compile(r"(?:吗|么|(?:^你|^您|^他|^她|^那.{0,8})呢)$")
_AUXILIARY = (
    r"(?:is|are|am|was|were|do|does|did|can|could|will|would|should|shall|have|has|had|may|might"
    r"|must)(?:n'?t)?"
)
ASKS_EN = re.compile(
    r"^(?:so|and|but|then|also|ok(?:ay)?|well|hey|hi|please|by the way|,|\s)*(?:"
    r"(?:what|who|where|when|why|how)(?:'s|s(?= my| your| the)|'re|'d|'ll)\s|who(?:m|se)?\s+(?!knows\b|ever\b)\w"
    rf"|(?:what|who|whom|whose|where|when|why|which|how)\b(?:\s+(?:{_AUXILIARY}|many"
    rf"|much|long|old|far|often|about|come|else|kind|sort|time|day|year|city|one|color|colour|to)\b|$)"
    rf"|(?:what|which|whose|how)\s+(?!i\b|you\b|we\b|he\b|she\b|they\b)(?:\w+\s+){{1,3}}{_AUXILIARY}\s+\w"
    r"|what (?:happened|happens|comes|makes|made)\b|which (?:of|\w+) (?:\w+ ){0,2}(?:is|are|was|were|do|did|does)\b"
    r"|(?:is|are|was|were|does|did|can|could|should|has) (?-i:[A-Z])\w+ \w"
    rf"|{_AUXILIARY}\s+(?:i|you|he|she|it|we|they|my|your|our|the|this|that|there|these|those|any(?:one"
    rf"|thing|body)?|some(?:one|thing))\b"
    r"|(?:i(?:'m| am| was)? )?(?:wonder(?:ing)?|curious) (?:what|who|where|when|why|which|how|if"
    r"|whether)\b|i(?:'d like| want) to know\b"
    r"|(?:any|got any) (?:idea|ideas|tips?|suggestions?|advice|recommendations?|thoughts|chance)\b"
    r"|remember (?:what|who|where|when|why|which|how|if)\b|guess (?:what|who|where)\b"
    r")",
    re.I,
)
TAG = re.compile(
    r"(?:[，,]\s*|\s)(?:对吗|对吧|是吗|是吧|是不是|对不对|没错吧|不是吗|right|correct|isn'?t (?:it|he"
    r"|she|that)|aren'?t i|don'?t i|am i not|do i not|didn'?t i|haven'?t i|no|yes|yeah|huh"
    r"|or not)\s*[?？]$"
    r"|[，,]\s*(?:对吗|对吧|是吧|是不是|对不对|没错吧|不是吗|right)[。.]?$|(?:对吧|是吧|没错吧)[?？。]?$",
    re.I,
)
SUBORDINATE = re.compile(
    r"^(?:如果|要是|假如|假设|若|倘若|当|等|每当|一旦|万一|既然|除非|无论|不管|不论|.{1,16}的时候$|.{1,16}的话$"
    r"|(?:if|when|whenever|whatever|no matter|while|once|unless|suppose|supposing|in case|assuming|as soon as|before"
    r"|after|until)\b)",
    re.I,
)
SELF = re.compile(
    r"(?:我|咱|俺|本人)(?!的)(?!们的).*?(?:是|在|有|叫|喜欢|爱|讨厌|住|搬|去(?!年)|来|做|干|养|吃|喝"
    r"|买|卖|开|学|会|要|想|打算|计划|准备|决定|上班|过敏|生|认识|结婚|离|换|改|到|说|看|听|写|参加|报"
    r"|订|约|请|病|累|忙|岁|了|过)"
    r"|(?:我|咱|俺)(?:们)?的.+(?:是|在|有|叫|了|过|会|要|喜欢|换|搬|去|做|养|岁)"
    r"|\b(?:i|we|i'm|i've|i'll|i'd)\b\s*\w+|\b(?:my|our)\b.+\b(?:is|are|was|were|has|have|will|can|got"
    r"|likes?|loves?|lives?|works?|wants?|needs?|moved|started|changed|comes?)\b",
    re.I,
)
