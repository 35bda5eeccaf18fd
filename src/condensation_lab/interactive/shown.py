"""The part of a dataset that an atlas shows: checked against the declaration, packed for the page."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import xarray as xr

from condensation_lab.interactive.views import Curve, Graph, Map, Points, Series, Slider
from condensation_lab.settings import nearest

QUANTISED = ("uint8", "int8", "uint16", "int16")


class Shown:
    """Notes which variables the declared views use, and gives each declaration the form the page reads."""

    def __init__(self, data: xr.Dataset, controls: Sequence[Slider]) -> None:
        self.data, self.names = data, set[str]()
        self.controlled = [control.dim for control in controls]
        for dim in self.controlled:
            grid = self.use(dim)
            if dim not in data.dims or grid.dtype.kind not in "iuf" or not np.isfinite(grid).all():
                raise ValueError(f"A slider runs over a dimension with finite numbers; {dim!r} is none.")
        self._labels = {control.dim: control.label for control in controls if control.label}

    def use(self, name: str) -> xr.DataArray:
        """Give a variable and note that it goes to the page."""
        if name not in self.data.variables:
            raise ValueError(f"The dataset has no {name!r}; {nearest(name, map(str, self.data.variables))}")
        self.names.add(name)
        return self.data[name]

    def label(self, name: str) -> str:
        """Label an axis: what the slider says, else the long name with units."""
        attributes = self.data[name].attrs
        label, units = attributes.get("long_name", name), attributes.get("units", "1")
        return self._labels.get(name) or (label if units in ("", "1") else f"{label} [{units}]")

    def slider(self, control: Slider) -> dict[str, Any]:
        """Declare a control."""
        meaning = self.data[control.dim].attrs.get("long_name", "")
        return {"dim": control.dim, "label": self.label(control.dim), "meaning": meaning}

    def view(self, view: Map | Graph) -> dict[str, Any]:
        """Declare a view with its labels."""
        if isinstance(view, Map):
            return self._map(view)
        if view.mark and view.mark not in self.controlled:
            raise ValueError(f"The graph {view.title!r} marks {view.mark!r}, which has no slider.")
        series = [self._series(one) for one in view.series]
        x_label, y_label = view.x_label or self.label(view.series[0].x), view.y_label or self.label(view.series[0].y)
        own = {"kind": "graph", "series": series, "x_label": x_label, "y_label": y_label}
        return {**asdict(view), **own, "overlays": [_overlay(one) for one in view.overlays]}

    def _map(self, view: Map) -> dict[str, Any]:
        variable = self.use(view.variable)
        for dim in (*variable.dims, view.x, view.y):
            if dim not in self.controlled or dim not in variable.dims:
                raise ValueError(f"The map of {view.variable!r} needs {dim!r} as a dimension with a slider.")
        own = {"kind": "map", "title": view.title or variable.attrs.get("long_name", view.variable)}
        own |= {"x_label": self.label(view.x), "y_label": self.label(view.y), "z_label": self.label(view.variable)}
        return {**asdict(view), **own, "overlays": [_overlay(one) for one in view.overlays]}

    def _series(self, series: Series) -> dict[str, Any]:
        x, y = self.use(series.x), self.use(series.y)
        if not set(x.dims) <= set(y.dims):
            raise ValueError(f"{series.x!r} has dimensions that {series.y!r}, drawn over it, has not.")
        free = [dim for dim in y.dims if dim not in self.controlled and dim != series.x]
        along = free + [dim for dim in y.dims if dim == series.x]  # last, so that a run goes along x
        return {**asdict(series), "along": along, "sliced": [dim for dim in y.dims if dim not in along]}

    def packed(self) -> tuple[dict[str, Any], bytes]:
        """Give the used variables' declarations and, end to end, their numbers."""
        declared, chunks, start = {}, [], 0
        for name in sorted(self.names):
            variable = self.data[name]
            numbers, encoding = _stored(variable)
            own = {"dims": list(variable.dims), "shape": list(variable.shape), "coordinate": variable.dims == (name,)}
            declared[name] = {**own, "start": start, **encoding}
            chunks.append(numbers.tobytes())
            start += len(chunks[-1])
        return declared, b"".join(chunks)


def _stored(variable: xr.DataArray) -> tuple[np.ndarray, dict[str, Any]]:
    """The numbers as they travel, little-endian, and how to read them."""
    values, encoding = np.asarray(variable.values, dtype=float), variable.encoding
    dtype = np.dtype(encoding.get("dtype", "float32"))
    if dtype.name not in QUANTISED or "scale_factor" not in encoding:
        # Grid points are shown in full, so they keep all their digits.
        name = "float64" if variable.dims == (variable.name,) else "float32"
        own = {"dtype": name, "scale": 1, "offset": 0, "missing": None}
        return values.astype(np.dtype(name).newbyteorder("<")), own
    scale, offset = float(encoding["scale_factor"]), float(encoding.get("add_offset", 0))
    missing = None if (fill := encoding.get("_FillValue")) is None else int(fill)
    numbers = np.rint((values - offset) / scale)
    held = (numbers >= np.iinfo(dtype).min) & (numbers <= np.iinfo(dtype).max) & (numbers != missing)
    if not (held | (np.isnan(values) & (missing is not None))).all():
        raise ValueError(f"{variable.name!r} has values that its encoding as {dtype.name} cannot hold.")
    numbers = np.where(np.isnan(values), missing, numbers) if missing is not None else numbers
    own = {"dtype": dtype.name, "scale": scale, "offset": offset, "missing": missing}
    return numbers.astype(dtype.newbyteorder("<")), own


def _overlay(overlay: Curve | Points) -> dict[str, Any]:
    lengths = {len(overlay.x), len(overlay.y)} | ({len(overlay.labels)} if isinstance(overlay, Points) else set())
    if len(lengths) > 1:
        raise ValueError(f"The overlay {overlay.name!r} has unequal numbers of x, y or labels.")
    return asdict(overlay) | {"x": [float(x) for x in overlay.x], "y": [float(y) for y in overlay.y]}
