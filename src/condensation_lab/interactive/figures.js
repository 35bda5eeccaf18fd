/**
 * The kinds of figure an atlas is made of. Each gives its traces and its layout at a position, and the smallest change
 * that takes a drawn figure to another position.
 *
 * @typedef {import("./slices.js").Position} Position
 * @typedef {{text: string, font: string, grid: string, background: string, colorway: string[], diverging: Array}} Look
 * @typedef {{
 *   traces: (position: Position, look: Look) => object[],
 *   layout: (position: Position, look: Look) => object,
 *   update: (Plotly: object, box: HTMLElement, position: Position, look: Look, changed: string[]) => Promise<unknown>,
 *   pad?: (box: HTMLElement, move: (wanted: Position) => void, now: () => Position) => void,
 * }} Figure
 */
import { extent, nearest, number, points, powerLaw, rows, slice } from "./slices.js";

const AT_ONCE = { mode: "immediate", transition: { duration: 0 }, frame: { duration: 0, redraw: false } };
const CLEAR = "rgba(0,0,0,0)";

function axis(look, title, range, more = {}) {
  return {
    title: { text: title, standoff: 6 }, range, fixedrange: true, ticks: "outside", color: look.text,
    gridcolor: look.grid, zerolinecolor: look.grid, linecolor: look.grid, tickcolor: look.grid, ...more,
  };
}

function frame(look, more) {
  return {
    paper_bgcolor: CLEAR, plot_bgcolor: CLEAR, font: { color: look.text, family: look.font, size: 12 },
    margin: { l: 58, r: 14, t: 30, b: 46 }, hovermode: "closest", dragmode: false,
    legend: { orientation: "h", x: 0, y: 1.01, yanchor: "bottom", bgcolor: CLEAR, font: { size: 11 } },
    uirevision: "kept", // what the reader hid in a legend stays hidden
    ...more,
  };
}

/** Traces of curves and labelled points that never move. */
function overlays(given, look) {
  const halo = Array(3).fill(`0 0 3px ${look.background}`).join();
  return given.map(({ name, x, y, labels, positions, dash }) => {
    const shared = { type: "scatter", name, x, y, showlegend: Boolean(name) };
    if (!labels) return { ...shared, mode: "lines", line: { color: look.text, width: 2, dash }, hoverinfo: "name" };
    return {
      ...shared, mode: "markers+text", text: labels, textposition: positions.length ? positions : "middle right",
      textfont: { color: look.text, size: 11, shadow: halo }, cliponaxis: false, hoverinfo: "text",
      marker: { symbol: "diamond", size: 9, color: look.background, line: { color: look.text, width: 1.5 } },
    };
  });
}

/** A heat map that is also the pad of its two controls. @returns {Figure} */
export function mapFigure(view, data) {
  const [xs, ys] = [view.x, view.y].map((name) => Array.from(slice(data, name, {}, [name])));
  const edges = (values) => {
    const half = values.length > 1 ? (values[1] - values[0]) / 2 : 0.5;
    return [values[0] - half, values.at(-1) + half];
  };
  const [low, high] = extent(data, [view.variable]);
  const limit = Math.max(Math.abs(low), Math.abs(high));
  const others = data.variables[view.variable].dims.filter((dim) => dim !== view.x && dim !== view.y);
  const z = (position) => rows(data, view.variable, position, view.y, view.x);
  // Two rings, dark on light, so that it is seen on every colour.
  const cursor = (position, look) => [[look.background, 11], [look.text, 9]].map(([color, radius]) => ({
    type: "circle", xsizemode: "pixel", ysizemode: "pixel", x0: -radius, x1: radius, y0: -radius, y1: radius,
    xanchor: xs[position[view.x]], yanchor: ys[position[view.y]], line: { color, width: 2.5 },
  }));
  const zeroLine = (position, look) => ({
    type: "contour", x: xs, y: ys, z: z(position), name: "measured zero", showlegend: true, showscale: false,
    contours: { coloring: "none", start: 0, end: 0, size: 1 }, line: { color: look.text, width: 2, dash: "dot" },
    hoverinfo: "skip",
  });
  return {
    traces: (position, look) => [
      {
        type: "heatmap", x: xs, y: ys, z: z(position), hoverongaps: false,
        zmin: view.diverging ? -limit : low, zmax: view.diverging ? limit : high,
        colorscale: view.diverging ? look.diverging : "Cividis",
        colorbar: {
          title: { text: view.z_label, side: "right" }, thickness: 12, outlinewidth: 0, len: 1, ypad: 0,
          tickfont: { size: 11 },
        },
        hovertemplate: `${view.x_label} = %{x}<br>${view.y_label} = %{y}<br>${view.z_label} = %{z:.3g}<extra></extra>`,
      },
      ...(view.diverging ? [zeroLine(position, look)] : []),
      ...overlays(view.overlays, look),
    ],
    layout: (position, look) => frame(look, {
      shapes: cursor(position, look), margin: { l: 58, r: 74, t: 30, b: 46 },
      xaxis: axis(look, view.x_label, edges(xs)), yaxis: axis(look, view.y_label, edges(ys)),
    }),
    update(Plotly, box, position, look, changed) {
      const shapes = cursor(position, look);
      if (!others.some((dim) => changed.includes(dim))) return Plotly.relayout(box, { shapes });
      return Plotly.update(box, { z: [z(position)] }, { shapes }, view.diverging ? [0, 1] : [0]);
    },
    pad(box, move, now) {
      const follow = (event) => {
        const { left, top, width, height } = box.querySelector(".nsewdrag").getBoundingClientRect();
        const at = ([first, last], share) => first + (last - first) * share;
        move({
          [view.x]: nearest(xs, at(edges(xs), (event.clientX - left) / width)),
          [view.y]: nearest(ys, at(edges(ys), (top + height - event.clientY) / height)),
        });
      };
      box.addEventListener("pointerdown", (event) => {
        if (!event.target.closest(".nsewdrag")) return; // the legend has clicks of its own
        box.setPointerCapture(event.pointerId);
        box.focus({ preventScroll: true });
        follow(event);
      });
      box.addEventListener("pointermove", (event) => box.hasPointerCapture(event.pointerId) && follow(event));
      const steps = {
        ArrowLeft: [view.x, -1], ArrowRight: [view.x, 1], ArrowDown: [view.y, -1], ArrowUp: [view.y, 1],
      };
      box.addEventListener("keydown", (event) => {
        if (!(event.key in steps)) return;
        const [dim, step] = steps[event.key];
        move({ [dim]: now()[dim] + step });
        event.preventDefault(); // else the page would scroll
      });
    },
  };
}

/** Ends of an axis in plotly's terms (powers of ten on a log axis), the same at every position of the controls. */
function span(data, names, log, given) {
  const [low, high] = (given ?? extent(data, names, log)).map((end) => (log ? Math.log10(end) : end));
  const room = given ? 0 : (high - low || 1) * 0.05;
  return [low - room, high + room];
}

/** Ticks of a log axis: the few grid points that it runs over, else powers of ten. */
function logTicks(data, name) {
  const { coordinate, raw } = data.variables[name];
  if (!coordinate || raw.length > 8) return { type: "log", dtick: 1, exponentformat: "power", tickfont: { size: 10 } };
  const tickvals = Array.from(raw);
  return { type: "log", tickmode: "array", tickvals, ticktext: tickvals.map((value) => number(value, 12)) };
}

/** Lines and points sliced at the controls. @returns {Figure} */
export function graphFigure(view, data) {
  // One entry a trace: its series, and whether it is the power law through it.
  const plan = view.series.flatMap((series, index) => [
    { series, index, law: false }, ...(series.trend ? [{ series, index, law: true }] : []),
  ]);
  const values = ({ series, law }, position) => {
    const { x, y } = points(data, series, position);
    if (!law) return { x, y, name: series.name };
    const line = powerLaw(x, y);
    return { x: line.x, y: line.y, name: `slope ${number(line.slope)}` };
  };
  const style = ({ series, index, law }, look) => {
    const color = series.color.replace(/^text$/, look.text) || look.colorway[index % look.colorway.length];
    if (law) return { type: "scatter", mode: "lines", line: { color, width: 2, dash: "dash" }, hoverinfo: "name" };
    return {
      type: "scatter", mode: series.mode, showlegend: Boolean(series.name),
      line: { color, width: 2, dash: series.dash },
      marker: { color, symbol: series.symbol, size: series.size, line: { color, width: 1.5 } },
    };
  };
  const mark = (position, look) => {
    if (!view.mark) return [];
    const [here] = slice(data, view.mark, position, []);
    const line = { color: look.text, width: 1, dash: "dot" };
    return [{ type: "line", yref: "paper", x0: here, x1: here, y0: 0, y1: 1, line }];
  };
  const axisOf = (look, name) => {
    const log = view[`log_${name}`];
    const ends = span(data, view.series.map((series) => series[name]), log, view[`${name}_range`]);
    return axis(look, view[`${name}_label`], ends, log ? logTicks(data, view.series[0][name]) : {});
  };
  return {
    traces: (position, look) => [
      ...plan.map((entry) => ({ ...style(entry, look), ...values(entry, position) })), ...overlays(view.overlays, look),
    ],
    layout: (position, look) => frame(look, {
      shapes: mark(position, look), xaxis: axisOf(look, "x"), yaxis: axisOf(look, "y"),
    }),
    update(Plotly, box, position, look, changed) {
      const shapes = changed.includes(view.mark) ? { shapes: mark(position, look) } : {};
      const moved = plan.flatMap((entry, trace) => (
        entry.series.sliced.some((dim) => changed.includes(dim)) ? [trace] : []
      ));
      if (!moved.length) return Plotly.relayout(box, shapes); // plotly would take "no traces" for all of them
      const fresh = moved.map((trace) => values(plan[trace], position));
      // Where no legend changes, an animation without duration: it moves the points and leaves axes and legend alone,
      // which takes a third of the time.
      if (moved.every((trace) => !plan[trace].law)) {
        if (shapes.shapes) Plotly.relayout(box, shapes);
        return Plotly.animate(box, { data: fresh, traces: moved }, AT_ONCE).catch((reason) => {
          if (reason) throw reason; // without a reason, the next move has overtaken this one
        });
      }
      const change = Object.fromEntries(["x", "y", "name"].map((key) => [key, fresh.map((one) => one[key])]));
      return Plotly.update(box, change, shapes, moved);
    },
  };
}
