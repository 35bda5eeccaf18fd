"""Gradient descent against the flow at three points of the map: the second route to every number of the study."""

import pytest

from condensation_lab.data.targets import parabola
from condensation_lab.measure.regime import relative_distance
from condensation_lab.models.two_layer import TwoLayer
from condensation_lab.train.descent import gradient_descent
from condensation_lab.train.flow import REASONS, gradient_flow

X, Y = parabola()
WIDTH = 1024


@pytest.mark.slow
@pytest.mark.parametrize(("gamma", "step"), [(0.5, 0.05), (1.0, 0.05), (1.75, 0.025)])
def test_flow_and_descent_agree_after_extrapolation(gamma, step):
    """Both err in first order where neurons cross a sample: descent of its step, the integrator of its tolerance."""
    start = TwoLayer.normalised(gamma, 0.0, WIDTH, 2, seed=0)

    def distance(result):
        assert result.reached
        return relative_distance(start.w, result.network.first(WIDTH).w)

    both = start.anti_symmetric()
    coarse, fine = (distance(gradient_descent(both, X, Y, step_fraction=c)) for c in (step, step / 2))
    rough, exact = (distance(gradient_flow(both, X, Y, tolerance=t)) for t in (0.02, 0.01))
    descent, flow = 2 * fine - coarse, 2 * exact - rough
    assert flow == pytest.approx(descent, rel=0.005)


def test_a_limit_on_steps_is_said():
    start = TwoLayer.normalised(1.75, 0.0, 50, 2, seed=0).anti_symmetric()
    assert gradient_descent(start, X, Y, max_steps=3).reason == REASONS[1]


@pytest.mark.parametrize("fraction", [0.0, -1.0, 1.5])
def test_a_step_fraction_out_of_range_is_refused(fraction):
    with pytest.raises(ValueError, match=f"step_fraction = {fraction} is not allowed"):
        gradient_descent(TwoLayer.normalised(1.0, 0.0, 10, 2, seed=0), X, Y, step_fraction=fraction)
