// A fixed camera measured: the lens with the board moved about, the table, the light.

import { ask, sendForm } from "./api.js";
import { cameras, frameOf, openCamera, whyNoCamera } from "./camera.js";
import { byId, h, redraw, s, toast } from "./dom.js";
import { takenBy } from "./exif.js";
import { shrunk } from "./photo.js";
import { PROFILE_KINDS } from "./profiles.js";
import { t, tn } from "./start.js";
import { showFailure, wirePicker } from "./upload.js";

const WANTED = 12;
const LEAST_MS = 250; // between frames
const GRID = 4;

// -- the lens

const video = byId("video");
const canvas = document.createElement("canvas");
let lens = null;
let stream = null;
let running = false;

const ADVICE = { show: "cam.go-show", top: "cam.go-top", bottom: "cam.go-bottom", left: "cam.go-left", right: "cam.go-right", "top-left": "cam.go-top-left", "top-right": "cam.go-top-right", "bottom-left": "cam.go-bottom-left", "bottom-right": "cam.go-bottom-right", slant: "cam.go-slant", more: "cam.go-more", done: "cam.go-done" };
const TARGETS = { top: [0, 0, 4, 1], bottom: [0, 3, 4, 1], left: [0, 0, 1, 4], right: [3, 0, 1, 4], "top-left": [0, 0, 1.3, 1.3], "top-right": [2.7, 0, 1.3, 1.3], "bottom-left": [0, 2.7, 1.3, 1.3], "bottom-right": [2.7, 2.7, 1.3, 1.3] };
const NEEDS = { top: "cam.need-top", bottom: "cam.need-bottom", left: "cam.need-left", right: "cam.need-right", corners: "cam.need-corners", slant: "cam.need-slant", misfit: "cam.need-misfit" };

function problem(words) {
  redraw(byId("lens-problem"), words ? h("p", { class: "notice bad" }, words) : null);
}

async function begin() {
  problem(null);
  lens ??= (await ask("POST", "/api/cameras/lenses")).id;
  byId("measuring").hidden = false;
}

byId("open").addEventListener("click", async () => {
  problem(whyNoCamera());
  if (whyNoCamera()) return;
  try {
    await begin();
    await open();
  } catch (error) {
    problem(error.message);
    return;
  }
  running = true;
  loop();
});

async function open(id) {
  close();
  stream = await openCamera(id);
  video.srcObject = stream;
  byId("camera-row").hidden = false;
  await video.play().catch(() => {});
  const track = stream.getVideoTracks()[0];
  const used = track.getSettings().deviceId;
  if (!byId("camera-name").value) byId("camera-name").value = track.label;
  redraw(byId("camera"), (await cameras()).map((camera) => h("option", { value: camera.id, selected: camera.id === used }, camera.name)));
}

function close() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  video.srcObject = null;
}

byId("camera").addEventListener("change", (event) => open(event.target.value).catch((error) => toast(error.message, true)));
byId("stop").addEventListener("click", stop);
addEventListener("pagehide", stop);

function stop() {
  running = false;
  close();
  byId("measuring").hidden = true;
}

async function loop() {
  while (running) {
    const began = performance.now();
    const frame = document.hidden ? null : await frameOf(video, canvas);
    if (frame) {
      try {
        show(await sendForm(`/api/cameras/lenses/${lens}/frames`, frame));
      } catch (error) {
        byId("seen").textContent = error.message;
        await new Promise((resolve) => setTimeout(resolve, 1500));
      }
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(50, LEAST_MS - (performance.now() - began))));
  }
}

/** Photographs instead of a camera in the page. */
byId("board-photos").addEventListener("change", async (event) => {
  const files = [...event.target.files];
  event.target.value = "";
  if (!files.length) return;
  try {
    await begin();
    running = false;
    close();
    byId("camera-row").hidden = true;
    for (const file of files) {
      try {
        const photo = await shrunk(file);
        video.poster = URL.createObjectURL(photo);
        show(await sendForm(`/api/cameras/lenses/${lens}/frames`, photo));
      } catch (error) {
        toast(error.message, true);
      }
    }
  } catch (error) {
    problem(error.message);
  }
});

function show(now) {
  const [width, height] = now.size;
  const svg = byId("outlines");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const target = TARGETS[now.advice];
  svg.replaceChildren(
    ...[
      target && s("rect", { class: "target", x: (target[0] * width) / GRID, y: (target[1] * height) / GRID, width: (target[2] * width) / GRID, height: (target[3] * height) / GRID, "stroke-width": width / 200 }),
      now.outline && s("polygon", { points: now.outline.map((corner) => corner.join(",")).join(" "), "stroke-width": width / 160 }),
    ].filter(Boolean),
  );
  const words = t(ADVICE[now.advice] ?? "cam.go-more");
  if (byId("advice").textContent !== words) byId("advice").textContent = words;
  byId("seen").textContent = t(now.found ? "cam.seen" : "cam.unseen");
  byId("views").value = now.views;
  byId("views-words").textContent = tn("cam.views", now.views, { wanted: WANTED });
  byId("work-out").disabled = !now.enough;
  byId("covered").replaceChildren(...now.covered.flatMap((row, y) => row.map((seen, x) => s("rect", { class: seen ? "seen" : "", x, y: y * 0.75, width: 1, height: 0.75 }))));
}

byId("lens-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = byId("camera-name").value.trim();
  if (!name || !lens) return;
  waiting(byId("lens-result"));
  try {
    const result = await ask("POST", `/api/cameras/lenses/${lens}/profile`, { name });
    const error = result.error.toFixed(2);
    redraw(
      byId("lens-result"),
      h("div", { class: `notice${result.good ? "" : " bad"}`, role: "status" }, h("p", {}, t(result.good ? "cam.good" : "cam.not-good", { error })), result.missing.length > 0 && h("ul", {}, result.missing.map((key) => h("li", {}, t(NEEDS[key]))))),
      pictures(result),
    );
    profiles();
  } catch (error) {
    showFailure(byId("lens-result"), error);
  }
});

function waiting(place) {
  place.replaceChildren(h("div", { class: "progress" }, h("p", {}, t("cam.working")), h("progress", { "aria-label": t("cam.working") })));
}

function pictures(result) {
  if (!result.before) return null;
  return h(
    "div",
    { class: "pictures" },
    ["before", "after"].map((name) => h("figure", {}, h("img", { src: result[name], alt: "" }), h("figcaption", {}, t(name === "before" ? "cam.before" : "cam.after")))),
  );
}

wirePicker(byId("cards-photo"), async (file) =>
  measured(byId("lens-result"), "/api/cameras/cards", file, { ...(await takenBy(file)), shape: byId("cards-shape").value }, (result) => tn("cam.cards-done", result.cards)),
);

// -- the table and the light

async function measured(place, url, file, fields, told) {
  waiting(place);
  try {
    const result = await sendForm(url, await shrunk(file), fields);
    redraw(place, h("p", { class: "notice" }, told(result)), pictures(result));
    profiles();
  } catch (error) {
    showFailure(place, error);
  }
}

let table = null;

wirePicker(byId("table-photo"), (file) =>
  measured(byId("table-result"), "/api/cameras/tables", file, { lens: byId("use-lens").value, width: byId("mat-width").value, height: byId("mat-height").value }, (result) => {
    table = result.profile;
    return t("cam.table-done", { off: result.residual_mm });
  }),
);
wirePicker(byId("check-photo"), (file) =>
  measured(byId("table-result"), `/api/cameras/tables/${encodeURIComponent(table)}/check`, file, {}, (result) => t(result.moved === null ? "cam.no-marks" : result.moved ? "cam.moved" : "cam.not-moved")),
);
wirePicker(byId("light-photo"), (file) =>
  measured(byId("light-result"), "/api/cameras/lights", file, { deck: byId("light-deck").value }, (result) => t("cam.light-done", { before: result.off_before, after: result.off_after })),
);

// -- what was measured

async function profiles() {
  const found = (await ask("GET", "/api/cameras/profiles")).profiles;
  const tables = found.filter((profile) => profile.kind === "table").map((profile) => profile.name);
  if (!tables.includes(table)) table = tables[0] ?? null;
  byId("check-row").hidden = table === null;
  redraw(byId("use-lens"), h("option", { value: "" }, t("cam.no-lens")), found.filter((profile) => profile.kind === "camera").map((profile) => h("option", { value: profile.name }, profile.model || profile.name)));
  redraw(
    byId("profiles"),
    found.length === 0 && h("li", {}, t("cam.nothing")),
    found.map((profile) =>
      h(
        "li",
        { class: "row" },
        h("b", {}, profile.model || profile.name),
        h("span", {}, t(PROFILE_KINDS[profile.kind] ?? "cam.kind-broken")),
        profile.kind === "table" && h("a", { class: "button", href: `/live?profile=${encodeURIComponent(profile.name)}` }, t("live.title")),
        PROFILE_KINDS[profile.kind] && h("a", { class: "button", href: `/api/cameras/profiles/${encodeURIComponent(profile.name)}`, download: "" }, t("cam.save")),
        h("button", { type: "button", class: "button danger", data: { key: `forget-${profile.name}` }, on: { click: async () => { await ask("DELETE", `/api/cameras/profiles/${encodeURIComponent(profile.name)}`).catch(() => {}); profiles(); } } }, t("cam.forget")),
      ),
    ),
  );
}

profiles().catch((error) => toast(error.message, true));
