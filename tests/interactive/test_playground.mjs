// The playground without a page: settings, links, words, code; and runs for Python to hold against its own (CASE, RAN).
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import * as playground from "../../src/condensation_lab/interactive/playground.js";
import { readFragment, writeFragment } from "../../src/condensation_lab/interactive/fragment.js";
import { trainingRun } from "../../src/condensation_lab/interactive/training.js";

const { allowed, start, setups, step } = JSON.parse(readFileSync(process.env.CASE, "utf8"));

function ran(setup, last) {
  const samples = playground.samplesOf(setup, allowed.targets);
  const answer = trainingRun();
  answer({ run: 1, begin: { ...setup, ...samples, scales: playground.scalesOf(setup), grid: [-0.5, 0, 0.5] } });
  return answer({ run: 1, last });
}

test("every setup goes through a link and comes back, with its step", () => {
  for (const setup of setups) {
    const hash = writeFragment("", "playground", 1, playground.playgroundFields(setup, step));
    const read = playground.readPlayground(readFragment(hash, "playground", 1).fields, start, allowed);
    assert.equal(read.fault, undefined);
    assert.equal(read.step, step);
    const said = (one) => playground.playgroundFields(one, 0);
    assert.deepEqual(said(read.setup), said(setup));
    assert.deepEqual(ran(read.setup, 5).fit, ran(setup, 5).fit);
  }
});

test("a link without a step or at the plainest values is short", () => {
  const hash = writeFragment("", "playground", 1, playground.playgroundFields(start, 0));
  assert.equal(hash, "#playground=1;gamma:1.75;gamma_prime:0;width:100;seed:0;target:parabola");
});

const REFUSED = [
  [{ gamma: "9" }, "γ = 9 is not allowed: it must be a number from 0 to 4."],
  [{ width: "1001" }, "width m = 1001 is not allowed: it must be a whole number from 1 to 1,000."],
  [{ width: "" }, "width m without a number is not allowed"],
  [{ rate: "0" }, "learning rate = 0 is not allowed"],
  [{ rate: "Infinity" }, "learning rate = Infinity is not allowed"],
  [{ activation: "gelu" }, "activation = gelu is not allowed: it must be one of relu, tanh"],
  [{ target: "constructor" }, "target = constructor is not allowed"],
  [{ constructor: "1" }, "There is no setting “constructor”."],
  [{ toString: "1" }, "There is no setting “toString”."],
  [{ points: "1,2,3" }, "“3” is no point: a point is two numbers"],
  [{ points: "1,2" }, "A target needs at least 2 points; there is 1."],
  [{ target: "own" }, "The link has its own target, and no points for it."],
  [{ step: "-1" }, "step = -1 is not allowed"],
  [{ step: "1e99" }, "step = 1e99 is not allowed"],
];

test("what a link cannot mean is refused in one sentence", () => {
  for (const [fields, sentence] of REFUSED) {
    const { fault } = playground.readPlayground(fields, start, allowed);
    assert.ok(fault?.startsWith(sentence), `${JSON.stringify(fields)}: ${fault}`);
  }
});

test("points are taken from lines, semicolons, tabs, and named where they are none", () => {
  assert.deepEqual(playground.parsedPoints("0, 1\n2\t-3e-1\n\n 4  5").points, [[0, 1], [2, -0.3], [4, 5]]);
  assert.deepEqual(playground.parsedPoints("0,1; 1,2").points, [[0, 1], [1, 2]]);
  assert.match(playground.parsedPoints("0,1\na,b").fault, /“a,b” is no point/);
  assert.match(playground.parsedPoints("0,1\n1,2,3").fault, /“1,2,3” is no point/);
  assert.match(playground.parsedPoints("0,1\n1,1e7").fault, /at most a million/);
  assert.match(playground.parsedPoints("").fault, /at least 2 points; there are none/);
  assert.match(playground.parsedPoints("1,1\n".repeat(201)).fault, /at most 200 points; there are 201/);
});

test("words say what the numbers are", () => {
  const run = { step: 1, loss: 0.5, square: 2, w: 3, a: 0.25, share: 0.9, stop: null, rate: 1, safe: 0.1 };
  assert.match(playground.runWords(run), /^After 1 step the loss is 0.5, 25 % of .* moved 3 times .* 0.25 times; 90 %/);
  assert.match(playground.runWords({ ...run, stop: "diverged" }), /diverged after 1 step; a rate of 0.1 is safe/);
  assert.match(playground.runWords({ ...run, stop: "diverged", rate: 0.01 }), /try a smaller learning rate/);
  assert.match(playground.runWords({ ...run, stop: "reached" }), /The target is fitted/);
  assert.match(playground.runWords({ ...run, step: 0 }), /^Not trained yet/);
  assert.match(playground.scaleWords(start), /condensed regime \(the boundary is at γ = 1\)/);
  assert.match(playground.scaleWords({ ...start, gamma: 1.5, gamma_prime: 0.5 }), /on the critical line/);
  assert.match(playground.scaleWords({ ...start, activation: "tanh" }), /is about ReLU and descent/);
  const raw = { ...start, scales: "raw", alpha: 1, beta_1: 0.1, beta_2: 0.01 };
  assert.match(playground.scaleWords(raw), /^γ = 1.5, γ′ = −0.5/);
  assert.match(playground.scaleWords({ ...raw, width: 1 }), /one neuron has no γ/);
});

test("a command says what of the setup it leaves out", () => {
  const line = "run -p g {gamma} -p p {gamma_prime} -p m {width}";
  assert.equal(playground.playgroundCommand(start, line), "run -p g 1.75 -p p 0 -p m 100");
  const left = /^# The notebook trains ReLU by gradient flow on its own four points.*\nrun -p g 1.75 -p p 0 -p m 100$/;
  for (const other of [{ activation: "tanh" }, { optimiser: "adam" }, { keep: 0.9 }, { target: "two-steps" }]) {
    assert.match(playground.playgroundCommand({ ...start, ...other }, line), left);
  }
  const one = { ...start, scales: "raw", width: 1 };
  assert.equal(playground.playgroundCommand(one, line), "# One neuron has no point in the phase diagram.");
});

test("the run goes on where it was, and tables hold what is shown", () => {
  const setup = setups[0];
  const samples = playground.samplesOf(setup, allowed.targets);
  const answer = trainingRun();
  answer({ run: 1, begin: { ...setup, ...samples, scales: playground.scalesOf(setup), grid: [0, 1] } });
  for (let last = 7; last < 40; last += 7) answer({ run: 1, last });
  const cut = answer({ run: 1, last: 40 });
  assert.deepEqual({ ...cut, fit: 0 }, { ...ran(setup, 40), fit: 0 });
  const [, network, neurons, training] = playground.playgroundTables(samples, cut);
  assert.deepEqual(network.rows, [[0, cut.fit.y[0]], [1, cut.fit.y[1]]]);
  assert.equal(neurons.rows.length, setup.width);
  assert.equal(training.rows.at(-1)[0], 40);
  assert.equal(new Set(training.rows.map(([at]) => at)).size, training.rows.length);
});

test("runs and their Python code are handed over", () => {
  const rows = setups.map((setup) => {
    const shown = ran(setup, step);
    return { loss: shown.loss, fit: Array.from(shown.fit.y), code: playground.playgroundPython(setup, shown) };
  });
  writeFileSync(process.env.RAN, JSON.stringify(rows));
});
