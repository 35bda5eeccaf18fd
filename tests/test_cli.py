"""The command line: what it runs, what it refuses, and that a refusal is one sentence with exit code 2."""

import json
import subprocess
import sys
import threading
import urllib.request
from types import SimpleNamespace
from typing import Annotated

import numpy as np
import pydantic
import pytest
import xarray as xr
from typer.testing import CliRunner

from condensation_lab import cli, studies
from condensation_lab.claims import Band, Claim, ClaimsTable
from condensation_lab.results import certify, load
from condensation_lab.settings import StudySettings

Width = Annotated[int, pydantic.Field(ge=1, le=40_000)]


class Settings(StudySettings):
    PRESETS = {"quick": {}, "paper": {"width": (1000, 2000)}}  # noqa: RUF012

    gamma: float = pydantic.Field(0.5, ge=0, le=3)
    width: tuple[Width, ...] = pydantic.Field((8, 16), min_length=1)
    seed: int = pydantic.Field(0, ge=0)
    exact: bool = False


def run(settings: Settings) -> xr.Dataset:
    labels = {"units": "1", "long_name": "a thing"}
    data = xr.Dataset({"slope": ("width", -settings.gamma * np.ones(len(settings.width)), labels)})
    return certify(data, study="tiny-study", settings=settings, seconds=0.1)


def claims(data: xr.Dataset) -> ClaimsTable:
    claim = Claim("slope", "Fig. 1", "falls", -0.5, float(data.slope[0]), None, 1, Band(-0.6, -0.4, "made up"))
    return ClaimsTable.of(data, study="tiny_study", paper="nobody", claims=[claim])


@pytest.fixture
def tiny(monkeypatch):
    module = SimpleNamespace(NAME="tiny-study", Settings=Settings, run=run, claims=claims, atlas=lambda data: data)
    monkeypatch.setattr(studies, "names", lambda: ["tiny_study"])
    monkeypatch.setattr(studies, "find", lambda name: module)


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/intro\n")
    (tmp_path / "_build").mkdir()
    (tmp_path / "tests").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*arguments):
    return CliRunner().invoke(cli.main, list(arguments))


def refused(*arguments) -> str:
    done = call(*arguments)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_a_run_prints_its_claims_and_saves_its_results(tiny, tmp_path):
    done = call("run", "tiny_study", "-p", "gamma", "4e-1", "-p", "width", "[1e2, 3]", "-o", str(tmp_path / "out.nc"))
    assert done.exit_code == 0, done.output
    assert "−0.4" in done.stdout
    assert "your settings" in done.stdout
    assert json.loads(load(tmp_path / "out.nc").attrs["settings"]) == {
        "gamma": 0.4, "width": [100, 3], "seed": 0, "exact": False
    }  # fmt: skip


def test_presets_are_starting_points(tiny):
    assert "quick, this build" in call("run", "tiny-study").stdout
    assert "paper, this build" in call("run", "tiny-study", "--preset", "paper").stdout
    assert "your settings, this build" in call("run", "tiny-study", "--preset", "paper", "-p", "seed", "1").stdout


BAD = [
    (("gama", "1"), "There is no setting 'gama'; did you mean 'gamma'?"),
    (("gamma", "fast"), "gamma = 'fast' is not allowed: it must be a finite number from 0 to 3."),
    (("gamma", "-1"), "gamma = '-1' is not allowed"),
    (("gamma", "nan"), "gamma = 'nan' is not allowed"),
    (("gamma", "1e999"), "gamma = '1e999' is not allowed"),
    (("gamma", ""), "gamma = '' is not allowed"),
    (("width", "[]"), "width = '[]' is not allowed: it must be a list of at least 1 value, each a whole number"),
    (("width", "0"), "width = '0' is not allowed: it must be a list"),
    (("width", "[0]"), "width = '[0]' is not allowed: it must be a list"),
    (("width", "wide"), "width = 'wide' is not allowed: it must be a list"),
    (("width", "[1.5]"), "width = '[1.5]' is not allowed"),
    (("seed", "-1"), "seed = '-1' is not allowed: it must be a whole number at least 0."),
    (("seed", "1.5"), "seed = '1.5' is not allowed"),
    (("exact", "perhaps"), "exact = 'perhaps' is not allowed: it must be true or false."),
]


@pytest.mark.parametrize(("parameter", "sentence"), BAD, ids=lambda value: str(value))
def test_a_bad_parameter_is_refused_in_one_sentence_before_anything_runs(tiny, monkeypatch, parameter, sentence):
    monkeypatch.setattr(cli, "_find", lambda name: SimpleNamespace(Settings=Settings))  # it has no run
    assert sentence in refused("run", "tiny-study", "-p", *parameter)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["tiny-stdy"], "There is no study 'tiny-stdy'; did you mean 'tiny-study'?"),
        (["tiny-study", "-p", "gamma"], "-p needs a name and a value, not only 'gamma'."),
        (["tiny-study", "--preset", "papr"], "There is no preset 'papr'; did you mean 'paper'?"),
        (["tiny-study", "-o", "/no/such/folder/out.nc"], "The folder of '/no/such/folder/out.nc' does not exist."),
    ],
)
def test_unknown_studies_presets_and_folders_are_refused(tiny, arguments, sentence):
    assert sentence in refused("run", *arguments)


def test_an_error_that_is_not_ours_keeps_its_traceback(tiny, monkeypatch):
    monkeypatch.setattr(cli, "_find", lambda name: 1 / 0)
    assert isinstance(call("run", "tiny-study").exception, ZeroDivisionError)


def test_an_atlas_is_written_beside_the_library_and_may_not_be_large(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr("condensation_lab.results.PACKAGE", tmp_path)
    done = call("atlas", "tiny-study")
    assert done.exit_code == 0, done.output
    assert "paper, this build" in done.stdout
    assert load(tmp_path / "atlases" / "tiny_study.nc").attrs["preset"] == "paper"
    monkeypatch.setattr(cli, "ATLAS_BYTES", 1000)
    done = call("atlas", "tiny-study")
    assert done.exit_code == 2
    assert "The atlas is larger than" in done.stderr


def test_the_book_prints_each_step_with_its_seconds_and_how_to_open_the_site(project, monkeypatch):
    from condensation_lab import publish

    def make(only, on_step):
        assert only == "tiny"
        steps = [publish.Step("build", 1.25), publish.Step("check", 2.0)]
        for step in steps:
            on_step(step)
        return steps

    monkeypatch.setattr(publish, "book", make)
    said = call("book", "--only", "tiny").stdout
    assert [line.split() for line in said.splitlines()[:3]] == [
        ["1.2", "s", "build"], ["2.0", "s", "check"], ["3.2", "s", "in", "all"]
    ]  # fmt: skip
    assert f"Open {project / '_build' / 'site' / 'index.html'} in a browser" in said


def test_commands_outside_a_project_say_where_to_go(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "go to the project's top level" in refused("notebooks")


def test_notebooks_keeps_the_outputs_of_each_notebook_in_the_book(project, monkeypatch):
    (project / "_toc.yml").write_text("format: jb-book\nroot: book/intro\nchapters:\n- file: notebooks/one\n")
    (project / "notebooks").mkdir()
    for name in ("one", "a-draft"):
        (project / "notebooks" / f"{name}.ipynb").write_text("{}")
    monkeypatch.setattr("condensation_lab.publish.keep.keep_outputs", lambda path: len(path.stem))
    assert call("notebooks").stdout == "one.ipynb: 3 outputs kept\n"


def test_serving_needs_a_site(project):
    assert "There is no site yet" in refused("serve")


def test_the_site_is_served_to_this_machine_only(project):
    site = project / "_build" / "site"
    site.mkdir()
    (site / "index.html").write_text("hello")
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", "from condensation_lab.cli import main; main()", "serve", "--port", "0"],
        cwd=project, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        timer = threading.Timer(60, process.kill)
        timer.start()
        address = process.stdout.readline().split()[0]
        assert address.startswith("http://127.0.0.1:")
        assert urllib.request.urlopen(address, timeout=10).read() == b"hello"
        port = address.rstrip("/").rpartition(":")[2]
        with pytest.raises(OSError, match=r"refused|unreachable|assign"):
            urllib.request.urlopen(f"http://127.0.0.2:{port}/", timeout=10)  # an address of this machine, not served
        assert f"Port {port} is taken" in refused("serve", "--port", port)
    finally:
        timer.cancel()
        process.kill()
        process.wait()


def measured(project, value):
    table = claims(run(Settings(gamma=0.5)).assign(slope=("width", [value, value])))
    (project / "_build" / "claims.json").write_text(table.to_json())


def test_claims_are_accepted_with_a_reason_and_only_with_one(project):
    assert "No claims have been measured yet" in refused("accept-claims", "--reason", "first")
    measured(project, -0.5)
    assert "only with a reason" in refused("accept-claims", "--reason", " ")
    path = project / "tests" / "expected_claims.json"
    assert not path.exists()
    for value, reason in [(-0.5, "first"), (-0.3, "a new target")]:
        measured(project, value)
        assert call("accept-claims", "--reason", reason).exit_code == 0
    expected = json.loads(path.read_text("utf-8"))
    assert expected["studies"]["tiny_study"]["slope"]["quick"]["verdict"] == "not reproduced"
    assert [event["reason"] for event in expected["history"]] == ["first", "a new target"]


@pytest.mark.parametrize("study", studies.names())
@pytest.mark.parametrize(
    ("value", "expected"),
    [("fast", "is not allowed"), ("nan", "is not allowed"), ("[]", "is not allowed"), ("-7", "is not allowed")],
)
def test_every_setting_of_every_study_refuses_nonsense_at_the_command_line(study, value, expected):
    module = studies.find(study)
    for name in module.Settings.model_fields:
        assert f"{name} = {value!r} {expected}" in refused("run", study, "-p", name, value)
