"""The networks that the page's playground starts from, drawn bit by bit as its JavaScript draws them."""

from __future__ import annotations

import math

import numpy as np

from condensation_lab.initialise import FloatArray, Scaling
from condensation_lab.models.two_layer import TwoLayer

_LARGEST = 0xFFFFFFFF


class PageGenerator:
    """Random numbers of a page: the twin of `generator` in interactive/net.js.

    sfc32, warmed up for 20 rounds; a uniform number takes two draws (53 bits), normal numbers come in pairs by the
    method of Box and Muller.

    Args:
        seed: 0 to 2^32 - 1.
        stream: which of the seed's sequences: 0 draws weights, 1 dropout masks.

    Raises:
        ValueError: the seed is out of range.

    Example:
        >>> PageGenerator(0, 0).integer()
        4208506024
    """

    def __init__(self, seed: int, stream: int) -> None:
        if not 0 <= seed <= _LARGEST:
            raise ValueError(f"seed = {seed} is not allowed: it must be from 0 to {_LARGEST}")
        self._state = (0, stream, seed, 1)
        self._spare: float | None = None
        for _ in range(20):
            self.integer()

    def integer(self) -> int:
        """Draw an integer from 0 to 2^32 - 1."""
        a, b, c, counter = self._state
        mixed = (a + b + counter) & _LARGEST
        rotated = ((c << 21) | (c >> 11)) & _LARGEST
        self._state = (b ^ (b >> 9), (c + (c << 3)) & _LARGEST, (rotated + mixed) & _LARGEST, (counter + 1) & _LARGEST)
        return mixed

    def uniform(self) -> float:
        """Draw a number in [0, 1) with 53 random bits."""
        return ((self.integer() >> 5) * 67108864 + (self.integer() >> 6)) / 9007199254740992

    def normal(self, count: int) -> FloatArray:
        """Draw standard normal numbers.

        Args:
            count: how many.

        Returns:
            The numbers, (count,), in the order in which the page draws them.
        """
        drawn = np.empty(count)
        for place in range(count):
            if self._spare is not None:
                drawn[place], self._spare = self._spare, None
                continue
            radius = math.sqrt(-2 * math.log(1 - self.uniform()))
            angle = 2 * math.pi * self.uniform()
            drawn[place], self._spare = radius * math.cos(angle), radius * math.sin(angle)
        return drawn


def page_scaling(gamma: float, gamma_prime: float, width: int) -> Scaling:
    """The scaling with alpha = 1 that realises a point of the phase diagram at one width.

    beta_1 = m^-(gamma + gamma_prime)/2 and beta_2 = m^-(gamma - gamma_prime)/2. For ReLU it gives the same run as every
    other realisation; for activations that are not homogeneous, small weights are small in this one.

    Args:
        gamma: order of 1/kappa in the width, dimensionless.
        gamma_prime: order of 1/kappa_prime in the width, dimensionless.
        width: number of hidden neurons m.

    Returns:
        The `Scaling` at that width.

    Example:
        >>> page_scaling(1.0, 0.0, 100)
        Scaling(alpha=1.0, beta_1=0.1, beta_2=0.1)
    """
    m = float(width)
    return Scaling(1.0, m ** (-(gamma + gamma_prime) / 2), m ** (-(gamma - gamma_prime) / 2))


def page_network(seed: int, width: int, scaling: Scaling) -> TwoLayer:
    """The network with one input that the playground draws from a seed, in its raw parameters.

    Args:
        seed: 0 to 2^32 - 1.
        width: number of hidden neurons m.
        scaling: alpha, beta_1 and beta_2.

    Returns:
        The network; w has the weight in row 0 and the bias in row 1.

    Raises:
        ValueError: seed or width is out of range.

    Example:
        >>> page_network(0, 2, page_scaling(0.0, 0.0, 2)).a.round(6).tolist()
        [0.536381, 2.742864]
    """
    if width < 1:
        raise ValueError(f"width = {width} is not allowed: it must be at least 1")
    generator = PageGenerator(seed, 0)
    a, w, b = (generator.normal(width) for _ in range(3))
    return TwoLayer(scaling.beta_1 * a, scaling.beta_2 * np.stack([w, b]), 1 / scaling.alpha)
