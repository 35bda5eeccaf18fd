"""What a paper claims, what we measured, and the verdict computed from the two.

A claim is judged by a `Band` whose origin is written down before the run. Bands bind at a study's presets only:
a reader who explores other values sees "your settings" in place of a verdict.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from condensation_lab.expected import Row, accept, binds, compare
from condensation_lab.settings import YOUR_SETTINGS

if TYPE_CHECKING:
    import xarray as xr

MIME = "application/vnd.condensation-lab.claims+json"
"""MIME type under which a claims table travels in an executed notebook."""

REPRODUCED, IN_PART, NOT_REPRODUCED = "reproduced", "in part", "not reproduced"
NOT_TESTED = "not tested at this preset"
SIGNS = {REPRODUCED: "✓", IN_PART: "◐", NOT_REPRODUCED: "✗", NOT_TESTED: "–", YOUR_SETTINGS: "○"}
CSS_CLASSES = {verdict: "verdict-" + verdict.removesuffix(" at this preset").replace(" ", "-") for verdict in SIGNS}

__all__ = ["MIME", "Band", "Claim", "ClaimError", "ClaimsTable", "Control", "Row", "accept", "binds", "compare"]


class ClaimError(ValueError):
    """A claim, band or claims table that cannot be what its author meant."""


@dataclass(frozen=True)
class Band:
    """The closed interval that a measured value is judged by.

    Args:
        low: lower end, `-inf` for a half line.
        high: upper end, `inf` for a half line.
        origin: one sentence that says where the band comes from.
    """

    low: float
    high: float
    origin: str

    def __post_init__(self) -> None:
        if not self.low <= self.high:  # also refuses NaN
            raise ClaimError(f"A band needs low <= high, not {self.low} and {self.high}.")
        if math.isinf(self.low) and math.isinf(self.high):
            raise ClaimError("A band without an end judges nothing.")
        if not self.origin.strip():
            raise ClaimError(f"The band from {self.low} to {self.high} does not say where it comes from.")

    def holds(self, value: float) -> bool:
        """Whether the value lies in the band; NaN and the infinities never do."""
        return math.isfinite(value) and self.low <= value <= self.high


@dataclass(frozen=True)
class Control:
    """A negative control: the same measurement where the claim must not hold, judged by the same band."""

    description: str
    value: float


@dataclass(frozen=True)
class Claim:
    """One claim of a paper beside our measurement.

    Args:
        key: short name, unique in its study: `"slope_linear"`.
        where: place in the paper: `"Fig. 3a"`.
        statement: what is claimed, one sentence.
        published: the paper's value, or its direction in words; None where it is unknown to us ("our test").
        measured: our value; None where this preset does not test the claim; NaN where the measurement failed.
        spread: spread of the measured value over seeds.
        seeds: number of seeds behind the measured value.
        band: values that count as reproduced.
        right_direction: values that count as "in part" where the band does not hold.
        control: negative control, which must not come out as reproduced.
        href: anchor of the figure on the page: `"#fig-slopes"`.
        spread_kind: what `spread` is.

    Example:
        >>> claim = Claim("slope", "Fig. 3a", "S_w falls as the width grows", -0.506, -0.49, 0.01, 3,
        ...               Band(-0.55, -0.46, "the figure is read to 0.04"), Band(-math.inf, 0, "S_w falls"))
        >>> claim.verdict
        'reproduced'
    """

    key: str
    where: str
    statement: str
    published: float | str | None
    measured: float | None
    spread: float | None
    seeds: int
    band: Band
    right_direction: Band | None = None
    control: Control | None = None
    href: str = ""
    spread_kind: str = "standard deviation"

    @property
    def verdict(self) -> str:
        """Reproduced, in part, not reproduced, or not tested at this preset."""
        if self.measured is None:
            return NOT_TESTED
        return self.judge(self.measured) if self.control_passes else NOT_REPRODUCED

    @property
    def control_passes(self) -> bool:
        """Whether the negative control stayed outside the band; one without a number proves nothing and fails."""
        control = self.control
        return control is None or (math.isfinite(control.value) and self.judge(control.value) != REPRODUCED)

    def judge(self, value: float) -> str:
        """The verdict that the band alone gives a value."""
        if self.band.holds(value):
            return REPRODUCED
        return IN_PART if self.right_direction and self.right_direction.holds(value) else NOT_REPRODUCED


class ClaimsTable:
    """Judged claims of one or more runs; displays as text, as an accessible HTML table and as JSON."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows: tuple[Row, ...] = tuple(rows)
        places = [" ".join((row["study"], row["key"], row["preset"], row["source"]["kind"])) for row in self.rows]
        if twice := [place for place in places if places.count(place) > 1]:
            raise ClaimError(f"The claim {twice[0]} stands twice in one table.")

    @classmethod
    def of(cls, data: xr.Dataset, *, study: str, paper: str, claims: Iterable[Claim]) -> ClaimsTable:
        """Judge claims measured from a certified dataset.

        Args:
            data: result of a study's `run`, or a loaded atlas; preset, source, commit and date are read from it.
            study: the study's name.
            paper: BibTeX key of the paper.
            claims: the claims, in the order of the page.

        Returns:
            The table, one row a claim.

        Raises:
            ClaimError: the dataset has no birth certificate, or two claims share a key.
        """
        if missing := [name for name in ("preset", "source", "commit", "date") if name not in data.attrs]:
            raise ClaimError(f"The dataset has no birth certificate: it lacks {', '.join(missing)}.")
        preset = str(data.attrs["preset"])
        kind = "atlas" if data.attrs["source"] == "atlas" else "build"
        source = {"kind": kind, "commit": str(data.attrs["commit"]), "date": str(data.attrs["date"])}
        return cls(_row(claim, study, paper, preset, source) for claim in claims)

    @classmethod
    def from_json(cls, text: str) -> ClaimsTable:
        """The table that `to_json` wrote."""
        return cls(json.loads(text)["rows"])

    def to_json(self) -> str:
        """All rows as JSON text; null stands for an unbounded end of a band and for a value that is no number."""
        return json.dumps({"rows": self.rows}, ensure_ascii=False, allow_nan=False)

    def __add__(self, other: ClaimsTable) -> ClaimsTable:
        return ClaimsTable((*self.rows, *other.rows))

    def verdicts(self) -> str:
        """One line a claim: key, preset, source and verdict. It holds no measured digit, so nbval can compare it."""
        return _columns((row["key"], row["preset"], row["source"]["kind"], row["verdict"]) for row in self.rows)

    def glue(self) -> None:
        """Glue every measured value, as text, under the name `<key>-<build or atlas>` for the page's prose."""
        from IPython.display import display

        prefix = "application/papermill.record/"  # the record of myst_nb.glue, written without needing MyST-NB
        for row in self.rows:
            record = {"name": f"{row['key']}-{row['source']['kind']}", "mime_prefix": prefix}
            display({f"{prefix}text/plain": measured_text(row)}, raw=True, metadata={"scrapbook": record})  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        head = ("claim", "where", "published", "measured", "verdict", "source")
        columns = (published_text, measured_text, _verdict_text, source_text)
        return _columns([head, *((row["key"], row["where"], *(text(row) for text in columns)) for row in self.rows)])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/plain": repr(self), "text/html": self.to_html(), MIME: json.loads(self.to_json())}

    def to_html(self) -> str:
        """The table as HTML of class `claims`: verdicts in words with a sign, never by colour alone."""
        heads = ("Claim", "Published", "Measured", "Band", "Negative control", "Verdict", "Source")
        head = "".join(f'<th scope="col">{name}</th>' for name in heads)
        claims = list(dict.fromkeys((row["study"], row["key"]) for row in self.rows))
        rows = sorted(self.rows, key=lambda row: claims.index((row["study"], row["key"])))
        before = [None, *((row["study"], row["key"]) for row in rows)]
        body = "".join(
            _html_row(row, again=(row["study"], row["key"]) == last) for row, last in zip(rows, before, strict=False)
        )
        return (
            '<div class="claims-scroll" role="group" aria-label="Claims and verdicts" tabindex="0">'
            '<table class="claims"><caption>What the paper claims, what was measured, and the verdict</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )


def published_text(row: Row) -> str:
    """The published value or direction; "our test" where the paper gives none."""
    return "our test" if row["our_test"] else _text(row["published"])


def measured_text(row: Row) -> str:
    """The measured value with its spread: `0.372 ± 0.004`."""
    if row["measured"] is None:
        return "no number" if row["tested"] else "–"
    if not row["spread"] or row["spread"] < 1e-12 * abs(row["measured"]):  # the seeds differ by rounding alone
        return _text(row["measured"])
    decimals = max(0, 1 - math.floor(math.log10(row["spread"])))  # two digits of the spread, and no more of the value
    return f"{row['measured']:.{decimals}f} ± {row['spread']:.{decimals}f}".replace("-", "−")


def source_text(row: Row) -> str:
    """Preset and source: `quick, this build` or `paper, atlas 1a2b3c4 of 2026-11-30`."""
    source = row["source"]
    made = f"atlas {source['commit']} of {source['date'][:10]}" if source["kind"] == "atlas" else "this build"
    return f"{row['preset']}, {made}"


def _row(claim: Claim, study: str, paper: str, preset: str, source: Mapping[str, str]) -> Row:
    right = claim.right_direction
    return {
        "key": claim.key,
        "study": study,
        "paper": paper,
        "where": claim.where,
        "statement": claim.statement,
        "published": claim.published if isinstance(claim.published, str) else _finite(claim.published),
        "our_test": claim.published is None,
        "tested": claim.measured is not None,
        "measured": _finite(claim.measured),
        "spread": _finite(claim.spread),
        "spread_kind": claim.spread_kind,
        "seeds": int(claim.seeds),
        "band": [_finite(claim.band.low), _finite(claim.band.high)],
        "band_origin": claim.band.origin,
        "right_direction": right and [_finite(right.low), _finite(right.high)],
        "control": _control(claim),
        "verdict": YOUR_SETTINGS if preset == YOUR_SETTINGS else claim.verdict,
        "preset": preset,
        "source": dict(source),
        "href": claim.href,
    }


def _control(claim: Claim) -> Row | None:
    if (control := claim.control) is None:
        return None
    verdict, value = claim.judge(control.value), _finite(control.value)
    return {"description": control.description, "value": value, "verdict": verdict, "passes": claim.control_passes}


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _text(value: float | str | None) -> str:
    return value if isinstance(value, str) else "–" if value is None else f"{value:.3g}".replace("-", "−")


def _typeset(text: str) -> str:
    """HTML of a plain sentence: `S_w` and `m^−½` get their index and exponent."""
    return re.sub(
        r"\^([−\d½¼]+)", r"<sup>\1</sup>", re.sub(r"\b([A-Za-z])_(\w)\b", r"\1<sub>\2</sub>", html.escape(text))
    )


def _band_text(row: Row) -> str:
    low, high = row["band"]
    if low is None or high is None:
        return f"at most {_text(high)}" if low is None else f"at least {_text(low)}"
    return f"{_text(low)} to {_text(high)}"


def _verdict_text(row: Row) -> str:
    failed = row["control"] and not row["control"]["passes"] and row["verdict"] == NOT_REPRODUCED
    return f"{SIGNS[row['verdict']]} {row['verdict']}" + (" (the negative control failed)" if failed else "")


def _columns(rows: Iterable[tuple[str, ...]]) -> str:
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def _html_row(row: Row, *, again: bool) -> str:
    """One row; `again` marks the same claim from another source, which the page sets in one line under the first."""
    where = html.escape(row["where"])
    where = f'<a href="{html.escape(row["href"])}">{where}</a>' if row["href"] else where
    seeds = f"{row['spread_kind']}, {row['seeds']} seed{'s' * (row['seeds'] != 1)}" if row["spread"] is not None else ""
    control = row["control"]
    cells = (
        (published_text(row), ""),
        (measured_text(row), seeds),
        (_band_text(row), row["band_origin"]),
        (_text(control["value"]), control["description"]) if control else ("–", ""),
    )
    notes = [(html.escape(text), f"<br><small>{_typeset(note)}</small>" if note else "") for text, note in cells]
    tds = "".join(f"<td>{text}{note}</td>" for text, note in notes)
    verdict = f'<td class="{CSS_CLASSES[row["verdict"]]}">{html.escape(_verdict_text(row))}</td>'
    claim = f'<th scope="row">{_typeset(row["statement"])}<br><small>{where}</small></th>'
    start = '<tr class="again">' if again else "<tr>"
    return f"{start}{claim}{tds}{verdict}<td>{html.escape(source_text(row))}</td></tr>"
