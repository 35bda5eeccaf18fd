"""Critical points of the loss, found to rounding error: least squares first, then Newton on the gradient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from scipy.optimize import least_squares

from condensation_lab.measure.landscape import Data, gradient, hessian, loss
from condensation_lab.models.multilayer import Multilayer, forward

RUNAWAY = 1e3  # norm of the parameters beyond which a point lies on its way to infinity


class CriticalPointError(RuntimeError):
    """No critical point was reached; the message says how the search ended."""


@dataclass(frozen=True)
class CriticalPoint:
    """A point of vanishing gradient.

    Args:
        network: its parameters.
        loss: mean squared error there.
        gradient_l1: sum of the absolute values of the gradient's entries.
        steps: Newton steps that were taken.
    """

    network: Multilayer
    loss: float
    gradient_l1: float
    steps: int


def local_minimum(start: Multilayer, data: Data) -> Multilayer:
    """Descend by least squares (trust region with the exact Jacobian), as far as the loss can tell.

    Args:
        start: where to begin.
        data: samples.

    Returns:
        The network; its gradient is about the square root of rounding error, which `polish` brings down.
    """
    x, y = torch.as_tensor(data.x), torch.as_tensor(data.y)

    def residual(vector: torch.Tensor) -> torch.Tensor:
        return (forward(start, vector, x) - y).ravel()

    jacobian = torch.func.jacrev(residual)
    found = least_squares(
        lambda v: residual(torch.from_numpy(v)).numpy(),
        start.vector(),
        jac=lambda v: jacobian(torch.from_numpy(v)).numpy(),
        xtol=1e-14,
        ftol=1e-14,
        gtol=1e-14,
        max_nfev=2000,
    )
    return start.at(found.x)


def polish(start: Multilayer, data: Data, *, gradient_l1: float = 1e-13, max_steps: int = 100) -> CriticalPoint:
    """Newton's method on the gradient, damped, which finds minima and saddles alike.

    A step solves H d = -g by least squares, so that flat directions are left alone, and is halved until the gradient's
    L1 norm falls. Directions whose eigenvalue is below 1e-10 of the largest count as flat.

    Args:
        start: near a critical point.
        data: samples.
        gradient_l1: the L1 norm of the gradient that counts as zero.
        max_steps: steps after which the search gives up.

    Returns:
        The critical point.

    Raises:
        CriticalPointError: the gradient stays larger, or the parameters run away (norm above `RUNAWAY`).
    """
    network, g = start, gradient(start, data)
    for steps in range(max_steps):
        size = float(np.abs(g).sum())
        if np.linalg.norm(network.vector()) > RUNAWAY:
            raise CriticalPointError(f"the parameters run away: their norm is above {RUNAWAY:g} after {steps} steps")
        if size <= gradient_l1:
            return CriticalPoint(network, loss(network, data), size, steps)
        step = -np.linalg.lstsq(hessian(network, data), g, rcond=1e-10)[0]
        for halvings in range(40):
            trial = network.at(network.vector() + step / 2**halvings)
            trial_g = gradient(trial, data)
            if np.abs(trial_g).sum() < size:
                network, g = trial, trial_g
                break
        else:
            raise CriticalPointError(f"the gradient's L1 norm stays at {size:.3g}, above {gradient_l1:g}")
    raise CriticalPointError(f"the gradient's L1 norm is {np.abs(g).sum():.3g} after {max_steps} steps")


def minima(
    widths: tuple[int, ...],
    data: Data,
    *,
    starts: int,
    seed: int,
    std: float = 1.0,
    activation: str = "tanh",
) -> list[CriticalPoint]:
    """Critical points met from random starts, by ascending loss; runaway searches are left out.

    Args:
        widths: of the network, m_0, ..., m_L.
        data: samples.
        starts: random starts, N(0, std^2).
        seed: non-negative seed.
        std: of the starts.
        activation: name of the activation.

    Returns:
        The points that were reached, at most one a start.
    """
    found: list[CriticalPoint] = []
    for start in range(starts):
        network = Multilayer.draw(widths, std, seed * starts + start, activation=activation)
        try:
            found.append(polish(local_minimum(network, data), data))
        except CriticalPointError:
            continue
    return sorted(found, key=lambda point: point.loss)
