"""Phrases that order an assistant about, give it roles, duties and beliefs, or take its rules away (zh + en).

They are for text that `nodes.language.injection.folded` has undisguised: its Chinese is simplified, its commas,
colons, question and exclamation marks are ASCII.
"""

import re

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
    r"|(?:enter|enable|activate|switch (?:in)?to|turn on)\b[^.!?\n]{0,12}\b(?:developer|god|admin|sudo|debug"
    r"|jailbreak"
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
TO_AI = re.compile(r"\byou\b|\byour\b|\bassistants?\b|\bai\b|你|您|助手|大模型|语言模型|聊天机器人", re.I)
NOT_TO = re.compile(
    r"\b(?:never|don'?t|do not|did not|didn'?t|without|not)\s+$|(?:不要|不能|不许|别|从不|从来不|没有?|不)$", re.I
)

# These are orders whoever stands in the sentence.
ORDERS_EN = re.compile(
    r"\b(?:"
    # Nobody calls themselves "the user".
    r"(?:remember|save|store|record|note|memori[sz]e|write down)\b(?: this| that| the following| permanently"
    r"|:)* (?:that )?(?:the|this) user\b"
    r"|(?:save|add|store|write|create|update|delete|remember)_?memor(?:y|ies)\s*\("
    r"|decode\b[^.!?\n]{0,40}\b(?:and|then) (?:follow|execute|obey|do|run|act)\b"
    r"|(?:new|updated|hidden|secret|real|actual|revised|override) (?:system )?(?:instructions?|prompt|orders)\s?[:：]"
    r"|(?:answer|respond|reply|act|speak|ai|model|assistant)\b[^.!?\n]{0,20}\bwith(?:out"
    r"| no) (?:any )?(?:\w+ )?(?:limits?|restrictions?|rules|filters?|censorship|guardrails)\b"
    r"|(?:send|forward|email|e-mail|post|upload|share|export|leak|publish|delete|erase|wipe"
    r"|reveal)\b[^.!?\n]{0,16}\b(?:the user'?s?|users'?|all(?: the| of the| user)?|every"
    r"|other users'?)\b[^.!?\n]{0,24}\b(?:memories|memory|data|conversations?|messages?|contacts|passwords?"
    r"|credentials|secrets|history|records|information)\b"
    r"|user\b[^.!?\n]{0,12}\b(?:verified|authenticated|upgraded|promoted|registered|confirmed|recogni[sz]ed) (?:as"
    r"|to) (?:an? |the )?(?:admin\w*|root|owner|developer|operator)\b"
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
    r"(?:^|\n)[ \t>*#]{0,8}(?:系统|助手|开发者)(?:提示词?|消息|指令|管理员)?\s?[:：]"
    r"(?![^\n]{0,6}(?:前端|后端|windows|mac|linux|安卓|苹果))"
    r"|解码[^。！？!?\n]{0,12}(?:照做|执行|遵守|照办)"
    r"|新的?(?:系统)?(?:指令|提示词)\s?[:：]"
    r"|(?:系统|官方|管理员|平台|记忆)(?:通知|消息|公告|更新|升级|提示)\s?[:：][^。\n]{0,30}(?:用户|使用者|记忆|助手|(?<![A-Za-z])AI(?![A-Za-z])|你)"
    # Nobody calls themselves "the user".
    r"|(?:记住|保存|存储|写入|记录|存入)[^。！？!?\n]{0,8}(?:用户|使用者)(?:已|是|授权|同意|要求|喜欢|希望|想|最|只|信任)"
    r"|(?:本|这)条?(?:消息|指令|信息|规则)[^。！？!?\n]{0,8}(?:优先级|优先于|高于|覆盖)"
    r"|(?:泄露|公开|共享|查看|读取|删除)(?:其他|别的|所有|全部)?用户(?:的)?(?:所有|全部)?(?:记忆|数据|资料|隐私|信息|对话)",
    re.I,
)
MANNER = re.compile(
    r"\b(?:answer|repl(?:y|ies)|respon[ds]e?s?|speak|talk|write|call|address|explain|greet|translate|use|keep|sound"
    r"|be)\b"
    r"[^.!?\n]{0,30}\b(?:in (?:english|chinese|mandarin|cantonese|french|german|spanish|japanese|korean|italian"
    r"|russian|portuguese"
    r"|simple|plain|short|detail|bullet\w*|full|the (?:same|user'?s) language|my language|(?-i:[A-Z]\w+))|shorter"
    r"|short"
    r"|brief(?:ly)?|concise(?:ly)?"
    r"|detailed|longer|formal(?:ly)?|informal(?:ly)?|polite(?:ly)?|friendly|kind|casual(?:ly)?|bullet points|emojis?"
    r"|metric|celsius|fahrenheit|kilomet(?:er|re)s|by (?:my|their|the user'?s)? ?\w+ ?name|(?:me|them"
    r"|the user) (?:as )?(?-i:[A-Z]\w+)|step by step|(?:under|below|within|to|at most) (?:\w+ ){1,2}(?:sentences?"
    r"|words?|lines?|paragraphs?))\b"
    r"|(?:用|以|说|讲|使用)[^，,。！？!?\n]{0,8}(?:中文|英文|英语|汉语|普通话|粤语|日语|法语|德语|韩语|西班牙语|俄语"
    r"|繁体|简体|口语|大白话|表格|要点|公制|摄氏度|语气|口吻|表情)"
    r"|(?:回答|回复|答复|说话|解释|语气|答案)[^，,。！？!?\n]{0,8}(?:简短|简洁|简单|短|详细|长|正式|随意|礼貌|客气"
    r"|幽默|温柔|亲切|直接|分点|口语)"
    r"|(?:简短|简洁|详细|正式|礼貌|幽默|简单|分点)(?:地|的|一点|些)?(?:回答|回复|说|解释)"
    r"|(?:叫|称呼|喊)(?:我|他|她|用户)",
    re.I,
)
