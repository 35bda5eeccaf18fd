"""Full-batch gradient descent through torch's autograd: the second route to what the flow integrator gives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from condensation_lab.initialise import FloatArray
from condensation_lab.models.two_layer import TwoLayer
from condensation_lab.train.flow import REASONS, FlowResult


def gradient_descent(
    network: TwoLayer,
    x: FloatArray,
    y: FloatArray,
    *,
    step_fraction: float = 0.1,
    stop_loss: float = 1e-6,
    max_steps: int = 1_000_000,
) -> FlowResult:
    r"""Gradient descent on R = 1/(2n) sum_i (f(x_i) - y_i)^2 with a step that stays small everywhere.

    Each layer moves by -h * mobility * dR/dlayer with
    h = step_fraction * min(1 / trace G, min over layers of |layer| / |velocity of the layer|), G the tangent kernel.
    Its error against the flow is of first order in step_fraction, so two fractions extrapolate to the flow.

    Args:
        network: start, weights (m,) and (d, m).
        x: inputs with the constant 1 as last column, (n, d).
        y: targets, (n,).
        step_fraction: the constant above, in (0, 1].
        stop_loss: mean squared error at which to stop.
        max_steps: limit on the number of steps.

    Returns:
        The end of the run; `time` is the sum of the steps.

    Raises:
        ValueError: step_fraction is out of range.

    Example:
        >>> from condensation_lab.data.targets import parabola
        >>> start = TwoLayer.normalised(0.5, 0.0, width=64, input_dim=2, seed=0).anti_symmetric()
        >>> gradient_descent(start, *parabola(), step_fraction=1.0).reason
        'reached the stop loss'
    """
    if not 0 < step_fraction <= 1:
        raise ValueError(f"step_fraction = {step_fraction!r} is not allowed: it must be in (0, 1]")
    with one_thread():
        return _descend(network, x, y, step_fraction, stop_loss, max_steps)


@contextmanager
def one_thread() -> Iterator[None]:
    """Small products are faster on one thread, and repeat exactly on it."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _descend(
    network: TwoLayer, x: FloatArray, y: FloatArray, step_fraction: float, stop_loss: float, max_steps: int
) -> FlowResult:
    import torch

    a = torch.tensor(network.a, dtype=torch.float64, requires_grad=True)
    w = torch.tensor(network.w, dtype=torch.float64, requires_grad=True)
    inputs, targets = torch.tensor(x, dtype=torch.float64), torch.tensor(y, dtype=torch.float64)
    norms = (inputs**2).sum(dim=1, keepdim=True)
    layers = ((a, network.mobility_a), (w, network.mobility_w))
    time, loss, steps = 0.0, float("inf"), 0
    reason = REASONS[1]
    for steps in range(max_steps + 1):
        hidden = torch.relu(inputs @ w)
        residual = network.scale * (hidden @ a) - targets
        loss = float((residual.detach() ** 2).mean())
        if not loss < float("inf"):
            reason = REASONS[2]
        elif loss <= stop_loss:
            reason = REASONS[0]
        if reason != REASONS[1] or steps == max_steps:
            break
        gradients = torch.autograd.grad(0.5 * (residual**2).mean(), (a, w))
        with torch.no_grad():
            features_a = float((hidden**2).sum())
            features_w = float((norms * (hidden > 0) * a**2).sum())
            trace = (
                network.scale**2
                / len(targets)
                * sum(mobility * total for (_, mobility), total in zip(layers, (features_a, features_w), strict=True))
            )
            pairs = list(zip(layers, gradients, strict=True))
            relative = [float(mobility * g.norm() / layer.norm()) for (layer, mobility), g in pairs]
            h = step_fraction / max(trace, *relative)
            for (layer, mobility), g in pairs:
                layer -= h * mobility * g
        time += h
    end = replace(network, a=a.detach().numpy().copy(), w=w.detach().numpy().copy())
    return FlowResult(end, loss, time, steps, 0, reason)
