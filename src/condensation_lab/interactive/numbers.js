/**
 * Numbers that a reader enters, and numbers as a reader sees them. Free of the DOM, tested in Node.
 *
 * @typedef {{label: string, least: number, most: number, whole: boolean}} EntryField
 */

/**
 * A field's text as a number, or one sentence on why it is none that we take.
 * @param {EntryField} field @param {string | number} text @returns {{value: number} | {fault: string}}
 */
export function checkedField(field, text) {
  const value = String(text).trim() === "" ? NaN : Number(text);
  const fits = value >= field.least && value <= field.most && (!field.whole || Number.isInteger(value));
  if (fits) return { value };
  const given = String(text).trim() === "" ? "without a number" : `= ${String(text).slice(0, 40)}`;
  const kind = field.whole ? "a whole number" : "a number";
  const [least, most] = [field.least, field.most].map((one) => number(one));
  return { fault: `${field.label} ${given} is not allowed: it must be ${kind} from ${least} to ${most}.` };
}

/** A number as a reader wants it: three digits, or all it has; thousands apart, a true minus sign. */
export function number(value, digits = 3) {
  if (!Number.isFinite(value)) return "no value";
  const rounded = Number(value.toPrecision(digits)) + 0; // + 0 turns -0 into 0
  const size = Math.abs(rounded);
  const plain = size === 0 || (size >= 1e-4 && size < 1e10);
  return (plain ? rounded.toLocaleString("en", { maximumFractionDigits: 12 }) : String(rounded)).replaceAll("-", "−");
}
