/** The phase plane as a small <svg>: regions by pattern and word, the boundary, a point and its limit. */
import { number } from "./numbers.js";
import { svgPart } from "./host.js";
import { boundaryAt } from "./regimes.js";

const [PLANE_WIDTH, PLANE_HEIGHT] = [360, 300];
const PLANE_FRAME = { left: 40, right: 352, top: 8, bottom: 262 };
let planesMade = 0;

/** The part of the plane that is shown: the usual one, or more where a point lies beyond. */
function planeWindow(points) {
  const [xs, ys] = [points.map(({ gamma }) => gamma), points.map(({ gamma_prime }) => gamma_prime)];
  const spread = (values, low, high) => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const room = 0.15 * (Math.max(most, high) - Math.min(least, low));
    return [least < low ? least - room : low, most > high ? most + room : high];
  };
  return { x: spread(xs, 0, 2), y: spread(ys, -1, 1) };
}

function planeTicks([low, high]) {
  const step = [0.5, 1, 2, 5, 10].find((one) => (high - low) / one <= 7) ?? 20;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** Signs of measured slopes as one path each: + grows, − falls, · hardly changes. */
function slopeSigns({ gamma, gamma_prime, slope_w }, x, y) {
  let path = "";
  gamma.forEach((g, row) => gamma_prime.forEach((p, column) => {
    const [slope, left, top] = [slope_w[row][column], x(g), y(p)];
    if (slope === null) return; // a run that failed
    if (Math.abs(slope) < 0.05) path += `M${left - 0.6} ${top}h1.2`;
    else path += `M${left - 2.5} ${top}h5${slope > 0 ? `M${left} ${top - 2.5}v5` : ""}`;
  }));
  return svgPart("path", { class: "place-signs", d: path });
}

/** @returns {{svg: SVGSVGElement, show: Function}} */
export function placePlane() {
  const id = `place-${planesMade++}`;
  const svg = svgPart("svg", { viewBox: `0 0 ${PLANE_WIDTH} ${PLANE_HEIGHT}`, role: "img", class: "place-plane" });
  const { left, right, top, bottom } = PLANE_FRAME;
  const frame = { x: left, y: top, width: right - left, height: bottom - top };
  const tile = (name, size, mark) => svgPart(
    "pattern", { id: `${id}-${name}`, width: size, height: size, patternUnits: "userSpaceOnUse" }, mark,
  );
  const defs = svgPart(
    "defs", {}, svgPart("clipPath", { id: `${id}-frame` }, svgPart("rect", frame)),
    tile("linear", 8, svgPart("path", { class: "place-hatch", d: "M-2 2l4 -4M0 8l8 -8M6 10l4 -4" })),
    tile("condensed", 8, svgPart("circle", { class: "place-dot", cx: 4, cy: 4, r: 1.2 })),
  );

  function show({ here, limit }, { width, label, measured }) {
    const shown = planeWindow([here, ...(limit ? [limit] : [])]);
    const x = (gamma) => left + ((right - left) * (gamma - shown.x[0])) / (shown.x[1] - shown.x[0]);
    const y = (prime) => bottom - ((bottom - top) * (prime - shown.y[0])) / (shown.y[1] - shown.y[0]);
    const [low, high] = shown.y;
    const edge = [[1, low], [1, 0], [boundaryAt(high), high]].map(([g, p]) => `${x(g)},${y(p)}`);
    const far = Math.max(shown.x[1], boundaryAt(high));
    const corners = (g) => [`${x(g)},${y(high)}`, `${x(g)},${y(low)}`];
    const region = (name, g) => svgPart(
      "polygon", { class: `place-${name}`, points: [...edge, ...corners(g)].join(" "), fill: `url(#${id}-${name})` },
    );
    const word = (text, across, down, attributes) => svgPart("text", { x: across, y: down, ...attributes }, text);
    const inside = svgPart(
      "g", { "clip-path": `url(#${id}-frame)` }, region("linear", shown.x[0]), region("condensed", far),
      ...(measured ? [slopeSigns(measured, x, y)] : []),
      svgPart("polyline", { class: "place-edge", points: edge.join(" ") }),
    );
    const axes = [
      ...planeTicks(shown.x).map((g) => word(number(g), x(g), bottom + 16, { "text-anchor": "middle", class: "place-tick" })),
      ...planeTicks(shown.y).map((p) => word(number(p), left - 6, y(p) + 4, { "text-anchor": "end", class: "place-tick" })),
      word("γ", (left + right) / 2, PLANE_HEIGHT - 6, { "text-anchor": "middle" }),
      word("γ′", 2, (top + bottom) / 2 - 26),
    ];
    const marks = [];
    const name = (point, text, above) => {
      const near = x(point.gamma) > (left + right) / 2;
      const place = [x(point.gamma) + (near ? -9 : 9), y(point.gamma_prime) + (above ? -9 : 19)];
      marks.push(word(text, ...place, { "text-anchor": near ? "end" : "start", class: "place-name" }));
    };
    const now = `m = ${number(width)}`;
    const apart = limit && Math.hypot(x(here.gamma) - x(limit.gamma), y(here.gamma_prime) - y(limit.gamma_prime)) > 3;
    if (limit) {
      const ends = { x1: x(here.gamma), y1: y(here.gamma_prime), x2: x(limit.gamma), y2: y(limit.gamma_prime) };
      marks.push(svgPart("line", { class: "place-path", ...ends }));
      marks.push(svgPart("circle", { class: "place-limit", cx: ends.x2, cy: ends.y2, r: 8 }));
    }
    marks.push(svgPart("circle", { class: "place-here", cx: x(here.gamma), cy: y(here.gamma_prime), r: 4.5 }));
    const above = !limit || here.gamma_prime > limit.gamma_prime;
    name(here, limit && !apart ? `${now} and m → ∞` : now, above);
    if (apart) name(limit, "m → ∞", !above);
    // The word leaves its corner to a point there.
    const near = (point) => point && x(point.gamma) > right - 130 && y(point.gamma_prime) > bottom - 50;
    const taken = near(here) || near(limit);
    const corner = taken ? [x(1) + 8, { class: "place-regime" }] : [right - 8, { class: "place-regime", "text-anchor": "end" }];
    svg.setAttribute("aria-label", label);
    svg.replaceChildren(
      defs, inside, svgPart("rect", { class: "place-frame", ...frame }), ...axes,
      word("linear", left + 8, top + 20, { class: "place-regime" }),
      word("condensed", corner[0], bottom - 10, corner[1]), ...marks,
    );
  }
  return { id, svg, show };
}
