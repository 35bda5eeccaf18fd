"""Settings of pytest that no configuration file can hold: how nbval runs and compares the notebooks.

They stand at the top so that a plain `pytest --nbval notebooks/` has them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent

# Besides what nbval skips by itself: forms of an output whose bytes differ from run to run or from machine to machine.
# Their text form is still compared.
NOT_COMPARED = (
    "text/html",
    "application/vnd.plotly.v1+json",
    "application/vnd.condensation-lab.claims+json",
)


def pytest_configure(config: pytest.Config) -> None:
    if not (config.getoption("nbval", False) or config.getoption("nbval_lax", False)):
        return
    os.environ["TQDM_DISABLE"] = "1"  # the kernels inherit it; a progress bar is no output to compare
    if config.option.nbval_sanitize_with is None:
        config.option.nbval_sanitize_with = str(ROOT / "tests" / "notebooks" / "sanitise.cfg")
    if config.option.nbval_kernel_name is None:  # a kernel named python3 may be another Python's
        config.option.nbval_current_env = True


def pytest_collectstart(collector: pytest.Collector) -> None:
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += NOT_COMPARED
