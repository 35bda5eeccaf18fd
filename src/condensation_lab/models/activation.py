"""Activation functions of the papers, by name, on torch tensors."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "softplus": torch.nn.functional.softplus,
    "x tanh x": lambda x: x * torch.tanh(x),
    "x^2 tanh x": lambda x: x**2 * torch.tanh(x),
}
"""ReLU and, differentiable everywhere, tanh, sigmoid, softplus and the papers' x tanh x and x^2 tanh x."""


def activation(name: str) -> Callable[[Tensor], Tensor]:
    """The activation function of a name.

    Args:
        name: one of `ACTIVATIONS`.

    Returns:
        The function, elementwise on tensors of any shape.

    Raises:
        ValueError: there is none of that name.

    Example:
        >>> activation("relu")(torch.tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """
    if name not in ACTIVATIONS:
        raise ValueError(f"activation = {name!r} is not allowed: it must be one of {', '.join(map(repr, ACTIVATIONS))}")
    return ACTIVATIONS[name]
