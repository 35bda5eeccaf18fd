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
  const given = String(text).trim() === "" ? "without a number" : `= ${text}`;
  const kind = field.whole ? "a whole number" : "a number";
  const [least, most] = [field.least, field.most].map(shortNumber);
  return { fault: `${field.label} ${given} is not allowed: it must be ${kind} from ${least} to ${most}.` };
}

/** Three digits, a true minus sign. */
export function shortNumber(value) {
  const short = Number(value.toPrecision(3)) + 0;
  const plain = short === 0 || (Math.abs(short) >= 1e-4 && Math.abs(short) < 1e10);
  return (plain ? short.toLocaleString("en", { maximumFractionDigits: 9 }) : String(short)).replaceAll("-", "−");
}
