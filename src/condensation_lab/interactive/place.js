/**
 * Where an initialisation of a two-layer network sits in the phase diagram. Nothing here touches the DOM: Node tests it.
 *
 * @typedef {{gamma: number, gamma_prime: number}} PlanePoint
 * @typedef {Record<string, number | string>} Chosen  `scheme` and a number for each of its fields
 * @typedef {{name: string, gamma: number | null, gamma_prime: number | null, formula: string, source: string,
 *   fields: string[]}} PlaceScheme  gamma is null where the reader's own fields decide
 * @typedef {{gamma: number[], gamma_prime: number[], slope_w: (number | null)[][]}} Measured  by gamma,
 *   then gamma_prime; null where a run failed
 */
import { boundaryAt, regimeAt } from "./regimes.js";
import { number } from "./numbers.js";

/** alpha, beta_1, beta_2 and the learning rates of output and input weights, for m neurons with d inputs. */
const PLACE_SETUPS = {
  "LeCun": ({ width: m, inputs: d }) => [1, m ** -0.5, d ** -0.5, 1, 1],
  "He": ({ width: m, inputs: d }) => [1, (2 / m) ** 0.5, (2 / d) ** 0.5, 1, 1],
  "Xavier": ({ width: m, inputs: d }) => [1, (2 / (m + 1)) ** 0.5, (2 / (m + d)) ** 0.5, 1, 1],
  "NTK": ({ width: m }) => [m ** 0.5, 1, 1, 1, 1],
  "mean field": ({ width: m }) => [m, 1, 1, 1, 1],
  "PyTorch default": ({ width: m, inputs: d }) => [1, (3 * m) ** -0.5, (3 * d) ** -0.5, 1, 1],
  "muP": ({ width: m, inputs: d }) => [1, 1 / m, d ** -0.5, 1 / m, m],
  "own powers": ({ width: m, p, q, r, s_a, s_w }) => [m ** p, m ** -q, m ** -r, m ** s_a, m ** s_w],
  "own numbers": ({ alpha, beta_1, beta_2, rate_a, rate_w }) => [alpha, beta_1, beta_2, rate_a, rate_w],
};

/** The power of the width with which the relative distance goes: our scaling argument. @param {PlanePoint} point */
export function predictedSlope({ gamma, gamma_prime }) {
  if (gamma <= 1) return gamma - 1 - 2 * Math.max(gamma_prime, 0);
  const room = gamma - 1 - gamma_prime;
  return room < 0 ? 2 * room : Math.min(gamma - 1, room / 2);
}

/**
 * The point at the chosen width and its limit for wide networks.
 * @param {Chosen} chosen @param {PlaceScheme} scheme
 */
export function placed(chosen, scheme) {
  const setup = PLACE_SETUPS[chosen.scheme](chosen);
  const [alpha, beta1, beta2, rateA, rateW] = setup.map(Math.log);
  const order = (logarithm) => -logarithm / Math.log(chosen.width) + 0; // + 0 turns -0 into 0
  const here = {
    gamma: order(beta1 + beta2 - alpha),
    gamma_prime: order(beta1 - beta2 + (rateW - rateA) / 2), // unequal learning rates fold into kappa_prime
  };
  let limit = { gamma: scheme.gamma, gamma_prime: scheme.gamma_prime };
  if (chosen.scheme === "own powers") {
    const { p, q, r, s_a, s_w } = chosen;
    limit = { gamma: p + q + r, gamma_prime: q - r - (s_w - s_a) / 2 };
  }
  if (limit.gamma === null) limit = null; // one width gives no limit
  const judged = limit ?? here;
  const margin = judged.gamma - boundaryAt(judged.gamma_prime);
  return { setup, here, limit, judged, margin, regime: regimeAt(judged), slope: predictedSlope(judged) };
}

/** The nearest measured point, or null where the stored run does not reach. @param {Measured} measured */
export function nearestMeasured(measured, { gamma, gamma_prime }) {
  const near = (grid, value) => {
    const at = grid.reduce((best, one, index) => (Math.abs(one - value) < Math.abs(grid[best] - value) ? index : best), 0);
    return Math.abs(grid[at] - value) <= (grid[1] - grid[0]) * 0.5001 ? at : -1;
  };
  const [row, column] = [near(measured.gamma, gamma), near(measured.gamma_prime, gamma_prime)];
  const slope = measured.slope_w[row]?.[column] ?? null;
  if (slope === null) return null;
  return { gamma: measured.gamma[row], gamma_prime: measured.gamma_prime[column], slope };
}

const pointText = ({ gamma, gamma_prime }) => `γ = ${number(gamma)}, γ′ = ${number(gamma_prime)}`;

const WHAT_IT_DOES = {
  linear: ({ gamma }) => (gamma < 1
    ? "The wider the network, the less its weights move, relative to their start; it trains like a kernel method."
    : "The wider the network, the less its input weights move; the output weights learn on features that stay random."),
  critical: () => "The input weights move by an amount that neither vanishes nor grows with the width: features are learned.",
  condensed: () => "The wider the network, the further its input weights move; neurons gather on a few directions.",
};

/**
 * What is said about a place, in paragraphs: where it is, what a network there does, how we know.
 * @param {Chosen} chosen @param {PlaceScheme} scheme @param {ReturnType<typeof placed>} place
 * @param {Measured | null} measured @returns {string[]}
 */
export function placeWords(chosen, scheme, place, measured) {
  const { here, limit, judged, margin, regime, slope } = place;
  const width = `m = ${number(chosen.width)}`;
  const same = limit && Math.hypot(here.gamma - limit.gamma, here.gamma_prime - limit.gamma_prime) < 1e-9;
  const wide = same ? ", as at every width." : limit ? `; as m → ∞, ${pointText(limit)}.`
    : ". One width gives no limit, so this point itself is judged.";
  const edge = `γ = ${number(boundaryAt(judged.gamma_prime))}`;
  const side = regime === "critical" ? `On the critical line, at ${edge}`
    : `${regime === "linear" ? "Linear" : "Condensed"}, ${number(Math.abs(margin))} ${margin < 0 ? "left" : "right"} `
      + `of the boundary, which is at ${edge} here`;
  const other = limit && regimeAt(here) !== regime
    ? ` At ${width} its constants still put it at a ${regimeAt(here)} point; they fade, but only as 1/log m.` : "";
  const nearest = measured && nearestMeasured(measured, judged);
  const found = !measured ? "" : nearest
    ? ` Measured nearest, at ${pointText(nearest)}: slope ${number(nearest.slope)}.` : " The stored run does not reach this far.";
  const factor = Math.abs(slope) < 1e-12 ? "leaves the relative distance of the input weights as it is"
    : `multiplies the relative distance of the input weights by ${number(10 ** slope)}`;
  return [
    `${scheme.name}, ${width}: ${pointText(here)}${wide}`,
    `${side}. ${WHAT_IT_DOES[regime](judged)}${other}`,
    `Ten times the width ${factor}: slope ${number(slope)}, by our scaling argument, which is not the paper’s.${found}`,
    `Place: ${scheme.source}.`,
  ];
}

/** Python code that computes the same place. @param {Chosen} chosen */
export function placePython(chosen) {
  const { scheme, width, inputs = 1 } = chosen;
  const named = (pairs) => pairs.map(([argument, name]) => `${argument}=${chosen[name]}`).join(", ");
  const judge = (gamma, prime) => `print("regime:", regime(${gamma}, ${prime}), "slope:", predicted_slope(${gamma}, ${prime}))`;
  const tools = "from condensation_lab.measure.regime import predicted_slope, regime";
  if (scheme === "own numbers") {
    return [
      "from condensation_lab.initialise import Scaling, effective, exponents", tools, "",
      `scaling = Scaling(${named(["alpha", "beta_1", "beta_2"].map((name) => [name, name]))})`,
      `scaling = effective(scaling, ${named(["rate_a", "rate_w"].map((name) => [name, name]))})`,
      `gamma, gamma_prime = exponents(scaling, width=${width})`,
      "print(gamma, gamma_prime)", judge("gamma", "gamma_prime"), "",
    ].join("\n");
  }
  const powers = [["alpha", "p"], ["beta_1", "q"], ["beta_2", "r"], ["rate_a", "s_a"], ["rate_w", "s_w"]];
  const [maker, made] = scheme === "own powers" ? ["power_scheme", `power_scheme(${named(powers)})`]
    : ["named_scheme", `named_scheme("${scheme}")`];
  return [
    `from condensation_lab.initialise import ${maker}`, tools, "",
    `scheme = ${made}`, `gamma, gamma_prime = scheme.place(width=${width}, fan_in=${inputs})`,
    "print(gamma, gamma_prime)", judge("scheme.gamma", "scheme.gamma_prime"), "",
  ].join("\n");
}
