"""The gradient-flow integrator: against a general ODE solver, its own finer steps, and the laws of the flow."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from condensation_lab.data.images import digits
from condensation_lab.data.targets import parabola
from condensation_lab.initialise import draw_normal, scaling_at
from condensation_lab.measure.regime import relative_distance
from condensation_lab.models.two_layer import TwoLayer
from condensation_lab.train.flow import REASONS, gradient_flow, in_threads

X, Y = parabola()


def start_at(gamma, gamma_prime=0.0, width=100, seed=0):
    return TwoLayer.normalised(gamma, gamma_prime, width, 2, seed).anti_symmetric()


def by_solver(network, time):
    """The flow by scipy's Runge-Kutta solver: nothing shared with the integrator but the equations."""
    m, d = network.width, network.w.shape[0]

    def velocity(_, state):
        a, w = state[:m], state[m:].reshape(d, m)
        h = X @ w
        residual = network.scale * np.maximum(h, 0) @ a - Y
        da = np.maximum(h, 0).T @ residual * network.scale / len(Y)
        dw = X.T @ (residual[:, None] * (h > 0) * a) * network.scale / len(Y)
        return np.concatenate([-network.mobility_a * da, (-network.mobility_w * dw).ravel()])

    begin = np.concatenate([network.a, network.w.ravel()])
    end = solve_ivp(velocity, (0, time), begin, method="RK23", rtol=1e-5, atol=1e-8).y[:, -1]
    return end[m:].reshape(d, m)


@pytest.mark.parametrize(("gamma", "gamma_prime"), [(0.5, 0.0), (1.0, 0.0), (1.2, 0.4), (1.5, -0.3)])
def test_it_ends_where_a_general_ode_solver_ends(gamma, gamma_prime):
    network = start_at(gamma, gamma_prime, width=30)
    result = gradient_flow(network, X, Y, tolerance=5e-4, stop_loss=1e-4)
    assert result.reached
    end = by_solver(network, result.time)
    assert relative_distance(end, result.network.w) < 0.01 * relative_distance(network.w, end)


def test_finer_tolerances_converge():
    """Neurons that cross a sample make single errors jump, so the median over seeds is what must fall."""

    def error(seed, tolerance):
        network = start_at(1.2, seed=seed)
        finest = gradient_flow(network, X, Y, tolerance=0.001).network.w
        end = gradient_flow(network, X, Y, tolerance=tolerance).network.w
        return relative_distance(finest, end) / relative_distance(network.w, finest)

    coarse, middle, fine = (np.median([error(seed, t) for seed in range(7)]) for t in (0.5, 0.1, 0.01))
    assert coarse > 1.5 * middle > 4 * fine
    assert fine < 0.005


def test_it_is_of_second_order_where_no_neuron_crosses_a_sample():
    """Neurons that stay active on all samples make the flow smooth: the error falls with the square of the steps."""
    a, w = draw_normal(40, 2, seed=0)
    start = TwoLayer(a, np.stack([0.3 * w[0], 4.0 + 0.3 * w[1]]), 1e-3).anti_symmetric()

    def run(tolerance):
        return gradient_flow(start, X, 0.2 + 0.5 * X[:, 0], tolerance=tolerance, stop_loss=1e-4)

    exact, coarse, fine = run(1e-4), run(0.3), run(0.003)
    assert (X @ exact.network.w > 0).all()
    errors = [relative_distance(exact.network.w, each.network.w) for each in (coarse, fine)]
    assert np.log(errors[0] / errors[1]) / np.log(fine.steps / coarse.steps) > 1.7


def test_numbers_beyond_all_bounds_are_said_to_be_not_finite():
    assert gradient_flow(start_at(1.0), X, Y * 1e200).reason == REASONS[2]
    huge = TwoLayer(np.full(3, 1e200), np.full((2, 3), 1e200))
    assert gradient_flow(huge, X, Y).reason == REASONS[2]


@pytest.mark.parametrize("gamma_prime", [-0.4, 0.0, 0.4])
def test_each_neuron_keeps_its_invariant(gamma_prime):
    """a^2 / mobility_a - |w|^2 / mobility_w stands still while both terms change."""
    network = start_at(1.4, gamma_prime)
    end = gradient_flow(network, X, Y, tolerance=0.005).network
    change_a = (end.a**2 - network.a**2) / network.mobility_a
    change_w = (end.w**2 - network.w**2).sum(axis=0) / network.mobility_w
    assert np.abs(change_a - change_w).max() < 0.005 * np.abs(change_a).max()


def test_raw_and_normalised_parameters_take_the_same_path():
    width = 60
    scaling = scaling_at(1.3, 0.3, width)
    raw = TwoLayer.scaled(scaling, width, 2, seed=1).anti_symmetric()
    normalised = start_at(1.3, 0.3, width, seed=1)
    end, other = gradient_flow(raw, X, Y), gradient_flow(normalised, X, Y)
    assert end.network.w / scaling.beta_2 == pytest.approx(other.network.w, rel=1e-7)
    assert end.time == pytest.approx(scaling.beta_1 * scaling.beta_2 * other.time, rel=1e-7)


@pytest.mark.parametrize(("gamma", "most"), [(0.5, 60), (1.0, 300), (1.75, 300)])
def test_stiffness_costs_no_steps(gamma, most):
    result = gradient_flow(start_at(gamma, width=20_000), X, Y)
    assert result.reached
    assert result.steps + result.rejected < most


def test_it_stops_at_the_loss_it_is_given_and_says_so():
    result = gradient_flow(start_at(1.0), X, Y, stop_loss=1e-3)
    residual = result.network.output(X) - Y
    assert np.mean(residual**2) == pytest.approx(result.loss, rel=1e-9)
    assert 0.5e-3 < result.loss <= 1.001e-3


def test_a_start_below_the_stop_does_not_move():
    network = start_at(1.0)
    assert gradient_flow(network, X, np.zeros(4), stop_loss=1e-6).steps == 0


def test_more_inputs_than_one_block_and_no_anti_symmetric_copy():
    x, y = digits(45)
    result = gradient_flow(TwoLayer.normalised(1.0, 0.0, 300, 65, 0), x, y, stop_loss=1e-3)
    assert result.reached
    assert np.mean((result.network.output(x) - y) ** 2) <= 1.001e-3


def test_permuting_neurons_permutes_the_result():
    network = start_at(1.2, width=300)
    order = np.random.default_rng(0).permutation(network.width)
    moved = TwoLayer(network.a[order], network.w[:, order], network.scale, network.mobility_a, network.mobility_w)
    expected = gradient_flow(network, X, Y).network.w[:, order]
    assert gradient_flow(moved, X, Y).network.w == pytest.approx(expected, rel=1e-6)


def test_a_dead_network_says_that_it_has_no_gradient():
    dead = TwoLayer(np.ones(3), np.array([[0.0, 0.0, 0.0], [-1.0, -1.0, -1.0]]))
    assert gradient_flow(dead, X, Y).reason == REASONS[3]


def test_a_limit_on_steps_is_said():
    assert gradient_flow(start_at(1.75), X, Y, max_steps=5).reason == REASONS[1]


def test_results_do_not_depend_on_the_number_of_threads():
    def train(seed):
        return gradient_flow(start_at(1.5, seed=seed), X, Y).network.w

    one, two = (in_threads(train, range(4), label="test", threads=threads) for threads in (1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_an_error_in_a_thread_reaches_the_caller():
    with pytest.raises(ZeroDivisionError):
        in_threads(lambda value: 1 / value, [1, 0, 2], label="test")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"x": np.ones((4, 3))}, "do not fit"),
        ({"y": np.ones(3)}, "do not fit"),
        ({"x": np.ones((0, 2)), "y": np.ones(0)}, "do not fit"),
        ({"y": np.array([1.0, 2.0, np.nan, 0.0])}, "not finite"),
        ({"tolerance": 0.0}, "tolerance = 0.0 is not allowed"),
        ({"stop_loss": -1.0}, "stop_loss = -1.0 is not allowed"),
        ({"max_steps": 0}, "max_steps = 0 is not allowed"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(change, said):
    arguments = {"x": X, "y": Y, **change}
    with pytest.raises(ValueError, match=said):
        gradient_flow(start_at(1.0), **arguments)
