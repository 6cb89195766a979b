// A quiz on a phone: the question, a tap, and in the end whether it was right. Nothing is kept but a count.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { byId, h, redraw, toast } from "./dom.js";
import { follow } from "./follow.js";
import { facesOf, lessonMarks, nextCard } from "./lesson-board.js";
import { start, t } from "./start.js";

const url = `/api/quizzes/${start.quiz}`;
let quiz = null;
let board = null;
let drawn = null;

const given = () => sessionStorage.getItem(`${start.quiz}-${quiz.at}`);

async function look() {
  try {
    await show(await ask("GET", url));
  } catch (error) {
    if (error.status === undefined) throw error;
    redraw(byId("said"), h("p", { class: "notice" }, error.status === 404 ? t("quiz.gone") : error.message));
  }
}

async function show(now) {
  quiz = now;
  const { item } = quiz;
  byId("number").textContent = t("quiz.of", { n: quiz.at + 1, of: quiz.of });
  byId("question").textContent = item.question;
  byId("quiz-board").hidden = !item.table;
  redraw(byId("story"), item.table ? [] : item.story.map((line) => h("li", {}, line)));
  const fresh = item.table?.cards.filter((card) => item.new.includes(card.id)).map((card) => card.label) ?? [];
  redraw(byId("next"),
    [item.note, ...item.agreed].filter(Boolean).map((line) => h("p", {}, line)),
    fresh.length ? h("p", { class: "hint" }, t("lesson.new-card", { cards: fresh.join(", ") })) : null,
    item.next ? nextCard(item, await facesOf(item.deck, ask)) : null);
  if (item.table && drawn !== quiz.at) await drawTable(item);
  if (item.table) board.stage(lessonMarks(item, quiz.revealed ? item.answers : []));
  redraw(byId("answer"), quiz.revealed ? [] : fields(item));
  redraw(byId("said"), said(item));
}

async function drawTable(item) {
  const faces = await facesOf(item.deck, ask);
  byId("quiz-board").replaceChildren();
  board = new Board(byId("quiz-board"), faces, { card: (id) => quiz.item.kind === "first-wrong" && answer(id), place() {}, tap() {} }, false);
  board.marks = false;
  board.show(item.table);
  drawn = quiz.at;
}

function said(item) {
  const mine = given();
  if (!quiz.revealed) return mine ? [h("p", {}, t("quiz.sent", { answer: name(mine) }), " ", t("quiz.wait"))] : [];
  const right = item.answers.includes(mine);
  const result = mine && h("p", { class: `quiz-result ${right ? "ok" : "bad"}` }, right ? t("quiz.right") : t("quiz.wrong", { answer: item.answer }));
  return [result || null, ...item.reasons.map((line) => h("p", {}, line))];
}

function name(choice) {
  return quiz.item.choices?.find((known) => known.value === choice)?.label ?? choice;
}

function fields(item) {
  if (!item.choices) {
    const input = h("input", { type: "number", id: "number-answer", min: 0, max: 999, inputmode: "numeric", value: given() ?? "", required: true });
    return [h("p", { class: "row" }, h("label", { for: "number-answer" }, t("quiz.number")), input, h("button", { class: "button primary" }, t("quiz.send")))];
  }
  return [h("div", { class: "choices" }, item.choices.map((choice) =>
    h("button", { type: "button", class: `button${choice.label.length > 3 ? " wide" : ""}`, "aria-pressed": String(choice.value === given()), data: { key: choice.value }, on: { click: () => answer(choice.value) } }, choice.label)))];
}

async function answer(choice) {
  const before = given();
  if (quiz.revealed || before === choice) return;
  try {
    const now = await ask("POST", `${url}/answers`, { at: quiz.at, choice, ...(before ? { instead_of: before } : {}) });
    sessionStorage.setItem(`${start.quiz}-${quiz.at}`, choice);
    await show(now);
  } catch (error) {
    toast(error.message, true);
    if (error.status === 409) await look();
  }
}

byId("answer").addEventListener("submit", (event) => {
  event.preventDefault();
  const number = byId("number-answer")?.value.trim();
  if (number) answer(String(Number(number)));
});

if (!sessionStorage.getItem(`${start.quiz}-joined`)) {
  sessionStorage.setItem(`${start.quiz}-joined`, "yes");
  ask("POST", `${url}/join`).catch(() => {});
}
follow(`${url}/events`, look);
look();
