"""What every notebook of the book keeps to."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

from condensation_lab import studies
from condensation_lab.publish.keep import is_compared

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
LONGEST_CELL = 15  # lines; a longer one holds what belongs into the library
TAG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")  # nbval and the theme ignore others silently


def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(path):
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def tags(cell):
    return cell.metadata.get("tags", [])


def parameters(path) -> dict:
    (cell,) = [cell for cell in code_cells(path) if "parameters" in tags(cell)]
    statements = ast.parse(cell.source).body
    assert all(isinstance(each, ast.Assign | ast.AnnAssign) for each in statements)
    targets = [each.targets[0] if isinstance(each, ast.Assign) else each.target for each in statements]
    return {target.id: ast.literal_eval(each.value) for target, each in zip(targets, statements, strict=True)}


def imports(source) -> bool:
    return any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(ast.parse(source)))


def test_there_is_one_notebook_for_each_study():
    assert [path.stem for path in NOTEBOOKS] == [name.replace("_", "-") for name in studies.names()]
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
class TestEveryNotebook:
    def test_one_parameters_cell_stands_before_any_import(self, path):
        cells = code_cells(path)
        (place,) = [number for number, cell in enumerate(cells) if "parameters" in tags(cell)]
        assert not any(imports(cell.source) for cell in cells[: place + 1])

    def test_its_parameters_are_the_quick_preset_and_all_of_it(self, path):
        settings = studies.find(path.stem).Settings
        found = parameters(path)
        assert found.keys() == settings.model_fields.keys()
        assert settings.parse(found) == settings.preset("quick")

    def test_the_next_code_cell_refuses_what_is_no_setting(self, path):
        cells = code_cells(path)
        (place,) = [number for number, cell in enumerate(cells) if "parameters" in tags(cell)]
        assert "Settings.from_notebook(globals())" in cells[place + 1].source

    def test_no_cell_is_longer_than_a_few_lines(self, path):
        cells = [cell for cell in code_cells(path) if "parameters" not in tags(cell)]  # those are as many as there are
        assert max(len(cell.source.splitlines()) for cell in cells) <= LONGEST_CELL

    def test_something_is_left_for_nbval_to_compare(self, path):
        compared = [cell for cell in code_cells(path) if is_compared(cell)]
        assert all(cell.execution_count for cell in compared)  # nbval skips a cell without a number
        words = "\n".join(str(output) for cell in compared for output in cell.outputs)
        assert "reproduced" in words

    def test_only_outputs_that_nbval_compares_are_stored(self, path):
        notebook = read(path)
        for cell in code_cells(path):
            assert is_compared(cell) or not cell.outputs
            assert all(set(output.get("data", ())) <= {"text/plain"} for output in cell.outputs)
        assert not {"papermill", "widgets"} & notebook.metadata.keys()
        assert not any("execution" in cell.metadata or "papermill" in cell.metadata for cell in notebook.cells)

    def test_tags_are_lower_case_with_hyphens(self, path):
        assert all(TAG.fullmatch(tag) for cell in read(path).cells for tag in tags(cell))
