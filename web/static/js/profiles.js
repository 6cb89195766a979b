// What was measured of cameras, to choose from; hidden as long as nothing was.

import { ask } from "./api.js";
import { h, redraw } from "./dom.js";
import { t } from "./start.js";

export const PROFILE_KINDS = { camera: "cam.kind-camera", table: "cam.kind-table", colour: "cam.kind-colour" };

const REMEMBERED = "profile"; // what this device's photos were last read with

/** Fill the list in a row of a form; chosen: the name of the profile to begin with. Nothing chosen: by the camera's name. */
export async function offerProfiles(row, chosen = null) {
  const list = row.querySelector("select");
  const found = (await ask("GET", "/api/cameras/profiles")).profiles;
  redraw(
    list,
    h("option", { value: "" }, t("cam.by-itself")),
    found.filter((profile) => PROFILE_KINDS[profile.kind]).map((profile) => h("option", { value: profile.name, selected: profile.name === chosen, data: { kind: profile.kind } }, `${profile.title || profile.name} (${t(PROFILE_KINDS[profile.kind])})`)),
  );
  row.hidden = found.length === 0;
}

/** The same list for photographs that are sent one by one: the choice is remembered, as a fixed camera stays where it is. Returns a function that resolves to the fields of the form. */
export function rememberedProfile(row) {
  const list = row.querySelector("select");
  const tell = () => {
    const kind = list.selectedOptions[0]?.dataset.kind;
    row.querySelector(".hint").textContent = kind === "table" ? t("cam.fixed-hint") : kind ? t("cam.chosen-hint") : "";
  };
  list.addEventListener("change", () => {
    localStorage.setItem(REMEMBERED, list.value);
    tell();
  });
  const asked = new URLSearchParams(location.search).get("profile");
  if (asked !== null) localStorage.setItem(REMEMBERED, asked);
  const offered = offerProfiles(row, localStorage.getItem(REMEMBERED)).then(tell, () => {});
  return async () => {
    await offered;
    return { profile: list.options.length ? list.value : localStorage.getItem(REMEMBERED) };
  };
}
