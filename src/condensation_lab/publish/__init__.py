"""What `make book` does: execute the notebooks, stage the sources, build the site, check it in a real browser.

This file imports nothing that a bare Python lacks, because `publish.environment` runs before anything is installed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable  # noqa: UP035, an older Python must come as far as being told which one is needed


@dataclass(frozen=True)
class Step:
    """One step of making the book, and the seconds that it took."""

    name: str
    seconds: float


def book(
    only: str | None = None, root: Path | None = None, on_step: Callable[[Step], None] | None = None
) -> list[Step]:
    """Execute, stage, build and check the book.

    Args:
        only: Name of the one study to execute and show; all if None.
        root: Top level of the project; found from the working directory if None.
        on_step: Called after each step, for whoever wants to follow.

    Returns:
        The steps, in order, with their seconds.

    Raises:
        PublishError: A step failed, or the finished site has faults; the message names each.
    """
    from condensation_lab.publish.build import build
    from condensation_lab.publish.check import check
    from condensation_lab.publish.execute import execute
    from condensation_lab.publish.project import Project, PublishError
    from condensation_lab.publish.stage import stage

    project = Project.find(root)
    steps: list[Step] = []

    def timed(name: str, work: Callable[..., Any], *values: Any) -> Any:
        start = time.perf_counter()
        result = work(*values)
        if name == "check" and result["browser"] is None:
            name = f"check; browser part {result['browser_part']}"
        steps.append(Step(name, time.perf_counter() - start))
        if on_step is not None:
            on_step(steps[-1])
        return result

    for notebook in project.notebooks(only):
        timed(f"execute {notebook.stem}", execute, notebook)
    timed("stage", stage, project, only)
    timed("build", build, project)
    report = timed("check", check, project)
    if report["problems"]:
        raise PublishError("The site has faults:\n  " + "\n  ".join(report["problems"]))
    return steps
