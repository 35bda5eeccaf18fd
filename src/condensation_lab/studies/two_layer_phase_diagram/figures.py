"""The paper's figures, drawn from this build (`data`) and, where it helps, beside the atlas (`stored`)."""

from __future__ import annotations

import numpy as np
import xarray as xr

from condensation_lab import plot
from condensation_lab.initialise import draw_normal
from condensation_lab.measure.condensation import amplitude, orientation
from condensation_lab.measure.regime import boundary, power_law, predicted_slope, regime
from condensation_lab.studies.two_layer_phase_diagram.experiment import CONTROL, shown_neurons
from condensation_lab.studies.two_layer_phase_diagram.measured import geometric_mean, slopes, zero_line

THEORY = "#8a5bc7"  # dark enough for the map and light enough for the legend of a dark page
WIDTH, RD = "width m", "relative distance RD(θ<sub>w</sub>)"
GAMMA, GAMMA_PRIME = "γ", "γ′"


@plot.needs("regime_fit")
def figure_fits(data: xr.Dataset) -> plot.BookFigure:
    """Figure 2, upper row: outputs of trained networks at the smallest width, first seed, with the four samples."""
    fig = plot.figure(
        title="What the three regimes learn from four points (Fig. 2)",
        x="input x",
        y="output f(x)",
        description="Outputs of networks trained at three values of gamma, with the four samples they fit.",
        anchor="fig-fits",
    )
    for i, gamma in enumerate(data["regime_gamma"].values):
        fig.add_scatter(
            x=data["input"].values, y=data["regime_fit"].isel(regime_gamma=i, regime_width=0).values,
            mode="lines", name=f"γ = {gamma:g}",
        )  # fmt: skip
    x = np.linspace(-0.5, 0.5, 4)
    fig.add_scatter(x=x, y=x**2, mode="markers", name="samples", marker={"size": 10, "color": plot.INK})
    return fig


@plot.needs("regime_orientation")
def figure_neurons(data: xr.Dataset) -> plot.BookFigure:
    """Figure 2, lower row: orientation and amplitude of neurons before and after training."""
    each = data["regime_share"].isel(regime_width=0).mean("regime_seed")
    shares = ", ".join(f"{float(s):.2f} at gamma {g:g}" for g, s in zip(data["regime_gamma"].values, each, strict=True))
    fig = plot.figure(
        title="Where neurons point, before and after (Fig. 2)",
        x="orientation, rad",
        y="amplitude |a| |w|, largest = 1",
        description="Share of the amplitude within 0.1 rad of -0.17 and -2.98: " + shares,
        anchor="fig-neurons",
    )
    a, w = draw_normal(int(data["regime_width"][0]), 2, int(data["regime_seed"][0]))
    angles, sizes = shown_neurons(orientation(w), amplitude(a, w))
    fig.add_scatter(
        x=angles, y=sizes, mode="markers", name="at initialisation",
        marker={"symbol": "circle-open", "color": plot.INK, "size": 9},
    )  # fmt: skip
    for i, gamma in enumerate(data["regime_gamma"].values):
        one = data.isel(regime_gamma=i, regime_width=0)
        fig.add_scatter(
            x=one["regime_orientation"].values, y=one["regime_amplitude"].values, mode="markers", name=f"γ = {gamma:g}"
        )
    return fig


@plot.needs("regime_relative_distance_w")
def figure_slopes(data: xr.Dataset) -> plot.BookFigure:
    """Figure 3a to c: relative distance against width with the fitted power laws."""
    widths = data["regime_width"].values
    means = geometric_mean(data["regime_relative_distance_w"], "regime_seed")
    laws = [power_law(widths, means.isel(regime_gamma=i).values) for i in range(means.sizes["regime_gamma"])]
    found = [f"slope {law.slope:.3f} at gamma {g:g}" for law, g in zip(laws, data["regime_gamma"].values, strict=True)]
    fig = plot.figure(
        title="Relative distance against width (Fig. 3a–c)",
        x=WIDTH,
        y=RD,
        description="Relative distance of the input weights against the width: " + ", ".join(found),
        log_x=True,
        log_y=True,
        anchor="fig-slopes",
    )
    for i, (law, gamma) in enumerate(zip(laws, data["regime_gamma"].values, strict=True)):
        values = data["regime_relative_distance_w"].isel(regime_gamma=i)
        colour = plot.OKABE_ITO[i]
        fig.add_scatter(
            x=np.repeat(widths, values.sizes["regime_seed"]), y=values.transpose("regime_width", ...).values.ravel(),
            mode="markers", name=f"γ = {gamma:g}, each seed", marker={"color": colour},
        )  # fmt: skip
        fig.add_scatter(
            x=widths, y=np.exp(law.intercept) * widths**law.slope, mode="lines", line={"color": colour},
            name=f"m<sup>{law.slope:.3f}</sup>",
        )  # fmt: skip
    return fig


@plot.needs("line_relative_distance_w")
def figure_parametrisations(data: xr.Dataset) -> plot.BookFigure:
    """Figure 3d: S_w against gamma for three parametrisations in their raw parameters."""
    fig = plot.figure(
        title="One curve for three parametrisations (Fig. 3d)",
        x=GAMMA,
        y="slope S<sub>w</sub>",
        description="Slope S_w against gamma for three parametrisations at gamma' = 0 and one at gamma' = 1/2.",
        anchor="fig-parametrisations",
    )
    each = slopes(data, "line_relative_distance_w", "line_width")
    for name in data["parametrisation"].values:
        one = each.sel(parametrisation=name)
        label = str(name) if name in CONTROL else f"(β₁, β₂) = {name}"
        fig.add_scatter(
            x=data["line_gamma"].values, y=one.mean("line_seed").values, mode="lines+markers", name=label,
            error_y={"array": one.std("line_seed", ddof=1).values if one.sizes["line_seed"] > 1 else None},
        )  # fmt: skip
    return fig


@plot.needs("relative_distance_w")
def figure_map(data: xr.Dataset, stored: xr.Dataset) -> plot.BookFigure:
    """Figure 4: map of S_w with its zero line and the theoretical boundary."""
    return _map(data, stored, "w", "", "S<sub>w</sub> over the phase diagram, this build (Fig. 4)", "fig-map")


@plot.needs("relative_distance_a")
def figure_map_a(data: xr.Dataset, stored: xr.Dataset) -> plot.BookFigure:
    """Figure 10: map of S_a with its zero line and its theoretical line."""
    return _map(data, stored, "a", "", "S<sub>a</sub> over the phase diagram, this build (Fig. 10)", "fig-map-a")


@plot.needs("digits_relative_distance_w")
def figure_digits(data: xr.Dataset, stored: xr.Dataset) -> plot.BookFigure:
    """Figure 5: map of S_w on images."""
    return _map(data, stored, "w", "digits_", "S<sub>w</sub> on handwritten digits, this build (Fig. 5)", "fig-digits")


def _map(data: xr.Dataset, stored: xr.Dataset, layer: str, prefix: str, title: str, anchor: str) -> plot.BookFigure:
    gamma, prime = f"{prefix}gamma", f"{prefix}gamma_prime"
    mean = slopes(data, f"{prefix}relative_distance_{layer}", f"{prefix}width").mean(f"{prefix}seed")
    fig = plot.figure(
        title=title,
        x=GAMMA,
        y=GAMMA_PRIME,
        description=f"S_{layer} from {float(mean.min()):.2f} to {float(mean.max()):.2f}, its zeros and the theory.",
        anchor=anchor,
        height=460,
    )
    largest = float(np.abs(mean).max())
    fig.add_heatmap(
        x=data[gamma].values, y=data[prime].values, z=mean.transpose(prime, gamma).values, zmin=-largest, zmax=largest,
        colorscale=plot.DIVERGING, autocolorscale=False, colorbar={"title": f"S<sub>{layer}</sub>"},
    )  # fmt: skip
    primes = np.linspace(data[prime].values.min(), data[prime].values.max(), 101)
    theory = boundary(primes if layer == "w" else -primes)
    keep = theory <= data[gamma].values.max() + 0.05
    fig.add_scatter(x=theory[keep], y=primes[keep], mode="lines", name="theory", line={"color": THEORY, "width": 3})
    for source, run, symbol in (("this build", data, "circle"), ("atlas", stored, "x")):
        line = zero_line(run, layer, prefix)
        inside = (line[prime] >= primes[0] - 1e-9) & (line[prime] <= primes[-1] + 1e-9)
        fig.add_scatter(
            x=line.values[inside], y=line[prime].values[inside], mode="markers", name=f"zero, {source}",
            marker={"symbol": symbol, "size": 10, "color": "#111111", "line": {"color": "#ffffff", "width": 1}},
        )  # fmt: skip
    return fig


@plot.needs("digits_projection_width")
def figure_projections(data: xr.Dataset, stored: xr.Dataset) -> plot.BookFigure:
    """Figure 7 in one number: how narrow the amplitude lies along the projection on (1, ..., 1), widest networks."""
    fig = plot.figure(
        title="Condensation on images (Fig. 7)",
        x=GAMMA,
        y="width of the projections, over the start",
        description="Width of the projections that hold half of the amplitude, over that at the start, against gamma, "
        "for each gamma' of this build and the atlas: near 1 in the linear regime, a small part in the condensed one.",
        anchor="fig-projections",
    )
    for source, run, dash in (("this build", data, "solid"), ("atlas", stored, "dot")):
        ratio = (run["digits_projection_width"] / run["digits_start_projection_width"]).isel(digits_width=-1)
        for i, prime in enumerate(data["digits_gamma_prime"].values):
            if prime in run["digits_gamma_prime"]:
                fig.add_scatter(
                    x=run["digits_gamma"].values, y=ratio.sel(digits_gamma_prime=prime).mean("digits_seed").values,
                    mode="lines+markers", name=f"γ′ = {prime:g}, {source}",
                    line={"color": plot.OKABE_ITO[i % len(plot.OKABE_ITO)], "dash": dash},
                    marker={"symbol": plot.MARKERS[i % len(plot.MARKERS)]},
                )  # fmt: skip
    return fig


@plot.needs("sharp_peak_width")
def figure_sharpening(data: xr.Dataset, stored: xr.Dataset) -> plot.BookFigure:
    """Figure 6 in one number: the width of the orientations that hold half of the amplitude, against m."""
    fig = plot.figure(
        title="Do the orientation peaks sharpen with width? (Fig. 6)",
        x=WIDTH,
        y="width of the peaks, rad",
        description="Width of the orientation peaks against the width of the network, in three regimes.",
        log_x=True,
        log_y=True,
        anchor="fig-sharpening",
    )
    for source, run, dash in (("this build", data, "solid"), ("atlas", stored, "dot")):
        for i, (g, p, place) in enumerate(((0, 0, "linear"), (1, 1, "critical"), (1, 0, "condensed"))):
            widths = run["sharp_peak_width"].isel(sharp_gamma=g, sharp_gamma_prime=p)
            at = f"γ = {float(run['sharp_gamma'][g]):g}, γ′ = {float(run['sharp_gamma_prime'][p]):g}"
            fig.add_scatter(
                x=run["sharp_width"].values, y=geometric_mean(widths, "sharp_seed").values, mode="lines+markers",
                name=f"{place} ({at}), {source}", line={"color": plot.OKABE_ITO[i], "dash": dash},
                marker={"symbol": plot.MARKERS[i]},
            )  # fmt: skip
    return fig


@plot.needs("relative_distance_w")
def figure_exponents(data: xr.Dataset, stored: xr.Dataset) -> plot.BookFigure:
    """Measured exponents of every cell against those of the scaling argument."""
    fig = plot.figure(
        title="Measured slope against a scaling argument, every cell",
        x="exponent of the scaling argument",
        y="measured S<sub>w</sub>",
        description="Measured slope of every cell of the map against the exponent of the scaling argument.",
        anchor="fig-exponents",
    )
    for source, run in (("this build", data), ("atlas", stored)):
        mean = slopes(run, "relative_distance_w", "width").mean("seed").transpose("gamma", "gamma_prime")
        predicted = predicted_slope(run["gamma"].values[:, None], run["gamma_prime"].values[None, :])
        fig.add_scatter(
            x=predicted.ravel(), y=mean.values.ravel(), mode="markers", name=source, marker={"size": 6, "opacity": 0.8}
        )
    ends = np.array([-1.6, 0.8])
    fig.add_scatter(x=ends, y=ends, mode="lines", name="equal", line={"color": plot.INK, "dash": "dot"})
    return fig


@plot.needs("point_fit")
def figure_point(data: xr.Dataset) -> plot.BookFigure:
    """Your own point: what the network there has learned, in the widest network, first seed."""
    gamma, prime = float(data["point_gamma"]), float(data["point_gamma_prime"])
    widths = data["point_width"].values
    means = geometric_mean(data["point_relative_distance_w"], "point_seed").values
    told = f"S<sub>w</sub> = {power_law(widths, means).slope:.2f}, RD = {means[-1]:.3g} at m = {widths[-1]}"
    fig = plot.figure(
        title=f"γ = {gamma:g}, γ′ = {prime:g}: {regime(gamma, prime)} in theory; {told}",
        x="input x",
        y="output f(x)",
        description=f"Output of the network at gamma {gamma:g}, gamma' {prime:g}, and its neurons' kinks. {told}",
        anchor="fig-point",
    )
    one = data.isel(point_width=-1)
    fig.add_scatter(x=data["input"].values, y=one["point_fit"].values, mode="lines", name="network")
    x = np.linspace(-0.5, 0.5, 4)
    fig.add_scatter(x=x, y=x**2, mode="markers", name="samples", marker={"size": 10, "color": plot.INK})
    angles, sizes = one["point_orientation"].values, one["point_amplitude"].values
    kinks = -np.tan(angles)  # x = -bias / weight
    seen = np.abs(kinks) < 0.6
    fig.add_scatter(
        x=kinks[seen],
        y=np.full(int(seen.sum()), float(one["point_fit"].min()) - 0.02),
        mode="markers",
        name="kinks, size = amplitude",
        marker={"symbol": "line-ns-open", "size": 4 + 16 * sizes[seen]},
    )
    return fig
