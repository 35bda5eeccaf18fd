"""How long a moved slider takes to show its picture, in the browser of the tests, cut off from the network.

`python benchmarks/slider_latency.py` measures the built page of the phase diagram; another built page is named as in
`python benchmarks/slider_latency.py _build/site/notebooks/another.html`. It prints the median and the 90th percentile
over 100 moves of each slider, from the slider's event until the frame with every picture of the atlas is painted.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from condensation_lab.publish.browser import browser, served, visit

PAGE = Path("_build/site/notebooks/two-layer-phase-diagram.html")
MOVES = 100

MEASURE = """async (root, moves) => {
  await root.condensationAtlas.ready;
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel(); // a task of its own: after the frame
    port1.onmessage = done;
    port2.postMessage(0);
  }));
  const found = {};
  for (const input of root.querySelectorAll("input[type=range]")) {
    const times = [];
    const [first, last] = [Number(input.min), Number(input.max)];
    let step = 1;
    for (let move = 0; move < moves; move++) {
      if (input.valueAsNumber + step > last || input.valueAsNumber + step < first) step = -step;
      await painted();
      const drawn = new Promise((done) => root.addEventListener("atlas-drawn", done, { once: true }));
      const begin = performance.now();
      input.value = String(input.valueAsNumber + step);
      input.dispatchEvent(new Event("input", { bubbles: true }));
      await drawn;
      const { port1, port2 } = new MessageChannel();
      await new Promise((done) => { port1.onmessage = done; port2.postMessage(0); });
      times.push(performance.now() - begin);
    }
    found[input.name] = times;
  }
  return found;
}"""


def measure(page: Path, width: int = 1280) -> list[dict[str, Any]]:
    """Move every slider of every atlas of a built page.

    Args:
        page: HTML file of a built site, or of a page that lies beside all it needs.
        width: of the window, in pixels.

    Returns:
        A row for each slider: its name, how many moves, median and 90th percentile in milliseconds.
    """
    site = next((folder for folder in page.parents if (folder / "_static").is_dir()), page.parent)
    rows = []
    path = str(page.relative_to(site))
    with browser() as started, served(site) as address, visit(started, address, path, width=width) as seen:
        for piece in seen.page.query_selector_all(".live-piece"):
            piece.scroll_into_view_if_needed()
        seen.page.wait_for_selector(".condensation-atlas")
        for atlas in seen.page.query_selector_all(".condensation-atlas"):
            atlas.scroll_into_view_if_needed()
            for name, times in atlas.evaluate(MEASURE, MOVES).items():
                median, late = np.percentile(times, [50, 90])
                rows.append({"slider": name, "moves": len(times), "median_ms": median, "p90_ms": late})
    return rows


if __name__ == "__main__":
    shown = Path(sys.argv[1] if len(sys.argv) > 1 else PAGE).resolve()
    if not shown.is_file():
        sys.exit(f"{shown} is not there; `make book` builds the pages.")
    print(f"{'slider':<16}{'moves':>6}{'median':>10}{'90 %':>10}")
    for row in measure(shown):
        print(f"{row['slider']:<16}{row['moves']:>6}{row['median_ms']:>7.1f} ms{row['p90_ms']:>7.1f} ms")
