"""Live pieces: the `Atlas`, which needs no kernel, and `live`, which recomputes with one."""

from condensation_lab.interactive.atlas import Atlas
from condensation_lab.interactive.views import Curve, Graph, Map, Points, Series, Slider, Words
from condensation_lab.interactive.workbench import live

__all__ = ["Atlas", "Curve", "Graph", "Map", "Points", "Series", "Slider", "Words", "live"]
