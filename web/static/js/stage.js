// One step of a verdict drawn over the table: lit cards, a flying arrow, a ghost where the card should have lain.

import { s } from "./dom.js";
import { middle, sideOf } from "./geometry.js";
import { BOXES, ROUTES, arrow, cross, label, outline, path, placeMarks } from "./overlay.js";

const RED = "#d55e00";
const YELLOW = "#f0e442";

const PATHS = { red: "#d62828", blue: "#1d5fd6", green: "#14804a", yellow: "#f5c400", orange: "#ef7d00", purple: "#8e44ad", violet: "#8e44ad", pink: "#e667a0", brown: "#7b4a21", black: "#111", white: "#fff", grey: "#777" };

/** Where a box ends: walls thick and whole; gaps dashed. */
function* borders(step, side) {
  for (const line of step.walls) {
    yield s("path", { d: path(line, false), class: "wall-rim", "stroke-width": 0.085 * side });
    yield s("path", { d: path(line, false), class: "wall-line-of-box", "stroke-width": 0.055 * side });
  }
  for (const line of step.gaps) {
    yield s("path", { d: path(line, false), class: "gap-rim", "stroke-width": 0.09 * side });
    yield s("path", { d: path(line, false), class: "gap-of-box", "stroke-width": 0.055 * side, "stroke-dasharray": `${0.1 * side} ${0.09 * side}` });
  }
}

/** Signs: a join as a dot in the colour of its path, anything else as a label. */
function* signs(step, side) {
  for (const mark of step.marks) {
    const [x, y] = mark.at;
    if (!mark.colour) yield label(mark.text, mark.at, 0.24 * side, "#fff");
    else {
      const size = 0.1 * side;
      yield s("circle", { cx: x, cy: y, r: size, class: "join-dot", fill: PATHS[mark.colour] ?? PATHS.grey, "stroke-width": 0.25 * size });
      if (mark.text) yield s("text", { x, y, class: "join-number", "font-size": 1.25 * size, "text-anchor": "middle", "dominant-baseline": "central", "stroke-width": 0.3 * size }, mark.text);
    }
  }
}

/** The nodes of a step over a view; colours: of the cards that were lit in the steps before, by their ids. */
export function stageOf(step, view, colours) {
  const by = new Map(view.cards.filter((card) => card.corners).map((card) => [card.id, card]));
  const found = (ids) => ids.map((id) => by.get(id)).filter(Boolean);
  const palette = view.game === "if-it-fits" ? BOXES : ROUTES;
  const colour = step.colour === null ? palette[0] : palette[step.colour % palette.length];
  const lit = new Set([...step.lit, ...step.wrong]);
  const nodes = [];
  for (const card of by.values()) {
    if (!lit.has(card.id) && (step.lit.length || step.wrong.length || step.places.length)) nodes.push(s("path", { d: path(card.corners), class: step.done.includes(card.id) ? "was" : "dim" }));
  }
  for (const card of found(step.done)) {
    const before = colours.has(card.id) ? palette[colours.get(card.id) % palette.length] : colour;
    nodes.push(s("path", { d: path(card.corners), class: "lit", fill: before }), ...outline(card.corners, before, 0.03 * sideOf(card.corners)));
  }
  for (const card of found(step.lit)) {
    nodes.push(s("path", { d: path(card.corners), class: "lit", fill: colour }));
    const width = step.walls.length || step.gaps.length ? 0.015 : 0.06; // a box has its walls instead
    nodes.push(...outline(card.corners, step.trace.length ? YELLOW : colour, width * sideOf(card.corners)));
  }
  const side = by.size ? sideOf(by.values().next().value.corners) : 1;
  for (const line of step.trace) nodes.push(s("path", { d: path(line, false), class: "trace-rim", "stroke-width": 0.105 * side }));
  for (const [i, line] of step.trace.entries()) nodes.push(s("path", { d: path(line, false), class: i === step.trace.length - 1 ? "trace newest" : "trace", "stroke-width": 0.055 * side }));
  nodes.push(...borders(step, side), ...signs(step, side));
  for (const card of found(step.wrong)) {
    nodes.push(...outline(card.corners, RED, 0.07 * sideOf(card.corners)), ...cross(card.corners, RED, 0.07 * sideOf(card.corners)));
  }
  for (const place of step.places) nodes.push(...placeMarks(place));
  for (const corners of step.ghosts) {
    const width = sideOf(corners);
    nodes.push(s("g", { class: "ghost-card" },
      s("path", { d: path(corners), class: "ghost-fill", "stroke-width": 0.05 * width, "stroke-dasharray": `${0.14 * width} ${0.1 * width}` }),
      label("✓", middle(corners), 0.34 * width, "#fff")));
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
