"""The playground: a two-layer network that trains inside the page, in a worker, in float64."""

import re
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from condensation_lab.data.paper_targets import PAPER_TARGETS
from condensation_lab.interactive.atlas import one_module
from condensation_lab.interactive.kernel import answer_pings
from condensation_lab.plot import DIVERGING, OKABE_ITO

HERE = Path(__file__).parent
OWN_TARGET = "own"
MOST_POINTS = 200


def _entry(label: str, meaning: str, least: float, most: float, whole: bool = False) -> dict[str, Any]:
    return {"label": label, "meaning": meaning, "least": least, "most": most, "whole": whole, "slider": False}


def _slider(label: str, meaning: str, least: float, most: float, step: float) -> dict[str, Any]:
    return {**_entry(label, meaning, least, most), "slider": True, "step": step}


FIELDS: dict[str, dict[str, Any]] = {
    "gamma": _slider("γ", "κ = β₁β₂/α = m^−γ", 0, 4, 0.01),
    "gamma_prime": _slider("γ′", "κ′ = β₁/β₂ = m^−γ′", -2, 2, 0.01),
    "alpha": _entry("α", "f = (1/α) Σ a σ(wx + b)", 1e-9, 1e9),
    "beta_1": _entry("β₁", "standard deviation of a", 1e-9, 1e9),
    "beta_2": _entry("β₂", "standard deviation of w and b", 1e-9, 1e9),
    "width": _entry("width m", "hidden neurons, up to 1,000", 1, 1000, whole=True),
    "rate": _entry("learning rate", "empty: safe for the start’s kernel", 1e-12, 1e6),
    "keep": _slider("keep probability", "of dropout; 1 is none", 0.1, 1, 0.01),
    "seed": _entry("seed", "of weights and masks", 0, 2**32 - 1, whole=True),
}
CHOICES = {
    "scales": ["exponents", "raw"],
    "activation": ["relu", "tanh", "sigmoid", "softplus", "xtanh", "x2tanh"],
    "optimiser": ["descent", "adam"],
}
START: dict[str, Any] = {
    **{"scales": "exponents", "gamma": 1.75, "gamma_prime": 0, "alpha": 1, "beta_1": 0.1, "beta_2": 0.1},
    **{"width": 100, "activation": "relu", "optimiser": "descent", "rate": None, "keep": 1, "seed": 0},
    **{"target": "parabola", "points": []},
}


class Playground(anywidget.AnyWidget):
    """A network f(x) = (1/alpha) sum_k a_k sigma(w_k x + b_k) that trains in the page, full batch, in float64.

    Fit with the neurons' kinks, orientations and amplitudes, loss and relative distances move as it trains. The loss is
    the mean squared error; steps go down half of it, as in `train.two_layer`, which trains the same from the same seed.

    Args:
        name: what the piece is called in the page's URL; letters, digits and hyphens.
        command: terminal line for the point, with {gamma}, {gamma_prime} and {width} in place of its values.
        start: settings that begin elsewhere: scales ("exponents" or "raw"), gamma, gamma_prime, alpha, beta_1, beta_2,
            width, activation, optimiser, rate (None: safe), keep, seed, target (a name of `PAPER_TARGETS` or "own"),
            points (of the own target: pairs of x and y).

    Attributes:
        chosen: the settings; it follows the reader, and setting it moves the page.

    Raises:
        ValueError: a setting is unknown, or the name is not allowed.
        TraitError: a value is not allowed.

    Example:
        >>> Playground(gamma=0.5, width=200).chosen["width"]
        200
    """

    _esm = one_module(
        *("numbers.js", "regimes.js", "ticks.js", "host.js", "fragment.js", "toolbar.js"),
        *("moving_panel.js", "playground.js", "target_pad.js", "trainer.js", "playground_widget.js"),
    )
    _css = "\n".join((HERE / name).read_text(encoding="utf-8") for name in ("shared.css", "playground.css"))
    _declaration = traitlets.Dict().tag(sync=True)
    chosen = traitlets.Dict().tag(sync=True)

    def __init__(self, name: str = "playground", *, command: str = "", **start: Any) -> None:
        if not re.fullmatch(r"[A-Za-z0-9-]+", name):
            raise ValueError(f"The name of a playground is made of letters, digits and hyphens; {name!r} is not.")
        if unknown := sorted(set(start) - set(START)):
            raise ValueError(f"There is no setting {unknown[0]!r}; known are {', '.join(START)}.")
        targets = {
            key: {"title": target.title, "source": target.source, "x": target.x.tolist(), "y": target.y.tolist()}
            for key, target in PAPER_TARGETS.items()
        }
        declaration = {
            "name": name,
            "fields": FIELDS,
            "choices": CHOICES,
            "targets": targets,
            "command": command or None,
            "worker": one_module("net.js", "training.js"),
            "description": "Playground: a two-layer network that trains in this page.",
            "look": {"colorway": OKABE_ITO, "diverging": DIVERGING},
        }
        super().__init__(_declaration=declaration, chosen={**START, **start})
        answer_pings(self)

    @traitlets.validate("chosen")
    def _allowed(self, proposal: dict[str, Any]) -> dict[str, Any]:
        chosen: dict[str, Any] = proposal["value"]
        if set(chosen) != set(START):
            raise traitlets.TraitError(f"A playground has the settings {', '.join(START)}, and no others.")
        for name, field in FIELDS.items():
            _check(name, chosen[name], field)
        choices = {**CHOICES, "target": [*PAPER_TARGETS, OWN_TARGET]}
        for name, allowed in choices.items():
            if chosen[name] not in allowed:
                raise traitlets.TraitError(
                    f"{name} = {chosen[name]!r} is not allowed: it must be one of {', '.join(allowed)}."
                )
        points = chosen["points"]
        pairs = all(len(pair) == 2 and all(abs(value) <= 1e6 for value in pair) for pair in points)
        if not pairs or len(points) > MOST_POINTS:
            raise traitlets.TraitError(f"points must be at most {MOST_POINTS} pairs of numbers of at most a million.")
        return chosen


def _check(name: str, value: object, field: dict[str, Any]) -> None:
    if name == "rate" and value is None:
        return
    inside = isinstance(value, int | float) and field["least"] <= value <= field["most"]
    if not inside or (field["whole"] and value != int(value)):  # type: ignore[call-overload]
        kind = "a whole number" if field["whole"] else "a number"
        limits = f"{kind} from {field['least']:.12g} to {field['most']:.12g}"
        raise traitlets.TraitError(f"{name} = {value!r} is not allowed: it must be {limits}.")
