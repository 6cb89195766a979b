// Laying cards by hand: the deck below the table, dragging, snapping to neighbours, and the same with keys.

import { byId, h, redraw } from "./dom.js";
import { faceGroups } from "./picker.js";
import { liesAcross, normal, snapped } from "./geometry.js";
import { t } from "./start.js";
import { freshId } from "./store.js";

export class Hand {
  constructor(store, deck, faces, board) {
    this.store = store;
    this.deck = deck;
    this.faces = faces;
    this.board = board;
    this.palette = byId("palette");
    this.last = null;
  }

  show(view) {
    const scrolled = this.palette.scrollTop;
    const used = new Map();
    for (const card of view.cards) used.set(card.face, (used.get(card.face) ?? 0) + 1);
    redraw(
      this.palette,
      h("h2", {}, t("palette.title")),
      h("p", { class: "hint" }, t("palette.about")),
      ...faceGroups(this.deck, null, (face) => this.lay(face), (button, face) => {
        const left = face.count - (used.get(face.id) ?? 0);
        button.dataset.key = `palette-${face.id}`;
        button.setAttribute("aria-label", `${face.words}, ${t("palette.left", { n: left })}`);
        button.append(h("span", { class: `left${left < 1 ? " none" : ""}`, "aria-hidden": "true" }, String(left)));
        button.disabled = view.confirmed;
        this.#draggable(button, face);
        return button;
      }),
    );
    this.palette.scrollTop = scrolled;
  }

  /** Lay a card beside the one laid last (or where that is free). */
  lay(id) {
    const face = this.faces.get(id);
    const [width, height] = this.deck.card_mm;
    this.store.change((state) => {
      const cards = state.cards ?? [];
      const from = cards.find((card) => card.id === this.last) ?? cards.at(-1);
      let place = { x: 0, y: 0, turn: 0 };
      if (from && liesAcross(face)) {
        place = this.#acrossSomething(face, cards, from, width);
      } else if (from) place = this.#free(cards, from, width, height);
      const card = { id: freshId(cards), face: id, ...place };
      this.last = card.id;
      return { ...state, decided: false, cards: [...cards, card] };
    });
  }

  /** The free joined side nearest to the box laid last. */
  #acrossSomething(face, cards, from, width) {
    const boxes = cards.filter((card) => !liesAcross(this.faces.get(card.face))).reverse();
    const tried = boxes.flatMap((box) => [-1, 1].map((side) => {
      const angle = ((box.turn ?? 0) * Math.PI) / 180;
      const at = [box.x + (side * Math.cos(angle) * width) / 2, box.y + (side * Math.sin(angle) * width) / 2];
      return { at, ...snapped(at[0], at[1], (box.turn ?? 0) + 90, face, cards, this.faces, this.deck.card_mm) };
    }));
    const between = (place) => boxes.filter((box) => Math.abs(Math.hypot(box.x - place.x, box.y - place.y) - width / 2) < 0.15 * width).length > 1;
    const taken = (place) => cards.some((card) => liesAcross(this.faces.get(card.face)) && Math.hypot(card.x - place.x, card.y - place.y) < 0.4 * width);
    const best = tried.find((place) => between(place) && !taken(place)) ?? tried[0] ?? { x: from.x, y: from.y + width, turn: 90 };
    return { x: best.x, y: best.y, turn: best.turn };
  }

  #free(cards, from, width, height) {
    const angle = ((from.turn ?? 0) * Math.PI) / 180;
    const base = liesAcross(this.faces.get(from.face)) ? cards.find((card) => !liesAcross(this.faces.get(card.face))) ?? from : from;
    for (const [dx, dy] of [[width, 0], [0, height], [-width, 0], [0, -height], [2 * width, 0], [0, 2 * height], [3 * width, 0]]) {
      const x = base.x + Math.cos(angle) * dx - Math.sin(angle) * dy;
      const y = base.y + Math.sin(angle) * dx + Math.cos(angle) * dy;
      if (cards.every((card) => liesAcross(this.faces.get(card.face)) || Math.hypot(card.x - x, card.y - y) > 0.5 * width)) return { x, y, turn: base.turn ?? 0 };
    }
    return { x: base.x + 4 * width, y: base.y, turn: base.turn ?? 0 };
  }

  /** From the deck onto the table with a finger or the mouse. */
  #draggable(button, face) {
    button.addEventListener("pointerdown", (down) => {
      if (down.button > 0 || button.disabled) return;
      let ghost = null;
      const move = (event) => {
        const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 10;
        if (!ghost && far && (down.pointerType === "mouse" || event.clientY < down.clientY - 10)) {
          ghost = button.cloneNode(true);
          ghost.className = "face ghost";
          ghost.removeAttribute("data-key");
          document.body.append(ghost);
          button.setPointerCapture(down.pointerId);
        }
        if (ghost) {
          ghost.style.left = `${event.clientX}px`;
          ghost.style.top = `${event.clientY}px`;
        }
      };
      const up = (event) => {
        stop();
        if (!ghost) return;
        ghost.remove();
        button.addEventListener("click", (click) => click.stopImmediatePropagation(), { capture: true, once: true });
        setTimeout(() => this.show(this.store.view), 0);
        const svg = this.board().svg.getBoundingClientRect();
        const inside = event.clientX > svg.left && event.clientX < svg.right && event.clientY > svg.top && event.clientY < svg.bottom;
        if (event.type === "pointerup" && inside) this.#drop(face, this.board().at(event));
      };
      const stop = () => {
        for (const [name, handler] of [["pointermove", move], ["pointerup", up], ["pointercancel", up]]) window.removeEventListener(name, handler);
      };
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", up);
      window.addEventListener("pointercancel", up);
    });
  }

  #drop(face, [x, y]) {
    this.store.change((state) => {
      const cards = state.cards ?? [];
      const place = snapped(x, y, liesAcross(face) ? 90 : 0, face, cards, this.faces, this.deck.card_mm);
      const card = { id: freshId(cards), face: face.id, ...place };
      this.last = card.id;
      return { ...state, decided: false, cards: [...cards, card] };
    });
  }

  dragged(id, [dx, dy], done) {
    if (this.store.view.confirmed) return;
    this.board().shift(id, dx, dy);
    if (!done) return;
    this.last = id;
    this.#place(id, (card, others) => ({ ...card, ...snapped(card.x + dx, card.y + dy, card.turn ?? 0, this.faces.get(card.face), others, this.faces, this.deck.card_mm) }));
  }

  /** Keys on a card: arrows, R, Delete. */
  pressed(id, event) {
    if (this.store.view.confirmed) return;
    const [width, height] = this.deck.card_mm;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    this.last = id;
    if (step) {
      const share = event.shiftKey ? 0.1 : 1;
      this.#place(id, (card) => {
        const across = liesAcross(this.faces.get(card.face)) && !event.shiftKey ? 0.5 : 1;
        return { ...card, x: card.x + step[0] * width * share * across, y: card.y + step[1] * height * share * across };
      });
    } else if (event.key === "r" || event.key === "R" || event.key === "к" || event.key === "К") this.#place(id, (card) => ({ ...card, turn: normal((card.turn ?? 0) + (event.shiftKey ? -90 : 90)) }));
    else if (event.key === "Delete" || event.key === "Backspace") this.store.change((state) => ({ ...state, decided: false, cards: state.cards.filter((card) => card.id !== id) }));
    else return;
    event.preventDefault();
  }

  #place(id, change) {
    this.store.change((state) => ({ ...state, decided: false, cards: state.cards.map((card) => (card.id === id ? change(card, state.cards.filter((other) => other.id !== id)) : card)) }));
  }
}
