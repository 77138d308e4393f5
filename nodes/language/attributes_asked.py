"""How people ask for their own attributes, in Chinese and English: one pattern per slot of `state.slots`."""

import re

# Medicines by the stems of their international names (WHO, "The use of stems in the selection of INN").
_MEDICINE = (
    r"(?:\w+(?:cillin|mycin|cycline|profen|statin|azole|oxacin|cef\w+|caine|olol|sartan)|aspirin|paracetamol|acetaminophen"
    r"|codeine|insulin|sulfa\w*|antibiotics?|medicines?|medication|painkillers?|pills?|drugs?|vitamins?|supplements?)"
)
# Whether one may eat or take something asks for what one must not.
_MAY_I_HAVE = (
    r"过敏|不(?:能|可以|该|宜)(?:吃|喝|碰|沾)|忌口|忌嘴"
    r"|我们?(?:现在|到底|还|也)?(?:能不能|能否|可不可以|可以|适合|能|该不该)(?:吃|喝|碰|服用|沾)"
    r"|我(?:该|应该|需要|得|要)?(?:避免|避开|少吃)[^，。]{0,4}什么"
    r"|\ballerg|\b(?:can|may|could|should|am) i(?: not| allowed to| able to)? (?:safely |still )?(?:eat|drink)\b"
    r"|\bcan'?t i (?:eat|drink)\b|\bi (?:can'?t|cannot|must not|mustn'?t|should not|shouldn'?t) (?:eat|drink)\b"
    rf"|\b(?:can|may|could|should) i (?:safely |still )?(?:take|have|use) (?:(?:an?|any|some|the|this) )?(?:\w+ )?"
    rf"{_MEDICINE}\b"
    r"|\b(?:should|must|do) i (?:need to |have to )?(?:avoid|stay away from)\b"
    r"|\bi (?:should|must|need to|have to) (?:avoid|stay away from)\b"
    r"|\b(?:safe|ok|okay|all right|alright|fine) (?:for me )?to (?:eat|drink)\b"
    rf"|\bsafe (?:for me )?to (?:take|have|use) (?:\w+ )?{_MEDICINE}\b"
)

ASKED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (slot, re.compile(pattern, re.I))
    for slot, pattern in (
        (
            "user.partner",
            r"(?:老婆|妻子|太太|老公|丈夫|男朋友|女朋友|男友|女友|对象)|\b(?:wife|husband|partner|girlfriend"
            r"|boyfriend|spouse|married)\b",
        ),
        ("user.pet", r"宠物|猫|狗|\bpets?\b|\b(?:dog|cat)s?\b"),
        ("user.child", r"儿子|女儿|孩子|\b(?:kids?|children|son|daughter)\b"),
        ("user.name", r"我(?:的名字|叫|是谁|姓)|名字是|\bmy (?:full )?name\b|\bwho am i\b|\bam i called\b"),
        ("user.birthday", r"生日|出生|\bbirthday\b|\bborn\b"),
        ("user.age", r"我(?:今年|现在)?(?:多大|几岁)|年龄|\bhow old am i\b|\bmy age\b"),
        ("user.hometown", r"老家|家乡|哪里人|来自|\bhometown\b|\bwhere (?:am|do) i (?:come )?from\b"),
        ("user.address", r"地址|\baddress\b"),
        (
            "user.home_city",
            r"住(?:在)?(?:哪|什么)|哪个城市|居住|住哪|搬到(?:了)?哪|\bwhere do i live\b|\b(?:which"
            r"|what) city\b|\bi live\b|\b(?:am|was|is) i living\b|\bhome city\b",
        ),
        (
            "user.employer",
            r"(?:哪|什么)(?:家|个)?(?:公司|单位)|在哪(?:里|儿)?(?:工作|上班)|\bwhere do i work\b"
            r"|\bwho do i work\b|\bemployer\b|\bmy company\b",
        ),
        ("user.occupation", r"职业|做什么(?:工作|的)|什么工作|\bwhat do i do\b|\bmy (?:job|profession|occupation)\b"),
        ("user.phone", r"电话|手机号|\bphone\b"),
        ("user.email", r"邮箱|\be-?mail\b"),
        ("user.allergy", _MAY_I_HAVE),
        ("user.dislikes", r"不喜欢|讨厌|\b(?:dislike|hate|don'?t i like|do i not like)\b"),
        ("user.likes", r"喜欢|爱(?:吃|喝|好)|\b(?:do i (?:like|love|enjoy|prefer)|i like|favou?rite|hobb)"),
        ("user.language", r"(?:什么|几种|哪些|哪种)语言|说什么话|\bwhat languages?\b|\bdo i speak\b"),
        ("user.skill", r"我会(?:什么|哪些|做什么)|擅长|\bcan i do\b|\bgood at\b|\bmy skills?\b"),
        ("user.goal", r"目标|梦想|\bmy (?:goal|dream)s?\b"),
    )
)
