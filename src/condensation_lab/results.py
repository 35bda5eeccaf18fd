"""Labelled results with a birth certificate, saved to netCDF and loaded back only if nothing is missing or changed.

A result is an `xarray.Dataset`: named dimensions, `units` and `long_name` on every variable, and in its attributes
who made it: study, settings, seeds, commit, versions, machine, seconds and the hash of the data.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import hashlib
import html
import importlib.metadata
import importlib.resources
import json
import os
import platform
import shlex
import subprocess
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import h5py
import numpy as np
import xarray as xr

from condensation_lab.settings import StudySettings

PACKAGE = Path(__file__).resolve().parent
_VERSIONS_OF = ("numpy", "torch", "numba", "xarray", "condensation_lab")
_KEPT_ENCODING = ("dtype", "scale_factor", "add_offset", "_FillValue")
_NUMERIC = "biufc"  # numpy's kinds
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class ResultsError(ValueError):
    """A dataset or file that is not a complete result of this library; the message is one sentence."""


@dataclass(frozen=True)
class Certificate:
    """Birth certificate of a dataset; displays as a small table, with the command that makes the data again."""

    study: str
    settings: str  # JSON
    preset: str
    seeds: str  # JSON list
    commit: str
    date: str  # UTC, ISO 8601
    versions: str  # JSON
    machine: str
    seconds: float
    data_hash: str  # sha256
    source: str  # "this build" or "atlas"

    @property
    def command(self) -> str:
        """The one command that makes the page (quick), the atlas (paper) or this run (other settings) again."""
        if self.preset in {"quick", "paper"}:
            return f"condensation-lab {'book --only' if self.preset == 'quick' else 'atlas'} {self.study}"
        options = []
        for name, value in json.loads(self.settings).items():
            text = value if isinstance(value, str) else json.dumps(value)
            options.append(f"-p {name} {shlex.quote(text)}")
        return " ".join(["condensation-lab run", self.study, *options])

    def _lines(self) -> list[tuple[str, str]]:
        versions = ", ".join(f"{name} {version}" for name, version in json.loads(self.versions).items())
        shown = {**dataclasses.asdict(self), "versions": versions, "seconds": f"{self.seconds:.1f}"}
        return [(name.replace("_", " "), str(value)) for name, value in shown.items()] + [("again with", self.command)]

    def __repr__(self) -> str:
        return "\n".join(f"{name:<11} {value}" for name, value in self._lines())

    def _repr_html_(self) -> str:
        rows = "".join(f'<tr><th scope="row">{n}</th><td>{html.escape(v)}</td></tr>' for n, v in self._lines())
        title = f"Birth certificate: {html.escape(self.source)}"
        table = f'<table class="certificate"><caption>{title}</caption><tbody>{rows}</tbody></table>'
        return f'<div class="certificate-scroll" role="group" aria-label="{title}" tabindex="0">{table}</div>'


def certify(data: xr.Dataset, *, study: str, settings: StudySettings, seconds: float) -> xr.Dataset:
    """Give a fresh result its birth certificate.

    Args:
        data: the result; each data variable and each numeric coordinate has `units` and `long_name`.
        study: the study's name.
        settings: the settings it was made with.
        seconds: wall time of the run, in seconds.

    Returns:
        The same data, with the fields of `Certificate` in its attributes.

    Raises:
        ResultsError: a variable lacks its units or long name.
    """
    for name, variable in data.variables.items():
        numeric = variable.dtype.kind in _NUMERIC
        for label in ("units", "long_name"):
            if (numeric or (name in data.data_vars and label == "long_name")) and not variable.attrs.get(label):
                raise ResultsError(f"The variable {name!r} lacks its {label} (units of a plain number are '1').")
    seeds = data["seed"].values.tolist() if "seed" in data.coords else getattr(settings, "seed", [])
    certificate = Certificate(
        study=study,
        settings=settings.to_json(),
        preset=settings.preset_name,
        seeds=json.dumps(seeds if isinstance(seeds, list) else [seeds]),
        commit=git_commit(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=json.dumps({"python": platform.python_version(), **{name: _version(name) for name in _VERSIONS_OF}}),
        machine=f"{platform.machine()}, {_processor()}, {os.cpu_count()} cores",
        seconds=float(seconds),
        data_hash=data_hash(data),
        source="this build",
    )
    return data.assign_attrs(dataclasses.asdict(certificate))


def certificate(data: xr.Dataset) -> Certificate:
    """The birth certificate of a dataset.

    Raises:
        ResultsError: the dataset has none, or part of it is missing.
    """
    names = [field.name for field in dataclasses.fields(Certificate)]
    if missing := [name for name in names if name not in data.attrs]:
        raise ResultsError(f"The dataset has no complete birth certificate: it lacks {', '.join(missing)}.")
    fields = {name: str(data.attrs[name]) for name in names if name != "seconds"}
    return Certificate(**fields, seconds=float(data.attrs["seconds"]))


def data_hash(data: xr.Dataset) -> str:
    """SHA-256 of all variables in the form in which a file stores them, so that quantised data keep their hash."""
    digest = hashlib.sha256()
    for name in sorted(map(str, data.variables)):
        stored = _stored(name, data.variables[name])
        values = np.ascontiguousarray(stored.values)
        if values.dtype.kind in _NUMERIC:
            values = values.astype(values.dtype.newbyteorder("<"))
            kind, content = values.dtype.str, values.tobytes()
        else:
            kind, content = "text", json.dumps(values.astype(str).tolist()).encode()
        digest.update(f"{name} {stored.dims} {stored.shape} {kind}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def save(data: xr.Dataset, path: str | Path) -> Path:
    """Save a certified result as compressed netCDF: the file appears whole or not at all.

    A variable's `encoding` is kept, so that a map may be stored as `uint8` with `scale_factor` and `add_offset`;
    the hash in the certificate is that of the stored values.

    Raises:
        ResultsError: the data have no birth certificate or do not fit their encoding, or the folder does not exist.
    """
    path = Path(path)
    certificate(data)
    if not path.parent.is_dir():
        raise ResultsError(f"The folder {str(path.parent)!r} for {path.name!r} does not exist.")
    encoding = {}
    for name, variable in data.variables.items():
        kept = {key: variable.encoding[key] for key in _KEPT_ENCODING if key in variable.encoding}
        if variable.dtype.kind in _NUMERIC and variable.ndim:
            kept |= {"zlib": True, "complevel": 9, "shuffle": True}
        encoding[name] = kept
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with _no_warning_about_missing_values():
            data.assign_attrs(data_hash=data_hash(data)).to_netcdf(scratch, engine="h5netcdf", encoding=encoding)
        with scratch.open("rb") as file:
            os.fsync(file.fileno())
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)
    return path


def load(path: str | Path) -> xr.Dataset:
    """Load a result that `save` wrote.

    Raises:
        ResultsError: the file is missing, truncated, foreign, or its data are not those that were saved.
    """
    path = Path(path)
    if not path.is_file():
        raise ResultsError(f"There is no results file {str(path)!r}.")
    try:
        h5py.File(path).close()  # says what is wrong with a foreign or truncated file, and leaves nothing open
        # Units such as "s" must stay units: without this xarray would turn the numbers into time spans.
        data = xr.load_dataset(path, engine="h5netcdf", decode_times=False, decode_timedelta=False)
    except (OSError, ValueError, KeyError, RuntimeError, TypeError, AttributeError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ResultsError(f"{path.name!r} is truncated or no netCDF file: {reason}") from error
    try:
        expected = certificate(data).data_hash
    except ResultsError as error:
        raise ResultsError(f"{path.name!r} is not a result of this library. {error}") from None
    if data_hash(data) != expected:
        raise ResultsError(f"The data in {path.name!r} are not those that were saved: their hash differs.")
    return data


def load_atlas(study: str) -> xr.Dataset:
    """The committed atlas of a study: its results at paper scale, with `source` set to `atlas`.

    Args:
        study: the study's name, with hyphens or underscores.
    """
    name = f"{study.replace('-', '_')}.nc"
    atlas = importlib.resources.files("condensation_lab") / "atlases" / name
    if not atlas.is_file():
        raise ResultsError(f"The study {study!r} has no atlas.")
    with importlib.resources.as_file(atlas) as path:
        data = load(path)
    if data.attrs["study"].replace("-", "_") != study.replace("-", "_"):
        raise ResultsError(f"The atlas of {study!r} holds results of another study, {data.attrs['study']!r}.")
    return data.assign_attrs(source="atlas")


@dataclass(frozen=True)
class SpotCheck:
    """One stored value beside its recomputation.

    Args:
        cell: where, in words.
        stored: value in the atlas.
        recomputed: value from today's code.
        allowed: allowed relative difference, from the sensitivity recorded with the atlas.
    """

    cell: str
    stored: float
    recomputed: float
    allowed: float

    @property
    def agrees(self) -> bool:
        """Whether the two agree within what rounding allows; two NaN agree."""
        if np.isnan(self.stored) or np.isnan(self.recomputed):
            return bool(np.isnan(self.stored) and np.isnan(self.recomputed))
        return abs(self.recomputed / self.stored - 1) <= self.allowed


def source_hash() -> str:
    """SHA-256 of the library: syntax trees without comments and docstrings, bytes of JavaScript and styles."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix not in {".py", ".js", ".css"}:
            continue
        content = _normalised(path.read_text("utf-8")).encode() if path.suffix == ".py" else path.read_bytes()
        digest.update(f"{path.relative_to(PACKAGE).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _stored(name: str, variable: xr.Variable) -> xr.Variable:
    """The variable as its file holds it; quantised values must come back within half a step."""
    with _no_warning_about_missing_values(), np.errstate(invalid="ignore"):
        stored = xr.conventions.encode_cf_variable(variable, name=name)
    if variable.dtype.kind == "f" and stored.dtype.kind in "iu":
        back = xr.conventions.decode_cf_variable(name, stored, decode_times=False, decode_timedelta=False)
        step = abs(variable.encoding.get("scale_factor", 1.0))
        if not np.allclose(back.values, variable.values, rtol=0, atol=0.51 * step, equal_nan=True):
            raise ResultsError(f"Values of {name!r} do not fit the integers of its encoding (or lack a _FillValue).")
    return stored


@contextlib.contextmanager
def _no_warning_about_missing_values() -> Iterator[None]:
    with warnings.catch_warnings():  # xarray warns even where no value is missing; _stored has looked
        warnings.simplefilter("ignore", xr.SerializationWarning)
        yield


def _normalised(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return ast.dump(tree)


def git_commit() -> str:
    """Short hash of the commit, `-dirty` where tracked files differ from it, `unknown` outside the repository."""
    try:
        if not _git("ls-files", "."):  # installed inside somebody else's repository
            return "unknown"
        return _git("describe", "--always", "--dirty", "--exclude=*")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=PACKAGE, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"
