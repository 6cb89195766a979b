// From a file to a table, with progress that people can see, cancel and try again.

import { sendPhoto } from "./api.js";
import { h } from "./dom.js";
import { shrunk } from "./photo.js";
import { t } from "./start.js";

const REMEMBERED = "reading-seconds";

let current = null;

/** Send `file` and let `makeTable(photo)` read it; shows itself in `place`, then done(table). A new file replaces an old one. */
export async function upload(place, file, makeTable, done) {
  current?.abort();
  const stop = new AbortController();
  current = stop;
  const bar = h("progress", { max: 100, value: 0, "aria-label": t("upload.sending") });
  const words = h("p", {}, t("upload.shrinking"));
  const cancel = h("button", { type: "button", class: "button", on: { click: () => { stop.abort(); place.replaceChildren(); } } }, t("upload.cancel"));
  place.replaceChildren(h("div", { class: "progress" }, words, bar, cancel));
  place.scrollIntoView({ block: "nearest" });
  let ticking = 0;
  try {
    const blob = await shrunk(file);
    words.textContent = t("upload.sending");
    const photo = await sendPhoto(blob, (share) => (bar.value = 45 * share), stop.signal);
    words.textContent = t("upload.reading");
    bar.setAttribute("aria-label", t("upload.reading"));
    const began = performance.now();
    const usual = Number(localStorage.getItem(REMEMBERED)) || 5;
    // How far the reading is nobody knows: the bar nears its end as time goes by.
    ticking = setInterval(() => {
      bar.value = 45 + 54 * (1 - Math.exp((-1.6 * (performance.now() - began)) / 1000 / usual));
    }, 150);
    const table = await makeTable(photo, stop.signal);
    localStorage.setItem(REMEMBERED, String((performance.now() - began) / 1000));
    bar.value = 100;
    if (!stop.signal.aborted) done(table);
  } catch (error) {
    if (error.name !== "AbortError" && !stop.signal.aborted) showFailure(place, error, () => upload(place, file, makeTable, done));
  } finally {
    clearInterval(ticking);
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
  input.addEventListener("change", () => {
    const file = input.files[0];
    input.value = "";
    if (file) chosen(file);
  });
}
