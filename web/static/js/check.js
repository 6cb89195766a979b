// The first page: choose the game, hand in a photograph, go to the table that was read.

import { ask } from "./api.js";
import { byId, h } from "./dom.js";
import { pictureIn } from "./photo.js";
import { rememberedProfile } from "./profiles.js";
import { recentMatches } from "./recent.js";
import { start, t } from "./start.js";
import { showFailure, upload, wirePicker } from "./upload.js";

const form = byId("check");
const progress = byId("progress");

const asked = new URLSearchParams(location.search).get("game");
const remembered = asked ?? localStorage.getItem("game");
if (remembered) {
  const radio = form.querySelector(`input[name=game][value="${CSS.escape(remembered)}"]`);
  if (radio) radio.checked = true;
}

function game() {
  return start.games.find((known) => known.id === form.elements.game.value);
}

function showGame() {
  const chosen = game();
  localStorage.setItem("game", chosen.id);
  byId("deck-row").hidden = chosen.decks.length < 2;
  const last = localStorage.getItem(`deck-${chosen.id}`);
  byId("deck").replaceChildren(...chosen.decks.map((deck) => h("option", { value: deck.key, selected: deck.key === last }, deck.name)));
  byId("play").href = `/matches/new?game=${chosen.id}`;
}

form.addEventListener("change", (event) => {
  if (event.target.name === "game") showGame();
  if (event.target.id === "deck") localStorage.setItem(`deck-${game().id}`, event.target.value);
});
form.addEventListener("submit", (event) => event.preventDefault());
showGame();

const known = rememberedProfile(byId("profile-row"));

function take(file) {
  const deck = byId("deck").value;
  upload(progress, file, known, () => ({ deck }), (table) => location.assign(`/tables/${table}`));
}

wirePicker(byId("take"), take);
wirePicker(byId("choose"), take);

const zone = document.body;
zone.addEventListener("dragover", (event) => {
  event.preventDefault();
  form.classList.add("dropping");
});
zone.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) form.classList.remove("dropping");
});
zone.addEventListener("drop", (event) => {
  event.preventDefault();
  form.classList.remove("dropping");
  offered(event.dataTransfer);
});
document.addEventListener("paste", (event) => {
  if (event.clipboardData?.files.length) offered(event.clipboardData);
});

function offered(transfer) {
  const file = pictureIn(transfer);
  if (file) take(file);
  else showFailure(progress, { message: t("upload.no-photo") });
}

byId("lay").disabled = false; // until now a tap would have done nothing
byId("lay").addEventListener("click", async () => {
  try {
    const table = await ask("POST", "/api/tables", { deck: byId("deck").value });
    location.assign(`/tables/${table.id}`);
  } catch (error) {
    showFailure(progress, error);
  }
});

const matches = recentMatches();
byId("recent").hidden = matches.length === 0;
byId("recent")
  .querySelector("ul")
  .replaceChildren(
    ...matches.map((match) =>
      h("li", {}, h("a", { href: `/matches/${match.id}` }, match.title || t(`game.${match.game}`)), ` · ${match.names} · ${match.day}`),
    ),
  );
