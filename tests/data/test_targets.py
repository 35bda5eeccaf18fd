"""One-dimensional targets."""

import numpy as np
import pytest

from condensation_lab.data.targets import augment, parabola


def test_the_papers_four_points():
    x, y = parabola()
    assert x[:, 0] == pytest.approx([-0.5, -1 / 6, 1 / 6, 0.5])
    assert (x[:, 1] == 1).all()
    assert y == pytest.approx([0.25, 1 / 36, 1 / 36, 0.25])


def test_augment_keeps_the_columns_it_is_given():
    assert np.array_equal(augment(np.array([[1.0, 2.0]])), [[1.0, 2.0, 1.0]])


def test_one_point_is_refused():
    with pytest.raises(ValueError, match="points = 1 is not allowed: it must be at least 2"):
        parabola(1)
