"""What the book needs of Sphinx: the scoreboard, launch links from `_config.yml`, notes for readers without JavaScript.

Claims come from `claims.json` beside the sources, which `make book` writes there. A plain `jupyter-book build .` has no
such file; there the notebooks that it has just executed are read.
"""

import json
import re
import shutil
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from condensation_lab.interactive.atlas import HERE as INTERACTIVE
from condensation_lab.interactive.atlas import one_module
from condensation_lab.publish.build import make_vendor
from condensation_lab.publish.project import Project, launch_url
from condensation_lab.publish.scoreboard import claims_of, scoreboard_html, totals_html

# What Sphinx, MyST and the bibliography write that screen readers stumble over: a name that hides the words which a
# control shows, roles whose rules the elements do not keep.
MENDED = {
    ' aria-label="Toggle hidden content"': "",
    ' role="doc-biblioentry"': "",
    '<div role="list" class="citation-list">': '<div class="citation-list">',
}
SHARED = ("copyText", "dataTable", "plottedTables", "toolbar")
NO_SCRIPT = (
    "<noscript><style>.book-figure-words { position: static; clip-path: none; width: auto; height: auto; }</style>"
    '<p class="no-script">Figures and sliders need JavaScript; without it, the text, the tables and every '
    "number on this page are still here, and each figure is described in words.</p></noscript>"
)
LIVE_NO_SCRIPT = '<noscript><p class="no-script">Here stands a live figure, which needs JavaScript.</p></noscript>'


class Placeholder(nodes.General, nodes.Element):
    """Stands for the scoreboard until all notebooks have been executed."""


class Scoreboard(SphinxDirective):
    """All claims of all studies; with the option `totals`, their counts only."""

    option_spec: ClassVar = {"totals": lambda argument: True}

    def run(self) -> list[nodes.Node]:
        """Leave a placeholder."""
        return [Placeholder(totals="totals" in self.options)]


def fill_scoreboard(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the claims of this build in the place of the directive."""
    for place in list(doctree.findall(Placeholder)):
        rows = claims_in_build(app)

        def page(study: str) -> tuple[str, str]:
            notebook = "notebooks/" + study.replace("_", "-")
            return app.builder.get_relative_uri(docname, notebook), app.env.titles[notebook].astext()

        content = totals_html(rows) if place["totals"] else scoreboard_html(rows, page)
        place.replace_self(nodes.raw("", content, format="html"))


def claims_in_build(app: Sphinx) -> list[dict[str, Any]]:
    """Read the claims that belong to this build."""
    prepared = Path(app.srcdir) / "claims.json"
    if prepared.exists():
        return list(json.loads(prepared.read_text("utf-8"))["rows"])
    executed = Path(app.outdir).parent / "jupyter_execute" / "notebooks"
    return claims_of(sorted(executed.glob("*.ipynb")))


def mend_page(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Fill launch links, add notes for readers without JavaScript, leave out a script that throws on every page."""
    # sphinx-thebe adds its script to every page even where no live code is wanted, and the script then throws.
    context["script_files"] = [script for script in context["script_files"] if "thebe" not in str(script)]
    if "body" not in context:
        return
    project = Project(Path(app.confdir))
    body = re.sub(
        r'<a class="launch-link" data-notebook="([\w-]+)"(?: href="[^"]*")?',
        lambda found: f'{found[0].split(" href=")[0]} href="{launch_url(project, found[1])}"',
        context["body"],
    )
    for fault, mended in MENDED.items():
        body = body.replace(fault, mended)
    view = r'(<script type="application/vnd\.jupyter\.widget-view\+json">.*?</script>)'
    body, live = re.subn(view, rf"\1{LIVE_NO_SCRIPT}", body, flags=re.DOTALL)
    context["body"] = (NO_SCRIPT if live or "book-figure" in body else "") + body


def fetch_vendor(app: Sphinx) -> None:
    """Bring plotly, MathJax and the fonts that the pages serve themselves, if they are not there yet."""
    make_vendor(Path(app.confdir))
    # The figures of a page use what the live pieces use; a classic script, because file:// loads no modules.
    source = one_module("host.js", "toolbar.js", "plotted.js")
    shared = f"window.condensationLab.takeAway = (() => {{\n{source}\nreturn {{ {', '.join(SHARED)} }};\n}})();\n"
    vendor = Path(app.confdir) / "book" / "web" / "vendor"
    (vendor / "take-away.js").write_text(shared, "utf-8")
    shutil.copy(INTERACTIVE / "shared.css", vendor / "shared.css")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.setup_extension("condensation_sidecar")
    app.add_node(Placeholder)
    app.add_directive("scoreboard", Scoreboard)
    app.connect("builder-inited", fetch_vendor)
    app.connect("doctree-resolved", fill_scoreboard)
    app.connect("html-page-context", mend_page, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
