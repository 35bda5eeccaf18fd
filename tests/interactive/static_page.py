"""A page with one atlas as the book carries it: saved state, the book's own scripts, no kernel."""

import json
import shutil
from pathlib import Path

from ipywidgets import Widget
from playwright.sync_api import Locator, Page
from plotly.offline import get_plotlyjs

from condensation_lab.interactive import Atlas

WEB = Path(__file__).parents[2] / "book" / "web"
STYLE = "body { max-width: 52rem; margin: 0 auto; } html[data-theme=dark] { background: #14181d; }"


def write_page(folder: Path, atlas: Atlas, above: int = 0) -> Path:
    """Write the page and all it needs into a folder, the atlas below `above` pixels of nothing."""
    (folder / "vendor").mkdir(parents=True)
    (folder / "vendor" / "plotly.min.js").write_text(get_plotlyjs(), encoding="utf-8")
    for name in ("book.js", "widget-host.js"):
        shutil.copy(WEB / name, folder)
    # The book's colours, without its fonts, which are vendored when it is built.
    colours = (WEB / "book.css").read_text(encoding="utf-8").replace("@font-face", "@media not all")
    (folder / "book.css").write_text(colours, encoding="utf-8")
    state = json.dumps(Widget.get_manager_state(widgets=[atlas])).replace("</", "<\\/")
    view = json.dumps({"model_id": atlas.model_id})
    page = folder / "page.html"
    page.write_text(
        f"""<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><title>Atlas</title>
        <meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
        <link rel="stylesheet" href="book.css"><style>{STYLE}</style>
        <script src="book.js"></script><script src="widget-host.js"></script>
        <h1>Atlas</h1><div style="height: {above}px"></div>
        <script type="application/vnd.jupyter.widget-state+json">{state}</script>
        <script type="application/vnd.jupyter.widget-view+json">{view}</script></html>""",
        encoding="utf-8",
    )
    return page


def ready(page: Page) -> Locator:
    """Wait for the atlas to be drawn and give its element."""
    page.locator(".live-piece").scroll_into_view_if_needed()
    atlas = page.locator(".condensation-atlas")
    atlas.scroll_into_view_if_needed()
    atlas.evaluate("(root) => root.condensationAtlas.ready")
    return atlas


def drawn_after(atlas: Locator, act: str) -> None:
    """Do something to the atlas (JavaScript over `root`) and wait until it has drawn."""
    atlas.evaluate(
        f"(root) => new Promise((done) => {{ root.addEventListener('atlas-drawn', done, {{ once: true }}); {act}; }})"
    )
