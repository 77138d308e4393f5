"""Everyday nouns in both languages, so that "I'm allergic to peanuts" meets 我对花生过敏.

What is not here is not compared.
"""

import re

_PAIRS = """
花生 peanut|坚果 nut|腰果 cashew|核桃 walnut|杏仁 almond|芝麻 sesame|海鲜 seafood|贝类 shellfish|虾 shrimp|螃蟹 crab
鱼 fish|鸡蛋 egg|牛奶 milk|乳制品 dairy|小麦 wheat|麸质 gluten|大豆 soy|芒果 mango|菠萝 pineapple|草莓 strawberry
桃子 peach|苹果 apple|香蕉 banana|橙子 orange|西红柿 tomato|番茄 tomato|土豆 potato|蘑菇 mushroom|香菜 cilantro
大蒜 garlic|洋葱 onion|橄榄 olive|辣 spicy|豆腐 tofu|米饭 rice|面条 noodle|面包 bread|蛋糕 cake|巧克力 chocolate
冰淇淋 ice cream|奶酪 cheese|酸奶 yogurt|火锅 hotpot|寿司 sushi|披萨 pizza|牛肉 beef|猪肉 pork|羊肉 lamb
鸡肉 chicken|肉 meat|咖啡 coffee|绿茶 green tea|红茶 black tea|茶 tea|啤酒 beer|白酒 liquor|红酒 red wine
葡萄酒 wine|酒 alcohol|可乐 cola|果汁 juice|青霉素 penicillin|阿司匹林 aspirin|花粉 pollen|尘螨 dust mite
猫毛 cat hair|乳胶 latex|狗 dog|猫 cat|兔子 rabbit|仓鼠 hamster|鹦鹉 parrot|乌龟 turtle|马 horse|鸟 bird
北京 beijing|上海 shanghai|广州 guangzhou|深圳 shenzhen|杭州 hangzhou|成都 chengdu|南京 nanjing|武汉 wuhan
西安 xi'an|重庆 chongqing|天津 tianjin|苏州 suzhou|厦门 xiamen|香港 hong kong|台北 taipei|东京 tokyo|京都 kyoto
大阪 osaka|首尔 seoul|新加坡 singapore|曼谷 bangkok|伦敦 london|巴黎 paris|柏林 berlin|罗马 rome|马德里 madrid
纽约 new york|波士顿 boston|旧金山 san francisco|洛杉矶 los angeles|西雅图 seattle|芝加哥 chicago|多伦多 toronto
温哥华 vancouver|悉尼 sydney|墨尔本 melbourne|都柏林 dublin|中国 china|日本 japan|韩国 korea|法国 france
德国 germany|英国 uk|美国 usa|加拿大 canada|意大利 italy|西班牙 spain|泰国 thailand|越南 vietnam|中文 chinese
普通话 mandarin|粤语 cantonese|英语 english|法语 french|德语 german|日语 japanese|韩语 korean|西班牙语 spanish
意大利语 italian|俄语 russian|医生 doctor|护士 nurse|老师 teacher|教师 teacher|律师 lawyer|工程师 engineer
程序员 programmer|设计师 designer|会计 accountant|学生 student|记者 journalist|厨师 chef|红色 red|蓝色 blue
绿色 green|黄色 yellow|紫色 purple|粉色 pink|黑色 black|白色 white|灰色 gray|橙色 orange|棕色 brown|游泳 swim
跑步 run|爬山 hike|徒步 hike|滑雪 ski|钢琴 piano|吉他 guitar|小提琴 violin|网球 tennis|篮球 basketball|足球 football
羽毛球 badminton|瑜伽 yoga|画画 paint|摄影 photography|阅读 reading|电影 movie|音乐 music|开车 drive|做饭 cook
唱歌 sing|跳舞 dance|手机 phone|车 car|房租 rent|预算 budget|生日 birthday|过敏 allergic|喜欢 like|讨厌 dislike
抽烟 smoke
"""
_ENGLISH = dict(pair.split(" ", 1) for line in _PAIRS.strip().splitlines() for pair in line.split("|"))
_TERMS = re.compile("|".join(sorted(_ENGLISH, key=len, reverse=True)))


def in_english(text: str) -> str:
    """Return a text with the Chinese words of the lexicon put in English, and all else as it is."""
    return _TERMS.sub(lambda match: f" {_ENGLISH[match.group()]} ", text)
