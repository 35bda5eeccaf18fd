"""Which outputs a committed notebook keeps: those that nbval compares, and no others."""

from __future__ import annotations

from pathlib import Path

import nbformat

from condensation_lab.publish.execute import execute
from condensation_lab.publish.project import PublishError

NOT_COMPARED = {"nbval-ignore-output", "nbval-skip"}
"""Tags of cells whose outputs nbval does not compare."""


def is_compared(cell: nbformat.NotebookNode) -> bool:
    """Whether nbval compares the outputs of a code cell."""
    return cell.cell_type == "code" and not NOT_COMPARED & set(cell.metadata.get("tags", []))


def keep_outputs(notebook: Path) -> int:
    """Execute a notebook and store in it the text outputs of the cells that nbval compares.

    Every other output, and what papermill and JupyterLab write into the metadata, is removed. A compared cell without
    an output keeps its execution number: nbval skips cells that have none.

    Args:
        notebook: Notebook of the project; changed in place.

    Returns:
        Number of outputs kept.

    Raises:
        PublishError: A cell failed, or there is nothing that nbval could compare.
    """
    stored = nbformat.read(notebook, as_version=4)
    executed = nbformat.read(execute(notebook), as_version=4)
    kept = 0
    for number, (cell, ran) in enumerate(zip(stored.cells, executed.cells, strict=True), start=1):
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if cell.cell_type == "code":
            where = f"Cell {number} of {notebook.name}"
            cell.outputs = [_text_only(output, where) for output in ran.outputs] if is_compared(cell) else []
            cell.execution_count = number if is_compared(cell) else None
            kept += len(cell.outputs)
    if not kept:
        raise PublishError(f"{notebook.name} would keep no output that nbval compares; show the verdicts in one cell.")
    names = ("kernelspec", "language_info")
    stored.metadata = nbformat.from_dict({name: stored.metadata[name] for name in names if name in stored.metadata})
    nbformat.write(stored, notebook)
    return kept


def _text_only(output: nbformat.NotebookNode, where: str) -> nbformat.NotebookNode:
    if "data" in output:
        if "text/plain" not in output.data:
            raise PublishError(f"{where} shows something without text; tag it nbval-ignore-output.")
        output.data = nbformat.from_dict({"text/plain": output.data["text/plain"]})
        output.metadata = nbformat.from_dict({})
    if "execution_count" in output:
        output.execution_count = None
    return output
