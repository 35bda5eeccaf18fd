/**
 * A two-layer network f(x) = scale * sum_k a_k sigma(w_k x + b_k) that trains in float64, without a page: Node tests it
 * against the torch engine of train/two_layer.py, from the same seeds.
 *
 * @typedef {{a: Float64Array, w: Float64Array, b: Float64Array, scale: number}} Network
 * @typedef {{activation: string, optimiser: string, rate: number, keep: number, seed: number}} Recipe
 */

/**
 * Random numbers that Python draws too (models/page_network.py): sfc32 with 20 rounds to warm up, 53-bit uniforms from
 * two draws, normals by Box and Muller. Streams of one seed: 0 draws weights, 1 dropout masks.
 * @param {number} seed 0 to 2^32 - 1 @param {number} stream
 */
export function generator(seed, stream) {
  let [a, b, c, counter] = [0, stream | 0, seed | 0, 1];
  let spare = null;
  /** @returns {number} an integer from 0 to 2^32 - 1 */
  function next() {
    const mixed = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + mixed) | 0;
    return mixed >>> 0;
  }
  const uniform = () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
  function normal() {
    if (spare !== null) {
      const kept = spare;
      spare = null;
      return kept;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    const angle = 2 * Math.PI * uniform();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }
  for (let round = 0; round < 20; round++) next();
  return { next, uniform, normal };
}

/** @returns {Network} weights a ~ N(0, beta_1^2), then w, then b ~ N(0, beta_2^2), in the order of their drawing */
export function drawNetwork({ seed, width, alpha, beta_1, beta_2 }) {
  const { normal } = generator(seed, 0);
  const draw = (deviation) => Float64Array.from({ length: width }, () => deviation * normal());
  return { a: draw(beta_1), w: draw(beta_2), b: draw(beta_2), scale: 1 / alpha };
}

// Math.exp is a call; powers of two from tables and a polynomial of degree 6 on +-ln(2)/64 are inlined.
const FRACTIONS = Float64Array.from({ length: 32 }, (_, part) => 2 ** (part / 32));
const POWERS = Float64Array.from({ length: 1100 }, (_, power) => 2 ** -power);

/** e^x for x <= 0, to about an ulp. */
function decay(x) {
  if (!(x > -700)) return x !== x ? NaN : 0;
  const whole = (x * 46.16624130844683 - 0.5) | 0; // 32 / ln 2, rounded to the nearest below zero
  const r = x - whole * 0.021660849390173098 - whole * 2.325192846878874e-12; // ln(2) / 32 in two parts
  const grown = 1 + r * (1 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r / 720)))));
  return grown * FRACTIONS[whole & 31] * POWERS[-(whole >> 5)];
}

/** tanh, to a few ulp in relative terms at every size: nets that start at 1e-7 need that. */
function tanh(z) {
  const size = Math.abs(z);
  if (size < 0.25) {
    const q = z * z;
    return z * (1 + q * (-1 / 3 + q * (2 / 15 + q * (-17 / 315 + q * (62 / 2835 + q * (-1382 / 155925
      + q * (21844 / 6081075 + q * (-929569 / 638512875 + q * (6404582 / 10854718875
      + q * (-443861162 / 1856156927625)))))))))); // Taylor; the next term is 1e-16 of the first
  }
  const e = decay(-2 * size);
  return z < 0 ? (e - 1) / (1 + e) : (1 - e) / (1 + e);
}

/** Fill h with sigma(z) and d with its derivative. One plain loop for each activation, so that each is compiled. */
const FILL = {
  relu(z, h, d) {
    for (let j = 0; j < z.length; j++) {
      const on = z[j] > 0 ? 1 : 0;
      d[j] = on;
      h[j] = on * z[j];
    }
  },
  tanh(z, h, d) {
    for (let j = 0; j < z.length; j++) {
      const t = tanh(z[j]);
      h[j] = t;
      d[j] = 1 - t * t;
    }
  },
  sigmoid(z, h, d) {
    for (let j = 0; j < z.length; j++) {
      const e = decay(-Math.abs(z[j]));
      h[j] = (z[j] < 0 ? e : 1) / (1 + e);
      d[j] = e / ((1 + e) * (1 + e));
    }
  },
  softplus(z, h, d) {
    for (let j = 0; j < z.length; j++) {
      const e = decay(-Math.abs(z[j]));
      h[j] = (z[j] > 0 ? z[j] : 0) + Math.log1p(e);
      d[j] = (z[j] < 0 ? e : 1) / (1 + e);
    }
  },
  xtanh(z, h, d) {
    for (let j = 0; j < z.length; j++) {
      const t = tanh(z[j]);
      h[j] = z[j] * t;
      d[j] = t + z[j] * (1 - t * t);
    }
  },
  x2tanh(z, h, d) {
    for (let j = 0; j < z.length; j++) {
      const t = tanh(z[j]);
      h[j] = z[j] * z[j] * t;
      d[j] = z[j] * (2 * t + z[j] * (1 - t * t));
    }
  },
};

/** sigma(w_k x_i + b_k) and its derivative at each point, [k * n + i]. */
function features({ w, b }, x, activation, z, h, d) {
  const n = x.length;
  for (let k = 0, at = 0; k < w.length; k++) {
    for (let i = 0; i < n; i++, at++) z[at] = w[k] * x[i] + b[k];
  }
  FILL[activation](z, h, d);
}

/** f at each x. */
export function outputs(network, x, activation) {
  const [z, h, d] = Array.from({ length: 3 }, () => new Float64Array(network.a.length * x.length));
  features(network, x, activation, z, h, d);
  const f = new Float64Array(x.length);
  for (let at = 0; at < h.length; at++) f[at % x.length] += network.scale * network.a[(at / x.length) | 0] * h[at];
  return f;
}

/**
 * A learning rate that is small enough, and the largest eigenvalue of the tangent kernel it comes from.
 *
 * Descent: 1 / (lambda + growth). lambda is the largest eigenvalue at the start of G_ij = (1/n) grad f(x_i) . grad f(x_j).
 * growth bounds what the kernel gains until the target is fitted: (|a|^2 - |w|^2 of a ReLU neuron is conserved, so)
 * 2 scale (1 + mean x^2) A, where A, the |a| |w| summed, is what the straight pieces between the samples need.
 * Adam moves every weight by about the rate: 0.001, or less where that would move the output by more than 5 % of the target.
 */
export function safeRate(network, x, y, { activation, optimiser }) {
  const [m, n] = [network.a.length, x.length];
  const [z, h, d] = Array.from({ length: 3 }, () => new Float64Array(m * n));
  features(network, x, activation, z, h, d);
  const kernel = new Float64Array(n * n);
  const reach = new Float64Array(n);
  for (let k = 0; k < m; k++) {
    const size = network.a[k] ** 2;
    for (let i = 0; i < n; i++) {
      const [hi, di] = [h[k * n + i], size * d[k * n + i]];
      reach[i] += Math.abs(hi) + Math.abs(network.a[k] * d[k * n + i]) * (1 + Math.abs(x[i]));
      for (let j = 0; j < n; j++) kernel[i * n + j] += hi * h[k * n + j] + di * d[k * n + j] * (1 + x[i] * x[j]);
    }
  }
  const lambda = (network.scale ** 2 / n) * largestEigenvalue(kernel, n);
  if (optimiser === "adam") {
    const wanted = Math.sqrt(y.reduce((sum, value) => sum + value * value, 0) / n) || 1;
    return { lambda, rate: Math.min(1e-3, (0.05 * wanted) / (network.scale * Math.max(...reach))) };
  }
  const squares = 1 + x.reduce((sum, value) => sum + value * value, 0) / n;
  return { lambda, rate: 1 / (lambda + 2 * network.scale * squares * pathNorm(x, y)) };
}

/** Power iteration, from a vector that has a share of every direction. */
function largestEigenvalue(matrix, n) {
  let vector = Float64Array.from({ length: n }, (_, i) => 1 + (i % 7) / 10);
  let value = 0;
  for (let round = 0; round < 200; round++) {
    const image = vector.map((_, i) => {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += matrix[i * n + j] * vector[j];
      return sum;
    });
    value = Math.hypot(...image);
    if (value === 0) return 0;
    vector = image.map((component) => component / value);
  }
  return value;
}

/** Size of the straight pieces through the samples: largest output, steepest slope, and all changes of slope. */
function pathNorm(x, y) {
  const order = Array.from(x.keys()).sort((i, j) => x[i] - x[j]);
  let [total, steepest, before, largest] = [0, 0, null, 0];
  for (let place = 0; place < order.length; place++) {
    largest = Math.max(largest, Math.abs(y[order[place]]));
    if (!place) continue;
    const gap = x[order[place]] - x[order[place - 1]];
    if (!(gap > 0)) continue; // two samples at one x have no slope
    const slope = (y[order[place]] - y[order[place - 1]]) / gap;
    steepest = Math.max(steepest, Math.abs(slope));
    if (before !== null) total += Math.abs(slope - before);
    before = slope;
  }
  return total + steepest + largest;
}

/** Full-batch training on R = 1/(2n) sum_i (f(x_i) - y_i)^2; the loss told is the mean squared error, 2 R. */
export class Trainer {
  /** @param {Network} network moved in place @param {Recipe} recipe */
  constructor(network, x, y, recipe) {
    Object.assign(this, { network, recipe, step: 0, stop: null });
    [this.x, this.y] = [Float64Array.from(x), Float64Array.from(y)];
    const [m, n] = [network.a.length, x.length];
    [this.z, this.h, this.d] = Array.from({ length: 3 }, () => new Float64Array(m * n));
    this.error = new Float64Array(n);
    this.kept = new Float64Array(m).fill(1);
    this.gradients = [0, 1, 2].map(() => new Float64Array(m)); // by a, w, b
    this.moments = [0, 1, 2].map(() => [new Float64Array(m), new Float64Array(m)]); // Adam's
    this.masks = generator(recipe.seed, 1);
    this.first = { a: network.a.slice(), w: network.w.slice(), b: network.b.slice() };
    const loss = this.loss();
    this.limit = 1e6 * (loss + this.y.reduce((sum, value) => sum + value * value, 0) / n); // beyond it, it has diverged
    this.history = { step: [], loss: [], w: [], a: [] };
    this.record(loss);
  }

  /** Mean squared error of the whole network, without dropout. */
  loss() {
    this.kept.fill(1);
    return this.forward();
  }

  forward() {
    const { network: { a, scale }, x, y, z, h, d, error, kept } = this;
    features(this.network, x, this.recipe.activation, z, h, d);
    const n = x.length;
    for (let i = 0; i < n; i++) error[i] = -y[i];
    for (let k = 0, at = 0; k < a.length; k++) {
      const factor = scale * a[k] * kept[k];
      for (let i = 0; i < n; i++, at++) error[i] += factor * h[at];
    }
    let sum = 0;
    for (let i = 0; i < n; i++) sum += error[i] * error[i];
    return sum / n;
  }

  backward() {
    const { network: { a, scale }, x, h, d, error, kept, gradients: [byA, byW, byB] } = this;
    const n = x.length;
    for (let k = 0, at = 0; k < a.length; k++) {
      let [output, weight, bias] = [0, 0, 0];
      for (let i = 0; i < n; i++, at++) {
        const pull = error[i] * d[at];
        output += error[i] * h[at];
        weight += pull * x[i];
        bias += pull;
      }
      const factor = (scale * kept[k]) / n;
      byA[k] = factor * output;
      byW[k] = factor * a[k] * weight;
      byB[k] = factor * a[k] * bias;
    }
  }

  update() {
    const { recipe: { optimiser, rate }, gradients, moments, network } = this;
    const layers = [network.a, network.w, network.b];
    this.step += 1;
    const firstBias = 1 - 0.9 ** this.step;
    const secondBias = Math.sqrt(1 - 0.999 ** this.step);
    for (let layer = 0; layer < 3; layer++) {
      const [weights, gradient, [mean, square]] = [layers[layer], gradients[layer], moments[layer]];
      if (optimiser === "descent") {
        for (let k = 0; k < weights.length; k++) weights[k] -= rate * gradient[k];
        continue;
      }
      for (let k = 0; k < weights.length; k++) {
        mean[k] += (gradient[k] - mean[k]) * (1 - 0.9);
        square[k] = square[k] * 0.999 + gradient[k] * gradient[k] * (1 - 0.999);
        weights[k] -= (rate / firstBias) * (mean[k] / (Math.sqrt(square[k]) / secondBias + 1e-8));
      }
    }
  }

  /** Train on to a step, for some milliseconds at most, until the loss is at `goal` or the run has diverged. */
  run(last, { milliseconds = Infinity, goal = -1 } = {}) {
    const { keep } = this.recipe;
    const bar = keep * 4294967296;
    const until = performance.now() + milliseconds;
    while (this.step < last && this.stop !== "diverged") {
      if (keep < 1) for (let k = 0; k < this.kept.length; k++) this.kept[k] = this.masks.next() < bar ? 1 / keep : 0;
      const loss = this.forward();
      if (!(loss < this.limit)) this.stop = "diverged";
      else if (loss <= goal && keep === 1) this.stop = "reached";
      if (this.stop) break;
      this.backward();
      this.update();
      if (this.step >= this.next) this.record(this.loss());
      if ((this.step & 15) === 0 && performance.now() > until) break;
    }
  }

  /** Keep loss and relative distances, at steps that grow by a fortieth: the same ones however a run is cut up. */
  record(loss) {
    const now = this.now(loss);
    for (const [name, values] of Object.entries(this.history)) values.push(now[name]);
    this.next = this.step + 1 + Math.floor(this.step / 40);
  }

  /** Step, loss, and how far each layer is from its start, relative to the start. */
  now(loss = this.loss()) {
    const { network: { a, w, b }, first } = this;
    const squares = (parts) => parts.reduce((sum, [one, other]) => (
      sum + one.reduce((total, value, k) => total + (value - (other ? other[k] : 0)) ** 2, 0)
    ), 0);
    return {
      step: this.step, loss,
      w: Math.sqrt(squares([[w, first.w], [b, first.b]]) / squares([[first.w], [first.b]])),
      a: Math.sqrt(squares([[a, first.a]]) / squares([[first.a]])),
    };
  }
}

/** Orientation atan2(b, w), amplitude |a| |(w, b)| and kink -b / w of each neuron. */
export function neurons({ a, w, b }) {
  return {
    orientation: w.map((weight, k) => Math.atan2(b[k], weight)),
    amplitude: a.map((weight, k) => Math.abs(weight) * Math.hypot(w[k], b[k])),
    kink: w.map((weight, k) => -b[k] / weight),
  };
}

/**
 * Share of the amplitude on the fullest lines: windows of 0.2 rad that do not overlap, opposite orientations together
 * (they have one kink). Uniform angles would put 0.2 / pi in each.
 */
export function shareOnLines(orientation, amplitude, lines = 3) {
  const angles = Array.from(orientation, (angle, k) => [(angle + 2 * Math.PI) % Math.PI, amplitude[k]]);
  angles.sort((one, other) => one[0] - other[0]);
  const total = amplitude.reduce((sum, value) => sum + value, 0);
  let held = 0;
  for (let line = 0; line < lines; line++) {
    let [best, from, to, sum, end] = [0, 0, 0, 0, 0];
    const m = angles.length;
    const angle = (at) => angles[at % m][0] + (at >= m ? Math.PI : 0);
    for (let begin = 0; begin < m; begin++) {
      while (end < begin + m && angle(end) <= angle(begin) + 0.2) sum += angles[end++ % m][1];
      if (sum > best) [best, from, to] = [sum, begin, end];
      sum -= angles[begin][1];
    }
    for (let at = from; at < to; at++) angles[at % m] = [angles[at % m][0], 0];
    held += best;
  }
  return total > 0 ? held / total : NaN;
}
