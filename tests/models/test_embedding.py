"""Embeddings keep outputs and carry gradients over, for random networks, neurons and factors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from condensation_lab.measure.landscape import Data, gradient
from condensation_lab.models.embedding import (
    NULL,
    Embedding,
    equal_copies,
    null_embedding,
    random_embedding,
    splitting,
)
from condensation_lab.models.multilayer import Multilayer

CASES = settings(max_examples=200, deadline=None)
EXACT = 1e-12  # relative to the largest entry


@st.composite
def networks(draw, every_bias=False):
    """Random network of one to three hidden layers, with samples."""
    depth = draw(st.integers(1, 3))
    widths = [draw(st.integers(1, 4)) for _ in range(depth + 2)]
    biases = [every_bias or draw(st.booleans()) for _ in range(depth + 1)]
    activation = draw(st.sampled_from(["tanh", "sigmoid", "softplus", "x tanh x", "x^2 tanh x"]))
    seed = draw(st.integers(0, 2**31))
    network = Multilayer.draw(widths, 0.7, seed, activation=activation, biases=biases)
    generator = np.random.default_rng(seed + 1)
    data = Data(generator.standard_normal((7, widths[0])), generator.standard_normal((7, widths[-1])))
    return network, data


def assert_close(found, wanted, cancelled=1.0):
    """Equal to 1e-12 of the largest entry, times the size of the numbers that cancel each other."""
    np.testing.assert_allclose(found, wanted, rtol=0, atol=EXACT * cancelled * max(1.0, np.abs(wanted).max()))


def assert_keeps_output_and_carries_gradient(embedding, network, data):
    wide = embedding.apply(network)
    cancelled = max(1.0, *(np.abs(alpha).max() for alpha in embedding.alpha))
    assert_close(wide.output(data.x), network.output(data.x), cancelled)
    assert_close(gradient(wide, data), embedding.transported(network, gradient(network, data)), cancelled)
    return wide


@CASES
@given(networks(), st.data(), st.floats(-3, 3))
def test_splitting_keeps_the_output_and_shares_the_gradient(case, data, alpha):
    network, samples = case
    layer = data.draw(st.integers(1, len(network.widths) - 2))
    neuron = data.draw(st.integers(0, network.widths[layer] - 1))
    embedding = splitting(network.widths, layer, neuron, alpha)
    wide = assert_keeps_output_and_carries_gradient(embedding, network, samples)
    # The formula of the papers, written out: incoming gradients 1 - alpha and alpha times the old one.
    before, after = (one.at(gradient(one, samples)) for one in (network, wide))
    assert_close(after.weights[layer - 1][neuron], (1 - alpha) * before.weights[layer - 1][neuron])
    assert_close(after.weights[layer - 1][-1], alpha * before.weights[layer - 1][neuron])
    assert_close(after.weights[layer][:, neuron], before.weights[layer][:, neuron])
    assert_close(after.weights[layer][:, -1], before.weights[layer][:, neuron])


@CASES
@given(networks(every_bias=True), st.data(), st.floats(-3, 3))
def test_a_null_neuron_keeps_the_output_and_a_bias_above_carries_its_gradient(case, data, bias):
    network, samples = case
    layer = data.draw(st.integers(1, len(network.widths) - 2))
    embedding = null_embedding(network.widths, layer, bias)
    wide = assert_keeps_output_and_carries_gradient(embedding, network, samples)
    assert wide.biases[layer - 1][-1] == bias
    assert not wide.weights[layer][:, -1].any()


@CASES
@given(networks(every_bias=True), st.data())
def test_a_general_embedding_keeps_the_output_and_carries_the_gradient(case, data):
    network, samples = case
    index = []
    for width in network.widths[1:-1]:
        more = data.draw(st.lists(st.integers(NULL, width - 1), max_size=4))
        index.append(np.array(data.draw(st.permutations([*range(width), *more]))))
    embedding = random_embedding(network.widths, index, data.draw(st.integers(0, 2**31)))
    assert_keeps_output_and_carries_gradient(embedding, network, samples)


@CASES
@given(networks(), st.data())
def test_steps_in_a_row_keep_the_output_and_carry_the_gradient(case, data):
    network, samples = case
    wide, carried = network, gradient(network, samples)
    for _ in range(data.draw(st.integers(1, 4))):
        layer = data.draw(st.integers(1, len(network.widths) - 2))
        neuron = data.draw(st.integers(0, wide.widths[layer] - 1))
        step = splitting(wide.widths, layer, neuron, data.draw(st.floats(-2, 2)))
        carried, wide = step.transported(wide, carried), step.apply(wide)
    cancelled = 3.0**4  # shares between -2 and 3, four times in a row
    assert_close(wide.output(samples.x), network.output(samples.x), cancelled)
    assert_close(gradient(wide, samples), carried, cancelled)


def test_a_null_neuron_of_non_zero_output_needs_a_bias_above():
    network = Multilayer.draw((1, 2, 1), 1.0, 0)  # no output bias
    x = np.linspace(-1, 1, 5)[:, None]
    embedding = null_embedding(network.widths, 1, 0.5)
    np.testing.assert_allclose(embedding.apply(network).output(x), network.output(x), rtol=0, atol=1e-15)
    with pytest.raises(ValueError, match=r"layer 2 has no bias.*need not stay critical"):
        embedding.transported(network, network.vector())
    null_embedding(network.widths, 1, 0.0).transported(network, network.vector())  # tanh(0) = 0


def test_a_constant_that_reaches_a_layer_without_bias_is_refused():
    network = Multilayer.draw((1, 1, 1), 1.0, 0)
    index = (np.array([0, 0, NULL]),)
    step = null_embedding(network.widths, 1, 0.5)
    alpha = (np.array([[1.0], [1.0], [0.0]]), np.array([[0.5, 0.5, 2.0]]))
    with pytest.raises(ValueError, match="backward condition"):  # a single copy above leaves a null neuron no weight
        Embedding(index, alpha, (np.array([0.0, 0.0, 0.5]),)).apply(network)
    deep = Multilayer.draw((1, 1, 1, 1), 1.0, 0, biases=[True, False, False])
    index = (np.array([0, NULL]), np.array([0, 0]))
    alpha = (np.array([[1.0], [0.0]]), np.array([[1.0, 2.0], [1.0, -2.0]]), np.array([[0.5, 0.5]]))
    bias = (np.array([0.0, 0.5]), np.zeros(2))
    with pytest.raises(ValueError, match="layer 2 has no bias, which must cancel"):
        Embedding(index, alpha, bias).apply(deep)
    assert step.apply(network).widths == (1, 2, 1)


@pytest.mark.parametrize(
    ("alpha", "message"),
    [
        ((np.array([[1.0], [1.0]]), np.array([[0.5, 0.6]])), "layer 2: alpha does not meet the forward condition"),
        ((np.array([[1.0], [0.9]]), np.array([[0.5, 0.5]])), "layer 1: alpha does not meet the forward condition"),
        ((np.array([[1.0]]), np.array([[0.5, 0.5]])), r"layer 1: alpha \(1, 1\) must be \(2, 1\)"),
    ],
)
def test_what_does_not_fit_is_refused(alpha, message):
    network = Multilayer.draw((1, 1, 1), 1.0, 0)
    with pytest.raises(ValueError, match=message):
        Embedding((np.array([0, 0]),), alpha, (np.zeros(2),)).apply(network)


def test_every_narrow_neuron_needs_a_copy():
    network = Multilayer.draw((1, 2, 1), 1.0, 0)
    alpha = (np.ones((2, 1)), np.array([[0.5, 0.5]]))
    with pytest.raises(ValueError, match="each of the 2 neurons needs a copy"):
        Embedding((np.array([0, 0]),), alpha, (np.zeros(2),)).apply(network)


def test_equal_copies_share_the_output_weight_equally():
    network = Multilayer.draw((1, 2, 1), 1.0, 0)
    wide = equal_copies(network, 1, 1, 4)
    assert wide.widths == (1, 5, 1)
    np.testing.assert_allclose(wide.weights[1][0, 1:], network.weights[1][0, 1] / 4, rtol=1e-15)
    assert_close(wide.output(np.ones((3, 1))), network.output(np.ones((3, 1))))


@pytest.mark.parametrize(
    ("layer", "neuron", "message"), [(2, 0, "layer = 2"), (1, 2, "neuron = 2"), (0, 0, "layer = 0")]
)
def test_a_neuron_that_is_not_there_cannot_be_split(layer, neuron, message):
    with pytest.raises(ValueError, match=message):
        splitting((1, 2, 1), layer, neuron, 0.5)
