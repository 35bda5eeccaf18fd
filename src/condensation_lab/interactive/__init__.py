"""Live pieces: `Atlas`, `Playground` and `PlaceInitialisation` need no kernel; `live` recomputes with one."""

from condensation_lab.interactive.atlas import Atlas
from condensation_lab.interactive.controls import Choice, Pad, Scrubber, Slider
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
from condensation_lab.interactive.workbench import live

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
    "live",
]
