// Runs the page's trainer in Node on the jobs in the file CASE, and prints what came out, as JSON.
import { readFileSync } from "node:fs";
import * as net from "../src/condensation_lab/interactive/net.js";

const plain = (arrays) => arrays.map((array) => Array.from(array));

function run({ seed, width, scales, x, y, recipe, steps, visited, nudge = 0 }) {
  const network = net.drawNetwork({ seed, width, ...scales });
  if (nudge) network.a = network.a.map((value) => value * (1 + nudge));
  const trainer = new net.Trainer(network, x, y, recipe);
  const states = [];
  const keep = () => states.push({
    layers: plain([network.a, network.w, network.b]), moments: trainer.moments.map(plain), loss: trainer.loss(),
  });
  if (!visited) {
    trainer.run(steps);
    keep();
  }
  for (const step of visited ?? []) {
    trainer.run(step);
    keep(); // before and after one step
    trainer.run(step + 1);
    keep();
  }
  const { orientation, amplitude } = net.neurons(network);
  return {
    states, share: net.shareOnLines(orientation, amplitude), history: trainer.history, stop: trainer.stop,
    outputs: Array.from(net.outputs(network, x, recipe.activation)),
    safe: net.safeRate(net.drawNetwork({ seed, width, ...scales }), x, y, recipe),
  };
}

console.log(JSON.stringify(JSON.parse(readFileSync(process.env.CASE, "utf8")).map(run)));
