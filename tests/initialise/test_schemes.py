"""Where named schemes sit in the phase diagram, and that training agrees."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from condensation_lab.data.targets import parabola
from condensation_lab.initialise import (
    FURTHER_SCHEMES,
    SCHEMES,
    Scaling,
    draw_normal,
    e_ma_wu,
    effective,
    named_scheme,
    power_scheme,
)
from condensation_lab.measure.regime import power_law, predicted_slope, relative_distance
from condensation_lab.models.two_layer import TwoLayer
from condensation_lab.train.flow import gradient_flow

EXPONENT = st.floats(-2, 2)


@pytest.mark.parametrize("scheme", SCHEMES + FURTHER_SCHEMES, ids=lambda scheme: scheme.name)
def test_named_schemes_tend_to_their_place(scheme):
    """The local order between two huge widths, in which constants cancel, is the limit that is written down."""
    small, large, d = 10**8, 10**10, 3
    ratio = math.log(large / small)
    one, other = (effective(scheme.scaling(m, d), *scheme.rates(m)) for m in (small, large))
    assert -math.log(other.kappa / one.kappa) / ratio == pytest.approx(scheme.gamma, abs=1e-6)
    assert -math.log(other.kappa_prime / one.kappa_prime) / ratio == pytest.approx(scheme.gamma_prime, abs=1e-6)


def test_e_ma_wu_runs_along_the_diagonal():
    scheme = e_ma_wu(0.7)
    assert (scheme.gamma, scheme.gamma_prime) == (0.7, 0.7)
    assert scheme.place(1000, 2) == pytest.approx((0.7, 0.7))


@given(EXPONENT, EXPONENT, EXPONENT, EXPONENT, EXPONENT, st.integers(2, 10**6))
def test_powers_of_the_width_sit_where_their_limit_is_at_every_width(p, q, r, s_a, s_w, width):
    scheme = power_scheme(p, q, r, s_a, s_w)
    assert scheme.place(width, 3) == pytest.approx((scheme.gamma, scheme.gamma_prime), abs=1e-9)


def test_pytorchs_linear_draws_as_its_scheme_says():
    m, d = 20_000, 50
    with torch.random.fork_rng():
        torch.manual_seed(0)
        first, second = torch.nn.Linear(d, m), torch.nn.Linear(m, 1)
    scaling = named_scheme("PyTorch default").scaling(m, d)
    for drawn, wanted in (
        (first.weight, scaling.beta_2),
        (first.bias, scaling.beta_2),
        (second.weight, scaling.beta_1),
    ):
        assert float(drawn.detach().std()) == pytest.approx(wanted, rel=0.02)
        assert float(drawn.detach().abs().max()) <= 3**0.5 * wanted * 1.001


def moved_by_the_flow(scaling, rates, width):
    x, y = parabola()
    a, w = draw_normal(width, 2, seed=0)
    start = TwoLayer(scaling.beta_1 * a, scaling.beta_2 * w, 1 / scaling.alpha, *rates).anti_symmetric()
    result = gradient_flow(start, x, y)
    assert result.reached
    return relative_distance(start.w, result.network.w)


def moved_by_torch(scaling, rates, width):
    """Plain SGD with a learning rate of its own for each layer, as a user of muP would write it."""
    x, y = (torch.from_numpy(part) for part in parabola())
    a, w = draw_normal(width, 2, seed=0)
    start = TwoLayer(scaling.beta_1 * a, scaling.beta_2 * w, 1 / scaling.alpha).anti_symmetric()
    a, w = torch.from_numpy(start.a.copy()).requires_grad_(), torch.from_numpy(start.w.copy()).requires_grad_()
    with torch.no_grad():  # traces, above any eigenvalue
        kernel_a, kernel_w = ((x @ w).relu() ** 2).sum(), (a**2).sum() * (x**2).sum()
        safe = float(len(y) / (rates[0] * kernel_a + rates[1] * kernel_w)) * scaling.alpha**2
    optimiser = torch.optim.SGD([{"params": [a], "lr": rates[0] * safe}, {"params": [w], "lr": rates[1] * safe}])
    for _ in range(20_000):
        loss = (((x @ w).relu() @ a / scaling.alpha - y) ** 2).mean() / 2
        if 2 * loss.item() < 1e-3:
            break
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert 2 * loss.item() < 1e-3
    return relative_distance(start.w, w.detach().numpy())


@pytest.mark.parametrize(
    ("moved", "widths", "band"),
    [(moved_by_the_flow, (500, 2000, 8000), 0.05), (moved_by_torch, (64, 256, 1024), 0.15)],  # narrow ones vary more
)
def test_mup_is_mean_field_by_its_learning_rates(moved, widths, band):
    """With muP's rates the input weights move as far at every width; with equal rates, where gamma' is 1, ever less."""
    mup = named_scheme("muP")

    def slope(rates):
        distances = [moved(mup.scaling(m, 1), rates(m), m) for m in widths]
        return power_law(np.array(widths, dtype=float), np.array(distances)).slope

    assert slope(mup.rates) == pytest.approx(float(predicted_slope(mup.gamma, mup.gamma_prime)), abs=band)
    raw = float(predicted_slope(np.array(1.0), np.array(1.0)))
    assert raw == -2
    assert slope(lambda m: (1.0, 1.0)) < raw + 2 * band


def test_pytorchs_default_is_linear_with_the_exponent_of_its_place():
    scheme = named_scheme("PyTorch default")
    widths = (500, 2000, 8000)
    distances = [moved_by_the_flow(scheme.scaling(m, 1), scheme.rates(m), m) for m in widths]
    slope = power_law(np.array(widths, dtype=float), np.array(distances)).slope
    assert slope == pytest.approx(float(predicted_slope(np.array(scheme.gamma), np.array(scheme.gamma_prime))), abs=0.1)


def test_an_unknown_scheme_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"There is no scheme 'Kaiming'; there are LeCun, He, .*, muP"):
        named_scheme("Kaiming")


def test_a_place_needs_a_width():
    with pytest.raises(ValueError, match="width = 1 is not allowed"):
        power_scheme().place(1, 1)
    assert power_scheme().scaling(5, 1) == Scaling(1.0, 1.0, 1.0)
