// Asking for a kernel, without one: the model is a stand-in, the clock is the test's.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { kernelAnswers } from "../../src/condensation_lab/interactive/kernel.js";

/** A model whose kernel answers what `reply` gives for a ping (nothing, if it gives nothing). */
function modelWith(reply, extra = { widget_manager: {} }) {
  const listeners = new Set();
  return {
    ...extra, listeners, sent: [],
    on: (_, listener) => listeners.add(listener),
    off: (_, listener) => listeners.delete(listener),
    send(message) {
      this.sent.push(message);
      const answer = reply(message);
      if (answer) queueMicrotask(() => [...listeners].forEach((listener) => listener(answer, [])));
    },
  };
}

const pong = ({ nonce }) => ({ type: "pong", nonce });

test("a kernel that answers is there", async () => {
  const model = modelWith(pong);
  assert.equal(await kernelAnswers(model), true);
  assert.equal(model.sent[0].type, "ping");
  assert.equal(model.listeners.size, 0);
});

test("without a widget manager there is none, and nothing is asked", async () => {
  const model = modelWith(pong, {});
  assert.equal(await kernelAnswers(model), false);
  assert.equal(model.sent.length, 0);
});

test("silence and the answer to another question are no answer", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  for (const reply of [() => undefined, () => ({ type: "pong", nonce: "other" }), () => ({ type: "plotly" })]) {
    const model = modelWith(reply);
    let found;
    const asked = kernelAnswers(model, 3000).then((answers) => { found = answers; });
    mock.timers.tick(2999);
    await new Promise(setImmediate);
    assert.equal(found, undefined);
    mock.timers.tick(1);
    await asked;
    assert.equal(found, false);
    assert.equal(model.listeners.size, 0);
  }
  mock.timers.reset();
});

test("a front end that refuses to send has no kernel", async () => {
  const model = modelWith(() => { throw new Error("Kernel is dead"); });
  assert.equal(await kernelAnswers(model), false);
});

test("two questions at once get one answer each", async () => {
  const model = modelWith(pong);
  assert.deepEqual(await Promise.all([kernelAnswers(model), kernelAnswers(model)]), [true, true]);
  assert.notEqual(model.sent[0].nonce, model.sent[1].nonce);
});
