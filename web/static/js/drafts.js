// Which decks were begun on this device.

const KEY = "drafts";

export function begunDrafts() {
  try {
    const known = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(known) ? known : [];
  } catch {
    return [];
  }
}

export function rememberDraft(id) {
  localStorage.setItem(KEY, JSON.stringify([id, ...begunDrafts().filter((known) => known !== id)].slice(0, 20)));
}

export function forgetDraft(id) {
  localStorage.setItem(KEY, JSON.stringify(begunDrafts().filter((known) => known !== id)));
}
