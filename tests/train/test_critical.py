"""Critical points are found to rounding, saddles included; searches that run away or stall are refused."""

import numpy as np
import pytest

from condensation_lab.measure.landscape import Counts, Data, eigenvalue_counts, gradient, hessian
from condensation_lab.models.embedding import splitting
from condensation_lab.models.multilayer import Multilayer
from condensation_lab.train.critical import CriticalPointError, local_minimum, minima, polish


@pytest.fixture(scope="module")
def data():
    x = np.linspace(-2, 2, 12)[:, None]
    return Data(x, np.tanh(3 * x - 2) + np.tanh(x + 1))


def test_minima_have_no_gradient_and_no_negative_eigenvalue(data):
    for point in minima((1, 1, 1), data, starts=4, seed=0):
        assert point.gradient_l1 <= 1e-13
        assert np.abs(gradient(point.network, data)).sum() == point.gradient_l1
        assert eigenvalue_counts(np.linalg.eigvalsh(hessian(point.network, data)), 1e-11).negative == 0


def test_newton_goes_back_to_a_saddle_it_starts_near(data):
    narrow = minima((1, 1, 1), data, starts=4, seed=0)[0].network
    saddle = splitting(narrow.widths, 1, 0, 0.3).apply(narrow)
    counts = eigenvalue_counts(np.linalg.eigvalsh(hessian(saddle, data)), 1e-11)
    assert counts == Counts(1, 1, 4)
    shaken = saddle.at(saddle.vector() + 1e-6 * np.random.default_rng(0).standard_normal(6))
    found = polish(shaken, data)
    assert found.gradient_l1 <= 1e-13
    assert found.loss == pytest.approx(polish(narrow, data).loss, rel=1e-12)
    assert eigenvalue_counts(np.linalg.eigvalsh(hessian(found.network, data)), 1e-11) == counts


def test_a_runaway_and_a_stall_are_refused(data):
    far = Multilayer.draw((1, 1, 1), 1.0, 0)
    with pytest.raises(CriticalPointError, match="run away"):
        polish(far.at(np.array([2000.0, 0.0, 1.0])), data)
    with pytest.raises(CriticalPointError, match=r"gradient's L1 norm is .* after 1 steps"):
        polish(local_minimum(Multilayer.draw((1, 2, 1), 1.0, 3), data).at(np.full(6, 0.3)), data, max_steps=1)
