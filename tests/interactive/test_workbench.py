"""The workbench without a browser: its form, what it refuses, and runs that end, are stopped, break and die."""

import json
import os
import signal
import subprocess
import sys
import time

import ipywidgets
import pytest

from condensation_lab.interactive import Workbench
from condensation_lab.settings import SettingsError
from tests.interactive import slow_study


@pytest.fixture
def bench():
    made = Workbench(slow_study, figures=[slow_study.figure_power])
    yield made
    made.stop()


def fill(bench, **values):
    for name, value in values.items():
        bench._fields[name].control.value = value


def ran(bench, **values):
    fill(bench, **values)
    bench.run()
    assert bench.wait(60)
    return bench._said.value


def there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_each_setting_has_the_control_that_suits_it(bench):
    kinds = {name: type(field.control) for name, field in bench._fields.items()}
    assert kinds == {
        "end": ipywidgets.Dropdown,
        "seconds": ipywidgets.FloatSlider,
        "width": ipywidgets.Text,  # 40,000 places are no slider
        "depth": ipywidgets.IntSlider,
        "rate": ipywidgets.Text,
        "bias": ipywidgets.Checkbox,
        "seed": ipywidgets.Text,
    }
    assert bench._fields["end"].control.options == ("result", "refusal", "error", "death")
    depth = bench._fields["depth"].control
    assert (depth.min, depth.max, depth.value) == (1, 9, 2)
    _, note, _ = bench._fields["seconds"].box.children
    assert note.value == "<small>how long it takes: a finite number from 0 to 100 (unit: s)</small>"
    assert bench.values() == slow_study.Settings()


def test_presets_fill_the_form_and_follow_it(bench):
    bench._preset.value = "paper"
    assert bench.values() == slow_study.Settings.preset("paper")
    fill(bench, width="3000")
    assert bench._preset.value == "your settings"
    fill(bench, width="1000", seed="[0]")
    assert bench._preset.value == "quick"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("width", "50000", "width = &#x27;50000&#x27; is not allowed: it must be a whole number from 1 to 40000."),
        ("width", "many", "width = &#x27;many&#x27; is not allowed"),
        ("rate", "0", "rate = &#x27;0&#x27; is not allowed"),
        ("rate", "nan", "rate = &#x27;nan&#x27; is not allowed"),
        ("seed", "[]", "seed = &#x27;[]&#x27; is not allowed"),
        ("seed", "[0, x]", "seed = &#x27;[0, x]&#x27; is not allowed"),
    ],
)
def test_a_bad_value_is_refused_beside_its_field_and_nothing_runs(bench, name, value, said):
    fill(bench, **{name: value})
    assert said in bench._fields[name]._fault.value
    assert 'role="alert"' in bench._fields[name]._fault.value
    assert bench._run_button.disabled
    bench.run()
    assert bench._spawned is None
    with pytest.raises(SettingsError):
        bench.values()
    fill(bench, width="10", rate="0.5", seed="[0]")
    assert not bench._fields[name]._fault.value
    assert not bench._run_button.disabled


def test_it_runs_shows_claims_and_figures_and_runs_again(bench):
    assert "Ran in" in ran(bench, depth=3)
    assert bench.settings == slow_study.Settings(depth=3)
    assert float(bench.data["y"][5]) == pytest.approx(0.125)
    table, drawn = (output["data"] for output in bench._shown.outputs)
    assert "The mean is small" in table["text/html"]
    assert "your settings" in table["text/html"]
    assert "application/vnd.plotly.v1+json" in drawn
    assert "Ran in" in ran(bench, depth=1)
    assert float(bench.data["y"][5]) == pytest.approx(0.5)
    assert "Ran in" in ran(bench, depth=2)
    assert "0.35" in bench._shown.outputs[0]["data"]["text/html"]
    assert "your settings" not in bench._shown.outputs[0]["data"]["text/html"]  # these are quick's


def test_stop_ends_the_process_and_the_last_result_stays(bench):
    ran(bench, depth=3)
    fill(bench, seconds=90, depth=1)
    bench.run()
    process = bench._spawned._process.pid
    assert bench._run_button.disabled
    assert not bench._stop_button.disabled
    bench.run()  # a second press does nothing
    assert bench._spawned._process.pid == process
    time.sleep(0.5)
    bench.stop()
    assert bench.wait(5)
    assert not there(process)
    assert bench._said.value.startswith("Stopped after")
    assert bench.settings.depth == 3
    assert bench._shown.outputs
    assert "Ran in" in ran(bench, seconds=0)


def test_a_run_that_refuses_breaks_or_dies_says_so(bench):
    said = ran(bench, end="refusal")
    assert "width = 1000 at this depth &lt;diverges&gt;: choose a smaller one." in said
    assert "<details>" in said  # where a fault of ours that looks like a refusal can be found
    said = ran(bench, end="error")
    assert "<b>The run failed: RuntimeError: the study broke</b>" in said
    assert "Traceback" in said
    assert "The run&#x27;s process died (exit code 7)." in ran(bench, end="death")
    assert bench.data is None
    assert "Ran in" in ran(bench, end="result")


@pytest.mark.skipif(os.name != "posix", reason="signals a process by POSIX means")
def test_a_run_ends_with_the_kernel_that_began_it():
    code = (
        "from condensation_lab.interactive import Workbench\n"
        "from tests.interactive import slow_study\n"
        "bench = Workbench(slow_study, slow_study.Settings(seconds=90))\n"
        "bench.run(); print(bench._spawned._process.pid, flush=True); bench.wait()\n"
    )
    kernel = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    process = int(kernel.stdout.readline())
    time.sleep(3)  # until it runs
    assert there(process)
    kernel.send_signal(signal.SIGKILL)
    kernel.wait()
    late = time.monotonic() + 10
    while there(process) and time.monotonic() < late:
        time.sleep(0.05)
    assert not there(process)


def test_without_a_kernel_the_cell_gives_values_command_and_the_way_to_a_kernel(bench):
    shown = bench._repr_mimebundle_()
    assert shown["text/plain"] == "papermill notebooks/slow-study.ipynb out.ipynb"
    fill(bench, width="3000", seed="[1, 2]")
    shown = bench._repr_mimebundle_()
    command = """papermill notebooks/slow-study.ipynb out.ipynb -y '{"width": 3000, "seed": [1, 2]}'"""
    assert shown["text/plain"] == bench.command() == command
    page = shown["text/html"]
    assert '<a class="launch-link" data-notebook="slow-study">' in page
    copied = page.split('data-copy="')[1].split('"')[0].replace("&quot;", '"')
    assert slow_study.Settings.parse(json.loads(copied)) == bench.values()
    assert "hidden>Copy the values</button>" in page  # the page's script shows it
    assert "application/vnd.jupyter.widget-view+json" in shown
