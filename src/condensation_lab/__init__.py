"""Re-measure, and play with, what is published on how neural networks train.

The names below are imported when they are first used, so that `import condensation_lab` costs nothing. This file needs
the standard library alone: the project's set-up runs before anything is installed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from condensation_lab.claims import Band, Claim, ClaimsTable, Control
    from condensation_lab.initialise import Scaling, scaling_at
    from condensation_lab.interactive import Atlas, PlaceInitialisation, live
    from condensation_lab.measure.condensation import amplitude, condensed_lines, orientation, share_near
    from condensation_lab.measure.regime import power_law, predicted_slope, regime, relative_distance, zero_crossings
    from condensation_lab.models.two_layer import TwoLayer
    from condensation_lab.plot import figure
    from condensation_lab.results import ResultsError, certificate, certify, load, load_atlas, save
    from condensation_lab.settings import SettingsError, StudySettings
    from condensation_lab.train.descent import gradient_descent
    from condensation_lab.train.flow import gradient_flow

_NAMES = {
    "claims": ("Band", "Claim", "ClaimsTable", "Control"),
    "initialise": ("Scaling", "scaling_at"),
    "interactive": ("Atlas", "PlaceInitialisation", "live"),
    "measure.condensation": ("amplitude", "condensed_lines", "orientation", "share_near"),
    "measure.regime": ("power_law", "predicted_slope", "regime", "relative_distance", "zero_crossings"),
    "models.two_layer": ("TwoLayer",),
    "plot": ("figure",),
    "results": ("ResultsError", "certificate", "certify", "load", "load_atlas", "save"),
    "settings": ("SettingsError", "StudySettings"),
    "train.descent": ("gradient_descent",),
    "train.flow": ("gradient_flow",),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "Atlas",
    "Band",
    "Claim",
    "ClaimsTable",
    "Control",
    "PlaceInitialisation",
    "ResultsError",
    "Scaling",
    "SettingsError",
    "StudySettings",
    "TwoLayer",
    "amplitude",
    "certificate",
    "certify",
    "condensed_lines",
    "figure",
    "gradient_descent",
    "gradient_flow",
    "live",
    "load",
    "load_atlas",
    "orientation",
    "power_law",
    "predicted_slope",
    "regime",
    "relative_distance",
    "save",
    "scaling_at",
    "share_near",
    "zero_crossings",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'condensation_lab' has no attribute {name!r}")
    value = getattr(import_module(f"condensation_lab.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> "list[str]":
    return __all__
