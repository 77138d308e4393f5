"""Phrases that order an assistant about, give it roles, duties and beliefs, or take its rules away (zh + en).

They are for text that `nodes.language.injection.folded` has undisguised: its Chinese is simplified, its commas,
colons, question and exclamation marks are ASCII.
"""

import re

AI_EN = (
    r"(?:the (?:ai |virtual |helpful )?assistant(?! (?:coach|manager|professor|director|editor|teacher|principal))"
    r"|ai (?:assistants?|agents?|models?|systems?|bots?)|assistants|language models?|llms?|chatbots?|loci|chatgpt"
    r"|(?<![a-z] )(?<![a-z])assistant)"
)
AI_ZH = (
    r"(?:(?<!我的)(?<!们的)(?<!公司的)(?<!公司)(?<!科研)(?<!行政)(?<!店里的)(?:AI|智能|人工智能|语音)?助手"
    r"|(?<![A-Za-z])AI(?!助手|[A-Za-z])|大模型|语言模型|聊天机器人|Loci)"
    r"(?!项目|产品|公司|团队|课|行业|功能|业务|席|小|老|[\u4e00-\u9fff]{0,2}(?:离职|入职|辞职))"
)
_RULES_EN = (
    r"(?:instructions?|prompts?|rules?|guidelines?|directives?|programming|training|guardrails?|constraints?"
    r"|restrictions?|safety|policy|policies|filters?|safeguards?|checks?|memories|commands?|orders?|limits?)"
)
_ALL_EN = (
    r"(?:previous(?:ly)?|prior|earlier|above|preceding|all|any|every|everything|these|those|your|system|safety"
    r"|original|initial|existing|default|old)"
)
_RULES_ZH = r"(?:指令|指示|提示词?|规则|设定|约束|限制|准则|要求|命令|规定|检查|内容|对话|过滤|说明|记忆|管控|原则)"
_ALL_ZH = (
    r"(?:之前|以上|上面|上述|前面|先前|此前|所有|一切|全部|你的|你收到|你被|系统|原有|原来|原先|任何|既有|这些|内置"
    r"|安全|开发者的)"
)

# What a person may say of themselves or of others: not where somebody stands before the verb who is not the assistant.
OVERRULES_EN = re.compile(
    r"\b(?:"
    rf"(?:ignor(?:e|ing)|disregards?|forget|override|overrule|bypass|discard|skip|circumvent|set aside|(?:stop|quit"
    rf"|do not|don'?t|never|no longer) (?:following|follow|obey(?:ing)?|respect(?:ing)?)|pay no attention to"
    rf"|break free (?:of|from))\b(?:[^.!?\n]{{0,30}}\b{_ALL_EN}\b[^.!?\n]{{0,24}}\b{_RULES_EN}\b"
    rf"|[^.!?\n]{{0,12}}\b{_RULES_EN}\b[^.!?\n]{{0,12}}\b(?:above|before|so far|you (?:were|have been) given)\b"
    rf"|\s(?:everything|all|anything)\b[^.!?\n]{{0,20}}\b(?:above|before|previous(?:ly)?|prior|told|said)\b)"
    # Its words given away.
    r"|(?:reveal|print|show|repeat|leak|output|display|expose|disclose|dump|share|tell me"
    r"|give me)\b[^.!?\n]{0,30}\b(?:system|hidden|secret|initial|original|internal|your)\b[^.!?\n]{0,16}\b(?:prompts?"
    r"|instructions|guidelines|configuration)\b"
    # Another self.
    r"|you are (?:now|henceforth) (?:an?|my|the|in|free|unrestricted|dan|able|allowed|called|acting|operating)\b"
    r"|you are no longer (?:an?|my|the|bound|restricted|limited|allowed|chatgpt|gpt|loci)\b"
    r"|(?:act|behave|respond|speak) as (?:an?|if|my|the|though)\b"
    r"|(?:pretend (?:to be|that you|you)|role-?play as|impersonate)\b"
    r"|(?:enter|enable|activate|switch (?:in)?to|turn on)\b[^.!?\n]{0,12}\b(?:developer|god|admin|sudo|debug|jailbreak"
    r"|unrestricted) mode\b"
    r")",
    re.I,
)
OVERRULES_ZH = re.compile(
    rf"(?:忽略|无视|忽视|忘记|忘掉|忘了|不要理会|不用理会|不必理会|别管|不用管|绕过|绕开|跳过|覆盖|取消|解除|推翻|抛弃"
    rf"|丢弃|作废|违反|(?:停止|不要再?|不再|别再?|无需|不必|不用)再?(?:遵守|遵循|服从|执行"
    rf"|理会))[^。！？!?\n]{{0,10}}{_ALL_ZH}[^。！？!?\n]{{0,10}}{_RULES_ZH}"
    r"|(?:忽略|无视|忘掉|绕过)[^。！？!?\n]{0,6}(?:指令|提示词|系统提示)"
    r"|(?:跳过|绕过|关闭|停止|取消|省略|禁用)[^。！？!?\n]{0,4}(?:事实)?(?:核查|核实|审查|审核|验证|校验)"
    # Its words given away.
    r"|(?:透露|泄露|输出|显示|打印|复述|公开|说出|给出|告诉我|展示|导出|重复)[^。！？!?\n]{0,10}(?:系统提示|提示词"
    r"|系统指令|初始指令|内部指令|系统设定)"
    r"|(?:系统提示词?|提示词|系统指令|初始指令|内部指令)[^。！？!?\n]{0,8}(?:原样|完整|逐字|全文)?(?:输出|打印|显示"
    r"|发给|告诉|公开|贴出)"
    # Another self.
    r"|(?:进入|开启|启用|切换(?:到|成|为)?|打开)[^。！？!?\n]{0,6}(?:开发者|越狱|无限制|上帝|管理员|调试|DAN"
    r"|不受限)模式"
    r"|(?:假装|扮演|装作|假扮)(?:你|成|一|是|没有?任何)"
    r"|你现在(?:是(?!不是|否|在|[^。!！\n]{0,16}(?:吗|呢|吧|么|几|哪|谁|怎|还是|[?？]))|扮演)"
    r"|从现在(?:起|开始)[，,]?你(?!好|也|们|觉得)|你(?:已经?)?不再是|从现在(?:起|开始)[，,]?只听我",
    re.I,
)
OWN_EN = re.compile(
    r"\b(?:i|i'm|we|he|she|they|people|kids|children|students|me|us|who|(?:my|our|his|her"
    r"|their) [\w' -]{1,24}?)\b[^,:;.!?\n]{0,48}$",
    re.I,
)
OWN_ZH = re.compile(
    r"(?:我|咱|俺|他|她|它|们|爸|妈|公司|单位|医院|学校|老板|领导|同事|朋友|老师|孩子|儿子|女儿|老公|老婆|家里|手机"
    r"|电脑)[^，,。：:；;\n]{0,10}$"
)
TO_AI = re.compile(rf"\byou\b|\byour\b|\bassistants?\b|\bai\b|你|您|{AI_ZH}", re.I)
NOT_TO = re.compile(
    r"\b(?:never|don'?t|do not|did not|didn'?t|without|not)\s+$|(?:不要|不能|不许|别|从不|从来不|没有?|不)$", re.I
)

# These are orders whoever stands in the sentence.
ORDERS_EN = re.compile(
    r"\b(?:"
    # Roles, tags, calls, comments, encoded words.
    r"(?:save|add|store|write|create|update|delete|remember)_?memor(?:y|ies)\s*\(|remember\s*\(['\"]"
    r"|decode\b[^.!?\n]{0,40}\b(?:and|then) (?:follow|execute|obey|do|run|act)\b"
    r"|(?:new|updated|hidden|secret|real|actual|revised|override) (?:system )?(?:instructions?|prompt|orders)\s?[:：]"
    # No limits.
    r"|you are (?:dan\b|an? (?:\w+ )?(?:ai|llm|language model|chatbot|unrestricted|uncensored|unfiltered)\b)"
    r"|you (?:now )?(?:have|has|follow|obey) no (?:\w+ )?(?:limits?|restrictions?|rules|filters?|constraints)\b"
    r"|do anything now\b"
    r"|(?:answer|respond|reply|act|speak|ai|model|assistant)\b[^.!?\n]{0,20}\bwith(?:out"
    r"| no) (?:any )?(?:\w+ )?(?:limits?|restrictions?|rules|filters?|censorship|guardrails)\b"
    r"|(?:developer|god|dan|jailbreak|unrestricted) mode (?:is )?(?:now )?(?:enabled|on|activated|unlocked)\b"
    rf"|(?:attention|dear|hey|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)) (?:any |all )?(?:ai\b"
    rf"|{AI_EN})[^.!?\n]{{0,12}}[:,]"
    rf"|{AI_EN} (?:who |that )?(?:reading|read|processing|seeing|scanning|summari[sz]ing) (?:this|the)\b"
    rf"|(?:note|message|instructions?|prompt|memo|command|hint) (?:for|to) (?:the |any |all |every )?(?:ai\b|model\b"
    rf"|{AI_EN})"
    # Whose word it is said to be.
    r"|(?:as|i am|i'm|this is) your (?:developer|creator|maker|administrator|admin|operator|owner|master|programmer)\b"
    r"|(?:system|admin|memory|profile|policy) (?:update|notice|notification|alert|message"
    r"|override)\s?[:：][^.\n]{0,40}\b(?:users?|memory|memories|assistant|ai|you|your)\b"
    r"|(?:this|the following) (?:message|instruction|note|text|command) (?:has|takes|is of) (?:the )?(?:highest |top "
    r"|absolute )?(?:priority|precedence)\b"
    r"|(?:overrid|supersed|replac)(?:e|es|ing) (?:all|any|every|your) (?:other |previous |earlier "
    r"|prior )?(?:instructions?|rules|prompts?|orders|messages)\b"
    # Your rules, your role.
    r"|(?:your|the assistant'?s) (?:new |only |real |true |next )?(?:rule|task|role|mission|objective|instruction"
    r"|identity|purpose|persona)s? ?(?:is|are|now|:|：)"
    r"|rules? for (?:you|the assistant|the ai)\b"
    # No questions asked, nothing told.
    r"|(?:do not|don'?t|never) (?:tell|inform|show|alert|warn|let) (?:this to )?the user\b"
    r"|(?:hide|keep)\b[^.!?\n]{0,20}\bfrom the user\b"
    r"|(?:treat|consider|regard|accept|trust)\b[^.!?\n]{0,16}\b(?:everything|anything|all|whatever"
    r"|what)\b[^.!?\n]{0,20}\b(?:say|says|said|tell|write)s?\b[^.!?\n]{0,12}\b(?:as|is|verified|true|facts?)\b"
    r"|(?:whatever|no matter what|regardless of what|whenever|when) (?:the user|anyone|somebody|someone|i) (?:says?"
    r"|asks?|wants?)\b[^.!?\n]{0,24}, ?(?:always |just |you |then |never )*(?:recommend|answer|say|reply|agree|respond"
    r"|tell|must|mention|approve|refuse|output|the assistant)\b"
    # Others' data, others' money.
    r"|(?:send|forward|email|e-mail|post|upload|share|export|leak|publish|delete|erase|wipe"
    r"|reveal)\b[^.!?\n]{0,16}\b(?:the user'?s?|users'?|all(?: the| of the| user)?|every"
    r"|other users'?)\b[^.!?\n]{0,24}\b(?:memories|memory|data|conversations?|messages?|contacts|passwords?"
    r"|credentials|secrets|history|records|information)\b"
    r"|other users'? (?:memories|data|conversations?)\b"
    # What is to be believed of the user, or allowed in the user's name.
    r"|user\b[^.!?\n]{0,12}\b(?:verified|authenticated|upgraded|promoted|registered|confirmed|recogni[sz]ed) (?:as"
    r"|to) (?:an? |the )?(?:admin\w*|root|owner|developer|operator)\b"
    r"|user (?:has )?(?:agreed|consented) to (?:share|sharing|the sharing of)\b[^.!?\n]{0,16}\b(?:data|memories"
    r"|information|everything)\b"
    r"|(?:permission|consent|authority|authori[sz]ation|the right) to (?:skip|bypass|ignore|share|reveal|read|delete"
    r"|transfer|act|approve|pay)\b[^.!?\n]{0,30}\b(?:verification|checks?|rules|data|memories|money|behalf"
    r"|confirmation|payments?|users?)\b"
    r"|you have (?:permission|authority|full access|the right) to\b"
    r"|(?:remember|save|store|record|note|memori[sz]e|write down)\b(?: this| that| the following| permanently"
    r"|:)* (?:that )?(?:the|this) user\b"
    r"|(?:remember|save|store|record|treat)\b[^.!?\n]{0,40}\bas (?:an? )?(?:verified|true|confirmed|established"
    r"|trusted) (?:facts?|memor(?:y|ies)|truth)\b"
    r"|authori[sz](?:e[sd]?|ing) (?:you|the assistant|the ai|all)\b"
    r"|the user (?:is|has) (?:an? |the )?(?:super|root|system|full) ?-?(?:admin\w*|user|access|privileges)"
    r")",
    re.I,
)
MARKS = re.compile(
    # Roles, tags, calls, comments, encoded words.
    r"<!--[^>]{0,200}?(?:\b(?:remember|ignore|assistant|ai|instructions?|you must|user)\b|记住|忽略|助手|指令|用户"
    r"|必须)"
    r"|\[//\]:\s*#\s*[(\"'][^\n]{0,200}?(?:\b(?:remember|ignore|assistant|ai|user)\b|记住|忽略|助手|用户)"
    r"|<\|?\s*/?\s*(?:im_start|im_end|system|assistant|endoftext|user|instructions?|sys|tool_calls?|function_calls?"
    r"|invoke)\s*\|?>"
    r"|\[\s*/?\s*(?:INST|SYSTEM|ADMIN|ASSISTANT)\s*\]|<</?SYS>>"
    r"|(?:^|\n)[ \t>*#]{0,8}(?:system|assistant|developer)(?: (?:prompt|message|override"
    r"|note))?\s?[:：](?!\s*(?:windows|mac|linux|ubuntu|debian|android|ios|win\d|needed|wanted))"
    r"|\"role\"\s*:\s*\"(?:system|assistant|tool|developer)\""
    r"|\"(?:tool_calls?|function_call|tool_name)\"\s*:"
    r"|\"(?:name|function|tool|action)\"\s*:\s*\"[\w.-]{1,40}\"\s*,\s*\"(?:arguments|parameters|args|input"
    r"|action_input)\"\s*:"
    # Whose word it is said to be.
    r"|(?-i:\b(?:BEGIN|END|START)(?:[ _]OF)?[ _](?:THE )?(?:SYSTEM|HIDDEN|NEW|ADMIN)?[ _]?(?:PROMPT|INSTRUCTIONS?"
    r"|OVERRIDE)\b)"
    # What is to be believed of the user, or allowed in the user's name.
    r"|(?:store|save|write|put|add|insert)(?: this| the following)?(?: in| to| into) (?:your "
    r"|the )?(?:long-?term )?memory ?[:：][^.\n]{0,10}\b(?:the )?user\b",
    re.I,
)
ORDERS_ZH = re.compile(
    # Roles, tags, calls, comments, encoded words.
    r"(?:^|\n)[ \t>*#]{0,8}(?:系统|助手|开发者)(?:提示词?|消息|指令|管理员)?\s?[:：](?![^\n]{0,6}(?:前端|后端|windows"
    r"|mac|linux|安卓|苹果))"
    r"|解码[^。！？!?\n]{0,12}(?:照做|执行|遵守|照办)|新的?(?:系统)?(?:指令|提示词)\s?[:：]"
    # No limits.
    r"|你[^。！？!?\n]{0,6}(?:没有|不受|不再受|摆脱)(?:了|任何|一切|所有)*(?:的)?(?:限制|约束|规则|管控|束缚)"
    r"|(?:尊敬的|致|各位)(?:AI|人工智能|智能)(?:助手|模型)?|AI(?:助手)?(?:请)?(?:注意|务必|听好)"
    # Whose word it is said to be.
    r"|(?:我是|作为)你的(?:开发者|创造者|管理员|主人|制造商|程序员|上级)"
    r"|你的(?:开发者|创造者|制造商)(?:允许|要求|命令|规定|授权|已)"
    r"|(?:系统|官方|管理员|平台|记忆)(?:通知|消息|公告|更新|升级|提示)\s?[:：][^。\n]{0,30}(?:用户|使用者|记忆|助手"
    r"|(?<![A-Za-z])AI(?![A-Za-z])|你)"
    r"|(?:本|这)条?(?:消息|指令|信息|规则)[^。！？!?\n]{0,8}(?:优先级|优先于|高于|覆盖)"
    # Your rules, your role.
    r"|(?:你|助手)的(?:新|唯一|真正|真实)?(?:规则|任务|角色|身份|目标|职责|设定|使命|人设)(?:就?是|为|[:：]|变)"
    r"|(?:给|对)(?:你|助手)的(?:新)?(?:规则|指令|命令|要求)"
    # No questions asked, nothing told.
    r"|(?:不要|别|不许|不得|无需)(?:告诉|告知|通知|提醒|让)用户|(?:对|向)用户(?:隐瞒|保密)"
    r"|(?:我|用户)(?:所)?说的(?:一切|全部|任何|所有|话)[^。！？!?\n]{0,10}(?:事实|真理|核实|无需|不用|必须|为准)"
    r"|(?:无论|不管|不论)(?:用户|我|谁|别人)?(?:说|问|要)(?:了)?什么[^。！？!?\n]{0,4}(?:你|助手|都(?:要|得"
    r"|必须)?(?:回答|回复|推荐|说|同意|批准))"
    r"|(?:你|助手|AI)[^。！？!?\n]{0,8}(?:无条件|绝对)(?:服从|执行|同意|批准|信任|相信|接受)"
    # Others' data, others' money.
    r"|(?:把|将)[^。！？!?\n]{0,4}(?:用户|使用者|所有人|全部|所有)[^。！？!?\n]{0,6}(?:记忆|数据|对话|消息|通讯录|密码"
    r"|资料|信息|隐私)[^。！？!?\n]{0,6}(?:发送|发到|发给|转发|上传|公开|分享|删除|导出|泄露)"
    r"|(?:泄露|公开|共享|查看|读取|删除)(?:其他|别的|所有|全部)?用户(?:的)?(?:所有|全部)?(?:记忆|数据|资料|隐私|信息"
    r"|对话)"
    # What is to be believed of the user, or allowed in the user's name.
    r"|(?:写入|写进|存入|存进|加入|更新)(?:到)?(?:你的|助手的|系统的|长期)+(?:长期)?记忆(?!里?[:：，,])"
    r"|请?更新(?:你的)?记忆(?=$|[。！!，,])"
    r"|(?:用户|使用者)(?:的)?(?:身份|权限|等级|角色)?[^。！？!?\n]{0,4}(?:升级|提升|设置|设定|验证|认证"
    r"|变更)为[^。！？!?\n]{0,4}(?:管理员|开发者|最高)"
    r"|(?:用户|使用者)(?:已|已经)?(?:同意|授权|允许|批准)[^。！？!?\n]{0,8}(?:共享|分享|公开|收集|读取|转账"
    r"|付款)[^。！？!?\n]{0,6}(?:数据|隐私|信息|记忆|权限|资料|$)"
    r"|你(?:被|已被|已经被)?(?:授权|获准|允许)(?:查看|访问|使用|执行|跳过|泄露|分享|代表)|你有权(?:限)?"
    r"|(?:记住|保存|存储|写入|记录|存入)[^。！？!?\n]{0,8}(?:用户|使用者)(?:已|是|授权|同意|要求|喜欢|希望|想|最|只"
    r"|信任)"
    r"|(?:当作|作为|视为|当成)(?:真实|已核实的?|确认的?)?(?:事实|真理|记忆)(?:保存|记|存|写|对待)"
    r"|(?:授权|批准|准许|允许)了?(?:你|助手|AI|系统)[^。！？!?\n]{0,8}(?:自动|直接|任意|转账|付款|支付|购买|下单|删除"
    r"|执行|代替)"
    r"|(?:超级|最高权限|系统)管理员[^。！？!?\n]{0,6}(?:跳过|绕过|无需|可以)"
    r"|(?:用户|使用者)(?:是|就是|拥有)[^。！？!?\n]{0,4}(?:超级|最高|系统)[^。！？!?\n]{0,2}(?:管理员|权限)",
    re.I,
)
# Duties of the assistant, unless they are about the manner of its answers.
DUTIES_EN = re.compile(
    r"\b(?:"
    # Every answer.
    r"(?:begin|start|end|finish|close|open|sign|prefix)\b[^.!?\n]{0,8}\b(?:every|each|all"
    r"|any) (?:of )?(?:your )?(?:reply|replies|answers?|responses?|messages?)\b"
    r"|(?:every|each|all|any)(?: of)?(?: your)? (?:replies|reply|answers?|responses?) (?:must|should|has to|have to"
    r"|needs? to|shall|will|ends?|begins?|starts?)\b"
    r"|(?:add|append|insert|include|put|mention|advertise)\b[^.!?\n]{0,40}\b(?:in|to|into|at the end of"
    r"|at the start of) (?:every|each|all)(?: of)?(?: your)? (?:replies|reply|answers?|responses?)\b"
    rf"|{AI_EN}\b(?:,? (?:who|that|which|in|at|on|for|with)\b[^.!?\n]{{0,30}}?)? (?:must|has to|have to|shall|should"
    rf"|ought to|will (?:always|never|only|now)|(?:is|are) (?:\w+ )?(?:required|obliged|instructed|ordered|allowed"
    rf"|permitted|authori[sz]ed|supposed|forbidden) to|needs? to|may now|can now|no longer|always|never|only"
    rf"|disregards?|ignores?|doesn'?t (?:need|have) to|does not (?:need|have) to)\b"
    r"|you (?:(?:should|must|will|may|need to|have to|are to|shall) (?:never|no longer|not|stop)|need not"
    r"|no longer) (?:ask(?:ing)?|check(?:ing)?|verify(?:ing)?|confirm(?:ing)?|question(?:ing)?|refus(?:e|ing)"
    r"|filter(?:ing)?|warn(?:ing)?|doubt(?:ing)?)\b"
    r"|that you (?:never|always|no longer|only|not)\b"
    r"|from now on,? (?:you|always|never|only|your|respond|answer|reply|act|obey|trust|treat|assume)\b"
    r"|(?:(?<![a-z,] )|(?:remember|note|that|and) )you (?:must|shall|should|have to|need to|are to) (?:always|never"
    r"|only"
    r"|now|immediately)\b(?=[^.!?\n]{0,60}\b(?:recommend|say|tell|mention|promote|approve|trust|answer|reply|respond"
    r"|obey|agree|treat|call|store|remember)\b)"
    r")",
    re.I,
)
DUTIES_ZH = re.compile(
    # Every answer.
    r"(?:所有|每次|每个|每条|任何|一切)(?:的)?(?:回答|回复|对话|答复|消息)[^。！？!?\n]{0,10}(?:都(?:要|得|必须|应)?"
    r"|必须|一定要|要先|先要|末尾|结尾|开头)"
    rf"|{AI_ZH}[^，,。！？!?\n]{{0,12}}?(?:必须|应该|应当|应|得|要(?!不)|务必|不得|不许|不能|不要|不再|无需|不必|只能"
    rf"|总是|永远|一律|始终|一定要|从不|从来不|无条件|可以(?:跳过|绕过|忽略|无视|自动|直接)|被授权|有权)"
    r"|你[^。！？!?\n]{0,6}(?:不要|不再|无需|不必|跳过|停止)再?[^。！？!?\n]{0,4}(?:核实|验证|审核|检查|确认|校验|过滤"
    r"|质疑)",
    re.I,
)
MANNER = re.compile(
    r"\b(?:answer|repl(?:y|ies)|respon[ds]e?s?|speak|talk|write|call|address|explain|greet|translate|use|keep|sound"
    r"|be)\b"
    r"[^.!?\n]{0,30}\b(?:in (?:english|chinese|mandarin|cantonese|french|german|spanish|japanese|korean|italian"
    r"|russian|portuguese"
    r"|simple|plain|short|detail|bullet\w*|full|the (?:same|user'?s) language|my language|[A-Z]\w+)|shorter|short"
    r"|brief(?:ly)?|concise(?:ly)?"
    r"|detailed|longer|formal(?:ly)?|informal(?:ly)?|polite(?:ly)?|friendly|kind|casual(?:ly)?|bullet points|emojis?"
    r"|metric|celsius|fahrenheit|kilomet(?:er|re)s|by (?:my|their|the user'?s)? ?\w+ ?name|(?:me|them"
    r"|the user) (?:as )?[A-Z]\w+|step by step)\b"
    r"|(?:用|以|说|讲|使用)[^，,。！？!?\n]{0,8}(?:中文|英文|英语|汉语|普通话|粤语|日语|法语|德语|韩语|西班牙语|俄语"
    r"|繁体|简体|口语|大白话|表格|要点|公制|摄氏度|语气|口吻|表情)"
    r"|(?:回答|回复|答复|说话|解释|语气|答案)[^，,。！？!?\n]{0,8}(?:简短|简洁|简单|短|详细|长|正式|随意|礼貌|客气"
    r"|幽默|温柔|亲切|直接|分点|口语)"
    r"|(?:简短|简洁|详细|正式|礼貌|幽默|简单|分点)(?:地|的|一点|些)?(?:回答|回复|说|解释)"
    r"|(?:叫|称呼|喊)(?:我|他|她|用户)",
    re.I,
)
