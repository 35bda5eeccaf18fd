"""Images that ship with a package."""

import numpy as np
import pytest

from condensation_lab.data.images import digits


def test_the_first_digits_with_their_labels():
    x, y = digits(45)
    assert x.shape == (45, 65)
    assert np.array_equal(y[:10], np.arange(10))
    assert x.min() == 0
    assert x.max() == 1
    assert (x[:, -1] == 1).all()


@pytest.mark.parametrize("count", [0, 1798])
def test_a_count_out_of_range_is_refused(count):
    with pytest.raises(ValueError, match=f"count = {count} is not allowed"):
        digits(count)
