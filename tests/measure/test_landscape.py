"""Loss, gradient and Hessian against second routes: formulas, differences, operator against dense matrix."""

import numpy as np
import pytest
from scipy.sparse.linalg import eigsh

from condensation_lab.measure.landscape import (
    Counts,
    Data,
    eigenvalue_counts,
    gradient,
    hessian,
    hessian_operator,
    loss,
)
from condensation_lab.models.multilayer import Multilayer


@pytest.fixture
def case():
    generator = np.random.default_rng(0)
    data = Data(generator.standard_normal((9, 2)), generator.standard_normal((9, 3)))
    return Multilayer.draw((2, 4, 3, 3), 0.8, 1, activation="tanh"), data


def test_the_loss_is_the_mean_squared_error(case):
    network, data = case
    hidden = data.x
    for w, b in zip(network.weights[:-1], network.biases[:-1], strict=True):
        hidden = np.tanh(hidden @ w.T + b)
    assert loss(network, data) == pytest.approx(np.mean((hidden @ network.weights[-1].T - data.y) ** 2), rel=1e-14)


def test_gradient_and_hessian_are_the_slopes_of_loss_and_gradient(case):
    network, data = case
    vector, step = network.vector(), 1e-5
    dense, g = hessian(network, data), gradient(network, data)
    for at in range(0, vector.size, 5):
        shift = step * np.eye(vector.size)[at]
        above, below = network.at(vector + shift), network.at(vector - shift)
        assert g[at] == pytest.approx((loss(above, data) - loss(below, data)) / (2 * step), abs=1e-9)
        np.testing.assert_allclose(
            dense[at], (gradient(above, data) - gradient(below, data)) / (2 * step), rtol=0, atol=1e-8
        )


def test_the_operator_is_the_dense_hessian(case):
    network, data = case
    dense, operator = hessian(network, data), hessian_operator(network, data)
    np.testing.assert_allclose(operator @ np.eye(len(dense)), dense, rtol=0, atol=1e-14)
    exact = np.linalg.eigvalsh(dense)
    for end, wanted in (("SA", exact[:3]), ("LA", exact[-3:])):
        np.testing.assert_allclose(np.sort(eigsh(operator, k=3, which=end)[0]), wanted, rtol=1e-9)


def test_a_large_dense_hessian_is_refused():
    network = Multilayer.draw((10, 200, 1), 1.0, 0)
    with pytest.raises(ValueError, match="2400 parameters are too many for a dense Hessian"):
        hessian(network, Data(np.zeros((1, 10)), np.zeros((1, 1))))


def test_counts_are_compared_entry_by_entry():
    assert Counts(0, 0, 6) <= Counts(1, 1, 7)
    assert not Counts(1, 0, 6) <= Counts(0, 2, 7)
    assert eigenvalue_counts(np.array([-2e-11, -1e-11, 0, 1e-12, 5.0]), 1e-11) == Counts(1, 3, 1)
    with pytest.raises(ValueError, match="threshold = 0"):
        eigenvalue_counts(np.zeros(1), 0)


def test_samples_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"x \(3, 1\) and y \(2, 1\) do not fit"):
        Data(np.zeros((3, 1)), np.zeros((2, 1)))
