// A fixed camera measured: the lens with the board moved about, the table, the light.

import { ask, sendForm } from "./api.js";
import { cameras, frameOf, openCamera, whyNoCamera } from "./camera.js";
import { byId, h, redraw, s, toast } from "./dom.js";
import { takenBy } from "./exif.js";
import { shrunk } from "./photo.js";
import { PROFILE_KINDS } from "./profiles.js";
import { t, tn } from "./start.js";
import { sure } from "./sure.js";
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
addEventListener("pagehide", () => {
  running = false;
  close();
});

/** What was kept is let go: whoever begins again does so with another camera perhaps. */
async function stop() {
  running = false;
  close();
  byId("measuring").hidden = true;
  byId("sent").replaceChildren();
  const done = lens;
  lens = null;
  if (done) await ask("DELETE", `/api/cameras/lenses/${done}`).catch(() => {});
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

/** Photographs instead of a camera in the page: those that are as large as most, each with what came of it. */
byId("board-photos").addEventListener("change", async (event) => {
  const files = [...event.target.files];
  event.target.value = "";
  if (!files.length) return;
  running = false;
  close();
  byId("camera-row").hidden = true;
  const told = files.map((file) => h("li", { class: "row" }, h("b", {}, file.name), h("span", {}, t("cam.photo-waits"))));
  byId("sent").replaceChildren(...told);
  const say = (k, words) => (told[k].lastChild.textContent = words);
  try {
    await begin();
    const photos = [];
    for (const [k, file] of files.entries()) {
      try {
        const blob = await shrunk(file);
        photos.push({ k, blob, fields: await takenBy(file), size: await sizeOf(blob) });
      } catch (error) {
        say(k, error.message);
      }
    }
    const usual = commonest(photos.map((photo) => photo.size).filter(Boolean));
    for (const { k, blob, fields, size } of photos) {
      if (size && size !== usual) {
        say(k, t("cam.photo-size", { size, usual }));
        continue;
      }
      say(k, t("cam.photo-looking"));
      video.poster = URL.createObjectURL(blob);
      try {
        const now = await sendForm(`/api/cameras/lenses/${lens}/frames`, blob, orientationOf(fields));
        say(k, t(now.kept ? "cam.photo-kept" : now.found ? "cam.photo-same" : "cam.photo-unseen"));
        if (now.kept && !byId("camera-name").value) byId("camera-name").value = fields.camera ?? "";
        show(now);
      } catch (error) {
        say(k, error.message);
      }
    }
  } catch (error) {
    problem(error.message);
  }
});

/** Of what is known of a photo only how it was held. */
function orientationOf({ orientation }) {
  return orientation ? { orientation } : {};
}

async function sizeOf(blob) {
  try {
    const image = await createImageBitmap(blob);
    const size = `${image.width} × ${image.height}`;
    image.close();
    return size;
  } catch {
    return null; // the service may be able to open it
  }
}

function commonest(values) {
  const many = new Map();
  for (const value of values) many.set(value, (many.get(value) ?? 0) + 1);
  return [...many].reduce((best, each) => (each[1] > best[1] ? each : best), [null, 0])[0];
}

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
    tell(
      byId("lens-result"),
      result.good,
      [t(result.good ? "cam.good" : "cam.not-good", { error }), result.missing.length > 0 && h("ul", {}, result.missing.map((key) => h("li", {}, t(NEEDS[key])))), result.left_out > 0 && h("p", {}, tn("cam.left-out", result.left_out))],
      result,
    );
    if (result.good) await stop();
    await profiles(result.profile);
  } catch (error) {
    showFailure(byId("lens-result"), error);
  }
});

function waiting(place) {
  place.replaceChildren(h("div", { class: "progress", role: "status" }, h("p", {}, t("cam.working")), h("progress", { "aria-label": t("cam.working") })));
  place.scrollIntoView({ block: "nearest" });
}

/** What came of it, with pictures of before and after, and what can be done now. */
function tell(place, good, words, result = {}, further = []) {
  redraw(place, h("div", { class: `notice${good ? "" : " bad"}`, role: "status" }, words), pictures(result), further.length > 0 && h("p", { class: "actions" }, further));
  place.scrollIntoView({ block: "nearest" });
}

function pictures(result) {
  if (!result.before) return null;
  return h(
    "div",
    { class: "pictures" },
    ["before", "after"].map((name) => h("figure", {}, h("img", { src: result[name], alt: "" }), h("figcaption", {}, t(name === "before" ? "cam.before" : "cam.after")))),
  );
}

wirePicker(byId("cards-photo"), async (file) => {
  const taken = await takenBy(file);
  const result = await measured(byId("cards-result"), "/api/cameras/cards", file, { camera: t("cam.lens"), ...taken, shape: byId("cards-shape").value }, (result) => tn("cam.cards-done", result.cards));
  if (result && !taken.camera) byId("cards-result").append(h("p", { class: "hint" }, t("cam.no-exif")));
});

// -- the table and the light

/** Send a photo to be measured, and tell what came of it; resolves to that, or to null. */
async function measured(place, url, file, fields, told, further = () => []) {
  waiting(place);
  try {
    const result = await sendForm(url, await shrunk(file), fields);
    tell(place, true, told(result), result, further(result));
    await profiles();
    return result;
  } catch (error) {
    showFailure(place, error, () => measured(place, url, file, fields, told, further));
    return null;
  }
}

function playWith(name) {
  const asked = `?profile=${encodeURIComponent(name)}`;
  return [h("a", { class: "button primary", href: `/${asked}` }, t("draft.play")), h("a", { class: "button", href: `/live${asked}` }, t("live.title"))];
}

wirePicker(byId("table-photo"), async (file) => {
  const fields = { ...orientationOf(await takenBy(file)), name: byId("table-name").value.trim(), lens: byId("use-lens").value, width: byId("mat-width").value, height: byId("mat-height").value };
  const told = (result) => t(fields.width ? "cam.table-done-mat" : "cam.table-done", { off: result.residual_mm });
  await measured(byId("table-result"), "/api/cameras/tables", file, fields, told, (result) => playWith(result.profile));
});
wirePicker(byId("light-photo"), (file) =>
  measured(byId("light-result"), "/api/cameras/lights", file, { deck: byId("light-deck").value, name: byId("light-name").value.trim() }, (result) => t("cam.light-done", { before: result.off_before, after: result.off_after }), (result) => playWith(result.profile)),
);

// -- what was measured

async function wasMoved(profile, file) {
  const place = byId("known-result");
  waiting(place);
  try {
    const { moved } = await sendForm(`/api/cameras/tables/${encodeURIComponent(profile.name)}/check`, await shrunk(file), orientationOf(await takenBy(file)));
    tell(place, moved === false, `${profile.title || profile.name}: ${t(moved === null ? "cam.no-marks" : moved ? "cam.moved" : "cam.not-moved")}`);
  } catch (error) {
    showFailure(place, error);
  }
}

function movedButton(profile) {
  const input = h("input", { type: "file", class: "visually-hidden", accept: "image/*,.heic,.heif,.avif", data: { check: profile.name } });
  wirePicker(input, (file) => wasMoved(profile, file));
  return h("label", { class: "button" }, input, h("span", {}, t("cam.check")));
}

async function forget(profile) {
  if (!(await sure(t("cam.forget-sure", { name: profile.title || profile.name }), t("cam.forget"), t("decks.no")))) return;
  try {
    await ask("DELETE", `/api/cameras/profiles/${encodeURIComponent(profile.name)}`);
    await profiles();
  } catch (error) {
    toast(error.message, true);
  }
}

/** lens: the name of one that was just measured, to be chosen for the table. */
async function profiles(lens = null) {
  const found = (await ask("GET", "/api/cameras/profiles")).profiles;
  const address = (profile) => `/api/cameras/profiles/${encodeURIComponent(profile.name)}`;
  const chosen = lens ?? byId("use-lens").value;
  redraw(byId("use-lens"), h("option", { value: "" }, t("cam.no-lens")), found.filter((profile) => profile.kind === "camera").map((profile) => h("option", { value: profile.name, selected: profile.name === chosen }, profile.title || profile.name)));
  redraw(
    byId("profiles"),
    found.length === 0 && h("li", {}, t("cam.nothing")),
    found.map((profile) =>
      h(
        "li",
        { class: "row" },
        h("b", {}, profile.title || profile.name),
        h("span", {}, t(PROFILE_KINDS[profile.kind] ?? "cam.kind-broken")),
        profile.kind === "table" && movedButton(profile),
        PROFILE_KINDS[profile.kind] && h("a", { class: "button", href: address(profile), download: "" }, t("cam.save")),
        h("button", { type: "button", class: "button danger", data: { key: `forget-${profile.name}` }, on: { click: () => forget(profile) } }, t("cam.forget")),
      ),
    ),
  );
}

profiles().catch((error) => toast(error.message, true));
