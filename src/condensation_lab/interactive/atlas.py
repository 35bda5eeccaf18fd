"""The Atlas: a labelled dataset that readers move through in the page, with or without a kernel."""

import functools
import gzip
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
import xarray as xr

from condensation_lab.interactive.shown import Shown
from condensation_lab.interactive.views import Graph, Map, Slider, Words
from condensation_lab.plot import DIVERGING, OKABE_ITO

HERE = Path(__file__).parent


def one_module(*names: str) -> str:
    """Join ES modules of this folder, dependencies first, into the one self-contained module a widget is sent as."""
    sources = ((HERE / name).read_text(encoding="utf-8") for name in names)
    joined = "\n".join(re.sub(r"^import .*?;\n", "", source, flags=re.MULTILINE) for source in sources)
    return re.sub(r"^export (?!default)", "", joined, flags=re.MULTILINE)


@functools.cache
def _plotly_source() -> bytes:
    from plotly.offline import get_plotlyjs

    return gzip.compress(get_plotlyjs().encode(), mtime=0)


class Atlas(anywidget.AnyWidget):
    """Linked figures of a precomputed dataset, moved by sliders over its grid points.

    The dataset goes to the page once, as binary: variables whose `encoding` is an integer type with a scale are sent in
    that form, others as float32. Only what the views use is sent.

    Args:
        data: results with a birth certificate; every variable shown has a `long_name` and `units`.
        controls: sliders, one for each dimension the reader moves along.
        views: the figures, in reading order.
        description: one sentence on what the piece shows, for readers who cannot see it.
        sentence: said about the current point; `{name}` stands for a variable's value there, or for the words named so.
        words: words that depend on a value, by the name they have in the sentence.

    Attributes:
        position: index along each controlled dimension; it follows the reader's moves, and setting it moves the page.

    Raises:
        ValueError: a name that the dataset lacks, a dimension without control, a value outside its encoding.
    """

    _esm = one_module("slices.js", "host.js", "figures.js", "atlas.js")
    _css = (HERE / "atlas.css").read_text(encoding="utf-8")
    _declaration = traitlets.Dict().tag(sync=True)
    _bytes = traitlets.Bytes().tag(sync=True)
    position = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        data: xr.Dataset,
        *,
        controls: Sequence[Slider],
        views: Sequence[Map | Graph],
        description: str,
        sentence: str = "",
        words: Mapping[str, Words] | None = None,
    ) -> None:
        words = words or {}
        shown = Shown(data, controls)
        declared_views = [shown.view(view) for view in views]
        for name in set(re.findall(r"\{(\w+)\}", sentence)) - set(words) | {word.variable for word in words.values()}:
            shown.use(name)
        for name, word in words.items():
            if len(word.texts) != len(word.edges) + 1 or list(word.edges) != sorted(word.edges):
                raise ValueError(f"The words {name!r} need increasing edges, and one text more than edges.")
        variables, data_bytes = shown.packed()
        self._grid = {control.dim: data[control.dim].values for control in controls}
        declaration = {
            "sizes": {dim: data.sizes[dim] for variable in variables.values() for dim in variable["dims"]},
            "variables": variables,
            "controls": [shown.slider(control) for control in controls],
            "views": declared_views,
            "description": description,
            "sentence": sentence,
            "words": {name: asdict(word) for name, word in words.items()},
            "source": _source(data),
            "colorway": OKABE_ITO,
            "diverging": DIVERGING,
        }
        position = {control.dim: _start(control, self._grid[control.dim]) for control in controls}
        super().__init__(_declaration=declaration, _bytes=data_bytes, position=position)
        self.on_msg(self._answer)

    @traitlets.validate("position")
    def _on_the_grid(self, proposal: dict[str, Any]) -> dict[str, int]:
        position: dict[str, int] = proposal["value"]
        inside = all(0 <= position.get(dim, -1) < len(grid) for dim, grid in self._grid.items())
        if len(position) != len(self._grid) or not inside:
            sizes = ", ".join(f"{dim} from 0 to {len(grid) - 1}" for dim, grid in self._grid.items())
            raise traitlets.TraitError(f"The position {position} is not on the grid: {sizes}.")
        return position

    @property
    def values(self) -> dict[str, float]:
        """Where the controls stand: the grid value of each controlled dimension."""
        return {dim: float(grid[self.position[dim]]) for dim, grid in self._grid.items()}

    def _answer(self, _: object, content: dict[str, Any], buffers: object) -> None:
        # A page of the book has its own plotly; JupyterLab asks for the installed one, so nothing comes from elsewhere.
        if content.get("type") == "plotly":
            self.send({"type": "plotly"}, buffers=[_plotly_source()])


def _start(control: Slider, grid: np.ndarray) -> int:
    if control.start is None:
        return len(grid) // 2
    index = int(np.abs(grid - control.start).argmin())
    if not np.isclose(grid[index], control.start):
        raise ValueError(f"{control.dim} cannot start at {control.start}; the nearest grid point is {grid[index]}.")
    return index


def _source(data: xr.Dataset) -> str:
    """Which depth answered: a stored run, and whose."""
    for name in ("commit", "date", "preset", "source"):
        if name not in data.attrs:
            raise ValueError(f"An atlas shows results with a birth certificate; {name!r} is missing in this one.")
    kept = "from the atlas" if data.attrs["source"] == "atlas" else "of this build"
    preset, commit, date = (data.attrs[name] for name in ("preset", "commit", "date"))
    return f"Stored run {kept}: preset {preset}, commit {commit}, {date[:10]}."
