// The verdict beside the picture: outcome, count, what lies right and wrong and why, points, house rules.

import { h, joined, redraw } from "./dom.js";
import { t, tn } from "./start.js";

const SIGNS = { valid: "✓", invalid: "✗", undetermined: "?" };

/** on: {light(ids), count(n), decide(bool), option(name, value), ordered(bool), ...}. */
export class Panel {
  constructor(outcome, container, on) {
    this.outcome = outcome;
    this.container = container;
    this.on = on;
    this.open = new Set();
  }

  show(view) {
    const unsure = view.outcome === "undetermined";
    const faults = this.#list(view, ["fault"], "faults", "bad");
    const nothing = view.cards.length === 0;
    redraw(this.outcome, nothing && view.source === "hand" ? null : this.#outcome(view));
    redraw(
      this.container,
      view.confirmed ? h("p", { class: "notice" }, t("panel.confirmed")) : null,
      this.on.match?.(view),
      this.#count(view),
      unsure ? null : faults,
      this.#list(view, ["doubt", "retake"], "doubts", "ask"),
      this.#decide(view),
      unsure ? faults : null,
      nothing ? null : this.#results(view),
      nothing ? null : this.#list(view, ["assumption", "note"], "notes", ""),
      this.#points(view),
      this.#house(view),
      this.on.more?.(view),
    );
  }

  #outcome(view) {
    const [first] = view.sentences;
    const kinds = { invalid: ["fault"], undetermined: ["doubt", "retake"] }[view.outcome] ?? [];
    const why = view.sentences.find((sentence) => kinds.includes(sentence.about)); // on a phone the list is further down
    return h(
      "div",
      { class: `outcome ${view.outcome}`, role: "status", "aria-live": "polite" },
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[view.outcome]),
      h("div", {}, h("h2", {}, first?.text ?? ""), why ? h("p", { class: "why" }, joined(why.text)) : null),
    );
  }

  #count(view) {
    const { found, unsure, said, agrees } = view.count;
    if (view.source === "hand") return h("p", { class: "count" }, tn("panel.laid", found));
    if (!found && (said === null || said === undefined)) return null; // the verdict says that nothing was found
    const told = unsure ? tn("panel.found-unsure", found, { unsure }) : tn("panel.found", found);
    const input = h("input", { type: "number", id: "counted", min: 0, max: 200, value: said ?? found, inputmode: "numeric", disabled: view.confirmed });
    return h(
      "form",
      { class: `count${agrees ? "" : " bad"}`, on: { submit: (event) => { event.preventDefault(); this.on.count(Number(input.value)); } } },
      h("p", {}, told, " ", said === null || said === undefined ? t("panel.is-it") : agrees ? t("panel.count-ok") : tn("panel.count-differs", said, { found })),
      view.confirmed
        ? null
        : h(
            "p",
            { class: "row" },
            said === null || said === undefined ? h("button", { type: "button", class: "button", data: { key: "count-yes" }, on: { click: () => this.on.count(found) } }, t("panel.yes")) : null,
            h("label", { for: "counted" }, t("panel.counted")),
            input,
            h("button", { class: "button", data: { key: "count-set" } }, t("panel.set")),
          ),
    );
  }

  #list(view, kinds, name, tone) {
    const sentences = view.sentences.filter((sentence) => kinds.includes(sentence.about));
    if (!sentences.length) return null;
    return h("section", { class: `sentences ${tone}` }, h("h3", {}, t(`panel.${name}`)), h("ul", { class: "plain" }, sentences.map((sentence, i) => this.#sentence(view, sentence, `${name}-${i}`))));
  }

  /** What lies right; boxes in which nobody has a cat are folded away when there are many. */
  #results(view) {
    const idle = new Set((view.answer.verdict?.boxes ?? []).filter((box) => !Object.keys(box.cats).length).map((box) => box.cards.join()));
    const isIdle = (sentence) => sentence.about === "result" && idle.has(sentence.cards.join());
    const folded = view.sentences.filter(isIdle);
    if (folded.length < 4) return this.#list(view, ["result"], "results", "ok");
    const shown = this.#list({ ...view, sentences: view.sentences.filter((sentence) => !isIdle(sentence)) }, ["result"], "results", "ok");
    const list = h("ul", { class: "plain" }, folded.map((sentence, i) => this.#sentence(view, sentence, `idle-${i}`)));
    return [shown, this.#box("idle", tn("panel.idle-boxes", folded.length), h("div", { class: "sentences ok" }, list))];
  }

  #sentence(view, sentence, key) {
    const rule = sentence.rule && view.rules[sentence.rule];
    return h(
      "li",
      {},
      h("p", {}, joined(sentence.text)),
      h(
        "div",
        { class: "row" },
        sentence.cards.length ? h("button", { type: "button", class: "link-button", data: { key: `show-${key}` }, on: { click: () => this.on.light(sentence.cards) } }, t("panel.show")) : null,
        rule && sentence.about !== "result" ? this.#details(`rule-${key}`, t("panel.rule", { id: sentence.rule }), h("p", {}, rule)) : null,
      ),
    );
  }

  /** Details that stay open when the panel is drawn anew. */
  #details(key, summary, ...content) {
    const details = h("details", { class: "rule", open: this.open.has(key) }, h("summary", { data: { key } }, summary), content);
    details.addEventListener("toggle", () => (details.open ? this.open.add(key) : this.open.delete(key)));
    return details;
  }

  #decide(view) {
    const unsure = view.outcome === "undetermined" || this.on.moveIsUnsure?.(view);
    if (!unsure || view.confirmed || !view.cards.length) return null;
    return h(
      "p",
      { class: "decide" },
      h("label", {}, h("input", { type: "checkbox", id: "decided", checked: view.state.decided, on: { change: (event) => this.on.decide(event.target.checked) } }), " ", t("panel.decided")),
    );
  }

  #points(view) {
    const scores = view.answer.scores;
    if (!scores.length) return null;
    const label = (id) => view.cards.find((card) => card.id === id)?.label ?? id;
    const total = scores.reduce((sum, line) => sum + line.points, 0);
    const table = h(
      "table",
      { class: "points" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("panel.card")), h("th", { scope: "col", class: "number" }, t("panel.point-column")))),
      h("tbody", {}, scores.map((line) => h("tr", {}, h("td", {}, line.cards.map(label).join(", ")), h("td", { class: "number" }, String(line.points))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("panel.total")), h("td", { class: "number" }, String(total)))),
    );
    return this.#box("points", t("panel.points"), table);
  }

  #house(view) {
    if (!view.choices.length || view.match) return null;
    const groups = view.choices.map((choice) => {
      const chosen = view.options[choice.name] ?? choice.default;
      return h(
        "fieldset",
        { class: "choice" },
        choice.values.map((value) =>
          h("label", {}, h("input", { type: "radio", name: choice.name, id: `${choice.name}-${value.value}`, value: value.value, checked: value.value === chosen, on: { change: () => this.on.option(choice.name, value.value) } }), " ", value.text),
        ),
      );
    });
    return this.#box("house", t("panel.house"), groups);
  }

  #box(key, summary, ...content) {
    const details = this.#details(key, summary, ...content);
    details.className = "card-box";
    return details;
  }

  box(key, summary, ...content) {
    return this.#box(key, summary, ...content);
  }
}
