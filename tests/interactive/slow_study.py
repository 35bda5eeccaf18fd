"""A study that another process can import, slow and badly behaved on demand."""

from __future__ import annotations

import os
import time
from typing import Any, ClassVar, Literal

import numpy as np
import xarray as xr
from pydantic import Field

from condensation_lab.claims import Band, Claim, ClaimsTable
from condensation_lab.plot import BookFigure, figure
from condensation_lab.results import certify
from condensation_lab.settings import StudySettings

NAME = "slow_study"


class Settings(StudySettings):
    """Every kind of setting."""

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {"quick": {}, "paper": {"width": 4000, "seed": (0, 1, 2)}}

    end: Literal["result", "refusal", "error", "death"] = Field("result", description="how the run ends")
    seconds: float = Field(0.0, ge=0, le=100, description="how long it takes", json_schema_extra={"unit": "s"})
    width: int = Field(1000, ge=1, le=40000, description="hidden neurons")
    depth: int = Field(2, ge=1, le=9, description="layers")
    rate: float = Field(1e-3, gt=0, le=1, description="learning rate")
    bias: bool = Field(True, description="whether there is a bias")
    seed: tuple[int, ...] = Field((0,), min_length=1, description="seeds")


def run(settings: Settings) -> xr.Dataset:
    """Wait, and end as wanted."""
    time.sleep(settings.seconds)
    if settings.end == "refusal":
        raise ValueError("width = 1000 at this depth <diverges>: choose a smaller one.")
    if settings.end == "error":
        raise RuntimeError("the study broke")
    if settings.end == "death":
        os._exit(7)
    labels = {"long_name": "power", "units": "1"}
    x = np.linspace(0, 1, 11)
    data = xr.Dataset({"y": ("x", x**settings.depth, labels)}, coords={"x": ("x", x, {**labels, "long_name": "x"})})
    return certify(data, study=NAME, settings=settings, seconds=settings.seconds)


def claims(data: xr.Dataset) -> ClaimsTable:
    """One claim."""
    claim = Claim(
        key="mean", where="Fig. 1", statement="The mean is small", published=0.4, measured=float(data["y"].mean()),
        spread=None, seeds=1, band=Band(0.3, 0.5, "read off"),
    )  # fmt: skip
    return ClaimsTable.of(data, study=NAME, paper="nobody", claims=[claim])


def figure_power(data: xr.Dataset) -> BookFigure:
    """The curve."""
    drawn = figure(title="Power", x="x", y="y", description="A power of x.")
    drawn.add_scatter(x=data["x"], y=data["y"])
    return drawn
