"""The two-layer ReLU network f(x) = scale * sum_k a_k relu(w_k . x), as plain arrays."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from condensation_lab.initialise import FloatArray, Scaling, draw_normal


@dataclass(frozen=True)
class TwoLayer:
    """Parameters of a two-layer ReLU network and the mobility of each layer.

    Gradient flow moves each layer by its mobility: da/dt = -mobility_a dR/da, dw/dt = -mobility_w dR/dw, with the
    risk R = 1/(2n) sum_i (f(x_i) - y_i)^2. Raw parameters have mobilities 1; the normalised parameters
    a / beta_1 and w / beta_2 have 1 / kappa_prime and kappa_prime.

    Args:
        a: output weights, (m,).
        w: input weights with the bias as last row, (d, m).
        scale: factor in front of the sum, 1/alpha or kappa.
        mobility_a: mobility of the output weights.
        mobility_w: mobility of the input weights.

    Raises:
        ValueError: shapes do not fit, or a value is not finite.

    Source:
        Luo et al., JMLR 2021, section 3.
    """

    a: FloatArray
    w: FloatArray
    scale: float = 1.0
    mobility_a: float = 1.0
    mobility_w: float = 1.0

    def __post_init__(self) -> None:
        if self.a.ndim != 1 or self.w.ndim != 2 or self.w.shape[1] != self.a.shape[0] or self.a.shape[0] == 0:
            raise ValueError(f"a {self.a.shape} and w {self.w.shape} do not fit: they must be (m,) and (d, m), m >= 1")
        if not (np.isfinite(self.a).all() and np.isfinite(self.w).all()):
            raise ValueError("the weights hold a value that is not finite")
        for name in ("scale", "mobility_a", "mobility_w"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} = {value!r} is not allowed: it must be a positive finite number")

    @classmethod
    def normalised(cls, gamma: float, gamma_prime: float, width: int, input_dim: int, seed: int) -> TwoLayer:
        """Normalised network at a point of the phase diagram: all weights N(0, 1), kappa = m^-gamma in front.

        Args:
            gamma: order of 1/kappa in the width.
            gamma_prime: order of 1/kappa_prime in the width.
            width: number of hidden neurons m.
            input_dim: input dimension d with the constant 1.
            seed: non-negative seed.

        Returns:
            The network with mobilities (1/kappa_prime, kappa_prime).
        """
        a, w = draw_normal(width, input_dim, seed)
        kappa_prime = float(width) ** -gamma_prime
        return cls(a, w, float(width) ** -gamma, 1 / kappa_prime, kappa_prime)

    @classmethod
    def scaled(cls, scaling: Scaling, width: int, input_dim: int, seed: int) -> TwoLayer:
        """Network in its raw parameters, a ~ N(0, beta_1^2), w ~ N(0, beta_2^2), 1/alpha in front, mobilities 1.

        Args:
            scaling: alpha, beta_1, beta_2 at this width.
            width: number of hidden neurons m.
            input_dim: input dimension d with the constant 1.
            seed: non-negative seed; the same draws as `normalised`.

        Returns:
            The network.
        """
        a, w = draw_normal(width, input_dim, seed)
        return cls(scaling.beta_1 * a, scaling.beta_2 * w, 1 / scaling.alpha)

    @property
    def width(self) -> int:
        """Number of hidden neurons m."""
        return int(self.a.shape[0])

    def anti_symmetric(self) -> TwoLayer:
        """Twice as wide network whose output is exactly 0: the copy carries -a (anti-symmetric initialisation).

        Returns:
            Network of width 2m; the first m neurons are the original ones.

        Source:
            Luo et al., JMLR 2021, section 3 (ASI).
        """
        return replace(self, a=np.concatenate([self.a, -self.a]), w=np.concatenate([self.w, self.w], axis=1))

    def first(self, width: int) -> TwoLayer:
        """The sub-network of the first neurons, which is what anti-symmetric initialisation is measured on.

        Args:
            width: how many neurons to keep.

        Returns:
            Network of that width.

        Raises:
            ValueError: the network has fewer neurons, or none are to be kept.
        """
        if not 1 <= width <= self.width:
            raise ValueError(f"width = {width} is not allowed: the network has {self.width} neurons")
        return replace(self, a=self.a[:width], w=self.w[:, :width])

    def output(self, x: FloatArray) -> FloatArray:
        """f(x) = scale * sum_k a_k relu(w_k . x).

        Args:
            x: inputs with the constant 1 as last column, (n, d).

        Returns:
            Outputs, (n,).
        """
        return self.scale * (np.maximum(x @ self.w, 0.0) @ self.a)
