"""Steps a second of the page's playground, beside torch on one core: `python -m benchmarks.playground_steps`.

100 neurons, 20 samples, float64, full-batch descent. The page is a static one with the network blocked; its frames are
counted meanwhile. `plain torch` is what a user would write: a module, autograd and an optimiser.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import torch

from condensation_lab.data.targets import augment
from condensation_lab.interactive import Playground
from condensation_lab.models.page_network import page_network, page_scaling
from condensation_lab.publish.browser import browser, served, visit
from condensation_lab.publish.pace import training
from condensation_lab.train.descent import one_thread
from condensation_lab.train.two_layer import ACTIVATIONS, Recipe, TwoLayerTrainer
from tests.interactive.static_page import write_page

SECONDS = 2.0


def in_torch(activation: str) -> float:
    """Steps a second of the same training by torch's autograd, on one thread."""
    x = torch.linspace(-1, 1, 20, dtype=torch.float64).numpy()
    start = page_network(0, 100, page_scaling(1.0, 0.0, 100))
    with one_thread():
        trainer = TwoLayerTrainer(start, augment(x), x**2, Recipe(activation, rate=1e-3))
        steps, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < SECONDS:
            trainer.step()
            steps += 1
        return steps / (time.perf_counter() - begin)


def main() -> None:
    """Print a row for each activation."""
    with tempfile.TemporaryDirectory() as folder:
        write_page(Path(folder), Playground())
        with browser() as started, served(Path(folder)) as site, visit(started, site, "page.html") as seen:
            seen.page.wait_for_selector(".condensation-playground")
            rows = training(seen.page, ACTIVATIONS, milliseconds=int(1000 * SECONDS))
    print(f"{'activation':<12}{'page, steps/s':>15}{'frames/s':>10}{'plain torch':>13}{'ratio':>8}")
    for row in rows:
        peer = in_torch(row["activation"])
        page = row["steps_per_second"]
        print(
            f"{row['activation']:<12}{page:>15,.0f}{row['frames_per_second']:>10.0f}{peer:>13,.0f}{page / peer:>8.1f}"
        )


if __name__ == "__main__":
    main()
