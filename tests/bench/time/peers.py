"""The peers: libraries that read time expressions, each asked through its own front door.

This script runs in an environment of its own, which has these libraries and nothing of ours: see `environment`. Its
argument is the library; it answers lines of JSON on stdin with lines of JSON on stdout, after a first line with the
version. A question has `text`, `whole` (whether the text is the expression itself, or a sentence in which to look for
some), `said` (naive ISO time), `language` (zh or en) and `prefer` (past or future). An answer has `found`, a list of
start, end (in characters), first day and last day (ISO, null where it is open), the milliseconds it took as `ms`, and
what was raised as `error`.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import cache
from importlib.metadata import version
from typing import Any

Found = tuple[int, int, str | None, str | None]


def jionlp(whole: bool, text: str, said: datetime, language: str, prefer: str) -> Iterator[Found]:
    """Ask the parser for an expression, the extractor for a sentence; spans of time alone count, as with all."""
    import jionlp as jio

    if whole:
        try:
            read = [(0, len(text), jio.parse_time(text, time_base=said.timestamp()))]
        except ValueError:  # how it says that it cannot read this
            return
    else:
        found = jio.ner.extract_time(text, time_base=said.timestamp())
        read = [(*each["offset"], each["detail"]) for each in found]
    for start, end, detail in read:
        if detail["type"] in ("time_point", "time_span"):
            # Years have no leading zeros.
            first, last = (None if "inf" in each else datetime.fromisoformat(each.zfill(19)) for each in detail["time"])
            yield start, end, _day(first), _day(last)


def recognizers(whole: bool, text: str, said: datetime, language: str, prefer: str) -> Iterator[Found]:
    """Take dates and ranges of them; an hour alone is of the day it is said on.

    Of two readings of a date it names the past one first.
    """
    for found in _recognizers_model(language).parse(text, said):
        kind = found.type_name.rpartition(".")[2]
        values = [value for value in (found.resolution or {}).get("values", ()) if value.get("value") != "not resolved"]
        if kind in ("duration", "set") or not values:
            continue
        if kind in ("time", "timerange"):
            days = _day(said), _day(said)
        else:
            days = _recognizers_days(values[0 if prefer == "past" else -1])
        yield found.start, found.end + 1, *days


def _recognizers_days(value: dict[str, str]) -> tuple[str | None, str | None]:
    if "value" in value:
        return _day(datetime.fromisoformat(value["value"])), _day(datetime.fromisoformat(value["value"]))
    first, last = (datetime.fromisoformat(value[side]) if side in value else None for side in ("start", "end"))
    if last is not None and last != first:
        last -= timedelta(microseconds=1)
    return _day(first), _day(last)


@cache
def _recognizers_model(language: str) -> Any:
    from recognizers_date_time import Culture, DateTimeRecognizer

    return DateTimeRecognizer({"zh": Culture.Chinese, "en": Culture.English}[language]).get_datetime_model()


def dateparser(whole: bool, text: str, said: datetime, language: str, prefer: str) -> Iterator[Found]:
    """It reads moments: the day of one is its first and its last."""
    import dateparser
    from dateparser.search import search_dates

    options = {"languages": [language], "settings": {"RELATIVE_BASE": said, "PREFER_DATES_FROM": prefer}}
    if whole:
        moment = dateparser.parse(text, **options)
        found = [(text, moment)] if moment else []
    else:
        found = search_dates(text, **options) or []
    begin = 0
    for words, moment in found:
        start = max(text.find(words, begin), 0)
        begin = start + len(words)
        yield start, begin, _day(moment), _day(moment)


def parsedatetime(whole: bool, text: str, said: datetime, language: str, prefer: str) -> Iterator[Found]:
    """It reads moments, and looks for what is to come: there is no setting for the past."""
    if whole:
        moment, context = _parsedatetime_calendar().parseDT(text, said)
        if context.hasDateOrTime:
            yield 0, len(text), _day(moment), _day(moment)
        return
    for moment, _, start, end, _ in _parsedatetime_calendar().nlp(text, said) or ():
        yield start, end, _day(moment), _day(moment)


@cache
def _parsedatetime_calendar() -> Any:
    import parsedatetime

    return parsedatetime.Calendar(version=parsedatetime.VERSION_CONTEXT_STYLE)


def _day(moment: datetime | None) -> str | None:
    return None if moment is None else moment.date().isoformat()


PARSERS: dict[str, tuple[str, Callable[..., Iterator[Found]]]] = {
    "jionlp": ("jionlp", jionlp),
    "recognizers": ("recognizers-text-suite", recognizers),
    "dateparser": ("dateparser", dateparser),
    "parsedatetime": ("parsedatetime", parsedatetime),
}


def main(name: str) -> None:
    """Answer every line of stdin."""
    package, parse = PARSERS[name]
    # The libraries print greetings: these go to stderr, the answers where stdout was.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    print(json.dumps(version(package)), file=answers)
    for line in sys.stdin:
        question = json.loads(line)
        question["said"] = datetime.fromisoformat(question["said"])
        begun = time.perf_counter()
        try:
            found, error = list(parse(**question)), ""
        except Exception as trouble:  # a library that breaks on a text has found nothing in it
            found, error = [], repr(trouble)
        ms = (time.perf_counter() - begun) * 1000
        print(json.dumps({"found": found, "ms": ms, "error": error}), file=answers)
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
