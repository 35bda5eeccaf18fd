"""Live sliders without a browser: what it runs, says and leaves to a page without a kernel."""

import pytest

from condensation_lab.interactive import live
from condensation_lab.settings import SettingsError
from tests.interactive.example import ExampleSettings, ExampleStudy, example_figure, example_workbench


@pytest.fixture
def bench():
    return example_workbench()


def move(bench, **values):
    for name, value in values.items():
        bench._sliders[name].value = value


def test_a_move_runs_the_study_at_that_value(bench):
    assert bench.settings == ExampleSettings(gamma=1.0, width=1000)
    move(bench, gamma=1.5, width=2000)
    assert bench.settings == ExampleSettings(gamma=1.5, width=2000)
    assert bench._said.value.startswith("Trained in the kernel: gamma = 1.5, width = 2000; ")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"gamma": 1.75}, "gamma = 1.75 at this width &lt;diverges&gt;"),
        ({"width": 50000}, "width = 50000 is not allowed: it must be a whole number from 1 to 40000."),
    ],
)
def test_a_refusal_is_said_and_the_last_run_stays(bench, values, said):
    move(bench, **values)
    assert said in bench._said.value
    assert 'role="alert"' in bench._said.value
    assert bench.settings == ExampleSettings(gamma=1.0, width=1000)
    move(bench, gamma=0.5, width=1000)
    assert "Trained in the kernel" in bench._said.value


def test_without_a_kernel_the_cell_gives_the_way_to_one(bench):
    move(bench, gamma=1.5)
    shown = bench._repr_mimebundle_()
    command = "papermill notebooks/two-layer-example.ipynb out.ipynb -p gamma 1.5 -p width 1000"
    assert shown["text/plain"] == command
    assert f"<pre>{command}</pre>" in shown["text/html"]
    assert '<a class="launch-link" data-notebook="two-layer-example">' in shown["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in shown


def test_an_unknown_setting_is_refused_at_once():
    with pytest.raises(SettingsError, match="There is no setting 'gama'; did you mean 'gamma'"):
        live(ExampleStudy(), ExampleSettings(), vary={"gama": (1.0,)}, show=example_figure)


def test_a_study_that_breaks_at_the_start_breaks_the_cell():
    with pytest.raises(RuntimeError, match="the study broke"):
        live(ExampleStudy(), ExampleSettings(gamma=1.6), vary={"gamma": (1.6, 1.7)}, show=example_figure)
