"""Narrow minima, the critical lines and points they are embedded to, and the signs of curvature there."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import xarray as xr

from condensation_lab.initialise import FloatArray
from condensation_lab.measure.landscape import (
    Counts,
    Data,
    eigenvalue_counts,
    gradient,
    hessian,
    loss,
)
from condensation_lab.models.embedding import (
    Embedding,
    equal_copies,
    null_embedding,
    random_embedding,
    splitting,
)
from condensation_lab.models.multilayer import Multilayer
from condensation_lab.train.critical import CriticalPoint, CriticalPointError, local_minimum, minima, polish

INPUTS = np.linspace(-15.0, 15.0, 121)
ALPHAS = np.round(np.linspace(-1.0, 2.0, 61), 2)
THRESHOLD = 1e-11  # the paper's, figure 3
THRESHOLDS = (1e-12, THRESHOLD, 1e-10)
KICK = 1e-3
SIGNS = ("negative", "zero", "positive")
_SEED = 0  # of the searches and of the random embeddings


def narrow_minima(data: Data, shift: float, starts: int) -> dict[int, Multilayer]:
    """The best minima of widths 1, 2 and 3; width 3 fits the target exactly and needs no search.

    Args:
        data: samples of `tanh_steps`.
        shift: of the target.
        starts: random starts for each width.

    Returns:
        Networks by width, each with a gradient of at most 1e-13 in the L1 norm.
    """
    exact = Multilayer((np.ones((3, 1)), np.ones((1, 3))), (np.array([-shift, 0.0, shift]), None))
    return {**{width: met(data, width, starts)[0].network for width in (1, 2)}, 3: exact}


def met(data: Data, width: int, starts: int) -> list[CriticalPoint]:
    """Critical points of a width that searches from random starts end at, the best first.

    Args:
        data: samples.
        width: hidden neurons.
        starts: random starts.

    Returns:
        At most one point a start.

    Raises:
        CriticalPointError: every search ran away or stalled.
    """
    found = minima((1, width, 1), data, starts=starts, seed=_SEED)
    if not found:
        raise CriticalPointError(f"none of {starts} starts reached a critical point of width {width}")
    return found


def eigenvalues(network: Multilayer, data: Data) -> FloatArray:
    """Eigenvalues of the Hessian, ascending, (P,)."""
    return np.asarray(np.linalg.eigvalsh(hessian(network, data)), dtype=np.float64)


def explored(narrow: dict[int, Multilayer], data: Data, embeddings: int) -> xr.Dataset:
    """Everything about the landscape that needs no training.

    Args:
        narrow: minima by width.
        data: samples.
        embeddings: how many embeddings are counted.

    Returns:
        The dataset.
    """
    return xr.merge(
        [
            _points(narrow, data),
            _splits(narrow[2], data),
            _line(narrow[2], data),
            _escape(narrow[2], data),
            _embeddings(narrow, data, embeddings),
        ],
        compat="equals",
        join="exact",
    )


def _points(narrow: dict[int, Multilayer], data: Data) -> xr.Dataset:
    """Losses and gradients of the minima, and the negative directions of their triple copies [W, W, -W]."""
    triple = [int((eigenvalues(_triple(network), data) < -THRESHOLD).sum()) for network in narrow.values()]
    return xr.Dataset(
        {
            "narrow_loss": ("narrow", [loss(network, data) for network in narrow.values()]),
            "narrow_gradient": ("narrow", [np.abs(gradient(network, data)).sum() for network in narrow.values()]),
            "triple_negative": ("narrow", triple),
        },
        coords={"narrow": list(narrow)},
    )


def _triple(network: Multilayer) -> Multilayer:
    """Three copies of every hidden neuron, with output weights W, W, -W."""
    m = network.widths[1]
    index = np.tile(np.arange(m), 3)
    return Embedding(
        (index,),
        (np.ones((3 * m, network.widths[0])), np.ones((network.widths[2], 3 * m)) * np.repeat([1.0, 1.0, -1.0], m)),
        (np.zeros(3 * m),),
    ).apply(network)


def _splits(network: Multilayer, data: Data) -> xr.Dataset:
    """Figure 3a: one neuron split into two and three equal copies; eigenvalues padded with NaN at the end."""
    values, slopes = np.full((2, 3, 12), np.nan), np.empty((2, 3))
    for neuron, copies in itertools.product(range(2), (1, 2, 3)):
        wide = equal_copies(network, 1, neuron, copies)
        found = eigenvalues(wide, data)
        values[neuron, copies - 1, : found.size] = found
        slopes[neuron, copies - 1] = np.abs(gradient(wide, data)).sum()
    return xr.Dataset(
        {
            "split_eigenvalue": (("neuron", "splits", "rank"), values),
            "split_gradient": (("neuron", "splits"), slopes),
            "block_eigenvalue": (("neuron", "side"), np.stack([curvature_block(network, data, k) for k in range(2)])),
        },
        coords={"neuron": [0, 1], "splits": [0, 1, 2]},
    )


def curvature_block(network: Multilayer, data: Data, neuron: int) -> FloatArray:
    """Eigenvalues of B = (2/n) sum_i (f(x_i) - y_i) a_k grad^2 s(w_k x_i + b_k), by w_k and b_k.

    At a critical point a neuron split with share alpha has the curvature alpha (1 - alpha) B in the directions that
    part the two copies (and keep what they do together), so the signs of B decide whether the point is a saddle.

    Args:
        network: two-layer tanh network with one input and one output.
        data: samples.
        neuron: k.

    Returns:
        The two eigenvalues, ascending.

    Source:
        Fukumizu and Amari, Neural Networks 13(3), 2000, theorem 3.
    """
    x = data.x[:, 0]
    residual = network.output(data.x)[:, 0] - data.y[:, 0]
    bias = network.biases[0]
    assert bias is not None
    t = np.tanh(network.weights[0][neuron, 0] * x + bias[neuron])
    pull = 2 / x.size * residual * network.weights[1][0, neuron] * -2 * t * (1 - t**2)
    block = np.array([[(pull * x * x).sum(), (pull * x).sum()], [(pull * x).sum(), pull.sum()]])
    found: FloatArray = np.linalg.eigvalsh(block)
    return found


def _line(network: Multilayer, data: Data) -> xr.Dataset:
    """The critical line over alpha through the split of the first neuron, and a line beside it that is not critical."""
    columns: dict[str, list[object]] = {f"line_{name}": [] for name in ("eigenvalue", "gradient", "loss", "output")}
    beside = []
    for alpha in ALPHAS:
        wide = splitting(network.widths, 1, 0, float(alpha)).apply(network)
        columns["line_eigenvalue"].append(eigenvalues(wide, data))
        columns["line_gradient"].append(np.abs(gradient(wide, data)).sum())
        columns["line_loss"].append(loss(wide, data))
        columns["line_output"].append(wide.output(INPUTS[:, None])[:, 0])
        moved = wide.vector()
        moved[2] += 1e-3  # the input weight of the copy
        beside.append(np.abs(gradient(wide.at(moved), data)).sum())
    dims = {"line_eigenvalue": ("alpha", "line_rank"), "line_output": ("alpha", "input")}
    return xr.Dataset(
        {name: (dims.get(name, ("alpha",)), np.array(values)) for name, values in columns.items()}
        | {"line_control_gradient": ("alpha", np.array(beside))},
        coords={"alpha": ALPHAS, "input": INPUTS},
    )


def _escape(network: Multilayer, data: Data) -> xr.Dataset:
    """Split a neuron equally, step to both sides of the most negative direction, and descend; and the narrow one."""
    wide, before = equal_copies(network, 1, 0, 2), loss(network, data)
    direction = np.linalg.eigh(hessian(wide, data))[1][:, 0]
    left = np.random.default_rng(_SEED).standard_normal((2, network.vector().size))
    kicked = [wide.at(wide.vector() + side * KICK * direction) for side in (1, -1)]
    stayed = [network.at(network.vector() + KICK * one / np.linalg.norm(one)) for one in left]
    losses = [[loss(local_minimum(start, data), data) / before for start in starts] for starts in (kicked, stayed)]
    return xr.Dataset({"escape_loss": ("kick", losses[0]), "stay_loss": ("kick", losses[1])})


def _embeddings(narrow: dict[int, Multilayer], data: Data, count: int) -> xr.Dataset:
    """Changes of the three counts under many embeddings, and where neurons are added that embed nothing."""
    generator = np.random.default_rng(_SEED)
    changes, random_changes, added = np.empty((count, 3)), np.empty((count, 3)), np.empty(count, dtype=int)
    kinds = _kinds(narrow)
    for row in range(count):
        network, wide = next(kinds)
        before = eigenvalue_counts(eigenvalues(network, data), THRESHOLD)
        changes[row] = _change(before, wide, data)
        added[row] = wide.widths[1] - network.widths[1]
        more = Multilayer.draw((1, int(added[row]), 1), 1.0, int(generator.integers(2**32)))
        random_changes[row] = _change(before, _beside(network, more), data)
    return xr.Dataset(
        {
            "embedded_change": (("embedding", "sign"), changes),
            "random_change": (("embedding", "sign"), random_changes),
            "neurons_added": ("embedding", added),
        },
        coords={"sign": list(SIGNS)},
    )


def _change(before: Counts, wide: Multilayer, data: Data) -> list[int]:
    after = eigenvalue_counts(eigenvalues(wide, data), THRESHOLD)
    return [getattr(after, sign) - getattr(before, sign) for sign in SIGNS]


def _kinds(narrow: dict[int, Multilayer]) -> Iterator[tuple[Multilayer, Multilayer]]:
    """Networks and embeddings of them: splits, null neurons, equal copies and general ones, in turn for ever."""
    for seed in itertools.count():
        generator = np.random.default_rng(seed)
        network = narrow[1 + seed % 3]
        m = network.widths[1]
        neuron = int(generator.integers(m))
        yield network, splitting(network.widths, 1, neuron, float(generator.uniform(-1, 2))).apply(network)
        # without output bias the null neuron's output must be zero for the point to stay critical
        yield network, null_embedding(network.widths, 1).apply(network)
        yield network, equal_copies(network, 1, neuron, int(generator.integers(2, 5)))
        copied = np.concatenate([np.arange(m), generator.integers(0, m, generator.integers(1, 4))])
        yield network, random_embedding(network.widths, [copied], seed, size=0.5).apply(network)


def _beside(network: Multilayer, more: Multilayer) -> Multilayer:
    """A wide network of the neurons of both."""
    first, second = network.biases[0], more.biases[0]
    assert first is not None
    assert second is not None
    return Multilayer(
        (np.vstack([network.weights[0], more.weights[0]]), np.hstack([network.weights[1], more.weights[1]])),
        (np.concatenate([first, second]), None),
        network.activation,
    )


def polished(network: Multilayer, data: Data) -> CriticalPoint | None:
    """The critical point near a network, or none where the search runs away or stalls."""
    try:
        return polish(network, data)
    except CriticalPointError:
        return None
