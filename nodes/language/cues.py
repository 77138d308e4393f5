"""What an order to the assistant is made of, whatever its wording: somebody addressed, a command, its object (zh + en).

One of these alone means nothing; that they come together in a sentence without a person who speaks of themselves does.
The text is as `nodes.language.injection.folded` returns it.
"""

import re

from nodes.language.orders import AI_EN, AI_ZH, MANNER

_ASSISTANT = re.compile(
    rf"\b{AI_EN}\b|\b(?:ai|bot|language model)(?: reading| processing|[,:])|{AI_ZH}|(?<![的位名个是])助理(?:程序|系统)"
    rf"|人工智能"
    r"|作为(?:一个)?(?:语言|大)?模型",
    re.I,
)
_YOU = re.compile(r"\byou(?:r|'re|'ll)?\b|你|您", re.I)
_COMMAND_EN = re.compile(
    r"\b(?:"
    r"(?:obey|compl(?:y|ies)|void|no longer appl(?:y|ies)|disable[ds]?|deactivate[ds]?|drop|discard|bypass(?:es)?"
    r"|trust(?:s|ed)?|approves?|store|save|add|mark|label|flag|update|execute|praises?|promote|mandatory|must|shall"
    r"|should|has to|have to|by default|free to|comply|serve|prefer(?:s|red)?|persona)\b"
    r")",
    re.I,
)
_COMMAND_ZH = re.compile(
    r"服从|听从|遵循|遵从|停用|禁用|清空|写入|写进|存为|存成|记成|标记|设为|批准|视为|当作|必须|须|应当|应该|信任"
    r"|不要拒绝|不需要|无需|代表用户",
    re.I,
)
_OBJECT_EN = re.compile(
    r"\b(?:"
    r"(?:(?:your|the|long-term) memor(?:y|ies)|instructions?|guidelines?|rules?|polic(?:y|ies)|filters?|persona"
    r"|prompts?|commands?|verification|verif(?:y|ied)|confirmation|this page|the page|this document|the document"
    r"|this site|the site|every request|all requests|any request|the user|without asking|ethic\w*|moral\w*|vendor)\b"
    r")",
    re.I,
)
_OBJECT_ZH = re.compile(
    r"记忆|指令|指示|规则|准则|过滤器|人设|提示词|验证|核对|核实|事实|本页|本网页|网页的?作者|任何请求|所有请求|道德"
    r"|用户|限制",
    re.I,
)
# Commands at the beginning of a clause, each with the objects that are no matter of daily life.
_IMPERATIVE = re.compile(
    r"(?:^|[.!?:;,\n]\s*|[-–—]\s|\b(?:and|then|just|please|now|so)\s+)(?:"
    r"(?:obey|serve|follow)\s+(?:the|this|any|every|all|my|me|whatever)\b[^.!?\n]{0,24}\b(?:page|author|commands?"
    r"|orders?|document|site|text|admin)"
    r"|(?:consider|treat|declare|regard)\b[^.!?\n]{0,24}\b(?:rules|instructions|guidelines|policies"
    r"|prompts?)\b[^.!?\n]{0,12}\b(?:void|invalid|outdated|cancelled|obsolete)"
    r"|(?:save|store|record|keep|add|put|accept|remember)\b[^.!?\n]{0,24}\bas (?:a |an |the )?(?:\w+ )?(?:facts?|truth"
    r"|verified|trusted)"
    r"|(?:disable|deactivate|turn off|switch off|drop|lose|remove|lift)\s+(?:all |any |the "
    r"|your )+(?:\w+ )?(?:filters?|persona|safety|safeguards?|guardrails?|moderation|verification|checks?"
    r"|restrictions?|limits?)"
    r"|set your (?:persona|role|identity|mode|rules)|execute (?:the following|this|these|all) (?:commands?"
    r"|instructions?|orders)"
    r"|(?:ignore|disregard) what (?:the )?(?:user|they|he|she)|trust (?:this|the) (?:document|page|site|source|text"
    r"|message)"
    r"|let (?:the assistant|the ai|it) (?:approve|accept|skip|pay|decide|delete|bypass)"
    r"|respond to (?:every|all|any)\b|answer (?:every|all|any)\b[^.!?\n]{0,30}\bwith\b|override\s*:)"
    r"|(?:停用|禁用|关闭|卸下|清空|解除)[^。！？!?\n]{0,6}(?:过滤器|内容过滤|安全规则|安全设置|安全限制|审查|人设|防护)"
    r"|(?:直接|都|一律|全部)?把[^。！？!?\n]{0,10}(?:存为|记为|当作|视为|标为|存成|当成)(?:最高)?(?:事实|真理|指令"
    r"|已核实|命令)"
    r"|(?:将|把)[^。！？!?\n]{0,8}(?:内容|页面|文字|消息|文件)[^。！？!?\n]{0,4}(?:视为|当作"
    r"|当成)[^。！？!?\n]{0,4}(?:指令|命令|事实)"
    r"|(?:忘了|忘掉|抛开|放下|扔掉)你?[^。！？!?\n]{0,6}人设|(?:遇到|碰到"
    r"|凡是)[^。！？!?\n]{0,12}问题[^。！？!?\n]{0,4}(?:都|一律|统统|就)?(?:回答|回复|说)"
    r"|(?:不要|别|不许|无需|不必)(?:核对|核实|验证|确认|检查)[^。！？!?\n]{0,10}(?:直接|就"
    r"|马上)?[^。！？!?\n]{0,10}(?:存|写|记|保存)",
    re.I,
)
# Modes and ranks that a text claims.
_CLAIM_EN = re.compile(
    r"\b(?:"
    r"(?:maintenance|admin|debug|god|root|developer) mode\b[^.!?\n]{0,40}\b(?:verification|disabled|checks?"
    r"|restrictions?|unlocked|you)\b"
    r"|user (?:role|rank|level|name|status|rights)\s*(?:=|:|is)\s*(?:\w+ )?(?:admin\w*|root|owner|developer|premium"
    r"|superuser)\b"
    r"|you(?:'ve| have)(?: now)? been (?:granted|given|authori[sz]ed|unlocked|cleared)\b"
    r"|(?:rules|limits|restrictions|instructions|guidelines) you (?:had|have|were given|got|follow)\b"
    r"|(?:any|every|all) ais?\b (?:that|which|who) (?:reads?|sees?|process(?:es)?)\b"
    r"|adopt (?:the following|this|a new) (?:identity|persona|role)\b"
    r"|(?:when|whenever|if) you (?:see|hear|read|receive) the (?:word|phrase|code|keyword)\b"
    r"|make sure (?:that )?the user\b"
    r"|(?:the )?user (?:has|holds|is|gets) (?:a |an |the |now )*(?:admin\w* (?:rights|access|privileges)"
    r"|premium member|superuser|root)\b"
    r"|your memory (?:should|must|has to|will|now) (?:say|read|contain|state|hold|include)\b"
    r"|no objections? to any\b[^.!?\n]{0,24}\b(?:the assistant|the ai|ai)\b"
    r"|without asking (?:the user|for (?:permission|confirmation))\b"
    r"|you (?:will|must|shall) (?:\w+ )?(?:comply|obey)\b"
    r")",
    re.I,
)
_CLAIM_ZH = re.compile(
    r"(?:维护|管理员?|调试|上帝)模式[^。！？!?\n]{0,12}(?:验证|核实|限制|检查|审核)"
    r"|你已经?(?:获得|取得|得到|拥有)[^。！？!?\n]{0,6}(?:授权|权限)"
    r"|(?:上一条|之前的?|原来的?|以前的?|所有)(?:规则|指令|设定|限制)[^。！？!?\n]{0,4}(?:作废|失效|无效|取消|不算)"
    r"|智能体"
    r"|(?:以后|今后|每当|只要)[^。！？!?\n]{0,4}(?:见到|看到|听到|收到)[^。！？!?\n]{0,10}就(?:把|将|发|说|回复|输出"
    r"|执行)|(?:务必|一定要)让用户"
    r"|(?:我|用户)的话[^。！？!?\n]{0,4}(?:不用|无需|不必|不要)(?:核实|验证|核对|怀疑)"
    r"|用户(?:名)?(?:为|是|拥有|具有|成为)[^。！？!?\n]{0,4}(?:root|管理权限|管理员权限|最高权限|VIP|超级)"
    r"|将用户(?:标记|设置|登记|认定)为|你的记忆(?:里|中)?(?:应该|必须|要|须)"
    r"|(?:用户|使用者)的?默认(?:指令|规则|授权|选择)"
    r"|不(?:要|得|许)拒绝(?:我|用户)的?(?:任何)?(?:请求|要求)",
    re.I,
)
_SPEAKER = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|our)\b|(?<!服从)(?<!听从)(?<!拒绝)(?<!告诉)(?<!信任)(?<!给)[我咱俺]",
    re.I,
)
_SERVICE = re.compile(
    r"\b(?:remind|help|assist|schedule|book|plan|suggest)\w*\b|提醒|帮(?:助|忙|他|她|用户)|协助|安排|建议", re.I
)
_WISHED = re.compile(
    r"\bthe user\b[^.!?\n]{0,40}\b(?:the assistant|the ai)\b(?! (?:coach|manager|professor|director))"
    r"|用户(?!的)[^。！？!?\n]{0,12}(?<!的)(?:AI)?助手(?!小|老|席)",
    re.I,
)


def steers(sentence: str) -> bool:
    """Say whether a sentence steers the assistant by what it is made of: for the user's ear it would make no sense."""
    if MANNER.search(sentence):
        return False
    if _IMPERATIVE.search(sentence) or _CLAIM_EN.search(sentence) or _CLAIM_ZH.search(sentence):
        return True
    if _SPEAKER.search(sentence):
        return False
    if _WISHED.search(sentence) and not _SERVICE.search(sentence):
        return True
    addressed, named = _YOU.search(sentence) is not None, _ASSISTANT.search(sentence) is not None
    if not (addressed or named) or not (_COMMAND_EN.search(sentence) or _COMMAND_ZH.search(sentence)):
        return False
    return (named and addressed) or bool(_OBJECT_EN.search(sentence) or _OBJECT_ZH.search(sentence))
