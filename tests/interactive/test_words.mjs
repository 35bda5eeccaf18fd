// Decoding, words, links, ticks and labels of the atlas, without a page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decode, half } from "../../src/condensation_lab/interactive/slices.js";
import { filled, sentence, text } from "../../src/condensation_lab/interactive/words.js";
import { linkFields, readLink } from "../../src/condensation_lab/interactive/linked.js";
import { logTicks, placedLabels, roundSteps } from "../../src/condensation_lab/interactive/ticks.js";

const given = JSON.parse(readFileSync(process.env.CASE, "utf8"));
const bytes = Buffer.from(given.bytes, "base64");
const data = decode(given.declaration, new DataView(new Uint8Array(bytes).buffer));

test("every float16 is the number that numpy reads", () => {
  given.halves.forEach(([bits, value]) => {
    if (value === null) assert.ok(Number.isNaN(half(bits)));
    else assert.equal(half(bits), Number(value));
  });
});

test("texts, codes, free dimensions and missing values are said", () => {
  const at = { task: 2, epoch: 6, rate: 0, momentum: 0 };
  assert.equal(text(data, "task", at), "add one");
  assert.equal(text(data, "outcome", at), "converged (1 of 2), diverged (1 of 2)");
  assert.equal(text(data, "outcome", { ...at, epoch: 0 }), "converged");
  assert.equal(text(data, "seed", at), "11, 12");
  assert.equal(text(data, "share", { ...at, epoch: 7 }), "no value (the run ended: diverged)");
  assert.equal(sentence(data, "{task} at {epoch}", {}, at), "add one at 60");
  assert.equal(filled(data, "sel(task={task}, rate={rate})", at, true), 'sel(task="add one", rate=0.01)');
});

test("a link holds values and opens the state that it came from", () => {
  const [start, at] = [{ task: 0, epoch: 0, rate: 1, momentum: 1 }, { task: 1, epoch: 10, rate: 2, momentum: 3 }];
  const fields = linkFields(data, at, new Set(["power", "a, b"]));
  assert.deepEqual(fields, { task: "reverse", epoch: "100", rate: "1", momentum: "0.99", hidden: "a, b|power" });
  assert.deepEqual(readLink(data, fields, start, ["power", "a, b"]), { position: at, hidden: ["a, b", "power"] });
  assert.deepEqual(readLink(data, { rate: "1" }, start, []), { position: { ...start, rate: 2 }, hidden: [] });
});

test("a link that does not fit is refused in a sentence", () => {
  const start = { task: 0, epoch: 0, rate: 1, momentum: 1 };
  const fault = (fields) => readLink(data, fields, start, ["power"]).fault;
  assert.equal(fault({ rate: "0.2" }), "The link asks for rate = 0.2, which is not on the grid: 0.01, 0.1, 1.");
  assert.equal(fault({ epoch: "5" }), "The link asks for epoch = 5, which is not on the grid: 11 values from 0 to 100.");
  assert.equal(fault({ epoch: "" }), "The link asks for epoch = , which is not on the grid: 11 values from 0 to 100.");
  assert.equal(fault({ task: "0" }), "The link asks for task = 0, which is not on the grid: copy, reverse, add one.");
  for (const name of ["gamma", "constructor", "toString"]) {
    assert.equal(fault({ [name]: "1" }), `The link names “${name}”, and nothing here is called so.`);
  }
  assert.equal(fault({ hidden: "power|fame" }), "The link hides “fame”, which is not drawn here.");
});

test("a log axis has a few labels, whatever it spans", () => {
  assert.deepEqual(roundSteps(0.92, 1.07), [0.95, 1, 1.05]);
  const labels = (low, high) => logTicks([Math.log10(low), Math.log10(high)]).tickvals;
  assert.deepEqual(labels(0.3, 30), [0.5, 1, 2, 5, 10, 20]);
  assert.deepEqual(labels(0.25, 0.93), [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
  for (const [low, high] of [[0.97, 1.01], [3e-5, 3.2e-5], [5, 40], [1, 300]]) {
    const ticks = labels(low, high);
    assert.ok(ticks.length >= 3 && ticks.length <= 9, `${low} to ${high}: ${ticks}`);
    assert.ok(ticks.every((tick) => tick >= low && tick <= high));
  }
  assert.equal(logTicks([-3, 2]).dtick, 1);
});

test("labels stay inside the frame and off each other, at their wish where they can", () => {
  const size = [300, 200];
  assert.deepEqual(placedLabels([{ at: [150, 100], text: "middle", wish: "bottom right" }], size), ["bottom right"]);
  const [top, right] = placedLabels(
    [{ at: [40, 198], text: "LeCun, He", wish: "top right" }, { at: [290, 100], text: "far right", wish: "middle right" }], size,
  );
  assert.equal(top.split(" ")[0], "bottom");
  assert.equal(right.split(" ")[1], "left");
  const [one, other] = placedLabels([{ at: [100, 100], text: "one point" }, { at: [108, 100], text: "and another" }], size);
  assert.notEqual(one.split(" ")[1] + one.split(" ")[0], other.split(" ")[1] + other.split(" ")[0]);
});
