/** The playground in a page: controls, four moving figures, a target to draw; the training is in a worker. */
import { element, lookOf } from "./host.js";
import { checkedField, number } from "./numbers.js";
import { dataTable, toolbar } from "./toolbar.js";
import { urlState } from "./fragment.js";
import { decades, movingPanel } from "./moving_panel.js";
import { trainer } from "./trainer.js";
import { MARGIN, targetPad } from "./target_pad.js";
import {
  OWN_TARGET, PLAYGROUND_VERSION, SCALE_FIELDS, changedSetup, parsedPoints, playgroundCommand, playgroundFields,
  playgroundPython, playgroundTables, readPlayground, runWords, samplesOf, scaleWords, scalesOf,
} from "./playground.js";

const evenly = (rate) => (seconds, from) => from + Math.floor(rate * seconds);
const SPEEDS = {
  "10 times the steps every 3 seconds": (seconds, from) => Math.floor((from + 1) * 10 ** (seconds / 3)) - 1,
  "10 steps a second": evenly(10), "100 steps a second": evenly(100), "1,000 steps a second": evenly(1000),
  "as fast as it goes": () => Infinity,
};
const TITLES = {
  fit: "Target and network", neurons: "Neurons, at the start and now", loss: "Loss", distance: "Relative distance from the start",
};
const CHOICE_NAMES = {
  relu: "ReLU", xtanh: "x tanh x", x2tanh: "x² tanh x", descent: "gradient descent", adam: "Adam",
  exponents: "γ and γ′", raw: "α, β₁ and β₂",
};
const CONTROLS = [
  ...["target", "scales", "gamma", "gamma_prime", "alpha", "beta_1", "beta_2", "width", "activation", "optimiser"],
  ...["rate", "keep", "seed"],
];
const GRID = 161; // points of the network's curve
const TURNS = [[-Math.PI, "−π"], [-Math.PI / 2, "−π/2"], [0, "0"], [Math.PI / 2, "π/2"], [Math.PI, "π"]];

function renderPlayground({ model, el }) {
  const declaration = model.get("_declaration");
  const { fields, choices, targets, description, name, command, look } = declaration;
  const url = urlState(name, PLAYGROUND_VERSION);
  const start = { ...model.get("chosen") };
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let setup = start;
  let samples = samplesOf(setup, targets);
  let shown = null; // what the worker last told of this setup
  let frame;
  let drawnAt = 0;
  let settled = [];
  let touched = false; // until then the page's URL stays as it came

  const engine = trainer(declaration.worker, told, (reason) => say(`The network cannot be trained: ${reason}.`));

  // Controls
  const note = element("p", { class: "note", role: "status" });
  const counter = element("output", { class: "counter" });
  const words = element("p", { class: "told", "aria-live": "polite" });
  const derived = element("p", { class: "derived" });
  const button = (label, act, more = {}) => {
    const made = element("button", { type: "button", ...more }, label);
    made.addEventListener("click", act);
    return made;
  };
  const playing = button("Play", () => (engine.playing() ? stop() : play()), { class: "play" });
  const speeds = listOf("speed", "speed", Object.keys(SPEEDS).map((words) => [words, words]), (value) => engine.pace(SPEEDS[value]));
  engine.pace(Object.values(SPEEDS)[0]);
  const chooser = (one, label) => {
    const options = choices[one].map((value) => [value, CHOICE_NAMES[value] ?? value]);
    return listOf(one, label, options, (value) => change({ [one]: value }));
  };
  const targetNames = [...Object.entries(targets).map(([key, { title }]) => [key, title]), [OWN_TARGET, "my own"]];
  const controls = {
    target: listOf("target", "target", targetNames, (value) => change({ target: value })),
    scales: chooser("scales", "initialisation by"),
    ...Object.fromEntries(Object.entries(fields).map(([field, its]) => [field, (its.slider ? sliderOf : entryOf)(field, its)])),
    activation: chooser("activation", "activation"), optimiser: chooser("optimiser", "optimiser"),
  };
  const pad = targetPad({
    changed: (points) => change({ points }), now: () => setup.points, window: ranges, parsed: parsedPoints, moved: schedule,
  });
  const panels = Object.fromEntries(Object.entries(TITLES).map(([one, title]) => [one, movingPanel(title)]));
  pad.over(panels.fit);
  const kink = () => (setup.activation === "relu" ? "kinks" : "centres");
  const numbers = element("div", { class: "numbers", tabindex: 0, role: "region", "aria-label": `The numbers of the ${name}` });
  const details = element("details", {}, element("summary", {}, "Show the numbers"), numbers);
  details.addEventListener("toggle", tabulate);
  const source = element("p", { class: "source" });
  const root = element(
    "section", { class: "condensation-playground", "aria-label": description }, note,
    element("div", { class: "controls" }, ...CONTROLS.map((one) => controls[one].box)), derived, pad.box,
    element(
      "div", { class: "run", role: "group", "aria-label": "Training" }, playing, button("Step", step),
      button("Reset", () => begin()), speeds.box, counter,
    ),
    words,
    element("div", { class: "views" }, ...Object.entries(panels).map(([one, { svg }]) => (
      element("figure", {}, element("figcaption", {}, TITLES[one]), svg)
    ))),
    details,
    toolbar({
      name, link: () => url.link(linked()), python: () => playgroundPython(setup, shown ?? { step: 0, rate: 1 }),
      command: () => command && playgroundCommand(setup, command), tables: () => (shown ? playgroundTables(samples, shown) : []),
      figures: () => Object.entries(panels).map(([one, { svg }]) => ({ title: TITLES[one], box: svg })),
    }),
    source,
  );
  root.addEventListener("keydown", (event) => event.stopPropagation()); // JupyterLab takes keys as commands
  el.replaceChildren(root);

  function listOf(one, label, options, changed) {
    const input = element("select", { name: one });
    for (const [value, text] of options) input.append(element("option", { value }, text));
    input.addEventListener("change", () => changed(input.value));
    return { input, box: element("label", {}, element("span", {}, label), input), show: (value) => { input.value = value; } };
  }

  function sliderOf(field, { label, meaning, least, most, step }) {
    const input = element("input", { type: "range", name: field, min: least, max: most, step });
    const output = element("output");
    input.addEventListener("input", () => change({ [field]: input.valueAsNumber }));
    return {
      input, box: element("label", { class: "slider" }, element("span", {}, label), input, output, element("small", {}, meaning)),
      show(value) {
        input.value = String(value);
        output.textContent = number(value, 6);
        input.setAttribute("aria-valuetext", output.textContent);
      },
    };
  }

  function entryOf(field, its) {
    const input = element("input", { type: "text", inputmode: "decimal", name: field, autocomplete: "off", size: 8 });
    const fault = element("small", { class: "fault", role: "alert" });
    input.addEventListener("input", () => {
      const free = field === "rate" && input.value.trim() === "";
      const read = free ? { value: null } : checkedField(its, input.value);
      refuse(read.fault ?? "");
      if (!read.fault) change({ [field]: read.value });
    });
    const refuse = (sentence) => {
      fault.textContent = sentence;
      input.toggleAttribute("aria-invalid", Boolean(sentence));
    };
    const more = field === "seed" ? [button("another", () => change({ seed: crypto.getRandomValues(new Uint32Array(1))[0] % 10000 }))] : [];
    const meaning = element("small", {}, its.meaning);
    return {
      input, refuse,
      box: element("div", { class: "entry" }, element("label", {}, element("span", {}, its.label), input, meaning), ...more, fault),
      show(value) {
        const typed = value === null ? "" : String(value);
        if (document.activeElement !== input || Number(input.value) !== value) input.value = typed;
        refuse("");
      },
    };
  }

  // State
  function linked() {
    return playgroundFields(setup, shown?.step ?? 0);
  }

  /** Take on settings, all or none; the run begins anew. @returns {string} what is wrong, or nothing */
  function change(wanted, { quiet = false } = {}) {
    const { speed, ...rest } = wanted;
    if (speed !== undefined) setPace(speed);
    const read = changedSetup(setup, rest, declaration);
    if (read.fault) {
      say(read.fault);
      return read.fault;
    }
    if (Object.keys(rest).length) take(read.setup);
    if (quiet || !Object.keys(rest).length) return "";
    model.set("chosen", { ...setup });
    model.save_changes();
    touched = true;
    url.write(linked());
    return "";
  }

  /** For scripts: a speed by its name, or "most"; another is no speed. */
  function setPace(speed) {
    const named = speed === "most" ? Object.keys(SPEEDS).at(-1) : speed;
    if (!Object.hasOwn(SPEEDS, named)) return;
    speeds.input.value = named;
    engine.pace(SPEEDS[named]);
  }

  function take(next, until = 0) {
    setup = next;
    note.textContent = "";
    for (const [one, control] of Object.entries(controls)) control.show(setup[one]);
    for (const [kind, its] of Object.entries(SCALE_FIELDS)) for (const one of its) controls[one].box.hidden = kind !== setup.scales;
    derived.textContent = scaleWords(setup);
    const own = setup.target === OWN_TARGET;
    pad.show(own);
    samples = samplesOf(setup, targets);
    source.textContent = `Trained in this page, in float64, full batch. ${own ? "Target: your own." : `Target: ${targets[setup.target].source}.`}`;
    begin(until);
  }

  function begin(until = 0) {
    shown = null;
    if (samples.x.length < 2) {
      engine.begin(null);
      say("Draw at least two points: the network has nothing to learn yet.");
      schedule();
      return;
    }
    const { x } = ranges();
    const grid = Array.from({ length: GRID }, (_, at) => x[0] + ((x[1] - x[0]) * at) / (GRID - 1));
    engine.begin({ ...setup, ...samples, scales: scalesOf(setup), grid }, until);
  }

  function told(reply) {
    shown = reply;
    schedule();
  }

  // Pictures
  function schedule() {
    frame ??= requestAnimationFrame(draw);
  }

  function draw() {
    frame = undefined;
    const busy = engine.busy();
    // Readers who prefer reduced motion see where the run has come to once a second.
    if (busy && still.matches && performance.now() - drawnAt < 1000) {
      frame = requestAnimationFrame(draw);
      return;
    }
    drawnAt = performance.now();
    playing.textContent = engine.playing() ? "Pause" : "Play";
    counter.textContent = shown ? `step ${shown.step.toLocaleString("en")} · loss ${number(shown.loss)}` : "";
    words.setAttribute("aria-live", busy ? "off" : "polite");
    words.textContent = shown ? runWords(shown) : "";
    controls.rate.input.placeholder = shown ? `safe: ${number(shown.safe)}` : "safe";
    drawFit();
    if (shown) drawRun();
    if (busy) return;
    tabulate();
    if (touched && shown) url.write(linked());
    for (const done of settled.splice(0)) done();
  }

  /** What the fit shows: the samples with room around them; on an empty sheet, a square. */
  function ranges() {
    const own = setup.target === OWN_TARGET;
    const spread = (values, least) => {
      const all = own ? [...values, ...least] : values;
      const [low, high] = [Math.min(...all), Math.max(...all)];
      const room = (high - low || 2) * (own ? MARGIN / (1 - 2 * MARGIN) : 0.15);
      return [low - room, high + room];
    };
    return { x: spread(samples.x, [-1, 1]), y: spread(samples.y, [-1, 1]) };
  }

  function drawFit() {
    const { x, y } = ranges();
    const none = { x: [], y: [] };
    const now = shown?.neurons;
    const largest = now ? Math.max(...now.amplitude) : 1;
    const heights = now ? now.amplitude.map((size) => size / largest) : [];
    panels.fit.show({ range: x, label: "x" }, { range: y, label: "f(x)" }, [
      { name: kink(), mark: "rug", colour: 2, x: now?.kink ?? [], y: heights },
      { name: "network", mark: "line", colour: 0, ...(shown?.fit ?? none) },
      { name: "samples", mark: "dot", colour: -1, ...samples },
      { name: "", mark: "cursor", colour: -1, ...pad.cursor() },
    ]);
    panels.fit.svg.setAttribute("aria-label", `Target and network. ${samples.x.length} samples. ${shown ? runWords(shown) : ""}`);
  }

  function drawRun() {
    const { neurons: now, first, history } = shown;
    const shares = (sizes) => {
      const largest = Math.max(...sizes);
      return sizes.map((size) => size / largest);
    };
    panels.neurons.show({ range: [-3.3, 3.3], label: "orientation, rad", ticks: TURNS }, { range: [-0.03, 1.06], label: "amplitude, largest = 1" }, [
      { name: "start", mark: "plus", colour: 1, x: first.orientation, y: shares(first.amplitude) },
      { name: "now", mark: "dot", colour: 0, x: now.orientation, y: shares(now.amplitude) },
    ]);
    const whole = (key) => [...history[key], shown[key]];
    const steps = whole("step");
    const along = { range: [1, Math.max(decades([steps], 0.5)[1], 10)], log: true, label: "step" };
    const losses = whole("loss");
    panels.loss.show(along, { range: decades([losses]), log: true, label: "loss" }, [
      { name: "mean squared error", mark: "line", colour: 0, x: steps, y: losses },
    ]);
    const [input, output] = [whole("w"), whole("a")];
    panels.distance.show(along, { range: decades([input, output], 1e-9), log: true, label: "RD" }, [
      { name: "input weights", mark: "line", colour: 0, x: steps, y: input },
      { name: "output weights", mark: "dash", colour: 1, x: steps, y: output },
    ]);
    for (const one of ["neurons", "loss", "distance"]) panels[one].svg.setAttribute("aria-label", `${TITLES[one]}. ${runWords(shown)}`);
  }

  function tabulate() {
    if (details.open && shown) numbers.replaceChildren(...playgroundTables(samples, shown).map((table) => dataTable(table)));
  }

  // Acts
  function play() {
    if (!shown && samples.x.length < 2) return say("Draw at least two points first.");
    if (shown?.stop) return say(runWords(shown));
    touched = true;
    engine.play();
    return schedule();
  }

  function step() {
    touched = true;
    engine.step();
    schedule();
  }

  function stop() {
    engine.pause();
    schedule();
  }

  function say(sentence) {
    note.textContent = sentence;
  }

  function open(opened) {
    if (!opened) return;
    const read = opened.fault ? opened : readPlayground(opened.fields, start, declaration);
    if (read.fault) say(`This link could not be opened as it was meant. ${read.fault}`);
    else take(read.setup, read.step);
    root.scrollIntoView({ block: "start" });
  }

  /** Another piece names a point of the phase diagram. */
  function place({ detail }) {
    if (detail?.target !== "playground") return;
    const inside = (field, value) => Math.min(Math.max(value, fields[field].least), fields[field].most);
    const asked = { gamma: detail.gamma, gamma_prime: detail.gamma_prime, width: Math.round(detail.width) };
    const wanted = Object.fromEntries(Object.entries(asked).map(([field, value]) => [field, inside(field, value)]));
    change({ ...wanted, scales: "exponents", activation: "relu", optimiser: "descent", keep: 1, rate: null });
    const cut = Object.keys(asked).filter((field) => asked[field] !== wanted[field]);
    if (cut.length) say(`${cut.map((field) => `${fields[field].label} = ${number(asked[field], 6)}`).join(", ")}: beyond what trains here; the nearest that does is taken.`);
    root.scrollIntoView({ block: "start" });
    play();
  }

  function paint() {
    if (!root.isConnected) return;
    const { dark, background, accent, colorway, grid } = lookOf(root, look.colorway, look.diverging);
    root.style.colorScheme = dark ? "dark" : "light";
    colorway.forEach((colour, index) => root.style.setProperty(`--panel-${index}`, colour));
    for (const [one, colour] of Object.entries({ background, accent, grid })) root.style.setProperty(`--playground-${one}`, colour);
  }

  const themes = new MutationObserver(paint);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  themes.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  const follow = () => {
    const wanted = model.get("chosen");
    if (JSON.stringify(wanted) !== JSON.stringify(setup)) change(wanted, { quiet: true });
  };
  model.on("change:chosen", follow);
  document.addEventListener("condensation-place", place);
  const settle = () => new Promise((resolve) => {
    settled.push(resolve);
    schedule();
  });
  take(setup);
  open(url.opened);
  const unfollow = url.follow(open);
  const ready = new Promise((resolve) => requestAnimationFrame(() => resolve(paint()))).then(settle);
  // For tests and scripts: settings and steps, ways to move and train it, what the figures show.
  root.condensationPlayground = {
    ready, play, stop, settle, step, link: () => playgroundFields(setup, shown?.step ?? 0),
    state: () => ({ ...setup, steps: shown?.step ?? 0, stop: shown?.stop ?? null, playing: engine.playing() }),
    move: async (wanted) => {
      const fault = change(wanted);
      if (!engine.playing()) await settle();
      return fault;
    },
    shown: () => shown,
  };

  return () => {
    themes.disconnect();
    unfollow();
    engine.end();
    if (frame) cancelAnimationFrame(frame);
    model.off("change:chosen", follow);
    document.removeEventListener("condensation-place", place);
  };
}

export default { render: renderPlayground };
