"""The right memory first, from a store of 2,000, for users in three zones, on both sides of midnight."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import product
from zoneinfo import ZoneInfo

import pytest

from nodes.outbox import drain
from state.ports import TurnCommit
from state.records import Evidence, Kind, Memory, MemoryWrite, memory_id
from tests.factories import receipt_of
from tests.integration.conftest import Loci

SIZE = 2_000
ZONES = ("Asia/Shanghai", "America/New_York", "UTC")
TODAY = date(2026, 11, 30)
MIDNIGHTS = (time(0, 1), time(23, 59))
# Noon in UTC is the same day in all three zones.
NOON = time(12, tzinfo=UTC)

# The question, the memory it looks for, the day it was said, its kind.
SCENES: list[tuple[str, str, date, Kind]] = [
    (
        "三个月前会议里提到的技术方案",
        "架构会议上提到的技术方案是用消息队列把订单和库存拆开",
        date(2026, 8, 27),
        "decision",
    ),
    ("上个月的第二版方案", "装修的第二版方案把书房和客厅打通", date(2026, 10, 14), "decision"),
    ("我端午节在哪家餐厅请的客户", "在荷塘小馆请客户吃了饭", date(2026, 6, 19), "event"),
    (
        "what did I plan for the week after Thanksgiving?",
        "I plan to repaint the guest room with Nora",
        date(2026, 11, 21),
        "task",
    ),
]
# When what is planned happens, where it is not the day it was said.
HAPPENS = {"I plan to repaint the guest room with Nora": (date(2026, 12, 2), 1)}
# Near misses: the same thing at another time, another thing at the same time.
NEAR: list[tuple[str, date]] = [
    ("周会上提到的技术方案是继续用单体架构", date(2026, 4, 9)),
    ("评审会议上提到的技术方案是把报表搬到数据仓库", date(2026, 11, 12)),
    ("装修的第一版方案只刷墙", date(2026, 9, 8)),
    ("装修的第三版方案加了地暖", date(2026, 11, 18)),
    ("营销的第二版方案主打短视频", date(2026, 7, 7)),
    ("在松鹤楼请客户吃了饭", date(2026, 9, 25)),
    ("在家里包粽子过节", date(2026, 6, 19)),
    ("在山海居请父母吃了饭", date(2026, 5, 1)),
    ("I plan to visit the dentist before the weekend", date(2026, 11, 10)),
    ("I plan to see Nora in spring", date(2026, 3, 3)),
]
_ZH = (
    ("在楼下", "在公司", "在地铁上", "在超市", "在图书馆"),
    ("同事", "小周", "妈妈", "房东", "教练", "邻居", "表哥", "导师", "室友"),
    ("聊了聊", "一起买了", "讨论了", "借走了", "推荐了", "抱怨了", "修好了", "取消了", "预订了"),
    ("旧书架", "跑步机", "预算表", "海鲜面", "雨伞", "吉他课", "停车位", "旅行箱", "投影仪"),
)
_EN = (
    ("bought", "returned", "talked about", "fixed"),
    ("lamp", "bike", "sofa", "router", "kettle", "tent", "blender", "ladder", "camera", "scooter", "desk", "fan"),
    ("Omar", "my aunt", "the landlord", "Priya", "a neighbour", "my coach", "Lena", "the plumber", "Jonas", "my boss"),
)


def chatter(count: int) -> list[str]:
    """Return so many everyday sentences, all different, a quarter of them English."""
    chinese = [f"{where}和{who}{did}{what}" for where, who, did, what in product(*_ZH)]
    english = [f"I {did} the {what} with {who}" for did, what, who in product(*_EN)]
    spread = [chinese[index * 37 % len(chinese)] for index in range(count)]
    return list(dict.fromkeys([*english[: count // 4], *spread]))[:count]


def noon_ms(day: date) -> int:
    return int(datetime.combine(day, NOON).timestamp() * 1000)


def standing(text: str, day: date, kind: Kind) -> Memory:
    """Return a memory that was said at noon, in a session of its own."""
    turn_id = f"{day} {text}"
    evidence = (Evidence(turn_id=turn_id, span=text),)
    happens, days = HAPPENS.get(text, (None, 0))
    return Memory(
        memory_id=memory_id("ann", turn_id, evidence),
        user_id="ann",
        session_id=turn_id,
        kind=kind,
        text=text,
        status="active",
        evidence=evidence,
        mentioned_ms=noon_ms(day),
        event_start_ms=noon_ms(happens) if happens else None,
        event_end_ms=noon_ms(happens + timedelta(days=days)) if happens else None,
        time_zone="UTC",
        receipt=receipt_of("new"),
    )


async def remember(loci: Loci, memories: list[Memory]) -> None:
    journal = loci.services.journal
    for start in range(0, len(memories), 250):
        writes = tuple(MemoryWrite(memory=memory) for memory in memories[start : start + 250])
        await journal.commit(
            TurnCommit(user_id="ann", session_id="before", actor="gate", at_ms=noon_ms(TODAY), writes=writes)
        )
    await drain("ann", journal=journal, long_term_memory=loci.services.long_term_memory)


def store() -> list[Memory]:
    year = [TODAY - timedelta(days=back) for back in range(1, 366)]
    everyday = chatter(SIZE - len(SCENES) - len(NEAR))
    return [
        *(standing(text, day, kind) for _, text, day, kind in SCENES),
        *(standing(text, day, "event") for text, day in NEAR),
        *(standing(text, year[index * 7 % len(year)], "event") for index, text in enumerate(everyday)),
    ]


@pytest.mark.timeout(600)
async def test_the_right_memory_comes_first_in_every_zone_before_and_after_midnight(loci: Loci) -> None:
    memories = store()
    assert len({memory.memory_id for memory in memories}) == SIZE
    await remember(loci, memories)
    assert await loci.services.long_term_memory.count("ann") == SIZE
    wrong = []
    for zone, clock, (question, right, _, _) in product(ZONES, MIDNIGHTS, SCENES):
        loci.clock.at_ms = int(datetime.combine(TODAY, clock, ZoneInfo(zone)).timestamp() * 1000)
        shown = (await loci.recall(question, zone=zone))["recalled"]
        if not shown or shown[0]["text"] != right:
            wrong.append((zone, clock.isoformat(), question, [row["text"] for row in shown]))
    assert wrong == []


WEEK = TODAY - timedelta(days=7)
YEAR = TODAY - timedelta(days=365)


async def first(loci: Loci, memories: list[Memory], question: str) -> list[str]:
    """Return what is shown for a question to these memories and a little chatter, best first."""
    loci.clock.at_ms = noon_ms(TODAY)
    everyday = [standing(text, WEEK, "event") for text in chatter(40)]
    await remember(loci, [*memories, *everyday])
    return [row["text"] for row in (await loci.recall(question))["recalled"]]


@pytest.mark.parametrize(
    ("question", "preference", "near"),
    [
        (
            "我喝咖啡有什么习惯？",
            "喝咖啡只喝不加糖的燕麦拿铁",
            ["上周三同事请大家喝了咖啡", "公司楼下新开了一家咖啡店"],
        ),
        (
            "How do I like my steak?",
            "I like my steak rare, with nothing but salt",
            ["The steak house on Mill Road was full last week", "Omar burnt a steak on the grill"],
        ),
    ],
)
async def test_a_preference_of_last_year_wins_over_last_weeks_chatter_near_it(
    loci: Loci, question: str, preference: str, near: list[str]
) -> None:
    memories = [standing(preference, YEAR, "preference"), *(standing(text, WEEK, "event") for text in near)]
    assert (await first(loci, memories, question))[0] == preference


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("搬家的计划是什么？", "搬家计划：五月底之前把书都打包", "搬家计划：五月底之前把书都送人"),
        (
            "What is the plan for the launch?",
            "Launch plan: start with the app in Spain",
            "Launch plan: start with the app in Italy",
        ),
    ],
)
async def test_of_two_versions_of_a_plan_the_newer_comes_first(
    loci: Loci, question: str, older: str, newer: str
) -> None:
    # The newer one is written first: the order is not that of writing.
    for kind in ("task", "decision", "fact"):
        memories = [standing(newer, WEEK, kind), standing(older, WEEK - timedelta(days=40), kind)]
        shown = await first(loci, memories, question)
        assert shown[:2] == [newer, older], kind


async def test_a_memory_marked_important_outranks_its_twin(loci: Loci) -> None:
    twin = standing("The spare key hangs behind the blue door", WEEK, "fact")
    marked = standing("The spare key hangs behind the red door", WEEK, "fact").model_copy(update={"weight": 2.0})
    assert (await first(loci, [twin, marked], "Where does the spare key hang?"))[:2] == [marked.text, twin.text]


async def test_where_nothing_bears_on_the_question_nothing_is_shown(loci: Loci) -> None:
    memories = [standing("我对花生过敏", WEEK, "fact"), standing("My passport runs out in March", WEEK, "fact")]
    for idle in ("你好", "谢谢你", "讲个笑话", "Thanks a lot!", "Good morning"):
        assert await first(loci, memories, idle) == [], idle
    assert (await first(loci, memories, "我不能吃什么？"))[0] == "我对花生过敏"
