/**
 * A piece's state in the page's URL, so that a link opens what its sender saw.
 *
 * `#atlas=1;gamma:1.2;width:4000&playground=1;seed:3`: a part for each piece, by its name, with the version of its fields.
 * An ordinary anchor (`#section`) is no state. Reading and writing are pure, so Node tests them; `urlState` is for pages.
 *
 * @typedef {Record<string, string>} Fields
 * @typedef {null | {fields: Fields} | {fault: string}} Opened  null: nothing about this piece; fault: one sentence
 */

/** The parts of a fragment, as [name, rest]; what has no `=` is an anchor and no part. */
function fragmentParts(hash) {
  return hash.replace(/^#/, "").split("&").filter((part) => part.includes("=")).map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), part.slice(at + 1)];
  });
}

/**
 * What a fragment says about one piece. Whether the values make sense is for the piece to say.
 * @param {string} hash  with or without `#` @param {string} name @param {number} version
 * @returns {Opened}
 */
export function readFragment(hash, name, version) {
  const found = fragmentParts(hash).find(([its]) => its === name);
  if (!found) return null;
  const [stated, ...pairs] = found[1].split(";");
  if (stated !== String(version)) {
    return { fault: `The link holds a state of version ${cutText(stated) || "none"}, and this page reads version ${version}.` };
  }
  const fields = {};
  for (const pair of pairs.filter(Boolean)) {
    const [field, value] = [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)];
    if (!pair.includes(":") || !field) return { fault: `The link is damaged: “${cutText(pair)}” is no field with a value.` };
    try {
      fields[decodeURIComponent(field)] = decodeURIComponent(value);
    } catch {
      return { fault: `The link is damaged: the value of ${cutText(field)} cannot be read.` };
    }
  }
  return { fields };
}

/**
 * The fragment with one piece's part written anew, the other pieces' parts kept; an ordinary anchor goes.
 * @param {string} hash @param {string} name @param {number} version
 * @param {Record<string, string | number | boolean> | null} fields  null takes the piece's part out
 * @returns {string} with `#`, or empty
 */
export function writeFragment(hash, name, version, fields) {
  const parts = fragmentParts(hash).filter(([its]) => its !== name).map((pair) => pair.join("="));
  if (fields) {
    const pairs = Object.entries(fields).map(([field, value]) => `${fragmentText(field)}:${fragmentText(value)}`);
    parts.push(`${name}=${[version, ...pairs].join(";")}`);
  }
  return parts.length ? `#${parts.join("&")}` : "";
}

/** Forty letters of a text at most, for a sentence about it. */
export const cutText = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Percent-encoded, brackets and quotes too (mail programs cut a link there); commas stay readable. */
function fragmentText(value) {
  return encodeURIComponent(value).replaceAll("%2C", ",")
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * The URL as the home of one piece's state. Outside the book (JupyterLab's own router owns the URL) nothing is read,
 * written or linked to.
 * @param {string} name @param {number} version
 * @returns {{
 *   opened: Opened,
 *   write: (fields: Record<string, string | number | boolean>) => void,  at most every 300 ms, without a history entry
 *   link: (fields: Record<string, string | number | boolean>) => string | null,  the page's URL with this state alone
 *   follow: (listener: (opened: Opened) => void) => (() => void),  another link opened in the same page; returns how to stop
 * }}
 */
export function urlState(name, version) {
  if (!globalThis.condensationLab?.whenNear) {
    return { opened: null, write() {}, link: () => null, follow: () => () => {} };
  }
  let waiting;
  return {
    opened: readFragment(location.hash, name, version),
    write(fields) {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        history.replaceState(history.state, "", writeFragment(location.hash, name, version, fields));
      }, 300);
    },
    link: (fields) => location.href.split("#")[0] + writeFragment("", name, version, fields),
    follow(listener) {
      const changed = () => {
        const opened = readFragment(location.hash, name, version);
        if (opened) listener(opened);
      };
      addEventListener("hashchange", changed);
      return () => removeEventListener("hashchange", changed);
    },
  };
}
