"""What an atlas sends to the page, and the declarations it refuses."""

import base64
import json
import re

import numpy as np
import pytest
import traitlets
import xarray as xr
from ipywidgets import Widget

from condensation_lab.interactive import Atlas, Graph, Map, Points, Series, Slider, Words
from tests.interactive.example import decoded, example_atlas, example_dataset


@pytest.fixture(scope="module")
def data():
    return example_dataset()


def declare(data, **changed):
    """An atlas of one map, with some part of the declaration changed."""
    parts = {
        "controls": [Slider("gamma"), Slider("gamma_prime")],
        "views": [Map("slope_w", "gamma", "gamma_prime")],
        "description": "A map.",
    }
    return Atlas(data, **(parts | changed))


def test_a_page_of_this_size_is_light(data):
    atlas = example_atlas(data)
    saved = Widget.get_manager_state(widgets=[atlas])["state"][atlas.model_id]
    assert len(json.dumps(saved)) < 380_000  # of which a fifth is the module
    assert len(base64.b64encode(atlas._bytes)) < 300_000


def test_a_file_read_back_is_sent_as_it_was_stored(data):
    assert example_atlas(decoded(data))._bytes == example_atlas(data)._bytes


def test_only_what_the_views_use_is_sent(data):
    assert set(declare(data)._declaration["variables"]) == {"gamma", "gamma_prime", "slope_w"}
    said = declare(data, sentence="{far} at {fit}", words={"far": Words("relative_distance_w", [1], ["near", "far"])})
    assert {"relative_distance_w", "fit"} < set(said._declaration["variables"])
    assert "far" not in said._declaration["variables"]


def test_the_module_stands_alone():
    assert not re.findall(r"^(import|export (?!default))", Atlas._esm, flags=re.MULTILINE)
    assert len(re.findall(r"^export default", Atlas._esm, flags=re.MULTILINE)) == 1


def test_the_reader_can_be_followed_and_led(data):
    atlas = declare(data, controls=[Slider("gamma", start=1.3), Slider("gamma_prime")])
    assert atlas.values == {"gamma": 1.3, "gamma_prime": 0.0}
    atlas.position = {"gamma": 0, "gamma_prime": 10}
    assert atlas.values == {"gamma": 0.4, "gamma_prime": 0.5}
    for nowhere in ({"gamma": 15, "gamma_prime": 0}, {"gamma": 0}, {"gamma": 0, "gamma_prime": 0, "width": 0}):
        with pytest.raises(traitlets.TraitError, match="gamma from 0 to 14, gamma_prime from 0 to 10"):
            atlas.position = nowhere


def test_labels_come_from_the_slider_else_from_the_dataset(data):
    (view,) = declare(data, controls=[Slider("gamma", "γ"), Slider("gamma_prime")])._declaration["views"]
    assert view["x_label"] == "γ"
    assert view["y_label"] == "scaling exponent γ′ between the layers"
    (graph,) = declare(data, views=[Graph([Series("sample_y", "sample_x")], "Data")])._declaration["views"]
    assert (graph["x_label"], graph["y_label"]) == ("input", "target")
    both = [Slider(name) for name in ("gamma", "gamma_prime", "width")]
    (graph,) = declare(data, controls=both, views=[Graph([Series("amplitude", "orientation")], "")])._declaration[
        "views"
    ]
    assert graph["x_label"] == "orientation [rad]"


BAD = {
    "unknown variable": ({"views": [Map("slope_v", "gamma", "gamma_prime")]}, "no 'slope_v'; did you mean 'slope_w'?"),
    "unknown dimension": ({"controls": [Slider("gama")]}, "no 'gama'; did you mean 'gamma'?"),
    "slider over no dimension": ({"controls": [Slider("sample_x")]}, "'sample_x' is none"),
    "start off the grid": (
        {"controls": [Slider("gamma", start=0.44), Slider("gamma_prime")]},
        "gamma cannot start at 0.44",
    ),
    "map without its slider": (
        {"controls": [Slider("gamma")]},
        "needs both of its dimensions, or neither, with a control",
    ),
    "map with a free dimension": (
        {"views": [Map("fit", "gamma", "gamma_prime")]},
        "map of 'fit' needs 'width' as a dimension with a control",
    ),
    "x wider than y": ({"views": [Graph([Series("sample_y", "fit")], "")]}, "'fit' has dimensions that 'sample_y'"),
    "mark without slider": (
        {"views": [Graph([Series("sample_y", "sample_x")], "Data", mark="width")]},
        "'Data' marks 'width', which has no slider",
    ),
    "unequal overlay": (
        {"views": [Map("slope_w", "gamma", "gamma_prime", overlays=[Points("p", [1, 2], [1, 2], ["one"])])]},
        "overlay 'p' has unequal numbers",
    ),
    "words too few": ({"words": {"w": Words("slope_w", [0], ["one"])}}, "words 'w' need increasing edges"),
    "words out of order": ({"words": {"w": Words("slope_w", [1, 0], ["", "", ""])}}, "words 'w' need increasing edges"),
    "sentence about nothing": ({"sentence": "{slope}"}, "no 'slope'; did you mean 'slope_w'?"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_wrong_declaration_is_refused_in_one_sentence(data, name):
    changed, sentence = BAD[name]
    with pytest.raises(ValueError, match=re.escape(sentence)) as refused:
        declare(data, **changed)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("value", [2.0, -2.0, np.nan])
def test_a_value_outside_its_encoding_is_refused(value):
    data = xr.Dataset({"z": ("x", [0.0, value])}, coords={"x": [0.0, 1.0]}, attrs=example_dataset().attrs)
    data["z"].encoding = {"dtype": "int8", "scale_factor": 0.01}
    with pytest.raises(ValueError, match="'z' has values that its encoding as int8 cannot hold"):
        declare(data, controls=[Slider("x")], views=[Graph([Series("z", "x")], "")])


def test_results_without_a_certificate_are_refused(data):
    with pytest.raises(ValueError, match="birth certificate; 'commit' is missing"):
        declare(data.drop_attrs(deep=False))
