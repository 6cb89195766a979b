// From a file to a table, with progress that people can see, cancel and try again.

import { ask, sendPhoto } from "./api.js";
import { h } from "./dom.js";
import { takenBy } from "./exif.js";
import { shrunk } from "./photo.js";
import { t } from "./start.js";

const SENT = 35; // per cent of the bar when the photo has been sent
const LOOK_EVERY = 350; // milliseconds
const QUEUED_MS = 1200; // from then on it is told that others are read first
const PATIENCE = 8; // looks that may fail before it is said that the server is away

let current = null;

/** Send `file`, with the fields that `known()` resolves to, and have it read as `wanted()` says; shows itself in `place`, then done(table id). A new file replaces an old one. */
export async function upload(place, file, known, wanted, done) {
  current?.abort();
  const stop = new AbortController();
  current = stop;
  const bar = progressBar(place, t("upload.shrinking"), stop);
  try {
    const blob = await shrunk(file);
    bar.say(t("upload.sending"));
    const photo = await sendPhoto(blob, (share) => bar.reach(SENT * share), stop.signal, { ...(await takenBy(file)), ...(await known()) });
    const table = await read({ photo: photo.id, ...(await wanted()) }, bar, stop.signal, SENT);
    if (!stop.signal.aborted) done(table);
  } catch (error) {
    if (error.name !== "AbortError" && !stop.signal.aborted) showFailure(place, error, () => upload(place, file, known, wanted, done));
  }
}

/** Read a photograph of a table again; resolves when it is done, or to null if it was cancelled. */
export async function readAgain(place, table, revision) {
  const stop = new AbortController();
  const bar = progressBar(place, t("upload.reading"), stop);
  try {
    return await read({ table, revision }, bar, stop.signal, 0);
  } catch (error) {
    if (error.name === "AbortError") return null;
    throw error;
  } finally {
    place.replaceChildren();
  }
}

function progressBar(place, first, stop) {
  const bar = h("progress", { max: 100, value: 0, "aria-label": first });
  const words = h("p", {}, first);
  const cancel = h("button", { type: "button", class: "button", on: { click: () => { stop.abort(); place.replaceChildren(); } } }, t("upload.cancel"));
  place.replaceChildren(h("div", { class: "progress" }, words, bar, cancel));
  place.scrollIntoView({ block: "center" });
  return {
    say(text) {
      if (words.textContent === text) return;
      words.textContent = text;
      bar.setAttribute("aria-label", text);
    },
    reach(value) {
      bar.value = Math.max(bar.value, value);
    },
  };
}

/** Begin a reading and follow it to its end; resolves to the id of the table. Whoever stops waiting cancels it. */
async function read(wanted, bar, signal, from) {
  let reading = await ask("POST", "/api/readings", wanted, { signal });
  const url = `/api/readings/${reading.id}`;
  const cancel = () => ask("DELETE", url).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const usual = Number(localStorage.getItem("reading-seconds")) || 3;
  const asked = performance.now();
  let began = asked;
  let failed = 0;
  while (!reading.done) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    try {
      reading = await ask("GET", url, null, { signal });
      failed = 0;
    } catch (error) {
      if (error.status !== 0 || ++failed > PATIENCE) throw error;
      continue;
    }
    const waits = reading.stage === reading.stages[0];
    if (waits) began = performance.now();
    const queued = waits && performance.now() - asked > QUEUED_MS; // for a moment it waits in any case
    bar.say(t(queued ? "upload.waiting" : reading.stages.indexOf(reading.stage) > reading.stages.indexOf("find") ? "upload.judging" : "upload.reading"));
    // Stages say little of the time that is left: within them the bar nears its end as time goes by.
    if (!waits) bar.reach(from + (97 - from) * (1 - Math.exp((-1.6 * (performance.now() - began)) / 1000 / usual)));
  }
  signal.removeEventListener("abort", cancel);
  if (reading.error) throw new ReadingError(reading.error);
  if (!reading.table) throw new DOMException("", "AbortError");
  localStorage.setItem("reading-seconds", String((performance.now() - began) / 1000));
  bar.reach(100);
  return reading.table;
}

class ReadingError extends Error {
  constructor(told) {
    super(told.message);
    this.code = told.code;
  }
}

/** A sentence about what went wrong, and a button to try again. */
export function showFailure(place, error, again) {
  place.replaceChildren(
    h(
      "div",
      { class: "notice bad", role: "alert" },
      h("p", {}, error.message || t("upload.failed")),
      again && h("button", { type: "button", class: "button", on: { click: again } }, t("upload.again")),
    ),
  );
}

/** Let a label with a file input inside be used by keyboard, and hand over the files chosen. */
export function wirePicker(input, chosen) {
  const take = () => {
    const file = input.files[0];
    input.value = "";
    if (file) chosen(file);
  };
  input.addEventListener("change", take);
  take(); // somebody may have been quicker than this script
}
