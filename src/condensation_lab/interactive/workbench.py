"""The workbench: a form made from a study's settings, and its run in a process that Stop really stops."""

from __future__ import annotations

import html
import json
import math
import threading
import time
import typing
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import ipywidgets
import xarray as xr

from condensation_lab.interactive.spawned import RunError, Spawned
from condensation_lab.settings import YOUR_SETTINGS, SettingsError, StudySettings, allowed_values

_MOST_PLACES = 1000  # of a slider; wider ranges are typed
_WIDE = ipywidgets.Layout(width="100%", max_width="34rem")


class StudyModule(Protocol):
    """What the workbench needs of a study: a module that another process can import by its name."""

    __name__: str

    @property
    def NAME(self) -> str:
        """The study's name."""

    @property
    def Settings(self) -> type[Any]:
        """The class of its settings."""

    @property
    def claims(self) -> Callable[[xr.Dataset], object]:
        """Judges a result."""


class Workbench:
    """A form over a study's settings, with Run, Stop, progress, and the claims and figures of what came out.

    Each setting has the control that its type and bounds ask for, its unit and meaning beside it; a refused value is
    said beside its field, and nothing runs until it is put right. The run is a process of its own: the kernel stays
    free, Stop ends it, and it ends with the kernel. In a page without a kernel the same cell shows a launch link, the
    values to copy and the papermill command.

    Args:
        study: the study's module.
        settings: where to start; by default the preset `quick`.
        figures: functions of the result, drawn one below the other.

    Attributes:
        settings: those of the last run that gave a result; at first the start.
        data: that result, or None.
    """

    def __init__(
        self,
        study: StudyModule,
        settings: StudySettings | None = None,
        *,
        figures: Sequence[Callable[[xr.Dataset], object]] = (),
    ) -> None:
        self._study, self._figures = study, tuple(figures)
        self.settings: StudySettings = settings if settings is not None else study.Settings()
        self.data: xr.Dataset | None = None
        self._spawned: Spawned | None = None
        self._watching: threading.Thread | None = None
        self._seconds: float | None = None  # that the last run took
        self._filling = False
        kind = type(self.settings)
        presets = [*kind.PRESETS, YOUR_SETTINGS]
        self._preset = ipywidgets.Dropdown(options=presets, value=self.settings.preset_name, description="preset")
        self._fields = {name: _Field(kind, name, self.settings) for name in kind.model_fields}
        self._run_button = ipywidgets.Button(description="Run", button_style="primary", icon="play")
        self._stop_button = ipywidgets.Button(description="Stop", icon="stop", disabled=True)
        self._progress = ipywidgets.FloatProgress(min=0, max=1, layout={"visibility": "hidden"})
        self._said, self._shown = ipywidgets.HTML(), ipywidgets.Output()
        self._preset.observe(self._choose_preset, names="value")
        for field in self._fields.values():
            field.control.observe(self._changed, names="value")
        self._run_button.on_click(lambda _: self.run())
        self._stop_button.on_click(lambda _: self.stop())

    def values(self) -> StudySettings:
        """The settings that the form holds now.

        Raises:
            SettingsError: a value is not allowed.
        """
        return type(self.settings).parse({name: field.control.value for name, field in self._fields.items()})

    def run(self) -> None:
        """Run the study at the form's values in a process of its own; returns at once."""
        if self._spawned is not None or not self._check():
            return
        settings = self.values()
        self._spawned = spawned = Spawned(self._study.__name__, settings)
        self._busy(True)
        self._watching = threading.Thread(target=self._watch, args=(spawned, settings), daemon=True)
        self._watching.start()

    def stop(self) -> None:
        """End the run that is going on; the last result stays."""
        if self._spawned is not None:
            self._spawned.stop()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until no run is going on.

        Args:
            seconds: how long at most; None: until it is so.

        Returns:
            Whether that is so.
        """
        if self._watching is not None:
            self._watching.join(seconds)
        return self._spawned is None

    def command(self) -> str:
        """The papermill line that runs the study's notebook at the form's values, those of `quick` left out."""
        notebook = f"notebooks/{self._study.NAME.replace('_', '-')}.ipynb"
        usual = json.loads(type(self.settings)().to_json())
        changed = {name: value for name, value in json.loads(self.values().to_json()).items() if value != usual[name]}
        return f"papermill {notebook} out.ipynb" + (f" -y '{json.dumps(changed)}'" if changed else "")

    def _choose_preset(self, change: dict[str, Any]) -> None:
        if self._filling or change["new"] == YOUR_SETTINGS:
            return
        self._filling = True
        try:
            preset = self.settings.preset(change["new"])
            for name, field in self._fields.items():
                field.show(getattr(preset, name))
        finally:
            self._filling = False
        self._check()

    def _changed(self, _: object) -> None:
        if not self._filling and self._check():
            self._filling = True
            self._preset.value = self.values().preset_name
            self._filling = False

    def _check(self) -> bool:
        """Say beside each field what is wrong with it; Run is there only when nothing is."""
        right = [field.check() for field in self._fields.values()]
        said = ""
        if all(right):
            try:
                self.values()
            except SettingsError as refusal:  # a rule over several fields
                said = _alert(str(refusal))
        self._said.value = said
        good = all(right) and not said
        self._run_button.disabled = not good or self._spawned is not None
        return good

    def _busy(self, busy: bool) -> None:
        self._run_button.disabled, self._stop_button.disabled = busy, not busy
        self._progress.value = 0.0
        self._progress.layout.visibility = "visible" if busy and self._seconds else "hidden"

    def _watch(self, spawned: Spawned, settings: StudySettings) -> None:
        while spawned.running:
            usual = f"; the last run took {self._seconds:.0f} s" if self._seconds else ""
            self._said.value = f"Running: {spawned.seconds:.0f} s{usual}."
            if self._seconds:
                self._progress.value = min(spawned.seconds / self._seconds, 1.0)
            time.sleep(0.2)
        said = _alert("The result cannot be shown; the kernel's log says why.")
        try:
            data = spawned.result()
            stopped = f"Stopped after {spawned.seconds:.1f} s."
            said = stopped if data is None else self._show(data, settings, spawned.seconds)
        except RunError as error:
            said = _alert(str(error), error.details)
        finally:
            self._spawned = None
            self._busy(False)
            self._check()
            self._said.value = said

    def _show(self, data: xr.Dataset, settings: StudySettings, seconds: float) -> str:
        shown = [self._study.claims(data), *(draw(data) for draw in self._figures)]
        self._shown.outputs = tuple(_displayed(one) for one in shown)
        self.data, self.settings, self._seconds = data, settings, seconds
        return f"Ran in {seconds:.1f} s: {html.escape(settings.preset_name)}."

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """The live form, and for a page without a kernel the words that say how to get one."""
        row = ipywidgets.HBox([self._run_button, self._stop_button, self._progress])
        fields = [field.box for field in self._fields.values()]
        box = ipywidgets.VBox([self._preset, *fields, row, self._said, self._shown])
        notebook = html.escape(self._study.NAME.replace("_", "-"))
        command, values = html.escape(self.command()), html.escape(self.values().to_json())
        launch = f'<a class="launch-link" data-notebook="{notebook}">open this notebook with a kernel</a>'
        copy = f'<button class="copy" data-copy="{values}" hidden>Copy the values</button>'
        note = (
            '<div class="needs-kernel"><p>With a kernel, this cell is a form over all the study’s settings, with Run '
            f"and Stop: {launch}, or run it in a terminal:</p><pre>{command}</pre>"
            f"<p>A link cannot carry values. {copy} They fit papermill’s <code>-y</code>.</p></div>"
        )
        return {**box._repr_mimebundle_(), "text/html": note, "text/plain": self.command()}


class _Field:
    """One setting: its control, what it means and allows, and what is wrong with its value."""

    def __init__(self, settings: type[StudySettings], name: str, start: StudySettings) -> None:
        self._settings, self._name = settings, name
        field = settings.model_fields[name]
        schema = settings.model_json_schema()["properties"][name]
        self.control = _control(schema, field.annotation, getattr(start, name))
        self.control.description, self.control.layout = name, _WIDE
        self.control.style = {"description_width": "11rem"}
        meaning = f"{field.description}: {allowed_values(settings, name)}" if field.description else ""
        self._fault = ipywidgets.HTML()
        self.box = ipywidgets.VBox(
            [self.control, ipywidgets.HTML(f"<small>{html.escape(meaning)}</small>"), self._fault]
        )

    def show(self, value: object) -> None:
        """Put a value into the control."""
        self.control.value = _as_text(value) if isinstance(self.control, ipywidgets.Text) else value

    def check(self) -> bool:
        """Whether the value is allowed; what is wrong stands beside it."""
        try:
            self._settings.parse({self._name: self.control.value})
        except SettingsError as refusal:
            wrong = str(refusal)
            if wrong.startswith(f"{self._name} ="):
                self._fault.value = _alert(wrong)
                return False
        self._fault.value = ""
        return True


def _control(schema: dict[str, Any], annotation: object, value: Any) -> Any:
    """The control that suits a setting: list, check box, slider where its places can be told apart, else a text."""
    if typing.get_origin(annotation) is typing.Literal:
        return ipywidgets.Dropdown(options=typing.get_args(annotation), value=value)
    if schema.get("type") == "boolean":
        return ipywidgets.Checkbox(value=value, indent=False)
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None and schema.get("type") in ("integer", "number"):
        if schema["type"] == "integer" and high - low <= _MOST_PLACES:
            return ipywidgets.IntSlider(value, low, high, continuous_update=False)
        step = 10.0 ** math.floor(math.log10((high - low) / 100))
        if schema["type"] == "number" and math.isclose(value, round(value / step) * step, abs_tol=1e-9 * step):
            return ipywidgets.FloatSlider(value, min=low, max=high, step=step, continuous_update=False)
    return ipywidgets.Text(value=_as_text(value), continuous_update=True)


def _as_text(value: object) -> str:
    if isinstance(value, tuple):
        return json.dumps(list(value))
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _alert(sentence: str, details: str = "") -> str:
    said = f'<span role="alert"><b>{html.escape(sentence)}</b></span>'
    return f"{said}<details><summary>Details</summary><pre>{html.escape(details)}</pre></details>" if details else said


def _displayed(shown: object) -> dict[str, Any]:
    """An output as the notebook keeps it; made by hand, because a thread has no cell to display in."""
    from IPython.core.formatters import format_display_data

    data, metadata = format_display_data(shown)  # type: ignore[no-untyped-call]
    return {"output_type": "display_data", "data": data, "metadata": metadata}
