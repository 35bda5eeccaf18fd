"""Phase diagram for two-layer ReLU networks at infinite width (Luo, Xu, Ma, Zhang, JMLR 22(71), 2021)."""

from condensation_lab.studies.two_layer_phase_diagram.experiment import NAME, PAPER, TITLE, Settings, run
from condensation_lab.studies.two_layer_phase_diagram.explorer import explorer, place, playground
from condensation_lab.studies.two_layer_phase_diagram.figures import (
    figure_digits,
    figure_exponents,
    figure_fits,
    figure_map,
    figure_map_a,
    figure_neurons,
    figure_parametrisations,
    figure_point,
    figure_projections,
    figure_sharpening,
    figure_slopes,
)
from condensation_lab.studies.two_layer_phase_diagram.measured import claims
from condensation_lab.studies.two_layer_phase_diagram.stored import atlas, spot_check

__all__ = [
    "NAME",
    "PAPER",
    "TITLE",
    "Settings",
    "atlas",
    "claims",
    "explorer",
    "figure_digits",
    "figure_exponents",
    "figure_fits",
    "figure_map",
    "figure_map_a",
    "figure_neurons",
    "figure_parametrisations",
    "figure_point",
    "figure_projections",
    "figure_sharpening",
    "figure_slopes",
    "place",
    "playground",
    "run",
    "spot_check",
]
