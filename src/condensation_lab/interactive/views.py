"""What an atlas shows, declared in a few words; `Atlas` checks it against a dataset."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Curve:
    """A line that does not depend on the controls, such as a theoretical boundary.

    Args:
        name: its legend entry.
        x: horizontal values.
        y: vertical values, as many.
        dash: `solid`, `dash`, `dot` or `dashdot`.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    dash: str = "solid"


@dataclass(frozen=True)
class Points:
    """Labelled points that do not depend on the controls, such as named initialisations.

    Args:
        name: their legend entry; empty for none.
        x: horizontal values.
        y: vertical values, as many.
        labels: a text for each point.
        positions: where each text stands at best, as plotly says it (`middle right`); it moves if it would be cut off.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    labels: Sequence[str]
    positions: Sequence[str] = ()


@dataclass(frozen=True)
class Map:
    """A heat map of a variable over two dimensions.

    Where both have a control, a click, a drag or an arrow key on it moves both; where neither has, it is a picture that
    the controls change. Cells without a value are crossed out.

    Args:
        variable: what is mapped, sliced along every other dimension it has.
        x: horizontal dimension.
        y: vertical dimension.
        title: caption, the variable's `long_name` by default.
        overlays: curves and points drawn over it.
        diverging: red below zero, white at it, blue above, with the measured zero line; else one ramp from low to high.
    """

    variable: str
    x: str
    y: str
    title: str = ""
    overlays: Sequence[Curve | Points] = ()
    diverging: bool = True


@dataclass(frozen=True)
class Image:
    """A picture in shades of grey over two dimensions without control, cells square, rows from the top down.

    Args:
        variable: brightness, sliced along every other dimension it has.
        x: dimension of the columns.
        y: dimension of the rows.
        title: caption, the variable's `long_name` by default.
        z_range: values of black and white, by default the least and the largest over every control's values.
    """

    variable: str
    x: str
    y: str
    title: str = ""
    z_range: tuple[float, float] | None = None


@dataclass(frozen=True)
class Matrix:
    """A matrix with labelled rows and columns, such as similarities or attention, rows from the top down.

    Up to 150 entries are written in their cells.

    Args:
        variable: the entries, sliced along every other dimension it has.
        x: dimension of the columns, without control.
        y: dimension of the rows, likewise.
        title: caption, the variable's `long_name` by default.
        x_texts: variable with the columns' labels, by default the coordinate of x; it may change with the controls.
        y_texts: variable with the rows' labels, likewise.
        diverging: red below zero, white at it, blue above; else one ramp from low to high.
    """

    variable: str
    x: str
    y: str
    title: str = ""
    x_texts: str = ""
    y_texts: str = ""
    diverging: bool = False


@dataclass(frozen=True)
class Series:
    """One set of points of a `Graph`: y over x, both names of variables or dimensions, sliced at the controls.

    A controlled dimension that x itself names is not sliced: the series runs along it. Dimensions without a control
    (neurons, seeds) are all drawn, as points or as one line each.

    Args:
        y: vertical variable.
        x: horizontal variable or dimension; its dimensions are among those of y.
        name: legend entry; empty for none.
        mode: lines, markers, or both.
        color: a CSS colour, `text` for the colour of the text around, the palette's next by default.
        dash: `solid`, `dash`, `dot` or `dashdot`.
        symbol: marker, as plotly names it.
        size: marker size in pixels.
        trend: also draw the least-squares power law through the points and name its slope.
    """

    y: str
    x: str
    name: str = ""
    mode: Literal["lines", "markers", "lines+markers"] = "lines"
    color: str = ""
    dash: str = "solid"
    symbol: str = "circle"
    size: float = 6
    trend: bool = False


@dataclass(frozen=True)
class Graph:
    """Lines and points over common axes.

    Args:
        series: what is drawn.
        title: caption.
        x_label: horizontal axis, the first series' `long_name` and units by default.
        y_label: vertical axis, likewise.
        log_x: horizontal axis in powers of ten.
        log_y: vertical axis in powers of ten.
        x_range: ends of the horizontal axis; by default all that the dataset holds, over every control's values.
        y_range: ends of the vertical axis, likewise.
        follow: the vertical axis fits what is drawn at each position; else it keeps its range while the controls move.
        mark: a controlled dimension whose current value a dotted line marks on the horizontal axis.
        overlays: curves and points drawn over it.
    """

    series: Sequence[Series]
    title: str
    x_label: str = ""
    y_label: str = ""
    log_x: bool = False
    log_y: bool = False
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    follow: bool = False
    mark: str = ""
    overlays: Sequence[Curve | Points] = ()


@dataclass(frozen=True)
class Circle:
    """Points around a circle: the angle in radians is the x of each series, the radius its y.

    Args:
        series: what is drawn, such as amplitude over orientation before and after training.
        title: caption.
        radius: of the outer ring, by default the largest that the dataset holds, over every control's values.
    """

    series: Sequence[Series]
    title: str
    radius: float | None = None


@dataclass(frozen=True)
class Bars:
    """Bars over the places of one dimension without control, side by side where there are several series.

    Args:
        series: heights over a dimension; the bars stand in the coordinate's order, labelled with its values or texts.
        title: caption.
        y_label: vertical axis, the first series' `long_name` and units by default.
        follow: the vertical axis fits what is drawn at each position; else it keeps its range while the controls move.
    """

    series: Sequence[Series]
    title: str
    y_label: str = ""
    follow: bool = False


View = Map | Image | Matrix | Graph | Circle | Bars


@dataclass(frozen=True)
class Words:
    """Words for a value: one text for each interval between the edges.

    Args:
        variable: the value, averaged over dimensions that have no control.
        edges: increasing numbers.
        texts: one more than the edges, from low to high.
    """

    variable: str
    edges: Sequence[float]
    texts: Sequence[str]
