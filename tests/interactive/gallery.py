"""The kinds of view and control that the example of the phase diagram lacks, over a dataset of formulas."""

import numpy as np
import xarray as xr

from condensation_lab.interactive import (
    Atlas,
    Bars,
    Choice,
    Circle,
    Graph,
    Image,
    Map,
    Matrix,
    Pad,
    Scrubber,
    Series,
)

TASKS = ["copy", "reverse", "add one"]
TOKENS = ["3", "→", "7", "7", "="]


def gallery_dataset() -> xr.Dataset:
    """Attention, a picture, a field, neurons and shares over (task, epoch), a loss over (rate, momentum, step).

    The runs of the task `add one` diverge after epoch 60. The attention travels as float16.
    """
    epoch = np.arange(0, 101, 10)
    t, e = np.arange(3)[:, None], (epoch / 100)[None, :]
    row, column = np.arange(5)[:, None], np.arange(5)[None, :]
    attention = np.exp(-((row - column - t[..., None, None]) ** 2) * (0.1 + 3 * e[..., None, None]))
    attention /= attention.sum(-1, keepdims=True)
    x, y = np.linspace(-1, 1, 24), np.linspace(-1, 1, 16)
    disc = np.hypot(x[None, :], y[:, None]) < 0.2 + 0.6 * e[..., None, None] + 0.1 * t[..., None, None]
    field = np.sin(3 * x[None, :] * (1 + t[..., None, None])) * np.cos(3 * y[:, None]) * e[..., None, None]
    random = np.random.default_rng(1)
    start = random.uniform(-np.pi, np.pi, 40)
    orientation = start * (1 - e[0, :, None]) + 0.5 * e[0, :, None]
    amplitude = random.random(40) * (0.3 + 0.7 * e[0, :, None])
    share = np.exp(-np.arange(6) * (0.2 + 2 * e[..., None])) * (1 + 0.1 * t[..., None])
    outcome = np.zeros((3, 11, 2))
    outcome[2, 7:] = 1
    outcome[2, 6, 1] = 1
    share[2, 7:] = np.nan
    rate, momentum, step = np.array([0.01, 0.1, 1.0]), np.array([0.0, 0.5, 0.9, 0.99]), np.arange(1, 31)
    speed = rate[:, None, None] / (1 - momentum[None, :, None])
    loss = np.exp(-speed * step / 10) + 1e-3

    def described(dims: str, values: np.ndarray, name: str, units: str = "1") -> tuple:
        return dims.split(), values, {"long_name": name, "units": units}

    data = xr.Dataset(
        {
            "attention": described("task epoch query key", attention, "attention"),
            "picture": described("task epoch row column", disc * 1.0, "brightness"),
            "field": described("task epoch v u", field, "output"),
            "orientation": described("epoch neuron", orientation, "orientation", "rad"),
            "amplitude": described("epoch neuron", amplitude, "amplitude"),
            "share": described("task epoch frequency", share, "share of power"),
            "loss": described("rate momentum step", loss, "loss"),
            "outcome": described("task epoch seed", outcome, "how the run ended"),
        },
        coords={
            "task": described("task", np.array(TASKS), "task"),
            "epoch": described("epoch", epoch, "training epoch"),
            "query": described("query", np.array(TOKENS), "token that looks"),
            "key": described("key", np.array(TOKENS), "token looked at"),
            "u": described("u", x, "u"),
            "v": described("v", y, "v"),
            "frequency": described("frequency", np.arange(6), "frequency"),
            "seed": described("seed", np.array([11, 12]), "seed"),
            "rate": described("rate", rate, "learning rate"),
            "momentum": described("momentum", momentum, "momentum"),
            "step": described("step", step, "step"),
        },
        attrs={
            "source": "atlas",
            "study": "gallery",
            "preset": "paper",
            "commit": "abc1234",
            "date": "2026-11-28T12:00:00",
        },
    )
    data["attention"].encoding = {"dtype": "float16"}
    data["outcome"].attrs |= {"flag_values": [0, 1], "flag_meanings": "converged, diverged"}
    return data


def gallery_atlas(data: xr.Dataset) -> Atlas:
    """Each kind of view once."""
    return Atlas(
        data,
        controls=[
            Choice("task", start="copy"),
            Scrubber("epoch", start=0, speed=20),
            Pad("rate", "momentum", ("learning rate", "momentum"), (0.1, 0.5)),
        ],
        views=[
            Matrix("attention", x="key", y="query", title="Who looks at whom"),
            Image("picture", x="column", y="row", title="What it sees"),
            Map("field", x="u", y="v", title="The output over the plane"),
            Circle([Series("amplitude", "orientation", "neurons", "markers")], title="Neurons around the circle"),
            Bars([Series("share", "frequency", "power")], title="Power by frequency"),
            Graph([Series("loss", "step", "loss")], title="Loss", log_y=True, follow=True),
        ],
        description="One of each kind of view, over made-up data.",
        sentence="At epoch {epoch} of the task {task} a share of {share} is left on average.",
        provenance="The runs ended: {outcome}; seeds {seed}.",
        name="gallery",
        command="papermill notebooks/gallery.ipynb out.ipynb -p task '{task}' -p epoch {epoch}",
    )
