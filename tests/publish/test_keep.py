"""A committed notebook keeps the text that nbval compares, and nothing else."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from condensation_lab.publish import keep
from condensation_lab.publish.project import PublishError

VERDICT = new_output("stream", name="stdout", text="slope  quick  build  reproduced\n")
FIGURE = new_output("display_data", data={"text/html": "<div>", "text/plain": "figure"}, metadata={"a": 1})
VALUE = new_output("execute_result", data={"text/html": "<b>3", "text/plain": "3"}, execution_count=7)
IGNORED = {"tags": ["nbval-ignore-output"]}


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Write a bare notebook whose execution gives the outputs, keep what nbval compares, return count and notebook."""

    def make(*cells):
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        executed = new_notebook(cells=list(cells), metadata={"kernelspec": kernel, "papermill": {"path": "here"}})
        bare = nbformat.from_dict(executed)
        path = tmp_path / "study.ipynb"
        nbformat.write(executed, tmp_path / "executed.ipynb")
        for cell in bare.cells:
            cell.metadata["execution"] = {"time": "now"}
            if cell.cell_type == "code":
                cell.outputs = [new_output("stream", text="old")]
        nbformat.write(bare, path)
        monkeypatch.setattr(keep, "execute", lambda notebook: tmp_path / "executed.ipynb")
        return keep.keep_outputs(path), nbformat.read(path, as_version=4)

    return make


def test_compared_outputs_stay_as_text_and_all_else_goes(book):
    kept, notebook = book(
        new_markdown_cell("words"),
        new_code_cell("import x"),
        new_code_cell("print(verdicts)", outputs=[VERDICT]),
        new_code_cell("value", outputs=[VALUE]),
        new_code_cell("figure", outputs=[FIGURE], metadata=IGNORED),
    )
    assert kept == 2
    _, bare, verdicts, value, figure = notebook.cells
    assert verdicts.outputs == [VERDICT]
    assert value.outputs[0].data == {"text/plain": "3"}
    assert figure.outputs == []
    assert bare.outputs == []
    assert [bool(cell.execution_count) for cell in (bare, verdicts, value, figure)] == [True, True, True, False]
    assert figure.metadata == IGNORED
    assert all("execution" not in cell.metadata for cell in notebook.cells)
    assert notebook.metadata.keys() == {"kernelspec"}
    nbformat.validate(notebook)


def test_a_notebook_with_nothing_to_compare_is_refused(book):
    with pytest.raises(PublishError, match=r"study.ipynb would keep no output that nbval compares"):
        book(new_code_cell("import x"), new_code_cell("figure", outputs=[FIGURE], metadata=IGNORED))


def test_a_compared_output_without_text_is_refused(book):
    picture = new_output("display_data", data={"image/png": "aGVsbG8="})
    with pytest.raises(PublishError, match=r"Cell 1 of study.ipynb shows something without text"):
        book(new_code_cell("plot", outputs=[picture]))
