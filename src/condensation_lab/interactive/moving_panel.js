/**
 * A small diagram that is drawn anew many times a second: one <svg>, one path for each layer however many marks it has.
 *
 * @typedef {{name: string, mark: "line" | "dash" | "dot" | "plus" | "rug", colour: number, x: ArrayLike<number>,
 *   y: ArrayLike<number>}} Layer  colour: place in the colourway, −1 is the text's; a rug stands on the axis, y from 0 to 1
 * @typedef {{range: [number, number], log?: boolean, label: string, ticks?: [number, string][]}} PanelAxis
 */
import { svgPart } from "./host.js";
import { number } from "./numbers.js";
import { roundSteps } from "./ticks.js";

const [PANEL_WIDTH, PANEL_HEIGHT] = [360, 250];
const PANEL_FRAME = { left: 52, right: 344, top: 26, bottom: 208 };
const RUG = 34; // pixels of the longest line of a rug
let panelsMade = 0;

const raised = (power) => `10${Array.from(String(power), (sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[sign])).join("")}`;

/** Whole powers of ten around positive values, at least a decade. @param {ArrayLike<number>[]} lists @returns {[number, number]} */
export function decades(lists, least = 0) {
  let [low, high] = [Infinity, -Infinity];
  for (const values of lists) {
    for (let at = 0; at < values.length; at++) {
      if (!(values[at] > least && values[at] < Infinity)) continue;
      low = Math.min(low, values[at]);
      high = Math.max(high, values[at]);
    }
  }
  if (!(low <= high)) return [0.1, 1];
  const ends = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
  return [10 ** ends[0], 10 ** Math.max(ends[1], ends[0] + 1)];
}

function panelTicks({ range: [low, high], log, ticks }) {
  if (ticks) return ticks;
  if (!log) return roundSteps(low, high, 4).map((value) => [value, number(value)]);
  const [first, last] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))];
  const every = Math.ceil((last - first) / 5);
  const powers = Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, at) => first + at * every);
  return powers.map((power) => [10 ** power, power >= -1 && power <= 2 ? String(Number(`1e${power}`)) : raised(power)]);
}

/** @param {string} label  what it shows, for those who cannot see it */
export function movingPanel(label) {
  const id = `panel-${panelsMade++}`;
  const { left, right, top, bottom } = PANEL_FRAME;
  const svg = svgPart("svg", { viewBox: `0 0 ${PANEL_WIDTH} ${PANEL_HEIGHT}`, role: "img", class: "moving-panel", "aria-label": label });
  const frame = { x: left, y: top, width: right - left, height: bottom - top };
  const clip = svgPart("clipPath", { id }, svgPart("rect", frame));
  const [grid, key, inside] = ["panel-grid", "panel-key", "panel-marks"].map((name) => svgPart("g", { class: name }));
  inside.setAttribute("clip-path", `url(#${id})`);
  svg.append(svgPart("defs", {}, clip), grid, svgPart("rect", { class: "panel-frame", ...frame }), inside, key);
  let drawnAxes = "";
  let drawnKey = "";
  let places;

  const placing = ({ range: [low, high], log }, from, to) => {
    const turn = log ? Math.log10 : (value) => value;
    const [first, last] = [turn(low), turn(high)];
    return (value) => from + ((to - from) * (turn(value) - first)) / (last - first);
  };

  function drawAxes(x, y) {
    const text = (words, across, down, more = {}) => svgPart("text", { x: across, y: down, ...more }, words);
    const parts = [];
    for (const [value, words] of panelTicks(x)) {
      const at = places.x(value);
      parts.push(svgPart("path", { d: `M${at} ${top}V${bottom}` }), text(words, at, bottom + 16, { "text-anchor": "middle" }));
    }
    for (const [value, words] of panelTicks(y)) {
      const at = places.y(value);
      parts.push(svgPart("path", { d: `M${left} ${at}H${right}` }), text(words, left - 6, at + 4, { "text-anchor": "end" }));
    }
    const up = { "text-anchor": "middle", transform: `rotate(-90 12 ${(top + bottom) / 2})` };
    parts.push(text(x.label, (left + right) / 2, PANEL_HEIGHT - 8, { "text-anchor": "middle" }), text(y.label, 12, (top + bottom) / 2, up));
    grid.replaceChildren(...parts);
  }

  function drawKey(layers) {
    let at = left;
    key.replaceChildren(...layers.filter(({ name }) => name).flatMap(({ name, mark, colour }) => {
      const sample = { line: `M${at} 11h16`, dash: `M${at} 11h16`, dot: `M${at + 8} 11h0`, plus: plusAt(at + 8, 11), rug: `M${at + 8} 4v14` };
      const shown = svgPart("path", { class: `mark-${mark}`, style: `stroke: ${strokeOf(colour)}`, d: sample[mark] });
      const words = svgPart("text", { x: at + 20, y: 15 }, name);
      at += 30 + 6.3 * name.length;
      return [shown, words];
    }));
  }

  function pathOf({ mark, x: xs, y: ys }, y) {
    const parts = [];
    let drawing = false; // whether the line has begun since its last gap
    for (let at = 0; at < xs.length; at++) {
      const across = places.x(xs[at]);
      if (mark === "rug") {
        if (across >= left && across <= right) parts.push(`M${across.toFixed(1)} ${bottom}v${(-2 - RUG * ys[at]).toFixed(1)}`);
        continue;
      }
      let down = places.y(ys[at]);
      if (!Number.isFinite(across) || !Number.isFinite(down)) {
        drawing = false;
        continue;
      }
      down = Math.min(Math.max(down, -1000), 1000); // far outside the frame is outside
      if (mark === "dot") parts.push(`M${across.toFixed(1)} ${down.toFixed(1)}h0`);
      else if (mark === "plus") parts.push(plusAt(across, down));
      else parts.push(`${drawing ? "L" : "M"}${across.toFixed(1)} ${down.toFixed(1)}`);
      drawing = true;
    }
    return parts.join("");
  }

  /** @param {PanelAxis} x @param {PanelAxis} y @param {Layer[]} layers  the same ones each time, but for their values */
  function show(x, y, layers) {
    const axes = JSON.stringify([x, y]);
    if (axes !== drawnAxes) {
      places = { x: placing(x, left, right), y: placing(y, bottom, top) };
      drawAxes(x, y);
      drawnAxes = axes;
    }
    const names = JSON.stringify(layers.map(({ name, mark }) => [name, mark]));
    if (names !== drawnKey) {
      drawKey(layers);
      inside.replaceChildren(...layers.map(({ mark, colour }) => (
        svgPart("path", { class: `mark-${mark}`, style: `stroke: ${strokeOf(colour)}` })
      )));
      drawnKey = names;
    }
    layers.forEach((layer, index) => inside.children[index].setAttribute("d", pathOf(layer, y)));
  }

  /** Where a pointer is, in shares of the frame from its lower left corner. */
  function shareAt({ clientX, clientY }) {
    const box = svg.getBoundingClientRect();
    const [across, down] = [((clientX - box.left) / box.width) * PANEL_WIDTH, ((clientY - box.top) / box.height) * PANEL_HEIGHT];
    const within = (share) => Math.min(Math.max(share, 0), 1);
    return [within((across - left) / (right - left)), within((bottom - down) / (bottom - top))];
  }

  return { svg, show, shareAt };
}

const plusAt = (x, y) => `M${(x - 3).toFixed(1)} ${y.toFixed(1)}h6M${x.toFixed(1)} ${(y - 3).toFixed(1)}v6`;
const strokeOf = (colour) => (colour < 0 ? "currentcolor" : `var(--panel-${colour})`);
