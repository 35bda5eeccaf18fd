"""A plain `pytest --nbval` has our settings, and it fails when a stored output is altered."""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

ROOT = Path(__file__).parents[2]

SHOWN = """\
class Shown:
    def _repr_mimebundle_(self, **_):
        import time
        now = time.time()
        return {
            "text/plain": "slope  quick  build  reproduced",
            "text/html": f"<p>{now}</p>",
            "application/vnd.plotly.v1+json": {"data": [now]},
            "application/vnd.condensation-lab.claims+json": {"rows": [now]},
        }
Shown()"""
STREAM = "import datetime\nprint('verdict: in part,', datetime.datetime.now().isoformat(), object(), '12.5 s')"


def text(words):
    return new_output("stream", name="stdout", text=words)


@pytest.fixture
def notebook():
    return new_notebook(
        metadata={"kernelspec": {"name": "a-kernel-that-is-not-here", "display_name": "x", "language": "python"}},
        cells=[
            new_code_cell("import os", execution_count=1),
            new_code_cell(
                SHOWN,
                execution_count=2,
                outputs=[new_output("execute_result", data={"text/plain": "slope  quick  build  reproduced"})],
            ),
            new_code_cell(
                STREAM,
                execution_count=3,
                outputs=[text("verdict: in part, 2026-01-01T00:00:00 <object object at 0x7f0000000000> 3 s\n")],
            ),
            new_code_cell("os.urandom(4)", metadata={"tags": ["nbval-ignore-output"]}),
        ],
    )


def nbval(notebook, folder):
    """Exit code and report of a plain `pytest --nbval notebooks/` in a copy of the project's top level."""
    for name in ("conftest.py", "pyproject.toml", "tests/notebooks/sanitise.cfg"):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    (folder / "notebooks").mkdir()
    nbformat.write(notebook, folder / "notebooks" / "tiny.ipynb")
    command = [sys.executable, "-m", "pytest", "--nbval", "notebooks/", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def test_what_differs_between_two_good_runs_is_not_compared(notebook, tmp_path):
    code, report = nbval(notebook, tmp_path)
    assert code == 0, report
    assert "4 passed" in report


@pytest.mark.parametrize("altered", ["shown", "printed", "removed", "added"])
def test_an_altered_stored_output_fails(notebook, tmp_path, altered):
    first, shown, printed, _ = notebook.cells
    if altered == "shown":
        shown.outputs[0].data["text/plain"] = "slope  quick  build  not reproduced"
    elif altered == "printed":
        printed.outputs[0].text = printed.outputs[0].text.replace("in part", "reproduced")
    elif altered == "removed":
        shown.outputs = []
    else:
        first.outputs = [text("more than is printed\n")]
    code, report = nbval(notebook, tmp_path)
    assert code == 1, report
    assert "Cell outputs differ" in report
    assert "1 failed, 3 passed" in report
