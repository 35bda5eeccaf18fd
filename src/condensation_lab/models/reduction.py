"""Reduction of a condensed network: neurons that point the same way become one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from condensation_lab.initialise import FloatArray
from condensation_lab.models.multilayer import Multilayer


def orientation_groups(network: Multilayer, cosine: float = 0.9) -> list[list[int]]:
    """Group hidden neurons by the direction of (weights, bias): the largest free neuron takes all within the cosine.

    Args:
        network: a network with one hidden layer.
        cosine: least cosine with the group's head, in (-1, 1).

    Returns:
        Groups of neurons, in the order of their heads' amplitudes |a| |w|.

    Raises:
        ValueError: the network has another number of hidden layers.

    Source:
        Zhang, Zhang, Luo, Xu, NeurIPS 2021, figure 5: groups at a cosine of 0.9.
    """
    directions, _, sizes = _polar(network)
    free, groups = np.ones(sizes.size, dtype=bool), []
    for head in np.argsort(-sizes, kind="stable"):
        if not free[head]:
            continue
        members = free & (directions @ directions[head] >= cosine)
        members[head] = True
        free &= ~members
        groups.append(np.flatnonzero(members).tolist())
    return groups


def reduced(network: Multilayer, groups: list[list[int]]) -> Multilayer:
    """One ReLU neuron for each group: the amplitude-weighted mean direction, and the summed output weights.

    Exact where the neurons of a group point the same way, because ReLU is homogeneous.

    Args:
        network: a ReLU network with one hidden layer.
        groups: of its neurons.

    Returns:
        The narrow network, with one hidden neuron for each group.

    Raises:
        ValueError: the network has another number of hidden layers or another activation.
    """
    if network.activation != "relu":
        raise ValueError(f"activation = {network.activation!r} is not allowed: only relu networks are reduced")
    directions, lengths, sizes = _polar(network)
    means = np.stack([sizes[group] @ directions[group] for group in groups])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    outgoing = np.stack([network.weights[1][:, group] @ lengths[group] for group in groups], axis=1)
    biased = network.biases[0] is not None
    inner, offset = (means[:, :-1], means[:, -1]) if biased else (means, None)
    return replace(network, weights=(inner, outgoing), biases=(offset, network.biases[1]))


def _polar(network: Multilayer) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Unit vectors and lengths of (weights, bias), and amplitudes, of each hidden neuron."""
    if len(network.weights) != 2:
        raise ValueError(f"a network with {len(network.weights) - 1} hidden layers is not allowed: it must have one")
    inner, bias = network.weights[0], network.biases[0]
    vectors = inner if bias is None else np.column_stack([inner, bias])
    lengths = np.linalg.norm(vectors, axis=1)
    directions = vectors / np.where(lengths > 0, lengths, 1.0)[:, None]
    return directions, lengths, lengths * np.linalg.norm(network.weights[1], axis=0)
