"""An ensemble's networks train as each would alone, by descent written out by hand."""

from collections.abc import Callable

import numpy as np
import pytest

from condensation_lab.initialise import FloatArray
from condensation_lab.measure.landscape import Data, gradient, loss
from condensation_lab.models.multilayer import Multilayer
from condensation_lab.train.ensemble import train_ensemble


@pytest.fixture
def data() -> Data:
    x = np.linspace(-1, 1, 7)[:, None]
    return Data(x, np.tanh(2 * x))


@pytest.fixture
def starts() -> list[Multilayer]:
    return [Multilayer.draw((1, 3, 1), 0.5, seed) for seed in range(3)]


def by_hand(start: Multilayer, data: Data, steps: int, rule: Callable[[FloatArray, int], FloatArray]) -> FloatArray:
    vector = start.vector()
    for step in range(1, steps + 1):
        vector = vector - rule(gradient(start.at(vector), data), step)
    return vector


def adam(rate: float) -> Callable[[FloatArray, int], FloatArray]:
    moments: list[FloatArray | float] = [0.0, 0.0]

    def rule(slope: FloatArray, step: int) -> FloatArray:
        moments[0] = 0.9 * moments[0] + 0.1 * slope
        moments[1] = 0.999 * moments[1] + 0.001 * slope**2
        update: FloatArray = moments[0] / (1 - 0.9**step) / (np.sqrt(moments[1] / (1 - 0.999**step)) + 1e-8)
        return rate * update

    return rule


@pytest.mark.parametrize("optimiser", ["descent", "adam"])
def test_each_network_trains_as_by_hand(starts, data, optimiser):
    found = train_ensemble(starts, data, optimiser=optimiser, learning_rate=0.05, steps=50, records=5)
    assert found.steps[0] == 0
    assert found.steps[-1] == 50
    for network, start in enumerate(starts):
        rule = adam(0.05) if optimiser == "adam" else lambda slope, _: 0.05 * slope
        expected = by_hand(start, data, 50, rule)
        np.testing.assert_allclose(found.vectors[network, -1], expected, rtol=1e-9)
        assert found.loss[network, -1] == pytest.approx(loss(start.at(expected), data), rel=1e-9)
        assert found.loss[network, 0] == loss(start, data)


def test_a_diverged_network_is_nan_and_leaves_the_others_alone(starts, data):
    wild = starts[0].at(starts[0].vector() * 1e160)
    found = train_ensemble([wild, *starts[1:]], data, optimiser="descent", learning_rate=0.05, steps=20)
    assert np.isnan(found.loss[0, -1])
    assert np.isfinite(found.loss[1:]).all()


def test_networks_of_different_shape_are_refused(starts, data):
    other = Multilayer.draw((1, 2, 1), 0.5, 0)
    for given in ([*starts, other], []):
        with pytest.raises(ValueError, match="at least one network, all of one shape"):
            train_ensemble(given, data, optimiser="descent", learning_rate=0.05, steps=1)
