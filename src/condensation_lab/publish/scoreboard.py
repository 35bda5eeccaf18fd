"""Claims lifted out of executed notebooks, and the scoreboard made from them."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path

import nbformat

from condensation_lab.claims import MIME, NOT_TESTED, SIGNS, ClaimsTable, Row

_SOURCES = {"build": "Measured in this build", "atlas": "From the atlases, at the paper's scale"}


def claims_of(executed: Iterable[Path]) -> list[Row]:
    """Read the claims out of executed notebooks.

    Args:
        executed: Paths of executed notebooks.

    Returns:
        All rows, in order; a table that a notebook shows twice counts once.

    Raises:
        ClaimError: Two tables disagree about the same claim.
    """
    rows: list[Row] = []
    for path in executed:
        for cell in nbformat.read(path, as_version=4).cells:
            for output in cell.get("outputs", []):
                shown = output.get("data", {}).get(MIME, {"rows": []})["rows"]
                rows += [row for row in shown if row not in rows]
    return list(ClaimsTable(rows).rows)


def scoreboard_html(rows: list[Row], page: Callable[[str], tuple[str, str]]) -> str:
    """All claims as HTML, study by study.

    Args:
        rows: Rows of claims tables.
        page: Gives, for a study's name, the address of its page and its title.
    """
    parts = [totals_html(rows)]
    for study, group in groupby(sorted(rows, key=lambda row: str(row["study"])), key=lambda row: str(row["study"])):
        address, title = page(study)
        # The anchors in the rows are those of the study's own page.
        linked = [{**row, "href": address + row["href"] if row["href"] else ""} for row in group]
        papers = ", ".join(sorted({str(row["paper"]) for row in linked}))
        parts.append(
            f'<section class="scoreboard-study" id="{html.escape(study)}">'
            f'<h2><a href="{html.escape(address)}">{html.escape(title)}</a></h2>'
            f"<p>Paper: <code>{html.escape(papers)}</code></p>{ClaimsTable(linked).to_html()}</section>"
        )
    return "".join(parts)


def totals_html(rows: list[Row]) -> str:
    """Count the verdicts, as HTML: this build and the atlases apart, tests of our own not at all."""
    if not rows:
        return "<p>This build has measured no claim yet.</p>"
    counted = [row for row in rows if not row["our_test"]]
    parts = []
    for kind, name in _SOURCES.items():
        verdicts = Counter(row["verdict"] for row in counted if row["source"]["kind"] == kind)
        if not verdicts:
            continue
        lines = "".join(
            f'<li><span class="{_css(verdict)}">{sign} {verdict}</span><b>{verdicts[verdict]}</b></li>'
            for verdict, sign in SIGNS.items()
            if verdicts[verdict]
        )
        parts.append(f'<section><p class="totals-source">{name}</p><ul>{lines}</ul></section>')
    own = sum(row["our_test"] for row in rows)
    note = f"<p><small>{own} of the rows are tests of our own and count in no total.</small></p>" if own else ""
    return f'<div class="totals">{"".join(parts)}</div>{note}'


def _css(verdict: str) -> str:
    return "verdict-" + ("not-tested" if verdict == NOT_TESTED else verdict.replace(" ", "-"))
