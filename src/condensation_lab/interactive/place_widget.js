/** "Place my initialisation" in a page: controls, the phase plane, what a network there does. */
import { element, lookOf } from "./host.js";
import { dataTable, toolbar } from "./toolbar.js";
import { urlState } from "./fragment.js";
import { checkedField, number } from "./numbers.js";
import { placed, placePython, placeWords } from "./place.js";
import { placePlane } from "./place_plane.js";

const PLACE_VERSION = 1;

/** A labelled number field, with the place beside it for the sentence that refuses a value. */
function placeField(name, field, id, entered) {
  const input = element("input", { type: "number", id: `${id}-${name}`, name, step: field.step, inputmode: "decimal" });
  const fault = element("p", { class: "fault", id: `${id}-${name}-fault`, role: "alert" });
  const label = element("label", { for: input.id }, field.label, element("small", {}, field.meaning));
  input.setAttribute("aria-describedby", fault.id);
  input.addEventListener("input", () => entered(name, input.validity.badInput ? "not a number" : input.value));
  return {
    box: element("div", { class: "field" }, label, input, fault),
    show(value) {
      if (input.value === "" || Number(input.value) !== value) input.value = String(value);
      this.refuse("");
    },
    refuse(sentence) {
      fault.textContent = sentence;
      if (sentence) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    },
  };
}

function renderPlace({ model, el }) {
  const { schemes, fields, description, name, command, measured, source, look } = model.get("_declaration");
  const url = urlState(name, PLACE_VERSION);
  const schemeOf = (one) => schemes.find((scheme) => scheme.name === one);
  let chosen = { ...model.get("chosen") };
  let place = placed(chosen, schemeOf(chosen.scheme));
  let quiet;
  const last = Object.fromEntries(Object.entries(fields).map(([field, { start }]) => [field, start])); // good values

  const plane = placePlane();
  const id = `${plane.id}-${name}`;
  const select = element("select", { id: `${id}-scheme`, name: "scheme" });
  for (const scheme of schemes) select.append(element("option", { value: scheme.name }, scheme.name));
  select.addEventListener("change", () => choose({ scheme: select.value }));
  const formula = element("p", { class: "formula" });
  const entries = Object.fromEntries(Object.entries(fields).map(([field, its]) => [field, placeField(field, its, id, enter)]));
  const told = element("div", { class: "told", "aria-live": "polite" });
  const note = element("p", { class: "note", role: "status" });
  const numbers = element("div", { class: "numbers", tabindex: 0, role: "region", "aria-label": `The numbers of the ${name}` });
  const details = element("details", {}, element("summary", {}, "Show the numbers"), numbers);
  details.addEventListener("toggle", tabulate);
  const button = (label, act) => {
    const made = element("button", { type: "button" }, label);
    made.addEventListener("click", act);
    return made;
  };
  const key = `Filled mark: this width. Ring: the limit of wide networks.${
    measured ? " Small signs: the slope measured in the stored run, + grows, − falls, · hardly changes." : ""}`;
  const root = element(
    "section", { class: "condensation-place", "aria-label": description }, note,
    element(
      "div", { class: "halves" },
      element(
        "div", {}, element("div", { class: "field" }, element("label", { for: select.id }, "scheme"), select), formula,
        ...Object.values(entries).map(({ box }) => box),
      ),
      element("figure", {}, plane.svg, element("figcaption", {}, key)), told,
    ),
    element(
      "div", { class: "go" }, button("Show it in the map", () => go(".condensation-atlas", "map", inMap())),
      button("Train it in the page", () => go(".condensation-playground", "playground", place.here)),
    ),
    details,
    toolbar({
      name, link: () => url.link(chosen), python: () => placePython(chosen), tables: () => [table()],
      command: () => command && command.replace(/\{(\w+)\}/g, (_, one) => ({ ...place.judged, width: chosen.width })[one]),
      figures: () => [{ title: "Place in the phase diagram", box: plane.svg }],
    }),
    element("p", { class: "source" }, source),
  );
  root.addEventListener("keydown", (event) => event.stopPropagation()); // JupyterLab takes keys as commands
  el.replaceChildren(root);

  function enter(field, text) {
    const { value, fault } = checkedField(fields[field], text);
    if (fault) return entries[field].refuse(fault); // the last good point stays
    return choose({ [field]: value });
  }

  /** Take on checked values, from the reader. */
  function choose(wanted) {
    note.textContent = "";
    take(wanted);
    url.write(chosen);
    model.set("chosen", chosen);
    model.save_changes();
  }

  function take(wanted) {
    const scheme = schemeOf(wanted.scheme ?? chosen.scheme);
    Object.assign(last, wanted);
    chosen = { scheme: scheme.name, ...Object.fromEntries(scheme.fields.map((field) => [field, last[field]])) };
    show();
  }

  /** Values from a link, Python or a script: all of them or, with one sentence on what is wrong, none. */
  function faultIn(wanted) {
    const values = {};
    for (const [field, text] of Object.entries(wanted)) {
      if (field === "scheme") {
        if (!schemeOf(text)) return `There is no scheme “${text}”.`;
        values.scheme = text;
      } else {
        if (!Object.hasOwn(fields, field)) return `There is no field “${field}”.`;
        const { value, fault } = checkedField(fields[field], text);
        if (fault) return fault;
        values[field] = value;
      }
    }
    take(values);
    return "";
  }

  function open(opened) {
    if (!opened) return;
    const fault = opened.fault ?? faultIn(opened.fields);
    if (fault) note.textContent = `This link could not be opened as it was meant. ${fault}`;
    root.scrollIntoView({ block: "start" });
  }

  function show() {
    const scheme = schemeOf(chosen.scheme);
    place = placed(chosen, scheme);
    select.value = chosen.scheme;
    formula.textContent = scheme.formula;
    for (const [field, entry] of Object.entries(entries)) {
      entry.box.hidden = !scheme.fields.includes(field);
      if (!entry.box.hidden) entry.show(chosen[field]);
    }
    const words = placeWords(chosen, scheme, place, measured);
    told.setAttribute("aria-busy", "true"); // so that typing is not read out digit by digit
    told.replaceChildren(...words.map((one) => element("p", {}, one)));
    clearTimeout(quiet);
    quiet = setTimeout(() => told.setAttribute("aria-busy", "false"), 500);
    plane.show(place, { width: chosen.width, label: `The phase plane. ${words[0]} ${words[1]}`, measured });
    tabulate();
  }

  function table() {
    const { setup, here, limit, slope } = place;
    const kappas = [(setup[1] * setup[2]) / setup[0], (setup[1] / setup[2]) * (setup[4] / setup[3]) ** 0.5];
    const names = ["α", "β₁", "β₂", "learning rate of a", "learning rate of w", "κ", "κ′ with the learning rates", "γ", "γ′"];
    const values = [...setup, ...kappas, here.gamma, here.gamma_prime];
    const limits = [...Array(7).fill(""), limit?.gamma ?? "", limit?.gamma_prime ?? ""];
    const rows = names.map((one, index) => [one, values[index], limits[index]]);
    return {
      caption: `${chosen.scheme}, m = ${chosen.width}`, columns: ["quantity", `m = ${chosen.width}`, "m → ∞"],
      rows: [...rows, ["slope of log RD, our argument", "", slope]],
    };
  }

  function tabulate() {
    if (details.open) numbers.replaceChildren(dataTable(table()));
  }

  /** The map holds what happens as the width grows, so it is asked for the limit; null where it does not reach. */
  function inMap() {
    const { judged } = place;
    const beyond = [["γ", "gamma"], ["γ′", "gamma_prime"]].find(([, axis]) => measured
      && (judged[axis] < measured[axis][0] || judged[axis] > measured[axis].at(-1)));
    if (!beyond) return judged;
    const [sign, axis] = beyond;
    const [least, most] = [measured[axis][0], measured[axis].at(-1)].map((one) => number(one));
    note.textContent = `${sign} = ${number(judged[axis])} is beyond the map, which runs from ${least} to ${most}.`;
    return null;
  }

  async function go(selector, what, point) {
    if (!point) return;
    await globalThis.condensationLab?.arriveAll?.(); // pieces that the reader has not come near yet cannot hear
    note.textContent = document.querySelector(selector) ? "" : `There is no ${what} in this page.`;
    const target = what === "playground" ? { target: what } : {};
    document.dispatchEvent(new CustomEvent("condensation-place", { detail: { ...point, width: chosen.width, ...target } }));
  }

  function paint() {
    if (!root.isConnected) return;
    const { dark, background, diverging, accent } = lookOf(root, look.colorway, look.diverging);
    root.style.colorScheme = dark ? "dark" : "light";
    const colours = { linear: diverging[0][1], condensed: diverging.at(-1)[1], background, accent };
    for (const [one, colour] of Object.entries(colours)) root.style.setProperty(`--place-${one}`, colour);
  }

  const themes = new MutationObserver(paint);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  themes.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  const follow = () => {
    if (JSON.stringify(model.get("chosen")) !== JSON.stringify(chosen)) faultIn(model.get("chosen"));
  };
  model.on("change:chosen", follow);
  take(chosen);
  open(url.opened);
  const unfollow = url.follow(open);
  const ready = new Promise((resolve) => requestAnimationFrame(() => resolve(paint())));
  // For tests and scripts: where it stands, and a way to move it.
  root.condensationPlace = { ready, state: () => ({ ...chosen }), place: () => place, move: faultIn };

  return () => {
    themes.disconnect();
    unfollow();
    model.off("change:chosen", follow);
  };
}

export default { render: renderPlace };
