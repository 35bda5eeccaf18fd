"""Named initialisations, with their learning rates, and their places in the phase diagram."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from condensation_lab.initialise.scaling import Scaling, effective, exponents


def _equal_rates(width: int) -> tuple[float, float]:
    return 1.0, 1.0


@dataclass(frozen=True)
class Scheme:
    """A named initialisation: its scaling and learning rates at each width, and its place in the phase diagram.

    Args:
        name: the name used in the field.
        scaling: function of (width, fan-in of the first layer without its bias) to the `Scaling` there.
        gamma: limit of gamma for the width to infinity at fixed input dimension.
        gamma_prime: limit of gamma_prime, likewise, with the learning rates folded in.
        rates: function of the width to the learning rates of output and input weights, up to a common factor.
        formula: all that in a line for readers.
        source: who says that it sits there.
    """

    name: str
    scaling: Callable[[int, int], Scaling]
    gamma: float
    gamma_prime: float
    rates: Callable[[int], tuple[float, float]] = _equal_rates
    formula: str = ""
    source: str = ""

    def place(self, width: int, fan_in: int) -> tuple[float, float]:
        """The point (gamma, gamma_prime) at one width, learning rates folded in; constants still show.

        Args:
            width: number of hidden neurons m, at least 2.
            fan_in: inputs of the first layer without its bias, at least 1.

        Returns:
            (gamma, gamma_prime), dimensionless.

        Raises:
            ValueError: the width is below 2.

        Example:
            >>> [round(value, 12) for value in named_scheme("muP").place(width=1000, fan_in=1)]
            [1.0, 0.0]
        """
        return exponents(effective(self.scaling(width, fan_in), *self.rates(width)), width)


SCHEMES: tuple[Scheme, ...] = tuple(
    Scheme(name, scaling, gamma, gamma_prime, formula=formula, source="Luo et al. (JMLR 2021), table 1")
    for name, scaling, gamma, gamma_prime, formula in (
        ("LeCun", lambda m, d: Scaling(1.0, m**-0.5, d**-0.5), 0.5, 0.5, "α = 1, β₁ = √(1/m), β₂ = √(1/d)"),
        ("He", lambda m, d: Scaling(1.0, (2 / m) ** 0.5, (2 / d) ** 0.5), 0.5, 0.5, "α = 1, β₁ = √(2/m), β₂ = √(2/d)"),
        (
            "Xavier",
            lambda m, d: Scaling(1.0, (2 / (m + 1)) ** 0.5, (2 / (m + d)) ** 0.5),
            1.0,
            0.0,
            "α = 1, β₁ = √(2/(m + 1)), β₂ = √(2/(m + d))",
        ),
        ("NTK", lambda m, d: Scaling(m**0.5, 1.0, 1.0), 0.5, 0.0, "α = √m, β₁ = β₂ = 1"),
        ("mean field", lambda m, d: Scaling(float(m), 1.0, 1.0), 1.0, 0.0, "α = m, β₁ = β₂ = 1"),
    )
)
"""Named schemes of table 1 of Luo et al. (JMLR 2021); `e_ma_wu` gives the one that is a whole line."""

FURTHER_SCHEMES: tuple[Scheme, ...] = (
    Scheme(
        "PyTorch default",
        lambda m, d: Scaling(1.0, (3 * m) ** -0.5, (3 * d) ** -0.5),
        0.5,
        0.5,
        formula="α = 1, β₁ = 1/√(3m), β₂ = 1/√(3d): uniform up to 1/√(fan-in), weights and biases",
        source="our derivation, by the spread of the draws",
    ),
    Scheme(
        "muP",
        lambda m, d: Scaling(1.0, 1 / m, d**-0.5),
        1.0,
        0.0,
        rates=lambda m: (1 / m, float(m)),
        formula="α = 1, β₁ = 1/m, β₂ = √(1/d); learning rates ∝ 1/m (output weights) and ∝ m (input weights)",
        source="our derivation, learning rates folded into γ′, checked by training",
    ),
)
"""Schemes that the paper's table lacks, placed by us.

PyTorch's default for `torch.nn.Linear` draws weights and biases uniformly with bound 1/sqrt(fan-in), so with standard
deviation 1/sqrt(3 fan-in); only the spread enters the exponents. muP (Yang and Hu, ICML 2021, with descent, not Adam)
in the form of layer-wise learning rates: its raw gamma_prime is 1, and the rates bring it to 0, the mean-field corner.
"""


def named_scheme(name: str) -> Scheme:
    """The scheme of that name, of the paper's table or ours.

    Args:
        name: one of the names in `SCHEMES` and `FURTHER_SCHEMES`.

    Returns:
        The scheme.

    Raises:
        ValueError: there is no scheme of that name.

    Example:
        >>> named_scheme("He").gamma_prime
        0.5
    """
    schemes = {scheme.name: scheme for scheme in SCHEMES + FURTHER_SCHEMES}
    if name not in schemes:
        raise ValueError(f"There is no scheme {name!r}; there are {', '.join(schemes)}.")
    return schemes[name]


def power_scheme(
    alpha: float = 0.0, beta_1: float = 0.0, beta_2: float = 0.0, rate_a: float = 0.0, rate_w: float = 0.0
) -> Scheme:
    """A scheme of pure powers of the width: alpha = m^p, beta_1 = m^-q, beta_2 = m^-r, learning rates m^s_a and m^s_w.

    It sits at gamma = p + q + r and gamma_prime = q - r - (s_w - s_a) / 2, at every width.

    Args:
        alpha: p, the order of the output scale.
        beta_1: q, the order of 1 / beta_1.
        beta_2: r, the order of 1 / beta_2.
        rate_a: s_a, the order of the output weights' learning rate.
        rate_w: s_w, the order of the input weights' learning rate.

    Returns:
        The scheme.

    Source:
        Luo et al. (JMLR 2021), section 3; the learning rates by `effective`.

    Example:
        >>> scheme = power_scheme(beta_1=1.0, rate_a=-1.0, rate_w=1.0)
        >>> scheme.gamma, scheme.gamma_prime
        (1.0, 0.0)
    """
    return Scheme(
        "own powers",
        lambda m, d: Scaling(float(m) ** alpha, float(m) ** -beta_1, float(m) ** -beta_2),
        alpha + beta_1 + beta_2,
        beta_1 - beta_2 - (rate_w - rate_a) / 2,
        rates=lambda m: (float(m) ** rate_a, float(m) ** rate_w),
    )


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
