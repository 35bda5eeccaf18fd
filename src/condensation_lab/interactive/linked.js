/**
 * An atlas's state as a link has it: the controls' values (not their places on the grid) and the names hidden in the
 * legends. Free of the DOM, tested in Node.
 */
import { slice } from "./slices.js";
import { cutText } from "./fragment.js";
import { number } from "./numbers.js";
import { plainValue } from "./words.js";

export const LINK_VERSION = 1;
const HIDDEN = "hidden";

/** @returns {Record<string, string>} */
export function linkFields(data, position, hidden) {
  const fields = Object.fromEntries(Object.keys(position).map((dim) => [dim, String(plainValue(data, dim, position))]));
  if (hidden.size) fields[HIDDEN] = [...hidden].sort().join("|");
  return fields;
}

/**
 * Read a link's fields; what they do not name stays as it is at the start. One wrong value, and none is taken.
 * @param {Record<string, string>} fields @param {Record<string, number>} start @param {string[]} names  in the legends
 * @returns {{position: Record<string, number>, hidden: string[]} | {fault: string}}
 */
export function readLink(data, fields, start, names) {
  const position = { ...start };
  let hidden = [];
  for (const [field, value] of Object.entries(fields)) {
    if (field === HIDDEN) {
      hidden = value.split("|");
      const unknown = hidden.find((name) => !names.includes(name));
      if (unknown !== undefined) return { fault: `The link hides “${cutText(unknown)}”, which is not drawn here.` };
      continue;
    }
    if (!Object.hasOwn(start, field)) {
      return { fault: `The link names “${cutText(field)}”, and nothing here is called so.` };
    }
    const grid = gridOf(data, field);
    const place = data.variables[field].texts ? grid.indexOf(value) : placeOf(grid, value);
    if (place < 0) return { fault: `The link asks for ${field} = ${cutText(value)}, which is not on the grid: ${gridWords(grid)}.` };
    position[field] = place;
  }
  return { position, hidden };
}

/** The values of a controlled dimension, numbers or texts. */
export function gridOf(data, dim) {
  return data.variables[dim].texts ?? Array.from(slice(data, dim, {}, [dim]));
}

function placeOf(grid, value) {
  const wanted = value.trim() === "" ? NaN : Number(value);
  return grid.findIndex((one) => Math.abs(one - wanted) <= 1e-9 * Math.max(Math.abs(one), 1e-300) || one === wanted);
}

/** All of a short grid, the ends of a long one. */
function gridWords(grid) {
  const words = grid.map((one) => (typeof one === "number" ? number(one, 12) : one));
  if (words.length <= 6) return words.join(", ");
  return typeof grid[0] === "number" ? `${words.length} values from ${words[0]} to ${words.at(-1)}` : `${words.slice(0, 6).join(", ")}, …`;
}
