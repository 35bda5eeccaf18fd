"""The stage holds what a page may show: no machine, no dead control, no form of an output meant for others."""

import json

import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from condensation_lab.claims import MIME as CLAIMS_MIME
from condensation_lab.plot import PLOTLY_MIME
from condensation_lab.publish.project import Project, PublishError
from condensation_lab.publish.stage import STATE_MIME, VIEW_MIME, publishable, stage

WIDGETS = {
    STATE_MIME: {
        "version_major": 2,
        "version_minor": 0,
        "state": {
            "live": {"model_module": "anywidget", "state": {"_esm": "export default {}"}},
            "slider": {"model_module": "@jupyter-widgets/controls", "state": {}},
            "bar": {
                "model_module": "@jupyter-widgets/controls",
                "state": {"children": ["IPY_MODEL_text", "IPY_MODEL_fill"]},
            },
            "fill": {"model_module": "@jupyter-widgets/controls", "model_name": "FloatProgressModel", "state": {}},
        },
    }
}


def notebook(*outputs, **metadata):
    shown = [new_output("display_data", data=data) for data in outputs]
    cell = new_code_cell("x", outputs=shown, metadata={"tags": ["hide-input"], "papermill": {"duration": 1}})
    return new_notebook(
        cells=[new_markdown_cell("# A"), cell], metadata={"papermill": {"path": "/where/it/ran.ipynb"}, **metadata}
    )


def outputs(notebook):
    return [dict(output.data) for output in notebook.cells[1].outputs]


def test_metadata_of_the_run_goes_and_tags_stay():
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    kept = publishable(notebook(kernelspec=kernel, condensation_lab={"key": "k"}), "a.ipynb")
    assert kept.metadata == {"kernelspec": kernel}
    assert kept.cells[1].metadata == {"tags": ["hide-input"]}


def test_forms_for_jupyterlab_and_for_the_build_go():
    both = {PLOTLY_MIME: {}, CLAIMS_MIME: {}, "text/html": "<p>"}
    assert outputs(publishable(notebook(both), "a.ipynb")) == [{"text/html": "<p>"}]


def test_a_control_that_needs_a_kernel_leaves_its_html_form():
    dead = {VIEW_MIME: {"model_id": "slider"}, "text/html": "<p>launch</p>"}
    assert outputs(publishable(notebook(dead, widgets=WIDGETS), "a.ipynb")) == [{"text/html": "<p>launch</p>"}]


def test_a_control_without_html_form_is_refused():
    with pytest.raises(PublishError, match=r"Cell 2 of a.ipynb shows a control that is dead without a kernel"):
        publishable(notebook({VIEW_MIME: {"model_id": "slider"}, "text/plain": "Slider"}, widgets=WIDGETS), "a.ipynb")


def test_a_progress_bar_goes():
    bar = {VIEW_MIME: {"model_id": "bar"}, "text/plain": "0%|   | 0/9"}
    assert outputs(publishable(notebook(bar, {"text/plain": "9"}, widgets=WIDGETS), "a.ipynb")) == [{"text/plain": "9"}]


def test_an_anywidget_stays_with_its_state_alone():
    live = {VIEW_MIME: {"model_id": "live"}, "text/plain": "Atlas"}
    kept = publishable(notebook(live, widgets=WIDGETS), "a.ipynb")
    assert outputs(kept) == [live]
    assert list(kept.metadata.widgets[STATE_MIME].state) == ["live"]


@pytest.fixture
def project(tmp_path):
    chapters = [{"file": "notebooks/one"}, {"file": "notebooks/two"}]
    toc = {"format": "jb-book", "root": "book/intro", "parts": [{"caption": "A", "chapters": chapters}]}
    config = {
        "execute": {"execute_notebooks": "force"},
        "sphinx": {"config": {"suppress_warnings": ["mystnb.unknown_mime_type"]}},
    }
    project = Project(tmp_path)
    for folder in ("book", "notebooks", "_build/executed", "_build/stage"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump(toc))
    (tmp_path / "_config.yml").write_text(yaml.safe_dump(config))
    (tmp_path / "book" / "intro.md").write_text("# Intro\n")
    (project.stage / "left-over.md").write_text("from the last build")
    for name in ("one", "two"):
        nbformat.write(notebook(), tmp_path / "notebooks" / f"{name}.ipynb")
        nbformat.write(notebook({"text/plain": name}), project.executed / f"{name}.ipynb")
    return project


def test_stage_mirrors_the_sources_with_executed_notebooks(project):
    stage(project)
    there = {str(path.relative_to(project.stage)) for path in project.stage.rglob("*") if path.is_file()}
    assert there == {
        "_config.yml",
        "_toc.yml",
        "claims.json",
        "book/intro.md",
        "notebooks/one.ipynb",
        "notebooks/two.ipynb",
    }
    assert outputs(nbformat.read(project.stage / "notebooks" / "two.ipynb", 4)) == [{"text/plain": "two"}]


def test_stage_is_not_executed_again_and_an_unknown_output_is_no_longer_excused(project):
    config = yaml.safe_load((stage(project) / "_config.yml").read_text())
    assert config["execute"]["execute_notebooks"] == "off"
    assert "mystnb.unknown_mime_type" not in config["sphinx"]["config"]["suppress_warnings"]


def test_only_one_study_is_staged_when_asked(project):
    (project.executed / "two.ipynb").unlink()
    stage(project, "one")
    assert Project(project.stage).documents() == ["book/intro", "notebooks/one"]


def test_a_notebook_that_has_not_been_executed_is_named(project):
    (project.executed / "two.ipynb").unlink()
    with pytest.raises(PublishError, match=r"two.ipynb has not been executed yet"):
        stage(project)


def test_claims_are_lifted_out_of_the_notebooks(project, claim_rows):
    nbformat.write(notebook({CLAIMS_MIME: {"rows": claim_rows}}), project.executed / "one.ipynb")
    stage(project)
    assert json.loads(project.claims.read_text())["rows"] == claim_rows
    assert (project.stage / "claims.json").read_text() == project.claims.read_text()
