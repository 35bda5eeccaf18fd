"""The part of a dataset that an atlas shows, checked against the declaration."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import xarray as xr

from condensation_lab.interactive.controls import Choice, Control, Scrubber, sliders_of
from condensation_lab.interactive.packed import is_text, packed
from condensation_lab.interactive.views import Bars, Circle, Curve, Graph, Image, Map, Matrix, Points, Series, View
from condensation_lab.settings import nearest

OUTCOME = "outcome"  # a variable of this name, with flag_meanings, says why there is no value


class Shown:
    """Notes which variables the declared views use, and gives each declaration the form the page reads."""

    def __init__(self, data: xr.Dataset, controls: Sequence[Control]) -> None:
        self.data, self.names = data, set[str]()
        parts = [part for control in controls for part in sliders_of(control)]
        self.controlled = [part.dim for part in parts]
        self._labels = {part.dim: part.label for part in parts if part.label}
        for part in parts:
            grid = self.use(part.dim)
            if self.controlled.count(part.dim) > 1:
                raise ValueError(f"The dimension {part.dim!r} has two controls.")
            if isinstance(part, Choice) and part.dim in data.dims and is_text(grid):
                continue
            if part.dim not in data.dims or grid.dtype.kind not in "iuf" or not np.isfinite(grid).all():
                raise ValueError(f"A control runs over a dimension with finite numbers; {part.dim!r} is none.")
        outcome = data.variables.get(OUTCOME)
        if outcome is not None and "flag_meanings" in outcome.attrs and set(outcome.dims) & set(self.controlled):
            self.names.add(OUTCOME)

    def use(self, name: str) -> xr.DataArray:
        """Give a variable and note that it goes to the page."""
        if name not in self.data.variables:
            raise ValueError(f"The dataset has no {name!r}; {nearest(name, map(str, self.data.variables))}")
        self.names.add(name)
        return self.data[name]

    def label(self, name: str) -> str:
        """Label an axis: what the control says, else the long name with units."""
        attributes = self.data[name].attrs if name in self.data.variables else {}
        label, units = attributes.get("long_name", name), attributes.get("units", "1")
        return self._labels.get(name) or (label if units in ("", "1") else f"{label} [{units}]")

    def control(self, control: Control) -> dict[str, Any]:
        """Declare a control."""
        axes = [
            {"dim": part.dim, "label": self.label(part.dim), "meaning": self.data[part.dim].attrs.get("long_name", "")}
            for part in sliders_of(control)
        ]
        speed = {"speed": control.speed} if isinstance(control, Scrubber) else {}
        return {"kind": type(control).__name__.lower(), "axes": axes, **speed}

    def view(self, view: View) -> dict[str, Any]:
        """Declare a view with its labels."""
        if isinstance(view, Map | Image | Matrix):
            return self._field(view)
        own: dict[str, Any] = {
            "kind": type(view).__name__.lower(),
            "series": [self._series(one) for one in view.series],
        }
        first = view.series[0]
        if isinstance(view, Graph):
            if view.mark and view.mark not in self.controlled:
                raise ValueError(f"The graph {view.title!r} marks {view.mark!r}, which has no slider.")
            own["overlays"] = [_overlay(one) for one in view.overlays]
        elif isinstance(view, Circle):
            wide = [one.y for one in view.series if one.mode != "markers"]
            if wide:
                raise ValueError(f"The circle {view.title!r} draws points; the mode of {wide[0]!r} must be 'markers'.")
        else:
            self._one_place_each(view)
        own["x_label"] = getattr(view, "x_label", "") or self.label(first.x)
        own["y_label"] = getattr(view, "y_label", "") or self.label(first.y)
        return {**asdict(view), **own}

    def _one_place_each(self, view: Bars) -> None:
        for one in view.series:
            free = [dim for dim in self.data[one.y].dims if dim not in self.controlled]
            if free != [one.x]:
                raise ValueError(f"The bars of {one.y!r} need {one.x!r} as their one dimension without control.")

    def _field(self, view: Map | Image | Matrix) -> dict[str, Any]:
        variable, kind = self.use(view.variable), type(view).__name__.lower()
        plane = (view.x, view.y)
        missing = [dim for dim in plane if dim not in variable.dims]
        if missing:
            raise ValueError(f"The {kind} of {view.variable!r} needs {missing[0]!r} as a dimension.")
        led = [dim for dim in plane if dim in self.controlled]
        if len(led) == 1 or (led and kind != "map"):
            right = "both of its dimensions, or neither," if kind == "map" else "neither of its dimensions"
            raise ValueError(f"The {kind} of {view.variable!r} needs {right} with a control; {led[0]!r} has one.")
        for dim in variable.dims:
            if dim not in self.controlled and dim not in plane:
                raise ValueError(f"The {kind} of {view.variable!r} needs {dim!r} as a dimension with a control.")
        for dim in plane:
            if dim in self.data.variables:
                self.use(dim)
        own = {"kind": kind, "title": view.title or variable.attrs.get("long_name", view.variable), "pad": bool(led)}
        own |= {"x_label": self.label(view.x), "y_label": self.label(view.y), "z_label": self.label(view.variable)}
        if isinstance(view, Matrix):
            for name, dim in ((view.x_texts, view.x), (view.y_texts, view.y)):
                if name and (not is_text(self.use(name)) or dim not in self.data[name].dims):
                    raise ValueError(f"The labels {name!r} need texts along {dim!r}.")
        overlays = [_overlay(one) for one in view.overlays] if isinstance(view, Map) else []
        return {**asdict(view), **own, "overlays": overlays}

    def _series(self, series: Series) -> dict[str, Any]:
        x, y = self.use(series.x), self.use(series.y)
        if not set(x.dims) <= set(y.dims):
            raise ValueError(f"{series.x!r} has dimensions that {series.y!r}, drawn over it, has not.")
        free = [dim for dim in y.dims if dim not in self.controlled and dim != series.x]
        along = free + [dim for dim in y.dims if dim == series.x]  # last, so that a run goes along x
        return {**asdict(series), "along": along, "sliced": [dim for dim in y.dims if dim not in along]}

    def packed(self) -> tuple[dict[str, Any], bytes]:
        """Give the used variables' declarations and, end to end, their numbers."""
        return packed(self.data, self.names)


def _overlay(overlay: Curve | Points) -> dict[str, Any]:
    lengths = {len(overlay.x), len(overlay.y)} | ({len(overlay.labels)} if isinstance(overlay, Points) else set())
    if len(lengths) > 1:
        raise ValueError(f"The overlay {overlay.name!r} has unequal numbers of x, y or labels.")
    return asdict(overlay) | {"x": [float(x) for x in overlay.x], "y": [float(y) for y in overlay.y]}
