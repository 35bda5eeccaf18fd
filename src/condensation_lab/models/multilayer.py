"""Fully connected networks of any depth, as plain arrays with a flat view of all parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from condensation_lab.initialise import FloatArray
from condensation_lab.models.activation import activation


@dataclass(frozen=True)
class Multilayer:
    """f(x) = W_L s(... s(W_1 x + b_1) ...) + b_L, where any layer may lack its bias.

    Args:
        weights: W_1, ..., W_L, each of shape (m_l, m_(l-1)).
        biases: b_1, ..., b_L, each of shape (m_l,), or None for a layer without bias.
        activation: name of s, applied after every layer but the last; see `models.activation`.

    Raises:
        ValueError: shapes do not fit, a value is not finite, or the activation is unknown.
    """

    weights: tuple[FloatArray, ...]
    biases: tuple[FloatArray | None, ...]
    activation: str = "tanh"

    def __post_init__(self) -> None:
        activation(self.activation)
        if len(self.weights) != len(self.biases) or not self.weights:
            raise ValueError(f"{len(self.weights)} weight matrices and {len(self.biases)} biases do not fit: one each")
        for layer, (w, b) in enumerate(zip(self.weights, self.biases, strict=True), start=1):
            below = self.weights[layer - 2].shape[0] if layer > 1 else w.shape[-1]
            if w.ndim != 2 or w.shape[1] != below or (b is not None and b.shape != w.shape[:1]):
                shape = None if b is None else b.shape
                raise ValueError(
                    f"layer {layer}: weights {w.shape} and bias {shape} do not fit a layer of {below} below"
                )
        if not np.isfinite(self.vector()).all():
            raise ValueError("the network holds a value that is not finite")

    @classmethod
    def draw(
        cls,
        widths: Sequence[int],
        std: float,
        seed: int,
        *,
        activation: str = "tanh",
        biases: Sequence[bool] | None = None,
    ) -> Multilayer:
        """Network whose weights and biases are all drawn from N(0, std^2).

        Args:
            widths: m_0 (inputs), m_1, ..., m_L (outputs).
            std: standard deviation.
            seed: non-negative seed.
            activation: name of the activation.
            biases: which layers have a bias; all but the last by default, as in the papers' networks.

        Returns:
            The network.
        """
        generator = np.random.default_rng(seed)
        has = biases if biases is not None else [True] * (len(widths) - 2) + [False]
        weights, offsets = [], []
        for below, above, biased in zip(widths[:-1], widths[1:], has, strict=True):
            weights.append(std * generator.standard_normal((above, below)))
            offsets.append(std * generator.standard_normal(above) if biased else None)
        return cls(tuple(weights), tuple(offsets), activation)

    @property
    def widths(self) -> tuple[int, ...]:
        """m_0 (inputs), m_1, ..., m_L (outputs)."""
        return (self.weights[0].shape[1], *(w.shape[0] for w in self.weights))

    def vector(self) -> FloatArray:
        """All parameters end to end: W_1 by rows, b_1, W_2, b_2, ..., shape (P,)."""
        parts = [
            part.ravel() for pair in zip(self.weights, self.biases, strict=True) for part in pair if part is not None
        ]
        return np.concatenate(parts)

    def at(self, vector: FloatArray) -> Multilayer:
        """The network of the same shape with other parameters.

        Args:
            vector: parameters in the order of `vector()`, (P,).

        Returns:
            The network.

        Raises:
            ValueError: the number of parameters is another.
        """
        if vector.shape != self.vector().shape:
            raise ValueError(f"{vector.shape} parameters do not fit a network of {self.vector().shape}")
        weights, biases = _unpacked(self, vector)
        return replace(self, weights=tuple(weights), biases=tuple(biases))

    def output(self, x: FloatArray) -> FloatArray:
        """The network's outputs.

        Args:
            x: inputs, (n, m_0).

        Returns:
            Outputs, (n, m_L).
        """
        values: FloatArray = forward(self, torch.from_numpy(self.vector()), torch.as_tensor(x)).numpy()
        return values


def forward(shape: Multilayer, vector: Tensor, x: Tensor) -> Tensor:
    """Outputs as a differentiable function of the parameters, for one network or for many at once.

    Args:
        shape: a network that gives shapes and activation; its own parameters are not used.
        vector: parameters, (..., P): any leading dimensions, such as (K, P) for K networks.
        x: inputs, (n, m_0).

    Returns:
        Outputs, (..., n, m_L).
    """
    act = activation(shape.activation)
    weights, biases = _unpacked(shape, vector)
    for layer, (w, b) in enumerate(zip(weights, biases, strict=True), start=1):
        x = x @ w.mT if b is None else x @ w.mT + b[..., None, :]
        x = act(x) if layer < len(weights) else x
    return x


def _unpacked(shape: Multilayer, vector: FloatArray | Tensor) -> tuple[list, list]:  # type: ignore[type-arg]
    """Views of a flat vector's weights and biases; leading dimensions stay."""
    weights, biases, start, leading = [], [], 0, vector.shape[:-1]
    for w, b in zip(shape.weights, shape.biases, strict=True):
        weights.append(vector[..., start : start + w.size].reshape(*leading, *w.shape))
        start += w.size
        biases.append(None if b is None else vector[..., start : start + b.size])
        start += 0 if b is None else b.size
    return weights, biases
