"""The page's trainer: the same as torch's from the same weights, and the same however it is run."""

import numpy as np
import pytest

from benchmarks import parity
from benchmarks.parity import Job, X, Y, in_node, parameters, stacked
from condensation_lab.data.targets import augment
from condensation_lab.models.page_network import page_network, page_scaling
from condensation_lab.train.two_layer import ACTIVATIONS, Recipe, TwoLayerTrainer, train_two_layer


@pytest.fixture(scope="module")
def rows():
    return {row.activation: row for row in parity.table()}


@pytest.mark.slow
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_page_trains_as_torch_does(rows, activation):
    row = rows[activation]
    assert row.start < 1e-15
    assert row.descent < 1e-9
    assert row.adam_step < 1e-12
    assert row.adam_run < 10 * row.adam_drift


def after(job):
    return train_two_layer(job.start(), augment(X), Y, job.recipe, job.steps)


@pytest.mark.parametrize("activation", ["tanh", "xtanh"])
def test_tiny_weights_keep_their_digits(activation):
    job = Job(0, 50, page_scaling(3.5, 0.0, 50), Recipe(activation, rate=0.1), steps=100)
    found = stacked(in_node([job])[0]["states"][0]["layers"])
    np.testing.assert_allclose(found, parameters(after(job)), rtol=1e-12)


@pytest.mark.parametrize("optimiser", ["descent", "adam"])
def test_dropout_draws_the_same_masks_and_keeps_the_mean(optimiser):
    recipe = Recipe("relu", optimiser, 0.01, keep_probability=0.9, seed=5)
    job = Job(5, 50, page_scaling(1.0, 0.0, 50), recipe, steps=100)
    result = in_node([job])[0]
    end = after(job)
    np.testing.assert_allclose(stacked(result["states"][0]["layers"]), parameters(end), rtol=1e-9, atol=1e-12)
    # The loss told is that of the whole network.
    assert result["states"][0]["loss"] == pytest.approx(((end.output(augment(X)) - Y) ** 2).mean(), rel=1e-9)
    masks = TwoLayerTrainer(job.start(), augment(X), Y, recipe)
    drawn = np.concatenate([masks._mask().numpy() for _ in range(200)])
    assert set(drawn) == {0.0, 1 / 0.9}
    assert drawn.mean() == pytest.approx(1, abs=0.02)


def test_a_run_is_the_same_however_it_is_cut_up():
    job = Job(1, 30, page_scaling(1.2, 0.3, 30), Recipe("tanh", "adam", 1e-3, 0.8, seed=1), steps=300)
    cut = Job(1, 30, job.scaling, job.recipe, visited=(0, 3, 50, 77, 299))
    whole, parts = in_node([job, cut])
    assert parts["states"][-1] == whole["states"][0]
    assert parts["history"] == whole["history"]


def test_the_relative_distance_is_the_papers():
    job = Job(2, 40, page_scaling(1.5, 0.0, 40), Recipe(rate=0.5), steps=200)
    history = in_node([job])[0]["history"]
    start = job.start()
    end = train_two_layer(start, augment(X), Y, job.recipe, history["step"][-1])
    assert history["w"][-1] == pytest.approx(np.linalg.norm(end.w - start.w) / np.linalg.norm(start.w), rel=1e-9)
    assert history["a"][-1] == pytest.approx(np.linalg.norm(end.a - start.a) / np.linalg.norm(start.a), rel=1e-9)


def tangent_kernel(network, activation):
    torch = pytest.importorskip("torch")
    trainer = TwoLayerTrainer(network, augment(X), Y, Recipe(activation))
    rows = [
        torch.cat([part.flatten() for part in torch.autograd.grad(value, (trainer.a, trainer.w), retain_graph=True)])
        for value in trainer._output(trainer._x, None)
    ]
    return (torch.stack(rows) @ torch.stack(rows).T / len(X)).detach().numpy()


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_safe_rate_knows_the_largest_eigenvalue_of_the_tangent_kernel(activation):
    job = Job(0, 60, page_scaling(0.5, 0.5, 60), Recipe(activation), steps=0)
    safe = in_node([job])[0]["safe"]
    largest = np.linalg.eigvalsh(tangent_kernel(job.start(), activation))[-1]
    assert safe["lambda"] == pytest.approx(largest, rel=1e-9)
    assert 0 < safe["rate"] < 1 / largest


@pytest.mark.parametrize("gamma", [0.0, 1.0, 3.0])
@pytest.mark.parametrize("gamma_prime", [-1.0, 1.0])
def test_at_the_safe_rate_no_corner_of_the_plane_diverges(gamma, gamma_prime):
    starts = [Job(0, 100, page_scaling(gamma, gamma_prime, 100), Recipe(name), steps=0) for name in ("relu", "tanh")]
    rates = [result["safe"]["rate"] for result in in_node(starts)]
    jobs = [
        Job(0, 100, start.scaling, Recipe(start.recipe.activation, rate=rate))
        for start, rate in zip(starts, rates, strict=True)
    ]
    for result in in_node(jobs):
        loss = result["history"]["loss"]
        assert result["stop"] is None
        assert loss[-1] < loss[0]
        assert max(np.diff(np.log(loss))) < 1e-3


def test_a_run_that_diverges_stops_with_finite_numbers():
    result = in_node([Job(0, 100, page_scaling(0.5, 0.0, 100), Recipe(rate=50.0))])[0]
    assert result["stop"] == "diverged"
    assert result["history"]["step"][-1] < 100
    assert np.isfinite(stacked(result["states"][0]["layers"])).all()


def test_the_share_on_the_fullest_lines_by_another_route():
    job = Job(4, 200, page_scaling(1.0, 0.0, 200), Recipe(), steps=0)
    network = page_network(4, 200, job.scaling)
    angles = np.arctan2(network.w[1], network.w[0]) % np.pi
    left = np.abs(network.a) * np.linalg.norm(network.w, axis=0)
    total, held = left.sum(), 0.0
    for _ in range(3):
        inside = (angles[None, :] - angles[:, None]) % np.pi <= 0.2
        fullest = (inside * left).sum(axis=1).argmax()
        held += left[inside[fullest]].sum()
        left = np.where(inside[fullest], 0.0, left)
    assert in_node([job])[0]["share"] == pytest.approx(held / total, rel=1e-12)
