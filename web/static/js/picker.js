// Which card is it? Likely faces first, then the whole deck as pictures; turning, taking away, saying that it is right.

import { byId, h, redraw } from "./dom.js";
import { t } from "./start.js";

const GROUPS = ["start", "finish", "one-arrow", "two-arrows", "path", "start-box", "box", "toy", "awake", "asleep", "princess"];

function faceButton(face, chosen, choose) {
  return h(
    "button",
    { type: "button", class: `face${chosen ? " chosen" : ""}`, "aria-pressed": chosen ? "true" : "false", "aria-label": face.words, title: face.words, data: { face: face.id }, on: { click: () => choose(face.id) } },
    face.picture ? h("img", { src: face.picture, alt: "", loading: "lazy" }) : h("span", {}, face.id),
  );
}

/** The faces of a deck under headings; choose(id). */
export function faceGroups(deck, current, choose, decorate = (button) => button) {
  return GROUPS.map((group) => {
    const faces = deck.faces.filter((face) => face.group === group);
    if (!faces.length) return null;
    return h("section", { class: "faces-group" }, h("h3", {}, t(`group.${group}`)), h("div", { class: "faces" }, faces.map((face) => decorate(faceButton(face, face.id === current, choose), face))));
  }).filter(Boolean);
}

/**
 * Open the dialog. options: {title, deck, current, likely, actions: [{text, run, kind}], owner: {players, value, set}}.
 * Resolves to the id of the chosen face, or null when something else was done.
 */
export function pick({ title, deck, current, likely = [], actions = [], owner }) {
  const dialog = byId("picker");
  return new Promise((resolve) => {
    let answer = null;
    const choose = (face) => {
      answer = face;
      dialog.close();
    };
    const known = likely.map((id) => deck.faces.find((face) => face.id === id)).filter(Boolean);
    redraw(
      dialog,
      h(
        "div",
        { class: "picker-head" },
        h("h2", { id: "picker-title" }, title),
        h("button", { type: "button", class: "button icon", "aria-label": t("picker.close"), title: t("picker.close"), on: { click: () => dialog.close() } }, "✕"),
      ),
      actions.length > 0 &&
        h(
          "div",
          { class: "actions" },
          actions.map((action) =>
            h("button", { type: "button", class: `button ${action.kind ?? ""}`, on: { click: () => { if (action.stay) action.run(); else { dialog.close(); action.run(); } } } }, action.text),
          ),
        ),
      owner &&
        h(
          "p",
          {},
          h("label", { for: "owner" }, t("picker.owner"), " "),
          h(
            "select",
            { id: "owner", on: { change: (event) => owner.set(event.target.value) } },
            h("option", { value: "" }, t("picker.nobody")),
            owner.players.map((player) => h("option", { value: player.key, selected: player.key === owner.value }, player.name)),
          ),
        ),
      known.length > 0 && h("section", { class: "faces-group" }, h("h3", {}, t("picker.likely")), h("div", { class: "faces likely" }, known.map((face) => faceButton(face, face.id === current, choose)))),
      h("h3", {}, t("picker.all")),
      ...faceGroups(deck, current, choose),
    );
    dialog.addEventListener("close", () => resolve(answer), { once: true });
    dialog.onclick = (event) => {
      if (event.target === dialog) dialog.close();
    };
    dialog.showModal();
    dialog.scrollTop = 0;
  });
}
