/**
 * What all kinds of figure share. Each kind gives its traces and its layout at a position, and the smallest change that
 * takes a drawn figure to another position. A trace's `meta` is its name in the legend, also where that name changes.
 *
 * @typedef {import("./slices.js").Position} Position
 * @typedef {{text: string, font: string, grid: string, background: string, colorway: string[], diverging: Array}} Look
 * @typedef {{
 *   traces: (position: Position, look: Look) => object[],
 *   layout: (position: Position, look: Look) => object,
 *   update: (Plotly: object, box: HTMLElement, position: Position, look: Look, changed: string[]) => Promise<unknown>,
 *   said?: (position: Position) => string,  what stands beside the title there
 *   empty: (position: Position) => boolean,  no number to draw there
 *   table: (position: Position, narrow: boolean) => import("./toolbar.js").Table[],
 *   legend: string[],  names that can be hidden
 *   overlays: object[],
 *   pad?: (box: HTMLElement, move: (wanted: Position) => void, now: () => Position) => void,
 * }} Figure
 */
import { placedLabels } from "./ticks.js";

export const AT_ONCE = { mode: "immediate", transition: { duration: 0 }, frame: { duration: 0, redraw: false } };
const CLEAR = "rgba(0,0,0,0)";

export function axis(look, title, range, more = {}) {
  return {
    title: { text: title, standoff: 6 }, range, fixedrange: true, ticks: "outside", color: look.text,
    gridcolor: look.grid, zerolinecolor: look.grid, linecolor: look.grid, tickcolor: look.grid, ...more,
  };
}

export function frame(look, more) {
  return {
    paper_bgcolor: CLEAR, plot_bgcolor: CLEAR, font: { color: look.text, family: look.font, size: 12 },
    margin: { l: 58, r: 14, t: 30, b: 46 }, hovermode: "closest", dragmode: false,
    legend: { orientation: "h", x: 0, y: 1.01, yanchor: "bottom", bgcolor: CLEAR, font: { size: 11 } },
    ...more,
  };
}

/** Traces of curves and labelled points that never move. */
export function overlayTraces(given, look) {
  const halo = Array(3).fill(`0 0 3px ${look.background}`).join();
  return given.map(({ name, x, y, labels, positions, dash }) => {
    const shared = { type: "scatter", name, meta: name, x, y, showlegend: Boolean(name) };
    if (!labels) return { ...shared, mode: "lines", line: { color: look.text, width: 2, dash }, hoverinfo: "name" };
    return {
      ...shared, mode: "markers+text", text: labels, textposition: positions.length ? positions : "middle right",
      textfont: { color: look.text, size: 11, shadow: halo }, cliponaxis: false, hoverinfo: "text",
      marker: { symbol: "diamond", size: 9, color: look.background, line: { color: look.text, width: 1.5 } },
    };
  });
}

/** Move labels of points that would be cut off at the frame's edge, or lie on each other, in the figure's present size. */
export function fitLabels(Plotly, box, given) {
  const { xaxis, yaxis } = box._fullLayout;
  const first = box.data.length - given.length;
  given.forEach(({ x, y, labels, positions }, index) => {
    if (!labels) return;
    const wanted = labels.map((text, point) => ({
      at: [xaxis.d2p(x[point]), yaxis._length - yaxis.d2p(y[point])], text, wish: positions[point],
    }));
    const textposition = placedLabels(wanted, [xaxis._length, yaxis._length]);
    if (String(textposition) === String(box.data[first + index].textposition)) return;
    Plotly.restyle(box, { textposition: [textposition] }, [first + index]);
  });
}

/** Names in the legend that a reader can hide. */
export function namesOf(overlays) {
  return overlays.map(({ name }) => name).filter(Boolean);
}
