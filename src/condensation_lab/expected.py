"""Expected verdicts: the one committed file that measured claims are compared with, and how it changes.

The file holds, per study, claim and preset, the verdict, the published value, the band and the measured value with
its tolerance, and a history of reasons. It works on rows, the JSON form of `condensation_lab.claims`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any

Row = dict[str, Any]
"""One judged claim in the form that travels as JSON."""


STATED = ("verdict", "published", "band", "right_direction", "band_origin", "where", "statement", "href", "seeds")
"""Entries of a row that must be as expected to the letter."""


class ExpectationError(ValueError):
    """The expected verdicts cannot be changed as asked."""


def binds(row: Row) -> bool:
    """Whether the expected verdicts bind this row: only at a preset."""
    return row["preset"] in {"quick", "paper"}


def compare(rows: Iterable[Row], expected: Mapping[str, Any], *, studies: Collection[str] | None = None) -> list[str]:
    """Where measured rows disagree with the committed expectation.

    Args:
        rows: rows of claims tables; those of no preset are ignored.
        expected: content of the committed file of expected verdicts.
        studies: names of the studies that were run; None means all that are expected.

    Returns:
        One sentence a disagreement; empty when all agree.
    """
    found = {(row["study"], row["key"], row["preset"]): row for row in rows if binds(row)}
    wanted = {
        (study, key, preset): entry
        for study, keys in expected["studies"].items()
        for key, presets in keys.items()
        for preset, entry in presets.items()
        if studies is None or study in studies
    }
    said = [f"{' '.join(place)}: expected, but not in the run." for place in wanted if place not in found]
    said += [f"{' '.join(place)}: in the run, but not expected." for place in found if place not in wanted]
    for place in wanted.keys() & found.keys():
        row, entry = found[place], wanted[place]
        for name in STATED:
            if row.get(name) != entry.get(name):
                said.append(f"{' '.join(place)}: {name} is {row.get(name)!r}, expected {entry.get(name)!r}.")
        ours, theirs = (each.get("control") or {} for each in (row, entry))
        near = _near(ours.get("value"), theirs.get("value"), entry["tolerance"])
        if not near or ours.get("description") != theirs.get("description"):
            said.append(f"{' '.join(place)}: negative control is {ours}, expected {theirs}.")
        if not _near(row["measured"], entry["measured"], entry["tolerance"]):
            wanted_value = f"{entry['measured']} within {entry['tolerance']}"
            said.append(f"{' '.join(place)}: measured {row['measured']}, expected {wanted_value}.")
    return sorted(said)


def accept(rows: Iterable[Row], expected: Mapping[str, Any], *, reason: str, date: str) -> dict[str, Any]:
    """The expectation rewritten from measured rows, with the reason added to its history.

    Studies that have no row keep their entries. A tolerance set by hand in the file is kept.

    Args:
        rows: rows of claims tables; those of no preset are ignored.
        expected: content of the committed file, or `{}`.
        reason: why the verdicts may change, for the history.
        date: ISO date of the change.

    Raises:
        ExpectationError: the reason is empty, or there is no row at a preset.
    """
    bound = [row for row in rows if binds(row)]
    if not reason.strip():
        raise ExpectationError("Expected verdicts change only with a reason; the one given is empty.")
    if not bound:
        raise ExpectationError("No claim was measured at a preset, so there is nothing to accept.")
    old = expected.get("studies", {})
    studies = {name: keys for name, keys in old.items() if name not in {row["study"] for row in bound}}
    for row in bound:
        before = old.get(row["study"], {}).get(row["key"], {}).get(row["preset"], {})
        entry = {name: row.get(name) for name in (*STATED, "measured", "control")}
        entry["tolerance"] = before.get("tolerance", {"relative": 1e-3, "absolute": 1e-9})
        studies.setdefault(row["study"], {}).setdefault(row["key"], {})[row["preset"]] = entry
    return {"studies": studies, "history": [*expected.get("history", []), {"date": date, "reason": reason.strip()}]}


def _near(measured: float | None, expected: float | None, tolerance: Mapping[str, float]) -> bool:
    if measured is None or expected is None:
        return measured is expected
    return math.isclose(measured, expected, rel_tol=tolerance["relative"], abs_tol=tolerance["absolute"])
