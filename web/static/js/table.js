// The page of a table: picture, verdict, corrections; for tables read from a photograph and tables laid by hand.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { Corners } from "./corners.js";
import { byId, h, toast } from "./dom.js";
import { Hand } from "./hand.js";
import { Panel } from "./panel.js";
import { pick } from "./picker.js";
import { recentLessons, rememberLesson } from "./recent-lessons.js";
import { matchBar, ownerOf, setOwner } from "./table-match.js";
import { start, t } from "./start.js";
import { Store, freshId } from "./store.js";
import { readAgain } from "./upload.js";

const deck = start.deck;
const faces = new Map(deck.faces.map((face) => [face.id, face]));
const isHand = start.table.source === "hand";
let match = start.match;

const store = new Store(start.table, changed);
const corners = new Corners(store, deck, () => board, mode);
const hand = isHand ? new Hand(store, deck, faces, () => board) : null;
const board = new Board(byId("board"), faces, {
  card: openCard,
  place: openPlace,
  tap: (point) => corners.tapped(point),
  handle: (index, point, done) => corners.dragged(index, point, done),
  nudge: (index, event) => corners.nudged(index, event),
  drag: (id, by, done) => hand?.dragged(id, by, done),
  key: (id, event) => hand?.pressed(id, event),
}, isHand);
const panel = new Panel(byId("outcome"), byId("panel"), {
  light: (ids) => board.light(ids),
  count: (number) => store.change((state) => ({ ...state, counted: number })),
  decide: (decided) => store.change((state) => ({ ...state, decided })),
  option: (name, value) => store.change((state) => state, { ...store.view.options, [name]: value }),
  match: (view) => matchBar(view, match, (changed) => { match = changed; show(store.view); }),
  moveIsUnsure: (view) => match?.entries.find((entry) => entry.id === view.entry)?.move?.certain === false,
  more,
});

function locked() {
  if (store.view.confirmed) toast(t("panel.confirmed"), true);
  return store.view.confirmed;
}

/** After a change the move that the table shows may be another. */
async function changed(view) {
  show(view);
  const entry = match?.entries.find((known) => known.id === view.entry);
  if (!entry || !["laid", "turn"].includes(entry.kind)) return;
  try {
    match = await ask("GET", `/api/matches/${match.id}`);
    show(store.view);
  } catch {
    // the next change asks again
  }
}

function show(view) {
  board.show(view);
  panel.show(view);
  hand?.show(view);
  byId("undo").disabled = store.past.length === 0;
  byId("redo").disabled = store.future.length === 0;
}

function tool(id, sign, name, run, more = {}) {
  return h("button", { type: "button", class: "button icon", id, "aria-label": name, title: name, on: { click: run }, ...more }, h("span", { "aria-hidden": "true" }, sign));
}

byId("zoom").append(
  tool("zoom-in", "+", t("board.zoom-in"), () => board.zoomBy(1.5)),
  tool("zoom-out", "−", t("board.zoom-out"), () => board.zoomBy(1 / 1.5)),
  tool("fit", "⤢", t("board.fit"), () => board.fit()),
);
byId("toolbar").append(
  tool("marks", "◉", t("board.marks"), (event) => {
    board.marks = !board.marks;
    event.currentTarget.setAttribute("aria-pressed", board.marks);
    board.show(store.view);
  }, { "aria-pressed": "true" }),
  tool("undo", "↶", t("board.undo"), () => store.undo()),
  tool("redo", "↷", t("board.redo"), () => store.redo()),
);
if (!isHand) {
  byId("toolbar").append(h("button", { type: "button", class: "button", id: "add", on: { click: () => !locked() && corners.begin(addAt) } }, t("board.add")));
}
if (start.table.size && !start.table.photo) byId("board-help").textContent = t("board.no-photo");

/** What the picture asks for at the moment, with buttons to end it. */
function mode(words, buttons = []) {
  const place = byId("mode");
  place.hidden = !words;
  place.replaceChildren(...(words ? [h("span", {}, words), ...buttons.map(([text, run, kind]) => h("button", { type: "button", class: `button ${kind ?? ""}`, on: { click: run } }, text))] : []));
  byId("board-help").hidden = Boolean(words);
}

function update(id, change) {
  return store.change((state) => ({ ...state, decided: false, cards: state.cards.map((card) => (card.id === id ? change(card) : card)) }));
}

function turned(card, quarters) {
  if (isHand) return { ...card, turn: ((((card.turn ?? 0) + 90 * quarters + 180) % 360) + 360) % 360 - 180 };
  const from = ((-quarters % 4) + 4) % 4;
  return { ...card, sure: true, corners: [0, 1, 2, 3].map((i) => card.corners[(i + from) % 4]) };
}

async function openCard(id) {
  if (locked()) return;
  const card = store.view.cards.find((known) => known.id === id);
  board.chosen = id;
  board.show(store.view);
  const remove = () => store.change((state) => ({ ...state, decided: false, cards: state.cards.filter((other) => other.id !== id) }));
  const actions = [
    !isHand && !card.sure && { text: t("picker.sure"), kind: "primary", run: () => update(id, (c) => ({ ...c, sure: true })) },
    { text: `↺ ${t("picker.left")}`, stay: true, run: () => update(id, (c) => turned(c, -1)) },
    { text: `↻ ${t("picker.right")}`, stay: true, run: () => update(id, (c) => turned(c, 1)) },
    !isHand && { text: t("picker.corners"), run: () => corners.edit(id) },
    { text: t(isHand ? "picker.take" : "picker.remove"), kind: "danger", run: remove },
  ].filter(Boolean);
  const isStart = faces.get(card.face)?.kind === "start";
  const owner = match && match.game === "cat-and-mouse" && isStart
    ? { players: match.players, value: ownerOf(store.view, match, id), set: async (player) => { match = (await setOwner(store.view, match, id, player)) ?? match; show(store.view); } }
    : null;
  const face = await pick({ title: t("picker.title"), deck, current: card.face, likely: card.likely, actions, owner });
  board.chosen = null;
  if (face) await update(id, (c) => ({ ...c, face, sure: true }));
  else board.show(store.view);
  board.focus(id);
}

async function openPlace(id) {
  if (locked()) return;
  const place = store.view.places.find((known) => known.id === id);
  const nothing = { text: t("picker.nothing"), kind: "primary", run: () => store.change((state) => ({ ...state, decided: false, dismissed: [...(state.dismissed ?? []), id] })) };
  const face = await pick({ title: t("picker.place-title"), deck, likely: place.likely, actions: [nothing] });
  if (face) addCard(face, place.corners, id);
}

/** Add a card at these corners; `place`: the open place that it settles. */
function addCard(face, outline, place) {
  return store.change((state) => ({
    ...state,
    decided: false,
    dismissed: place ? [...(state.dismissed ?? []), place] : state.dismissed,
    cards: [...state.cards, { id: freshId(state.cards), face, corners: outline, sure: true }],
  }));
}

async function addAt(outline) {
  const face = await pick({ title: t("picker.new-title"), deck });
  if (!face) return;
  await addCard(face, outline);
  const added = store.view.state.cards.at(-1);
  if (added) corners.edit(added.id);
}

/** A choice of lessons to which the table is added with a question. */
function addToLesson(view) {
  const add = async (event) => {
    const chosen = event.target.value;
    event.target.value = "";
    if (!chosen) return;
    try {
      const layout = await ask("GET", `/api/tables/${view.id}/layout`);
      const lesson = chosen === "new" ? await ask("POST", "/api/lessons", { title: "", items: [] }) : await ask("GET", `/api/lessons/${chosen}`);
      const item = { game: view.game, deck: view.deck, question: "first-wrong", layout, options: view.options, ...(view.photo ? { photo: { table: view.id } } : {}) };
      rememberLesson(await ask("PUT", `/api/lessons/${lesson.id}`, { revision: lesson.revision, title: lesson.title, items: [...lesson.source, item] }));
      toast(t("lesson.added", { title: lesson.title || t("lesson.untitled") }));
    } catch (error) {
      toast(error.message, true);
    }
  };
  return [h("label", { for: "to-lesson" }, t("lesson.add-table"), " "),
    h("select", { id: "to-lesson", on: { change: add } },
      h("option", { value: "" }, t("lesson.which")),
      recentLessons().map((lesson) => h("option", { value: lesson.id }, lesson.title || t("lesson.untitled"))),
      h("option", { value: "new" }, t("lesson.new")))];
}

function more(view) {
  const reportButton = () =>
    h("li", {}, h("button", { type: "button", class: "button", data: { key: "report" }, on: { click: async () => {
      try {
        await ask("POST", `/api/tables/${view.id}/report`);
        toast(t("panel.reported"));
      } catch (error) {
        toast(error.message, true);
      }
    } } }, t("panel.report")), h("p", { class: "hint" }, t("panel.report-about")));
  const forget = async () => {
    if (!confirm(t("panel.forget-sure"))) return;
    try {
      await ask("DELETE", `/api/photos/${view.photo.id}`);
      store.run(() => ask("GET", `/api/tables/${view.id}`));
    } catch (error) {
      toast(error.message, true);
    }
  };
  const reread = (event) => {
    event.currentTarget.disabled = true;
    store.run(async (current) => {
      await readAgain(byId("progress"), current.id, current.revision);
      return ask("GET", `/api/tables/${current.id}`);
    });
  };
  const ordered = isHand && view.game === "coloured-paths" &&
    h("li", {}, h("label", {}, h("input", { type: "checkbox", id: "ordered", checked: view.state.ordered, on: { change: (event) => store.change((state) => ({ ...state, ordered: event.target.checked })) } }), " ", t("panel.ordered")));
  return panel.box("more", t("panel.more"),
    h("ul", { class: "plain spaced" },
      ordered,
      view.photo && !view.confirmed && h("li", {}, h("button", { type: "button", class: "button", data: { key: "reread" }, on: { click: reread } }, t("panel.reread")), h("p", { class: "hint" }, t("panel.reread-about"))),
      view.photo && reportButton(),
      view.photo && h("li", {}, h("button", { type: "button", class: "button danger", data: { key: "forget" }, on: { click: forget } }, t("panel.forget"))),
      isHand && !view.confirmed && h("li", {}, h("button", { type: "button", class: "button danger", data: { key: "clear" }, on: { click: () => store.change((state) => ({ ...state, cards: [] })) } }, t("panel.clear"))),
      h("li", {}, h("a", { href: `/projector/tables/${view.id}` }, t("wall.open"))),
      view.cards.length ? h("li", {}, addToLesson(view)) : null,
      h("li", {}, h("a", { href: `/api/tables/${view.id}/layout`, download: "table.json" }, t("panel.layout"))),
      !match && h("li", {}, h("a", { href: `/?game=${view.game}` }, t("panel.again"))),
      view.seconds.find !== undefined && h("li", { class: "hint" }, t("panel.seconds", { n: Object.values(view.seconds).reduce((sum, part) => sum + part, 0).toFixed(1) })),
    ),
  );
}

show(store.view);
