"""Training past the narrow minima: the ladder of a wide network, which points trials end at, and real data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import xarray as xr

from condensation_lab.initialise import FloatArray
from condensation_lab.measure.condensation import amplitude, orientation
from condensation_lab.measure.landscape import Data, eigenvalue_counts, gradient, loss
from condensation_lab.measure.plateau import longest_plateau
from condensation_lab.models.embedding import equal_copies
from condensation_lab.models.multilayer import Multilayer
from condensation_lab.models.reduction import orientation_groups, reduced
from condensation_lab.studies._embedding_principle.landscape import INPUTS, THRESHOLD, eigenvalues, polished
from condensation_lab.train.ensemble import train_ensemble

SAME_CLASS = 0.05  # root mean square distance of two outputs, over the size of the target, below which they are one
COSINE = 0.9  # of figure 5's groups


@dataclass(frozen=True)
class Recipe:
    """How the ladder's network is trained."""

    optimiser: Literal["descent", "adam"]
    rate: float
    steps: int


def ladder(narrow: dict[int, Multilayer], data: Data, width: int, recipe: Recipe, seeds: tuple[int, ...]) -> xr.Dataset:
    """Figure 1: loss of a wide network from a small start, N(0, m^-3), beside the narrow minima.

    Args:
        narrow: minima by width.
        data: samples.
        width: of the wide network.
        recipe: its optimiser.
        seeds: of its starts.

    Returns:
        Losses, distances of its outputs from those of the narrow minima (of the nearer one of a minimum and its mirror
        image), and outputs and neurons of the first seed at fewer steps.
    """
    starts = [Multilayer.draw((1, width, 1), width**-1.5, seed) for seed in seeds]
    found = train_ensemble(
        starts, data, optimiser=recipe.optimiser, learning_rate=recipe.rate, steps=recipe.steps, records=300
    )
    size = np.sqrt((data.y**2).mean())
    goals = np.stack([network.output(data.x)[:, 0] for network in narrow.values()])
    mirrored = np.stack([-network.output(-data.x)[:, 0] for network in narrow.values()])
    distances = np.full((len(seeds), len(narrow), found.steps.size), np.nan)
    for row, start in enumerate(starts):
        for column, vector in enumerate(found.vectors[row]):
            if np.isfinite(vector).all():
                output = start.at(vector).output(data.x)[:, 0]
                apart = [np.sqrt(((output - goal) ** 2).mean(axis=1)) for goal in (goals, mirrored)]
                distances[row, :, column] = np.minimum(*apart) / size
    return xr.Dataset(
        {
            "ladder_loss": (("seed", "ladder_step"), found.loss),
            "ladder_distance": (("seed", "narrow", "ladder_step"), distances),
            **_shown(starts[0], found.vectors[0]),
        },
        coords={"seed": list(seeds), "narrow": list(narrow), "ladder_step": found.steps, "input": INPUTS},
    )


def _shown(start: Multilayer, vectors: FloatArray) -> dict[str, tuple[tuple[str, ...], FloatArray]]:
    """Outputs and neurons of one run; all steps, since the page scrubs through them."""
    outputs, angles, sizes = [], [], []
    for vector in vectors:
        network = start.at(np.nan_to_num(vector))
        outputs.append(network.output(INPUTS[:, None])[:, 0])
        bias = network.biases[0]
        w = np.stack([network.weights[0][:, 0], np.zeros(network.widths[1]) if bias is None else bias])
        size = amplitude(network.weights[1][0], w)
        largest = np.argsort(-size, kind="stable")[:50]
        angles.append(orientation(w)[largest])
        sizes.append(size[largest] / size.max())
    dims = ("ladder_step", "neuron_shown")
    return {
        "ladder_output": (("ladder_step", "input"), np.stack(outputs)),
        "ladder_orientation": (dims, np.stack(angles)),
        "ladder_amplitude": (dims, np.stack(sizes)),
    }


def trials(data: Data, count: int, steps: int) -> xr.Dataset:
    """Figure 4: networks of width 1, 2 and 3 trained from N(0, m^-3), the critical points they end at, in classes.

    A trial counts if Newton's method reaches a gradient of 1e-13 from its end and the loss stays the same. Two ends
    are one class if their outputs agree; a class is embedded in width 3 by splitting its first neuron.

    Args:
        data: samples.
        count: trials of each width.
        steps: steps of each.

    Returns:
        Losses and classes of the trials, and of each class (padded to twelve) its loss and its zero eigenvalues.
    """
    size = np.sqrt((data.y**2).mean())
    losses, slopes, classes = (np.full((3, count), np.nan) for _ in range(3))
    heads: list[tuple[FloatArray, Multilayer]] = []
    for row, width in enumerate((1, 2, 3)):
        starts = [Multilayer.draw((1, width, 1), width**-1.5, 1000 + trial) for trial in range(count)]
        found = train_ensemble(starts, data, optimiser="adam", learning_rate=0.01, steps=steps, records=2)
        for trial, vector in enumerate(found.vectors[:, -1]):
            if (point := polished(starts[0].at(vector), data)) is None:
                continue
            if abs(point.loss - found.loss[trial, -1]) > 1e-3:  # Newton left for another point
                continue
            losses[row, trial], slopes[row, trial] = point.loss, point.gradient_l1
            output = point.network.output(data.x)[:, 0]
            near = [np.sqrt(((output - head) ** 2).mean()) < SAME_CLASS * size for head, _ in heads]
            if not any(near):
                heads.append((output, point.network))
                near.append(True)
            classes[row, trial] = near.index(True)
    most = 12
    class_loss, class_zeros = (np.full(most, np.nan) for _ in range(2))
    for place, (_, network) in enumerate(heads[:most]):
        wide = equal_copies(network, 1, 0, 4 - network.widths[1])
        class_loss[place] = loss(network, data)
        class_zeros[place] = eigenvalue_counts(eigenvalues(wide, data), THRESHOLD).zero
    return xr.Dataset(
        {
            "trial_loss": (("narrow", "trial"), losses),
            "trial_gradient": (("narrow", "trial"), slopes),
            "trial_class": (("narrow", "trial"), classes),
            "class_loss": ("class", class_loss),
            "class_zeros": ("class", class_zeros),
        },
        coords={"narrow": [1, 2, 3]},
    )


def digits_reduced(samples: int, width: int, steps: int, seeds: tuple[int, ...]) -> xr.Dataset:
    """Figure 5: a wide ReLU network learns digits from N(0, m^-6); its neurons are merged by orientation all along.

    Args:
        samples: how many of scikit-learn's digits.
        width: hidden neurons.
        steps: Adam steps at a rate of 1e-4.
        seeds: of the starts.

    Returns:
        Losses, groups and agreement of predictions at the recorded steps.
    """
    from sklearn.datasets import load_digits

    bundle = load_digits()
    data = Data(np.asarray(bundle.data[:samples], dtype=float) / 16, np.eye(10)[bundle.target[:samples]])
    tables: dict[str, list[list[float]]] = {}
    recorded = np.empty(0, dtype=np.int64)
    for seed in seeds:
        start = Multilayer.draw((64, width, 10), width**-3.0, seed, activation="relu", biases=(True, True))
        found = train_ensemble([start], data, optimiser="adam", learning_rate=1e-4, steps=steps, records=50)
        recorded = found.steps
        rows = [_merged(start.at(vector), data, seed) for vector in found.vectors[0]]
        for name in rows[0]:
            tables.setdefault(name, []).append([row[name] for row in rows])
    dims = ("digits_seed", "digits_step")
    return xr.Dataset(
        {f"digits_{name}": (dims, np.array(values)) for name, values in tables.items()},
        coords={"digits_seed": list(seeds), "digits_step": recorded},
    )


def _merged(network: Multilayer, data: Data, seed: int) -> dict[str, float]:
    groups = orientation_groups(network, COSINE)
    shuffled = np.random.default_rng(seed).permutation(network.widths[1])
    bounds = np.cumsum([len(group) for group in groups])[:-1]
    control = [part.tolist() for part in np.split(shuffled, bounds)]
    narrow = reduced(network, groups)
    predicted = network.output(data.x).argmax(axis=1)

    def agreement(other: Multilayer) -> float:
        return float((other.output(data.x).argmax(axis=1) == predicted).mean())

    return {
        "loss": loss(network, data),
        "reduced_loss": loss(narrow, data),
        "groups": len(groups),
        "agreement": agreement(narrow),
        "control_agreement": agreement(reduced(network, control)),
    }


def iris_split(steps: int, seeds: tuple[int, ...]) -> xr.Dataset:
    """Figure 3b: a 4-2-3 sigmoid network on Iris, the critical point of its longest plateau, and equal splits of it.

    Args:
        steps: Adam steps at a rate of 0.02 from N(0, m^-6).
        seeds: of the starts.

    Returns:
        Loss curves, and of the plateau's critical point and two splits eigenvalues (padded) and gradients; NaN where
        no critical point is near the plateau.
    """
    from sklearn.datasets import load_iris

    bundle = load_iris()
    inputs = np.asarray(bundle.data, dtype=float)
    data = Data((inputs - inputs.mean(axis=0)) / inputs.std(axis=0), np.eye(3)[bundle.target])
    starts = [Multilayer.draw((4, 2, 3), 2.0**-3, seed, activation="sigmoid") for seed in seeds]
    found = train_ensemble(starts, data, optimiser="adam", learning_rate=0.02, steps=steps, records=100)
    values, slopes = np.full((len(seeds), 3, 32), np.nan), np.full((len(seeds), 3), np.nan)
    levels = np.full(len(seeds), np.nan)
    for row, start in enumerate(starts):
        stretch = longest_plateau(found.steps, found.loss[row])
        middle = start.at(found.vectors[row, (stretch.first + stretch.last) // 2])
        if (point := polished(middle, data)) is None:
            continue
        levels[row] = point.loss
        for copies in (1, 2, 3):
            wide = equal_copies(point.network, 1, 0, copies)
            spectrum = eigenvalues(wide, data)
            values[row, copies - 1, : spectrum.size] = spectrum
            slopes[row, copies - 1] = np.abs(gradient(wide, data)).sum()
    return xr.Dataset(
        {
            "iris_loss": (("iris_seed", "iris_step"), found.loss),
            "iris_point_loss": ("iris_seed", levels),
            "iris_eigenvalue": (("iris_seed", "splits", "iris_rank"), values),
            "iris_gradient": (("iris_seed", "splits"), slopes),
        },
        coords={"iris_seed": list(seeds), "splits": [0, 1, 2], "iris_step": found.steps},
    )
