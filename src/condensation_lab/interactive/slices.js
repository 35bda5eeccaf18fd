/**
 * The atlas without a page: decoding, slicing, fitting and wording. Nothing here touches the DOM, so Node tests it.
 *
 * @typedef {Record<string, number>} Position  index along each controlled dimension
 * @typedef {{dims: string[], shape: number[], dtype: string, start: number, scale: number, offset: number,
 *   missing: number | null, coordinate: boolean, texts?: string[], meanings?: Record<string, string>}} Declared
 *   a variable as Python sends it; one of texts has no numbers, and its values are places in the list
 * @typedef {Declared & {raw: ArrayLike<number>}} Variable
 * @typedef {{sizes: Record<string, number>, variables: Record<string, Variable>}} Dataset
 * @typedef {{variable: string, edges: number[], texts: string[]}} Words  a text for each interval between the edges
 */

const ARRAYS = {
  uint8: Uint8Array, int8: Int8Array, uint16: Uint16Array, int16: Int16Array, float16: Uint16Array,
  float32: Float32Array, float64: Float64Array,
};

/**
 * Cut the one buffer into variables; quantised numbers stay as stored until they are sliced.
 * @param {{sizes: Record<string, number>, variables: Record<string, Declared>}} declaration
 * @param {DataView} bytes
 * @returns {Dataset}
 */
export function decode(declaration, bytes) {
  const variables = {};
  for (const [name, declared] of Object.entries(declaration.variables)) {
    if (declared.texts) {
      variables[name] = { ...declared, raw: Array.from(declared.texts.keys()), scale: 1, offset: 0, missing: null };
      continue;
    }
    const Kind = ARRAYS[declared.dtype];
    const begin = bytes.byteOffset + declared.start;
    const length = declared.shape.reduce((product, size) => product * size, 1) * Kind.BYTES_PER_ELEMENT;
    // A copy, because typed arrays must start at a multiple of their item size and the host's buffer may not.
    const raw = new Kind(bytes.buffer.slice(begin, begin + length));
    variables[name] = { ...declared, raw: declared.dtype === "float16" ? Float32Array.from(raw, half) : raw };
  }
  return { sizes: declaration.sizes, variables };
}

/** A number from the 16 bits of a float16; by hand, because Float16Array is younger than many readers' browsers. */
export function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent ? sign * (1 + fraction / 1024) * 2 ** (exponent - 15) : sign * fraction * 2 ** -24;
}

/** @param {Variable} variable @param {number} place @returns {number} */
function valueAt(variable, place) {
  const raw = variable.raw[place];
  return raw === variable.missing ? NaN : raw * variable.scale + variable.offset;
}

/**
 * Values of a variable along `along` (last name fastest), at `position` in its other dimensions.
 * A dimension of `along` that the variable lacks repeats its values.
 * @param {Dataset} data @param {string} name @param {Position} position @param {string[]} along
 * @returns {Float64Array}
 */
export function slice(data, name, position, along) {
  const variable = data.variables[name];
  const strides = {};
  let first = 0;
  let stride = 1;
  for (let axis = variable.dims.length - 1; axis >= 0; axis--) {
    const dim = variable.dims[axis];
    if (along.includes(dim)) strides[dim] = stride;
    else first += position[dim] * stride;
    stride *= variable.shape[axis];
  }
  const values = new Float64Array(along.reduce((product, dim) => product * data.sizes[dim], 1));
  let filled = 0;
  const walk = (depth, place) => {
    if (depth === along.length) {
      values[filled++] = valueAt(variable, place);
      return;
    }
    const step = strides[along[depth]] ?? 0;
    for (let index = 0; index < data.sizes[along[depth]]; index++) walk(depth + 1, place + index * step);
  };
  walk(0, first);
  return values;
}

/** Rows of a two-dimensional slice. @returns {Float64Array[]} */
export function rows(data, name, position, y, x) {
  const flat = slice(data, name, position, [y, x]);
  const width = data.sizes[x];
  return Array.from({ length: data.sizes[y] }, (_, row) => flat.subarray(row * width, (row + 1) * width));
}

/** Put a gap (NaN) after each run of `length` values, so that a line does not join one run to the next. */
export function withGaps(values, length) {
  const runs = values.length / length;
  const gapped = new Float64Array(values.length + runs - 1).fill(NaN);
  for (let run = 0; run < runs; run++) {
    gapped.set(values.subarray(run * length, (run + 1) * length), run * (length + 1));
  }
  return gapped;
}

/**
 * What one series draws at a position.
 * @param {Dataset} data @param {Position} position
 * @param {{x: string, y: string, along: string[], mode: string}} series
 * @returns {{x: Float64Array, y: Float64Array}}
 */
export function points(data, series, position) {
  const [x, y] = [series.x, series.y].map((name) => slice(data, name, position, series.along));
  if (series.along.length < 2 || !series.mode.includes("lines")) return { x, y };
  const length = data.sizes[series.along.at(-1)];
  return { x: withGaps(x, length), y: withGaps(y, length) };
}

/**
 * Least-squares line through (log x, log y), y = constant * x^slope, at the smallest and the largest x.
 * Points that have no logarithm are left out.
 * @returns {{slope: number, x: number[], y: number[]}}
 */
export function powerLaw(x, y) {
  const logs = Array.from(x, (value, index) => [Math.log(value), Math.log(y[index])])
    .filter((pair) => pair.every(Number.isFinite));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(logs.map((pair) => pair[0])), mean(logs.map((pair) => pair[1]))];
  const slope = mean(logs.map(([a, b]) => (a - meanX) * (b - meanY))) / mean(logs.map(([a]) => (a - meanX) ** 2));
  const ends = [Math.min(...logs.map((pair) => pair[0])), Math.max(...logs.map((pair) => pair[0]))];
  return { slope, x: ends.map(Math.exp), y: ends.map((end) => Math.exp(meanY + slope * (end - meanX))) };
}

/** Index of the value nearest to `wanted`. */
export function nearest(values, wanted) {
  const distances = values.map((value) => Math.abs(value - wanted));
  return distances.indexOf(Math.min(...distances));
}

/** Smallest and largest value of some variables, over every slice; only positive ones count on a log axis. */
export function extent(data, names, log = false) {
  let [low, high] = [Infinity, -Infinity];
  for (const name of names) {
    const variable = data.variables[name];
    for (let place = 0; place < variable.raw.length; place++) {
      const value = valueAt(variable, place);
      if (Number.isFinite(value) && (!log || value > 0)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
  }
  return [low, high];
}
