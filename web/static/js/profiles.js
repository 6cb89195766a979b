// What was measured of cameras, to choose from; hidden as long as nothing was.

import { ask } from "./api.js";
import { h, redraw } from "./dom.js";
import { t } from "./start.js";

export const PROFILE_KINDS = { camera: "cam.kind-camera", table: "cam.kind-table", colour: "cam.kind-colour" };

/** Fill the list in a row of a form; chosen: the name of the profile to begin with. Nothing chosen: by the camera's name. */
export async function offerProfiles(row, chosen = null) {
  const list = row.querySelector("select");
  const found = (await ask("GET", "/api/cameras/profiles")).profiles;
  redraw(
    list,
    h("option", { value: "" }, t("cam.by-itself")),
    found.map((profile) => h("option", { value: profile.name, selected: profile.name === chosen }, `${profile.model || profile.name} (${t(PROFILE_KINDS[profile.kind])})`)),
  );
  row.hidden = found.length === 0;
}
