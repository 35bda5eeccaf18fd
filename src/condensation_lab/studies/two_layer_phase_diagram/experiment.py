"""What is run: the networks of each figure, from their settings to a labelled dataset."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import xarray as xr
from pydantic import AfterValidator, Field

from condensation_lab.data.images import digits
from condensation_lab.data.targets import augment, parabola
from condensation_lab.initialise import FloatArray, scaling_at
from condensation_lab.measure.condensation import amplitude, orientation, peak_width, projection_width, share_near
from condensation_lab.measure.regime import relative_distance
from condensation_lab.models.two_layer import TwoLayer
from condensation_lab.results import certify
from condensation_lab.settings import StudySettings
from condensation_lab.train.flow import REASONS, gradient_flow, in_threads

NAME = "two_layer_phase_diagram"
PAPER = "luo2021phase"
TITLE = "Phase diagram of two-layer ReLU networks"

REGIME_GAMMA = (0.5, 1.0, 1.75)  # figures 2 and 3
LINE_GAMMA = (0.5, 0.75, 1.0, 1.25, 1.5, 1.75)  # figure 3d
SHARP_GAMMA, SHARP_GAMMA_PRIME = (0.7, 1.3), (0.0, 0.3)  # four boxes of figure 6: two linear, condensed, critical
CONDENSED = np.array([-0.17, -2.98])  # the two orientations read off figure 2, radians
# (order of beta_1, order of beta_2) in 1/m; the last one is the negative control, at gamma' = 1/2
PARAMETRISATIONS = {"(1, 1)": (0.0, 0.0), "(m^-1/2, m^-1/2)": (0.5, 0.5), "(m^-1, m^-1)": (1.0, 1.0)}
CONTROL = {"control (m^-1/2, 1)": (0.5, 0.0)}
SHOWN_NEURONS, SHOWN_INPUTS = 80, 41

_NUMBER = {"unit": "1"}
Exponent = Annotated[float, Field(ge=-1, le=3, json_schema_extra=_NUMBER)]
Width = Annotated[int, Field(ge=16, le=1_000_000, json_schema_extra={"unit": "neurons"})]
OWN_DRAWS = 10_000  # seeds below this leave each parametrisation draws that no other has
Seed = Annotated[int, Field(ge=0, lt=OWN_DRAWS, json_schema_extra=_NUMBER)]


def _increasing(values: tuple[Any, ...]) -> tuple[Any, ...]:
    if any(not left < right for left, right in itertools.pairwise(values)):
        raise ValueError("its values must increase, each standing once.")
    return values


Increasing = AfterValidator(_increasing)
Exponents = Annotated[tuple[Exponent, ...], Increasing, Field(min_length=1, max_length=101)]
Widths = Annotated[tuple[Width, ...], Increasing, Field(min_length=2, max_length=50)]
Seeds = Annotated[tuple[Seed, ...], Increasing, Field(min_length=1, max_length=1000)]
Experiment = Literal["map", "regimes", "parametrisations", "sharpening", "digits", "point"]


def _exponents(low: int, high: int, step: int = 1) -> tuple[float, ...]:
    return tuple(tenth / 10 for tenth in range(low, high + 1, step))


class Settings(StudySettings):
    """Settings of the study; the defaults are the preset `quick`."""

    experiment: tuple[Experiment, ...] = Field(
        ("map", "regimes", "parametrisations", "sharpening", "digits", "point"),
        min_length=1,
        description="which parts to run: map (Fig. 4, 10), regimes (Fig. 2, 3a-c), parametrisations (Fig. 3d), "
        "sharpening (Fig. 6), digits (Fig. 5), point (a point of your own)",
    )
    gamma: Exponents = Field(_exponents(6, 14), description="gamma of the map, order of 1/kappa")
    gamma_prime: Exponents = Field(_exponents(-4, 4), description="gamma' of the map, order of 1/kappa'")
    width: Widths = Field((500, 1000, 2000, 4000), description="widths m of the map")
    regime_width: Widths = Field((1000, 5000, 10000, 20000, 40000), description="widths m of the three regimes")
    sharp_width: Widths = Field((1000, 10000), description="widths m of the sharpening")
    digits_gamma: Exponents = Field(_exponents(6, 14, 2), description="gamma for the digits")
    digits_gamma_prime: Exponents = Field((-0.4, 0.0, 0.4), description="gamma' for the digits")
    digits_width: Widths = Field((200, 400, 800), description="widths m for the digits")
    point_gamma: Exponent = Field(1.5, description="gamma of your own point")
    point_gamma_prime: Exponent = Field(0.0, description="gamma' of your own point")
    point_width: Annotated[int, Field(ge=64, le=100_000, json_schema_extra={"unit": "neurons"})] = Field(
        2000, description="width m of your own point; a quarter and a half of it are trained too"
    )
    seed: Seeds = Field((0, 1, 2), description="seeds of the initial weights")
    tolerance: Annotated[float, Field(ge=1e-4, le=0.5, json_schema_extra=_NUMBER)] = Field(
        0.02, description="allowed error of a step over the distance travelled"
    )
    stop_loss: Annotated[float, Field(ge=1e-12, le=1e-2, json_schema_extra=_NUMBER)] = Field(
        1e-6, description="mean squared error at which a run stops"
    )
    digits_stop_loss: Annotated[float, Field(ge=1e-10, le=1.0, json_schema_extra=_NUMBER)] = Field(
        1e-4, description="the same for the digits"
    )

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "quick": {},
        "paper": {
            "gamma": _exponents(4, 18),
            "gamma_prime": _exponents(-5, 5),
            "width": (1000, 5000, 10000, 20000, 40000),
            "sharp_width": (1000, 10000, 1_000_000),
            "digits_gamma": _exponents(6, 14),
            "digits_gamma_prime": _exponents(-4, 4, 2),
            "digits_width": (500, 1500, 4500),
        },
    }


def run(settings: Settings) -> xr.Dataset:
    """Train the networks of every chosen experiment by gradient flow and measure them.

    Args:
        settings: what to run.

    Returns:
        Dataset with, per experiment, relative distances of both layers, shares and widths of the orientation peaks,
        and one fit and one sample of neurons per cell; a run that did not reach its stop is NaN, its reason in
        `outcome`. Dimensions: (gamma, gamma_prime, width, seed) for the map, the same names behind `regime_`,
        `sharp_` and `digits_` for the others.

    Source:
        Luo et al., JMLR 2021, sections 3 and 4.
    """
    start = time.perf_counter()
    s, data = settings, parabola()
    parts: list[xr.Dataset] = []
    if "map" in s.experiment:
        parts.append(_grid(s, s.gamma, s.gamma_prime, s.width, s.seed, data, "", "S_w map"))
    if "regimes" in s.experiment:
        part = _grid(s, REGIME_GAMMA, (0.0,), s.regime_width, s.seed, data, "regime_", "three regimes")
        parts.append(part.squeeze("regime_gamma_prime", drop=True))
    if "parametrisations" in s.experiment:
        parts.append(_parametrisations(s, data))
    if "sharpening" in s.experiment:
        part = _grid(s, SHARP_GAMMA, SHARP_GAMMA_PRIME, s.sharp_width, s.seed, data, "sharp_", "sharpening")
        parts.append(part)
    if "digits" in s.experiment:
        images = s.model_copy(update={"stop_loss": s.digits_stop_loss})
        gammas, gamma_primes = s.digits_gamma, s.digits_gamma_prime
        parts.append(_grid(images, gammas, gamma_primes, s.digits_width, s.seed, digits(), "digits_", "digits"))
    if "point" in s.experiment:
        widths = (s.point_width // 4, s.point_width // 2, s.point_width)
        part = _grid(s, (s.point_gamma,), (s.point_gamma_prime,), widths, s.seed, data, "point_", "your point")
        parts.append(part.squeeze(["point_gamma", "point_gamma_prime"]))
    merged = xr.merge(parts, compat="equals", join="exact", combine_attrs="drop_conflicts")
    return certify(merged, study=NAME, settings=settings, seconds=time.perf_counter() - start)


_LABELS = {
    "relative_distance_w": "relative distance of the input weights",
    "relative_distance_a": "relative distance of the output weights",
    "drift": "largest change of a^2/mobility_a - |w|^2/mobility_w over the largest change of a term",
    "control_drift": "the same for a^2 - |w|^2, which is conserved only at gamma' = 0",
    "share": "share of the amplitude within 0.1 rad of -0.17 and -2.98",
    "peak_width": "width of the orientations that hold half of the amplitude",
    "start_peak_width": "the same at initialisation",
    "projection_width": "width of the projections on (1, ..., 1) that hold half of the amplitude",
    "start_projection_width": "the same at initialisation",
    "median_right": "median orientation of the amplitude on the right half of the circle",
    "median_left": "median orientation of the amplitude on the left half of the circle",
    "fit": "output of the trained network",
    "orientation": "orientation of a neuron after training",
    "amplitude": "amplitude of a neuron after training over the largest",
    "outcome": "how the run ended",
}
_RADIANS = {"peak_width", "start_peak_width", "median_right", "median_left", "orientation"}
_SHOWN = {
    "fit": ("input", SHOWN_INPUTS),
    "orientation": ("neuron", SHOWN_NEURONS),
    "amplitude": ("neuron", SHOWN_NEURONS),
}
_AXES = {
    "gamma": "γ: order of 1/κ in the width",
    "gamma_prime": "γ′: order of 1/κ′ in the width",
    "width": "width m",
    "seed": "seed",
}


def measure(start: TwoLayer, x: FloatArray, y: FloatArray, settings: Settings) -> dict[str, Any]:
    """Train one network and measure it on its first half, the other half being its anti-symmetric copy.

    Args:
        start: network of width m.
        x: inputs, (n, d); with d = 2 the copy is added and orientations are measured.
        y: targets, (n,).
        settings: tolerance and stop.

    Returns:
        Values by variable name; a run that did not reach its stop gives only `outcome`.
    """
    flat = x.shape[1] == 2
    result = gradient_flow(
        start.anti_symmetric() if flat else start, x, y, tolerance=settings.tolerance, stop_loss=settings.stop_loss
    )
    found: dict[str, Any] = {"outcome": REASONS.index(result.reason)}
    if not result.reached:
        return found
    end = result.network.first(start.width)
    found["relative_distance_w"] = relative_distance(start.w, end.w)
    found["relative_distance_a"] = relative_distance(start.a, end.a)
    changes = np.array([end.a**2 - start.a**2, (end.w**2 - start.w**2).sum(axis=0)])
    for name, mobilities in (("drift", (start.mobility_a, start.mobility_w)), ("control_drift", (1.0, 1.0))):
        terms = changes / np.array(mobilities)[:, None]
        found[name] = float(np.abs(terms[0] - terms[1]).max() / np.abs(terms).max())
    if not flat:
        found["projection_width"] = projection_width(end.w, amplitude(end.a, end.w))
        found["start_projection_width"] = projection_width(start.w, amplitude(start.a, start.w))
    if flat:
        angles, sizes = orientation(end.w), amplitude(end.a, end.w)
        found["share"] = float(share_near(angles, sizes, CONDENSED).sum())
        found["peak_width"] = peak_width(angles, sizes)
        found["start_peak_width"] = peak_width(orientation(start.w), amplitude(start.a, start.w))
        found["median_right"] = _median(angles[np.abs(angles) < np.pi / 2], sizes[np.abs(angles) < np.pi / 2])
        left = np.abs(angles) >= np.pi / 2
        found["median_left"] = _median(angles[left] % (2 * np.pi), sizes[left]) - 2 * np.pi
        found["fit"] = result.network.output(augment(np.linspace(-0.6, 0.6, SHOWN_INPUTS)))
        found["orientation"], found["amplitude"] = shown_neurons(angles, sizes)
    return found


def shown_neurons(angles: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Choose the neurons that a figure shows: one half the largest of the network, the other drawn at random.

    Args:
        angles: orientations, (m,).
        sizes: amplitudes, (m,).

    Returns:
        Orientations and amplitudes of up to `SHOWN_NEURONS` neurons, the amplitudes over the network's largest.
    """
    largest = np.argsort(-sizes, kind="stable")[: SHOWN_NEURONS // 2]
    others = np.setdiff1d(np.arange(sizes.size), largest)[: SHOWN_NEURONS // 2]  # the weights' own order is random
    chosen = np.concatenate([largest, others])
    return angles[chosen], sizes[chosen] / sizes.max()


def _median(values: FloatArray, weights: FloatArray) -> float:
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(total, total[-1] / 2)])


def _grid(
    settings: Settings,
    gammas: tuple[float, ...],
    gamma_primes: tuple[float, ...],
    widths: tuple[int, ...],
    seeds: tuple[int, ...],
    data: tuple[FloatArray, FloatArray],
    prefix: str,
    label: str,
) -> xr.Dataset:
    """Train and measure over a grid; what is only shown (fit, neurons) is kept for the first seed."""
    x, y = data
    axes: dict[str, tuple[float, ...]] = {"gamma": gammas, "gamma_prime": gamma_primes, "width": widths, "seed": seeds}
    cells = list(itertools.product(*(range(len(values)) for values in axes.values())))

    def train(cell: tuple[int, ...]) -> dict[str, Any]:
        g, p, m, seed = gammas[cell[0]], gamma_primes[cell[1]], widths[cell[2]], seeds[cell[3]]
        return measure(TwoLayer.normalised(g, p, m, x.shape[1], seed), x, y, settings)

    # the widest networks first, so that no thread is left alone with one at the end
    cells.sort(key=lambda cell: -widths[cell[2]])
    found = in_threads(train, cells, label=label)
    by_cell = dict(zip(cells, found, strict=True))
    dims = [prefix + axis for axis in axes]
    shape = [len(values) for values in axes.values()]
    variables: dict[str, xr.Variable] = {}
    for name in {name: None for values in found for name in values}:
        extra = _SHOWN.get(name)
        kept = cells if extra is None else [cell for cell in cells if cell[3] == 0]
        size = shape if extra is None else [*shape[:3], extra[1]]
        values = np.full(size, np.nan)
        for cell in kept:
            if (value := by_cell[cell].get(name)) is not None:
                index: Any = cell if extra is None else (*cell[:3], slice(np.size(value)))
                values[index] = value
        attrs: dict[str, Any] = {"long_name": _LABELS[name], "units": "rad" if name in _RADIANS else "1"}
        if name == "outcome":
            attrs |= {"flag_values": list(range(len(REASONS))), "flag_meanings": ", ".join(REASONS)}
        variables[prefix + name] = xr.Variable(dims if extra is None else [*dims[:3], extra[0]], values, attrs)
    coords: dict[str, Any] = {
        prefix + axis: (prefix + axis, list(values), {"long_name": _AXES[axis], "units": "1"})
        for axis, values in axes.items()
    }
    if x.shape[1] == 2:
        inputs = np.linspace(-0.6, 0.6, SHOWN_INPUTS)
        coords["input"] = ("input", inputs, {"long_name": "input x", "units": "1"})
    return xr.Dataset(variables, coords=coords)


def _parametrisations(settings: Settings, data: tuple[FloatArray, FloatArray]) -> xr.Dataset:
    """Figure 3d in raw parameters: each (beta_1, beta_2) with the alpha that gives gamma, and its own draws."""
    x, y = data
    schemes = PARAMETRISATIONS | CONTROL
    cells = list(itertools.product(range(len(schemes)), LINE_GAMMA, settings.width, settings.seed))

    def train(cell: tuple[int, float, int, int]) -> float:
        index, gamma, m, seed = cell
        order_1, order_2 = list(schemes.values())[index]
        scaling = replace(scaling_at(gamma, 0.0, m), beta_1=m**-order_1, beta_2=m**-order_2)
        scaling = replace(scaling, alpha=scaling.beta_1 * scaling.beta_2 * m**gamma)
        network = TwoLayer.scaled(scaling, m, x.shape[1], seed + OWN_DRAWS * (index + 1))
        return float(measure(network, x, y, settings).get("relative_distance_w", np.nan))

    values = np.reshape(
        in_threads(train, cells, label="parametrisations"),
        (len(schemes), len(LINE_GAMMA), len(settings.width), len(settings.seed)),
    )
    dims = ("parametrisation", "line_gamma", "line_width", "line_seed")
    attrs = {"long_name": _LABELS["relative_distance_w"], "units": "1"}
    coords = {
        "parametrisation": ("parametrisation", list(schemes)),
        "line_gamma": ("line_gamma", list(LINE_GAMMA), {"long_name": _AXES["gamma"], "units": "1"}),
        "line_width": ("line_width", list(settings.width), {"long_name": _AXES["width"], "units": "1"}),
        "line_seed": ("line_seed", list(settings.seed), {"long_name": _AXES["seed"], "units": "1"}),
    }
    return xr.Dataset({"line_relative_distance_w": (dims, values, attrs)}, coords=coords)
