// Who plays what, by which house rules.

import { ask } from "./api.js";
import { byId, h, redraw } from "./dom.js";
import { start, t } from "./start.js";

const form = byId("new-match");
let players = [{ name: "", colour: "" }, { name: "", colour: "" }];

const asked = start.chosen ?? localStorage.getItem("game");
const radio = asked && form.querySelector(`input[name=game][value="${CSS.escape(asked)}"]`);
if (radio) radio.checked = true;

function game() {
  return start.games.find((known) => known.id === form.elements.game.value);
}

function deck() {
  return game().decks.find((known) => known.key === byId("deck").value) ?? game().decks[0];
}

function colours() {
  return game().id === "if-it-fits" ? deck().colours : start.colours;
}

function colourName(colour) {
  return start.texts[`colour.${colour}`] ?? colour;
}

function showGame() {
  const chosen = game();
  byId("deck-row").hidden = chosen.decks.length < 2;
  redraw(byId("deck"), chosen.decks.map((known) => h("option", { value: known.key }, known.name)));
  byId("hand-row").hidden = chosen.id !== "if-it-fits";
  byId("house").hidden = chosen.choices.length === 0;
  redraw(
    byId("choices"),
    chosen.choices.map((choice) =>
      h("fieldset", { class: "choice" }, choice.values.map((value, i) =>
        h("label", {}, h("input", { type: "radio", name: `option-${choice.name}`, value: value.value, checked: i === 0 }), " ", value.text))),
    ),
  );
  players = players.slice(0, chosen.most);
  showPlayers();
}

function showPlayers() {
  const known = colours();
  for (const player of players) if (!known.includes(player.colour)) player.colour = "";
  for (const player of players) player.colour ||= known.find((colour) => !players.some((other) => other.colour === colour)) ?? "";
  redraw(
    byId("players"),
    players.map((player, i) =>
      h(
        "li",
        { class: "player-row" },
        h("span", { class: `chip chip-${player.colour}`, "aria-hidden": "true" }),
        h("label", { class: "visually-hidden", for: `name-${i}` }, t("new.player", { n: i + 1 })),
        h("input", { id: `name-${i}`, value: player.name, placeholder: t("new.player", { n: i + 1 }), maxlength: 60, autocomplete: "off", on: { input: (event) => (player.name = event.target.value) } }),
        h("label", { class: "visually-hidden", for: `colour-${i}` }, `${t("new.colour")}: ${t("new.player", { n: i + 1 })}`),
        h(
          "select",
          { id: `colour-${i}`, on: { change: (event) => choose(i, event.target.value) } },
          known.map((colour) => h("option", { value: colour, selected: colour === player.colour }, colourName(colour))),
        ),
        players.length > 2
          ? h("button", { type: "button", class: "button icon", "aria-label": t("new.remove", { n: i + 1 }), title: t("new.remove", { n: i + 1 }), data: { key: `remove-${i}` }, on: { click: () => { players.splice(i, 1); showPlayers(); } } }, "✕")
          : null,
      ),
    ),
  );
  byId("add-player").hidden = players.length >= game().most;
}

/** Two players who want one colour change places. */
function choose(i, colour) {
  const other = players.find((player) => player.colour === colour);
  if (other) other.colour = players[i].colour;
  players[i].colour = colour;
  showPlayers();
}

form.addEventListener("change", (event) => {
  if (event.target.name === "game") showGame();
  if (event.target.id === "deck") showPlayers();
});
byId("add-player").addEventListener("click", () => {
  players.push({ name: "", colour: "" });
  showPlayers();
  byId(`name-${players.length - 1}`).focus();
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const chosen = game();
  const options = Object.fromEntries(chosen.choices.map((choice) => [choice.name, form.elements[`option-${choice.name}`].value]));
  const hand = chosen.id === "if-it-fits" && byId("hand").value ? Number(byId("hand").value) : null;
  const named = players.map((player, i) => ({ name: player.name.trim() || t("new.player", { n: i + 1 }), colour: player.colour || null }));
  try {
    const match = await ask("POST", "/api/matches", { deck: deck().key, title: byId("match-title").value, players: named, options, hand });
    localStorage.setItem("game", chosen.id);
    location.assign(`/matches/${match.id}`);
  } catch (error) {
    byId("problem").replaceChildren(h("p", { class: "notice bad" }, error.message));
  }
});

showGame();
byId("start-match").disabled = false;
