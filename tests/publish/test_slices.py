"""The second route to an atlas's pictures agrees with the dataset, and notices when a picture does not."""

import base64
import json

import numpy as np
import pytest
from ipywidgets import Widget

from condensation_lab.interactive import PlaceInitialisation
from condensation_lab.publish.slices import atlases_of, differences, expected_traces, unlike_stored
from tests.interactive.example import example_atlas, example_dataset


@pytest.fixture(scope="module")
def data():
    return example_dataset()


@pytest.fixture(scope="module")
def atlas(data):
    """The example atlas as a page carries it: saved state and view, between other things."""
    widgets = [PlaceInitialisation(), example_atlas(data)]
    state = Widget.get_manager_state(widgets=widgets)["state"]
    views = [json.dumps({"model_id": widget.model_id}) for widget in widgets]
    page = (
        "".join(f'<script type="application/vnd.jupyter.widget-view+json">{view}</script>' for view in views)
        + '<script type="application/vnd.jupyter.widget-view+json">{"model_id": "gone"}</script>'
        f'<script type="application/vnd.jupyter.widget-state+json">{json.dumps({"state": state})}</script>'
    )
    found = atlases_of(page)
    assert len(found) == 1
    return found[0]


def test_decoded_numbers_are_the_datasets_to_half_a_step_of_their_encoding(atlas, data):
    for name, decoded in atlas["data"].variables.items():
        step = data[name].encoding.get("scale_factor", 0)
        np.testing.assert_allclose(decoded.values, data[name].values, atol=0.51 * step + 1e-9, rtol=1e-6)
        assert decoded.dims == data[name].dims
    assert np.isnan(atlas["data"]["amplitude"]).any()


def test_a_map_is_the_slice_with_rows_along_y(atlas, data):
    (trace,) = expected_traces(atlas, 0, {"gamma": 3, "gamma_prime": 2, "width": 1})
    np.testing.assert_allclose(trace["z"], data["slope_w"].transpose("gamma_prime", "gamma"), rtol=1e-6)


def test_a_graph_is_sliced_at_the_sliders_and_runs_along_the_rest(atlas, data):
    position = {"gamma": 3, "gamma_prime": 2, "width": 1}
    fit, samples = expected_traces(atlas, 1, position)
    step = data["fit"].encoding["scale_factor"]
    np.testing.assert_allclose(fit["y"], data["fit"].isel(position), atol=0.51 * step)
    np.testing.assert_allclose(fit["x"], data["input"])
    np.testing.assert_allclose(samples["y"], data["sample_y"], rtol=1e-6)


def test_a_series_along_a_controlled_dimension_ignores_its_slider(atlas, data):
    here = expected_traces(atlas, 3, {"gamma": 3, "gamma_prime": 2, "width": 1})
    there = expected_traces(atlas, 3, {"gamma": 3, "gamma_prime": 2, "width": 4})
    np.testing.assert_array_equal(here[0]["y"], there[0]["y"])
    drawn = data["relative_distance_w"].isel(gamma=3, gamma_prime=2).transpose("seed", "width")
    np.testing.assert_allclose(here[0]["y"], drawn.values.ravel(), rtol=1e-6)


def test_lines_over_seeds_are_parted_by_gaps():
    stored = np.arange(6, dtype="<f4")
    variable = {"dims": ["seed", "step"], "shape": [2, 3], "dtype": "float32", "start": 0}
    variable |= {"scale": 1, "offset": 0, "missing": None}
    series = {"x": "y", "y": "y", "along": ["seed", "step"], "mode": "lines", "trend": False}
    declaration = {"variables": {"y": variable}, "views": [{"kind": "graph", "series": [series]}]}
    buffers = [{"path": ["_bytes"], "data": base64.b64encode(stored.tobytes()).decode()}]
    state = {"state": {"m": {"state": {"_declaration": declaration}, "buffers": buffers}}}
    page = (
        f'<script type="application/vnd.jupyter.widget-state+json">{json.dumps(state)}</script>'
        '<script type="application/vnd.jupyter.widget-view+json">{"model_id": "m"}</script>'
    )
    (trace,) = expected_traces(atlases_of(page)[0], 0, {})
    np.testing.assert_array_equal(trace["y"], [0, 1, 2, np.nan, 3, 4, 5])


def test_equal_pictures_have_no_difference_and_a_gap_may_travel_as_null():
    expected = [{"trace": 0, "y": np.array([1.0, np.nan])}]
    assert differences([{"y": [1.0, None]}], expected) == []


@pytest.mark.parametrize(
    ("drawn", "said"),
    [([1.0, 2.001], "another y"), ([1.0, None], "another y"), ([1.0], "shape"), ([[1.0, 2.0]], "shape")],
)
def test_another_picture_is_told_apart(drawn, said):
    expected = [{"trace": 0, "y": np.array([1.0, 2.0])}]
    assert said in differences([{"y": drawn}], expected)[0]


def test_the_slice_of_another_position_is_told_apart(atlas):
    here = expected_traces(atlas, 1, {"gamma": 3, "gamma_prime": 2, "width": 1})
    there = expected_traces(atlas, 1, {"gamma": 4, "gamma_prime": 2, "width": 1})
    drawn = [{name: values.tolist() for name, values in trace.items() if name != "trace"} for trace in there]
    assert differences(drawn, here) == ["trace 0 draws another y than the dataset's slice"]


def test_a_page_that_carries_other_numbers_than_the_committed_atlas_is_told_apart(atlas):
    data = atlas["data"]
    names = sorted(map(str, data.variables))
    assert list(map(sorted, unlike_stored(data, data.drop_vars("fit")))) == [sorted(set(names) - {"fit"}), []]
    changed = data.copy(deep=True)
    changed["slope_w"][0, 0] += 1e-3
    assert sorted(unlike_stored(data, changed)[1]) == ["slope_w"]
    stored = data.drop_vars("orientation").assign(orientation=data["orientation"].rename(neuron="cell"))
    assert unlike_stored(data, stored)[1] == ["orientation"]
