// The marks drawn over a table: outlines, numbers, routes, boxes, paths, faults. Every meaning has a shape as well as a
// colour; the colours are those of Okabe and Ito, which colour-blind people tell apart.

import { s } from "./dom.js";
import { middle, sideOf } from "./geometry.js";
import { t, tn } from "./start.js";

const GREEN = "#009e73";
const RED = "#d55e00";
const YELLOW = "#f0e442";
export const ROUTES = ["#0072b2", GREEN, "#cc79a7", "#56b4e9"];
const INK_ON = { "#0072b2": "#fff", [GREEN]: "#000", "#cc79a7": "#000", "#56b4e9": "#000", [RED]: "#000", [YELLOW]: "#000", "#fff": "#000" };
export const BOXES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#f0e442"];

function colourOf(card) {
  if (card.standing === "wrong" || card.standing === "back") return RED;
  if (card.standing === "unsure") return YELLOW;
  return card.route === null || card.route === undefined ? GREEN : ROUTES[card.route % ROUTES.length];
}

export function path(points, closed = true) {
  return `M${points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}${closed ? "Z" : ""}`;
}

/** A place on a card as people see it: (0, 0) is its upper left corner in the picture. */
function spot(corners, across, down) {
  const first = corners.reduce((best, corner, i) => (corner[0] + corner[1] < corners[best][0] + corners[best][1] ? i : best), 0);
  const [a, b, c, d] = [0, 1, 2, 3].map((i) => corners[(first + i) % 4]);
  const top = [a[0] + across * (b[0] - a[0]), a[1] + across * (b[1] - a[1])];
  const bottom = [d[0] + across * (c[0] - d[0]), d[1] + across * (c[1] - d[1])];
  return [top[0] + down * (bottom[0] - top[0]), top[1] + down * (bottom[1] - top[1])];
}

function shrunk(corners, share) {
  const [cx, cy] = middle(corners);
  return corners.map(([x, y]) => [cx + share * (x - cx), cy + share * (y - cy)]);
}

export function label(words, [x, y], size, ground) {
  const width = Math.max(1.15, 0.62 * words.length + 0.5) * size;
  return s(
    "g",
    { class: "label", "aria-hidden": "true" },
    s("rect", {
      x: x - width / 2, y: y - 0.68 * size, width, height: 1.36 * size, rx: 0.34 * size,
      fill: ground, stroke: INK_ON[ground] === "#fff" ? "#fff" : "#000", "stroke-width": 0.07 * size,
    }),
    s("text", { x, y: y + 0.35 * size, "font-size": size, "text-anchor": "middle", fill: INK_ON[ground] ?? "#000" }, words),
  );
}

export function outline(corners, colour, width, dashed) {
  const d = path(shrunk(corners, 0.97));
  const dash = dashed ? `${3.4 * width} ${2.6 * width}` : null;
  return [
    s("path", { d, fill: "none", stroke: dashed ? "#000" : "#fff", "stroke-width": 1.9 * width, "stroke-linejoin": "round" }),
    s("path", { d, fill: "none", stroke: colour, "stroke-width": width, "stroke-dasharray": dash, "stroke-linejoin": "round" }),
  ];
}

export function cross(corners, colour, width) {
  const [a, b, c, d] = shrunk(corners, 0.8);
  const lines = path([a, c], false) + path([b, d], false);
  return [
    s("path", { d: lines, fill: "none", stroke: "#fff", "stroke-width": 1.8 * width, "stroke-linecap": "round" }),
    s("path", { d: lines, fill: "none", stroke: colour, "stroke-width": width, "stroke-linecap": "round" }),
  ];
}

export function arrow(from, to, colour, width) {
  const start = [from[0] + 0.33 * (to[0] - from[0]), from[1] + 0.33 * (to[1] - from[1])];
  const end = [from[0] + 0.7 * (to[0] - from[0]), from[1] + 0.7 * (to[1] - from[1])];
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]) || 1;
  const [ux, uy] = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
  const head = 2.1 * width;
  const neck = [end[0] - head * ux, end[1] - head * uy];
  const at = ([x, y], side) => [x - side * uy, y + side * ux];
  const d = path([at(start, width / 2), at(neck, width / 2), at(neck, 1.35 * width), end, at(neck, -1.35 * width), at(neck, -width / 2), at(start, -width / 2)]);
  return s("path", { d, fill: colour, stroke: "#fff", "stroke-width": 0.35 * width, "stroke-linejoin": "round" });
}

/** All marks of a view, in the order in which they lie on each other. Returns {below, cards: Map(id -> nodes), above}. */
export function marksOf(view, places) {
  const by = new Map(view.cards.filter((card) => card.corners).map((card) => [card.id, card]));
  const verdict = view.answer.verdict ?? {};
  return {
    below: [...boxes(verdict, by), ...longest(verdict, by)],
    cards: new Map([...by].map(([id, card]) => [id, cardMarks(card)])),
    above: [...routes(verdict, by), ...seams(verdict, by), ...sums(verdict, by), ...boxNames(verdict, by)],
    places: new Map(places.map((place) => [place.id, placeMarks(place)])),
  };
}

function cardMarks(card) {
  if (card.standing === "aside") return outline(card.corners, "#8a8f98", 0.02 * sideOf(card.corners), true);
  const side = sideOf(card.corners);
  const line = 0.035 * side;
  const colour = colourOf(card);
  const nodes = outline(card.corners, colour, line, card.standing === "unsure");
  if (card.standing === "wrong") nodes.push(...cross(card.corners, RED, 1.6 * line));
  const size = 0.19 * side;
  if (card.label) {
    const words = card.standing === "unsure" ? `${card.label} ?` : card.label;
    nodes.push(label(words, spot(card.corners, 0.22, 0.17), size, colour));
  }
  if (card.standing === "back") nodes.push(label("↩", spot(card.corners, 0.8, 0.2), 1.1 * size, RED));
  if (card.points !== null && card.points !== undefined) nodes.push(label(`+${card.points}`, spot(card.corners, 0.8, 0.84), size, "#fff"));
  if (card.by_hand) nodes.push(label("✎", spot(card.corners, 0.2, 0.84), size, "#fff"));
  return nodes;
}

/** A place that is doubtful: its outline and its name. */
export function placeMarks(place) {
  const side = sideOf(place.corners);
  return [...outline(place.corners, YELLOW, 0.03 * side, true), label(place.label ?? "?", spot(place.corners, 0.22, 0.17), 0.19 * side, YELLOW)];
}

function* routes(verdict, by) {
  for (const [number, route] of (verdict.routes ?? []).entries()) {
    const cards = [route.start, ...route.valid].map((id) => by.get(id)).filter(Boolean);
    for (let i = 0; i + 1 < cards.length; i++) {
      const side = sideOf(cards[i].corners);
      yield arrow(middle(cards[i].corners), middle(cards[i + 1].corners), ROUTES[number % ROUTES.length], 0.09 * side);
    }
  }
}

function* sums(verdict, by) {
  for (const [number, route] of (verdict.routes ?? []).entries()) {
    const start = by.get(route.start);
    if (!start) continue;
    yield label(tn("match.points", route.points), spot(start.corners, 0.5, 0.84), 0.2 * sideOf(start.corners), ROUTES[number % ROUTES.length]);
  }
}

function* boxes(verdict, by) {
  for (const [number, box] of (verdict.boxes ?? []).entries()) {
    const cards = box.cards.map((id) => by.get(id)).filter(Boolean);
    const colour = BOXES[number % BOXES.length];
    for (const card of cards) {
      const d = path(card.corners);
      yield s("path", { d, fill: colour, "fill-opacity": box.closed ? 0.32 : 0.14, stroke: colour, "stroke-width": 0.02 * sideOf(card.corners) });
    }
  }
}

function* boxNames(verdict, by) {
  for (const [number, box] of (verdict.boxes ?? []).entries()) {
    const cards = box.cards.map((id) => by.get(id)).filter(Boolean);
    if (cards.length) {
      const words = box.winners.length ? `${number + 1}: ${tn("match.points", box.points)}` : t("board.box", { n: number + 1 });
      yield label(words, spot(cards[0].corners, 0.5, 0.94), 0.13 * sideOf(cards[0].corners), "#fff");
    }
  }
}

function* longest(verdict, by) {
  const cards = (verdict.longest_path ?? []).map((id) => by.get(id)).filter(Boolean);
  if (cards.length < 2) return;
  const d = path(cards.map((card) => middle(card.corners)), false);
  const width = 0.06 * sideOf(cards[0].corners);
  yield s("path", { d, fill: "none", stroke: "#fff", "stroke-width": 1.8 * width, "stroke-linejoin": "round", "stroke-linecap": "round" });
  yield s("path", { d, fill: "none", stroke: "#0072b2", "stroke-width": width, "stroke-dasharray": `${width} ${1.9 * width}`, "stroke-linecap": "round" });
}

/** Where two cards do not go together: a cross on the side where they meet. */
function* seams(verdict, by) {
  for (const [one, other] of [...(verdict.mismatches ?? []), ...(verdict.shifted ?? [])]) {
    const [a, b] = [by.get(one), by.get(other)];
    if (!a || !b) continue;
    const [p, q] = [middle(a.corners), middle(b.corners)];
    yield label("✗", [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2], 0.24 * sideOf(a.corners), RED);
  }
}
