/** Regimes of the phase diagram of two-layer ReLU networks. Free of the DOM, tested in Node. */

/** The critical gamma at a gamma_prime. */
export const boundaryAt = (gammaPrime) => 1 + Math.max(gammaPrime, 0);

/** @param {PlanePoint} point @returns {"linear" | "critical" | "condensed"} */
export function regimeAt({ gamma, gamma_prime }) {
  const margin = gamma - boundaryAt(gamma_prime);
  if (Math.abs(margin) < 1e-12) return "critical";
  return margin > 0 ? "condensed" : "linear";
}

/**
 * Scales that realise a point of the phase diagram at one width with alpha = 1, so that small weights are small for
 * activations that are not homogeneous too; for ReLU every realisation gives the same run.
 */
export function scalesAt(gamma, gammaPrime, width) {
  return { alpha: 1, beta_1: width ** (-(gamma + gammaPrime) / 2), beta_2: width ** (-(gamma - gammaPrime) / 2) };
}
