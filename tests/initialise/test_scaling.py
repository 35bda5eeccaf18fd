"""Scalings, their exponents, and learning rates that differ between the layers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condensation_lab.data.targets import parabola
from condensation_lab.initialise import Scaling, draw_normal, effective, exponents, scaling_at
from condensation_lab.measure.regime import relative_distance
from condensation_lab.models.two_layer import TwoLayer
from condensation_lab.train.flow import gradient_flow

EXPONENT = st.floats(-1, 3)


@given(EXPONENT, EXPONENT, st.integers(2, 10**6))
def test_a_point_of_the_diagram_survives_the_way_to_a_scaling_and_back(gamma, gamma_prime, width):
    found = exponents(scaling_at(gamma, gamma_prime, width), width)
    assert found == pytest.approx((gamma, gamma_prime), abs=1e-9)


@given(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.floats(0.1, 10))
def test_only_kappa_and_kappa_prime_matter(alpha, beta_1, beta_2, factor):
    one = Scaling(alpha, beta_1, beta_2)
    other = Scaling(alpha * factor**2, beta_1 * factor, beta_2 * factor)
    assert exponents(one, 100) == pytest.approx(exponents(other, 100))


@given(EXPONENT, EXPONENT, st.integers(2, 10**6), EXPONENT, EXPONENT)
def test_learning_rates_fold_into_gamma_prime_alone(gamma, gamma_prime, width, s_a, s_w):
    folded = effective(scaling_at(gamma, gamma_prime, width), float(width) ** s_a, float(width) ** s_w)
    assert exponents(folded, width) == pytest.approx((gamma, gamma_prime - (s_w - s_a) / 2), abs=1e-9)


def test_layerwise_rates_train_like_the_scaling_they_fold_into():
    """The same path from the same draws: mobilities are learning rates, and only time differs."""
    x, y = parabola()
    raw, rate_a, rate_w = Scaling(2.0, 0.1, 0.7), 0.03, 5.0
    start = replace(TwoLayer.scaled(raw, 200, 2, seed=0), mobility_a=rate_a, mobility_w=rate_w).anti_symmetric()
    folded = TwoLayer.scaled(effective(raw, rate_a, rate_w), 200, 2, seed=0).anti_symmetric()
    one, other = gradient_flow(start, x, y), gradient_flow(folded, x, y)
    assert one.time * (rate_a * rate_w) ** 0.5 == pytest.approx(other.time, rel=1e-6)
    moved = relative_distance(start.w, one.network.w)
    assert moved == pytest.approx(relative_distance(folded.w, other.network.w), rel=1e-6)
    unfolded = TwoLayer.scaled(raw, 200, 2, seed=0).anti_symmetric()
    assert relative_distance(unfolded.w, gradient_flow(unfolded, x, y).network.w) < moved / 2


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_a_learning_rate_must_be_positive(bad):
    with pytest.raises(ValueError, match=r"rate_w = .* is not allowed: it must be a positive finite number"):
        effective(Scaling(1.0, 1.0, 1.0), 1.0, bad)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_a_scaling_refuses_what_is_no_scale(bad):
    with pytest.raises(ValueError, match=r"beta_1 = .* is not allowed: it must be a positive finite number"):
        Scaling(1.0, bad, 1.0)


def test_a_width_of_one_has_no_order():
    with pytest.raises(ValueError, match="width = 1 is not allowed"):
        scaling_at(1.0, 0.0, 1)


def test_draws_repeat_and_differ_between_seeds_and_widths():
    a, w = draw_normal(100, 2, seed=3)
    again, _ = draw_normal(100, 2, seed=3)
    other, _ = draw_normal(100, 2, seed=4)
    wider, _ = draw_normal(101, 2, seed=3)
    assert np.array_equal(a, again)
    assert w.shape == (2, 100)
    assert not np.array_equal(a, other)
    assert not np.array_equal(a, wider[:100])


@pytest.mark.parametrize(("name", "values"), [("width", (0, 2, 0)), ("input_dim", (5, 0, 0)), ("seed", (5, 2, -1))])
def test_draws_refuse_impossible_sizes(name, values):
    with pytest.raises(ValueError, match=f"{name} = .* is not allowed"):
        draw_normal(*values)
