"""Verdicts follow from band, direction and control; tables display, travel and add up."""

import json
import math
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from condensation_lab.claims import MIME, Band, Claim, ClaimError, ClaimsTable, Control

BAND = Band(-0.55, -0.46, "the figure is read to 0.04")
FALLS = Band(-math.inf, 0, "S_w falls with the width")
CLAIM = Claim("slope", "Fig. 3a", "S_w falls", -0.506, -0.49, 0.01, 3, BAND, FALLS)


def run(preset="quick", source="this build"):
    """What ClaimsTable.of reads of a dataset."""
    certificate = {"preset": preset, "source": source, "commit": "1a2b3c4", "date": "2026-11-30T01:02:03+00:00"}
    return SimpleNamespace(attrs=certificate)


def table(*claims, **made):
    return ClaimsTable.of(run(**made), study="two_layers", paper="luo2021phase", claims=claims)


@pytest.mark.parametrize(
    ("measured", "verdict"),
    [
        (-0.506, "reproduced"),
        (-0.55, "reproduced"),
        (-0.46, "reproduced"),
        (-0.4599, "in part"),
        (-7.0, "in part"),
        (0.0, "in part"),
        (0.1, "not reproduced"),
        (math.nan, "not reproduced"),
        (-math.inf, "not reproduced"),
        (None, "not tested at this preset"),
    ],
)
def test_the_verdict_follows_from_the_bands(measured, verdict):
    assert replace(CLAIM, measured=measured).verdict == verdict


def test_outside_the_band_without_a_direction_is_not_reproduced():
    assert replace(CLAIM, measured=-0.4, right_direction=None).verdict == "not reproduced"


@pytest.mark.parametrize(
    ("value", "verdict"),
    [(-0.5, "not reproduced"), (math.nan, "not reproduced"), (-0.2, "reproduced"), (0.3, "reproduced")],
)
def test_a_control_that_comes_out_as_reproduced_or_gives_no_number_spoils_the_claim(value, verdict):
    claim = replace(CLAIM, control=Control("lazy regime", value))
    assert claim.verdict == verdict
    failed = "the negative control failed" in repr(table(claim))
    assert failed == (verdict != "reproduced")


@given(
    low=st.floats(-1e9, 1e9), span=st.floats(0, 1e9), measured=st.floats(),
    control=st.none() | st.floats(), direction=st.none() | st.floats(-1e9, 1e9),
)  # fmt: skip
def test_reproduced_means_inside_the_band_with_a_control_outside_it(low, span, measured, control, direction):
    band = Band(low, low + span, "test")
    claim = Claim(
        "k", "", "", 1.0, measured, None, 1, band,
        None if direction is None else Band(direction, math.inf, "up"),
        None if control is None else Control("c", control),
    )  # fmt: skip
    inside = math.isfinite(measured) and low <= measured <= low + span
    control_outside = control is None or (math.isfinite(control) and not low <= control <= low + span)
    assert (claim.verdict == "reproduced") == (inside and control_outside)


@pytest.mark.parametrize(
    ("ends", "origin", "sentence"),
    [
        ((1, 0), "x", "low <= high"),
        ((math.nan, 0), "x", "low <= high"),
        ((0, 1), " ", "does not say where it comes from"),
        ((-math.inf, math.inf), "x", "without an end"),
    ],
)
def test_a_band_that_judges_nothing_or_has_no_origin_is_refused(ends, origin, sentence):
    with pytest.raises(ClaimError, match=sentence):
        Band(*ends, origin)


def test_a_row_holds_everything_the_scoreboard_needs():
    (row,) = table(replace(CLAIM, control=Control("lazy regime", 0.3), href="#fig-3a"), source="atlas").rows
    assert row == {
        "key": "slope", "study": "two_layers", "paper": "luo2021phase", "where": "Fig. 3a", "statement": "S_w falls",
        "published": -0.506, "our_test": False, "tested": True, "measured": -0.49, "spread": 0.01,
        "spread_kind": "standard deviation", "seeds": 3, "band": [-0.55, -0.46],
        "band_origin": "the figure is read to 0.04", "right_direction": [None, 0.0],
        "control": {"description": "lazy regime", "value": 0.3, "verdict": "not reproduced", "passes": True},
        "verdict": "reproduced", "preset": "quick", "href": "#fig-3a",
        "source": {"kind": "atlas", "commit": "1a2b3c4", "date": "2026-11-30T01:02:03+00:00"},
    }  # fmt: skip


def test_a_table_travels_as_strict_json_whatever_was_measured():
    odd = [
        replace(CLAIM, key="nan", measured=math.nan, spread=math.nan),
        replace(CLAIM, key="untested", measured=None, spread=None),
        replace(CLAIM, key="half", band=FALLS, published="falls"),
        replace(CLAIM, key="ours", published=None),
    ]
    made = table(CLAIM, *odd)
    bundle = made._repr_mimebundle_()
    assert json.loads(json.dumps(bundle[MIME], allow_nan=False))["rows"] == list(made.rows)
    assert ClaimsTable.from_json(made.to_json()).rows == made.rows
    assert [row["our_test"] for row in made.rows] == [False, False, False, False, True]
    assert made.rows[3]["band"] == [None, 0.0]


def test_tables_add_up_and_refuse_a_claim_twice():
    both = table(CLAIM) + table(CLAIM, preset="paper", source="atlas")
    assert both.verdicts() == "slope  quick  build  reproduced\nslope  paper  atlas  reproduced"
    with pytest.raises(ClaimError, match="two_layers slope quick build stands twice"):
        table(CLAIM) + table(CLAIM)
    with pytest.raises(ClaimError, match="stands twice"):
        table(CLAIM, CLAIM)


def test_settings_of_the_readers_own_get_no_verdict():
    made = table(replace(CLAIM, measured=9.0), preset="your settings")
    assert made.verdicts() == "slope  your settings  build  your settings"
    assert 'class="verdict-your-settings"' in made.to_html()
    assert "not reproduced" not in repr(made) + made.to_html()


def test_data_without_a_certificate_are_refused():
    with pytest.raises(ClaimError, match="no birth certificate: it lacks preset, source, commit, date"):
        ClaimsTable.of(SimpleNamespace(attrs={}), study="s", paper="p", claims=[CLAIM])


def test_the_text_shows_published_measured_and_source():
    text = repr(table(CLAIM, source="atlas", preset="paper") + table(replace(CLAIM, published=None)))
    assert "−0.506     −0.490 ± 0.010  ✓ reproduced  paper, atlas 1a2b3c4 of 2026-11-30" in text
    assert "our test   −0.490 ± 0.010  ✓ reproduced  quick, this build" in text


def test_the_html_is_an_accessible_table_with_verdicts_in_words_and_everything_escaped():
    hostile = replace(CLAIM, statement="<script>", where='"&', href='"#x', band=Band(0, 1, "<i>"))
    claims = [
        CLAIM,
        replace(hostile, key="b"),
        replace(CLAIM, key="c", measured=-0.1),
        replace(CLAIM, key="d", measured=None),
        replace(CLAIM, key="e", control=Control("<u>", -0.5)),
    ]
    page = table(*claims).to_html()
    assert 'class="claims"' in page
    assert page.count('scope="row"') == len(claims)
    assert "<caption>" in page
    for name, words in {
        "reproduced": "✓ reproduced",
        "in-part": "◐ in part",
        "not-reproduced": "✗ not reproduced",
        "not-tested": "– not tested at this preset",
    }.items():
        assert f'<td class="verdict-{name}">{words}' in page
    assert not re.search(r'<script>|<i>|<u>|""#x', page)
    assert "the figure is read to 0.04" in page


def test_measured_values_are_glued_under_key_and_source():
    InteractiveShell.instance()
    with capture_output() as shown:
        (table(CLAIM) + table(replace(CLAIM, measured=-0.51), preset="paper", source="atlas")).glue()
    records = {out.metadata["scrapbook"]["name"]: out.data for out in shown.outputs}
    assert records == {
        "slope-build": {"application/papermill.record/text/plain": "−0.490 ± 0.010"},
        "slope-atlas": {"application/papermill.record/text/plain": "−0.510 ± 0.010"},
    }


def test_glued_values_are_read_by_the_page_builder():
    from myst_nb.ext.glue import extract_glue_data_cell
    from nbformat.v4 import new_code_cell, new_output

    InteractiveShell.instance()
    with capture_output() as shown:
        table(CLAIM).glue()
    outputs = [new_output("display_data", data=out.data, metadata=out.metadata) for out in shown.outputs]
    ((name, output),) = extract_glue_data_cell(new_code_cell(outputs=outputs))
    assert name == "slope-build"
    assert output["data"] == {"text/plain": "−0.490 ± 0.010"}


def test_html_sets_indices_exponents_and_minus_signs():
    claim = replace(CLAIM, statement="S_w of m^−½ & <b>")
    page = table(claim).to_html()
    assert "S<sub>w</sub> of m<sup>−½</sup> &amp; &lt;b&gt;" in page
    assert "−0.490" in page


def test_the_same_claim_from_another_source_follows_in_the_line_below():
    page = (table(CLAIM) + table(replace(CLAIM, key="other")) + table(CLAIM, source="atlas")).to_html()
    assert page.count('<tr class="again">') == 1
    assert page.index("again") < page.rindex("<tr>")
