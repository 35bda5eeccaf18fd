/** Ticks of logarithmic axes, and places for labels that must not be cut off. Free of the DOM, tested in Node. */
import { number } from "./numbers.js";

/** Round steps over a short stretch: 1, 2 or 5 times a power of ten, about `count` of them. @returns {number[]} */
export function roundSteps(low, high, count = 5) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((times) => times * power >= rough) * power;
  const first = Math.ceil(low / step - 1e-9);
  const length = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/**
 * Ticks of a log axis, in plotly's terms: powers of ten over several decades, 1, 2 and 5 of each over fewer, round
 * numbers within one; small ticks without a label between them.
 * @param {number[]} ends  powers of ten
 */
export function logTicks([low, high]) {
  const minor = { ticks: "outside", ticklen: 3, dtick: "D1" };
  const small = { type: "log", tickfont: { size: 10 }, minor };
  if (high - low > 2.5) return { ...small, dtick: Math.ceil((high - low) / 6), exponentformat: "power" };
  const marks = [];
  for (let decade = Math.floor(low); decade <= high; decade++) {
    for (const times of high - low > 0.8 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 7, 8, 9]) marks.push(Number(`${times}e${decade}`));
  }
  const inside = (values) => values.filter((value) => Math.log10(value) >= low && Math.log10(value) <= high);
  const few = inside(marks);
  const tickvals = few.length < 3 ? inside(roundSteps(10 ** low, 10 ** high)) : few;
  return { ...small, tickmode: "array", tickvals, ticktext: tickvals.map((value) => number(value, 6)) };
}

/** Ticks at places 0, 1, 2, … with a text each; of many, only so many that they can be read. */
export function textTicks(texts, most = 24) {
  const every = Math.ceil(texts.length / most);
  const tickvals = Array.from(texts.keys()).filter((place) => place % every === 0);
  return { tickmode: "array", tickvals, ticktext: tickvals.map((place) => texts[place]) };
}

const AROUND = [
  "middle right", "middle left", "bottom right", "top right", "bottom left", "top left", "bottom center", "top center",
];

/**
 * Where each point's label stands: at its wish or else around its point, inside the frame and off other labels.
 * @param {{at: number[], text: string, wish?: string}[]} labels  `at` in pixels from the lower left corner
 * @param {number[]} size  of the frame, in pixels
 * @returns {string[]} as plotly says it
 */
export function placedLabels(labels, [width, height], letter = 6.2, line = 14) {
  const taken = labels.map(({ at: [x, y] }) => [x - 5, y - 5, x + 5, y + 5]);
  return labels.map(({ at: [x, y], text, wish }, own) => {
    const [long, gap] = [text.length * letter, 7];
    const boxOf = (place) => {
      const [down, across] = place.split(" ");
      const left = { right: x + gap, left: x - gap - long, center: x - long / 2 }[across];
      const low = { middle: y - line / 2, bottom: y - gap - line, top: y + gap }[down];
      return [left, low, left + long, low + line];
    };
    const cost = (place) => {
      const [left, low, right, high] = boxOf(place);
      const outside = [-left, -low, right - width, high - height].reduce((sum, over) => sum + Math.max(over, 0), 0);
      const over = taken.filter((box, index) => (
        index !== own && left < box[2] && right > box[0] && low < box[3] && high > box[1]
      )).length;
      return 10 * outside + 40 * over;
    };
    const places = wish ? [wish, ...AROUND] : AROUND;
    const costs = places.map(cost);
    const best = places[costs.indexOf(Math.min(...costs))];
    taken.push(boxOf(best));
    return best;
  });
}
