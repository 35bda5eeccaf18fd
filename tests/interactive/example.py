"""A dataset shaped like a phase diagram's results, made of formulas, with the live pieces declared over it."""

import io
from typing import Any, ClassVar

import numpy as np
import xarray as xr
from pydantic import Field

from condensation_lab.interactive import Atlas, Curve, Graph, Map, Points, Series, Slider, Words, live
from condensation_lab.interactive.live import Live
from condensation_lab.plot import BookFigure, figure
from condensation_lab.settings import StudySettings

BYTE = {"dtype": "uint8", "_FillValue": 255}


def example_dataset() -> xr.Dataset:
    """Slopes, relative distances, fits and neurons over (gamma, gamma_prime, width), quantised as an atlas is."""
    gamma = np.round(np.arange(0.4, 1.81, 0.1), 10)
    gamma_prime = np.round(np.arange(-0.5, 0.51, 0.1), 10)
    width = np.array([1000, 5000, 10000, 20000, 40000])
    random = np.random.default_rng(0)
    g, p = gamma[:, None], gamma_prime[None, :]
    slope = np.where(
        g <= 1,
        g - 1 - 2 * np.maximum(p, 0),
        np.where(p > g - 1, 2 * (g - 1 - p), np.minimum(g - 1, (g - 1 - p) / 2)),
    )
    noise = random.normal(0, 0.03, (15, 11, 5, 2))
    distance = 0.27 * (width[:, None] / 1000) ** slope[:, :, None, None] * np.exp(noise + 2 * (g - 1)[:, :, None, None])
    x = np.linspace(-0.7, 0.7, 41)
    smooth = 1 / (1 + np.exp(-8 * slope))[:, :, None, None]
    kinked = np.interp(x, [-0.7, -1 / 6, 1 / 6, 0.7], [0.34, 0.03, 0.03, 0.34])
    fit = (1 - smooth) * x**2 + smooth * kinked + 0.02 * (1 - smooth) * np.sin(40 * x) * (1000 / width[:, None]) ** 0.3
    start = random.uniform(-np.pi, np.pi, 100)
    goal = np.where(random.random(100) < 0.5, -0.17, -2.98)
    drawn_in = smooth * (1 - 0.3 * (1000 / width[:, None]) ** 0.5)
    orientation = start + drawn_in * (goal - start)
    amplitude = np.clip(random.random(100) ** 2 * (0.2 + 0.8 * drawn_in), 0, 1)
    amplitude[:, :, :, 7] = np.nan  # a neuron that did not survive

    def described(dims: str, values: np.ndarray, name: str, units: str = "1") -> tuple:
        return dims.split(), values, {"long_name": name, "units": units}

    data = xr.Dataset(
        {
            "slope_w": described(
                "gamma gamma_prime", slope + random.normal(0, 0.02, slope.shape), "slope S<sub>w</sub>"
            ),
            "relative_distance_w": described("gamma gamma_prime width seed", distance, "relative distance of w"),
            "fit": described("gamma gamma_prime width input", fit, "network output"),
            "orientation": described("gamma gamma_prime width neuron", orientation, "orientation", "rad"),
            "amplitude": described("gamma gamma_prime width neuron", amplitude, "amplitude, largest = 1"),
            "initial_orientation": described(
                "width neuron", np.tile(start, (5, 1)), "orientation before training", "rad"
            ),
            "initial_amplitude": described("width neuron", random.random((5, 100)) ** 2, "amplitude before training"),
            "sample_x": described("sample", np.array([-0.5, -1 / 6, 1 / 6, 0.5]), "input"),
            "sample_y": described("sample", np.array([0.25, 1 / 36, 1 / 36, 0.25]), "target"),
        },
        coords={
            "gamma": described("gamma", gamma, "scaling exponent γ of the output"),
            "gamma_prime": described("gamma_prime", gamma_prime, "scaling exponent γ′ between the layers"),
            "width": described("width", width, "hidden neurons m"),
            "input": described("input", x, "input x"),
        },
        attrs={"source": "atlas", "preset": "paper", "commit": "abc1234", "date": "2026-11-28T12:00:00+00:00"},
    )
    for name in ("fit", "orientation", "initial_orientation", "amplitude", "initial_amplitude"):
        low, high = float(data[name].min()), float(data[name].max())
        data[name].encoding = {**BYTE, "scale_factor": (high - low) / 254, "add_offset": low}
    return data


def decoded(data: xr.Dataset) -> xr.Dataset:
    """What a reader of the dataset's file gets, quantised where an encoding says so: xarray's own route."""
    return xr.load_dataset(io.BytesIO(data.to_netcdf(engine="h5netcdf")), engine="h5netcdf")


def example_atlas(data: xr.Dataset) -> Atlas:
    """The phase diagram's four linked views."""
    return Atlas(
        data,
        controls=[Slider("gamma", "γ", start=1.0), Slider("gamma_prime", "γ′", start=0.0), Slider("width", "m")],
        views=[
            Map(
                "slope_w",
                x="gamma",
                y="gamma_prime",
                title="Where features are learned",
                overlays=[
                    Curve("theory", [1, 1, 1.55], [-0.55, 0, 0.55]),
                    Points(
                        "",
                        [0.5, 0.5, 1],
                        [0.5, 0, 0],
                        ["LeCun, He", "NTK", "Xavier, mean field"],
                    ),
                ],
            ),
            Graph(
                [
                    Series("fit", x="input", name="network"),
                    Series("sample_y", x="sample_x", name="data", mode="markers", color="text", size=9),
                ],
                title="What the network has learned",
                x_label="x",
                y_label="f(x)",
            ),
            Graph(
                [
                    Series(
                        "initial_amplitude", "initial_orientation", "before", "markers", symbol="circle-open", size=5
                    ),
                    Series("amplitude", "orientation", "after", "markers", symbol="circle", size=5),
                ],
                title="Each neuron’s direction and size",
                x_label="orientation [rad]",
                y_label="amplitude, largest = 1",
                x_range=(-3.3, 3.3),
            ),
            Graph(
                [Series("relative_distance_w", "width", "seeds", "markers", trend=True)],
                title="How far the weights travel",
                log_x=True,
                log_y=True,
                mark="width",
            ),
        ],
        description="Trained two-layer networks over the phase plane: slope map, fit, neurons, relative distance.",
        sentence="At γ = {gamma}, γ′ = {gamma_prime}, m = {width} the weights moved {relative_distance_w} times their "
        "own length, and with width this changes as m to the power {slope_w}: {regime}.",
        words={
            "regime": Words(
                "slope_w",
                [-0.05, 0.05],
                ["it vanishes, the linear regime", "it stays, the critical line", "it grows, the condensed regime"],
            )
        },
    )


class ExampleSettings(StudySettings):
    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {"quick": {}, "paper": {"width": 4000}}

    gamma: float = Field(1.0, ge=0.4, le=1.8, description="scaling exponent of the output")
    width: int = Field(1000, ge=1, le=40000, description="hidden neurons")


class ExampleStudy:
    """A study whose run is a formula; it refuses one corner and breaks in another, as real ones may."""

    NAME = "two_layer_example"

    def run(self, settings: ExampleSettings) -> xr.Dataset:
        if settings.gamma > 1.7:
            raise ValueError("gamma = 1.75 at this width <diverges>: choose a smaller one.")
        if settings.gamma == 1.6:
            raise RuntimeError("the study broke")
        x = np.linspace(0, 1, 11)
        return xr.Dataset({"y": ("x", x**settings.gamma)}, coords={"x": x})


def example_figure(data: xr.Dataset) -> BookFigure:
    drawn = figure(title="Power", x="x", y="y", description="A power of x.")
    drawn.add_scatter(x=data["x"], y=data["y"])
    return drawn


def example_workbench() -> Live:
    """Two sliders over the study made of a formula."""
    vary = {"gamma": (0.5, 1.0, 1.5, 1.6, 1.75), "width": (1000, 2000, 40000, 50000)}
    return live(ExampleStudy(), ExampleSettings(), vary=vary, show=example_figure)
