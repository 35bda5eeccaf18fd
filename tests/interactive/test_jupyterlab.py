"""The live pieces in a real JupyterLab with a live kernel, cut off from every other host."""

import sys
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
    said = lab.locator(".widget-html-content")
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
