"""The bench of time expressions: what counts as right, what is scored, what is left out."""

import json
import subprocess
import sys
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.bench.time import no_time, ours
from tests.bench.time.__main__ import main
from tests.bench.time.answers import Answer, Found, Outcome, Question, figures, is_right
from tests.bench.time.environment import LANGUAGES, PeersFailed, ask
from tests.bench.time.peers import PARSERS
from tests.bench.time.report import no_time_sheet, sets_sheet
from tests.bench.time.runs import Run, run
from tests.bench.time.sets import SETS, Case, Days, duckling, jionlp, recognizers, span_days

SAID = datetime(2026, 6, 19, 10)  # a Friday
TODAY, TOMORROW = date(2026, 6, 19), date(2026, 6, 20)
ZH, EN = SETS[0], SETS[2]


def case(*right: Days, text: str = "today", **where: Any) -> Case:
    return Case("c", text, SAID, right, **where)


def answer(*found: tuple[int, int, Days], ms: float = 1.0) -> Answer:
    return Answer(tuple(Found(*one) for one in found), ms)


@pytest.mark.parametrize(
    ("start", "end", "last"),
    [
        ("2026-06-19", "2026-06-20", TODAY),
        ("2026-06-19T22:00", "2026-06-20T00:00", TODAY),
        ("2026-06-19T22:00", "2026-06-20T06:00", TOMORROW),
        ("2026-06-19T22:00", "2026-06-19T22:00", TODAY),
        ("2026-06-19", "2026-06-19", TODAY),
    ],
)
def test_a_span_has_the_days_it_touches(start: str, end: str, last: date) -> None:
    assert span_days(datetime.fromisoformat(start), datetime.fromisoformat(end)) == Days(TODAY, last)


def one_of_jionlp(**fields: Any) -> list[Case]:
    row = {"id": "j", "text": "这周末", "ref": "2026-06-19T10:00:00", "type": "time_span"}
    return list(jionlp({**row, "time": ["2026-06-20 00:00:00", "2026-06-21 23:59:59"], **fields}))


def test_the_end_of_jionlp_is_included_and_may_be_open() -> None:
    assert one_of_jionlp() == [Case("j", "这周末", SAID, (Days(TOMORROW, date(2026, 6, 21)),))]
    assert one_of_jionlp(time=["2026-06-20 08:00:00", "inf"])[0].right == (Days(TOMORROW, None),)
    assert one_of_jionlp(time=["-inf", "2026-06-19 23:59:59"])[0].right == (Days(None, TODAY),)


@pytest.mark.parametrize(
    "fields",
    [{"type": "time_delta", "time": {"day": 2.0}}, {"type": "time_period"}, {"ref": None},
     {"ref": "2026-06-19T10:00:00.250"}],
)  # fmt: skip
def test_jionlp_rows_without_a_time_or_a_reference_are_left_out(fields: dict[str, Any]) -> None:
    assert one_of_jionlp(**fields) == []


@pytest.mark.parametrize(
    ("grain", "value", "last"),
    [
        ("minute", "2026-06-19T23:59:00", TODAY),
        ("hour", "2026-06-19T23:00:00", TODAY),
        ("day", "2026-06-19T00:00:00", TODAY),
        ("week", "2026-06-15T00:00:00", date(2026, 6, 21)),
        ("month", "2028-02-01T00:00:00", date(2028, 2, 29)),
        ("quarter", "2026-10-01T00:00:00", date(2026, 12, 31)),
        ("year", "2026-01-01T00:00:00", date(2026, 12, 31)),
    ],
)
def test_a_point_of_duckling_lasts_as_long_as_its_grain(grain: str, value: str, last: date) -> None:
    row = {"id": "d", "text": "x", "ref": "2026-06-19T10:00:00", "kind": "datetime", "value": value, "grain": grain}
    assert [each.right for each in duckling(row)] == [(Days(date.fromisoformat(value[:10]), last),)]


@pytest.mark.parametrize(
    ("fields", "days"),
    [
        ({"kind": "datetimeInterval", "end_exclusive": "2026-06-21T00:00:00"}, Days(TODAY, TOMORROW)),
        ({"kind": "datetimeInterval", "end_exclusive": "2026-06-20T04:00:00"}, Days(TODAY, TOMORROW)),
        ({"kind": "datetimeOpenInterval", "direction": "after"}, Days(TODAY, None)),
        ({"kind": "datetimeOpenInterval", "direction": "before"}, Days(None, date(2026, 6, 18))),
    ],
)
def test_intervals_of_duckling_end_before_their_end_or_are_open(fields: dict[str, Any], days: Days) -> None:
    row = {"id": "d", "text": "x", "ref": "2026-06-19T10:00:00", "value": "2026-06-19T00:00:00", "grain": "day"}
    assert [each.right for each in duckling({**row, **fields})] == [(days,)]


def one_of_recognizers(kind: str, *values: dict[str, str], text: str = "On Friday") -> list[Case]:
    place = {"text": text.lower(), "start": 8, "end": 7 + len(text)}
    found = {**place, "type": kind, "values": [{"type": kind, **value} for value in values]}
    return list(recognizers({"id": "r", "text": f"See you {text}", "ref": SAID.isoformat(), "expressions": [found]}))


def test_every_reading_of_recognizers_counts() -> None:
    (read,) = one_of_recognizers("date", {"value": "2026-06-12"}, {"value": "2026-06-19"})

    assert (read.id, read.text, read.sentence[read.start : read.end]) == ("r.0", "On Friday", "On Friday")
    assert read.right == (Days(date(2026, 6, 12), date(2026, 6, 12)), Days(TODAY, TODAY))
    assert is_right(Days(TODAY, TODAY), read)
    assert not is_right(Days(date(2026, 6, 12), TODAY), read)


def test_ranges_of_recognizers_end_before_their_end() -> None:
    (days,) = one_of_recognizers("daterange", {"start": "2026-06-19", "end": "2026-06-21"})
    (night,) = one_of_recognizers("datetimerange", {"start": "2026-06-19 20:00:00", "end": "2026-06-20 00:00:00"})
    (moment,) = one_of_recognizers("datetime", {"value": "2026-06-19 20:00:00"})

    assert (days.right, night.right) == ((Days(TODAY, TOMORROW),), (Days(TODAY, TODAY),))
    assert moment.right == (Days(TODAY, TODAY),)


@pytest.mark.parametrize(
    ("text", "end", "right", "inclusive"),
    [
        ("June 19 to 22", "2026-06-22", date(2026, 6, 21), [date(2026, 6, 22)]),
        ("June 19 until August", "2026-08-01", date(2026, 7, 31), [date(2026, 8, 1), date(2026, 8, 31)]),
        ("19日至2027年", "2027-01-01", date(2026, 12, 31),
         [date(2027, 1, 1), date(2027, 1, 31), date(2027, 3, 31), date(2027, 12, 31)]),
        ("the next three days", "2026-06-22", date(2026, 6, 21), []),
    ],
)  # fmt: skip
def test_a_range_may_include_its_end(text: str, end: str, right: date, inclusive: list[date]) -> None:
    (read,) = one_of_recognizers("daterange", {"start": "2026-06-19", "end": end}, text=text)
    assert (read.right, read.inclusive) == ((Days(TODAY, right),), tuple(Days(TODAY, last) for last in inclusive))


def test_a_range_with_its_end_is_told_apart() -> None:
    ranged = case(Days(TODAY, TODAY), inclusive=(Days(TODAY, TOMORROW),))
    rows = [Outcome(ranged, answer((0, 5, Days(TODAY, last)))) for last in (TODAY, TOMORROW, date(2026, 6, 21), None)]
    found = figures(rows)
    assert (found[""], found[".inclusive"]) == (0.25, 0.5)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("time", {"value": "20:00:00"}),
        ("duration", {"value": "172800"}),
        ("set", {"value": "not resolved"}),
        ("daterange", {"value": "not resolved"}),
        ("daterange", {"start": "2026-06-19", "Mod": "since"}),
        ("daterange", {"start": "2026-06-19", "end": "2026-06-20", "Mod": "mid"}),
    ],
)
def test_what_names_no_date_or_leaves_it_open_is_left_out(kind: str, value: dict[str, str]) -> None:
    assert one_of_recognizers(kind, value) == []


def test_the_longest_time_of_an_expression_is_its_answer() -> None:
    assert answer((0, 5, Days(TODAY, TODAY)), (6, 20, Days(TOMORROW, TOMORROW))).days == Days(TOMORROW, TOMORROW)
    assert answer().days is None


def test_start_and_end_are_scored_apart() -> None:
    gold = Days(TODAY, TOMORROW)
    rows = [
        Outcome(case(gold), answer((0, 5, gold), ms=1)),
        Outcome(case(gold), answer((0, 5, Days(TODAY, TODAY)), ms=2)),
        Outcome(case(gold), answer((0, 5, Days(TODAY, None)), ms=3)),
        Outcome(case(gold), answer(ms=40)),
    ]
    assert figures(rows) == {"": 0.25, ".start": 0.75, ".parsed": 0.75, ".ms": 2.5}


def test_a_side_that_is_open_is_not_looked_at_but_something_must_be_found() -> None:
    since = case(Days(TODAY, None))
    assert Outcome(since, answer((0, 5, Days(TODAY, TOMORROW)))).right
    assert not Outcome(since, answer((0, 5, Days(TOMORROW, None)))).right
    assert not Outcome(since, answer()).right


def test_a_time_elsewhere_in_the_sentence_does_not_count() -> None:
    gold = Days(TODAY, TODAY)
    placed = case(gold, sentence="today, not today", start=11, end=16)
    there, elsewhere = answer((11, 16, gold)), answer((0, 5, gold))

    rows = [Outcome(placed, there, there), Outcome(placed, there, elsewhere)]
    assert [row.sentence_right for row in rows] == [True, False]
    assert figures(rows)[".sentence"] == 0.5


def test_a_run_asks_only_what_a_parser_reads_and_keeps_answers_with_their_cases() -> None:
    days = Days(TODAY, TODAY)
    sets = {ZH: [case(days, text="今天")], EN: [case(days, text="today", sentence="not today", start=4, end=9)]}

    def echo(questions: Sequence[Question]) -> list[Answer]:
        assert {question.language for question in questions} == {"en"}
        return [answer((0, len(question.text), days), ms=len(question.text)) for question in questions]

    found = run("echo", ("en",), sets, echo)

    (outcome,) = found.outcomes[EN]
    assert (outcome.alone.ms, outcome.sentence and outcome.sentence.ms) == (len("today"), len("not today"))
    assert [line.language for line, _ in found.lines] == ["en"] * 100
    assert all(answer.ms == len(line.text) for line, answer in found.lines)
    assert found.figures() == {
        "duckling_en.echo": 1.0,
        "duckling_en.echo.start": 1.0,
        "duckling_en.echo.parsed": 1.0,
        "duckling_en.echo.sentence": 1.0,
        "duckling_en.echo.ms": 5,
        "no_time_en.echo": 1.0,
    }


def test_what_went_wrong_is_told_with_what_is_right() -> None:
    wrong = Outcome(case(Days(TODAY, TODAY)), answer((0, 5, Days(TODAY, TOMORROW))))
    right = Outcome(case(Days(TODAY, TODAY)), answer((0, 5, Days(TODAY, TODAY))))
    line = no_time.Line("iPhone 15", "en")
    told = [
        json.loads(row)
        for row in Run("ours", {EN: [right, wrong]}, [(line, answer((7, 9, Days(TODAY, TODAY))))]).wrong()
    ]

    assert [(row["set"], row["text"], row["got"]) for row in told] == [
        ("duckling_en", "today", [["2026-06-19", "2026-06-20"]]),
        ("no_time_en", "iPhone 15", ["15"]),
    ]
    assert told[0]["right"] == [["2026-06-19", "2026-06-19"]]


def test_ours_reads_day_exact_and_open_ends() -> None:
    asked = [Question(text, True, SAID, "en", "past") for text in ("yesterday", "last week", "since May", "nothing")]
    assert [each.days for each in ours.ask(asked)] == [
        Days(date(2026, 6, 18), date(2026, 6, 18)),
        Days(date(2026, 6, 8), date(2026, 6, 14)),
        Days(date(2026, 5, 1), None),
        None,
    ]


def test_of_a_set_that_leans_to_either_side_either_answer_counts() -> None:
    days = {"future": Days(TOMORROW, TOMORROW), "past": Days(TODAY, TODAY)}
    asked = []

    def lean(questions: Sequence[Question]) -> list[Answer]:
        asked.extend(question.prefer for question in questions if question.whole)
        return [answer((0, 1, days[question.prefer])) for question in questions]

    sets = {ZH: [case(days["past"], text="今天"), case(days["future"]), case(Days(TODAY, TOMORROW))]}
    (first, second, neither) = run("lean", ("zh",), sets, lean).outcomes[ZH]
    assert asked == ["future", "past"] * 3
    assert [outcome.right for outcome in (first, second, neither)] == [True, True, False]
    assert first.readings == [days["future"], days["past"]]
    assert neither.start_right
    assert not Outcome(case(days["past"]), answer((0, 1, days["future"]))).right


@pytest.mark.parametrize(
    ("text", "time", "right"),
    [
        ("年底前", ("2026-06-19 10:00:00", "2026-12-31 23:59:59"), Days(None, date(2026, 12, 31))),
        ("明年6月之前", ("2026-06-19 10:00:00", "2027-06-30 23:59:59"), Days(None, date(2027, 6, 30))),
        ("从今年五月起", ("2026-05-01 00:00:00", "2026-06-19 10:00:00"), Days(date(2026, 5, 1), None)),
        (
            "自2026-06-10起至2026-06-19止",
            ("2026-06-10 00:00:00", "2026-06-19 23:59:59"),
            Days(date(2026, 6, 10), TODAY),
        ),
        ("三天前", ("2026-06-19 00:00:00", "2026-06-20 00:00:00"), Days(TODAY, TOMORROW)),
        ("今天和明天", ("2026-06-19 00:00:00", "2026-06-20 00:00:00"), Days(TODAY, TOMORROW)),
    ],
)
def test_the_side_that_jionlp_closes_with_the_day_of_reference_is_open(
    text: str, time: tuple[str, str], right: Days
) -> None:
    assert one_of_jionlp(text=text, time=time)[0].right == (right,)


def test_the_tables_compare_ours_with_each_peer() -> None:
    right = Outcome(case(Days(TODAY, TODAY)), answer((0, 5, Days(TODAY, TODAY))))
    missed = Outcome(case(Days(TODAY, TODAY)), answer())
    lines = [(no_time.Line("iPhone 15", "en"), answer())]
    own, peer = Run("ours", {EN: [right, right]}, lines), Run("peer", {EN: [right, missed]}, lines)

    assert [(row[0], row[1], row[2], row[3], row[-1]) for row in sets_sheet(own, [peer]).rows] == [
        ("duckling_en", "ours", "2", "1.000", "1.00"),
        ("duckling_en", "peer", "2", "0.500", "2.00"),
    ]
    assert no_time_sheet([own, peer]).rows == [["ours", "", "0.000", ""], ["peer", "", "0.000", ""]]


def test_the_lines_without_a_time_are_half_chinese_and_none_twice() -> None:
    texts = [line.text for line in no_time.lines()]
    assert len(texts) == len(set(texts)) == 200
    assert sum(line.language == "zh" for line in no_time.lines()) == 100


def test_every_peer_has_its_languages() -> None:
    assert LANGUAGES.keys() == PARSERS.keys()


def test_the_script_of_the_peers_imports_nothing_of_ours() -> None:
    script = Path(ours.__file__).with_name("peers.py")
    ours_too = "[name for name in sys.modules if name in ('tests', 'nodes')]"
    code = f"import runpy, sys; runpy.run_path({str(script)!r}); print({ours_too})"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_peers_that_do_not_run_are_told(tmp_path: Path) -> None:
    with pytest.raises(PeersFailed, match="PackageNotFoundError"):
        ask(Path(sys.executable), "jionlp", [Question("今天", True, SAID, "zh", "past")])


def test_the_command_writes_figures_tables_and_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"id": "1", "text": "yesterday", "value": "2026-06-18T00:00:00"},
        {"id": "2", "text": "tomorrow", "value": "2026-06-18T00:00:00"},
    ]
    folder = tmp_path / "data" / "timex_duckling_en"
    folder.mkdir(parents=True)
    lines = [json.dumps({**row, "ref": SAID.isoformat(), "kind": "datetime", "grain": "day"}) for row in rows]
    (folder / "cases.jsonl").write_text("\n".join(lines))
    page, out, errors = tmp_path / "page.md", tmp_path / "made" / "time.json", tmp_path / "errors.jsonl"
    page.write_text("before\n<!-- bench: time -->\nold\n<!-- /bench: time -->\nafter\n")

    main(data=tmp_path / "data", peers=False, errors=errors, page=page, out=out)

    told = json.loads(out.read_text())
    assert (told["duckling_en.ours"], told["duckling_en.ours.parsed"]) == (0.5, 1)
    assert (told["size.duckling_en"], told["size.no_time"]) == (2, 200)
    assert "no_time.ours" in told
    assert not any(name.startswith("jionlp_zh") for name in told)
    wrong = [json.loads(line) for line in errors.read_text().splitlines()]
    assert [(row["id"], row["got"]) for row in wrong if row["set"] == "duckling_en"] == [("2", [["2026-06-20"] * 2])]
    assert page.read_text().startswith("before\n<!-- bench: time -->\nMade ")
    assert "| duckling_en | ours | 2 | 0.500 |" in page.read_text()
    assert page.read_text().endswith("<!-- /bench: time -->\nafter\n")
    assert "jionlp_zh: left out" in capsys.readouterr().out
