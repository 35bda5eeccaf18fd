"""Linear, critical or condensed: relative distance, its growth with the width, and where the growth changes sign."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from condensation_lab.initialise import FloatArray


def relative_distance(start: FloatArray, end: FloatArray) -> float:
    """How far weights moved: RD = |theta(T) - theta(0)| / |theta(0)|, Frobenius norms over all neurons.

    Args:
        start: weights at initialisation, any shape.
        end: weights at the end, same shape.

    Returns:
        The relative distance, dimensionless.

    Raises:
        ValueError: shapes differ, or the start is all zero.

    Source:
        Luo et al., JMLR 2021, section 4.

    Example:
        >>> relative_distance(np.array([3.0, 4.0]), np.array([3.0, 9.0]))
        1.0
    """
    if start.shape != end.shape:
        raise ValueError(f"shapes {start.shape} and {end.shape} differ: start and end must be the same weights")
    norm = float(np.linalg.norm(start))
    if norm == 0:
        raise ValueError("the start is all zero: a relative distance needs a start of positive norm")
    return float(np.linalg.norm(end - start)) / norm


@dataclass(frozen=True)
class PowerLaw:
    """Least-squares line through log values against log widths.

    Args:
        slope: exponent of the width.
        intercept: natural logarithm of the value at width 1.
        slope_error: standard error of the slope from the residuals; 0 for two widths.
    """

    slope: float
    intercept: float
    slope_error: float


def power_law(widths: FloatArray, values: FloatArray) -> PowerLaw:
    """Exponent S of value ~ width^S, with its standard error: S_w of the phase diagram for relative distances.

    Args:
        widths: widths m, (M,), at least two different ones, positive.
        values: values at each width, (M,), positive; NaN marks a run that failed and makes the slope NaN.

    Returns:
        The fitted line.

    Raises:
        ValueError: fewer than two different widths, or a value that is zero or negative.

    Source:
        Luo et al., JMLR 2021, section 4 (S_w, figure 3).

    Example:
        >>> round(power_law(np.array([10.0, 100.0, 1000.0]), np.array([1.0, 10.0, 100.0])).slope, 12)
        1.0
    """
    m, v = np.asarray(widths, dtype=float), np.asarray(values, dtype=float)
    if len(np.unique(m)) < 2:
        raise ValueError(f"widths = {m.tolist()} are not allowed: a slope needs at least two different widths")
    if (v <= 0).any():
        raise ValueError("a value is zero or negative: a power law needs positive values")
    x, y = np.log(m), np.log(v)
    centred = x - x.mean()
    slope = float(centred @ y / (centred @ centred))
    intercept = float(y.mean() - slope * x.mean())
    freedom = len(x) - 2
    squares = float(((y - intercept - slope * x) ** 2).sum())
    error = float(np.sqrt(squares / freedom / (centred @ centred))) if freedom > 0 else 0.0
    return PowerLaw(slope, intercept, error)


def zero_crossings(x: FloatArray, values: FloatArray) -> list[float]:
    """Where a sampled function crosses zero, by linear interpolation between neighbours.

    Args:
        x: increasing sample points, (N,).
        values: function values, (N,); a pair with a NaN is skipped.

    Returns:
        All crossings in increasing order; empty if the sign never changes.

    Raises:
        ValueError: lengths differ or x does not increase.

    Source:
        Luo et al., JMLR 2021, figure 4 (zeros of S_w by linear interpolation in gamma).

    Example:
        >>> zero_crossings(np.array([0.0, 1.0, 2.0]), np.array([-1.0, 1.0, 3.0]))
        [0.5]
    """
    if len(x) != len(values) or (np.diff(x) <= 0).any():
        raise ValueError("x must increase and have one value each")
    found = [float(point) for point, value in zip(x, values, strict=True) if value == 0]
    for left, right, low, high in zip(x[:-1], x[1:], values[:-1], values[1:], strict=True):
        if low * high < 0:
            found.append(float(left + (right - left) * low / (low - high)))
    return sorted(found)


def boundary(gamma_prime: FloatArray) -> FloatArray:
    """The critical line of the two-layer phase diagram: gamma = 1 for gamma_prime <= 0, else 1 + gamma_prime.

    Args:
        gamma_prime: any shape.

    Returns:
        The gamma of the line, same shape.

    Source:
        Luo et al., JMLR 2021, theorems 6 and 8.

    Example:
        >>> boundary(np.array([-0.4, 0.3])).tolist()
        [1.0, 1.3]
    """
    return np.asarray(1.0 + np.maximum(np.asarray(gamma_prime, dtype=float), 0.0))


def regime(gamma: float, gamma_prime: float) -> str:
    """Regime of a point of the two-layer phase diagram in the limit of infinite width.

    Args:
        gamma: order of 1/kappa in the width.
        gamma_prime: order of 1/kappa_prime in the width.

    Returns:
        "linear", "critical" or "condensed".

    Source:
        Luo et al., JMLR 2021, theorems 6 and 8.

    Example:
        >>> regime(1.75, 0.0), regime(0.5, 0.5), regime(1.0, 0.0)
        ('condensed', 'linear', 'critical')
    """
    line = float(boundary(np.array(gamma_prime)))
    if abs(gamma - line) < 1e-12:
        return "critical"
    return "condensed" if gamma > line else "linear"


def predicted_slope(gamma: FloatArray, gamma_prime: FloatArray) -> FloatArray:
    """Exponent of RD(theta_w) in the width that a scaling argument gives in each region.

    gamma <= 1: (gamma - 1) - 2 max(gamma_prime, 0). Above, on the linear side: 2 (gamma - 1 - gamma_prime).
    Condensed: min(gamma - 1, (gamma - 1 - gamma_prime) / 2).

    Args:
        gamma: order of 1/kappa in the width, any shape.
        gamma_prime: order of 1/kappa_prime in the width, broadcast against gamma.

    Returns:
        The exponent, dimensionless.

    Source:
        Our own scaling argument, consistent with the bounds in theorems 6 and 8 of Luo et al. (JMLR 2021); the paper
        states only the bounds and the zero line.

    Example:
        >>> predicted_slope(np.array([0.5, 1.0, 1.75]), np.array(0.0)).tolist()
        [-0.5, 0.0, 0.375]
    """
    g, p = np.broadcast_arrays(np.asarray(gamma, dtype=float), np.asarray(gamma_prime, dtype=float))
    below = (g - 1) - 2 * np.maximum(p, 0)
    linear = 2 * (g - 1 - p)
    condensed = np.minimum(g - 1, (g - 1 - p) / 2)
    return np.asarray(np.where(g <= 1, below, np.where(p > g - 1, linear, condensed)))
