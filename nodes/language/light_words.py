"""Words that carry no subject where facts of a life are compared, and those among them that still tell two apart."""

import re

LIGHT_EN = frozenset(
    re.findall(
        r"\S+",
        """
        a anyone anything ca everyone everything m s someone something t wo
        about actually after again ago already also always am an and
        any anymore approximately are around as at back
        be because been before being bit btw bump bumped but by called can change changed changes correction cost costs
        could current currently cut day days did didnt do does doesnt done dont down each even evening ever every
        extend extended few finally first for from get gets go going got guess had has have having he her here him his
        honestly how i i'd i'll i'm i've if im in increase increased instead into is isnt it it's its ive just keep kind
        last like ll longer lot lots lower lowered luckily made make many may me might mine misspoke month more
        morning mostly move moved much must my myself name named names never new next night no noon not now of off often
        oh ok old on one ones only onto or other our out over own per please pm postpone postponed price pull push
        pushed quite raise raised re really reduce reduced remember reschedul reschedule rescheduled roughly said say
        says set shall she should since so some sorry sort still switch switched take takes taking than that the their
        them then there these they thing think thinks this those till to today tomorrow too until up update updated us
        use used user using usually ve very was way we we're week well were what when where which while who will with
        would year yesterday yet you your
        """,
    )
)
LIGHT_ZH = re.compile(
    r"上次说错了|说错了|记错了|口误|更正|其实|确实|的确|大概|大约|左右|经常|常常|总是|老是|快要|差不多|一起|一块儿?"
    r"|名字|一共|总共|一般|平时|平常|通常|目前|现在|如今|已经|早就|一直"
    r"|以后|今后|从来|向来|刚刚|刚才|最近|之前|以前|自己|我们|咱们|他们|她们|你们|这个|那个|这次|那次|这趟|有点儿?"
    r"|什么|怎么|还是|就是|不是|没有|不再|再也|不太"
    r"|可能|应该|需要|可以|时候|时间|日期|改成|改到|改为|改在|换成|换到|变成|推迟|延期|延到|提前|提到|加到|减到"
    r"|降到|升到|涨到|调到|调整|挪到|推到|顺延|取消|更新"
    r"|准备|打算|计划|决定|记得|记住|提醒|别忘|每天|每周|每月|每年|每晚|每次"
    r"|早上|上午|中午|下午|傍晚|晚上|凌晨|今天|昨天|前天|明天|后天|今年|去年|前年|明年|上周|下周|本周|这周|上个?月"
    r"|下个?月|这个月|月初|月底|年初|年底|周末"
    r"|[快偏我你您他她它咱俺们的了着过呢吗啊吧呀嘛哦啦哈是为在于有就也都还又再很太最更挺才只会能要想得让把被给对向和跟与及或而且但并因所以如果从到至往来去"
    r"趟些点儿不没无未别这那哪其该此每各某之等里上下中内外前后间月年日号时分吃喝用做弄搞放改换变调加减提升降延推挪约共另名叫呗唉嗯哎喂请您多少几一二两三四五六七八九十百千万]"
)

# What tells two statements apart though it carries no subject: a duplicate must agree in it.
DETAIL = re.compile(
    r"早上|早晨|上午|中午|下午|傍晚|晚上|夜里|凌晨|白天|今天|昨天|前天|明天|后天|今年|去年|明年|前年|上周|下周|这周"
    r"|上个?月|下个?月|这个月|周末|工作日|月初|月底"
    r"|每天|每周|每月|每年|每晚|[新旧前后左右上下大小中东西南北内外]"
    r"|(?<![万统唯周])[一二两三四五六七八九十](?![般起块直定些点下样])"
    r"|\b(?:morning|evening|night|day|days|week|weekly|daily|month|monthly|noon|afternoon|today|yesterday|tomorrow"
    r"|weekends?|weekdays?|last|next|first|second|third|new|old|up|down|left|right|before|after|north|south|east"
    r"|west)\b",
    re.IGNORECASE,
)

# Which of several one speaks of.
RANK = re.compile(
    r"[左右旧]|[这那](?=[本个台辆张把件双部])|前任|第[一二三](?!.{0,2}[章页课])"
    r"|\b(?:my|the|our|his|her) (?:left|right|old|first|second|third|former|previous|last|other"
    r"|spare)\b(?! (?:grade|floor|year|week|month|night))",
    re.IGNORECASE,
)
