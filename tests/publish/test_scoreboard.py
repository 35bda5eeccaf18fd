"""The scoreboard counts what the notebooks claim, no more and no less."""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from condensation_lab.claims import MIME, ClaimError
from condensation_lab.publish.scoreboard import claims_of, scoreboard_html, totals_html


def write(path, *tables):
    shown = [new_output("display_data", data={MIME: {"rows": rows}}) for rows in tables]
    nbformat.write(new_notebook(cells=[new_code_cell("x", outputs=shown)]), path)
    return path


def totals(rows):
    """Source -> verdict -> number, read off the HTML."""
    found = {}
    for source, lines in re.findall(r'totals-source">(.*?)</p><ul>(.*?)</ul>', totals_html(rows)):
        found[source] = {verdict: int(number) for verdict, number in re.findall(r">\S (.*?)</span><b>(\d+)</b>", lines)}
    return found


def test_claims_are_read_in_order_and_a_table_shown_twice_counts_once(tmp_path, claim_rows):
    first, second = claim_rows[:3], claim_rows[3:]
    paths = [write(tmp_path / "a.ipynb", first, first), write(tmp_path / "b.ipynb", second)]
    assert claims_of(paths) == claim_rows


def test_two_tables_that_disagree_are_refused(tmp_path, claim_rows):
    changed = [{**claim_rows[0], "measured": 5.0}]
    with pytest.raises(ClaimError, match="some_study slope quick build stands twice"):
        claims_of([write(tmp_path / "a.ipynb", claim_rows[:1], changed)])


def test_totals_keep_build_and_atlas_apart_and_leave_out_our_own_tests(claim_rows):
    assert totals(claim_rows) == {
        "Measured in this build": {"reproduced": 1, "not tested at this preset": 1},
        "From the atlases, at the paper's scale": {"in part": 1, "not tested at this preset": 1},
    }
    assert "2 of the rows are tests of our own" in totals_html(claim_rows)


def test_without_claims_it_says_so():
    assert "no claim yet" in totals_html([])


def test_every_claim_links_to_its_figure_on_the_studys_page(claim_rows):
    page = scoreboard_html(claim_rows, lambda study: (f"../{study}.html", "A <study>"))
    assert page.count('href="../some_study.html#fig-1"') == 2
    assert "A &lt;study&gt;" in page
    assert page.count("<tr") == 1 + len(claim_rows)
