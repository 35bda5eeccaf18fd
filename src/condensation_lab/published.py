"""A paper's claims as it makes them, what a run measured, and the table that joins the two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from condensation_lab.claims import Band, Claim, ClaimsTable, Control

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Published:
    """One claim as the paper makes it, and the rule by which it is judged.

    Args:
        key: short name.
        where: place in the paper.
        statement: what is claimed.
        published: the paper's value or direction; None for a test of our own.
        band: what counts as reproduced.
        right_direction: what counts as in part.
        control: what the negative control measures; "" where there is none.
        href: anchor of the figure on the page.
    """

    key: str
    where: str
    statement: str
    published: float | str | None
    band: Band
    right_direction: Band | None
    control: str
    href: str


@dataclass(frozen=True)
class Measured:
    """A measured value with its spread over seeds, and the value of its negative control.

    Args:
        value: what was measured; NaN where the measurement failed.
        control: the same where the claim must not hold; None where there is no control.
        seeds: runs behind the value.
        spread: standard deviation over them.
    """

    value: float
    control: float | None
    seeds: int
    spread: float | None = None

    @classmethod
    def over(cls, values: xr.DataArray, control: float | None) -> Measured:
        """The mean over seeds: NaN where a run failed, since a claim never rests on those that worked.

        Args:
            values: one for each seed.
            control: value of the negative control.

        Returns:
            Mean and standard deviation.
        """
        spread = float(values.std(ddof=1, skipna=False)) if values.size > 1 else None
        return cls(float(values.mean(skipna=False)), control, int(values.notnull().sum()), spread)


def judged(
    data: xr.Dataset, study: str, paper: str, published: Sequence[Published], measured: Mapping[str, Measured]
) -> ClaimsTable:
    """The claims table of a run.

    Args:
        data: result of a study's `run`, or its atlas.
        study: the study's name.
        paper: BibTeX key of the paper.
        published: its claims, in the order of the page.
        measured: what was measured, by key; claims without it are not tested.

    Returns:
        The table.

    Raises:
        KeyError: something was measured that is not published.
    """
    if unknown := measured.keys() - {said.key for said in published}:
        raise KeyError(f"measured but not published: {', '.join(sorted(unknown))}")
    rows = []
    for said in published:
        found = measured.get(said.key)
        rows.append(
            Claim(
                key=said.key,
                where=said.where,
                statement=said.statement,
                published=said.published,
                measured=found.value if found else None,
                spread=found.spread if found else None,
                seeds=found.seeds if found else 0,
                band=said.band,
                right_direction=said.right_direction,
                control=Control(said.control, found.control) if found and found.control is not None else None,
                href=said.href,
            )
        )
    return ClaimsTable.of(data, study=study, paper=paper, claims=rows)
