"""The offline verifier: what a source bears, what a memory is to a candidate, what ends a dispute."""

from typing import Any

import pytest

from graph.models.offline import OfflineDistiller, OfflineVerifier
from graph.models.offline_verifier import RULES
from nodes.language.statements import read
from state.ports import Judgement, Neighbour
from state.records import Candidate, Evidence, Relation, Resolution
from state.slots import is_single_valued
from tests.factories import DAY_MS, NOW_MS, candidate, memory, turn

SECONDS = 5.0


async def distilled(text: str, **fields: Any) -> Candidate:
    """Return the first candidate the offline distiller makes of a text."""
    return (await OfflineDistiller().distill(turn(text, **fields), [])).candidates[0]


async def verdict_of(
    proposed: Candidate, said: str, company: list[Neighbour] | None = None, asked: str | None = None
) -> Judgement:
    """Judge a candidate beside its company; `asked` is what the assistant said right before."""
    context = [turn(asked, turn_id="t0", role="assistant")] if asked else []
    return await OfflineVerifier().verify(proposed, [turn(said)], company or [], context=context, seconds=SECONDS)


async def judged(old: str, new: str, *, days: int = 30) -> tuple[str, Relation]:
    before = await distilled(old, turn_id="t0", at_ms=NOW_MS - days * DAY_MS)
    after = await distilled(new)
    times: dict[str, Any] = {"event_start_ms": before.event_start_ms, "event_end_ms": before.event_end_ms}
    times["single_valued"] = is_single_valued(before.slot)
    standing = memory("m1", before.text, slot=before.slot, kind=before.kind, mentioned_ms=before.mentioned_ms, **times)
    beside = Neighbour(memory=standing, similarity=0.9, same_slot=before.slot is not None and before.slot == after.slot)
    judgement = await verdict_of(after, new, [beside])
    assert judgement.provisional
    assert judgement.verdict.concerns == (() if judgement.verdict.relation == "new" else ("m1",))
    return judgement.verdict.grounded, judgement.verdict.relation


@pytest.mark.parametrize(
    ("old", "new", "relation"),
    [
        # one value
        ("我住在北京", "我住在上海", "conflict"),
        ("我住在北京", "我搬到上海了", "update"),
        ("我住在北京", "我现在住在上海了", "update"),
        ("我住在北京", "我住在北京。", "duplicate"),
        ("我住在北京", "我现居北京", "duplicate"),
        ("我住在北京", "我住在北京朝阳区", "update"),
        ("我住在北京朝阳区", "我住在北京", "duplicate"),
        ("我住在北京", "我不住在北京", "conflict"),
        ("我住在北京", "我不再住在北京了", "update"),
        ("我住在北京", "我不住在上海", "new"),
        ("我不再住在北京了", "我住在上海", "update"),
        ("我住在北京", "记住我可能会搬到上海", "new"),
        ("我在腾讯工作", "我跳槽到了字节跳动", "update"),
        ("我今年32岁", "我今年33岁", "update"),
        ("我今年32岁", "我今年31岁", "conflict"),
        ("My name is Ann", "My name is Bob", "conflict"),
        ("I'm Kai", "I'm Kai Olsen, nice to meet you", "duplicate"),
        ("I'm Kai Olsen", "I'm Kai", "duplicate"),
        ("I'm Ann", "I'm Anna", "conflict"),
        ("我叫小明", "我叫王小明", "duplicate"),
        ("I live in Oslo", "I moved to Rome", "update"),
        ("I live in Oslo", "I live in Rome", "conflict"),
        ("My birthday is May 20", "My birthday is 20 May", "duplicate"),
        ("My birthday is May 20", "My birthday is May 21", "conflict"),
        # several values
        ("我对花生过敏", "我不对花生过敏", "conflict"),
        ("我对花生过敏", "我不再对花生过敏了", "update"),
        ("我对花生过敏", "我对虾过敏", "new"),
        ("我喜欢喝咖啡", "我喜欢咖啡", "duplicate"),
        ("我喜欢咖啡", "我不喜欢咖啡了", "update"),
        ("我喜欢绘画和品茶", "我不再喜欢品茶了", "conflict"),
        ("I like coffee", "I don't like coffee", "conflict"),
        ("I like coffee", "I hate coffee", "conflict"),
        ("I like coffee", "I don't like coffee anymore", "update"),
        ("I like coffee", "I like tea", "new"),
        ("I like coffee", "I can't not like coffee", "new"),
        ("我喜欢咖啡", "我不是不喜欢咖啡", "new"),
        ("My cat is called Tom", "My cat is called Jerry", "new"),
        ("我会弹钢琴", "我不会弹钢琴", "conflict"),
        # no attribute
        ("My favourite colour is blue", "My favourite colour is green", "conflict"),
        ("My favourite colour is blue", "My favorite color is actually green", "conflict"),
        ("My favorite color is blue", "Actually green is my favorite color", "conflict"),
        ("My favourite colour is blue", "My favorite color is blue", "duplicate"),
        ("我最喜欢的颜色是蓝色", "我最喜欢的颜色其实是绿色", "conflict"),
        ("我最喜欢的颜色是蓝色", "我最喜欢的颜色改成绿色了", "update"),
        ("我每天喝三杯茶", "我每天喝五杯茶", "conflict"),
        ("我每天喝三杯茶", "我每天改喝五杯茶", "update"),
        ("I eat meat every day", "I don't eat meat every day", "conflict"),
        ("My meeting with the design team is at 2pm.", "My design team meeting moved to 3pm.", "update"),
        ("My Q3 report is due on August 15th.", "My Q3 report deadline was pushed back to September 1st.", "update"),
        ("我妈妈下周来上海看我", "我爸爸下周来上海看我", "new"),
        ("I work at Google", "I live in Paris", "new"),
        # events at different times are both true
        ("我昨天跑了三公里", "我昨天跑了五公里", "new"),
        ("我昨天去游泳了", "我昨天去游泳了", "new"),
        ("I met Bob on Monday in Rome", "I met Bob on Monday in Rome", "new"),
    ],
)
async def test_relation(old: str, new: str, relation: Relation) -> None:
    assert await judged(old, new) == ("supported", relation)


async def test_a_move_long_before_the_standing_word_is_no_update() -> None:
    assert await judged("I live in Oslo", "In 2015 I moved to Rome") == ("supported", "conflict")


async def test_the_strongest_relation_wins_and_names_those_it_is_about() -> None:
    company = [
        Neighbour(memory=memory("m1", "我喜欢喝茶", slot="user.likes"), similarity=0.95),
        Neighbour(
            memory=memory("m2", "我住在北京", slot="user.home_city", single_valued=True), similarity=0.9, same_slot=True
        ),
        Neighbour(
            memory=memory("m3", "我住在天津", slot="user.home_city", single_valued=True), similarity=0.8, same_slot=True
        ),
    ]
    verdict = (await verdict_of(candidate("我住在上海"), "我住在上海", company)).verdict
    assert (verdict.relation, verdict.concerns) == ("conflict", ("m2", "m3"))


async def test_the_same_slot_with_an_unreadable_value_is_undecided() -> None:
    beside = Neighbour(memory=memory("m1", "老地方，没变", slot="user.home_city", single_valued=True), same_slot=True)
    judgement = await verdict_of(candidate(slot="user.home_city"), "我住在北京", [beside])
    assert judgement.verdict.relation == "undecided"


async def test_the_holder_of_the_slot_counts_before_other_neighbours() -> None:
    company = [
        Neighbour(
            memory=memory("m1", "老地方，没变", slot="user.home_city", single_valued=True),
            similarity=0.8,
            same_slot=True,
        ),
        Neighbour(memory=memory("m2", "我住在天津"), similarity=0.9),
    ]
    moved = candidate("我搬到上海了", slot="user.home_city")
    verdict = (await verdict_of(moved, "我搬到上海了", company)).verdict
    assert (verdict.relation, verdict.concerns) == ("undecided", ("m1",))


@pytest.mark.parametrize(
    ("said", "fields", "grounded"),
    [
        ("我住在上海", {"text": "我住在上海"}, "supported"),
        ("我住在上海", {"text": "我住在北京"}, "unsupported"),
        ("你好", {"text": "我住在北京"}, "unsupported"),
        ("我不喜欢咖啡", {"text": "喜欢咖啡"}, "unsupported"),
        ("I don't like coffee", {"text": "like coffee"}, "unsupported"),
        ("我可能住在上海", {"text": "住在上海", "slot": "user.home_city"}, "unsupported"),
        ("I live in Oslo?", {"text": "I live in Oslo", "slot": "user.home_city"}, "unsupported"),
        ("我住在上海", {"text": "用户住在上海", "evidence": (Evidence(turn_id="t1", span="我住在上海"),)}, "supported"),
        ("我不喝咖啡", {"text": "用户喝咖啡", "evidence": (Evidence(turn_id="t1", span="我不喝咖啡"),)}, "unsupported"),
        (
            "我住在上海",
            {"text": "用户住在30层", "evidence": (Evidence(turn_id="t1", span="我住在上海"),)},
            "unsupported",
        ),
        ("我住在上海", {"text": "我住在上海", "evidence": ()}, "unsupported"),
        ("我住在上海", {"text": "我住在上海", "evidence": (Evidence(turn_id="t9", span="我住在上海"),)}, "unsupported"),
        ("  ", {"text": " "}, "unsupported"),
    ],
)
async def test_grounding(said: str, fields: dict[str, Any], grounded: str) -> None:
    judgement = await verdict_of(candidate(**fields), said)
    assert judgement.verdict.grounded == grounded
    assert (judgement.verifier, judgement.provisional, judgement.prompt_hash) == ("offline", True, RULES)


@pytest.mark.parametrize(
    ("text", "grounded"),
    [("Bob paid 30 euros on Friday", "supported"), ("The user met Jim", "unsupported"), ("", "unsupported")],
)
async def test_an_episode_rests_on_its_turns(text: str, grounded: str) -> None:
    said = [turn("I saw Bob", turn_id="a"), turn("he paid thirty euros? 30, Friday", turn_id="b")]
    episode = candidate(text, kind="episode", evidence=tuple(Evidence(turn_id=one.turn_id, span="") for one in said))
    twin = Neighbour(memory=memory("m1", text), similarity=1.0)
    verdict = (await OfflineVerifier().verify(episode, said, [twin], seconds=SECONDS)).verdict
    assert verdict.grounded == grounded
    assert verdict.relation == ("new" if grounded == "supported" else "undecided")


# What other people, other units and other words say


@pytest.mark.parametrize(
    ("old", "new", "relation"),
    [
        # units and numbers by value
        ("我每天早上跑5公里", "我每天早上跑十里地", "duplicate"),
        ("My commute is 10 miles each way", "My commute is about 16 km each way", "duplicate"),
        ("My pottery class starts at 7 pm", "My pottery class starts at 19:00", "duplicate"),
        ("我身高一米七八", "我身高180厘米", "conflict"),
        ("我每天吃5毫克华法林", "我的华法林是每天3毫克", "conflict"),
        ("我每天吃25毫克美托洛尔", "我的华法林是每天3毫克", "new"),
        ("我的装修预算是15万", "我的装修预算提到20万了", "update"),
        ("My rent is £950 a month", "My rent is £1,150 a month", "conflict"),
        ("My council tax is £115 a month", "My rent is £1,150 a month", "new"),
        # what has one value, without a slot
        ("我用的手机是小米13", "我把手机换成华为Pura 70了", "update"),
        ("我用的手机是小米13", "我的平板换成了MatePad", "new"),
        ("我是O型血", "我是A型血", "conflict"),
        ("My car is a Honda Jazz", "My car is due for its MOT in October", "new"),
        ("My first car was a Fiat", "My car is a Toyota", "new"),
        ("My old job paid $60k", "My new job pays $80k", "new"),
        # another person, or another of several
        ("我妈妈对芒果过敏", "我对芒果过敏", "new"),
        ("我弟弟住在宁波", "我住在宁波", "new"),
        ("My wife's car is a Mazda 3", "My car is a Honda", "new"),
        ("我大女儿8岁", "我小女儿5岁", "new"),
        ("My brother lives in Austin", "My brother lives in Dallas", "conflict"),
        ("My friend lives in Dublin", "My friend lives in Cork", "undecided"),
        # what is over, and what there is none of
        ("我开一辆白色的卡罗拉", "我把卡罗拉卖了", "update"),
        ("I have a membership at PureGym", "I cancelled my PureGym membership last month", "update"),
        ("I have a membership at the film club", "I cancelled my PureGym membership last month", "new"),
        ("I don't have any pets", "My cat Miso has lived with me for ten years", "conflict"),
        ("我没有孩子", "我儿子上二年级", "conflict"),
        # a denial in some cases only, or of another thing
        ("我喜欢喝咖啡", "我晚上不喝咖啡", "new"),
        ("我的游泳卡9月到期", "我不会游泳", "undecided"),
        ("I like olive oil on everything", "I don't like olives", "new"),
        ("I've never smoked", "I smoked for ten years", "conflict"),
        # times
        ("我工作日六点半起床", "周末我一般睡到九点", "new"),
        ("I live in Boston", "I lived in Denver from 2012 to 2016", "new"),
        ("I work night shifts", "I work day shifts", "new"),
        # two languages
        ("我对花生过敏", "I'm allergic to peanuts", "duplicate"),
        ("我不吃猪肉", "I eat pork all the time", "conflict"),
        ("我養的貓叫雪球", "我养的猫叫雪球", "duplicate"),
    ],
)
async def test_relation_of_copied_words(old: str, new: str, relation: Relation) -> None:
    slots = is_slot(old), is_slot(new)
    standing = memory(
        "m1", old, slot=slots[0], single_valued=is_single_valued(slots[0]), mentioned_ms=NOW_MS - 30 * DAY_MS
    )
    beside = Neighbour(memory=standing, similarity=0.9, same_slot=slots[0] is not None and slots[0] == slots[1])
    verdict = (await verdict_of(candidate(new, slot=slots[1]), new, [beside])).verdict
    assert (verdict.grounded, verdict.relation) == ("supported", relation)


def is_slot(text: str) -> str | None:
    return read(text).slot


async def test_a_slot_that_holds_several_for_the_user_holds_two() -> None:
    standing = memory("m1", "我住在北京", slot="user.home_city", single_valued=False)
    beside = Neighbour(memory=standing, same_slot=True)
    verdict = (await verdict_of(candidate("我住在上海", slot="user.home_city"), "我住在上海", [beside])).verdict
    assert verdict.relation == "new"


async def test_only_the_memory_of_just_the_same_is_replaced() -> None:
    company = [
        Neighbour(memory=memory("m1", "I run 5 km every morning")),
        Neighbour(memory=memory("m2", "My club run is 10 km on Saturdays")),
    ]
    said = "I've cut my morning run back to 3 km because of the knee"
    note = candidate("The user runs 3 km every morning", evidence=(Evidence(turn_id="t1", span=said),))
    verdict = (await verdict_of(note, said, company)).verdict
    assert (verdict.relation, verdict.concerns) == ("update", ("m1",))


async def test_a_change_said_in_another_sentence_changes_nothing() -> None:
    said = "We moved the sofa at last. My rent is £1,150 a month."
    note = candidate("My rent is £1,150 a month", evidence=(Evidence(turn_id="t1", span="My rent is £1,150 a month"),))
    verdict = (await verdict_of(note, said, [Neighbour(memory=memory("m1", "My rent is £950 a month"))])).verdict
    assert verdict.relation == "conflict"


@pytest.mark.parametrize(
    ("said", "note", "grounded"),
    [
        ("我上周搬到上海了", "用户住在上海", "supported"),
        ("我家就在杭州啊", "用户住在杭州", "supported"),
        ("我房租每个月4800，押一付三", "用户的房租每月4800元，押一付三", "supported"),
        ("下周三下午三点跟客户开会", "用户下周三15:00跟客户开会", "supported"),
        ("说实话我没有一天不喝咖啡", "用户每天都喝咖啡", "supported"),
        ("I can't stand cilantro", "The user dislikes cilantro", "supported"),
        ("I'm down to 78 kg now", "The user weighs 78 kg", "supported"),
        ("I quit Deloitte in April and joined a start-up called Fernwave.", "The user works for Fernwave", "supported"),
        ("我好像对芒果有点过敏", "用户可能对芒果过敏", "supported"),
        ("医生说我血糖有点偏高", "医生说用户血糖有点偏高", "supported"),
        # asked, supposed, hedged, planned, past
        ("我是不是对虾过敏啊？", "用户对虾过敏", "unsupported"),
        ("要是我搬到深圳，一个月房租得多少", "用户搬到深圳", "unsupported"),
        ("我可能下个月辞职吧，还没想好", "用户决定下个月辞职", "unsupported"),
        ("我以前住在天津", "用户住在天津", "unsupported"),
        ("I was going to buy a house but we didn't", "The user bought a house", "unsupported"),
        ("oh sure, I love drills at 5 am. said nobody ever", "The user loves drills at 5 am", "unsupported"),
        # the opposite, another's, another value
        ("我不喜欢吃羊肉", "用户喜欢吃羊肉", "unsupported"),
        ("It isn't true that I can't drive", "The user can't drive", "unsupported"),
        ("我老板下个月要搬去新加坡了", "用户下个月搬去新加坡", "unsupported"),
        ("My neighbour says she's allergic to cats", "The user is allergic to cats", "unsupported"),
        ("室友跟我抱怨：我对猫毛过敏。", "我对猫毛过敏", "unsupported"),
        ("我7月9号飞昆明", "用户7月19日飞昆明", "unsupported"),
        ("Sunday's loop was 8 km", "The user hiked an 8 mile loop on Sunday", "unsupported"),
        ("我儿子的新班主任姓黄", "用户儿子的班主任姓王", "unsupported"),
        ("今天又加班到十点，累死了", "用户想换一份不加班的工作", "unsupported"),
        ("我表哥给我发微信：我被裁员了。怎么安慰他？", "我被裁员了", "unsupported"),
        ("楼下那户养了三条蛇", "用户养了三条蛇", "unsupported"),
        ("The couple next door got a parrot", "The user got a parrot", "unsupported"),
        ("那个比赛我差一点就报名了", "用户报名了比赛", "unsupported"),
        # what is said beside a statement takes nothing back
        ("They rebooked us: our flight is on Monday", "The user's flight is on Monday", "supported"),
        ("I weigh 82 kg if you need it for the plan", "The user weighs 82 kg", "supported"),
        ("我的工作是护士嘛，习惯了", "用户的工作是护士", "supported"),
    ],
)
async def test_what_a_source_bears(said: str, note: str, grounded: str) -> None:
    proposed = candidate(note, evidence=(Evidence(turn_id="t1", span=said),))
    verdict = (await verdict_of(proposed, said)).verdict
    assert verdict.grounded == grounded, verdict.reason


@pytest.mark.parametrize(
    ("said", "note", "part"),
    [
        ("我买了辆电动车", "用户买了辆电动车，花了三千元", "用户买了辆电动车"),
        ("我对牛奶过敏，鸡蛋倒是没事", "用户对牛奶和鸡蛋过敏", "用户对牛奶过敏"),
        ("我喜欢烧鹅，至于叉烧，没啥感觉", "用户喜欢烧鹅和叉烧", "用户喜欢烧鹅"),
        ("我下个月要去敦煌", "用户下个月和妻子去敦煌", "用户下个月去敦煌"),
        ("I'm flying to Oslo", "The user is flying to Oslo with their sister", "The user is flying to Oslo"),
        (
            "Mum's operation is on March 4",
            "The user's mother's operation is on March 4 at St Luke's",
            "The user's mother's operation is on March 4",
        ),
        ("I've ordered a kayak", "The user has ordered a kayak for 900 euros", "The user has ordered a kayak"),
        (
            "I like anchovies but I don't like capers.",
            "The user likes anchovies and capers",
            "The user likes anchovies",
        ),
        (
            "I manage six people at Halvorsen",
            "The user manages six people at Halvorsen in Bergen",
            "The user manages six people at Halvorsen",
        ),
    ],
)
async def test_what_was_not_said_can_be_cut_off(said: str, note: str, part: str) -> None:
    verdict = (await verdict_of(candidate(note, evidence=(Evidence(turn_id="t1", span=said),)), said)).verdict
    assert (verdict.grounded, verdict.supported_part) == ("partial", part)


async def test_what_only_the_assistant_said_is_no_source() -> None:
    proposed = candidate("I love gelato", evidence=(Evidence(turn_id="t0", span="I love gelato"),))
    said = [turn("I love gelato", turn_id="t0", role="assistant"), turn("haha ok")]
    verdict = (await OfflineVerifier().verify(proposed, said, [], seconds=SECONDS)).verdict
    assert verdict.grounded == "unsupported"


async def test_a_short_answer_is_read_with_its_question() -> None:
    note = candidate("The user is allergic to shellfish", evidence=(Evidence(turn_id="t1", span="just shellfish"),))
    verdict = (await verdict_of(note, "just shellfish, luckily", asked="Do you have any food allergies?")).verdict
    assert verdict.grounded == "supported"


# Disputes

NUTS = ("我对花生过敏", "我对花生不过敏")
CITY = ("I live in Portland", "I live in Tucson")
RENT = ("My rent is £950 a month", "My rent is £1,150 a month")


def disputed(sides: tuple[str, str], *, asked: bool = True) -> list[Neighbour]:
    """Return the two sides of an open dispute: what stands, and what was held back a day ago."""
    slot = read(sides[0]).slot
    standing = memory(
        "old", sides[0], slot=slot, single_valued=is_single_valued(slot), mentioned_ms=NOW_MS - 9 * DAY_MS
    )
    held = standing.model_copy(
        update={
            "memory_id": "new",
            "text": sides[1],
            "status": "disputed",
            "opposes": ("old",),
            "mentioned_ms": NOW_MS - DAY_MS,
        }
    )
    return [Neighbour(memory=standing, same_slot=True), Neighbour(memory=held, same_slot=True, asked=asked)]


async def answered(text: str, sides: tuple[str, str], question: str | None = None) -> Resolution | None:
    asked = question or f"You said: ① {sides[0]} ② {sides[1]}: which holds, or both?"
    verdict = (await verdict_of(candidate(text, answers="new"), text, disputed(sides), asked)).verdict
    assert verdict.relation == ("resolves" if verdict.resolution else "undecided")
    assert verdict.concerns == (("new",) if verdict.resolution else ())
    return verdict.resolution


@pytest.mark.parametrize("sides", [NUTS, CITY, RENT])
@pytest.mark.parametrize(
    ("text", "resolution"),
    [
        ("新的对", "keep_new"),
        ("第二个", "keep_new"),
        ("现在这个", "keep_new"),
        ("第二个是错的", "keep_old"),
        ("还是以前那个", "keep_old"),
        ("前者为准", "keep_old"),
        ("①", "keep_old"),
        ("两个都对", "keep_both"),
        ("the new one", "keep_new"),
        ("yep the second one, totally forgot", "keep_new"),
        ("the latter", "keep_new"),
        ("no, what I said before", "keep_old"),
        ("the first is right", "keep_old"),
        ("the first is wrong", "keep_new"),
        ("both are true, I split the year", "keep_both"),
        # nothing is said for sure
        ("不知道", None),
        ("新的？", None),
        ("都不对", None),
        ("对", None),
        ("好的", None),
        ("我新买了个手机", None),
        ("这是我第一次听说", None),
        ("I don't know", None),
        ("neither", None),
        ("yes", None),
        ("why do you ask?", None),
        ("I bought a new phone", None),
        ("both of my kids are sick", None),
        ("my second child was born last week", None),
    ],
)
async def test_an_answer_names_a_side(text: str, resolution: Resolution | None, sides: tuple[str, str]) -> None:
    assert await answered(text, sides) == resolution


@pytest.mark.parametrize(
    ("text", "sides", "resolution"),
    [
        ("对花生过敏", NUTS, "keep_old"),
        ("不过敏", NUTS, "keep_new"),
        ("Tucson", CITY, "keep_new"),
        ("it's Portland", CITY, "keep_old"),
        ("not Tucson", CITY, None),
        ("my sister lives in Tucson", CITY, None),
        ("I was in Tucson yesterday", CITY, None),
        ("950", RENT, "keep_old"),
        ("haha both! one in winter", CITY, "keep_both"),
        ("the latest one's correct, thx", CITY, "keep_new"),
        ("按最早告诉你的那个来", CITY, "keep_old"),
        ("neither is wrong", CITY, "keep_both"),
        ("It's £1,150, the £950 was wrong", RENT, "keep_new"),
        ("the rent went from £950 to £1,300", RENT, None),
        ("I paid £950 for a bike", RENT, None),
    ],
)
async def test_an_answer_says_the_value(text: str, sides: tuple[str, str], resolution: Resolution | None) -> None:
    assert await answered(text, sides) == resolution


@pytest.mark.parametrize(("text", "resolution"), [("yes", "keep_new"), ("no", "keep_old"), ("sure, but later", None)])
async def test_yes_and_no_answer_a_question_about_one_side(text: str, resolution: Resolution | None) -> None:
    assert await answered(text, CITY, "Do you live in Tucson?") == resolution


ELSEWHERE = [
    "Thanks for telling me. Would you like some dinner ideas?",
    "好的。要我推荐几家餐厅吗？",
    "Do you live in Tucson? And would you like some dinner ideas?",
    "Noted.",
]


@pytest.mark.parametrize("reply", ELSEWHERE)
@pytest.mark.parametrize("text", ["yes", "Sure", "no", "Yes, I do", "对", "是的", "嗯", "好", "不", "没有"])
async def test_yes_and_no_to_another_question_answer_nothing(text: str, reply: str) -> None:
    assert await answered(text, CITY, reply) is None
    assert await answered(text, NUTS, reply) is None


@pytest.mark.parametrize(
    ("text", "sides", "reply", "resolution"),
    [
        # What names a side by its place is clear whatever else the reply asked, unless it let the user choose there.
        ("the new one", CITY, "Thanks! Would you like some dinner ideas?", "keep_new"),
        ("都对", NUTS, "好的。要我推荐几家餐厅吗？", "keep_both"),
        ("the second one", CITY, "Which restaurant do you prefer, the first or the second?", None),
        ("the second one", CITY, "Which of the two holds now?", "keep_new"),
        ("the second one", CITY, "Which city holds, 1 or 2? And which rent holds, 3 or 4?", None),
        # A value alone answers what was asked.
        ("Tucson", CITY, "Where would you like to fly?", None),
        ("I live in Tucson", CITY, "Where would you like to fly?", "keep_new"),
        ("Tucson", CITY, "Noted.", "keep_new"),
        ("过敏", NUTS, "你喜欢喝茶吗？", None),
        ("过敏", NUTS, "你现在对花生过敏还是不过敏？", "keep_old"),
    ],
)
async def test_an_answer_is_read_by_what_the_reply_asked(
    text: str, sides: tuple[str, str], reply: str, resolution: Resolution | None
) -> None:
    assert await answered(text, sides, reply) == resolution


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("I love Tucson", CITY),
        ("I'm flying to Tucson", CITY),
        ("I need both tickets", CITY),
        ("I paid 950 for it", RENT),
        ("我喜欢花生", NUTS),
        ("我不喜欢花生", NUTS),
    ],
)
async def test_small_talk_with_the_words_of_a_side_settles_nothing(text: str, sides: tuple[str, str]) -> None:
    assert await answered(text, sides, "Noted.") is None
    assert (await verdict_of(candidate(text), text, disputed(sides))).verdict.relation != "resolves"


async def test_asked_about_two_disputes_a_place_says_nothing() -> None:
    others = [
        one.model_copy(update={"memory": one.memory.model_copy(update={"memory_id": f"x{n}"})})
        for n, one in enumerate(disputed(RENT))
    ]
    company = [*disputed(CITY), *others]
    verdict = (await verdict_of(candidate("the second one", answers="new"), "the second one", company)).verdict
    assert verdict.relation == "undecided"


@pytest.mark.parametrize(
    ("text", "asked", "relation", "concerns"),
    [
        ("I live in Tucson", True, "resolves", ("new",)),
        ("I live in Portland", True, "resolves", ("new",)),
        ("I live in Tucson", False, "duplicate", ("new",)),
        ("I live in Portland", False, "duplicate", ("old",)),
        ("I moved to Denver", True, "update", ("old", "new")),
        ("I live in Denver", False, "conflict", ("old",)),
        ("I bought a bike", True, "new", ()),
    ],
)
async def test_a_statement_beside_an_open_dispute(
    text: str, asked: bool, relation: Relation, concerns: tuple[str, ...]
) -> None:
    proposed = candidate(text, slot=read(text).slot)
    beside = [one.model_copy(update={"same_slot": proposed.slot is not None}) for one in disputed(CITY, asked=asked)]
    verdict = (await verdict_of(proposed, text, beside)).verdict
    assert (verdict.relation, verdict.concerns) == (relation, concerns)


async def test_a_statement_that_speaks_of_the_mistake_settles_a_dispute_nobody_asked_about() -> None:
    said = "之前装修预算说25万是我口误，其实就是15万"
    sides = ("我的装修预算是15万", "我的装修预算是25万")
    verdict = (await verdict_of(candidate(said), said, disputed(sides, asked=False))).verdict
    assert (verdict.relation, verdict.resolution, verdict.concerns) == ("resolves", "keep_old", ("new",))


@pytest.mark.parametrize(
    "text", ["\n" * 5_000 + "x", "1,2,3," * 800, "a, " * 3_000, "两个都" * 700, "my sister's " * 500, "我的我的" * 800]
)
async def test_odd_texts_are_judged_in_reasonable_time(text: str) -> None:
    # Fails by the time limit that all tests have: a careless pattern needs minutes for these.
    span = text.strip()
    proposed = candidate(span[:120], evidence=(Evidence(turn_id="t1", span=span),))
    for answers in (None, "new"):
        asked = proposed.model_copy(update={"answers": answers})
        assert (await verdict_of(asked, text, disputed(CITY))).verdict.relation in ("new", "undecided", "conflict")
