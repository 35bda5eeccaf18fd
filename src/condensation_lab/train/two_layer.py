"""Training of two-layer networks by torch's autograd and optimisers: what the page's own trainer is held against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from condensation_lab.initialise import FloatArray
from condensation_lab.models.page_network import PageGenerator
from condensation_lab.models.two_layer import TwoLayer
from condensation_lab.train.descent import one_thread

if TYPE_CHECKING:
    import torch

ACTIVATIONS = ("relu", "tanh", "sigmoid", "softplus", "xtanh", "x2tanh")
"""Names of the activations; xtanh is x tanh x and x2tanh is x^2 tanh x."""
OPTIMISERS = ("descent", "adam")


def activation_function(name: str) -> Callable[[torch.Tensor], torch.Tensor]:
    """The torch function of an activation's name.

    Args:
        name: one of `ACTIVATIONS`.

    Returns:
        The function, applied entry by entry.

    Raises:
        ValueError: there is no such activation.
    """
    import torch

    functions: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
        "relu": torch.relu,
        "tanh": torch.tanh,
        "sigmoid": torch.sigmoid,
        # torch.nn.functional.softplus turns linear at 20, which is wrong by 2e-9 there
        "softplus": lambda z: torch.logaddexp(z, torch.zeros((), dtype=z.dtype)),
        "xtanh": lambda z: z * torch.tanh(z),
        "x2tanh": lambda z: z * z * torch.tanh(z),
    }
    if name not in functions:
        raise ValueError(f"activation = {name!r} is not allowed: it must be one of {', '.join(ACTIVATIONS)}")
    return functions[name]


@dataclass(frozen=True)
class Recipe:
    """How a two-layer network is trained.

    Args:
        activation: one of `ACTIVATIONS`.
        optimiser: "descent" or "adam" (torch's defaults but for the rate).
        rate: learning rate on the raw parameters a and w.
        keep_probability: probability with which dropout KEEPS a hidden neuron, whose output is then divided by it.
        seed: seed of the dropout masks, as in the page.

    Raises:
        ValueError: a value is out of range.
    """

    activation: str = "relu"
    optimiser: str = "descent"
    rate: float = 0.01
    keep_probability: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.activation not in ACTIVATIONS:
            raise ValueError(
                f"activation = {self.activation!r} is not allowed: it must be one of {', '.join(ACTIVATIONS)}"
            )
        if self.optimiser not in OPTIMISERS:
            raise ValueError(f"optimiser = {self.optimiser!r} is not allowed: it must be descent or adam")
        if not 0 < self.rate < float("inf"):
            raise ValueError(f"rate = {self.rate!r} is not allowed: it must be a positive finite number")
        if not 0 < self.keep_probability <= 1:
            raise ValueError(f"keep_probability = {self.keep_probability!r} is not allowed: it must be in (0, 1]")


class TwoLayerTrainer:
    """Full-batch training on R = 1/(2n) sum_i (f(x_i) - y_i)^2 in float64, one step a call.

    Args:
        network: start; its mobilities must be 1.
        x: inputs with the constant 1 as last column, (n, d).
        y: targets, (n,).
        recipe: activation, optimiser, rate and dropout.

    Raises:
        ValueError: the network has other mobilities than 1.
    """

    def __init__(self, network: TwoLayer, x: FloatArray, y: FloatArray, recipe: Recipe) -> None:
        import torch

        if (network.mobility_a, network.mobility_w) != (1.0, 1.0):
            raise ValueError("the network has mobilities other than 1: give it in its raw parameters")
        self._start, self.recipe = network, recipe
        self.a = torch.tensor(network.a, dtype=torch.float64, requires_grad=True)
        self.w = torch.tensor(network.w, dtype=torch.float64, requires_grad=True)
        self._x, self._y = torch.tensor(x, dtype=torch.float64), torch.tensor(y, dtype=torch.float64)
        kind = torch.optim.Adam if recipe.optimiser == "adam" else torch.optim.SGD
        self.optimiser: torch.optim.Optimizer = kind([self.a, self.w], lr=recipe.rate)
        self._activation = activation_function(recipe.activation)
        self._masks = PageGenerator(recipe.seed, 1)

    @property
    def network(self) -> TwoLayer:
        """The network as it stands."""
        return replace(self._start, a=self.a.detach().numpy().copy(), w=self.w.detach().numpy().copy())

    @property
    def loss(self) -> float:
        """Mean squared error of the whole network, without dropout and without the 1/2."""
        return float(((self._output(self._x, None).detach() - self._y) ** 2).mean())

    def output(self, x: FloatArray) -> FloatArray:
        """Outputs of the whole network as it stands, f(x) = scale * sum_k a_k sigma(w_k . x).

        Args:
            x: inputs with the constant 1 as last column, (n, d).

        Returns:
            Outputs, (n,).
        """
        import torch

        with torch.no_grad():
            found: FloatArray = self._output(torch.tensor(x, dtype=torch.float64), None).numpy()
        return found

    def _output(self, x: torch.Tensor, kept: torch.Tensor | None) -> torch.Tensor:
        hidden = self._activation(x @ self.w)
        return self._start.scale * (hidden @ (self.a if kept is None else self.a * kept))

    def step(self) -> None:
        """Take one step."""
        self.optimiser.zero_grad()
        residual = self._output(self._x, self._mask()) - self._y
        (0.5 * (residual**2).mean()).backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()

    def _mask(self) -> torch.Tensor | None:
        import torch

        keep = self.recipe.keep_probability
        if keep == 1:
            return None
        drawn = np.array([self._masks.integer() for _ in range(self._start.width)])
        return torch.tensor(np.where(drawn < keep * 2**32, 1 / keep, 0.0))


def train_two_layer(network: TwoLayer, x: FloatArray, y: FloatArray, recipe: Recipe, steps: int) -> TwoLayer:
    """Train a two-layer network for a number of full-batch steps.

    Args:
        network: start, in its raw parameters.
        x: inputs with the constant 1 as last column, (n, d).
        y: targets, (n,).
        recipe: activation, optimiser, rate and dropout.
        steps: how many.

    Returns:
        The trained network.

    Raises:
        ValueError: the network has mobilities other than 1.

    Example:
        >>> from condensation_lab.data.targets import parabola
        >>> from condensation_lab.models.page_network import page_network, page_scaling
        >>> start = page_network(0, 20, page_scaling(1.0, 0.0, 20))
        >>> x, y = parabola()
        >>> end = train_two_layer(start, x, y, Recipe(rate=0.5), steps=1000)
        >>> bool(((end.output(x) - y) ** 2).mean() < 1e-3)
        True
    """
    with one_thread():
        trainer = TwoLayerTrainer(network, x, y, recipe)
        for _ in range(steps):
            trainer.step()
        return trainer.network
