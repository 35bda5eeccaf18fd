"""Live sliders: with a kernel, they run a study anew as they move; in a page, the way to get one."""

import html
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import ipywidgets
import xarray as xr
from IPython.display import display

from condensation_lab.settings import StudySettings

_RUNNING = "Running …"


class Study(Protocol):
    """What live sliders need of a study's module."""

    @property
    def NAME(self) -> str:
        """The study's name, with underscores or hyphens."""

    def run(self, settings: Any, /) -> xr.Dataset:
        """Run it at these settings."""


class Live:
    """Sliders over some of a study's settings; each move runs the study and shows what came out.

    Made for runs of at most two seconds. In a page without a kernel the same cell shows a launch link and the papermill
    command. A refused value is said beside the sliders; any other error shows its traceback there.

    Args:
        study: the study, with `NAME` and `run(settings)`.
        settings: where to start; what has no slider stays as it is here.
        vary: for each setting that gets a slider, the values it offers, in order.
        show: draws what came out; its result is displayed.

    Attributes:
        settings: those of the last run that succeeded.

    Raises:
        ValueError: a setting is unknown, or the study refuses the settings it starts with.
    """

    def __init__(
        self,
        study: Study,
        settings: StudySettings,
        *,
        vary: Mapping[str, Sequence[float]],
        show: Callable[[xr.Dataset], object],
    ) -> None:
        self.settings = settings.parse({**settings.model_dump(), **{name: values[0] for name, values in vary.items()}})
        self._study, self._show = study, show
        self._said, self._picture, self._trouble = ipywidgets.HTML(), ipywidgets.Output(), ipywidgets.Output()
        self._sliders = {name: _slider(settings, name, values) for name, values in vary.items()}
        self._run()
        for slider in self._sliders.values():
            slider.observe(self._moved, names="value")

    def _moved(self, _: object) -> None:
        self._trouble.clear_output()
        with self._trouble:  # shows the traceback of what is no refusal
            try:
                self._run()
            except ValueError as refusal:
                self._said.value = f'<span role="alert"><b>Not run:</b> {html.escape(str(refusal))}</span>'
        if self._said.value == _RUNNING:
            self._said.value = '<span role="alert"><b>The run failed;</b> its error stands at the end.</span>'

    def _run(self) -> None:
        chosen = {name: slider.value for name, slider in self._sliders.items()}
        self._said.value = _RUNNING
        settings = self.settings.parse({**self.settings.model_dump(), **chosen})
        began = time.perf_counter()
        data = self._study.run(settings)
        seconds = time.perf_counter() - began
        shown = self._show(data)
        with self._picture:
            self._picture.clear_output(wait=True)
            display(shown)  # type: ignore[no-untyped-call]
        self.settings = settings
        values = ", ".join(f"{name} = {value:.12g}" for name, value in chosen.items())
        self._said.value = f"Trained in the kernel: {values}; {seconds:.2g} s."

    def command(self) -> str:
        """Give the papermill line that runs the study's notebook with the sliders' values."""
        values = "".join(f" -p {name} {slider.value:.12g}" for name, slider in self._sliders.items())
        return f"papermill notebooks/{self._study.NAME.replace('_', '-')}.ipynb out.ipynb{values}"

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """The live form, and for a page without a kernel the words that say how to get one."""
        box = ipywidgets.VBox([*self._sliders.values(), self._said, self._picture, self._trouble])
        names = " and ".join(f"<code>{html.escape(name)}</code>" for name in self._sliders)
        notebook = html.escape(self._study.NAME.replace("_", "-"))
        note = (
            f'<div class="needs-kernel"><p>With a kernel, this cell has sliders for {names} that train anew as they '
            f'move: <a class="launch-link" data-notebook="{notebook}">open this notebook with a kernel</a>, '
            f"or run it with your own values:</p><pre>{html.escape(self.command())}</pre></div>"
        )
        return {**box._repr_mimebundle_(), "text/html": note, "text/plain": self.command()}


live = Live


def _slider(settings: StudySettings, name: str, values: Sequence[float]) -> ipywidgets.SelectionSlider:
    return ipywidgets.SelectionSlider(
        options=[(f"{value:.12g}", value) for value in values],
        value=min(values, key=lambda value: abs(value - getattr(settings, name))),
        description=name,
        tooltip=type(settings).model_fields[name].description,
        continuous_update=False,  # else a drag would queue a run for every value it passes
        style={"description_width": "initial"},
        layout={"width": "100%"},
    )
