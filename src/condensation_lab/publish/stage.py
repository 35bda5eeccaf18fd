"""Lay out the folder from which the pages are made: the sources, with executed notebooks in the place of bare ones.

It mirrors the repository, so that the links which a page makes to its own source point at the right file there.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import nbformat
import yaml

from condensation_lab.claims import MIME as CLAIMS_MIME
from condensation_lab.plot import PLOTLY_MIME
from condensation_lab.publish.project import Project, PublishError
from condensation_lab.publish.scoreboard import claims_of

VIEW_MIME = "application/vnd.jupyter.widget-view+json"
STATE_MIME = "application/vnd.jupyter.widget-state+json"


def stage(project: Project | None = None, only: str | None = None) -> Path:
    """Make `_build/stage` and `_build/claims.json` afresh.

    Args:
        project: The project; found from the working directory if None.
        only: Name of the one study to show; all if None.

    Returns:
        Path of the stage.

    Raises:
        PublishError: A notebook has not been executed, or shows a control that nobody could move without a kernel.
    """
    project = project or Project.find()
    shutil.rmtree(project.stage, ignore_errors=True)
    project.stage.mkdir(parents=True)
    shutil.copytree(project.root / "book", project.stage / "book", ignore=shutil.ignore_patterns("__pycache__"))
    config = dict(project.config)
    config["execute"] = {**config.get("execute", {}), "execute_notebooks": "off"}
    config["sphinx"]["config"]["suppress_warnings"] = ["myst.domains"]  # an unknown kind of output is an error here
    (project.stage / "_config.yml").write_text(yaml.safe_dump(config, sort_keys=False), "utf-8")
    notebooks = project.notebooks(only)
    _write_toc(project, {path.stem for path in project.notebooks()} - {path.stem for path in notebooks})
    executed = [project.executed / path.name for path in notebooks]
    for source, ran in zip(notebooks, executed, strict=True):
        if not ran.exists():
            raise PublishError(f"{source.name} has not been executed yet; `condensation-lab book` does it.")
        target = project.stage / source.relative_to(project.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(publishable(nbformat.read(ran, as_version=4), source.name), target)
    claims = json.dumps({"rows": claims_of(executed)}, ensure_ascii=False, indent=1)
    project.claims.write_text(claims, "utf-8")
    (project.stage / "claims.json").write_text(claims, "utf-8")
    return project.stage


def publishable(notebook: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    """Return a notebook without what a page must not or cannot show.

    Goes: metadata (papermill puts paths and times of the building machine there), the forms of an output that are for
    JupyterLab or for the build, progress bars, the views of plain ipywidgets (dead without a kernel: their HTML form
    stays), and the saved state of every widget but the anywidgets.

    Args:
        notebook: Executed notebook; changed in place.
        name: Its name, for the error.

    Raises:
        PublishError: A plain ipywidget has no HTML form.
    """
    kept = {key: notebook.metadata[key] for key in ("kernelspec", "language_info") if key in notebook.metadata}
    saved: dict[str, Any] = notebook.metadata.get("widgets", {}).get(STATE_MIME, {})
    live = {key: model for key, model in saved.get("state", {}).items() if model["model_module"] == "anywidget"}
    if live:
        kept["widgets"] = {STATE_MIME: {**saved, "state": live}}
    notebook.metadata = nbformat.from_dict(kept)
    for number, cell in enumerate(notebook.cells, start=1):
        cell.metadata = nbformat.from_dict({"tags": cell.metadata["tags"]} if "tags" in cell.metadata else {})
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if not _is_progress_bar(output, saved.get("state", {}))]
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            data.pop(PLOTLY_MIME, None)
            data.pop(CLAIMS_MIME, None)
            if VIEW_MIME in data and data[VIEW_MIME]["model_id"] not in live:
                if "text/html" not in data:
                    raise PublishError(
                        f"Cell {number} of {name} shows a control that is dead without a kernel; "
                        "give it a text/html form, or tag the cell remove-output."
                    )
                del data[VIEW_MIME]
    return notebook


def _is_progress_bar(output: nbformat.NotebookNode, state: dict[str, Any]) -> bool:
    """Whether an output is a progress bar that has reached its end."""
    view = output.get("data", {}).get(VIEW_MIME)
    box = state.get(view["model_id"], {}) if view else {}
    children = [child.removeprefix("IPY_MODEL_") for child in box.get("state", {}).get("children", [])]
    return any(state.get(child, {}).get("model_name") == "FloatProgressModel" for child in children)


def _write_toc(project: Project, left_out: set[str]) -> None:
    """Copy the table of contents, without the studies that are left out."""
    toc = yaml.safe_load((project.root / "_toc.yml").read_text("utf-8"))
    for part in toc.get("parts", []):
        part["chapters"] = [item for item in part["chapters"] if Path(item["file"]).stem not in left_out]
    toc["parts"] = [part for part in toc.get("parts", []) if part["chapters"]]
    (project.stage / "_toc.yml").write_text(yaml.safe_dump(toc, sort_keys=False), "utf-8")
