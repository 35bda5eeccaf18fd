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

from condensation_lab.interactive.controls import Choice, Control, Slider, sliders_of
from condensation_lab.interactive.kernel import answer_pings
from condensation_lab.interactive.shown import OUTCOME, Shown
from condensation_lab.interactive.views import View, Words
from condensation_lab.plot import DIVERGING, OKABE_ITO
from condensation_lab.settings import nearest

HERE = Path(__file__).parent
MODULES = (
    *(
        "numbers.js",
        "slices.js",
        "ticks.js",
        "words.js",
        "host.js",
        "fragment.js",
        "toolbar.js",
        "kernel.js",
        "linked.js",
    ),
    *("controls.js", "figures.js", "fields.js", "graphs.js", "panel.js", "atlas.js"),
)


def one_module(*names: str) -> str:
    """Join ES modules of this folder, dependencies first, into the one self-contained module a widget is sent as."""
    sources = ((HERE / name).read_text(encoding="utf-8") for name in names)
    joined = "\n".join(re.sub(r"^import [^;]*;\n", "", source, flags=re.MULTILINE) for source in sources)
    return re.sub(r"^export (?!default)", "", joined, flags=re.MULTILINE)


@functools.cache
def _plotly_source() -> bytes:
    from plotly.offline import get_plotlyjs

    return gzip.compress(get_plotlyjs().encode(), mtime=0)


class Atlas(anywidget.AnyWidget):
    """Linked figures of a precomputed dataset, moved over its grid points by sliders and other controls.

    The dataset goes to the page once, as binary: variables whose `encoding` is float16, or an integer type with a
    scale, are sent in that form, others as float32. Only what the views use is sent.

    Args:
        data: results with a birth certificate; every variable shown has a `long_name` and `units`. A variable `outcome`
            with `flag_meanings` says why a point has no value.
        controls: `Slider`, `Scrubber`, `Choice` or `Pad`; one for each dimension the reader moves along.
        views: the figures, in reading order.
        description: one sentence on what the piece shows, for readers who cannot see it.
        sentence: said about the current point; `{name}` stands for a variable's value there, for the meaning of its
            code, or for the words named so.
        words: words that depend on a value, by the name they have in the sentence.
        provenance: said after the source about the run that is shown, filled like the sentence; by default how it
            ended, where the dataset has an `outcome`.
        name: of the piece in a link to a state of it; letters, digits and hyphens, one for each piece of a page.
        command: the terminal line that makes the point anew, where `{name}` stands for a control's value; empty: none.
        python: the Python code for the point, likewise; by default it selects the point from the committed atlas.

    Attributes:
        position: index along each controlled dimension; it follows the reader's moves, and setting it moves the page.

    Raises:
        ValueError: a name that the dataset lacks, a dimension without control, a value outside its encoding.

    Example:
        >>> from condensation_lab.interactive import Graph, Series
        >>> data = xr.Dataset(
        ...     {"loss": (("rate", "step"), [[1.0, 0.5], [1.0, 0.1]])},
        ...     coords={"rate": [0.1, 0.2], "step": [0, 10]},
        ...     attrs={"source": "this build", "preset": "quick", "commit": "abc1234", "date": "2026-12-01"},
        ... )
        >>> atlas = Atlas(
        ...     data,
        ...     controls=[Slider("rate", start=0.2)],
        ...     views=[Graph([Series("loss", "step")], title="Loss")],
        ...     description="The loss over the steps, for each learning rate.",
        ... )
        >>> atlas.values
        {'rate': 0.2}
    """

    _esm = one_module(*MODULES)
    _css = "\n".join((HERE / name).read_text(encoding="utf-8") for name in ("shared.css", "atlas.css"))
    _declaration = traitlets.Dict().tag(sync=True)
    _bytes = traitlets.Bytes().tag(sync=True)
    position = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        data: xr.Dataset,
        *,
        controls: Sequence[Control],
        views: Sequence[View],
        description: str,
        sentence: str = "",
        words: Mapping[str, Words] | None = None,
        provenance: str | None = None,
        name: str = "atlas",
        command: str = "",
        python: str | None = None,
    ) -> None:
        words = words or {}
        shown = Shown(data, controls)
        declared_views = [shown.view(view) for view in views]
        if not re.fullmatch(r"[A-Za-z0-9-]+", name):
            raise ValueError(f"The name of an atlas is made of letters, digits and hyphens; {name!r} is not.")
        if provenance is None:
            provenance = f"The run ended: {{{OUTCOME}}}." if OUTCOME in shown.names else ""
        for used in (_names(sentence) | _names(provenance)) - set(words) | {word.variable for word in words.values()}:
            shown.use(used)
        for called, word in words.items():
            if len(word.texts) != len(word.edges) + 1 or list(word.edges) != sorted(word.edges):
                raise ValueError(f"The words {called!r} need increasing edges, and one text more than edges.")
        python = _selection(data, shown.controlled) if python is None else python
        for called in sorted((_names(command) | _names(python)) - set(shown.controlled)):
            known = ", ".join(shown.controlled)
            raise ValueError(
                f"The command or code to copy names {{{called}}}, which no control moves; known are {known}."
            )
        variables, data_bytes = shown.packed()
        parts = [part for control in controls for part in sliders_of(control)]
        self._grid = {part.dim: data[part.dim].values for part in parts}
        declaration = {
            "name": name,
            "sizes": {dim: data.sizes[dim] for variable in variables.values() for dim in variable["dims"]},
            "variables": variables,
            "controls": [shown.control(control) for control in controls],
            "views": declared_views,
            "description": description,
            "sentence": sentence,
            "words": {name: asdict(word) for name, word in words.items()},
            "source": _source(data),
            "provenance": provenance,
            "command": command,
            "python": python,
            "colorway": OKABE_ITO,
            "diverging": DIVERGING,
        }
        position = {part.dim: _start(part, self._grid[part.dim]) for part in parts}
        super().__init__(_declaration=declaration, _bytes=data_bytes, position=position)
        self.on_msg(self._answer)
        answer_pings(self)

    @traitlets.validate("position")
    def _on_the_grid(self, proposal: dict[str, Any]) -> dict[str, int]:
        position: dict[str, int] = proposal["value"]
        inside = all(0 <= position.get(dim, -1) < len(grid) for dim, grid in self._grid.items())
        if len(position) != len(self._grid) or not inside:
            sizes = ", ".join(f"{dim} from 0 to {len(grid) - 1}" for dim, grid in self._grid.items())
            raise traitlets.TraitError(f"The position {position} is not on the grid: {sizes}.")
        return position

    @property
    def values(self) -> dict[str, float | str]:
        """Where the controls stand: the grid value of each controlled dimension, a number or a text."""
        here = {dim: grid[self.position[dim]] for dim, grid in self._grid.items()}
        return {dim: str(value) if isinstance(value, str) else float(value) for dim, value in here.items()}

    def _answer(self, _: object, content: dict[str, Any], buffers: object) -> None:
        # A page of the book has its own plotly; JupyterLab asks for the installed one, so nothing comes from elsewhere.
        if content.get("type") == "plotly":
            self.send({"type": "plotly"}, buffers=[_plotly_source()])


def _start(control: Slider | Choice, grid: np.ndarray) -> int:
    if control.start is None:
        return 0 if isinstance(control, Choice) else len(grid) // 2
    if grid.dtype.kind in "UO":
        if control.start not in grid:
            raise ValueError(
                f"{control.dim} cannot start at {control.start!r}; {nearest(str(control.start), map(str, grid))}"
            )
        return list(grid).index(control.start)
    index = int(np.abs(grid - control.start).argmin())
    if not np.isclose(grid[index], control.start):
        raise ValueError(f"{control.dim} cannot start at {control.start}; the nearest grid point is {grid[index]}.")
    return index


def _names(template: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", template))


def _selection(data: xr.Dataset, controlled: Sequence[str]) -> str:
    """Python code that selects the shown point from the committed atlas; none for data that is not from one."""
    if data.attrs.get("source") != "atlas" or "study" not in data.attrs:
        return ""
    # Coordinates of an atlas are float64, and so are JavaScript's numbers: the values in the page are exact.
    at = ", ".join(f"{dim}={{{dim}}}" for dim in controlled)
    load = f'data = condensation_lab.load_atlas("{data.attrs["study"]}")'
    return f"import condensation_lab\n\n{load}\nhere = data.sel({at})"


def _source(data: xr.Dataset) -> str:
    """Which depth answered: a stored run, and whose."""
    for name in ("commit", "date", "preset", "source"):
        if name not in data.attrs:
            raise ValueError(f"An atlas shows results with a birth certificate; {name!r} is missing in this one.")
    kept = "from the atlas" if data.attrs["source"] == "atlas" else "of this build"
    preset, commit, date = (data.attrs[name] for name in ("preset", "commit", "date"))
    return f"Stored run {kept}: preset {preset}, commit {commit}, {date[:10]}."
