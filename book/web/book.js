// The book's own script: one shared plotly, the reader's theme for every figure, figures drawn as they come into view.
// A classic script (not a module), because browsers refuse to load modules from file://.
"use strict";

window.condensationLab = (() => {
  const here = document.currentScript.src;
  const COLORWAY = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]; // Okabe and Ito, as in plot.py
  const COLORWAY_DARK = ["#4BA3DB", "#F08A4B", "#2FC39A", "#DB9CC0", "#F2B632", "#7CC8F2"]; // same hues, lifted
  const INK = '"#7f7f7f"'; // plot.py's word for "the colour of the text"
  const CONFIG = {
    displaylogo: false,
    // Few, since each is a stop for whoever walks the page by keyboard; none that would send the chart to another host.
    modeBarButtons: [["toImage", "zoomIn2d", "zoomOut2d", "resetScale2d"]],
    showSendToCloud: false,
    plotlyServerURL: "",
    responsive: false, // a ResizeObserver does it: plotly's own watches the window only
  };

  let loading = null;

  /** Load the one plotly file that all figures share. @returns {Promise<object>} plotly */
  function plotly() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL("vendor/plotly.min.js", here).href;
      script.onload = () => resolve(window.Plotly);
      script.onerror = () => reject(new Error("the plotly file of this site did not load"));
      document.head.append(script);
    });
    return loading;
  }

  /** The page's colours, from book.css. @returns {object} dark, text, muted, grid, surface, accent, font, colour scales */
  function theme() {
    const css = getComputedStyle(document.documentElement);
    const value = (name) => css.getPropertyValue(name).trim();
    const dark = document.documentElement.dataset.theme === "dark";
    const surface = value("--cl-surface");
    return {
      dark,
      text: value("--cl-text"),
      muted: value("--cl-muted"),
      grid: value("--cl-grid"),
      background: value("--cl-background"),
      surface,
      accent: value("--cl-accent"),
      font: value("--cl-font-sans"),
      colorway: dark ? COLORWAY_DARK : COLORWAY,
      diverging: dark
        ? [[0, "#F79A5B"], [0.25, "#A8562B"], [0.5, "#23272e"], [0.75, "#2F6F98"], [1, "#56B4E9"]]
        : [[0, "#D55E00"], [0.25, "#E9A878"], [0.5, "#F4F2EE"], [0.75, "#7FB3D3"], [1, "#0072B2"]],
      sequential: "Cividis",
    };
  }

  /** Fill the template of a figure's layout with the theme's colours; a colour that the author chose stays. */
  function dress(layout) {
    const look = theme();
    const own = layout.template.layout;
    const axis = { gridcolor: look.grid, zerolinecolor: look.grid, linecolor: look.muted, tickcolor: look.muted };
    own.font = { ...own.font, color: look.text, family: look.font };
    own.colorway = look.colorway;
    own.colorscale = { ...own.colorscale, diverging: look.diverging };
    own.hoverlabel = { bgcolor: look.surface, bordercolor: look.muted, font: { color: look.text, family: look.font } };
    own.xaxis = { ...own.xaxis, ...axis };
    own.yaxis = { ...own.yaxis, ...axis };
    // A finger must scroll the page, not zoom the plot under it.
    if (matchMedia("(pointer: coarse)").matches) own.dragmode = false;
    return layout;
  }

  /** Put the theme's colours in the place of plot.py's, where an author named one. */
  function inTheme(json) {
    const look = theme();
    const swap = (text, color, index) => text.replaceAll(`"${color}"`, `"${look.colorway[index]}"`);
    return COLORWAY.reduce(swap, json.replaceAll(INK, JSON.stringify(look.text)));
  }

  /** On a log axis over more than a decade and a half, a label at the powers of ten alone, small ticks between them. */
  function decadeTicks(layout) {
    const changes = {};
    for (const [name, { type, range, dtick }] of Object.entries(layout).filter(([name]) => /^[xy]axis/.test(name))) {
      const decades = Math.abs(range[1] - range[0]);
      if (type !== "log" || decades < 1.5 || dtick === 1) continue;
      changes[`${name}.dtick`] = Math.ceil(decades / 6);
      changes[`${name}.exponentformat`] = "power";
      changes[`${name}.minor`] = { dtick: "D1", ticks: "outside", ticklen: 3 };
    }
    return changes;
  }

  /** Draw one figure, or draw it again in another theme. */
  async function draw(box) {
    const plot = box.querySelector(".book-figure-plot");
    try {
      const Plotly = await plotly();
      const { data, layout } = JSON.parse(inTheme(box.querySelector("script").textContent));
      await Plotly.react(plot, data, dress(layout), CONFIG);
      await Plotly.relayout(plot, decadeTicks(plot._fullLayout));
      if (!box.dataset.drawn) new ResizeObserver(() => plot.offsetWidth && Plotly.Plots.resize(plot)).observe(plot);
      box.dataset.drawn = "true";
    } catch (error) {
      plot.textContent = `This figure could not be drawn: ${error.message}.`;
      console.error(error);
    }
  }

  /** Below a figure, folded: its numbers as tables, and buttons to save numbers and picture; made when opened. */
  function addNumbers(box) {
    const plot = box.querySelector(".book-figure-plot");
    const title = box.querySelector(".book-figure-title").textContent;
    const details = document.createElement("details");
    details.innerHTML = "<summary>Show the numbers</summary>";
    details.addEventListener("toggle", async () => {
      if (!details.open || details.children.length > 1) return;
      const { dataTable, plottedTables, toolbar } = window.condensationLab.takeAway;
      await draw(box);
      const numbers = document.createElement("div");
      numbers.className = "numbers";
      numbers.tabIndex = 0; // else a keyboard could not scroll it
      numbers.setAttribute("role", "region");
      numbers.setAttribute("aria-label", `Numbers of the figure: ${title}`);
      numbers.append(...plottedTables(plot).map((table) => dataTable(table)));
      const save = { name: box.id, tables: () => plottedTables(plot), figures: () => [{ title, box: plot }] };
      details.append(toolbar(save), numbers);
    });
    box.append(details);
  }

  /** Buttons that copy a text; hidden without scripts, so that no dead control is shown. */
  function wakeCopyButtons() {
    document.querySelectorAll("button.copy[data-copy]").forEach((button) => {
      button.type = "button";
      button.hidden = false;
      const told = document.createElement("span");
      told.setAttribute("role", "status");
      button.after(" ", told);
      button.addEventListener("click", () => window.condensationLab.takeAway.copyText(button.dataset.copy, "text", told));
    });
  }

  const near = new Map(); // element -> what to do when it comes near the window
  const observer = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => arrive(entry.target)),
    { rootMargin: "600px" },
  );

  function arrive(element) {
    observer.unobserve(element);
    const action = near.get(element);
    near.delete(element);
    return action?.(element);
  }

  /** Do something once, when an element comes near the window (or the page is printed). */
  function whenNear(element, action) {
    near.set(element, action);
    observer.observe(element);
  }

  function redraw() {
    document.querySelectorAll(".book-figure[data-drawn]").forEach(draw);
    document.dispatchEvent(new CustomEvent("condensation-theme", { detail: theme() }));
  }

  /** Paper is white and shows the whole page: print in the light theme, everything drawn, solutions unfolded. */
  function printing() {
    const root = document.documentElement;
    let before = null;
    let unfolded = [];
    addEventListener("beforeprint", () => {
      before = root.dataset.theme;
      root.dataset.theme = "light";
      [...near.keys()].forEach(arrive);
      unfolded = [...document.querySelectorAll("details.sd-dropdown:not([open])")];
      unfolded.forEach((one) => { one.open = true; });
    });
    addEventListener("afterprint", () => {
      root.dataset.theme = before;
      unfolded.forEach((one) => { one.open = false; });
    });
  }

  /** Controls of the theme that a screen reader would read out wrongly. */
  function mendTheme() {
    document.querySelectorAll("button.search-button__button, button.theme-switch-button").forEach((button) => {
      const words = button.textContent.trim();
      if (words && !button.getAttribute("aria-label")?.includes(words)) button.setAttribute("aria-label", words);
    });
    const aside = document.querySelector(".sidebar-primary-items__start"); // it has text outside every landmark
    aside?.setAttribute("role", "complementary");
    aside?.setAttribute("aria-label", "Book");
    document.querySelectorAll(".pst-scrollable-table-container, .certificate-scroll, div.math, pre").forEach((box) => {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; // else a keyboard could not scroll it
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll(".book-figure").forEach((box) => {
      whenNear(box, draw);
      addNumbers(box);
    });
    wakeCopyButtons();
    new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    printing();
    mendTheme();
  });

  return { plotly, theme, whenNear };
})();
