// A deck in the making: photographs in, faces looked through and put right, the deck finished.

import { ask, sendPhoto } from "./api.js";
import { byId, h, redraw, s, toast } from "./dom.js";
import { forgetDraft, rememberDraft } from "./drafts.js";
import { takenBy } from "./exif.js";
import { editFace } from "./face-editor.js";
import { follow } from "./follow.js";
import { pictureIn, shrunk } from "./photo.js";
import { start, t, tn } from "./start.js";
import { sure } from "./sure.js";
import { showFailure } from "./upload.js";

const url = `/api/drafts/${start.draft.id}`;
const progress = byId("progress");
const STAGES = { waiting: "draft.waiting", find: "draft.find", sort: "draft.sort", features: "draft.features" };
let draft = start.draft;
let sending = false;
let merging = null; // ids of faces that are chosen to be joined, or null

rememberDraft(draft.id);

// -- photographs

function wire(input) {
  const take = () => {
    const files = [...input.files];
    input.value = "";
    if (files.length) add(files);
  };
  input.addEventListener("change", take);
  take();
}

/** Send photographs and have them read; with a face they become its picture. */
async function add(files, face) {
  if (sending || draft.at_work) return;
  sending = true;
  const stop = new AbortController();
  const bar = h("progress", { max: 100, value: 0 });
  const words = h("p", {});
  const cancel = h("button", { type: "button", class: "button", on: { click: () => stop.abort() } }, t("draft.stop"));
  progress.replaceChildren(h("div", { class: "progress" }, words, bar, cancel));
  progress.scrollIntoView({ block: "center" });
  try {
    const photos = [];
    for (const [number, file] of files.entries()) {
      words.textContent = t("draft.sending", { done: number + 1, of: files.length });
      bar.setAttribute("aria-label", words.textContent);
      const photo = await sendPhoto(await shrunk(file), (share) => (bar.value = (100 * (number + share)) / files.length), stop.signal, await takenBy(file));
      photos.push(photo.id);
    }
    const now = await ask("POST", `${url}/photos`, { photos, ...(face ? { face } : {}) }, { signal: stop.signal });
    sending = false;
    show(now);
  } catch (error) {
    progress.replaceChildren();
    if (error.name !== "AbortError") showFailure(progress, error, () => add(files, face));
  } finally {
    sending = false;
  }
}

wire(byId("take"));
wire(byId("choose"));
document.body.addEventListener("dragover", (event) => event.preventDefault());
document.body.addEventListener("drop", (event) => {
  event.preventDefault();
  if (pictureIn(event.dataTransfer)) add([...event.dataTransfer.files]);
});

function showProgress() {
  if (sending) return;
  if (draft.at_work) {
    const words = t(STAGES[draft.stage], { done: draft.done + 1, of: draft.of });
    const share = { waiting: 3, find: 5 + (60 * draft.done) / Math.max(1, draft.of), sort: 68 + 16 * (draft.done / Math.max(1, draft.of)), features: 88 }[draft.stage] ?? 50;
    let bar = progress.querySelector(".reading progress");
    if (!bar) {
      bar = h("progress", { max: 100, value: 0 });
      const cancel = h("button", { type: "button", class: "button", on: { click: () => change("DELETE", "/photos") } }, t("draft.stop"));
      progress.replaceChildren(h("div", { class: "progress reading" }, h("p", {}, words), bar, cancel));
    }
    bar.value = share;
    bar.setAttribute("aria-label", words);
    const told = progress.querySelector("p");
    if (told.textContent !== words) told.textContent = words;
  } else if (draft.stage === "failed" && draft.error) showFailure(progress, draft.error);
  else progress.replaceChildren();
}

function showPhotos() {
  redraw(
    byId("photos"),
    draft.photos.map((photo, number) =>
      h(
        "li",
        {},
        h(
          "figure",
          {},
          h(
            "span",
            { class: "shown" },
            h("img", { src: photo.url, alt: t("draft.photo", { n: number + 1 }), loading: "lazy", width: photo.width, height: photo.height, on: { error: (event) => event.target.closest(".shown").remove() } }),
            s("svg", { viewBox: `0 0 ${photo.width} ${photo.height}`, "aria-hidden": "true" }, photo.cards.map((corners) => s("polygon", { points: corners.map((corner) => corner.join(",")).join(" "), "stroke-width": photo.width / 160 }))),
          ),
          h("figcaption", { class: photo.error ? "bad-text" : "" }, photo.error ?? `${t("draft.photo", { n: number + 1 })}: ${tn("draft.cards-found", photo.cards.length)}`),
        ),
      ),
    ),
  );
}

// -- faces

function ordered() {
  return [...draft.faces].sort((a, b) => b.needs_review - a.needs_review || (a.needs_review ? (a.confidence ?? 1) - (b.confidence ?? 1) : 0));
}

function tile(face) {
  const chosen = merging?.has(face.id);
  return h(
    "button",
    {
      type: "button",
      class: `face-tile${face.needs_review ? " unsure" : ""}`,
      "aria-pressed": merging ? String(chosen) : undefined,
      data: { key: `face-${face.id}`, face: face.id },
      on: { click: () => (merging ? choose(face.id) : edit(face.id)) },
    },
    face.picture && h("img", { src: face.picture, alt: "", loading: "lazy" }),
    face.needs_review && h("span", { class: "look" }, `? ${t("draft.look")}`),
    h("span", { class: face.kind === "path" ? "visually-hidden" : "" }, face.words),
    h("span", { class: "many" }, face.count_guessed ? "×?" : `×${face.count}`),
  );
}

function choose(id) {
  if (!merging.delete(id)) merging.add(id);
  showFaces();
}

function showFaces() {
  const review = draft.faces.filter((face) => face.needs_review).length;
  const cards = draft.faces.reduce((sum, face) => sum + (face.count_guessed ? Math.max(1, face.copies.length) : face.count), 0);
  byId("review").hidden = byId("finish").hidden = draft.faces.length === 0;
  byId("summary").textContent = [
    `${tn("decks.faces", draft.faces.length)}, ${tn("decks.cards", cards)}.`,
    review ? `${tn("draft.to-review", review)}.` : t("draft.all-reviewed"),
    draft.faces.some((face) => face.count_guessed) ? t("draft.guessed") : "",
  ].join(" ");
  byId("confirm-all").disabled = review === 0;
  byId("merge-mode").setAttribute("aria-pressed", String(merging !== null));
  byId("merge").hidden = byId("merge-hint").hidden = merging === null;
  byId("merge").disabled = (merging?.size ?? 0) < 2;
  byId("unsure-note").hidden = review === 0;
  redraw(byId("doubts"), draft.doubts.map((words) => h("p", { class: "notice" }, words)));
  redraw(byId("faces"), ordered().map(tile));
  showUsual();
  showAlike();
  if (!byId("name").value && document.activeElement !== byId("name")) byId("name").value = draft.name;
}

const KINDS = { move: "draft.kind-move", start: "draft.kind-start", finish: "draft.kind-finish", path: "draft.kind-path", box: "draft.kind-box", toy: "draft.kind-toy", cat: "draft.kind-cat", princess: "draft.kind-princess" };

function showUsual() {
  const counted = !draft.faces.some((face) => face.count_guessed);
  const parts = draft.composition.filter((part) => counted && part.usual > 0);
  byId("usual").hidden = parts.length === 0;
  redraw(
    byId("usual").querySelector("ul"),
    parts.map((part) => {
      const same = part.have === part.usual;
      return h("li", { class: same ? "usual-ok" : "usual-other" }, t(same ? "draft.usual-same" : "draft.usual-other", { kind: t(KINDS[part.kind]), have: part.have, usual: part.usual }));
    }),
  );
}

function showAlike() {
  const known = new Map(draft.faces.map((face) => [face.id, face]));
  const pairs = draft.alike.filter((pair) => pair.every((id) => known.has(id)));
  redraw(
    byId("alike"),
    pairs.length > 0 && h("h3", {}, t("draft.alike")),
    pairs.length > 0 &&
      h(
        "div",
        { class: "pairs" },
        pairs.map((pair) => h("button", { type: "button", "aria-label": pair.map((id) => known.get(id).words).join(" / "), data: { key: `pair-${pair.join("-")}` }, on: { click: () => edit(pair[0]) } }, pair.map((id) => h("img", { src: known.get(id).picture, alt: "" })))),
      ),
  );
}

async function change(method, path, body) {
  try {
    show(await ask(method, `${url}${path}`, body));
    return true;
  } catch (error) {
    toast(error.message, true);
    if (error.status === 404 || error.status === 409) look();
    return false;
  }
}

/** Open the editor; from one unsure face to the next, until nothing is unsure or somebody closes it. */
async function edit(id) {
  let next = id;
  while (next) {
    const face = draft.faces.find((known) => known.id === next);
    if (!face) return;
    const place = ordered().map((known) => known.id);
    const done = await editFace(draft, face, {
      save: (features) => change("PATCH", `/faces/${encodeURIComponent(face.id)}`, features),
      split: (cards) => change("POST", `/faces/${encodeURIComponent(face.id)}/split`, { cards }),
      remove: async () => (await sure(t("draft.delete"), t("decks.yes"), t("decks.no"))) && change("DELETE", `/faces/${encodeURIComponent(face.id)}`),
      retake: (files) => add(files, face.id),
    });
    const open = ordered().filter((known) => known.needs_review && known.id !== face.id);
    next = done === "next" ? (open[0]?.id ?? null) : null;
    if (!next) byId("faces").querySelector(`[data-face="${CSS.escape(draft.faces.some((known) => known.id === face.id) ? face.id : (place[0] ?? ""))}"]`)?.focus();
  }
}

byId("confirm-all").addEventListener("click", () => change("POST", "/confirm"));
byId("merge-mode").addEventListener("click", () => {
  merging = merging === null ? new Set() : null;
  showFaces();
});
byId("merge").addEventListener("click", async () => {
  const faces = [...merging];
  merging = null;
  if (!(await change("POST", "/merge", { faces }))) showFaces();
});

// -- the end

byId("finish-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = byId("name").value.trim();
  if (!name) return;
  try {
    await ask("PATCH", url, { name });
    const { deck } = await ask("POST", `${url}/deck`);
    localStorage.setItem("game", draft.game);
    localStorage.setItem(`deck-${draft.game}`, deck);
    forgetDraft(draft.id);
    redraw(
      byId("done"),
      h("div", { class: "notice", role: "status", tabindex: "-1", id: "ready" }, h("p", {}, t("draft.finished")), h("div", { class: "actions" }, h("a", { class: "button primary", href: `/decks/${encodeURIComponent(deck)}/practice` }, t("draft.practice")), h("a", { class: "button", href: `/?game=${draft.game}` }, t("draft.play")))),
    );
    byId("ready").focus();
    look();
  } catch (error) {
    showFailure(byId("done"), error);
  }
});
byId("discard").addEventListener("click", async () => {
  if (!(await sure(t("draft.discard-sure"), t("decks.yes"), t("decks.no")))) return;
  await ask("DELETE", url).catch(() => {});
  forgetDraft(draft.id);
  location.assign("/decks");
});

// -- what the server says

function show(now) {
  if (now.revision < draft.revision) return;
  draft = now;
  showProgress();
  showPhotos();
  showFaces();
}

async function look() {
  try {
    show(await ask("GET", url));
    return true;
  } catch (error) {
    if (error.status === 404) showFailure(progress, error);
    return false;
  }
}

show(draft);
follow(`${url}/events`, look);
