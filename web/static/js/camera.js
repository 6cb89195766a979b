// The browser's camera: what keeps it shut, which there are, a frame of it. Never mirrored.

import { t } from "./start.js";

const WIDTH = 1280;
const QUALITY = 0.85;

/** Why a camera cannot be opened, in words; null if it may be tried. */
export function whyNoCamera() {
  if (!isSecureContext) return t("live.not-secure");
  return navigator.mediaDevices?.getUserMedia ? null : t("live.no-camera");
}

/** Open a camera (the one that was used last if there is no id). Rejects with an Error in words. */
export async function openCamera(id) {
  const device = id ?? localStorage.getItem("camera");
  const video = { width: { ideal: WIDTH }, height: { ideal: 720 }, ...(device ? { deviceId: { ideal: device } } : { facingMode: "environment" }) };
  try {
    return await navigator.mediaDevices.getUserMedia({ video, audio: false });
  } catch (error) {
    const words = { NotAllowedError: "live.refused", SecurityError: "live.refused", NotFoundError: "live.no-camera", OverconstrainedError: "live.no-camera", NotReadableError: "live.in-use", AbortError: "live.in-use" };
    throw new Error(t(words[error.name] ?? "live.no-camera"));
  }
}

/** The cameras by name. */
export async function cameras() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter((device) => device.kind === "videoinput").map((device, i) => ({ id: device.deviceId, name: device.label || `${t("live.camera")} ${i + 1}` }));
}

/** A frame of a video as a JPEG; null if there is none yet. */
export function frameOf(video, canvas) {
  if (!video.videoWidth || video.readyState < 2) return Promise.resolve(null);
  const scale = Math.min(1, WIDTH / video.videoWidth);
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}
