// The lessons that this device has made or opened. Kept in the browser only.

const KEY = "lessons";
const MOST = 20;

export function recentLessons() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]").filter((lesson) => lesson.id);
  } catch {
    return [];
  }
}

export function rememberLesson(lesson) {
  const others = recentLessons().filter((other) => other.id !== lesson.id);
  localStorage.setItem(KEY, JSON.stringify([{ id: lesson.id, title: lesson.title, number: lesson.items.length }, ...others].slice(0, MOST)));
}

export function forgetLesson(id) {
  localStorage.setItem(KEY, JSON.stringify(recentLessons().filter((lesson) => lesson.id !== id)));
}
