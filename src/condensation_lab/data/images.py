"""Small image data sets that ship with a package, so that no page needs a download."""

from __future__ import annotations

import numpy as np

from condensation_lab.data.targets import augment
from condensation_lab.initialise import FloatArray


def digits(count: int = 45) -> tuple[FloatArray, FloatArray]:
    """First handwritten digits of scikit-learn's set (8 x 8 pixels), with the digit itself as scalar target.

    Args:
        count: number of images n, 1 to 1797.

    Returns:
        Inputs in [0, 1] with the constant 1 as last column, (n, 65), and targets 0 to 9, (n,).

    Raises:
        ValueError: count is out of range.

    Source:
        Stands in for MNIST in Luo et al., JMLR 2021, figures 5 and 7, whose script also uses the first 45 images.
    """
    from sklearn.datasets import load_digits

    if not 1 <= count <= 1797:
        raise ValueError(f"count = {count} is not allowed: it must be between 1 and 1797")
    bundle = load_digits()
    return augment(np.asarray(bundle.data[:count], dtype=float) / 16.0), np.asarray(bundle.target[:count], dtype=float)
