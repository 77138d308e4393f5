"""Kinds of things and what belongs to them, so that "I eat no meat" meets "I had a steak" (zh + en).

Everyday kinds that people say of themselves that they have, eat, drink, do or can do none of.
"""

import re

# Stem of the kind, what names the kind itself, what belongs to it.
_KINDS: tuple[tuple[str, str, str], ...] = (
    (
        "meat",
        r"荤腥?|肉(?!桂|松)|\bmeat\b",
        r"[牛羊猪鸡鸭鹅狗烤红五花排腊火腿香]+[肉排肠腿]|烤鸭|炸鸡|排骨|汉堡|\b(?:beef|pork|lamb|mutton|chicken|bacon|ham|steaks?|sausages?"
        r"|turkey|veal"
        r"|burgers?|ribs|meatballs?|duck)\b",
    ),
    (
        "seafood",
        r"海鲜|水产|\b(?:seafood|shellfish)\b",
        r"虾|螃?蟹|龙虾|生蚝|扇贝|蛤蜊|鱿鱼|三文鱼|\b(?:shrimps?|prawns?|crabs?|lobsters?|oysters?|mussels?|clams?|squid|scallops?)\b",
    ),
    (
        "fish",
        r"鱼(?!香|缸)|\bfish\b",
        r"[三文金枪鳕带鲈鳗]+鱼|\b(?:salmon|tuna|cod|haddock|trout|mackerel|sardines?|sushi)\b",
    ),
    (
        "alcohol",
        r"酒(?!店|吧|窝|精|席|驾)|\b(?:alcohol|booze)\b|\bdrink(?=$|[.,!?;]| (?:anymore|any more|at all))",
        r"[啤白红黄米洋葡萄]+酒|威士忌|香槟|鸡尾酒|\b(?:beers?|wine|whisk(?:e?)y|vodka|gin|rum|champagne|cocktails?|cider|prosecco"
        r"|pints?|lager|tequila)\b",
    ),
    (
        "dairi",
        r"乳制品|奶制品|\b(?:dairy|lactose)\b",
        r"牛奶|酸奶|奶酪|芝士|黄油|奶油|冰淇淋|拿铁|\b(?:milk|cheese|yogh?urt|butter|cream|ice cream|lattes?)\b",
    ),
    (
        "gluten",
        r"麸质|\b(?:gluten|wheat)\b",
        r"面包|面条|馒头|小麦|\b(?:bread|pasta|noodles?|pizza|bagels?|croissants?)\b",
    ),
    (
        "caffein",
        r"咖啡因|\bcaffeine\b",
        r"咖啡|浓茶|红茶|绿茶|可乐|\b(?:coffee|espresso|lattes?|cappuccinos?|energy drinks?)\b",
    ),
    (
        "nut",
        r"坚果|\bnuts?\b",
        r"花生|核桃|杏仁|腰果|开心果|榛子|\b(?:peanuts?|almonds?|walnuts?|cashews?|pecans?|pistachios?|hazelnuts?)\b",
    ),
    (
        "instrument",
        r"乐器|\b(?:musical )?instruments?\b",
        r"钢琴|吉他|小?提琴|古筝|二胡|琵琶|笛子|架子鼓|萨克斯|尤克里里|口琴|\b(?:piano|guitar|violin|cello|flute|drums?|saxophone|ukulele"
        r"|trumpet|harp"
        r"|clarinet|viola|bass|harmonica)\b",
    ),
    (
        "medicin",
        r"药物?(?!店|膏)|\b(?:medicines?|medication|drugs?|pills?|meds)\b",
        r"青霉素|阿司匹林|布洛芬|头孢|阿莫西林|胰岛素|降压药|安眠药|二甲双胍|\b(?:penicillin|aspirin|ibuprofen|paracetamol|amoxicillin|insulin"
        r"|metformin|statins?|antibiotics?|antidepressants?|codeine|sulfa)\b",
    ),
    (
        "sport",
        r"运动|锻炼|健身|\b(?:sports?|exercise|work ?out)\b",
        r"跑步|游泳|瑜伽|打球|[篮足网排羽毛乒乓]+球|爬山|骑行|举铁|\b(?:run|runs|running|swim|swimming|yoga|tennis|football|basketball|gym"
        r"|cycling"
        r"|pilates|badminton|hiking)\b",
    ),
    (
        "pet",
        r"宠物|小?动物|\b(?:pets?|animals?)\b",
        r"猫|狗|兔子|仓鼠|鹦鹉|乌龟|\b(?:cats?|dogs?|puppy|kitten|rabbits?|hamsters?|parrots?|tortoise|turtle|goldfish"
        r"|guinea pigs?)\b",
    ),
    (
        "car",
        r"车(?!间|站|票|厂|友)|\b(?:cars?|vehicles?)\b",
        r"特斯拉|比亚迪|奔驰|宝马|奥迪|丰田|本田|大众|\b(?:tesla|toyota|honda|ford|bmw|audi|mercedes|volkswagen|vw|golf|nissan|mazda"
        r"|subaru|volvo|suv)\b",
    ),
    (
        "social",
        r"社交(?:媒体|软件|平台|账号)|\bsocial media\b",
        r"微博|抖音|小红书|朋友圈|快手|\b(?:facebook|instagram|twitter|tiktok|snapchat|threads)\b",
    ),
    (
        "sweet",
        r"甜食|甜的|糖(?!尿)|\b(?:sweets|sugar|desserts?|sweet things)\b",
        r"蛋糕|巧克力|糖果|奶茶|冰淇淋|甜点|\b(?:cakes?|chocolate|candy|cookies?|doughnuts?|donuts?|ice cream)\b",
    ),
    (
        "tobacco",
        r"烟(?!花|火|台)|\b(?:tobacco|smok(?:e|es|ing)|smoker)\b",
        r"[香卷电子]+烟|\b(?:cigarettes?|cigars?|vap(?:e|es|ing)|rollies)\b",
    ),
)
_COMPILED = tuple(
    (stem, re.compile(kind, re.IGNORECASE), re.compile(rf"{member}|{kind}", re.IGNORECASE))
    for stem, kind, member in _KINDS
)


def denied_kinds(denial: str) -> frozenset[str]:
    """Return the kinds that a denial names as such, all that belongs to them with them."""
    return frozenset(stem for stem, kind, _ in _COMPILED if kind.search(denial))


def of_kinds(text: str) -> frozenset[str]:
    """Return the kinds of which a text names something, or which it names themselves."""
    return frozenset(stem for stem, _, member in _COMPILED if member.search(text))
