"""Scalings of two-layer networks and the point of the (gamma, gamma_prime) plane at which each sits.

The network is f(x) = (1/alpha) sum_k a_k sigma(w_k . x) with a_k ~ N(0, beta_1^2) and w_k ~ N(0, beta_2^2 I).
Its training dynamics depend on two numbers only, kappa = beta_1 beta_2 / alpha and kappa_prime = beta_1 / beta_2,
whose orders in the width m are the two coordinates of the phase diagram (Luo, Xu, Ma, Zhang, JMLR 2021, section 3).
Learning rates that differ between the layers fold into kappa_prime (`effective`). All of this is for gradient flow and
gradient descent: Adam rescales each coordinate's gradient, and the phase diagram says nothing about it.
"""

from __future__ import annotations

import math
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


def effective(scaling: Scaling, rate_a: float, rate_w: float) -> Scaling:
    """The scaling that trains alike with equal learning rates: layer-wise rates folded into kappa_prime.

    With da/dt = -rate_a dR/da and dw/dt = -rate_w dR/dw the normalised weights a / beta_1 and w / beta_2 move with
    mobilities rate_a / beta_1^2 and rate_w / beta_2^2. A common factor of the two only rescales time, by
    sqrt(rate_a rate_w); their ratio is the square of

        kappa_prime_effective = kappa_prime sqrt(rate_w / rate_a),

    and kappa stays. So the network follows, in rescaled time, the same path as one with equal rates and the scaling
    given here. If the rates grow as m^s_a and m^s_w, gamma_prime shifts by -(s_w - s_a) / 2.

    Args:
        scaling: alpha, beta_1, beta_2 at one width.
        rate_a: learning rate of the output weights, positive; only the ratio of the two matters.
        rate_w: learning rate of the input weights, positive.

    Returns:
        A scaling with the same alpha and kappa.

    Raises:
        ValueError: a rate is not a positive finite number.

    Source:
        Our derivation, by the normalisation of Luo et al. (JMLR 2021, section 3); the paper has equal rates.

    Example:
        >>> effective(Scaling(alpha=1.0, beta_1=0.01, beta_2=1.0), rate_a=0.01, rate_w=100.0).kappa_prime
        1.0
    """
    for name, value in (("rate_a", rate_a), ("rate_w", rate_w)):
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"{name} = {value!r} is not allowed: it must be a positive finite number")
    factor = (rate_w / rate_a) ** 0.25
    return Scaling(scaling.alpha, scaling.beta_1 * factor, scaling.beta_2 / factor)


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
