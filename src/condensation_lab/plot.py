"""The book's figures: one plotly template, and a figure class that a page can draw without a kernel.

A notebook shows a `BookFigure` in two forms at once. JupyterLab takes plotly's own JSON; the book takes inert JSON
inside a labelled ``role="figure"`` element, which ``book/web/book.js`` draws when it comes into view, with the one
plotly file that all pages share and in the colours of the reader's theme.
"""

import base64
import functools
import hashlib
import html
import json
from collections.abc import Callable
from typing import Any, ParamSpec

import numpy as np
import plotly.graph_objects as go
from plotly.offline import get_plotlyjs_version

P = ParamSpec("P")
PLOTLY_MIME = "application/vnd.plotly.v1+json"

# Okabe and Ito (2008), safe for colour-blind readers; their yellow and black vanish on a light or a dark page.
OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "x")
INK = "#7f7f7f"  # "the colour of the text": readable on white and on black, and replaced by the page's theme
GRID = "rgba(127, 127, 127, 0.22)"
# Red below zero and blue above, as in the papers' maps of slopes.
DIVERGING = ((0.0, "#D55E00"), (0.25, "#E9A878"), (0.5, "#F4F2EE"), (0.75, "#7FB3D3"), (1.0, "#0072B2"))

_AXIS = {
    "gridcolor": GRID,
    "zerolinecolor": GRID,
    "linecolor": INK,
    "showline": True,
    "ticks": "outside",
    "tickcolor": INK,
    "automargin": True,
    "title": {"standoff": 10},
}

TEMPLATE = go.layout.Template(
    layout={
        "paper_bgcolor": "rgba(0, 0, 0, 0)",
        "plot_bgcolor": "rgba(0, 0, 0, 0)",
        "font": {"family": "system-ui, sans-serif", "size": 14, "color": INK},
        "title": {"font": {"size": 16}, "x": 0, "xref": "paper", "xanchor": "left"},
        "colorway": OKABE_ITO,
        "colorscale": {"diverging": DIVERGING, "sequential": "Cividis", "sequentialminus": "Cividis_r"},
        "xaxis": _AXIS,
        "yaxis": _AXIS,
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"},
        "margin": {"l": 56, "r": 16, "t": 72, "b": 48},
        "hovermode": "closest",
    },
    # Traces of one kind take these in turn, so that no two lines differ by colour alone.
    data={
        "scatter": [
            {"line": {"dash": dash, "width": 2}, "marker": {"symbol": marker, "size": 7}}
            for dash, marker in zip(DASHES, MARKERS, strict=True)
        ],
        "heatmap": [{"autocolorscale": True, "colorbar": {"thickness": 12, "outlinewidth": 0}}],
    },
)


# In JupyterLab too, no button that would send the chart to another host.
_CONFIG = {"displaylogo": False, "showSendToCloud": False, "plotlyServerURL": ""}


class BookFigure(go.Figure):  # type: ignore[misc]
    """A plotly figure with a description in words, which JupyterLab and the book's pages both show.

    Make one with `figure`; everything that plotly's ``Figure`` does (``add_scatter``, ``update_layout``) works on it.

    Source:
        Colours: M. Okabe and K. Ito, Color universal design (2008).
    """

    _ipython_display_ = None  # else plotly's renderer settings would overrule the two forms below

    def __init__(self, *args: Any, description: str = "", anchor: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        self._description = description
        self._anchor = anchor

    @property
    def description(self) -> str:
        """What the figure shows, in words: the figure's label for readers who do not see it."""
        return self._description

    def to_page(self) -> str:
        """Return the form for the book's pages: a labelled element around inert JSON.

        Returns:
            HTML without any script to run. Arrays travel as float32, which is finer than a screen and half the weight.
        """
        spec = json.loads(self.to_json(), object_hook=_as_float32)
        layout = spec["layout"]
        title = layout.pop("title", {}).get("text", "")
        layout.setdefault("margin", {}).setdefault("t", 24)  # the title stands above the plot, in the page's own type
        height = layout.get("height", 420)
        payload = json.dumps(spec, separators=(",", ":")).replace("</", "<\\/")
        described = html.escape(self._description)
        name = html.escape(self._anchor) or f"fig-{hashlib.sha256(payload.encode()).hexdigest()[:8]}"
        return (
            f'<div class="book-figure" role="figure" id="{name}" aria-labelledby="{name}-title" '
            f'aria-describedby="{name}-words"><p class="book-figure-title" id="{name}-title">{title}</p>'
            f'<div class="book-figure-plot" style="height: {height}px"></div>'
            f'<p class="book-figure-words" id="{name}-words">{described}</p>'
            '<noscript><p class="book-figure-note">Drawing this figure needs JavaScript.</p></noscript>'
            f'<script type="application/json">{payload}</script></div>'
        )

    def _repr_mimebundle_(self, *args: Any, **options: Any) -> dict[str, Any]:
        """Give plotly's JSON (JupyterLab), HTML (the book) and the description (a terminal)."""
        title = self.layout.title.text or "Figure"
        return {
            PLOTLY_MIME: {**json.loads(self.to_json()), "config": _CONFIG},
            "text/html": self.to_page(),
            "text/plain": f"{title}: {self._description}",
        }

    def show(self, *args: Any, **options: Any) -> None:
        """Display the figure in the notebook, like a last line that names it."""
        from IPython.display import display

        display(self)  # type: ignore[no-untyped-call]


def figure(
    *,
    title: str,
    x: str,
    y: str,
    description: str,
    height: int = 420,
    log_x: bool = False,
    log_y: bool = False,
    anchor: str = "",
) -> BookFigure:
    """Start a figure in the book's style; add traces to it as to any plotly figure.

    Args:
        title: Title, HTML allowed (``S<sub>w</sub>``), no LaTeX: plotly would need a second copy of MathJax.
        x: Label of the horizontal axis, with its unit if it has one.
        y: Label of the vertical axis.
        description: What the figure shows, in a sentence or two, for readers who do not see it.
        height: Height in pixels.
        log_x: Logarithmic horizontal axis.
        log_y: Logarithmic vertical axis.
        anchor: Name by which a link reaches the figure on its page, such as ``fig-3a``.

    Returns:
        The figure, without traces.

    Raises:
        ValueError: The description is empty.

    Example:
        >>> fig = figure(title="Loss", x="step", y="mean squared error", description="Loss falls.", log_y=True)
        >>> fig.add_scatter(x=[1, 2], y=[1.0, 0.1]).layout.yaxis.type
        'log'
    """
    if not description.strip():
        raise ValueError(f"The figure {title!r} has an empty description; say in a sentence what it shows.")
    fig = BookFigure(description=description, anchor=anchor)
    fig.update_layout(template=TEMPLATE, title_text=title, height=height)
    logarithmic = {"type": "log", "nticks": 5}  # with more, plotly labels every digit of a decade
    fig.update_xaxes(title_text=x, **(logarithmic if log_x else {}))
    fig.update_yaxes(title_text=y, **(logarithmic if log_y else {}))
    return fig


def needs(variable: str) -> Callable[[Callable[P, BookFigure]], Callable[P, BookFigure]]:
    """Draw only what was run: a part left out of the settings gives a figure that says so.

    Args:
        variable: what each dataset that the figure takes must have.

    Returns:
        A decorator for a function from datasets to a figure.
    """

    def decorate(draw: Callable[P, BookFigure]) -> Callable[P, BookFigure]:
        @functools.wraps(draw)
        def drawn(*args: P.args, **kwargs: P.kwargs) -> BookFigure:
            if all(variable in run for run in args):  # type: ignore[operator]
                return draw(*args, **kwargs)
            said = "This part was not run with these settings."
            fig = figure(title=said, x="", y="", description=said, height=120)
            fig.update_xaxes(visible=False)
            fig.update_yaxes(visible=False)
            return fig

        return drawn

    return decorate


def plotly_js_version() -> str:
    """Return the version of plotly.js inside the installed plotly, which the book's shared copy must equal."""
    return str(get_plotlyjs_version())


def _as_float32(node: dict[str, Any]) -> dict[str, Any]:
    """Shorten one of plotly's base64 arrays of float64 to float32."""
    if node.get("dtype") == "f8" and "bdata" in node:
        values = np.frombuffer(base64.b64decode(node["bdata"]), dtype="<f8").astype("<f4")
        return {**node, "dtype": "f4", "bdata": base64.b64encode(values.tobytes()).decode()}
    return node
