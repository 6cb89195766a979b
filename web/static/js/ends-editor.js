// The eight ends of a path card: which colour each has, and which two one path joins.

import { h, s } from "./dom.js";
import { start, t } from "./start.js";

const THIRDS = [33.3, 66.7];
const NEAR = 7; // per cent of the card from its edge
const ENDS = [[THIRDS[0], NEAR], [THIRDS[1], NEAR], [100 - NEAR, THIRDS[0]], [100 - NEAR, THIRDS[1]], [THIRDS[1], 100 - NEAR], [THIRDS[0], 100 - NEAR], [NEAR, THIRDS[1]], [NEAR, THIRDS[0]]];

export function colourName(name) {
  return start.texts[`colour.${name}`] ?? name;
}

/** face.strands is changed in place; draw() is called after each change. */
export function endsEditor(face, colours, draw) {
  let brush = colours[0]?.name ?? null;
  let mode = "colours";
  let held = null; // the first of two ends to be joined

  const colourAt = (end) => face.strands.flatMap(([ends, pair]) => ends.map((known, k) => [known, pair[k]])).find(([known]) => known === end)[1];
  const otherOf = (end) => face.strands.map(([ends]) => ends).find((ends) => ends.includes(end)).find((known) => known !== end);
  const look = (name) => colours.find((known) => known.name === name)?.look ?? null;

  const allEnds = Array.from({ length: 8 }, (_, end) => end);

  function rebuild(partners, painted) {
    face.strands = allEnds.filter((end) => end < partners[end]).map((end) => [[end, partners[end]], [painted[end], painted[partners[end]]]]);
    draw();
  }

  function paint(end) {
    const painted = allEnds.map(colourAt);
    painted[end] = brush;
    rebuild(allEnds.map(otherOf), painted);
  }

  function join(end) {
    if (held === null || held === end) {
      held = held === end ? null : end;
      draw();
      return;
    }
    const partners = allEnds.map(otherOf);
    const painted = allEnds.map(colourAt);
    const [one, two] = [partners[held], partners[end]];
    if (one !== end) {
      [partners[held], partners[end]] = [end, held];
      [partners[one], partners[two]] = [two, one];
    }
    held = null;
    rebuild(partners, painted);
  }

  function line([ends]) {
    const [[ax, ay], [bx, by]] = ends.map((end) => ENDS[end]);
    const path = `M${ax} ${ay}Q50 50 ${bx} ${by}`;
    return [s("path", { class: "strand-line under", d: path }), s("path", { class: "strand-line", d: path })];
  }

  return {
    buttons() {
      return [
        mode === "joins" && s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, face.strands.map(line)),
        ENDS.map(([x, y], end) => {
          const dot = h("span", { "aria-hidden": "true" }, String(end + 1));
          if (look(colourAt(end))) dot.style.background = look(colourAt(end));
          else dot.className = `chip-${colourAt(end)}`;
          const button = h(
            "button",
            { type: "button", class: "end-button", "aria-pressed": String(held === end), "aria-label": t("draft.end", { n: end + 1, colour: colourName(colourAt(end)), other: otherOf(end) + 1 }), data: { key: `end-${end}` }, on: { click: () => (mode === "colours" ? paint(end) : join(end)) } },
            dot,
          );
          button.style.left = `${x}%`;
          button.style.top = `${y}%`;
          return button;
        }),
      ];
    },
    fields() {
      const modes = [["colours", "draft.colours", "draft.colours-hint"], ["joins", "draft.joins", "draft.joins-hint"]];
      const chosen = modes.find(([name]) => name === mode);
      return h(
        "fieldset",
        {},
        h("legend", {}, t("draft.kind-path")),
        h("div", { class: "options" }, modes.map(([name, key]) => h("button", { type: "button", class: "option", "aria-pressed": String(mode === name), data: { key: `mode-${name}` }, on: { click: () => { mode = name; held = null; draw(); } } }, t(key)))),
        h("p", { class: "hint" }, t(chosen[2])),
        mode === "colours" &&
          h(
            "div",
            { class: "options" },
            colours.map(({ name }) => {
              const dot = h("span", { class: `swatch-dot chip-${name}`, "aria-hidden": "true" });
              if (look(name)) dot.style.background = look(name);
              return h("button", { type: "button", class: "option", "aria-pressed": String(brush === name), data: { key: `brush-${name}` }, on: { click: () => { brush = name; draw(); } } }, dot, colourName(name));
            }),
          ),
      );
    },
  };
}
