"""Sets the heavy numbers of live pieces aside into files beside the pages (`condensation_lab.publish.sidecar`)."""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from condensation_lab.publish.sidecar import FOLDER, set_aside

STATE = "application/vnd.jupyter.widget-state+json"


def lighten(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Take the large buffers out of the state that MyST-NB puts into the page."""
    for script in context["script_files"]:
        if script.attributes.get("type") == STATE:
            script.attributes["body"] = set_aside(script.attributes["body"], Path(app.outdir) / FOLDER)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("html-page-context", lighten, priority=950)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
