// A table under the camera: frames go to the server one at a time, the verdict comes when the table lies still.

import { ask, sendForm } from "./api.js";
import { cameras, chooseCamera, chosenCamera, frameOf, glimpse, openCamera, whyNoCamera, widthFor } from "./camera.js";
import { byId, h, redraw, s, toast } from "./dom.js";
import { offerProfiles } from "./profiles.js";
import { start, t } from "./start.js";

const LEAST_MS = 80; // between frames, so that a quick server is not flooded
const AFTER_FAILURE_MS = 1500;
const SIGNS = { valid: "✓", invalid: "✗", undetermined: "?" };

const form = byId("form");
const video = byId("video");
const canvas = document.createElement("canvas");
let live = null;
let stream = null;
let shown = null;
let running = false;
let choosing = false;
let loops = 0; // only the newest one sends frames
let glimpsing = Promise.resolve();

function problem(words) {
  redraw(byId("problem"), words ? h("p", { class: "notice bad" }, words) : null);
}

// -- which game

function game() {
  return start.games.find((known) => known.id === form.elements.game.value);
}

function showGame() {
  byId("deck-row").hidden = game().decks.length < 2;
  redraw(byId("deck"), game().decks.map((deck) => h("option", { value: deck.key, selected: deck.key === localStorage.getItem(`deck-${game().id}`) }, deck.name)));
}

const remembered = localStorage.getItem("game");
const radio = remembered && form.querySelector(`input[name=game][value="${CSS.escape(remembered)}"]`);
if (radio) radio.checked = true;
form.addEventListener("change", showGame);
showGame();
offerProfiles(byId("profile-row"), new URLSearchParams(location.search).get("profile"))
  .catch(() => {})
  .finally(() => (byId("open").disabled = false)); // until now the profile asked for was not chosen yet

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  problem(whyNoCamera());
  if (whyNoCamera()) return;
  localStorage.setItem("game", game().id);
  byId("open").disabled = true;
  try {
    await open();
    const all = await cameras();
    if (all.length > 1 && !all.some((camera) => camera.id === chosenCamera())) await open(await choice(all));
    live = await ask("POST", "/api/live", {
      deck: byId("deck").value || game().id,
      profile: byId("profile").value || null,
      camera: stream.getVideoTracks()[0].label.slice(0, 200),
      size: video.videoWidth ? [video.videoWidth, video.videoHeight] : null,
    });
    byId("measured").textContent = live.measured ? t(`live.measured-${live.measured}`) : "";
  } catch (error) {
    close();
    problem(error.message);
    return;
  } finally {
    byId("open").disabled = false;
  }
  byId("begin").hidden = true;
  byId("running").hidden = false;
  byId("wall").href = `/projector/tables/${live.table}`;
  byId("look").href = `/tables/${live.table}`;
  running = true;
  loop();
});

// -- the camera

async function open(id) {
  close();
  await glimpsing.catch(() => {}); // a camera that is just looked through is let go first
  stream = await openCamera(id, widthFor(game().id));
  video.srcObject = stream;
  await video.play().catch(() => {});
  const track = stream.getVideoTracks()[0];
  track.addEventListener("ended", reopen);
  track.addEventListener("mute", lost);
  const used = track.getSettings().deviceId;
  const all = await cameras();
  byId("camera-name").textContent = all.find((camera) => camera.id === used)?.name ?? track.label;
  byId("cameras").hidden = all.length < 2;
  return used;
}

/** Let somebody choose a camera by its name and by what it sees; resolves to its id. No camera is open meanwhile. */
function choice(all) {
  close();
  const dialog = byId("choose-camera");
  return new Promise((resolve) => {
    const done = (id) => {
      if (id) chooseCamera(id);
      dialog.close();
      resolve(id ?? chosenCamera() ?? undefined);
    };
    const rows = all.map((camera) => h("li", {},
      h("button", { type: "button", class: "camera-choice", "aria-pressed": String(camera.id === chosenCamera()), on: { click: () => done(camera.id) } },
        h("span", { class: "camera-picture", "aria-hidden": "true" }, "…"), h("span", {}, camera.name))));
    byId("camera-list").replaceChildren(...rows);
    dialog.oncancel = (event) => {
      event.preventDefault();
      done(null);
    };
    byId("camera-cancel").onclick = () => done(null);
    dialog.showModal();
    look(all, rows, dialog);
  });
}

/** One camera after another shows what it sees. */
async function look(all, rows, dialog) {
  for (const [i, camera] of all.entries()) {
    if (!dialog.open) return;
    const place = rows[i].querySelector(".camera-picture");
    try {
      place.replaceChildren(await (glimpsing = glimpse(camera.id)));
    } catch (error) {
      place.replaceChildren(h("small", {}, error.message));
    }
  }
}

function close() {
  for (const track of stream?.getTracks() ?? []) {
    track.removeEventListener("ended", reopen);
    track.removeEventListener("mute", lost);
    track.stop();
  }
  stream = null;
}

/** The camera was unplugged, or another program took it: it comes back by itself as soon as it can. */
async function reopen() {
  while (running) {
    lost();
    try {
      await open();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AFTER_FAILURE_MS));
    }
  }
}

navigator.mediaDevices?.addEventListener?.("devicechange", () => {
  if (running && !choosing && stream?.getVideoTracks()[0]?.readyState === "ended") reopen();
});
byId("cameras").addEventListener("click", async () => {
  choosing = true;
  try {
    await open(await choice(await cameras()));
  } catch (error) {
    toast(error.message, true);
    await open().catch(() => reopen());
  } finally {
    choosing = false;
  }
});
byId("mirror").addEventListener("change", (event) => video.parentElement.classList.toggle("mirrored", event.target.checked));
byId("stop").addEventListener("click", () => {
  running = false;
  close();
  byId("running").hidden = true;
  byId("begin").hidden = false;
});
let slept = false; // the browser kept the page while another was looked at
addEventListener("pagehide", () => {
  slept = running;
  running = false;
  close();
});
addEventListener("pageshow", () => {
  if (!slept) return;
  slept = false;
  running = true;
  reopen();
  loop();
});

// -- frames, one at a time

async function loop() {
  const mine = ++loops;
  while (running && mine === loops) {
    const began = performance.now();
    const frame = document.hidden || choosing || !gives() ? null : await frameOf(video, canvas, widthFor(game().id));
    if (!frame) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    try {
      show(await sendForm(`/api/live/${live.id}/frames`, frame));
    } catch (error) {
      old("away", error.status === 0 ? t("match.offline") : error.message);
      await new Promise((resolve) => setTimeout(resolve, AFTER_FAILURE_MS));
    }
    const left = LEAST_MS - (performance.now() - began);
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  }
}

/** Whether the camera gives pictures: of one that was unplugged or switched off the page has black ones left. */
function gives() {
  const track = stream?.getVideoTracks()[0];
  return track?.readyState === "live" && !track.muted;
}

function lost() {
  old("lost", t("live.lost"));
}

/** Nothing is known of the table now: the last verdict is greyed, and it is said why. */
function old(moment, words) {
  tell(words);
  byId("outlines").replaceChildren();
  byId("verdict").classList.add("old");
  document.body.dataset.moment = moment;
}

function tell(words) {
  if (byId("moment").textContent !== words) byId("moment").textContent = words;
}

function show(now) {
  const restless = now.moment === "hand" || now.moment === "moving";
  tell(t(`live.${now.moment}`));
  const svg = byId("outlines");
  svg.setAttribute("viewBox", `0 0 ${canvas.width} ${canvas.height}`);
  svg.classList.toggle("restless", restless);
  svg.replaceChildren(...now.outlines.map((corners) => s("path", { d: `M${corners.map((corner) => corner.join(" ")).join("L")}Z` })));
  byId("verdict").classList.toggle("old", now.moment !== "steady"); // it is of the table as it lay before
  document.body.dataset.moment = now.moment;
  if (now.log.length && now.log.at(-1).number !== shown) {
    shown = now.log.at(-1).number;
    redraw(byId("verdict"), verdict(now.log.at(-1)));
    redraw(byId("log"), [...now.log].reverse().map((line) =>
      h("li", {}, h("img", { src: line.url, alt: "", loading: "lazy" }), h("span", {}, `${line.number}. ${SIGNS[line.outcome]} ${line.texts.slice(0, 2).join(" ")}`))));
  }
}

function verdict(line) {
  const [first, ...rest] = line.texts;
  return [
    h("div", { class: `outcome ${line.outcome}`, role: "status", "aria-live": "polite" }, h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[line.outcome]), h("h2", {}, first ?? "")),
    h("ul", { class: "plain" }, rest.map((words) => h("li", {}, words))),
  ];
}
