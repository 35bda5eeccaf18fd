"""What a visitor's browser finds on a page: figures drawn or empty, live pieces that move, links that lead nowhere."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from condensation_lab.publish.slices import atlases_of, differences, expected_traces

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE = 60_000  # milliseconds that a page may take to draw all that is on it, on a busy machine
REDRAW = 5.0  # seconds after which a moved atlas must have drawn anew

_DRAWN = """() => [...document.querySelectorAll(".book-figure, .live-piece")].every((piece) => piece.dataset.drawn)
  && [...document.querySelectorAll(".condensation-atlas .plot")].every((plot) => plot.data)"""

# A plot counts when it has a mark on the screen and a finite number behind it.
_FIGURES = """() => [...document.querySelectorAll(".book-figure, .live-piece .js-plotly-plot")].map((box) => {
  const plot = box.matches(".js-plotly-plot") ? box : box.querySelector(".js-plotly-plot");
  const marks = [...(plot?.querySelectorAll(".cartesianlayer :is(path, image)") ?? [])]
    .some((mark) => { const { width, height } = mark.getBoundingClientRect(); return width + height > 1; });
  const flat = (values) => Array.from(values ?? []).flatMap((value) => value?.length ? flat(value) : [value]);
  const finite = (plot?._fullData ?? []).some(({ x, y, z }) => flat(z ?? y ?? x).some(Number.isFinite));
  const label = box.closest("[aria-labelledby], figure[aria-label]");
  const title = document.getElementById(label?.getAttribute("aria-labelledby"));
  const name = title?.textContent ?? label?.getAttribute("aria-label") ?? "";
  return { name: name.slice(0, 80), full: marks && finite };
})"""

_BROKEN_LINKS = """() => [...document.querySelectorAll(".bd-article a[href^='#']")]
  .map((link) => link.getAttribute("href"))
  .filter((href) => href.length > 1 && !document.getElementById(decodeURIComponent(href.slice(1))))"""

_ATLAS = """(root) => {
  const plain = (values) => values && Array.from(values, (value) => value?.length ? plain(value) : value);
  const { state, drawn } = root.condensationAtlas;
  const views = [...root.querySelectorAll(".plot")].map((_, view) => drawn(view)
    .map(({ x, y, z }) => ({ x: plain(x), y: plain(y), z: plain(z) })));
  return { position: state(), views };
}"""


def wait_until_drawn(page: Page) -> bool:
    """Scroll through a page, so that all of it comes into view, and wait until it is drawn.

    Returns:
        Whether everything was drawn in time.
    """
    from playwright.sync_api import TimeoutError as PlaywrightTimeout

    page.evaluate("() => window.MathJax?.startup?.promise")
    page.evaluate("""async () => {
      for (let y = 0; y < document.documentElement.scrollHeight; y += 900) {
        window.scrollTo(0, y);
        await new Promise((done) => setTimeout(done, 60));
      }
    }""")
    try:
        page.wait_for_function(_DRAWN, timeout=PATIENCE)
    except PlaywrightTimeout:
        return False
    finally:
        page.evaluate("window.scrollTo(0, 0)")
    return True


def figures(page: Page) -> list[dict[str, Any]]:
    """List a page's figures, each with its name and whether it is `full`: drawn and not empty."""
    return list(page.evaluate(_FIGURES))


def broken_links(page: Page) -> list[str]:
    """List the links within a page whose target is not there."""
    return list(page.evaluate(_BROKEN_LINKS))


def too_wide(page: Page) -> bool:
    """Whether the page must be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


def move_atlases(page: Page, html: str) -> tuple[int, list[str]]:
    """Move every slider of every atlas with the keyboard, and compare what is drawn with slices made in Python.

    Args:
        page: The page, drawn.
        html: Its source, which holds the atlases' numbers.

    Returns:
        How many sliders moved, and a sentence for each fault.
    """
    carried, shown = atlases_of(html), page.query_selector_all(".condensation-atlas")
    if len(carried) != len(shown):
        return 0, [f"the page carries {len(carried)} atlases and shows {len(shown)}"]
    moved, faults = 0, []
    for number, (atlas, element) in enumerate(zip(carried, shown, strict=True), start=1):
        faults += _faults(atlas, element.evaluate(_ATLAS), f"atlas {number} at the start")
        for slider in element.query_selector_all("input[type=range]"):
            name = slider.get_attribute("name")
            before = element.evaluate(_ATLAS)["position"]
            at_end = slider.evaluate("(input) => input.value === input.max")
            slider.press("ArrowLeft" if at_end else "ArrowRight")
            late = time.monotonic() + REDRAW
            while True:  # a picture follows its slider in a frame or two, and a busy machine's frames are long
                after = element.evaluate(_ATLAS)
                wrong = _faults(atlas, after, f"atlas {number} after a move of {name}")
                still = after["position"] == before
                if (not wrong and not still) or time.monotonic() > late:
                    break
                page.wait_for_timeout(50)
            if still:
                faults.append(f"the slider {name} of atlas {number} does not move")
            else:
                moved += 1
                faults += wrong
    return moved, faults


def _faults(atlas: dict[str, Any], seen: dict[str, Any], where: str) -> list[str]:
    return [
        f"{where}: view {view + 1}, {difference}"
        for view, drawn in enumerate(seen["views"])
        for difference in differences(drawn, expected_traces(atlas, view, seen["position"]))
    ]
