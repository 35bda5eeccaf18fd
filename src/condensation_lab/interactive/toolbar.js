/**
 * What a reader takes away from a piece: link, command, code, numbers, pictures. And the table behind a figure.
 *
 * @typedef {{caption: string, columns: string[], rows: ArrayLike<number | string>[]}} Table  HTML in words is dropped
 * @typedef {{title: string, said?: string, box: HTMLElement | SVGSVGElement}} Picture
 *   a drawn plotly element or an <svg>; `said` follows the title in the picture and not in the file's name
 */
import { element } from "./host.js";

const withoutTags = (words) => String(words).replace(/<br\s*\/?>/g, " ").replace(/<[^>]*>/g, "");

/**
 * Tables as one CSV text: a comment line with its caption before each, numbers in full precision, gaps empty.
 * @param {Table[]} tables
 */
export function csvText(tables) {
  const cell = (value) => {
    if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
    const words = withoutTags(value ?? "");
    return /[",\n\r]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
  };
  const line = (cells) => Array.from(cells, cell).join(",");
  return tables.map(({ caption, columns, rows }) => (
    [`# ${withoutTags(caption).replace(/\s+/g, " ")}`, line(columns), ...Array.from(rows, line)].join("\n")
  )).join("\n\n") + "\n";
}

/** Lower-case letters, digits and hyphens of a title, for a file's name. */
export function fileName(title) {
  return withoutTags(title).normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
}

/**
 * A table of numbers, four digits each; a long one shows its first rows and says so.
 * @param {Table} table @param {number} most  rows shown
 * @returns {HTMLTableElement}
 */
export function dataTable({ caption, columns, rows }, most = 200) {
  const shown = (value) => {
    if (typeof value !== "number") return withoutTags(value ?? "");
    if (!Number.isFinite(value)) return "–";
    const short = Number(value.toPrecision(4));
    const plain = short === 0 || (Math.abs(short) >= 1e-4 && Math.abs(short) < 1e7);
    return (plain ? short.toLocaleString("en", { maximumFractionDigits: 12 }) : String(short)).replaceAll("-", "−");
  };
  const row = (cells) => element("tr", {}, ...Array.from(cells, (value) => element("td", {}, shown(value))));
  const all = Array.from(rows);
  const head = element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, withoutTags(name))));
  const cut = all.length > most ? ` (the first ${most} of ${all.length} rows; the CSV has all)` : "";
  return element(
    "table", {}, element("caption", {}, withoutTags(caption) + cut), element("thead", {}, head),
    element("tbody", {}, ...all.slice(0, most).map(row)),
  );
}

/**
 * A row of buttons. Of the three that copy, one whose function is missing, or gives null when the row is made, is not
 * made; `tables` and `figures` are asked when they are wanted.
 * @param {{name: string, link?: () => string | null, command?: () => string | null, python?: () => string | null,
 *   tables?: () => Table[], figures?: () => Picture[]}} given  name: begins the names of the files
 * @returns {HTMLElement}
 */
export function toolbar({ name, link, command, python, tables, figures }) {
  const told = element("p", { class: "note", role: "status" });
  const box = element("div", { class: "toolbar", role: "group", "aria-label": "Copy and download" });
  const button = (label, act) => {
    const made = element("button", { type: "button" }, label);
    made.addEventListener("click", async () => {
      try {
        await act();
      } catch (error) {
        told.textContent = `That did not work: ${error.message}.`;
      }
    });
    box.append(made);
  };
  const copies = [["Copy link", "link", link], ["Copy command", "command", command], ["Copy Python", "Python", python]];
  for (const [label, what, text] of copies) {
    if (text?.() != null) button(label, () => copyText(text(), what, told));
  }
  if (tables) {
    button("CSV", () => {
      saveFile(`${name}.csv`, new Blob([csvText(tables())], { type: "text/csv;charset=utf-8" }));
      told.textContent = `Saved ${name}.csv.`;
    });
  }
  for (const format of figures ? ["png", "svg"] : []) {
    button(format.toUpperCase(), async () => {
      const pictures = figures();
      const names = pictures.map(({ title }) => (pictures.length > 1 ? `${name}-${fileName(title)}` : name));
      for (const [index, picture] of pictures.entries()) {
        saveFile(`${names[index]}.${format}`, await pictureOf(picture, format));
      }
      told.textContent = `Saved ${names.map((one) => `${one}.${format}`).join(", ")}.`;
    });
  }
  box.append(told);
  return box;
}

/**
 * Copy a text and say so; where the page may not (from a file, say), show it selected, to be copied by hand.
 * @param {string} text @param {string} what  the word for it @param {HTMLElement} told  where it is said
 */
export async function copyText(text, what, told) {
  try {
    await navigator.clipboard.writeText(text);
    told.textContent = `The ${what} is copied.`;
  } catch {
    const field = element("textarea", { readonly: "", rows: Math.min(text.split("\n").length + 1, 8), "aria-label": what });
    field.value = text;
    told.replaceChildren(`This page may not copy by itself; the ${what} is selected: press Ctrl+C or ⌘C.`, field);
    field.focus();
    field.select();
  }
}

function saveFile(file, blob) {
  const anchor = element("a", { href: URL.createObjectURL(blob), download: file });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/** @param {Picture} picture @param {"png" | "svg"} format @returns {Promise<Blob>} */
async function pictureOf({ title, said = "", box }, format) {
  const background = backgroundOf(box);
  const { width, height } = box.getBoundingClientRect();
  if (!(box instanceof SVGElement)) {
    if (!box.data) throw new Error("the figure is not drawn yet");
    const { layout } = box;
    const margin = { ...layout.margin, t: (layout.margin?.t ?? 30) + 34 };
    const heading = { text: title + said, x: 0, xref: "container", xanchor: "left", y: 1, yref: "container", yanchor: "top",
      pad: { t: 10, l: 12 }, font: { size: 16 } };
    const whole = { ...layout, paper_bgcolor: background, margin, title: heading };
    const options = { format, width, height: height + 34, scale: format === "png" ? 2 : 1 };
    const url = await globalThis.Plotly.toImage({ data: box.data, layout: whole }, options);
    if (format === "svg") return new Blob([decodeURIComponent(url.slice(url.indexOf(",") + 1))], { type: "image/svg+xml" });
    return new Blob([Uint8Array.from(atob(url.split(",")[1]), (sign) => sign.charCodeAt(0))], { type: "image/png" });
  }
  const text = new XMLSerializer().serializeToString(standAlone(box, width, height, background));
  const svg = new Blob([text], { type: "image/svg+xml" });
  if (format === "svg") return svg;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`; // a blob: would taint the canvas in some browsers
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** The first colour behind an element that is not transparent. */
function backgroundOf(box) {
  for (let behind = box; behind; behind = behind.parentElement) {
    const color = getComputedStyle(behind).backgroundColor;
    if (!/^(transparent|rgba\(.*, 0\))$/.test(color)) return color;
  }
  return "#ffffff";
}

const DRAWING = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "display",
  "visibility", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "paint-order"];

/** A copy of an <svg> that needs no style sheet. */
function standAlone(svg, width, height, background) {
  const copy = svg.cloneNode(true);
  const copies = [copy, ...copy.querySelectorAll("*")];
  [svg, ...svg.querySelectorAll("*")].forEach((one, index) => {
    const style = getComputedStyle(one);
    copies[index].setAttribute("style", DRAWING.map((name) => `${name}: ${style.getPropertyValue(name)}`).join("; "));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.style.background = background;
  return copy;
}
