// A lesson on the wall: a table and its question, then the answer step by step; phones may answer.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { byId, h, redraw, toast } from "./dom.js";
import { fit } from "./fit.js";
import { follow } from "./follow.js";
import { nextLanguage, speak, tellSpeech, toggleSpeech, wireKeys } from "./keys.js";
import { facesOf, lessonMarks, nextCard } from "./lesson-board.js";
import { stageOf } from "./stage.js";
import { start, t, tn } from "./start.js";

const HERE = new Set(["localhost", "127.0.0.1", "[::1]"]); // names that lead a phone to itself
let items = [];
let at = Number(new URLSearchParams(location.search).get("at")) || 0;
let stage = 0; // 0: the question; 1: the answer; from 2 on: its steps
let board = null;
let drawn = -1;
let faces = null;
let quiz = null;
let began = -1; // the table at which phones were asked to join
let key = null;

async function show() {
  const item = items[at];
  byId("wall-board").hidden = !item?.table;
  byId("wall-story").hidden = Boolean(item?.table);
  if (!item) {
    redraw(byId("wall-say"), h("p", { class: "wall-step" }, t("lesson.no-own")));
    return;
  }
  if (item.table) await drawTable(item);
  else {
    redraw(byId("wall-story"), h("ol", { class: "plain wall-story" }, item.story.map((line) => h("li", {}, line))));
    fit(byId("wall-story"));
  }
  redraw(byId("wall-say"), words(item));
  fit(byId("wall-say"));
  speak(stage === 0 ? item.question : stage === 1 ? item.answer : item.steps[stage - 2].text, start.language);
}

async function drawTable(item) {
  faces = await facesOf(item.deck, ask);
  if (drawn !== at) {
    byId("wall-board").replaceChildren();
    board = new Board(byId("wall-board"), faces, { card() {}, place() {}, tap() {} }, false);
    board.marks = false;
    board.show(item.table);
    drawn = at;
  }
  const step = stage > 1 ? item.steps[stage - 2] : stage === 1 ? wrongCard(item) : null;
  board.stage([...(step ? stageOf(step, item.table, new Map()) : []), ...lessonMarks(item, stage > 0 ? item.answers : [])]);
}

/** At the answer: the card that is the first wrong one, crossed out. */
function wrongCard(item) {
  const wrong = item.kind === "first-wrong" ? item.answers.filter((card) => card !== "none") : [];
  return { lit: [], done: [], wrong, ghosts: [], trace: [], walls: [], gaps: [], marks: [], places: [], arrow: null, colour: null };
}

function words(item) {
  const step = stage > 1 ? item.steps[stage - 2] : null;
  const fresh = item.table?.cards.filter((card) => item.new.includes(card.id)).map((card) => card.label) ?? [];
  return [
    h("p", { class: "wall-small" }, t("quiz.of", { n: at + 1, of: items.length }), stage && item.rule ? ` · ${item.rule}` : ""),
    h("p", { class: "wall-step" }, item.question),
    item.note ? h("p", { class: "wall-line" }, item.note) : null,
    item.agreed.map((line) => h("p", { class: "wall-line" }, line)),
    faces && stage < 2 ? nextCard(item, faces) : null,
    fresh.length && stage === 0 ? h("p", { class: "wall-small" }, t("lesson.new-card", { cards: fresh.join(", ") })) : null,
    stage === 1 ? h("p", { class: "wall-count" }, item.answer) : null,
    stage === 1 ? item.reasons.map((line) => h("p", { class: "wall-line" }, line)) : null,
    step ? h("p", { class: `wall-step${step.wrong.length ? " bad" : ""}` }, step.text) : null,
    step?.count ? h("p", { class: "wall-count" }, step.count) : null,
    step?.rule ? h("p", { class: "wall-rule" }, h("b", {}, step.rule.id), ` ${step.rule.text}`) : null,
  ];
}

async function next() {
  if (!items[at]) return;
  if (stage === 0) stage = 1;
  else if (stage - 1 < items[at].steps.length) stage += 1;
  else nextTable();
  await told();
}

function nextTable() {
  if (at + 1 < items.length) [at, stage] = [at + 1, 0];
}

async function back() {
  if (stage > 0) stage -= 1;
  else if (at > 0) [at, stage] = [at - 1, 0];
  await told();
}

async function told() {
  await show();
  if (quiz && items[at] && (quiz.at !== at || quiz.revealed !== stage > 0)) await lead({ at, revealed: stage > 0 });
}

// -- phones

async function lead(change) {
  try {
    showQuiz(await ask("PUT", `/api/quizzes/${quiz.id}`, { key, ...change }));
  } catch (error) {
    toast(error.message, true);
  }
}

async function begin() {
  await loaded; // who is quick asks phones before the tables are there
  try {
    quiz = await ask("POST", "/api/quizzes", { lesson: start.lesson });
    key = quiz.key;
    began = at;
    byId("begin-quiz").hidden = true;
    follow(`/api/quizzes/${quiz.id}/events`, async () => showQuiz(await ask("GET", `/api/quizzes/${quiz.id}`)));
    showQuiz(quiz);
    await told();
  } catch (error) {
    toast(error.message, true);
  }
}

function showQuiz(now) {
  if (now.revision < quiz.revision) return;
  quiz = now;
  const item = items[quiz.at];
  const name = (choice) => item.choices?.find((known) => known.value === choice)?.label ?? choice;
  const right = (choice) => item.answers.includes(choice);
  const most = Math.max(1, ...Object.values(quiz.tally ?? {}));
  const link = new URL(`/quiz/${quiz.id}`, start.home ?? location.origin).href;
  const alone = !start.home && HERE.has(location.hostname);
  redraw(byId("quiz"),
    h("p", { class: "row" },
      at === began && !quiz.revealed ? h("img", { class: "qr", src: `/quiz/${quiz.id}/qr.svg`, alt: link, width: 220, height: 220 }) : null,
      h("a", { href: link, class: "wall-small" }, link)), // who comes late finds the way in all the same
    alone && !quiz.joined ? h("p", { class: "wall-small" }, t("match.join-local")) : null,
    h("p", { class: "wall-small" }, `${tn("lesson.joined", quiz.joined)} · ${tn("lesson.given", quiz.given)}`),
    quiz.tally ? h("ul", { class: "plain tally" }, Object.entries(quiz.tally).sort((a, b) => b[1] - a[1]).map(([choice, n]) =>
      h("li", { class: right(choice) ? "right" : "" }, h("span", {}, `${right(choice) ? "✓ " : ""}${name(choice)}`), h("meter", { min: 0, max: most, value: String(n), "aria-label": name(choice) }), h("b", {}, String(n))))) : null);
}

byId("begin-quiz").addEventListener("click", begin);
const loaded = ask("GET", `/api/lessons/${start.lesson}`).then((lesson) => {
  items = lesson.items;
  return show();
}).catch((error) => toast(error.message, true));

wireKeys({
  " ": next,
  arrowright: next,
  arrowleft: back,
  end: async () => {
    nextTable();
    await told();
  },
  l: () => nextLanguage(start.languages, start.language),
  s: () => {
    toggleSpeech();
    show();
  },
}, loaded);
tellSpeech();
