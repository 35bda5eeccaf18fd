"""What a Binder visitor gets: repo2docker's plan, and a clean environment where a notebook lives on little memory."""

import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from condensation_lab.publish import environment
from tests.browser import offline_page
from tests.interactive.live_jupyterlab import jupyterlab, open_notebook, run_all

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / ".binder" / "requirements.txt"
NOTEBOOK = "notebooks/two-layer-phase-diagram.ipynb"
MEMORY = 2 * 2**30  # bytes; what mybinder.org gives
WORKBENCH = ".jp-OutputArea-output .widget-vbox:has(.noUi-handle)"
DRAWN = f"JSON.stringify(document.querySelector('{WORKBENCH} .js-plotly-plot').data)"


def tracked_files() -> list[Path]:
    """Files of the project that are committed or about to be, relative to its top level."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [Path(name) for name in names if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def plan() -> str:
    """The Dockerfile that repo2docker would build."""
    command = [Path(sys.executable).parent / "jupyter-repo2docker", "--no-build", "--debug", "."]
    finished = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return finished.stdout + finished.stderr


def test_plan_has_the_python_of_runtime_txt(plan):
    assert (ROOT / ".binder" / "runtime.txt").read_text() == "python-3.11\n"
    assert "Building conda environment for python=3.11\n" in plan


def test_plan_installs_our_requirements_once_and_after_the_whole_repository_is_there(plan):
    """They name the lock and the project itself, which are not there when only `.binder` has been copied."""
    installs = [found.start() for found in re.finditer(r"/bin/pip install", plan)]
    assert len(installs) == 1
    assert plan[installs[0] :].startswith('/bin/pip install --no-cache-dir -r ".binder/requirements.txt"')
    assert 0 < plan.index("COPY --chown=0:0 src/ ${REPO_DIR}/") < installs[0]


def test_plan_runs_the_post_build_script_last(plan):
    assert plan.index("RUN ./.binder/postBuild") > plan.index("/bin/pip install")


def test_torch_is_the_cpu_build_of_the_locked_version():
    locked = re.search(r"^torch==(\S+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    wanted = re.findall(r"^torch.*$", REQUIREMENTS.read_text(), re.MULTILINE)
    assert locked
    assert wanted == [f"torch=={locked[1]}+cpu"]


def test_addresses_stand_where_they_are_looked_for():
    """The repository's in `_config.yml`; PyTorch's index where torch is installed or that is explained."""
    config = (ROOT / "_config.yml").read_text()
    repository = re.search(r"^ +url: https://(\S+)$", config, re.MULTILINE)
    assert repository
    texts = {path.as_posix(): (ROOT / path).read_bytes() for path in tracked_files()}
    assert {path for path, text in texts.items() if repository[1].encode() in text} == {"_config.yml"}
    index = environment.TORCH_INDEX.encode()
    assert {path for path, text in texts.items() if index in text} == {
        ".binder/requirements.txt",
        "README.md",
        "src/condensation_lab/publish/environment.py",
    }


@pytest.fixture
def clean_environment() -> Iterator[tuple[Path, Path]]:
    """A copy of the project, and the interpreter of an environment made from `.binder/requirements.txt` alone."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        for path in tracked_files():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, copy / path)
        if not environment.index_answers(environment.TORCH_INDEX, environment.PATIENCE):
            copied = copy / ".binder" / "requirements.txt"
            copied.write_text(copied.read_text().replace(f"--extra-index-url {environment.TORCH_INDEX}\n", ""))
        python = Path(folder) / "venv" / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", python.parent.parent], check=True)
        install = [python, "-m", "pip", "install", "--quiet", "-r", ".binder/requirements.txt"]
        subprocess.run(install, cwd=copy, check=True)
        yield copy, python


@contextmanager
def watched_memory(program: Path) -> Iterator[list[int]]:
    """Samples, while the body runs, of the memory that all processes started from `program` hold together (bytes)."""
    samples: list[int] = []
    over = threading.Event()

    def held(process: psutil.Process) -> int:
        try:
            return process.memory_info().rss if process.cmdline()[:1] == [str(program)] else 0
        except psutil.Error:  # it ended meanwhile
            return 0

    def watch() -> None:
        while not over.wait(0.2):
            samples.append(sum(held(process) for process in psutil.Process().children(recursive=True)))

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield samples
    finally:
        over.set()
        watching.join()


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(sys.platform != "linux", reason="Binder is Linux, and so is the limit on memory")
def test_a_visitor_runs_the_notebook_and_moves_its_slider_in_two_gigabytes(clean_environment, tmp_path):
    project, python = clean_environment
    # Of one process the kernel limits the memory; of all together it does so only for administrators, so we watch.
    limit = ("prlimit", f"--data={MEMORY}")
    with (
        watched_memory(python) as samples,
        jupyterlab(python, project, tmp_path, prefix=limit) as server,
        offline_page(width=1400) as page,
    ):
        open_notebook(page, server, NOTEBOOK)
        run_all(page)
        workbench = page.locator(WORKBENCH)
        said = workbench.get_by_text("Trained in the kernel:")
        said.scroll_into_view_if_needed()
        before, drawn = said.inner_text(), page.evaluate(DRAWN)
        handle = workbench.locator(".noUi-handle").first
        handle.focus()
        handle.press("ArrowRight")
        page.wait_for_function("([said, before]) => said.innerText !== before", arg=[said.element_handle(), before])
        page.wait_for_function(f"drawn => {DRAWN} !== drawn", arg=drawn)
    print(f"at most {max(samples) / 2**20:.0f} MiB")
    assert 2**28 < max(samples) < MEMORY
