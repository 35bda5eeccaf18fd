"""Embeddings of a network in wider ones: same output, and critical points stay critical.

A wide neuron copies a narrow one or is *null*, its output then being the same for every input. Splitting a neuron and
adding a null neuron are the one-step embeddings; `Embedding` holds any compatible one, of any depth.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from condensation_lab.initialise import FloatArray
from condensation_lab.models.activation import activation
from condensation_lab.models.multilayer import Multilayer

NULL = -1
"""Index of the narrow neuron that a null neuron copies: none."""

_EXACT = 1e-9  # how far the conditions on alpha may be missed, relative to its largest entry


@dataclass(frozen=True)
class Embedding:
    """A general compatible embedding.

    Wide neuron i of layer l copies the narrow neuron index[l-1][i], or none. With I that map, wide weights are

        W'_ij = alpha_ij W_I(i)I(j), with 1 in the place of W where i or j is null,

    and biases are copied, plus what cancels the constant outputs of null neurons below; null neurons have biases of
    their own. Forward condition: for each wide neuron i and each narrow neuron s below, the alphas from all copies of s
    sum to 1 (to 0, if i is null). Backward condition: numbers beta, 1 for every output, obey for each wide neuron j and
    each narrow neuron k above: the sum over the copies i of k of beta_i alpha_ij is beta_j (0, if j is null).

    Args:
        index: for each hidden layer the narrow neurons copied, (M_l,), `NULL` for null neurons.
        alpha: for each layer the factors, (M_l, M_(l-1)).
        null_bias: for each hidden layer the biases of its null neurons, (M_l,); entries of other neurons are not used.

    Source:
        Zhang, Li, Zhang, Luo, Xu, Journal of Machine Learning 1(1), 2022: general compatible embedding.
    """

    index: tuple[NDArray[np.int64], ...]
    alpha: tuple[FloatArray, ...]
    null_bias: tuple[FloatArray, ...]

    def apply(self, network: Multilayer) -> Multilayer:
        """Embed a network.

        Args:
            network: the narrow network.

        Returns:
            The wide one, which has the same output for every input.

        Raises:
            ValueError: a condition does not hold, or a constant can't be cancelled for want of a bias.
        """
        maps = self._maps(network)
        self._check_forward(network, maps)
        self.beta(network)
        act = activation(network.activation)
        weights: list[FloatArray] = []
        biases: list[FloatArray | None] = []
        constant = np.zeros(maps[0].size)  # outputs of the null neurons of the layer below, 0 for others
        for layer, (w, b, alpha) in enumerate(zip(network.weights, network.biases, self.alpha, strict=True), start=1):
            above, below = maps[layer], maps[layer - 1]
            effective = (above[:, None] != NULL) & (below[None, :] != NULL)
            wide = alpha * np.where(effective, w[np.ix_(above, below)], 1.0)
            weights.append(wide)
            offset = wide @ constant  # what the null neurons below add
            if b is None:
                if np.abs(offset[above != NULL]).max(initial=0.0) > _EXACT * np.abs(wide).max():
                    raise ValueError(f"layer {layer} has no bias, which must cancel the constant of null neurons below")
                biases.append(None)
                received = offset
            else:
                own = self.null_bias[layer - 1] if layer <= len(self.index) else np.zeros(above.size)
                wide_bias = np.where(above == NULL, own, b[above] - offset)
                biases.append(wide_bias)
                received = wide_bias + offset
            constant = np.where(above == NULL, act(torch.from_numpy(received)).numpy(), 0.0)
        return replace(network, weights=tuple(weights), biases=tuple(biases))

    def beta(self, network: Multilayer) -> tuple[FloatArray, ...]:
        """Factors of the errors: the wide neuron's back-propagated error is beta times that of what it copies.

        Args:
            network: the narrow network.

        Returns:
            For each layer, the outputs last, (M_l,); 0 for null neurons.

        Raises:
            ValueError: the backward condition does not hold.
        """
        maps = self._maps(network)
        betas = [np.ones(network.widths[-1])]
        for layer in range(len(self.alpha) - 1, 0, -1):
            above, below, alpha = maps[layer + 1], maps[layer], self.alpha[layer]
            sums = np.array([(betas[0] * (above == k)) @ alpha for k in range(network.widths[layer + 1])])  # (m, M)
            wanted = np.where(below == NULL, 0.0, sums[0])
            if np.abs(sums - wanted).max() > _EXACT * max(1.0, np.abs(alpha).max()):
                raise ValueError(f"layer {layer + 1}: alpha does not meet the backward condition")
            betas.insert(0, wanted)
        return tuple(betas)

    def transported(self, network: Multilayer, gradient: FloatArray) -> FloatArray:
        """The gradient at the wide network, from that at the narrow one: zero where that is zero.

        With D_i the derivative of the loss by the bias of neuron i (present or not), dR/dW'_ij = beta_i dR/dW_I(i)I(j)
        for effective j, beta_i c_j D_I(i) for a null j of output c_j, and dR/db'_i = beta_i D_I(i).

        Args:
            network: the narrow network.
            gradient: there, (P,).

        Returns:
            The gradient at `apply(network)`, (P',).

        Raises:
            ValueError: a null neuron of non-zero output feeds a layer without bias, where the gradient is no function
                of the narrow one and a critical point need not stay critical.
        """
        wide, narrow = self.apply(network), network.at(gradient)
        maps, betas, constants = self._maps(network), self.beta(network), self._constants(wide)
        weights, biases = [], []
        for layer, (g_w, g_b, beta) in enumerate(zip(narrow.weights, narrow.biases, betas, strict=True), start=1):
            above, below = maps[layer], maps[layer - 1]
            null = below == NULL
            if g_b is None and (np.abs(constants[layer - 1][null]) > 0).any():
                raise ValueError(
                    f"layer {layer} has no bias, and a null neuron below it has an output other than 0: "
                    "a critical point need not stay critical"
                )
            by_bias = np.zeros(g_w.shape[0]) if g_b is None else g_b
            weights.append(
                beta[:, None]
                * np.where(null, constants[layer - 1] * by_bias[above][:, None], g_w[np.ix_(above, below)])
            )
            biases.append(None if g_b is None else beta * by_bias[above])
        return replace(wide, weights=tuple(weights), biases=tuple(biases)).vector()

    def _maps(self, network: Multilayer) -> list[NDArray[np.int64]]:
        widths = network.widths
        if len(self.index) != len(widths) - 2 or len(self.alpha) != len(widths) - 1:
            raise ValueError(f"an embedding of {len(self.alpha)} layers does not fit a network of {len(widths) - 1}")
        maps = [np.arange(widths[0]), *self.index, np.arange(widths[-1])]
        for layer, (found, width) in enumerate(zip(maps, widths, strict=True)):
            if not set(range(width)) <= set(found.tolist()) <= {NULL, *range(width)}:
                raise ValueError(
                    f"layer {layer}: each of the {width} neurons needs a copy, and no other index is known"
                )
        for layer, alpha in enumerate(self.alpha, start=1):
            if alpha.shape != (maps[layer].size, maps[layer - 1].size):
                raise ValueError(
                    f"layer {layer}: alpha {alpha.shape} must be {(maps[layer].size, maps[layer - 1].size)}"
                )
        return maps

    def _check_forward(self, network: Multilayer, maps: list[NDArray[np.int64]]) -> None:
        for layer, alpha in enumerate(self.alpha, start=1):
            below = maps[layer - 1]
            sums = np.array([alpha[:, below == s].sum(axis=1) for s in range(network.widths[layer - 1])])  # (m, M)
            wanted = np.where(maps[layer] == NULL, 0.0, 1.0)
            if np.abs(sums - wanted).max() > _EXACT * max(1.0, np.abs(alpha).max()):
                raise ValueError(f"layer {layer}: alpha does not meet the forward condition")

    def _constants(self, wide: Multilayer) -> list[FloatArray]:
        """Outputs of the wide network's null neurons, layer by layer from the inputs; 0 for others."""
        act = activation(wide.activation)
        constants = [np.zeros(wide.widths[0])]
        for w, b, index in zip(wide.weights, wide.biases, self.index, strict=False):
            received = w @ constants[-1] + (0.0 if b is None else b)
            constants.append(np.where(index == NULL, act(torch.from_numpy(received)).numpy(), 0.0))
        return constants


def splitting(widths: Sequence[int], layer: int, neuron: int, alpha: float) -> Embedding:
    """One-step splitting: a second copy of a neuron, with alpha of its output weights, 1 - alpha staying behind.

    Args:
        widths: of the narrow network, m_0, ..., m_L.
        layer: hidden layer, from 1.
        neuron: its neuron, from 0.
        alpha: any number.

    Returns:
        The embedding.

    Raises:
        ValueError: there is no such layer or neuron.

    Source:
        Zhang, Zhang, Luo, Xu, NeurIPS 2021: one-step splitting embedding.
    """
    _require_neuron(widths, layer, neuron)
    index = [np.arange(width) for width in widths[1:-1]]
    index[layer - 1] = np.append(index[layer - 1], neuron)
    factors = [np.ones((above, below)) for below, above in itertools.pairwise(widths)]
    factors[layer - 1] = np.ones((widths[layer] + 1, widths[layer - 1]))
    outgoing = np.ones((widths[layer + 1], widths[layer] + 1))
    outgoing[:, neuron], outgoing[:, -1] = 1 - alpha, alpha
    factors[layer] = outgoing
    return Embedding(tuple(index), tuple(factors), tuple(np.zeros(found.size) for found in index))


def null_embedding(widths: Sequence[int], layer: int, bias: float = 0.0) -> Embedding:
    """One-step null embedding: a neuron without input or output weights, whose bias is free.

    Args:
        widths: of the narrow network, m_0, ..., m_L.
        layer: hidden layer, from 1.
        bias: of the new neuron; its output is s(bias).

    Returns:
        The embedding. It keeps every output; critical points stay critical only if the next layer has a bias or
        s(bias) = 0, which `Embedding.transported` checks.

    Source:
        Zhang, Zhang, Luo, Xu, NeurIPS 2021: one-step null embedding.
    """
    _require_neuron(widths, layer, 0)
    index = [np.arange(width) for width in widths[1:-1]]
    index[layer - 1] = np.append(index[layer - 1], NULL)
    factors = [np.ones((above, below)) for below, above in itertools.pairwise(widths)]
    factors[layer - 1] = np.vstack([factors[layer - 1], np.zeros(widths[layer - 1])])
    factors[layer] = np.column_stack([factors[layer], np.zeros(widths[layer + 1])])
    own = [np.zeros(found.size) for found in index]
    own[layer - 1][-1] = bias
    return Embedding(tuple(index), tuple(factors), tuple(own))


def equal_copies(network: Multilayer, layer: int, neuron: int, copies: int) -> Multilayer:
    """Multi-step splitting of one neuron into equal copies, each with its share of the output weights.

    Args:
        network: the narrow network.
        layer: hidden layer, from 1.
        neuron: its neuron, from 0.
        copies: how many there are afterwards, at least 1.

    Returns:
        The wide network, with copies - 1 neurons more.

    Raises:
        ValueError: there is no such neuron, or copies is below 1.
    """
    if copies < 1:
        raise ValueError(f"copies = {copies} is not allowed: it must be a whole number of at least 1")
    for left in range(copies, 1, -1):  # the first copy gives away 1/left of what it holds
        network = splitting(network.widths, layer, neuron, 1 / left).apply(network)
    return network


def random_embedding(
    widths: Sequence[int], index: Sequence[NDArray[np.int64]], seed: int, *, size: float = 1.0
) -> Embedding:
    """A general compatible embedding with given copies and all free numbers drawn from N(0, size^2).

    Between the copies of k (with factors beta_k, which sum to 1) and those of s, alpha = 1 beta_s^T + P with P 1 = 0
    and beta_k^T P = 0, so both conditions hold.

    Args:
        widths: of the narrow network, m_0, ..., m_L.
        index: for each hidden layer the narrow neurons copied, (M_l,), `NULL` for null neurons.
        seed: non-negative seed.
        size: of the free numbers.

    Returns:
        The embedding.
    """
    generator = np.random.default_rng(seed)
    maps = [np.arange(widths[0]), *index, np.arange(widths[-1])]
    betas = [np.zeros(found.size) for found in maps]
    for found, beta, width in zip(maps, betas, widths, strict=True):
        for k in range(width):
            free = size * generator.standard_normal((found == k).sum())
            beta[found == k] = free + (1 - free.sum()) / free.size
    factors = []
    for layer in range(1, len(maps)):
        above, below, alpha = maps[layer], maps[layer - 1], np.zeros((maps[layer].size, maps[layer - 1].size))
        for k in (NULL, *range(widths[layer])):
            for s in (NULL, *range(widths[layer - 1])):
                rows, columns = above == k, below == s
                free = size * generator.standard_normal((rows.sum(), columns.sum()))
                if s != NULL:  # each row sums to 0
                    free -= free.mean(axis=1, keepdims=True) if free.size else 0.0
                if k != NULL:  # the rows, weighted by beta, sum to 0
                    free = free - betas[layer][rows] @ free
                    free += betas[layer - 1][columns] if s != NULL else 0.0
                alpha[np.ix_(rows, columns)] = free
        factors.append(alpha)
    own = tuple(size * generator.standard_normal(found.size) for found in index)
    return Embedding(tuple(np.asarray(found) for found in index), tuple(factors), own)


def _require_neuron(widths: Sequence[int], layer: int, neuron: int) -> None:
    if not 1 <= layer <= len(widths) - 2:
        raise ValueError(f"layer = {layer} is not allowed: hidden layers are 1 to {len(widths) - 2}")
    if not 0 <= neuron < widths[layer]:
        raise ValueError(f"neuron = {neuron} is not allowed: layer {layer} has neurons 0 to {widths[layer] - 1}")
