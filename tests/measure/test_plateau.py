"""Plateaus of loss curves made by hand."""

import numpy as np
import pytest

from condensation_lab.measure.plateau import longest_plateau


def test_the_longest_stretch_counts_in_factors_of_the_step():
    steps = np.array([0, 1, 2, 3, 4, 50, 100, 200])
    loss = np.array([9.0, 2.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.5])
    assert longest_plateau(steps, loss) == (5, 7)  # 4 times the step; the first one is 2 times


def test_the_flat_beginning_and_what_follows_a_failure_do_not_count():
    steps = np.array([0, 10, 100, 1000, 2000, 3000])
    assert longest_plateau(steps, np.array([5.0, 5.0, 5.0, 1.0, 1.0, np.nan])) == (3, 4)
    with pytest.raises(ValueError, match="the loss never falls by a share"):
        longest_plateau(steps, np.full(6, 5.0))
