"""Relative distance, slopes, zero lines and the regimes of theory."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condensation_lab.measure.regime import (
    boundary,
    power_law,
    predicted_slope,
    regime,
    relative_distance,
    zero_crossings,
)

WIDTHS = np.array([100.0, 300.0, 1000.0, 3000.0])


@given(st.floats(1e-3, 1e3), st.permutations(range(6)))
def test_relative_distance_ignores_units_and_the_order_of_neurons(unit, order):
    random = np.random.default_rng(0)
    start, end = random.normal(size=(2, 6)), random.normal(size=(2, 6))
    moved = relative_distance(unit * start[:, order], unit * end[:, order])
    assert moved == pytest.approx(relative_distance(start, end), rel=1e-12)


def test_relative_distance_refuses_a_start_of_zero_and_other_shapes():
    with pytest.raises(ValueError, match="all zero"):
        relative_distance(np.zeros(3), np.ones(3))
    with pytest.raises(ValueError, match="differ"):
        relative_distance(np.ones(3), np.ones(4))


@given(st.floats(-2, 2), st.floats(-5, 5))
def test_a_power_law_is_found_exactly(slope, intercept):
    law = power_law(WIDTHS, np.exp(intercept) * WIDTHS**slope)
    assert law.slope == pytest.approx(slope, abs=1e-9)
    assert law.intercept == pytest.approx(intercept, abs=1e-8)
    assert law.slope_error == pytest.approx(0, abs=1e-9)


def test_the_standard_error_is_that_of_scipy():
    from scipy.stats import linregress

    values = np.array([1.0, 2.5, 2.0, 6.0])
    law, peer = power_law(WIDTHS, values), linregress(np.log(WIDTHS), np.log(values))
    assert (law.slope, law.intercept, law.slope_error) == pytest.approx((peer.slope, peer.intercept, peer.stderr))


def test_a_failed_run_makes_the_slope_nan():
    assert math.isnan(power_law(WIDTHS, np.array([1.0, np.nan, 2.0, 3.0])).slope)


def test_impossible_slopes_are_refused():
    with pytest.raises(ValueError, match="two different widths"):
        power_law(np.array([10.0, 10.0]), np.array([1.0, 2.0]))
    with pytest.raises(ValueError, match="zero or negative"):
        power_law(WIDTHS, np.array([1.0, 0.0, 2.0, 3.0]))


def test_zero_crossings_finds_all_of_them_also_on_the_grid():
    x = np.linspace(0, 4, 5)
    assert zero_crossings(x, np.array([-1.0, 0.0, 2.0, -2.0, np.nan])) == [1.0, 2.5]
    assert zero_crossings(x, np.ones(5)) == []


def test_zero_crossings_refuses_a_grid_that_does_not_increase():
    with pytest.raises(ValueError, match="must increase"):
        zero_crossings(np.array([0.0, 0.0]), np.array([1.0, -1.0]))


@given(st.floats(0.2, 2.2), st.floats(-1, 1))
def test_the_scaling_argument_has_the_sign_of_the_regime(gamma, gamma_prime):
    slope = float(predicted_slope(np.array(gamma), np.array(gamma_prime)))
    expected = {"linear": slope < 0, "condensed": slope > 0, "critical": abs(slope) < 1e-9}
    assert expected[regime(gamma, gamma_prime)] or abs(slope) < 1e-9


def test_the_scaling_argument_vanishes_on_the_boundary():
    primes = np.linspace(-0.5, 0.5, 11)
    assert predicted_slope(boundary(primes), primes) == pytest.approx(np.zeros(11), abs=1e-12)
