"""Scalings, their exponents, and where named schemes sit in the phase diagram."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condensation_lab.initialise import SCHEMES, Scaling, draw_normal, e_ma_wu, exponents, scaling_at

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


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
def test_named_schemes_tend_to_their_place(scheme):
    """The local order between two huge widths, in which constants cancel, is the limit that is written down."""
    small, large, d = 10**8, 10**10, 3
    ratio = math.log(large / small)
    one, other = scheme.scaling(small, d), scheme.scaling(large, d)
    assert -math.log(other.kappa / one.kappa) / ratio == pytest.approx(scheme.gamma, abs=1e-6)
    assert -math.log(other.kappa_prime / one.kappa_prime) / ratio == pytest.approx(scheme.gamma_prime, abs=1e-6)


def test_e_ma_wu_runs_along_the_diagonal():
    scheme = e_ma_wu(0.7)
    assert (scheme.gamma, scheme.gamma_prime) == (0.7, 0.7)
    assert exponents(scheme.scaling(1000, 2), 1000) == pytest.approx((0.7, 0.7))


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
