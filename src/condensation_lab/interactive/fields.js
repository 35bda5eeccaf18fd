/** Pictures of two-dimensional fields: the heat map, which may be the pad of its two controls, image and matrix. */
import { extent, nearest, rows, slice } from "./slices.js";
import { number } from "./numbers.js";
import { textTicks } from "./ticks.js";
import { followPad } from "./controls.js";
import { axis, frame, namesOf, overlayTraces } from "./figures.js";

const WRITTEN = 150; // entries of a matrix that are written in their cells, at most
const GREYS = [[0, "#000000"], [1, "#ffffff"]];
const ZERO = "measured zero";
const NONE = "no value";

/** Grid of one side: the coordinate's numbers, or places where there is none, or texts. */
function sideOf(data, dim, places) {
  const variable = data.variables[dim];
  if (places || !variable || variable.texts) return Array.from({ length: data.sizes[dim] }, (_, place) => place);
  return Array.from(slice(data, dim, {}, [dim]));
}

/** Ends of a side: half a cell beyond the first and the last grid point. */
function cellEdges(values) {
  const half = values.length > 1 ? Math.abs(values[1] - values[0]) / 2 : 0.5;
  return [Math.min(values[0], values.at(-1)) - half, Math.max(values[0], values.at(-1)) + half];
}

/** Texts along a matrix's side. */
function labelsOf(data, dim, name, position) {
  const variable = data.variables[name || dim];
  if (!variable) return Array.from({ length: data.sizes[dim] }, (_, place) => String(place));
  return Array.from(slice(data, name || dim, position, [dim]), (value) => variable.texts?.[value] ?? number(value, 6));
}

/** What map, image and matrix share: the cells, those without a value, the table. */
function fieldOf(view, data) {
  const places = view.kind === "matrix";
  const [xs, ys] = [view.x, view.y].map((name) => sideOf(data, name, places));
  const others = data.variables[view.variable].dims.filter((dim) => dim !== view.x && dim !== view.y);
  const z = (position) => rows(data, view.variable, position, view.y, view.x);
  const { raw, missing } = data.variables[view.variable];
  const gaps = raw.some((one) => Number.isNaN(one) || one === missing);
  const blanks = (cells) => {
    const at = cells.flatMap((row, y) => Array.from(row.keys()).filter((x) => Number.isNaN(row[x])).map((x) => [x, y]));
    return { x: at.map(([x]) => xs[x]), y: at.map(([, y]) => ys[y]) };
  };
  const crosses = (cells, look) => ({
    type: "scatter", mode: "markers", name: NONE, meta: NONE, showlegend: true, hoverinfo: "name", ...blanks(cells),
    marker: { symbol: "x-thin", size: 7, line: { color: look.text, width: 1.5 } },
  });
  const [low, high] = view.z_range ?? extent(data, [view.variable]);
  const limit = Math.max(Math.abs(low), Math.abs(high));
  const scale = view.diverging ? { zmin: -limit, zmax: limit } : { zmin: low, zmax: high };
  const sides = (position) => (places
    ? [labelsOf(data, view.x, view.x_texts, position), labelsOf(data, view.y, view.y_texts, position)]
    : [xs, ys]);
  return {
    xs, ys, others, z, gaps, blanks, crosses, scale, sides,
    bar: { title: { text: view.z_label, side: "right" }, thickness: 12, outlinewidth: 0, len: 1, ypad: 0, tickfont: { size: 11 } },
    empty(position) {
      const cells = z(position);
      if (view.pad) return Number.isNaN(cells[position[view.y]][position[view.x]]);
      return cells.every((row) => row.every(Number.isNaN));
    },
    // On a phone a row of 15 cells is too wide: there, a row for each cell.
    table(position, narrow) {
      const [across, down] = sides(position);
      const cells = z(position);
      if (!narrow || across.length < 5) {
        const columns = [`${view.y_label} \\ ${view.x_label}`, ...across.map((one) => (Number.isFinite(one) ? number(one, 6) : one))];
        return [{ caption: view.z_label, columns, rows: cells.map((row, y) => [down[y], ...row]) }];
      }
      const listed = cells.flatMap((row, y) => Array.from(row, (value, x) => [across[x], down[y], value]));
      return [{ caption: view.z_label, columns: [view.x_label, view.y_label, view.z_label], rows: listed }];
    },
  };
}

/** @returns {import("./figures.js").Figure} */
export function mapFigure(view, data) {
  const { xs, ys, others, z, gaps, blanks, crosses, scale, bar, empty, table } = fieldOf(view, data);
  // Two rings, dark on light, so that it is seen on every colour.
  const cursor = (position, look) => (view.pad ? [[look.background, 11], [look.text, 9]] : []).map(([color, radius]) => ({
    type: "circle", xsizemode: "pixel", ysizemode: "pixel", x0: -radius, x1: radius, y0: -radius, y1: radius,
    xanchor: xs[position[view.x]], yanchor: ys[position[view.y]], line: { color, width: 2.5 },
  }));
  const zeroLine = (position, look) => ({
    type: "contour", x: xs, y: ys, z: z(position), name: ZERO, meta: ZERO, showlegend: true, showscale: false,
    contours: { coloring: "none", start: 0, end: 0, size: 1 }, line: { color: look.text, width: 2, dash: "dot" },
    hoverinfo: "skip",
  });
  const figure = {
    empty, table, overlays: view.overlays,
    legend: [...(view.diverging ? [ZERO] : []), ...(gaps ? [NONE] : []), ...namesOf(view.overlays)],
    traces: (position, look) => [
      {
        type: "heatmap", x: xs, y: ys, z: z(position), hoverongaps: false, ...scale,
        colorscale: view.diverging ? look.diverging : "Cividis", colorbar: bar,
        hovertemplate: `${view.x_label} = %{x}<br>${view.y_label} = %{y}<br>${view.z_label} = %{z:.3g}<extra></extra>`,
      },
      ...(view.diverging ? [zeroLine(position, look)] : []),
      ...(gaps ? [crosses(z(position), look)] : []),
      ...overlayTraces(view.overlays, look),
    ],
    layout: (position, look) => frame(look, {
      shapes: cursor(position, look), margin: { l: 58, r: 74, t: 30, b: 46 },
      xaxis: axis(look, view.x_label, cellEdges(xs)), yaxis: axis(look, view.y_label, cellEdges(ys)),
    }),
    async update(Plotly, box, position, look, changed) {
      const shapes = cursor(position, look);
      if (!others.some((dim) => changed.includes(dim))) return Plotly.relayout(box, { shapes });
      const cells = z(position);
      if (gaps) {
        const { x, y } = blanks(cells);
        await Plotly.restyle(box, { x: [x], y: [y] }, [view.diverging ? 2 : 1]);
      }
      return Plotly.update(box, { z: [cells] }, { shapes }, view.diverging ? [0, 1] : [0]);
    },
  };
  if (!view.pad) return figure;
  const at = ([first, last], share) => first + (last - first) * share;
  figure.pad = (box, move, now) => followPad({
    box, dims: [view.x, view.y], move, now, area: () => box.querySelector(".nsewdrag"),
    pick: (across, up) => [nearest(xs, at(cellEdges(xs), across)), nearest(ys, at(cellEdges(ys), up))],
  });
  return figure;
}

/** @returns {import("./figures.js").Figure} */
export function imageFigure(view, data) {
  const { xs, ys, others, z, scale, empty, table } = fieldOf(view, data);
  const bare = { showgrid: false, zeroline: false, ticks: "", showticklabels: false };
  return {
    empty, table, overlays: [], legend: [],
    traces: (position) => [{
      type: "heatmap", x: xs, y: ys, z: z(position), ...scale, colorscale: GREYS, showscale: false, hoverongaps: false,
      hovertemplate: `${view.x_label} = %{x}<br>${view.y_label} = %{y}<br>${view.z_label} = %{z:.3g}<extra></extra>`,
    }],
    layout: (position, look) => frame(look, {
      margin: { l: 10, r: 10, t: 10, b: 10 }, xaxis: axis(look, "", cellEdges(xs), { ...bare, constrain: "domain" }),
      yaxis: axis(look, "", cellEdges(ys).reverse(), { ...bare, scaleanchor: "x", constrain: "domain" }),
    }),
    update(Plotly, box, position, look, changed) {
      if (!others.some((dim) => changed.includes(dim))) return undefined;
      return Plotly.restyle(box, { z: [z(position)] }, [0]);
    },
  };
}

/** @returns {import("./figures.js").Figure} */
export function matrixFigure(view, data) {
  const { xs, ys, others, z, gaps, blanks, crosses, scale, bar, sides, empty, table } = fieldOf(view, data);
  const written = xs.length * ys.length <= WRITTEN ? { texttemplate: "%{text}", textfont: { size: 11 } } : {};
  // All entries to a hundredth of the largest one's power of ten: 0.07 beside 0.92, not 0.00004.
  const unit = 10 ** (Math.floor(Math.log10(Math.max(Math.abs(scale.zmin), Math.abs(scale.zmax)) || 1)) - 2);
  const entry = (value) => (Number.isNaN(value) ? "" : number(Math.round(value / unit) * unit));
  const texts = (cells) => cells.map((row) => Array.from(row, entry));
  const axes = (position, look) => {
    const [across, down] = sides(position);
    const still = { showgrid: false, zeroline: false, automargin: true };
    return {
      xaxis: axis(look, view.x_label, cellEdges(xs), { ...textTicks(across), ...still }),
      yaxis: axis(look, view.y_label, cellEdges(ys).reverse(), { ...textTicks(down), ...still }),
    };
  };
  return {
    empty, table, overlays: [], legend: gaps ? [NONE] : [],
    traces: (position, look) => [
      {
        type: "heatmap", x: xs, y: ys, z: z(position), text: texts(z(position)), ...written, ...scale, hoverongaps: false,
        colorscale: view.diverging ? look.diverging : "Cividis", colorbar: bar, xgap: 1, ygap: 1,
        hovertemplate: `${view.z_label} = %{z:.3g}<extra></extra>`,
      },
      ...(gaps ? [crosses(z(position), look)] : []),
    ],
    layout: (position, look) => frame(look, { margin: { l: 58, r: 74, t: 30, b: 46 }, ...axes(position, look) }),
    async update(Plotly, box, position, look, changed) {
      const named = [view.x_texts, view.y_texts].filter(Boolean).flatMap((name) => data.variables[name].dims);
      if (![...others, ...named].some((dim) => changed.includes(dim))) return undefined;
      const cells = z(position);
      if (gaps) {
        const { x, y } = blanks(cells);
        await Plotly.restyle(box, { x: [x], y: [y] }, [1]);
      }
      return Plotly.update(box, { z: [cells], text: [texts(cells)] }, named.length ? axes(position, look) : {}, [0]);
    },
  };
}
