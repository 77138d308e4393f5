"""The house itself: what is drawn, what is packaged, what an import may do."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from syrupy.assertion import SnapshotAssertion

from graph.assistant import build_assistant
from graph.curator import build_curator
from graph.drawing import drawing, insert
from graph.services import Services
from state import records, schema
from state.settings import Settings

ROOT = Path(__file__).parents[2]
HOUSE = ("graph", "nodes", "state")


@pytest.fixture(scope="module")
def services() -> Services:
    return Services(Settings(_env_file=None, data_dir=Path("unused")))  # type: ignore[call-arg]


def test_the_assistant_is_drawn_as_designed(services: Services, snapshot: SnapshotAssertion) -> None:
    assert build_assistant(services).get_graph(xray=True).draw_mermaid() == snapshot


def test_the_curator_is_drawn_as_designed(services: Services, snapshot: SnapshotAssertion) -> None:
    assert build_curator(services).get_graph(xray=True).draw_mermaid() == snapshot


def test_studio_gets_input_output_and_context_schemas(services: Services, snapshot: SnapshotAssertion) -> None:
    graph = build_assistant(services)
    assert graph.name == "Loci"
    assert graph.get_context_jsonschema() == snapshot(name="context")
    # Message classes are LangChain's and change with it: what is ours is which channels there are.
    assert sorted(graph.get_input_jsonschema()["properties"]) == snapshot(name="input")
    assert sorted(graph.get_output_jsonschema()["properties"]) == snapshot(name="output")


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_readmes_show_the_graph_as_it_is(readme: str) -> None:
    document = (ROOT / readme).read_text("utf-8")
    assert insert(document, drawing()) == document, "run `make drawing`"


def test_a_document_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="must hold"):
        insert("no markers", "graph TD;")


@pytest.mark.parametrize(
    ("row", "record"),
    [(schema.TimeRow, records.TimeWindow), (schema.TurnRow, records.Turn)],
)
def test_rows_have_the_fields_of_their_records(row: type, record: type[records.Record]) -> None:
    assert set(row.__annotations__) == set(record.model_fields)


def test_state_channels_are_json_plain() -> None:
    for name in ("session", "turn", "window", "hits", "recalled", "reply", "sources", "gate", "degraded"):
        annotation = schema.State.__annotations__[name]
        json.dumps(TypeAdapter(annotation).json_schema())


def test_every_package_is_listed_by_hand() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"])
    present = {
        ".".join(folder.relative_to(ROOT).parts)
        for top in HOUSE
        for folder in [ROOT / top, *(ROOT / top).rglob("*")]
        if folder.is_dir() and (folder / "__init__.py").exists()
    }
    assert listed == present


def test_importing_the_house_touches_nothing(tmp_path: Path) -> None:
    """Modules other than the served entry point neither read the environment nor create files."""
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for top in HOUSE
        for path in (ROOT / top).rglob("*.py")
        if path.name not in {"server.py", "env.py", "__init__.py"} and "versions" not in path.parts
    ]
    code = f"import importlib\nfor name in {modules!r}: importlib.import_module(name)"
    environment = {"PATH": "", "PYTHONPATH": str(ROOT), "LOCI_PROMPT_TOKENS": "wrong", "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
