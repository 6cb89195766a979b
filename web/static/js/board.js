// The table as a picture: photograph or cards, marks over it, zoom and pan by touch, wheel and keys, cards as buttons.

import { h, s } from "./dom.js";
import { distance, sideOf } from "./geometry.js";
import { marksOf } from "./overlay.js";
import { t } from "./start.js";

const MOVED = 7; // CSS pixels from which a touch is a drag and no tap
const MOST_ZOOM = 12;

const AGAIN_MS = 2000; // a picture that did not come is asked for again; each time later
const AGAIN_AT_MOST_MS = 30_000;

/** An image that is asked for again if it did not come, and meanwhile is not there: browsers draw their sign of a broken one. */
function patient(image) {
  const url = image.getAttribute("href");
  let wait = AGAIN_MS;
  let tried = 0;
  image.addEventListener("load", () => image.removeAttribute("visibility"));
  image.addEventListener("error", () => {
    image.setAttribute("visibility", "hidden");
    setTimeout(() => image.isConnected && image.setAttribute("href", `${url}#${(tried += 1)}`), wait);
    wait = Math.min(AGAIN_AT_MOST_MS, 1.5 * wait);
  });
  return image;
}

export class Board {
  /**
   * on: {card(id), place(id), tap([x, y]), drag(id, [x, y], done), key(id, event)}; `movable` cards are dragged, else
   * the picture is.
   */
  constructor(container, faces, on, movable) {
    this.faces = faces;
    this.on = on;
    this.movable = movable;
    this.tapping = false;
    this.marks = true;
    this.chosen = null;
    this.lit = new Set();
    this.layers = ["ground", "cards", "below", "marks", "buttons", "above", "stage", "handles"].map((name) => s("g", { class: `layer-${name}`, "aria-hidden": ["buttons", "handles"].includes(name) ? null : "true" }));
    this.svg = s("svg", { class: "table", role: "group", "aria-label": t("board.title") }, ...this.layers);
    this.empty = h("p", { class: "empty", hidden: true }, t("board.empty"));
    this.lens = s("svg", { class: "lens", "aria-hidden": "true" });
    this.lens.style.display = "none";
    container.prepend(this.svg, this.empty, this.lens);
    this.pointers = new Map();
    this.svg.addEventListener("pointerdown", (event) => this.#down(event));
    this.svg.addEventListener("pointermove", (event) => this.#move(event));
    this.svg.addEventListener("pointerup", (event) => this.#up(event));
    this.svg.addEventListener("pointercancel", (event) => this.#cancel(event));
    this.svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.svg.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Draw a view; the part shown stays as it is unless it is the first or `fit` asks for all. */
  show(view, fit = false) {
    const first = !this.view;
    this.view = view;
    const [ground, cards, below, over, buttons, above] = this.layers;
    const focused = document.activeElement?.closest?.("[data-card], [data-place]");
    const key = focused && this.svg.contains(focused) ? [focused.dataset.card, focused.dataset.place] : null;
    ground.replaceChildren();
    cards.replaceChildren();
    if (view.photo) ground.append(this.#image(view.photo));
    else if (view.size) ground.append(s("rect", { width: view.size[0], height: view.size[1], class: "no-photo" }));
    if (!view.photo) for (const card of this.#inOrder(view.cards)) cards.append(this.#face(card));
    const marks = marksOf(view, view.places);
    below.replaceChildren(...(this.marks ? marks.below : []));
    above.replaceChildren(...(this.marks ? marks.above : []));
    const drawn = (id, nodes) => s("g", { "data-marks-of": id }, nodes ?? []);
    over.replaceChildren(
      ...(this.marks ? this.#inOrder(view.cards).map((card) => drawn(card.id, marks.cards.get(card.id))) : []),
      ...(this.marks ? view.places.map((place) => drawn(place.id, marks.places.get(place.id))) : []),
    );
    buttons.replaceChildren(...this.#inOrder(view.cards).map((card) => this.#button(card)), ...view.places.map((place) => this.#placeButton(place)));
    this.empty.hidden = view.cards.length > 0 || Boolean(view.size);
    if (first) {
      this.home = this.#cardsOnly();
      // As high as the cards need, so that they are large on a phone.
      if (view.size) this.svg.style.aspectRatio = String(Math.min(1.7, Math.max(0.75, this.home.w / this.home.h)));
      this.#frame(this.home);
    }
    else if (fit) this.fit();
    if (key) this.focus(...key);
  }

  focus(card, place) {
    const found = card ? this.svg.querySelector(`[data-card="${CSS.escape(card)}"]`) : this.svg.querySelector(`[data-place="${CSS.escape(place)}"]`);
    found?.focus({ preventScroll: true });
  }

  /** Cats lie on boxes: draw them later. */
  #inOrder(cards) {
    const height = (card) => (["awake", "princess"].includes(this.faces.get(card.face)?.group) ? 1 : 0);
    return cards.filter((card) => card.corners).sort((a, b) => height(a) - height(b));
  }

  #image(photo) {
    return patient(s("image", { href: photo.url, width: photo.width, height: photo.height }));
  }

  #face(card) {
    const [a, b, , d] = card.corners;
    const picture = this.faces.get(card.face)?.picture;
    const matrix = [b[0] - a[0], b[1] - a[1], d[0] - a[0], d[1] - a[1], a[0], a[1]].join(" ");
    return s("g", { transform: `matrix(${matrix})`, "data-face-of": card.id },
      picture ? patient(s("image", { href: picture, width: 1, height: 1, preserveAspectRatio: "none" })) : s("rect", { width: 1, height: 1, rx: 0.07, class: "blank-card" }));
  }

  nameOf(card) {
    const parts = [card.label, this.faces.get(card.face)?.words, t(`board.${card.standing}`), card.by_hand && t("board.by-hand")];
    return parts.filter(Boolean).join(", ");
  }

  #button(card) {
    const points = card.corners.map((corner) => corner.join(",")).join(" ");
    const classes = ["card", card.id === this.chosen && "chosen", this.lit.has(card.id) && "lit"].filter(Boolean).join(" ");
    return s("g", { class: classes, role: "button", tabindex: 0, "aria-label": this.nameOf(card), "data-card": card.id },
      s("polygon", { points, class: "hit" }), s("polygon", { points, class: "ring", "stroke-width": 0.06 * sideOf(card.corners) }));
  }

  #placeButton(place) {
    const points = place.corners.map((corner) => corner.join(",")).join(" ");
    return s("g", { class: "card place", role: "button", tabindex: 0, "aria-label": t("board.place-name", { name: place.label ?? "?" }), "data-place": place.id },
      s("polygon", { points, class: "hit" }), s("polygon", { points, class: "ring", "stroke-width": 0.06 * sideOf(place.corners) }));
  }

  /** Light up some cards and bring them into sight. */
  light(ids) {
    this.lit = new Set(ids);
    this.show(this.view);
    const lit = this.view.cards.filter((card) => this.lit.has(card.id) && card.corners);
    if (!lit.length || !this.#part) return;
    const all = lit.flatMap((card) => card.corners);
    const [xs, ys] = [all.map((p) => p[0]), all.map((p) => p[1])];
    const { x, y, w, h } = this.box;
    if (all.every((p) => p[0] >= x && p[0] <= x + w && p[1] >= y && p[1] <= y + h)) return; // seen already
    this.#frame({ ...this.box, x: (Math.min(...xs) + Math.max(...xs)) / 2 - this.box.w / 2, y: (Math.min(...ys) + Math.max(...ys)) / 2 - this.box.h / 2 });
  }

  /** Draw these over the table, instead of the marks; nothing: the marks again. */
  stage(nodes) {
    this.marks = !nodes;
    if (this.view) this.show(this.view);
    this.layers[6].replaceChildren(...(nodes ?? []));
  }

  // -- what part is shown

  #whole() {
    const { size, cards, card_mm: [width, height] } = this.view;
    if (size) return { x: 0, y: 0, w: size[0], h: size[1] };
    const all = [...cards.filter((card) => card.corners).flatMap((card) => card.corners), ...(this.view.around ?? [])];
    if (!all.length) all.push([0, 0]);
    // As much room around as another card needs if any may be laid, and never less than a few cards in all.
    const room = this.movable ? 1.1 : 0.3;
    const [x, y, w, h] = [[0, width, this.movable ? 5 : 3], [1, height, this.movable ? 3.4 : 2.2]].map(([axis, side, least]) => {
      const values = all.map((point) => point[axis]);
      const [low, high] = [Math.min(...values) - room * side, Math.max(...values) + room * side];
      const spare = Math.max(0, least * side - (high - low)) / 2;
      return [low - spare, high - low + 2 * spare];
    }).reduce(([lows, sizes], [low, size]) => [[...lows, low], [...sizes, size]], [[], []]).flat();
    return { x, y, w, h };
  }

  /** The part with cards in it, with some of the table around. */
  #cardsOnly() {
    this.whole = this.#whole();
    const outlines = [...this.view.cards, ...this.view.places].filter((card) => card.corners).map((card) => card.corners);
    if (!this.view.size || !outlines.length) return this.whole;
    const pad = 0.7 * sideOf(outlines[0]);
    const [xs, ys] = [0, 1].map((axis) => outlines.flat().map((corner) => corner[axis]));
    const x = Math.max(0, Math.min(...xs) - pad);
    const y = Math.max(0, Math.min(...ys) - pad);
    return { x, y, w: Math.min(this.whole.w, Math.max(...xs) + pad) - x, h: Math.min(this.whole.h, Math.max(...ys) + pad) - y };
  }

  /** Everything, or what was shown at first: the next one each time. */
  fit() {
    this.whole = this.#whole();
    this.home = this.#cardsOnly();
    const everything = this.box.w === this.whole.w && this.box.h === this.whole.h;
    this.#frame(everything ? this.home : this.whole);
  }

  /** Show the part with cards in it. */
  refit() {
    this.whole = this.#whole();
    this.#frame((this.home = this.#cardsOnly()));
  }

  /** Whether only a part of the table is shown. */
  get #part() {
    return this.box.w < 0.99 * this.whole.w || this.box.h < 0.99 * this.whole.h;
  }

  zoomBy(factor, centre) {
    const [cx, cy] = centre ?? [this.box.x + this.box.w / 2, this.box.y + this.box.h / 2];
    const w = Math.min(Math.max(this.box.w / factor, this.whole.w / MOST_ZOOM), this.whole.w * 2);
    const real = this.box.w / w;
    const box = { w, h: this.box.h / real, x: cx - (cx - this.box.x) / real, y: cy - (cy - this.box.y) / real };
    const out = this.view.size && box.w >= this.whole.w && box.h >= this.whole.h;
    this.#frame(out ? this.whole : box);
  }

  #frame(box) {
    this.box = box;
    this.svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`);
    this.svg.classList.toggle("zoomed", this.movable || this.tapping || this.box.w < 0.99 * Math.min(this.home.w, this.whole.w));
  }

  /** Client pixels -> the table's own coordinates. */
  at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  // -- pointers

  #down(event) {
    if (event.button > 0) return;
    const target = event.target.closest("[data-card], [data-place], [data-handle]");
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.svg.setPointerCapture(event.pointerId);
    if (this.pointers.size === 2) {
      this.held = null;
      this.pinch = this.#spread();
      return;
    }
    this.held = { target, from: [event.clientX, event.clientY], at: this.at(event), box: this.box, moved: false };
  }

  #spread() {
    const [a, b] = [...this.pointers.values()];
    return { apart: distance([a.x, a.y], [b.x, b.y]), centre: { clientX: (a.x + b.x) / 2, clientY: (a.y + b.y) / 2 } };
  }

  #move(event) {
    if (!this.pointers.has(event.pointerId)) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pointers.size === 2 && this.pinch) {
      const now = this.#spread();
      const before = this.at(this.pinch.centre);
      this.zoomBy(now.apart / Math.max(1, this.pinch.apart), before);
      const after = this.at(now.centre);
      if (this.#part) this.#frame({ ...this.box, x: this.box.x + before[0] - after[0], y: this.box.y + before[1] - after[1] });
      this.pinch = now;
      return;
    }
    const held = this.held;
    if (!held) return;
    if (!held.moved && distance(held.from, [event.clientX, event.clientY]) < MOVED) return;
    held.moved = true;
    const here = this.at(event);
    if (held.target?.dataset.handle) this.on.handle?.(Number(held.target.dataset.handle), here, false);
    else if (this.movable && held.target?.dataset.card && !this.tapping) this.on.drag(held.target.dataset.card, [here[0] - held.at[0], here[1] - held.at[1]], false);
    else if (this.#part || this.movable) this.#frame({ ...this.box, x: this.box.x + held.at[0] - here[0], y: this.box.y + held.at[1] - here[1] });
  }

  #up(event) {
    this.pointers.delete(event.pointerId);
    if (this.pointers.size < 2) this.pinch = null;
    const held = this.held;
    this.held = null;
    if (!held) return;
    const here = this.at(event);
    const { card, place, handle } = held.target?.dataset ?? {};
    if (held.moved) {
      if (handle) this.on.handle?.(Number(handle), here, true);
      else if (this.movable && card && !this.tapping) this.on.drag(card, [here[0] - held.at[0], here[1] - held.at[1]], true);
      return;
    }
    if (this.tapping) this.on.tap(here);
    else if (card) this.on.card(card);
    else if (place) this.on.place(place);
    else if (handle) held.target.focus();
  }

  #cancel(event) {
    this.pointers.delete(event.pointerId);
    if (this.held?.moved && this.held.target?.dataset.card && this.movable) this.show(this.view);
    this.held = null;
    this.pinch = null;
  }

  #wheel(event) {
    if (!event.ctrlKey && !this.#part && event.deltaY > 0 && this.view.size) return; // let the page scroll
    event.preventDefault();
    this.zoomBy(Math.exp(-event.deltaY * 0.0016), this.at(event));
  }

  #key(event) {
    const target = event.target.closest("[data-card], [data-place]");
    if (!target) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (target.dataset.card) this.on.card(target.dataset.card);
      else this.on.place(target.dataset.place);
    } else if (target.dataset.card) this.on.key?.(target.dataset.card, event);
  }

  /** Draw a card elsewhere while it is dragged, without asking anybody. */
  shift(id, dx, dy) {
    for (const node of this.svg.querySelectorAll(`[data-card="${CSS.escape(id)}"], [data-marks-of="${CSS.escape(id)}"]`)) node.setAttribute("transform", `translate(${dx} ${dy})`);
    const face = this.svg.querySelector(`[data-face-of="${CSS.escape(id)}"]`);
    if (face) {
      face.dataset.home ??= face.getAttribute("transform");
      face.setAttribute("transform", `translate(${dx} ${dy}) ${face.dataset.home}`);
    }
  }

  /** Tap anywhere, rather than on cards. */
  tap(on) {
    this.tapping = on;
    this.svg.classList.toggle("tapping", on);
    this.#frame(this.box);
  }

  // -- corners by hand, with a magnifier

  /** Handles on corners (up to four, perhaps still without a card). */
  handles(corners) {
    const layer = this.layers.at(-1);
    if (!corners) {
      layer.replaceChildren();
      this.lens.style.display = "none";
      return;
    }
    const radius = 0.035 * Math.min(this.box.w, this.box.h);
    const line = s("polygon", { points: corners.map((corner) => corner.join(",")).join(" "), class: "handle-line", "stroke-width": radius / 5 });
    const dots = corners.map(([x, y], i) =>
      s("g", { "data-handle": String(i), "data-key": `handle-${i}`, class: "handle", tabindex: 0, role: "button", "aria-label": t("board.corner", { n: i + 1 }),
        on: { keydown: (event) => this.on.nudge?.(i, event) } },
        s("circle", { cx: x, cy: y, r: radius, "stroke-width": radius / 5 }), s("circle", { cx: x, cy: y, r: radius / 9, class: "dot" })));
    const active = document.activeElement?.dataset?.key;
    layer.replaceChildren(line, ...dots);
    if (active?.startsWith("handle-")) layer.querySelector(`[data-key="${active}"]`)?.focus({ preventScroll: true });
  }

  /** Show what lies under a finger. */
  magnify(point) {
    if (!point || !this.view.photo) {
      this.lens.style.display = "none";
      return;
    }
    const half = 0.05 * Math.min(this.view.size[0], this.view.size[1]);
    const [x, y] = point;
    this.lens.setAttribute("viewBox", `${x - half} ${y - half} ${2 * half} ${2 * half}`);
    this.lens.replaceChildren(this.#image(this.view.photo), s("path", { d: `M${x - half} ${y}H${x + half}M${x} ${y - half}V${y + half}`, class: "lens-cross", "stroke-width": half / 40 }));
    this.lens.classList.toggle("right", x < this.box.x + this.box.w / 2 && y < this.box.y + this.box.h / 2);
    this.lens.style.display = "block";
  }
}
