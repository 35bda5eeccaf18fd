"""The scripts that pages serve themselves are the locked ones, and Sphinx's warnings stop the build."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from condensation_lab.publish import build as building
from condensation_lab.publish.build import build, make_vendor
from condensation_lab.publish.project import Project, PublishError

WEB = Path(__file__).parents[2] / "book" / "web"


@pytest.fixture
def web(tmp_path):
    """The book's front end as it is committed, in a project of its own."""
    target = tmp_path / "book" / "web"
    target.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(WEB / name, target / name)
    return target


def fake_npm(folder):
    """Lay out what npm would bring, as far as it is looked at."""
    modules = folder / "node_modules"
    mathjax = modules / "mathjax" / "es5"
    fonts = modules / "@fontsource-variable"
    files = [
        modules / "plotly.js-cartesian-dist-min" / "plotly-cartesian.min.js",
        modules / "axe-core" / "axe.min.js",
        modules / "harfbuzzjs" / "dist" / "harfbuzz-subset.wasm",
        mathjax / "node-main.js",
        mathjax / "adaptors" / "liteDOM.js",
        mathjax / "output" / "chtml.js",
        mathjax / "output" / "chtml" / "fonts" / "tex.js",
        mathjax / "output" / "chtml" / "fonts" / "woff-v2" / "MathJax_Main-Regular.woff",
        mathjax / "input" / "tex" / "extensions" / "boldsymbol.js",
        mathjax / "sre" / "left-out.js",
    ]
    files += [
        fonts / font / "files" / f"{font}-{face}.woff2" for font, faces in building._FONTS.items() for face in faces
    ]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(file.name)


def test_vendor_is_made_once_from_the_lock_and_again_when_the_lock_changes(web, tmp_path, monkeypatch):
    calls = []

    def npm(command, *, cwd, what):
        calls.append(command[3:])
        fake_npm(cwd)
        return subprocess.CompletedProcess(command, 0, "")

    monkeypatch.setattr(building, "_run", npm)
    make_vendor(tmp_path)
    make_vendor(tmp_path)
    assert calls == [["ci", "--no-audit", "--no-fund", "--ignore-scripts"]]
    there = {str(path.relative_to(web / "vendor")) for path in (web / "vendor").rglob("*") if path.is_file()}
    assert {"plotly.min.js", "mathjax/fonts/MathJax_Main-Regular.woff", "tools/mathjax/node-main.js"} <= there
    assert {"fonts/source-serif-4-latin-wght-normal.woff2", "tools/axe.min.js"} <= there
    assert not any("left-out" in path for path in there)

    lock = web / "package-lock.json"
    lock.write_text(lock.read_text() + "\n")
    make_vendor(tmp_path)
    assert len(calls) == 2


def test_another_plotly_than_the_installed_one_is_refused(web, tmp_path):
    lock = json.loads((web / "package-lock.json").read_text())
    lock["packages"]["node_modules/plotly.js-cartesian-dist-min"]["version"] = "3.0.0"
    (web / "package-lock.json").write_text(json.dumps(lock))
    with pytest.raises(PublishError, match=r"asks for plotly.js 3.0.0, but the installed plotly package draws with"):
        make_vendor(tmp_path)


def test_a_failing_npm_is_reported_and_leaves_no_stamp(web, tmp_path, monkeypatch):
    failed = subprocess.CompletedProcess([], 1, "npm error code ENOTFOUND")
    monkeypatch.setattr(building, "_run", lambda command, **options: failed)
    with pytest.raises(PublishError, match="could not fetch the book's scripts and fonts:\nnpm error code ENOTFOUND"):
        make_vendor(tmp_path)
    assert not (web / "vendor").exists()


@pytest.fixture
def staged(tmp_path, monkeypatch):
    """A stage of one page, which refers to a page that is not there."""
    monkeypatch.setattr(building, "make_vendor", lambda root: None)
    (tmp_path / "book" / "web" / "vendor").mkdir(parents=True)
    project = Project(tmp_path)
    project.stage.mkdir(parents=True)
    (project.stage / "_config.yml").write_text("title: t\nexecute:\n  execute_notebooks: 'off'\n")
    (project.stage / "_toc.yml").write_text("format: jb-book\nroot: intro\n")
    (project.stage / "intro.md").write_text("# Intro\n\nSee [there](nowhere.md).\n")
    return project


def test_a_warning_stops_the_build_and_is_quoted(staged):
    with pytest.raises(PublishError, match=r"intro.md:3: WARNING: .*nowhere"):
        build(staged)
    assert "nowhere" in (staged.build / "build.log").read_text()
    assert not staged.site.exists()


def test_a_clean_stage_becomes_the_site(staged):
    (staged.stage / "intro.md").write_text("# Intro\n")
    assert build(staged) == staged.site
    assert (staged.site / "intro.html").exists()
