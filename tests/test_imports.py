"""Who may import whom: from the ground up, without circles; and importing the library costs nothing."""

import ast
import json
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import condensation_lab

PACKAGE = Path(condensation_lab.__file__).parent

FLOORS = {
    **dict.fromkeys(["settings", "results", "claims", "published", "expected", "data", "initialise", "plot"], 1),
    **dict.fromkeys(["models", "measure"], 2),
    **dict.fromkeys(["train", "interactive"], 3),
    **dict.fromkeys(["sweep", "studies"], 4),
    **dict.fromkeys(["publish", "cli"], 5),
}
HEAVY = ["torch", "numba", "xarray", "pandas", "plotly"]


def rooms_imported(source: str, module: tuple[str, ...]) -> set[str]:
    """Rooms of the library that a module's source imports from, anywhere in it."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(module[: len(module) - node.level]) if node.level else []
            stem = base + (node.module.split(".") if node.module else [])
            names += [[*stem, alias.name] for alias in node.names]
    return {name[1] for name in names if name[0] == "condensation_lab" and len(name) > 1}


def arrows(sources: dict[str, str]) -> set[tuple[str, str]]:
    """All (room, imported room), from sources by dotted module name; the package's own lazy top is no room."""
    found = set()
    for name, source in sources.items():
        module = tuple(name.split("."))
        if len(module) > 1:
            found |= {(module[1], room) for room in rooms_imported(source, module) if room != module[1]}
    return found


def package_sources() -> dict[str, str]:
    return {
        ".".join(("condensation_lab", *path.relative_to(PACKAGE).with_suffix("").parts)): path.read_text("utf-8")
        for path in PACKAGE.rglob("*.py")
        if path != PACKAGE / "__init__.py"
    }


def test_every_room_has_a_floor():
    rooms = {name.split(".")[1] for name in package_sources()}
    assert rooms <= FLOORS.keys()


def test_no_arrow_runs_upwards():
    upwards = {(room, other) for room, other in arrows(package_sources()) if FLOORS[other] > FLOORS[room]}
    assert upwards == set()


def test_there_is_no_circle_between_rooms():
    graph: dict[str, set[str]] = {}
    for room, other in arrows(package_sources()):
        graph.setdefault(room, set()).add(other)
    list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize(
    "line",
    [
        "import condensation_lab.studies.x",
        "from condensation_lab import studies",
        "from condensation_lab.studies.x import run",
        "def f():\n    from ..studies import x",
        "from .. import studies",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from condensation_lab.studies import x",
    ],
)
def test_an_arrow_is_seen_however_it_is_written(line):
    assert arrows({"condensation_lab.measure.regime": line}) == {("measure", "studies")}


def test_a_circle_is_seen():
    graph = {"measure": {"models"}, "models": {"measure"}}
    with pytest.raises(CycleError):
        list(TopologicalSorter(graph).static_order())


def test_the_top_offers_at_most_forty_names_and_every_one_exists():
    assert len(condensation_lab.__all__) <= 40
    assert set(condensation_lab.__all__) == condensation_lab._HOME.keys() == set(dir(condensation_lab))
    for name in condensation_lab.__all__:
        assert getattr(condensation_lab, name).__module__.startswith("condensation_lab."), name
    with pytest.raises(AttributeError, match="has no attribute 'gradient_flaw'"):
        condensation_lab.gradient_flaw  # noqa: B018


def test_type_checkers_see_the_same_names_as_the_lazy_import():
    declared = {
        (node.module.removeprefix("condensation_lab."), alias.name)
        for node in ast.walk(ast.parse((PACKAGE / "__init__.py").read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("condensation_lab.")
        for alias in node.names
    }
    assert declared == {(module, name) for name, module in condensation_lab._HOME.items()}


def in_fresh_python(statement: str) -> tuple[list[str], float]:
    """Heavy packages that a statement loads in a new process, and its seconds."""
    code = (
        f"import json, sys, time\nstart = time.perf_counter()\n{statement}\nseconds = time.perf_counter() - start\n"
        f"print(json.dumps([[name for name in {HEAVY} if name in sys.modules], seconds]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded, seconds = json.loads(done.stdout)
    return loaded, seconds


def test_importing_the_library_loads_nothing_heavy(record_property):
    loaded, seconds = in_fresh_python("import condensation_lab")
    record_property("seconds", seconds)
    assert loaded == []
    assert seconds < 0.5  # it takes a millisecond or two; half a second is a loaded package


@pytest.mark.parametrize("module", ["settings", "claims", "cli", "publish"])
def test_settings_claims_and_command_line_load_nothing_heavy(module):
    assert in_fresh_python(f"import condensation_lab.{module}")[0] == []


def test_a_heavy_import_is_seen():
    assert "xarray" in in_fresh_python("from condensation_lab import certify")[0]
