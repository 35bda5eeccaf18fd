/** Figures of series sliced at the controls: lines and points over axes, points around a circle, bars. */
import { extent, points, powerLaw, slice } from "./slices.js";
import { number } from "./numbers.js";
import { logTicks, textTicks } from "./ticks.js";
import { AT_ONCE, axis, frame, namesOf, overlayTraces } from "./figures.js";

const PATTERNS = ["", "/", "x", "\\", ".", "+"]; // bars differ by more than their colour

/** Ends of an axis in plotly's terms (powers of ten on a log axis), with a little room. */
function span([low, high], log, given) {
  const ends = (given ?? [low, high]).map((end) => (log ? Math.log10(end) : end));
  const room = given ? 0 : (ends[1] - ends[0] || 1) * 0.05;
  return [ends[0] - room, ends[1] + room];
}

/** Ticks of an axis over a variable: its texts, the few grid points of a log axis, or what suits the range. */
function ticksOf(data, name, log, ends) {
  const { coordinate, raw, texts } = data.variables[name];
  if (texts) return textTicks(texts);
  if (!log) return {};
  if (!coordinate || raw.length > 8) return logTicks(ends);
  const tickvals = Array.from(raw);
  return { type: "log", tickmode: "array", tickvals, ticktext: tickvals.map((value) => number(value, 12)) };
}

/** Least and largest of drawn values; only positive ones count on a log axis. */
function extentOf(lists, log) {
  const values = lists.flatMap((list) => Array.from(list)).filter((value) => Number.isFinite(value) && (!log || value > 0));
  return values.length ? [Math.min(...values), Math.max(...values)] : [log ? 0.1 : 0, 1];
}

const colorOf = (series, index, look) => (
  series.color.replace(/^text$/, look.text) || look.colorway[index % look.colorway.length]
);

/** What the three kinds share: what a move changes, whether anything is there, the tables. */
function seriesOf(view, data) {
  const raw = (series, position) => points(data, series, position);
  return {
    legend: view.series.map(({ name }) => name).filter(Boolean),
    changedOf: (plan, changed) => plan.flatMap((entry, trace) => (
      entry.series.sliced.some((dim) => changed.includes(dim)) ? [trace] : []
    )),
    empty: (position) => view.series.every((series) => (
      series.sliced.length && !raw(series, position).y.some(Number.isFinite)
    )),
    table: (position) => view.series.map((series) => {
      const { x, y } = raw(series, position);
      const texts = data.variables[series.x].texts;
      const rows = Array.from(x, (value, at) => [texts?.[value] ?? value, y[at]]);
      return { caption: series.name || view.title, columns: [view.x_label, view.y_label], rows };
    }),
  };
}

/** Move traces without a change of axes or legend: an animation without duration takes a third of an update's time. */
function moveTraces(Plotly, box, data, traces) {
  return Plotly.animate(box, { data, traces }, AT_ONCE).catch((reason) => {
    if (reason) throw reason; // without a reason, the next move has overtaken this one
  });
}

/** Lines and points. @returns {import("./figures.js").Figure} */
export function graphFigure(view, data) {
  const { changedOf, empty, table } = seriesOf(view, data);
  // One entry a trace: its series, and whether it is the power law through it.
  const plan = view.series.flatMap((series, index) => [
    { series, index, law: false }, ...(series.trend ? [{ series, index, law: true }] : []),
  ]);
  const lawName = (series) => `trend of ${series.name || series.y}`;
  const lawAt = (series, position) => {
    const { x, y } = points(data, series, position);
    return powerLaw(x, y);
  };
  const values = ({ series, law }, position) => {
    const { x, y } = law ? lawAt(series, position) : points(data, series, position);
    return { x, y };
  };
  const style = ({ series, index, law }, look) => {
    const color = colorOf(series, index, look);
    if (law) {
      const line = { color, width: 2, dash: "dash" };
      return { type: "scatter", mode: "lines", line, hoverinfo: "name", name: lawName(series), meta: lawName(series) };
    }
    return {
      type: "scatter", mode: series.mode, name: series.name, showlegend: Boolean(series.name), meta: series.name,
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
  const axisOf = (look, name, position) => {
    const log = view[`log_${name}`];
    const given = view[`${name}_range`];
    const shown = name === "y" && view.follow && !given
      ? extentOf(view.series.map((series) => points(data, series, position).y), log)
      : extent(data, view.series.map((series) => series[name]), log);
    const ends = span(shown, log, given);
    return axis(look, view[`${name}_label`], ends, ticksOf(data, view.series[0][name], log, ends));
  };
  return {
    empty, table, overlays: view.overlays,
    // Beside the title, not in the legend: a legend that changes would have plotly lay the figure out again.
    said: (position) => view.series.filter(({ trend }) => trend).map((series) => (
      `slope of the ${lawName(series)}: ${number(lawAt(series, position).slope)}`
    )).join("; "),
    legend: [...plan.map(({ series, law }) => (law ? lawName(series) : series.name)).filter(Boolean), ...namesOf(view.overlays)],
    traces: (position, look) => [
      ...plan.map((entry) => ({ ...style(entry, look), ...values(entry, position) })),
      ...overlayTraces(view.overlays, look),
    ],
    layout: (position, look) => frame(look, {
      shapes: mark(position, look), xaxis: axisOf(look, "x", position), yaxis: axisOf(look, "y", position),
    }),
    async update(Plotly, box, position, look, changed) {
      const layout = changed.includes(view.mark) ? { shapes: mark(position, look) } : {};
      const moved = changedOf(plan, changed);
      if (!moved.length) return Plotly.relayout(box, layout); // plotly would take "no traces" for all of them
      if (view.follow) layout.yaxis = axisOf(look, "y", position);
      const fresh = moved.map((trace) => values(plan[trace], position));
      if (!view.follow) {
        if (layout.shapes) Plotly.relayout(box, layout);
        return moveTraces(Plotly, box, fresh, moved);
      }
      const change = Object.fromEntries(["x", "y"].map((key) => [key, fresh.map((one) => one[key])]));
      return Plotly.update(box, change, layout, moved);
    },
  };
}

/** Points around a circle: the angle is x in radians, the radius y. @returns {import("./figures.js").Figure} */
export function circleFigure(view, data) {
  const { legend, changedOf, empty, table } = seriesOf(view, data);
  const plan = view.series.map((series) => ({ series }));
  const radius = view.radius ?? extent(data, view.series.map(({ y }) => y))[1];
  const ends = [-1.22 * radius, 1.22 * radius];
  const values = (series, position) => {
    const { x: angle, y: length } = points(data, series, position);
    const said = Array.from(angle, (turn, at) => `${number(turn)} rad, ${number(length[at])}`);
    return { x: length.map((r, at) => r * Math.cos(angle[at])), y: length.map((r, at) => r * Math.sin(angle[at])), text: said };
  };
  const guides = (look) => {
    const line = { color: look.grid, width: 1 };
    const ring = (r) => ({ type: "circle", layer: "below", x0: -r, x1: r, y0: -r, y1: r, line });
    const spoke = (x, y) => ({ type: "line", layer: "below", x0: -x, x1: x, y0: -y, y1: y, line });
    return [ring(radius), ring(radius / 2), spoke(radius, 0), spoke(0, radius)];
  };
  const words = [["0", 1, 0], ["π/2", 0, 1], ["±π", -1, 0], ["−π/2", 0, -1]].map(([text, x, y]) => ({
    text, x: x * 1.1 * radius, y: y * 1.1 * radius, showarrow: false, font: { size: 11 },
  }));
  words.push({ text: number(radius), x: 0.75 * radius, y: -0.75 * radius, showarrow: false, font: { size: 10 } });
  const bare = { showgrid: false, zeroline: false, showline: false, ticks: "", showticklabels: false, constrain: "domain" };
  return {
    empty, table, legend, overlays: [],
    traces: (position, look) => view.series.map((series, index) => {
      const color = colorOf(series, index, look);
      return {
        type: "scatter", mode: "markers", name: series.name, meta: series.name, showlegend: Boolean(series.name),
        marker: { color, symbol: series.symbol, size: series.size, line: { color, width: 1.5 } },
        hovertemplate: "%{text}<extra></extra>", ...values(series, position),
      };
    }),
    layout: (position, look) => frame(look, {
      margin: { l: 10, r: 10, t: 30, b: 10 }, shapes: guides(look), annotations: words,
      xaxis: axis(look, "", ends, bare), yaxis: axis(look, "", ends, { ...bare, scaleanchor: "x" }),
    }),
    update(Plotly, box, position, look, changed) {
      const moved = changedOf(plan, changed);
      if (!moved.length) return undefined;
      return moveTraces(Plotly, box, moved.map((trace) => values(view.series[trace], position)), moved);
    },
  };
}

/** Bars over the places of one dimension. @returns {import("./figures.js").Figure} */
export function barsFigure(view, data) {
  const { legend, changedOf, empty, table } = seriesOf(view, data);
  const plan = view.series.map((series) => ({ series }));
  const first = view.series[0].x;
  const { texts } = data.variables[first];
  const names = texts ?? Array.from(slice(data, first, {}, [first]), (value) => number(value, 6));
  const heights = (series, position) => points(data, series, position).y;
  const yaxis = (look, position) => {
    const [low, high] = view.follow
      ? extentOf(view.series.map((series) => heights(series, position)))
      : extent(data, view.series.map(({ y }) => y));
    const [bottom, top] = [Math.min(low, 0), Math.max(high, 0)];
    const room = 0.05 * (top - bottom || 1);
    return axis(look, view.y_label, [bottom < 0 ? bottom - room : 0, top > 0 ? top + room : 0]);
  };
  return {
    empty, table, legend, overlays: [],
    traces: (position, look) => view.series.map((series, index) => ({
      type: "bar", name: series.name, meta: series.name, showlegend: Boolean(series.name),
      x: Array.from(names.keys()), y: heights(series, position),
      marker: { color: colorOf(series, index, look), pattern: { shape: PATTERNS[index % PATTERNS.length], solidity: 0.4 } },
      hovertemplate: `%{y:.3g}<extra>${series.name}</extra>`,
    })),
    layout: (position, look) => frame(look, {
      barmode: "group", yaxis: yaxis(look, position),
      xaxis: axis(look, view.x_label, [-0.6, names.length - 0.4], { ...textTicks(names), showgrid: false }),
    }),
    update(Plotly, box, position, look, changed) {
      const moved = changedOf(plan, changed);
      if (!moved.length) return undefined;
      const layout = view.follow ? { yaxis: yaxis(look, position) } : {};
      return Plotly.update(box, { y: moved.map((trace) => heights(view.series[trace], position)) }, layout, moved);
    },
  };
}
