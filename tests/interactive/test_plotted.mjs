// The tables of a drawn figure, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { plottedTables } from "../../src/condensation_lab/interactive/plotted.js";

const axis = (text) => ({ title: { text } });
const layout = { xaxis: axis("γ"), yaxis: axis("slope"), yaxis2: axis("loss") };

test("curves over the same points share a table, with their errors and labels beside them", () => {
  const x = Float32Array.of(0, 1);
  const traces = [
    { name: "measured", x, y: [1, 2], error_y: { array: [0.1, 0.2] } },
    { name: "theory", x: [0, 1], y: [3, 4], text: ["a", "b"] },
    { name: "elsewhere", x: [0, 1], y: [5, 6], yaxis: "y2" },
    { name: "hidden", x, y: [7, 8], visible: false },
    { name: "alone", x: [9], y: [9] },
  ];
  assert.deepEqual(plottedTables({ _fullData: traces, _fullLayout: layout }), [
    { caption: "slope", columns: ["γ", "measured", "±", "theory", "label"], rows: [[0, 1, 0.1, 3, "a"], [1, 2, 0.2, 4, "b"]] },
    { caption: "elsewhere", columns: ["γ", "elsewhere"], rows: [[0, 5], [1, 6]] },
    { caption: "alone", columns: ["γ", "alone"], rows: [[9, 9]] },
  ]);
});

test("a map is a table with its axes at the edges, drawn points numbered where they have no place", () => {
  const map = { type: "heatmap", name: "trace 0", z: [[1, 2], [3, 4]], y: [10, 20] };
  const line = { type: "contour", z: [[1, 2], [3, 4]] }; // drawn over the map: the same numbers
  assert.deepEqual(plottedTables({ _fullData: [map, line], _fullLayout: layout }), [
    { caption: "values", columns: ["slope \\ γ", "0", "1"], rows: [[10, 1, 2], [20, 3, 4]] },
  ]);
});
