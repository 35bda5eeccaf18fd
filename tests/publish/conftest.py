"""Claims rows as notebooks carry them."""

import json
import math

import pytest
import xarray as xr

from condensation_lab.claims import Band, Claim, ClaimsTable


def table(kind, measured):
    """Two claims and a test of our own, as a run or an atlas at a preset gives them."""
    source, preset = ("atlas", "paper") if kind == "atlas" else ("this build", "quick")
    data = xr.Dataset(attrs={"preset": preset, "source": source, "commit": "abc1234", "date": "2026-11-30T10:00:00"})
    band = Band(0.9, 1.1, "read from the figure")
    claims = [
        Claim(
            "slope", "Fig. 1", "It rises", 1.0, measured, 0.01, 3, band, Band(0, math.inf, "it rises"), href="#fig-1"
        ),
        Claim("images", "Fig. 5", "Also on images", "as Fig. 1", None, None, 0, band),
        Claim("law", "our check", "A quantity is conserved", None, 1.0, None, 1, band),
    ]
    return ClaimsTable.of(data, study="some_study", paper="someone2021", claims=claims)


@pytest.fixture
def claim_rows():
    rows = (table("build", 1.0) + table("atlas", 2.0)).to_json()
    return json.loads(rows)["rows"]
