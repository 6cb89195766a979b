// The lessons: ready ones are links already; own ones as this device knows them.

import { ask } from "./api.js";
import { byId, h, toast } from "./dom.js";
import { recentLessons, rememberLesson } from "./recent-lessons.js";
import { t, tn } from "./start.js";

const own = recentLessons();
byId("no-own").hidden = own.length > 0;
byId("own").replaceChildren(...own.map((lesson) => h("li", {}, h("a", { class: "button", href: `/lessons/${lesson.id}` }, `${lesson.title || t("lesson.untitled")} · ${tn("lesson.number", lesson.number)}`))));

async function make(lesson) {
  try {
    const made = await ask("POST", "/api/lessons", lesson);
    rememberLesson(made);
    location.assign(`/lessons/${made.id}`);
  } catch (error) {
    toast(error.message, true);
  }
}

byId("new").disabled = false;
byId("new").addEventListener("click", () => make({ title: "", items: [] }));
byId("import").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  event.target.value = "";
  if (!file) return;
  let lesson = null;
  try {
    lesson = JSON.parse(await file.text());
  } catch {
    // told below
  }
  if (!lesson || !Array.isArray(lesson.items)) toast(t("lesson.no-file"), true);
  else make({ title: String(lesson.title ?? ""), items: lesson.items });
});
