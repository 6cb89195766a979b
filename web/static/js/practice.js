// A photograph of a few cards: which are recognised, and how surely.

import { sendForm } from "./api.js";
import { byId, h, redraw, s } from "./dom.js";
import { takenBy } from "./exif.js";
import { shrunk } from "./photo.js";
import { rememberedProfile } from "./profiles.js";
import { start, t } from "./start.js";
import { showFailure, wirePicker } from "./upload.js";

const known = rememberedProfile(byId("profile-row"));
const words = new Map(start.deck.faces.map((face) => [face.id, face.words]));

async function take(file) {
  byId("progress").replaceChildren(h("div", { class: "progress" }, h("p", {}, t("practice.reading")), h("progress", { "aria-label": t("practice.reading") })));
  byId("result").replaceChildren();
  try {
    const blob = await shrunk(file);
    const fields = { ...(await takenBy(file)), ...(await known()) };
    const result = await sendForm(`/api/decks/${encodeURIComponent(start.deck.key)}/practice`, blob, fields);
    byId("progress").replaceChildren();
    show(result, URL.createObjectURL(blob));
  } catch (error) {
    showFailure(byId("progress"), error, () => take(file));
  }
}

function show(result, picture) {
  const size = Math.max(result.width, result.height);
  redraw(
    byId("result"),
    h(
      "div",
      { class: `notice${result.ready ? "" : " bad"}`, role: "status" },
      h("p", {}, result.read ? `${t("practice.result", { sure: result.sure, read: result.read })} ${t(result.ready ? "practice.ready" : "practice.not-ready")}` : t("practice.none")),
      result.read > 0 && h("p", {}, t("practice.count")),
      result.ready && h("p", { class: "actions" }, h("a", { class: "button", href: `/?game=${start.deck.game}`, on: { click: () => localStorage.setItem(`deck-${start.deck.game}`, start.deck.key) } }, t("draft.play"))),
    ),
    h(
      "div",
      { class: "measured" },
      h("img", { src: picture, alt: "" }),
      s(
        "svg",
        { viewBox: `0 0 ${result.width} ${result.height}`, "aria-hidden": "true" },
        result.cards.map((card) => [
          s("polygon", { class: card.sure ? "" : "unsure", points: card.corners.map((corner) => corner.join(",")).join(" "), "stroke-width": size / 200 }),
          !card.sure && s("text", { x: (card.corners[0][0] + card.corners[2][0]) / 2, y: (card.corners[0][1] + card.corners[2][1]) / 2, "font-size": size / 22, "stroke-width": size / 150, "text-anchor": "middle", "dominant-baseline": "central" }, "?"),
        ]),
      ),
    ),
    result.confused.length > 0 && h("ul", {}, result.confused.map((pair) => h("li", {}, t("practice.confused", { face: words.get(pair.face) ?? pair.face, other: words.get(pair.for) ?? pair.for })))),
  );
}

wirePicker(byId("take"), take);
wirePicker(byId("choose"), take);
