"""Reduction of condensed ReLU networks: exact where neurons are parallel, and not where they are not."""

import numpy as np
import pytest

from condensation_lab.models.multilayer import Multilayer
from condensation_lab.models.reduction import orientation_groups, reduced

X = np.random.default_rng(0).standard_normal((30, 3))


def condensed(spread=0.0):
    """Nine neurons on three directions, three each, of different lengths and signs of their output weights."""
    generator = np.random.default_rng(1)
    directions = np.linalg.qr(generator.standard_normal((4, 4)))[0][:3]
    vectors = np.repeat(directions, 3, axis=0) * generator.uniform(0.2, 3, (9, 1))
    vectors += spread * generator.standard_normal(vectors.shape)
    outgoing = generator.standard_normal((2, 9))
    return Multilayer((vectors[:, :3], outgoing), (vectors[:, 3], np.array([0.3, -1.0])), "relu")


def test_parallel_neurons_become_one_and_the_output_stays():
    network = condensed()
    groups = orientation_groups(network)
    assert sorted(map(sorted, groups)) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    narrow = reduced(network, groups)
    assert narrow.widths == (3, 3, 2)
    np.testing.assert_allclose(narrow.output(X), network.output(X), rtol=1e-12, atol=1e-12)
    wrong = reduced(network, [[0, 3, 6], [1, 4, 7], [2, 5, 8]])
    assert np.abs(wrong.output(X) - network.output(X)).max() > 0.1


def test_opposite_neurons_stay_apart_and_each_belongs_to_one_group():
    network = condensed(spread=0.3)
    groups = orientation_groups(network, cosine=0.95)
    assert sorted(neuron for group in groups for neuron in group) == list(range(9))
    vectors = np.column_stack([network.weights[0], network.biases[0]])
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    near = [units[group] @ units[group].T >= 0.95 - 1e-12 for group in groups]
    assert all(one.all(axis=1).any() for one in near)  # a head that has all of its group in the cone
    mirrored = Multilayer((np.vstack([np.eye(3), -np.eye(3)]), np.ones((1, 6))), (np.zeros(6), None), "relu")
    assert len(orientation_groups(mirrored)) == 6


def test_what_cannot_be_reduced_is_refused():
    with pytest.raises(ValueError, match="activation = 'tanh' is not allowed: only relu networks are reduced"):
        reduced(Multilayer.draw((3, 4, 1), 1.0, 0), [[0, 1, 2, 3]])
    with pytest.raises(ValueError, match="a network with 2 hidden layers is not allowed"):
        orientation_groups(Multilayer.draw((3, 4, 4, 1), 1.0, 0))
