// A table that belongs to a match: whose each Start is, and Confirm.

import { ask } from "./api.js";
import { h, toast } from "./dom.js";
import { t, tn } from "./start.js";

function entryOf(view, match) {
  return match?.entries.find((entry) => entry.id === view.entry);
}

export function ownerOf(view, match, card) {
  return entryOf(view, match)?.data.owners?.[`${view.id}/${card}`] ?? "";
}

/** Say whose a Start is. Resolves to the match, or null if that failed. */
export async function setOwner(view, match, card, player) {
  const entry = entryOf(view, match);
  const owners = { ...entry.data.owners };
  if (player) owners[`${view.id}/${card}`] = player;
  else delete owners[`${view.id}/${card}`];
  try {
    return await ask("PUT", `/api/matches/${match.id}/entries/${entry.id}`, { data: { ...entry.data, owners } });
  } catch (error) {
    toast(error.message, true);
    return null;
  }
}

/** Fields to say whose each Start is; changed(match). */
export function ownerFields(view, match, routes, changed) {
  return routes.map((route) =>
    h("p", { class: "owner" },
      h("label", { for: `owner-${view.id}-${route.start}` }, t("match.whose", { label: route.label })),
      h("select", { id: `owner-${view.id}-${route.start}`, on: { change: async (event) => { const now = await setOwner(view, match, route.start, event.target.value); if (now) changed(now); } } },
        h("option", { value: "" }, t("match.choose")),
        match.players.map((player) => h("option", { value: player.key, selected: player.key === route.owner }, player.name))),
      h("span", { class: "hint" }, tn("match.route", route.cards, { points: tn("match.points", route.points) })),
    ),
  );
}

/** Saying things of an entry, one after another: what was said before stays said though no answer has come yet. */
function saying(match, entry, changed) {
  const data = structuredClone(entry.data);
  const say = async (more) => {
    Object.assign(data, more);
    try {
      changed(await ask("PUT", `/api/matches/${match.id}/entries/${entry.id}`, { data }));
    } catch (error) {
      toast(error.message, true);
    }
  };
  return { say, data };
}

/** What was played in a turn whose photograph is the first one: fields to say it; changed(match). */
function playedFields(match, entry, changed) {
  const { say } = saying(match, entry, changed);
  return h("fieldset", { class: "played" }, h("legend", {}, t("match.played")),
    ["box", "cat", "asleep"].map((name) =>
      h("label", { class: "check" }, h("input", { type: "checkbox", id: `said-${name}-${entry.id}`, checked: entry.data[name], on: { change: (event) => say({ [name]: event.target.checked }) } }), " ", t(`match.${name}`))));
}

/** A table that was under way: fields for what it does not show; changed(match). */
function foundFields(match, entry, changed) {
  const { say, data } = saying(match, entry, changed);
  const chosen = entry.data.next ?? entry.player ?? match.players[0].key;
  const hand = (player) => {
    const id = `hand-${player.key}-${entry.id}`;
    const change = (event) => {
      const hands = { ...data.hands, [player.key]: Number(event.target.value) };
      if (!event.target.value) delete hands[player.key];
      say({ hands });
    };
    return h("p", { class: "owner" }, h("label", { for: id }, player.name), h("input", { id, type: "number", min: 1, max: 40, inputmode: "numeric", value: entry.data.hands[player.key] ?? "", on: { change } }));
  };
  const princess = (player) => {
    const change = (event) => say({ princesses: [...data.princesses.filter((key) => key !== player.key), ...(event.target.checked ? [player.key] : [])] });
    return h("label", { class: "check" }, h("input", { type: "checkbox", id: `princess-${player.key}-${entry.id}`, checked: entry.data.princesses.includes(player.key), on: { change } }), " ", player.name);
  };
  const id = `next-${entry.id}`;
  return h("div", { class: "found" },
    h("p", {}, t("match.found")),
    h("p", { class: "owner" }, h("label", { for: id }, t("match.next")),
      h("select", { id, on: { change: (event) => say({ next: event.target.value }) } }, match.players.map((player) => h("option", { value: player.key, selected: player.key === chosen }, player.name)))),
    match.game === "coloured-paths" ? h("fieldset", {}, h("legend", {}, t("match.hands")), match.players.map(hand)) : null,
    entry.princesses ? h("fieldset", {}, h("legend", {}, t("match.whose-princess")), match.players.map(princess)) : null);
}

/** The sentences of the move that a table shows; null if there are none. */
export function moveText(move) {
  if (!move?.sentences.length) return null;
  const tone = !move.certain ? "ask-text" : move.legal ? "" : "bad-text";
  return h("p", { class: `move ${tone}` }, move.sentences.join(" "));
}

/** What is still to be told of an entry whose table does not show all; null if nothing. */
export function openFields(match, entry, changed) {
  if (entry.confirmed) return null;
  if (entry.under_way) return foundFields(match, entry, changed);
  return entry.as_found && entry.kind === "turn" ? playedFields(match, entry, changed) : null;
}

/** The bar above the verdict; null outside a match. */
export function matchBar(view, match, changed) {
  const entry = entryOf(view, match);
  if (!entry) return null;
  const back = h("a", { class: "button", href: `/matches/${match.id}` }, t("panel.to-match"));
  if (entry.confirmed) return h("div", { class: "match-bar" }, back);
  const routes = (view.answer.verdict?.routes ?? []).map((route) => ({
    start: route.start,
    label: view.cards.find((card) => card.id === route.start)?.label ?? route.start,
    cards: route.valid.length,
    points: route.points,
    owner: ownerOf(view, match, route.start),
  }));
  const confirm = async () => {
    try {
      await ask("POST", `/api/matches/${match.id}/entries/${entry.id}/confirm`);
      location.assign(`/matches/${match.id}`);
    } catch (error) {
      toast(error.message, true);
    }
  };
  return h("div", { class: "match-bar" },
    match.game === "cat-and-mouse" ? ownerFields(view, match, routes, changed) : null,
    moveText(entry.move),
    openFields(match, entry, changed),
    h("p", { class: "hint" }, t("panel.confirm-about")),
    h("div", { class: "actions" }, h("button", { type: "button", class: "button primary", id: "confirm", on: { click: confirm } }, t("panel.confirm")), back),
  );
}
