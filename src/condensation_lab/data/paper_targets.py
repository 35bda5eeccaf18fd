"""The one-dimensional targets of the papers, by name: what the page's playground can learn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from condensation_lab.data.targets import parabola, tanh_steps
from condensation_lab.initialise import FloatArray


class PaperTarget(NamedTuple):
    """Samples (n,) of a target, what it is called, and where it comes from."""

    title: str
    source: str
    x: FloatArray
    y: FloatArray


def _ramps() -> tuple[FloatArray, FloatArray]:
    x = np.array([-5, -3, -1, 1, 3, 5]) / 3
    return x, (np.maximum(-x - 1 / 3, 0) + np.maximum(x - 1 / 3, 0)) / 2


def _paper_targets() -> dict[str, PaperTarget]:
    four, four_y = parabola()
    ramps, ramps_y = _ramps()
    short, pair, wave = np.linspace(-1, 1.5, 40), np.linspace(-12, 12, 15), np.linspace(-np.pi, np.pi, 41)
    steps, steps_y = tanh_steps()
    return {
        "parabola": PaperTarget("x², 4 points", "Luo et al., JMLR 2021, figures 2 to 4 and 6", four[:, 0], four_y),
        "two-sines": PaperTarget(
            "sin 3x + ½ sin 6x, 40 points",
            "Zhou et al., NeurIPS 2022, in an earlier draft's figure 5",
            short,
            np.sin(3 * short) + np.sin(6 * short) / 2,
        ),
        "two-ramps": PaperTarget(
            "two ramps, 6 points", "Zhang and Xu, TPAMI 2024, points read off figure 1", ramps, ramps_y
        ),
        "two-steps": PaperTarget(
            "tanh(x − 6) + tanh(x + 6), 15 points",
            "Zhang and Xu, TPAMI 2024, points read off figure 4",
            pair,
            np.tanh(pair - 6) + np.tanh(pair + 6),
        ),
        "three-steps": PaperTarget(
            "tanh(x − 7) + tanh x + tanh(x + 7), 50 points",
            "inferred for Zhang et al., NeurIPS 2021, which prints no formula",
            steps,
            steps_y,
        ),
        "three-waves": PaperTarget(
            "sin x + sin 3x + sin 5x, 41 points",
            "Xu et al., CiCP 2020, which has 201 points",
            wave,
            np.sin(wave) + np.sin(3 * wave) + np.sin(5 * wave),
        ),
    }


PAPER_TARGETS = _paper_targets()
"""Targets by name: "parabola", "two-sines", "two-ramps", "two-steps", "three-steps" and "three-waves"."""
