"""`loci disputes`: both sides, and how a dispute ends."""

import json

import pytest
from starlette.responses import JSONResponse

from tests.unit.cli.standin import FESTIVAL_MS, Run, StandIn, memory

DISPUTED = memory(1, "住在北京", status="disputed", opposes=[memory(77)["memory_id"]])


def test_are_listed_with_both_sides_and_when_they_were_asked_about(run: Run, endpoint: StandIn) -> None:
    endpoint.memories = [DISPUTED]
    assert run("disputes", "list").out.splitlines() == [
        "aaaa0001\tnew\t2026-06-19 Fri\tnot yet\t住在北京",
        "aaaa0077\tagainst\t2026-06-19 Fri\t\t住在上海",
    ]
    endpoint.raised_ms = FESTIVAL_MS + 86_400_000
    assert run("disputes", "list").out.startswith("aaaa0001\tnew\t2026-06-19 Fri\t2026-06-20 Sat\t住在北京\n")
    assert json.loads(run("disputes", "list", "--json").out)[0]["against"][0]["text"] == "住在上海"


def test_that_there_are_none_is_said(run: Run) -> None:
    assert (run("disputes", "list").out, run("disputes", "list").err) == ("", "no open disputes\n")


def test_one_is_shown_with_the_receipts_of_both_sides(run: Run, endpoint: StandIn) -> None:
    endpoint.memories = [DISPUTED]
    result = run("disputes", "show", "aaaa0001")
    new, old = result.out.split("\nagainst\n")
    assert new.startswith("new, and held back (you were not asked about it yet)\nmemory      aaaa0001-0000")
    assert "opposes     aaaa0077 active, said 2026-06-19 Fri: 住在上海" in new
    assert "verdict     new, supported, confidence 0.90: said so" in new
    assert old.startswith("memory      aaaa0077-0000")
    assert "opposed by  aaaa0001 disputed, said 2026-06-19 Fri: 住在北京" in old
    assert "verdict     none yet" in old
    assert result.err == "To settle it: loci disputes keep-new aaaa0001 (or keep-old, keep-both)\n"
    endpoint.raised_ms = FESTIVAL_MS
    asked = run("disputes", "show", "aaaa0001").out.splitlines()[0]
    assert asked == "new, and held back (you were asked on 2026-06-19 Fri 12:30 +08:00)"
    assert json.loads(run("disputes", "show", "aaaa0001", "--json").out)["raised_ms"] == FESTIVAL_MS


@pytest.mark.parametrize(
    ("command", "resolution", "new", "old"),
    [
        ("keep-new", "keep_new", "active", "superseded"),
        ("keep-old", "keep_old", "rejected", "active"),
        ("keep-both", "keep_both", "active", "active"),
    ],
)
def test_one_ends_as_the_user_says(
    run: Run, endpoint: StandIn, command: str, resolution: str, new: str, old: str
) -> None:
    successor = memory(1)["memory_id"] if old == "superseded" else None
    endpoint.memories = [DISPUTED]
    sides = [memory(1, "住在北京", status=new), memory(77, "住在上海", status=old, superseded_by=successor)]
    changed = 2 if old == "superseded" else 1
    endpoint.done = {"changed": sides[:changed], "kept": sides[changed:], "indexed": True}
    result = run("disputes", command, "AAAA0001")
    assert (result.code, result.err) == (0, "")
    assert [each.split(" (")[0] for each in result.out.splitlines()] == [f"{new}: 住在北京", f"{old}: 住在上海"]
    path = f"/loci/disputes/{DISPUTED['memory_id']}"
    assert endpoint.asked[-1] == ("POST", path, {"resolution": resolution})
    assert json.loads(run("disputes", command, "aaaa0001", "--json").out) == endpoint.done


def test_what_is_no_dispute_is_neither_shown_nor_ended(run: Run, endpoint: StandIn) -> None:
    endpoint.memories = [memory(1)]
    shown = run("disputes", "show", "aaaa0001")
    assert (shown.code, shown.err) == (1, f"Error: There is no open dispute {memory(1)['memory_id']}.\n")
    problem = {"title": "DecisionRefused", "status": 409, "detail": "Memory aaaa0001 is active."}
    endpoint.done = JSONResponse(problem, status_code=409, media_type="application/problem+json")
    ended = run("disputes", "keep-both", "aaaa0001")
    assert (ended.code, ended.out, ended.err) == (1, "", "Error: Memory aaaa0001 is active.\n")
    assert run("disputes", "keep-new", "bbbbbbbb").err == "Error: There is no memory bbbbbbbb.\n"
    assert run("disputes", "keep-new", "aaa").err.startswith("Error: 'aaa' is no memory id")
