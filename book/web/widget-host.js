// Runs the anywidgets of a page without a kernel: a widget's saved state holds its module (_esm) and its traits.
"use strict";

(() => {
  const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
  const HERE = document.currentScript.src;
  const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';

  const arrived = new Map(); // name of a file of numbers -> its base64, handed over by the file itself
  const loading = new Map(); // name -> promise of its bytes
  window.condensationLab.sidecar = (name, text) => arrived.set(name, text);

  /** Numbers too heavy for the page, from a script beside this one: file:// lets a page load nothing else. */
  function sidecar(name) {
    if (!loading.has(name)) {
      loading.set(name, fetched(name).catch((error) => {
        loading.delete(name); // the next view may have more luck
        throw error;
      }));
    }
    return loading.get(name);
  }

  async function fetched(name) {
    const script = document.createElement("script");
    script.src = new URL(`data/${name}.js`, HERE).href;
    await new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = () => reject(new Error(`its numbers, the file data/${name}.js beside this page, are missing`));
      document.head.append(script);
    });
    script.remove();
    const damaged = new Error(`its numbers, the file data/${name}.js beside this page, are damaged`);
    if (!arrived.has(name)) throw damaged;
    let bytes;
    try {
      bytes = bytesOf(arrived.get(name));
    } catch {
      throw damaged;
    } finally {
      arrived.delete(name);
    }
    if (crypto.subtle) { // not on a page from http:// elsewhere
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
      if (!hash.startsWith(name)) throw damaged;
    }
    return bytes;
  }

  function bytesOf(base64) {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  }

  /** What anywidget calls a model, with no kernel behind it: no `widget_manager`, and messages go nowhere. */
  class Model {
    #traits;
    #listeners = new Map();

    constructor(traits) {
      this.#traits = traits;
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

  /** A widget's traits, with its binary ones in their places. */
  async function traits({ state, buffers = [] }) {
    await Promise.all(buffers.map(async ({ path, data, sidecar: name }) => {
      const owner = path.slice(0, -1).reduce((node, key) => node[key], state);
      owner[path.at(-1)] = new DataView((name ? await sidecar(name) : bytesOf(data)).buffer);
    }));
    return state;
  }

  const models = new Map(); // id -> promise of a model whose widget has been initialised: views share it

  function model(id, saved) {
    if (!models.has(id)) models.set(id, initialised(saved));
    return models.get(id);
  }

  async function initialised(saved) {
    const [made, widget] = await Promise.all([traits(saved).then((all) => new Model(all)), load(saved.state._esm)]);
    await widget.initialize?.({ model: made, signal: new AbortController().signal });
    return { made, widget };
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

  const starts = []; // of all live pieces, each of which starts once
  /** Start the pieces that the reader has not come near yet: one may be asked for by another, or by a link. */
  const arriveAll = () => Promise.all(starts.map((start) => start()));
  window.condensationLab.arriveAll = arriveAll;

  /** A link to a piece's state (fragment.js): the piece must be there to open it, and to be scrolled to. */
  function followLink() {
    if (/^#[A-Za-z0-9-]+=\d/.test(location.hash)) arriveAll();
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
      let shown;
      const start = () => (shown ??= show(el, id, saved[id]));
      starts.push(start);
      window.condensationLab.whenNear(el, start);
    }
    followLink();
    addEventListener("hashchange", followLink);
  });
})();
