// Outlines by hand: a new card at a place or by four corners, and corners moved with a magnifier.

import { clockwise, cornersOf, distance, inverse, sideOf, snapped, through } from "./geometry.js";
import { t, tn } from "./start.js";

export class Corners {
  constructor(store, deck, board, mode) {
    this.store = store;
    this.deck = deck;
    this.board = board;
    this.mode = mode;
    this.faces = new Map(deck.faces.map((face) => [face.id, face]));
    this.editing = null;
    this.points = null;
    this.then = null;
  }

  /** Ask for the place of a missing card; then(corners). */
  begin(then) {
    this.end();
    this.then = then;
    this.board().tap(true);
    if (this.store.view.to_table) this.mode(t("board.place"), [[t("board.by-corners"), () => this.#byCorners()], [t("board.cancel"), () => this.end()]]);
    else this.#byCorners();
  }

  #byCorners() {
    this.points = [];
    this.#askCorners();
  }

  #askCorners() {
    const left = 4 - this.points.length;
    this.mode(`${t("board.corners")} (${tn("board.corners-left", left)})`, [[t("board.cancel"), () => this.end()]]);
    this.board().handles(this.points.length ? this.points : null);
  }

  tapped(point) {
    if (!this.points) {
      this.#done(this.#proposed(point));
      return;
    }
    this.points.push(point);
    if (this.points.length < 4) this.#askCorners();
    else this.#done(clockwise(this.points));
  }

  #done(outline) {
    const then = this.then;
    this.end();
    then(outline);
  }

  /** The outline of a card at a tapped place: as the neighbours lie, beside one of them if that is near. */
  #proposed(point) {
    const { view } = this.store;
    const [x, y] = through(view.to_table, point);
    const cards = view.cards.filter((card) => card.x !== null && card.x !== undefined);
    const nearest = [...cards].sort((a, b) => distance([a.x, a.y], [x, y]) - distance([b.x, b.y], [x, y]))[0];
    const place = snapped(x, y, nearest?.turn ?? 0, null, cards, this.faces, this.deck.card_mm);
    const back = inverse(view.to_table);
    return cornersOf(place.x, place.y, place.turn, this.deck.card_mm).map((corner) => through(back, corner));
  }

  /** Let the corners of a card be moved. */
  edit(id) {
    this.end();
    const card = this.store.view.cards.find((known) => known.id === id);
    this.editing = { id, corners: structuredClone(card.corners) };
    this.mode(t("board.move-corners"), [[t("board.done"), () => this.#finish(), "primary"], [t("board.cancel"), () => this.end()]]);
    this.board().handles(this.editing.corners);
  }

  dragged(index, point, done) {
    const outline = this.editing?.corners ?? this.points;
    if (!outline) return;
    outline[index] = point;
    this.board().handles(outline);
    this.board().magnify(done ? null : point);
  }

  nudged(index, event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    const outline = this.editing?.corners ?? this.points;
    if (event.key === "Escape") this.end();
    if (event.key === "Enter" && this.editing) this.#finish();
    if (!step || !outline) return;
    event.preventDefault();
    const size = (event.shiftKey ? 0.08 : 0.01) * (this.editing ? sideOf(outline) : 100);
    const point = [outline[index][0] + step[0] * size, outline[index][1] + step[1] * size];
    this.dragged(index, point, false);
  }

  #finish() {
    const { id, corners } = this.editing;
    this.end();
    this.store.change((state) => ({ ...state, decided: false, cards: state.cards.map((card) => (card.id === id ? { ...card, corners, sure: true } : card)) }));
  }

  end() {
    this.editing = null;
    this.points = null;
    this.then = null;
    this.board().tap(false);
    this.board().handles(null);
    this.board().magnify(null);
    this.mode(null);
  }
}

