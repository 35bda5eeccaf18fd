/** What every live piece needs from the page it stands in: elements, the theme's colours, the one plotly. */

const SHARED = (globalThis.condensationLab ??= {});

/** The page's shared plotly; in JupyterLab the copy in the kernel's plotly package, asked for once a page. */
export function sharedPlotly(model) {
  SHARED.plotly ??= () => (SHARED.fromKernel ??= plotlyFromKernel(model).catch((reason) => {
    SHARED.fromKernel = undefined; // the next piece may have a kernel that answers
    throw reason;
  }));
  return SHARED.plotly();
}

async function plotlyFromKernel(model) {
  const compressed = await new Promise((resolve, reject) => {
    const patience = setTimeout(() => reject(new Error("neither this page nor a kernel has plotly")), 20000);
    model.on("msg:custom", function answered(content, buffers) {
      if (content.type !== "plotly") return;
      clearTimeout(patience);
      model.off("msg:custom", answered);
      resolve(buffers[0]);
    });
    model.send({ type: "plotly" });
  });
  const source = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.src = URL.createObjectURL(await new Response(source).blob());
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error("the page refused the plotly that its kernel sent"));
    document.head.append(script);
  });
  URL.revokeObjectURL(script.src);
  return globalThis.Plotly;
}

/** @returns {HTMLElement} */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** @returns {SVGElement} */
export function svgPart(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * The colours of the page around the piece. The book names its own; elsewhere the text's colour tells the theme.
 * @param {HTMLElement} root @param {string[]} colorway @param {[number, string][]} diverging
 */
export function lookOf(root, colorway, diverging) {
  if (SHARED.theme) return SHARED.theme();
  const { color, fontFamily } = getComputedStyle(root);
  const [red, green, blue] = color.match(/[\d.]+/g).map(Number);
  const dark = red + green + blue > 382;
  // Darker pages take lighter colours, and the middle of the scale is nearly the page's own colour in both themes, so
  // that lines in the colour of the text stand out on it.
  const lifted = (colors) => (dark ? colors.map((one) => one.replace(/[0-9a-f]{2}/gi, lighter)) : colors);
  const ends = lifted([diverging[0][1], diverging.at(-1)[1]]);
  return {
    dark, text: color, font: fontFamily, grid: `rgba(${red}, ${green}, ${blue}, 0.15)`, colorway: lifted(colorway),
    background: dark ? "#14181d" : "#ffffff", accent: lifted(colorway)[0],
    diverging: dark ? [[0, ends[0]], [0.5, "#23272e"], [1, ends[1]]] : diverging,
  };
}

/** A third of the way from a colour's component (two hexadecimal digits) to white. */
function lighter(component) {
  return Math.round((2 * parseInt(component, 16) + 255) / 3).toString(16).padStart(2, "0");
}
