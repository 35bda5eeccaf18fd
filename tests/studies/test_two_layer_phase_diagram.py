"""The study on small settings, its claims on data made by formula, and the atlas against today's code."""

import inspect
import json
from pathlib import Path

import numpy as np
import pytest

from condensation_lab import results
from condensation_lab.claims import compare
from condensation_lab.data.targets import parabola
from condensation_lab.measure.condensation import condensed_lines
from condensation_lab.measure.regime import predicted_slope
from condensation_lab.models.two_layer import TwoLayer
from condensation_lab.settings import SettingsError
from condensation_lab.studies import two_layer_phase_diagram as study
from condensation_lab.studies.two_layer_phase_diagram.published import PUBLISHED
from condensation_lab.train.flow import gradient_flow

SMALL = {
    "gamma": (0.6, 1.0, 1.4), "gamma_prime": (-0.4, 0.0), "width": (50, 100, 200), "regime_width": (50, 100),
    "sharp_width": (50, 100), "digits_gamma": (0.6, 1.4), "digits_gamma_prime": (0.0,), "digits_width": (20, 40),
    "point_width": 64, "seed": (5, 6),
}  # fmt: skip


@pytest.fixture(scope="module")
def small():
    return study.run(study.Settings(**SMALL))


def by_key(data):
    return {row["key"]: row for row in study.claims(data).rows}


def test_every_run_reaches_its_stop_and_every_variable_is_described(small):
    for name, variable in small.data_vars.items():
        assert variable.attrs["long_name"]
        if str(name).endswith("outcome"):
            assert (variable == 0).all(), name
        if "relative_distance" in str(name):
            assert (variable > 0).all(), name


def test_results_survive_a_file(small, tmp_path):
    again = results.load(results.save(small, tmp_path / "small.nc"))
    assert again.equals(small)


def test_the_same_settings_give_the_same_bits(small):
    again = study.run(study.Settings(**SMALL))
    assert again.attrs["data_hash"] == small.attrs["data_hash"]


def test_a_part_that_is_not_run_leaves_its_claims_untested():
    rows = by_key(study.run(study.Settings(**SMALL | {"experiment": ("regimes",)})))
    assert rows.keys() == {said.key for said in PUBLISHED}
    assert rows["slope_linear"]["tested"]
    assert not rows["zero_line_w"]["tested"]
    assert not rows["distance_linear"]["tested"]  # width 1000 is not among these


def test_a_failed_run_leaves_its_claims_without_a_number():
    stored = results.load_atlas(study.NAME)
    assert by_key(stored)["slope_condensed"]["verdict"] == "reproduced"
    for name in ("relative_distance_w", "regime_relative_distance_w", "drift", "line_relative_distance_w"):
        stored[name][..., 1] = np.nan
    rows = by_key(stored)
    for key in ("slope_condensed", "zero_line_w", "conservation", "parametrisations", "derived_exponents"):
        assert rows[key]["measured"] is None
        assert rows[key]["verdict"] == "not reproduced"
    assert rows["slope_condensed"]["seeds"] == 2


def test_what_is_said_of_width_1000_comes_from_width_1000(small):
    rows = by_key(small)  # whose regimes have widths 50 and 100
    assert not rows["condensed_share"]["tested"]
    assert not rows["distance_linear"]["tested"]


def test_the_atlas_gives_the_expected_claims_to_the_letter():
    expected = json.loads((Path(__file__).parents[1] / "expected_claims.json").read_text("utf-8"))
    said = compare(study.claims(results.load_atlas(study.NAME)).rows, expected, studies={study.NAME})
    assert [each for each in said if " quick: " not in each] == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gamma", "[1.0, 1.0]"),
        ("gamma", "[1.4, 0.6]"),
        ("width", "[100, 100]"),
        ("seed", "[1, 1, 1]"),
        ("seed", "[10000]"),
    ],
)
def test_lists_that_repeat_or_fall_are_refused_before_the_run(name, value):
    with pytest.raises(SettingsError, match=f"^{name} = .* is not allowed: "):
        study.Settings(**{name: value})


@pytest.mark.parametrize("name", [name for name in study.__all__ if name.startswith("figure_")])
def test_a_figure_of_a_part_that_was_not_run_says_so(name):
    part = "regimes" if name == "figure_point" else "point"
    data = study.run(study.Settings(**SMALL | {"experiment": (part,)}))
    draw = getattr(study, name)
    assert "not run" in draw(*[data] * len(inspect.signature(draw).parameters)).description


def test_settings_of_your_own_get_no_verdict(small):
    assert {row["verdict"] for row in study.claims(small).rows} == {"your settings"}


def test_claims_judge_formulas_as_they_should(small):
    """Relative distances made by the scaling argument put the zero line exactly on the boundary."""
    data = small.copy(deep=True)
    slope = predicted_slope(data["gamma"].values[:, None], data["gamma_prime"].values[None, :])[..., None, None]
    data["relative_distance_w"][:] = data["width"].values[:, None] ** slope
    found = by_key(data)
    assert found["derived_exponents"]["measured"] == pytest.approx(0, abs=1e-9)
    assert found["zero_line_w"]["measured"] == pytest.approx(0, abs=1e-9)
    data["relative_distance_w"][:] = data["width"].values[:, None] ** (slope + 0.2)
    assert by_key(data)["zero_line_w"]["measured"] > 0.1


def test_a_zero_line_that_never_crosses_is_no_number(small):
    data = small.copy(deep=True)
    data["relative_distance_w"][:] = np.broadcast_to(
        data["width"].values[:, None] * 1.0, data["relative_distance_w"].shape
    )
    row = by_key(data)["zero_line_w"]
    assert row["tested"]
    assert row["measured"] is None


def test_a_run_that_fails_is_marked_and_never_a_silent_number(monkeypatch):
    from condensation_lab.studies.two_layer_phase_diagram import experiment

    monkeypatch.setattr(experiment, "gradient_flow", lambda *a, **k: gradient_flow(*a, **k, max_steps=3))
    data = study.run(study.Settings(**SMALL | {"experiment": ("regimes",)}))
    assert (data["regime_outcome"] == 1).any()
    failed = data["regime_outcome"] != 0
    assert set(data.data_vars) == {"regime_outcome"} or data["regime_relative_distance_w"].where(failed).isnull().all()


@pytest.mark.parametrize("name", [name for name in study.__all__ if name.startswith("figure_")])
def test_every_figure_draws_something_and_says_what(small, name):
    draw = getattr(study, name)
    fig = draw(small, small) if len(inspect.signature(draw).parameters) == 2 else draw(small)
    assert fig.description
    assert max(len(np.ravel(trace.x)) for trace in fig.data) > 1


def test_the_explorer_shows_the_map(small):
    explorer = study.explorer(small)
    assert explorer.values == {"gamma": 1.0, "gamma_prime": 0.0, "width": 100.0}


def test_six_samples_still_condense_on_two_lines():
    """The solution of the page's third exercise."""
    for seed in range(3):
        start = TwoLayer.normalised(1.75, 0.0, 1000, 2, seed).anti_symmetric()
        end = gradient_flow(start, *parabola(6)).network.first(1000)
        first, second, third, *_ = condensed_lines(end.a, end.w, 0.999)
        kinks = sorted(-line.direction[1] / line.direction[0] for line in (first, second))
        assert kinks == pytest.approx([-0.2, 0.2], abs=0.02)
        assert third.share < 0.02


def test_an_atlas_of_these_settings_agrees_with_itself_and_notices_other_code(small):
    stored = study.atlas(small)
    checks = study.spot_check(stored, seed=1, seconds=0.5)
    assert len(checks) >= 4
    assert all(check.agrees for check in checks)
    stored["relative_distance_w"] = stored["relative_distance_w"] * (1 + 1e-5)
    stored["relative_distance_w"].attrs = small["relative_distance_w"].attrs | {"sensitivity": 1e-14}
    assert not all(check.agrees for check in study.spot_check(stored, seed=1, seconds=0.5))


@pytest.mark.slow
def test_randomly_chosen_cells_of_the_committed_atlas_are_what_this_code_computes():
    stored = results.load_atlas(study.NAME)
    assert study.Settings.parse(json.loads(stored.attrs["settings"])).preset_name == "paper"
    commit = results.git_commit().removesuffix("-dirty")  # other cells at each commit
    checks = study.spot_check(stored, seed=0 if commit == "unknown" else int(commit, 16), seconds=20)
    assert len(checks) >= 4
    assert [check for check in checks if not check.agrees] == []
