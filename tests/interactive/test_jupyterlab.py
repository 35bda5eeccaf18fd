"""The live pieces in a real JupyterLab with a live kernel, cut off from every other host."""

import os
import signal
import sys
import time
from pathlib import Path

import nbformat
import pytest

from tests.browser import offline_page
from tests.interactive.live_jupyterlab import ask_kernel, jupyterlab, open_notebook, run_all

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A notebook with both pieces, all its cells run."""
    served, scratch = tmp_path_factory.mktemp("served"), tmp_path_factory.mktemp("scratch")
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    notebook.cells = [
        nbformat.v4.new_code_cell(
            f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom tests.interactive.example import *"
        ),
        nbformat.v4.new_code_cell("atlas = example_atlas(example_dataset())\natlas"),
        nbformat.v4.new_code_cell("bench = example_workbench()\nbench"),
        nbformat.v4.new_code_cell(
            "from tests.interactive import slow_study\n"
            "from condensation_lab.interactive import Playground, Workbench\n"
            "form = Workbench(slow_study, figures=[slow_study.figure_power])\nform"
        ),
        nbformat.v4.new_code_cell("play = Playground()\nplay"),
    ]
    nbformat.write(notebook, served / "pieces.ipynb")
    with jupyterlab(Path(sys.executable), served, scratch) as server, offline_page(1280, 1800) as page:
        open_notebook(page, server, "pieces.ipynb")
        run_all(page)
        yield page


def test_python_follows_the_atlas_and_leads_it(lab):
    atlas = lab.locator(".condensation-atlas")
    atlas.evaluate("(root) => root.condensationAtlas.ready")  # drawn with the plotly that the kernel sent
    assert atlas.locator(".main-svg .lines path").count()
    for key in ("ArrowRight", "ArrowUp", "ArrowUp"):  # the last two are JupyterLab's "select the cell above"
        atlas.locator("input[name=gamma]").press(key)
    lab.wait_for_timeout(300)
    assert ask_kernel(lab, "print(atlas.values['gamma'])") == "1.3"
    ask_kernel(lab, "atlas.position = {'gamma': 14, 'gamma_prime': 3, 'width': 4}")
    lab.wait_for_function("() => document.querySelector('.condensation-atlas input').value === '14'")
    assert atlas.locator("output").all_inner_texts() == ["1.8", "−0.2", "40,000"]
    figure = "(root) => Array.from(root.condensationAtlas.drawn(1)[0].y)[20]"
    there = float(ask_kernel(lab, "print(float(example_dataset()['fit'].isel(atlas.position)[20]))"))
    assert atlas.evaluate(figure) == pytest.approx(there, abs=2e-3)


def test_a_moved_slider_of_the_workbench_trains_in_the_kernel(lab):
    handle = lab.locator(".widget-slider [role=slider]").first
    said = lab.locator(".jp-Cell").nth(2).locator(".widget-html-content")
    handle.press("ArrowRight")
    said.get_by_text("Trained in the kernel: gamma = 1.5, width = 1000").wait_for()
    assert ask_kernel(lab, "print(bench.settings.gamma)") == "1.5"
    assert lab.locator(".jp-OutputArea .js-plotly-plot").count()
    handle.press("ArrowRight")
    said.get_by_text("The run failed; its error stands at the end.").wait_for()
    lab.get_by_text("RuntimeError: the study broke").wait_for()
    handle.press("ArrowRight")
    said.get_by_text("Not run: gamma = 1.75 at this width <diverges>: choose a smaller one.").wait_for()
    lab.get_by_text("RuntimeError: the study broke").wait_for(state="detached")
    assert ask_kernel(lab, "print(bench.settings.gamma)") == "1.5"


def alerts(form):
    return form.locator("[role=alert]").all_inner_texts()


def test_the_workbench_runs_is_stopped_half_way_and_runs_again(lab):
    form = lab.locator(".jp-Cell").nth(3)
    run, stop = (form.get_by_role("button", name=name) for name in ("Run", "Stop"))
    depth = form.locator(".widget-slider [role=slider]").nth(1)
    depth.press("ArrowRight")
    run.click()
    form.get_by_text("Ran in").wait_for(timeout=60_000)
    form.get_by_text("The mean is small").wait_for()
    form.locator(".js-plotly-plot").wait_for()
    assert ask_kernel(lab, "print(form.settings.depth, float(form.data['y'][5]))") == "3 0.125"
    ask_kernel(lab, "form._fields['seconds'].control.value = 90.0")
    run.click()
    form.get_by_text("Running: ").wait_for()
    process = int(ask_kernel(lab, "print(form._spawned._process.pid)"))  # and the kernel is free meanwhile
    stop.click()
    form.get_by_text("Stopped after").wait_for()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert ask_kernel(lab, "print(form.settings.depth)") == "3"
    ask_kernel(lab, "form._fields['seconds'].control.value = 0.0")
    depth.press("ArrowRight")
    run.click()
    form.get_by_text("Ran in").wait_for(timeout=60_000)
    assert ask_kernel(lab, "print(form.settings.depth)") == "4"


def test_the_workbench_refuses_a_bad_value_beside_its_field(lab):
    form = lab.locator(".jp-Cell").nth(3)
    width = form.get_by_label("width")
    width.fill("50000")
    refusal = form.get_by_text("width = '50000' is not allowed: it must be a whole number from 1 to 40000.")
    refusal.wait_for()
    field, fault = width.bounding_box(), refusal.bounding_box()
    assert 0 < fault["y"] - field["y"] < 100
    assert form.get_by_role("button", name="Run").is_disabled()
    width.fill("2000")
    refusal.wait_for(state="detached")
    assert form.get_by_role("button", name="Run").is_enabled()
    width.press("ArrowUp")  # JupyterLab's "select the cell above"
    assert width.evaluate("(input) => input === document.activeElement")
    form.screenshot(path=os.environ.get("WORKBENCH_SHOT") or None)


def test_python_follows_the_playground_and_leads_it(lab):
    piece = lab.locator(".condensation-playground")
    piece.evaluate("(root) => root.condensationPlayground.ready")
    piece.locator("select[name=activation]").select_option("tanh")
    late = time.monotonic() + 10
    while ask_kernel(lab, "print(play.chosen['activation'])") != "tanh":
        assert time.monotonic() < late
    ask_kernel(lab, "play.chosen = {**play.chosen, 'width': 37, 'seed': 5}")
    lab.wait_for_function("() => document.querySelector('.condensation-playground input[name=width]').value === '37'")
    piece.get_by_role("button", name="Play").click()
    lab.wait_for_function(
        "() => document.querySelector('.condensation-playground').condensationPlayground.state().steps > 10"
    )
    piece.get_by_role("button", name="Pause").click()


def test_when_the_kernel_is_killed_the_pieces_go_on_and_stop_speaking_of_it(lab):
    """Comes last: there is no kernel after it that knows the pieces."""
    atlas = lab.locator(".condensation-atlas")
    source = atlas.locator(".source")
    source.get_by_text("A kernel is connected").wait_for()
    os.kill(int(ask_kernel(lab, "import os; print(os.getpid())")), signal.SIGKILL)
    lab.get_by_role("button", name="Ok").click()  # JupyterLab says that it starts another
    lab.locator(".jp-Cell").nth(3).locator(".jupyter-widgets-disconnected").first.wait_for()  # marked as cut off
    drawn = "(root) => Array.from(root.condensationAtlas.drawn(1)[0].y)"
    before = atlas.evaluate(drawn)
    atlas.locator("input[name=gamma]").press("ArrowLeft")
    source.get_by_text("A kernel is connected").wait_for(state="detached")
    assert atlas.evaluate(drawn) != before
    piece = lab.locator(".condensation-playground")
    piece.get_by_role("button", name="Reset").click()
    piece.get_by_role("button", name="Step", exact=True).click()
    lab.wait_for_function(
        "() => document.querySelector('.condensation-playground').condensationPlayground.state().steps === 1"
    )
