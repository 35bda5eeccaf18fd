// The computing part of the atlas, without a page: against slices made by xarray (CASE) and by hand.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { number } from "../../src/condensation_lab/interactive/numbers.js";
import * as slices from "../../src/condensation_lab/interactive/slices.js";
import { sentence as filledSentence } from "../../src/condensation_lab/interactive/words.js";

const given = JSON.parse(readFileSync(process.env.CASE, "utf8"));
const bytes = Buffer.from(given.bytes, "base64");
// One byte in front, as in a buffer that holds other things too.
const shifted = new Uint8Array(bytes.length + 1);
shifted.set(bytes, 1);
const data = slices.decode(given.declaration, new DataView(shifted.buffer, 1));

function assertClose(found, wanted) {
  assert.equal(found.length, wanted.length);
  found.forEach((value, index) => {
    if (wanted[index] === null) assert.ok(Number.isNaN(value), `${value} is no gap`);
    else assert.ok(Math.abs(value - wanted[index]) <= 1e-6 * (1 + Math.abs(wanted[index])), `${value}, ${wanted[index]}`);
  });
}

test("every series of every view is xarray's slice", () => {
  assert.ok(given.series.length >= 10);
  for (const { series, position, x, y } of given.series) {
    const drawn = slices.points(data, series, position);
    assertClose(drawn.x, x);
    assertClose(drawn.y, y);
  }
});

test("rows of a map run along y", () => {
  const drawn = slices.rows(data, "slope_w", {}, "gamma_prime", "gamma");
  drawn.forEach((row, index) => assertClose(row, given.map[index]));
  assert.equal(drawn.length, given.map.length);
});

test("lines of several runs do not join", () => {
  assert.deepEqual(Array.from(slices.withGaps(Float64Array.of(1, 2, 3, 4, 5, 6), 2)), [1, 2, NaN, 3, 4, NaN, 5, 6]);
  const lines = { x: "width", y: "relative_distance_w", along: ["seed", "width"], mode: "lines" };
  assert.equal(slices.points(data, lines, { gamma: 0, gamma_prime: 0 }).y.filter(Number.isNaN).length, 1);
});

test("a power law is found, whatever has no logarithm", () => {
  const x = [1, 10, 100, 1000, 5];
  const line = slices.powerLaw(x, [2, 20, 200, 2000, -1]);
  assert.ok(Math.abs(line.slope - 1) < 1e-12);
  assertClose(line.x, [1, 1000]);
  assertClose(line.y, [2, 2000]);
  assert.ok(Number.isNaN(slices.powerLaw([1, 2], [-1, NaN]).slope));
});

test("extent spans every slice; a log axis takes positive values only", () => {
  assertClose(slices.extent(data, ["slope_w"]), given.extent);
  assertClose(slices.extent(data, ["slope_w"], true), given.positiveExtent);
});

test("the nearest grid point", () => {
  assert.equal(slices.nearest([0.4, 0.5, 0.6], 0.56), 2);
  assert.equal(slices.nearest([0.4, 0.5, 0.6], -9), 0);
});

test("numbers as a reader wants them", () => {
  const said = [[0.37218], [-0.5061], [40000, 12], [1024, 12], [0], [-0], [1.23456e-7], [2.5e30], [NaN]];
  assert.deepEqual(
    said.map((one) => number(...one)),
    ["0.372", "−0.506", "40,000", "1,024", "0", "0", "1.23e−7", "2.5e+30", "no value"],
  );
});

test("a sentence is filled with values and words at the position", () => {
  const { template, words, position, text } = given.sentence;
  assert.equal(filledSentence(data, template, words, position), text);
  const edged = { word: { variable: "gamma", edges: [0.5, 1], texts: ["low", "middle", "high"] } };
  const at = (index) => filledSentence(data, "{word}", edged, { gamma: index });
  assert.deepEqual([0, 1, 5, 6].map(at), ["low", "middle", "middle", "high"]);
});
