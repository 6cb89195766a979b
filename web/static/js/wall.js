// On the wall: a match or a table that is followed, large; its verdict step by step; keys for whoever stands there.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { byId, h, joined, redraw } from "./dom.js";
import { fit } from "./fit.js";
import { follow } from "./follow.js";
import { nextLanguage, speak, tellSpeech, toggleSpeech, wireKeys } from "./keys.js";
import { stageOf } from "./stage.js";
import { start, t, tn } from "./start.js";

const BADGE_MS = 4000;
const LOOK_AGAIN = 2500; // milliseconds
const faces = new Map();
let board = null;
let match = null;
let view = null;
let steps = [];
let move = []; // what was done last, in sentences
let at = -1; // the step that is shown; -1: the whole verdict
let frozen = false;
let looks = 0; // how often the server was asked
let again; // the timer that asks it once more
let seen = null;
let revision;
let there; // called when there is something to see
const ready = new Promise((resolve) => {
  there = resolve;
});

// -- what is followed

async function look() {
  if (frozen) return;
  const mine = ++looks;
  clearTimeout(again);
  try {
    if (start.match) {
      match = await ask("GET", `/api/matches/${start.match}`);
      await showTable(latest());
    } else await showTable(start.table);
    if (mine === looks) byId("connection").hidden = true;
  } catch (error) {
    if (error.status === undefined) throw error;
    if (mine !== looks) return; // what a later look says counts
    const lost = error.status === 0;
    byId("connection").hidden = !lost;
    if (lost) again = setTimeout(look, LOOK_AGAIN); // the stream may be open again and have nothing more to tell
    if (error.status === 404) showNothing(error.message);
  }
  showScores();
}

function latest() {
  const entries = match.entries.filter((entry) => entry.tables.length);
  return entries.at(-1)?.tables.at(-1)?.id ?? null;
}

async function showTable(id) {
  if (!id) {
    showNothing(t("wall.nothing"));
    return;
  }
  const now = await ask("GET", `/api/tables/${id}`);
  if (isShown(now)) return;
  if (!faces.size || view?.deck !== now.deck) {
    const deck = await ask("GET", `/api/decks/${encodeURIComponent(now.deck)}`);
    faces.clear();
    for (const face of deck.faces) faces.set(face.id, face);
  }
  const fresh = await ask("GET", `/api/tables/${id}/steps`);
  if (isShown(now)) return; // another look was quicker; whoever stands at the wall may be among its steps by now
  ({ steps, move } = fresh);
  const another = !view || view.id !== now.id;
  view = now;
  if (another) {
    byId("wall-board").replaceChildren();
    board = new Board(byId("wall-board"), faces, { card() {}, place() {}, tap() {} }, false);
  }
  at = -1;
  byId("wall-empty").hidden = true;
  byId("wall-board").hidden = false;
  show();
  badge(another);
  there();
}

function isShown(table) {
  return view && table.id === view.id && table.revision === view.revision && table.confirmed === view.confirmed;
}

function showNothing(words) {
  view = null;
  steps = [];
  byId("wall-board").hidden = true;
  byId("wall-empty").hidden = false;
  byId("wall-empty").textContent = words;
  redraw(byId("wall-say"));
  there();
}

/** Tell which cards have been recognised that were not there before. */
function badge(another) {
  const now = new Set(view.cards.map((card) => `${card.id} ${card.face}`));
  const fresh = view.cards.filter((card) => !another && seen && !seen.has(`${card.id} ${card.face}`));
  seen = now;
  if (!fresh.length) return;
  const words = fresh.length > 3 ? tn("wall.seen-many", fresh.length) : t("wall.seen", { cards: fresh.map((card) => card.label ?? card.id).join(", ") });
  const note = h("p", { class: "seen" }, `✓ ${words}`);
  byId("wall-badges").replaceChildren(note);
  board.light(fresh.map((card) => card.id));
  setTimeout(() => {
    note.remove();
    board.light([]);
  }, BADGE_MS);
}

// -- what is shown

function show() {
  if (!view) return;
  document.querySelector(".wall").classList.toggle("stepping", at >= 0);
  if (at < 0) {
    board.stage(null);
    board.show(view);
    board.refit();
    const [outcome, ...rest] = view.sentences;
    const idle = new Set((view.answer.verdict?.boxes ?? []).filter((box) => !Object.keys(box.cats).length).map((box) => box.cards.join()));
    const results = rest.filter((s) => s.about === "result");
    const busy = results.filter((s) => !idle.has(s.cards.join())); // boxes in which nobody has a cat come last
    const told = [...rest.filter((s) => s.about === "fault"), ...rest.filter((s) => s.about === "doubt"), ...busy, ...results.filter((s) => !busy.includes(s))];
    redraw(byId("wall-say"),
      h("p", { class: `wall-outcome ${view.outcome}` }, h("span", { class: "sign", "aria-hidden": "true" }, { valid: "✓", invalid: "✗", undetermined: "?" }[view.outcome]), outcome?.text ?? ""),
      move.length ? h("p", { class: "wall-move" }, joined(move.join(" "))) : null,
      told.slice(0, 3).map((s) => h("p", { class: `wall-line ${s.about}` }, joined(s.text))),
      view.confirmed || !view.entry ? null : h("p", { class: "wall-small" }, t("match.to-confirm")));
    fit(byId("wall-say"));
    speak(outcome?.text ?? "", start.language);
    return;
  }
  const step = steps[at];
  board.refit();
  const colours = new Map(steps.slice(0, at).flatMap((one) => (one.colour === null ? [] : one.lit.map((card) => [card, one.colour]))));
  board.stage(stageOf(step, view, colours));
  redraw(byId("wall-say"),
    h("p", { class: "wall-small" }, t("wall.step", { n: at + 1, of: steps.length })),
    h("p", { class: `wall-step${step.wrong.length ? " bad" : ""}` }, joined(step.text)),
    step.count ? h("p", { class: "wall-count" }, step.count) : null,
    step.rule ? h("p", { class: "wall-rule" }, h("b", {}, step.rule.id), ` ${step.rule.text}`) : null,
    step.ghosts.length ? h("p", { class: "wall-small" }, t("wall.ghost")) : null);
  fit(byId("wall-say"));
  speak(step.wrong.length && step.rule ? `${step.text} ${step.rule.text}` : step.text, start.language);
}

/** Under a camera: while something moves the last verdict is greyed, and it is said why. */
function showMoment(moment) {
  const restless = ["hand", "moving", "settling", "lost"].includes(moment);
  byId("wall-moment").hidden = !restless;
  if (restless) byId("wall-moment").textContent = t(`live.${moment}`);
  byId("wall-say").classList.toggle("old", restless && at < 0);
}

function showScores() {
  if (!match) return;
  const name = (key) => match.players.find((player) => player.key === key)?.name ?? key;
  const lines = [];
  if (match.over) lines.push(h("p", { class: "wall-turn" }, t(match.winners.length === 1 ? "match.winner" : "match.winners", { names: match.winners.map(name).join(", ") })));
  else if (match.turn) lines.push(h("p", { class: "wall-turn" }, t("match.turn", { name: name(match.turn) })));
  else if (match.rounds !== undefined) lines.push(h("p", { class: "wall-turn" }, t("match.round", { n: Math.min(match.rounds + 1, match.rounds_of), of: match.rounds_of })));
  redraw(byId("wall-scores"), lines,
    h("ol", { class: "plain" }, match.players.map((player) =>
      h("li", { class: `${player.key === match.turn ? "turn" : ""}${match.winners.includes(player.key) ? " won" : ""}` },
        h("span", { class: `chip chip-${player.colour}`, "aria-hidden": "true" }), h("span", { class: "who" }, player.name),
        h("b", {}, String(player.total ?? player.hand ?? "")), h("small", {}, player.total === undefined ? t("wall.in-hand") : "")))));
}

// -- keys

function go(to) {
  if (!steps.length) return;
  at = Math.max(-1, Math.min(steps.length - 1, to));
  board.light([]);
  show();
}

follow(start.events, (told) => {
  showMoment(told?.moment);
  if (told?.revision === undefined || told.revision !== revision) look();
  revision = told?.revision;
});
wireKeys({
  " ": () => go(at + 1 >= steps.length ? -1 : at + 1),
  arrowright: () => go(at + 1),
  arrowleft: () => go(at - 1),
  home: () => go(0),
  end: () => go(steps.length - 1),
  escape: () => go(-1),
  f: () => {
    frozen = !frozen;
    byId("wall-frozen").hidden = !frozen;
    if (!frozen) look();
  },
  l: () => nextLanguage(start.languages, start.language),
  s: () => {
    toggleSpeech();
    show();
  },
  "?": () => {
    byId("wall-keys").open = !byId("wall-keys").open;
  },
}, ready);
look();

tellSpeech();
