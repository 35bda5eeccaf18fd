/** What a reader moves an atlas with: sliders, a scrubber with a play button, choices, pads. All native but the pad. */
import { slice } from "./slices.js";
import { number } from "./numbers.js";
import { text } from "./words.js";
import { element } from "./host.js";

const RADIOS = 5; // options that stand side by side; more go into a list
let choicesMade = 0;

/**
 * One of the kinds of control.
 * @param {(wanted: Record<string, number>) => void} move @param {() => Record<string, number>} now
 * @returns {{box: HTMLElement, show: (position: Record<string, number>) => void, stop?: () => void}}
 */
export function makeControl(control, data, move, now) {
  const make = { slider: sliderControl, scrubber: scrubberControl, choice: choiceControl, pad: padControl }[control.kind];
  return make(control, data, move, now);
}

/** One labelled native slider over the grid points of a dimension. */
function sliderControl({ axes: [{ dim, label, meaning }] }, data, move) {
  const input = element("input", { type: "range", name: dim, min: 0, max: data.sizes[dim] - 1, step: 1 });
  const output = element("output");
  input.addEventListener("input", () => move({ [dim]: input.valueAsNumber }));
  const note = meaning === label ? [] : [element("small", {}, meaning)];
  return {
    input,
    box: element("label", {}, element("span", {}, label), input, output, ...note),
    show(position) {
      input.value = String(position[dim]);
      output.textContent = text(data, dim, position);
      input.setAttribute("aria-valuetext", output.textContent);
    },
  };
}

/** A slider that walks to its end by itself; for readers who prefer reduced motion, a point at a time. */
function scrubberControl(control, data, move, now) {
  const { dim, label } = control.axes[0];
  const { input, box, show } = sliderControl(control, data, move);
  const last = data.sizes[dim] - 1;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const button = element("button", { type: "button" });
  const speed = element("select", { "aria-label": `Speed, ${label}` });
  for (const times of [0.5, 1, 2, 4]) speed.append(element("option", { value: times }, `${times === 0.5 ? "½" : times}×`));
  speed.value = "1";
  const pause = () => 1000 / (control.speed * Number(speed.value));
  let timer;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    name();
  };
  const name = () => {
    button.textContent = timer ? "Pause" : still.matches ? "Next" : "Play";
    button.setAttribute("aria-label", `${button.textContent}, ${label}`);
    speed.hidden = still.matches;
  };
  const step = () => {
    move({ [dim]: now()[dim] + 1 });
    if (now()[dim] >= last) stop();
    else timer = setTimeout(step, pause());
  };
  button.addEventListener("click", () => {
    if (timer) return stop();
    move({ [dim]: now()[dim] === last ? 0 : now()[dim] + 1 });
    if (!still.matches && now()[dim] < last) timer = setTimeout(step, pause());
    return name();
  });
  input.addEventListener("input", stop); // who takes the handle has it
  still.addEventListener("change", stop);
  name();
  return { box: element("div", { class: "scrubber" }, box, button, speed), show, stop };
}

/** Radio buttons over few values, a native list over more. */
function choiceControl({ axes: [{ dim, label, meaning }] }, data, move) {
  const { texts } = data.variables[dim];
  const options = Array.from(slice(data, dim, {}, [dim]), (value) => texts?.[value] ?? number(value, 12));
  const note = meaning && meaning !== label ? [element("small", {}, meaning)] : [];
  if (options.length > RADIOS) {
    const list = element("select", { name: dim });
    list.append(...options.map((option, place) => element("option", { value: place }, option)));
    list.addEventListener("change", () => move({ [dim]: Number(list.value) }));
    return {
      box: element("label", { class: "list" }, element("span", {}, label), list, ...note),
      show(position) {
        list.value = String(position[dim]);
      },
    };
  }
  const name = `${dim}-${choicesMade++}`; // radio buttons of one name are one group in the whole page
  const radios = options.map((option, place) => {
    const radio = element("input", { type: "radio", name, value: place });
    radio.addEventListener("change", () => move({ [dim]: place }));
    return radio;
  });
  const labels = radios.map((radio, place) => element("label", {}, radio, element("span", {}, options[place])));
  return {
    box: element("fieldset", { "data-dim": dim }, element("legend", {}, label), ...note, ...labels),
    show(position) {
      radios[position[dim]].checked = true;
    },
  };
}

/** A square over two dimensions, and a slider for each. */
function padControl({ axes }, data, move, now) {
  const sliders = axes.map((one) => sliderControl({ axes: [one] }, data, move));
  const dims = axes.map(({ dim }) => dim);
  const dot = element("span", { class: "dot" });
  const name = `${axes[0].label} and ${axes[1].label}; arrow keys move the point`;
  const square = element("div", { class: "pad", tabindex: 0, role: "application", "aria-label": name }, dot);
  const place = (dim, share) => Math.round(share * (data.sizes[dim] - 1));
  followPad({
    box: square, dims, move, now, area: () => square,
    pick: (across, up) => [place(dims[0], across), place(dims[1], up)],
  });
  const part = (dim, position) => (100 * position[dim]) / Math.max(data.sizes[dim] - 1, 1);
  return {
    box: element("div", { class: "padded" }, square, ...sliders.map(({ box }) => box)),
    show(position) {
      for (const one of sliders) one.show(position);
      dot.style.left = `${part(dims[0], position)}%`;
      dot.style.bottom = `${part(dims[1], position)}%`;
    },
  };
}

/**
 * Let a pointer and arrow keys move two dimensions over an element.
 * @param {{box: HTMLElement, dims: string[], move: Function, now: Function,
 *   area: () => Element,  what the two span
 *   pick: (across: number, up: number) => number[]}} given  indices at shares of its width and height
 */
export function followPad({ box, dims, move, now, area, pick }) {
  const follow = (event) => {
    const { left, top, width, height } = area().getBoundingClientRect();
    const [x, y] = pick((event.clientX - left) / width, (top + height - event.clientY) / height);
    move({ [dims[0]]: x, [dims[1]]: y });
  };
  box.addEventListener("pointerdown", (event) => {
    if (!area().contains(event.target)) return; // a legend has clicks of its own
    box.setPointerCapture(event.pointerId);
    box.focus({ preventScroll: true });
    follow(event);
  });
  box.addEventListener("pointermove", (event) => box.hasPointerCapture(event.pointerId) && follow(event));
  const steps = {
    ArrowLeft: [dims[0], -1], ArrowRight: [dims[0], 1], ArrowDown: [dims[1], -1], ArrowUp: [dims[1], 1],
  };
  box.addEventListener("keydown", (event) => {
    if (!(event.key in steps)) return;
    const [dim, step] = steps[event.key];
    move({ [dim]: now()[dim] + step });
    event.preventDefault(); // else the page would scroll
  });
}
