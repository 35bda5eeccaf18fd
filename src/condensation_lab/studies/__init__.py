"""The studies: one for each paper, and nothing else knows a paper's name."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


def names() -> list[str]:
    """Names of all studies, in alphabetical order; one that is still being written begins with an underscore.

    Example:
        >>> "two_layer_phase_diagram" in names()
        True
    """
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))


def find(name: str) -> ModuleType:
    """The module of a study.

    Args:
        name: the study's name, with hyphens or underscores.

    Returns:
        The study: NAME, PAPER, TITLE, Settings, run, claims, figures, atlas and spot_check.

    Raises:
        ValueError: there is no such study.

    Example:
        >>> find("two-layer-phase-diagram").PAPER
        'luo2021phase'
    """
    wanted = name.replace("-", "_")
    if wanted not in names():
        known = ", ".join(study.replace("_", "-") for study in names())
        raise ValueError(f"There is no study {name!r}; known are {known}.")
    return importlib.import_module(f"{__name__}.{wanted}")
