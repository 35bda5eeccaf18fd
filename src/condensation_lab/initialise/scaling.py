"""Initialisation scalings of two-layer networks and where they sit in the (gamma, gamma_prime) plane.

The network is f(x) = (1/alpha) sum_k a_k sigma(w_k . x) with a_k ~ N(0, beta_1^2) and w_k ~ N(0, beta_2^2 I).
Its training dynamics depend on two numbers only, kappa = beta_1 beta_2 / alpha and kappa_prime = beta_1 / beta_2,
whose orders in the width m are the two coordinates of the phase diagram (Luo, Xu, Ma, Zhang, JMLR 2021, section 3).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Scaling:
    """Output scale and standard deviations of a two-layer network at one width.

    Args:
        alpha: output scale, f = (1/alpha) sum_k a_k sigma(w_k . x); positive, dimensionless.
        beta_1: standard deviation of the output weights a_k; positive.
        beta_2: standard deviation of the entries of the input weights w_k; positive.

    Raises:
        ValueError: a value is not a positive finite number.
    """

    alpha: float
    beta_1: float
    beta_2: float

    def __post_init__(self) -> None:
        for name in ("alpha", "beta_1", "beta_2"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} = {value!r} is not allowed: it must be a positive finite number")

    @property
    def kappa(self) -> float:
        """The size of one neuron's contribution to the output, kappa = beta_1 beta_2 / alpha."""
        return self.beta_1 * self.beta_2 / self.alpha

    @property
    def kappa_prime(self) -> float:
        """Which layer is larger and so moves relatively less, kappa_prime = beta_1 / beta_2."""
        return self.beta_1 / self.beta_2


def scaling_at(gamma: float, gamma_prime: float, width: int) -> Scaling:
    """The scaling with beta_2 = 1 that realises a point of the phase diagram at one width.

    kappa = m^-gamma and kappa_prime = m^-gamma_prime, that is beta_1 = m^-gamma_prime, alpha = beta_1 m^gamma.

    Args:
        gamma: order of 1/kappa in the width, dimensionless.
        gamma_prime: order of 1/kappa_prime in the width, dimensionless.
        width: number of hidden neurons m, at least 2.

    Returns:
        The `Scaling` at that width.

    Raises:
        ValueError: the width is below 2, where an order in the width has no meaning.

    Source:
        Luo et al., JMLR 2021, section 3.

    Example:
        >>> scaling_at(gamma=1.0, gamma_prime=0.0, width=100)
        Scaling(alpha=100.0, beta_1=1.0, beta_2=1.0)
    """
    _require_width(width)
    beta_1 = float(width) ** -gamma_prime
    return Scaling(alpha=beta_1 * float(width) ** gamma, beta_1=beta_1, beta_2=1.0)


def exponents(scaling: Scaling, width: int) -> tuple[float, float]:
    """The point (gamma, gamma_prime) at which a scaling sits at one width.

    gamma = -log kappa / log m and gamma_prime = -log kappa_prime / log m. The phase diagram uses their limits for
    m to infinity; at a finite width constants such as the 2 of He's variance still show.

    Args:
        scaling: the scaling at this width.
        width: number of hidden neurons m, at least 2.

    Returns:
        (gamma, gamma_prime), dimensionless.

    Raises:
        ValueError: the width is below 2.

    Source:
        Luo et al., JMLR 2021, section 3.

    Example:
        >>> gamma, gamma_prime = exponents(Scaling(alpha=100.0, beta_1=1.0, beta_2=1.0), width=10_000)
        >>> round(gamma, 12), round(gamma_prime, 12)
        (0.5, 0.0)
    """
    _require_width(width)
    log_width = math.log(width)
    # + 0.0 turns the -0.0 of an exact 1 into 0.0
    return -math.log(scaling.kappa) / log_width + 0.0, -math.log(scaling.kappa_prime) / log_width + 0.0


@dataclass(frozen=True)
class Scheme:
    """A named initialisation: its scaling at each width and its place in the phase diagram.

    Args:
        name: the name used in the field.
        scaling: function of (width, input_dim) to the `Scaling` there.
        gamma: limit of gamma for the width to infinity at fixed input dimension.
        gamma_prime: limit of gamma_prime, likewise.
    """

    name: str
    scaling: Callable[[int, int], Scaling]
    gamma: float
    gamma_prime: float


SCHEMES: tuple[Scheme, ...] = (
    Scheme("LeCun", lambda m, d: Scaling(1.0, m**-0.5, d**-0.5), 0.5, 0.5),
    Scheme("He", lambda m, d: Scaling(1.0, (2 / m) ** 0.5, (2 / d) ** 0.5), 0.5, 0.5),
    Scheme("Xavier", lambda m, d: Scaling(1.0, (2 / (m + 1)) ** 0.5, (2 / (m + d)) ** 0.5), 1.0, 0.0),
    Scheme("NTK", lambda m, d: Scaling(m**0.5, 1.0, 1.0), 0.5, 0.0),
    Scheme("mean field", lambda m, d: Scaling(float(m), 1.0, 1.0), 1.0, 0.0),
)
"""Named schemes of table 1 of Luo et al. (JMLR 2021); `e_ma_wu` gives the one that is a whole line."""


def e_ma_wu(exponent: float) -> Scheme:
    """The scheme of E, Ma and Wu: alpha = 1, beta_2 = 1, beta_1 = m^-exponent, on the line gamma = gamma_prime.

    Args:
        exponent: order of 1/beta_1 in the width, dimensionless.

    Returns:
        The scheme at (exponent, exponent), inside the linear regime for every exponent.

    Source:
        Luo et al., JMLR 2021, table 1.

    Example:
        >>> e_ma_wu(0.5).gamma
        0.5
    """
    return Scheme("E-Ma-Wu", lambda m, d: Scaling(1.0, float(m) ** -exponent, 1.0), exponent, exponent)


def draw_normal(width: int, input_dim: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Standard normal weights of a two-layer network.

    The stream depends on the seed and the width alone, so that all points of a phase diagram share their draws and
    a map over (gamma, gamma_prime) is smooth.

    Args:
        width: number of hidden neurons m, at least 1.
        input_dim: input dimension d, counting the constant 1 that carries the bias; at least 1.
        seed: non-negative seed.

    Returns:
        Output weights (m,) and input weights (d, m), entries N(0, 1).

    Raises:
        ValueError: width, input_dim or seed is out of range.
    """
    for name, value, least in (("width", width, 1), ("input_dim", input_dim, 1), ("seed", seed, 0)):
        if value < least:
            raise ValueError(f"{name} = {value} is not allowed: it must be at least {least}")
    generator = np.random.default_rng([seed, width])
    return generator.standard_normal(width), generator.standard_normal((input_dim, width))


def _require_width(width: int) -> None:
    if width < 2:
        raise ValueError(f"width = {width} is not allowed: an order in the width needs a width of at least 2")
