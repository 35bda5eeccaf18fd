"""The papers' targets: named, sourced, and made by their formulas."""

import numpy as np

from condensation_lab.data.paper_targets import PAPER_TARGETS
from condensation_lab.data.targets import parabola, tanh_steps


def test_every_target_has_ordered_inputs_finite_values_and_a_source():
    for name, target in PAPER_TARGETS.items():
        assert (np.diff(target.x) > 0).all(), name
        assert target.x.shape == target.y.shape
        assert np.isfinite(target.y).all()
        assert target.title
        assert target.source
        points = target.title.rsplit(", ", 1)[1]
        assert points == f"{target.x.size} points"


def test_formulas_at_points_done_by_hand():
    waves, ramps, steps = (PAPER_TARGETS[name] for name in ("three-waves", "two-ramps", "two-steps"))
    quarter = np.isclose(waves.x, np.pi / 2)
    np.testing.assert_allclose(waves.y[quarter], 1 - 1 + 1)
    np.testing.assert_allclose(ramps.y, [2 / 3, 1 / 3, 0, 0, 1 / 3, 2 / 3], atol=1e-15)
    assert abs(steps.y[7]) < 1e-12
    np.testing.assert_allclose(steps.y[-1], np.tanh(6) + np.tanh(18))
    sines = PAPER_TARGETS["two-sines"]
    np.testing.assert_allclose(sines.y[0], -np.sin(3) - np.sin(6) / 2)


def test_the_steps_and_the_parabola_are_the_studies_own():
    np.testing.assert_array_equal(PAPER_TARGETS["three-steps"].y, tanh_steps()[1])
    np.testing.assert_array_equal(PAPER_TARGETS["parabola"].y, parabola()[1])
