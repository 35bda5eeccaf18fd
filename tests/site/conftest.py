"""A miniature of the book, made by the same steps as the real one, with one of everything that a page can hold."""

import json
import os
import shutil
from pathlib import Path

import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from condensation_lab.claims import accept
from condensation_lab.publish import book
from condensation_lab.publish.browser import NoBrowserError, browser, find_browser
from condensation_lab.publish.build import make_vendor
from condensation_lab.publish.execute import execute
from condensation_lab.publish.project import Project
from condensation_lab.publish.stage import stage

ROOT = Path(__file__).parents[2]

INTRO = """# Miniature

The slope is $\\gamma$. <a class="launch-link" data-notebook="miniature">Open it</a>, or read the
[study](../notebooks/miniature.ipynb).
"""

TOC = {
    "format": "jb-book",
    "root": "book/intro",
    "parts": [{"caption": "All", "chapters": [{"file": "notebooks/miniature"}, {"file": "book/scoreboard"}]}],
}

CLAIMS = """
import math
import xarray as xr
from condensation_lab.claims import Band, Claim, ClaimsTable
run = xr.Dataset(attrs={"preset": "quick", "source": "this build", "commit": "abc1234", "date": "2026-11-30T10:00:00"})
band = Band(-0.55, -0.46, "two standard errors of a pilot")
claims = [
    Claim("slope", "Fig. 1", "The slope is negative", -0.506, -0.49, 0.01, 3, band, href="#fig-1"),
    Claim("zero", "Fig. 2", "It vanishes", 0.0, 3.0, 0.01, 3, Band(-0.1, 0.1, "the grid"), Band(0, math.inf, "above")),
]
table = ClaimsTable.of(run, study="miniature", paper="luo2021phase", claims=claims)
table.glue()
table
"""

FIGURE = """
from condensation_lab import plot
fig = plot.figure(title="S<sub>w</sub>", x="γ", y="slope", description="A line that falls.", anchor="fig-1")
fig.add_scatter(x=[0.0, 1.0, 2.0], y=[1.0, 0.5, 0.2], name="measured", line={"color": plot.INK})
fig.add_scatter(x=[0.0, 1.0, 2.0], y=[1.1, 0.4, 0.1], name="theory", line={"color": plot.OKABE_ITO[1]})
fig
"""

MAP = """
fig = plot.figure(title="Map", x="γ", y="γ′", description="Red on the left, blue on the right.", anchor="fig-2")
fig.add_heatmap(z=[[-1.0, 0.0, 1.0], [-1.0, -0.2, 0.5]], zmid=0)
fig
"""

ATLAS = """
from tests.interactive.example import example_atlas, example_dataset
example_atlas(example_dataset())
"""

DEAD = """
import ipywidgets
class NeedsKernel(ipywidgets.IntSlider):
    def _repr_mimebundle_(self, **options):
        note = '<p class="needs-kernel"><a class="launch-link" data-notebook="miniature">with a kernel</a></p>'
        return {**super()._repr_mimebundle_(**options), "text/html": note}
NeedsKernel(description="dead-control")
"""


def sources(root: Path) -> Project:
    """Lay out the miniature's sources: the real book's configuration, look and extension, and pages of its own."""
    make_vendor(ROOT)
    (root / "book").mkdir(parents=True)
    for name in ("_ext", "web"):
        ignored = shutil.ignore_patterns("__pycache__", "node_modules")
        shutil.copytree(ROOT / "book" / name, root / "book" / name, ignore=ignored)
    for name in ("scoreboard.md", "references.bib"):
        shutil.copy(ROOT / "book" / name, root / "book" / name)
    scoreboard = (root / "book" / "scoreboard.md").read_text("utf-8")
    # The page that it points to is not part of the miniature.
    scoreboard = scoreboard.replace("[how to read a page](how-to-read.md)", "how to read a page")
    (root / "book" / "scoreboard.md").write_text(scoreboard, "utf-8")
    (root / "book" / "intro.md").write_text(INTRO, "utf-8")
    shutil.copy(ROOT / "_config.yml", root / "_config.yml")
    (root / "_toc.yml").write_text(yaml.safe_dump(TOC), "utf-8")
    (root / "notebooks").mkdir()
    folded = {"tags": ["hide-input"]}
    cells = [
        new_markdown_cell("# Study\n\nThe slope comes out as {glue:text}`slope-build`. See $x^2$.\n\n## Play"),
        *(new_code_cell(source.strip(), metadata=folded) for source in (ATLAS, CLAIMS)),
        new_markdown_cell("## Figures\n\n```{dropdown} Solution\nIt falls.\n```"),
        new_code_cell(FIGURE.strip(), metadata=folded),
        new_markdown_cell("\n\n".join(["A paragraph to keep the next figure out of sight."] * 60)),
        *(new_code_cell(source.strip(), metadata=folded) for source in (MAP, DEAD)),
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), root / "notebooks" / "miniature.ipynb")
    return Project(root)


@pytest.fixture(scope="session")
def kernel_path():
    """Let the notebooks' kernels import what the tests share, and the library of this checkout."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    yield
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="session")
def has_browser():
    """Without a browser these tests are skipped, and under CI they fail."""
    try:
        find_browser()
    except NoBrowserError as missing:
        if os.environ.get("CI", "").lower() in {"1", "true"}:
            pytest.fail(str(missing))
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def chromium(has_browser):
    """One browser for the tests of a file. Playwright allows one at a time, so it must be closed between files."""
    with browser() as started:
        yield started


@pytest.fixture(scope="session")
def made(tmp_path_factory, kernel_path, has_browser):
    """The miniature, executed, with its verdicts accepted, then built and checked; with the steps that took."""
    project = sources(tmp_path_factory.mktemp("miniature"))
    execute(project.notebooks()[0])
    stage(project)
    rows = json.loads(project.claims.read_text("utf-8"))["rows"]
    (project.root / "tests").mkdir()
    expected = json.dumps(accept(rows, {}, reason="first", date="2026-11-30"))
    (project.root / "tests" / "expected_claims.json").write_text(expected, "utf-8")
    return project, book(root=project.root)


@pytest.fixture(scope="session")
def project(made):
    return made[0]
