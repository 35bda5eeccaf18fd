// The state in a URL's fragment, and the CSV that a reader takes away, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readFragment, urlState, writeFragment } from "../../src/condensation_lab/interactive/fragment.js";
import { csvText, fileName } from "../../src/condensation_lab/interactive/toolbar.js";

test("what is written is read again, whatever is in it", () => {
  const fields = { gamma: "1.2", "odd name:;": "a&b=c;d:e %(é)", own: "-0.5,0.25,1e-3", empty: "" };
  const hash = writeFragment("", "atlas", 1, fields);
  assert.deepEqual(readFragment(hash, "atlas", 1), { fields });
  assert.match(hash, /^#[\w=;:%.,-]+$/); // nothing that a mail program would cut a link at
});

test("the format is the one that links in the wild have", () => {
  const hash = writeFragment("", "atlas", 1, { gamma: 1.2, gamma_prime: 0, width: 4000 });
  assert.equal(hash, "#atlas=1;gamma:1.2;gamma_prime:0;width:4000");
});

test("each piece finds its own part and leaves the others' alone", () => {
  let hash = writeFragment("#atlas=1;gamma:1", "playground-2", 3, { seed: 7 });
  hash = writeFragment(hash, "atlas", 1, { gamma: 2 });
  assert.deepEqual(readFragment(hash, "playground-2", 3), { fields: { seed: "7" } });
  assert.deepEqual(readFragment(hash, "atlas", 1), { fields: { gamma: "2" } });
  assert.equal(readFragment(hash, "playground", 3), null);
  assert.equal(writeFragment(hash, "atlas", 1, null), "#playground-2=3;seed:7");
  assert.equal(writeFragment("#atlas=1", "atlas", 1, null), "");
});

test("an ordinary anchor is no state and is not kept", () => {
  assert.equal(readFragment("#fig-1", "fig-1", 1), null);
  assert.equal(readFragment("", "atlas", 1), null);
  assert.equal(writeFragment("#fig-1", "atlas", 1, {}), "#atlas=1");
});

test("an old or a damaged part is one sentence that says what is wrong", () => {
  const cases = {
    "#atlas=2;gamma:1": /version 2.*version 1/, "#atlas=": /version none/, "#atlas=1;gamma": /“gamma” is no field/,
    "#atlas=1;:3": /“:3” is no field/, "#atlas=1;gamma:%E0%A4": /value of gamma cannot be read/,
  };
  for (const [hash, said] of Object.entries(cases)) {
    const { fault } = readFragment(hash, "atlas", 1);
    assert.match(fault, said);
    assert.match(fault, /^[A-Z][^\n]*\.$/);
  }
  assert.match(readFragment(`#atlas=1;${"x".repeat(5000)}`, "atlas", 1).fault, /^.{0,100}$/); // quoted in part
});

test("outside the book there is no URL to read or to write", () => {
  const state = urlState("atlas", 1);
  state.write({ gamma: 1 });
  assert.deepEqual([state.opened, state.link({ gamma: 1 })], [null, null]);
});

test("a CSV has every digit, quotes what needs it and leaves gaps empty", () => {
  const table = { caption: "slope S<sub>w</sub>", columns: ["x, y", 'a "b"'], rows: [[0.1 + 0.2, NaN], ["p<br>q", -1e-7]] };
  const text = csvText([table, { caption: "2", columns: ["n"], rows: [Float64Array.of(1 / 3)] }]);
  const first = '# slope Sw\n"x, y","a ""b"""\n0.30000000000000004,\np q,-1e-7\n';
  assert.equal(text, `${first}\n# 2\nn\n0.3333333333333333\n`);
});

test("a title becomes a file's name", () => {
  assert.equal(fileName("Where features, S<sub>w</sub>: learned?"), "where-features-sw-learned");
});
