// A lesson's table as a picture: cards numbered, places with letters, nothing given away.

import { h, s } from "./dom.js";
import { middle, sideOf } from "./geometry.js";
import { label, path } from "./overlay.js";
import { t } from "./start.js";

const decks = new Map();

/** The faces of a deck by their ids; each deck is asked for once. */
export async function facesOf(key, ask) {
  if (!decks.has(key)) {
    const deck = await ask("GET", `/api/decks/${encodeURIComponent(key)}`);
    decks.set(key, new Map(deck.faces.map((face) => [face.id, face])));
  }
  return decks.get(key);
}

function upperLeft(corners) {
  const first = corners.reduce((best, corner) => (corner[0] + corner[1] < best[0] + best[1] ? corner : best));
  const [cx, cy] = middle(corners);
  return [first[0] + 0.3 * (cx - first[0]), first[1] + 0.3 * (cy - first[1])];
}

/** Numbers of cards, letters of places, an outline round what is new; answers: the places that are right, if told. */
export function lessonMarks(item, answers = []) {
  const nodes = [];
  if (item.table.edge) nodes.push(s("path", { d: path(item.table.edge), class: "table-edge" }));
  for (const card of item.table.cards) {
    const side = sideOf(card.corners);
    if (item.new.includes(card.id)) nodes.push(s("path", { d: path(card.corners), class: "new-card", "stroke-width": 0.08 * side }));
    nodes.push(label(card.label, upperLeft(card.corners), 0.2 * side, "#fff"));
  }
  for (const slot of item.slots) {
    const side = sideOf(slot.corners);
    nodes.push(s("path", { d: path(slot.corners), class: `slot-shape${answers.includes(slot.value) ? " right" : ""}`, "stroke-width": 0.04 * side, "stroke-dasharray": `${0.11 * side} ${0.08 * side}` }));
    nodes.push(label(answers.includes(slot.value) ? `${slot.value} ✓` : slot.value, middle(slot.corners), 0.34 * side, "#fff"));
  }
  return nodes;
}

/** A small picture of the table: of its photograph the part with the cards. */
export function miniature(item, faces) {
  const { table } = item;
  const all = [...table.cards.flatMap((card) => card.corners), ...table.around, ...(table.edge ?? [])];
  const [xs, ys] = [0, 1].map((axis) => all.map((point) => point[axis]));
  const pad = (table.photo ? 0.4 : 0.12) * sideOf(table.cards[0]?.corners ?? [[0, 0], [64, 0]]);
  const box = [Math.min(...xs) - pad, Math.min(...ys) - pad, Math.max(...xs) - Math.min(...xs) + 2 * pad, Math.max(...ys) - Math.min(...ys) + 2 * pad];
  const over = (card) => Number(["awake", "princess"].includes(faces.get(card.face)?.group));
  const cards = [...table.cards].sort((a, b) => over(a) - over(b));
  return s("svg", { class: "mini", viewBox: box.join(" "), role: "img", "aria-label": cards.map((card) => `${card.label}: ${faces.get(card.face)?.words ?? card.face}`).join("; ") },
    table.photo ? s("image", { href: table.photo.url, width: table.photo.width, height: table.photo.height }) : null,
    cards.map((card) => (table.photo ? s("path", { d: path(card.corners), class: "photo-card", "stroke-width": 0.02 * sideOf(card.corners) }) : drawn(card, faces))),
    lessonMarks(item));
}

function drawn(card, faces) {
  const [a, b, , d] = card.corners;
  const picture = faces.get(card.face)?.picture;
  return picture
    ? s("g", { transform: `matrix(${[b[0] - a[0], b[1] - a[1], d[0] - a[0], d[1] - a[1], a[0], a[1]].join(" ")})` }, s("image", { href: picture, width: 1, height: 1, preserveAspectRatio: "none" }))
    : s("path", { d: path(card.corners), class: "blank-card" });
}

/** The card that is laid next, where the question is about a certain one; null if not. */
export function nextCard(item, faces) {
  if (!item.next) return null;
  const face = faces.get(item.next.face);
  const picture = face?.picture ? h("img", { src: face.picture, alt: face.words ?? item.next.face }) : h("b", {}, face?.words ?? item.next.face);
  return h("p", { class: "next-card" }, h("span", {}, t("lesson.next")), picture, item.next.hint ? h("small", {}, item.next.hint) : null);
}

export function story(item) {
  return h("ol", { class: "plain story" }, item.story.map((line) => h("li", {}, line)));
}
