"""What the check finds in the files of a site; what it finds in a browser is tested in tests/site."""

import gzip
import json
import random

import pytest
import xarray as xr
import yaml

from condensation_lab.claims import accept
from condensation_lab.publish import check as checking
from condensation_lab.publish.browser import NoBrowserError
from condensation_lab.publish.check import check
from condensation_lab.publish.project import Project, launch_url

PAGES = ("book/intro", "notebooks/some-study")


@pytest.fixture
def project(tmp_path, monkeypatch, claim_rows):
    """A finished site without faults, and no browser on the system."""

    def no_browser():
        raise NoBrowserError("No browser to check the pages with.")

    monkeypatch.setattr(checking, "browser", no_browser)
    monkeypatch.delenv("CI", raising=False)
    project = Project(tmp_path)
    toc = {"format": "jb-book", "root": PAGES[0], "chapters": [{"file": PAGES[1]}]}
    config = {
        "repository": {"url": "https://github.com/someone/fork", "branch": "main"},
        "launch_buttons": {"binderhub_url": "https://binder.example", "colab_url": "https://colab.example"},
    }
    for folder in (tmp_path, project.stage):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "_toc.yml").write_text(yaml.safe_dump(toc))
    (tmp_path / "_config.yml").write_text(yaml.safe_dump(config))
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "some-study.ipynb").write_text("{}")
    links = "".join(f'<a href="{launch_url(project, "some-study", service)}">' for service in ("binder", "colab"))
    for name in PAGES:
        page = project.site / f"{name}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"<h1>{name}</h1>{links}")
    project.claims.write_text(json.dumps({"rows": claim_rows}))
    expected = accept(claim_rows, {}, reason="first", date="2026-11-30")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "expected_claims.json").write_text(json.dumps(expected))
    return project


def page(project, name="notebooks/some-study"):
    return project.site / f"{name}.html"


def test_a_site_without_faults_has_no_problems_and_its_weights_are_written_down(project):
    report = check(project)
    assert report["problems"] == []
    assert json.loads((project.build / "site-report.json").read_text()) == report
    content = page(project).read_bytes()
    weighed = {entry["page"]: (entry["raw"], entry["gzip"]) for entry in report["pages"]}
    assert weighed["notebooks/some-study"] == (len(content), len(gzip.compress(content)))


def test_numbers_of_another_run_than_the_committed_atlas_are_a_fault(project, monkeypatch):
    carried = xr.Dataset({"slope": ("gamma", [1.0, 2.0])})
    monkeypatch.setattr(checking, "atlases_of", lambda html: [{"data": carried}] if "some-study" in html else [])
    monkeypatch.setattr(checking.results, "load_atlas", lambda study: carried)
    assert check(project)["problems"] == []
    monkeypatch.setattr(checking.results, "load_atlas", lambda study: carried + 1)
    said = "notebooks/some-study: the page's slope is not that of the committed atlas."
    assert check(project)["problems"] == [said]


def test_without_a_browser_that_part_is_reported_as_not_run(project):
    assert check(project)["browser_part"] == "not run: No browser to check the pages with."


@pytest.mark.parametrize("word", ["true", "1"])
def test_under_ci_a_missing_browser_is_a_fault(project, monkeypatch, word):
    monkeypatch.setenv("CI", word)
    assert check(project)["problems"] == ["No browser to check the pages with."]


def test_a_missing_page_is_named(project):
    page(project).unlink()
    assert "notebooks/some-study: _toc.yml names this page, but it was not built." in check(project)["problems"]


def test_a_heavy_page_is_named(project):
    noise = random.Random(0).randbytes(checking.PAGE_LIMIT).hex()
    page(project).write_text(page(project).read_text() + noise)
    assert any("more than the 300000 that a page may weigh" in problem for problem in check(project)["problems"])


@pytest.mark.parametrize(
    "trace", ["{root}/notebooks/a.py", '{{"papermill": {{"duration": 1}}}}', "File /var/ipykernel_123/9.py, line 1"]
)
def test_traces_of_the_machine_are_found(project, trace):
    source = project.site / "_sources" / "a.ipynb"
    source.parent.mkdir()
    source.write_text(trace.format(root=project.root))
    problems = check(project)["problems"]
    assert len(problems) == 1
    assert problems[0].startswith("_sources/a.ipynb tells of the machine that made it")


def test_missing_and_dead_launch_links_are_found(project):
    page(project).write_text('<a class="launch-link" data-notebook="some-study">open</a>')
    assert check(project)["problems"] == [
        "notebooks/some-study: the launch link to binder is missing.",
        "notebooks/some-study: the launch link to colab is missing.",
        'notebooks/some-study: a launch link leads nowhere: <a class="launch-link" data-notebook="some-study">.',
    ]


def test_a_verdict_that_was_not_expected_is_a_fault(project, claim_rows):
    claim_rows[0]["verdict"] = "not reproduced"
    project.claims.write_text(json.dumps({"rows": claim_rows}))
    said = "some_study slope quick: verdict is 'not reproduced', expected 'reproduced'."
    assert check(project)["problems"] == [said]


def test_claims_without_an_expectation_are_a_fault(project):
    (project.root / "tests" / "expected_claims.json").unlink()
    assert "accept-claims" in check(project)["problems"][0]
