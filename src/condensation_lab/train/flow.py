"""Gradient flow of two-layer ReLU networks by an integrator that never feels stiffness."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from condensation_lab.initialise import FloatArray
from condensation_lab.models.two_layer import TwoLayer

T = TypeVar("T")
R = TypeVar("R")

REASONS = (
    "reached the stop loss",
    "step limit before the stop loss",
    "not finite",
    "zero gradient before the stop loss",
)


@dataclass(frozen=True)
class FlowResult:
    """End of a gradient-flow run.

    Args:
        network: the network at the stop.
        loss: mean squared error there (without 1/2).
        time: flow time, in the unit set by the network's mobilities.
        steps: accepted steps.
        rejected: steps tried again with a smaller size.
        reason: why the run ended, one of `REASONS`.
    """

    network: TwoLayer
    loss: float
    time: float
    steps: int
    rejected: int
    reason: str

    @property
    def reached(self) -> bool:
        """Whether the run ended at the stop loss."""
        return self.reason == REASONS[0]


def gradient_flow(
    network: TwoLayer,
    x: FloatArray,
    y: FloatArray,
    *,
    tolerance: float = 0.02,
    stop_loss: float = 1e-6,
    max_steps: int = 100_000,
) -> FlowResult:
    r"""Integrate da/dt = -mobility_a dR/da, dw/dt = -mobility_w dR/dw until the mean squared error reaches a stop.

    With residual e and tangent kernel G = (scale^2/n) [mobility_a H H^T + mobility_w (A A^T) * (X X^T)], the flow is
    e' = -G e. Over a step h the kernel is frozen and the residual integrated exactly,
    ebar = (1 - exp(-G h)) G^-1 e(0), by an eigendecomposition of the n x n kernel; the parameters then move by
    -mobility J^T ebar / n. Two such steps are made: one with kernel and Jacobian at the start (first order, the
    "frozen" or exponential Euler step), one with both taken half-way along it (second order, the exponential midpoint
    rule). The second is kept; their distance, relative to each layer's distance from the start of the run, is the
    error estimate that sets h. The step never depends on the largest eigenvalue of G. It is not a descent with a
    large learning rate: halving the tolerance converges to the flow itself.

    Args:
        network: start, weights (m,) and (d, m).
        x: inputs with the constant 1 as last column, (n, d).
        y: targets, (n,).
        tolerance: allowed distance of the two steps over the distance travelled, per layer. Where neurons slide along
            a sample (condensed with gamma_prime < 0) the error is of first order: at gamma = 1.3, gamma_prime = -0.4
            and width 10,000 a tolerance of 0.05, 0.02, 0.005 gives relative distances 6, 2.4, 0.5 % too large;
            elsewhere 0.05 stays within 1 %.
        stop_loss: mean squared error at which to stop.
        max_steps: accepted and rejected steps together.

    Returns:
        The end of the run. A run that could not reach the stop says so in `reason`.

    Raises:
        ValueError: shapes do not fit, data are not finite, or a number is out of range.

    Source:
        The flow is equation (3) of Luo et al., JMLR 2021; the integrator is this library's.

    Example:
        >>> from condensation_lab.data.targets import parabola
        >>> start = TwoLayer.normalised(0.5, 0.0, width=256, input_dim=2, seed=0).anti_symmetric()
        >>> gradient_flow(start, *parabola()).reason
        'reached the stop loss'
    """
    from condensation_lab.train import _flow_kernel

    kernel: Any = _flow_kernel
    _require_data(network, x, y)
    for name, value in (("tolerance", tolerance), ("stop_loss", stop_loss), ("max_steps", max_steps)):
        if not value > 0:
            raise ValueError(f"{name} = {value!r} is not allowed: it must be positive")
    inputs, targets = (np.ascontiguousarray(v, dtype=np.float64) for v in (x, y))
    a, w, loss, time, steps, rejected, status = kernel.integrate(
        *kernel.pack(network.a, network.w), inputs, targets, network.scale, network.mobility_a, network.mobility_w,
        float(tolerance), float(stop_loss), max_steps,
    )  # fmt: skip
    a, w = kernel.unpack(a, w, network.width)
    if status == kernel.NOT_FINITE:
        a, w = np.zeros_like(a), np.zeros_like(w)
    end = replace(network, a=a, w=w)
    return FlowResult(end, float(loss), float(time), int(steps), int(rejected), REASONS[status])


def in_threads(function: Callable[[T], R], items: Iterable[T], *, label: str, threads: int | None = None) -> list[R]:
    """Apply a function that mostly runs compiled code to each item, over threads, with a progress bar.

    Each item is computed wholly within one thread, so results do not depend on the number of threads.

    Args:
        function: called once per item.
        items: the work.
        label: short text before the progress bar, which is silent under CI.
        threads: number of threads; None takes all cores this process may use.

    Returns:
        The results in the order of the items.
    """
    from tqdm.auto import tqdm

    work = list(items)
    with ThreadPoolExecutor(threads or _usable_cores()) as pool:
        futures = [pool.submit(function, item) for item in work]
        try:
            # said only when quiet: else tqdm's own variables decide
            quiet = {"disable": True} if os.environ.get("CI") or len(work) < 2 else {}
            return [future.result() for future in tqdm(futures, desc=label, leave=False, **quiet)]
        except BaseException:
            # Ctrl-C or a fault: what has not begun is dropped, and the first error is the one reported
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _require_data(network: TwoLayer, x: FloatArray, y: FloatArray) -> None:
    if x.ndim != 2 or x.shape[1] != network.w.shape[0] or y.shape != (x.shape[0],) or x.shape[0] == 0:
        raise ValueError(f"x {x.shape} and y {y.shape} do not fit w {network.w.shape}: they must be (n, d) and (n,)")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("the data hold a value that is not finite")
