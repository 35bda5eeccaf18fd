"""Place my initialisation: a scheme, its point in the phase diagram, and what a network there does."""

from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
import xarray as xr

from condensation_lab.initialise import (
    FURTHER_SCHEMES,
    SCHEMES,
    Scaling,
    effective,
    exponents,
    named_scheme,
    power_scheme,
)
from condensation_lab.interactive.atlas import one_module
from condensation_lab.interactive.kernel import answer_pings
from condensation_lab.plot import DIVERGING, OKABE_ITO

HERE = Path(__file__).parent
OWN_POWERS, OWN_NUMBERS = "own powers", "own numbers"


def _field(
    label: str, meaning: str, least: float, most: float, start: float, step: float | str, whole: bool = False
) -> dict[str, Any]:
    own = {"least": least, "most": most, "start": start, "step": step, "whole": whole}
    return {"label": label, "meaning": meaning, **own}


def _power(label: str, meaning: str) -> dict[str, Any]:
    return _field(label, meaning, -5, 5, 0, 0.1)


def _number(label: str, meaning: str, start: float = 1) -> dict[str, Any]:
    return _field(label, meaning, 1e-100, 1e100, start, "any")


FIELDS: dict[str, dict[str, Any]] = {
    "width": _field("width m", "hidden neurons", 2, 1e9, 1000, 1, whole=True),
    "inputs": _field("inputs d", "fan-in of the first layer; inputs of length about 1", 1, 1e9, 1, 1, whole=True),
    "p": _power("p", "output scale α = m^p"),
    "q": _power("q", "output weights β₁ = m^−q"),
    "r": _power("r", "input weights β₂ = m^−r"),
    "s_a": _power("s of a", "learning rate of the output weights, m^s"),
    "s_w": _power("s of w", "learning rate of the input weights, m^s"),
    "alpha": _number("α", "output scale: f = (1/α) Σ a ReLU(w·x)"),
    "beta_1": _number("β₁", "standard deviation of the output weights", 0.03),
    "beta_2": _number("β₂", "standard deviation of the input weights"),
    "rate_a": _number("rate of a", "learning rate of the output weights"),
    "rate_w": _number("rate of w", "learning rate of the input weights"),
}
_NAMED_FIELDS = ("width", "inputs")
_POWER_FIELDS = ("p", "q", "r", "s_a", "s_w")
_NUMBER_FIELDS = ("alpha", "beta_1", "beta_2", "rate_a", "rate_w")


class PlaceInitialisation(anywidget.AnyWidget):
    """A scheme and a width, its point in the phase diagram with the limit of wide networks, and what happens there.

    Args:
        name: what the piece is called in the page's URL; letters, digits and hyphens.
        stored: results over (gamma, gamma_prime): `slope_w`, or `relative_distance_w` over the width too, from which
            the slopes are taken. Their signs are drawn, and the one nearest to the point is named.
        command: terminal line for the point, with {gamma}, {gamma_prime} and {width} in place of its values.
        scheme: the scheme at the start, one of `SCHEMES`, `FURTHER_SCHEMES`, "own powers" and "own numbers".
        width: hidden neurons m at the start.
        inputs: fan-in of the first layer at the start.

    Attributes:
        chosen: scheme and fields; it follows the reader, and setting it moves the page.

    Raises:
        ValueError: `stored` holds no slopes.
        TraitError: a scheme or value is not allowed.
    """

    _esm = one_module(
        *("host.js", "toolbar.js", "fragment.js", "numbers.js", "regimes.js"),
        *("place.js", "place_plane.js", "place_widget.js"),
    )
    _css = (HERE / "shared.css").read_text(encoding="utf-8") + (HERE / "place.css").read_text(encoding="utf-8")
    _declaration = traitlets.Dict().tag(sync=True)
    chosen = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        name: str = "place",
        *,
        stored: xr.Dataset | None = None,
        command: str = "",
        scheme: str = "PyTorch default",
        width: int = 1000,
        inputs: int = 1,
    ) -> None:
        measured = None if stored is None else _measured(stored)
        source = "Computed in this page, for plain gradient descent; Adam is not covered by the phase diagram."
        if stored is not None:
            source += " Measured slopes: stored run, " + ", ".join(
                f"{name} {stored.attrs[name]}" for name in ("preset", "commit") if name in stored.attrs
            )
            source += "."
        declaration = {
            "name": name,
            "schemes": [_declared(one) for one in (*(s.name for s in ALL_SCHEMES), OWN_POWERS, OWN_NUMBERS)],
            "fields": FIELDS,
            "measured": measured,
            "command": command or None,
            "source": source,
            "description": "Place my initialisation: where a scheme sits in the phase diagram, and what it does there.",
            "look": {"colorway": OKABE_ITO, "diverging": DIVERGING},
        }
        start = {field: its["start"] for field, its in FIELDS.items()} | {"width": width, "inputs": inputs}
        chosen = {"scheme": scheme, **{field: start[field] for field in _fields_of(scheme)}}
        super().__init__(_declaration=declaration, chosen=chosen)
        answer_pings(self)

    @traitlets.validate("chosen")
    def _allowed(self, proposal: dict[str, Any]) -> dict[str, Any]:
        chosen: dict[str, Any] = proposal["value"]
        scheme = chosen.get("scheme", "")
        try:
            wanted = {"scheme", *_fields_of(scheme)}
        except ValueError as unknown:
            raise traitlets.TraitError(str(unknown)) from None
        if set(chosen) != wanted:
            raise traitlets.TraitError(f"The scheme {scheme!r} needs the fields {', '.join(sorted(wanted))}.")
        for name in _fields_of(scheme):
            value, field = chosen[name], FIELDS[name]
            number = isinstance(value, int | float) and field["least"] <= value <= field["most"]
            if not number or (field["whole"] and value != int(value)):
                kind = "a whole number" if field["whole"] else "a number"
                limits = f"{kind} from {field['least']:.12g} to {field['most']:.12g}"
                raise traitlets.TraitError(f"{name} = {value!r} is not allowed: it must be {limits}.")
        return chosen

    @property
    def point(self) -> tuple[float, float]:
        """(gamma, gamma_prime) at the chosen width."""
        chosen = self.chosen
        if chosen["scheme"] == OWN_NUMBERS:
            alpha, beta_1, beta_2, rate_a, rate_w = (chosen[name] for name in _NUMBER_FIELDS)
            return exponents(effective(Scaling(alpha, beta_1, beta_2), rate_a, rate_w), chosen["width"])
        if chosen["scheme"] == OWN_POWERS:
            return power_scheme(*(chosen[name] for name in _POWER_FIELDS)).place(chosen["width"], 1)
        return named_scheme(chosen["scheme"]).place(chosen["width"], chosen["inputs"])


ALL_SCHEMES = (*FURTHER_SCHEMES[:1], *SCHEMES, *FURTHER_SCHEMES[1:])


def _fields_of(scheme: str) -> tuple[str, ...]:
    if scheme == OWN_POWERS:
        return ("width", *_POWER_FIELDS)
    if scheme == OWN_NUMBERS:
        return ("width", *_NUMBER_FIELDS)
    named_scheme(scheme)  # refuses an unknown one
    return _NAMED_FIELDS


def _declared(name: str) -> dict[str, Any]:
    fields = list(_fields_of(name))
    if name in (OWN_POWERS, OWN_NUMBERS):
        source = "your own, by the definitions of Luo et al. (JMLR 2021), section 3; learning rates folded in by us"
        return {"name": name, "gamma": None, "gamma_prime": None, "formula": "", "source": source, "fields": fields}
    scheme = named_scheme(name)
    place = {"gamma": scheme.gamma, "gamma_prime": scheme.gamma_prime}
    return {"name": name, **place, "formula": scheme.formula, "source": scheme.source, "fields": fields}


def _measured(stored: xr.Dataset) -> dict[str, Any]:
    """Measured slopes over the plane, three decimals each."""
    if "slope_w" in stored:
        slope = stored["slope_w"]
    elif "relative_distance_w" in stored:
        logs: xr.DataArray = xr.apply_ufunc(np.log, stored["relative_distance_w"])
        logs = logs.mean([dim for dim in logs.dims if dim not in ("gamma", "gamma_prime", "width")])
        fit = logs.assign_coords(width=np.log(stored["width"].astype(float))).polyfit("width", 1)
        slope = fit.polyfit_coefficients.sel(degree=1)
    else:
        raise ValueError("The stored dataset has neither 'slope_w' nor 'relative_distance_w': it holds no slopes.")
    rows = np.round(slope.transpose("gamma", "gamma_prime").values.astype(float), 3)
    axes = {name: [float(value) for value in stored[name].values] for name in ("gamma", "gamma_prime")}
    return {**axes, "slope_w": [[None if np.isnan(one) else float(one) for one in row] for row in rows]}
