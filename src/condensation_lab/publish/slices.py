"""What an atlas must draw, sliced in Python from the numbers that its page carries: a second route to its pictures."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

Position = Mapping[str, int]
FIELDS = ("map", "image", "matrix")

_STATE = re.compile(r'<script type="application/vnd\.jupyter\.widget-state\+json">(.*?)</script>', re.DOTALL)
_VIEW = re.compile(r'<script type="application/vnd\.jupyter\.widget-view\+json">(.*?)</script>', re.DOTALL)


def atlases_of(page: str) -> list[dict[str, Any]]:
    """Find the atlases of a page, in the order in which it shows them.

    Args:
        page: HTML of the page.

    Returns:
        For each atlas its `declaration` and its `data`, an `xarray.Dataset` decoded from the widget's saved bytes.
    """
    states = [json.loads(found)["state"] for found in _STATE.findall(page)]
    saved = {key: model for state in states for key, model in state.items()}
    shown = [saved.get(json.loads(view)["model_id"]) for view in _VIEW.findall(page)]
    return [
        {"declaration": model["state"]["_declaration"], "data": _decoded(model)}
        for model in shown
        if model and "variables" in model["state"].get("_declaration", {})
    ]


def expected_traces(atlas: Mapping[str, Any], view: int, position: Position) -> list[dict[str, Any]]:
    """Slice what a view must draw at a position of the sliders.

    Args:
        atlas: One of `atlases_of`.
        view: Number of the view.
        position: Index along each controlled dimension.

    Returns:
        For each trace that shows data its place among the drawn ones and its arrays: `z` of a field, `x` and `y`.
    """
    declared, data = atlas["declaration"]["views"][view], atlas["data"]
    kind = declared["kind"]
    if kind in FIELDS:
        y_dim, x_dim = declared["y"], declared["x"]
        field = _at(data[declared["variable"]], position, keep=(y_dim, x_dim)).transpose(y_dim, x_dim)
        sides = {name: _places(data, declared[name], kind == "matrix") for name in ("x", "y")}
        return [{"trace": 0, **sides, "z": field.values}]
    traces, place = [], 0
    for series in declared["series"]:
        along = series["along"]
        y = _at(data[series["y"]], position, keep=along).transpose(*along)
        x = _at(_numbers(data[series["x"]]), position, keep=along).broadcast_like(y).transpose(*along)
        if kind == "circle":  # the angle is x, the radius y
            arrays = {"x": (y * np.cos(x)).values.ravel(), "y": (y * np.sin(x)).values.ravel()}
        elif kind == "bars":
            arrays = {"x": np.arange(y.size), "y": y.values}
        else:
            lines = "lines" in series["mode"]
            arrays = {"x": _gapped(x.values, lines), "y": _gapped(y.values, lines)}
        traces.append({"trace": place, **arrays})
        place += 2 if kind == "graph" and series["trend"] else 1  # the fitted power law follows its points
    return traces


def differences(drawn: list[dict[str, Any]], expected: list[dict[str, Any]]) -> list[str]:
    """Compare drawn arrays with the expected slices.

    Args:
        drawn: Traces as the page has them, with lists of numbers or None.
        expected: Result of `expected_traces`.

    Returns:
        One sentence for each array that differs.
    """
    said = []
    for trace in expected:
        for name in ("x", "y", "z"):
            if name not in trace:
                continue
            found = np.asarray(drawn[trace["trace"]].get(name), dtype=float)
            if found.shape != trace[name].shape:
                said.append(f"trace {trace['trace']} draws {name} of shape {found.shape}, not {trace[name].shape}")
            elif not np.allclose(found, trace[name], rtol=1e-6, atol=1e-12, equal_nan=True):
                said.append(f"trace {trace['trace']} draws another {name} than the dataset's slice")
    return said


def unlike_stored(data: xr.Dataset, stored: xr.Dataset) -> tuple[list[str], list[str]]:
    """Compare the numbers that a page carries with the committed atlas they come from.

    Args:
        data: Numbers of the page, as in `atlases_of`.
        stored: The committed atlas; variables of the page that were derived from it are not in it.

    Returns:
        Names of the variables found in both, and of those among them that differ by more than float32 rounds.
    """
    shared = [str(name) for name in data.variables if name in stored.variables]
    pairs = {name: (data.variables[name], stored.variables[name]) for name in shared}
    differing = [
        name
        for name, (ours, theirs) in pairs.items()
        if ours.dims != theirs.dims or ours.shape != theirs.shape or not _equal(ours.values, theirs.values)
    ]
    return shared, differing


def _at(variable: xr.DataArray, position: Position, keep: Any) -> xr.DataArray:
    return variable.isel({dim: position[str(dim)] for dim in variable.dims if dim not in keep})


def _numbers(variable: xr.DataArray) -> xr.DataArray:
    """A variable as it is drawn: texts stand at their places in the list."""
    if variable.dtype.kind != "U":
        return variable
    return variable.copy(data=np.arange(variable.size).reshape(variable.shape))


def _places(data: xr.Dataset, dim: str, numbered: bool) -> np.ndarray:
    """Where the cells of a field stand along one side: at the grid's values, or 0, 1, 2, … where it has none."""
    if numbered or dim not in data.variables or data[dim].dtype.kind == "U":
        return np.arange(data.sizes[dim])
    return np.asarray(data[dim].values)


def _equal(ours: np.ndarray, theirs: np.ndarray) -> bool:
    if ours.dtype.kind == "U":
        return bool((ours == theirs.astype(str)).all())
    return np.allclose(ours, theirs.astype(float), rtol=1e-6, atol=1e-6, equal_nan=True)


def _gapped(values: np.ndarray, lines: bool) -> np.ndarray:
    """Flatten, with a gap between runs of a line along the last dimension, so that one is not joined to the next."""
    if not lines or values.ndim < 2:
        return values.ravel()
    runs = values.reshape(-1, values.shape[-1])
    return np.pad(runs, ((0, 0), (0, 1)), constant_values=np.nan).ravel()[:-1]


def _decoded(model: Mapping[str, Any]) -> xr.Dataset:
    """Read the variables out of an atlas's bytes."""
    content = next(base64.b64decode(buffer["data"]) for buffer in model["buffers"] if buffer["path"] == ["_bytes"])
    variables = {}
    for name, stored in model["state"]["_declaration"]["variables"].items():
        if stored["dtype"] == "text":
            variables[name] = (stored["dims"], np.array(stored["texts"]).reshape(stored["shape"]))
            continue
        dtype = np.dtype(stored["dtype"]).newbyteorder("<")
        count = int(np.prod(stored["shape"]))
        raw = np.frombuffer(content, dtype, count, stored["start"]).reshape(stored["shape"])
        values = raw.astype(float) * stored["scale"] + stored["offset"]
        if stored["missing"] is not None:
            values[raw == stored["missing"]] = np.nan
        variables[name] = (stored["dims"], values)
    return xr.Dataset(variables)
