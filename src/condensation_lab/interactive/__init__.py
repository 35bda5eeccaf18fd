"""Live pieces: `Atlas`, `Playground` and `PlaceInitialisation` in a page; `live` and `Workbench` with a kernel."""

from condensation_lab.interactive.atlas import Atlas
from condensation_lab.interactive.controls import Choice, Pad, Scrubber, Slider
from condensation_lab.interactive.live import live
from condensation_lab.interactive.place import PlaceInitialisation
from condensation_lab.interactive.playground import Playground
from condensation_lab.interactive.views import (
    Bars,
    Circle,
    Curve,
    Graph,
    Image,
    Map,
    Matrix,
    Points,
    Series,
    Words,
)
from condensation_lab.interactive.workbench import Workbench

__all__ = [
    "Atlas",
    "Bars",
    "Choice",
    "Circle",
    "Curve",
    "Graph",
    "Image",
    "Map",
    "Matrix",
    "Pad",
    "PlaceInitialisation",
    "Playground",
    "Points",
    "Scrubber",
    "Series",
    "Slider",
    "Words",
    "Workbench",
    "live",
]
