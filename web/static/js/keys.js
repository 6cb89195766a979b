// Keys for whoever stands at the wall, the same on Latin and Cyrillic keyboards; looks; speech.

import { byId } from "./dom.js";
import { start, t } from "./start.js";

const SAME_KEY = { а: "f", и: "b", д: "l", і: "s", ы: "s", с: "c" };
const LOOKS = ["", "light", "dark", "contrast"];
const VOICES = { uk: "uk-UA", ru: "ru-RU", en: "en-GB" };

const STEPS = new Set([" ", "arrowright", "arrowleft", "home", "end", "escape"]);

/**
 * keys: {" ": run, f: run, ...}; buttons with `data-key-of` do the same. Keys for steps are kept until `ready`, a
 * promise, has come true; so are keys that were pressed before this page listened.
 */
export function wireKeys(keys, ready) {
  const all = { b: () => document.body.classList.toggle("blank"), c: nextLook, ...keys };
  let kept = [];
  const press = (name) => {
    if (kept && STEPS.has(name)) kept.push(all[name]);
    else all[name]();
  };
  const named = (key) => SAME_KEY[key.toLowerCase()] ?? key.toLowerCase();
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const name = named(event.key);
    if (!all[name] || ((name === " " || name === "enter") && event.target.closest("button, summary, a"))) return;
    event.preventDefault();
    press(name);
  });
  for (const key of window.takeEarlyKeys?.() ?? []) {
    if (all[named(key)]) press(named(key));
  }
  ready.finally(async () => {
    for (const run of kept) await run();
    kept = null;
  });
  for (const button of document.querySelectorAll("[data-key-of]")) {
    button.addEventListener("click", () => {
      press(button.dataset.keyOf);
      button.blur();
    });
  }
  setLook(localStorage.getItem("wall-look") ?? (matchMedia("(prefers-contrast: more)").matches ? "contrast" : ""));
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

/** Speak, if that is wanted and this device has a voice for the language. */
export function speak(words, language) {
  if (!spoken || !canSpeak(language)) return;
  speechSynthesis.cancel();
  const told = new SpeechSynthesisUtterance(words);
  told.lang = VOICES[language];
  told.voice = voices(language)[0] ?? null;
  speechSynthesis.speak(told);
}

/** Speech on or off, and the note of it. */
export function toggleSpeech() {
  spoken = !spoken;
  localStorage.setItem("wall-speech", spoken ? "yes" : "no");
  if (!spoken) window.speechSynthesis?.cancel();
  tellSpeech();
}

/** Keep the page's note of whether it speaks, or why it cannot. */
export function tellSpeech() {
  byId("wall-spoken").hidden = !spoken;
  byId("wall-spoken").textContent = t(canSpeak(start.language) ? "wall.spoken" : "wall.no-voice");
  if (window.speechSynthesis) speechSynthesis.onvoiceschanged = tellSpeech;
}

function canSpeak(language) {
  if (!window.speechSynthesis) return false;
  return !speechSynthesis.getVoices().length || voices(language).length > 0; // some browsers name no voices at first
}

/** The voices of a language, the best fitting first: another language's voice makes a hash of the words. */
function voices(language) {
  const fitting = speechSynthesis.getVoices().filter((voice) => voice.lang.toLowerCase().startsWith(language));
  return fitting.sort((a, b) => Number(b.lang.replace("_", "-") === VOICES[language]) - Number(a.lang.replace("_", "-") === VOICES[language]));
}
