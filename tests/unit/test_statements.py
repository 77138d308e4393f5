"""Attributes, values, polarity and change of what people say."""

import pytest

from nodes.language.statements import asked_slot, kind_of, one_valued, read
from state.records import Kind
from state.slots import SEVERAL_VALUED, SINGLE_VALUED


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("我叫李雷", "name", "李雷"),
        ("大家好，我叫王小明。", "name", "王小明"),
        ("我的名字是韩梅梅", "name", "韩梅梅"),
        ("叫我小王就好", "name", "小王"),
        ("请叫我老王", "name", "老王"),
        ("我不叫李雷，我叫李磊", "name", "李磊"),
        ("我是叫阿依古丽·买买提", "name", "阿依古丽·买买提"),
        ("我的生日是5月20日", "birthday", "5月20日"),
        ("我生日是农历八月十五", "birthday", "农历八月十五"),
        ("我今年32岁", "age", "32"),
        ("我三十二岁了", "age", "三十二"),
        ("我住在北京", "home_city", "北京"),
        ("我现居上海", "home_city", "上海"),
        ("我去年搬到了杭州", "home_city", "杭州"),
        ("我和我老婆住在深圳", "home_city", "深圳"),
        ("我以前住北京，现在搬到上海了", "home_city", "上海"),
        ("住在成都", "home_city", "成都"),
        ("以前我住在杭州，去年三月搬到上海浦东", "home_city", "上海浦东"),
        ("今年春天搬到成都", "home_city", "成都"),
        ("moved to Berlin in March", "home_city", "Berlin"),
        ("I moved to Berlin last spring", "home_city", "Berlin"),
        ("我来自四川", "hometown", "四川"),
        ("我是四川人", "hometown", "四川"),
        ("我在腾讯工作", "employer", "腾讯"),
        ("我跳槽到了字节跳动", "employer", "字节跳动"),
        ("我是一名软件工程师", "occupation", "软件工程师"),
        ("我是老师", "occupation", "老师"),
        ("我老婆叫小红", "partner", "小红"),
        ("我的手机号是13800138000", "phone", "13800138000"),
        ("我的邮箱是a.b@c.com", "email", "a.b@c.com"),
        ("我对花生过敏", "allergy", "花生"),
        ("我花生过敏", "allergy", "花生"),
        ("记住我对青霉素严重过敏", "allergy", "青霉素"),
        ("我喜欢喝咖啡", "likes", "咖啡"),
        ("我很喜欢绘画、弹钢琴和品茶", "likes", "绘画、弹钢琴和品茶"),
        ("我讨厌香菜", "dislikes", "香菜"),
        ("我养了一只猫", "pet", "猫"),
        ("我的猫叫咪咪", "pet", "咪咪"),
        ("我会弹钢琴", "skill", "弹钢琴"),
        ("我会说日语", "language", "日语"),
        ("我有两个孩子", "child", "孩子"),
        ("我女儿叫朵朵", "child", "朵朵"),
        ("用户住在北京", "home_city", "北京"),
        ("My name is Ann Lee", "name", "Ann Lee"),
        ("Hi, I'm Ann", "name", "Ann"),
        ("I'm Ann from Boston", "name", "Ann"),
        ("My name isn't Ann, my name is Anna", "name", "Anna"),
        ("call me Al", "name", "Al"),
        ("My birthday is May 20", "birthday", "May 20"),
        ("I was born on 3 March 1990", "birthday", "3 March 1990"),
        ("I'm 30 years old", "age", "30"),
        ("I live in Shanghai", "home_city", "Shanghai"),
        ("I'm living in New York these days", "home_city", "New York"),
        ("I just moved to Berlin from Paris last week", "home_city", "Berlin"),
        ("The user lives in Beijing", "home_city", "Beijing"),
        ("I grew up in Texas", "hometown", "Texas"),
        ("I work at Google as an engineer", "employer", "Google"),
        ("I'm a senior software engineer at Google", "occupation", "senior software engineer"),
        ("My wife's name is Sue", "partner", "Sue"),
        ("My phone number is +1 555 123 4567", "phone", "+1 555 123 4567"),
        ("My email is a@b.co", "email", "a@b.co"),
        ("I live at 42 Birch Street in Portland", "address", "42 Birch Street in Portland"),
        ("I'm allergic to peanuts", "allergy", "peanuts"),
        ("Allergic to shellfish.", "allergy", "shellfish"),
        ("I have a peanut allergy", "allergy", "peanut"),
        ("I love hiking and swimming", "likes", "hiking and swimming"),
        ("I hate cilantro", "dislikes", "cilantro"),
        ("I have a dog named Rex", "pet", "dog"),
        ("My dog is called Rex", "pet", "Rex"),
        ("I can play the guitar", "skill", "play the guitar"),
        ("I speak French", "language", "French"),
        ("I have two kids", "child", "kid"),
        ("Remember that I live in Oslo", "home_city", "Oslo"),
    ],
)
def test_attributes(text: str, slot: str, value: str) -> None:
    statement = read(text)
    assert (statement.slot, statement.value, statement.negated) == (f"user.{slot}", value, False)
    assert statement.slot in SINGLE_VALUED | SEVERAL_VALUED


@pytest.mark.parametrize(
    "text",
    [
        # questions in any form
        "你知道我叫什么吗",
        "我住在哪里",
        "我不知道我住在哪",
        "Do you know where I live",
        "I live in Berlin, right?",
        # other people
        "他说他住在北京",
        "他说，我住在北京",
        "我妹妹住在巴黎",
        "我爸爸叫王刚",
        "我老婆是医生",
        "我是医生的儿子",
        "“我住在北京”是他说的",
        "my sister lives in Paris",
        "She told me I live in a bubble",
        "I am a doctor's daughter",
        "A doctor told me to rest",
        "My wife is tired",
        # suppositions and hedges
        "如果我搬到上海",
        "我可能会搬到上海",
        "我考虑搬到上海",
        "我希望我住在海边",
        "我可能对花生过敏",
        "If I moved to Shanghai",
        "I might move to Shanghai",
        "I wish I lived in Paris",
        "Maybe I like tea",
        # plans and the past
        "我打算下个月搬到上海",
        "我以前住在北京",
        "我5岁的时候学会了游泳",
        "I will move to Berlin next month",
        "I'm moving to Berlin",
        "I used to live in Paris",
        # double negation
        "我不是不喜欢咖啡",
        "I can't not like it",
        "I don't not like coffee",
        # other meanings of the same verbs
        "我叫了外卖",
        "我叫他来",
        "我住院了",
        "我住在公司附近",
        "我在北京工作",
        "我是好人",
        "我会去北京",
        "我喜欢你",
        "I'm German",
        "I'm Chinese",
        "I live in fear",
        "I work in Berlin",
        "I like it",
        "I'd like a coffee",
        "From Paris we took a train",
        "我端午节在鼎泰丰请了客户",
    ],
)
def test_no_attribute(text: str) -> None:
    assert read(text).slot is None
    assert read(text).value is None


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("我不对花生过敏", True),
        ("我对花生不过敏", True),
        ("我不再对花生过敏了", True),
        ("我不喜欢咖啡", True),
        ("我不住在北京", True),
        ("我没有养猫", True),
        ("我不会游泳", True),
        ("我不吃肉", True),
        ("我不是不喜欢咖啡", False),
        ("我不仅喜欢咖啡", False),
        ("我差不多到了", False),
        ("没错，我住在北京", False),
        ("I'm not allergic to peanuts", True),
        ("I am no longer allergic to peanuts", True),
        ("I don’t like coffee", True),
        ("I have no pets", True),
        ("I never drink", True),
        ("I can't swim", True),
        ("I can't not like it", False),
        ("I know nobody here is a notary", True),
        ("No problem, I live in Rome", False),
    ],
)
def test_polarity(text: str, negated: bool) -> None:
    assert read(text).negated is negated


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("我搬到上海了", True),
        ("会议改成周五", True),
        ("我换成喝茶", True),
        ("我换了手机号", True),
        ("我不再吃肉", True),
        ("我不喜欢咖啡了", True),
        ("我现在住在上海了", True),
        ("截止日期推迟到九月", True),
        ("更正：我住在上海", True),
        ("我不叫李雷，我叫李磊", True),
        ("我戒了咖啡", True),
        ("我住在上海", False),
        ("我现在住在上海", False),
        ("我不喜欢咖啡", False),
        ("我喜欢换季的时候", False),
        ("I moved to Berlin", True),
        ("I no longer eat meat", True),
        ("I switched to tea", True),
        ("The meeting changed to Friday", True),
        ("I don't like coffee anymore", True),
        ("I drink tea instead", True),
        ("I now live in Rome", True),
        ("I'm in Rome right now", False),
        ("I live in Rome", False),
        ("I don't like coffee", False),
        ("I know a good place", False),
    ],
)
def test_change(text: str, changes: bool) -> None:
    assert read(text).changes is changes


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("我喜欢喝咖啡", "preference"),
        ("我不吃辣", "preference"),
        ("I prefer trains", "preference"),
        ("I'm vegetarian", "preference"),
        ("我住在北京", "fact"),
        ("我对花生过敏", "fact"),
        ("My name is Ann", "fact"),
        ("The server room has two doors", "fact"),
        ("我端午节在鼎泰丰请了客户", "event"),
        ("昨天我跑了五公里", "event"),
        ("I met Bob last Tuesday", "event"),
        ("I flew to Rome in June", "event"),
        ("我决定用 PostgreSQL", "decision"),
        ("We decided to go with Postgres", "decision"),
        ("我需要在周五前交报告", "task"),
        ("I have to finish the report by Friday", "task"),
        ("The rent is due on Monday", "task"),
    ],
)
def test_kind(text: str, kind: Kind) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    ("question", "slot"),
    [
        ("我叫什么名字？", "user.name"),
        ("我住在哪里", "user.home_city"),
        ("我对什么过敏", "user.allergy"),
        ("我生日是哪天", "user.birthday"),
        ("我在哪家公司上班", "user.employer"),
        ("我老婆叫什么", "user.partner"),
        ("what's my name", "user.name"),
        ("Where do I live?", "user.home_city"),
        ("What am I allergic to?", "user.allergy"),
        ("how old am I", "user.age"),
        ("What do I like?", "user.likes"),
        ("花生我能吃吗？", "user.allergy"),
        ("我能吃花生吗", "user.allergy"),
        ("我可以喝牛奶吗", "user.allergy"),
        ("我要忌口什么", "user.allergy"),
        ("我不能吃什么", "user.allergy"),
        ("我应该避免吃什么", "user.allergy"),
        ("can I take penicillin?", "user.allergy"),
        ("Can I have some ibuprofen?", "user.allergy"),
        ("what should I avoid?", "user.allergy"),
        ("is it safe for me to eat shrimp?", "user.allergy"),
        ("Can I take a day off?", None),
        ("Can I have your opinion?", None),
        ("where was I living before", "user.home_city"),
        ("did I live in Berlin", "user.home_city"),
        ("do I live in Paris now", "user.home_city"),
        ("今天天气怎么样", None),
        ("Who won the match?", None),
    ],
)
def test_asked_slot(question: str, slot: str | None) -> None:
    assert asked_slot(question) == slot


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("我最喜欢的颜色是蓝色", ("颜色", "蓝色")),
        ("我最喜欢的颜色现在是绿色", ("颜色", "绿色")),
        ("我爸爸叫王刚", ("爸爸", "王刚")),
        ("My favourite colour is blue", ("favorite color", "blue")),
        ("Actually green is my favorite color", ("favorite color", "green")),
        ("My boss is called Jim", ("boss", "Jim")),
        ("What if my boss is called Jim", None),
        ("我喜欢蓝色", None),
    ],
)
def test_one_valued(text: str, found: tuple[str, str] | None) -> None:
    assert one_valued(text) == found


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("在阿里巴巴做产品经理", "user.employer", "阿里巴巴"),
        ("我姐姐很漂亮，今年30岁，住在上海", None, None),
        ("我姐姐很漂亮，我今年30岁", "user.age", "30"),
        ("我有个朋友，今年40岁", None, None),
        ("她很忙，住在上海", None, None),
        ("女儿叫朵朵", "user.child", "朵朵"),
        ("our son Leo was born on May 4, 2015", "user.child", "Leo"),
        ("My sister is a nurse, allergic to nuts", None, None),
        ("hate cilantro", "user.dislikes", "cilantro"),
    ],
)
def test_whose_attribute_it_is(text: str, slot: str | None, value: str | None) -> None:
    assert (read(text).slot, read(text).value) == (slot, value)
