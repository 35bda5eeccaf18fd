"""Many small networks trained at once, as one tensor: full-batch descent or Adam in float64."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from condensation_lab.initialise import FloatArray
from condensation_lab.measure.landscape import Data, mean_squared_error
from condensation_lab.models.multilayer import Multilayer


@dataclass(frozen=True)
class Ensemble:
    """What K networks went through.

    Args:
        steps: recorded steps, (R,), the start (0) and the end included.
        loss: mean squared error there, (K, R); NaN from the step on at which a network diverged.
        vectors: parameters there, (K, R, P).
    """

    steps: NDArray[np.int64]
    loss: FloatArray
    vectors: FloatArray


def train_ensemble(
    starts: Sequence[Multilayer],
    data: Data,
    *,
    optimiser: Literal["descent", "adam"],
    learning_rate: float,
    steps: int,
    records: int = 200,
) -> Ensemble:
    """Train networks of one shape on the same samples, each by itself.

    Args:
        starts: initial networks, all of one shape and activation.
        data: samples.
        optimiser: full-batch gradient descent, or Adam with torch's default moments.
        learning_rate: positive.
        steps: steps to take.
        records: how many steps are recorded, evenly in the logarithm of the step.

    Returns:
        Losses and parameters at the recorded steps.

    Raises:
        ValueError: there is no network, or shapes differ.
    """
    if len({(start.widths, tuple(b is None for b in start.biases), start.activation) for start in starts}) != 1:
        raise ValueError("an ensemble needs at least one network, all of one shape and activation")
    kept = np.unique(np.round(np.geomspace(1, steps + 1, records)).astype(int) - 1)
    vectors = torch.from_numpy(np.stack([start.vector() for start in starts])).requires_grad_()
    kind = torch.optim.Adam if optimiser == "adam" else torch.optim.SGD
    update = kind([vectors], lr=learning_rate)
    losses: list[FloatArray] = []
    seen: list[FloatArray] = []
    for step in range(steps + 1):
        update.zero_grad()
        loss = mean_squared_error(starts[0], vectors, data)
        if step == kept[len(losses)]:
            losses.append(loss.detach().numpy().copy())
            seen.append(vectors.detach().numpy().copy())
        if step < steps:
            torch.autograd.backward(loss.sum())
            update.step()
    table = np.stack(losses, axis=1)
    return Ensemble(kept, np.where(np.isfinite(table), table, np.nan), np.stack(seen, axis=1))
