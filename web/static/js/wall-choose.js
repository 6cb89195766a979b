// What is shown on the wall: a match that this device knows.

import { byId, h } from "./dom.js";
import { recentMatches } from "./recent.js";
import { t } from "./start.js";

const matches = recentMatches();
byId("none").hidden = matches.length > 0;
byId("matches").replaceChildren(
  ...matches.map((match) => h("li", {}, h("a", { class: "button big", href: `/projector/matches/${match.id}` }, `${match.title || t(`game.${match.game}`)} · ${match.names}`))),
);
