"""A notebook runs again when anything that it depends on has changed, and only then."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from condensation_lab import results
from condensation_lab.publish.execute import execute, execution_key, seconds_of
from condensation_lab.publish.project import Project, PublishError

KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
COUNT_RUNS = "from pathlib import Path\nruns = Path('runs.txt')\nruns.open('a').write('x')\nlen(runs.read_text())"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: notebooks/study\n")
    (tmp_path / "requirements.txt").write_text("numpy==1\n")
    (tmp_path / "notebooks").mkdir()
    return Project(tmp_path)


def write(project, *cells):
    path = project.root / "notebooks" / "study.ipynb"
    nbformat.write(new_notebook(cells=list(cells), metadata=KERNEL), path)
    return path


def runs(project):
    return len((project.root / "notebooks" / "runs.txt").read_text())


def test_unchanged_notebook_is_not_run_again_and_a_changed_one_is(project):
    notebook = write(project, new_code_cell(COUNT_RUNS))
    executed = execute(notebook)
    assert execute(notebook) == executed == project.executed / "study.ipynb"
    assert runs(project) == 1
    assert seconds_of(executed) > 0

    (project.root / "requirements.txt").write_text("numpy==2\n")
    assert nbformat.read(execute(notebook), 4).cells[0].outputs[0].data["text/plain"] == "2"


def test_a_half_written_result_is_run_again(project):
    notebook = write(project, new_code_cell(COUNT_RUNS))
    executed = execute(notebook)
    executed.write_text(executed.read_text()[:100])
    execute(notebook)
    assert runs(project) == 2


def test_a_failing_cell_is_named_and_leaves_no_result(project):
    notebook = write(project, new_code_cell("1 + 1"), new_code_cell("value = 3\nvalue / 0"))
    with pytest.raises(PublishError, match=r"ZeroDivisionError in cell 2 of study.ipynb, which begins 'value = 3'"):
        execute(notebook)
    assert [path.name for path in project.executed.iterdir()] == ["study.failed.ipynb"]


def test_progress_bars_are_off_in_the_kernel_and_the_variable_is_put_back(project, monkeypatch):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    notebook = write(project, new_code_cell("import os; os.environ['TQDM_DISABLE']"))
    assert nbformat.read(execute(notebook), 4).cells[0].outputs[0].data["text/plain"] == "'1'"
    import os

    assert "TQDM_DISABLE" not in os.environ


def test_key_sees_cells_tags_lock_and_library_but_not_outputs(project, monkeypatch):
    def key(*cells):
        return execution_key(write(project, *cells), project)

    plain = key(new_code_cell("x = 1"))
    assert key(new_code_cell("x = 1", outputs=[new_output("stream", text="3")], execution_count=9)) == plain
    others = [
        key(new_code_cell("x = 2")),
        key(new_markdown_cell("x = 1")),
        key(new_code_cell("x = 1", metadata={"tags": ["parameters"]})),
    ]
    (project.root / "requirements.txt").write_text("numpy==2\n")
    others.append(key(new_code_cell("x = 1")))
    (project.root / "requirements.txt").write_text("numpy==1\n")
    monkeypatch.setattr(results, "source_hash", lambda: "another library")
    others.append(key(new_code_cell("x = 1")))
    assert len({plain, *others}) == 6


def test_key_sees_the_bytes_of_the_studys_atlas(project, monkeypatch, tmp_path):
    import condensation_lab

    notebook = write(project, new_code_cell("x = 1"))
    package = tmp_path / "package"
    (package / "atlases").mkdir(parents=True)
    monkeypatch.setattr(results, "source_hash", lambda: "library")
    monkeypatch.setattr(condensation_lab, "__file__", str(package / "__init__.py"))
    keys = {execution_key(notebook, project)}
    for content in (b"one", b"two"):
        (package / "atlases" / "study.nc").write_bytes(content)
        keys.add(execution_key(notebook, project))
    assert len(keys) == 3


def test_a_cell_that_never_ends_is_said_and_leaves_no_result(project, monkeypatch):
    monkeypatch.setattr("condensation_lab.publish.execute.CELL_SECONDS", 2)
    notebook = write(project, new_code_cell("import time\ntime.sleep(60)"))
    with pytest.raises(PublishError, match=r"A cell of study.ipynb did not end within 2 s"):
        execute(notebook)
    assert not (project.executed / "study.ipynb").exists()
