"""`loci memories`: what is shown of memories, and what the user decides about them."""

import json
import os
from pathlib import Path

import pytest
from starlette.responses import JSONResponse

from graph.cli.detail import marked
from tests.terminal import terminal
from tests.unit.cli.standin import FESTIVAL_MS, SESSION, ZONE, Run, StandIn, detail, memory


class TestMemories:
    def test_lists_a_line_each_in_a_pipe(self, run: Run, endpoint: StandIn) -> None:
        provisional = {**memory(1)["receipt"], "provisional": True}
        endpoint.memories = [
            memory(1, receipt=provisional),
            memory(2, "likes\n[red]tea", status="pending", receipt=None),
        ]
        result = run("memories", "list")
        assert result.out.splitlines() == [
            "aaaa0001\tactive*\tevent\t2026-06-19 Fri\t用户在老正兴请了客户",
            "aaaa0002\tpending\tevent\t2026-06-19 Fri\tlikes [red]tea",
        ]
        assert (result.code, result.err) == (0, "")

    def test_says_how_many_are_not_shown(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(number) for number in range(3)]
        assert run("memories", "list", "--limit", "2").err == "2 of 3 memories\n"
        assert run("memories", "list", "--status", "rejected").err == "no memories\n"

    def test_prints_json_for_scripts(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1)]
        assert json.loads(run("memories", "list", "--json").out) == {"memories": [memory(1)], "total": 1}
        assert json.loads(run("memories", "search", "客户", "--json").out) == [memory(1)]
        assert json.loads(run("memories", "show", "aaaa0001", "--json").out)["memory"] == memory(1)
        assert "客户" in run("memories", "list", "--json").out

    @pytest.mark.parametrize(("citations", "told"), [(0, "never"), (1, "once"), (2, "2 times")])
    def test_says_how_often_a_memory_was_cited(self, run: Run, endpoint: StandIn, citations: int, told: str) -> None:
        endpoint.memories = [memory(1, citations=citations)]
        assert f"cited       {told}\n" in run("memories", "show", "aaaa0001").out

    def test_searches(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1)]
        assert run("memories", "search", "在哪里吃饭", "--limit", "3").out.startswith("aaaa0001\t")
        assert endpoint.sent("/search") == {"query": "在哪里吃饭", "limit": "3"}

    @pytest.mark.parametrize(
        ("times", "shown"),
        [
            ({"event_start_ms": None, "event_end_ms": FESTIVAL_MS + 1}, "by 2026-06-19 Fri"),
            ({"event_start_ms": FESTIVAL_MS, "event_end_ms": None}, "from 2026-06-19 Fri"),
        ],
    )
    def test_shows_a_deadline_and_a_beginning(
        self, run: Run, endpoint: StandIn, times: dict[str, int | None], shown: str
    ) -> None:
        endpoint.memories = [memory(1, **times)]
        assert f"happens     {shown}\n" in run("memories", "show", "aaaa00").out

    def test_shows_why_a_memory_is_believed(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1)]
        shown = dict(each.split(maxsplit=1) for each in run("memories", "show", "aaaa00").out.splitlines())
        assert shown["said"] == "2026-06-19 Fri 12:30 +08:00"
        assert shown["happens"] == "2026-06-19 Fri"
        assert shown["verdict"] == "new, supported, confidence 0.90: said so"
        assert (shown["verifier"], shown["prompt"]) == ("Qwen/Qwen3-8B", "1a2b3c")
        assert shown["compared"] == "aaaa0002 (forgotten since)"
        assert shown["source"] == f"2026-06-19 Fri 12:30 +08:00 session {SESSION} turn turn-1"
        assert (shown["span"], shown["in"]) == ("在老正兴请客户", "我端午节**在老正兴请客户**吃饭")
        assert shown["holds"] == "from 2026-06-19 Fri 12:30 +08:00"
        assert shown["history"] == "2026-06-19 Fri 12:30 +08:00 gate: nothing -> active, new"

    def test_shows_what_a_memory_was_compared_with_replaced_and_contradicts(self, run: Run, endpoint: StandIn) -> None:
        provisional = {**memory(1)["receipt"], "verifier": "offline", "provisional": True, "prompt_hash": ""}
        shown = memory(1, status="superseded", superseded_by=memory(3)["memory_id"], valid_to_ms=FESTIVAL_MS)
        shown["receipt"] = provisional
        endpoint.memories = [shown]
        endpoint.details[shown["memory_id"]] = detail(
            shown,
            compared=[memory(2, "住在北京")],
            replaced=[memory(4, "住在西安", status="superseded", superseded_by=shown["memory_id"])],
            replaced_by=memory(3, "住在上海"),
            opposed_by=[memory(5, "不住在上海", status="disputed")],
        )
        lines = run("memories", "show", "aaaa0001").out.splitlines()
        assert [each for each in lines if each.startswith(("status", "compared", "replaced", "opposed", "veri"))] == [
            "status      superseded, provisional",
            "replaced    aaaa0004 superseded, said 2026-06-19 Fri: 住在西安",
            "replaced by aaaa0003 active, said 2026-06-19 Fri: 住在上海",
            "opposed by  aaaa0005 disputed, said 2026-06-19 Fri: 不住在上海",
            "verifier    offline, provisional: judged again once Qwen is there",
            "compared    aaaa0002 active, said 2026-06-19 Fri: 住在北京",
        ]
        assert "holds       from 2026-06-19 Fri 12:30 +08:00 until 2026-06-19 Fri 12:30 +08:00" in lines

    def test_a_memory_without_a_verdict_or_a_turn_says_so(self, run: Run, endpoint: StandIn) -> None:
        waits = memory(1, status="pending", receipt=None)
        endpoint.memories = [waits]
        endpoint.details[waits["memory_id"]] = detail(
            waits, sources=[{"turn_id": "turn-1", "span": "在老正兴", "turn": None}]
        )
        lines = run("memories", "show", "aaaa0001").out.splitlines()
        assert "verdict     none yet" in lines
        assert lines[-3:-1] == ["source      turn turn-1", "span        在老正兴"]

    def test_a_prefix_must_fit_one_memory(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1), memory(12)]
        several = run("memories", "show", "aaaa00")
        assert several.code == 1
        assert several.err.startswith("Error: aaaa00 fits 2 memories: aaaa0001-")
        assert run("memories", "show", "bbbbbbbb").err == "Error: There is no memory bbbbbbbb.\n"
        assert run("memories", "show", "aaa").err.startswith("Error: 'aaa' is no memory id")
        assert run("memories", "show", "../health").code == 1

    def test_a_prefix_is_looked_for_on_all_pages_and_in_all_statuses(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [*(memory(number) for number in range(510)), memory(9999, status="rejected")]
        assert "aaaa9999-0000" in run("memories", "show", "AAAA9999").out

    def test_forgets_on_a_yes(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1), memory(2)]
        result = run("memories", "forget", "aaaa0001", "--yes")
        assert result.err == f"forgotten: {memory(1)['memory_id']}, its point in the index will follow\n"
        assert [each["memory_id"] for each in endpoint.memories] == [memory(2)["memory_id"]]

    def test_forgets_nothing_unasked(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1)]
        result = run("memories", "forget", "aaaa0001", stdin=b"y\n")
        assert (result.code, len(endpoint.memories)) == (1, 1)
        assert "say --yes" in result.err


class TestDecisions:
    def test_confirming_says_what_became_of_what(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1, status="pending")]
        endpoint.done = {"changed": [memory(1)], "indexed": True}
        result = run("memories", "confirm", "aaaa0001")
        assert (result.code, result.err) == (0, "")
        assert result.out == "active: 用户在老正兴请了客户 (aaaa0001)\n"
        assert endpoint.asked[-1][:2] == ("POST", f"/loci/memories/{memory(1)['memory_id']}/confirm")
        assert json.loads(run("memories", "confirm", "aaaa0001", "--json").out) == endpoint.done

    def test_confirming_what_contradicts_leads_to_a_dispute(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1, status="pending")]
        endpoint.done = {"changed": [memory(1, status="disputed")], "indexed": True}
        result = run("memories", "confirm", "aaaa0001")
        assert result.out.startswith("disputed: ")
        assert result.err == (
            "Another memory stands in its place. "
            "To settle it: loci disputes keep-new aaaa0001 (or keep-old, keep-both)\n"
        )

    def test_rejecting_shows_what_comes_back_and_an_index_that_lags(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1)]
        endpoint.done = {"changed": [memory(1, status="rejected"), memory(2, "住在北京")], "indexed": False}
        result = run("memories", "reject", "aaaa0001")
        assert result.out.splitlines() == [
            "rejected: 用户在老正兴请了客户 (aaaa0001): said so",
            "active: 住在北京 (aaaa0002)",
        ]
        assert result.err.startswith("Qdrant does not answer: ")
        assert endpoint.sent("/reject") == {}

    @pytest.mark.parametrize("command", ["confirm", "reject"])
    def test_a_decision_that_is_refused_is_one_sentence(self, run: Run, endpoint: StandIn, command: str) -> None:
        endpoint.memories = [memory(1, status="superseded")]
        problem = {"title": "DecisionRefused", "status": 409, "detail": "Memory aaaa0001 is superseded."}
        endpoint.done = JSONResponse(problem, status_code=409, media_type="application/problem+json")
        result = run("memories", command, "aaaa0001")
        assert (result.code, result.out, result.err) == (1, "", "Error: Memory aaaa0001 is superseded.\n")

    @pytest.mark.parametrize("command", [("confirm",), ("reject",), ("edit", "text")])
    def test_nothing_is_decided_about_what_is_not_there(
        self, run: Run, endpoint: StandIn, command: tuple[str, ...]
    ) -> None:
        name, *text = command
        result = run("memories", name, "bbbbbbbb", *text)
        assert (result.code, result.err) == (1, "Error: There is no memory bbbbbbbb.\n")
        assert {method for method, _, _ in endpoint.asked} == {"GET"}


class TestEdit:
    @pytest.fixture(autouse=True)
    def edited(self, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1)]
        endpoint.done = {
            "memory": memory(2, "用户在鼎泰丰请了客户"),
            "before": memory(1, status="superseded", superseded_by=memory(2)["memory_id"]),
            "degraded": [],
        }

    def test_says_what_became_of_both(self, run: Run, endpoint: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LOCI_TIME_ZONE", ZONE)
        result = run("memories", "edit", "aaaa0001", " 用户在鼎泰丰请了客户 ")
        assert result.out.splitlines() == [
            "active: 用户在鼎泰丰请了客户 (aaaa0002)",
            "superseded: 用户在老正兴请了客户 (aaaa0001)",
        ]
        assert endpoint.asked[-1] == (
            "PATCH",
            f"/loci/memories/{memory(1)['memory_id']}",
            {"text": "用户在鼎泰丰请了客户", "time_zone": ZONE},
        )
        assert json.loads(run("memories", "edit", "aaaa0001", "x", "--json").out) == endpoint.done

    def test_reads_a_pipe(self, run: Run, endpoint: StandIn) -> None:
        assert run("memories", "edit", "aaaa0001", stdin="用户在外婆家请了客户\n".encode()).code == 0
        assert endpoint.asked[-1][2]["text"] == "用户在外婆家请了客户"

    @pytest.mark.parametrize("text", [("",), (" \n",), ()])
    def test_an_empty_text_is_an_error(self, run: Run, endpoint: StandIn, text: tuple[str, ...]) -> None:
        result = run("memories", "edit", "aaaa0001", *text)
        assert (result.code, result.err) == (1, "Error: There is nothing to send: the text is empty.\n")
        assert {method for method, _, _ in endpoint.asked} == {"GET"}

    def test_what_waits_or_is_refused_is_told_with_its_reason(self, run: Run, endpoint: StandIn) -> None:
        waits = memory(2, "住在巴黎", status="pending")
        endpoint.done = {"memory": waits, "before": memory(1), "degraded": ["verifier"]}
        result = run("memories", "edit", "aaaa0001", "住在巴黎")
        assert result.out.splitlines() == [
            "pending: 住在巴黎 (aaaa0002): said so",
            "active: 用户在老正兴请了客户 (aaaa0001)",
        ]
        assert result.err.startswith("The verifier does not answer")

    def test_a_correction_that_is_disputed_tells_how_to_settle_it(self, run: Run, endpoint: StandIn) -> None:
        endpoint.done = {"memory": memory(2, status="disputed"), "before": memory(1), "degraded": []}
        assert run("memories", "edit", "aaaa0001", "x").err.endswith(
            "To settle it: loci disputes keep-new aaaa0002 (or keep-old, keep-both)\n"
        )

    def test_a_correction_that_could_not_be_judged_is_kept(self, run: Run, endpoint: StandIn) -> None:
        endpoint.done = {"memory": None, "before": memory(1), "degraded": ["postgres"]}
        result = run("memories", "edit", "aaaa0001", "x")
        assert result.out == "active: 用户在老正兴请了客户 (aaaa0001)\n"
        assert result.err.startswith("Your correction is kept, and is judged later.\n")

    def test_a_terminal_gets_an_editor(self, endpoint: StandIn, tmp_path: Path) -> None:
        editor = tmp_path / "editor"
        editor.write_text('#!/bin/sh\nsed -i "s/老正兴/鼎泰丰/" "$1"\ntouch -d "1 hour ago" "$1"\n')
        editor.chmod(0o755)
        env = {**os.environ, "VISUAL": "", "EDITOR": str(editor)}
        with terminal("memories", "edit", "aaaa0001", env=env) as screen:
            screen.until("active: 用户在鼎泰丰请了客户 (aaaa0002)")
            assert screen.process.wait(10) == 0
        assert endpoint.asked[-1][2]["text"] == "用户在鼎泰丰请了客户"

    @pytest.mark.parametrize(
        ("editor", "said"),
        [("true", "Nothing is changed"), ("false", "Editing failed"), ("/nowhere/editor", "on the command line")],
    )
    def test_an_editor_that_changes_nothing_changes_nothing(self, endpoint: StandIn, editor: str, said: str) -> None:
        env = {**os.environ, "VISUAL": "", "EDITOR": editor}
        with terminal("memories", "edit", "aaaa0001", env=env) as screen:
            screen.until(said)
            assert screen.process.wait(10) == 1
        assert {method for method, _, _ in endpoint.asked} == {"GET"}

    def test_no_editor_opens_for_what_cannot_be_corrected(self, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1, status="pending")]
        with terminal("memories", "edit", "aaaa0001", env={**os.environ, "EDITOR": "false"}) as screen:
            screen.until("Only an active memory can be corrected, and this one is pending.")
            assert screen.process.wait(10) == 1


def test_the_words_of_a_memory_are_marked_in_what_was_said() -> None:
    assert marked("我住在北京了", "住在北京") == ("我", "住在北京", "了")
    assert marked("I live in Ｏｓｌｏ now", "live in oslo") == ("I ", "live in Ｏｓｌｏ", " now")
    assert marked("I live in Oslo", "Paris") == ("I live in Oslo", "", "")
    assert marked("I live in Oslo", "") == ("I live in Oslo", "", "")


def test_a_terminal_shows_a_receipt_with_the_words_underlined(endpoint: StandIn) -> None:
    endpoint.memories = [memory(1)]
    with terminal("memories", "show", "aaaa0001") as screen:
        screen.until("我端午节\x1b[1;4m在老正兴请客户\x1b[0m吃饭")
        assert screen.process.wait(10) == 0
