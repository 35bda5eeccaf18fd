"""Initialisations of two-layer networks and where they sit in the phase diagram."""

from condensation_lab.initialise.scaling import FloatArray, Scaling, draw_normal, effective, exponents, scaling_at
from condensation_lab.initialise.schemes import (
    FURTHER_SCHEMES,
    SCHEMES,
    Scheme,
    e_ma_wu,
    named_scheme,
    power_scheme,
)

__all__ = [
    "FURTHER_SCHEMES",
    "SCHEMES",
    "FloatArray",
    "Scaling",
    "Scheme",
    "draw_normal",
    "e_ma_wu",
    "effective",
    "exponents",
    "named_scheme",
    "power_scheme",
    "scaling_at",
]
