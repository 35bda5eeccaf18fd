/** A target of the reader's own: drawn on a panel with mouse, finger or keyboard, or pasted as points. */
import { element } from "./host.js";
import { number } from "./numbers.js";

const PLACES = 25; // where the pen and the keyboard can put a point
export const MARGIN = 0.02; // of the sheet, around what can be drawn
const RISE = (1 - 2 * MARGIN) / 40; // of the sheet, for a press of an arrow key

/**
 * @param {{changed: (points: [number, number][]) => void, now: () => [number, number][],
 *   window: () => {x: [number, number], y: [number, number]}, parsed: (text: string) => object, moved: () => void}} given
 *   moved: the keyboard's place has, and is to be drawn
 */
export function targetPad({ changed, now, window: windowOf, parsed, moved }) {
  const told = element("p", { class: "note", role: "status" });
  const text = element("textarea", { rows: 3, "aria-label": "Points to paste, a line for each: x, y", placeholder: "x, y\nx, y" });
  const press = (label, act) => {
    const made = element("button", { type: "button" }, label);
    made.addEventListener("click", act);
    return made;
  };
  const box = element(
    "div", { class: "own-target", role: "group", "aria-label": "My own target" },
    element("p", {}, "Draw in the first figure with mouse or finger; or, with the figure in focus, ← and → choose a place, ↑ and ↓ set its height, Delete takes the point away. Or paste points."),
    text,
    element("div", { class: "row" }, press("Use these points", usePasted), press("Show mine as text", () => {
      text.value = now().map((pair) => pair.join(", ")).join("\n");
    }), press("Clear", () => {
      changed([]);
      told.textContent = "The sheet is empty.";
    })),
    told,
  );
  let place = (PLACES - 1) / 2;
  let on = false;
  let focused = false;
  let frozen = null; // the window while a stroke lasts, so that the sheet does not move under the pen
  let stroke = null;
  let panel;

  function usePasted() {
    const read = parsed(text.value);
    told.textContent = read.fault ?? `${read.points.length} points taken.`;
    if (!read.fault) changed(read.points);
  }

  const within = () => frozen ?? windowOf();
  const xOf = (at) => {
    const { x: [low, high] } = within();
    const room = (high - low) * MARGIN;
    return round(low + room + ((high - low - 2 * room) * at) / (PLACES - 1));
  };
  const yOf = (share) => {
    const { y: [low, high] } = within();
    const room = (high - low) * MARGIN;
    return round(Math.min(Math.max(low + (high - low) * share, low + room), high - room));
  };
  /** Three digits of the window's size: what a link can carry. */
  function round(value) {
    const { x, y } = within();
    const unit = 10 ** (Math.floor(Math.log10(Math.max(x[1] - x[0], y[1] - y[0]))) - 3);
    return Number((Math.round(value / unit) * unit).toPrecision(10));
  }

  function put(points, at, y) {
    const x = xOf(at);
    const kept = points.filter(([other]) => Math.abs(other - x) > 1e-9);
    return y === null ? kept : [...kept, [x, y]];
  }

  /** A stroke from one place to another sets all places between them. */
  function drawTo(points, from, to) {
    const [first, last] = [Math.min(from.at, to.at), Math.max(from.at, to.at)];
    let next = points;
    for (let at = first; at <= last; at++) {
      const part = to.at === from.at ? 1 : (at - from.at) / (to.at - from.at);
      next = put(next, at, yOf(from.share + (to.share - from.share) * part));
    }
    return next;
  }

  function over(itsPanel) {
    panel = itsPanel;
    const { svg } = panel;
    const pen = (event) => {
      const [across, share] = panel.shareAt(event);
      return { at: Math.round(Math.min(Math.max((across - MARGIN) / (1 - 2 * MARGIN), 0), 1) * (PLACES - 1)), share };
    };
    const move = (event) => {
      const to = pen(event);
      const points = drawTo(now(), stroke, to);
      [stroke, place] = [to, to.at];
      changed(points);
    };
    svg.addEventListener("pointerdown", (event) => {
      if (!on) return;
      event.preventDefault();
      svg.focus({ preventScroll: true });
      svg.setPointerCapture(event.pointerId);
      frozen = windowOf();
      stroke = pen(event);
      move(event);
    });
    svg.addEventListener("pointermove", (event) => {
      if (stroke) move(event);
    });
    const lift = () => {
      if (stroke) told.textContent = `The target has ${now().length} points.`;
      [stroke, frozen] = [null, null];
    };
    svg.addEventListener("pointerup", lift);
    svg.addEventListener("pointercancel", lift);
    svg.addEventListener("keydown", key);
    for (const which of ["focus", "blur"]) {
      svg.addEventListener(which, () => {
        focused = on && which === "focus";
        moved();
      });
    }
  }

  function key(event) {
    if (!on) return;
    const { key: pressed } = event;
    const { y: [low, high] } = windowOf();
    const here = now().find(([x]) => Math.abs(x - xOf(place)) < 1e-9);
    const height = here ? here[1] : null;
    if (pressed === "ArrowLeft" || pressed === "ArrowRight") {
      place = Math.min(Math.max(place + (pressed === "ArrowLeft" ? -1 : 1), 0), PLACES - 1);
      moved();
    } else if (pressed === "ArrowUp" || pressed === "ArrowDown") {
      const rise = (pressed === "ArrowUp" ? 1 : -1) * RISE * (high - low);
      const wanted = height === null ? 0 : round(height + rise);
      changed(put(now(), place, Math.min(Math.max(wanted, round(low)), round(high))));
    } else if (pressed === "Delete" || pressed === "Backspace") changed(put(now(), place, null));
    else return;
    event.preventDefault();
    const point = now().find(([x]) => Math.abs(x - xOf(place)) < 1e-9);
    told.textContent = `x = ${number(xOf(place))}: ${point ? `y = ${number(point[1])}` : "no point"}.`;
  }

  return {
    box, over,
    show(wanted) {
      on = wanted;
      box.hidden = !on;
      const { svg } = panel;
      svg.classList.toggle("drawn-on", on);
      if (on) {
        svg.setAttribute("tabindex", "0");
        svg.setAttribute("role", "application");
        svg.setAttribute("aria-roledescription", "drawing area");
      } else {
        svg.removeAttribute("tabindex");
        svg.setAttribute("role", "img");
        svg.removeAttribute("aria-roledescription");
      }
    },
    /** The keyboard's place, as a line through the sheet. */
    cursor() {
      if (!on || !focused) return { x: [], y: [] };
      const { y } = windowOf();
      return { x: [xOf(place), xOf(place)], y };
    },
  };
}
