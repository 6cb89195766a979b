// What a face shows, put right by tapping: arrows, points, path ends, walls, toys, whose cat; its cards; its picture.

import { byId, h, redraw } from "./dom.js";
import { endsEditor } from "./ends-editor.js";
import { start, t } from "./start.js";

const KINDS = {
  "cat-and-mouse": { move: "draft.kind-move", start: "draft.kind-start", finish: "draft.kind-finish" },
  "coloured-paths": { path: "draft.kind-path" },
  "if-it-fits": { box: "draft.kind-box", start: "draft.kind-start", toy: "draft.kind-toy", cat: "draft.kind-cat", princess: "draft.kind-princess" },
};
const ARROWS = { up: ["↑", "draft.up"], right: ["→", "draft.right"], down: ["↓", "draft.down"], left: ["←", "draft.left"] };
const WALLS = { top: ["▀", "draft.wall-top"], right: ["▐", "draft.wall-right"], bottom: ["▄", "draft.wall-bottom"], left: ["▌", "draft.wall-left"] };
const PLAIN = { arrows: ["up"], points: 1, walls: [], toys: 0, player: "red", asleep: false };

/**
 * Open the editor of a face. on: {save(features), split(numbers), remove(), retake(files)}.
 * Resolves to "next", "done", or null when it was closed without an answer.
 */
export function editFace(draft, face, on) {
  const dialog = byId("editor");
  const now = { ...PLAIN, ...structuredClone(face) };
  return new Promise((resolve) => {
    let answer = null;
    const end = (value) => {
      answer = value;
      dialog.close();
    };

    function draw() {
      redraw(
        dialog,
        h(
          "div",
          { class: "editor-head" },
          h("h2", { id: "editor-title" }, face.words),
          h("button", { type: "button", class: "button icon", "aria-label": t("draft.close"), title: t("draft.close"), data: { key: "close" }, on: { click: () => end(null) } }, "✕"),
        ),
        h("div", { class: "editor" }, picture(), h("div", {}, fields(), more())),
        h(
          "div",
          { class: "actions editor-end" },
          h("button", { type: "button", class: "button big primary", data: { key: "ok" }, on: { click: () => save("next") } }, t(draft.faces.some((other) => other.needs_review && other.id !== face.id) ? "draft.ok-next" : "draft.ok")),
        ),
      );
    }

    async function save(next) {
      if (await on.save(features())) end(next);
    }

    function features() {
      const own = { move: ["arrows", "points"], path: ["strands"], box: ["walls", "toys"], toy: ["walls", "toys"], cat: ["player", "asleep"] };
      const names = now.kind === "start" && draft.game === "if-it-fits" ? ["walls", "toys"] : (own[now.kind] ?? []);
      return { kind: now.kind, count: now.count, ...Object.fromEntries(names.map((name) => [name, now[name]])) };
    }

    function set(name, value) {
      now[name] = value;
      draw();
    }

    function picture() {
      const image = h("img", { src: face.picture, alt: face.words });
      return h("div", { class: "card-picture" }, image, now.kind === "path" ? editor.buttons() : null);
    }

    const editor = face.kind === "path" ? endsEditor(now, draft.colours, draw) : null;

    function fields() {
      const kinds = Object.entries(KINDS[draft.game]);
      const boxy = now.kind === "box" || now.kind === "toy" || (now.kind === "start" && draft.game === "if-it-fits");
      return [
        kinds.length > 1 && group("draft.kind", choices("kind", kinds.map(([kind, key]) => [kind, t(key)]))),
        now.kind === "move" && h("div", { class: "two" }, group("draft.arrows", pad(ARROWS, "arrows", "")), group("draft.points", stepper("points", 0, 99))),
        boxy && h("div", { class: "two" }, group("draft.walls", pad(WALLS, "walls", " walls")), group("draft.toys", stepper("toys", 0, 99))),
        now.kind === "cat" && group("draft.player", choices("player", draft.colours.map(({ name }) => [name, start.texts[`colour.${name}`] ?? name]), true)),
        now.kind === "cat" && group("draft.asleep", choices("asleep", [[false, t("draft.awake")], [true, t("draft.asleep")]])),
        now.kind === "path" && editor.fields(),
        group("draft.count", stepper("count", 1, 999)),
      ];
    }

    function group(key, content) {
      return h("fieldset", {}, h("legend", {}, t(key)), content);
    }

    function choices(name, values, chips = false) {
      return h(
        "div",
        { class: "options" },
        values.map(([value, words]) =>
          h("button", { type: "button", class: "option", "aria-pressed": String(now[name] === value), data: { key: `${name}-${value}` }, on: { click: () => set(name, value) } }, chips && h("span", { class: `chip chip-${value}`, "aria-hidden": "true" }), words),
        ),
      );
    }

    function pad(sides, name, extra) {
      return h(
        "div",
        { class: `pad${extra}` },
        Object.entries(sides).map(([side, [sign, key]]) =>
          h("button", { type: "button", class: "option", "aria-pressed": String(now[name].includes(side)), "aria-label": t(key), title: t(key), data: { key: `${name}-${side}`, side }, on: { click: () => set(name, toggled(now[name], side, Object.keys(sides), name === "arrows" ? 2 : 4)) } }, h("span", { "aria-hidden": "true" }, sign)),
        ),
      );
    }

    function stepper(name, least, most) {
      const step = (by) => set(name, Math.min(most, Math.max(least, now[name] + by)));
      return h(
        "div",
        { class: "stepper" },
        h("button", { type: "button", class: "button icon", "aria-label": t("draft.less"), disabled: now[name] <= least, data: { key: `${name}-less` }, on: { click: () => step(-1) } }, "−"),
        h("output", { "aria-live": "polite" }, String(now[name])),
        h("button", { type: "button", class: "button icon", "aria-label": t("draft.more"), disabled: now[name] >= most, data: { key: `${name}-more` }, on: { click: () => step(1) } }, "+"),
      );
    }

    // -- its cards and its picture

    const marked = new Set();
    const splittable = () => marked.size > 0 && marked.size < face.copies.length;

    function more() {
      const input = h("input", { type: "file", class: "visually-hidden", accept: "image/*,.heic,.heif,.avif", on: { change: (event) => { const files = [...event.target.files]; end("done"); if (files.length) on.retake(files); } } });
      return [
        face.copies.length > 1 &&
          h(
            "details",
            { class: "card-box", open: marked.size > 0 },
            h("summary", {}, `${t("draft.copies")} (${face.copies.length})`),
            h("p", { class: "hint" }, t("draft.copies-hint")),
            h(
              "div",
              { class: "copies" },
              face.copies.map((address, number) =>
                h("label", {}, h("img", { src: address, alt: t("draft.copy", { n: number + 1 }), loading: "lazy" }), h("input", { type: "checkbox", "aria-label": t("draft.copy", { n: number + 1 }), checked: marked.has(number + 1), on: { change: (event) => { marked[event.target.checked ? "add" : "delete"](number + 1); event.target.closest("details").querySelector(".split").disabled = !splittable(); } } })),
              ),
            ),
            h("p", {}, h("button", { type: "button", class: "button split", disabled: !splittable(), on: { click: async () => { if (await on.split([...marked])) end("done"); } } }, t("draft.split"))),
          ),
        h(
          "div",
          { class: "actions" },
          h("label", { class: "button" }, input, h("span", {}, t("draft.retake"))),
          draft.faces.length > 1 && h("button", { type: "button", class: "button danger", on: { click: async () => { if (await on.remove()) end("done"); } } }, t("draft.delete")),
        ),
      ];
    }

    dialog.addEventListener("close", () => resolve(answer), { once: true });
    draw();
    dialog.showModal();
    dialog.scrollTop = 0;
    dialog.querySelector('[data-key="ok"]').focus({ preventScroll: true });
  });
}

function toggled(list, value, order, most) {
  const kept = list.includes(value) ? list.filter((known) => known !== value) : [...list, value].slice(-most);
  return order.filter((known) => kept.includes(known));
}
