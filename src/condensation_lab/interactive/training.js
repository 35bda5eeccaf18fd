/** One run of the playground, as its worker holds it: it begins, trains for a while, and says what it looks like. */
import { Trainer, drawNetwork, neurons, outputs, safeRate, shareOnLines } from "./net.js";

const FITTED = 1e-12; // of the target's mean square: a run that gets there has ended

/**
 * Answers messages, in order. `begin` draws a network; `last` and `milliseconds` train it on.
 * @returns {(message: {run: number, begin?: object, last?: number, milliseconds?: number}) => object}
 */
export function trainingRun() {
  let trainer;
  let given;
  let facts;

  function begin(wanted) {
    given = wanted;
    const { x, y, seed, width, scales, activation, optimiser, keep } = given;
    const network = drawNetwork({ seed, width, ...scales });
    const safe = safeRate(network, x, y, { activation, optimiser });
    const rate = given.rate ?? safe.rate;
    trainer = new Trainer(network, x, y, { activation, optimiser, rate, keep, seed });
    const { orientation, amplitude } = neurons(network);
    const square = y.reduce((sum, value) => sum + value * value, 0) / y.length;
    facts = { rate, safe: safe.rate, square, first: { orientation, amplitude } };
  }

  return ({ run, begin: wanted, last, milliseconds }) => {
    if (wanted) begin(wanted);
    trainer.run(last ?? trainer.step, { milliseconds, goal: FITTED * facts.square });
    const now = neurons(trainer.network);
    return {
      run, ...facts, ...trainer.now(), stop: trainer.stop, history: trainer.history, neurons: now,
      share: shareOnLines(now.orientation, now.amplitude),
      fit: { x: given.grid, y: outputs(trainer.network, given.grid, given.activation) },
    };
  };
}
