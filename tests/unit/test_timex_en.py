"""What English words name as a time, said on Monday, 2026-11-30."""

import re
from datetime import datetime, timedelta

import pytest

from nodes.language.timex import expressions, numerals
from nodes.language.timex.calendar import Prefer
from tests.times import MONDAY, SHANGHAI, listed, local, ms, named, of_days

# The first day and the number of days.
DAYS_NAMED = [
    ("2026-06-19", "2026-06-19", 1),
    ("2026/6/19", "2026-06-19", 1),
    ("What did I do today?", "2026-11-30", 1),
    ("yesterday", "2026-11-29", 1),
    ("the day before yesterday", "2026-11-28", 1),
    ("Tomorrow", "2026-12-01", 1),
    ("the day after tomorrow", "2026-12-02", 1),
    ("three days ago", "2026-11-27", 1),
    ("a couple of days ago", "2026-11-28", 1),
    ("in 3 days", "2026-12-03", 1),
    ("10 days from now", "2026-12-10", 1),
    ("last week", "2026-11-23", 7),
    ("the week before last", "2026-11-16", 7),
    ("next week", "2026-12-07", 7),
    ("two weeks ago", "2026-11-13", 7),
    ("this weekend", "2026-12-05", 2),
    ("last weekend", "2026-11-28", 2),
    ("last Tuesday", "2026-11-24", 1),
    ("last Monday", "2026-11-23", 1),
    ("this Friday", "2026-12-04", 1),
    ("on Friday", "2026-11-27", 1),
    ("On Monday", "2026-11-30", 1),
    ("next Monday", "2026-12-07", 1),
    ("Tuesday of last week", "2026-11-24", 1),
    ("next week on Tuesday", "2026-12-08", 1),
    ("last Fri", "2026-11-27", 1),
    ("last month", "2026-10-01", 31),
    ("three months ago", "2026-08-15", 31),
    ("in June", "2026-06-01", 30),
    ("last June", "2026-06-01", 30),
    ("next June", "2027-06-01", 30),
    ("in June last year", "2025-06-01", 30),
    ("last year in June", "2025-06-01", 30),
    ("late May", "2026-05-21", 11),
    ("March 2026", "2026-03-01", 31),
    ("June 19", "2026-06-19", 1),
    ("on June 19th", "2026-06-19", 1),
    ("June 19, 2026", "2026-06-19", 1),
    ("19 June 2025", "2025-06-19", 1),
    ("the 19th of June", "2026-06-19", 1),
    ("Dec. 31, 2025", "2025-12-31", 1),
    ("Thursday, June 4, 2026", "2026-06-04", 1),
    ("June 3-5", "2026-06-03", 3),
    ("from June 1st to June 7th", "2026-06-01", 7),
    ("last year", "2025-01-01", 365),
    ("this year", "2026-01-01", 365),
    ("in 2025", "2025-01-01", 365),
    ("two years ago", "2024-05-31", 367),
    ("last summer", "2026-06-01", 92),
    ("summer 2025", "2025-06-01", 92),
    ("last quarter", "2026-07-01", 92),
    ("Christmas", "2025-12-25", 1),
    ("Christmas 2024", "2024-12-25", 1),
    ("Christmas last year", "2025-12-25", 1),
    ("New Year’s Day", "2026-01-01", 1),
    ("Thanksgiving", "2026-11-26", 1),
    ("Dragon Boat Festival", "2026-06-19", 1),
    ("Chinese New Year 2025", "2025-01-29", 1),
    ("What happened on 3 May 2025?", "2025-05-03", 1),
    ("Mon, 02nd Feb 2026", "2026-02-02", 1),
    ("1st of Jan", "2026-01-01", 1),
    ("Sep-23-2024", "2024-09-23", 1),
    ("23/Sep/2024", "2024-09-23", 1),
    ("2024-sep-23", "2024-09-23", 1),
    ("we met on 22/04", "2026-04-22", 1),
    ("we met on 4/22", "2026-04-22", 1),
    ("due 10/31/25, she wrote", "2025-10-31", 1),
    ("invoice of 23.04.2026", "2026-04-23", 1),
    ("May twenty-ninth", "2026-05-29", 1),
    ("June third two thousand and twenty", "2020-06-03", 1),
    ("twelfth of May nineteen eighty-six", "1986-05-12", 1),
    ("in Feb '12", "2012-02-01", 29),
    ("it is due on the 15th.", "2026-11-15", 1),
    ("Sunday the 15th", "2026-11-15", 1),
    ("Friday the 13th", "2026-11-13", 1),
    ("March 3rd through 5th", "2026-03-03", 3),
    ("from the 13th to the 15th of July", "2026-07-13", 3),
    ("between 3 and 12 of September", "2026-09-03", 10),
    ("July 13 - July 15", "2026-07-13", 3),
    ("5/1-5/7/2025", "2025-05-01", 7),
    ("next 6th of April", "2027-04-06", 1),
    ("last May 3rd", "2026-05-03", 1),
    ("mid-March", "2026-03-11", 10),
    ("the end of April", "2026-04-21", 10),
    ("at the beginning of this week", "2026-11-30", 3),
    ("the end of last week", "2026-11-27", 3),
    ("end of 2024", "2024-09-01", 122),
    ("beginning of next year", "2027-01-01", 90),
    ("the first half of 2025", "2025-01-01", 181),
    ("the rest of the week", "2026-11-30", 7),
    ("earlier this month", "2026-11-01", 29),
    ("Q1 2018", "2018-01-01", 90),
    ("2018Q4", "2018-10-01", 92),
    ("the first quarter of 2025", "2025-01-01", 90),
    ("third quarter of last year", "2025-07-01", 92),
    ("2019 H2", "2019-07-01", 184),
    ("week 27 of last year", "2025-06-30", 7),
    ("the 90s", "1990-01-01", 3652),
    ("1980s", "1980-01-01", 3653),
    ("the nineties", "1990-01-01", 3652),
    ("the 19th century", "1800-01-01", 36524),
    ("last winter", "2025-12-01", 90),
    ("the summer of 2019", "2019-06-01", 92),
    ("from 2014 to 2018", "2014-01-01", 1826),
    ("between August and October", "2026-08-01", 92),
    ("Nov-Feb 2017", "2016-11-01", 120),
    ("the first week of October", "2026-09-28", 7),
    ("the last week of September 2014", "2014-09-22", 7),
    ("third last week of 2018", "2018-12-10", 7),
    ("last Monday of March", "2026-03-30", 1),
    ("the third Tuesday of next month", "2026-12-15", 1),
    ("the first Monday of the month", "2026-11-02", 1),
    ("the first 3 days of next month", "2026-12-01", 3),
    ("the last weekend of October", "2026-10-31", 2),
    ("last day of October 2015", "2015-10-31", 1),
    ("the 20th of next month", "2026-12-20", 1),
    ("wednesday of the following week", "2026-12-09", 1),
    ("previous Wednesday", "2026-11-25", 1),
    ("the coming Thursday", "2026-12-03", 1),
    ("Friday after next", "2026-12-11", 1),
    ("three Fridays from now", "2026-12-18", 1),
    ("two Sundays ago", "2026-11-22", 1),
    ("a week from tomorrow", "2026-12-08", 1),
    ("two days before yesterday", "2026-11-27", 1),
    ("two days after Christmas", "2025-12-27", 1),
    ("the day after Christmas", "2025-12-26", 1),
    ("the week before Easter", "2026-03-30", 7),
    ("the weekend after Halloween", "2026-11-07", 2),
    ("two weekends before 17 July 2023", "2023-07-08", 2),
    ("the Monday after Easter", "2026-04-06", 1),
    ("third Tuesday after Christmas 2014", "2015-01-13", 1),
    ("the week of April 10th", "2026-04-06", 7),
    ("2 weeks starting May 20th", "2026-05-20", 14),
    ("May 20th for ten days", "2026-05-20", 10),
    ("next 4 business days", "2026-12-01", 4),
    ("Black Friday", "2026-11-27", 1),
    ("Good Friday 2025", "2025-04-18", 1),
    ("Easter Monday", "2026-04-06", 1),
    ("last Easter", "2026-04-05", 1),
    ("next Easter", "2027-03-28", 1),
    ("Pentecost 2026", "2026-05-24", 1),
    ("Labor Day", "2026-09-07", 1),
    ("Labor Day weekend", "2026-09-05", 3),
    ("Memorial Day 2024", "2024-05-27", 1),
    ("MLK Day", "2026-01-19", 1),
    ("Mother's Day", "2026-05-10", 1),
    ("Fathers Day 2024", "2024-06-16", 1),
    ("St. Patrick's Day", "2026-03-17", 1),
    ("New Years Eve", "2025-12-31", 1),
    ("the mid-autumn festival last year", "2025-10-06", 1),
    ("Thanksgiving week", "2026-11-23", 7),
    ("between January 2026 and yesterday", "2026-01-01", 333),
    ("in 1998", "1998-01-01", 365),
    ("1998?", "1998-01-01", 365),
    ("October?", "2026-10-01", 31),
    ("from next Monday to Friday", "2026-12-07", 5),
    ("from 26 June to 28 June 2020", "2020-06-26", 3),
    ("Christmas two years ago", "2024-12-25", 1),
    ("in June two years ago", "2024-06-01", 30),
    ("March in a year", "2027-03-01", 31),
    ("in the late 90s", "1997-01-01", 1095),
    ("in '98", "1998-01-01", 365),
    ("this coming weekend", "2026-12-05", 2),
    ("the weekend of the 5th", "2026-11-07", 2),
    ("4th of July weekend", "2026-07-04", 2),
    ("next month on the 3rd", "2026-12-03", 1),
    ("between Monday and Wednesday of last week", "2026-11-23", 3),
    ("previous week - Monday", "2026-11-23", 1),
    ("as of 27 March, 2022", "2022-03-27", 1),
    ("Fri, Jul 18", "2025-07-18", 1),
    ("day after Thanksgiving", "2026-11-27", 1),
    ("this year's first quarter", "2026-01-01", 90),
    ("the two weeks after Christmas", "2025-12-26", 14),
    ("the three days before Easter", "2026-04-02", 3),
    ("two thousand and eight", "2008-01-01", 366),
    ("on friday 11/20", "2026-11-20", 1),
]

# As they are meant, and how far beside them people may be off: the first day, the number of days, the days of reach.
DISTANCES_NAMED = [
    ("last two weeks", "2026-11-16", 14, 3),
    ("over the past 3 months", "2026-08-01", 92, 15),
    ("the last 2 days", "2026-11-28", 2, 1),
    ("the next three days", "2026-12-01", 3, 1),
    ("5 past years", "2021-11-30", 1826, 1),
    ("two quarters ago", "2026-05-30", 1, 45),
    ("a fortnight ago", "2026-11-16", 1, 3),
    ("half a year ago", "2026-05-30", 1, 15),
    ("a hundred days ago", "2026-08-22", 1, 0),
    ("twenty-one days ago", "2026-11-09", 1, 0),
    ("2 years and 1 month ago", "2024-10-30", 1, 183),
    ("a few days ago", "2026-11-27", 1, 2),
    ("the other day", "2026-11-27", 1, 4),
    ("around mid-March", "2026-03-11", 10, 5),
    ("a year and a half ago", "2025-05-30", 1, 183),
    ("over the last couple of weeks", "2026-11-16", 14, 3),
    ("in a fortnight", "2026-12-14", 1, 3),
    ("six months from now", "2027-05-30", 1, 15),
]

HOURS_NAMED = [
    ("yesterday evening", "2026-11-29 18:00", "2026-11-30"),
    ("last night", "2026-11-29 18:00", "2026-11-30 06:00"),
    ("this morning", "2026-11-30 06:00", "2026-11-30 12:00"),
    ("Friday afternoon", "2026-11-27 12:00", "2026-11-27 18:00"),
    ("yesterday at noon", "2026-11-29 12:00", "2026-11-29 13:00"),
    ("late last night", "2026-11-29 22:00", "2026-11-30 06:00"),
    ("early this morning", "2026-11-30 06:00", "2026-11-30 09:00"),
    ("this morning at 9", "2026-11-30 09:00", "2026-11-30 10:00"),
    ("tomorrow at half past four", "2026-12-01 16:30", "2026-12-01 16:31"),
    ("a quarter to 9 tomorrow morning", "2026-12-01 08:45", "2026-12-01 08:46"),
    ("3pm tomorrow", "2026-12-01 15:00", "2026-12-01 16:00"),
    ("noon tomorrow", "2026-12-01 12:00", "2026-12-01 13:00"),
    ("last Friday, 8-10pm", "2026-11-27 20:00", "2026-11-27 22:00"),
    ("Monday from 9 to 11am", "2026-11-30 09:00", "2026-11-30 11:00"),
    ("between 3 and 5 yesterday", "2026-11-29 15:00", "2026-11-29 17:00"),
    ("from 7 to 7:30 tonight", "2026-11-30 19:00", "2026-11-30 19:30"),
    ("yesterday around 5ish", "2026-11-29 17:00", "2026-11-29 18:00"),
    ("Saturday morning at 9", "2026-11-28 09:00", "2026-11-28 10:00"),
    ("the morning of June 19", "2026-06-19 06:00", "2026-06-19 12:00"),
    ("at 7:30 PM on Fri, Nov 20", "2026-11-20 19:30", "2026-11-20 19:31"),
    ("2026-06-19 17:00", "2026-06-19 17:00", "2026-06-19 17:01"),
    ("at 9am", "2026-11-30 09:00", "2026-11-30 10:00"),
    ("tomorrow from 2pm for 2 hours", "2026-12-01 14:00", "2026-12-01 16:00"),
    ("in 5 minutes", "2026-11-30 10:05", "2026-11-30 10:06"),
    ("1.5 hours ago", "2026-11-30 08:30", "2026-11-30 08:31"),
    ("two hours ago", "2026-11-30 08:00", "2026-11-30 08:01"),
    ("in the last 24 hours", "2026-11-29 10:00", "2026-11-30 10:00"),
    ("right now", "2026-11-30 10:00", "2026-11-30 10:01"),
    ("two nights ago", "2026-11-28 18:00", "2026-11-29 06:00"),
    ("the night before last", "2026-11-28 18:00", "2026-11-29 06:00"),
    ("an hour and a half ago", "2026-11-30 08:30", "2026-11-30 08:31"),
    ("I will call in three-quarters of an hour", "2026-11-30 10:45", "2026-11-30 10:46"),
    ("yesterday before 4pm", "2026-11-29", "2026-11-29 16:00"),
    ("on Tuesday after 1pm", "2026-11-24 13:00", "2026-11-25"),
    ("Tuesday evening last week", "2026-11-24 18:00", "2026-11-25"),
    ("first Monday evening of next month", "2026-12-07 18:00", "2026-12-08"),
    ("the end of yesterday", "2026-11-29 17:00", "2026-11-30"),
    ("in the last hour", "2026-11-30 09:00", "2026-11-30 10:00"),
]

NO_TIME = """
May I ask you something? | You may go now | This may take a while | you may 5 times | We march on | march 3 miles
a second chance | in second place | the sun is out | I sat down | April is my colleague | June told me a secret
I met June and April | August Strindberg wrote plays | It costs $2025 | in 2025 cases we saw it | call 555-2026
version 2026.6.19 | Python 3.12 | iPhone 15 | I read USA Today on the train | Every Friday I swim | On Fridays I swim
I work Monday to Friday | Monday through Friday | Black Friday deals | the Good Friday agreement | Merry Christmas
the Christmas tree | I like Wednesday Addams | 5% off | it is 12:30 | I can do it in a day | the last week of school
the day I was born | room 2026 | I like the weekend best | I cooked it in 5 minutes | a fall in prices
last but not least | next to me | order 2026-06-19-001 | https://example.org/2026/06/19/post | 10 years | twice a week
June 31 | Windows 11 is slow | take 1/2 cup of sugar | open 24/7 | a 50/50 chance | we won 3-1
the score was 21-15 at half time | 10-12 people came | leaves fall down | spring onions | wait a minute
the present I bought | the server 192.168.1.10 is down | my number is +1 212 555 0199 | it costs $12.50
version 3.12.1 | a second thought | the third floor | the first time I saw it | on second thoughts | one of the seven
seven dwarfs | he is 30 | I have two cats | chapter 5 | a four-day week | flight BA2490 | Sat nav | I sat in the sun
the sun sets | we wed in a hurry | ISO 8601 | a quarter of the cake | half the time | size 10.5 | the ratio is 16:9
verse 3:16 | 4:3 aspect ratio | a 5-7 split | pages 10-12 | Apollo 11 | Boeing 747 | Route 66 | Area 51
a decade of work | two hours long | for 3 weeks | it took five days | a month-long trip | the 3-month rule
H1, H2 and H3 | Option 2A | house 7B | I may march on | march with us | she will mar it | a June bride
Mr. May called | August personality | she sat on the sun deck | see you mon, she said
we usually go skiing in February | daily | I run at 6:30 on Mondays | yoga at 9:30 every day
Tuesdays at half past seven | what are you up to right now? | weekly reports | every first Monday of the month
each day at noon | every other week | at night I read | in the morning I run | Good morning! | Good night
have a nice day | the day job | day after day | a night owl | last in line | next door | at first | at last
a last resort | this much | the next one | this one | my next question | past tense | the past | in the future
now that I think of it | in summer it is hot | fall in love | spring into action | winter coats | a midsummer dream
2020 vision | 1984 by Orwell | 100 years | six feet | ten to one odds | 9 out of 10 | two to four people
twenty people | $2,024 | 2,024 people | 2024px wide | 0.5 h | page 3/4 | my birthday | easter egg
Thanksgiving dinner recipe ideas are not here: an easter bunny | Independence Day parade float
those aged 16 to 18 were left out | it fell 10 to 15 per cent | the first may fail and the second may not
this sun is hot | May 5 people come? | four of us met at five places | room at 7 Main Street | a 10-15 minute walk
between 5 and 10 dollars | the last 5-10 minutes | in Seventh heaven | one on one | from time to time | at one point
EOD technicians | Ch. 3-5 | Super Tuesday | I asked Autumn and June | from June with love
I work from Monday to Friday | Mondays | Saturdays and Sundays | the Friday agreement
I was there three times in two days
"""


@pytest.mark.parametrize(("text", "first", "count"), DAYS_NAMED)
def test_whole_days(text: str, first: str, count: int):
    assert local(text) == of_days(first, count)


@pytest.mark.parametrize(("text", "start", "end"), HOURS_NAMED)
def test_parts_of_a_day(text: str, start: str, end: str):
    assert local(text) == (start, end)


@pytest.mark.parametrize("prefer", ["past", "future"])
@pytest.mark.parametrize("text", listed(NO_TIME))
def test_a_text_that_names_no_time(text: str, prefer: Prefer):
    assert named(text, prefer=prefer) is None


@pytest.mark.parametrize(
    ("text", "first", "count"),
    [
        ("on Friday", "2026-12-04", 1),
        ("June 19", "2027-06-19", 1),
        ("Christmas", "2026-12-25", 1),
        ("last Tuesday", "2026-11-24", 1),
    ],
)
def test_what_could_be_both_leans_to_the_future_on_request(text: str, first: str, count: int):
    assert local(text, prefer="future") == of_days(first, count)


@pytest.mark.parametrize(("text", "first", "count", "reach"), DISTANCES_NAMED)
def test_a_distance_is_literal_and_people_are_off_by_its_reach(text: str, first: str, count: int, reach: int):
    [found] = expressions(text, now_ms=ms(MONDAY, SHANGHAI), time_zone=SHANGHAI)
    assert (found.span.start.date().isoformat(), (found.span.end - found.span.start).days) == (first, count)
    assert found.span.reach == timedelta(days=reach)
    vague = any(word in text for word in ("few", "other", "around"))
    assert (found.span.confidence < 1) == vague


@pytest.mark.parametrize("today", [datetime(2026, 11, 30), datetime(2026, 11, 20), datetime(2026, 12, 20, 23, 59)])
def test_a_plan_was_for_the_nearest_feast_over_or_to_come(today: datetime):
    question = "what did I plan for the week after Thanksgiving?"
    assert local(question, now=today, prefer="future") == of_days("2026-11-30", 7)


@pytest.mark.parametrize(
    ("text", "today", "first", "count"),
    [
        ("I plan to fly to Boston the week after Thanksgiving", datetime(2026, 11, 30), "2026-11-30", 7),
        ("We'll visit my parents the weekend after Thanksgiving", datetime(2026, 11, 27), "2026-11-28", 2),
        ("I'll return gifts the week after Christmas", datetime(2026, 12, 26), "2026-12-28", 7),
        ("I'll return gifts the week after Christmas", datetime(2027, 1, 4), "2027-12-27", 7),
        ("Ann will arrive two days after Christmas", datetime(2026, 12, 26), "2026-12-27", 1),
        ("I will be away the day after June 19", datetime(2026, 6, 20), "2026-06-20", 1),
    ],
)
def test_what_follows_a_feast_that_is_over_is_still_to_come(text: str, today: datetime, first: str, count: int):
    assert local(text, now=today, prefer="future") == of_days(first, count)


def test_a_time_of_the_hour_after_a_feast_that_is_over_is_still_to_come():
    text = "lunch two days after Christmas at 1pm"
    assert local(text, now=datetime(2026, 12, 26), prefer="future") == ("2026-12-27 13:00", "2026-12-27 14:00")


@pytest.mark.parametrize(
    ("text", "prefer", "day"),
    [
        ("the day after Tuesday", "future", "2026-12-09"),
        ("two weeks from Friday", "future", "2026-12-18"),
        ("the day after Tuesday", "past", "2026-12-02"),
    ],
)
def test_what_is_counted_from_a_weekday_is_counted_from_the_nearest(text: str, prefer: Prefer, day: str):
    assert local(text, now=datetime(2026, 12, 2, 9), prefer=prefer) == of_days(day, 1)


@pytest.mark.parametrize("prefer", ["past", "future"])
@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("tomorrow at 3pm", ("2026-12-01 15:00", "2026-12-01 16:00")),
        ("yesterday at noon", ("2026-11-29 12:00", "2026-11-29 13:00")),
        ("Monday to Wednesday next week", of_days("2026-12-07", 3)),
        ("between Monday and Friday of last week", of_days("2026-11-23", 5)),
    ],
)
def test_what_is_placed_by_today_is_on_no_side(text: str, span: tuple[str, str], prefer: Prefer):
    assert local(text, prefer=prefer) == span


def test_the_weekend_before_a_feast_that_is_to_come_is_over():
    assert local("the weekend before Christmas", now=datetime(2026, 12, 22)) == of_days("2026-12-19", 2)


def test_the_week_after_a_feast_that_is_to_come_is_that_of_last_year_unless_it_was_planned():
    text = "what did we do in the week after Thanksgiving?"
    assert local(text, now=datetime(2026, 11, 20)) == of_days("2025-12-01", 7)
    assert local(text, now=datetime(2026, 12, 20)) == of_days("2026-11-30", 7)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("We talked about it on the last Monday of May, I think", ["the last Monday of May"]),
        ("lunch two days after Christmas at 1pm with Ann", ["two days after Christmas at 1pm"]),
        ("I left in March 2020, and came back in the summer of 2022.", ["in March 2020", "in the summer of 2022"]),
        ("I'm free Thursday or Friday, dinner on sat.", ["Thursday", "Friday", "sat."]),
        ("we sold 5 in March, 6 in April 2026", ["in March", "in April 2026"]),
        ("Yesterday we met at 9 and today at noon", ["Yesterday", "today at noon"]),
    ],
)
def test_every_expression_is_found_with_its_words(text: str, words: list[str]):
    found = expressions(text, now_ms=ms(MONDAY, SHANGHAI), time_zone=SHANGHAI)
    assert [text[one.start : one.end] for one in found] == words


@pytest.mark.parametrize(
    ("text", "grain"),
    [
        ("yesterday", "day"),
        ("last week", "week"),
        ("three weeks ago", "week"),
        ("in June", "month"),
        ("two months ago", "month"),
        ("Q2 2025", "quarter"),
        ("last year", "year"),
        ("the 90s", "decade"),
        ("yesterday at 3pm", "hour"),
        ("yesterday at 3:05pm", "minute"),
        ("last night", "hour"),
        ("Christmas Eve", "day"),
    ],
)
def test_the_grain_is_what_the_words_count_in(text: str, grain: str):
    window = named(text)
    assert window is not None
    assert window.grain == grain


@pytest.mark.parametrize(
    ("text", "open_side", "day"),
    [
        ("since May", "after", "2026-05-01"),
        ("since the end of 1989", "after", "1989-09-01"),
        ("before 2020", "before", "2020-01-01"),
        ("before the week after Easter", "before", "2026-04-06"),
        ("after the first Monday of June", "after", "2026-06-02"),
    ],
)
def test_one_that_is_open_on_a_side(text: str, open_side: str, day: str):
    [found] = expressions(text, now_ms=ms(MONDAY, SHANGHAI), time_zone=SHANGHAI)
    assert found.open == open_side
    end = found.span.start if open_side == "after" else found.span.end
    assert end.date().isoformat() == day


def test_a_time_of_day_without_a_day_is_less_certain():
    window = named("she called at 9am")
    assert window is not None
    assert window.confidence <= 0.5


@pytest.mark.parametrize(
    ("text", "value"),
    [("twelve", 12), ("twenty-one", 21), ("ninety nine", 99), ("a hundred", 100), ("a couple of", 2), ("several", 4)],
)
def test_english_numbers(text: str, value: int):
    assert re.fullmatch(numerals.ENGLISH, text)
    assert numerals.english(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("1st", 1), ("third", 3), ("twelfth", 12), ("twenty-first", 21), ("thirtieth", 30), ("22nd", 22)],
)
def test_english_ordinals(text: str, value: int):
    assert re.fullmatch(numerals.ENGLISH_ORDINAL, text)
    assert numerals.english_ordinal(text) == value
