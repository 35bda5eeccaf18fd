"""How quickly a page answers: measured and written down, never a reason to fail, because machines differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOVES = 100  # of an atlas's sliders, in turn: enough for a steady median

# From the slider's event to the frame in which the browser shows the redrawn figures.
_REDRAWN = """async ([root, moves]) => {
  await root.condensationAtlas.ready;
  root.scrollIntoView();
  const sliders = [...root.querySelectorAll("input[type=range]")];
  const times = [];
  for (let move = 0; sliders.length && move < moves; move++) {
    const slider = sliders[move % sliders.length];
    const drawn = new Promise((done) => root.addEventListener("atlas-drawn", () => done(true), { once: true }));
    const late = new Promise((done) => setTimeout(() => done(false), 2000));
    const begin = performance.now();
    slider.value = String(slider.valueAsNumber + (slider.value === slider.max ? -1 : 1));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    if (!(await Promise.race([drawn, late]))) break; // that a slider does not answer is said elsewhere
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  return times.length ? { median: times[times.length >> 1], slowest: times.at(-1), moves: times.length } : null;
}"""

# Training as fast as the page lets it, on a target that is not fitted meanwhile, and the page's frames.
_TRAINED = """async (root, [activation, points, milliseconds]) => {
  const piece = root.condensationPlayground;
  root.scrollIntoView();
  await piece.ready;
  const fault = await piece.move({ target: "own", points, width: 100, gamma: 1, activation, speed: "most" });
  if (fault) throw new Error(fault);
  const begin = performance.now();
  let frames = 0;
  piece.play();
  while (performance.now() - begin < milliseconds) {
    await new Promise(requestAnimationFrame);
    frames++;
  }
  const seconds = (performance.now() - begin) / 1000;
  const { steps, stop, width } = piece.state();
  piece.stop();
  await piece.settle();
  if (stop) throw new Error(`a playground stopped while it was timed: ${stop}`);
  const rates = { steps_per_second: steps / seconds, frames_per_second: frames / seconds };
  return { activation, width, samples: points.length, ...rates };
}"""
_SAMPLES = 20


def redrawing(page: Page) -> list[dict[str, Any]]:
    """Time an atlas from a slider's move to the redrawn picture, for each atlas of a drawn page.

    Returns:
        Milliseconds, `median` and `slowest`, and over how many moves.
    """
    atlases = page.query_selector_all(".condensation-atlas")
    measured = [page.evaluate(_REDRAWN, [atlas, MOVES]) for atlas in atlases]
    return [_rounded(found) for found in measured if found]


def training(
    page: Page, activations: Sequence[str] = ("relu", "tanh"), milliseconds: int = 2000
) -> list[dict[str, Any]]:
    """Count the steps and the frames in a second of each playground of a drawn page, with 100 neurons and 20 samples.

    Args:
        page: the page, drawn; its playgrounds are left on the target that was trained.
        activations: what is trained, in turn.
        milliseconds: how long each is.

    Returns:
        A row for each playground and activation.
    """
    points = [[2 * at / (_SAMPLES - 1) - 1, math.sin(11 * at / (_SAMPLES - 1))] for at in range(_SAMPLES)]
    playgrounds = page.query_selector_all(".condensation-playground")
    return [
        _rounded(playground.evaluate(_TRAINED, [activation, points, milliseconds]))
        for playground in playgrounds
        for activation in activations
    ]


def _rounded(found: dict[str, Any]) -> dict[str, Any]:
    return {name: round(value, 1) if isinstance(value, float) else value for name, value in found.items()}
