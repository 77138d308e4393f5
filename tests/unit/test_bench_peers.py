"""The bench of the peers: what is ours of it, with small peers in place of the libraries."""

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer
from langchain_core.embeddings import DeterministicFakeEmbedding
from typer.testing import CliRunner

from tests.bench.recall.peers import __main__ as command
from tests.bench.recall.peers import figures, running, stores, vectors
from tests.bench.recall.peers.catalogue import PEERS, SCRIPTS, Environment, Peer

DIMENSION = 384
ANY = Environment("any", ("some==1.0", "more==2.0"), alone=("peer==0.3",))


def row(store: str = "ann", memories: int = 3, **query: Any) -> dict[str, Any]:
    asked = {"qid": f"{store}-q", "question": "Where is the boat?", "asked_at": "2026-05-02T10:00:00"}
    return {
        "set": "harbour",
        "store": store,
        "memories": [
            {"id": f"m{n}", "time": "2026-05-01T10:00:00", "text": f"The boat lies at pier {n}"}
            for n in range(memories)
        ],
        "queries": [{**asked, "evidence": ["m1"], "category": "place", **query}],
    }


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("\n".join(json.dumps(each) for each in rows) + "\n\n", encoding="utf-8")
    return path


class TestStores:
    def test_are_read_and_written_back(self, tmp_path: Path) -> None:
        read = stores.read(written(tmp_path / "stores.jsonl", row("ann"), row("ben", after=2)))

        assert [(each.store, len(each.memories)) for each in read] == [("ann", 3), ("ben", 3)]
        assert read[0].queries[0].evidence == ("m1",)
        assert [each.queries[0].after for each in read] == [None, 2]
        stores.write(tmp_path / "again.jsonl", read)
        assert stores.read(tmp_path / "again.jsonl") == read

    @pytest.mark.parametrize(
        ("second", "said"),
        [
            ({"set": "harbour"}, "line 2: .*store"),
            (row("ben", evidence=["m7"]), "line 2: evidence that is not there when it is needed: m7"),
            (row("ben", after=1), "line 2: evidence that is not there when it is needed: m1"),
            (row("ben", after=0, evidence=[]), "line 2: .*after"),
            ({**row("ben"), "memories": row()["memories"] * 2}, "line 2: a memory twice: m0"),
            (row("ben", qid="ann-q"), "asked twice: harbour ann-q"),
        ],
    )
    def test_that_make_no_sense_are_refused(self, tmp_path: Path, second: dict[str, Any], said: str) -> None:
        with pytest.raises(ValueError, match=f"(?s){said}"):
            stores.read(written(tmp_path / "stores.jsonl", row("ann"), second))

    def test_the_first_of_each_set(self, tmp_path: Path) -> None:
        other = {**row("dan", memories=9), "set": "pier"}
        read = stores.read(written(tmp_path / "s.jsonl", row("ann"), other, row("ben", memories=4), row("cid")))

        assert [each.store for each in stores.first(read, stores_a_set=1)] == ["ann", "dan"]
        assert [each.store for each in stores.first(read, memories_a_set=7)] == ["ann", "dan", "ben"]
        assert stores.first(read) == read


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module the scripts share, which is in no package."""
    spec = importlib.util.spec_from_file_location("harness", SCRIPTS / "harness.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "harness", module)
    spec.loader.exec_module(module)
    yield module


class TestVectors:
    def test_are_read_by_the_scripts(self, tmp_path: Path, harness: ModuleType) -> None:
        read = stores.read(written(tmp_path / "s.jsonl", row("ann", memories=40), row("ben", memories=2)))
        wanted = vectors.texts(read)
        steps: list[tuple[int, int]] = []
        embedder = DeterministicFakeEmbedding(size=DIMENSION)

        vectors.write(tmp_path / "vectors.sqlite", wanted, embedder, lambda *step: steps.append(step))

        assert steps == [(32, 41), (41, 41)]  # the two users say and ask the same
        looked_up = harness.Vectors(tmp_path / "vectors.sqlite")
        for text in ("The boat lies at pier 0", "The boat lies at pier 39"):
            assert looked_up.passage(text) == pytest.approx(embedder.embed_query(text), rel=1e-6)
        assert looked_up.query("Where is the boat?") == pytest.approx(
            embedder.embed_query("Where is the boat?"), rel=1e-6
        )
        with pytest.raises(LookupError, match="no vector of the passage 'Where is the boat"):
            looked_up.passage("Where is the boat?")


class TestHarness:
    def test_a_question_sees_what_was_there(self, harness: ModuleType) -> None:
        early, late = row("ann", after=2), row("ben", after=3)

        happened = [(store, what, each.get("id") or each["qid"]) for store, what, each in harness.events([early, late])]

        assert happened == [
            ("store-0", "add", "m0"),
            ("store-0", "add", "m1"),
            ("store-0", "search", "ann-q"),
            ("store-0", "add", "m2"),
            ("store-1", "add", "m0"),
            ("store-1", "add", "m1"),
            ("store-1", "add", "m2"),
            ("store-1", "search", "ben-q"),
        ]


class TestCommandLines:
    def test_of_making_an_environment(self) -> None:
        python = str(running.python(Path("/e")))
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]

        assert running.making(ANY, Path("/e")) == [
            [sys.executable, "-m", "venv", "--clear", "/e"],
            [*pip, "some==1.0", "more==2.0"],
            [*pip, "--no-deps", "peer==0.3"],
        ]

    def test_of_running_a_peer(self) -> None:
        line = running.running(PEERS["mem0-hybrid"], Path("/e"), *(Path(f"/{each}") for each in ("s", "v", "w", "o")))

        script = str(SCRIPTS / "run_mem0.py")
        expected = [script, "--stores", "/s", "--vectors", "/v", "--folder", "/w", "--out", "/o"]
        assert line == [str(running.python(Path("/e"))), *expected]

    def test_all_packages_are_pinned_and_all_scripts_there(self) -> None:
        for peer in PEERS.values():
            packages = (*peer.environment.packages, *peer.environment.alone)
            assert [each for each in packages if each.count("==") != 1] == []
            assert (SCRIPTS / peer.script).is_file()


SCRIPT = """
import sys
print("a library is imported")
sys.path.insert(0, {scripts!r})
from harness import run

class Newest:
    def __init__(self, folder, vectors):
        self.kept, self.vectors = [], vectors
    def add(self, store, memory):
        self.vectors.passage(memory["text"])
        print("noise of a library")
        self.kept.append((store, memory["id"]))
    def search(self, store, query, limit):
        self.vectors.query(query["question"])
        {search}
        return [name for of, name in reversed(self.kept) if of == store][:limit]
    def close(self):
        self.kept.clear()

run(Newest, "rich")
"""


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """Where the environment `any` is made already; it is the one the tests run in."""
    folder = tmp_path / "bench" / "peers" / ANY.name
    python = running.python(folder)
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    (folder / running.STAMP).write_text("some==1.0\nmore==2.0\npeer==0.3\n", encoding="utf-8")
    return tmp_path / "bench"


def peer(folder: Path, name: str, search: str = "pass", **limits: Any) -> Peer:
    script = folder / f"run_{name}.py"
    script.write_text(SCRIPT.format(scripts=str(SCRIPTS), search=search), encoding="utf-8")
    return Peer(name, ANY, str(script), **limits)


class TestRun:
    def test_goes_on_where_a_peer_fails_and_says_so(
        self, tmp_path: Path, bench: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        broken = peer(tmp_path, "broken", 'raise RuntimeError("the index is gone")')
        monkeypatch.setattr(command, "BENCH", bench)
        for each in (broken, peer(tmp_path, "sound"), peer(tmp_path, "slow", memories_a_set=4)):
            monkeypatch.setitem(PEERS, each.name, each)
        file = written(tmp_path / "s.jsonl", row("ann"), row("ben", after=2), {**row("cid"), "set": "pier"})
        out = tmp_path / "out"
        out.mkdir()
        (out / "broken.json").write_text("rankings of an older run", encoding="utf-8")
        app = typer.Typer()
        app.command()(command.main)

        told = CliRunner().invoke(
            app, ["--stores", str(file), "--out", str(out), "--peers", "broken,sound,slow", "--limit-stores", "2"]
        )

        assert told.exit_code == 1
        said = " ".join(told.output.split())
        assert "broken failed: its script ended with 1: RuntimeError: the index is gone" in said
        assert "slow: 2 of 3 stores, it is slow" in said
        assert "Failed: broken." in said
        assert not (out / "broken.json").exists()
        sound = json.loads((out / "sound.json").read_text(encoding="utf-8"))
        assert sound["rankings"] == {"harbour": {"ann-q": ["m2", "m1", "m0"], "ben-q": ["m1", "m0"]},
                                     "pier": {"cid-q": ["m2", "m1", "m0"]}}  # fmt: skip
        assert sound["stores"] == {"harbour": ["ann", "ben"], "pier": ["cid"]}
        assert set(sound["ms"]["harbour"]) == {"add", "search"}
        assert json.loads((out / "slow.json").read_text(encoding="utf-8"))["stores"]["harbour"] == ["ann"]
        log = (out / "sound.log").read_text(encoding="utf-8")
        assert "a library is imported" in log
        assert "noise of a library" in log

    def test_an_environment_that_cannot_be_made_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder, after = tmp_path / "none", tmp_path / "after"
        steps = (
            f"import os; os.mkdir({str(folder)!r})",
            "raise SystemExit('no such package')",
            f"open({str(after)!r}, 'w')",
        )
        monkeypatch.setattr(running, "making", lambda *of: [[sys.executable, "-c", step] for step in steps])

        with pytest.raises(running.PeerFailed, match="could not be made: no such package"):
            running.make(ANY, folder, tmp_path / "log")
        assert folder.is_dir()
        assert not (folder / running.STAMP).exists()
        assert not after.exists()

    def test_an_environment_that_is_made_is_not_made_again(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = tmp_path / "new"
        monkeypatch.setattr(
            running, "making", lambda *of: [[sys.executable, "-c", f"import os; os.mkdir({str(folder)!r})"]]
        )

        assert [running.make(ANY, folder, tmp_path / "log") for _ in range(2)] == [True, False]


def test_the_table_counts_questions_with_evidence_and_a_ranking(tmp_path: Path) -> None:
    asked = [
        {**row()["queries"][0], "qid": name, "evidence": evidence, "category": category}
        for name, evidence, category in [
            ("first", ["m1"], "temporal"),
            ("sixth", ["m1", "m2"], "temporal"),
            ("apart", ["m1"], "adversarial"),
            ("nothing to find", [], "temporal"),
            ("not asked", ["m1"], "temporal"),
        ]
    ]
    file = written(tmp_path / "s.jsonl", {**row(memories=9), "set": "locomo", "queries": asked})
    told = {
        "version": "1.2",
        "stores": {"locomo": ["ann"]},
        "rankings": {"locomo": {"first": ["m1"], "sixth": ["m3", "m4", "m5", "m6", "m7", "m2"], "apart": [],
                                "nothing to find": ["m1"]}},
        "ms": {"locomo": {"add": 1.25, "search": None}},
    }  # fmt: skip
    (tmp_path / "peer.json").write_text(json.dumps(told), encoding="utf-8")

    (sheet,) = figures.tables({"peer": tmp_path / "peer.json"}, stores.read(file))

    assert sheet.title == "locomo"
    assert list(zip(sheet.heads, sheet.rows[0], strict=True)) == [
        ("peer", "peer"),
        ("version", "1.2"),
        ("stores", "1"),
        ("questions", "2"),
        ("hit@1", "0.500"),
        ("hit@5", "0.500"),
        ("recall@20", "0.750"),
        ("add ms", "1.25"),
        ("search ms", "0.00"),
    ]
