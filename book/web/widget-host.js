// Runs the anywidgets of a page without a kernel: a widget's saved state holds its module (_esm) and its traits.
"use strict";

(() => {
  const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
  const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';

  /** What anywidget calls a model, with no kernel behind it: no `widget_manager`, and messages go nowhere. */
  class Model {
    #traits;
    #listeners = new Map();

    constructor({ state, buffers = [] }) {
      this.#traits = state;
      for (const { path, data } of buffers) {
        const owner = path.slice(0, -1).reduce((node, key) => node[key], state);
        owner[path.at(-1)] = new DataView(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer);
      }
    }

    get(name) {
      return this.#traits[name];
    }

    set(name, value) {
      if (this.#traits[name] === value) return;
      this.#traits[name] = value;
      this.#emit(`change:${name}`, this, value);
      this.#emit("change", this);
    }

    on(event, listener) {
      if (!this.#listeners.has(event)) this.#listeners.set(event, new Set());
      this.#listeners.get(event).add(listener);
    }

    off(event, listener) {
      if (event && listener) this.#listeners.get(event)?.delete(listener);
      else if (event) this.#listeners.delete(event);
      else this.#listeners.clear();
    }

    save_changes() {}

    send() {}

    #emit(event, ...values) {
      for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(...values);
    }
  }

  const modules = new Map(); // source text -> promise of its widget, so that two views load a module once

  function load(source) {
    if (!modules.has(source)) {
      const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      modules.set(source, import(url).then(async (module) => {
        URL.revokeObjectURL(url);
        return typeof module.default === "function" ? module.default() : module.default;
      }));
    }
    return modules.get(source);
  }

  const styles = new Set();

  function style(css) {
    if (!css || styles.has(css)) return;
    styles.add(css);
    const element = document.createElement("style");
    element.textContent = css;
    document.head.append(element);
  }

  const models = new Map(); // id -> promise of a model whose widget has been initialised: views share it

  function model(id, saved) {
    if (!models.has(id)) {
      const made = new Model(saved);
      models.set(id, load(made.get("_esm")).then(async (widget) => {
        await widget.initialize?.({ model: made, signal: new AbortController().signal });
        return { made, widget };
      }));
    }
    return models.get(id);
  }

  async function show(el, id, saved) {
    try {
      style(saved.state._css);
      const { made, widget } = await model(id, saved);
      await widget.render?.({ model: made, el, signal: new AbortController().signal });
      el.dataset.drawn = "true";
    } catch (error) {
      el.textContent = `This live figure could not start: ${error.message}.`;
      console.error(error);
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const states = document.querySelector(STATE);
    if (!states) return;
    const saved = JSON.parse(states.textContent).state;
    for (const view of document.querySelectorAll(VIEW)) {
      const id = JSON.parse(view.textContent).model_id;
      if (!saved[id]?.state._esm) continue; // a plain ipywidget, dead without a kernel: the page shows its HTML form
      const el = document.createElement("div");
      el.className = "live-piece";
      view.after(el);
      window.condensationLab.whenNear(el, () => show(el, id, saved[id]));
    }
  });
})();
