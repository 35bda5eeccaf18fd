"""The atlas: the paper preset in a file small enough to commit, and the spot checks that keep it honest."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import numpy as np
import xarray as xr

from condensation_lab.data.images import digits
from condensation_lab.data.targets import parabola
from condensation_lab.models.two_layer import TwoLayer
from condensation_lab.results import SpotCheck
from condensation_lab.studies.two_layer_phase_diagram.experiment import Settings, measure

CHECKED = ("relative_distance_w", "relative_distance_a")
_GRIDS = ("", "digits_")  # prefixes of the grids whose cells are recomputed
_EXACT = 1e-9  # rounding of another processor's arithmetic, far below the integrator's tolerance
_AMPLIFIED = 1000.0  # a run meets rounding at each of its steps, the recorded perturbation only at its start


def atlas(data: xr.Dataset) -> xr.Dataset:
    """The form of a result that is committed: what is only drawn is stored in one byte, the rest in full.

    Each checked variable gets the attribute `sensitivity`: the largest relative change under a relative perturbation
    of the initial weights by 1e-15, over sixty cells.

    Args:
        data: result of `run` with the map and the digits.

    Returns:
        The same dataset with encodings and sensitivities.
    """
    small = data.copy()
    settings = Settings.parse(json.loads(data.attrs["settings"]))
    for prefix in _GRIDS:
        for name, change in _sensitivity(small, settings, prefix).items():
            small[prefix + name].attrs["sensitivity"] = change
    for key, variable in small.data_vars.items():
        name = str(key)
        if {"input", "neuron"} & set(variable.dims):
            low, high = float(variable.min()), float(variable.max())
            scale = (high - low) / 254 or 1.0
            variable.encoding = {"dtype": "uint8", "scale_factor": scale, "add_offset": low, "_FillValue": 255}
        elif name.endswith("outcome"):
            variable.encoding = {"dtype": "int8", "_FillValue": -1}
        elif not name.endswith(CHECKED):
            variable.encoding = {"dtype": "float32"}
    return small


def spot_check(stored: xr.Dataset, seed: int, seconds: float = 20.0) -> list[SpotCheck]:
    """Recompute randomly chosen cells of the atlas with today's code.

    Args:
        stored: the atlas.
        seed: chooses the cells.
        seconds: no further cell is begun after this time.

    Returns:
        The checks, two per cell; at least one cell of each grid.
    """
    settings = Settings.parse(json.loads(stored.attrs["settings"]))
    generator = np.random.default_rng(seed)
    checks: list[SpotCheck] = []
    begun = time.perf_counter()
    for count in range(10_000):
        prefix = _GRIDS[count % len(_GRIDS)]
        if count >= len(_GRIDS) and time.perf_counter() - begun > seconds:
            break
        index = {dim: int(generator.integers(stored.sizes[dim])) for dim in _dims(prefix)}
        found = _recompute(stored, settings, prefix, index)
        place = ", ".join(f"{dim} = {stored[dim].values[i]:g}" for dim, i in index.items())
        for name in CHECKED:
            variable = stored[prefix + name]
            allowed = max(_EXACT, _AMPLIFIED * float(variable.attrs["sensitivity"]))
            value = float(variable.isel(index))
            checks.append(SpotCheck(f"{prefix}{name} at {place}", value, found.get(name, np.nan), allowed))
    return checks


def _dims(prefix: str) -> list[str]:
    return [prefix + dim for dim in ("gamma", "gamma_prime", "width", "seed")]


def _recompute(
    stored: xr.Dataset, settings: Settings, prefix: str, index: dict[str, int], perturbation: float = 0.0
) -> dict[str, float]:
    x, y = digits() if prefix else parabola()
    gamma, gamma_prime, width, seed = (stored[dim].values[i].item() for dim, i in index.items())
    start = TwoLayer.normalised(gamma, gamma_prime, width, x.shape[1], seed)
    if perturbation:
        generator = np.random.default_rng(0)
        a, w = (v * (1 + perturbation * generator.standard_normal(v.shape)) for v in (start.a, start.w))
        start = replace(start, a=a, w=w)
    chosen = settings.model_copy(update={"stop_loss": settings.digits_stop_loss}) if prefix else settings
    found = measure(start, x, y, chosen)
    return {name: float(found.get(name, np.nan)) for name in CHECKED}


def _sensitivity(stored: xr.Dataset, settings: Settings, prefix: str) -> dict[str, float]:
    """Largest relative change under the perturbation, over sixty cells at the two smallest widths."""
    generator = np.random.default_rng(0)
    largest = dict.fromkeys(CHECKED, 0.0)
    for _ in range(60):
        index = {dim: int(generator.integers(stored.sizes[dim])) for dim in _dims(prefix)}
        index[f"{prefix}width"] = min(index[f"{prefix}width"], 1)
        moved = _recompute(stored, settings, prefix, index, perturbation=1e-15)
        for name in CHECKED:
            value = float(stored[prefix + name].isel(index))
            if np.isfinite(value) and np.isfinite(moved[name]):
                largest[name] = max(largest[name], abs(moved[name] / value - 1))
    return largest
