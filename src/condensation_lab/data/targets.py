"""One-dimensional regression targets with the constant 1 appended to each input."""

from __future__ import annotations

import numpy as np

from condensation_lab.initialise import FloatArray


def augment(x: FloatArray) -> FloatArray:
    """Append the constant 1 that carries the bias.

    Args:
        x: inputs, (n,) or (n, d).

    Returns:
        Inputs with a last column of ones, (n, d + 1).

    Example:
        >>> augment(np.array([0.5]))
        array([[0.5, 1. ]])
    """
    columns = x[:, None] if x.ndim == 1 else x
    return np.concatenate([columns, np.ones((columns.shape[0], 1))], axis=1)


def parabola(points: int = 4) -> tuple[FloatArray, FloatArray]:
    """Equally spaced points of y = x^2 on [-1/2, 1/2].

    Args:
        points: number of points n, at least 2.

    Returns:
        Augmented inputs (n, 2) and targets (n,).

    Raises:
        ValueError: fewer than 2 points.

    Source:
        Luo et al., JMLR 2021, figures 2 to 4 and 6 use 4 points.

    Example:
        >>> parabola()[1]
        array([0.25      , 0.02777778, 0.02777778, 0.25      ])
    """
    if points < 2:
        raise ValueError(f"points = {points} is not allowed: it must be at least 2")
    x = np.linspace(-0.5, 0.5, points)
    return augment(x), x**2


def tanh_steps(shift: float = 7.0, points: int = 50) -> tuple[FloatArray, FloatArray]:
    """Three equal steps, y = tanh(x - shift) + tanh(x) + tanh(x + shift), on equally spaced points of [-15, 15].

    Args:
        shift: distance of the outer steps from 0.
        points: number of points n, at least 2.

    Returns:
        Inputs (n,) and targets (n,).

    Raises:
        ValueError: fewer than 2 points.

    Source:
        Inferred, for Zhang, Zhang, Luo, Xu, NeurIPS 2021, which shows its one-dimensional data without a formula: with
        a shift of 7 the narrow minima have the losses that the paper prints.

    Example:
        >>> tanh_steps(points=3)[1].round(4)
        array([-3.,  0.,  3.])
    """
    if points < 2:
        raise ValueError(f"points = {points} is not allowed: it must be at least 2")
    x = np.linspace(-15.0, 15.0, points)
    return x, np.tanh(x - shift) + np.tanh(x) + np.tanh(x + shift)
