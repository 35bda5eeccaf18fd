/**
 * What an atlas says: numbers, texts and words at a position, and why there is none. Free of the DOM, tested in Node.
 *
 * @typedef {{variable: string, edges: number[], texts: string[]}} Words  a text for each interval between the edges
 */
import { slice } from "./slices.js";
import { number } from "./numbers.js";

/** Mean of a variable over what the controls leave free. */
function meanAt(data, name, position) {
  const values = allAt(data, name, position).filter(Number.isFinite);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** All values of a variable at a position. @returns {Float64Array} */
function allAt(data, name, position) {
  return slice(data, name, position, data.variables[name].dims.filter((dim) => !(dim in position)));
}

/** Why there may be no value here: how the run ended, where the dataset says it; else nothing. */
export function whyNone(data, position) {
  return data.variables.outcome?.meanings ? ` (the run ended: ${text(data, "outcome", position)})` : "";
}

/** Texts, each once; with how often where they differ. */
function counted(texts) {
  const kinds = [...new Set(texts)];
  if (kinds.length < 2) return kinds.join("");
  return kinds.map((kind) => `${kind} (${texts.filter((one) => one === kind).length} of ${texts.length})`).join(", ");
}

/**
 * A variable at the position, as text: a text or the meaning of a code as it is, the values of a free dimension in a row,
 * a grid value in full, else the mean over what is free.
 */
export function text(data, name, position) {
  const { texts, meanings, coordinate, dims } = data.variables[name];
  const values = Array.from(allAt(data, name, position));
  if (texts) return values.map((place) => texts[place]).join(", ");
  if (meanings) return counted(values.map((code) => meanings[code] ?? "not recorded"));
  if (coordinate && !(dims[0] in position)) return values.map((value) => number(value, 12)).join(", ");
  const value = meanAt(data, name, position);
  if (!Number.isFinite(value)) return `no value${whyNone(data, position)}`;
  return number(value, coordinate ? 12 : 3);
}

/**
 * Fill `{name}` in a template with the value of a variable, or with the words for it.
 * @param {Dataset} data @param {string} template @param {Record<string, Words>} words @param {Position} position
 */
export function sentence(data, template, words, position) {
  return template.replace(/\{(\w+)\}/g, (_, name) => {
    if (!(name in words)) return text(data, name, position);
    const { variable, edges, texts } = words[name];
    const value = meanAt(data, variable, position);
    return Number.isFinite(value) ? texts[edges.filter((edge) => value >= edge).length] : "not measured";
  });
}

/** Fill `{name}` with values as code has them: `1.2`, `-0.5`, a text in quotes where `quoted`. */
export function filled(data, template, position, quoted = false) {
  return template.replace(/\{(\w+)\}/g, (_, name) => {
    const value = plainValue(data, name, position);
    return quoted ? JSON.stringify(value) : String(value);
  });
}

/** The grid value of a controlled dimension at a position, a number or a text. */
export function plainValue(data, dim, position) {
  const [value] = slice(data, dim, position, []);
  return data.variables[dim].texts?.[value] ?? value;
}
