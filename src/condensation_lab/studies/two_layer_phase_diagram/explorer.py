"""The page's live piece: the atlas over (gamma, gamma', m) with its map, fit, neurons and relative distance."""

from __future__ import annotations

import numpy as np
import xarray as xr

from condensation_lab.initialise import SCHEMES, draw_normal
from condensation_lab.interactive import (
    Atlas,
    Curve,
    Graph,
    Map,
    PlaceInitialisation,
    Playground,
    Points,
    Series,
    Slider,
    Words,
)
from condensation_lab.measure.condensation import amplitude, orientation
from condensation_lab.measure.regime import boundary
from condensation_lab.studies.two_layer_phase_diagram.experiment import SHOWN_NEURONS, shown_neurons
from condensation_lab.studies.two_layer_phase_diagram.measured import geometric_mean, slopes

_NAMES = ("fit", "orientation", "amplitude")
_COMMAND = (
    "papermill notebooks/two-layer-phase-diagram.ipynb out.ipynb "
    "-p point_gamma {gamma} -p point_gamma_prime {gamma_prime} -p point_width {width}"
)


def explorer(stored: xr.Dataset) -> Atlas:
    """The atlas as linked figures; sliders for gamma, gamma' and the width.

    Args:
        stored: the study's atlas, or any result of `run` with the map.

    Returns:
        The widget, alive with and without a kernel.
    """
    data = _shown(stored)
    schemes: dict[tuple[float, float], list[str]] = {}
    for scheme in SCHEMES:
        schemes.setdefault((scheme.gamma, scheme.gamma_prime), []).append(scheme.name)
    primes = stored["gamma_prime"].values
    edges = np.array([primes[0] - 0.05, 0.0, primes[-1] + 0.05])
    return Atlas(
        data,
        controls=[Slider("gamma", "γ", start=1.0), Slider("gamma_prime", "γ′", start=0.0), Slider("width", "m")],
        views=[
            Map(
                "slope_w",
                x="gamma",
                y="gamma_prime",
                title="Slope of log RD against log m",
                overlays=[
                    Curve("theory", boundary(edges).tolist(), edges.tolist()),
                    Points(
                        "",
                        [g for g, _ in schemes],
                        [p for _, p in schemes],
                        [", ".join(names) for names in schemes.values()],
                        ["bottom right"] * len(schemes),
                    ),
                ],
            ),
            Graph(
                [
                    Series("fit", "input", "network"),
                    Series("sample_y", "sample_x", "samples", "markers", color="text", size=9),
                ],
                title="What the network has learned",
                x_label="x",
                y_label="f(x)",
            ),
            Graph(
                [
                    Series("start_amplitude", "start_orientation", "before", "markers", symbol="circle-open", size=5),
                    Series("amplitude", "orientation", "after", "markers", size=5),
                ],
                title=f"Neurons: the {SHOWN_NEURONS // 2} largest and as many drawn at random",
                x_label="orientation, rad",
                y_label="amplitude, largest = 1",
                x_range=(-3.3, 3.3),
            ),
            Graph(
                [Series("distance", "width", "mean over seeds", "markers", trend=True)],
                title="How far the input weights travel",
                x_label="width m",
                y_label="RD",
                log_x=True,
                log_y=True,
                mark="width",
            ),
        ],
        description="Two-layer networks trained over the phase diagram: slope map, fit, neurons, relative distance.",
        sentence="In theory γ = {gamma}, γ′ = {gamma_prime} is {regime}. Measured: at m = {width} the input weights "
        "moved {distance} times their own length, and with the width this {change}, as m to the power {slope_w}.",
        words={
            "regime": Words("margin", [-1e-6, 1e-6], ["linear", "on the critical line", "condensed"]),
            "change": Words("slope_w", [-0.05, 0.05], ["falls", "hardly changes", "grows"]),
        },
        command=_COMMAND,
    )


def place(stored: xr.Dataset) -> PlaceInitialisation:
    """A reader's own initialisation as a point of the diagram, beside the slopes of the atlas.

    Args:
        stored: the study's atlas, or any result of `run` with the map.

    Returns:
        The widget, alive with and without a kernel.
    """
    return PlaceInitialisation(stored=stored, command=_COMMAND)


def playground() -> Playground:
    """A network that trains in the page, at a point of the condensed regime to begin with.

    Returns:
        The widget, alive with and without a kernel.
    """
    return Playground(command=_COMMAND)


def _shown(stored: xr.Dataset) -> xr.Dataset:
    """What the widget needs of the atlas: slopes, mean distances, the shown neurons before and after, the samples."""
    data = stored[list(_NAMES)].assign(
        slope_w=slopes(stored, "relative_distance_w", "width").mean("seed"),
        distance=geometric_mean(stored["relative_distance_w"], "seed"),
    )
    angles, sizes = (np.full((stored.sizes["width"], SHOWN_NEURONS), np.nan) for _ in range(2))
    for row, m in enumerate(stored["width"].values):
        a, w = draw_normal(int(m), 2, int(stored["seed"][0]))
        shown = shown_neurons(orientation(w), amplitude(a, w))
        angles[row, : shown[0].size], sizes[row, : shown[0].size] = shown
    data["start_orientation"] = (("width", "neuron"), angles)
    data["start_amplitude"] = (("width", "neuron"), sizes)
    data["margin"] = data["gamma"] - xr.zeros_like(data["slope_w"]) - boundary(data["gamma_prime"].values)
    x = np.linspace(-0.5, 0.5, 4)
    data["sample_x"], data["sample_y"] = ("sample", x), ("sample", x**2)
    for name, label, units in (
        ("slope_w", "slope S<sub>w</sub>", "1"),
        ("distance", "relative distance of the input weights", "1"),
        ("start_orientation", "orientation at initialisation", "rad"),
        ("start_amplitude", "amplitude at initialisation", "1"),
        ("margin", "distance in γ from the boundary", "1"),
        ("sample_x", "input of a sample", "1"),
        ("sample_y", "target of a sample", "1"),
    ):
        data[name].attrs = {"long_name": label, "units": units}
    return data.assign_attrs(stored.attrs)
