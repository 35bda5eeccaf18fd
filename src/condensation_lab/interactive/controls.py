"""What a reader moves an atlas with, declared in a few words; `Atlas` checks it against a dataset."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Slider:
    """A slider over the grid points of one dimension.

    Args:
        dim: dimension of the dataset; it needs a numeric coordinate.
        label: what stands beside the slider, the coordinate's `long_name` by default.
        start: grid point to open at, the middle one by default.
    """

    dim: str
    label: str = ""
    start: float | None = None


@dataclass(frozen=True)
class Scrubber(Slider):
    """A slider with a play button that walks through the grid points and stops at the last, for steps or epochs.

    It never starts by itself; for readers who prefer reduced motion the button goes one point at a time.

    Args:
        dim: dimension of the dataset; it needs a numeric coordinate.
        label: what stands beside the slider, the coordinate's `long_name` by default.
        start: grid point to open at, the middle one by default.
        speed: grid points a second; the reader can halve it, double it, or go four times as fast.
    """

    speed: float = 4.0


@dataclass(frozen=True)
class Choice:
    """Radio buttons over a dimension of few values, a drop-down list over more; the coordinate may be text.

    Args:
        dim: dimension of the dataset; it needs a coordinate.
        label: name of the group, the coordinate's `long_name` by default.
        start: value to open at, the first by default.
    """

    dim: str
    label: str = ""
    start: float | str | None = None


@dataclass(frozen=True)
class Pad:
    """A square for two dimensions that no map of the atlas shows, with a slider for each below it.

    Args:
        x: horizontal dimension; it needs a numeric coordinate.
        y: vertical dimension, likewise.
        labels: what stands beside the two sliders, the coordinates' `long_name` by default.
        starts: grid points to open at, the middle ones by default.
    """

    x: str
    y: str
    labels: tuple[str, str] = ("", "")
    starts: tuple[float | None, float | None] = (None, None)


Control = Slider | Choice | Pad


def sliders_of(control: Control) -> list[Slider | Choice]:
    """Give a control's parts, one for each dimension it moves along."""
    if isinstance(control, Pad):
        return [Slider(*part) for part in zip((control.x, control.y), control.labels, control.starts, strict=True)]
    return [control]
