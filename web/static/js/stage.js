// One step of a verdict drawn over the table: lit cards, a flying arrow, a ghost where the card should have lain.

import { s } from "./dom.js";
import { middle, sideOf } from "./geometry.js";
import { BOXES, ROUTES, arrow, cross, label, outline, path, shrunk } from "./overlay.js";

const RED = "#d55e00";
const YELLOW = "#f0e442";

const SIDES = { top: 0, right: 1, bottom: 2, left: 3 };

/** The walls of a box, drawn thick, and its toys counted. */
function* inside(card, face) {
  const side = sideOf(card.corners);
  const inner = shrunk(card.corners, 0.93);
  for (const wall of face?.walls ?? []) {
    const at = SIDES[wall];
    yield s("path", { d: path([inner[at], inner[(at + 1) % 4]], false), class: "wall-line-of-box", "stroke-width": 0.08 * side });
  }
  if (face?.toys) yield label(String(face.toys), middle(card.corners), 0.3 * side, "#fff");
}

/** The nodes of a step over a view; colours: of the cards that were lit in the steps before, by their ids. */
export function stageOf(step, view, faces, colours) {
  const by = new Map(view.cards.filter((card) => card.corners).map((card) => [card.id, card]));
  const found = (ids) => ids.map((id) => by.get(id)).filter(Boolean);
  const palette = view.game === "if-it-fits" ? BOXES : ROUTES;
  const colour = step.colour === null ? palette[0] : palette[step.colour % palette.length];
  const lit = new Set([...step.lit, ...step.wrong]);
  const nodes = [];
  for (const card of by.values()) {
    if (!lit.has(card.id) && (step.lit.length || step.wrong.length)) nodes.push(s("path", { d: path(card.corners), class: step.done.includes(card.id) ? "was" : "dim" }));
  }
  for (const card of found(step.done)) {
    const before = colours.has(card.id) ? palette[colours.get(card.id) % palette.length] : colour;
    nodes.push(s("path", { d: path(card.corners), class: "lit", fill: before }), ...outline(card.corners, before, 0.03 * sideOf(card.corners)));
  }
  for (const card of found(step.lit)) {
    nodes.push(s("path", { d: path(card.corners), class: "lit", fill: colour }));
    nodes.push(...outline(card.corners, step.trace.length ? YELLOW : colour, 0.06 * sideOf(card.corners)));
    if (view.game === "if-it-fits" && !step.wrong.length) nodes.push(...inside(card, faces.get(card.face)));
  }
  for (const line of step.trace) {
    const width = 0.055 * sideOf(by.values().next().value.corners);
    nodes.push(s("path", { d: path(line, false), class: "trace-rim", "stroke-width": 1.9 * width }));
  }
  for (const [i, line] of step.trace.entries()) {
    const width = 0.055 * sideOf(by.values().next().value.corners);
    nodes.push(s("path", { d: path(line, false), class: i === step.trace.length - 1 ? "trace newest" : "trace", "stroke-width": width }));
  }
  for (const card of found(step.wrong)) {
    nodes.push(...outline(card.corners, RED, 0.07 * sideOf(card.corners)), ...cross(card.corners, RED, 0.07 * sideOf(card.corners)));
  }
  for (const corners of step.ghosts) {
    const side = sideOf(corners);
    nodes.push(s("g", { class: "ghost-card" },
      s("path", { d: path(corners), class: "ghost-fill", "stroke-width": 0.05 * side, "stroke-dasharray": `${0.14 * side} ${0.1 * side}` }),
      label("✓", middle(corners), 0.34 * side, "#fff")));
  }
  if (step.arrow) {
    const [from, to] = found(step.arrow);
    if (from && to) {
      const flying = arrow(middle(from.corners), middle(to.corners), YELLOW, 0.16 * sideOf(from.corners));
      const [dx, dy] = [0, 1].map((axis) => 0.5 * (middle(from.corners)[axis] - middle(to.corners)[axis]));
      const holder = s("g", { class: "flying" }, flying);
      holder.style.setProperty("--dx", `${dx}px`);
      holder.style.setProperty("--dy", `${dy}px`);
      nodes.push(holder);
    }
  }
  return nodes;
}
