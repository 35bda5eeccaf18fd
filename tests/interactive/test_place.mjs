// Where schemes sit, without a page: against the library (CASE) and by hand.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { checkedField } from "../../src/condensation_lab/interactive/numbers.js";
import * as place from "../../src/condensation_lab/interactive/place.js";
import { regimeAt } from "../../src/condensation_lab/interactive/regimes.js";

const given = JSON.parse(readFileSync(process.env.CASE, "utf8"));
const schemeOf = ({ scheme }) => given.schemes.find(({ name }) => name === scheme);

function assertNear(found, wanted, what) {
  assert.ok(Math.abs(found - wanted) <= 1e-12 * (1 + Math.abs(wanted)), `${what}: ${found}, not ${wanted}`);
}

test("every scheme at every width is where the library puts it", () => {
  assert.ok(given.places.length > 100);
  for (const { chosen, here, limit, regime, slope } of given.places) {
    const found = place.placed(chosen, schemeOf(chosen));
    const what = JSON.stringify(chosen);
    assertNear(found.here.gamma, here[0], what);
    assertNear(found.here.gamma_prime, here[1], what);
    if (limit) {
      assertNear(found.limit.gamma, limit[0], what);
      assertNear(found.limit.gamma_prime, limit[1], what);
    } else assert.equal(found.limit, null);
    assert.equal(found.regime, regime, what);
    assertNear(found.slope, slope, what);
  }
});

test("regime and slope are the library's all over the plane", () => {
  for (const { gamma, gamma_prime, regime, slope } of given.plane) {
    assert.equal(regimeAt({ gamma, gamma_prime }), regime);
    assertNear(place.predictedSlope({ gamma, gamma_prime }), slope, `${gamma}, ${gamma_prime}`);
  }
});

test("a field takes what it allows and names what it refuses", () => {
  const field = { label: "width m", least: 2, most: 1e9, whole: true };
  assert.deepEqual(checkedField(field, "1e3"), { value: 1000 });
  const rule = "is not allowed: it must be a whole number from 2 to 1,000,000,000.";
  for (const [text, named] of [["1", "= 1"], ["2.5", "= 2.5"], ["1e99", "= 1e99"], ["ten", "= ten"], ["Infinity", "= Infinity"]]) {
    assert.deepEqual(checkedField(field, text), { fault: `width m ${named} ${rule}` });
  }
  assert.deepEqual(checkedField(field, " "), { fault: `width m without a number ${rule}` });
  const power = { label: "q", least: -5, most: 5, whole: false };
  assert.deepEqual(checkedField(power, "-0.5"), { value: -0.5 });
  assert.match(checkedField(power, "6").fault, /a number from −5 to 5/);
});

test("the words say where it is, what happens there and how far the boundary is", () => {
  const words = (chosen, measured = null) => {
    const scheme = schemeOf(chosen);
    return place.placeWords(chosen, scheme, place.placed(chosen, scheme), measured);
  };
  const [where, what, how, source] = words({ scheme: "He", width: 1000, inputs: 1 });
  assert.equal(where, "He, m = 1,000: γ = 0.4, γ′ = 0.5; as m → ∞, γ = 0.5, γ′ = 0.5.");
  assert.match(what, /^Linear, 1 left of the boundary, which is at γ = 1.5 here\. .*like a kernel method\.$/);
  assert.equal(how, "Ten times the width multiplies the relative distance of the input weights by 0.0316: slope −1.5, "
    + "by our scaling argument, which is not the paper’s.");
  assert.match(source, /Luo et al/);
  assert.match(words({ scheme: "muP", width: 1000, inputs: 1 })[0], /γ = 1, γ′ = 0, as at every width\.$/);
  assert.match(words({ scheme: "muP", width: 50, inputs: 784 })[1], /^On the critical line.*still put it at a condensed point/);
  const powers = { scheme: "own powers", width: 10, p: 1.75, q: 0, r: 0, s_a: 0, s_w: 0 };
  assert.match(words(powers)[1], /^Condensed, 0.75 right of.*few directions/);
  assert.match(words({ ...powers, q: 1, s_w: -3 })[1], /^Linear.*the output weights learn on features that stay random/);
  const numbers = { scheme: "own numbers", width: 100, alpha: 1, beta_1: 0.1, beta_2: 1, rate_a: 1, rate_w: 1 };
  assert.match(words(numbers)[0], /γ = 0.5, γ′ = 0.5\. One width gives no limit/);
});

test("the nearest measured slope is named, and none beyond the stored run", () => {
  const measured = { gamma: [0.4, 0.5, 0.6], gamma_prime: [-0.1, 0], slope_w: [[1, 2], [3, 4], [5, null]] };
  const found = (gamma, gamma_prime) => place.nearestMeasured(measured, { gamma, gamma_prime });
  assert.deepEqual(found(0.46, -0.08), { gamma: 0.5, gamma_prime: -0.1, slope: 3 });
  assert.equal(found(0.7, 0), null);
  assert.equal(found(0.6, 0), null); // a run that failed
  assert.equal(found(0.5, 0.06), null);
});

test("the Python code of every place is written for the library to run", () => {
  writeFileSync(process.env.CODES, JSON.stringify(given.places.map(({ chosen }) => place.placePython(chosen))));
});
