/**
 * What the playground knows without a page: its settings, links, words, code and tables. Node tests it.
 *
 * @typedef {{scales: "exponents" | "raw", gamma: number, gamma_prime: number, alpha: number, beta_1: number,
 *   beta_2: number, width: number, activation: string, optimiser: string, rate: number | null, keep: number, seed: number,
 *   target: string, points: [number, number][]}} Setup  rate: null is the safe one; points: the reader's own target
 * @typedef {{fields: Record<string, object>, choices: Record<string, string[]>,
 *   targets: Record<string, {title: string, source: string, x: number[], y: number[]}>}} Allowed
 */
import { cutText } from "./fragment.js";
import { checkedField, number } from "./numbers.js";
import { boundaryAt, regimeAt, scalesAt } from "./regimes.js";

export const PLAYGROUND_VERSION = 1;
export const OWN_TARGET = "own";
export const MOST_POINTS = 200;
export const SCALE_FIELDS = { exponents: ["gamma", "gamma_prime"], raw: ["alpha", "beta_1", "beta_2"] };
const UNSAID = { rate: null, keep: 1, activation: "relu", optimiser: "descent", scales: "exponents" }; // of a link
const LARGEST = 1e6;

/** Points as a reader pastes them: a line or a semicolon between points, a comma, blank or tab between x and y. */
export function parsedPoints(text) {
  const rows = String(text).split(/[\n;]+/).map((row) => row.trim()).filter(Boolean);
  const read = drawnPoints(rows.map((row) => row.split(/[\s,]+/).filter(Boolean).map(Number)), rows);
  if (read.fault || read.points.length > 1) return read;
  return { fault: `A target needs at least 2 points; there ${read.points.length ? "is 1" : "are none"}.` };
}

/** Any number of points up to the most, none too: a sheet that is being drawn on. @param {string[]} [rows]  their texts */
function drawnPoints(points, rows = points.map(String)) {
  const wrong = points.findIndex((pair) => pair.length !== 2 || !pair.every((value) => Math.abs(value) <= LARGEST));
  if (wrong >= 0) {
    return { fault: `“${cutText(rows[wrong])}” is no point: a point is two numbers, x and y, of at most a million.` };
  }
  if (points.length <= MOST_POINTS) return { points };
  return { fault: `A target has at most ${MOST_POINTS} points; there are ${points.length}.` };
}

/**
 * Settings that were wished for, over those there are: all of them or, with one sentence on what is wrong, none.
 * @param {Setup} setup @param {Record<string, unknown>} wanted @param {Allowed} allowed
 * @returns {{setup: Setup} | {fault: string}}
 */
export function changedSetup(setup, wanted, { fields, choices, targets }) {
  const next = { ...setup };
  for (const [name, value] of Object.entries(wanted)) {
    if (name === "points") {
      const read = typeof value === "string" ? pointsOfLink(value) : drawnPoints(value);
      if (read.fault) return read;
      next.points = read.points;
    } else if (name === "rate" && (value === null || value === "safe" || value === "")) {
      next.rate = null;
    } else if (Object.hasOwn(fields, name)) {
      const read = checkedField(fields[name], value);
      if (read.fault) return read;
      next[name] = read.value;
    } else if (Object.hasOwn(choices, name) || name === "target") {
      const known = name === "target" ? [...Object.keys(targets), OWN_TARGET] : choices[name];
      if (!known.includes(value)) {
        return { fault: `${name} = ${cutText(String(value))} is not allowed: it must be one of ${known.join(", ")}.` };
      }
      next[name] = value;
    } else return { fault: `There is no setting “${cutText(name)}”.` };
  }
  return { setup: next };
}

function pointsOfLink(text) {
  const numbers = text.split(",");
  const rows = Array.from({ length: Math.ceil(numbers.length / 2) }, (_, at) => numbers.slice(2 * at, 2 * at + 2).join());
  return parsedPoints(rows.join("\n"));
}

/** A setup and the steps trained as a link has them; what is at its plainest value is left out. */
export function playgroundFields(setup, step) {
  const names = [...SCALE_FIELDS[setup.scales], "width", "activation", "optimiser", "scales", "rate", "keep", "seed", "target"];
  const said = names.filter((name) => !(name in UNSAID) || setup[name] !== UNSAID[name]);
  const fields = Object.fromEntries(said.map((name) => [name, setup[name]]));
  if (setup.target === OWN_TARGET) fields.points = setup.points.flat().join();
  if (step) fields.step = step;
  return fields;
}

/**
 * A link's fields. @param {Record<string, string>} fields @param {Setup} start @param {Allowed} allowed
 * @returns {{setup: Setup, step: number} | {fault: string}}
 */
export function readPlayground(fields, start, allowed) {
  const { step = "0", ...wanted } = fields;
  const counted = checkedField({ label: "step", least: 0, most: 1e8, whole: true }, step);
  if (counted.fault) return counted;
  const read = changedSetup({ ...start, ...UNSAID }, wanted, allowed);
  if (read.fault) return read;
  if (read.setup.target === OWN_TARGET && !wanted.points) return { fault: "The link has its own target, and no points for it." };
  return { setup: read.setup, step: counted.value };
}

/** The samples that a setup trains on. @returns {{x: number[], y: number[]}} */
export function samplesOf({ target, points }, targets) {
  if (target !== OWN_TARGET) return targets[target];
  const ordered = [...points].sort((one, other) => one[0] - other[0]);
  return { x: ordered.map(([x]) => x), y: ordered.map(([, y]) => y) };
}

/** alpha, beta_1 and beta_2 of a setup. */
export function scalesOf({ scales, gamma, gamma_prime, alpha, beta_1, beta_2, width }) {
  if (scales === "raw") return { alpha, beta_1, beta_2 };
  return scalesAt(gamma, gamma_prime, width);
}

/** The point of the phase diagram at the setup's width; null where one neuron has none. */
export function pointOf(setup) {
  if (setup.scales === "exponents") return { gamma: setup.gamma, gamma_prime: setup.gamma_prime };
  if (setup.width < 2) return null;
  const { alpha, beta_1, beta_2, width } = setup;
  const order = (value) => -Math.log(value) / Math.log(width) + 0;
  return { gamma: order((beta_1 * beta_2) / alpha), gamma_prime: order(beta_1 / beta_2) };
}

/** Whether the phase diagram is about such a network. */
const isCovered = ({ activation, optimiser, keep }) => activation === "relu" && optimiser === "descent" && keep === 1;

/** The terminal line for the setup's point, and what in the setup it leaves out. @param {string} template */
export function playgroundCommand(setup, template) {
  const point = pointOf(setup);
  if (!point) return "# One neuron has no point in the phase diagram.";
  const line = template.replace(/\{(\w+)\}/g, (_, one) => ({ ...point, width: setup.width })[one]);
  if (isCovered(setup) && setup.target === "parabola") return line;
  return `# The notebook trains ReLU by gradient flow on its own four points, at this point of the diagram:\n${line}`;
}

/** What the scales are in the other language, and the regime where there is one. */
export function scaleWords(setup) {
  const point = pointOf(setup);
  const { alpha, beta_1, beta_2 } = scalesOf(setup);
  const other = setup.scales === "exponents"
    ? `1/α = ${number(1 / alpha)}, β₁ = ${number(beta_1)}, β₂ = ${number(beta_2)}`
    : point ? `γ = ${number(point.gamma)}, γ′ = ${number(point.gamma_prime)}` : "one neuron has no γ";
  if (!isCovered(setup)) return `${other}. The phase diagram is about ReLU and descent without dropout.`;
  if (!point) return `${other}.`;
  const regime = regimeAt(point);
  const edge = ` (the boundary is at γ = ${number(boundaryAt(point.gamma_prime))})`;
  return `${other}: ${regime === "critical" ? "on the critical line" : `${regime} regime${edge}`}.`;
}

/** What a run has come to. @param {object} shown  as the worker tells it */
export function runWords(shown) {
  const { step, loss, square, w, a, share, stop, rate, safe } = shown;
  const steps = `${step.toLocaleString("en")} step${step === 1 ? "" : "s"}`;
  if (stop === "diverged") {
    const advice = rate > safe ? `a rate of ${number(safe)} is safe at the start` : "try a smaller learning rate";
    return `The run diverged after ${steps}; ${advice}.`;
  }
  const lines = `${number(100 * share)} % of the amplitude lies on three lines (angles drawn at random would put about ${
    number((100 * 3 * 0.2) / Math.PI)} % there)`;
  if (!step) return `Not trained yet: the loss is ${number(loss)}; ${lines}.`;
  const percent = (100 * loss) / square;
  const part = square > 0 ? `, ${percent < 0.01 ? "less than 0.01" : number(percent)} % of the target’s mean square` : "";
  const far = (distance) => `${number(distance)} times`;
  const ended = stop === "reached" ? " The target is fitted, and training has ended." : "";
  return `After ${steps} the loss is ${number(loss)}${part}. Input weights moved ${far(w)} their length at the start, `
    + `output weights ${far(a)}; ${lines}.${ended}`;
}

/** Python code that trains the same network by torch. */
export function playgroundPython(setup, { step, rate }) {
  const { width, seed, activation, optimiser, keep, target, points } = setup;
  const own = target === OWN_TARGET;
  const samples = own
    ? `points = np.array(${JSON.stringify([...points].sort((one, other) => one[0] - other[0]))})\nx, y = points[:, 0], points[:, 1]`
    : `target = PAPER_TARGETS["${target}"]\nx, y = target.x, target.y`;
  const raw = setup.scales === "raw";
  const scaling = raw ? `Scaling(${setup.alpha}, ${setup.beta_1}, ${setup.beta_2})`
    : `page_scaling(${setup.gamma}, ${setup.gamma_prime}, ${width})`;
  return [
    ...(own ? ["import numpy as np", ""] : ["from condensation_lab.data.paper_targets import PAPER_TARGETS"]),
    "from condensation_lab.data.targets import augment",
    ...(raw ? ["from condensation_lab.initialise import Scaling"] : []),
    `from condensation_lab.models.page_network import page_network${raw ? "" : ", page_scaling"}`,
    "from condensation_lab.train.two_layer import Recipe, TwoLayerTrainer", "",
    samples, `start = page_network(${seed}, ${width}, ${scaling})`,
    `recipe = Recipe("${activation}", "${optimiser}", rate=${rate}, keep_probability=${keep}, seed=${seed})`,
    "trainer = TwoLayerTrainer(start, augment(x), y, recipe)",
    `for _ in range(${step}):`, "    trainer.step()", "print(trainer.loss)", "",
  ].join("\n");
}

/** All that the figures show, as tables. @returns {import("./toolbar.js").Table[]} */
export function playgroundTables(samples, { fit, neurons: now, first, history, step, loss, w, a }) {
  const columns = (...lists) => Array.from(lists[0], (_, row) => lists.map((list) => list[row]));
  const last = (values, value) => (history.step.at(-1) === step ? values : [...values, value]);
  return [
    { caption: "Samples", columns: ["x", "y"], rows: columns(samples.x, samples.y) },
    { caption: "Network", columns: ["x", "f(x)"], rows: columns(fit.x, fit.y) },
    {
      caption: "Neurons", columns: ["orientation, rad", "amplitude", "kink at x", "orientation at the start", "amplitude at the start"],
      rows: columns(now.orientation, now.amplitude, now.kink, first.orientation, first.amplitude),
    },
    {
      caption: "Training", columns: ["step", "loss", "relative distance of the input weights", "of the output weights"],
      rows: columns(last(history.step, step), last(history.loss, loss), last(history.w, w), last(history.a, a)),
    },
  ];
}
