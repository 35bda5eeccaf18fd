/** The Atlas in a page: controls, linked figures, a sentence. One module for JupyterLab and for the book. */
import { decode, nearest } from "./slices.js";
import { number } from "./numbers.js";
import { filled, sentence } from "./words.js";
import { element, lookOf, sharedPlotly } from "./host.js";
import { urlState } from "./fragment.js";
import { toolbar } from "./toolbar.js";
import { kernelAnswers } from "./kernel.js";
import { LINK_VERSION, gridOf, linkFields, readLink } from "./linked.js";
import { makeControl } from "./controls.js";
import { makePanel, plainWords } from "./panel.js";

function render({ model, el }) {
  const declaration = model.get("_declaration");
  const data = decode(declaration, model.get("_bytes"));
  const hidden = new Set();
  const start = model.get("position");
  let position = { ...start };
  let drawn = position;
  let Plotly; // once the figures stand
  let busy = false; // a picture is being drawn
  let waiting = false; // there are moves that it does not show
  let quiet;
  let kernelIsThere = false;

  const controls = declaration.controls.map((control) => makeControl(control, data, move, () => position));
  const panels = declaration.views.map((view) => makePanel(view, data));
  const names = [...new Set(panels.flatMap(({ legend }) => legend))];
  const told = element("p", { "aria-live": "polite", class: "told" });
  const note = element("p", { role: "status", class: "note" });
  const source = element("p", { class: "source" });
  const url = urlState(declaration.name, LINK_VERSION);
  const fields = () => linkFields(data, position, hidden);
  const code = (template, quoted) => (template ? filled(data, template, position, quoted) : null);
  const taken = toolbar({
    name: declaration.name, link: () => url.link(fields()),
    command: () => code(declaration.command, false), python: () => code(declaration.python, true),
    tables: () => panels.flatMap(({ tables }) => tables()),
    figures: () => panels.map(({ picture }) => picture()),
  });
  const { boxes, tick } = legendBoxes(names, (name) => hide(name, !hidden.has(name)));
  const root = element(
    "section", { class: "condensation-atlas", "aria-label": declaration.description },
    element("div", { class: "controls" }, ...controls.map(({ box }) => box)), note, told,
    element("div", { class: "views" }, ...panels.map(({ whole }) => whole)), ...boxes, source, taken,
  );
  root.addEventListener("keydown", (event) => event.stopPropagation()); // JupyterLab takes arrow keys as commands
  el.replaceChildren(root);

  /** Go to other grid points; an index beyond an end stays at it. */
  function move(wanted) {
    const next = { ...position };
    for (const dim of Object.keys(wanted)) next[dim] = Math.min(Math.max(wanted[dim], 0), data.sizes[dim] - 1);
    if (Object.keys(next).every((dim) => next[dim] === position[dim])) return;
    position = next;
    note.textContent = "";
    tell();
    url.write(fields());
    redraw();
  }

  function tell() {
    for (const one of controls) one.show(position);
    // Screen readers wait while it is busy, so that a drag is not read out point by point.
    told.setAttribute("aria-busy", "true");
    told.textContent = plainWords(sentence(data, declaration.sentence, declaration.words, position));
    tellSource();
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      told.setAttribute("aria-busy", "false");
      askKernel();
    }, 500);
  }

  function tellSource() {
    const ran = plainWords(sentence(data, declaration.provenance, declaration.words, position));
    source.textContent = [declaration.source, ran, kernelIsThere ? KERNEL : ""].filter(Boolean).join(" ");
  }

  /** Asked when a move has come to rest: a kernel may have come, or ended, meanwhile. */
  async function askKernel() {
    kernelIsThere = await kernelAnswers(model);
    tellSource();
  }

  /** Hide or show what has this name in the legends, in every view. */
  async function hide(name, off) {
    if (off) hidden.add(name);
    else hidden.delete(name);
    tick(hidden);
    url.write(fields());
    if (!Plotly) return;
    await Promise.all(panels.map(({ box }) => {
      const traces = box.data.flatMap(({ meta }, index) => (meta === name ? [index] : []));
      return traces.length ? Plotly.restyle(box, { visible: off ? "legendonly" : true }, traces) : undefined;
    }));
  }

  const seenTraces = (panel, colors) => panel.traces(drawn, colors).map((trace) => (
    hidden.has(trace.meta) ? { ...trace, visible: "legendonly" } : trace
  ));

  function look() {
    const colors = lookOf(root, declaration.colorway, declaration.diverging);
    root.style.colorScheme = colors.dark ? "dark" : "light"; // the browser draws the sliders
    root.style.accentColor = colors.accent;
    return colors;
  }

  /** The first move is drawn at once, those that come before the next frame together in it. */
  async function redraw() {
    waiting = true;
    if (busy) return;
    busy = true;
    try {
      while (waiting) {
        waiting = false;
        await draw();
        await new Promise(requestAnimationFrame);
      }
    } finally {
      busy = false;
    }
  }

  async function draw() {
    model.set("position", position);
    model.save_changes();
    for (const panel of panels) panel.tell(position);
    if (!Plotly) return;
    const colors = look();
    const changed = Object.keys(position).filter((dim) => position[dim] !== drawn[dim]);
    drawn = position;
    await Promise.all(panels.map(({ update, box }) => update(Plotly, box, drawn, colors, changed)));
    root.dispatchEvent(new CustomEvent("atlas-drawn"));
  }

  async function repaint() {
    if (!Plotly || !root.isConnected) return; // a detached element has no colours
    const colors = look();
    for (const panel of panels) {
      await Plotly.react(panel.box, seenTraces(panel, colors), panel.layout(drawn, colors));
      panel.fit(Plotly);
    }
  }

  async function begin() {
    const plotly = await sharedPlotly(model);
    const colors = look();
    drawn = position;
    for (const panel of panels) {
      const { box } = panel;
      await plotly.newPlot(box, seenTraces(panel, colors), panel.layout(drawn, colors), { displayModeBar: false });
      box.on("plotly_legendclick", ({ curveNumber }) => {
        const name = box.data[curveNumber].meta;
        if (name) hide(name, !hidden.has(name));
        return false; // plotly would hide it in this view alone
      });
      box.on("plotly_legenddoubleclick", () => false);
      panel.pad?.(box, move, () => position);
      panel.fit(plotly);
      sizes.observe(box);
    }
    Plotly = plotly;
    redraw(); // the reader may have moved on meanwhile
  }

  /** Open a link's state, or say what is wrong with it. */
  function open(opened) {
    if (!opened) return;
    const read = opened.fault ? opened : readLink(data, opened.fields, start, names);
    if (read.fault) note.textContent = `${read.fault} The figures stand at their start.`;
    else {
      move(read.position);
      for (const name of names) if (hidden.has(name) !== read.hidden.includes(name)) hide(name, !hidden.has(name));
    }
    root.scrollIntoView({ block: "start" });
  }

  /** Another piece names a point: go to the nearest one of the grid. */
  function place({ detail }) {
    if (detail?.target === "playground") return;
    const wanted = Object.entries(detail ?? {}).filter(([dim, value]) => dim in position && Number.isFinite(value));
    if (!wanted.length) return;
    const places = wanted.map(([dim, value]) => [dim, nearest(gridOf(data, dim), value)]);
    move(Object.fromEntries(places));
    const off = wanted.flatMap(([dim, value], index) => {
      const here = gridOf(data, dim)[places[index][1]];
      return Math.abs(here - value) > 1e-9 * Math.abs(value) ? [`${labelOf(dim)} = ${number(value, 6)}`] : [];
    });
    note.textContent = off.length ? `${off.join(", ")}: not on this grid; shown is the nearest point of it.` : "";
    root.scrollIntoView({ block: "start" });
  }

  const labelOf = (dim) => plainWords(declaration.controls.flatMap(({ axes }) => axes).find((one) => one.dim === dim).label);

  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (!target.offsetWidth || !Plotly) continue;
      Plotly.Plots.resize(target).then(() => panels.find(({ box }) => box === target).fit(Plotly), () => {});
    }
  });
  const themes = new MutationObserver(repaint);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  themes.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  const follow = () => move(model.get("position"));
  model.on("change:position", follow);
  document.addEventListener("condensation-place", place);
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
  for (const panel of panels) panel.tell(position);
  open(url.opened);
  const unfollow = url.follow(open);
  // For tests and scripts: what stands in the figures, where the controls are, a way to move them.
  root.condensationAtlas = {
    ready, move, hide, fields, drawn: (index) => panels[index].box.data, state: () => ({ ...position }), hidden: () => [...hidden],
  };

  return () => {
    for (const observer of [seen, sizes, themes]) observer.disconnect();
    clearTimeout(quiet);
    for (const { stop } of controls) stop?.();
    model.off("change:position", follow);
    document.removeEventListener("condensation-place", place);
    unfollow();
    if (Plotly) for (const { box } of panels) Plotly.purge(box);
  };
}

const KERNEL = "A kernel is connected: its position follows.";

/** The legends' names as native check boxes, folded: what a pointer does in a legend, for a keyboard. */
function legendBoxes(names, toggle) {
  if (names.length < 2) return { boxes: [], tick() {} };
  const inputs = names.map((name) => {
    const input = element("input", { type: "checkbox", checked: "" });
    input.addEventListener("change", () => toggle(name));
    return input;
  });
  const labels = inputs.map((input, index) => element("label", {}, input, element("span", {}, plainWords(names[index]))));
  const group = element("fieldset", { class: "legend" }, element("legend", {}, "Drawn in the figures"), ...labels);
  return {
    boxes: [element("details", {}, element("summary", {}, "Choose what is drawn"), group)],
    tick: (hidden) => inputs.forEach((input, index) => {
      input.checked = !hidden.has(names[index]);
    }),
  };
}

export default { render };
