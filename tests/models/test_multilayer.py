"""The network's two views, layers and flat vector, agree; what does not fit is refused."""

import numpy as np
import pytest

from condensation_lab.models.multilayer import Multilayer


def test_the_vector_gives_the_network_back():
    network = Multilayer.draw((2, 3, 4, 1), 1.0, 0, biases=[True, False, True])
    vector = network.vector()
    assert vector.size == 6 + 3 + 12 + 4 + 1
    doubled = network.at(2 * vector)
    np.testing.assert_array_equal(doubled.weights[1], 2 * network.weights[1])
    assert doubled.biases[1] is None
    np.testing.assert_array_equal(doubled.biases[2], 2 * network.biases[2])
    assert doubled.widths == (2, 3, 4, 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Multilayer((np.ones((2, 1)), np.ones((1, 3))), (None, None)), "layer 2: weights"),
        (lambda: Multilayer((np.ones((2, 1)),), (np.ones(3),)), "layer 1: weights"),
        (lambda: Multilayer((np.full((1, 1), np.nan),), (None,)), "not finite"),
        (lambda: Multilayer((np.ones((1, 1)),), ()), "one each"),
        (lambda: Multilayer((np.ones((1, 1)),), (None,), "tnah"), "activation = 'tnah' is not allowed"),
        (lambda: Multilayer.draw((1, 1, 1), 1.0, 0).at(np.zeros(2)), "parameters do not fit"),
    ],
)
def test_what_does_not_fit_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
