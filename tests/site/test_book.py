"""From sources to a checked site: what the miniature's pages hold and what its report says."""

import json
import re

import pytest

from condensation_lab.publish.project import launch_url

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def report(project):
    return json.loads((project.build / "site-report.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def study(project):
    return (project.site / "notebooks" / "miniature.html").read_text("utf-8")


def entry(report, page):
    return next(found for found in report["pages"] if found["page"] == page)


def test_every_step_is_named_with_its_seconds(made):
    names = [step.name for step in made[1]]
    assert names == ["execute miniature", "stage", "build", "check"]
    assert all(step.seconds >= 0 for step in made[1])


def test_report_has_no_problem_and_no_request_to_another_host(report):
    assert report["problems"] == []
    assert report["browser"].startswith("Chromium")
    assert [page["page"] for page in report["pages"]] == ["book/intro", "notebooks/miniature", "book/scoreboard"]
    assert {page["other_hosts"] for page in report["pages"]} == {0}
    assert [page["console_errors"] for page in report["pages"]] == [[], [], []]


def test_report_counts_figures_and_moved_sliders(report):
    study = entry(report, "notebooks/miniature")
    assert study["figures"] == {"found": 6, "drawn": 6}  # two of the page, four views of the atlas
    assert study["live_pieces"] == {"found": 1, "moved": 3}


def test_report_says_how_quickly_the_atlas_answers_and_which_rules_of_access_are_broken(report):
    study = entry(report, "notebooks/miniature")
    (atlas,) = study["redrawn_ms"]
    assert atlas["moves"] == 100
    assert 0 < atlas["median"] <= atlas["slowest"]
    assert study["training"] == []  # no playground there
    assert study["axe"] == {"light": [], "dark": [], "390": []}


def test_report_weighs_the_first_load(report):
    study = entry(report, "notebooks/miniature")
    assert study["gzip"] < study["first_load_gzip"] < 1_600_000
    assert next(iter(study["heaviest"])) == "_static/vendor/plotly.min.js"
    assert "_static/vendor/plotly.min.js" not in entry(report, "book/intro")["heaviest"]


def test_screenshots_lie_beside_the_report(report, project):
    shots = {path.stem for path in (project.build / "screenshots").glob("*.png")}
    assert shots == {
        f"{page}-{look}" for page in ("intro", "miniature", "scoreboard") for look in ("light", "dark", "390")
    }


def test_launch_links_are_filled_from_the_configuration(project, study):
    address = launch_url(project, "miniature")
    for page in (study, (project.site / "book" / "intro.html").read_text("utf-8")):
        assert f'<a class="launch-link" data-notebook="miniature" href="{address}">' in page


def test_a_measured_number_stands_in_the_prose(study):
    assert "comes out as" in study
    assert re.search(r'class="pasted-text">−0.490 ± 0.010<', study)


def test_no_dead_control_is_published(study):
    assert study.count("application/vnd.jupyter.widget-view+json") == 1  # the atlas's
    assert "@jupyter-widgets/controls" not in study
    assert '<p class="needs-kernel">' in study


def test_scripts_that_throw_or_reach_out_are_left_out(study):
    scripts = " ".join(re.findall(r'<script[^>]*src="([^"]*)"', study))
    assert "book.js" in scripts
    for unwanted in ("thebe", "require", "html-manager", "://"):
        assert unwanted not in scripts


def test_the_scoreboard_links_each_claim_to_its_figure(project, study):
    page = (project.site / "book" / "scoreboard.html").read_text("utf-8")
    assert '<a href="../notebooks/miniature.html#fig-1">Fig. 1</a>' in page
    assert 'id="fig-1"' in study
    assert "✓ reproduced" in page
    assert "◐ in part" in page


def test_the_notebook_offered_for_download_opens_without_traces_of_the_run(project):
    notebook = json.loads((project.site / "_sources" / "notebooks" / "miniature.ipynb").read_text("utf-8"))
    assert set(notebook["metadata"]) == {"kernelspec", "language_info", "widgets"}
