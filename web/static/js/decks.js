// All decks: begin one, change one, bring one in, throw one away.

import { ApiError, ask, post } from "./api.js";
import { byId, h } from "./dom.js";
import { begunDrafts, forgetDraft } from "./drafts.js";
import { sure } from "./sure.js";
import { start, t } from "./start.js";
import { showFailure } from "./upload.js";

const problem = byId("problem");

function failed(error) {
  showFailure(problem, error);
  problem.scrollIntoView({ block: "center" });
}

async function begin(wanted) {
  try {
    const draft = await ask("POST", "/api/drafts", wanted);
    location.assign(`/drafts/${draft.id}`);
  } catch (error) {
    failed(error);
  }
}

byId("new-deck").addEventListener("submit", (event) => {
  event.preventDefault();
  begin({ game: event.target.elements.game.value });
});
byId("begin").disabled = false;

for (const button of document.querySelectorAll("[data-edit]")) button.addEventListener("click", () => begin({ deck: button.dataset.edit }));

for (const button of document.querySelectorAll("[data-delete]")) {
  button.addEventListener("click", async () => {
    if (!(await sure(t("decks.sure"), t("decks.yes"), t("decks.no")))) return;
    try {
      await ask("DELETE", `/api/decks/${button.dataset.delete}`);
      location.reload();
    } catch (error) {
      failed(error);
    }
  });
}

const archive = byId("archive");
archive.addEventListener("change", async () => {
  const file = archive.files[0];
  archive.value = "";
  if (!file) return;
  if (file.size > start.limit) {
    failed(new ApiError(413, "too-large", t("upload.too-large")));
    return;
  }
  const form = new FormData();
  form.append("deck", file, "deck.zip");
  try {
    await post("/api/decks", form);
    location.reload();
  } catch (error) {
    failed(error);
  }
});

// -- decks that were begun on this device

for (const known of begunDrafts()) {
  ask("GET", `/api/drafts/${known}`)
    .then((draft) => {
      byId("begun").hidden = false;
      byId("begun")
        .querySelector("ul")
        .append(h("li", {}, h("a", { href: `/drafts/${draft.id}` }, draft.name || t(`game.${draft.game}`)), ` · ${t(`game.${draft.game}`)}`));
    })
    .catch((error) => error.status === 404 && forgetDraft(known));
}
