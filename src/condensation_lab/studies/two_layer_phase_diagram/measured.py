"""The measured side of each claim: slopes, zero lines, and the table that joins them to what is published."""

from __future__ import annotations

import math

import numpy as np
import xarray as xr

from condensation_lab.claims import ClaimsTable
from condensation_lab.initialise import FloatArray
from condensation_lab.measure.regime import boundary, power_law, predicted_slope, zero_crossings
from condensation_lab.published import Measured, judged
from condensation_lab.studies.two_layer_phase_diagram.experiment import CONTROL, NAME, PAPER
from condensation_lab.studies.two_layer_phase_diagram.published import GRID_STEP, PUBLISHED


def claims(data: xr.Dataset) -> ClaimsTable:
    """Every claim of the paper, judged by the dataset.

    Args:
        data: result of `run`, fresh or from the atlas.

    Returns:
        The table; parts that were not run give claims that are not tested.
    """
    measured: dict[str, Measured] = {}
    for part, needed in (
        (_regimes, "regime_share"),
        (_sharpening, "sharp_share"),
        (_lines, "line_relative_distance_w"),
    ):
        measured |= part(data) if needed in data else {}
    if "relative_distance_w" in data and data.sizes["gamma"] > 1:
        measured |= _map(data)
    if "digits_relative_distance_w" in data and data.sizes["digits_gamma"] > 1:
        measured |= _digits(data)
    if "digits_projection_width" in data:
        measured |= _projections(data)
    return judged(data, NAME, PAPER, PUBLISHED, measured)


def slopes(data: xr.Dataset, variable: str, width: str) -> xr.DataArray:
    """Exponent of a variable in the width: S_w for relative distances of the input weights.

    Args:
        data: result of `run`.
        variable: name of a positive variable.
        width: name of its width dimension.

    Returns:
        Exponents over the remaining dimensions, the seeds among them.
    """
    widths = data[width].values
    found: xr.DataArray = xr.apply_ufunc(
        lambda values: power_law(widths, values).slope, data[variable], input_core_dims=[[width]], vectorize=True
    )
    return found


def geometric_mean(values: xr.DataArray, dim: str) -> xr.DataArray:
    """The exponential of the mean logarithm: the mean that a slope on log axes belongs to.

    Args:
        values: positive values.
        dim: dimension to average over, such as the seeds.

    Returns:
        The means over the remaining dimensions.
    """
    found: xr.DataArray = xr.apply_ufunc(np.exp, xr.apply_ufunc(np.log, values).mean(dim, skipna=False))
    return found


def zero_line(data: xr.Dataset, layer: str, prefix: str = "") -> xr.DataArray:
    """The gamma at which the mean exponent over seeds changes sign, for each gamma_prime.

    Args:
        data: result of `run`.
        layer: "w" or "a".
        prefix: "" for the map, "digits_" for the images.

    Returns:
        First crossing by linear interpolation, over (gamma_prime,); NaN where there is none.

    Source:
        Luo et al., JMLR 2021, figures 4, 5 and 10.
    """
    gamma, prime = f"{prefix}gamma", f"{prefix}gamma_prime"
    mean = slopes(data, f"{prefix}relative_distance_{layer}", f"{prefix}width").mean(f"{prefix}seed", skipna=False)
    columns = mean.transpose(prime, gamma).values
    found = [next(iter(zero_crossings(data[gamma].values, column)), math.nan) for column in columns]
    return xr.DataArray(found, coords={prime: data[prime]}, dims=[prime])


def _regimes(data: xr.Dataset) -> dict[str, Measured]:
    found = {}
    steep = slopes(data, "regime_relative_distance_w", "regime_width")
    neighbour = (1, 2, 1)  # the regime whose value is the negative control
    for i, name in enumerate(("linear", "critical", "condensed")):
        other = float(steep.isel(regime_gamma=neighbour[i]).mean())
        found[f"slope_{name}"] = Measured.over(steep.isel(regime_gamma=i), other)
        if 1000 in data["regime_width"]:
            distance = data["regime_relative_distance_w"].sel(regime_width=1000)
            other = float(distance.isel(regime_gamma=neighbour[i]).mean())
            found[f"distance_{name}"] = Measured.over(distance.isel(regime_gamma=i), other)
    if 1000 not in data["regime_width"]:
        return found
    linear, _, condensed = (data.isel(regime_gamma=i).sel(regime_width=1000) for i in range(3))
    for key, name in (
        ("condensed_share", "share"),
        ("orientation_right", "median_right"),
        ("orientation_left", "median_left"),
    ):
        found[key] = Measured.over(condensed[f"regime_{name}"], float(linear[f"regime_{name}"].mean()))
    return found


def _sharpening(data: xr.Dataset) -> dict[str, Measured]:
    slope = slopes(data, "sharp_peak_width", "sharp_width").isel(sharp_gamma=1)
    condensed, critical = (slope.isel(sharp_gamma_prime=i) for i in range(2))
    ratio = (data["sharp_peak_width"] / data["sharp_start_peak_width"]).isel(sharp_width=-1, sharp_gamma_prime=0)
    return {
        "sharpening_condensed": Measured.over(condensed, float(critical.mean())),
        "sharpening_critical": Measured.over(critical, float(condensed.mean())),
        "sharpening_linear": Measured.over(ratio.isel(sharp_gamma=0), float(ratio.isel(sharp_gamma=1).mean())),
    }


def _lines(data: xr.Dataset) -> dict[str, Measured]:
    mean = slopes(data, "line_relative_distance_w", "line_width").mean("line_seed", skipna=False)
    ours = mean.drop_sel(parametrisation=list(CONTROL))
    apart = float(
        (ours.max("parametrisation", skipna=False) - ours.min("parametrisation", skipna=False)).max(skipna=False)
    )
    off = mean.sel(parametrisation=list(CONTROL)) - ours.mean("parametrisation")
    return {"parametrisations": Measured(apart, float(np.abs(off).min()), data.sizes["line_seed"])}


def _deviation(line: xr.DataArray, theory: FloatArray, gamma: FloatArray) -> float:
    """Largest distance from a theoretical line where it lies inside the map; NaN if a crossing is missing there."""
    in_paper = np.abs(line[line.dims[0]].values) < 0.45
    inside = in_paper & (theory < gamma.max() - GRID_STEP / 2) & (theory > gamma.min() + GRID_STEP / 2)
    return float(np.abs(line.values - theory)[inside].max()) if inside.any() else math.nan


def _known(line: xr.DataArray, sign: int) -> tuple[xr.DataArray, FloatArray]:
    """The crossings that exist and the boundary there: for a control, which must not fail for want of a crossing."""
    kept = line.dropna(line.dims[0])
    return kept, boundary(sign * kept[line.dims[0]].values)


def _map(data: xr.Dataset) -> dict[str, Measured]:
    primes, gamma, seeds = data["gamma_prime"].values, data["gamma"].values, data.sizes["seed"]
    line_w, line_a = zero_line(data, "w"), zero_line(data, "a")
    mean = (
        slopes(data, "relative_distance_w", "width").mean("seed", skipna=False).transpose("gamma", "gamma_prime").values
    )
    predicted = predicted_slope(gamma[:, None], primes[None, :])
    away = np.abs(primes) >= 0.2 - 1e-9
    unequal = data["control_drift"].isel(gamma_prime=np.flatnonzero(away))
    return {
        "zero_line_w": Measured(
            _deviation(line_w, boundary(primes), gamma), _deviation(*_known(line_a, 1), gamma), seeds
        ),
        "zero_line_a": Measured(
            _deviation(line_a, boundary(-primes), gamma), _deviation(*_known(line_w, -1), gamma), seeds
        ),
        "conservation": Measured(
            float(data["drift"].max(skipna=False)), float(unequal.min(skipna=False)) if away.any() else math.nan, seeds
        ),
        "derived_exponents": Measured(
            float(np.sqrt(np.mean((mean - predicted) ** 2))),
            float(np.sqrt(np.mean((mean - predicted_slope(gamma[:, None], -primes[None, :])) ** 2))),
            seeds,
        ),
    }


def _digits(data: xr.Dataset) -> dict[str, Measured]:
    gamma, primes = data["digits_gamma"].values, data["digits_gamma_prime"].values
    line_w, line_a = zero_line(data, "w", "digits_"), zero_line(data, "a", "digits_")
    control = _deviation(*_known(line_a, 1), gamma)
    deviation = _deviation(line_w, boundary(primes), gamma)
    return {"digits_zero_line": Measured(deviation, control, data.sizes["digits_seed"])}


def _projections(data: xr.Dataset) -> dict[str, Measured]:
    ratio = (data["digits_projection_width"] / data["digits_start_projection_width"]).isel(digits_width=-1)
    wanted = {"digits_gamma": 1.4, "digits_gamma_prime": -0.4}, {"digits_gamma": 0.6, "digits_gamma_prime": 0.0}
    if not all(value in data[dim] for cell in wanted for dim, value in cell.items()):
        return {}
    condensed, linear = (ratio.sel(cell) for cell in wanted)
    return {"digits_condensation": Measured.over(condensed, float(linear.mean()))}
