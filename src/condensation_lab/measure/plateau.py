"""Plateaus of a loss curve: where training stays longest at one level."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from condensation_lab.initialise import FloatArray


class Plateau(NamedTuple):
    """A stretch of recorded steps, as indices of its first and last one."""

    first: int
    last: int


def longest_plateau(steps: NDArray[np.int64], loss: FloatArray, within: float = 0.05) -> Plateau:
    """The longest stretch, in factors of the step, over which the loss changes by less than a given share.

    The stretch in which training begins, before the loss has fallen by that share, does not count: every small
    initialisation starts with it.

    Args:
        steps: recorded steps, (R,), increasing.
        loss: positive losses there, (R,); a stretch ends where it is NaN.
        within: allowed ratio of the largest to the smallest loss of the stretch, minus 1.

    Returns:
        The stretch.

    Raises:
        ValueError: the loss never falls by the share.

    Example:
        >>> longest_plateau(np.array([0, 1, 10, 100, 1000, 1100]), np.array([5.0, 2.0, 1.02, 1.0, 0.99, 0.2]))
        Plateau(first=2, last=4)
    """
    fallen = np.flatnonzero(loss < loss[0] / (1 + within))
    if fallen.size == 0:
        raise ValueError(f"the loss never falls by a share of {within:g}: there is no plateau after the start")
    best, length = Plateau(int(fallen[0]), int(fallen[0])), 1.0
    for first in range(int(fallen[0]), steps.size):
        low = np.minimum.accumulate(loss[first:])
        high = np.maximum.accumulate(loss[first:])
        last = first + int(np.argmin(np.append(high <= low * (1 + within), False))) - 1  # NaN ends it too
        if last > first and steps[last] / max(steps[first], 1) > length:
            best, length = Plateau(first, last), steps[last] / max(steps[first], 1)
    return best
