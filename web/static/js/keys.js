// Keys for whoever stands at the wall, the same on Latin and Cyrillic keyboards; looks; speech.

const SAME_KEY = { а: "f", и: "b", д: "l", і: "s", ы: "s", с: "c" };
const LOOKS = ["", "light", "dark", "contrast"];
const VOICES = { uk: "uk-UA", ru: "ru-RU", en: "en-GB" };

/** keys: {" ": run, f: run, ...}; buttons with `data-key-of` do the same. */
export function wireKeys(keys) {
  const all = { b: () => document.body.classList.toggle("blank"), c: nextLook, ...keys };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const key = event.key.toLowerCase();
    const run = all[SAME_KEY[key] ?? key];
    if (!run || ((key === " " || key === "enter") && event.target.closest("button, summary, a"))) return;
    event.preventDefault();
    run();
  });
  for (const button of document.querySelectorAll("[data-key-of]")) {
    button.addEventListener("click", () => {
      all[button.dataset.keyOf]();
      button.blur();
    });
  }
  setLook(localStorage.getItem("wall-look") ?? "");
}

function nextLook() {
  setLook(LOOKS[(LOOKS.indexOf(document.documentElement.dataset.look ?? "") + 1) % LOOKS.length]);
}

function setLook(name) {
  localStorage.setItem("wall-look", name);
  if (name) document.documentElement.dataset.look = name;
  else delete document.documentElement.dataset.look;
}

/** The same page in the next language. */
export function nextLanguage(languages, now) {
  const search = new URLSearchParams(location.search);
  search.set("lang", languages[(languages.indexOf(now) + 1) % languages.length]);
  location.search = search.toString();
}

let spoken = localStorage.getItem("wall-speech") === "yes";

/** Speak, if that is wanted. */
export function speak(words, language) {
  if (!spoken || !window.speechSynthesis) return;
  speechSynthesis.cancel();
  const told = new SpeechSynthesisUtterance(words);
  told.lang = VOICES[language];
  speechSynthesis.speak(told);
}

/** Speech on or off; tells which. */
export function toggleSpeech() {
  spoken = !spoken;
  localStorage.setItem("wall-speech", spoken ? "yes" : "no");
  if (!spoken) window.speechSynthesis?.cancel();
  return spoken;
}

export function isSpoken() {
  return spoken;
}
