// What is in a lesson: tables, questions, answers; one's own can be changed.

import { ask } from "./api.js";
import { byId, h, redraw, toast } from "./dom.js";
import { facesOf, miniature, nextCard, story } from "./lesson-board.js";
import { forgetLesson, rememberLesson } from "./recent-lessons.js";
import { start, t } from "./start.js";

const url = `/api/lessons/${start.lesson}`;
let lesson = null;

async function load() {
  await show(await ask("GET", url));
}

async function show(now) {
  lesson = now;
  if (!lesson.ready) {
    rememberLesson(lesson);
    byId("title").textContent = lesson.title || t("lesson.untitled");
    if (!byId("name").matches(":focus")) byId("name").value = lesson.title;
  }
  const cards = await Promise.all(lesson.items.map((item, i) => itemCard(item, i)));
  redraw(byId("items"), cards);
}

async function save(title, items) {
  try {
    await show(await ask("PUT", url, { revision: lesson.revision, title, items }));
    toast(t("lesson.saved"));
  } catch (error) {
    toast(error.message, true);
    if (error.status === 409) await load();
  }
}

function changed(i, change) {
  return save(lesson.title, lesson.source.map((item, j) => (i === j ? { ...item, ...change } : item)));
}

function moved(i, by) {
  const items = [...lesson.source];
  const [item] = items.splice(i, 1);
  items.splice(i + by, 0, item);
  return save(lesson.title, items);
}

async function itemCard(item, i) {
  const faces = item.table ? await facesOf(item.deck, ask) : null;
  const small = (text, run, disabled) => h("button", { type: "button", class: "button", disabled, data: { key: `${text}-${i}` }, on: { click: run } }, text);
  const { keeps } = lesson.source[i];
  return h("li", { class: "lesson-item" },
    h("h2", {}, `${i + 1}. `, item.rule ? `${item.rule} ` : "", item.rule ? h("span", { class: `tag ${keeps ? "kept" : "broken"}` }, t(keeps ? "lesson.kept" : "lesson.broken")) : null),
    item.table ? miniature(item, faces) : story(item),
    item.agreed.map((line) => h("p", {}, line)),
    faces ? nextCard(item, faces) : null,
    lesson.ready
      ? h("p", {}, item.question)
      : h("p", {}, h("label", { for: `question-${i}` }, t("lesson.question")),
          h("select", { id: `question-${i}`, on: { change: (event) => changed(i, { question: event.target.value }) } },
            start.suits[item.game].map((kind) => h("option", { value: kind, selected: kind === item.kind }, t(`question.${kind}`))))),
    lesson.ready
      ? null
      : h("p", {}, h("label", { for: `note-${i}` }, t("lesson.note")), h("input", { id: `note-${i}`, maxlength: 500, value: item.note, on: { change: (event) => changed(i, { note: event.target.value }) } })),
    h("details", {}, h("summary", {}, t("lesson.answer")), h("p", { class: "answer" }, item.answer), item.reasons.map((line) => h("p", { class: "hint" }, line))),
    item.table?.photo ? h("p", { class: "hint" }, t("lesson.photo-stays")) : null,
    lesson.ready
      ? null
      : h("div", { class: "row" }, item.table?.photo ? small(t("lesson.without-photo"), () => changed(i, { photo: null })) : null, small(t("lesson.up"), () => moved(i, -1), i === 0), small(t("lesson.down"), () => moved(i, 1), i === lesson.items.length - 1), small(t("lesson.take-out"), () => save(lesson.title, lesson.source.filter((_, j) => j !== i)))));
}

byId("copy").addEventListener("click", async () => {
  try {
    const made = await ask("POST", "/api/lessons", { copy_of: start.lesson });
    rememberLesson(made);
    location.assign(`/lessons/${made.id}`);
  } catch (error) {
    toast(error.message, true);
  }
});
byId("name")?.addEventListener("change", (event) => save(event.target.value, lesson.source));
byId("delete")?.addEventListener("click", async () => {
  if (!confirm(t("lesson.delete-sure"))) return;
  try {
    await ask("DELETE", url);
    forgetLesson(start.lesson);
    location.assign("/lessons");
  } catch (error) {
    toast(error.message, true);
  }
});

load().catch((error) => toast(error.message, true));
