// The browser's camera: what keeps it shut, which there are, a frame of it. Never mirrored.

import { t } from "./start.js";

const WIDTH = 1280;
const WIDTHS = { "if-it-fits": 1920 }; // boxes show little: in small frames they are not found
const QUALITY = 0.85;
const THUMBNAIL = 240; // pixels across
const AWAY = new Set(["OverconstrainedError", "NotFoundError"]);
const WORDS = { NotAllowedError: "live.refused", SecurityError: "live.refused", NotFoundError: "live.no-camera", OverconstrainedError: "live.no-camera", NotReadableError: "live.in-use", AbortError: "live.in-use" };
const PATIENCE_MS = 5000; // for the first picture of a camera

/** Why a camera cannot be opened, in words; null if it may be tried. */
export function whyNoCamera() {
  if (!isSecureContext) return t("live.not-secure");
  return navigator.mediaDevices?.getUserMedia ? null : t("live.no-camera");
}

/** How many pixels across the frames of a game should have. */
export function widthFor(game) {
  return WIDTHS[game] ?? WIDTH;
}

/** Open a camera (the one that was chosen last if there is no id, any if that is away). Rejects with an Error in words. */
export async function openCamera(id, width = WIDTH) {
  const device = id ?? chosenCamera();
  try {
    return await stream(device ? { deviceId: { exact: device } } : { facingMode: "environment" }, width);
  } catch (error) {
    if (!id && device && AWAY.has(error.name)) return stream({ facingMode: "environment" }, width).catch(tell);
    return tell(error);
  }
}

function stream(which, width) {
  return navigator.mediaDevices.getUserMedia({ video: { width: { ideal: width }, height: { ideal: (width * 9) / 16 }, ...which }, audio: false });
}

function tell(error) {
  throw new Error(t(WORDS[error.name] ?? "live.no-camera"));
}

/** The camera that somebody chose on this device. */
export function chosenCamera() {
  return localStorage.getItem("camera");
}

export function chooseCamera(id) {
  localStorage.setItem("camera", id);
}

/** The cameras by name. */
export async function cameras() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter((device) => device.kind === "videoinput").map((device, i) => ({ id: device.deviceId, name: device.label || `${t("live.camera")} ${i + 1}` }));
}

/**
 * What a camera sees, small, as a canvas. Devices often let only one camera be open at a time, so no other one may be.
 * Rejects with an Error in words.
 */
export async function glimpse(id) {
  const stream = await openCamera(id);
  const video = document.createElement("video");
  try {
    Object.assign(video, { playsInline: true, muted: true, srcObject: stream });
    await within(video.play());
    await within(new Promise((resolve) => (video.requestVideoFrameCallback ?? ((run) => setTimeout(run, 300))).call(video, resolve)));
    const picture = document.createElement("canvas");
    picture.width = THUMBNAIL;
    picture.height = Math.round((THUMBNAIL * video.videoHeight) / Math.max(1, video.videoWidth));
    picture.getContext("2d").drawImage(video, 0, 0, picture.width, picture.height);
    return picture;
  } finally {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  }
}

function within(promise) {
  return Promise.race([promise, new Promise((_, fail) => setTimeout(() => fail(new Error(t("live.no-picture"))), PATIENCE_MS))]);
}

/** A frame of a video as a JPEG, so wide; it is enlarged only for games that need it. Null if there is none yet. */
export function frameOf(video, canvas, width = WIDTH) {
  if (!video.videoWidth || video.readyState < 2) return Promise.resolve(null);
  const scale = width > WIDTH ? width / video.videoWidth : Math.min(1, width / video.videoWidth);
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}
