/** A view of an atlas in the page: its figure with a caption, what is missing, and, folded, the numbers it shows. */
import { element } from "./host.js";
import { dataTable } from "./toolbar.js";
import { whyNone } from "./words.js";
import { imageFigure, mapFigure, matrixFigure } from "./fields.js";
import { barsFigure, circleFigure, graphFigure } from "./graphs.js";
import { fitLabels } from "./figures.js";

const KINDS = {
  map: mapFigure, image: imageFigure, matrix: matrixFigure, graph: graphFigure, circle: circleFigure, bars: barsFigure,
};
const NARROW = 480; // pixels: a phone

export function makePanel(view, data) {
  const figure = KINDS[view.kind](view, data);
  const pad = { tabindex: 0, role: "application", "aria-label": `${view.title}; arrow keys move the point` };
  const box = element("div", { class: `plot ${view.kind}`, ...(figure.pad ? pad : {}) });
  const numbers = element("div", { class: "numbers", tabindex: 0, role: "region", "aria-label": `Numbers: ${view.title}` });
  const details = element("details", {}, element("summary", {}, "Show the numbers"), numbers);
  const gap = element("p", { class: "gap", hidden: "" });
  const title = element("span");
  const said = element("span", { class: "said" });
  title.innerHTML = view.title; // such as S<sub>w</sub>; it comes from the notebook, like all of the page
  const whole = element("figure", { "aria-label": plainWords(view.title) }, element("figcaption", {}, title, said), box, gap, details);
  let position;
  const tables = () => figure.table(position, false);
  // Tables are made only while they are open: a move must not pay for them.
  const tabulate = () => {
    if (details.open) numbers.replaceChildren(...figure.table(position, whole.offsetWidth < NARROW).map((one) => dataTable(one)));
  };
  details.addEventListener("toggle", tabulate);
  return {
    ...figure, box, whole, tables,
    picture: () => ({ title: plainWords(view.title), said: said.textContent, box }),
    /** Tell what is missing at a position, and give the numbers there. */
    tell(at) {
      position = at;
      const words = figure.said?.(at);
      said.textContent = words ? ` (${words})` : "";
      gap.hidden = !figure.empty(at);
      gap.textContent = gap.hidden ? "" : `No value here${whyNone(data, at)}.`;
      tabulate();
    },
    fit: (Plotly) => fitLabels(Plotly, box, figure.overlays),
  };
}

/** A title without its HTML. */
export function plainWords(title) {
  return title.replace(/<[^>]*>/g, "");
}
