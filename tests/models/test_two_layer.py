"""The two-layer network against torch's own layers, and its two parametrisations against each other."""

import numpy as np
import pytest
import torch

from condensation_lab.data.targets import parabola
from condensation_lab.initialise import scaling_at
from condensation_lab.models.two_layer import TwoLayer


def test_output_is_that_of_torchs_layers():
    network = TwoLayer.normalised(0.7, 0.2, width=20, input_dim=3, seed=0)
    x = np.random.default_rng(0).normal(size=(5, 3))
    hidden, last = torch.nn.Linear(3, 20, bias=False).double(), torch.nn.Linear(20, 1, bias=False).double()
    with torch.no_grad():
        hidden.weight.copy_(torch.tensor(network.w.T))
        last.weight.copy_(torch.tensor(network.a)[None])
        expected = network.scale * last(torch.relu(hidden(torch.tensor(x))))[:, 0]
    assert network.output(x) == pytest.approx(expected.numpy(), rel=1e-13)


def test_raw_and_normalised_parameters_are_the_same_function():
    x, _ = parabola()
    raw = TwoLayer.scaled(scaling_at(1.3, 0.4, 50), 50, 2, seed=1)
    normalised = TwoLayer.normalised(1.3, 0.4, 50, 2, seed=1)
    assert raw.output(x) == pytest.approx(normalised.output(x), rel=1e-12)


def test_the_anti_symmetric_copy_has_no_output_and_keeps_the_first_half():
    network = TwoLayer.normalised(0.5, 0.0, width=30, input_dim=2, seed=2)
    both = network.anti_symmetric()
    assert both.width == 60
    assert np.abs(both.output(parabola()[0])).max() < 1e-15
    assert np.array_equal(both.first(30).w, network.w)


@pytest.mark.parametrize(
    ("a", "w", "said"),
    [
        (np.ones(3), np.ones((2, 4)), "do not fit"),
        (np.ones(0), np.ones((2, 0)), "do not fit"),
        (np.array([np.nan]), np.ones((2, 1)), "not finite"),
    ],
)
def test_impossible_weights_are_refused(a, w, said):
    with pytest.raises(ValueError, match=said):
        TwoLayer(a, w)
