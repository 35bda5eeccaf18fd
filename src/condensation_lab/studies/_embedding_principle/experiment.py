"""What is run: narrow minima and their embeddings, training of wide networks, reduction of condensed ones."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import xarray as xr
from pydantic import Field

from condensation_lab.data.targets import tanh_steps
from condensation_lab.initialise import FloatArray
from condensation_lab.measure.landscape import Data
from condensation_lab.models.multilayer import Multilayer
from condensation_lab.results import certify
from condensation_lab.settings import StudySettings
from condensation_lab.studies._embedding_principle import landscape, training
from condensation_lab.train.descent import one_thread

NAME = "embedding_principle"
PAPER = "zhang2021embedding"
TITLE = "Embedding principle of the loss landscape"

_NUMBER = {"unit": "1"}
_STEPS = {"unit": "steps"}
Rate = Annotated[float, Field(gt=0, le=1, json_schema_extra=_NUMBER)]
Experiment = Literal["landscape", "ladder", "trials", "digits", "iris"]


class Settings(StudySettings):
    """Settings of the study; the defaults are the preset `quick`."""

    experiment: tuple[Experiment, ...] = Field(
        ("landscape", "ladder", "trials", "digits", "iris"),
        min_length=1,
        description="which parts to run: landscape (Fig. 3a, theorems), ladder (Fig. 1), trials (Fig. 4), "
        "digits (Fig. 5), iris (Fig. 3b)",
    )
    shift: Annotated[float, Field(ge=2, le=12, json_schema_extra=_NUMBER)] = Field(
        7.0, description="distance of the target's outer steps from 0"
    )
    starts: Annotated[int, Field(ge=2, le=1000, json_schema_extra={"unit": "starts"})] = Field(
        12, description="random starts of the search for each narrow minimum"
    )
    embeddings: Annotated[int, Field(ge=4, le=10_000, json_schema_extra={"unit": "embeddings"})] = Field(
        120, description="embeddings whose Hessians are counted (Theorem 6.2)"
    )
    seed: tuple[Annotated[int, Field(ge=0, lt=1_000_000)], ...] = Field(
        (0, 1, 2, 3), min_length=1, max_length=100, description="seeds of the initial weights of the ladder"
    )
    ladder_width: Annotated[int, Field(ge=4, le=2000, json_schema_extra={"unit": "neurons"})] = Field(
        50, description="width m of the network that climbs down the ladder"
    )
    ladder_optimiser: Literal["adam", "descent"] = Field("adam", description="its optimiser")
    ladder_rate: Rate = Field(1e-3, description="its learning rate")
    ladder_steps: Annotated[int, Field(ge=100, le=1_000_000, json_schema_extra=_STEPS)] = Field(
        12_000, description="its steps"
    )
    trials: Annotated[int, Field(ge=2, le=2000, json_schema_extra={"unit": "trials"})] = Field(
        30, description="trained networks of each width 1, 2 and 3"
    )
    trial_steps: Annotated[int, Field(ge=100, le=200_000, json_schema_extra=_STEPS)] = Field(
        20_000, description="steps of each trial, Adam at a rate of 0.01"
    )
    digits_samples: Annotated[int, Field(ge=50, le=1797, json_schema_extra={"unit": "images"})] = Field(
        300, description="handwritten digits"
    )
    digits_width: Annotated[int, Field(ge=10, le=1000, json_schema_extra={"unit": "neurons"})] = Field(
        100, description="width of the ReLU network that learns them"
    )
    digits_steps: Annotated[int, Field(ge=100, le=100_000, json_schema_extra=_STEPS)] = Field(
        2000, description="its steps, Adam at a rate of 1e-4"
    )
    iris_steps: Annotated[int, Field(ge=100, le=500_000, json_schema_extra=_STEPS)] = Field(
        2000, description="steps of the network that learns Iris, Adam at a rate of 0.02"
    )

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "quick": {},
        "paper": {
            "starts": 40,
            "embeddings": 1000,
            "ladder_width": 500,
            "ladder_optimiser": "descent",
            "ladder_rate": 0.005,
            "ladder_steps": 300_000,
            "trials": 200,
            "digits_samples": 1000,
            "digits_width": 400,
            "iris_steps": 500_000,
        },
    }


def samples(settings: Settings) -> Data:
    """The one-dimensional data of figures 1, 3a and 4 (inferred)."""
    x, y = tanh_steps(settings.shift)
    return Data(x[:, None], y[:, None])


def run(settings: Settings) -> xr.Dataset:
    """Find the narrow minima, embed them, train wide networks past them, and reduce condensed networks.

    Args:
        settings: what to run.

    Returns:
        Dataset with, per experiment: losses, gradients and Hessian eigenvalues of narrow minima and of their
        embeddings; loss curves, and how far wide networks are from the narrow minima; ends of the trials; reduced
        networks. What was not reached (a search that ran away) is NaN.

    Source:
        Zhang, Zhang, Luo, Xu, NeurIPS 2021, figures 1 and 3 to 5; Zhang, Li, Zhang, Luo, Xu, J. Mach. Learn. 1(1),
        2022, theorems 6.1 to 6.3.
    """
    start = time.perf_counter()
    s, data = settings, samples(settings)
    with one_thread():
        narrow = landscape.narrow_minima(data, s.shift, s.starts)
        parts: list[xr.Dataset] = [_narrow(narrow, data)]
        if "landscape" in s.experiment:
            parts.append(landscape.explored(narrow, data, s.embeddings))
        if "ladder" in s.experiment:
            recipe = training.Recipe(s.ladder_optimiser, s.ladder_rate, s.ladder_steps)
            parts.append(training.ladder(narrow, data, s.ladder_width, recipe, s.seed))
        if "trials" in s.experiment:
            parts.append(training.trials(data, s.trials, s.trial_steps))
        if "digits" in s.experiment:
            parts.append(training.digits_reduced(s.digits_samples, s.digits_width, s.digits_steps, s.seed[:3]))
        if "iris" in s.experiment:
            parts.append(training.iris_split(s.iris_steps, s.seed))
    merged = xr.merge(parts, compat="equals", join="exact", combine_attrs="drop_conflicts")
    return certify(_described(merged), study=NAME, settings=settings, seconds=time.perf_counter() - start)


def _narrow(narrow: Mapping[int, Multilayer], data: Data) -> xr.Dataset:
    """Outputs and parameters (padded to nine) of the best minimum of each width, and the samples."""
    x = landscape.INPUTS
    parameters = np.full((3, 9), np.nan)
    for row, network in enumerate(narrow.values()):
        parameters[row, : 3 * (row + 1)] = network.vector()
    output: FloatArray = np.stack([network.output(x[:, None])[:, 0] for network in narrow.values()])
    return xr.Dataset(
        {
            "narrow_output": (("narrow", "input"), output),
            "narrow_parameters": (("narrow", "parameter"), parameters),
            "sample_y": ("sample_x", data.y[:, 0]),
        },
        coords={"narrow": list(narrow), "input": x, "sample_x": data.x[:, 0]},
    )


_LABELS = {
    "narrow_output": "output of the best minimum",
    "narrow_parameters": "weights, biases and output weights of the best minimum",
    "sample_y": "target",
    "met_loss": "loss of the critical point that a search ended at",
    "narrow_loss": "loss of the best minimum",
    "narrow_gradient": "L1 norm of the gradient at the best minimum",
    "split_eigenvalue": "Hessian eigenvalue after equal splits of a neuron of the width-2 minimum",
    "split_gradient": "L1 norm of the gradient there",
    "line_eigenvalue": "Hessian eigenvalue along the critical line",
    "line_gradient": "L1 norm of the gradient along the critical line",
    "line_loss": "loss along the critical line",
    "line_output": "output along the critical line",
    "line_control_gradient": "the gradient where the copy is moved by 1e-3",
    "block_eigenvalue": "eigenvalue of the curvature block of a neuron",
    "triple_negative": "negative Hessian eigenvalues after the triple copy",
    "escape_loss": "loss after a kick along the most negative direction, over the narrow minimum's",
    "stay_loss": "the same after a kick of the narrow network",
    "embedded_change": "change of an eigenvalue count under an embedding",
    "random_change": "the same where the added neurons are drawn at random",
    "neurons_added": "neurons that the embedding adds",
    "ladder_loss": "loss of the wide network",
    "ladder_distance": "distance of its output from a narrow minimum's, over the size of the target",
    "ladder_output": "output of the wide network",
    "ladder_orientation": "orientation of a neuron",
    "ladder_amplitude": "amplitude of a neuron over the largest",
    "trial_loss": "loss at the end of a trial",
    "trial_gradient": "L1 norm of the gradient at the end of a trial",
    "trial_class": "class of the trial's output",
    "class_loss": "loss of a class",
    "class_zeros": "zero Hessian eigenvalues of a class, embedded in width 3",
    "digits_loss": "loss on the digits",
    "digits_reduced_loss": "loss of the reduced network",
    "digits_groups": "orientation groups at a cosine of 0.9",
    "digits_agreement": "share of equal predictions of the network and the reduced one",
    "digits_control_agreement": "the same with as many groups drawn at random",
    "iris_loss": "loss on Iris",
    "iris_point_loss": "loss of the critical point",
    "iris_gradient": "L1 norm of the gradient at the critical point and its embeddings",
    "iris_eigenvalue": "Hessian eigenvalue of the critical point and its embeddings",
}
_AXES = {
    "narrow": "width of the narrow network",
    "input": "input x",
    "sample_x": "input of a sample",
    "splits": "splits",
    "neuron": "neuron that is split",
    "alpha": "share α of the copy",
    "ladder_step": "step",
    "digits_step": "step",
    "iris_step": "step",
    "seed": "seed",
    "digits_seed": "seed",
    "iris_seed": "seed",
}


def _described(data: xr.Dataset) -> xr.Dataset:
    """Give every variable its meaning and unit."""
    for name in data.data_vars:
        radians = str(name).endswith("orientation")
        data[name].attrs |= {"long_name": _LABELS[str(name)], "units": "rad" if radians else "1"}
    for name, label in _AXES.items():
        if name in data.coords:
            data[name].attrs |= {"long_name": label, "units": "steps" if label == "step" else "1"}
    return data
