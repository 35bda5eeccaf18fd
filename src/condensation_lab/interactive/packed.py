"""How the numbers and texts of a dataset travel to the page, and how the page reads them."""

from typing import Any

import numpy as np
import xarray as xr

QUANTISED = ("uint8", "int8", "uint16", "int16")


def packed(data: xr.Dataset, names: set[str]) -> tuple[dict[str, Any], bytes]:
    """Give the variables' declarations and, end to end, their numbers; texts stand in the declaration.

    Raises:
        ValueError: A value that its encoding cannot hold.
    """
    declared, chunks, start = {}, [], 0
    for name in sorted(names):
        variable = data[name]
        own = {"dims": list(variable.dims), "shape": list(variable.shape), "coordinate": variable.dims == (name,)}
        if is_text(variable):
            declared[name] = {**own, "dtype": "text", "texts": [str(one) for one in variable.values.ravel()]}
            continue
        numbers, encoding = _flags(variable) if "flag_meanings" in variable.attrs else _stored(variable)
        declared[name] = {**own, "start": start, **encoding}
        chunks.append(numbers.tobytes())
        start += len(chunks[-1])
    return declared, b"".join(chunks)


def is_text(variable: xr.DataArray) -> bool:
    """Whether a variable holds texts, as numpy's or as Python's strings."""
    return variable.dtype.kind == "U" or (
        variable.dtype.kind == "O" and all(isinstance(one, str) for one in variable.values.ravel())
    )


def _stored(variable: xr.DataArray) -> tuple[np.ndarray, dict[str, Any]]:
    """The numbers as they travel, little-endian, and how to read them."""
    values, encoding = np.asarray(variable.values, dtype=float), variable.encoding
    dtype = np.dtype(encoding.get("dtype", "float32"))
    if dtype.name not in QUANTISED or "scale_factor" not in encoding:
        # Grid points are shown in full, so they keep all their digits.
        name = "float64" if variable.dims == (variable.name,) else _float_of(dtype)
        own = {"dtype": name, "scale": 1, "offset": 0, "missing": None}
        with np.errstate(over="ignore"):
            numbers = values.astype(np.dtype(name).newbyteorder("<"))
        if np.isinf(numbers[np.isfinite(values)]).any():
            largest = np.abs(values[np.isfinite(values)]).max()
            limit = float(np.finfo(name).max)
            raise ValueError(
                f"{variable.name!r} has the value {largest:.4g}, and {name} holds numbers up to {limit:.4g}."
            )
        return numbers, own
    scale, offset = float(encoding["scale_factor"]), float(encoding.get("add_offset", 0))
    missing = None if (fill := encoding.get("_FillValue")) is None else int(fill)
    numbers = np.rint((values - offset) / scale)
    held = (numbers >= np.iinfo(dtype).min) & (numbers <= np.iinfo(dtype).max) & (numbers != missing)
    if not (held | (np.isnan(values) & (missing is not None))).all():
        raise ValueError(f"{variable.name!r} has values that its encoding as {dtype.name} cannot hold.")
    numbers = np.where(np.isnan(values), missing, numbers) if missing is not None else numbers
    own = {"dtype": dtype.name, "scale": scale, "offset": offset, "missing": missing}
    return numbers.astype(dtype.newbyteorder("<")), own


def _float_of(dtype: np.dtype[Any]) -> str:
    return "float16" if dtype.name == "float16" else "float32"


def _flags(variable: xr.DataArray) -> tuple[np.ndarray, dict[str, Any]]:
    """Codes with their meanings, after the CF conventions; the list of meanings may also have commas."""
    written, codes = str(variable.attrs["flag_meanings"]), np.ravel(variable.attrs.get("flag_values", ())).tolist()
    parted = written.split(",") if "," in written else [one.replace("_", " ") for one in written.split()]
    values = np.asarray(variable.values, dtype=float)
    held = np.isnan(values) | np.isin(values, codes)
    if len(codes) != len(parted) or not held.all() or not all(0 <= code < 255 for code in codes):
        raise ValueError(f"{variable.name!r} needs one of its flag_meanings for each code, and codes from 0 to 254.")
    meanings = {str(int(code)): text.strip() for code, text in zip(codes, parted, strict=True)}
    own = {"dtype": "uint8", "scale": 1, "offset": 0, "missing": 255, "meanings": meanings}
    return np.where(np.isnan(values), 255, values).astype(np.uint8), own
