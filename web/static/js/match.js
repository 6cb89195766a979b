// A match: the score, what happens now, what has happened. Several phones follow it.

import { ask } from "./api.js";
import { byId, h, redraw, toast } from "./dom.js";
import { follow } from "./follow.js";
import { rememberedProfile } from "./profiles.js";
import { forgetMatch, remember } from "./recent.js";
import { start, t, tn } from "./start.js";
import { moveText, openFields, ownerFields } from "./table-match.js";
import { showFailure, upload } from "./upload.js";

const url = `/api/matches/${start.match.id}`;
let match = start.match;
let tag = null;
let busy = false;
let told = false;

const name = (key) => match.players.find((player) => player.key === key)?.name ?? key;

// -- following

async function look() {
  if (document.hidden) return;
  if (busy) {
    setTimeout(look, 300);
    return;
  }
  try {
    const now = await ask("GET", url, null, { headers: tag ? { "If-None-Match": tag } : {}, onTag: (fresh) => (tag = fresh) });
    byId("connection").hidden = true;
    if (now && now.revision !== match.revision) show(now);
  } catch (error) {
    if (error.status === 404) location.reload();
    byId("connection").hidden = false;
  }
}
follow(`${url}/events`, look);

/** Do something to the match; its answer is shown, its failure told. */
async function act(method, path, body, after) {
  busy = true;
  byId("problem").replaceChildren();
  try {
    const now = await ask(method, url + path, body);
    if (now?.players) show(now);
    after?.(now);
    return now;
  } catch (error) {
    byId("problem").replaceChildren(h("p", { class: "notice bad" }, error.message));
    byId("problem").scrollIntoView({ block: "nearest", behavior: "smooth" });
    return null;
  } finally {
    busy = false;
  }
}

// -- the score

function show(now) {
  match = now;
  remember(match);
  byId("title").textContent = match.title || t(`game.${match.game}`);
  redraw(byId("status"), status());
  const most = Math.max(...match.players.map((player) => player.total ?? 0));
  redraw(byId("players"), match.players.map((player) => playerRow(player, most)));
  redraw(byId("now"), now_());
  redraw(byId("history"), match.entries.length ? [...match.entries].reverse().map(entryCard) : h("li", { class: "hint" }, t("match.nothing")));
  if (!byId("note").matches(":focus")) byId("note").value = match.note;
  if (!byId("names").contains(document.activeElement)) redraw(byId("names"), nameFields());
}

function status() {
  const lines = [];
  if (match.over) {
    const names = match.winners.map(name).join(", ");
    lines.push(h("p", { class: "winner" }, t("match.over"), " ", t(match.winners.length === 1 ? "match.winner" : "match.winners", { names })));
  } else if (match.rounds !== undefined) lines.push(h("p", { class: "turn" }, t("match.round", { n: Math.min(match.rounds + 1, match.rounds_of), of: match.rounds_of })));
  else if (match.turn) lines.push(h("p", { class: "turn" }, t("match.turn", { name: name(match.turn) })));
  if (match.bank !== undefined) lines.push(h("p", { class: "hint" }, tn("match.bank", match.bank)));
  if (match.pile !== undefined && match.pile !== null) lines.push(h("p", { class: "hint" }, tn("match.pile", match.pile)));
  if (match.last_phase && !match.over) lines.push(h("p", { class: "notice" }, t("match.last-phase")));
  if (match.hands_empty && !match.over) lines.push(h("p", { class: "notice" }, t("match.hands-empty")));
  if (match.stuck) lines.push(h("p", { class: "notice" }, t("match.stuck")));
  for (const note of match.notes) lines.push(h("p", { class: "notice" }, note));
  return lines;
}

function playerRow(player, most) {
  const more = [];
  if (player.pile) more.push(tn("match.won-cards", player.pile.length));
  if (player.hand !== undefined && player.hand !== null) more.push(tn("match.hand", player.hand));
  if (player.cats_left !== undefined) more.push(tn("match.cats-left", player.cats_left));
  if (player.princess_left) more.push(t("match.princess-left"));
  if (player.loses_turn) more.push(t("match.loses-turn"));
  const classes = ["player", player.key === match.turn && "turn", match.winners.includes(player.key) && "won"].filter(Boolean).join(" ");
  return h(
    "li",
    { class: classes },
    h("span", { class: `chip chip-${player.colour}`, "aria-hidden": "true" }),
    h("span", { class: "player-name" }, player.name, h("small", {}, more.join(" · "))),
    player.total === undefined ? null : h("span", { class: `total${player.total === most && most > 0 ? " leads" : ""}` }, h("b", {}, String(player.total)), h("small", {}, tn("match.points", player.total).replace(/^\d+\s*/, ""))),
  );
}

// -- what happens now

function now_() {
  if (match.over) return h("p", {}, t("match.over"));
  const open = match.entries.find((entry) => !entry.confirmed);
  if (match.game === "cat-and-mouse") return mouseActions(open);
  return match.game === "coloured-paths" ? pathActions(open) : boxActions(open);
}

function photoButton(id, text, kind, entry, tone = "primary") {
  const input = h("input", { type: "file", id, class: "visually-hidden", accept: "image/*,.heic,.heif,.avif", on: { change: (event) => { const file = event.target.files[0]; event.target.value = ""; if (file) photograph(file, kind, entry); } } });
  return h("label", { class: `button ${tone} big` }, input, h("span", {}, text));
}

/** For a match that is written down only now: offered until something counts. */
function foundButton() {
  return match.entries.some((entry) => entry.confirmed) ? null : photoButton("photo-found", t("match.photo-found"), "found", undefined, "");
}

function button(text, run, kind = "", key = text) {
  return h("button", { type: "button", class: `button ${kind}`, data: { key }, on: { click: run } }, text);
}

function mouseActions(open) {
  return [
    h("p", { class: "hint" }, t("match.photo-about")),
    h("div", { class: "actions" },
      photoButton("photo-round", t(open?.tables.length ? "match.photo-more" : "match.photo-round"), "round", open),
      button(t("match.by-hand"), () => byHand("round", open), "big")),
  ];
}

function pathActions(open) {
  if (open) return h("p", {}, t("match.to-confirm"));
  return [
    h("div", { class: "actions" },
      photoButton("photo-move", t("match.photo-move"), "laid"),
      button(t("match.by-hand"), () => byHand("laid"), "big"),
      button(t("match.drew"), () => atOnce("drew"), "big"),
      button(t("match.passed"), () => atOnce("passed"), "big"),
      foundButton()),
    told ? toldForm() : button(t("match.told"), () => { told = true; show(match); }),
  ];
}

function check(id, text) {
  return h("label", { class: "check" }, h("input", { type: "checkbox", id }), " ", text);
}

function toldForm() {
  const tell = async (event) => {
    event.preventDefault();
    const extra = [["told-seven", "seven-changes"], ["told-three", "three-joints"]].filter(([id]) => byId(id).checked).map(([, reason]) => reason);
    const data = { ring: byId("told-ring").checked, extra_turn: extra };
    told = false;
    await atOnce("laid", data);
  };
  return h("form", { class: "card-box open", on: { submit: tell } },
    h("h3", {}, t("match.told-title")),
    check("told-ring", t("match.ring")), check("told-seven", t("match.seven")), check("told-three", t("match.three")),
    h("div", { class: "actions" }, h("button", { class: "button primary" }, t("match.confirm-turn"))));
}

function boxActions(open) {
  if (open) return h("p", {}, t("match.to-confirm"));
  const victims = match.players.filter((player) => player.key !== match.turn && player.cats_awake > 0);
  const me = match.players.find((player) => player.key === match.turn);
  const play = async (event) => {
    event.preventDefault();
    const data = { box: byId("played-box").checked, cat: byId("played-cat").checked, asleep: byId("played-asleep").checked, princess_replaces: byId("played-princess")?.value || null };
    await atOnce("turn", data);
  };
  return [
    h("form", { class: "card-box open", on: { submit: play } },
      h("h3", {}, t("match.played")),
      check("played-box", t("match.box")), check("played-cat", t("match.cat")), check("played-asleep", t("match.asleep")),
      me?.princess_left && victims.length
        ? h("p", {}, h("label", { for: "played-princess" }, t("match.princess"), " "),
            h("select", { id: "played-princess" }, h("option", { value: "" }, t("match.princess-none")), victims.map((player) => h("option", { value: player.key }, player.name))))
        : null,
      h("div", { class: "actions" }, h("button", { class: "button primary" }, t("match.confirm-turn")))),
    h("div", { class: "actions" },
      photoButton("photo-turn", t("match.photo-turn"), "turn"),
      button(t("match.turn-by-hand"), () => byHand("turn"), "big"),
      foundButton()),
    h("div", { class: "actions" },
      match.last_phase ? null : button(t("match.pile-empty"), () => atOnce("pile-empty")),
      photoButton("photo-end", t("match.photo-end"), "scored", undefined, match.last_phase ? "primary" : ""),
      button(t("match.end-by-hand"), () => byHand("scored"), "big")),
  ];
}

/** Something that needs no look: entered and confirmed in one, and taken back with one tap. */
async function atOnce(kind, data) {
  const player = kind === "pile-empty" ? null : match.turn;
  const added = await act("POST", "/entries", { kind, player, ...(data ? { data } : {}) });
  if (!added) return;
  const entry = added.entries.at(-1);
  const confirmed = await act("POST", `/entries/${entry.id}/confirm`);
  if (confirmed) return;
  const problem = [...byId("problem").childNodes];
  await act("DELETE", `/entries/${entry.id}`);
  byId("problem").replaceChildren(...problem);
}

async function entryFor(kind, open) {
  if (open) return open;
  const added = await act("POST", "/entries", { kind, player: kind === "laid" || kind === "turn" ? match.turn : null });
  return added?.entries.at(-1) ?? null;
}

const known = rememberedProfile(byId("profile-row"));

function photograph(file, kind, open) {
  let entry = open;
  upload(
    byId("progress"),
    file,
    known,
    async () => {
      entry ??= await entryFor(kind);
      if (!entry) throw new Error(t("upload.failed"));
      return { entry: entry.id };
    },
    (table) => location.assign(`/tables/${table}`),
  );
}

async function byHand(kind, open) {
  const last = [...match.entries].reverse().find((entry) => entry.confirmed && entry.tables.length);
  const entry = await entryFor(kind, open);
  if (!entry) return;
  const copied = kind !== "round" && last ? { copy_of: last.tables.at(-1).id } : {};
  try {
    const table = await ask("POST", `${url}/entries/${entry.id}/tables`, copied);
    location.assign(`/tables/${table.id}`);
  } catch (error) {
    showFailure(byId("progress"), error);
  }
}

// -- what has happened

function entryCard(entry) {
  const found = entry.shown_as === "found";
  const who = entry.player && !found ? ` · ${name(entry.player)}` : "";
  const title = entry.kind === "round" ? `${t("kind.round")} ${roundNumber(entry)}` : `${entry.number}. ${t(`kind.${entry.shown_as}`)}${who}`;
  return h(
    "li",
    { class: `entry${entry.confirmed ? " confirmed" : ""}`, data: { entry: entry.id } },
    h("h3", {}, title),
    h("p", { class: `state ${entry.confirmed ? "ok" : "ask"}` }, t(entry.confirmed ? "match.confirmed" : "match.to-confirm")),
    entry.problem ? h("p", { class: "notice bad" }, entry.problem) : null,
    entry.reading ? h("p", { class: "hint" }, t("match.reading")) : null,
    entry.tables.map((table) => tableRow(entry, table)),
    entry.move ? moveText(entry.move) : null,
    openFields(match, entry, show) ?? (entry.kind === "turn" && !found ? h("p", {}, playedText(entry.event ?? entry.data)) : null),
    Object.keys(entry.points).length ? h("ul", { class: "plain points-list" }, Object.entries(entry.points).map(([key, points]) => h("li", {}, `${name(key)}: `, h("b", {}, tn("match.points", points))))) : null,
    noteField(entry),
    h("div", { class: "actions" },
      entry.confirmed
        ? button(t("match.reopen"), () => act("POST", `/entries/${entry.id}/reopen`), "", `reopen-${entry.id}`)
        : entry.reading ? null : button(t("match.confirm"), () => act("POST", `/entries/${entry.id}/confirm`), "primary", `confirm-${entry.id}`),
      button(t("match.delete"), () => confirm(t("match.delete-sure")) && act("DELETE", `/entries/${entry.id}`), "danger", `delete-${entry.id}`)),
  );
}

function roundNumber(entry) {
  return match.entries.filter((other) => other.kind === "round").indexOf(entry) + 1;
}

function tableRow(entry, table) {
  const words = table.outcome === "undetermined" && table.decided ? `${t("match.undetermined")} ${t("match.decided")}` : t(`match.${table.outcome}`);
  return h(
    "div",
    { class: "entry-table" },
    table.photo ? h("a", { href: table.url, class: "thumb", tabindex: -1, "aria-hidden": "true" }, h("img", { src: table.photo, alt: "", loading: "lazy" })) : null,
    h("div", {},
      h("p", { class: `verdict ${table.outcome}` }, words),
      entry.confirmed || !table.routes ? null : ownerFields({ id: table.id, entry: entry.id }, match, table.routes, show),
      table.scores && !entry.confirmed ? h("ul", { class: "plain" }, Object.entries(table.scores).map(([key, points]) => h("li", {}, `${name(key)}: ${tn("match.points", points)}`))) : null,
      h("a", { href: table.url, class: "button" }, t(entry.confirmed ? "match.look" : "match.open"))),
  );
}

function playedText(data) {
  const parts = ["box", "cat", "asleep"].filter((part) => data[part]).map((part) => t(`match.${part}`));
  if (data.princess_replaces) parts.push(`${t("match.princess")}: ${name(data.princess_replaces)}`);
  return parts.map((part, i) => (i ? part.charAt(0).toLowerCase() + part.slice(1) : part)).join(", ");
}

function noteField(entry) {
  const input = h("input", { id: `note-${entry.id}`, value: entry.note, maxlength: 500, placeholder: t("match.note"), on: { change: () => act("PUT", `/entries/${entry.id}`, { note: input.value }, () => toast(t("match.saved"))) } });
  return h("p", { class: "entry-note" }, h("label", { class: "visually-hidden", for: `note-${entry.id}` }, t("match.note")), input);
}

// -- aside

function nameFields() {
  return [
    match.players.map((player) => h("p", {}, h("label", { for: `rename-${player.key}` }, `${t("match.player")}: ${player.name}`), h("input", { id: `rename-${player.key}`, value: player.name, maxlength: 60, required: true }))),
    h("button", { class: "button" }, t("match.save")),
  ];
}

byId("names").addEventListener("submit", async (event) => {
  event.preventDefault();
  const names = Object.fromEntries(match.players.map((player) => [player.key, byId(`rename-${player.key}`).value]));
  document.activeElement.blur();
  if (await act("PATCH", "", { names })) toast(t("match.saved"));
});
byId("save-note").addEventListener("click", async () => {
  if (await act("PATCH", "", { note: byId("note").value })) toast(t("match.saved"));
});
byId("remove").addEventListener("click", async () => {
  if (!confirm(t("match.remove-sure"))) return;
  try {
    await ask("DELETE", url);
    forgetMatch(match.id);
    location.assign("/");
  } catch (error) {
    toast(error.message, true);
  }
});
byId("share")?.addEventListener("click", async () => {
  try {
    if (navigator.share) await navigator.share({ url: start.link, title: document.title });
    else if (navigator.clipboard) {
      await navigator.clipboard.writeText(start.link);
      toast(t("match.copied"));
    }
  } catch (error) {
    if (error.name !== "AbortError") toast(start.link);
  }
});

show(match);
