"""Figures: what the page gets, what JupyterLab gets, and the colours that both share with the page's script."""

import base64
import json
import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter

from condensation_lab import plot

WEB = Path(__file__).parents[1] / "book" / "web"


def example(**options):
    given = {"title": "S<sub>w</sub>", "x": "γ", "y": "S", "description": 'Falls, "then" rises & <stays>.', **options}
    return plot.figure(**given)


def spec_in(page):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)[1])


def test_page_form_is_a_labelled_figure_with_inert_json():
    page = example(anchor="fig-4").to_page()
    assert 'role="figure" id="fig-4" aria-labelledby="fig-4-title" aria-describedby="fig-4-words"' in page
    assert unescape(re.search(r'id="fig-4-words">(.*?)</p>', page)[1]) == 'Falls, "then" rises & <stays>.'
    assert re.findall(r"<script([^>]*)>", page) == [' type="application/json"']


def test_page_form_shows_the_title_once_outside_the_plot():
    page = example(anchor="fig-4").to_page()
    assert '<p class="book-figure-title" id="fig-4-title">S<sub>w</sub></p>' in page
    assert "title" not in spec_in(page)["layout"]


def test_figures_without_an_anchor_have_names_of_their_own():
    one, other = (re.search(r' id="([^"]*)"', example(x=x).to_page())[1] for x in ("γ", "γ′"))
    assert one != other


def test_page_form_keeps_numbers_to_float32_in_half_the_bytes():
    values = np.linspace(0, 1, 1000) ** 3
    fig = example()
    fig.add_scatter(x=np.arange(1000), y=values)
    sent = spec_in(fig.to_page())["data"][0]["y"]
    assert sent["dtype"] == "f4"
    np.testing.assert_array_equal(np.frombuffer(base64.b64decode(sent["bdata"]), "<f4"), values.astype("f4"))


def test_text_that_would_close_the_script_stays_inside_it():
    fig = example()
    fig.add_scatter(x=[1], y=[2], name="</script><b>")
    assert spec_in(fig.to_page())["data"][0]["name"] == "</script><b>"


def test_notebook_gets_plotlys_json_html_and_words():
    fig = example()
    fig.add_scatter(x=[1.0], y=[2.0])
    forms, _ = DisplayFormatter().format(fig)
    assert set(forms) == {plot.PLOTLY_MIME, "text/html", "text/plain"}
    assert forms[plot.PLOTLY_MIME]["config"]["showSendToCloud"] is False
    assert forms[plot.PLOTLY_MIME]["layout"]["title"]["text"] == "S<sub>w</sub>"
    assert forms["text/plain"] == f"S<sub>w</sub>: {fig.description}"


def test_figure_without_description_is_refused():
    with pytest.raises(ValueError, match=r"'S<sub>w</sub>' has an empty description"):
        example(description=" ")


def test_background_is_transparent_so_that_the_page_shows_through():
    layout = plot.TEMPLATE.layout
    assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0, 0, 0, 0)"


def test_no_two_lines_differ_by_colour_alone():
    styles = [(trace.line.dash, trace.marker.symbol) for trace in plot.TEMPLATE.data.scatter]
    assert len({dash for dash, _ in styles}) == len({symbol for _, symbol in styles}) == len(plot.OKABE_ITO)


def test_page_script_has_the_same_colours():
    script = (WEB / "book.js").read_text("utf-8")
    colorway = re.search(r"COLORWAY = (\[.*?\]);", script)[1]
    assert tuple(json.loads(colorway)) == plot.OKABE_ITO
    assert f"""INK = '"{plot.INK}"'""" in script
    light = re.search(r"diverging: dark\s*\?.*?\n\s*: (\[\[.*?\]\]),", script, re.DOTALL)[1]
    assert tuple(map(tuple, json.loads(light))) == plot.DIVERGING


def test_pages_draw_with_the_plotly_that_made_the_figures():
    locked = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    assert locked["node_modules/plotly.js-cartesian-dist-min"]["version"] == plot.plotly_js_version()


def test_front_end_lock_names_no_registry():
    assert "resolved" not in (WEB / "package-lock.json").read_text("utf-8")
