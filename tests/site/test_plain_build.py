"""The habit of those who know Jupyter Book works too: `jupyter-book build .` at the top, without our commands."""

import subprocess
import sys
from pathlib import Path

import pytest

from condensation_lab.publish import look
from condensation_lab.publish.browser import visit
from tests.site.conftest import sources

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def site(tmp_path_factory, kernel_path, has_browser):
    """The miniature, executed and built by jupyter-book alone."""
    project = sources(tmp_path_factory.mktemp("plain"))
    script = Path(sys.executable).parent / "jupyter-book"
    made = subprocess.run([script, "build", "."], cwd=project.root, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    return project.build / "html"


def test_figures_and_atlas_are_drawn(site, chromium):
    with visit(chromium, site.as_uri(), "notebooks/miniature.html") as seen:
        assert look.wait_until_drawn(seen.page)
        found = look.figures(seen.page)
        assert len(found) == 6
        assert all(figure["full"] for figure in found)
        assert (seen.errors, seen.other_hosts) == ([], [])


def test_a_control_that_needs_a_kernel_shows_its_html_form(site, chromium):
    with visit(chromium, site.as_uri(), "notebooks/miniature.html") as seen:
        assert seen.page.locator(".needs-kernel").count() == 1


def test_the_scoreboard_holds_the_claims_of_the_notebooks_just_executed(site):
    page = (site / "book" / "scoreboard.html").read_text("utf-8")
    assert page.count("✓ reproduced") == 2  # in the totals and in its row
    assert "◐ in part" in page
