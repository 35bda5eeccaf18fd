"""The loss landscape around a point: loss, gradient, Hessian, and how many eigenvalues are negative, zero, positive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from scipy.sparse.linalg import LinearOperator
from torch import Tensor

from condensation_lab.initialise import FloatArray
from condensation_lab.models.multilayer import Multilayer, forward

DENSE_LIMIT = 2000  # parameters: beyond it a dense Hessian costs more than a minute and 32 MB a thousand squared


@dataclass(frozen=True)
class Data:
    """Samples to fit.

    Args:
        x: inputs, (n, m_0).
        y: targets, (n, m_L).

    Raises:
        ValueError: the two differ in their number of samples.
    """

    x: FloatArray
    y: FloatArray

    def __post_init__(self) -> None:
        if self.x.ndim != 2 or self.y.ndim != 2 or self.x.shape[0] != self.y.shape[0] or self.x.shape[0] == 0:
            raise ValueError(f"x {self.x.shape} and y {self.y.shape} do not fit: they must be (n, m_0) and (n, m_L)")


def mean_squared_error(shape: Multilayer, vector: Tensor, data: Data) -> Tensor:
    """R = mean over samples and outputs of (f(x) - y)^2, differentiable in the parameters.

    Args:
        shape: network that gives shapes and activation.
        vector: parameters, (..., P): any leading dimensions, such as (K, P) for K networks.
        data: samples.

    Returns:
        The loss, (...).

    Source:
        Zhang, Zhang, Luo, Xu, NeurIPS 2021: mean squared error without the factor 1/2.
    """
    return ((forward(shape, vector, torch.as_tensor(data.x)) - torch.as_tensor(data.y)) ** 2).mean(dim=(-2, -1))


def loss(network: Multilayer, data: Data) -> float:
    """The mean squared error of a network."""
    return float(mean_squared_error(network, torch.from_numpy(network.vector()), data))


def gradient(network: Multilayer, data: Data) -> FloatArray:
    """Gradient of the mean squared error, (P,) in the order of `network.vector()`."""
    vector = torch.from_numpy(network.vector())
    found: FloatArray = torch.func.grad(lambda v: mean_squared_error(network, v, data))(vector).numpy()
    return found


def hessian(network: Multilayer, data: Data) -> FloatArray:
    """Dense Hessian of the mean squared error.

    Args:
        network: where.
        data: samples.

    Returns:
        Symmetric matrix, (P, P).

    Raises:
        ValueError: the network has more than `DENSE_LIMIT` parameters; use `hessian_operator`.
    """
    vector = torch.from_numpy(network.vector())
    if len(vector) > DENSE_LIMIT:
        raise ValueError(f"{len(vector)} parameters are too many for a dense Hessian (at most {DENSE_LIMIT})")
    dense = torch.func.hessian(lambda v: mean_squared_error(network, v, data))(vector)
    found: FloatArray = (0.5 * (dense + dense.T)).numpy()
    return found


def hessian_operator(network: Multilayer, data: Data) -> LinearOperator:
    """The Hessian as a linear operator: one product costs about two gradients and no (P, P) matrix is stored.

    Args:
        network: where.
        data: samples.

    Returns:
        Operator of shape (P, P), for `scipy.sparse.linalg.eigsh`.
    """
    vector = torch.from_numpy(network.vector())
    gradient_at = torch.func.grad(lambda v: mean_squared_error(network, v, data))

    def product(direction: FloatArray) -> FloatArray:
        along = torch.as_tensor(np.asarray(direction, dtype=float).ravel())
        found: FloatArray = torch.func.jvp(gradient_at, (vector,), (along,))[1].numpy()
        return found

    return LinearOperator((len(vector), len(vector)), matvec=product, dtype=float)


@dataclass(frozen=True)
class Counts:
    """Numbers of negative, zero and positive eigenvalues of a Hessian (its inertia)."""

    negative: int
    zero: int
    positive: int

    def __le__(self, other: Counts) -> bool:
        """Whether none of the three is larger than the other's."""
        return self.negative <= other.negative and self.zero <= other.zero and self.positive <= other.positive


def eigenvalue_counts(eigenvalues: FloatArray, threshold: float) -> Counts:
    """Count eigenvalues by sign, those of at most the threshold in size as zeros.

    Args:
        eigenvalues: of a Hessian, (P,).
        threshold: positive, in units of the loss over squared parameters; 1e-11 in the paper's figure 3.

    Returns:
        The three numbers.

    Example:
        >>> eigenvalue_counts(np.array([-1.0, 1e-14, 2.0, 3.0]), 1e-11)
        Counts(negative=1, zero=1, positive=2)
    """
    if not threshold > 0:
        raise ValueError(f"threshold = {threshold!r} is not allowed: it must be positive")
    zero = int((np.abs(eigenvalues) <= threshold).sum())
    negative = int((eigenvalues < -threshold).sum())
    return Counts(negative, zero, eigenvalues.size - zero - negative)
