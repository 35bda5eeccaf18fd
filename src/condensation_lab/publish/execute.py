"""Execute a notebook with papermill, unless nothing that it depends on has changed since the last time."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat

import condensation_lab
from condensation_lab import results
from condensation_lab.publish.project import Project, PublishError

CELL_SECONDS = 600
"""A notebook has 90 s; a cell far beyond them has gone wrong, and waiting for ever would hide it."""


def execute(notebook: Path) -> Path:
    """Execute a notebook into `_build/executed`, or keep the executed one whose key is the same.

    Args:
        notebook: Notebook of the project; it runs in its own folder, like in JupyterLab.

    Returns:
        Path of the executed notebook.

    Raises:
        PublishError: A cell failed or did not end. What ran so far lies beside the result, as `<name>.failed.ipynb`.
    """
    project = Project.find(notebook)
    target = project.executed / notebook.name
    key = execution_key(notebook, project)
    if _key_of(target) == key:
        return target
    import papermill
    from nbclient.exceptions import CellTimeoutError
    from papermill.exceptions import PapermillExecutionError

    target.parent.mkdir(parents=True, exist_ok=True)
    failed = target.with_suffix(".failed.ipynb")
    start = time.perf_counter()
    try:
        with _quiet_bars():
            papermill.execute_notebook(
                str(notebook),
                str(failed),
                cwd=str(notebook.parent),
                kernel_name="python3",
                progress_bar=False,
                execution_timeout=CELL_SECONDS,
                extra_arguments=["--log-level=ERROR"],  # else each kernel warns that it listens on this machine
            )
    except PapermillExecutionError as error:
        source = error.source.strip().splitlines()
        where = f"cell {error.exec_count} of {notebook.name}, which begins {source[0]!r}" if source else notebook.name
        raise PublishError(f"{error.ename} in {where}: {error.evalue} (all outputs: {failed})") from error
    except CellTimeoutError as error:
        raise PublishError(
            f"A cell of {notebook.name} did not end within {CELL_SECONDS} s: it takes too long, or its kernel's last "
            f"message was lost and another run will do (all outputs: {failed})."
        ) from error
    executed = nbformat.read(failed, as_version=4)
    executed.metadata["condensation_lab"] = {"key": key, "seconds": round(time.perf_counter() - start, 2)}
    nbformat.write(executed, failed)
    os.replace(failed, target)
    return target


def execution_key(notebook: Path, project: Project) -> str:
    """Hash of all that the outputs of a notebook depend on.

    That is: the library's source (docstrings aside), the lock file, the Python in use, the notebook's cells with their
    tags, and the bytes of the study's atlas.
    """
    digest = hashlib.sha256()
    cells = [
        [cell.cell_type, cell.source, sorted(cell.metadata.get("tags", []))]
        for cell in nbformat.read(notebook, as_version=4).cells
    ]
    lock = project.root / "requirements.txt"
    atlas = Path(condensation_lab.__file__).parent / "atlases" / f"{notebook.stem.replace('-', '_')}.nc"
    digest.update(json.dumps([results.source_hash(), platform.python_version(), cells]).encode())
    for path in (lock, atlas):
        digest.update(hashlib.sha256(path.read_bytes()).digest() if path.exists() else b"none")
    return digest.hexdigest()


def seconds_of(executed: Path) -> float:
    """Seconds that an executed notebook took when it ran."""
    return float(_record(executed)["seconds"])


def _key_of(executed: Path) -> str | None:
    return _record(executed).get("key") if executed.exists() else None


def _record(executed: Path) -> dict[str, Any]:
    try:
        return dict(nbformat.read(executed, as_version=4).metadata.get("condensation_lab", {}))
    except (nbformat.reader.NotJSONError, nbformat.ValidationError):
        return {}  # cut short by a crash: run it again


@contextmanager
def _quiet_bars() -> Iterator[None]:
    """Switch progress bars off in the kernel: on a page they would be dead widgets."""
    before = os.environ.get("TQDM_DISABLE")
    os.environ["TQDM_DISABLE"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["TQDM_DISABLE"]
        else:
            os.environ["TQDM_DISABLE"] = before
