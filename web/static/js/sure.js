// Ask before something is thrown away.

import { byId, h, redraw } from "./dom.js";

/** Resolves to whether they are sure. */
export function sure(question, yes, no) {
  const dialog = byId("sure");
  return new Promise((resolve) => {
    let answer = false;
    const say = (value) => {
      answer = value;
      dialog.close();
    };
    redraw(
      dialog,
      h("h2", { id: "sure-title" }, question),
      h(
        "div",
        { class: "actions" },
        h("button", { type: "button", class: "button danger", on: { click: () => say(true) } }, yes),
        h("button", { type: "button", class: "button", autofocus: true, on: { click: () => say(false) } }, no),
      ),
    );
    dialog.addEventListener("close", () => resolve(answer), { once: true });
    dialog.showModal();
  });
}
