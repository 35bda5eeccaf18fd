/** The Atlas in a page: controls, linked figures, a sentence. One module for JupyterLab and for the book. */
import { decode, number, sentence, slice, text } from "./slices.js";
import { element, lookOf, sharedPlotly } from "./host.js";
import { graphFigure, mapFigure } from "./figures.js";

/** One labelled native slider over the grid points of a dimension. */
function slider(control, data, move) {
  const points = data.sizes[control.dim];
  const input = element("input", { type: "range", name: control.dim, min: 0, max: points - 1, step: 1 });
  const output = element("output");
  input.addEventListener("input", () => move({ [control.dim]: input.valueAsNumber }));
  const name = element("span", {}, control.label);
  return {
    box: element("label", {}, name, input, output, element("small", {}, control.meaning)),
    show(position) {
      input.value = String(position[control.dim]);
      output.textContent = text(data, control.dim, position);
      input.setAttribute("aria-valuetext", output.textContent);
    },
  };
}

/** A view's figure with its caption and, folded, the numbers it shows. */
function panel(view, data) {
  const figure = view.kind === "map" ? mapFigure(view, data) : graphFigure(view, data);
  const pad = { tabindex: 0, role: "application", "aria-label": `${view.title}; arrow keys move the point` };
  const box = element("div", { class: "plot", ...(figure.pad ? pad : {}) });
  const table = element("div", { class: "numbers", tabindex: 0 });
  const details = element("details", {}, element("summary", {}, "Show the numbers"), table);
  // Tables are made only while they are open: a move must not pay for them.
  const tabulate = () => details.open && table.replaceChildren(...tables(view, box.data ?? []));
  details.addEventListener("toggle", tabulate);
  const whole = element("figure", { "aria-label": view.title }, element("figcaption", {}, view.title), box, details);
  return { ...figure, box, whole, tabulate };
}

/** One table for each drawn trace that has numbers of its own. */
function tables(view, traces) {
  const plain = (label) => label.replace(/<[^>]*>/g, "");
  const row = (tag, cells) => element("tr", {}, ...cells.map((cell) => (
    element(tag, {}, typeof cell === "number" ? number(cell, 4) : cell)
  )));
  const [across, down] = [plain(view.x_label), plain(view.y_label)];
  return traces.filter(({ type }) => type !== "contour").map(({ name, x, y, z }) => {
    const head = z ? [`${down} \\ ${across}`, ...x] : [across, down];
    const body = z ? z.map((line, at) => [y[at], ...line]) : Array.from(x, (value, at) => [value, y[at]]);
    const caption = element("caption", {}, z ? plain(view.z_label) : name);
    return element("table", {}, caption, row("th", head), ...body.map((cells) => row("td", cells)));
  });
}

function render({ model, el }) {
  const declaration = model.get("_declaration");
  const data = decode(declaration, model.get("_bytes"));
  let position = { ...model.get("position") };
  let drawn = position;
  let Plotly; // once the figures stand
  let frame;
  let quiet;

  const sliders = declaration.controls.map((control) => slider(control, data, move));
  const panels = declaration.views.map((view) => panel(view, data));
  const told = element("p", { "aria-live": "polite", class: "told" });
  const root = element(
    "section", { class: "condensation-atlas", "aria-label": declaration.description },
    element("div", { class: "controls" }, ...sliders.map(({ box }) => box)), told,
    element("div", { class: "views" }, ...panels.map(({ whole }) => whole)),
    element("p", { class: "source" }, declaration.source),
  );
  root.addEventListener("keydown", (event) => event.stopPropagation()); // JupyterLab takes arrow keys as commands
  el.replaceChildren(root);

  /** Go to other grid points; an index beyond an end stays at it. */
  function move(wanted) {
    const next = { ...position };
    for (const dim of Object.keys(wanted)) next[dim] = Math.min(Math.max(wanted[dim], 0), data.sizes[dim] - 1);
    if (Object.keys(next).every((dim) => next[dim] === position[dim])) return;
    position = next;
    tell();
    frame ??= requestAnimationFrame(draw); // once a frame, however many moves come before it
  }

  function tell() {
    for (const one of sliders) one.show(position);
    // Screen readers wait while it is busy, so that a drag is not read out point by point.
    told.setAttribute("aria-busy", "true");
    told.textContent = sentence(data, declaration.sentence, declaration.words, position);
    clearTimeout(quiet);
    quiet = setTimeout(() => told.setAttribute("aria-busy", "false"), 500);
  }

  function look() {
    const colors = lookOf(root, declaration.colorway, declaration.diverging);
    root.style.colorScheme = colors.dark ? "dark" : "light"; // the browser draws the sliders
    root.style.accentColor = colors.accent;
    return colors;
  }

  async function draw() {
    frame = undefined;
    model.set("position", position);
    model.save_changes();
    if (!Plotly) return;
    const colors = look();
    const changed = Object.keys(position).filter((dim) => position[dim] !== drawn[dim]);
    drawn = position;
    await Promise.all(panels.map(({ update, box }) => update(Plotly, box, position, colors, changed)));
    for (const { tabulate } of panels) tabulate();
    root.dispatchEvent(new CustomEvent("atlas-drawn"));
  }

  function repaint() {
    if (!Plotly || !root.isConnected) return; // a detached element has no colours
    const colors = look();
    for (const { box, traces, layout } of panels) Plotly.react(box, traces(drawn, colors), layout(drawn, colors));
  }

  async function begin() {
    const plotly = await sharedPlotly(model);
    const colors = look();
    drawn = position;
    for (const { box, traces, layout, pad } of panels) {
      await plotly.newPlot(box, traces(drawn, colors), layout(drawn, colors), { displayModeBar: false });
      pad?.(box, move, () => position);
      sizes.observe(box);
    }
    Plotly = plotly;
    draw(); // the reader may have moved on meanwhile
  }

  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) if (target.offsetWidth) Plotly?.Plots.resize(target);
  });
  const themes = new MutationObserver(repaint);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  themes.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  const follow = () => move(model.get("position"));
  model.on("change:position", follow);
  let seen;
  const ready = new Promise((resolve, reject) => {
    seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      begin().then(resolve, (reason) => {
        root.prepend(element("p", { role: "alert" }, `The figures cannot be drawn: ${reason.message}.`));
        reject(reason);
      });
    }, { rootMargin: "200px" });
    seen.observe(root);
  });
  tell();
  // For tests and scripts: what stands in the figures, where the controls are, a way to move them.
  root.condensationAtlas = { ready, drawn: (index) => panels[index].box.data, state: () => ({ ...position }), move };

  return () => {
    for (const observer of [seen, sizes, themes]) observer.disconnect();
    model.off("change:position", follow);
    if (Plotly) for (const { box } of panels) Plotly.purge(box);
  };
}

export default { render };
